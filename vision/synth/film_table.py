"""Where things lie on a card table: the stock, its face-up card, played cards, piles and where the players sit."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.labels import CARD_MM
from vision.synth.film_actions import SIDES, Side
from vision.synth.film_camera import Camera, Pose
from vision.synth.film_level import FilmLevel
from vision.synth.film_plan import FilmError

TOWARDS: Final[dict[Side, tuple[float, float]]] = {
    "south": (0.0, 1.0),
    "east": (1.0, 0.0),
    "north": (0.0, -1.0),
    "west": (-1.0, 0.0),
    "southeast": (0.8, 0.6),
    "northeast": (0.8, -0.6),
    "northwest": (-0.8, -0.6),
    "southwest": (-0.8, 0.6),
}
"""Unit vector from the middle of the table towards each side, in table millimetres (x right, y south)."""

CARD_THICKNESS_MM: Final = 0.3

_SHOULDER_MM: Final = 620.0


@dataclass(frozen=True, slots=True)
class _Sitting:
    """Where things lie for a number of players, in millimetres from the middle of the table.

    ``reach``: how far out each player lays cards; ``piles``: where each gathers won tricks; ``stock``: its place, and
    the one that it gives way to where somebody sits at the west.
    """

    reach: dict[Side, float]
    piles: dict[Side, tuple[float, float]]
    stock: tuple[tuple[float, float], tuple[float, float]]


_TWO: Final = _Sitting(
    {"south": 53.0, "north": 53.0, "east": 96.0, "west": 96.0},
    {"south": (142, 96), "north": (142, -96), "east": (300, -80), "west": (-300, 90)},
    ((-205, 0), (-262, -118)),
)
_SOME: Final = _Sitting(
    {"south": 58.0, "north": 58.0, "east": 96.0, "west": 96.0},
    {"south": (150, 168), "north": (-120, -168), "east": (318, -95), "west": (-318, 115)},
    ((-262, -118), (-262, -118)),
)
# Nobody plays towards the west, so the stock lies there.
_SIX: Final = _Sitting(
    {"south": 108.0, "north": 108.0, "southeast": 150.0, "northeast": 150.0, "northwest": 150.0, "southwest": 150.0},
    {
        "south": (130, 196), "north": (-130, -196), "southeast": (290, 130), "northeast": (290, -130),
        "northwest": (-290, -165), "southwest": (-290, 165),
    },
    ((-300, 0), (-300, 0)),
)  # fmt: skip


def card_corners(pose: Pose, card_mm: tuple[float, float] = CARD_MM) -> NDArray[np.float64]:
    """(4, 3): a card's corners in table millimetres, from its top left, clockwise on its face."""
    w, h = card_mm[0] / 2, card_mm[1] / 2
    flat = np.array([[-w, -h, 1], [w, -h, 1], [w, h, 1], [-w, h, 1]])
    return np.asarray(flat @ pose.frame().T)


def facing(side: Side) -> float:
    """Yaw of a card that lies upright for the player at ``side``, radians."""
    x, y = TOWARDS[side]
    return math.atan2(-x, y)


@dataclass(frozen=True, slots=True)
class Layout:
    """Fixed places of one game. ``under_stock`` says that the stock lies on a part of the face-up card."""

    sides: tuple[Side, ...]
    stock: Pose
    trump: Pose
    under_stock: bool
    plays: dict[Side, Pose]
    piles: dict[Side, Pose]
    shoulders: dict[Side, tuple[float, float]]

    def extent(self) -> NDArray[np.float64]:
        """(N, 2): corners of every place where a card may lie, in table millimetres."""
        poses = [self.stock, self.trump, *self.plays.values(), *self.piles.values()]
        return np.vstack([card_corners(pose)[:, :2] for pose in poses])

    def reach(self, side: Side, place: tuple[float, float]) -> float:
        """Yaw of a hand of the player at ``side`` that reaches for ``place``."""
        x, y = self.shoulders[side]
        return math.atan2(place[0] - x, -(place[1] - y))

    def home(self, side: Side, camera: Camera, place: tuple[float, float]) -> tuple[float, float]:
        """Where a hand on its way from or to ``place`` is wholly outside the picture."""
        edge = camera.visible_table()
        axis = np.array(TOWARDS[side])
        far = float((edge @ axis).max()) + 150.0
        sx, sy = self.shoulders[side]
        way = np.array([sx - place[0], sy - place[1]])
        way /= np.hypot(*way)
        step = (far - float(np.dot(place, axis))) / max(float(way @ axis), 0.3)
        return float(place[0] + way[0] * step), float(place[1] + way[1] * step)


def free_places(
    layout: Layout, camera: Camera, radii: list[float], rng: np.random.Generator
) -> list[tuple[float, float] | None]:
    """For each round thing of a radius in millimetres a place in the picture where no card will lie, or None."""
    taken = [(pose.x, pose.y, 62.0) for pose in (layout.stock, layout.trump, *layout.piles.values())]
    taken += [(pose.x, pose.y, 75.0) for pose in layout.plays.values()]
    edge = camera.visible_table()
    low, high = edge.min(axis=0), edge.max(axis=0)
    found: list[tuple[float, float] | None] = []
    for radius in radii:
        place = None
        for _ in range(60):
            x, y = (float(v) for v in rng.uniform(low, high))
            clear = all(math.hypot(x - a, y - b) > radius + room for a, b, room in taken)
            u, v = camera.pixels(np.array([[x, y, 0.0]]))[0] / camera.size
            if clear and -0.03 < u < 1.03 and -0.03 < v < 1.03:
                place = (x, y)
                taken.append((x, y, radius))
                break
        found.append(place)
    return found


def build_layout(sides: tuple[Side, ...], level: FilmLevel, rng: np.random.Generator) -> Layout:
    """A natural arrangement for players at ``sides`` (in playing order).

    Raises FilmError for fewer than two, and for sides that leave no room for the stock.
    """
    if len(sides) < 2 or len(set(sides)) != len(sides):
        raise FilmError("A film needs two or more players at different sides of the table.")
    sitting = _TWO if len(sides) == 2 else _SOME
    if set(sides) - set(sitting.reach):
        sitting = _SIX
    if set(sides) - set(sitting.reach):
        raise FilmError("In a film nobody sits at the east or west beside somebody at a corner; take other sides.")
    spread = float(rng.uniform(*level.spread))
    jitter = rng.normal(0, 1, (32, 3)) * (level.place_mm, level.place_mm, math.radians(level.place_deg))
    plays: dict[Side, Pose] = {}
    piles: dict[Side, Pose] = {}
    shoulders: dict[Side, tuple[float, float]] = {}
    for index, side in enumerate(SIDES):
        if side not in sides:
            continue
        x, y = TOWARDS[side]
        yaw = facing(side)
        reach = sitting.reach[side] * spread
        plays[side] = Pose(x * reach, y * reach, 0, yaw)
        dx, dy, turn = jitter[index if index < 4 else index + 6]
        px, py = sitting.piles[side]
        piles[side] = Pose(px + dx, py + dy, 0, yaw + turn)
        lean = float(rng.uniform(40, 140)) * (1 if rng.random() < 0.75 else -1)
        # the arm comes from the player's right: east of south, north of east, and so on
        shoulders[side] = (x * _SHOULDER_MM + y * lean, y * _SHOULDER_MM - x * lean)
    manner = str(rng.choice(np.array(level.trump)))
    dx, dy, turn = jitter[5] * (1, 1, 0.5)
    # Where somebody sits at the west, the stock gives way into the corner: nobody plays onto the face-up card.
    sx, sy = sitting.stock["west" in sides]
    stock = Pose(sx + dx, sy + dy, 0, turn)
    dx, dy, turn = jitter[6] * (0.3, 0.5, 0.3)
    if manner == "beside":
        # upright beside the stock, or across with its long side along the table
        trump = stock.offset(CARD_MM[0] + 12 + abs(dx), dy, turn)
    else:
        out = 58.0 if manner == "partly" else 40.0
        trump = stock.offset(out + dx, dy, math.pi / 2 + turn)
    return Layout(sides, stock, trump, manner != "beside", plays, piles, shoulders)
