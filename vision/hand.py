"""Where an arm reaches into the picture: what differs from the table at rest and hangs together with the picture's rim.

The tracker needs it to tell a card that a hand hides from one that is gone, and a player's side from where the arm
comes in. It is kept as a grid of 32 x 18 cells, one whole number per row, bit ``x`` set where a hand covers cell ``x``.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.facts import Observation, Quad
from vision.motion import reduce_colour

COLUMNS: Final = 32
ROWS: Final = 18
Grid = tuple[int, ...]
"""ROWS whole numbers; () where there is no hand."""

SIDES: Final = ("south", "east", "north", "west")
LEAST_STEP: Final = 16.0
"""Grey levels in any colour by which a hand differs from the table under it."""
PRINT_SIGMA: Final = 1.2
"""Pixels of the reduced picture by which differences are smoothed."""
LEAST_SHARE: Final = 0.008
"""Share of the picture that an arm covers at the least."""
REST_SECONDS: Final = 0.3
ACCEPT_SECONDS: Final = 6.0
"""What has stood unchanged at the rim for so long belongs to the table: another light, a glass."""
STEADY_SHARE: Final = 0.95
"""Share of its pixels that must have stood unchanged; at its edges noise decides."""
MOST_SHARE: Final = 0.5
"""Where more of a picture at rest differs than arms can cover, the camera was knocked: that is the table now."""
FOLLOW_SECONDS: Final = 0.2
"""How often it is tried whether a knock at the camera explains what differs."""
LEAST_SHIFT: Final = 0.3
"""Pixels of the reduced picture by which its corners must have moved for a knock."""
LEAST_LIKENESS: Final = 0.8
"""Correlation of the moved table with the picture from which on they are the same table."""
EXPLAINED: Final = 0.6
"""A knock must leave less than this share of what differed: an arm does not go away by moving the table under it."""
_CELL_SHARE: Final = 0.4


@dataclass(frozen=True, slots=True)
class Look(Observation):
    """An observation that also says where a hand is; plain observations leave that open."""

    hand: Grid = ()


class HandWatch:
    """Learns the table at rest and finds what reaches over it; one call per frame, in order."""

    def __init__(self) -> None:
        self._table: NDArray[np.float32] | None = None
        self._still_since: float | None = None
        self._rests = False
        self._followed_t = -FOLLOW_SECONDS
        self._steady: NDArray[np.float32] | None = None
        self._steady_t = np.zeros((1, 1))

    def look(self, image: NDArray[np.uint8], t: float, still: bool) -> Grid:
        """The cells that a hand covers in the BGR picture at ``t``; ``still`` says that nothing moves just now."""
        self._still_since = None if not still else t if self._still_since is None else self._still_since
        rested = -1.0 if self._still_since is None else t - self._still_since
        if self._rests and still:
            return ()  # at rest and known to be free of hands: nothing to compare
        small = reduce_colour(image)
        if self._table is None or self._table.shape != small.shape:
            self._table = small
            return ()
        arm = self._arm(small)
        if arm is not None and t - self._followed_t >= FOLLOW_SECONDS:
            self._followed_t = t
            arm = self._follow(small, arm)
        unchanged = self._unchanged(small, t)
        if arm is not None and unchanged.any():
            arm = self._accept(small, arm, unchanged)
        if rested >= REST_SECONDS:
            if arm is None or rested >= ACCEPT_SECONDS or float(arm.mean()) > MOST_SHARE:
                self._table, arm = small, None
            else:
                self._table = np.where(arm[..., None], self._table, small)
        self._rests = arm is None and rested >= REST_SECONDS
        return () if arm is None else _grid(arm)

    def _follow(self, small: NDArray[np.float32], arm: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
        """Move the table with a camera that was knocked, where that explains what differs; returns the arm anew.

        A pattern that is a pixel off differs from itself all over, and hangs together with the rim like an arm that
        never leaves. The motion is found by enhanced correlation (Evangelidis and Psarakis, 2008), from the shift that
        phase correlation finds.
        """
        assert self._table is not None
        height, width = small.shape[:2]
        before, after = cv2.cvtColor(self._table, cv2.COLOR_BGR2GRAY), cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        (east, south), _ = cv2.phaseCorrelate(before, after, cv2.createHanningWindow((width, height), cv2.CV_32F))
        motion = np.array([[1, 0, east], [0, 1, south]], np.float32)
        enough = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-4)
        try:
            likeness, found = cv2.findTransformECC(before, after, motion, cv2.MOTION_EUCLIDEAN, enough)
        except cv2.error:  # it does not converge: another table, or none to be seen
            return arm
        motion = np.asarray(found, np.float32)
        corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]], np.float32)
        moved = float(np.hypot(*(corners @ motion.T - corners[:, :2]).T).max())
        if likeness < LEAST_LIKENESS or moved < LEAST_SHIFT:
            return arm
        kept = self._table
        moved_table = np.asarray(cv2.warpAffine(kept, motion, (width, height)), np.float32)
        known = cv2.warpAffine(np.ones((height, width), np.float32), motion, (width, height)) > 0.99
        self._table = np.where(known[..., None], moved_table, small)  # what has only now come into view is new
        left = self._arm(small)
        if left is not None and left.mean() >= EXPLAINED * arm.mean():
            self._table = kept
            return arm
        return left

    def _unchanged(self, small: NDArray[np.float32], t: float) -> NDArray[np.bool_]:
        """The pixels (h, w) that have looked the same for :data:`ACCEPT_SECONDS`, whatever moved elsewhere."""
        if self._steady is None or self._steady.shape != small.shape:
            self._steady, self._steady_t = small.copy(), np.full(small.shape[:2], t)
        step = small - self._steady
        step -= np.median(step.reshape(-1, 3), axis=0)
        other = np.abs(step).max(axis=2) > LEAST_STEP
        self._steady[other] = small[other]
        self._steady_t[other] = t
        return np.asarray(t - self._steady_t >= ACCEPT_SECONDS)

    def _accept(
        self, small: NDArray[np.float32], arm: NDArray[np.bool_], unchanged: NDArray[np.bool_]
    ) -> NDArray[np.bool_] | None:
        """Take into the table what stands unchanged at the rim while hands come and go; returns what is left."""
        assert self._table is not None
        count, parts = cv2.connectedComponents(arm.astype(np.uint8), connectivity=4)
        for number in range(1, count):
            part = parts == number
            if unchanged[part].mean() >= STEADY_SHARE:
                self._table[part] = small[part]
                arm = arm & ~part
        return arm if arm.any() else None

    def _arm(self, small: NDArray[np.float32]) -> NDArray[np.bool_] | None:
        """What differs from the table and touches the rim, (h, w); None where nothing does."""
        assert self._table is not None
        # A fine print is never twice the same to the pixel once the camera has moved; an arm is larger than any of it.
        step = cv2.GaussianBlur(small - self._table, (0, 0), PRINT_SIGMA)
        step -= np.median(step.reshape(-1, 3), axis=0)  # the exposure reacts to an arm in the picture
        changed = (np.abs(step).max(axis=2) > LEAST_STEP).astype(np.uint8)
        changed = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)).astype(np.uint8)
        _, parts, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=4)
        height, width = changed.shape
        arm = np.zeros(changed.shape, bool)
        for number in range(1, len(stats)):
            left, top, wide, high, area = (int(value) for value in stats[number])
            at_rim = left <= 1 or top <= 1 or left + wide >= width - 1 or top + high >= height - 1
            if at_rim and area >= LEAST_SHARE * changed.size:
                arm |= parts == number
        return arm if arm.any() else None


def covered(grid: Grid, quad: Quad, size: tuple[int, int]) -> float:
    """Share of the cells under the box of ``quad`` (pixels of a picture of ``size``) that a hand covers, 0..1."""
    if not grid:
        return 0.0
    xs, ys = [point[0] for point in quad], [point[1] for point in quad]
    # The box is drawn in by a tenth: its corners are rarely part of a turned card.
    margin_x, margin_y = 0.1 * (max(xs) - min(xs)), 0.1 * (max(ys) - min(ys))
    left = _cell(min(xs) + margin_x, size[0], COLUMNS)
    right = _cell(max(xs) - margin_x, size[0], COLUMNS)
    top, bottom = _cell(min(ys) + margin_y, size[1], ROWS), _cell(max(ys) - margin_y, size[1], ROWS)
    columns = ((1 << (right - left + 1)) - 1) << left
    hits = sum((grid[row] & columns).bit_count() for row in range(top, bottom + 1))
    return hits / ((right - left + 1) * (bottom - top + 1))


def at_rims(grid: Grid) -> tuple[float, float, float, float]:
    """Share of the cells along each rim that a hand covers, in the order of :data:`SIDES`."""
    if not grid:
        return (0.0, 0.0, 0.0, 0.0)
    east = sum(row >> (COLUMNS - 1) & 1 for row in grid)
    west = sum(row & 1 for row in grid)
    return grid[-1].bit_count() / COLUMNS, east / ROWS, grid[0].bit_count() / COLUMNS, west / ROWS


def _grid(arm: NDArray[np.bool_]) -> Grid:
    shares = cv2.resize(arm.astype(np.float32), (COLUMNS, ROWS), interpolation=cv2.INTER_AREA)
    weights = np.left_shift(np.int64(1), np.arange(COLUMNS, dtype=np.int64))
    return tuple(int(value) for value in (shares >= _CELL_SHARE) @ weights)


def _cell(position: float, length: int, count: int) -> int:
    return min(count - 1, max(0, int(position * count / length)))
