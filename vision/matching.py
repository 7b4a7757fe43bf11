"""Which sighting is which card: by its place while it lies, by its way while it moves, and by its face."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.evidence import conflict
from vision.facts import Sighting
from vision.overlap import iou_matrix
from vision.track import NAMED, Phase, Track, array_of, centre_of, long_side, look_of

LEAST_SCORE: Final = 0.15
SAME_PLACE_IOU: Final = 0.3
SAME_PLACE_REACH: Final = 0.25
LOOSE_REACH: Final = 0.4
"""Card lengths that a moving card may be off its predicted place, plus :data:`LOOSE_SPEED` per second unseen."""
LOOSE_SPEED: Final = 5.0
LONGEST_REACH: Final = 1.6
FACE_REACH: Final = 3.0
"""Card lengths within which a card that was lost is known again by its face alone."""
CLASH: Final = 0.45
GAP_SECONDS: Final = 0.25
HIDDEN_SECONDS: Final = 0.45
"""Out of sight for so long, a card may have been replaced by another."""
OTHER_IOU: Final = 0.5
"""An outline that shares less with the last one may be another card's at once."""

SURELY_OTHER: Final = 0.85
"""A clash of two sure names; with :data:`SHIFTED` another card lies almost exactly where the first one does."""
SHIFTED: Final = 0.06
"""Card lengths by which a card laid on another is off its place at least; one that lies still is not."""


@dataclass(frozen=True, slots=True)
class Matches:
    """``pairs`` of (track index, sighting index), best first; what is left over on both sides, ascending."""

    pairs: tuple[tuple[int, int], ...]
    tracks: tuple[int, ...]
    sightings: tuple[int, ...]


def match(tracks: list[Track], sightings: tuple[Sighting, ...], t: float) -> Matches:
    """Pair tracks with sightings, best pair first; each takes part once. Ties go to the lower track, then sighting."""
    scores = _scores(tracks, sightings, t)
    order = np.argsort(-scores, axis=None, kind="stable")
    free_tracks, free_sightings = set(range(len(tracks))), set(range(len(sightings)))
    pairs: list[tuple[int, int]] = []
    for flat in order:
        row, column = divmod(int(flat), len(sightings))
        if scores[row, column] < LEAST_SCORE:
            break
        if row in free_tracks and column in free_sightings:
            free_tracks.remove(row)
            free_sightings.remove(column)
            pairs.append((row, column))
    return Matches(tuple(pairs), tuple(sorted(free_tracks)), tuple(sorted(free_sightings)))


def _scores(tracks: list[Track], sightings: tuple[Sighting, ...], t: float) -> NDArray[np.float64]:
    scores = np.full((len(tracks), len(sightings)), -1.0)
    if not scores.size:
        return scores
    quads = array_of([sighting.quad for sighting in sightings])
    iou = iou_matrix(array_of([track.quad for track in tracks]), quads)
    home_iou = iou_matrix(array_of([track.home for track in tracks]), quads)
    looks = [look_of(sighting) for sighting in sightings]
    for row, track in enumerate(tracks):
        for column, sighting in enumerate(sightings):
            if track.kind == sighting.kind:
                lies = track.phase is Phase.SETTLED
                place = max(iou[row, column], home_iou[row, column] if lies else 0.0)
                scores[row, column] = _score(track, sighting, looks[column], float(place), t)
    return scores


def _score(track: Track, sighting: Sighting, look: NDArray[np.float64], iou: float, t: float) -> float:
    """How well a sighting continues a track; below 0 where it cannot be."""
    length = max(1.0, (track.length + long_side(sighting.quad)) / 2)
    centre = centre_of(sighting.quad)
    now = math.dist(centre, centre_of(track.quad)) / length
    ahead = min(now, math.dist(centre, track.predicted(t)) / length)
    gap = t - track.last_t
    same = clash = 0.0
    if track.kind == "face":
        same = track.evidence.agreement(look)
        clash = conflict(track.evidence.probs, look) * min(1.0, 1.2 * sighting.visible)
    about_face = 0.5 * same - 0.9 * clash

    score = -1.0
    if track.phase is Phase.SETTLED and track.away < SAME_PLACE_REACH + 0.1:
        if iou >= SAME_PLACE_IOU or now < SAME_PLACE_REACH:
            shifted = clash >= SURELY_OTHER and math.dist(centre, centre_of(track.home)) >= SHIFTED * length
            if shifted or (clash >= CLASH and (gap >= HIDDEN_SECONDS or iou < OTHER_IOU)):
                return -1.0  # out of sight for a moment, or shifted, and another face now: another card lies there
            score = 1 + iou + (about_face if gap >= GAP_SECONDS else 0.5 * same)
    else:
        # What lay still is not what is seen far away later, unless its face says so: that is how noise wanders.
        reach = LOOSE_REACH if track.lay_still else min(LONGEST_REACH, LOOSE_REACH + LOOSE_SPEED * gap)
        if ahead <= reach:
            score = 1 - 0.8 * ahead / reach + about_face
    if track.kind == "face" and same >= 0.6 and track.named and float(look.max()) >= NAMED:
        distance = min(now, math.dist(centre, centre_of(track.home)) / length)
        if distance <= FACE_REACH:
            score = max(score, 0.3 + 0.5 * same - 0.1 * distance)
    return score
