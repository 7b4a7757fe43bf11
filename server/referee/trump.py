"""The face-up card beside the stock: which face it is, when it was exchanged, when it was taken.

The trump is the face that lies by the pile of backs, came first and stays where others are gathered.
"""

import math
from dataclasses import dataclass
from typing import Final

from engine.cards import Card
from engine.rules import Rules
from server.referee.faces import Face
from server.referee.readings import Floats
from server.referee.zones import Spot

TRUMP_PLACE: Final = 0.5
"""Card lengths from the first face-up card within which another face takes its place."""

ENOUGH: Final = 2.0
"""Points of likeness from which a face alone on the table is taken for the face-up card."""

BARELY: Final = 0.8
"""The same where other faces lie there too, so that one of them must be it."""


AT_STOCK: Final = 1.3
"""Card lengths from a back within which a face lies by the stock."""

LATE_SHARE: Final = 0.25
"""Chance of being a card to exchange with from which a face by the stock is one even when everybody has drawn."""

WELL_SEEN: Final = 0.6
"""Share of a face that is seen from which it is no pattern; the trump card is half covered by the stock at most."""

UNNAMED: Final = 0.5
"""Belief in the likeliest card up to which a face has not been named..."""

NAMED: Final = 0.9
"""...and from which one is named surely."""

STAYED: Final = 2
"""Gatherings through which a face stays that no player laid; a card may be forgotten once."""

SOONER: Final = 0.5
"""Seconds by which another face must have come to rest sooner to be the face-up card before this one."""

EXCHANGE_PRIOR: Final = 0.1
"""Chance that a face found anew in the place of the face-up card is there by an exchange."""


@dataclass(frozen=True, slots=True)
class TrumpPhase:
    """One face-up card: the faces that showed it, the belief, since when, and the plays that had fallen before."""

    faces: tuple[int, ...]
    shares: Floats
    t: float
    plays_before: int


@dataclass(frozen=True, slots=True)
class TrumpStory:
    """The face-up cards of a hand in order, the faces that belong to them, when the last one left the table."""

    phases: tuple[TrumpPhase, ...]
    faces: frozenset[int]
    gone: float | None

    @property
    def place_of(self) -> int | None:
        """The uid of the face that marks the place."""
        return self.phases[0].faces[0] if self.phases else None


def likeness(face: Face, faces: list[Face], backs: list[Spot]) -> float:
    """How much a face looks like the face-up card, in points: by the stock, first, half covered, staying."""
    if face.spot is None or face.banned or face.must:
        return -9.0
    points = 0.0
    if backs:
        nearest = min(face.spot.distance(back) for back in backs)
        points += 3.0 * math.exp(-((nearest / 0.9) ** 2))
    if face is faces[0]:
        points += 1.2
    if any(_was_there(other, face, backs) for other in faces if other is not face):
        points -= 3.0
    if any(visible < 0.85 for _, visible in face.readings.values()):
        points += 0.6
    width, height = face.spot.size
    off = math.hypot(face.spot.middle[0] - width / 2.0, face.spot.middle[1] - height / 2.0) / face.spot.length
    points += 0.4 * min(off, 2.0)
    if face.gone is not None and face.how == "swept":
        points -= 4.0
    return points + 2.5 * min(outlived(face, faces), 3)


def outlived(face: Face, faces: list[Face]) -> int:
    """How many gatherings of other faces a face has stayed through, from before the first of their cards left."""
    return len(
        {
            other.group
            for other in faces
            if other is not face
            and other.how == "swept"
            and other.gone is not None
            and face.t < other.gone
            and (face.gone is None or face.gone > other.gone + 0.5)
        }
    )


def best_look(face: Face) -> float:
    """Belief of the looks themselves in the likeliest label; not scaled up to the cards of the deck."""
    return max((share for labels, _ in face.readings.values() for _, share in labels[:1]), default=0.0)


def is_pattern(face: Face, faces: list[Face]) -> bool:
    """Whether a face is something printed, such as the back on a pile: never named, it stays while tricks are gathered.

    The face-up card may be so too; it is to be known before.
    """
    return not (face.must or face.card is not None) and best_look(face) < UNNAMED and outlived(face, faces) >= STAYED


def _was_there(other: Face, face: Face, backs: list[Spot]) -> bool:
    """Whether ``other`` lay by the stock, well seen, when ``face`` came, and went on lying there."""
    if other.spot is None or other.banned or other.must or other.t > face.t - SOONER:
        return False
    if other.gone is not None and (other.how == "swept" or other.gone < face.t + 1.0):
        return False
    seen = max((visible for _, visible in other.readings.values()), default=0.0)
    return seen >= WELL_SEEN and lies_by(other.spot, backs)


def stock_as_face(faces: list[Face], backs: list[Spot]) -> Face | None:
    """The face that is the back on top of the stock, taken for one: printed backs look like that at times.

    It is the first to lie there and can never be named, no back is by it, and the face-up card beside it, which came
    next and is named surely, is not gathered as a trick (the last draw may look so, later).
    """
    if len(faces) < 2:
        return None
    first, up = sorted(faces, key=lambda face: face.t)[:2]
    if first.spot is None or up.spot is None or first.must or up.must or lies_by(first.spot, backs):
        return None
    if any(face.gone is not None and face.how == "swept" and not outlived(face, faces) for face in (first, up)):
        return None
    return first if best_look(first) < UNNAMED and best_look(up) >= NAMED and lies_by(up.spot, [first.spot]) else None


def choose(faces: list[Face], backs: list[Spot], *, need_back: bool = False) -> Face | None:
    """The face-up card among the faces of a hand, or None where nothing looks like it yet.

    ``need_back`` demands a pile of backs close by, as after a hand, when faces are turned over for counting.
    """
    early = faces if need_back else faces[:8]
    best: Face | None = None
    best_points = -9.0
    for face in early:
        if need_back and not (face.spot is not None and lies_by(face.spot, backs)):
            continue
        points = likeness(face, faces, backs)
        if points > best_points + 1e-9:
            best, best_points = face, points
    enough = ENOUGH if len(faces) < 2 else BARELY
    return best if best is not None and best_points >= enough else None


def lies_by(where: Spot, backs: list[Spot]) -> bool:
    """Whether a place is by one of these backs, as that of the face-up card is by the stock."""
    return any(where.distance(back) < AT_STOCK for back in backs)


def trump_story(rules: Rules, faces: list[Face], first: Face | None) -> TrumpStory:
    """What became of the face-up card: later faces in its place repeat it or exchange it."""
    if first is None or first.spot is None:
        return TrumpStory((), frozenset(), None)
    cards = rules.cards
    phases = [TrumpPhase((first.uid,), first.shares(cards), first.t, 0)]
    last = first
    members = {first.uid}
    plays = 0
    stock_plays = rules.draw_rounds * rules.plays_per_trick
    for face in faces:
        if face.uid == first.uid or face.spot is None or face.banned:
            continue
        if face.must or face.t < first.t or face.spot.distance(first.spot) > TRUMP_PLACE:
            plays += not face.banned
            continue
        shares = face.shares(cards)
        match = float(shares @ phases[-1].shares)
        fitting = _exchange_share(rules, cards, shares, phases[-1].shares)
        # The cards of the last round of draws have fallen: what comes now is played, unless the stock lies there still.
        late = face.by_stock and face.how != "swept" and fitting >= LATE_SHARE
        if plays > stock_plays or (plays == stock_plays and match < 0.3 and last.gone is not None and not late):
            plays += 1
            continue
        exchanged = EXCHANGE_PRIOR * fitting > match
        if not exchanged and match < 0.05 and (last.gone is None or last.gone > face.t + 1.0):
            plays += 1  # the face-up card lies there still: this one was laid close to it
            continue
        if exchanged:
            phases.append(TrumpPhase((face.uid,), shares, face.t, plays))
        else:
            joint = phases[-1].shares * shares
            joint = joint / joint.sum() if joint.sum() > 0 else shares
            phases[-1] = TrumpPhase((*phases[-1].faces, face.uid), joint, phases[-1].t, phases[-1].plays_before)
        members.add(face.uid)
        last = face
    here = [face for face in faces if face.uid in phases[-1].faces]
    gone = None if any(face.gone is None for face in here) else max(face.gone or 0.0 for face in here)
    return TrumpStory(tuple(phases), frozenset(members), gone)


def _exchange_share(rules: Rules, cards: tuple[Card, ...], now: Floats, before: Floats) -> float:
    """Chance of the reading if the new face is a card that may be laid in exchange for the one before."""
    suits: dict[str, float] = {}
    for column, card in enumerate(cards):
        suits[card.suit] = suits.get(card.suit, 0.0) + float(before[column])
    return sum(
        float(now[column]) * suits[card.suit] for column, card in enumerate(cards) if card.rank in rules.exchange_takes
    )
