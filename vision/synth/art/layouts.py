"""Where the pips of ranks 2 to 9 lie, as found on real decks of several schools."""

from dataclasses import dataclass

import numpy as np

from vision.synth.art.dice import Dice

Grid = tuple[tuple[float, float], ...]

_COLUMNS = {
    1: (0.5,),
    2: (0.0, 1.0),
    3: (0.0, 0.5, 1.0),
    4: (0.0, 1 / 3, 2 / 3, 1.0),
}


def _rows(*counts: int, spread: float = 1.0) -> Grid:
    """Rows of pips from top to bottom, each centred; a row of one stands in the middle."""
    ys = np.linspace(0, 1, len(counts))
    return tuple((0.5 + (x - 0.5) * spread, float(y)) for y, n in zip(ys, counts, strict=True) for x in _COLUMNS[n])


def _add(grid: Grid, *more: tuple[float, float]) -> Grid:
    return grid + more


_ZIGZAG: Grid = ((0.0, 0.0), (1.0, 0.5), (0.0, 1.0))
_DIAGONAL: Grid = ((0.0, 0.0), (0.5, 0.5), (1.0, 1.0))
_SEVEN_GAP: Grid = ((0.0, 0.0), (1.0, 0.0), (0.0, 0.62), (1.0, 0.62), (0.0, 1.0), (1.0, 1.0), (0.5, 0.32))
_NINE_GAP: Grid = (
    *((0.0, 0.0), (1.0, 0.0), (0.0, 0.4), (1.0, 0.4), (0.0, 0.7), (1.0, 0.7), (0.0, 1.0), (1.0, 1.0)),
    (0.5, 0.2),
)

ROUND_LAYOUTS: dict[int, tuple[Grid, ...]] = {
    2: (_rows(1, 1), _rows(1, 1), _rows(1, 1), ((0.0, 0.0), (1.0, 1.0)), _rows(2)),
    3: (_ZIGZAG, _ZIGZAG, _rows(1, 1, 1), _rows(1, 2), _rows(2, 1), _DIAGONAL),
    4: (_rows(2, 2), _rows(2, 2), _rows(1, 2, 1)),
    5: (_rows(2, 1, 2),),
    6: (_rows(2, 2, 2), _rows(2, 2, 2), _rows(3, 3), _rows(1, 2, 2, 1)),
    7: (
        _add(_rows(2, 2, 2), (0.5, 0.25)),
        _SEVEN_GAP,
        _rows(3, 1, 3),
        _rows(1, 2, 1, 2, 1),
        _rows(1, 2, 2, 2),
        _rows(2, 3, 2),
    ),
    8: (_rows(2, 2, 2, 2), _add(_rows(2, 2, 2), (0.5, 0.25), (0.5, 0.75)), _rows(3, 2, 3), _rows(2, 2, 2, 2)),
    9: (_rows(3, 3, 3), _add(_rows(2, 2, 2, 2), (0.5, 0.5)), _rows(3, 3, 3), _NINE_GAP, _rows(4, 1, 4)),
}
"""Layouts of round and upright pips (oros, copas), as shares of the free area; repeated entries are likelier."""


def place_round(
    grid: Grid, area: tuple[float, float], pip: tuple[float, float], fill: float, largest: float
) -> tuple[float, np.ndarray]:
    """Scale and centres for pips of ``pip`` width and height on ``area``, as large as fits without overlap.

    Returns the scale and ``(N, 2)`` centres from the area's top-left corner. ``fill`` shrinks the pips afterwards,
    ``largest`` caps the scale.
    """
    g = np.asarray(grid, float)
    low, high = 0.0, min(area[0] / pip[0], area[1] / pip[1], largest)
    for _ in range(14):
        scale = (low + high) / 2
        w, h = pip[0] * scale, pip[1] * scale
        centres = g * (area[0] - w, area[1] - h) + (w / 2, h / 2)
        apart = np.abs(centres[:, None] - centres[None])
        # Round pips may nest: two pips are clear of each other when they are apart in the ellipse norm.
        clear = np.hypot(apart[..., 0] / w, apart[..., 1] / h) + 9 * np.eye(len(g)) >= 1.02
        low, high = (scale, high) if clear.all() else (low, scale)
    scale = low * fill
    w, h = pip[0] * scale, pip[1] * scale
    return scale, g * (area[0] - w, area[1] - h) + (w / 2, h / 2)


@dataclass(frozen=True, slots=True)
class Stick:
    """A long pip (espadas, bastos): centre and length as shares of the free area, angle of its tip from up."""

    x: float
    y: float
    length: float
    angle: float
    tone: int = 0
    short: bool = True


def _row(
    n: int, y: float, length: float, angle: float, spread: float = 1.0, first: int = 0, alternate: bool = False
) -> list[Stick]:
    xs = [0.5] if n == 1 else np.linspace(0.5 - spread / 2, 0.5 + spread / 2, n)
    return [
        Stick(float(x), y, length, angle + (180 if alternate and k % 2 else 0), first + k) for k, x in enumerate(xs)
    ]


def _castellano(rank: int, dice: Dice, inward: bool, alternate: bool) -> list[Stick]:
    """Small pips in an upper and a lower row, with one lying across when the rank is odd."""
    half = rank // 2
    length = dice.between(0.38, 0.46)
    turn = 0 if inward else 180
    spread = 0.86
    upper = _row(half, 0.25, length, 180 - turn, spread, 0, alternate)
    lower = _row(half, 0.75, length, turn, spread, 1, alternate)
    if (rank == 4 and dice.toss(0.75)) or (rank == 5 and dice.toss(0.45)):
        tilt = dice.between(22, 38)
        closer = 0.6
        upper = [
            Stick(0.5 + (t.x - 0.5) * closer, 0.23, length * 0.98, t.angle + (tilt if t.x > 0.5 else -tilt), t.tone)
            for t in upper
        ]
        lower = [
            Stick(0.5 + (t.x - 0.5) * closer, 0.77, length * 0.98, t.angle - (tilt if t.x > 0.5 else -tilt), t.tone)
            for t in lower
        ]
    sticks = upper + lower
    if rank % 2:
        sticks.append(Stick(0.5, 0.5, length * 0.95, dice.pick([90, -90]), 2))
    return sticks


def _parallel(rank: int, dice: Dice) -> list[Stick]:
    """Long pips side by side, some heads up, some down."""
    lean = dice.pick([0, 0, 0, 12, -12, 35])
    return [
        Stick(s.x, 0.5, 0.92 if abs(lean) < 20 else 0.75, s.angle + lean, s.tone, False)
        for s in _row(rank, 0.5, 0.9, 0, 0.82, 0, dice.toss(0.7))
    ]


def _crossed(rank: int, dice: Dice) -> list[Stick]:
    """Long pips in crossing pairs, with one upright in the middle when the rank is odd."""
    sticks: list[Stick] = []
    for k in range(rank // 2):
        shift = (k - (rank // 2 - 1) / 2) * 0.16
        sticks += [Stick(0.5 + shift, 0.5, 0.88, 30, k, False), Stick(0.5 + shift, 0.5, 0.88, -30, k + 1, False)]
    if rank % 2:
        sticks.append(Stick(0.5, 0.5, 0.92, dice.pick([0, 180]), 2, False))
    return sticks


def _stacked(rank: int, dice: Dice) -> list[Stick]:
    """Lying pips, one above the other."""
    flip = dice.toss(0.6)
    return [Stick(0.5, 0.06 + 0.88 * k / (rank - 1), 0.58, 90 if flip and k % 2 else -90, k) for k in range(rank)]


def _columns(rank: int, dice: Dice) -> list[Stick]:
    """Upright small pips: rows of two or three, all one way."""
    counts = {4: (2, 2), 5: (2, 1, 2), 6: (3, 3), 7: (3, 1, 3), 8: (3, 2, 3), 9: (3, 3, 3)}[rank]
    length = 0.42 if len(counts) == 2 else 0.3
    turn = dice.pick([0, 180])
    ys = np.linspace(length / 2 + 0.02, 1 - length / 2 - 0.02, len(counts))
    sticks: list[Stick] = []
    for y, n in zip(ys, counts, strict=True):
        sticks += _row(n, float(y), length, turn, 0.84, len(sticks))
    return sticks


def _few(rank: int, dice: Dice, crossing: bool) -> list[Stick]:
    """Ranks 2 and 3: long pips upright or crossed."""
    if crossing:
        sticks = [Stick(0.5, 0.5, 0.95, 24, 0, False), Stick(0.5, 0.5, 0.95, -24, 1, False)]
        return [Stick(0.5, 0.5, 0.95, dice.pick([0, 180]), 2, False), *sticks] if rank == 3 else sticks
    turn = dice.pick([0, 180])
    return [
        Stick(s.x, s.y, s.length, s.angle + turn, s.tone, False)
        for s in _row(rank, 0.5, 0.95, 0, 0.44 if rank == 2 else 0.7, 0, True)
    ]


SCHOOLS = ("castellano", "parallel", "crossed", "stacked", "columns")


def stick_layout(
    rank: int, dice: Dice, school: str, inward: bool, crossing: bool, alternate: bool = False
) -> list[Stick]:
    """The long pips of one card; ``crossing`` concerns ranks 2 and 3, ``school`` the others."""
    if rank <= 3:
        return _few(rank, dice, crossing)
    match school:
        case "parallel":
            return _parallel(rank, dice)
        case "crossed":
            return _crossed(rank, dice)
        case "stacked":
            return _stacked(rank, dice)
        case "columns":
            return _columns(rank, dice)
    return _castellano(rank, dice, inward, alternate)


def stick_room(sticks: tuple[Stick, ...], area: tuple[float, float]) -> list[tuple[float, float]]:
    """For each stick the length and the greatest width, mm, that keep it on ``area`` and clear of its neighbours."""
    centres = [((s.x - 0.5) * area[0], (s.y - 0.5) * area[1]) for s in sticks]
    rooms = []
    for stick, (x, y) in zip(sticks, centres, strict=True):
        turn = np.radians(stick.angle)
        along = abs(float(np.sin(turn))), abs(float(np.cos(turn)))
        length = stick.length * area[1]
        for place, half, share in ((x, area[0] / 2, along[0]), (y, area[1] / 2, along[1])):
            if share > 0.15:
                length = min(length, 2 * (half - abs(place) + 1.5) / share)
        width = area[0] * 0.45
        if along[0] < 0.15:
            width = min(width, 2 * (area[0] / 2 - abs(x) + 1.0))
        for other, (ox, oy) in zip(sticks, centres, strict=True):
            if other is stick or abs(np.sin(np.radians(other.angle - stick.angle))) > 0.1:
                continue
            across = abs((ox - x) * np.cos(turn) + (oy - y) * np.sin(turn))
            beside = abs((oy - y) * np.cos(turn) - (ox - x) * np.sin(turn))
            if across > 0.5 and beside < length * 0.95:
                width = min(width, float(across))
        rooms.append((float(length), float(width)))
    return rooms
