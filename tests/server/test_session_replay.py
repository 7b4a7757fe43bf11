"""Sessions recorded and computed again: the same to the byte, also when the recording is damaged."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.errors import PressError, RecordingError, UsageError
from server.sessions.headless import run_steps
from server.sessions.intake import Pressed, Seen, Step
from server.sessions.recording import HEADER_FILE, LOG_FILE, Recorder, log_text, read_recording
from server.sessions.replay import differences, recorded_table, replay
from server.sessions.result import result_text
from server.sessions.session import Session, make_table, table_from_json
from server.sessions.sitting import SessionFacts
from vision.errors import SourceError
from vision.synth.film_actions import Play

PRESSES: tuple[dict[str, Any], ...] = ({"type": "set_leader", "seat": 1, "t": 3.0}, {"type": "undo", "t": 6.0})


def steps_of(game: Any) -> list[Step]:
    steps: list[Step] = []
    waiting = list(PRESSES)
    for observation in game.observations:
        while waiting and waiting[0]["t"] <= observation.t:
            steps.append(Pressed(waiting.pop(0)))
        steps.append(Seen(observation))
    return steps


@pytest.fixture
def recorded(tmp_path: Path, witnessed: Callable[..., Any]) -> tuple[Path, Session]:
    """A recording of two tricks with two presses, and the session that it is of."""
    table = make_table("arrastro", "south=Ana,north=Luis")
    header = SessionFacts.begin("film").header(table, None, {})
    with Recorder(tmp_path / "session", header) as recorder:
        session = Session(table, recorder)
        run_steps(session, steps_of(witnessed(1, tricks=2)))
        recorder.result(session.result())
        assert recorder.failure is None
    return tmp_path / "session", session


def test_a_replay_is_the_same_to_the_byte(recorded: tuple[Path, Session]) -> None:
    folder, session = recorded
    recording = read_recording(folder)
    done = replay(recording)
    assert list(differences(recording, done)) == []
    assert done.problems == []
    assert done.log.lines == (folder / LOG_FILE).read_text(encoding="utf-8").splitlines()
    assert result_text(done.result) == recording.result_text
    assert done.session.state == session.state
    assert len(session.result()["tricks"]) == 2
    assert sum(1 for _ in recording.of("entry")) >= 8
    assert [line.data["type"] for line in recording.of("press")] == ["set_leader", "undo"]


def test_what_was_changed_is_found_with_its_line(recorded: tuple[Path, Session]) -> None:
    folder, _ = recorded
    log = folder / LOG_FILE
    entry = next(read_recording(folder).of("entry"))
    lines = log.read_text(encoding="utf-8").splitlines()
    lines[entry.number - 1] = log_text("entry", {**entry.data, "source": "person"})
    log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "result.json").write_text("{}\n")
    recording = read_recording(folder)
    found = list(differences(recording, replay(recording)))
    assert [difference.what for difference in found] == ["ledger", "result"]
    assert found[0].number == entry.number
    assert f"at line {entry.number}" in str(found[0])


def test_an_observation_that_was_changed_changes_what_follows(
    recorded: tuple[Path, Session], witnessed: Callable[..., Any]
) -> None:
    folder, _ = recorded
    log = folder / LOG_FILE
    card = next(action.label for action in witnessed(1, tricks=2).script.actions if isinstance(action, Play))
    text = log.read_text(encoding="utf-8")
    log.write_text(text.replace(f'["{card}",0.97]', '["12B",0.97]'), encoding="utf-8")
    recording = read_recording(folder)
    assert {difference.what for difference in differences(recording, replay(recording))} == {
        "table events",
        "ledger",
        "result",
    }


def test_damaged_lines_are_told_and_the_rest_is_played(recorded: tuple[Path, Session]) -> None:
    folder, _ = recorded
    log = folder / LOG_FILE
    lines = log.read_text(encoding="utf-8").splitlines()
    lines.insert(10, "{oops")
    lines.insert(20, log_text("observation", {"frame": 3}))
    lines.insert(30, log_text("press", {"type": "no such thing", "t": 2.5}))
    lines.insert(40, log_text("press", [1]))
    log.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = replay(read_recording(folder))
    assert [problem.number for problem in done.problems] == [11, 21, 31, 41]
    assert len(done.result["tricks"]) == 2


def test_a_recording_cut_off_by_a_power_cut_is_no_difference(recorded: tuple[Path, Session]) -> None:
    folder, _ = recorded
    log = folder / LOG_FILE
    (folder / "result.json").unlink()
    raw = log.read_bytes()
    log.write_bytes(raw[: raw.index(b'"entry"') + 4000])
    recording = read_recording(folder)
    assert recording.truncated
    done = replay(recording)
    assert not done.ended
    assert list(differences(recording, done)) == []


def test_a_header_without_a_table_is_one_sentence(recorded: tuple[Path, Session]) -> None:
    folder, _ = recorded
    header = (folder / HEADER_FILE).read_text(encoding="utf-8")
    (folder / HEADER_FILE).write_text(header.replace('"arrastro"', '"whist"'))
    with pytest.raises(RecordingError, match="rules that are unknown here"):
        recorded_table(read_recording(folder))
    (folder / HEADER_FILE).write_text('{"format": 1}')
    with pytest.raises(RecordingError, match="names no table"):
        recorded_table(read_recording(folder))
    for seats in ("x", [1], [{"seat": 0, "side": "up", "name": "Ana"}], [{"seat": 0, "side": None, "name": "Ana"}]):
        (folder / HEADER_FILE).write_text(json.dumps(json.loads(header) | {"seats": seats}))
        with pytest.raises(RecordingError, match="names no table"):
            recorded_table(read_recording(folder))


def test_a_press_that_makes_no_sense_changes_nothing_and_is_not_recorded(tmp_path: Path) -> None:
    with Recorder(tmp_path / "s", {}) as recorder:
        session = Session(make_table(), recorder)
        session.press({"type": "set_trump", "card": "4O"})
        before = session.state
        with pytest.raises(PressError):
            session.press({"type": "add_play", "trick": 9, "seat": 0, "card": "1O"})
        assert session.state == before
    assert len(list(read_recording(tmp_path / "s").of("press"))) == 1


def test_a_source_that_breaks_off_loses_nothing(tmp_path: Path, witnessed: Callable[..., Any]) -> None:
    def broken() -> Any:
        yield from steps_of(witnessed(1, tricks=2))[:80]
        raise SourceError("The film is torn: get another.")

    with Recorder(tmp_path / "s", SessionFacts.begin("x").header(make_table(), None, {})) as recorder:
        session = Session(make_table(), recorder)
        with pytest.raises(SourceError):
            run_steps(session, broken())
    assert session.finished
    recording = read_recording(tmp_path / "s")
    assert [line.type for line in recording.lines].count("finish") == 1
    assert list(differences(recording, replay(recording))) == []


def test_tables_that_cannot_be_meant_are_one_sentence() -> None:
    with pytest.raises(UsageError, match="--players 3 does not fit"):
        make_table(seats="south=Ana,north=Luis", players=3)
    with pytest.raises(UsageError, match="whist"):
        make_table("whist")
    with pytest.raises(UsageError, match="Nobody sits at"):
        make_table(dealer="east")
    with pytest.raises(UsageError, match=r"Cannot read none\.toml"):
        make_table("none.toml")
    assert make_table(dealer="north").dealer == 1
    assert make_table(players=4).rules.sides == ((0, 2), (1, 3))


def test_house_rules_of_ones_own_are_played_recorded_and_found_again(tmp_path: Path) -> None:
    path = tmp_path / "at_home.toml"
    path.write_text('base = "arrastro"\nfollow = "after_stock"\n', encoding="utf-8")
    table = make_table(str(path), players=4)
    assert (table.profile, table.rules.follow, table.rules.players) == ("at_home", "after_stock", 4)
    assert table_from_json(json.loads(json.dumps(table.as_json()))) == table
    path.write_text('base = "arrastro"\nfollow = "sometimes"\n', encoding="utf-8")
    with pytest.raises(UsageError, match="follow"):
        make_table(str(path))
