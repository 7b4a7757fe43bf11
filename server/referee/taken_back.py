"""Cards that somebody laid and took back into the hand: a face that was no play, beside a play of the same seat.

Such a card is told only where everything speaks for it: it was read, it lay there for a while and left alone, and both
its place and the arm name a seat whose own card lay there at the same time. That it was really a card of that hand is
proven when the seat plays it later on; until then it may have been something else.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from server.referee.decoder import Decoding
from server.referee.tricks import Arrangement, FaceEvidence

LAIN_SECONDS: Final = 0.6
"""So long it lay there at the least."""

READ: Final = 0.9
"""Belief in its card at the least."""

SEAT_MARGIN: Final = 3.0
"""Nats by which its place and the arm must speak for one seat against every other."""

UNPROVEN: Final = 0.7
"""Confidence while the card has not been played by that seat."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The face ``uid`` showed card ``card`` (a column of the deck); ``seat`` took it back at ``t``.

    ``after`` is the play that it follows in the story: the trick (from 0) and the place in it.
    """

    uid: int
    seat: int
    card: int
    t: float
    confidence: float
    after: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Play:
    place: tuple[int, int]
    seat: int
    card: int
    share: float
    face: FaceEvidence


def taken_back(arrangement: Arrangement, decoding: Decoding, seen: Mapping[int, FaceEvidence]) -> tuple[TakenBack, ...]:
    """The cards that were taken back, in order of time, out of the faces that ``arrangement`` holds to be no plays."""
    plays = _plays(arrangement, decoding, seen)
    found = [told for uid in arrangement.others if (told := _told(seen[uid], plays, decoding)) is not None]
    return tuple(sorted(found, key=lambda one: (one.t, one.uid)))


def _plays(arrangement: Arrangement, decoding: Decoding, seen: Mapping[int, FaceEvidence]) -> list[_Play]:
    plays: list[_Play] = []
    row = 0
    for number, slots in enumerate(arrangement.tricks):
        for position, slot in enumerate(slots):
            if slot.uid is not None:
                card = int(decoding.shares[row].argmax())
                share = min(float(decoding.shares[row][card]), decoding.seat_share[row])
                seat = decoding.seats[number][position]
                plays.append(_Play((number, position), seat, card, share, seen[slot.uid]))
            row += 1
    return plays


def _told(face: FaceEvidence, plays: list[_Play], decoding: Decoding) -> TakenBack | None:
    gone = face.gone
    if gone is None or face.how != "vanished" or gone - face.t < LAIN_SECONDS:
        return None
    card = int(face.shares.argmax())
    ranking = np.argsort(-np.array(face.places), kind="stable").tolist()
    if face.shares[card] < READ or face.places[ranking[0]] - face.places[ranking[1]] < SEAT_MARGIN:
        return None
    seat = int(ranking[0])
    before = [play for play in plays if play.face.t <= gone]
    beside = [play for play in before if play.seat == seat and (play.face.gone is None or play.face.gone > gone)]
    known = {play.card for play in before} | {up for up, _ in decoding.trumps}
    # The same card seen twice is one card; what shows a card that is out already was misread.
    if not beside or card in known:
        return None
    number = beside[-1].place[0]
    after = max(play.place for play in before if play.place[0] == number)
    later = [play for play in plays if play.face.t > gone and play.card == card and play.seat == seat]
    confidence = min(float(face.shares[card]), later[0].share) if later else UNPROVEN
    return TakenBack(face.uid, seat, card, gone, confidence, after)
