"""Which play of a reading answers which play that was really made: a cheapest alignment of the two lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

_NEAR_SECONDS: Final = 4.0
"""Plays further apart than this in time are never the same one."""

_LEFT_OUT: Final = 1.0
_OTHER_CARD: Final = 1.2
_UNREAD: Final = 0.4
_OTHER_SEAT: Final = 0.3


@dataclass(frozen=True, slots=True)
class FlatPlay:
    """One play taken out of its trick. ``t`` in seconds of the film; ``order`` is its place in the trick, from 0."""

    trick: int
    order: int
    seat: int
    card: str | None
    t: float | None
    confidence: float | None


@dataclass(frozen=True, slots=True)
class Pair:
    """A play and its reading; one of them None: missed, or invented."""

    true: FlatPlay | None
    read: FlatPlay | None

    @property
    def right(self) -> bool:
        """Whether card and seat were read as they were."""
        return (
            self.true is not None
            and self.read is not None
            and (self.true.card, self.true.seat) == (self.read.card, self.read.seat)
        )


def flat_plays(hand: dict[str, Any]) -> list[FlatPlay]:
    """All plays of one hand in the result format, in order."""
    return [
        FlatPlay(int(trick["n"]), order, int(play["seat"]), play["card"], play["t"], play["confidence"])
        for trick in hand["tricks"]
        for order, play in enumerate(trick["plays"])
    ]


def align(true: Sequence[FlatPlay], read: Sequence[FlatPlay]) -> list[Pair]:
    """The cheapest pairing that keeps both orders: a card left out does not make all later ones wrong."""
    rows, columns = len(true), len(read)
    cost = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        cost[i][columns] = (rows - i) * _LEFT_OUT
    for j in range(columns - 1, -1, -1):
        cost[rows][j] = (columns - j) * _LEFT_OUT
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            cost[i][j] = min(
                cost[i + 1][j + 1] + _difference(true[i], read[j]),
                _LEFT_OUT + cost[i + 1][j],
                _LEFT_OUT + cost[i][j + 1],
            )
    pairs: list[Pair] = []
    i = j = 0
    while i < rows and j < columns:
        if cost[i][j] == cost[i + 1][j + 1] + _difference(true[i], read[j]):
            pairs.append(Pair(true[i], read[j]))
            i, j = i + 1, j + 1
        elif cost[i][j] == _LEFT_OUT + cost[i + 1][j]:
            pairs.append(Pair(true[i], None))
            i += 1
        else:
            pairs.append(Pair(None, read[j]))
            j += 1
    pairs += [Pair(play, None) for play in true[i:]]
    pairs += [Pair(None, play) for play in read[j:]]
    return pairs


def _difference(true: FlatPlay, read: FlatPlay) -> float:
    if true.t is not None and read.t is not None and abs(true.t - read.t) > _NEAR_SECONDS:
        return 2 * _LEFT_OUT + 1
    price = 0.0 if true.card == read.card else _UNREAD if read.card is None else _OTHER_CARD
    return price + (0.0 if true.seat == read.seat else _OTHER_SEAT)
