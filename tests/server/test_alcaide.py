"""Who the Alcaide is, one against two: told by people, asked where nobody has said it, put right at any time."""

import pytest
from told import by_hand, hand, refused

from engine.events import HandStarted
from engine.fold import fold
from engine.rules import load_profile
from engine.views import public_view
from server.errors import PressError
from server.history.revision import Revision
from server.presses import Press, parse_press
from server.referee.referee import Referee
from server.seats import default_seats
from server.sessions.session import Session, make_table
from server.simulator.simulate import Simulation, presses, script_game

TRICKS = 13


def asked(referee: Referee) -> list[tuple[str, list[int]]]:
    """The questions for the Alcaide: their ids, and the seats that they offer."""
    return [
        (one.id, [option["seat"] for option in one.options])
        for one in referee.status.questions
        if one.kind == "alcaide"
    ]


def result(referee: Referee, number: int = 1) -> tuple[str, int | None, bool | None]:
    told = referee.state.hands[number - 1].result
    assert told is not None
    return told.status, told.winner, told.alcaide_keeps


def by_points(referee: Referee) -> list[int]:
    """The seats of the hand that is whole, the one with the most points first."""
    points = hand(referee).points
    return sorted(range(3), key=lambda seat: -points[seat])


def begin_next(referee: Referee) -> None:
    referee.press({"type": "next_hand", "t": 200.0})
    referee.press({"type": "set_trump", "card": "4O", "t": 201.0})


def test_until_somebody_says_who_it_is_a_hand_stays_open_and_anybody_may_be_named() -> None:
    referee = by_hand("alcaide", 3, TRICKS)
    assert result(referee) == ("title_open", None, None)
    assert asked(referee) == [("alcaide:1", [0, 1, 2])]
    (question,) = referee.status.questions
    best = by_points(referee)[0]
    answer = next(option for option in question.options if option["seat"] == best)
    referee.press(dict(answer))
    assert result(referee) == ("won", best, True)
    assert asked(referee) == []
    start = referee.ledger.effective()[0][1]
    assert isinstance(start, HandStarted)
    assert start.alcaide == best


def test_it_is_undone_done_again_and_put_right_later() -> None:
    referee = by_hand("alcaide", 3, TRICKS)
    best, *_, least = by_points(referee)
    points = hand(referee).points
    referee.press({"type": "set_alcaide", "seat": best, "t": 60.0})
    referee.press({"type": "undo", "t": 61.0})
    assert (hand(referee).alcaide, result(referee)[0]) == (None, "title_open")
    referee.press({"type": "redo", "t": 62.0})
    assert hand(referee).alcaide == best
    referee.press({"type": "set_alcaide", "seat": least, "t": 63.0})
    assert hand(referee).alcaide == least
    assert result(referee)[2] is (points[least] >= 31)
    assert hand(referee).points == points


def test_a_title_that_is_kept_is_asked_about_no_more_and_a_lost_one_among_the_rivals() -> None:
    referee = by_hand("alcaide", 3, TRICKS)
    best, *_, least = by_points(referee)
    assert hand(referee).points[least] < 31
    referee.press({"type": "set_alcaide", "seat": best, "t": 60.0})
    begin_next(referee)
    assert (hand(referee).number, hand(referee).alcaide, asked(referee)) == (2, best, [])
    assert refused(referee, type="set_alcaide", seat=best) == "nothing_changes"
    referee.press({"type": "set_alcaide", "seat": least, "hand": 1, "t": 202.0})
    assert hand(referee).alcaide is None
    assert asked(referee) == [("alcaide:2", [seat for seat in range(3) if seat != least])]
    referee.press({"type": "set_alcaide", "seat": best, "t": 203.0})
    assert [one.alcaide for one in referee.state.hands] == [least, best]


def test_a_title_that_passes_to_the_right_is_known() -> None:
    rules = load_profile("alcaide")
    assert rules.alcaide is not None
    told = by_hand("alcaide", 3, TRICKS)
    referee = Referee(rules.changed(alcaide={"threshold": 31, "next": "right"}), default_seats(3))
    least = by_points(told)[-1]
    referee.press({"type": "set_alcaide", "seat": least, "t": 0.1})
    referee.press({"type": "set_trump", "card": str(hand(told).trump_card or hand(told).trump_final), "t": 0.5})
    for n, play in enumerate(hand(told).all_plays):
        press = {"type": "add_play", "trick": n // 3 + 1, "seat": play.seat, "card": str(play.card)}
        referee.press({**press, "t": n + 1.0})
    assert result(referee) == ("won", None, False)
    begin_next(referee)
    assert (hand(referee).alcaide, asked(referee)) == ((least + 1) % 3, [])


def test_earlier_hands_that_nobody_told_are_asked_about_after_the_newest() -> None:
    referee = by_hand("alcaide", 3, TRICKS)
    begin_next(referee)
    assert asked(referee) == [("alcaide:2", [0, 1, 2]), ("alcaide:1", [0, 1, 2])]
    referee.press({"type": "set_alcaide", "seat": by_points_of_first(referee), "hand": 1, "t": 210.0})
    assert asked(referee) == [], "a title that was kept is known in the next hand"


def by_points_of_first(referee: Referee) -> int:
    points = referee.state.hands[0].points
    return points.index(max(points))


def test_what_is_said_already_and_what_the_rules_do_not_know_is_refused() -> None:
    referee = by_hand("alcaide", 3, 1)
    referee.press({"type": "set_alcaide", "seat": 2, "t": 60.0})
    assert refused(referee, type="set_alcaide", seat=2) == "nothing_changes"
    other = by_hand("tres_39", 3, 1)
    assert asked(other) == []
    assert refused(other, type="set_alcaide", seat=2) == "no_alcaide_here"


def test_it_may_be_said_before_the_first_card() -> None:
    referee = Referee(load_profile("alcaide"), default_seats(3))
    referee.press({"type": "set_alcaide", "seat": 1, "t": 0.1})
    assert refused_unstarted(referee) == "nothing_changes"
    referee.press({"type": "set_trump", "card": "3C", "t": 0.5})
    assert (hand(referee).alcaide, asked(referee)) == (1, [])


def refused_unstarted(referee: Referee) -> str:
    with pytest.raises(PressError) as error:
        referee.press({"type": "set_alcaide", "seat": 1, "t": 0.2})
    return error.value.reason


def test_nobody_is_past_catching_while_it_is_not_known_whose_title_it_is() -> None:
    referee = by_hand("alcaide", 3, TRICKS - 1)
    assert public_view(hand(referee)).decided is None
    best = by_points(referee)[0]
    referee.press({"type": "set_alcaide", "seat": best, "t": 60.0})
    assert public_view(hand(referee)).decided == best


def test_a_game_of_the_history_is_put_right() -> None:
    referee = by_hand("alcaide", 3, TRICKS)
    best, *_, least = by_points(referee)
    revision = Revision(referee.rules, referee.ledger.entries)
    revision.press(Press("set_alcaide", seat=best))
    told = fold(referee.rules, revision.ledger.entries).hands[0]
    assert told.alcaide == best
    again = Revision(referee.rules, revision.ledger.entries)
    with pytest.raises(PressError, match="nothing changes"):
        again.press(Press("set_alcaide", seat=best))
    again.press(Press("set_alcaide", seat=least))
    assert fold(referee.rules, again.ledger.entries).hands[0].alcaide == least
    again.press(Press("undo"))
    assert fold(referee.rules, again.ledger.entries).hands[0].alcaide == best


def test_a_made_up_film_tells_who_it_is_and_only_where_there_is_one() -> None:
    said = script_game(Simulation(rules="alcaide", players=3, seed=4))
    first = presses(said)[0]
    assert first["type"] == "set_alcaide"
    start = said.script.facts[0]
    assert isinstance(start, HandStarted)
    assert first["seat"] == start.alcaide == said.game.alcaide
    assert parse_press(first, 3).seat == start.alcaide
    session = Session(make_table("alcaide", "south,east,west"))
    session.press(first)
    session.press({"type": "set_trump", "card": str(said.game.trump), "t": 2.0})
    assert session.state.hand is not None
    assert session.state.hand.alcaide == start.alcaide
    other = script_game(Simulation(rules="tres_39", players=3, seed=4))
    assert all(press["type"] != "set_alcaide" for press in presses(other))
