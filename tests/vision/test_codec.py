"""Observations and events survive JSON exactly; what is not one is refused with a sentence."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.codec import (
    observation_from_json,
    observation_to_json,
    sighting_of,
    table_event_from_json,
    table_event_to_json,
)
from vision.errors import RecordError
from vision.facts import Detection, Observation, Sighting, TableEvent
from vision.hand import ROWS, Look
from vision.labels import INDEX, LABELS

numbers = st.floats(-5000, 5000, allow_nan=False).map(lambda x: round(x, 1))
shares = st.floats(0, 1).map(lambda x: round(x, 4))
points = st.tuples(numbers, numbers)
quads = st.tuples(points, points, points, points)
kinds = st.sampled_from(["face", "back"])
labels = st.lists(st.tuples(st.sampled_from(LABELS), shares), max_size=8).map(tuple)
sightings = st.builds(Sighting, quads, kinds, shares, labels, shares)
facts = (
    st.integers(0, 10**6),
    st.floats(0, 1e5).map(lambda x: round(x, 4)),
    st.tuples(st.integers(1, 9999), st.integers(1, 9999)),
    shares,
    st.none() | st.lists(sightings, max_size=4).map(tuple),
)
hands = st.just(()) | st.lists(st.integers(0, 2**32 - 1), min_size=ROWS, max_size=ROWS).map(tuple)
events = st.builds(
    TableEvent,
    id=st.integers(1, 10**6),
    t=st.floats(0, 1e5).map(lambda x: round(x, 3)),
    kind=st.sampled_from(["appeared", "settled", "read", "moved", "covered", "uncovered", "vanished", "swept"]),
    track=st.integers(1, 10**6),
    face=kinds,
    labels=labels,
    quad=quads,
    centre=st.tuples(shares, shares),
    visible=shares,
    frames=st.tuples(st.integers(0, 10**6), st.integers(0, 10**6)),
    quad_mm=st.none() | quads,
    side=st.none() | st.sampled_from(["south", "east", "north", "west"]),
    tracks=st.lists(st.integers(1, 99), max_size=4).map(tuple),
)


@given(st.builds(Observation, *facts) | st.builds(Look, *facts, hands))
def test_observations_survive(observation: Observation) -> None:
    text = json.dumps(observation_to_json(observation))
    back = observation_from_json(json.loads(text))
    assert back == observation
    assert type(back) is type(observation)
    assert json.dumps(observation_to_json(back)) == text


@given(events)
def test_events_survive(event: TableEvent) -> None:
    text = json.dumps(table_event_to_json(event))
    back = table_event_from_json(json.loads(text))
    assert back == event
    assert json.dumps(table_event_to_json(back)) == text


@pytest.mark.parametrize(
    ("change", "value"),
    [("size", [1]), ("frame", "x"), ("sightings", [{}]), ("hand", [1, 2]), ("t", None), ("motion", "much")],
)
def test_what_is_no_observation_is_refused(change: str, value: object) -> None:
    good = observation_to_json(Look(1, 0.5, (64, 48), 0.0, None, ()))
    observation_from_json(good)
    with pytest.raises(RecordError, match="record the session again"):
        observation_from_json({**good, change: value})


@pytest.mark.parametrize(("change", "value"), [("kind", "danced"), ("face", "x"), ("quad", [[1, 2]]), ("frames", 3)])
def test_what_is_no_event_is_refused(change: str, value: object) -> None:
    quad = ((0.0, 0.0), (1.0, 0.0), (1.0, 2.0), (0.0, 2.0))
    good = table_event_to_json(TableEvent(1, 0.5, "settled", 3, "face", (), quad, (0.5, 0.5), 1.0, (1, 2)))
    table_event_from_json(good)
    assert set(good).isdisjoint({"quad_mm", "side", "tracks"})
    with pytest.raises(RecordError):
        table_event_from_json({**good, change: value})
    with pytest.raises(RecordError):
        table_event_from_json({key: item for key, item in good.items() if key != change})


def test_a_detection_is_rounded_once() -> None:
    probs = np.zeros(48, np.float32)
    probs[INDEX["12C"]], probs[INDEX["3B"]], probs[INDEX["1O"]] = 0.91237, 0.08741, 0.0001
    quad = np.array([[1.04, 2.06], [3, 4], [5, 6], [7, 8]], np.float32)
    sighting = sighting_of(Detection(quad, "face", 0.87654, probs, 0.56789))
    assert sighting.quad[0] == (1.0, 2.1)
    assert sighting.labels == (("12C", 0.9124), ("3B", 0.0874))
    assert (sighting.confidence, sighting.visible) == (0.877, 0.568)
    assert sighting_of(Detection(quad, "back", 0.5)).labels == ()


def test_at_most_eight_labels_in_a_stable_order() -> None:
    flat = np.full(48, 1 / 48, np.float32)
    sighting = sighting_of(Detection(np.zeros((4, 2), np.float32), "face", 0.5, flat))
    assert [label for label, _ in sighting.labels] == list(LABELS[:8])
