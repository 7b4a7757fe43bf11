"""One card laid on a picture: shrunk without aliasing, printed a little differently each time, with its shadow."""

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import CARD_MM

Rng = np.random.Generator
Image = NDArray[np.uint8]
Canvas = NDArray[np.float32]

ASPECT = CARD_MM[0] / CARD_MM[1]


def card_quad(centre: tuple[float, float], height: float, angle: float) -> NDArray[np.float32]:
    """Return the four corners of an upright card turned by ``angle`` (radians, clockwise on screen), (4, 2) pixels."""
    w, h = height * ASPECT / 2, height / 2
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]], np.float32)
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, s], [-s, c]], np.float32)
    return np.asarray(corners @ turn + np.array(centre, np.float32), np.float32)


def fitted(card: Image, height: float) -> Image:
    """Return the card shrunk to little more than ``height`` pixels: a warp that shrinks by more than two aliases."""
    factor = 1.3 * height / card.shape[0]
    if factor > 0.8:
        return card
    return np.asarray(cv2.resize(card, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)


def printed(rng: Rng, card: Image) -> Image:
    """Return the card as another copy of the deck: ink, paper tone, fading, and the art up to 1 mm off centre."""
    height, width = card.shape[:2]
    colour = card[..., :3].astype(np.float32)
    paper = 1 - np.array([rng.uniform(0, 0.22), rng.uniform(0, 0.1), rng.uniform(0, 0.05)], np.float32)
    ink = 1 + rng.normal(0, 0.05, 3).astype(np.float32)
    fade = np.float32(rng.uniform(0, 0.22) if rng.random() < 0.4 else 0.0)
    colour = 255 - (255 - colour) * ink
    colour = (colour * (1 - fade) + 235 * fade) * paper
    if rng.random() < 0.15:  # hue of another print run
        hsv = cv2.cvtColor(np.clip(colour, 0, 255).astype(np.uint8), cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(np.int16) + int(rng.integers(-7, 8))) % 180
        colour = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR).astype(np.float32)
    out = card.copy()
    out[..., :3] = np.clip(colour, 0, 255)
    if rng.random() < 0.5:
        shift = np.array([[1, 0, rng.uniform(-0.017, 0.017) * width], [0, 1, rng.uniform(-0.011, 0.011) * height]])
        out[..., :3] = cv2.warpAffine(out[..., :3], shift, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return out


def lay(canvas: Canvas, card: Image, quad: NDArray[np.float32], lift: float = 0.0) -> NDArray[np.float32]:
    """Lay a BGRA card into the float canvas in place, with a contact shadow; return its alpha mask (H, W) 0..1."""
    height, width = canvas.shape[:2]
    ch, cw = card.shape[:2]
    source = np.array([[0, 0], [cw, 0], [cw, ch], [0, ch]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, np.asarray(quad, np.float32))
    warped = cv2.warpPerspective(card, matrix, (width, height), flags=cv2.INTER_LINEAR)
    alpha = warped[..., 3].astype(np.float32) / 255
    if lift > 0:
        soft = cv2.GaussianBlur(alpha, (0, 0), max(0.7, lift))
        move = np.array([[1, 0, lift * 0.7], [0, 1, lift]], np.float32)
        soft = cv2.warpAffine(soft, move, (width, height))
        canvas *= (1 - 0.45 * soft * (1 - alpha))[..., None]
    canvas *= (1 - alpha)[..., None]
    canvas += warped[..., :3].astype(np.float32) * alpha[..., None]
    return np.asarray(alpha, np.float32)
