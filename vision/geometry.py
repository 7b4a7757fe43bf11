"""The cards calibrate the camera: from their outlines to millimetres on the table, without a wizard.

All cards measure 61.5 x 95 mm and lie on one plane. A camera with square pixels and its axis through the middle of the
picture is then known up to where the table's origin is: focal length, two tilts and the distance are fitted so that the
cards, projected onto the table, have their true sides and diagonals. The origin is put at the middle of the picture,
x runs to the right of the picture, y down.
"""

import math
from dataclasses import dataclass
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from vision.facts import Point, Quad
from vision.labels import CARD_MM

LEAST_CARDS: Final = 3
"""Cards needed before tilts are fitted; with fewer there is only a scale."""
MOST_CARDS: Final = 48
_ROUNDS: Final = 25
_TOLERANCE: Final = 0.05
"""Relative error of a length from which on a card counts less (Huber)."""
# Loose beliefs that decide where few cards say nothing: focal length about the picture's long side, a level camera.
_PRIOR_FOCAL: Final = 0.35
_PRIOR_TILT: Final = 1.0


@dataclass(frozen=True, slots=True)
class TablePlane:
    """A plane: ``to_table`` is the 3x3 homography from picture pixels to table millimetres (row by row).

    ``tilt`` is the angle between the camera's axis and the plumb line in degrees, ``error`` the typical relative error
    of a card's lengths, ``cards`` how many cards it rests on, ``spread`` how many millimetres apart the farthest two of
    them lie: cards all in one place tell nothing of the rest of the table.
    """

    to_table: tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
    tilt: float
    error: float
    cards: int
    spread: float

    def quad(self, quad: Quad) -> Quad | None:
        """A quad in millimetres, one decimal; None beyond the horizon."""
        points = [self.point(point) for point in quad]
        return None if None in points else cast("Quad", tuple(points))

    def point(self, point: Point) -> Point | None:
        """A point in millimetres, one decimal; None beyond the horizon."""
        (a, b, c), (d, e, f), (g, h, i) = self.to_table
        x, y = point
        w = g * x + h * y + i
        if w <= 1e-9:
            return None
        return round((a * x + b * y + c) / w, 1), round((d * x + e * y + f) / w, 1)

    def size_ratio(self, quad: Quad) -> float | None:
        """Long sides of a card on the table over 95 mm: above 1 it is nearer to the camera than the table."""
        mm = self.quad(quad)
        if mm is None:
            return None
        return (math.dist(mm[1], mm[2]) + math.dist(mm[3], mm[0])) / (2 * CARD_MM[1])


class TableGeometry:
    """Collects fully visible cards and refines the plane. Pure: the same cards in the same order, the same plane."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self._quads: list[Quad] = []
        self._plane: TablePlane | None = None
        self._params: NDArray[np.float64] | None = None

    @property
    def plane(self) -> TablePlane | None:
        """The plane as far as it is known; None before the first card."""
        return self._plane

    def add(self, quad: Quad) -> None:
        """Take in a card that lies flat on the table and is fully visible."""
        self._quads.append(quad)
        del self._quads[:-MOST_CARDS]
        self._plane, self._params = fit_plane(self._quads, self.size, self._params)

    def reset(self) -> None:
        """Forget everything: the camera was moved."""
        self._quads.clear()
        self._plane = self._params = None


def fit_plane(
    quads: list[Quad], size: tuple[int, int], start: NDArray[np.float64] | None = None
) -> tuple[TablePlane, NDArray[np.float64]]:
    """Fit the camera over the table to the outlines of ``quads`` (pixels) in a picture of ``size`` (width, height).

    Returns the plane and the parameters (log focal length, tilt about x, tilt about y, log distance), a good start for
    the next fit. ``quads`` must not be empty.
    """
    points = np.array(quads, np.float64)
    long = np.linalg.norm(points[:, [2, 0]] - points[:, [1, 3]], axis=-1).mean(axis=1)
    unit = float(max(size))
    scale = CARD_MM[1] / max(float(np.median(long)), 1e-6)
    if start is None or len(quads) <= LEAST_CARDS:
        start = np.array([0.0, 0.0, 0.0, math.log(scale * unit)])
    params = start.copy()
    if len(quads) < LEAST_CARDS:
        params[3] = math.log(scale * unit)
        matrix = _homography(params, size)
        return _plane(matrix, params, 0.0, points), params

    # Cards in one place look the same on a table that leans towards the camera as on one that leans away; only cards
    # elsewhere tell. So what was believed first is compared with its opposite each time.
    opposite = params * np.array([1.0, -1.0, -1.0, 1.0])
    params, error, _ = min((_refined(params, points, size), _refined(opposite, points, size)), key=_cost)
    params = np.round(params, 6)
    return _plane(_homography(params, size), params, error, points), params


_Fit = tuple[NDArray[np.float64], float, float]
"""Parameters, median relative error of a length, cost."""


def _cost(fit: _Fit) -> float:
    return fit[2]


def _refined(params: NDArray[np.float64], points: NDArray[np.float64], size: tuple[int, int]) -> _Fit:
    """The best fit that is found downhill from ``params`` (Levenberg-Marquardt)."""
    free = np.arange(4)
    damping = 1e-3
    residual, error = _residual(params, points, size)
    for _ in range(_ROUNDS):
        jacobian = np.empty((len(residual), len(free)))
        for column in free:
            nudged = params.copy()
            nudged[column] += 1e-5
            jacobian[:, column] = (_residual(nudged, points, size)[0] - residual) / 1e-5
        normal = jacobian.T @ jacobian
        step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -jacobian.T @ residual)
        trial = params + step
        trial[1:3] = np.clip(trial[1:3], -1.2, 1.2)
        trial_residual, trial_error = _residual(trial, points, size)
        if trial_residual @ trial_residual < residual @ residual:
            small = float(np.abs(trial - params).max()) < 1e-6
            params, residual, error = trial, trial_residual, trial_error
            damping = max(damping / 5, 1e-9)
            if small:
                break
        else:
            damping *= 6
            if damping > 1e6:
                break
    return params, error, float(residual @ residual)


def _residual(
    params: NDArray[np.float64], quads: NDArray[np.float64], size: tuple[int, int]
) -> tuple[NDArray[np.float64], float]:
    """Robust residuals of all lengths and the beliefs, and the median relative error of a length."""
    matrix = _homography(params, size)
    flat = np.concatenate([quads, np.ones((*quads.shape[:2], 1))], axis=-1) @ matrix.T
    table = flat[..., :2] / np.maximum(flat[..., 2:], 1e-6)
    width, height = CARD_MM
    diagonal = math.hypot(width, height)

    def lengths(first: list[int], second: list[int], true: float) -> NDArray[np.float64]:
        sides = np.linalg.norm(table[:, first] - table[:, second], axis=-1)
        return np.asarray(np.log(np.maximum(sides, 1e-6) / true), np.float64)

    # An oriented box gives the two short sides one length; their mean is right, single sides are not.
    errors = np.concatenate(
        [
            lengths([0, 2], [1, 3], width).mean(axis=1),
            lengths([1, 3], [2, 0], height).mean(axis=1),
            lengths([0], [2], diagonal)[:, 0],
            lengths([1], [3], diagonal)[:, 0],
        ]
    )
    size_of = np.abs(errors)
    weight = np.where(size_of <= _TOLERANCE, 1.0, np.sqrt(_TOLERANCE / np.maximum(size_of, _TOLERANCE)))
    beliefs = np.array([params[0] / _PRIOR_FOCAL, params[1] / _PRIOR_TILT, params[2] / _PRIOR_TILT])
    return np.concatenate([errors * weight / _TOLERANCE, beliefs]), float(np.median(size_of))


def _homography(params: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.float64]:
    """Pixels -> table millimetres for a camera with these parameters; w is positive before the horizon."""
    focal = max(size) * math.exp(params[0])
    sx, cx = math.sin(params[1]), math.cos(params[1])
    sy, cy = math.sin(params[2]), math.cos(params[2])
    turn = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]]) @ np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    # The point where the axis meets the table is the origin; the plane is spanned by the turned x and y axes.
    away = np.array([0.0, 0.0, math.exp(params[3] + params[0])])
    spanned = np.column_stack([turn[:, 0], turn[:, 1], away])
    camera = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    inverse = np.linalg.inv(camera @ spanned)
    middle = inverse[2] @ np.array([size[0] / 2, size[1] / 2, 1])
    return np.asarray(inverse / middle)


def _plane(
    matrix: NDArray[np.float64], params: NDArray[np.float64], error: float, quads: NDArray[np.float64]
) -> TablePlane:
    rows = tuple(tuple(float(f"{value:.9g}") for value in row) for row in matrix)
    tilt = math.degrees(math.acos(max(-1.0, min(1.0, math.cos(params[1]) * math.cos(params[2])))))
    return TablePlane(
        cast("tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]", rows),
        round(tilt, 1),
        round(error, 4),
        len(quads),
        round(_spread(matrix, quads), 1),
    )


def _spread(matrix: NDArray[np.float64], quads: NDArray[np.float64]) -> float:
    """Longest distance between the middles of two cards on the table, millimetres."""
    middles = np.column_stack([quads.mean(axis=1), np.ones(len(quads))]) @ matrix.T
    flat = middles[:, :2] / np.maximum(middles[:, 2:], 1e-6)
    return float(np.linalg.norm(flat[:, None] - flat[None, :], axis=-1).max())
