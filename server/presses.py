"""What people press while a game is watched: calls, corrections, the next hand. Parsed strictly, with clear errors.

A press is a JSON object, ``{"t": 41.5, "type": "arrastre_called", "seat": 1}``; ``t`` is in seconds on the clock of
the source. The same objects come from the page over the WebSocket and from a file given with ``--inputs``.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from engine.cards import Card
from engine.rules import Rules
from server.errors import PressError


@dataclass(frozen=True, slots=True)
class Press:
    """One press. Which fields are filled depends on ``type``, see :data:`FIELDS`.

    ``play``, ``before`` and ``other_play`` are ledger ids of plays; ``hand`` and ``trick`` count from 1, without
    ``hand`` the current one is meant; ``after_trick`` is the number of tricks gathered before; ``card``, ``given`` are
    card texts such as ``"12C"``; ``suit`` is one of O, C, E, B; ``other`` is a second seat; ``violation`` is the key of
    one. So many ``tricks`` were played before the program watched, in which each scoring side took ``points``.
    ``places`` are where people sit in the picture, by seat, as shares of its width and height; without them the program
    takes their sides. ``sure``: it was so although the card is known to be in another hand.
    """

    type: str
    t: float | None = None
    seat: int | None = None
    card: str | None = None
    play: str | None = None
    trick: int | None = None
    suit: str | None = None
    given: str | None = None
    violation: str | None = None
    hand: int | None = None
    after_trick: int | None = None
    before: str | None = None
    other: int | None = None
    other_play: str | None = None
    tricks: int | None = None
    points: tuple[int, ...] | None = None
    places: tuple[tuple[float, float], ...] | None = None
    sure: bool | None = None


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields that one type of press must have (one of each group) and those that it may have."""

    required: tuple[tuple[str, ...], ...] = ()
    allowed: tuple[str, ...] = ()


FIELDS: Final[dict[str, Fields]] = {
    "arrastre_called": Fields((("seat",),)),
    "correct_card": Fields((("card",), ("play", "trick")), ("seat", "hand", "sure")),
    "correct_seat": Fields((("seat",), ("play",))),
    "swap_cards": Fields((("play",), ("other_play",))),
    "remove_play": Fields((("play", "trick"),), ("seat", "hand")),
    "add_play": Fields((("trick", "before"), ("seat",), ("card",)), ("hand", "sure")),
    "set_trump": Fields((("card", "suit"),), ("hand",)),
    "set_leader": Fields((("seat",),), ("trick", "hand")),
    "set_alcaide": Fields((("seat",),), ("hand",)),
    "set_winner": Fields((("trick",), ("seat",)), ("hand",)),
    "exchange": Fields((("seat",),), ("given", "after_trick", "hand")),
    "remove_exchange": Fields((("after_trick",),), ("hand",)),
    "sweep": Fields((), ("seat",)),
    "confirm": Fields((), ("play", "violation")),
    "dismiss": Fields((("violation",),)),
    "swap_seats": Fields((("seat",), ("other",))),
    "claim": Fields((("seat",),)),
    "pause": Fields(),
    "resume": Fields(),
    "undo": Fields(),
    "redo": Fields(),
    "next_hand": Fields(),
    "end_hand": Fields(),
    "found": Fields(),
    "mirror": Fields(),
    "places": Fields((), ("places",)),
    "late": Fields((("tricks", "points"),), ("hand",)),
}
"""The types of press. ``found`` says that the game on the screen is right again after the thread was lost, ``mirror``
that the picture is mirrored (or is not, after all), ``late`` that the hand was in progress already when the program
began to watch (``tricks`` 0: that it was not)."""

_SUITS: Final = "OCEB"


def parse_press(raw: object, players: int) -> Press:
    """The press that ``raw`` (a decoded JSON object) means at a table of ``players``; ``PressError`` if none."""
    if not isinstance(raw, Mapping):
        raise PressError('A press is an object such as {"t": 41.5, "type": "arrastre_called", "seat": 1}.', "malformed")
    kind = raw.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise PressError(f"There is no press of type {kind!r}; known are {', '.join(FIELDS)}.", "malformed")
    known = {field.name for field in fields(Press)}
    given = {str(name): value for name, value in raw.items() if value is not None}
    may = {"type", "t", *FIELDS[kind].allowed, *(name for group in FIELDS[kind].required for name in group)}
    for name in given:
        if name not in known or name not in may:
            raise PressError(
                f"A press {kind!r} has no field {name!r}; it may have {', '.join(sorted(may))}.", "malformed"
            )
    for group in FIELDS[kind].required:
        if not any(name in given for name in group):
            raise PressError(f"A press {kind!r} needs {' or '.join(repr(name) for name in group)}.", "malformed")
    if "trick" in given and kind in ("correct_card", "remove_play") and "play" not in given and "seat" not in given:
        raise PressError(f"A press {kind!r} that names the trick needs the seat as well.", "malformed")
    return Press(
        type=kind,
        t=_time(given.get("t")),
        seat=_number(given.get("seat"), "seat", 0, players - 1),
        card=_card(given.get("card"), "card"),
        play=_text(given.get("play"), "play"),
        trick=_number(given.get("trick"), "trick", 1, 99),
        suit=_suit(given.get("suit")),
        given=_card(given.get("given"), "given"),
        violation=_text(given.get("violation"), "violation"),
        hand=_number(given.get("hand"), "hand", 1, 9999),
        after_trick=_number(given.get("after_trick"), "after_trick", 0, 99),
        before=_text(given.get("before"), "before"),
        other=_number(given.get("other"), "other", 0, players - 1),
        other_play=_text(given.get("other_play"), "other_play"),
        tricks=_number(given.get("tricks"), "tricks", 0, 99),
        points=_points(given.get("points")),
        places=_places(given.get("places"), players),
        sure=_yes_or_no(given.get("sure"), "sure"),
    )


def parse_inputs(lines: Iterable[str], players: int) -> tuple[Press, ...]:
    """The presses of a JSON-lines file in order of time; empty lines are skipped.

    Every line needs ``t``. Raises ``PressError`` naming the line that is wrong.
    """
    presses: list[Press] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            press = parse_press(json.loads(line), players)
        except json.JSONDecodeError as error:
            raise PressError(f"Line {number} of the inputs is not JSON: {error.msg}.") from error
        except PressError as error:
            raise PressError(f"Line {number} of the inputs: {error}") from error
        if press.t is None:
            raise PressError(f'Line {number} of the inputs has no time; add "t" in seconds of the film.', "malformed")
        presses.append(press)
    return tuple(sorted(presses, key=lambda press: press.t or 0.0))


def deck_card(rules: Rules, text: str | None) -> Card:
    """The card that a press names; PressError where the rules' deck has none such."""
    card = Card.parse(text or "")
    if card not in rules.card_set:
        raise PressError(
            f"The {card} is not in the deck of {rules.name}; choose a card that is.", "not_in_deck", card=str(card)
        )
    return card


def trump_told(rules: Rules, press: Press) -> tuple[Card | None, str | None]:
    """The face-up card and the trump suit that a press tells; PressError where they do not go together."""
    if press.card is None:
        return None, press.suit
    card = deck_card(rules, press.card)
    if press.suit not in (None, card.suit):
        raise PressError(
            f"The {card} is not of the suit {press.suit}; give the card or the suit.",
            "other_suit",
            card=str(card),
            suit=press.suit or "",
        )
    return card, card.suit


def _time(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e7:
        raise PressError(f"The time {value!r} is not a number of seconds from the start of the film.", "malformed")
    return float(value)


def _number(value: Any, name: str, low: int, high: int) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise PressError(f"The {name} {value!r} is not a whole number from {low} to {high}.", "malformed")
    return value


def _yes_or_no(value: Any, name: str) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise PressError(f"The {name} {value!r} is neither true nor false.", "malformed")
    return value


def _places(value: Any, players: int) -> tuple[tuple[float, float], ...] | None:
    if value is None:
        return None
    try:
        places = tuple((round(float(x), 4), round(float(y), 4)) for x, y in value)
    except (TypeError, ValueError):
        places = ()
    if len(places) != players or not all(0 <= share <= 1 for place in places for share in place):
        raise PressError(
            f"The places are no list of {players} pairs of shares from 0 to 1, one for each seat.", "malformed"
        )
    return places


def _points(value: Any) -> tuple[int, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list | tuple) or not 2 <= len(value) <= 6:
        raise PressError(f"The points {value!r} are no list with one number for each side.", "malformed")
    return tuple(_number(one, "points", 0, 120) or 0 for one in value)


def _text(value: Any, name: str) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not value:
        raise PressError(f"The {name} {value!r} is not a text.", "malformed")
    return value


def _suit(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or value.upper() not in _SUITS or len(value) != 1:
        raise PressError(f"The suit {value!r} is none of O (oros), C (copas), E (espadas), B (bastos).", "malformed")
    return value.upper()


def _card(value: Any, name: str) -> str | None:
    if value is None:
        return None
    text = value.strip().upper() if isinstance(value, str) else ""
    if not text or text[-1] not in _SUITS or not text[:-1].isascii() or not text[:-1].isdigit():
        raise PressError(f"The {name} {value!r} is no card; write rank and suit, for example 3C or 12B.", "malformed")
    if not 1 <= int(text[:-1]) <= 12:
        raise PressError(f"The {name} {value!r} has no rank from 1 to 12.", "malformed")
    return f"{int(text[:-1])}{text[-1]}"
