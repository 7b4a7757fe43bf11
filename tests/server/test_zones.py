"""Which seat a landing place and an arm speak for."""

import pytest

from server.referee.zones import Spot, seat_logs, seat_of_side, side_logs
from server.seats import default_seats, parse_seats

MIDDLE = (640.0, 360.0)


def laid(x: float, y: float) -> Spot:
    return Spot((x, y), 150.0, (1280.0, 720.0))


def test_an_arm_speaks_as_clearly_against_a_neighbour_as_against_the_player_opposite() -> None:
    south, east, north, west = side_logs(default_seats(4), "east")
    assert east == 0.0
    assert south == north == west < -3.0


def test_of_six_the_two_nearest_to_the_side_of_an_arm_are_equally_likely() -> None:
    logs = dict(zip((seat.side for seat in default_seats(6)), side_logs(default_seats(6), "east"), strict=True))
    assert logs["southeast"] == logs["northeast"] == 0.0
    assert logs["south"] == logs["north"] < -2.0


def test_who_reached_from_a_corner_is_not_taken_for_the_neighbour_at_the_edge() -> None:
    seats = default_seats(6)
    southeast, southwest, north = (
        next(s.seat for s in seats if s.side == side) for side in ("southeast", "southwest", "north")
    )
    assert seat_of_side(seats, "south") == 0
    assert seat_of_side(seats, "south", (southeast, north, southwest)) in (southeast, southwest)
    assert seat_of_side(seats, "south", (north,)) == 0  # the other side gathered
    four = default_seats(4)
    assert seat_of_side(four, "south", (1, 3)) == 0


def test_an_unknown_side_says_nothing() -> None:
    assert side_logs(default_seats(4), None) == (0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(("side", "x", "y"), [("south", 640, 460), ("east", 740, 360), ("west", 540, 360)])
def test_place_and_arm_together_name_the_seat(side: str, x: float, y: float) -> None:
    seats = parse_seats("south,east,north,west")
    logs = seat_logs(seats, laid(x, y), MIDDLE, side)
    assert seats[logs.index(0.0)].side == side
    assert sorted(logs)[-2] < -4.0
