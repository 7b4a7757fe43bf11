"""A cheap gate before the detector: what has changed on the table since the last picture, and since it was last read.

Pictures are compared at about 160 x 90 in grey. A slow drift of the exposure is taken out before the comparison, and
the threshold follows the measured noise of the camera, so that a dark, noisy picture at rest counts as at rest.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

REDUCED_WIDTH: Final = 160
LEAST_STEP: Final = 7.0
"""Grey levels that a pixel of the reduced picture must change by, at the least."""
NOISE_FACTOR: Final = 5.0
LEAST_SHARE: Final = 0.0012
"""Share of the picture from which on a change counts: about 17 of the 14,400 reduced pixels, a tenth of a card."""


@dataclass(frozen=True, slots=True)
class Change:
    """What differs between two pictures.

    ``share`` is the changed share of the picture, 0..1. ``box`` is (left, top, right, bottom) of the changed area as
    shares of the picture, None where nothing has changed. ``mask`` is the reduced picture (h, w) of what changed.
    """

    share: float
    box: tuple[float, float, float, float] | None
    mask: NDArray[np.bool_]

    @property
    def still(self) -> bool:
        """Whether the change is too small to matter."""
        return self.share < LEAST_SHARE

    def at(self, quad: NDArray[np.float32], size: tuple[int, int]) -> float:
        """The changed share of the box around ``quad``, (4, 2) pixels of a picture of ``size`` (width, height)."""
        height, width = self.mask.shape
        scaled = np.asarray(quad, np.float64) * (width / size[0], height / size[1])
        left, top = np.clip(np.floor(scaled.min(axis=0)), 0, (width - 1, height - 1)).astype(int)
        right, bottom = np.clip(np.ceil(scaled.max(axis=0)), (left + 1, top + 1), (width, height)).astype(int)
        return float(self.mask[top:bottom, left:right].mean())


def reduce(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The picture in grey at about 160 pixels width, float32 (h, w)."""
    return np.asarray(cv2.cvtColor(_shrink(image), cv2.COLOR_BGR2GRAY), np.float32)


def reduce_colour(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The picture in colour at about 160 pixels width, float32 (h, w, 3)."""
    return _shrink(image).astype(np.float32)


def _shrink(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    step = max(1, round(image.shape[1] / REDUCED_WIDTH))
    height, width = max(1, image.shape[0] // step), max(1, image.shape[1] // step)
    # A whole-numbered step keeps the averaging on OpenCV's fast path; what is left over at the rim is dropped.
    whole = image[: height * step, : width * step] if step > 1 else image
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def compare(first: NDArray[np.float32], second: NDArray[np.float32]) -> Change:
    """What differs between two reduced pictures; another size counts as changed all over."""
    if first.shape != second.shape:
        return Change(1.0, (0.0, 0.0, 1.0, 1.0), np.ones(second.shape, bool))
    step = second - first
    # Exposure and white balance drift over the whole picture at once: the median change is theirs, as long as less
    # than half of the picture really changed. A brighter lamp scales the picture, so the fit is a gain and an offset.
    step -= _drift(first, step)
    size = np.abs(step)
    noise = 1.4826 * float(np.median(size))
    mask = size > max(LEAST_STEP, NOISE_FACTOR * noise)
    # Single pixels are sensor noise or an edge that a tiny shake moved.
    mask = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)).astype(bool)
    share = float(mask.mean())
    if not share:
        return Change(0.0, None, mask)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    height, width = mask.shape
    box = (
        float(columns[0]) / width,
        float(rows[0]) / height,
        float(columns[-1] + 1) / width,
        float(rows[-1] + 1) / height,
    )
    return Change(share, box, mask)


def _drift(first: NDArray[np.float32], step: NDArray[np.float32]) -> NDArray[np.float32]:
    """The part of ``step`` that a change of gain and offset over the whole picture explains, by robust halves."""
    dark = first < np.median(first)
    if not dark.any() or dark.all():
        return np.full_like(step, np.median(step))
    low, high = float(np.median(step[dark])), float(np.median(step[~dark]))
    at_low, at_high = float(np.median(first[dark])), float(np.median(first[~dark]))
    if at_high - at_low < 8 or abs(high - low) > 0.25 * (at_high - at_low):
        return np.full_like(step, np.median(step))
    gain = (high - low) / (at_high - at_low)
    return np.asarray(low + gain * (first - np.float32(at_low)), np.float32)
