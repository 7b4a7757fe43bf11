"""The game as the screens get it: one JSON object with everything on it, built anew from the engine's state.

The format is told in docs/protocol.md. Sides are those of ``rules.sides``: teams, or one seat each; ``winners`` and
``points`` count them.
"""

from typing import Any, cast

from engine.cards import Card
from engine.ledger import voided
from engine.rules import Rules
from engine.state import GameState, HandResult, MatchState, Play, Trick, Violation
from engine.trick import trick_points
from engine.views import public_view, winning_view
from server.doubt import is_doubtful
from server.errors import NotFoundError
from server.messages import (
    DoneHandData,
    EarlierHandData,
    HandData,
    KnownData,
    MatchData,
    OpenTrickData,
    PlayData,
    ResultData,
    RulesData,
    ScoreData,
    SeatData,
    SnapshotData,
    TrickData,
    TrumpData,
    ViolationData,
)
from server.scoreboard.changes import changes, dismissed
from server.scoreboard.dealers import dealer_of, first_leader
from server.scoreboard.exchanges import exchange_json, exchange_offers
from server.scoreboard.proofs import Proofs
from server.seats import Seat
from server.sessions.session import Session, Table
from server.sessions.sitting import SessionFacts


def snapshot_json(facts: SessionFacts, session: Session, ended: bool, proofs: Proofs | None = None) -> SnapshotData:
    """The whole state of a session for a screen; ``proofs`` are the pictures for the violations."""
    state, table = session.state, session.table
    rules = table.rules
    referee = session.referee
    hand = state.hand if state.hand is not None else GameState(rules)
    if referee.fresh:
        hand = GameState(rules, number=hand.number + 1, alcaide=state.match.alcaide)
    status, entries = referee.status, referee.ledger.entries
    let_go = dismissed(entries, voided(entries))
    return {
        "session": {
            "id": facts.id,
            "source": facts.source,
            "started": facts.started,
            "ended": ended,
            "paused": referee.paused,
        },
        "rules": rules_json(table),
        "seats": [seat_json(seat, rules) for seat in table.seats],
        "scores": scores_json(table, hand),
        "hand": hand_json(
            hand,
            ended=ended,
            first=first_leader(state, hand.number, table.dealer),
            dealer=dealer_of(state, hand.number, table.dealer),
        ),
        "known": known_json(hand),
        "violations": [
            violation_json(violation, one, proofs, dismissed=violation.key in let_go)
            for one in state.hands
            for violation in one.violations
        ],
        "questions": [question.to_json() for question in status.questions],
        "lost": status.lost,
        "steps": {"undo": referee.can_undo, "redo": referee.can_redo},
        "changes": changes(state, entries),
        "hands": [done_json(done.number, done.result) for done in state.hands if done.result is not None],
        "match": match_json(state, table.dealer),
    }


def earlier_json(session: Session, number: int) -> EarlierHandData:
    """A hand of the game as it stands now, with what belongs to it. Raises :class:`NotFoundError` where it is none."""
    found = next((hand for hand in session.state.hands if hand.number == number), None)
    if found is None:
        raise NotFoundError(f"There is no hand {number} in this game.", "no_such_hand", hand=number)
    dealer = dealer_of(session.state, number, session.table.dealer)
    return {
        "hand": hand_json(found, dealer=dealer),
        "scores": scores_json(session.table, found),
        "known": known_json(found),
    }


def rules_json(table: Table) -> RulesData:
    """What a screen needs to know of the rules."""
    rules = table.rules
    return {
        "name": table.profile,
        "players": rules.players,
        "deck": rules.deck,
        "arrastre": rules.arrastre,
        "exchange": rules.exchange,
        "alcaide": rules.alcaide is not None,
        "tricks": rules.tricks,
    }


def seat_json(seat: Seat, rules: Rules) -> SeatData:
    """A seat with the side of the score that it plays for."""
    return {
        "seat": seat.seat,
        "side": seat.side,
        "name": seat.name,
        "team": rules.side_of(seat.seat),
        "at": None if seat.at is None else list(seat.at),
    }


def scores_json(table: Table, hand: GameState) -> list[ScoreData]:
    """Points and captured cards of each side in this hand."""
    names = {seat.seat: seat.name for seat in table.seats}
    points = hand.points or (0,) * len(table.rules.sides)
    won = [(trick.winner, trick.plays) for trick in hand.tricks]
    winning = winning_view(hand.trick, hand.trump_suit) if hand.phase == "trick_full" else None
    if winning is not None:  # it counts already, as its points do
        won.append((hand.trick[winning.index].seat, hand.trick))
    scores: list[ScoreData] = []
    for side, seats in enumerate(table.rules.sides):
        captured = sum(len(plays) for winner, plays in won if winner in seats)
        name = " + ".join(names[seat] for seat in seats)
        scores.append({"seats": list(seats), "name": name, "points": points[side], "captured": captured})
    return scores


def hand_json(hand: GameState, *, ended: bool = False, first: int | None = None, dealer: int | None = None) -> HandData:
    """One hand: phase, turn, trump, stock, tricks, exchanges, result. Once the game has ended nobody is to play.

    ``first`` is who leads the hand before a card of it is played, ``dealer`` who deals it.
    """
    return {
        "n": hand.number,
        "phase": hand.phase,
        "turn": None if ended else hand.turn,
        "leader": hand.leader,
        "next_leader": None if ended else next_leader(hand) if hand.all_plays else first,
        "dealer": hand.dealer if dealer is None else dealer,
        "alcaide": hand.alcaide,
        "trump": trump_json(hand),
        "stock": hand.stock_left,
        "hand_sizes": list(hand.hand_sizes),
        "trick": open_trick_json(hand),
        "tricks": [trick_json(trick, hand.trump_suit) for trick in hand.tricks],
        "exchanges": [exchange_json(exchange) for exchange in hand.exchanges],
        "exchange_offers": exchange_offers(hand),
        "calls": [{"seat": call.seat, "trick": call.trick, "valid": call.valid} for call in hand.calls],
        "missed": hand.missed,
        "points_before": None if hand.points_before is None else list(hand.points_before),
        "claim": None if hand.claimed_by is None else {"seat": hand.claimed_by, "points": hand.claimed_points},
        "result": None if hand.result is None else result_json(hand.result),
    }


def known_json(hand: GameState) -> KnownData:
    """What everybody at the table could know: cards out and not out by suit, points to come, a side past catching."""
    view = public_view(hand)
    return {
        "out": {suit: [str(card) for card in cards] for suit, cards in view.out.items()},
        "unseen": {suit: [str(card) for card in cards] for suit, cards in view.unseen_by_suit.items()},
        "held": [[str(card) for card in held] for held in hand.known_held],
        "points_to_come": view.points_to_come,
        "decided": None if hand.result is not None else view.decided,
    }


def next_leader(hand: GameState) -> int | None:
    """Who leads the next trick, once the one on the table is full and another one follows."""
    if hand.phase != "trick_full" or hand.trick_number >= hand.rules.tricks:
        return None
    winning = winning_view(hand.trick, hand.trump_suit)
    return None if winning is None else hand.trick[winning.index].seat


def open_trick_json(hand: GameState) -> OpenTrickData:
    """The trick on the table with who is winning it, and why."""
    winning = winning_view(hand.trick, hand.trump_suit)
    best = None if winning is None else hand.trick[winning.index]
    return {
        "n": hand.trick_number,
        "plays": [play_json(play) for play in hand.trick],
        "points": trick_points(play.card for play in hand.trick) if hand.phase == "trick_full" else None,
        "winning": None
        if winning is None or best is None
        else {"seat": best.seat, "play": best.event_id, "why": winning.why},
    }


def trump_json(hand: GameState) -> TrumpData | None:
    """The trump: its suit, the face-up card and whether it lies there still; None while it is unknown."""
    if hand.trump_suit is None and hand.trump_card is None:
        return None
    return {
        "suit": hand.trump_suit,
        "card": card_text(hand.trump_card),
        "on_table": hand.trump_card is not None and hand.stock_left > 0,
    }


def play_json(play: Play) -> PlayData:
    """A card in a trick; ``id`` names it for corrections."""
    return {
        "id": play.event_id,
        "seat": play.seat,
        "card": card_text(play.card),
        "confidence": None if play.confidence is None else round(play.confidence, 4),
        "doubtful": is_doubtful(play.card, play.confidence),
        "candidates": [(label, round(p, 4)) for label, p in play.candidates],
    }


def trick_json(trick: Trick, trump: str | None) -> TrickData:
    """A gathered trick, with why its winner won it."""
    winning = winning_view(trick.plays, trump)
    return {
        "n": trick.n,
        "plays": [play_json(play) for play in trick.plays],
        "winner": trick.winner,
        "why": "awarded" if trick.awarded else None if winning is None or trick.winner is None else winning.why,
        "points": trick.points,
    }


def violation_json(
    violation: Violation, hand: GameState, proofs: Proofs | None = None, *, dismissed: bool = False
) -> ViolationData:
    """A rule of ``hand`` broken, or perhaps broken."""
    return {
        "key": violation.key,
        "kind": violation.code,
        "hand": violation.hand,
        "seat": violation.seat,
        "trick": violation.trick,
        "certainty": cast(Any, violation.certainty),
        "p": None if violation.p is None else round(float(violation.p), 4),
        "evidence": list(violation.evidence),
        "pictures": [] if proofs is None else proofs.of(hand, violation),
        "acknowledged": violation.acknowledged,
        "dismissed": dismissed,
    }


def result_json(result: HandResult) -> ResultData:
    """How a hand ended: ``winners`` are the sides that won it, by their place in ``scores``."""
    return {"status": result.status, "points": list(result.points), "winners": _winners(result)}


def done_json(number: int, result: HandResult) -> DoneHandData:
    """A hand that is over, for the list of hands."""
    return {"n": number, "points": list(result.points), "winners": _winners(result)}


def _winners(result: HandResult) -> list[int]:
    return [] if result.winner is None else [result.winner]


def match_json(state: MatchState, dealer: int | None = None) -> MatchData:
    """The match that the hands make; ``dealer`` was said to deal the first of them."""
    match = state.match
    return {
        "format": match.format,
        "n": state.rules.match.n or state.rules.match.limit,
        "totals": list(match.totals),
        "wins": list(match.wins),
        "status": match.status,
        "winner": match.winner,
        "next_dealer": dealer_of(state, len(state.hands) + 1, dealer),
    }


def card_text(card: Card | None) -> str | None:
    """``12C``, or None for a card that is not known."""
    return None if card is None else str(card)
