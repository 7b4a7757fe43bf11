"""A session written down: facts, tags, comments; as text in the manner of PGN, or as versioned JSON.

The text form is described in docs/notation.md. Reading collects problems and goes on, so that one bad line does not
lose a game. Text keeps the facts as they stand after corrections, with a comment for each correction; JSON keeps the
ledger itself.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.codec import body_to_json, entry_from_json, entry_to_json, event_from_json
from engine.errors import EngineError, ParseError, RulesError
from engine.events import GameEvent
from engine.fold import fold, fold_events
from engine.ledger import Amend, Confirm, InsertAfter, LedgerEntry, Retract, effective_events, voided
from engine.profile import profile_names, read_profile, rules_from_mapping, rules_to_mapping
from engine.rules import Rules
from engine.state import MatchState

_BRACES: Final = str.maketrans({"{": "(", "}": ")", "\n": " ", "\r": " "})
"""Comments stand in braces, on one line."""

OWN_TAGS: Final = (
    "Brisca", "Rules", "Players", "Set", "Hand", "Dealer", "Leader", "Alcaide", "Missed", "Before", "Trump", "Result",
)  # fmt: skip
"""Tags of the text form that have a meaning of their own; all others are free."""

FORMAT: Final = "brisca-record"
VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class RecordProblem:
    """Something that could not be read; ``line`` counts from 1 (0: the whole record)."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}" if self.line else self.text


@dataclass(frozen=True, slots=True)
class Comment:
    """Free text after the fact with that index (-1: before the first)."""

    after: int
    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """A session: its rules, free tags, facts in order with comments; ``entries`` is the ledger if that was kept.

    ``problems`` tells what could not be read; ``lines`` where each fact stands in a text (empty for JSON).
    """

    rules: Rules
    tags: tuple[tuple[str, str], ...] = ()
    facts: tuple[GameEvent, ...] = ()
    comments: tuple[Comment, ...] = ()
    entries: tuple[LedgerEntry, ...] = ()
    problems: tuple[RecordProblem, ...] = field(default=(), compare=False)
    lines: tuple[int, ...] = field(default=(), compare=False)

    def state(self) -> MatchState:
        """The session's state: of the ledger if there is one, else of the facts."""
        return fold(self.rules, self.entries) if self.entries else fold_events(self.rules, self.facts)

    def all_problems(self, state: MatchState) -> tuple[RecordProblem, ...]:
        """What could not be read, and which facts found no place in ``state`` (that of :meth:`state`)."""
        told = [*state.problems, *(problem for hand in state.hands for problem in hand.problems)]
        return (*self.problems, *map(self._located, told))

    def _located(self, problem: str) -> RecordProblem:
        """A problem of a fact with the place where the fact stands, instead of its id."""
        match = re.match(r"e(\d+): ", problem)
        if match is None or self.entries:
            return RecordProblem(0, problem)
        index, text = int(match[1]), problem[match.end() :]
        return RecordProblem(self.lines[index - 1], text) if self.lines else RecordProblem(0, f"item {index}: {text}")


def record_from_entries(rules: Rules, entries: Iterable[LedgerEntry], tags: Mapping[str, str] | None = None) -> Record:
    """Record of a ledger; each correction becomes a comment at the fact that it concerns."""
    lines = tuple(entries)
    facts = effective_events(lines)
    place = {fact_id: index for index, (fact_id, _) in enumerate(facts)}
    comments = tuple(_correction_comments(lines, place))
    return Record(rules, tuple((tags or {}).items()), tuple(event for _, event in facts), comments, lines)


def record_to_json(record: Record) -> dict[str, Any]:
    """The record as a dict of plain JSON values."""
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION, "rules": rules_to_json(record.rules)}
    if record.tags:
        data["tags"] = dict(record.tags)
    if record.entries:
        data["entries"] = [entry_to_json(entry) for entry in record.entries]
    else:
        data["events"] = [body_to_json(event) for event in record.facts]
        if record.comments:
            data["comments"] = [{"after": note.after, "text": note.text} for note in record.comments]
    return data


def record_from_json(data: Any) -> Record:
    """The record of :func:`record_to_json`; entries that cannot be read become problems. Raises ParseError."""
    if not isinstance(data, Mapping) or data.get("format", FORMAT) != FORMAT:
        raise ParseError(f'This JSON is no game record: it needs "format": "{FORMAT}".')
    version = data.get("version", VERSION)
    if not isinstance(version, int) or isinstance(version, bool):
        raise ParseError(f"The version of a record must be a number, as in {VERSION}, not {version!r}.")
    if version > VERSION:
        raise ParseError(f"The record has version {version}, this program reads up to {VERSION}: use a newer one.")
    rules = rules_from_json(data.get("rules", "arrastro"))
    tags = data.get("tags") or {}
    if not isinstance(tags, Mapping):
        raise ParseError("The tags of a record must be a JSON object of texts.")
    problems: list[RecordProblem] = []
    entries = _checked(_read_all(_rows(data, "entries"), entry_from_json, problems), problems)
    pairs = tuple(_read_all(list(tags.items()), _tag, problems))
    if entries:
        whole = record_from_entries(rules, entries)
        return Record(rules, pairs, whole.facts, whole.comments, whole.entries, tuple(problems))
    facts = _read_all(_rows(data, "events"), event_from_json, problems)
    comments = _read_all(_rows(data, "comments"), _comment, problems)
    return Record(rules, pairs, tuple(facts), tuple(comments), (), tuple(problems))


def rules_to_json(rules: Rules) -> dict[str, Any]:
    """Rules as the profile they come from and the parameters that differ from it."""
    whole = rules_to_mapping(rules)
    if rules.name not in profile_names():
        plain = rules_to_mapping(Rules())
        return {key: value for key, value in whole.items() if key == "name" or value != plain[key]}
    base = rules_to_mapping(read_profile(rules.name))
    changed = {key: value for key, value in whole.items() if value != base[key] and key != "players"}
    if "exchange_min_draw_rounds" in changed:  # naming a deadline settles the dispute, unless told otherwise
        changed["exchange_deadline_disputed"] = whole["exchange_deadline_disputed"]
    return {"profile": rules.name, "players": rules.players, **changed}


def rules_from_json(data: Any) -> Rules:
    """The rules of :func:`rules_to_json`, or a profile's bare name. Raises RulesError, ParseError."""
    if isinstance(data, str):
        return read_profile(data)
    if not isinstance(data, Mapping):
        raise ParseError("The rules of a record must be the name of a profile or a JSON object.")
    changes = dict(data)
    name = changes.pop("profile", None)
    players = changes.pop("players", None)
    if players is not None and (not isinstance(players, int) or isinstance(players, bool)):
        raise RulesError(f"players = {players!r} must be a number in a record, as in 2.")
    if name is None and players in Rules().players_allowed:
        return rules_from_mapping(changes, players=players)
    if name is None:
        return rules_from_mapping({**changes, **({} if players is None else {"players": players})})
    if not changes:
        return read_profile(str(name), players)
    return rules_from_mapping({"name": str(name), **changes}, base=read_profile(str(name)), players=players)


def read_record(text: str, *, json_named: bool = False) -> Record:
    """A record from the text of a file, JSON or the text form. Raises ParseError, RulesError.

    The first characters tell which it is; where they fit neither, ``json_named`` (a file named .json) does.
    """
    from engine.notation import parse_text  # the text form is written on top of this module

    text = text.removeprefix("\ufeff")
    starts_as_text = re.match(r"\s*(\{[^:}]+\}|\[\s*\w+\s+\")", text)  # a comment or a tag
    starts_as_json = re.match(r"\s*(\{|\[\s*([\[\]{\"0-9-]|$))", text)
    if starts_as_text or not (starts_as_json or json_named):
        return parse_text(text)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise ParseError(f"The record is not valid JSON ({error}): correct that place.") from None
    except RecursionError:
        raise ParseError("The record is no game: its JSON is nested too deeply to be read.") from None
    except ValueError:
        raise ParseError("The record holds a number that is too long to be read: correct it.") from None
    return record_from_json(data)


def _rows(data: Mapping[str, Any], key: str) -> Sequence[Any]:
    rows = data.get(key) or []
    if not isinstance(rows, list):
        raise ParseError(f"{key} of a record must be a list.")
    return rows


def _read_all(rows: Sequence[Any], read: Any, problems: list[RecordProblem]) -> list[Any]:
    found = []
    for number, row in enumerate(rows, start=1):
        try:
            found.append(read(row))
        except EngineError as error:
            problems.append(RecordProblem(0, f"item {number}: {error}"))
    return found


def _tag(pair: tuple[Any, Any]) -> tuple[str, str]:
    name, value = str(pair[0]), str(pair[1])
    if not re.fullmatch(r"\w+", name) or name in OWN_TAGS:
        raise ParseError(f"'{name}' cannot be a tag: use one word that is not {', '.join(OWN_TAGS)}.")
    return name, re.sub(r"[\r\n]+", " ", value)


def _checked(entries: Sequence[LedgerEntry], problems: list[RecordProblem]) -> list[LedgerEntry]:
    """The entries without those whose id is taken; corrections of what is not there are told."""
    kept: dict[str, LedgerEntry] = {}
    for entry in entries:
        target = getattr(entry.body, "target", None)
        if entry.id in kept:
            problems.append(RecordProblem(0, f"entry {entry.id} is there twice, the second was passed over"))
            continue
        if target is not None and target not in kept and not (isinstance(entry.body, Confirm) and ":" in target):
            problems.append(RecordProblem(0, f"entry {entry.id} corrects {target}, which is not there"))
        kept[entry.id] = entry
    return list(kept.values())


def _comment(row: Any) -> Comment:
    try:
        return Comment(int(row["after"]), str(row["text"]).translate(_BRACES))
    except (KeyError, OverflowError, TypeError, ValueError):
        raise ParseError("A comment needs 'after' (the index of a fact) and 'text'.") from None


def _correction_comments(lines: Sequence[LedgerEntry], place: Mapping[str, int]) -> list[Comment]:
    """One comment for each standing correction, at the fact it concerns (at the start if that is gone)."""
    void = voided(lines)
    found: list[Comment] = []
    for entry in lines:
        if entry.id in void or not isinstance(entry.body, Amend | InsertAfter | Retract):
            continue
        body = entry.body
        word = {Amend: "amended", InsertAfter: "inserted", Retract: "retracted"}[type(body)]
        at = place.get(entry.id if isinstance(body, InsertAfter) else str(body.target), -1)
        reason = f": {body.reason}" if body.reason else ""
        text = f"{body.target or 'start'} {word} by {entry.source}{reason}"
        found.append(Comment(at, text.translate(_BRACES)))
    return sorted(found, key=lambda note: note.after)
