"""Who deals each hand of a match and so leads it, as far as it is known before its first card is played."""

from engine.result import match_score, next_dealer
from engine.rules import Rules
from engine.state import GameState, MatchState


def dealer_of(state: MatchState, number: int, named: int | None = None) -> int | None:
    """Who deals hand ``number`` (from 1, the next one too), None where nobody can know.

    ``named`` is who was said to deal the first hand: the deal goes round from there. Where nobody was, the seat before
    the one that led a hand had dealt it, which tells who deals the hand after it.
    """
    dealer, said = named, named is not None
    for hand in state.hands:
        if hand.dealer is not None:
            dealer, said = hand.dealer, True
        if hand.number >= number:
            break
        if not said or dealer is None:
            dealer = _led_by(hand, dealer)
        dealer = None if dealer is None else _dealer_after(state.rules, hand, dealer)
    return dealer


def first_leader(state: MatchState, number: int, named: int | None = None) -> int | None:
    """Who leads hand ``number``, by who deals it; None where nobody can know, or it was in progress already."""
    late = any(hand.number == number and hand.missed for hand in state.hands)
    dealer = None if late else dealer_of(state, number, named)
    return None if dealer is None else (dealer + 1) % state.rules.players


def _led_by(hand: GameState, dealer: int | None) -> int | None:
    """Who dealt a hand by who led it; ``dealer``, where that was not seen."""
    plays = hand.all_plays
    return (plays[0].seat - 1) % hand.rules.players if plays and not hand.missed else dealer


def _dealer_after(rules: Rules, hand: GameState, dealer: int) -> int | None:
    """Who deals after a hand that ``dealer`` dealt; None where the table has to settle it."""
    if hand.result is None:
        return next_dealer(rules, dealer)
    return match_score(rules, [hand.result], last_dealer=dealer).next_dealer
