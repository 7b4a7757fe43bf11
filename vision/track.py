"""One card followed through time: where it is, since when it rests, what it is, and what was told of it."""

import enum
import math
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from vision.evidence import Evidence, Labels, distribution
from vision.facts import Kind, Point, Quad, Sighting

REST_TOLERANCE: Final = 0.07
"""Corners may wander by this share of the card's length while it counts as resting."""
DRIFT_TOLERANCE: Final = 0.16
"""From one look to the next the guessed outline of a card half under a hand may be put right by this much..."""
MOST_DRIFT: Final = 0.3
"""...and by this much in all, before the card counts as moved."""
HERE: Final = 0.4
"""Share of its length by which the middle of a card may wander and it is still at the same place."""
HERE_SECONDS: Final = 0.6
"""How long a card of a sure name must have been at one place to have been laid there, though its outline moved."""
HARDLY_MORE: Final = 0.7
"""Share of what was seen of a card before, at the same place, below which its outline is rather that of before."""
NAMED: Final = 0.8
"""Probability from which a name is sure."""
REST_LOOKS: Final = 2
HARDLY: Final = 0.5
"""Share of what was seen of a card at rest, in so many looks, below which a look shows what a hand leaves of it."""

REST_SIGHTINGS: Final = 3
"""Sightings in one place that make a card at rest."""
LEAST_ALIKE: Final = 3
"""Cards that must have gone the same way to tell that it was the camera."""
REST_SECONDS: Final = 0.3
"""How long a card must have stayed in one place to lie there."""
SURELY_CARD: Final = 1.2
"""Likeness from which a face counts that left before it could be looked at for long."""
SIDE_PATH: Final = 0.35
"""A way shorter than this many card lengths says nothing about the side."""


class Phase(enum.Enum):
    """The life of a track."""

    LOOSE = "loose"  # seen, but not (yet) lying on the table
    SETTLED = "settled"  # lies on the table
    GONE = "gone"  # was told to have left; kept a while to recognise it


class Track:
    """The state of one followed card; the tracker changes it, nobody else."""

    def __init__(self, number: int, sighting: Sighting, frame: int, t: float) -> None:
        self.number = number
        self.kind: Kind = sighting.kind
        self.phase = Phase.LOOSE
        self.evidence = Evidence()
        self.first_frame = self.last_frame = frame
        self.first_t = self.last_t = t
        self.first_centre = centre_of(sighting.quad)
        self.quad = sighting.quad
        self.home = sighting.quad
        """Where it lies, or lay before it was lifted; of meaning once it has settled."""
        self.sightings = 0
        self.velocity = (0.0, 0.0)
        self.confidence = 0.0
        self._likeness = 0.0
        self._likeness_looks = 0
        self.visible = sighting.visible
        self.rest_quad = self.rest_start = sighting.quad
        self.rest_t = t
        self.rest_frame = frame
        self.rest_count = 0
        self.rest_visible = sighting.visible
        self.missing_since: float | None = None
        self.missing_runs = 0
        self.free_seconds = 0.0
        self.hidden_t = t
        self.here, self.here_t = centre_of(sighting.quad), t
        self.here_quad, self.here_visible = sighting.quad, 0.0
        self.ready_t: float | None = None
        self.told_appeared = False
        self.told_covered = False
        self.told_labels: Labels = ()
        self.told_t = self.checked_t = t
        self.told_visible = 0.0
        self.gone_t = 0.0
        self.see(sighting, frame, t)

    @property
    def length(self) -> float:
        """Long side in pixels."""
        return long_side(self.quad)

    @property
    def likeness(self) -> float:
        """How much it looks like a card, 0..2: confidence of box and best name, mean of the looks at rest."""
        return self._likeness / max(self._likeness_looks, 1)

    @property
    def away(self) -> float:
        """Distance between where it is and where it lay, in card lengths."""
        return math.dist(centre_of(self.quad), centre_of(self.home)) / max(self.length, 1.0)

    @property
    def missing(self) -> bool:
        """Whether the last look at the table did not find it."""
        return self.missing_since is not None

    @property
    def left_t(self) -> float:
        """When it can have left at the earliest: last seen, or last hidden by a hand or another card."""
        return max(self.last_t, self.hidden_t)

    @property
    def lay_still(self) -> bool:
        """Whether a face that has not settled yet lay where it was last seen, surely a card: it rested, or has a name.

        One with a sure name need not have rested: the outline of a card that is being covered does not hold still.
        """
        if self.phase is not Phase.LOOSE or self.kind != "face" or self.likeness < SURELY_CARD:
            return False
        rested = self.rest_count >= REST_SIGHTINGS and self.last_t - self.rest_t >= REST_SECONDS - 1e-6
        return rested or (self.named and self.last_t - self.here_t >= HERE_SECONDS)

    @property
    def lay_at(self) -> Quad:
        """The outline at rest, or that of before, at the same place, where the card has been half covered since."""
        return self.here_quad if self.rest_visible < HARDLY_MORE * self.here_visible else self.rest_quad

    @property
    def named(self) -> bool:
        """Whether it is sure which card it is."""
        return self.evidence.top >= NAMED

    def rested(self, t: float) -> float:
        """For how long it has not moved, in seconds."""
        return t - self.rest_t

    def see(self, sighting: Sighting, frame: int, t: float) -> None:
        """Take in a sighting that is this card."""
        quad = aligned(sighting.quad, self.rest_quad)
        length = long_side(quad)
        step = farthest(quad, self.rest_quad)
        if self._is_hidden(sighting, quad, length):
            self._found(frame, t)
            return
        steady = self.sightings > 0 and step <= max(2.0, REST_TOLERANCE * length)
        drift = farthest(quad, aligned(self.rest_start, quad))
        resting = steady or (self.sightings > 0 and step <= DRIFT_TOLERANCE * length and drift <= MOST_DRIFT * length)
        if steady:
            self.rest_count += 1
            # A running mean steadies the outline; it follows slowly enough not to hide a slow slide.
            share = 1 / min(self.rest_count, 6)
            self.rest_quad = mixed(self.rest_quad, quad, share)
        elif resting:
            self.rest_quad = quad
            self.rest_count = 1 + min(self.rest_count, 1)
        else:
            self.rest_quad, self.rest_t, self.rest_frame, self.rest_count = quad, t, frame, 1
            self.rest_start = quad
        gap = t - self.last_t
        if self.sightings and gap > 0:
            old, new = centre_of(self.quad), centre_of(quad)
            self.velocity = (0.0, 0.0) if resting else ((new[0] - old[0]) / gap, (new[1] - old[1]) / gap)
        self.quad = self.rest_quad if resting else quad
        if math.dist(self.here, centre_of(quad)) > HERE * length:
            self.here, self.here_t, self.here_visible = centre_of(quad), t, 0.0
        if sighting.visible > self.here_visible:
            self.here_quad, self.here_visible = quad, sighting.visible
        self.sightings += 1
        self.confidence = sighting.confidence
        if not resting:
            self._likeness, self._likeness_looks = 0.0, 0
        self._likeness += sighting.confidence + (sighting.labels[0][1] if sighting.labels else 0.0)
        self._likeness_looks += 1
        self.rest_visible = max(self.rest_visible, sighting.visible) if resting else sighting.visible
        # Visible share is smoothed: a single look under a passing finger means little.
        self.visible = sighting.visible if self.rest_count <= 1 else 0.5 * (self.visible + sighting.visible)
        self.evidence.add(sighting, resting)
        self._found(frame, t)

    def _found(self, frame: int, t: float) -> None:
        """The look at ``t`` has found it."""
        self.last_frame, self.last_t = frame, t
        self.missing_since, self.missing_runs, self.free_seconds = None, 0, 0.0

    def _is_hidden(self, sighting: Sighting, quad: Quad, length: float) -> bool:
        """Whether a hand lies over a card that had come to rest: what is still seen of it has another outline.

        Where and what it is was seen better before; it has not moved as far as anybody can tell.
        """
        resting = self.phase is Phase.LOOSE and self.kind == "face" and self.rest_count >= REST_LOOKS
        hardly = sighting.visible < HARDLY * self.rest_visible
        return resting and hardly and math.dist(centre_of(quad), centre_of(self.rest_quad)) < HERE * length

    def stay(self, frame: int, t: float) -> None:
        """Nothing has changed since the last look: it lies where it lay."""
        self.rest_count += 1
        self.velocity = (0.0, 0.0)
        self.last_frame, self.last_t = frame, t

    def reappear(self, t: float) -> None:
        """It is taken to lie where it lay, at ``t``: nobody has looked since."""
        self.last_t = self.hidden_t = t
        self.velocity = (0.0, 0.0)
        self.missing_since, self.missing_runs, self.free_seconds = None, 0, 0.0

    def miss(self, t: float) -> None:
        """A look at the table did not find it."""
        if self.missing_since is None:
            self.missing_since = t
        self.missing_runs += 1

    def predicted(self, t: float) -> Point:
        """Where its middle should be by now; no farther ahead than a quarter of a second."""
        ahead = min(max(t - self.last_t, 0.0), 0.25)
        x, y = centre_of(self.quad)
        return x + ahead * self.velocity[0], y + ahead * self.velocity[1]

    def came_from(self) -> str | None:
        """The side of the picture from which it came to where it rests, where its way was seen."""
        return side_of(centre_of(self.rest_quad), self.first_centre, self.length)

    def went_to(self) -> str | None:
        """The side of the picture to which it left from where it lay, where its way was seen."""
        return side_of(centre_of(self.home), centre_of(self.quad), self.length)


def side_of(start: Point, end: Point, length: float) -> str | None:
    """The side of the picture that the way from ``start`` to ``end`` points to, None for a short way."""
    east, south = end[0] - start[0], end[1] - start[1]
    if math.hypot(east, south) < SIDE_PATH * length:
        return None
    if abs(east) > abs(south):
        return "east" if east > 0 else "west"
    return "south" if south > 0 else "north"


def centre_of(quad: Quad) -> Point:
    """The middle of the four corners."""
    return sum(p[0] for p in quad) / 4, sum(p[1] for p in quad) / 4


def long_side(quad: Quad) -> float:
    """Mean length of the two long sides."""
    return (math.dist(quad[1], quad[2]) + math.dist(quad[3], quad[0])) / 2


def farthest(first: Quad, second: Quad) -> float:
    """The largest distance between two corners of the same number."""
    return max(math.dist(a, b) for a, b in zip(first, second, strict=True))


def aligned(quad: Quad, like: Quad) -> Quad:
    """The quad with its corners numbered from the end that fits ``like`` better: a card has no upper end."""
    turned = (quad[2], quad[3], quad[0], quad[1])
    return turned if farthest(turned, like) < farthest(quad, like) else quad


def mixed(first: Quad, second: Quad, share: float) -> Quad:
    """The quad that lies ``share`` of the way from the first to the second."""
    points = [(a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])) for a, b in zip(first, second, strict=True)]
    return cast("Quad", tuple(points))


def array_of(quads: list[Quad]) -> NDArray[np.float64]:
    """Quads as an array (N, 4, 2)."""
    return np.array(quads, np.float64).reshape(-1, 4, 2)


def look_of(sighting: Sighting) -> NDArray[np.float64]:
    """The (48,) distribution over labels that a sighting stands for."""
    return distribution(sighting.labels)


def step(start: Quad, end: Quad) -> Point:
    """The way from the middle of one quad to that of the other."""
    a, b = centre_of(start), centre_of(end)
    return b[0] - a[0], b[1] - a[1]


def common_step(lying: list[Track]) -> tuple[Point, float] | None:
    """The way, in pixels and in card lengths, that cards went from where they lay, where nearly all went the same.

    None for fewer than three cards, and where they have stayed.
    """
    if len(lying) < LEAST_ALIKE:
        return None
    steps = np.array([step(track.home, track.rest_quad) for track in lying])
    length = float(np.median([track.length for track in lying]))
    middle = np.median(steps, axis=0)
    alike = np.linalg.norm(steps - middle, axis=1) <= 0.12 * length
    way = float(np.linalg.norm(middle)) / length
    if way < 0.06 or alike.mean() < 0.75:
        return None
    return (float(middle[0]), float(middle[1])), way


def is_same_card(first: Track, second: Track) -> bool:
    """Whether two tracks are surely one card, by its face."""
    if min(first.evidence.top, second.evidence.top) < 0.6:
        return False
    return first.evidence.agreement(second.evidence.probs) >= 0.5
