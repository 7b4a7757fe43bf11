"""Presses as steps that can be taken back and done again, and what of a pause still holds when it is over."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from server.referee.hand import Hand
from server.referee.word import Said
from server.seats import Seat
from vision.facts import TableEvent

DISMISSED: Final = "dismissed"
"""Reason of the entry by which the table lets a violation go."""

_LEFT: Final = ("vanished", "swept")


@dataclass(slots=True)
class Step:
    """One press on hand number ``hand``: what people had said about it and who sat where before the press.

    ``entries`` are the confirmations that it wrote. ``opened``: it began the next hand. A step that was undone holds
    what there was before the undoing instead, with the hand that was taken off and the faces handed back by it.
    """

    hand: int
    said: Said
    seats: tuple[Seat, ...]
    entries: tuple[str, ...] = ()
    opened: bool = False
    popped: Hand | None = None
    adopted: tuple[int, ...] = ()


def still_true(events: Sequence[TableEvent]) -> list[TableEvent]:
    """The facts of a pause that count once the game goes on: a card that came and went in between was not played."""
    came: set[int] = set()
    went: set[int] = set()
    for event in events:
        if event.kind == "settled":
            came.add(event.track)
        elif event.kind in _LEFT:
            went.update((event.track, *event.tracks))
    passing = came & went
    return [
        event
        for event in events
        if event.track not in passing or (event.kind == "swept" and not set(event.tracks) <= passing)
    ]
