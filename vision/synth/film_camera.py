"""A pinhole camera over a table, and poses of flat things in front of it.

Table millimetres: x to the right of the picture, y towards its bottom edge (south), z up from the table's top.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a flat thing lies: its anchor in table millimetres, ``yaw`` about z and ``roll`` about its own long axis.

    Radians; yaw 0 has the thing's top edge to the north, positive turns it clockwise in the picture; roll pi shows its
    other side.
    """

    x: float
    y: float
    z: float = 0.0
    yaw: float = 0.0
    roll: float = 0.0

    def frame(self) -> Matrix:
        """(3, 3): unit vectors of the thing's right and down in table millimetres, then its anchor, as columns."""
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        cr, sr = math.cos(self.roll), math.sin(self.roll)
        return np.array([[c * cr, -s, self.x], [s * cr, c, self.y], [sr, 0.0, self.z]])

    def offset(self, right: float, down: float, yaw: float = 0.0) -> "Pose":
        """The pose of something fixed to this one, ``right`` and ``down`` of its anchor, turned by ``yaw`` more."""
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        return Pose(self.x + c * right - s * down, self.y + s * right + c * down, self.z, self.yaw + yaw, self.roll)


def mix(a: float, b: float, share: float) -> float:
    """Linear blend."""
    return a + (b - a) * share


def turn_between(a: float, b: float) -> float:
    """The smallest turn from angle ``a`` to angle ``b``, radians."""
    return (b - a + math.pi) % (2 * math.pi) - math.pi


def blend(a: Pose, b: Pose, share: float) -> Pose:
    """The pose ``share`` of the way from ``a`` to ``b``, turning the short way round."""
    return Pose(
        mix(a.x, b.x, share),
        mix(a.y, b.y, share),
        mix(a.z, b.z, share),
        a.yaw + turn_between(a.yaw, b.yaw) * share,
        mix(a.roll, b.roll, share),
    )


@dataclass(frozen=True)
class Camera:
    """A projection (3, 4) from table millimetres to pixels of a picture of ``size`` (width, height)."""

    projection: Matrix
    size: tuple[int, int]

    @cached_property
    def homography(self) -> Matrix:
        """(3, 3) from table-plane millimetres to pixels."""
        matrix = self.projection[:, (0, 1, 3)]
        return np.asarray(matrix / matrix[2, 2])

    @cached_property
    def scale(self) -> float:
        """Pixels per millimetre at the middle of the picture."""
        middle = self.table_points(np.array([[self.size[0] / 2, self.size[1] / 2]]))[0]
        around = middle + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
        a, b, c = self.pixels(np.column_stack([around, np.zeros(3)]))
        area = abs((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0])
        return float(math.sqrt(area))

    def pixels(self, points: Matrix) -> Matrix:
        """Pixels (N, 2) of points (N, 3) in table millimetres."""
        image = np.column_stack([points, np.ones(len(points))]) @ self.projection.T
        return np.asarray(image[:, :2] / image[:, 2:])

    def table_points(self, pixels: Matrix) -> Matrix:
        """Points (N, 2) of the table plane in millimetres under pixels (N, 2)."""
        back = np.column_stack([pixels, np.ones(len(pixels))]) @ np.linalg.inv(self.homography).T
        return np.asarray(back[:, :2] / back[:, 2:])

    def plane(self, pose: Pose) -> Matrix:
        """(3, 3) from millimetres on a flat thing in ``pose`` (right, down of its anchor) to pixels."""
        frame = np.vstack([pose.frame(), [0.0, 0.0, 1.0]])
        return np.asarray(self.projection @ frame)

    def moved(self, matrix: Matrix) -> "Camera":
        """The same view after the picture has been mapped by ``matrix`` (3, 3)."""
        return Camera(matrix @ self.projection, self.size)

    def visible_table(self) -> Matrix:
        """(4, 2): the table millimetres under the picture's corners, clockwise from its top left."""
        w, h = self.size
        return self.table_points(np.array([[0, 0], [w, 0], [w, h], [0, h]], float))


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Angles in degrees: ``tilt`` from straight down (the camera stands south), ``turn`` about z."""

    tilt: float
    turn: float = 0.0
    roll: float = 0.0
    field_of_view: float = 62.0


def look_at(view: Viewpoint, target: tuple[float, float], distance: float, size: tuple[int, int]) -> Camera:
    """A camera ``distance`` millimetres from the point ``target`` of the table plane."""
    tilt, turn, roll = (math.radians(a) for a in (view.tilt, view.turn, view.roll))
    spin = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
    right = spin @ np.array([1.0, 0, 0])
    down = spin @ np.array([0, math.cos(tilt), -math.sin(tilt)])
    forward = spin @ np.array([0, -math.sin(tilt), -math.cos(tilt)])
    right, down = math.cos(roll) * right + math.sin(roll) * down, math.cos(roll) * down - math.sin(roll) * right
    centre = np.array([target[0], target[1], 0.0]) - distance * forward
    focal = size[0] / 2 / math.tan(math.radians(view.field_of_view / 2))
    lens = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    axes = np.vstack([right, down, forward])
    return Camera(lens @ np.column_stack([axes, -axes @ centre]), size)


def fit_camera(
    view: Viewpoint, points: Matrix, size: tuple[int, int], *, slack: float = 1.0, shift: tuple[float, float] = (0, 0)
) -> Camera:
    """The nearest camera with this view that has all ``points`` (N, 2 mm) in its picture, with a margin of 2 %.

    ``slack`` over 1 steps back by that factor; ``shift`` moves the picture by a share of its size.
    """
    flat = np.column_stack([points, np.zeros(len(points))])
    target = points.mean(axis=0)
    near, far = 200.0, 4000.0
    for _ in range(40):
        distance = (near + far) / 2
        for _ in range(4):
            camera = look_at(view, (float(target[0]), float(target[1])), distance, size)
            seen = camera.pixels(flat)
            middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
            target = camera.table_points(middle[None, :])[0]
        extent = (seen.max(axis=0) - seen.min(axis=0)) / (np.array(size) * 0.96)
        if extent.max() > 1 or (extent <= 0).any():
            near = distance
        else:
            far = distance
    camera = look_at(view, (float(target[0]), float(target[1])), far * slack, size)
    move = np.eye(3)
    move[:2, 2] = np.array(shift) * size
    return camera.moved(move)
