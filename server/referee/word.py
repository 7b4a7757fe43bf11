"""What people said about a hand: calls, leaders, the trump, exchanges, gatherings, its end."""

from dataclasses import dataclass, field, replace

from engine.cards import Card


@dataclass(slots=True)
class Call:
    """An arrastre call as pressed."""

    key: int
    seat: int
    t: float | None


@dataclass(frozen=True, slots=True)
class Swap:
    """An exchange of the face-up card as pressed at ``t``; ``after`` is the number of tricks gathered before it."""

    seat: int
    given: Card | None
    t: float
    after: int | None = None


@dataclass(frozen=True, slots=True)
class FaceUp:
    """A face-up card by people's word: laid once ``after`` tricks were gathered, nobody's to play before ``until``."""

    card: Card
    after: int
    until: int


@dataclass(slots=True)
class Word:
    """What people said about a hand, besides single faces (those carry it themselves).

    Tricks count from 0 here. ``winners`` are tricks given to a seat whatever the cards say; ``no_exchanges`` names the
    numbers of tricks after which there was no exchange; ``claimed`` is who takes the tricks that were not played;
    ``alcaide`` is who plays alone against the two others, in the rules that know one;
    ``begun`` that the hand has begun with what lies there, however briefly. ``missed`` tricks were played before the
    program watched, with ``points_before`` for each side; ``counted_from`` is what the numbers above reckon with.
    """

    calls: list[Call] = field(default_factory=list)
    leaders: dict[int, int] = field(default_factory=dict)
    trump_card: Card | None = None
    trump_suit: str | None = None
    winners: dict[int, int] = field(default_factory=dict)
    exchanges: list[Swap] = field(default_factory=list)
    no_exchanges: set[int] = field(default_factory=set)
    gathered: dict[int, tuple[int | None, float]] = field(default_factory=dict)
    taken_away: dict[int, float] = field(default_factory=dict)
    ended: float | None = None
    claimed: int | None = None
    alcaide: int | None = None
    begun: bool = False
    found_at: float = 0.0
    missed: int | None = None
    points_before: tuple[int, ...] | None = None
    counted_from: int = 0

    def count_from(self, missed: int) -> None:
        """Number the tricks anew: so many were played before the first one that was seen."""
        more, self.counted_from = missed - self.counted_from, missed
        if more:
            self.leaders = {trick + more: seat for trick, seat in self.leaders.items()}
            self.winners = {trick + more: seat for trick, seat in self.winners.items()}
            self.gathered = {trick + more: said for trick, said in self.gathered.items()}
            self.no_exchanges = {trick + more for trick in self.no_exchanges}
            self.exchanges = [
                swap if swap.after is None else replace(swap, after=swap.after + more) for swap in self.exchanges
            ]


@dataclass(frozen=True, slots=True)
class Worded:
    """A face that a camera saw and a person named: ``face`` is its uid in hand ``hand``, ``card`` the card's text.

    It lay there from ``t`` until ``gone`` (infinite while it does), known to the tracker as ``tracks``.
    """

    hand: int
    face: int
    card: str
    tracks: frozenset[int]
    t: float
    gone: float


@dataclass(frozen=True, slots=True)
class Said:
    """Everything that people had said about a hand at one moment, to come back to."""

    word: Word
    faces: dict[int, tuple[Card | None, int | None, int | None, bool, bool]]
