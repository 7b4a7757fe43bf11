"""The pictures of a report: who was taken for whom, and how far confidence can be believed. Drawn with OpenCV."""

from collections.abc import Iterable, Mapping
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import INDEX, LABELS
from vision.train.evaluation import calibration_bins, calibration_error

Image = NDArray[np.uint8]

CELL: Final = 20
EDGE: Final = 60
SIDE: Final = 460
_INK, _LINE, _PAPER = (30, 30, 30), (205, 205, 205), 250
_BAR, _GAP = (190, 130, 60), (120, 120, 235)


def confusion_matrix(right: Mapping[str, int], wrong: Mapping[tuple[str, str], int]) -> Image:
    """The 48 x 48 confusion matrix, rows the truth, columns what was read, BGR.

    ``right`` counts right names per label, ``wrong`` wrong ones per (truth, read). The diagonal is green, errors are
    red and carry their count; a cell is darker the larger its share of the row is.
    """
    count = np.zeros((len(LABELS), len(LABELS)), int)
    for label, times in right.items():
        count[INDEX[label], INDEX[label]] = times
    for (truth, read), times in wrong.items():
        count[INDEX[truth], INDEX[read]] = times
    side = EDGE + CELL * len(LABELS) + 10
    image = np.full((side + 26, side, 3), _PAPER, np.uint8)
    for row, label in enumerate(LABELS):
        total = max(1, int(count[row].sum()))
        at = EDGE + CELL * row
        _write(image, f"{label:>3}", (EDGE - 34, at + 15), 0.38)
        _write(image, label, (at + (1 if len(label) > 2 else 4), EDGE - 8), 0.3)
        for column in np.flatnonzero(count[row]):
            share = count[row, column] / total
            x = EDGE + CELL * int(column)
            deep = 0.15 + 0.85 * share
            base = np.array((90, 170, 60) if row == column else (60, 60, 220))
            colour = tuple(int(v) for v in _PAPER * (1 - deep) + base * deep)
            cv2.rectangle(image, (x, at), (x + CELL - 1, at + CELL - 1), colour, -1)
            if row != column:
                _write(image, str(count[row, column]), (x + 4, at + 14), 0.36)
    for suit in range(5):  # a line around each suit: most errors stay within one
        at = EDGE + CELL * 12 * suit
        cv2.line(image, (EDGE, at), (EDGE + CELL * len(LABELS), at), (150, 150, 150), 1)
        cv2.line(image, (at, EDGE), (at, EDGE + CELL * len(LABELS)), (150, 150, 150), 1)
    _write(image, "read as", (EDGE, 24), 0.5)
    _write(image, "truth", (4, EDGE - 8), 0.45)
    faces, hits = int(count.sum()), int(np.trace(count))
    _write(
        image,
        f"{hits} of {faces} faces named right; a number is how often a card was taken for another",
        (EDGE, side + 12),
        0.45,
    )
    return image


def reliability(bets: Iterable[tuple[float, bool]], bins: int = 15) -> Image:
    """Share of right names against confidence, with the number of faces in each bin below, BGR."""
    pairs = list(bets)
    image = np.full((SIDE + 190, SIDE + 110, 3), _PAPER, np.uint8)
    left, top = 70, 50

    def place(x: float, y: float) -> tuple[int, int]:
        return left + round(x * SIDE), top + round((1 - y) * SIDE)

    for tenth in range(0, 11, 2):
        value = tenth / 10
        cv2.line(image, place(0, value), place(1, value), _LINE, 1)
        cv2.line(image, place(value, 0), place(value, 1), _LINE, 1)
        _write(image, f"{value:.1f}", (left - 34, place(0, value)[1] + 4), 0.4)
        _write(image, f"{value:.1f}", (place(value, 0)[0] - 10, top + SIDE + 18), 0.4)
    filled = calibration_bins(pairs, bins)
    most = max((count for _, _, count in filled), default=1)
    for sure, right, count in filled:
        low = min(int(sure * bins), bins - 1) / bins
        a, b = place(low, right), place(low + 1 / bins, 0)
        cv2.rectangle(image, (a[0] + 2, a[1]), (b[0] - 2, b[1]), _BAR, -1)
        cv2.line(image, place(sure, right), place(sure, sure), _GAP, 3, cv2.LINE_AA)
        high = round(60 * count / most)
        base = top + SIDE + 100
        cv2.rectangle(image, (a[0] + 2, base - high), (b[0] - 2, base), (150, 150, 150), -1)
        _write(image, str(count), (a[0] + 2, base + 14), 0.3)
    cv2.line(image, place(0, 0), place(1, 1), _INK, 1, cv2.LINE_AA)
    error = calibration_error(pairs)
    said = "no named faces" if error is None else f"{len(pairs)} faces, expected calibration error {error:.3f}"
    _write(image, f"Right names against confidence: {said}", (left - 50, 28), 0.5)
    _write(image, "confidence; below: faces per bin; red: the gap to an honest bet", (left, top + SIDE + 134), 0.42)
    return image


def _write(image: Image, text: str, at: tuple[int, int], size: float) -> None:
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, _INK, 1, cv2.LINE_AA)
