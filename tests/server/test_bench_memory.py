"""The hour of play that the memory is measured over, made of a short recording."""

import json
from pathlib import Path

from bench.memory import growth, hour_of
from server.recording import read_recording


def test_an_hour_is_made_of_hand_after_hand(tmp_path: Path) -> None:
    short = tmp_path / "short"
    short.mkdir()
    seen = {"frame": 0, "t": 0.0, "size": [1280, 720], "motion": 0.0, "sightings": None, "hand": []}
    lines = [
        {"type": "observation", "data": seen},
        {"type": "press", "data": {"type": "arrastre_called", "seat": 1, "t": 4.0}},
        {"type": "entry", "data": {"seq": 1}},
        {"type": "observation", "data": {**seen, "frame": 1, "t": 8.0}},
        {"type": "finish", "data": {"t": 8.0}},
    ]
    (short / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (short / "session.json").write_text(json.dumps({"format": 1}))
    made = read_recording(hour_of(short, tmp_path / "hour", 0.5))
    assert made.problems == ()
    inputs = [(line.type, line.data["t"], line.data.get("frame", line.data.get("type"))) for line in made.lines]
    assert inputs[:4] == [
        ("observation", 0.0, 0),
        ("press", 4.0, "arrastre_called"),
        ("observation", 8.0, 1),
        ("press", 10.0, "next_hand"),
    ]
    assert inputs[4] == ("observation", 10.0, 2)
    assert inputs[-1][1] == 28.0, "three hands of ten seconds fill half a minute"


def test_growth_is_told_from_the_first_third_on() -> None:
    rows = [{"mib": mib} for mib in (90.0, 120.0, 121.0, 121.5, 122.0, 119.0)]
    assert growth(rows) == 1.0
