"""Vectors of the kind "observe": one thing seen at the table, and the alert that it calls for.

The question is told by its inputs: a gathered trick (``cards`` and ``swept_by``), a card (``card``, with those ``seen``
before), the last card missing (``seen_count``, ``missing``), cards played by each seat (``plays_by_seat``), who played
(``played_by`` or ``seats``, or ``plays`` with cards, where ``turn`` or ``leader`` was due), who took the face-up card
(``taken_by`` after ``trick``) or when it was gone (``gone_after_trick``). All but the arithmetic are answered by
folding a small game, so that vectors try the same code as a real table.
"""

from collections.abc import Mapping
from typing import Any

from engine.cards import Card
from engine.errors import ParseError
from engine.events import CardPlayed, GameEvent, HandStarted, TrickSwept, TrumpShown
from engine.fold import fold_events
from engine.rules import Rules
from engine.state import GameState, Violation

ALERTS = {
    "wrong_gather": "wrong_side_collected",
    "duplicate_card": "duplicate_card",
    "foreign_card": "card_not_in_deck",
    "hand_short": "hand_too_short",
    "hand_long": "hand_too_long",
    "out_of_turn": "out_of_turn",
    "wrong_leader": "wrong_leader",
    "two_cards": "two_cards",
    "wrong_trump_taker": "wrong_trump_taker",
    "trump_taken_early": "trump_taken_early",
}
"""Code of a violation -> name of the alert in the vectors."""


_WHO = ("seats", "plays", "played_by")
_DUE = ("turn", "leader", "lead", "expected_leader")


def observe(rules: Rules, v: Mapping[str, Any]) -> dict[str, Any]:
    """Answer to a vector of the kind "observe". Raises ParseError when it asks nothing that is known."""
    if "swept_by" in v:
        return _gathered(rules, v)
    if "plays_by_seat" in v:
        return _plays_by_seat(rules, v)
    if "missing" in v:
        return _eliminated(rules, v)
    if "card" in v and not any(key in v for key in _WHO):
        return _card(rules, v)
    if any(key in v for key in _WHO):
        return _turns(rules, v)
    if "taken_by" in v or "gone_after_trick" in v:
        return _trump_taker(rules, v)
    raise ParseError("This observation tells nothing that the engine knows how to judge.")


def _gathered(rules: Rules, v: Mapping[str, Any]) -> dict[str, Any]:
    lead = int(v.get("lead", 0))
    seats = rules.seats_from(lead)
    state = _fold(
        rules,
        HandStarted(None, lead),
        TrumpShown(None, v["trump"]),
        *(CardPlayed(seat, Card.parse(text)) for seat, text in zip(seats, v["cards"], strict=True)),
        TrickSwept(v["swept_by"]),
    )
    winner = state.tricks[0].winner if state.tricks else None
    return {**_alert(state.violations), "expected_winner": winner}


def _card(rules: Rules, v: Mapping[str, Any]) -> dict[str, Any]:
    seen = [Card.parse(text) for text in v.get("seen", ())]
    cards = [*seen, Card.parse(v["card"])]
    state = _fold(rules, HandStarted(), *(CardPlayed(None, card) for card in cards))
    return _alert(state.violations[-1:])


def _eliminated(rules: Rules, v: Mapping[str, Any]) -> dict[str, Any]:
    missing = [str(Card.parse(text)) for text in v["missing"]]
    alone = len(missing) == 1 and int(v.get("seen_count", len(rules.cards) - 1)) == len(rules.cards) - 1
    return {
        "filled": missing[0] if alone else None,
        "by": "elimination" if alone else None,
        "certain": alone,
        "alert": None,
    }


def _plays_by_seat(rules: Rules, v: Mapping[str, Any]) -> dict[str, Any]:
    counts = [int(count) for count in v["plays_by_seat"]]
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


def _turns(rules: Rules, v: Mapping[str, Any]) -> dict[str, Any]:
    who = next(v[key] for key in _WHO if key in v)
    told = who if isinstance(who, list) else [who]
    seats = [_seat_of(play) for play in told]
    if any(seat is not None and not 0 <= seat < rules.players for seat in seats):
        raise ParseError(f"There is no such seat at a table of {rules.players}: give players.")
    due = next((v[key] for key in _DUE if v.get(key) is not None), None)
    cards = [Card.parse(text) for text in v.get("cards", ())] or list(rules.cards)
    plays = [CardPlayed(seat, card) for seat, card in zip(seats, cards, strict=False)]
    answer = _alert(_fold(rules, HandStarted(None, due), *plays).violations)
    if answer["alert"] == "wrong_leader" and "turn" in v and v.get("position"):
        answer["alert"] = "out_of_turn"  # somebody has led already: it was not the lead that was taken
    states = [_fold(rules, HandStarted(None, due), *plays[:count]) for count in range(len(plays) + 1)]
    fine = [state for state in states if not state.violations]
    return {**answer, "expected_seat": fine[-1].turn, "expected_leader": due}


def _seat_of(play: Any) -> int | None:
    """The seat of a play, told as a number, as [seat, card] or as an object with "seat"."""
    seat = play.get("seat") if isinstance(play, Mapping) else play[0] if isinstance(play, list) else play
    return None if seat is None else int(seat)


def _trump_taker(rules: Rules, v: Mapping[str, Any]) -> dict[str, Any]:
    trick = int(v.get("gone_after_trick", v.get("trick", rules.draw_rounds)))
    expected = (int(v["winner"]) - 1) % rules.players if v.get("winner") is not None else None
    taker = v.get("taken_by")
    early, wrong = trick < rules.draw_rounds, None not in (expected, taker) and taker != expected
    code = "trump_taken_early" if early else "wrong_trump_taker" if wrong else None
    return {"alert": ALERTS[code] if code else None, "certain": code is not None, "expected": expected}


def _alert(violations: tuple[Violation, ...]) -> dict[str, Any]:
    if not violations:
        return {"alert": None, "certain": None, "seat": None}
    first = violations[0]
    return {"alert": ALERTS.get(first.code, first.code), "certain": first.certainty == "certain", "seat": first.seat}


def _fold(rules: Rules, *events: GameEvent) -> GameState:
    state = fold_events(rules, events).hand
    assert state is not None, "a folded hand_started always gives a hand"
    return state
