"""Everything can be put right by hand, at any time, and taken back and done again; the numbers are the engine's own."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from told import hand, played

from engine.cards import Card
from engine.events import CardPlayed, HandEnded, HandStarted, TrickSwept, TrumpShown
from engine.fold import fold_events
from engine.ledger import LedgerEntry
from engine.rules import load_profile
from engine.state import GameState
from server.errors import PressError
from server.referee.referee import Referee
from server.scoreboard.changes import WHY, changes
from server.seats import default_seats
from server.sessions.session import Session, make_table
from vision.facts import TableEvent

SOUTH, NORTH = (650.0, 460.0), (650.0, 260.0)


def seen(number: int, kind: str, at: tuple[float, float], card: str = "", *, t: float | None = None) -> TableEvent:
    x, y = at
    quad = ((x - 50, y - 75), (x + 50, y - 75), (x + 50, y + 75), (x - 50, y + 75))
    labels = ((card, 0.98),) if card else ()
    face = "face" if card else "back"
    return TableEvent(
        number, float(number if t is None else t), kind, number, face, labels, quad, (x / 1280, y / 720), 1.0, (0, 0)  # type: ignore[arg-type]
    )  # fmt: skip


def table(*cards: str, trump: str = "4O") -> Referee:
    """South leads the first trick, north the second."""
    referee = Referee(load_profile("arrastro", 2), default_seats(2))
    referee.feed(seen(1, "settled", (300.0, 360.0)))
    referee.feed(seen(2, "settled", (390.0, 360.0), trump))
    for number, card in enumerate(cards):
        referee.feed(seen(3 + number, "settled", (SOUTH, NORTH, NORTH, SOUTH)[number], card))
    return referee


def play_at(state: GameState, trick: int, seat: int) -> Any:
    tricks = {one.n: one.plays for one in state.tricks} | {state.trick_number: state.trick}
    return next(play for play in tricks[trick] if play.seat == seat)


def told(referee: Referee) -> list[tuple[str, str, str]]:
    return [(one["by"], one["change"], one["why"]) for one in changes(referee.state, referee.ledger.entries)]


# A game without a camera --------------------------------------------------------------------------------------------


def test_plays_entered_in_one_moment_keep_the_order_in_which_they_were_entered() -> None:
    referee = table()
    for seat, card in ((0, "3C"), (1, "1C")):
        referee.press({"type": "add_play", "trick": 1, "seat": seat, "card": card, "t": 9.0})
    referee.press({"type": "add_play", "trick": 2, "seat": 1, "card": "5B", "t": 9.0})
    first = play_at(hand(referee), 2, 1)
    assert played(referee) == [(0, "3C"), (1, "1C"), (1, "5B")]
    referee.press({"type": "add_play", "before": first.event_id, "seat": 0, "card": "7E", "t": 9.0})
    assert [card for _, card in played(referee)] == ["3C", "1C", "7E", "5B"]


# A correction long afterwards ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def at_trick_12(witnessed: Callable[..., Any]) -> Callable[[], Session]:
    def make() -> Session:
        session = Session(make_table("arrastro", "south=Ana,north=Luis"))
        for observation in witnessed(1).observations:
            session.observe(observation)
            state = session.state.hand
            if state is not None and state.trick_number == 12 and state.trick:
                return session
        raise AssertionError("the game ended before trick 12")

    return make


def told_facts(session: Session) -> list[Any]:
    return [event for _, event in session.referee.ledger.effective()]


def test_a_card_of_trick_3_put_right_at_trick_12_gives_the_numbers_of_the_engine(
    at_trick_12: Callable[[], Session],
) -> None:
    session = at_trick_12()
    before = session.state.hand
    assert before is not None
    play = next(one for one in before.tricks[2].plays if one.seat == before.tricks[2].winner)
    unseen = sorted(before.rules.card_set - {one.card for one in before.all_plays} - {before.trump_card})
    wrong = next(card for card in unseen if card.suit != before.trump_suit and card.suit != play.card.suit)  # type: ignore[union-attr]
    facts = told_facts(session)
    session.press({"type": "correct_card", "play": play.event_id, "card": str(wrong)})
    after = session.state.hand
    assert after is not None
    expected = fold_events(
        before.rules,
        [
            replace(fact, card=wrong) if isinstance(fact, CardPlayed) and fact.card == play.card else fact
            for fact in facts
        ],
    ).hand
    assert expected is not None
    assert [str(one.card) for one in after.all_plays] == [str(one.card) for one in expected.all_plays]
    assert after.points == expected.points
    assert [one.winner for one in after.tricks] == [one.winner for one in expected.tricks]
    assert [(v.code, v.seat, v.trick, v.certainty) for v in after.violations] == [
        (v.code, v.seat, v.trick, v.certainty) for v in expected.violations
    ]
    assert after.points != before.points
    (newest, *_) = changes(session.state, session.referee.ledger.entries)
    assert (newest["by"], newest["change"], newest["why"], newest["trick"]) == ("person", "amended", "by_hand", 3)
    assert (newest["before"], newest["after"]) == (str(play.card), str(wrong))
    session.press({"type": "undo"})
    assert session.state.hand.points == before.points  # type: ignore[union-attr]
    assert [str(one.card) for one in session.state.hand.all_plays] == [str(one.card) for one in before.all_plays]  # type: ignore[union-attr]
    session.press({"type": "redo"})
    assert session.state.hand.points == expected.points  # type: ignore[union-attr]


# Undo and redo ---------------------------------------------------------------------------------------------------


def test_what_was_undone_is_done_again_in_order() -> None:
    referee = table("3C", "1C")
    referee.press({"type": "correct_card", "trick": 1, "seat": 0, "card": "3B"})
    referee.press({"type": "remove_play", "trick": 1, "seat": 1})
    both = played(referee)
    referee.press({"type": "undo"})
    referee.press({"type": "undo"})
    assert played(referee) == [(0, "3C"), (1, "1C")]
    assert (referee.can_undo, referee.can_redo) == (False, True)
    referee.press({"type": "redo"})
    assert played(referee) == [(0, "3B"), (1, "1C")]
    referee.press({"type": "redo"})
    assert played(referee) == both == [(0, "3B")]
    with pytest.raises(PressError, match="nothing to do again"):
        referee.press({"type": "redo"})
    referee.press({"type": "undo"})
    assert played(referee) == [(0, "3B"), (1, "1C")]


def test_something_new_ends_what_could_be_done_again() -> None:
    referee = table("3C", "1C")
    referee.press({"type": "correct_card", "trick": 1, "seat": 0, "card": "3B"})
    referee.press({"type": "undo"})
    referee.press({"type": "correct_card", "trick": 1, "seat": 0, "card": "3E"})
    assert not referee.can_redo
    assert played(referee)[0] == (0, "3E")


def test_a_press_that_is_refused_leaves_nothing_to_undo() -> None:
    referee = table("3C", "1C")
    with pytest.raises(PressError):
        referee.press({"type": "correct_card", "trick": 1, "seat": 0, "card": "8B"})
    assert not referee.can_undo


def test_an_acknowledgement_is_undone_and_done_again() -> None:
    referee = table("3C", "1C")
    referee.press({"type": "sweep", "seat": 0})
    key = hand(referee).violations[0].key
    referee.press({"type": "dismiss", "violation": key})
    assert told(referee)[0] == ("person", "dismissed", "dismissed")
    for press, wanted in (("undo", False), ("redo", True), ("undo", False), ("redo", True)):
        referee.press({"type": press})
        assert next(v for v in hand(referee).violations if v.key == key).acknowledged is wanted


def test_a_hand_begun_by_mistake_is_taken_back_with_what_was_seen_since() -> None:
    referee = table("3C", "1C")
    referee.press({"type": "next_hand", "t": 6.0})
    referee.feed(seen(7, "settled", SOUTH, "5B"))
    referee.press({"type": "undo"})
    assert len(referee.state.hands) == 1
    assert hand(referee).result is None
    assert [card for _, card in played(referee)] == ["3C", "1C", "5B"]
    referee.press({"type": "redo"})
    referee.feed(seen(8, "settled", (390.0, 360.0), "7B"))
    referee.feed(seen(9, "settled", NORTH, "6C"))
    assert len(referee.state.hands) == 2
    assert [str(play.card) for play in referee.state.hands[0].all_plays] == ["3C", "1C"]


def test_a_card_of_an_earlier_hand_is_put_right_and_taken_back() -> None:
    referee = table("3C", "1C")
    wrong = play_at(hand(referee), 1, 0).event_id
    referee.press({"type": "next_hand", "t": 9.0})
    referee.feed(seen(20, "settled", (390.0, 360.0), "7B"))
    referee.feed(seen(21, "settled", SOUTH, "5C"))
    assert len(referee.state.hands) == 2
    referee.press({"type": "correct_card", "play": wrong, "card": "3B"})
    assert [str(play.card) for play in referee.state.hands[0].all_plays] == ["3B", "1C"]
    referee.press({"type": "correct_card", "hand": 1, "trick": 1, "seat": 1, "card": "1B"})
    assert [str(play.card) for play in referee.state.hands[0].all_plays] == ["3B", "1B"]
    assert played(referee) == [(0, "5C")]
    referee.press({"type": "undo"})
    referee.press({"type": "undo"})
    assert [str(play.card) for play in referee.state.hands[0].all_plays] == ["3C", "1C"]
    with pytest.raises(PressError, match="no hand 3"):
        referee.press({"type": "correct_card", "hand": 3, "trick": 1, "seat": 1, "card": "1B"})


def test_a_hand_whose_evidence_was_put_by_is_put_right_as_any_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(recent: int) -> list[LedgerEntry]:
        monkeypatch.setattr("server.referee.hands.RECENT", recent)
        referee = table("3C", "1C")
        wrong = play_at(hand(referee), 1, 0).event_id
        for number, cards in enumerate((("5C", "6C"), ("7C", "2C"), ("4C", "10C"), ("11C", "12C")), start=1):
            t = 20.0 * number
            referee.press({"type": "next_hand", "t": t})
            referee.feed(seen(int(t), "settled", (390.0, 360.0), "7B"))
            referee.feed(seen(int(t) + 1, "settled", SOUTH, cards[0]))
            referee.feed(seen(int(t) + 2, "settled", NORTH, cards[1]))
        referee.press({"type": "correct_card", "play": wrong, "card": "3B"})
        referee.press({"type": "correct_card", "hand": 2, "trick": 1, "seat": 0, "card": "5E"})
        assert len(referee.worded) == 2
        for step in ("undo", "undo", "redo"):
            referee.press({"type": step})
        assert len(referee.state.hands) == 5
        assert [str(play.card) for play in referee.state.hands[0].all_plays] == ["3B", "1C"]
        return list(referee.ledger.entries)

    assert told(2) == told(99)


# The rest of what can be put right -------------------------------------------------------------------------------


def test_the_table_gives_a_trick_whatever_the_cards_say() -> None:
    referee = table("3C", "1C")
    assert hand(referee).points == (0, 21)
    referee.press({"type": "set_winner", "trick": 1, "seat": 0})
    state = hand(referee)
    assert (state.tricks[0].winner, state.tricks[0].awarded, state.points) == (0, True, (21, 0))
    assert state.turn == 0, "who takes the trick leads the next"
    assert played(referee) == [(0, "3C"), (1, "1C")], "the cards stay what they are"
    assert {by for by, _, _ in told(referee)} == {"person"}
    referee.press({"type": "undo"})
    assert hand(referee).points == (0, 21)
    with pytest.raises(PressError, match="not full"):
        referee.press({"type": "set_winner", "trick": 2, "seat": 0})


def test_an_exchange_is_put_in_later_and_taken_out_again() -> None:
    referee = table("3C", "1C", "5B", "6B", trump="12O")
    referee.press({"type": "exchange", "seat": 1, "given": "7O", "after_trick": 1})
    (swap,) = hand(referee).exchanges
    assert (swap.seat, str(swap.given), str(swap.taken), swap.after_trick) == (1, "7O", "12O", 1)
    assert str(hand(referee).trump_card) == "7O"
    referee.press({"type": "remove_exchange", "after_trick": 1})
    assert hand(referee).exchanges == ()
    assert str(hand(referee).trump_card) == "12O"
    assert ("person", "retracted", "taken_out") in told(referee)
    referee.press({"type": "undo"})
    assert len(hand(referee).exchanges) == 1
    with pytest.raises(PressError, match="no exchange after trick 0"):
        referee.press({"type": "remove_exchange", "after_trick": 0})


def test_an_exchange_and_the_trump_suit_that_people_tell_go_together() -> None:
    referee = table("3C", "1C", "5B", "6B", trump="12O")
    referee.press({"type": "exchange", "seat": 1, "given": "7O", "after_trick": 1})
    with pytest.raises(PressError, match="7O, given in an exchange, is not of the trump suit B"):
        referee.press({"type": "set_trump", "suit": "B"})
    assert str(hand(referee).trump_card) == "7O"
    referee.press({"type": "remove_exchange", "after_trick": 1})
    referee.press({"type": "set_trump", "suit": "B"})
    assert hand(referee).trump_suit == "B"
    with pytest.raises(PressError, match="not of the trump suit B"):
        referee.press({"type": "exchange", "seat": 1, "given": "7O", "after_trick": 1})


def test_a_card_of_another_suit_than_the_trump_that_was_seen_is_no_exchange() -> None:
    referee = table("3C", "1C", trump="12O")
    before = referee.ledger.entries
    with pytest.raises(PressError, match="7C, given in an exchange, is not of the trump suit O"):
        referee.press({"type": "exchange", "seat": 1, "given": "7C", "after_trick": 1})
    assert referee.ledger.entries == before, "nothing is put in the place of what was said"


def test_an_exchange_told_while_the_full_trick_lies_there_shows_at_once() -> None:
    referee = table("3C", "1C", trump="12O")
    assert len(hand(referee).tricks) == 0, "nobody has gathered it"
    referee.press({"type": "exchange", "seat": 1, "given": "7O", "t": 60.0})
    (swap,) = hand(referee).exchanges
    assert (swap.seat, str(swap.given), swap.after_trick) == (1, "7O", 1)
    assert str(hand(referee).trump_card) == "7O"


def test_a_missed_play_is_put_before_another_one() -> None:
    referee = table("3C", "1C", "5B", "6B")
    before = play_at(hand(referee), 1, 1)
    referee.press({"type": "add_play", "before": before.event_id, "seat": 1, "card": "2E"})
    assert [card for _, card in played(referee)][:3] == ["3C", "2E", "1C"]
    referee.press({"type": "undo"})
    assert [card for _, card in played(referee)] == ["3C", "1C", "5B", "6B"]


def test_a_claim_gives_the_rest_to_one_side() -> None:
    referee = table("3C", "1C")
    referee.press({"type": "claim", "seat": 0, "t": 8.0})
    state = hand(referee)
    assert state.result is not None
    assert state.points == (99, 21)
    assert (state.result.status, state.result.winner) == ("won", 0)
    referee.press({"type": "undo"})
    assert (hand(referee).result, hand(referee).points) == (None, (0, 21))
    referee.press({"type": "redo"})
    assert hand(referee).points == (99, 21)
    with pytest.raises(PressError, match="no hand in play"):
        referee.press({"type": "claim", "seat": 1})


def test_a_pause_leaves_out_what_comes_and_goes_and_keeps_what_stays() -> None:
    referee = table("3C")
    referee.press({"type": "pause"})
    assert referee.paused
    assert referee.feed(seen(10, "settled", NORTH, "2E")) == []
    assert referee.feed(seen(10, "vanished", NORTH, "2E", t=11.0)) == []
    referee.feed(seen(12, "settled", NORTH, "1C"))
    assert played(referee) == [(0, "3C")]
    referee.press({"type": "pause"})  # a second screen
    referee.press({"type": "resume"})
    assert not referee.paused
    assert played(referee) == [(0, "3C"), (1, "1C")]


def test_two_names_are_exchanged_and_the_score_goes_with_the_seats() -> None:
    session = Session(make_table("arrastro", "south=Ana,north=Luis"))
    session.press({"type": "swap_seats", "seat": 0, "other": 1})
    assert [seat["name"] for seat in session.result()["seats"]] == ["Luis", "Ana"]
    session.press({"type": "undo"})
    assert [seat["name"] for seat in session.result()["seats"]] == ["Ana", "Luis"]
    with pytest.raises(PressError, match="Two different"):
        session.press({"type": "swap_seats", "seat": 1, "other": 1})


def test_every_reason_that_the_referee_writes_has_a_code() -> None:
    referee = table("3C", "1C", "5B", "6B")
    referee.press({"type": "correct_card", "trick": 1, "seat": 0, "card": "3B"})
    referee.press({"type": "remove_play", "trick": 2, "seat": 1})
    referee.press({"type": "set_leader", "trick": 1, "seat": 1})
    referee.press({"type": "undo"})
    referee.press({"type": "redo"})
    assert "other" not in {why for _, _, why in told(referee)}
    assert len(set(WHY.values())) > 10


def test_an_awarded_trick_and_a_claim_are_facts_of_the_engine() -> None:
    rules = load_profile("arrastro", 2)
    facts = [HandStarted(leader=0), TrumpShown(Card.parse("4O")), CardPlayed(0, Card.parse("3C")),
             CardPlayed(1, Card.parse("1C")), TrickSwept(1, winner=0), HandEnded(claimed_by=1)]  # fmt: skip
    state = fold_events(rules, facts).hand
    assert state is not None
    assert state.points == (21, 99)
    assert state.result is not None
    assert state.result.winner == 1
    assert [v.code for v in state.violations] == ["wrong_gather"]
