"""Who sits where: seats in playing order, the side of the picture that each one sits at, and their names.

Seats are numbered in playing order, counter-clockwise seen from above; the picture's bottom edge is south, then
counter-clockwise east, north, west.
"""

import math
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from server.errors import PressError, UsageError

SIDES: Final[tuple[str, ...]] = (
    "south",
    "southeast",
    "east",
    "northeast",
    "north",
    "northwest",
    "west",
    "southwest",
)
"""The sides of the picture, counter-clockwise from the bottom edge."""

DIRECTIONS: Final[dict[str, tuple[float, float]]] = {
    "south": (0.0, 1.0),
    "southeast": (0.7071, 0.7071),
    "east": (1.0, 0.0),
    "northeast": (0.7071, -0.7071),
    "north": (0.0, -1.0),
    "northwest": (-0.7071, -0.7071),
    "west": (-1.0, 0.0),
    "southwest": (-0.7071, 0.7071),
}
"""Unit vector from the middle of the picture to each side, x to the right and y down."""

DEFAULT_SIDES: Final[dict[int, tuple[str, ...]]] = {
    2: ("south", "north"),
    3: ("south", "east", "west"),
    4: ("south", "east", "north", "west"),
    6: ("south", "southeast", "northeast", "north", "northwest", "southwest"),
}
"""Where people sit unless told otherwise, by their number."""


NAME_LENGTH: Final = 40
"""The longest name that the screens have room for, in letters."""


class SeatsError(UsageError):
    """The seats given cannot be meant."""

    code = "bad_seats"


@dataclass(frozen=True, slots=True)
class Seat:
    """One player: the number in playing order, the side of the picture, the name to show.

    ``at`` is where the player sits in the picture, as shares of its width and height, where somebody has said it.
    """

    seat: int
    side: str
    name: str
    at: tuple[float, float] | None = None

    @property
    def direction(self) -> tuple[float, float]:
        """Unit vector from the middle of the picture to where the player sits, x to the right and y down."""
        if self.at is None:
            return DIRECTIONS[self.side]
        east, south = self.at[0] - 0.5, self.at[1] - 0.5
        length = math.hypot(east, south)
        return (east / length, south / length) if length > 1e-6 else DIRECTIONS[self.side]

    def as_json(self) -> dict[str, Any]:
        """The seat as it is recorded."""
        plain = {"seat": self.seat, "side": self.side, "name": self.name}
        return plain if self.at is None else {**plain, "at": list(self.at)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Seat":
        """The seat of :meth:`as_json`. Raises KeyError, TypeError or ValueError where it is none."""
        if not isinstance(data, Mapping):
            raise TypeError("a seat is no object")
        if data["side"] not in DIRECTIONS:
            raise ValueError(f"there is no side {data['side']!r}")
        at = data.get("at")
        place = None if at is None else (float(at[0]), float(at[1]))
        return cls(int(data["seat"]), str(data["side"]), str(data["name"]), place)


def default_seats(players: int) -> tuple[Seat, ...]:
    """The seats of ``players`` people at their usual sides, named after the sides; ``SeatsError`` for other numbers."""
    if players not in DEFAULT_SIDES:
        known = ", ".join(str(number) for number in DEFAULT_SIDES)
        raise SeatsError(f"No seats are known for {players} players; play with {known}, or name them with --seats.")
    return tuple(Seat(index, side, side.capitalize()) for index, side in enumerate(DEFAULT_SIDES[players]))


def parse_seats(text: str) -> tuple[Seat, ...]:
    """Seats from ``south=Ana,north=Luis``: the first one named is seat 0, the rest follow counter-clockwise.

    A side without ``=`` is named after itself. Raises ``SeatsError`` for an unknown or doubled side, and as
    :func:`arrange_seats` does.
    """
    names: dict[str, str] = {}
    for part in text.split(","):
        side, given, name = (piece.strip() for piece in part.partition("="))
        side = side.lower()
        if side not in DIRECTIONS:
            raise SeatsError(f"There is no side {side!r} of the picture; use {', '.join(SIDES)}.")
        if side in names:
            raise SeatsError(f"The side {side} is named twice; each seat needs a side of its own.")
        if given and not name:
            raise SeatsError(f"The seat at the {side} has no name; write {side}=NAME, or just {side}.")
        names[side] = name or side.capitalize()
    return arrange_seats(names)


def arrange_seats(names: Mapping[str, str]) -> tuple[Seat, ...]:
    """Seats from the name at each side: the first one is seat 0, the rest follow counter-clockwise.

    Raises ``SeatsError`` for fewer than two seats, and for names that are empty, too long or the same (capitals make
    no other name); the sides must be known ones.
    """
    if len(names) < 2:
        raise SeatsError("A game needs at least two seats; write for example south=Ana,north=Luis.")
    shown: dict[str, str] = {}
    for side, given in names.items():
        name = " ".join("".join(c for c in given if unicodedata.category(c)[0] != "C" or c == " ").split())
        if not name or len(name) > NAME_LENGTH:
            raise SeatsError(
                f"Each player needs a name of at most {NAME_LENGTH} letters.", "name_length", n=NAME_LENGTH
            )
        if name.casefold() in {other.casefold() for other in shown.values()}:
            raise SeatsError(
                f"Two players are called {name}; tell them apart, for instance by an initial.", "same_name", name=name
            )
        shown[side] = name
    first = SIDES.index(next(iter(names)))
    order = sorted(names, key=lambda side: (SIDES.index(side) - first) % len(SIDES))
    return tuple(Seat(index, side, shown[side]) for index, side in enumerate(order))


def swap_names(seats: tuple[Seat, ...], one: int, other: int) -> tuple[Seat, ...]:
    """The seats with the names of two of them exchanged; PressError for a single one."""
    if one == other:
        raise PressError("Two different seats are needed to swap their names.", "same_seat")
    names = {one: seats[other].name, other: seats[one].name}
    return tuple(replace(seat, name=names.get(seat.seat, seat.name)) for seat in seats)


def in_mirror(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The seats as a mirrored picture shows them: whoever sits in the east is seen in the west."""
    other = {"east": "west", "west": "east"}
    sides = [re.sub("east|west", lambda found: other[found[0]], seat.side) for seat in seats]
    places = [None if seat.at is None else (round(1.0 - seat.at[0], 4), seat.at[1]) for seat in seats]
    return tuple(replace(seat, side=sides[n], at=places[n]) for n, seat in enumerate(seats))


def seated_at(seats: tuple[Seat, ...], places: Sequence[tuple[float, float]] | None) -> tuple[Seat, ...]:
    """The seats where people sit in the picture, as shares of it; None: at the middles of their sides again."""
    return tuple(replace(seat, at=None if places is None else places[n]) for n, seat in enumerate(seats))


def seat_at(seats: tuple[Seat, ...], side: str) -> int:
    """The seat at a side of the picture; ``SeatsError`` if nobody sits there."""
    for seat in seats:
        if seat.side == side.strip().lower():
            return seat.seat
    raise SeatsError(
        f"Nobody sits at {side!r}; the seats are at {', '.join(seat.side for seat in seats)}.", "nobody_sits_there"
    )
