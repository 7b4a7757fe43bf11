"""Whether the picture is mirrored, as cameras for video calls do it: then play seems to go round the wrong way.

Cards are read as well in a mirror (the faces of the demo film, flipped, are read alike and as surely; a test looks), so
the order in which the seats play has to tell. With two players there is nothing to tell, and nothing that a mirror
would change. What was seen is told right by letting everybody sit on the other side, as the picture shows it. The
referee does so by itself, once, and asks whether it is right: brisca is played counter-clockwise everywhere, cameras of
phones show mirrored pictures often.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.rules import Rules
from server.referee.tricks import Arrangement, Arranger, FaceEvidence
from server.seats import Seat

MIRRORED: Final = 10.0
"""Nats by which the tricks must fit better the other way round; a trick of four brings about 6, of three about 3."""

LEAST_TRICKS: Final = 2
MOST_TRICKS: Final = 6
"""Full tricks that were seen when it is looked into: from the second to the sixth, once each."""


@dataclass(frozen=True, slots=True)
class Turned:
    """The referee has turned the table round in hand number ``hand``; everybody sits as in ``seats`` since."""

    hand: int
    seats: tuple[Seat, ...]

    def is_open(self, hand: int, seats: tuple[Seat, ...], *, found: bool) -> bool:
        """Whether it is still so in that hand, and nobody has said that it is right (``found``)."""
        same = all((one.side, one.at) == (now.side, now.at) for one, now in zip(self.seats, seats, strict=True))
        return hand == self.hand and same and not found


class MirrorCheck:
    """Looks into one hand. ``found``: the picture is mirrored, or the table plays clockwise."""

    def __init__(self, rules: Rules) -> None:
        self.found = False
        self._rules = rules
        self._checked = LEAST_TRICKS - 1

    def look(
        self, arranger: Arranger, arrangement: Arrangement, seen: Sequence[FaceEvidence], suit: str | None, missed: int
    ) -> None:
        """Compare the tricks that were seen with the same ones played the other way round."""
        full = sum(1 for trick in arrangement.tricks if len(trick) == self._rules.plays_per_trick)
        told = any(one.seat is not None for one in seen)
        if self._rules.players == 2 or not self._checked < full <= MOST_TRICKS or told:
            return
        self._checked = full
        other = [replace(one, places=_round(one.places), gathered=_round(one.gathered)) for one in seen]
        anybody = tuple(0.0 for _ in range(self._rules.players))
        turned = arranger.arrange(other, suit, anybody, {}, missed=missed)
        self.found = arrangement.price - turned.price > MIRRORED


def _round(values: tuple[float, ...]) -> tuple[float, ...]:
    """What speaks for each seat, if the seats were numbered the other way round."""
    return tuple(values[-seat % len(values)] for seat in range(len(values)))
