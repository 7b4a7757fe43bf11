"""Whether a hand was in progress already when the program began to watch, and how many tricks it had missed.

Piles of won tricks lie there from the first look on; and the face-up card is taken before as many tricks were seen as
the stock is good for, which tells exactly how many had been played unseen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.rules import Rules
from server.referee.faces import Face
from server.referee.trump import AT_STOCK, TrumpStory
from server.referee.zones import Spot, spot
from vision.facts import TableEvent

FIRST_SECONDS: Final = 1.5
"""What has come to rest so soon after the first fact lay there when the program began to watch."""

APART: Final = 1.5
"""Card lengths between two backs that are not one pile."""

GONE_SECONDS: Final = 2.0
"""The face-up card has been taken, and not lost for a moment, when it has been away for so long."""

LEAST_MISSED: Final = 2
"""Tricks that must be lacking when the face-up card is taken for a late start without piles: one may have been lost."""


@dataclass(slots=True)
class Beginning:
    """What lay on the table at the first look; kept by the referee for the first hand of a session.

    ``first`` is the time of the first fact. ``backs`` are the backs that lay there then and lie there still, by track.
    ``piles`` remembers that won tricks were among them.
    """

    first: float | None = None
    backs: dict[int, Spot] = field(default_factory=dict)
    piles: bool = False

    def note(self, event: TableEvent) -> None:
        """Take in a fact about the table."""
        early = self.is_early(event.t)
        if event.face == "back" and event.kind == "settled" and early:
            self.backs[event.track] = spot(event.quad, event.centre)
        elif event.kind in ("vanished", "swept"):
            for track in (event.track, *event.tracks):
                self.backs.pop(track, None)

    def is_early(self, t: float) -> bool:
        """Whether something that came to rest at ``t`` lay there from the beginning."""
        if self.first is None:
            self.first = t
        return t <= self.first + FIRST_SECONDS

    def look(self, rules: Rules, trump: TrumpStory, faces: Sequence[Face]) -> None:
        """Judge the backs once the first trick is full: dealt cards have been picked up by then, piles have not."""
        place = next((face.spot for face in faces if face.uid == trump.place_of), None)
        backs = [back for back in self.backs.values() if place is None or back.distance(place) > AT_STOCK]
        if place is not None or not rules.draw_rounds:
            self.piles = self.piles or bool(backs)
        else:  # one of them may be the stock
            self.piles = self.piles or any(one.distance(two) > APART for one in backs for two in backs)

    def missed(self, rules: Rules, trump: TrumpStory, seen: int, now: float) -> int:
        """Tricks played before the first look, as far as can be told; 0: the hand began with what was seen.

        ``seen`` are the full tricks that were seen before the face-up card was taken, ``now`` is this moment.
        """
        shown = bool(trump.phases) and self.is_early(trump.phases[0].t)
        taken = trump.gone is not None and now - trump.gone > GONE_SECONDS
        if shown and taken:
            lacking = max(0, rules.draw_rounds - seen)
            return lacking if self.piles or lacking >= LEAST_MISSED else 0
        if not self.piles:
            return 0
        if trump.phases and not shown:
            return 0  # it was laid there before our eyes: what lay on the table by then was no won trick
        if trump.phases or not (rules.draw_rounds and rules.trump_rank_visible):
            return 1  # how many is not known yet
        return rules.draw_rounds  # nothing is drawn any more
