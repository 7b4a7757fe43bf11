"""The result file: the stable JSON form of what was played, that other programs read.

The order of the keys and the rounding are fixed, so that the same session gives the same file byte for byte. With one
hand the object is that hand; with several the last complete one stands at the top level and all stand in ``hands``.
"""

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Final

from engine.events import GameEvent, HandStarted, TrumpShown
from engine.ledger import Amend, InsertAfter, LedgerEntry, Retract, effective_events
from engine.rules import Rules
from engine.state import GameState, MatchState, Play, Trick, Violation
from server.seats import Seat

OPEN: Final = ("unfinished", "points_missing")
"""Statuses of a hand's result that leave it incomplete."""


def result_json(
    rules: Rules, seats: Sequence[Seat], state: MatchState, entries: Sequence[LedgerEntry] = ()
) -> dict[str, Any]:
    """The result as plain JSON values.

    ``entries`` is the ledger that ``state`` was folded from: it tells the trump card as it was first shown, and how
    often something said was taken back. Without it the trump card is the one still known to the state.
    """
    shown = _trumps(entries)
    hands = [
        hand_result_json(rules, seats, hand, shown[index] if index < len(shown) else None)
        for index, hand in enumerate(state.hands)
    ]
    if not hands:
        hands = [hand_result_json(rules, seats, GameState(rules), None)]
    whole = [hand for hand in hands if hand["complete"]]
    top = dict(whole[-1] if whole else hands[-1])
    top["amendments"] = amendments(entries)
    if len(hands) > 1:
        top["hands"] = [{"n": number, **hand} for number, hand in enumerate(hands, start=1)]
    return top


def result_text(result: dict[str, Any]) -> str:
    """The result as the text of the file: UTF-8 JSON, indented, with a line end."""
    return json.dumps(result, ensure_ascii=False, indent=2) + "\n"


def hand_result_json(rules: Rules, seats: Sequence[Seat], hand: GameState, trump: str | None) -> dict[str, Any]:
    """One hand. ``winner`` counts the scoring sides: teams, or seats where everybody plays alone."""
    tricks = [_trick(trick) for trick in hand.tricks]
    if hand.trick:
        tricks.append(_open_trick(hand))
    points = hand.points_by_seat or (0,) * rules.players
    by_team = None
    if rules.teams is not None:
        team_points = hand.points_by_team or (0,) * len(rules.teams)
        by_team = {str(team): points for team, points in enumerate(team_points)}
    result = hand.result
    return {
        "rules": rules.name,
        "trump": trump or _trump_of(hand),
        "seats": [{"seat": seat.seat, "side": seat.side, "name": seat.name} for seat in seats],
        "tricks": tricks,
        "exchanges": [
            {
                "seat": exchange.seat,
                "given": _text(exchange.given),
                "taken": _text(exchange.taken),
                "after_trick": exchange.after_trick,
                "t": _seconds(exchange.t),
            }
            for exchange in hand.exchanges
        ],
        "violations": [_violation(violation) for violation in hand.violations],
        "totals": {"by_seat": {str(seat): points[seat] for seat in range(rules.players)}, "by_team": by_team},
        "winner": None if result is None else result.winner,
        "complete": result is not None and result.status not in OPEN,
        **_before(hand),
    }


def _before(hand: GameState) -> dict[str, Any]:
    """What was played before anybody watched, where that is so: ``points_before`` null while nobody has said."""
    if not hand.missed:
        return {}
    points = hand.points_before
    return {"missed": hand.missed, "points_before": None if points is None else list(points)}


def amendments(entries: Sequence[LedgerEntry]) -> int:
    """How often the ledger had to change what it had said: not counted is what only fills in something unknown."""
    said: dict[str, GameEvent] = {}
    root: dict[str, str] = {}
    count = 0
    for entry in entries:
        body = entry.body
        match body:
            case Amend(target, event, _):
                fact = root.get(target, target)
                root[entry.id] = fact
                count += fact not in said or _takes_back(said[fact], event)
                said[fact] = event
            case InsertAfter(_, event, _):
                said[entry.id] = event
                count += 1
            case Retract(target, _):
                count += root.get(target, target) in said
            case _ if hasattr(body, "confidence"):
                said[entry.id] = body  # type: ignore[assignment]
    return count


def _takes_back(old: GameEvent, new: GameEvent) -> bool:
    """Whether ``new`` contradicts something that ``old`` had stated."""
    if type(old) is not type(new):
        return True
    for one in fields(old):
        if one.name in ("t", "confidence", "candidates"):
            continue
        before = getattr(old, one.name)
        if before is not None and before != getattr(new, one.name):
            return True
    return False


def _trumps(entries: Sequence[LedgerEntry]) -> list[str | None]:
    """The face-up card of each hand as it was first shown."""
    found: list[str | None] = []
    for _, event in effective_events(entries):
        if isinstance(event, HandStarted):
            found.append(None)
        elif isinstance(event, TrumpShown) and found and found[-1] is None:
            found[-1] = _text(event.card)
    return found


def _trump_of(hand: GameState) -> str | None:
    if hand.exchanges:
        return _text(hand.exchanges[0].taken)
    return _text(hand.trump_card)


def _trick(trick: Trick) -> dict[str, Any]:
    return {
        "n": trick.n,
        "plays": [_play(play) for play in trick.plays],
        "winner": trick.winner,
        "points": trick.points,
        "t_full": _seconds(trick.t_full),
        "t_swept": _seconds(trick.t_swept),
    }


def _open_trick(hand: GameState) -> dict[str, Any]:
    points = sum(play.card.points for play in hand.trick if play.card is not None)
    plays = [_play(play) for play in hand.trick]
    return {
        "n": hand.trick_number,
        "plays": plays,
        "winner": None,
        "points": points,
        "t_full": None,
        "t_swept": None,
    }


def _play(play: Play) -> dict[str, Any]:
    confidence = None if play.confidence is None else round(play.confidence, 4)
    data: dict[str, Any] = {
        "seat": play.seat,
        "card": _text(play.card),
        "t": _seconds(play.t),
        "confidence": confidence,
    }
    if play.card is None:
        data["candidates"] = [[label, round(share, 4)] for label, share in play.candidates]
    return data


def _violation(violation: Violation) -> dict[str, Any]:
    data: dict[str, Any] = {
        "kind": violation.code,
        "seat": violation.seat,
        "trick": violation.trick,
        "certainty": violation.certainty,
    }
    if violation.p is not None:
        data["p"] = round(float(violation.p), 4)
    data["evidence"] = list(violation.evidence)
    return data


def _seconds(t: float | None) -> float | None:
    return None if t is None else round(t, 3)


def _text(card: object) -> str | None:
    return None if card is None else str(card)
