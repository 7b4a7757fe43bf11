"""Where people sit in the picture, told by hand: cards are given to who is nearest, also those played before."""

from collections.abc import Callable
from dataclasses import replace
from math import cos, radians, sin
from typing import Any

import pytest

from server.errors import PressError
from server.presses import parse_press
from server.seats import Seat, in_mirror, seated_at
from server.sessions.headless import take_step
from server.sessions.intake import Seen
from server.sessions.session import Session, make_table
from vision.facts import Observation


def turned(seen: Observation, degrees: float) -> Observation:
    """What a camera sees that was turned about its axis: cards may be anywhere, their seats are elsewhere too."""
    if seen.sightings is None:
        return seen
    east, south, (width, height) = cos(radians(degrees)), sin(radians(degrees)), seen.size

    def point(x: float, y: float) -> tuple[float, float]:
        x, y = x - width / 2, y - height / 2
        return east * x - south * y + width / 2, south * x + east * y + height / 2

    quads = [tuple(point(*corner) for corner in sighting.quad) for sighting in seen.sightings]
    return replace(
        seen, sightings=tuple(replace(one, quad=quad) for one, quad in zip(seen.sightings, quads, strict=True))
    )


def told(session: Session) -> list[Any]:
    tricks = session.result()["tricks"]
    return [[(play["seat"], play["card"]) for play in trick["plays"]] for trick in tricks]


def test_a_camera_at_a_corner_is_put_right_by_hand(witnessed: Callable[..., Any]) -> None:
    game = witnessed(1, players=4, tricks=2)
    straight, corner = (Session(make_table("arrastro", players=4)) for _ in range(2))
    for seen in game.observations:
        take_step(straight, Seen(seen))
        take_step(corner, Seen(turned(seen, 90.0)))
    assert told(corner) != told(straight), "everybody seems to sit one further"
    corner.press({"type": "places", "places": [[0.1, 0.5], [0.5, 0.9], [0.9, 0.5], [0.5, 0.1]]})
    assert told(corner) == told(straight)
    assert corner.state.violations == ()
    corner.press({"type": "undo"})
    assert told(corner) != told(straight)
    corner.press({"type": "redo"})
    corner.press({"type": "places"})
    assert told(corner) != told(straight), "automatic again"


def test_places_are_kept_with_the_seat() -> None:
    seats = seated_at((Seat(0, "south", "Ana"), Seat(1, "north", "Luis")), [(0.25, 1.0), (0.5, 0.5)])
    assert seats[0].direction == pytest.approx((-0.4472, 0.8944), abs=1e-4)
    assert seats[1].direction == (0.0, -1.0), "who sits in the middle of the table sits at his side"
    assert Seat.from_json(seats[0].as_json()) == seats[0]
    assert "at" not in seated_at(seats, None)[0].as_json()
    assert in_mirror(seats)[0].at == (0.75, 1.0)


@pytest.mark.parametrize("places", [[[0.5, 0.5]], [[0.5, 0.5], [0.5, 1.5]], "here", [[0.1], [0.2]], [1, 2]])
def test_places_that_are_none_are_refused(places: Any) -> None:
    with pytest.raises(PressError, match="2 pairs"):
        parse_press({"type": "places", "places": places}, 2)
