"""Pictures of what went wrong in a film: the frame where a misread card had come to rest, with its true outline."""

import json
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from server.films.score import CardError

_MOST: Final = 12
_CROP: Final = 240
_BAND: Final = 34
_INK: Final = (40, 40, 230)


def draw_failures(folder: Path, errors: list[CardError], out: Path) -> list[str]:
    """Draws the first errors that have a time; returns the names of the pictures in ``out``.

    ``folder`` is as :mod:`server.films.runner` leaves it.
    """
    for old in out.glob(f"{folder.name}-*.jpg"):
        old.unlink()
    wanted = [error for error in errors if error.t is not None][:_MOST]
    if not wanted:
        return []
    out.mkdir(parents=True, exist_ok=True)
    rows = [json.loads(line) for line in (folder / "film/truth_boxes.jsonl").read_text(encoding="utf-8").splitlines()]
    film = cv2.VideoCapture(str(folder / "film/game.mp4"))
    names = []
    try:
        for index, error in enumerate(wanted, start=1):
            assert error.t is not None
            # The boxes are known of a few frames only: the first one in which the card lies still.
            row = next((row for row in rows if row["t"] >= error.t), rows[-1])
            film.set(cv2.CAP_PROP_POS_FRAMES, row["frame"])
            good, image = film.read()
            if not good:
                continue
            name = f"{folder.name}-{index:02}.jpg"
            cv2.imwrite(
                str(out / name), _picture(np.asarray(image, np.uint8), row, error), [cv2.IMWRITE_JPEG_QUALITY, 88]
            )
            names.append(name)
    finally:
        film.release()
    return names


def _picture(image: NDArray[np.uint8], row: dict[str, Any], error: CardError) -> NDArray[np.uint8]:
    """The frame with the card's outline, a close-up of the card in a corner, and a line of text below."""
    card = next((card for card in row["cards"] if card["card"] == error.true), None)
    shown = image.copy()
    if card is not None:
        quad = np.asarray(card["quad"], np.float32)
        cv2.polylines(shown, [np.round(quad).astype(np.int32)], True, _INK, 2, cv2.LINE_AA)
        flat = np.array([[0, 0], [_CROP * 0.647, 0], [_CROP * 0.647, _CROP], [0, _CROP]], np.float32)
        close = cv2.warpPerspective(image, cv2.getPerspectiveTransform(quad, flat), (round(_CROP * 0.647), _CROP))
        h, w = min(close.shape[0], shown.shape[0]), min(close.shape[1], shown.shape[1])
        shown[:h, :w] = close[:h, :w]
    band = np.full((_BAND, shown.shape[1], 3), 255, np.uint8)
    text = str(error).replace("→", " -> ") + f"  t={error.t:.1f} s"
    if card is not None:
        text += f"  visible {card['visible']:.0%}"
    cv2.putText(band, text, (8, 23), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (30, 30, 30), 1, cv2.LINE_AA)
    return np.vstack([shown, band])
