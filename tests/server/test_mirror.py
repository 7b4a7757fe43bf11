"""A mirrored camera: play seems to go round the wrong way, which is noticed, put right and said."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from server.scoreboard.changes import changes
from server.seats import Seat, in_mirror
from server.sessions.headless import take_step
from server.sessions.intake import Seen
from server.sessions.session import Session, make_table
from vision.facts import Observation


def mirrored(seen: Observation) -> Observation:
    """What the camera sees with left and right swapped; the first two corners of a card stay a short side."""
    if seen.sightings is None:
        return seen
    turned = []
    for sighting in seen.sightings:
        a, b, c, d = ((seen.size[0] - x, y) for x, y in sighting.quad)
        turned.append(replace(sighting, quad=(b, a, d, c)))
    return replace(seen, sightings=tuple(turned))


def watch(game: Any, profile: str, players: int, mirror: bool) -> tuple[Session, set[str]]:
    session = Session(make_table(profile, players=players))
    asked: set[str] = set()
    for seen in game.observations:
        take_step(session, Seen(mirrored(seen) if mirror else seen))
        asked |= {question.kind for question in session.referee.status.questions}
    return session, asked


def told(session: Session) -> tuple[list[Any], Any]:
    result = session.result()
    tricks = [[(play["seat"], play["card"]) for play in trick["plays"]] for trick in result["tricks"]]
    return tricks, result["totals"]


@pytest.mark.parametrize(("profile", "players", "tricks"), [("arrastro", 4, 2), ("tres_39", 3, 4)])
def test_a_mirrored_picture_is_noticed_and_turned_round(
    profile: str, players: int, tricks: int, witnessed: Callable[..., Any]
) -> None:
    game = witnessed(1, profile, players, tricks)
    right, asked = watch(game, profile, players, mirror=False)
    assert "mirror" not in asked
    session, asked = watch(game, profile, players, mirror=True)
    assert "mirror" in asked, "what was done is said"
    assert told(session) == told(right), "without a touch"
    assert session.table.seats == in_mirror(right.table.seats)
    assert session.state.violations == ()
    changed = changes(session.state, session.referee.ledger.entries)
    assert {change["why"] for change in changed if change["change"] == "amended"} >= {"turned"}


def test_who_plays_the_other_way_round_says_so_and_is_not_asked_again(witnessed: Callable[..., Any]) -> None:
    right, _ = watch(witnessed(1, "arrastro", 4, 2), "arrastro", 4, mirror=False)
    session, _ = watch(witnessed(1, "arrastro", 4, 2), "arrastro", 4, mirror=True)
    turned = told(session)
    (question,) = [one for one in session.referee.status.questions if one.kind == "mirror"]
    session.press(question.options[1])
    assert told(session) != turned
    assert session.table.seats == right.table.seats
    assert "mirror" not in {one.kind for one in session.referee.status.questions}
    session.press({"type": "undo"})
    assert told(session) == turned
    assert session.table.seats == in_mirror(right.table.seats)
    assert "mirror" in {one.kind for one in session.referee.status.questions}
    session.press({"type": "redo"})
    assert session.table.seats == right.table.seats


def test_whoever_says_that_it_is_right_is_not_asked_again(witnessed: Callable[..., Any]) -> None:
    session, asked = watch(witnessed(1, "arrastro", 4, 2), "arrastro", 4, mirror=True)
    assert "mirror" in asked
    before = told(session)
    session.press({"type": "found"})
    assert "mirror" not in {one.kind for one in session.referee.status.questions}
    assert told(session) == before


def test_what_was_pressed_before_the_table_was_turned_is_taken_back_without_turning_it(
    witnessed: Callable[..., Any],
) -> None:
    game = witnessed(1, "arrastro", 4, 2)
    session = Session(make_table("arrastro", players=4))
    session.press({"type": "arrastre_called", "seat": 1, "t": 0.0})
    for seen in game.observations:
        take_step(session, Seen(mirrored(seen)))
    seats = session.table.seats
    session.press({"type": "undo"})
    assert session.table.seats == seats


def test_with_two_players_a_mirror_changes_nothing(witnessed: Callable[..., Any]) -> None:
    game = witnessed(1, tricks=2)
    right, _ = watch(game, "arrastro", 2, mirror=False)
    session, asked = watch(game, "arrastro", 2, mirror=True)
    assert "mirror" not in asked
    assert told(session) == told(right)


def test_east_is_west_in_a_mirror() -> None:
    seats = tuple(Seat(n, side, side) for n, side in enumerate(("south", "southeast", "north", "west")))
    assert [seat.side for seat in in_mirror(seats)] == ["south", "southwest", "north", "east"]
    assert in_mirror(in_mirror(seats)) == seats
