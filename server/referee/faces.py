"""The faces seen in one hand: one record per card that came to rest, however often the camera lost and found it.

A record gathers what several tracks told about one card: tracking breaks off behind a hand, under another card, in
glare. Two sightings are one card where they show the same face while the first is out of sight, or lie in one place.
"""

import pickle
import zlib
from dataclasses import dataclass, field, replace
from typing import Final

from engine.cards import Card
from server.referee.readings import Floats, Labels, belief, joined
from server.referee.zones import Spot
from vision.facts import TableEvent

SAME_PLACE: Final = 0.3
"""Card lengths within which two middles are one place."""

NEAR: Final = 0.5
"""The same where a card of the open trick was lost a moment ago: its box is less exact behind a hand."""

SAME_FACE: Final = 0.35
"""How well two beliefs must agree (chance that both mean one card) to be one face."""

SURELY_SAME: Final = 0.7
"""The same where the place does not speak for it."""

AGAIN_SECONDS: Final = 5.0
"""A card of a full trick that left the table is found again at most so long after."""

LEGIBLE: Final = 0.25
"""Belief in the likeliest card from which something lying there counts as a face; clutter reads as nothing."""

HIDDEN: Final = 0.3
LEGIBLE_HIDDEN: Final = 0.5
"""The same where the reader saw less than ``HIDDEN`` of a face: a back with a pattern is taken for one at times."""

FLIP_SECONDS: Final = 1.5
"""A face found in the same place so soon after one was lost there is that one, whatever it reads."""

OTHER_CARD: Final = 0.9
"""Belief from which a reading shows that a face found again later than that is another card..."""

NOT_THE_OLD: Final = 0.02
"""...where what was known of the old one gives it no more than this."""


@dataclass(frozen=True, slots=True)
class Return:
    """What a face was like before another track was taken for it at ``t``: when and how it had left, and where to."""

    t: float
    gone: float
    how: str
    group: int | None
    swept_to: str | None
    spot: Spot | None


@dataclass(slots=True)
class Face:
    """One card that came to rest face up.

    ``readings`` maps each track to (labels, visible share); ``lying`` holds the tracks now on the table, ``returns``
    what it was like before a track was taken for it that came after it had left. ``gone`` is
    when the last of them left, ``how`` it left (swept, vanished), ``group`` the gathering that took it and
    ``swept_to`` the side it went to. ``by_stock``: backs lay beside it when it came to rest. ``card`` and ``seat`` are
    a person's word, ``trick`` too: that of a play that people put in, from 0 for the first that was watched. ``rank``
    orders faces of one moment.
    """

    uid: int
    t: float
    spot: Spot | None
    side: str | None = None
    readings: dict[int, tuple[Labels, float]] = field(default_factory=dict)
    lying: set[int] = field(default_factory=set)
    returns: dict[int, Return] = field(default_factory=dict)
    gone: float | None = None
    how: str = "vanished"
    group: int | None = None
    swept_to: str | None = None
    by_stock: bool = False
    card: Card | None = None
    seat: int | None = None
    trick: int | None = None
    must: bool = False
    banned: bool = False
    rank: float = 0.0
    _known: tuple[Card | None, tuple[tuple[Labels, float], ...], Floats] | None = None

    def shares(self, cards: tuple[Card, ...]) -> Floats:
        """Belief over the deck from all readings; a person's word outweighs everything. Not to be changed."""
        readings = tuple(self.readings.values())
        if self._known is not None and self._known[0] == self.card and self._known[1] == readings:
            return self._known[2]
        if self.card is not None and self.card in cards:
            shares = joined((), len(cards)) * 1e-9
            shares[cards.index(self.card)] = 1.0
        else:
            shares = self._seen(cards)
        self._known = (self.card, readings, shares)
        return shares

    def _seen(self, cards: tuple[Card, ...]) -> Floats:
        """Belief over the deck from the readings alone."""
        return joined((belief(cards, labels, visible) for labels, visible in self.readings.values()), len(cards))

    def is_renamed(self, cards: tuple[Card, ...]) -> bool:
        """Whether a person has said another card than the likeliest that was seen."""
        return self.card is not None and self.card != cards[int(self._seen(cards).argmax())]

    def forget_belief(self) -> None:
        """Let go of what :meth:`shares` has reckoned; it comes to the same when it is asked for again."""
        self._known = None

    def legible(self, cards: tuple[Card, ...]) -> bool:
        """Whether the readings say anything: what looks like a card and reads as none is taken for clutter."""
        if self.must or self.card is not None:
            return True
        # Not the belief: it is scaled up to the cards of the deck, so that a back read as 7, 8 or 9 becomes the 7.
        read = [share for labels, visible in self.readings.values() if visible < HIDDEN for _, share in labels[:1]]
        if len(read) == len(self.readings) and max(read, default=0.0) < LEGIBLE_HIDDEN:
            return False
        return float(self.shares(cards).max()) >= LEGIBLE

    def leave(self, track: int, t: float, how: str, group: int | None = None, side: str | None = None) -> None:
        """One track of the card is no longer on the table."""
        self.lying.discard(track)
        if not self.lying:
            self.gone, self.how, self.group = t, how, group
            self.swept_to = side or self.swept_to

    def rest(self, event: TableEvent, where: Spot) -> None:
        """The card lies on the table under ``event.track`` (again)."""
        self.lying.add(event.track)
        self.gone, self.group, self.how = None, None, "vanished"
        self.spot = where
        self.side = self.side or event.side
        self.read(event)

    def read(self, event: TableEvent) -> None:
        """New evidence of one track; it replaces that track's older one."""
        if event.labels:
            self.readings[event.track] = (event.labels, event.visible)


_Records = tuple[dict[int, Face], dict[int, int]]
"""Faces by uid, and the uid of each track."""


class Faces:
    """All faces of one hand in order of coming to rest."""

    def __init__(self, cards: tuple[Card, ...]) -> None:
        self._cards = cards
        self._open: _Records = ({}, {})
        self._packed: bytes | None = None
        self._next = 1

    def put_by(self) -> None:
        """Keep everything, but small: nobody is likely to ask for it again. Whoever asks takes it out by that."""
        if self._packed is None:
            for face in self._by_uid.values():
                face.forget_belief()
            self._packed = zlib.compress(pickle.dumps(self._open, pickle.HIGHEST_PROTOCOL))
            self._open = ({}, {})

    def _records(self) -> "_Records":
        if self._packed is not None:
            self._open, self._packed = pickle.loads(zlib.decompress(self._packed)), None
        return self._open

    @property
    def _by_uid(self) -> dict[int, Face]:
        return self._records()[0]

    @property
    def _of_track(self) -> dict[int, int]:
        return self._records()[1]

    def __len__(self) -> int:
        return len(self._by_uid)

    def __contains__(self, track: int) -> bool:
        return track in self._of_track

    def in_order(self) -> list[Face]:
        """Faces by the time they came to rest."""
        return sorted(self._by_uid.values(), key=lambda face: (face.t, face.rank, face.uid))

    def get(self, uid: int) -> Face:
        """The face with that uid; ``KeyError`` if there is none."""
        return self._by_uid[uid]

    def of_track(self, track: int) -> Face | None:
        """The face that a track belongs to."""
        uid = self._of_track.get(track)
        return None if uid is None else self._by_uid[uid]

    def add(self, face_t: float, where: Spot | None) -> Face:
        """A new face without readings, as a person puts it in."""
        face = Face(self._next, face_t, where, rank=float(self._next))
        self._by_uid[face.uid] = face
        self._next += 1
        return face

    def adopt(self, others: "Faces") -> tuple[int, ...]:
        """Take over copies of all faces of another hand, with their tracks; their uids here."""
        new: dict[int, int] = {}
        for face in others.in_order():
            mine = self.add(face.t, face.spot)
            self._by_uid[mine.uid] = replace(
                face,
                uid=mine.uid,
                rank=mine.rank,
                readings=dict(face.readings),
                lying=set(face.lying),
                returns=dict(face.returns),
            )
            new[face.uid] = mine.uid
        self._of_track.update({track: new[uid] for track, uid in others._of_track.items()})
        return tuple(new.values())

    def drop(self, uids: tuple[int, ...]) -> None:
        """Forget faces."""
        for uid in uids:
            self._by_uid.pop(uid, None)
        for track in [track for track, uid in self._of_track.items() if uid in uids]:
            del self._of_track[track]

    def settle(
        self, event: TableEvent, where: Spot, fixed: frozenset[int] = frozenset(), waiting: frozenset[int] = frozenset()
    ) -> Face:
        """A face has come to rest: the record of a card known already, or a new one.

        ``fixed`` are uids of the face-up card: they are only joined by what lies in their place and reads alike.
        ``waiting`` are those of a trick that is not full: nobody gathers them, so what is lost of them comes back.
        """
        known = self.of_track(event.track) or self._same(event, where, fixed, waiting)
        since = event.t if event.since is None else event.since
        if known is None:
            known = self.add(since, where)
        self._of_track[event.track] = known.uid
        if known.gone is not None and event.track not in known.readings:
            known.returns[event.track] = Return(event.t, known.gone, known.how, known.group, known.swept_to, known.spot)
        known.t = min(known.t, since)
        known.rest(event, where)
        return known

    def split(self, face: Face, event: TableEvent, where: Spot) -> Face:
        """Another card lies where ``face`` lay, although the track says it is the same: a record of its own."""
        face.lying.discard(event.track)
        face.leave(event.track, event.t, "vanished")
        new = self.add(event.t, where)
        self._of_track[event.track] = new.uid
        new.rest(event, where)
        return new

    def is_other(self, face: Face, event: TableEvent) -> bool:
        """Whether a track that was taken for a lost card, while it could not be read well, now shows another one."""
        back = face.returns.get(event.track)
        if back is None or back.t - back.gone < FLIP_SECONDS or face.lying != {event.track} or face.card is not None:
            return False
        old = joined(
            (belief(self._cards, *reading) for track, reading in face.readings.items() if track != event.track),
            len(self._cards),
        )
        new = belief(self._cards, event.labels, event.visible)
        top = int(new.argmax())
        return bool(new[top] >= OTHER_CARD and old.max() >= OTHER_CARD and old[top] < NOT_THE_OLD)

    def part(self, face: Face, event: TableEvent, where: Spot) -> Face:
        """Undo that ``event.track`` was taken for ``face``: that one is gone again, and here is a card of its own."""
        back = face.returns.pop(event.track)
        face.readings.pop(event.track, None)
        face.lying.discard(event.track)
        face.gone, face.how, face.group = back.gone, back.how, back.group
        face.swept_to, face.spot = back.swept_to, back.spot
        new = self.add(back.t, where)
        self._of_track[event.track] = new.uid
        new.rest(event, where)
        return new

    def _same(self, event: TableEvent, where: Spot, fixed: frozenset[int], waiting: frozenset[int]) -> Face | None:
        """The card of this hand that ``event`` shows again, if any."""
        mine = belief(self._cards, event.labels, event.visible)
        best: Face | None = None
        best_score = 0.0
        for face in self._by_uid.values():
            if face.spot is None or face.banned:
                continue
            distance = face.spot.distance(where)
            match = float(mine @ face.shares(self._cards))
            score = 0.0
            if face.lying:
                least = 0.15 if face.uid in fixed else 0.05 if face.uid in waiting else 0.75
                if distance < SAME_PLACE and match > least:
                    score = 2.0 + match  # found twice in one place
            elif face.uid in fixed:
                if distance < 2.0 * SAME_PLACE and match > SAME_FACE:
                    score = 1.0 + match
            elif face.uid in waiting:
                if distance < NEAR and match > 0.003 and self._just_lost(face, event):
                    score = 1.5 + match
                elif match > (SAME_FACE if distance < 1.0 else SURELY_SAME):
                    score = 1.0 + match
            elif match > SURELY_SAME and distance < 2.0 * SAME_PLACE and self._may_be_back(face, event):
                score = 1.0 + match
            if score > best_score:
                best, best_score = face, score
        return best

    def _just_lost(self, face: Face, event: TableEvent) -> bool:
        """Whether the card was lost a moment ago."""
        return face.how == "vanished" and 0.0 <= self._since(face, event) < FLIP_SECONDS

    def _may_be_back(self, face: Face, event: TableEvent) -> bool:
        """Whether a card of a full trick was lost rather than gathered."""
        return face.how == "vanished" and 0.0 <= self._since(face, event) < AGAIN_SECONDS

    @staticmethod
    def _since(face: Face, event: TableEvent) -> float:
        return event.t - (face.gone if face.gone is not None else event.t)
