"""The game as the screens get it: one JSON object with everything on it, built anew from the engine's state.

The format is told in docs/protocol.md. Sides are those of ``rules.sides``: teams, or one seat each; ``winners`` and
``points`` count them.
"""

from typing import Any, Final

from engine.cards import Card
from engine.rules import Rules
from engine.state import Exchange, GameState, HandResult, MatchState, Play, Trick, Violation
from server.seats import Seat
from server.session import Session, Table
from server.sitting import SessionFacts

DOUBTFUL_BELOW: Final = 0.8
"""A card read with less confidence is shown as doubtful."""


def snapshot_json(facts: SessionFacts, session: Session, ended: bool) -> dict[str, Any]:
    """The whole state of a session for a screen."""
    state, table = session.state, session.table
    rules = table.rules
    hand = state.hand if state.hand is not None else GameState(rules)
    status = session.referee.status
    return {
        "session": {"id": facts.id, "source": facts.source, "started": facts.started, "ended": ended},
        "rules": rules_json(table),
        "seats": [seat_json(seat, rules) for seat in table.seats],
        "scores": scores_json(table, hand),
        "hand": hand_json(hand),
        "violations": [violation_json(violation) for violation in state.violations],
        "questions": [question.to_json() for question in status.questions],
        "lost": status.lost,
        "hands": [{"n": done.number, **result_json(done.result)} for done in state.hands if done.result is not None],
        "match": match_json(state),
    }


def rules_json(table: Table) -> dict[str, Any]:
    """What a screen needs to know of the rules."""
    rules = table.rules
    return {
        "name": table.profile,
        "players": rules.players,
        "deck": rules.deck,
        "arrastre": rules.arrastre,
        "exchange": rules.exchange,
        "tricks": rules.tricks,
    }


def seat_json(seat: Seat, rules: Rules) -> dict[str, Any]:
    """A seat with the side of the score that it plays for."""
    return {"seat": seat.seat, "side": seat.side, "name": seat.name, "team": rules.side_of(seat.seat)}


def scores_json(table: Table, hand: GameState) -> list[dict[str, Any]]:
    """Points and captured cards of each side in this hand."""
    names = {seat.seat: seat.name for seat in table.seats}
    points = hand.points or (0,) * len(table.rules.sides)
    scores = []
    for side, seats in enumerate(table.rules.sides):
        captured = sum(len(trick.plays) for trick in hand.tricks if trick.winner in seats)
        name = " + ".join(names[seat] for seat in seats)
        scores.append({"seats": list(seats), "name": name, "points": points[side], "captured": captured})
    return scores


def hand_json(hand: GameState) -> dict[str, Any]:
    """One hand: phase, turn, trump, stock, tricks, exchanges, result."""
    return {
        "n": hand.number,
        "phase": hand.phase,
        "turn": hand.turn,
        "leader": hand.leader,
        "dealer": hand.dealer,
        "trump": trump_json(hand),
        "stock": hand.stock_left,
        "hand_sizes": list(hand.hand_sizes),
        "trick": {"n": hand.trick_number, "plays": [play_json(play) for play in hand.trick]},
        "tricks": [trick_json(trick) for trick in hand.tricks],
        "exchanges": [exchange_json(exchange) for exchange in hand.exchanges],
        "calls": [{"seat": call.seat, "trick": call.trick, "valid": call.valid} for call in hand.calls],
        "result": None if hand.result is None else {"status": hand.result.status, **result_json(hand.result)},
    }


def trump_json(hand: GameState) -> dict[str, Any] | None:
    """The trump: its suit, the face-up card and whether it lies there still; None while it is unknown."""
    if hand.trump_suit is None and hand.trump_card is None:
        return None
    return {
        "suit": hand.trump_suit,
        "card": card_text(hand.trump_card),
        "on_table": hand.trump_card is not None and hand.stock_left > 0,
    }


def play_json(play: Play) -> dict[str, Any]:
    """A card in a trick; ``id`` names it for corrections."""
    return {
        "id": play.event_id,
        "seat": play.seat,
        "card": card_text(play.card),
        "confidence": None if play.confidence is None else round(play.confidence, 4),
        "doubtful": play.card is None or (play.confidence is not None and play.confidence < DOUBTFUL_BELOW),
        "candidates": [[label, round(p, 4)] for label, p in play.candidates],
    }


def trick_json(trick: Trick) -> dict[str, Any]:
    """A gathered trick."""
    return {
        "n": trick.n,
        "plays": [play_json(play) for play in trick.plays],
        "winner": trick.winner,
        "points": trick.points,
    }


def exchange_json(exchange: Exchange) -> dict[str, Any]:
    """An exchange of the face-up card."""
    return {
        "seat": exchange.seat,
        "given": card_text(exchange.given),
        "taken": card_text(exchange.taken),
        "after_trick": exchange.after_trick,
        "t": exchange.t,
    }


def violation_json(violation: Violation) -> dict[str, Any]:
    """A rule broken, or perhaps broken."""
    return {
        "key": violation.key,
        "kind": violation.code,
        "hand": violation.hand,
        "seat": violation.seat,
        "trick": violation.trick,
        "certainty": violation.certainty,
        "p": None if violation.p is None else round(float(violation.p), 4),
        "evidence": list(violation.evidence),
        "acknowledged": violation.acknowledged,
    }


def result_json(result: HandResult) -> dict[str, Any]:
    """Who won a hand: ``winners`` are the sides that did, by their place in ``scores``."""
    return {"points": list(result.points), "winners": [] if result.winner is None else [result.winner]}


def match_json(state: MatchState) -> dict[str, Any]:
    """The match that the hands make."""
    match = state.match
    return {
        "format": match.format,
        "n": state.rules.match.n or state.rules.match.limit,
        "totals": list(match.totals),
        "wins": list(match.wins),
        "status": match.status,
        "winner": match.winner,
    }


def card_text(card: Card | None) -> str | None:
    """``12C``, or None for a card that is not known."""
    return None if card is None else str(card)
