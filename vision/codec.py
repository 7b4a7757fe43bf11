"""Observations and table events as JSON objects and back, without loss.

:func:`sighting_of` is the one place where the numbers of a detection are rounded: the tracker sees only its output, so
that a game watched live and the replay of its recording are the same. A record holds ``{"frame", "t", "size",
"motion", "sightings": null | [...], "hand": [...]}`` for an observation; events carry the fields of
:class:`~vision.facts.TableEvent` by name, those that are empty left out.
"""

from typing import Any, Final, cast, get_args

import numpy as np

from vision.errors import RecordError
from vision.facts import Detection, EventKind, Kind, Observation, Point, Quad, Sighting, TableEvent
from vision.hand import ROWS, Look
from vision.labels import LABELS

MOST_LABELS: Final = 8
LEAST_PROBABILITY: Final = 0.0005
_KINDS: Final = frozenset(get_args(Kind))
_EVENT_KINDS: Final = frozenset(get_args(EventKind))


def sighting_of(detection: Detection) -> Sighting:
    """Round a detection to what is recorded: pixels to 0.1, shares to 0.001, probabilities to 0.0001."""
    corners = [(round(float(x), 1), round(float(y), 1)) for x, y in detection.quad]
    labels: list[tuple[str, float]] = []
    if detection.probs is not None:
        # A stable order, also among equal probabilities: by probability, then by label order.
        order = np.argsort(-detection.probs, kind="stable")[:MOST_LABELS]
        labels = [
            (LABELS[int(i)], round(float(detection.probs[int(i)]), 4))
            for i in order
            if detection.probs[int(i)] >= LEAST_PROBABILITY
        ]
    return Sighting(
        cast("Quad", tuple(corners)),
        detection.kind,
        round(float(detection.confidence), 3),
        tuple(labels),
        round(float(detection.visible), 3),
    )


def observation_to_json(observation: Observation) -> dict[str, Any]:
    """The JSON object of an observation."""
    sightings = observation.sightings
    data: dict[str, Any] = {
        "frame": observation.frame,
        "t": observation.t,
        "size": list(observation.size),
        "motion": observation.motion,
        "sightings": None if sightings is None else [_sighting_to_json(sighting) for sighting in sightings],
    }
    if isinstance(observation, Look):
        data["hand"] = list(observation.hand)
    return data


def observation_from_json(data: dict[str, Any]) -> Observation:
    """The observation of a JSON object. Raises :class:`~vision.errors.RecordError` where it is not one."""
    try:
        width, height = data["size"]
        sightings = data["sightings"]
        seen = None if sightings is None else tuple(_sighting_from_json(sighting) for sighting in sightings)
        frame, t, motion = int(data["frame"]), float(data["t"]), float(data["motion"])
        if "hand" not in data:
            return Observation(frame, t, (int(width), int(height)), motion, seen)
        hand = tuple(int(row) for row in data["hand"])
        if len(hand) not in (0, ROWS):
            raise ValueError(f"a hand has {ROWS} rows, not {len(hand)}")
        return Look(frame, t, (int(width), int(height)), motion, seen, hand)
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(f"Not an observation ({error!r}): record the session again.") from error


def table_event_to_json(event: TableEvent) -> dict[str, Any]:
    """The JSON object of a table event; ``quad_mm``, ``side``, ``tracks``, ``since`` only where they say something."""
    data: dict[str, Any] = {
        "id": event.id,
        "t": event.t,
        "kind": event.kind,
        "track": event.track,
        "face": event.face,
        "labels": [[label, probability] for label, probability in event.labels],
        "quad": [list(point) for point in event.quad],
        "centre": list(event.centre),
        "visible": event.visible,
        "frames": list(event.frames),
    }
    if event.quad_mm is not None:
        data["quad_mm"] = [list(point) for point in event.quad_mm]
    if event.side is not None:
        data["side"] = event.side
    if event.tracks:
        data["tracks"] = list(event.tracks)
    if event.since is not None:
        data["since"] = event.since
    return data


def table_event_from_json(data: dict[str, Any]) -> TableEvent:
    """The table event of a JSON object. Raises :class:`~vision.errors.RecordError` where it is not one."""
    try:
        kind = data["kind"]
        if kind not in _EVENT_KINDS:
            raise ValueError(f"unknown kind {kind!r}")
        first, last = data["frames"]
        quad_mm = data.get("quad_mm")
        side, since = data.get("side"), data.get("since")
        return TableEvent(
            id=int(data["id"]),
            t=float(data["t"]),
            kind=kind,
            track=int(data["track"]),
            face=_kind(data["face"]),
            labels=_labels(data["labels"]),
            quad=_quad(data["quad"]),
            centre=_point(data["centre"]),
            visible=float(data["visible"]),
            frames=(int(first), int(last)),
            quad_mm=None if quad_mm is None else _quad(quad_mm),
            side=None if side is None else str(side),
            tracks=tuple(int(track) for track in data.get("tracks", ())),
            since=None if since is None else float(since),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(f"Not a table event ({error!r}): record the session again.") from error


def _sighting_to_json(sighting: Sighting) -> dict[str, Any]:
    return {
        "quad": [list(point) for point in sighting.quad],
        "kind": sighting.kind,
        "confidence": sighting.confidence,
        "labels": [[label, probability] for label, probability in sighting.labels],
        "visible": sighting.visible,
    }


def _sighting_from_json(data: dict[str, Any]) -> Sighting:
    return Sighting(
        _quad(data["quad"]),
        _kind(data["kind"]),
        float(data["confidence"]),
        _labels(data["labels"]),
        float(data["visible"]),
    )


def _kind(value: Any) -> Kind:
    if value not in _KINDS:
        raise ValueError(f"unknown kind {value!r}")
    return cast("Kind", value)


def _labels(value: Any) -> tuple[tuple[str, float], ...]:
    return tuple((str(label), float(probability)) for label, probability in value)


def _point(value: Any) -> Point:
    x, y = value
    return float(x), float(y)


def _quad(value: Any) -> Quad:
    a, b, c, d = (_point(point) for point in value)
    return a, b, c, d
