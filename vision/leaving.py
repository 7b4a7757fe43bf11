"""Which cards have left the table: their places were seen free, nothing on the table explains why they are not seen."""

from typing import Final

import numpy as np

from vision.arms import Arms
from vision.geometry import TableGeometry
from vision.lying import is_flat, is_whole
from vision.overlap import areas, overlap_matrix
from vision.track import REST_SIGHTINGS, Phase, Track, array_of, is_same_card, side_of, step

FREE_SECONDS: Final = 0.3
"""How long a place must have been seen free, with nothing moving, before its card has left."""
LOST_SECONDS: Final = 6.0
"""How long a card is missed under a hand, or while it is not known where hands are, before it has left."""
LIFTED_SECONDS: Final = 0.4
SWEEP_SECONDS: Final = 1.5
RECENT_SECONDS: Final = 5.0
"""A card that was lost no longer ago may be leaving together with others."""
LIFTED: Final = 0.35
"""Card lengths off its place from which on a card counts as lifted."""
CARRIED: Final = 0.8
"""Card lengths off its place from which on a lost card was surely carried away: no guessed outline is so wrong."""
COVER_SHARE: Final = 0.3
"""Share of a card that must lie under cards that came just when it was lost, to explain why it is not seen."""
HIDDEN_UNDER_SHARE: Final = 0.55
"""The same for cards that lay there before: a card that was found under them all the time is not lost all at once."""
SECOND_OUTLINE: Final = 0.4
"""Share of an outline that may lie on a card that was told, for it to be a card of its own..."""
SECOND_CARD: Final = 0.7
"""...where the names of both are sure and differ."""
CAME_SECONDS: Final = 0.6


class Departures:
    """Since when each card that has left is ripe to be told; :meth:`due` is asked once per observation."""

    def __init__(self) -> None:
        self._ripe: dict[int, float] = {}

    def due(self, tracks: list[Track], t: float, *, clear: bool) -> list[Track]:
        """The cards whose leaving is to be told now; faces wait a little for others that are leaving with them.

        ``clear`` is whether hands are known, or nothing moves: else others may be leaving unseen.
        """
        due = [track for track in absent(tracks) if is_due(track, t) and not _lies_elsewhere(track, tracks, t)]
        self._ripe = {track.number: self._ripe.get(track.number, t) for track in due}
        backs = [track for track in due if track.kind == "back"]
        faces = [track for track in due if track.kind == "face"]
        if not faces:
            return backs
        leaving = [
            track
            for track in tracks
            if track.kind == "face"
            and track.phase is Phase.SETTLED
            and track not in due
            and ((track.missing and t - track.last_t < RECENT_SECONDS) or _is_leaving(track))
        ]
        waited = t - min(self._ripe[track.number] for track in faces)
        if (leaving or not clear) and waited < SWEEP_SECONDS:
            return backs
        return backs + faces


def absent(tracks: list[Track]) -> list[Track]:
    """Cards that lay on the table, are not seen, and are not under a card that is seen."""
    return [
        track
        for track in tracks
        if track.phase is Phase.SETTLED and track.missing and (track.away > LIFTED or not is_covered(track, tracks))
    ]


def is_covered(track: Track, tracks: list[Track]) -> bool:
    """Whether other cards explain that it is not seen: they came when it was lost, or they hide most of it."""
    home = array_of([track.home])
    area = max(float(areas(home)[0]), 1.0)
    seen = [other for other in tracks if other is not track and not other.missing]
    if not seen:
        return False
    shares = overlap_matrix(home, array_of([other.quad for other in seen]))[0] / area
    came = [other.rest_t >= track.last_t - CAME_SECONDS for other in seen]
    return bool(shares[came].sum() >= COVER_SHARE or shares.sum() >= HIDDEN_UNDER_SHARE)


def is_due(track: Track, t: float) -> bool:
    """Whether its place was seen free, or it was missed, for long enough to say that it has left."""
    if track.missing_since is None:
        return False
    if track.away > CARRIED:
        return t - track.last_t >= LIFTED_SECONDS
    if track.missing_runs >= 2 and track.free_seconds >= FREE_SECONDS:
        return True
    return track.missing_runs >= 5 and t - track.missing_since >= LOST_SECONDS


def lay_unnamed(tracks: list[Track], geometry: TableGeometry) -> list[Track]:
    """Faces that lay on the table like cards and went out of sight before they could be told.

    Not those of which much lay where another card lies: they are likelier a second outline of that one, unless both
    have a sure name.
    """
    settled = [other for other in tracks if other.phase is Phase.SETTLED]
    lying = [other.home for other in settled]

    def is_apart(track: Track) -> bool:
        own = array_of([track.lay_at])
        shares = overlap_matrix(own, array_of(lying))[0] / float(areas(own)[0]) if lying else []
        others = [track.named and other.named and not is_same_card(track, other) for other in settled]
        most = [SECOND_CARD if other else SECOND_OUTLINE for other in others]
        return all(share <= limit for share, limit in zip(shares, most, strict=True))

    return [
        track
        for track in tracks
        if track.missing
        and track.lay_still
        and is_whole(track.lay_at, geometry.size)
        and is_flat(track.lay_at, geometry, lying)
        and is_apart(track)
    ]


def _lies_elsewhere(track: Track, tracks: list[Track], t: float) -> bool:
    """Whether a card that is not settled yet shows the same face: it did not leave, it was carried there."""
    if track.kind == "back" or t - track.last_t >= LOST_SECONDS:
        return False
    return any(
        other.phase is Phase.LOOSE and other.kind == "face" and not other.missing and is_same_card(track, other)
        for other in tracks
    )


def swept_to(tracks: list[Track], arms: Arms) -> str | None:
    """The side that gathered: where the arm came in, else where the cards were seen to go, if that is clear."""
    if arms.known:
        return arms.side(min(track.last_t for track in tracks) - 0.5)
    ways = [step(track.home, track.quad) for track in tracks if track.away > LIFTED]
    if not ways:
        return None
    east, south = (float(value) for value in np.mean(ways, axis=0))
    return side_of((0.0, 0.0), (east, south), tracks[0].length)


def _is_leaving(track: Track) -> bool:
    """Whether a settled card that is seen is off its place, or on its way."""
    return track.away > LIFTED or (track.away > 0.12 and track.rest_count < REST_SIGHTINGS)
