"""Writes a record in the text form of :mod:`engine.notation`: tags, then one trick a line."""

import json
from typing import Any, Final

from engine.events import (
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
from engine.fold import fold_events
from engine.record import VERSION, Record, rules_to_json
from engine.rules import Rules
from engine.state import GameState


def render_text(record: Record) -> str:
    """The record as text; :func:`engine.notation.parse_text` gives the same facts, tags and comments back."""
    rules = rules_to_json(record.rules)
    lines = [f'[Brisca "{VERSION}"]', f'[Rules "{rules.get("profile", record.rules.name)}"]']
    lines.append(f'[Players "{record.rules.players}"]')
    changed = [f'[Set "{key} = {_toml(value)}"]' for key, value in rules.items() if key not in _RULE_TAGS]
    if "profile" not in rules and not changed:
        changed = [f'[Set "deck = {_toml(record.rules.deck)}"]']  # a Set tells house rules from a misspelt profile
    lines += changed
    lines += [f'[{key} "{value}"]' for key, value in record.tags]
    notes: dict[int, list[str]] = {}
    for note in record.comments:
        notes.setdefault(note.after, []).append("{" + note.text + "}")
    lines += notes.get(-1, [])
    states = dict(enumerate(fold_events(record.rules, record.facts).hands))
    writer = _Writer(record.rules, lines, notes)
    hand = -1
    for index, fact in enumerate(record.facts):
        if isinstance(fact, HandStarted) or hand < 0:
            hand += 1
        writer.write(index, fact, record.facts, states.get(hand))
    writer.flush()
    return "\n".join(lines) + "\n"


_RULE_TAGS: Final = ("profile", "players", "name")


class _Writer:
    """Lays facts out: tags of a hand, then a line for each trick."""

    def __init__(self, rules: Rules, lines: list[str], notes: dict[int, list[str]]) -> None:
        self.rules, self.lines, self.notes = rules, lines, notes
        self.words: list[str] = []
        self.trick = 0
        self.plays = 0
        self.in_tags = False
        self.hand = 0

    def write(self, index: int, fact: GameEvent, facts: tuple[GameEvent, ...], state: GameState | None) -> None:
        """Add one fact with the comments that follow it."""
        if isinstance(fact, HandStarted):
            self._start(fact, state)
        elif isinstance(fact, TrumpShown) and self.in_tags and (fact.card or fact.suit):
            self.lines.append(f'[Trump "{_trump_text(fact)}{_suffix(fact)}"]')
            self.in_tags = False
            self.lines.append("")
        else:
            self._move(index, fact, facts)
        notes = self.notes.get(index, [])
        if notes:
            (self.words if self.words else self.lines).extend(notes)

    def flush(self) -> None:
        """End the current line."""
        if self.words:
            self.lines.append(" ".join(self.words))
            self.words = []

    def _start(self, fact: HandStarted, state: GameState | None) -> None:
        self.flush()
        self.hand += 1
        self.trick = self.plays = 0
        self.lines += ["", f'[Hand "{self.hand}{_suffix(fact)}"]']
        for name, seat in (("Dealer", fact.dealer), ("Leader", fact.leader), ("Alcaide", fact.alcaide)):
            if seat is not None:
                self.lines.append(f'[{name} "{seat}"]')
        if fact.missed is not None:
            self.lines.append(f'[Missed "{fact.missed}"]')
        if fact.points_before:
            self.lines.append(f'[Before "{"-".join(map(str, fact.points_before))}"]')
        if state is not None and state.result is not None:
            self.lines.append(f'[Result "{"-".join(map(str, state.result.points))}"]')
        self.in_tags = True

    def _move(self, index: int, fact: GameEvent, facts: tuple[GameEvent, ...]) -> None:
        if self.in_tags:
            self.in_tags = False
            self.lines.append("")
        if isinstance(fact, CardPlayed) and self.plays % self.rules.plays_per_trick == 0:
            self.flush()
            self.trick += 1
            self.words.append(f"{self.trick}.")
        if isinstance(fact, CardPlayed):
            self.plays += 1
        elif (
            not isinstance(fact, TrickSwept | ArrastreCalled | CardDrawn | CardTakenBack)
            and self.plays % self.rules.plays_per_trick == 0
        ):
            self.flush()
        word = _word(fact)
        before = facts[index - 1] if index else None
        if word.startswith("!") and self._joins(fact, before, index - 1):
            self.words[-1] += "!"
            return
        self.words.append(word)

    def _joins(self, fact: GameEvent, before: GameEvent | None, index: int) -> bool:
        """Whether a call can be written as the "!" of the card just before it."""
        return (
            isinstance(fact, ArrastreCalled)
            and isinstance(before, CardPlayed)
            and before.seat == fact.seat
            and fact.t is fact.confidence is before.t is before.confidence is None
            and not before.candidates
            and index not in self.notes
        )


def _word(fact: GameEvent) -> str:
    match fact:
        case CardPlayed(seat=seat, card=card, candidates=candidates):
            maybe = "(" + ",".join(f"{text}:{p!r}" for text, p in candidates) + ")" if candidates else ""
            word = f"{_n(seat)}:{card or '?'}{maybe}"
        case TrumpExchanged(seat=seat, given=given, taken=taken):
            word = f"{_n(seat)}:{given or '?'}={taken or '?'}"
        case TrickSwept(seat=seat, winner=winner):
            word = f">{_n(seat)}" + ("" if winner is None else f"={winner}")
        case HandEnded(claimed_by=int(claimer)):
            word = f"#{claimer}"
        case TrumpTaken(seat=seat):
            word = f"^{_n(seat)}"
        case CardDrawn(seat=seat, card=card):
            word = f"+{seat}" + (f":{card}" if card else "")
        case CardTakenBack(seat=seat, card=card):
            word = f"-{seat}" + (f":{card}" if card else "")
        case ArrastreCalled(seat=seat):
            word = f"!{seat}"
        case TrumpShown():
            word = f"*{_trump_text(fact) or '?'}"
        case _:
            word = "#"
    return word + _suffix(fact)


def _trump_text(fact: TrumpShown) -> str:
    return str(fact.card) if fact.card is not None else (fact.suit or "")


def _n(seat: int | None) -> str:
    return "?" if seat is None else str(seat)


def _suffix(fact: GameEvent) -> str:
    confidence = "" if fact.confidence is None else f"~{fact.confidence!r}"
    return confidence + ("" if fact.t is None else f"@{fact.t!r}")


def _toml(value: Any) -> str:
    """A value as TOML on one line, with quotes escaped for a tag."""
    if isinstance(value, dict):
        inner = ", ".join(f"{key} = {_plain_toml(item)}" for key, item in value.items())
        return "{" + inner.replace('"', '\\"') + "}"
    return _plain_toml(value).replace('"', '\\"')


def _plain_toml(value: Any) -> str:
    if value is None:
        return '"none"'  # TOML has no null; the reader of rules takes this for "no such thing"
    return json.dumps(value, ensure_ascii=False)
