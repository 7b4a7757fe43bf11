"""Areas and overlaps of cards as quadrilaterals, many pairs at a time.

All quads are convex, arrays of shape (..., 4, 2), in any unit of length; y runs down, as in pictures.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Quads = NDArray[np.float64]

_TINY: Final = 1e-9
_NEXT: Final = [1, 2, 3, 0]


def areas(quads: Quads) -> NDArray[np.float64]:
    """The area of each quad, (...,); always positive."""
    return np.abs(_signed(np.asarray(quads, np.float64)))


def clockwise(quads: Quads) -> Quads:
    """The same quads with their corners in clockwise order on the screen, corner 0 and the short side 0-1 kept."""
    quads = np.asarray(quads, np.float64)
    swapped = quads[..., [1, 0, 3, 2], :]
    return np.where((_signed(quads) < 0)[..., None, None], swapped, quads)


def intersections(first: Quads, second: Quads) -> NDArray[np.float64]:
    """Area that the quads of two equally long lists share, pair by pair: (N, 4, 2) and (N, 4, 2) -> (N,).

    The shared part of two convex polygons has its corners among the corners of each that lie in the other and the
    crossings of their edges; these up to 24 points are ordered by their angle about their mean.
    """
    first = clockwise(first)
    second = clockwise(second)
    count = len(first)
    if not count:
        return np.zeros(0)
    # Coordinates about the pair's own middle keep the sums small and exact.
    middle = first.mean(axis=1, keepdims=True)
    first = first - middle
    second = second - middle

    points = np.zeros((count, 24, 2))
    valid = np.zeros((count, 24), bool)
    points[:, :4], valid[:, :4] = first, _inside(first, second)
    points[:, 4:8], valid[:, 4:8] = second, _inside(second, first)

    start, way = first[:, :, None], (first[:, _NEXT] - first)[:, :, None]
    other, other_way = second[:, None], (second[:, _NEXT] - second)[:, None]
    bend = _cross(way, other_way)
    parallel = np.abs(bend) < _TINY
    safe = np.where(parallel, 1.0, bend)
    along = _cross(other - start, other_way) / safe
    across = _cross(other - start, way) / safe
    crossing = start + along[..., None] * way
    meets = ~parallel & (along >= 0) & (along <= 1) & (across >= 0) & (across <= 1)
    points[:, 8:] = crossing.reshape(count, 16, 2)
    valid[:, 8:] = meets.reshape(count, 16)

    enough = valid.sum(axis=1) >= 3
    weight = valid / np.maximum(valid.sum(axis=1, keepdims=True), 1)
    centre = (points * weight[..., None]).sum(axis=1, keepdims=True)
    rays = points - centre
    angle = np.where(valid, np.arctan2(rays[..., 1], rays[..., 0]), np.inf)
    order = np.argsort(angle, axis=1, kind="stable")
    rays = np.take_along_axis(rays, order[..., None], axis=1)
    valid = np.take_along_axis(valid, order, axis=1)
    # The places behind the last valid point repeat the first one: they add nothing to the sum.
    rays = np.where(valid[..., None], rays, rays[:, :1])
    area = np.abs(_cross(rays, np.roll(rays, -1, axis=1)).sum(axis=1)) / 2
    return np.where(enough, area, 0.0)


def overlap_matrix(first: Quads, second: Quads) -> NDArray[np.float64]:
    """Shared area of every quad of one list with every quad of another: (N, 4, 2), (M, 4, 2) -> (N, M)."""
    first = np.asarray(first, np.float64).reshape(-1, 4, 2)
    second = np.asarray(second, np.float64).reshape(-1, 4, 2)
    shared = np.zeros((len(first), len(second)))
    if not shared.size:
        return shared
    gap = np.linalg.norm(first.mean(axis=1)[:, None] - second.mean(axis=1)[None], axis=-1)
    near = gap < _reach(first)[:, None] + _reach(second)[None]
    rows, columns = np.nonzero(near)
    shared[rows, columns] = intersections(first[rows], second[columns])
    return shared


def iou_matrix(first: Quads, second: Quads) -> NDArray[np.float64]:
    """Intersection over union of every quad of one list with every quad of another, (N, M), 0..1."""
    first = np.asarray(first, np.float64).reshape(-1, 4, 2)
    second = np.asarray(second, np.float64).reshape(-1, 4, 2)
    shared = overlap_matrix(first, second)
    union = areas(first)[:, None] + areas(second)[None] - shared
    return shared / np.maximum(union, _TINY)


def suppress(quads: Quads, scores: NDArray[np.float64], most_iou: float) -> NDArray[np.intp]:
    """Non-maximum suppression: indices of the quads to keep, best score first.

    A quad goes when its overlap (IoU) with a better one that stays is above ``most_iou``. Equal scores keep their
    order.
    """
    rest = np.argsort(-np.asarray(scores), kind="stable")
    quads = np.asarray(quads, np.float64)
    kept: list[int] = []
    while len(rest):
        best, rest = rest[0], rest[1:]
        kept.append(int(best))
        # Against the remaining ones only: far fewer pairs than all with all, as most go with the first best.
        rest = rest[iou_matrix(quads[best : best + 1], quads[rest])[0] <= most_iou]
    return np.array(kept, np.intp)


def _signed(quads: Quads) -> NDArray[np.float64]:
    return _cross(quads[..., 2, :] - quads[..., 0, :], quads[..., 3, :] - quads[..., 1, :]) / 2


def _cross(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def _inside(points: Quads, polygon: Quads) -> NDArray[np.bool_]:
    """Whether each of the four points of a pair lies in the clockwise polygon of the pair, edges included: (N, 4)."""
    edge = polygon[:, _NEXT] - polygon
    ray = points[:, :, None] - polygon[:, None]
    return np.asarray((_cross(edge[:, None], ray) >= -_TINY).all(axis=2))


def _reach(quads: Quads) -> NDArray[np.float64]:
    """Distance of the farthest corner from the middle, per quad."""
    return np.asarray(np.linalg.norm(quads - quads.mean(axis=1, keepdims=True), axis=-1).max(axis=1))
