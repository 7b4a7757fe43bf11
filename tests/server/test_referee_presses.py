"""What people press: parsed strictly, and what it does to the game."""

import json
from typing import Any

import pytest
from told import hand, played

from engine.cards import Card
from engine.events import ArrastreCalled, CardPlayed, HandEnded, TrickSwept, TrumpExchanged
from engine.ledger import Confirm
from engine.rules import load_profile
from server.errors import PressError
from server.presses import Press, parse_inputs, parse_press
from server.referee.referee import Referee
from server.seats import default_seats
from vision.facts import TableEvent


def laid(number: int, at: tuple[float, float], card: str, *, back: bool = False, share: float = 0.98) -> TableEvent:
    x, y = at
    quad = ((x - 50, y - 75), (x + 50, y - 75), (x + 50, y + 75), (x - 50, y + 75))
    labels = () if back else ((card, share),)
    face = "back" if back else "face"
    return TableEvent(
        number, float(number), "settled", number, face, labels, quad, (x / 1280, y / 720), 1.0, (0, 0)  # type: ignore[arg-type]
    )  # fmt: skip


SOUTH, NORTH = (650.0, 460.0), (650.0, 260.0)


def table(*cards: str, trump: str = "4O", profile: str = "arrastro", shares: tuple[float, ...] = ()) -> Referee:
    """A game in which south leads the first trick and the cards fall in turn; no trick is gathered."""
    referee = Referee(load_profile(profile, 2), default_seats(2))
    referee.feed(laid(1, (300.0, 360.0), "", back=True))
    referee.feed(laid(2, (390.0, 360.0), trump))
    for number, card in enumerate(cards):
        share = shares[number] if number < len(shares) else 0.98
        referee.feed(laid(3 + number, SOUTH if number % 2 == 0 else NORTH, card, share=share))
    return referee


def entry_of(referee: Referee, card: str) -> str:
    return next(
        entry
        for entry, event in referee.ledger.effective()
        if isinstance(event, CardPlayed) and event.card == Card.parse(card)
    )


@pytest.mark.parametrize(
    ("raw", "word"),
    [
        ([], "object"),
        ({}, "no press of type"),
        ({"type": "dance"}, "known are"),
        ({"type": "arrastre_called"}, "needs 'seat'"),
        ({"type": "arrastre_called", "seat": 2}, "from 0 to 1"),
        ({"type": "arrastre_called", "seat": True}, "whole number"),
        ({"type": "arrastre_called", "seat": 1, "card": "1O"}, "no field 'card'"),
        ({"type": "arrastre_called", "seat": 1, "t": -1}, "number of seconds"),
        ({"type": "correct_card", "play": "e3", "card": "13O"}, "rank from 1 to 12"),
        ({"type": "correct_card", "play": "e3", "card": "ace"}, "is no card"),
        ({"type": "correct_card", "card": "1O"}, "'play' or 'trick'"),
        ({"type": "correct_card", "card": "1O", "trick": 1}, "needs the seat"),
        ({"type": "set_trump"}, "'card' or 'suit'"),
        ({"type": "set_trump", "suit": "H"}, "none of O"),
    ],
)
def test_a_press_that_cannot_be_meant(raw: Any, word: str) -> None:
    with pytest.raises(PressError, match=word):
        parse_press(raw, 2)


def test_a_press_is_read() -> None:
    assert parse_press({"t": 41.5, "type": "arrastre_called", "seat": 1}, 2) == Press("arrastre_called", 41.5, 1)
    assert parse_press({"type": "correct_card", "play": "e3", "card": " 12c "}, 2).card == "12C"


def test_inputs_are_read_in_order_of_time() -> None:
    lines = [json.dumps({"t": 9, "type": "undo"}), "", json.dumps({"t": 3.5, "type": "next_hand"})]
    assert [press.t for press in parse_inputs(lines, 2)] == [3.5, 9.0]


@pytest.mark.parametrize(
    ("line", "word"),
    [("{", "Line 2 .* not JSON"), ('{"type": "undo"}', "Line 2 .* no time"), ("[]", "Line 2 .* object")],
)
def test_inputs_that_cannot_be_meant_name_the_line(line: str, word: str) -> None:
    with pytest.raises(PressError, match=word):
        parse_inputs(["", line], 2)


def test_a_corrected_card_stays_corrected() -> None:
    referee = table("3C", "1C")
    (entry,) = referee.press({"type": "correct_card", "play": entry_of(referee, "3C"), "card": "3B"})
    assert entry.source == "person"
    assert played(referee) == [(0, "3B"), (1, "1C")]
    referee.feed(laid(9, SOUTH, "3C"))  # now the same face turns up again
    assert played(referee)[0] == (0, "3B")
    assert hand(referee).trick[0].confidence is None or hand(referee).all_plays[0].confidence > 0.99  # type: ignore[operator]


def test_a_card_is_corrected_by_trick_and_seat() -> None:
    referee = table("3C", "1C")
    referee.press({"type": "correct_card", "trick": 1, "seat": 1, "card": "1B"})
    assert played(referee) == [(0, "3C"), (1, "1B")]


def test_a_correction_takes_the_card_from_a_doubtful_play() -> None:
    referee = table("3C", "1C", shares=(0.6, 0.98))
    referee.press({"type": "correct_card", "trick": 1, "seat": 1, "card": "3C"})
    assert played(referee)[1] == (1, "3C")
    assert played(referee)[0][1] != "3C"


@pytest.mark.parametrize(
    ("press", "word"),
    [
        ({"type": "correct_card", "play": "e99", "card": "1B"}, "no play"),
        ({"type": "correct_card", "play": "e1", "card": "1B"}, "no play"),
        ({"type": "correct_card", "trick": 4, "seat": 0, "card": "1B"}, "has no play in trick 4"),
        ({"type": "correct_card", "trick": 1, "seat": 0, "card": "8B"}, "not in the deck"),
        ({"type": "add_play", "trick": 1, "seat": 0, "card": "1B"}, "has a card"),
        ({"type": "add_play", "trick": 9, "seat": 0, "card": "1B"}, "Trick 9 has not begun.*belongs to trick 2;"),
        ({"type": "add_play", "trick": 21, "seat": 0, "card": "1B"}, "A hand has 20 tricks"),
        ({"type": "undo"}, "nothing to undo"),
        ({"type": "confirm", "violation": "x:y:0"}, "no violation"),
        ({"type": "set_trump", "card": "1O", "suit": "B"}, "not of the suit"),
    ],
)
def test_a_press_that_does_not_fit_the_game_changes_nothing(press: dict[str, Any], word: str) -> None:
    referee = table("3C", "1C")
    before = referee.ledger.entries
    with pytest.raises(PressError, match=word):
        referee.press(press)
    assert referee.ledger.entries == before


def test_two_plays_are_not_given_one_card() -> None:
    referee = table("3C", "1C")
    referee.press({"type": "correct_card", "trick": 1, "seat": 0, "card": "3B"})
    for press in ({"type": "correct_card", "trick": 1, "seat": 1}, {"type": "add_play", "trick": 2, "seat": 0}):
        with pytest.raises(PressError, match="already given to the play of seat 0 in trick 1") as told:
            referee.press({**press, "card": "3B"})
        assert told.value.values == {"card": "3B", "seat": 0, "trick": 1}


def test_a_card_is_added_to_the_trick_that_is_due_and_to_no_later_one() -> None:
    referee = table("3C", "1C", "5B")
    before = referee.ledger.entries
    with pytest.raises(
        PressError, match=r"Trick 3 has not begun: the next card belongs to trick 2; add it there\."
    ) as told:
        referee.press({"type": "add_play", "trick": 3, "seat": 1, "card": "6B"})
    assert (told.value.reason, told.value.values) == ("trick_not_begun", {"trick": 3, "next": 2})
    assert referee.ledger.entries == before
    led = hand(referee).trick[0].seat
    referee.press({"type": "add_play", "trick": 2, "seat": 1 - led, "card": "6B"})
    referee.press({"type": "add_play", "trick": 3, "seat": 1 - led, "card": "7B"})
    assert [len(trick.plays) for trick in hand(referee).tricks] == [2, 2]
    assert [str(play.card) for play in hand(referee).trick] == ["7B"]


def test_undo_takes_back_one_press_after_another() -> None:
    referee = table("3C", "1C")
    referee.press({"type": "correct_card", "trick": 1, "seat": 0, "card": "3B"})
    referee.press({"type": "remove_play", "trick": 1, "seat": 1})
    assert played(referee) == [(0, "3B")]
    referee.press({"type": "undo"})
    assert played(referee) == [(0, "3B"), (1, "1C")]
    referee.press({"type": "undo"})
    assert played(referee) == [(0, "3C"), (1, "1C")]


def test_a_play_that_the_camera_missed_is_put_in() -> None:
    referee = table("3C")
    referee.press({"type": "add_play", "trick": 1, "seat": 1, "card": "1C"})
    assert played(referee) == [(0, "3C"), (1, "1C")]
    referee.press({"type": "undo"})
    assert played(referee) == [(0, "3C")]


def test_a_call_is_put_behind_the_ace() -> None:
    referee = table("1O", "1C")
    referee.press({"t": 5.5, "type": "arrastre_called", "seat": 0})
    facts = [event for _, event in referee.ledger.effective()]
    place = next(index for index, fact in enumerate(facts) if isinstance(fact, ArrastreCalled))
    assert isinstance(facts[place - 1], CardPlayed)
    assert facts[place - 1].card == Card.parse("1O")  # type: ignore[union-attr]
    assert [call.valid for call in hand(referee).calls] == [True]


def test_a_call_before_the_card_is_seen_finds_its_ace() -> None:
    referee = table()
    referee.press({"t": 2.5, "type": "arrastre_called", "seat": 0})
    referee.feed(laid(3, SOUTH, "1O"))
    referee.feed(laid(4, NORTH, "1C"))
    assert [(call.seat, call.trick, call.valid) for call in hand(referee).calls] == [(0, 1, True)]


def test_a_person_confirms_a_card() -> None:
    referee = table("3C", shares=(0.93,))
    entries = referee.press({"type": "confirm"})
    assert any(isinstance(entry.body, Confirm) for entry in entries)
    assert hand(referee).trick[0].confidence == 1.0


def test_a_person_sets_leader_trump_and_seat() -> None:
    referee = table("3C", "1C")
    referee.press({"type": "set_leader", "seat": 1, "trick": 1})
    assert [seat for seat, _ in played(referee)] == [1, 0]
    referee.press({"type": "undo"})
    referee.press({"type": "set_trump", "card": "5O"})
    assert str(hand(referee).trump_card) == "5O"


def test_a_person_gathers_and_exchanges() -> None:
    referee = table("3C", "1C", trump="12O")
    referee.press({"t": 5.0, "type": "sweep", "seat": 1})
    swept = next(event for _, event in referee.ledger.effective() if isinstance(event, TrickSwept))
    assert (swept.seat, swept.t) == (1, 5.0)
    referee.press({"t": 6.0, "type": "exchange", "seat": 1, "given": "7O"})
    exchange = next(event for _, event in referee.ledger.effective() if isinstance(event, TrumpExchanged))
    assert (exchange.seat, str(exchange.given), str(exchange.taken)) == (1, "7O", "12O")
    assert str(hand(referee).trump_card) == "7O"


def test_no_exchange_where_the_rules_know_none() -> None:
    referee = table("3C", "1C", profile="briscola")
    with pytest.raises(PressError, match="no exchange"):
        referee.press({"type": "exchange", "seat": 1})


def test_the_next_hand_begins_on_a_press() -> None:
    referee = table("3C", "1C")
    referee.press({"t": 9.0, "type": "next_hand"})
    assert any(isinstance(event, HandEnded) for _, event in referee.ledger.effective())
    referee.feed(laid(20, (390.0, 360.0), "7B"))
    referee.feed(laid(21, SOUTH, "5C"))
    assert len(referee.state.hands) == 2
    assert str(hand(referee).trump_card) == "7B"
    assert played(referee) == [(0, "5C")]
    assert [str(play.card) for play in referee.state.hands[0].all_plays] == ["3C", "1C"]
