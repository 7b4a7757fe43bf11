"""The text form of a record: tags, then one trick a line. See docs/notation.md for the grammar."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Final

from engine.cards import Card
from engine.errors import EngineError, ParseError, RulesError
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
from engine.profile import profile_names, rules_from_mapping
from engine.record import OWN_TAGS, VERSION, Comment, Record, RecordProblem, rules_from_json
from engine.rules import Rules
from engine.writing import render_text

__all__ = ["parse_text", "render_text"]

_TAG: Final = re.compile(r'^\[(\w+)\s+"(.*)"\]\s*$')
_SUFFIX: Final = r"(?P<confidence>~[0-9.eE+-]+)?(?P<t>@-?[0-9.eE+-]+)?"
_CARD: Final = r"[0-9]{1,2}[OCEBoceb]"
_SEAT: Final = r"(?:[0-9]{1,4}|\?)"
_NUMBER: Final = re.compile(r"[0-9]{1,4}")
_FAR: Final = 1e300
_BRACES: Final = str.maketrans({"{": "(", "}": ")"})
_TOKENS: Final = tuple(
    (name, re.compile(pattern + _SUFFIX))
    for name, pattern in (
        ("trick", r"(?P<n>[0-9]+)\.$"),
        ("swap", rf"(?P<seat>{_SEAT}):(?P<given>{_CARD}|\?)=(?P<taken>{_CARD}|\?)"),
        ("play", rf"(?P<seat>{_SEAT}):(?P<card>{_CARD}|\?)(?P<maybe>\([^)]*\))?(?P<call>!)?"),
        ("sweep", rf">(?P<seat>{_SEAT})(?:=(?P<winner>[0-9]{{1,4}}))?"),
        ("taken", rf"\^(?P<seat>{_SEAT})"),
        ("drawn", rf"\+(?P<seat>[0-9]{{1,4}})(?::(?P<card>{_CARD}))?"),
        ("back", rf"-(?P<seat>[0-9]{{1,4}})(?::(?P<card>{_CARD}))?"),
        ("call", r"!(?P<seat>[0-9]{1,4})"),
        ("trump", rf"\*(?P<card>{_CARD}|[OCEB]|\?)"),
        ("end", r"#(?P<claim>[0-9]{1,4})?"),
    )
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
        self.tag_lines: dict[str, int] = {}
        self.results: list[tuple[int, int, str]] = []
        self.line = 0
        self.hand_line = 0
        self.rules_line = 0
        self.lines: list[int] = []
        self.rule_tags: list[tuple[int, dict[str, Any]]] = []

    def read(self, text: str) -> Record:
        for self.line, kind, piece in _pieces(text):
            if kind == "tag":
                self._tag(piece)
                continue
            self._open_hand()
            if kind == "comment":
                if "{" in piece:
                    self._problem("a comment holds another '{': close each comment with a '}'")
                self.comments.append(Comment(len(self.facts) - 1, piece.translate(_BRACES)))
            elif kind == "open":
                self._problem(f"the comment '{piece[:20]}' is never closed with a '}}'")
            else:
                for word in piece.split():
                    self._word(word)
        self._open_hand()
        self._check_rules()
        record = Record(self._rules(), tuple(self.tags), tuple(self.facts), tuple(self.comments))
        self._check(record)
        return replace(record, problems=tuple(self.problems), lines=tuple(self.lines))

    def _tag(self, line: str) -> None:
        match = _TAG.match(line)
        assert match is not None, "only lines that are tags come here"
        name, value = match[1], match[2]
        if name == "Brisca":
            if not _NUMBER.fullmatch(value) or int(value) > VERSION:
                self._problem(f"version {value} of the text form is not known, read as version {VERSION}")
        elif name == "Rules" and not value.strip():
            self._problem(f"the tag Rules is empty and was passed over: use one of {', '.join(profile_names())}.")
        elif name == "Rules":
            self._rule_tag({"profile" if value in profile_names() else "name": value})
            self.rules_line = self.line
        elif name == "Players":
            if _NUMBER.fullmatch(value):
                self._rule_tag({"players": int(value)})
            else:
                self._problem(f"the number of players '{value[:40]}' is no number")
        elif name == "Set":
            try:
                data = tomllib.loads(value.replace('\\"', '"'))
                rules_from_mapping(data, check=False)  # each alone; whether they fit together shows at the end
                self._rule_tag(data)
            except tomllib.TOMLDecodeError as error:
                self._problem(f"the parameter '{value}' is no TOML ({error})")
            except EngineError as error:
                self._problem(f"the tag Set was passed over: {error}")
        elif name == "Hand":
            self._open_hand()
            self.pending, self.hand_line = {"Hand": value}, self.line
            self.tag_lines[name] = self.line
        elif name in OWN_TAGS:
            if self.pending is None:
                self.pending, self.hand_line = {}, self.line
            self.pending[name] = value
            self.tag_lines[name] = self.line
        elif any(name == known for known, _ in self.tags):
            self._problem(f"the tag {name} is given twice, the second was passed over")
        else:
            self.tags.append((name, value))

    def _open_hand(self) -> None:
        """Turn the tags of a hand into its first facts."""
        if self.pending is None:
            return
        tags, self.pending, here = self.pending, None, self.line
        if "Hand" in tags or not self.facts:
            t, confidence = self._marks(re.sub(r"^\d*", "", tags.get("Hand", "")))
            dealer, leader, title = (
                self._tagged_seat(key, tags.get(key, "?")) for key in ("Dealer", "Leader", "Alcaide")
            )
            missed, before = self._missed(tags.get("Missed")), self._before(tags.get("Before"))
            hand = HandStarted(dealer, leader, title, missed, before, t=t, confidence=confidence)
            self._add(hand, self.hand_line)
        if "Trump" in tags:
            self.line = self.tag_lines["Trump"]
            self._word(f"*{tags['Trump']}")
            self.line = here
        if "Result" in tags:
            started = sum(isinstance(fact, HandStarted) for fact in self.facts)
            self.results.append((started - 1, self.tag_lines["Result"], tags["Result"]))

    def _word(self, word: str) -> None:
        for name, pattern in _TOKENS:
            match = pattern.fullmatch(word)
            if match:
                try:
                    self._fact(name, match)
                except EngineError as error:
                    self._problem(str(error))
                return
        self._problem(f"'{word[:40]}' is not understood and was passed over")

    def _fact(self, name: str, match: "re.Match[str]") -> None:
        groups = match.groupdict()
        t, confidence = _number(groups.get("t")), _number(groups.get("confidence"))
        seat = self._seat(groups["seat"]) if groups.get("seat") else None
        if not self.facts and name != "trick":
            self._add(HandStarted())
        match name:
            case "play":
                maybe = _candidates(groups["maybe"])
                self._add(CardPlayed(seat, _card(groups["card"]), maybe, t=t, confidence=confidence))
                if groups["call"] and seat is not None:
                    self._add(ArrastreCalled(seat))
            case "swap":
                given, taken = _card(groups["given"]), _card(groups["taken"])
                self._add(TrumpExchanged(seat, given, taken, t=t, confidence=confidence))
            case "sweep":
                winner = None if groups["winner"] is None else int(groups["winner"])
                self._add(TrickSwept(seat, winner, t=t, confidence=confidence))
            case "taken":
                self._add(TrumpTaken(seat, t=t, confidence=confidence))
            case "drawn" if seat is not None:
                self._add(CardDrawn(seat, _card(groups["card"]), t=t, confidence=confidence))
            case "back" if seat is not None:
                self._add(CardTakenBack(seat, _card(groups["card"]), t=t, confidence=confidence))
            case "call" if seat is not None:
                self._add(ArrastreCalled(seat, t=t, confidence=confidence))
            case "trump":
                word = groups["card"]
                shown = TrumpShown(None, None if word == "?" else word) if len(word) == 1 else TrumpShown(_card(word))
                self._add(_marked(shown, t, confidence))
            case "end":
                claim = None if groups["claim"] is None else int(groups["claim"])
                self._add(HandEnded(claim, t=t, confidence=confidence))

    def _add(self, fact: GameEvent, line: int | None = None) -> None:
        self.facts.append(fact)
        self.lines.append(self.line if line is None else line)

    def _rule_tag(self, data: dict[str, Any]) -> None:
        self.rules_data.update(data)
        self.rule_tags.append((self.line, data))

    def _rules(self) -> Rules:
        """The rules of all tags together. Raises RulesError with the line of the tag that makes them unplayable."""
        try:
            return rules_from_json(self.rules_data or "arrastro")
        except EngineError as error:
            guilty = [line for line, data in self.rule_tags if "profile" not in data and self._playable_without(data)]
            lines = guilty or [line for line, _ in self.rule_tags]
            where = f"line {lines[0]}" if len(lines) == 1 else f"lines {', '.join(map(str, lines))}"
            raise RulesError(f"{where}: {error}") from None

    def _playable_without(self, left_out: dict[str, Any]) -> bool:
        rest: dict[str, Any] = {}
        for _, data in self.rule_tags:
            if data is not left_out:
                rest.update(data)
        try:
            rules_from_json(rest or "arrastro")
        except EngineError:
            return False
        return True

    def _seat(self, text: str) -> int | None:
        return None if text == "?" else int(text)

    def _tagged_seat(self, name: str, text: str) -> int | None:
        if text == "?" or _NUMBER.fullmatch(text):
            return self._seat(text)
        self.problems.append(RecordProblem(self.tag_lines[name], f"{name} '{text}' is no number of a seat, as in 0"))
        return None

    def _missed(self, text: str | None) -> int | None:
        """The tag Missed: tricks played before anybody watched."""
        if text is None or re.fullmatch(r"[0-9]{1,2}", text):
            return None if text is None else int(text)
        told = f"Missed '{text[:40]}' is no number of tricks, as in 3"
        self.problems.append(RecordProblem(self.tag_lines["Missed"], told))
        return None

    def _before(self, text: str | None) -> tuple[int, ...] | None:
        """The tag Before: what each side had taken in them."""
        if text is None or re.fullmatch(r"[0-9]{1,3}(-[0-9]{1,3})*", text):
            return None if text is None else tuple(map(int, text.split("-")))
        told = f"Before '{text[:40]}' is no list of points, one for each side, as in 12-30"
        self.problems.append(RecordProblem(self.tag_lines["Before"], told))
        return None

    def _marks(self, text: str) -> tuple[float | None, float | None]:
        match = re.fullmatch(_SUFFIX, text)
        try:
            if match is not None:
                return _number(match["t"]), _number(match["confidence"])
        except ParseError:
            pass  # told below like any other text that is neither
        self._problem(f"'{text}' is no time or confidence")
        return None, None

    def _check_rules(self) -> None:
        """A name of rules that is no profile is for house rules, which say their parameters with Set."""
        if "name" in self.rules_data and not set(self.rules_data) - {"name", "players"}:
            name = str(self.rules_data["name"])
            near = get_close_matches(name, profile_names(), 1)
            hint = f"did you mean {near[0]}?" if near else f"use one of {', '.join(profile_names())}."
            text = f"there is no profile '{name}', the plain rules were taken: {hint}"
            self.problems.append(RecordProblem(self.rules_line, text))

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


def _pieces(text: str) -> Iterable[tuple[int, str, str]]:
    """The text as (line, kind, piece): a tag, words, a comment without its braces, or one that is never closed.

    A comment in braces may run over lines; ";" begins a comment to the end of the line, which is left out.
    """
    lines = re.split(r"\r\n|\r|\n", text)
    index = 0
    while index < len(lines):
        number, line = index + 1, lines[index]
        index += 1
        if _TAG.match(line.strip()):
            yield number, "tag", line.strip()
            continue
        while mark := re.search(r"[{;]", line):
            yield number, "words", line[: mark.start()]
            line = line[mark.end() :] if mark[0] == "{" else ""
            if mark[0] == ";":
                break
            last = next((n for n in range(index, len(lines)) if "}" in lines[n]), None)
            if "}" not in line and last is None:
                yield number, "open", line
                line = ""
            elif "}" not in line and last is not None:
                line = " ".join([line, *(part.strip() for part in lines[index : last + 1])])
                index = last + 1
            comment, closed, line = line.partition("}")
            if closed:
                yield number, "comment", comment
        yield number, "words", line


def _marked(shown: TrumpShown, t: float | None, confidence: float | None) -> TrumpShown:
    return TrumpShown(shown.card, shown.suit, t=t, confidence=confidence)


def _number(text: str | None) -> float | None:
    if not text:
        return None
    try:
        value = float(text[1:])
    except ValueError:
        raise ParseError(f"'{text}' is no number") from None
    if not -_FAR < value < _FAR or (text.startswith("~") and not 0 <= value <= 1):
        raise ParseError(f"'{text}' is no time, or no confidence from 0 to 1")
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
        if not 0 <= pairs[-1][1] <= 1:
            raise ParseError(f"'{item}' is no candidate: the probability lies between 0 and 1")
    return tuple(pairs)
