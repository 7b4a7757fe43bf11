"""The hour of play that the memory is measured over, made of a short recording."""

import gc
import json
import lzma
import tracemalloc
from pathlib import Path

import pytest

from bench.memory import growth, hour_of, lengthened
from server.scoreboard.snapshot import snapshot_json
from server.sessions.recording import read_recording
from server.sessions.session import Entries, Session, table_from_json
from server.sessions.sitting import SessionFacts
from server.web.hub import Hub
from vision.codec import observation_from_json

GOLDEN = Path(__file__).parents[1] / "data" / "golden" / "two-begin"


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


@pytest.mark.slow
def test_a_hand_leaves_its_evidence_in_memory_and_no_more() -> None:
    """What a game keeps of each hand, so that it can be put right: some 25 KiB for six cards, however long they lay."""
    with lzma.open(GOLDEN / "log.jsonl.xz", "rt", encoding="utf-8") as log:
        lines = [json.loads(line) for line in log]
    session = Session(table_from_json(json.loads((GOLDEN / "session.json").read_text(encoding="utf-8"))))
    facts = SessionFacts.begin("a recording")
    hub = Hub(lambda: snapshot_json(facts, session, False), "1.2.3")

    def tell(told: Entries) -> None:
        for body in told.bodies:
            hub.event(body, snapshot_json(facts, session, False))

    session.on_entries = tell
    span = max(line["data"]["t"] for line in lines if line["type"] == "observation") + 2.0
    sizes: list[int] = []
    tracemalloc.start()
    try:
        for line in lengthened(lines, 4 * span - 1.0):
            if line["type"] == "press":
                session.press(line["data"])
            else:
                session.observe(observation_from_json(line["data"]))
            if session.t > (len(sizes) + 2) * span:  # from the second hand on: the first uses everything once
                gc.collect()
                sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert len(session.state.hands) == 4
    assert len(sizes) >= 2
    assert (sizes[-1] - sizes[0]) / (len(sizes) - 1) < 36 * 1024
