"""Facts, ledger entries and states as plain JSON values, and back. Versioned; unknown stays null.

Every fact is a dict with ``type`` and its fields; cards are texts. Reading raises ParseError with the field at fault.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import Any, Final

from engine.cards import Card
from engine.errors import EngineError, ParseError
from engine.events import (
    EVENT_TYPES,
    ArrastreCalled,
    CardDrawn,
    CardPlayed,
    CardTakenBack,
    GameEvent,
    HandEnded,
    HandStarted,
    TrickSwept,
    TrumpExchanged,
    TrumpShown,
    TrumpTaken,
)
from engine.ledger import SOURCES, Amend, Body, Confirm, InsertAfter, LedgerEntry, Retract
from engine.state import GameState, HandResult, MatchScore, MatchState, Play, Trick, Violation

VERSION: Final = 1
"""Version of the JSON forms; a reader refuses a newer one."""

_FAR: Final = 1e300
"""Numbers beyond it, infinity and "not a number" are no time that a record can hold."""

_NAMES: Final[dict[type, str]] = {
    HandStarted: "hand_started",
    TrumpShown: "trump_shown",
    CardPlayed: "card_played",
    TrumpExchanged: "trump_exchanged",
    TrickSwept: "trick_swept",
    CardDrawn: "card_drawn",
    CardTakenBack: "card_taken_back",
    TrumpTaken: "trump_taken",
    ArrastreCalled: "arrastre_called",
    HandEnded: "hand_ended",
}
_SELDOM: Final = ("winner", "claimed_by", "missed", "points_before")
"""Fields that are written only when they say something."""
_TYPES: Final = {name: kind for kind, name in _NAMES.items()}
_CORRECTIONS: Final[dict[str, type]] = {
    "amend": Amend,
    "retract": Retract,
    "insert_after": InsertAfter,
    "confirm": Confirm,
}
_CORRECTION_NAMES: Final = {kind: name for name, kind in _CORRECTIONS.items()}


def event_name(event: GameEvent) -> str:
    """The fact's ``type`` in JSON, e.g. card_played."""
    return _NAMES[type(event)]


def event_to_json(event: GameEvent) -> dict[str, Any]:
    """A fact as a dict of plain JSON values; empty candidates and what only people decide (None) are left out."""
    data: dict[str, Any] = {"type": _NAMES[type(event)]}
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name == "candidates":
            if value:
                data["candidates"] = [[text, p] for text, p in value]
        elif field.name not in _SELDOM or value is not None:
            data[field.name] = (
                str(value) if isinstance(value, Card) else list(value) if isinstance(value, tuple) else value
            )
    return data


def event_from_json(data: Mapping[str, Any]) -> GameEvent:
    """The fact of :func:`event_to_json`. Raises ParseError."""
    kind = _TYPES.get(str(_mapping(data, "a fact").get("type")))
    if kind is None:
        raise ParseError(f"'{data.get('type')}' is no fact of the game: use one of {', '.join(_TYPES)}.")
    readers = {field.name: _READERS[field.name] for field in fields(kind)}
    unknown = set(data) - set(readers) - {"type"}
    if unknown:
        raise ParseError(f"A fact {data['type']} has no field '{sorted(unknown)[0]}': it has {', '.join(readers)}.")
    values = {name: readers[name](name, value) for name, value in data.items() if name != "type"}
    lacking = [field.name for field in fields(kind) if field.default is MISSING and field.name not in values]
    if lacking:
        raise ParseError(f"A fact {data['type']} lacks '{lacking[0]}': write it, null where it is unknown.")
    event: GameEvent = kind(**values)
    return event


def body_to_json(body: Body) -> dict[str, Any]:
    """A fact or a correction as a dict of plain JSON values."""
    match body:
        case Amend(target, event, reason) | InsertAfter(target, event, reason):
            name = _CORRECTION_NAMES[type(body)]
            return {"type": name, "target": target, "event": event_to_json(event), "reason": reason}
        case Retract(target, reason) | Confirm(target, reason):
            return {"type": _CORRECTION_NAMES[type(body)], "target": target, "reason": reason}
    return event_to_json(body)


def body_from_json(data: Mapping[str, Any]) -> Body:
    """The body of :func:`body_to_json`. Raises ParseError."""
    kind = _CORRECTIONS.get(str(_mapping(data, "an entry's body").get("type")))
    if kind is None:
        return event_from_json(data)
    target, reason = data.get("target"), data.get("reason", "")
    if not isinstance(reason, str) or not (isinstance(target, str) or (target is None and kind is InsertAfter)):
        raise ParseError(f"A correction {data['type']} needs a target (an entry's id) and a reason (a text).")
    if kind in (Amend, InsertAfter):
        if "event" not in data:
            raise ParseError(f"A correction {data['type']} needs the event that takes its place.")
        event = event_from_json(data["event"])
        return InsertAfter(target, event, reason) if kind is InsertAfter else Amend(str(target), event, reason)
    return Retract(str(target), reason) if kind is Retract else Confirm(str(target), reason)


def entry_to_json(entry: LedgerEntry) -> dict[str, Any]:
    """A ledger entry as a dict of plain JSON values."""
    return {
        "seq": entry.seq,
        "id": entry.id,
        "source": entry.source,
        "t": entry.t,
        "body": body_to_json(entry.body),
    }


def entry_from_json(data: Mapping[str, Any]) -> LedgerEntry:
    """The entry of :func:`entry_to_json`. Raises ParseError."""
    data = _mapping(data, "a ledger entry")
    if not isinstance(data.get("id"), str) or not _is_int(data.get("seq")) or data.get("source") not in SOURCES:
        raise ParseError(f"A ledger entry needs seq, id and a source out of {', '.join(SOURCES)}.")
    body = body_from_json(_mapping(data.get("body"), "an entry's body"))
    return LedgerEntry(data["seq"], data["id"], data["source"], body, _number("t", data.get("t")))


def play_to_json(play: Play) -> dict[str, Any]:
    """A card in a trick."""
    data: dict[str, Any] = {
        "seat": play.seat,
        "card": None if play.card is None else str(play.card),
        "t": play.t,
        "confidence": play.confidence,
    }
    if play.candidates:
        data["candidates"] = [[text, p] for text, p in play.candidates]
    if play.by_elimination:
        data["by_elimination"] = True
    return data


def trick_to_json(trick: Trick) -> dict[str, Any]:
    """A gathered trick."""
    return {
        "n": trick.n,
        "plays": [play_to_json(play) for play in trick.plays],
        "winner": trick.winner,
        "points": trick.points,
        "t_full": trick.t_full,
        "t_swept": trick.t_swept,
        "gathered_by": trick.gathered_by,
        **({"awarded": True} if trick.awarded else {}),
    }


def violation_to_json(violation: Violation) -> dict[str, Any]:
    """A violation; ``p`` as an exact fraction in text."""
    return {
        "key": violation.key,
        "kind": violation.code,
        "seat": violation.seat,
        "trick": violation.trick,
        "certainty": violation.certainty,
        "p": None if violation.p is None else fraction_text(violation.p.numerator, violation.p.denominator),
        "evidence": list(violation.evidence),
        "reason": violation.reason,
        "hand": violation.hand,
        "event": violation.event_id,
        "acknowledged": violation.acknowledged,
    }


def result_to_json(result: HandResult | None) -> dict[str, Any] | None:
    """Result of a hand, None while it is played."""
    if result is None:
        return None
    data = {field.name: getattr(result, field.name) for field in fields(result)}
    return {**data, "points": list(result.points)}


def match_to_json(match: MatchScore) -> dict[str, Any]:
    """Score of a match."""
    data = {field.name: getattr(match, field.name) for field in fields(match)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in data.items()}


def hand_to_json(state: GameState) -> dict[str, Any]:
    """One hand as it stands."""
    return {
        "number": state.number,
        "phase": state.phase,
        "dealer": state.dealer,
        "leader": state.leader,
        "turn": state.turn,
        "alcaide": state.alcaide,
        "trump_suit": state.trump_suit,
        "trump_card": _text(state.trump_card),
        "stock_left": state.stock_left,
        "hand_sizes": list(state.hand_sizes),
        "trick_number": state.trick_number,
        "trick": [play_to_json(play) for play in state.trick],
        "tricks": [trick_to_json(trick) for trick in state.tricks],
        "points_by_seat": list(state.points_by_seat),
        "points_by_team": _listed(state.points_by_team),
        "points_open": state.points_open,
        "unread": state.unread,
        "exchanges": [
            {
                "seat": swap.seat,
                "given": _text(swap.given),
                "taken": _text(swap.taken),
                "after_trick": swap.after_trick,
                "t": swap.t,
                "reason": swap.reason,
            }
            for swap in state.exchanges
        ],
        "calls": [
            {"seat": call.seat, "trick": call.trick, "valid": call.valid, "obliged": list(call.obliged), "t": call.t}
            for call in state.calls
        ],
        "violations": [violation_to_json(violation) for violation in state.violations],
        "known_held": [[str(card) for card in held] for held in state.known_held],
        "trump_taker": state.trump_taker,
        "result": result_to_json(state.result),
        "problems": list(state.problems),
        **({"missed": state.missed, "points_before": _listed(state.points_before)} if state.missed else {}),
    }


def state_to_json(state: MatchState | GameState) -> dict[str, Any]:
    """A whole session, or one hand, as a dict of plain JSON values."""
    if isinstance(state, GameState):
        return {"version": VERSION, "rules": state.rules.name, "revision": state.revision, **hand_to_json(state)}
    return {
        "version": VERSION,
        "rules": state.rules.name,
        "players": state.rules.players,
        "revision": state.revision,
        "hands": [hand_to_json(hand) for hand in state.hands],
        "match": match_to_json(state.match),
        "problems": list(state.problems),
    }


def fraction_text(numerator: int, denominator: int) -> str:
    """An exact probability as text, "5/6"."""
    return f"{numerator}/{denominator}"


def _listed(points: tuple[int, ...] | None) -> list[int] | None:
    return None if points is None else list(points)


def _text(card: Card | None) -> str | None:
    return None if card is None else str(card)


def _mapping(data: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise ParseError(f"{data!r} is not {what}: it must be a JSON object.")
    return data


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _seat(name: str, value: Any) -> int | None:
    if value is not None and (not _is_int(value) or value < 0):
        raise ParseError(f"{name} = {value!r} must be the number of a seat (0 or more) or null.")
    return None if value is None else int(value)


def _count(name: str, value: Any) -> int | None:
    if value is not None and (not _is_int(value) or not 0 <= value <= 99):
        raise ParseError(f"{name} = {value!r} must be a number of tricks or null.")
    return None if value is None else int(value)


def _points(name: str, value: Any) -> tuple[int, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list | tuple) or not value or not all(_is_int(one) and 0 <= one <= 999 for one in value):
        raise ParseError(f"{name} = {value!r} must be a list of points, one for each side, or null.")
    return tuple(value)


def _number(name: str, value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not -_FAR < value < _FAR:
        raise ParseError(f"{name} = {value!r} must be a number or null.")
    return value


def _confidence(name: str, value: Any) -> float | None:
    number = _number(name, value)
    if number is not None and not 0 <= number <= 1:
        raise ParseError(f"{name} = {value!r} must be a probability from 0 to 1, or null.")
    return number


def _card(name: str, value: Any) -> Card | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise ParseError(f"{name} = {value!r} must be a card in text, as in '12C', or null.")
    return Card.parse(value)


def _suit(name: str, value: Any) -> str | None:
    if value is not None and value not in ("O", "C", "E", "B"):
        raise ParseError(f"{name} = {value!r} must be O, C, E, B or null.")
    return value if value is None else str(value)


def _candidates(name: str, value: Any) -> tuple[tuple[str, float], ...]:
    try:
        pairs = tuple((str(Card.parse(text)), float(p)) for text, p in value or ())
        if not all(0 <= p <= 1 for _, p in pairs):
            raise ParseError(f"{name} must give probabilities from 0 to 1.")
        return pairs
    except (AttributeError, OverflowError, TypeError, ValueError) as error:
        raise ParseError(
            str(error) if isinstance(error, EngineError) else f"{name} must be a list of [card, probability] pairs."
        ) from None


_READERS: Final[dict[str, Callable[[str, Any], Any]]] = {
    "t": _number,
    "confidence": _confidence,
    "dealer": _seat,
    "leader": _seat,
    "alcaide": _seat,
    "seat": _seat,
    "winner": _seat,
    "claimed_by": _seat,
    "card": _card,
    "given": _card,
    "taken": _card,
    "suit": _suit,
    "candidates": _candidates,
    "missed": _count,
    "points_before": _points,
}

assert set(_NAMES) == set(EVENT_TYPES)
