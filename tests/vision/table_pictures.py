"""Pictures of a table with cards of our own deck, as a good camera takes them."""

from collections.abc import Iterable

import cv2
import numpy as np
from table_scene import quad_at

from vision.synth.decks import own_deck

SIZE = (1280, 720)
PLACES = {
    "3C": (420, 250, 10),
    "12E": (640, 240, -4),
    "1O": (860, 260, 95),
    "7B": (450, 500, 170),
    "11C": (700, 500, 30),
}


def draw(picture: np.ndarray, name: str, x: float, y: float, turn: float) -> np.ndarray:
    """Lay a card of our deck (``back`` for its back) into the picture, with soft edges as a camera gives them."""
    deck = own_deck()
    art = deck.back() if name.startswith("back") else deck.face(name)
    art = cv2.resize(art, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
    height, width = art.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, quad_at(x, y, turn))
    warped = cv2.warpPerspective(art, matrix, SIZE, flags=cv2.INTER_LINEAR).astype(np.float32)
    alpha = warped[..., 3:] / 255
    return (picture * (1 - alpha) + warped[..., :3] * alpha).astype(np.uint8)


def shot(felt: np.ndarray, names: Iterable[str], seed: int = 1, **more: tuple[float, float, float]) -> np.ndarray:
    """A camera's picture of these cards at their places, with noise and a little blur."""
    picture = felt.copy()
    for name in names:
        picture = draw(picture, name, *PLACES[name])
    for name, place in more.items():
        picture = draw(picture, name, *place)
    return noisy(cv2.GaussianBlur(picture, (0, 0), 0.6), seed)


def noisy(picture: np.ndarray, seed: int) -> np.ndarray:
    noise = np.random.default_rng(seed).standard_normal(picture.shape, np.float32) * 2
    return np.clip(picture + noise, 0, 255).astype(np.uint8)
