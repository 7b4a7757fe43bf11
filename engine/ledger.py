"""The ledger of a session: facts and corrections in the order they came in; nothing is ever taken out.

A correction names the entry that it corrects. Retracting a correction undoes it, retracting that retraction redoes it,
so undo and redo are ordinary entries too. The id of a fact stays when the fact is amended.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.errors import ImpossibleHereError, ParseError
from engine.events import EVENT_TYPES, GameEvent
from engine.rules import Rules

SOURCES = ("vision", "person", "rule")


@dataclass(frozen=True, slots=True)
class Amend:
    """The fact ``target`` was really ``event``."""

    target: str
    event: GameEvent
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Retract:
    """The entry ``target`` (a fact or a correction) counts as never written."""

    target: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class InsertAfter:
    """``event`` happened right after the fact ``target`` (None: before everything), and was missed.

    Several insertions after one target keep the order in which they were written.
    """

    target: str | None
    event: GameEvent
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Confirm:
    """A person vouches for the fact ``target`` (its confidence becomes 1), or acknowledges a violation by its key."""

    target: str
    reason: str = ""


Correction = Amend | Retract | InsertAfter | Confirm
Body = GameEvent | Correction


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One line. ``source`` is vision, person or rule; ``t`` when it was written, on the source's clock."""

    seq: int
    id: str
    source: str
    body: Body
    t: float | None = None


class Ledger:
    """Append-only list of entries of one session under one set of rules."""

    def __init__(self, rules: Rules, entries: Iterable[LedgerEntry] = ()) -> None:
        self.rules = rules
        self._entries: list[LedgerEntry] = list(entries)
        self._ids = {entry.id for entry in self._entries}
        if len(self._ids) != len(self._entries):
            raise ParseError("The ledger names two entries alike: every entry needs an id of its own.")

    @property
    def entries(self) -> tuple[LedgerEntry, ...]:
        """All entries, oldest first."""
        return tuple(self._entries)

    def append(self, source: str, body: Body, t: float | None = None) -> LedgerEntry:
        """Write an entry. Raises ImpossibleHereError when a correction names an entry that is not there."""
        if source not in SOURCES:
            raise ParseError(f"'{source}' is no source of facts: use one of {', '.join(SOURCES)}.")
        target = getattr(body, "target", None)
        if target is not None and target not in self._ids and not (isinstance(body, Confirm) and ":" in target):
            raise ImpossibleHereError(f"The ledger has no entry '{target}': correct one that it has.")
        seq = self._entries[-1].seq + 1 if self._entries else 1
        when = t if t is not None or not isinstance(body, EVENT_TYPES) else getattr(body, "t", None)
        entry = LedgerEntry(seq, f"e{seq}", source, body, when)
        self._entries.append(entry)
        self._ids.add(entry.id)
        return entry

    def effective(self) -> tuple[tuple[str, GameEvent], ...]:
        """The facts after all corrections, in the order of play, each with the id of the entry that brought it in."""
        return effective_events(self._entries)

    def undo(self, source: str = "person", reason: str = "undo") -> LedgerEntry | None:
        """Retract the newest entry that still stands; None when there is nothing left to undo."""
        void = voided(self._entries)
        for entry in reversed(self._entries):
            if entry.id not in void and _undo_or_redo(entry) is None:
                return self.append(source, Retract(entry.id, _tagged("undo", reason)))
        return None

    def redo(self, source: str = "person", reason: str = "redo") -> LedgerEntry | None:
        """Take back the newest undo that still stands, as long as nothing else was written since; else None."""
        void = voided(self._entries)
        for entry in reversed(self._entries):
            kind = _undo_or_redo(entry)
            if kind is None:
                return None
            if entry.id not in void and kind == "undo":
                return self.append(source, Retract(entry.id, _tagged("redo", reason)))
        return None


def _undo_or_redo(entry: LedgerEntry) -> str | None:
    """ "undo" or "redo" for a retraction that one of them wrote; None for any other entry, a plain retraction too."""
    kind = entry.body.reason.split(":")[0] if isinstance(entry.body, Retract) else ""
    return kind if kind in ("undo", "redo") else None


def _tagged(kind: str, reason: str) -> str:
    return reason if reason.split(":")[0] == kind else f"{kind}: {reason}"


def voided(entries: Sequence[LedgerEntry]) -> frozenset[str]:
    """Ids of the entries that a standing retraction takes back."""
    void: set[str] = set()
    for entry in reversed(entries):
        if isinstance(entry.body, Retract) and entry.id not in void:
            void.add(entry.body.target)
    return frozenset(void)


def effective_events(entries: Sequence[LedgerEntry]) -> tuple[tuple[str, GameEvent], ...]:
    """See :meth:`Ledger.effective`. Corrections of unknown entries are passed over."""
    void = voided(entries)
    root: dict[str, str] = {}
    current: dict[str, GameEvent] = {}
    vouched: set[str] = set()
    after: dict[str | None, list[str]] = {None: []}
    facts: list[str] = []
    for entry in entries:
        body = entry.body
        if isinstance(body, InsertAfter):
            place = body.target if body.target is None else root.get(body.target)
            if body.target is not None and place is None:
                continue
            root[entry.id] = entry.id
            after.setdefault(place, []).append(entry.id)
            if entry.id not in void:
                current[entry.id] = body.event
        elif isinstance(body, Amend):
            fact = root.get(body.target)
            if fact is None:
                continue
            root[entry.id] = fact
            if entry.id not in void and fact in current:
                current[fact] = body.event
                vouched.discard(fact)
        elif isinstance(body, Confirm):
            fact = root.get(body.target)
            if fact is not None and entry.id not in void:
                vouched.add(fact)
        elif not isinstance(body, Retract):
            root[entry.id] = entry.id
            facts.append(entry.id)
            if entry.id not in void:
                current[entry.id] = body
    order: list[str] = []
    waiting = [*reversed(facts), *reversed(after[None])]
    while waiting:
        fact = waiting.pop()
        order.append(fact)
        waiting.extend(reversed(after.get(fact, ())))
    return tuple(
        (fact, replace(current[fact], confidence=1.0) if fact in vouched else current[fact])
        for fact in order
        if fact in current
    )


def acknowledged_keys(entries: Sequence[LedgerEntry]) -> frozenset[str]:
    """Keys of violations that a person has acknowledged."""
    void = voided(entries)
    return frozenset(
        entry.body.target
        for entry in entries
        if isinstance(entry.body, Confirm) and ":" in entry.body.target and entry.id not in void
    )
