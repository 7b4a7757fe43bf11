"""Kept by hand: what belongs to a hand that is over, and cards that somebody else is known to hold."""

import pytest
from told import by_hand, entered, hand, played, refused

from server.referee.referee import Referee

FIRST = ((0, "4O"), (1, "1O"), (1, "5E"), (0, "6E"))


def ended(how: str) -> Referee:
    referee = entered(2, "3C", *FIRST)
    referee.press({"type": how, "t": 20.0, **({"seat": 0} if how == "claim" else {})})
    return referee


@pytest.mark.parametrize("how", ["claim", "end_hand"])
def test_a_hand_that_was_ended_takes_no_more_cards(how: str) -> None:
    referee = ended(how)
    card = {"type": "add_play", "trick": 3, "seat": 0, "card": "7O"}
    assert refused(referee, **card, t=21.0) == "hand_ended"
    referee.press({"type": "undo", "t": 22.0})
    referee.press({**card, "t": 23.0})
    assert played(referee)[-1] == (0, "7O")


def test_what_was_forgotten_in_a_hand_that_was_ended_is_still_put_in() -> None:
    referee = ended("claim")
    before = hand(referee).all_plays[-1].event_id
    referee.press({"type": "add_play", "before": before, "seat": 0, "card": "7E", "t": 21.0})
    assert (0, "7E") in played(referee)
    referee.press({"type": "next_hand", "t": 22.0})
    referee.press({"type": "add_play", "trick": 1, "seat": 0, "card": "7O", "t": 23.0})
    assert (hand(referee).number, played(referee)) == (2, [(0, "7O")])


@pytest.mark.parametrize("swept", [False, True])
def test_nothing_is_called_or_claimed_once_every_card_is_out(swept: bool) -> None:
    referee = by_hand("arrastro", 2, 20)
    if not swept:
        referee.press({"type": "undo", "t": 90.0})
    assert (hand(referee).phase, hand(referee).result is not None) == ("result" if swept else "trick_full", True)
    for seat in range(2):
        assert refused(referee, type="arrastre_called", seat=seat, t=91.0) == "call_too_late"
        assert refused(referee, type="claim", seat=seat, t=91.0) == "nothing_to_claim"


def test_arrastre_can_be_called_up_to_the_last_card() -> None:
    referee = by_hand("arrastro", 2, 19)
    leader = hand(referee).tricks[-1].winner
    referee.press({"type": "arrastre_called", "seat": leader, "t": 90.0})
    assert hand(referee).calls


def exchanged() -> Referee:
    """Seat 0 has taken the 12 of copas for the 7 after the first trick."""
    referee = entered(2, "12C", (0, "1O"), (1, "4O"))
    referee.press({"type": "exchange", "seat": 0, "given": "7C", "after_trick": 1, "t": 3.0})
    return referee


def test_a_card_that_somebody_else_took_from_the_table_is_asked_about() -> None:
    referee = exchanged()
    card = {"type": "add_play", "trick": 2, "seat": 1, "card": "12C"}
    assert refused(referee, **card, t=4.0) == "in_other_hand"
    referee.press({"type": "add_play", "trick": 2, "seat": 0, "card": "5O", "t": 5.0})
    referee.press({"type": "add_play", "trick": 2, "seat": 1, "card": "6O", "t": 6.0})
    other = hand(referee).all_plays[-1].event_id
    assert refused(referee, type="correct_card", play=other, card="12C", t=7.0) == "in_other_hand"
    referee.press({"type": "correct_card", "play": other, "card": "12C", "sure": True, "t": 8.0})
    assert played(referee)[-1] == (1, "12C"), "it was so all the same"


def test_whoever_took_it_plays_it_as_any_other_card() -> None:
    referee = exchanged()
    referee.press({"type": "add_play", "trick": 2, "seat": 0, "card": "12C", "t": 4.0})
    assert played(referee)[-1] == (0, "12C")
    assert not hand(referee).violations
