"""The text form of a record: tags, then one trick a line. See docs/notation.md for the grammar."""

import json
import re
import tomllib
from collections.abc import Iterable
from typing import Any, Final

from engine.cards import Card
from engine.errors import EngineError, ParseError
from engine.events import (
    ArrastreCalled,
    CardDrawn,
    CardPlayed,
    GameEvent,
    HandEnded,
    HandStarted,
    TrickSwept,
    TrumpExchanged,
    TrumpShown,
    TrumpTaken,
)
from engine.fold import fold_events
from engine.profile import profile_names
from engine.record import VERSION, Comment, Record, RecordProblem, rules_from_json, rules_to_json
from engine.rules import Rules
from engine.state import GameState

_TAG: Final = re.compile(r'^\[(\w+)\s+"(.*)"\]\s*$')
_SUFFIX: Final = r"(?P<confidence>~[0-9.eE+-]+)?(?P<t>@-?[0-9.eE+-]+)?"
_CARD: Final = r"\d{1,2}[OCEBoceb]"
_SEAT: Final = r"(?:\d+|\?)"
_TOKENS: Final = tuple(
    (name, re.compile(pattern + _SUFFIX))
    for name, pattern in (
        ("trick", r"(?P<n>\d+)\.$"),
        ("swap", rf"(?P<seat>{_SEAT}):(?P<given>{_CARD}|\?)=(?P<taken>{_CARD}|\?)"),
        ("play", rf"(?P<seat>{_SEAT}):(?P<card>{_CARD}|\?)(?P<maybe>\([^)]*\))?(?P<call>!)?"),
        ("sweep", rf">(?P<seat>{_SEAT})"),
        ("taken", rf"\^(?P<seat>{_SEAT})"),
        ("drawn", rf"\+(?P<seat>\d+)(?::(?P<card>{_CARD}))?"),
        ("call", r"!(?P<seat>\d+)"),
        ("trump", rf"\*(?P<card>{_CARD}|[OCEB]|\?)"),
        ("end", r"#"),
    )
)
_OWN_TAGS: Final = ("Brisca", "Rules", "Players", "Set", "Hand", "Dealer", "Leader", "Alcaide", "Trump", "Result")


def render_text(record: Record) -> str:
    """The record as text; :func:`parse_text` gives the same facts, tags and comments back."""
    rules = rules_to_json(record.rules)
    lines = [f'[Brisca "{VERSION}"]', f'[Rules "{rules.get("profile", record.rules.name)}"]']
    lines.append(f'[Players "{record.rules.players}"]')
    lines += [f'[Set "{key} = {_toml(value)}"]' for key, value in rules.items() if key not in _RULE_TAGS]
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
            not isinstance(fact, TrickSwept | ArrastreCalled | CardDrawn)
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


def parse_text(text: str) -> Record:
    """A record from its text form; what cannot be read becomes a problem. Raises RulesError for unusable rules."""
    return _Reader().read(text)


class _Reader:
    def __init__(self) -> None:
        self.facts: list[GameEvent] = []
        self.comments: list[Comment] = []
        self.problems: list[RecordProblem] = []
        self.tags: list[tuple[str, str]] = []
        self.rules_data: dict[str, Any] = {}
        self.pending: dict[str, str] | None = None
        self.results: list[tuple[int, int, str]] = []
        self.line = 0
        self.hand_line = 0

    def read(self, text: str) -> Record:
        for self.line, line in enumerate(_joined_comments(text), start=1):
            self._line(line)
        self._open_hand()
        rules = rules_from_json(self.rules_data or "arrastro")
        record = Record(rules, tuple(self.tags), tuple(self.facts), tuple(self.comments), (), ())
        self._check(record)
        return Record(rules, record.tags, record.facts, record.comments, (), tuple(self.problems))

    def _line(self, line: str) -> None:
        tag = _TAG.match(line.strip())
        if tag:
            self._tag(tag[1], tag[2])
            return
        for piece in re.split(r"(\{[^}]*\})", line):
            if piece.startswith("{"):
                self._open_hand()
                self.comments.append(Comment(len(self.facts) - 1, piece[1:-1]))
                continue
            for word in piece.split(";")[0].split():
                self._open_hand()
                self._word(word)
            if ";" in piece:
                break

    def _tag(self, name: str, value: str) -> None:
        if name == "Brisca":
            if not value.isdigit() or int(value) > VERSION:
                self._problem(f"version {value} of the text form is not known, read as version {VERSION}")
        elif name == "Rules":
            self.rules_data["profile" if value in profile_names() else "name"] = value
        elif name == "Players":
            if value.isdigit():
                self.rules_data["players"] = int(value)
            else:
                self._problem(f"the number of players '{value}' is no number")
        elif name == "Set":
            try:
                self.rules_data.update(tomllib.loads(value.replace('\\"', '"')))
            except tomllib.TOMLDecodeError as error:
                self._problem(f"the parameter '{value}' is no TOML ({error})")
        elif name == "Hand":
            self._open_hand()
            self.pending, self.hand_line = {"Hand": value}, self.line
        elif name in _OWN_TAGS:
            if self.pending is None:
                self.pending, self.hand_line = {}, self.line
            self.pending[name] = value
        else:
            self.tags.append((name, value))

    def _open_hand(self) -> None:
        """Turn the tags of a hand into its first facts."""
        if self.pending is None:
            return
        tags, self.pending = self.pending, None
        if "Hand" in tags or not self.facts:
            t, confidence = self._marks(re.sub(r"^\d*", "", tags.get("Hand", "")))
            seats = {key: self._seat(tags[key]) if key in tags else None for key in ("Dealer", "Leader", "Alcaide")}
            self.facts.append(
                HandStarted(seats["Dealer"], seats["Leader"], seats["Alcaide"], t=t, confidence=confidence)
            )
        if "Trump" in tags:
            self._word(f"*{tags['Trump']}")
        if "Result" in tags:
            started = sum(isinstance(fact, HandStarted) for fact in self.facts)
            self.results.append((started - 1, self.hand_line, tags["Result"]))

    def _word(self, word: str) -> None:
        for name, pattern in _TOKENS:
            match = pattern.fullmatch(word)
            if match:
                try:
                    self._fact(name, match)
                except EngineError as error:
                    self._problem(str(error))
                return
        self._problem(f"'{word}' is not understood and was passed over")

    def _fact(self, name: str, match: "re.Match[str]") -> None:
        groups = match.groupdict()
        t, confidence = _number(groups.get("t")), _number(groups.get("confidence"))
        seat = self._seat(groups["seat"]) if groups.get("seat") else None
        if not self.facts and name != "trick":
            self.facts.append(HandStarted())
        match name:
            case "play":
                maybe = _candidates(groups["maybe"])
                self.facts.append(CardPlayed(seat, _card(groups["card"]), maybe, t=t, confidence=confidence))
                if groups["call"] and seat is not None:
                    self.facts.append(ArrastreCalled(seat))
            case "swap":
                given, taken = _card(groups["given"]), _card(groups["taken"])
                self.facts.append(TrumpExchanged(seat, given, taken, t=t, confidence=confidence))
            case "sweep":
                self.facts.append(TrickSwept(seat, t=t, confidence=confidence))
            case "taken":
                self.facts.append(TrumpTaken(seat, t=t, confidence=confidence))
            case "drawn" if seat is not None:
                self.facts.append(CardDrawn(seat, _card(groups["card"]), t=t, confidence=confidence))
            case "call" if seat is not None:
                self.facts.append(ArrastreCalled(seat, t=t, confidence=confidence))
            case "trump":
                word = groups["card"]
                shown = TrumpShown(None, None if word == "?" else word) if len(word) == 1 else TrumpShown(_card(word))
                self.facts.append(_marked(shown, t, confidence))
            case "end":
                self.facts.append(HandEnded(t=t, confidence=confidence))

    def _seat(self, text: str) -> int | None:
        if text == "?":
            return None
        if not text.isdigit():
            raise ParseError(f"'{text}' is no number of a seat")
        return int(text)

    def _marks(self, text: str) -> tuple[float | None, float | None]:
        match = re.fullmatch(_SUFFIX, text)
        if match is None:
            self._problem(f"'{text}' is no time or confidence")
            return None, None
        return _number(match["t"]), _number(match["confidence"])

    def _check(self, record: Record) -> None:
        """Compare the results written down with those that the facts give."""
        hands = fold_events(record.rules, record.facts).hands
        for index, line, written in self.results:
            if index >= len(hands):
                continue
            counted = "-".join(map(str, hands[index].points))
            if written != counted:
                self.problems.append(RecordProblem(line, f"the record says {written}, the cards say {counted}"))

    def _problem(self, text: str) -> None:
        self.problems.append(RecordProblem(self.line, text))


def _joined_comments(text: str) -> Iterable[str]:
    """Lines of the text; a comment in braces that runs over several lines is put on the first of them."""
    lines = text.splitlines()
    index = 0
    while index < len(lines):
        line, extra = lines[index], 0
        while line.count("{") > line.count("}") and index + extra + 1 < len(lines):
            extra += 1
            line += " " + lines[index + extra].strip()
        yield line
        yield from [""] * extra
        index += extra + 1


def _word(fact: GameEvent) -> str:
    match fact:
        case CardPlayed(seat=seat, card=card, candidates=candidates):
            maybe = "(" + ",".join(f"{text}:{p!r}" for text, p in candidates) + ")" if candidates else ""
            word = f"{_n(seat)}:{card or '?'}{maybe}"
        case TrumpExchanged(seat=seat, given=given, taken=taken):
            word = f"{_n(seat)}:{given or '?'}={taken or '?'}"
        case TrickSwept(seat=seat):
            word = f">{_n(seat)}"
        case TrumpTaken(seat=seat):
            word = f"^{_n(seat)}"
        case CardDrawn(seat=seat, card=card):
            word = f"+{seat}" + (f":{card}" if card else "")
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


def _marked(shown: TrumpShown, t: float | None, confidence: float | None) -> TrumpShown:
    return TrumpShown(shown.card, shown.suit, t=t, confidence=confidence)


def _number(text: str | None) -> float | None:
    if not text:
        return None
    try:
        value = float(text[1:])
    except ValueError:
        raise ParseError(f"'{text}' is no number") from None
    return value


def _card(text: str | None) -> Card | None:
    return None if text in (None, "?") else Card.parse(str(text))


def _candidates(text: str | None) -> tuple[tuple[str, float], ...]:
    if not text or text == "()":
        return ()
    pairs = []
    for item in text[1:-1].split(","):
        card, _, p = item.partition(":")
        try:
            pairs.append((str(Card.parse(card)), float(p)))
        except ValueError:
            raise ParseError(f"'{item}' is no candidate: write card:probability") from None
    return tuple(pairs)


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
