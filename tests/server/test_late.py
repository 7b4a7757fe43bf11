"""The program begins to watch in mid-hand: what it sees counts, what it missed is said to be missing."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.cards import Card
from engine.codec import event_from_json, event_to_json
from engine.errors import ParseError
from engine.events import CardPlayed, HandEnded, HandStarted, TrickSwept, TrumpShown
from engine.fold import fold_events
from engine.rules import load_profile
from server.errors import PressError
from server.seats import DEFAULT_SIDES
from server.sessions.headless import take_step
from server.sessions.intake import Pressed, Seen
from server.sessions.session import Session, make_table
from vision.synth.film_actions import Gather, Play, action_end

MISSED = 4


@pytest.fixture(scope="module")
def game(witnessed: Callable[..., Any]) -> Any:
    """A whole hand of four: ten tricks, seven of them with draws."""
    return witnessed(3, players=4)


def watch(game: Any, start: float, end: float = 1e9) -> tuple[Session, set[str]]:
    """A session that sees only what happens between two moments; the kinds of questions that were asked."""
    session = Session(make_table("arrastro", players=4))
    steps: list[tuple[float, Any]] = [(one.t, Seen(one)) for one in game.observations if start <= one.t <= end]
    steps += [(call["t"], Pressed(call)) for call in game.calls if start < call["t"] <= end]
    asked: set[str] = set()
    for _, step in sorted(steps, key=lambda one: one[0]):
        take_step(session, step)
        asked |= {question.kind for question in session.referee.status.questions}
    return session, asked


def gathered(game: Any, tricks: int) -> float:
    """The moment at which so many tricks have been gathered."""
    return float([action_end(action) for action in game.script.actions if isinstance(action, Gather)][tricks - 1])


def plays(result: dict[str, Any], first: int) -> list[list[tuple[int, str]]]:
    """Seat and card of each play of the tricks from number ``first`` on."""
    tricks = [trick for trick in result["tricks"] if trick["n"] >= first]
    return [[(play["seat"], play["card"]) for play in trick["plays"]] for trick in tricks]


def true_plays(game: Any, first: int) -> list[list[tuple[int, str]]]:
    sides = DEFAULT_SIDES[4]
    laid = [(sides.index(action.side), action.label) for action in game.script.actions if isinstance(action, Play)]
    return [laid[at : at + 4] for at in range(4 * (first - 1), len(laid), 4)]


def test_what_was_missed_is_counted_when_the_trump_is_taken(game: Any) -> None:
    session, asked = watch(game, gathered(game, MISSED) + 0.5)
    session.finish()
    result = session.result()
    assert "late" in asked
    assert "late" in {question.kind for question in session.referee.status.questions}, "it is asked at the end too"
    assert result["missed"] == MISSED
    assert result["points_before"] is None
    assert plays(result, MISSED + 1) == true_plays(game, MISSED + 1)
    assert not result["complete"], "points are missing, and that is said"
    assert result["winner"] is None
    assert session.state.hands[0].violations == ()
    assert not any(play["card"] for trick in result["tricks"][:MISSED] for play in trick["plays"])
    assert session.state.match.totals == (0, 0)

    for press, said in (
        ({"type": "late", "points": [1, 2, 3]}, "2 sides"),
        ({"type": "late", "points": [100, 100]}, "120"),
        ({"type": "late", "tricks": 9}, "no more than the rest"),
        ({"type": "add_play", "trick": 1, "seat": 0, "card": "1O"}, "before the program watched|already given"),
    ):
        with pytest.raises(PressError, match=said):
            session.press(press)
    truth = (sum(game.points[0::2]), sum(game.points[1::2]))
    seen = result["totals"]["by_team"]
    session.press({"type": "late", "points": [truth[0] - seen["0"], truth[1] - seen["1"]]})
    assert "late" not in {question.kind for question in session.referee.status.questions}
    whole = session.result()
    assert whole["totals"]["by_team"] == {"0": truth[0], "1": truth[1]}
    assert whole["complete"]
    assert whole["winner"] == (0 if truth[0] > truth[1] else 1)
    session.press({"type": "undo"})
    assert session.result() == {**result, "amendments": session.result()["amendments"]}
    assert "late" in {question.kind for question in session.referee.status.questions}


def test_until_the_trump_is_taken_it_is_not_known_how_many(game: Any) -> None:
    session, asked = watch(game, gathered(game, MISSED) + 0.5, gathered(game, MISSED + 2) + 0.5)
    assert "late" in asked
    hand = session.state.hand
    assert hand is not None
    assert hand.missed == 1
    session.press({"type": "set_winner", "trick": 3, "seat": 1})
    session.press({"type": "late", "tricks": MISSED})
    hand = session.state.hand
    assert hand is not None
    assert (hand.missed, len(hand.tricks)) == (MISSED, MISSED + 2)
    assert [trick.n for trick in hand.tricks if trick.awarded] == [MISSED + 2], "a trick keeps what was said about it"
    session.press({"type": "undo"})
    hand = session.state.hand
    assert hand is not None
    assert [trick.n for trick in hand.tricks if trick.awarded] == [3]
    session.press({"type": "late", "tricks": 0})
    hand = session.state.hand
    assert hand is not None
    assert (hand.missed, len(hand.tricks)) == (0, 2)
    assert "late" not in {question.kind for question in session.referee.status.questions}


def test_nothing_is_late_about_piles_that_came_later(game: Any) -> None:
    session, asked = watch(game, 0.0, gathered(game, 3) + 1.0)
    assert "late" not in asked
    assert session.state.hand is not None
    assert session.state.hand.missed == 0


def test_points_from_before_are_part_of_the_score() -> None:
    rules = load_profile("arrastro", 4)
    card = Card.parse
    start = HandStarted(missed=1, points_before=(20, 11))
    unread = [CardPlayed(seat, None) for seat in range(4)]
    seen = [CardPlayed(seat, card(text)) for seat, text in enumerate(("1O", "3O", "12O", "2O"))]
    facts = [start, TrumpShown(card("4B")), *unread, TrickSwept(), *seen, TrickSwept()]
    state = fold_events(rules, facts).hands[0]
    assert state.points_by_team == (20 + 25, 11)
    assert state.points_by_seat == (25, 0, 0, 0)
    assert (state.missed, state.points_before) == (1, (20, 11))
    claimed = fold_events(rules, [*facts, HandEnded(claimed_by=1)]).hands[0]
    assert claimed.result is not None
    assert sum(claimed.points) == 120
    alone = fold_events(load_profile("arrastro", 2), [replace(start, points_before=(20, 110)), HandEnded(0)]).hands[0]
    assert alone.result is not None
    assert alone.result.status == "points_missing", "130 points are not a hand"


def test_the_beginning_is_written_as_it_was() -> None:
    plain = event_to_json(HandStarted(dealer=1))
    assert "missed" not in plain
    assert "points_before" not in plain
    late = HandStarted(missed=6, points_before=(33, 13), t=1.5)
    assert event_from_json(event_to_json(late)) == late
    for name, value in (("missed", -1), ("points_before", [1, "x"]), ("points_before", 5)):
        with pytest.raises(ParseError, match=name):
            event_from_json({"type": "hand_started", name: value})
