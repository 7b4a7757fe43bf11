"""Vectors of the kind "observe": one thing seen at the table, and the alert that it calls for.

What was seen is told by the inputs: a gathered trick (``trump``, ``lead``, ``cards``, ``swept_by``), a card (``card``,
with those ``seen`` before), the last card missing (``missing``, ``seen_count``), or how many cards each seat has played
in the hand (``plays_by_seat``). All but the arithmetic are answered by folding a small game, so that vectors try the
same code as a real table. Every other rule that a camera can watch is tried with whole records.
"""

from typing import Any

from engine.errors import ParseError
from engine.events import CardPlayed, GameEvent, HandStarted, TrickSwept, TrumpShown
from engine.fold import fold_events
from engine.question import Question
from engine.rules import Rules, setup_problems
from engine.state import GameState, Violation

ALERTS = {
    "wrong_gather": "wrong_side_collected",
    "duplicate_card": "duplicate_card",
    "foreign_card": "card_not_in_deck",
}
"""Code of a violation -> name of the alert in the vectors."""


def observe(rules: Rules, q: Question) -> dict[str, Any]:
    """Answer to a vector of the kind "observe". Raises ParseError when it asks nothing that is known."""
    if q.has("swept_by"):
        return _gathered(rules, q)
    if q.has("plays_by_seat"):
        return _plays_by_seat(rules, q)
    if q.has("missing"):
        return _eliminated(rules, q)
    if q.has("card"):
        return _card(rules, q)
    raise ParseError("tells no observation: it needs swept_by, card, missing or plays_by_seat")


def seats_of_trick(rules: Rules, lead: int, alcaide: int = 0) -> list[int]:
    """The seat of each card of a whole trick, in order."""
    return [seat for seat in rules.seats_from(lead) for _ in range(rules.quota(seat, alcaide))]


def _gathered(rules: Rules, q: Question) -> dict[str, Any]:
    bad = next((problem.text for problem in setup_problems(rules) if problem.reason == "bad_teams"), None)
    if bad is not None:
        raise ParseError(bad)
    lead, sweeper, cards = q.whole("lead"), q.whole("swept_by"), q.cards("cards")
    if max(lead, sweeper) >= rules.players:
        raise ParseError(f"lead or swept_by is no seat at a table of {rules.players}")
    seats = seats_of_trick(rules, lead)
    if len(seats) != len(cards):
        raise ParseError(f"{len(cards)} cards are no trick of {rules.players} players")
    state = _fold(
        rules,
        HandStarted(None, lead, None if rules.alcaide is None else 0),
        TrumpShown(None, q.suit("trump")),
        *(CardPlayed(seat, card) for seat, card in zip(seats, cards, strict=True)),
        TrickSwept(sweeper),
    )
    told = [violation for violation in state.violations if violation.code == "wrong_gather"]
    return {**_alert(told), "expected_winner": state.tricks[0].winner}


def _card(rules: Rules, q: Question) -> dict[str, Any]:
    cards = [*q.cards("seen", ()), q.card("card")]
    state = _fold(rules, HandStarted(), *(CardPlayed(None, card) for card in cards))
    last = f"e{len(cards) + 1}"
    return _alert([v for v in state.violations if v.event_id == last and v.code in ALERTS])


def _eliminated(rules: Rules, q: Question) -> dict[str, Any]:
    missing = [str(card) for card in q.cards("missing")]
    whole = len(rules.cards)
    alone = len(missing) == 1 and q.whole("seen_count", whole - 1) == whole - 1
    return {
        "filled": missing[0] if alone else None,
        "by": "elimination" if alone else None,
        "certain": alone,
        "alert": None,
    }


def _plays_by_seat(rules: Rules, q: Question) -> dict[str, Any]:
    counts = q.wholes("plays_by_seat")
    if len(counts) != rules.players:
        raise ParseError(f"plays_by_seat must count the cards of each of {rules.players} seats")
    due = [rules.tricks * rules.quota(seat) for seat in range(rules.players)]
    short = [seat for seat, count in enumerate(counts) if count < due[seat]]
    long = [seat for seat, count in enumerate(counts) if count > due[seat]]
    alert = "hand_too_short" if short else "hand_too_long" if long else None
    return {
        "alert": alert,
        "certain": alert is not None,
        "detected_at_trick": rules.tricks if alert else None,
        "seat": next(iter(short or long), None),
    }


def _alert(violations: list[Violation]) -> dict[str, Any]:
    if not violations:
        return {"alert": None, "certain": None, "seat": None}
    first = violations[0]
    return {"alert": ALERTS[first.code], "certain": first.certainty == "certain", "seat": first.seat}


def _fold(rules: Rules, *events: GameEvent) -> GameState:
    return fold_events(rules, events).hands[0]
