"""What lies on a card as tables have it: the stock, a later card, a fan, fingers, a coin, a burnt-out reflection."""

import math
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.laying import ASPECT, Canvas, Image, Rng, card_quad, fitted, lay, printed


class Faces(Protocol):
    """The part of a deck that the crop maker needs (see :class:`vision.synth.decks.DeckArt`)."""

    @property
    def name(self) -> str:
        """Name of the deck."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the faces that it has."""

    def face(self, label: str) -> Image:
        """Return the face as BGRA."""

    def back(self) -> Image:
        """Return the back as BGRA."""


def any_card(rng: Rng, deck: Faces) -> Image:
    """Return a face of the deck, at times its back."""
    if rng.random() < 0.2:
        return deck.back()
    return deck.face(deck.labels[int(rng.integers(len(deck.labels)))])


def cover(
    rng: Rng,
    canvas: Canvas,
    mask: Canvas,
    deck: Faces,
    quad: NDArray[np.float32],
    height: float,
) -> None:
    """Cover part of the card, in place, as tables do: the stock, a later card, a fan, a hand."""
    centre = quad.mean(0)
    along, across = (quad[3] - quad[0]), (quad[1] - quad[0])
    base = math.atan2(float(across[1]), float(across[0]))
    way = rng.random()
    lift = rng.uniform(0.004, 0.03) * height
    over: list[tuple[Image, NDArray[np.float32], float]] = []
    if way < 0.25:  # half under the stock, which lies across or in line
        end = 1 if rng.random() < 0.5 else -1
        turned = rng.random() < 0.7
        thick = (0.5 * ASPECT if turned else 0.5) * height
        edge = rng.uniform(-0.12, 0.3) * height  # where the stock's edge runs, from the card's middle
        place = centre + along / height * end * (edge + thick) + across * rng.uniform(-0.25, 0.25)
        angle = base + (math.pi / 2 if turned else 0.0) + rng.normal(0, 0.06)
        over.append((deck.back(), card_quad((float(place[0]), float(place[1])), height, angle), 2.5 * lift))
    elif way < 0.4:  # a fan in a hand or on the table: the neighbours leave one long strip free
        right = 1 if rng.random() < 0.75 else -1
        for step in range(1, int(rng.integers(2, 4))):
            place = centre + across * right * rng.uniform(0.2, 0.5) * step + along * rng.normal(0, 0.04)
            angle = base + right * rng.uniform(0.02, 0.3) * step
            over.append((any_card(rng, deck), card_quad((float(place[0]), float(place[1])), height, angle), lift))
    elif way < 0.85:  # a later card of the trick
        for _ in range(1 + int(rng.random() < 0.2)):
            angle, reach = rng.uniform(0, 2 * math.pi), height * rng.uniform(0.35, 0.9)
            place = centre + reach * np.array([math.cos(angle), math.sin(angle)], np.float32)
            turn = base + (rng.normal(0, 0.25) if rng.random() < 0.5 else rng.uniform(0, 2 * math.pi))
            over.append((any_card(rng, deck), card_quad((float(place[0]), float(place[1])), height, turn), lift))
    elif way < 0.92:
        _fingers(rng, canvas, mask, quad, height)
    else:
        _patch(rng, canvas, mask, quad, height)
    for art, place, rise in over:
        alpha = lay(canvas, printed(rng, fitted(art, height)), place, rise)
        mask *= 1 - alpha


def _patch(rng: Rng, canvas: Canvas, mask: Canvas, quad: NDArray[np.float32], height: float) -> None:
    """Hide a small part, most often the middle: a coin, a sticker, a printed marker, a burnt-out reflection.

    A pip may be exactly there, so the network must learn to count what it sees and to doubt what it does not.
    """
    size = height * rng.uniform(0.1, 0.36)
    off = rng.normal(0, 0.12, 2) if rng.random() < 0.6 else rng.uniform(-0.4, 0.4, 2)
    at = quad.mean(0) + (quad[1] - quad[0]) * off[0] + (quad[3] - quad[0]) * off[1]
    square = card_quad((float(at[0]), float(at[1])), size, rng.uniform(0, math.pi) if rng.random() < 0.4 else 0.0)
    square[:, 0] = at[0] + (square[:, 0] - at[0]) / ASPECT
    way = rng.random()
    if way < 0.5:  # a printed marker: a dark square with light cells
        cells = int(rng.integers(3, 8))
        pattern = np.where(rng.random((cells, cells)) < 0.5, rng.uniform(0, 70), rng.uniform(180, 255))
        pattern = np.pad(pattern, 1, constant_values=float(pattern.min() if rng.random() < 0.6 else pattern.max()))
        image = np.full((64, 64, 4), 255, np.uint8)
        image[..., :3] = cv2.resize(pattern, (64, 64), interpolation=cv2.INTER_NEAREST)[..., None]
    else:  # something round, or one colour: a coin, a chip, a sticker; nearly white is a reflection
        image = np.zeros((64, 64, 4), np.uint8)
        colour = rng.uniform(20, 245, 3) if way < 0.85 else rng.uniform(235, 255, 3)
        if rng.random() < 0.7:
            cv2.circle(image, (32, 32), 31, (*colour.tolist(), 255), -1, cv2.LINE_AA)
            cv2.circle(image, (32, 32), int(rng.integers(12, 28)), (*(colour * 0.8).tolist(), 255), 2, cv2.LINE_AA)
        else:
            image[:] = (*colour, 255)
    mask *= 1 - lay(canvas, fitted(image, size), square, lift=rng.uniform(0, 0.01) * height)


def _fingers(rng: Rng, canvas: Canvas, mask: Canvas, quad: NDArray[np.float32], height: float) -> None:
    """Lay one to four fingers over an edge of the card."""
    tone = rng.uniform(0.35, 1.0)
    skin = np.array([rng.uniform(120, 170), rng.uniform(150, 190), rng.uniform(200, 240)], np.float32) * tone
    corner = int(rng.integers(4))
    edge_start, edge_end = quad[corner], quad[(corner + 1) % 4]
    inward = quad.mean(0) - (edge_start + edge_end) / 2
    start = rng.uniform(0.1, 0.7)
    for finger in range(int(rng.integers(1, 5))):
        root = edge_start + (edge_end - edge_start) * (start + 0.16 * finger) - inward * 0.6
        tip = root + inward * rng.uniform(0.7, 1.7) + rng.normal(0, 0.03 * height, 2).astype(np.float32)
        width = max(2, round(height * rng.uniform(0.1, 0.17)))
        layer = np.zeros(mask.shape, np.float32)
        cv2.line(layer, tuple(map(int, root)), tuple(map(int, tip)), 1.0, width, cv2.LINE_AA)
        layer = np.asarray(cv2.GaussianBlur(layer, (0, 0), max(0.6, 0.006 * height)), np.float32)
        shade = np.float32(rng.uniform(0.85, 1.1))
        canvas *= (1 - layer)[..., None]
        canvas += layer[..., None] * skin * shade
        mask *= 1 - layer
