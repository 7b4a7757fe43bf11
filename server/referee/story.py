"""The game as it is now believed to have gone, and how the ledger is brought to say so.

The referee tells the whole story anew after every fact. What changed against the ledger is written as appended facts,
amendments, retractions and insertions, so that the ledger's effective events are always exactly the story.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import CardPlayed, GameEvent, HandStarted, TrickSwept, TrumpShown
from engine.ledger import Amend, InsertAfter, Ledger, LedgerEntry, Retract
from engine.table import is_sure

Key = tuple[str | int, ...]

FOLLOWS: Final = "it follows from a correction"

TURNED: Final = "the picture is mirrored"
"""Reason of what changes when everybody is found to sit on the other side."""

BY_RULE: Final = (FOLLOWS, TURNED)
"""Causes after which what changes was decided by nobody: it follows."""

SWAPPED: Final = "two cards changed places"
"""Reason of the two amendments by which two plays exchange their cards, or their seats."""

CONFIDENCE_STEP: Final = 0.25
"""A change of confidence alone is worth an amendment from this size on..."""

SURE_STEP: Final = 0.05
"""...and from this one where it decides whether a proof may rest on the fact."""


@dataclass(frozen=True, slots=True)
class Item:
    """One fact of the story under a key that stays the same while the story is retold.

    ``source`` and ``reason`` go with the entry if it has to be written or amended.
    """

    key: Key
    event: GameEvent
    source: str = "vision"
    reason: str = ""


@dataclass(slots=True)
class _Told:
    """What the ledger says for one item: the fact's entry, and whether it was inserted rather than appended."""

    item: Item
    entry: str
    inserted: bool


class Teller:
    """Keeps a ledger in step with the story."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._told: list[_Told] = []
        self._hung: dict[str, str | None] = {}  # every insertion ever written: its entry -> what it was put after

    def entry_of(self, key: Key) -> str | None:
        """Ledger id of the fact told under ``key``."""
        return next((told.entry for told in self._told if told.item.key == key), None)

    def key_of(self, entry: str) -> Key | None:
        """The key that a standing ledger entry was told under."""
        return next((told.item.key for told in self._told if told.entry == entry), None)

    def event_of(self, key: Key) -> GameEvent | None:
        """The event last told under ``key``."""
        return next((told.item.event for told in self._told if told.item.key == key), None)

    def last_key(self) -> Key | None:
        """The key of the last fact of the story."""
        return self._told[-1].item.key if self._told else None

    def events(self) -> dict[Key, GameEvent]:
        """Everything told, by key."""
        return {told.item.key: told.item.event for told in self._told}

    def tell(
        self,
        story: Sequence[Item],
        t: float | None,
        cause: str | None = None,
        by_hand: Collection[Key] = (),
        swapped: Collection[Key] = (),
    ) -> list[LedgerEntry]:
        """Write what makes the ledger say ``story``; returns the new entries. ``t`` is the time of writing.

        ``cause`` is the reason where a person took something back or did it again: the changes are theirs then.
        :data:`BY_RULE` as the cause: what changes follows, from what a person put right or from a mirrored picture.
        ``by_hand`` are the keys of facts that a person has just taken out, ``swapped`` those of two plays that a person
        has just let change places.
        """
        written: list[LedgerEntry] = []
        if cause in BY_RULE:
            story = [item if item.source == "person" else replace(item, source="rule", reason=cause) for item in story]
            cause = None
        elif cause is not None:
            story = [replace(item, source="person", reason=cause) for item in story]
        if swapped:
            story = [replace(item, reason=SWAPPED) if item.key in swapped else item for item in story]
        wanted = {item.key for item in story}
        keep = self._in_order(story)
        for told in [one for one in self._told if one.item.key not in keep]:
            why = "it belongs elsewhere" if told.item.key in wanted else "it was no fact of its own"
            source = "person" if told.item.source == "person" or cause is not None else "rule"
            if told.item.key in by_hand:
                source, why = "person", "taken out by hand"
            written.append(self._write(source, Retract(told.entry, cause or why), t))
            self._told.remove(told)
        for place, item in enumerate(story):
            if place < len(self._told) and self._told[place].item.key == item.key:
                written.extend(self._amend(self._told[place], item, t))
            elif place == len(self._told):
                entry = self._write(item.source, item.event, t)
                self._told.append(_Told(item, entry.id, inserted=False))
                written.append(entry)
            else:
                written.extend(self._insert(place, item, t))
        return written

    def _in_order(self, story: Sequence[Item]) -> set[Key]:
        """Keys of the told facts that can stay where they are: the longest run of them in the order of the story."""
        rank = {item.key: index for index, item in enumerate(story)}
        ranks = [rank[told.item.key] for told in self._told if told.item.key in rank]
        if ranks == sorted(ranks):
            return {story[index].key for index in ranks}
        length = [1] * len(ranks)
        before = [-1] * len(ranks)
        for i, value in enumerate(ranks):
            for j in range(i):
                if ranks[j] < value and length[j] + 1 > length[i]:
                    length[i], before[i] = length[j] + 1, j
        at = max(range(len(ranks)), key=lambda k: length[k])
        kept: set[Key] = set()
        while at >= 0:
            kept.add(story[ranks[at]].key)
            at = before[at]
        return kept

    def _amend(self, told: _Told, item: Item, t: float | None) -> Iterable[LedgerEntry]:
        if not material(told.item.event, item.event):
            return
        told.item = item
        yield self._write(item.source, Amend(told.entry, item.event, item.reason), t)

    def _insert(self, place: int, item: Item, t: float | None) -> list[LedgerEntry]:
        """Insert before ``self._told[place]``; facts that hang on the same place are written again after it."""
        written: list[LedgerEntry] = []
        parent = self._told[place - 1].entry if place else None
        again: list[_Told] = []
        while place < len(self._told):
            told = self._told[place]
            if not told.inserted or not self._hangs_on(told.entry, parent):
                break
            written.append(self._write("rule", Retract(told.entry, "another fact came before it"), t))
            again.append(self._told.pop(place))
        for index, fresh in enumerate([item, *(told.item for told in again)]):
            entry = self._write(fresh.source, InsertAfter(parent, fresh.event, fresh.reason or "seen late"), t)
            self._hung[entry.id] = parent
            self._told.insert(place + index, _Told(fresh, entry.id, inserted=True))
            written.append(entry)
        return written

    def _hangs_on(self, entry: str, parent: str | None) -> bool:
        """Whether an insertion was put after ``parent``, or after something that was (even if retracted since)."""
        at: str | None = entry
        while at in self._hung:
            at = self._hung[at]
            if at == parent:
                return True
        return False

    def _write(self, source: str, body: GameEvent | Amend | Retract | InsertAfter, t: float | None) -> LedgerEntry:
        return self._ledger.append(source, body, t)


def material(old: GameEvent, new: GameEvent) -> bool:
    """Whether the difference is worth an amendment: what happened, not how sure it is to the last digit."""
    if type(old) is not type(new):
        return True
    step = abs(_share(old) - _share(new))
    if is_sure(old.confidence) != is_sure(new.confidence) and step >= SURE_STEP:
        return True
    if isinstance(old, CardPlayed) and isinstance(new, CardPlayed):
        return (old.seat, old.card) != (new.seat, new.card) or step >= CONFIDENCE_STEP
    if isinstance(old, HandStarted | TrickSwept | TrumpShown):
        return replace(old, t=None, confidence=None) != replace(new, t=None, confidence=None)
    return replace(old, confidence=None) != replace(new, confidence=None)


def _share(event: GameEvent) -> float:
    """Confidence as a number; what nobody doubted is certain."""
    return 1.0 if event.confidence is None else event.confidence
