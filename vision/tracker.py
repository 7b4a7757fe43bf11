"""From observations to facts about the table. Pure: no clock, no picture, only the rounded numbers of observations.

A card *settles* when its outline rests on the table; it *vanishes* only when its place was seen free, never because a
hand hides it. Faces that leave together are *swept*. All times are those of the observations.
"""

from typing import Final

import numpy as np

from vision.arms import Arms, is_quiet
from vision.evidence import Labels, claim, shortlist
from vision.facts import EventKind, Observation, Quad, Sighting, TableEvent
from vision.geometry import LEAST_CARDS, TableGeometry
from vision.leaving import (
    FREE_SECONDS,
    LIFTED,
    LIFTED_SECONDS,
    SWEEP_SECONDS,
    Departures,
    absent,
    is_covered,
    is_due,
    lay_unnamed,
    swept_to,
)
from vision.lying import is_flat, is_in_fan, is_known, is_roughly_size, is_whole, is_whole_size
from vision.matching import match
from vision.overlap import areas, iou_matrix, overlap_matrix
from vision.track import (
    REST_SECONDS,
    REST_SIGHTINGS,
    Phase,
    Track,
    array_of,
    centre_of,
    common_step,
    is_same_card,
    mixed,
    side_of,
    step,
)

DOUBT_SECONDS: Final = 0.8
"""A card that rests but is not read for sure is looked at this long before it is told."""
UNTOUCHED_SECONDS: Final = 0.5
"""A card that no hand touches lies on the table after this long, whatever size the plane asks of it."""
COVERED_START_SECONDS: Final = 1.5
COVERED_SECONDS: Final = 1.5
"""A card is told to be covered when it has been so for this long; what is laid in its place is known by then."""
HOLD_SECONDS: Final = 1.2
"""How long a card that rests waits for the fate of the cards that are out of sight, to keep the order of things."""
FORGET_SECONDS: Final = 0.6
REVIVE_SECONDS: Final = 4.0
MOVED: Final = 0.2
SAME_PLACE_IOU: Final = 0.5
NEW_CONFIDENCE: Final = 0.35
LIKELY_CONFIDENCE: Final = 0.6
CARDLIKE: Final = 0.95
"""Likeness from which a face counts. Flowers of a tablecloth come to 0.6, cards at rest to 1.0 or more (mostly 1.7)."""
READ_SECONDS: Final = 0.5
LATE_SECONDS: Final = 1.0
"""So long after it came to its place a card is told as late: what was laid meanwhile came after it."""
CROSSED: Final = 0.1
"""Share of a card that may cross others for its outline to calibrate the camera; the last card laid lies on top."""


class TableTracker:
    """Follows the cards of one source. :meth:`update` takes the observations in order and returns what is new."""

    def __init__(self) -> None:
        self._tracks: list[Track] = []
        self._gone: list[Track] = []
        self._next_track = 1
        self._next_event = 1
        self._frame = 0
        self._t = 0.0
        self._quiet = True
        self._departures = Departures()
        self._geometry: TableGeometry | None = None
        self._arms = Arms()
        self._events: list[TableEvent] = []

    @property
    def geometry(self) -> TableGeometry | None:
        """What the cards tell about the camera; None before the first observation."""
        return self._geometry

    @property
    def on_table(self) -> tuple[tuple[int, Quad, Labels], ...]:
        """The cards that lie on the table: track, outline in pixels, and what is known of the face (() for backs)."""
        return tuple(
            (track.number, track.home, self._labels(track)) for track in self._tracks if track.phase is Phase.SETTLED
        )

    def update(self, observation: Observation) -> list[TableEvent]:
        """Take in the next observation and return the facts that have become sure with it, in order."""
        self._events = []
        if self._geometry is None or self._geometry.size != observation.size:
            self._geometry = TableGeometry(observation.size)
        passed = max(0.0, observation.t - self._t)
        self._frame, self._t = observation.frame, observation.t
        self._quiet = is_quiet(observation)
        if observation.sightings is not None:
            self._look(observation.sightings)
        elif self._quiet:
            for track in self._tracks:
                if not track.missing:
                    track.stay(self._frame, self._t)
        else:
            self._arms.watch(observation)
            return []
        self._arms.watch(observation)
        for track in self._tracks:
            if track.missing and self._arms.is_in_view(track.home):
                track.free_seconds += passed
            elif track.missing:
                track.hidden_t = self._t
        self._follow_camera()
        self._drop_loose()
        self._depart(self._departures.due(self._tracks, self._t, clear=self._arms.known or self._quiet))
        self._settle()
        self._report()
        return self._events

    def finish(self) -> list[TableEvent]:
        """The source has ended: tell of the cards that are out of sight that they have left."""
        self._events = []
        self._depart([track for track in absent(self._tracks) if self._t - track.last_t >= LIFTED_SECONDS])
        return self._events

    def resume(self, t: float) -> None:
        """The source is back at ``t`` after a break: what lay on the table is taken to have lain there until now.

        So the next looks judge it as at any other time: it lies there, was moved, or has left.
        """
        self._tracks = [track for track in self._tracks if track.phase is Phase.SETTLED]
        for track in self._tracks:
            track.reappear(t)
        self._gone.clear()
        self._arms = Arms()
        self._departures = Departures()
        self._t = t

    # Looking

    def _look(self, sightings: tuple[Sighting, ...]) -> None:
        matches = match(self._tracks, sightings, self._t)
        for row, column in matches.pairs:
            self._tracks[row].see(sightings[column], self._frame, self._t)
        for row in matches.tracks:
            self._tracks[row].miss(self._t)
        for column in matches.sightings:
            if sightings[column].confidence >= NEW_CONFIDENCE:
                self._tracks.append(Track(self._next_track, sightings[column], self._frame, self._t))
                self._next_track += 1

    def _follow_camera(self) -> None:
        """When everything on the table seems to have moved alike, it was the camera: nothing is told."""
        lying = [t for t in self._tracks if t.phase is Phase.SETTLED and not t.missing and t.rest_count >= 3]
        way = common_step(lying)
        if way is None:
            return
        (east, south), lengths = way
        for track in self._tracks:
            if track in lying:
                track.home = track.rest_quad
            elif track.phase is Phase.SETTLED:
                a, b, c, d = ((x + east, y + south) for x, y in track.home)
                track.home = (a, b, c, d)
        assert self._geometry is not None
        if lengths > 0.5:
            self._geometry.reset()

    def _drop_loose(self) -> None:
        for track in list(self._tracks):
            if track.phase is not Phase.LOOSE or not track.missing:
                continue
            unseen = self._t - track.last_t
            if track.lay_still and any(other.kind == "face" for other in absent(self._tracks)):
                continue  # it may have been gathered with those: that is decided together
            if unseen >= FORGET_SECONDS or (self._quiet and track.missing_runs >= 2 and unseen >= FREE_SECONDS):
                self._tracks.remove(track)

    # Leaving

    def _depart(self, tracks: list[Track]) -> None:
        """Tell that these cards have left: faces that left within a short time were swept together."""
        for track in tracks:
            if track.kind == "back":
                self._leave(track)
                self._tell("vanished", track, side=track.went_to())
        faces = [track for track in tracks if track.kind == "face"]
        if faces:
            faces += self._lay_the_missed()
        faces.sort(key=lambda track: (track.left_t, track.number))
        while faces:
            together = [faces.pop(0)]
            while faces and faces[0].left_t - together[-1].left_t <= SWEEP_SECONDS:
                together.append(faces.pop(0))
            for track in together:
                self._leave(track)
            if len(together) == 1:
                self._tell("vanished", together[0], side=together[0].went_to())
            else:
                numbers = tuple(sorted(track.number for track in together))
                first = next(track for track in together if track.number == numbers[0])
                self._tell("swept", first, side=swept_to(together, self._arms), tracks=numbers)

    def _lay_the_missed(self) -> list[Track]:
        """Tell that cards were laid which lay still, could not be told yet, and left with those that leave now."""
        assert self._geometry is not None
        missed = lay_unnamed(self._tracks, self._geometry)
        for track in missed:
            track.rest_quad, track.ready_t = track.lay_at, self._t
            self._lay(track)
        return [track for track in missed if track in self._tracks]

    def _leave(self, track: Track) -> None:
        self._tracks.remove(track)
        track.phase = Phase.GONE
        track.gone_t = self._t
        self._gone = [old for old in self._gone if self._t - old.gone_t < REVIVE_SECONDS] + [track]

    # Coming

    def _settle(self) -> None:
        loose = [track for track in self._tracks if track.phase is Phase.LOOSE]
        ready = [track for track in loose if self._rests(track)]
        for track in loose:
            if track not in ready:
                track.ready_t = None
            elif track.ready_t is None:
                track.ready_t = self._t
        held: list[Track] = []
        for track in sorted(ready, key=lambda track: (track.rest_t, track.number)):
            if track.kind == "face" and not self._may_settle(track):
                held.append(track)
                continue
            for other in [other for other in held if self._may_settle(other)]:
                held.remove(other)  # what it waited for has been decided by this one: it came to rest before it
                self._lay(other)
            self._lay(track)

    def _rests(self, track: Track) -> bool:
        """Whether a loose card lies still on the table, seen well enough to say so."""
        if track.missing or track.rest_count < REST_SIGHTINGS or track.rested(self._t) < REST_SECONDS - 1e-6:
            return False
        assert self._geometry is not None
        lying = [other.home for other in self._tracks if other.phase is Phase.SETTLED]
        if not is_whole(track.rest_quad, self._geometry.size):
            return False
        if not is_flat(track.rest_quad, self._geometry, lying) and not self._lies_untouched(track):
            return False
        if track.kind == "back":
            return True
        if track.evidence.top < 0.6 and track.rested(self._t) < DOUBT_SECONDS - 1e-6:
            return False
        if track.evidence.top < 0.5 and track.confidence < LIKELY_CONFIDENCE:
            return False  # neither surely a card nor any card in particular
        if track.likeness < CARDLIKE:
            return False  # a pattern that one look or another takes for a card
        if track.visible < 0.2 and track.rested(self._t) < COVERED_START_SECONDS:
            return False
        faces = [o.quad for o in self._tracks if o is not track and o.kind == "face" and not o.missing]
        return not is_in_fan(track.rest_quad, faces, self._geometry.size)

    def _lies_untouched(self, track: Track) -> bool:
        """Whether a card is plainly read and nobody can be holding it: it lies there, and what is wrong is the plane.

        A plane that rests on few cards near each other is far off elsewhere; such a card puts it right.
        """
        assert self._geometry is not None
        if track.kind != "face" or not track.named or track.rested(self._t) < UNTOUCHED_SECONDS:
            return False
        return self._arms.is_untouched(track.rest_quad) and is_roughly_size(track.rest_quad, self._geometry)

    def _may_settle(self, track: Track) -> bool:
        """Settle the fate of the cards out of sight first: what left before this one came is told before it."""
        missed = [other for other in absent(self._tracks) if other.kind == "face"]
        if any(is_same_card(track, other) for other in missed):
            return True  # it is one of them, come to rest elsewhere
        replaced = [
            other
            for other in self._tracks
            if other.phase is Phase.SETTLED
            and other.kind == "face"
            and other.missing
            and float(iou_matrix(array_of([track.rest_quad]), array_of([other.home]))[0, 0]) >= SAME_PLACE_IOU
        ]
        undecided = [other for other in missed if other not in replaced and not is_due(other, self._t)]
        if undecided and track.rested(self._t) < HOLD_SECONDS:
            return False
        late = [other for other in missed if other not in undecided or self._t - other.last_t >= HOLD_SECONDS]
        self._depart(late + [other for other in replaced if other not in late])
        return True

    def _lay(self, track: Track) -> None:
        """A loose card has come to rest: it is new, or one that lay elsewhere, or one that was given up too early."""
        if track.kind == "face":
            for other in absent(self._tracks):
                if other.kind == "face" and is_same_card(track, other):
                    self._take_over(track, other)
                    self._tell("moved", track, side=side_of(centre_of(other.home), centre_of(track.home), track.length))
                    return
            for old in self._gone:
                near = float(iou_matrix(array_of([track.rest_quad]), array_of([old.home]))[0, 0])
                recent = self._t - old.gone_t < REVIVE_SECONDS
                if old.kind == "face" and recent and near >= 0.6 and is_same_card(track, old):
                    self._gone.remove(old)
                    track.number = old.number
                    break
        track.phase = Phase.SETTLED
        track.home = track.rest_quad
        self._learn_plane(track)
        self._tell("settled", track, side=self._side_of_play(track))

    def _side_of_play(self, track: Track) -> str | None:
        """The side from which a card was laid: where the arm came in, else where the card came from."""
        if side := self._arms.side(min(track.first_t, track.rest_t - 0.7)):
            return side
        return track.came_from()

    def _take_over(self, track: Track, other: Track) -> None:
        self._tracks.remove(other)
        track.number = other.number
        track.phase = Phase.SETTLED
        track.home = track.rest_quad
        track.told_appeared = True

    def _learn_plane(self, track: Track) -> None:
        assert self._geometry is not None
        if track.kind != "face" or track.visible < 0.85:
            return
        plane = self._geometry.plane
        odd = plane is not None and is_known(plane) and not is_whole_size(track.home, plane)
        if odd and not self._lies_untouched(track):
            return
        others = [other.quad for other in self._tracks if other is not track and not other.missing]
        own = array_of([track.home])
        if not others or float(overlap_matrix(own, array_of(others)).sum()) <= CROSSED * float(areas(own)[0]):
            self._geometry.add(_rounded(track.home))

    def _since(self, track: Track) -> float | None:
        """When a face had come to where it has settled, if long ago: its outline has only now become that of a card.

        One that merely waited for the fate of others is told with them.
        """
        waited = track.ready_t is None or self._t - track.ready_t > 0.1
        late = self._t - track.here_t >= LATE_SECONDS
        return round(track.here_t, 3) if track.kind == "face" and late and not waited else None

    # Telling

    def _report(self) -> None:
        """First sights, moves, covers and better reads."""
        for track in self._tracks:
            if track.phase is Phase.LOOSE:
                if not track.told_appeared and track.sightings >= 2 and not track.missing:
                    track.told_appeared = True
                    self._tell("appeared", track, side=track.came_from())
                continue
            if track.missing:
                if track.away <= LIFTED and is_covered(track, self._tracks):
                    track.hidden_t = self._t
                    if track.kind == "face" and not track.told_covered and self._t - track.last_t >= COVERED_SECONDS:
                        track.told_covered = True
                        self._tell("covered", track)
                continue
            if track.told_covered:
                track.told_covered = False
                self._tell("uncovered", track)
            if self._has_moved(track):
                before = centre_of(track.home)
                track.home = track.rest_quad
                self._tell("moved", track, side=side_of(before, centre_of(track.home), track.length))
            elif track.kind == "face" and self._reads_anew(track):
                self._tell("read", track)

    def _has_moved(self, track: Track) -> bool:
        if track.rest_count < REST_SIGHTINGS or track.rested(self._t) < REST_SECONDS - 1e-6:
            return False
        share = float(np.hypot(*step(track.home, track.rest_quad))) / max(track.length, 1.0)
        # The outline of a half-hidden card is guessed: only a wide step of it is believed.
        least = MOVED if track.kind == "face" and track.visible >= 0.5 else 0.5
        assert self._geometry is not None
        if share > least and is_whole(track.rest_quad, self._geometry.size):
            return True
        if share <= 0.1:
            track.home = mixed(track.home, track.rest_quad, 0.05)
        return False

    def _reads_anew(self, track: Track) -> bool:
        if self._t - max(track.told_t, track.checked_t) < READ_SECONDS or not track.told_labels:
            return False
        track.checked_t = self._t
        labels = self._labels(track)
        before, after = track.told_labels[0], labels[0]
        if before[0] != after[0]:
            return True
        better_seen = track.visible - track.told_visible >= 0.25
        return abs(after[1] - before[1]) >= (0.05 if better_seen else 0.15)

    def _labels(self, track: Track) -> Labels:
        """The evidence for a face, with each label given to the surest of the cards on the table."""
        if track.kind == "back" or (not track.evidence.looks and track.evidence.top < 0.05):
            return ()
        rivals = [t for t in self._tracks if t.kind == "face" and t.phase is Phase.SETTLED and t is not track]
        before = [rival.evidence.probs for rival in rivals if rival.number < track.number]
        after = [rival.evidence.probs for rival in rivals if rival.number > track.number]
        return shortlist(claim(track.evidence.probs, before, after))

    def _tell(self, kind: EventKind, track: Track, *, side: str | None = None, tracks: tuple[int, ...] = ()) -> None:
        assert self._geometry is not None
        labels = self._labels(track)
        track.told_labels, track.told_t, track.told_visible = labels, self._t, track.visible
        quad = _rounded(track.home if track.phase is not Phase.LOOSE else track.quad)
        width, height = self._geometry.size
        x, y = centre_of(quad)
        plane = self._geometry.plane
        first = track.last_frame if kind in ("vanished", "swept", "covered") else track.rest_frame
        event = TableEvent(
            id=self._next_event,
            t=round(self._t, 3),
            kind=kind,
            track=track.number,
            face=track.kind,
            labels=labels,
            quad=quad,
            centre=(round(x / width, 4), round(y / height, 4)),
            visible=round(track.visible, 3),
            frames=(first, self._frame),
            quad_mm=plane.quad(quad) if plane is not None and plane.cards >= LEAST_CARDS else None,
            side=side,
            tracks=tracks,
            since=self._since(track) if kind == "settled" else None,
        )
        self._next_event += 1
        self._events.append(event)


def _rounded(quad: Quad) -> Quad:
    a, b, c, d = ((round(x, 1), round(y, 1)) for x, y in quad)
    return a, b, c, d
