"""Where things lie, in lengths of a card: how far apart two cards are, and which seat a landing place speaks for.

All lengths are in *card lengths* (the long side of a card as the picture shows it there), so that one rule fits every
camera distance and resolution.
"""

import math
from dataclasses import dataclass
from typing import Final

from server.seats import DIRECTIONS, Seat

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]

PLACE_WEIGHT: Final = 2.2
"""Log odds for the seat straight ahead against the one opposite: twice this per card length off the middle."""

PLACE_REACH: Final = 1.1
"""Card lengths beyond which landing further out says nothing more."""

SIDE_WEIGHT: Final = 3.2
"""Log odds for a seat at the side that a hand was seen to come from, against a seat at any other side.

In 688 plays of made-up films it was wrong four times, all in one film; at a real table it will be more often."""

PICTURE_PLAYS: Final = 4.0
"""How many plays the middle of the picture counts for when the middle of the play area is estimated."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where one card lies: its middle in pixels, the length of a card there, and the picture's size in pixels."""

    middle: Point
    length: float
    size: Point

    def distance(self, other: "Spot") -> float:
        """Distance between the middles of two cards, in card lengths."""
        length = max(1e-6, (self.length + other.length) / 2.0)
        return math.hypot(self.middle[0] - other.middle[0], self.middle[1] - other.middle[1]) / length


def spot(quad: Quad, centre: Point) -> Spot:
    """The spot of a card from its quad in pixels and its centre as a share of the picture."""
    x = sum(point[0] for point in quad) / 4.0
    y = sum(point[1] for point in quad) / 4.0
    length = (math.dist(quad[1], quad[2]) + math.dist(quad[3], quad[0])) / 2.0
    width = x / centre[0] if centre[0] > 0.02 else 2.0 * x + 1.0
    height = y / centre[1] if centre[1] > 0.02 else 2.0 * y + 1.0
    return Spot((x, y), max(length, 1.0), (width, height))


def middle_of_play(spots: list[Spot]) -> Point | None:
    """The middle of the play area in pixels: the picture's middle, drawn towards where cards have landed."""
    if not spots:
        return None
    total = PICTURE_PLAYS + len(spots)
    size = spots[-1].size
    x = (PICTURE_PLAYS * size[0] / 2.0 + sum(one.middle[0] for one in spots)) / total
    y = (PICTURE_PLAYS * size[1] / 2.0 + sum(one.middle[1] for one in spots)) / total
    return (x, y)


def seat_logs(seats: tuple[Seat, ...], where: Spot, middle: Point, side: str | None) -> tuple[float, ...]:
    """Log likelihood of each seat having laid a card, up to a constant: the best seat has 0.

    ``middle`` is the middle of the play area in pixels, ``side`` the side that the card was seen to come from.
    """
    dx = (where.middle[0] - middle[0]) / where.length
    dy = (where.middle[1] - middle[1]) / where.length
    reach = math.hypot(dx, dy)
    if reach > PLACE_REACH:
        dx, dy = dx * PLACE_REACH / reach, dy * PLACE_REACH / reach
    logs = []
    for seat in seats:
        east, south = seat.direction
        logs.append(PLACE_WEIGHT * (dx * east + dy * south))
    logs = [log + more for log, more in zip(logs, side_logs(seats, side), strict=True)]
    best = max(logs)
    return tuple(log - best for log in logs)


def side_logs(seats: tuple[Seat, ...], side: str | None) -> tuple[float, ...]:
    """Log likelihood of each seat given a side of the picture alone; all zero where no side was seen.

    A neighbour's arm is not more like one's own than that of the player opposite: from a right angle on, all seats are
    equally far from the side.
    """
    if side not in DIRECTIONS:
        return tuple(0.0 for _ in seats)
    east, south = DIRECTIONS[side]
    logs = [-SIDE_WEIGHT * min(1.0, 1.0 - _along(seat, east, south)) for seat in seats]
    best = max(logs)
    return tuple(log - best for log in logs)


def seat_of_side(seats: tuple[Seat, ...], side: str | None, due: tuple[int | None, ...] = ()) -> int | None:
    """The seat nearest to a side of the picture; None where no side was seen or two seats are equally near.

    ``due`` are the seats that it was for: one of them that sits towards that side, even if at a corner, is taken to
    have reached from there. An arm from a corner enters the picture at either edge.
    """
    if side not in DIRECTIONS:
        return None
    east, south = DIRECTIONS[side]
    able = [seat for seat in seats if seat.seat in due and _along(seat, east, south) >= 0.5]
    if able:
        return max(able, key=lambda seat: _along(seat, east, south)).seat
    near = sorted(
        ((_along(seat, east, south), seat.seat) for seat in seats),
        reverse=True,
    )
    if near[0][0] < 0.5 or (len(near) > 1 and near[0][0] - near[1][0] < 0.1):
        return None
    return near[0][1]


def _along(seat: Seat, east: float, south: float) -> float:
    """How far a seat lies in that direction, from -1 to 1."""
    return seat.direction[0] * east + seat.direction[1] * south
