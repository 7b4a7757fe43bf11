"""Session folders: written, read, damaged."""

import json
from pathlib import Path

import pytest

from server.errors import RecordingError
from server.sessions.recording import (
    HEADER_FILE,
    LOG_FILE,
    MemoryLog,
    Recorder,
    check_writable,
    is_recording,
    log_text,
    read_log,
    read_recording,
    write_result,
)
from server.sessions.result import result_text


def written(folder: Path) -> Path:
    with Recorder(folder, {"id": "s1"}) as recorder:
        recorder.line("observation", {"frame": 0})
        recorder.line("press", {"type": "arrastre_called", "seat": 1, "t": 0.5})
        recorder.line("entry", {"id": "e1", "name": "José"})
        recorder.line("finish", {"t": 1.0})
        recorder.result({"winner": 0})
    return folder


def test_what_was_written_is_read_in_order(tmp_path: Path) -> None:
    folder = written(tmp_path / "s" / "one")
    assert is_recording(folder)
    recording = read_recording(folder)
    assert recording.header == {"format": 1, "id": "s1"}
    assert [line.type for line in recording.lines] == ["observation", "press", "entry", "finish"]
    assert [line.number for line in recording.lines] == [1, 2, 3, 4]
    assert recording.lines[2].text == log_text("entry", {"id": "e1", "name": "José"})
    assert recording.problems == ()
    assert not recording.truncated
    assert recording.result_text == result_text({"winner": 0})


def test_decisions_reach_the_disk_at_once(tmp_path: Path) -> None:
    with Recorder(tmp_path / "s", {}) as recorder:
        recorder.line("observation", {"frame": 0})
        recorder.line("entry", {"id": "e1"})
        lines = (tmp_path / "s" / LOG_FILE).read_text().splitlines()
    assert len(lines) == 2


def test_a_folder_with_something_in_it_is_never_written_to(tmp_path: Path) -> None:
    folder = written(tmp_path / "s")
    before = (folder / LOG_FILE).read_bytes()
    with pytest.raises(RecordingError, match="not empty; give a new one"):
        Recorder(folder, {})
    assert (folder / LOG_FILE).read_bytes() == before
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordingError, match="give a writable folder"):
        Recorder(tmp_path / "file" / "s", {})


def test_malformed_lines_are_told_with_their_number_and_the_rest_is_read(tmp_path: Path) -> None:
    folder = written(tmp_path / "s")
    lines = (folder / LOG_FILE).read_bytes().splitlines()
    lines[1:1] = [b"not json", b"[1, 2]", b'{"type": "weather", "data": 1}', b"\xff\xfe", b"", b'{"type": "entry"}']
    lines.insert(1, b'{"type": "entry", "data": NaN}')
    (folder / LOG_FILE).write_bytes(b"\n".join(lines) + b"\n")
    recording = read_recording(folder)
    assert [line.type for line in recording.lines] == ["observation", "press", "entry", "finish"]
    assert [line.number for line in recording.lines] == [1, 9, 10, 11]
    assert [str(problem) for problem in recording.problems] == [
        "line 2: not JSON",
        "line 3: not JSON",
        "line 4: not an object with 'type' and 'data'",
        "line 5: unknown type 'weather'",
        "line 6: not UTF-8 text",
        "line 8: not an object with 'type' and 'data'",
    ]


def test_a_last_line_that_was_cut_off_is_tolerated_at_every_place(tmp_path: Path) -> None:
    raw = (log_text("observation", {"frame": 0}) + "\n" + log_text("entry", {"id": "ñ"})).encode()
    start = raw.index(b"\n") + 1
    for end in range(start + 1, len(raw)):
        lines, problems, truncated = read_log(raw[:end])
        assert (len(lines), problems, truncated) == (1, (), True), raw[:end]
    lines, problems, truncated = read_log(raw)
    assert (len(lines), problems, truncated) == (2, (), False)
    assert read_log(b"") == ((), (), False)


@pytest.mark.parametrize("header", ['{"format": 2}', "[]", '{"id": 1}', "{", ""])
def test_headers_that_are_none_are_one_sentence(tmp_path: Path, header: str) -> None:
    folder = written(tmp_path / "s")
    (folder / HEADER_FILE).write_text(header)
    with pytest.raises(RecordingError, match=r"format|damaged"):
        read_recording(folder)


def test_a_folder_that_is_no_session_is_one_sentence(tmp_path: Path) -> None:
    assert not is_recording(tmp_path)
    with pytest.raises(RecordingError, match="is no recorded session"):
        read_recording(tmp_path)


def test_results_are_replaced_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "out" / "result.json"
    write_result(path, {"a": 1})
    write_result(path, {"a": 2, "name": "Ñ"})
    assert json.loads(path.read_text(encoding="utf-8")) == {"a": 2, "name": "Ñ"}
    assert [file.name for file in path.parent.iterdir()] == ["result.json"]
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordingError, match="--out"):
        write_result(tmp_path / "file" / "result.json", {})


def test_whether_a_file_can_be_written_is_known_before_the_game(tmp_path: Path) -> None:
    check_writable(tmp_path / "new" / "result.json", "--out")
    assert list((tmp_path / "new").iterdir()) == []
    with pytest.raises(RecordingError, match="is a folder; give the name of a file with --out"):
        check_writable(tmp_path, "--out")
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordingError, match="--out"):
        check_writable(tmp_path / "file" / "x.json", "--out")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to here")
def test_a_full_disk_ends_the_recording_and_not_the_game(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "s", {})
    recorder._file.close()
    recorder._file = Path("/dev/full").open("w")  # noqa: SIM115 - the recorder closes it
    recorder.line("entry", {"id": "e1"})
    assert recorder.failure is not None
    assert "free the disk" in recorder.failure
    recorder.line("entry", {"id": "e2"})
    recorder.result({})
    recorder.close()


def test_the_log_in_memory_holds_the_same_texts(tmp_path: Path) -> None:
    memory = MemoryLog()
    memory.line("entry", {"id": "e1", "name": "José"})
    assert memory.lines == [read_recording(written(tmp_path / "s")).lines[2].text]
