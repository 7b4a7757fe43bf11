"""Draws what was seen onto a picture: outlines and short names, for the live picture and for `brisca detect --save`."""

from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.facts import Sighting

_FACE: Final = (90, 220, 90)
_DOUBT: Final = (40, 170, 255)
_BACK: Final = (220, 180, 120)
_INK: Final = (20, 20, 20)
SURE: Final = 0.8
"""A card that is read with less is drawn in another colour and with a question mark."""


def outline_cards(image: NDArray[np.uint8], sightings: Iterable[Sighting], *, copy: bool = True) -> NDArray[np.uint8]:
    """The BGR picture with every sighting outlined and named (``12C``, ``3B?``); ``copy`` False draws into it."""
    out = image.copy() if copy else image
    thick = max(1, round(max(image.shape[:2]) / 500))
    for sighting in sightings:
        points = np.round(np.array(sighting.quad)).astype(np.int32)
        label, probability = sighting.labels[0] if sighting.labels else ("", 0.0)
        sure = probability >= SURE
        colour = _BACK if sighting.kind == "back" else _FACE if sure else _DOUBT
        cv2.polylines(out, [points], True, colour, thick, cv2.LINE_AA)
        if label:
            _write(out, label if sure else f"{label}?", points, colour)
    return out


def _write(image: NDArray[np.uint8], text: str, points: NDArray[np.int32], colour: tuple[int, int, int]) -> None:
    """Write the name on a plate at the middle of the card, as large as a quarter of the card."""
    x, y = points.mean(axis=0)
    height = float(np.linalg.norm(points[2] - points[1])) / 4
    scale = max(0.4, height / 30)
    thick = max(1, round(1.8 * scale))
    (w, h), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    left, top = round(x - w / 2), round(y - h / 2)
    pad = max(2, round(0.2 * h))
    cv2.rectangle(image, (left - pad, top - pad), (left + w + pad, top + h + base // 2 + pad), colour, cv2.FILLED)
    cv2.putText(image, text, (left, top + h), cv2.FONT_HERSHEY_SIMPLEX, scale, _INK, thick, cv2.LINE_AA)
