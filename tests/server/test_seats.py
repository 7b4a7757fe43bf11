import pytest

from server.seats import Seat, SeatsError, default_seats, parse_seats, seat_at


def test_the_usual_sides() -> None:
    assert [seat.side for seat in default_seats(2)] == ["south", "north"]
    assert [seat.side for seat in default_seats(3)] == ["south", "east", "west"]
    assert [seat.side for seat in default_seats(4)] == ["south", "east", "north", "west"]
    assert len(default_seats(6)) == 6


def test_seats_follow_counter_clockwise_from_the_first_named() -> None:
    assert parse_seats("south=Ana, north=Luis") == (Seat(0, "south", "Ana"), Seat(1, "north", "Luis"))
    seats = parse_seats("west=W,south=S,north=N,east=E")
    assert [seat.name for seat in seats] == ["W", "S", "E", "N"]
    assert [seat.seat for seat in seats] == [0, 1, 2, 3]


def test_a_side_alone_is_its_own_name() -> None:
    assert [seat.name for seat in parse_seats("south,North")] == ["South", "North"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("south=Ana", "two seats"),
        ("south=A,south=B", "twice"),
        ("up=A,south=B", "no side"),
        ("south=,north=B", "name"),
        ("south=Ana,north=ana", "Two players are called ana"),
        ("south=North,north", "Two players are called North"),
        (f"south={'A' * 41},north=B", "at most 40 letters"),
        ("south=\x07,north=B", "at most 40 letters"),
    ],
)
def test_seats_that_cannot_be_meant(text: str, word: str) -> None:
    with pytest.raises(SeatsError, match=word):
        parse_seats(text)


def test_other_numbers_of_players_have_no_usual_seats() -> None:
    with pytest.raises(SeatsError, match="5 players"):
        default_seats(5)


def test_a_seat_is_found_by_its_side() -> None:
    seats = default_seats(2)
    assert seat_at(seats, "north") == 1
    with pytest.raises(SeatsError, match="Nobody sits"):
        seat_at(seats, "west")
