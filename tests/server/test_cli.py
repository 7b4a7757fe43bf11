"""The command ``brisca`` as people run it: exit codes, sentences, files, Ctrl-C."""

import argparse
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from server.cli import FAILED, USAGE, build_parser, main
from server.cli.doctor import check_history
from server.cli.document import manual
from server.cli.watch import _presses
from server.sessions.headless import run_steps
from server.sessions.intake import Seen
from server.sessions.recording import Recorder, read_recording
from server.sessions.replay import recorded_table
from server.sessions.session import Session, make_table
from server.sessions.sitting import SessionFacts
from server.sessions.store import Store
from server.web.opening import DEMO, DEMO_SEATS, Plan, open_game

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test touches the history of whoever runs it."""
    monkeypatch.setenv("BRISCA_DATA", str(tmp_path / "data"))
    for name in ("BRISCA_HOST", "BRISCA_PORT", "BRISCA_DEBUG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory, witnessed: Callable[..., Any]) -> Path:
    """A recorded session of two tricks between Ana and Luis."""
    folder = tmp_path_factory.mktemp("recorded") / "session"
    table = make_table("arrastro", "south=Ana,north=Luis")
    with Recorder(folder, SessionFacts.begin("film").header(table, None, {})) as recorder:
        session = Session(table, recorder)
        run_steps(session, (Seen(observation) for observation in witnessed(1, tricks=2).observations))
        recorder.result(session.result())
    return folder


def sentence(capsys: pytest.CaptureFixture[str]) -> str:
    """The one sentence on stderr."""
    captured = capsys.readouterr()
    lines = [line for line in captured.err.splitlines() if line]
    assert len(lines) == 1, captured.err
    assert lines[0].startswith("brisca: ")
    assert "Traceback" not in captured.err
    return lines[0]


def commands(parser: argparse.ArgumentParser, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, sub in action.choices.items():
                yield (*path, name)
                yield from commands(sub, (*path, name))


def test_the_manual_is_up_to_date() -> None:
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == manual(), (
        "docs/cli.md is stale: python -m server.cli.document > docs/cli.md"
    )


@pytest.mark.parametrize("path", list(commands(build_parser())), ids=" ".join)
def test_every_command_explains_itself(path: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        main([*path, "--help"])
    assert exit.value.code == 0
    assert "usage: brisca" in capsys.readouterr().out


def test_the_commands_of_the_house_are_all_there() -> None:
    names = {path[0] for path in commands(build_parser())}
    assert names >= {
        "watch",
        "detect",
        "replay",
        "simulate",
        "cameras",
        "doctor",
        "data",
        "train",
        "eval",
        "model",
        "rules",
    }


def test_what_is_not_understood_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == USAGE
    assert "usage: brisca" in capsys.readouterr().err
    for words in (["dance"], ["watch", "--players", "two"], ["replay"]):
        with pytest.raises(SystemExit) as exit:
            main(words)
        assert exit.value.code == USAGE
        assert "usage: brisca" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--rules", "whist"], USAGE, "whist"),
        (["--players", "9"], USAGE, "players"),
        (["--players", "3", "--seats", "south=A,north=B"], USAGE, "does not fit"),
        (["--seats", "up=A,down=B"], USAGE, "no side"),
        (["--dealer", "west"], USAGE, "Nobody sits"),
        (["--speed", "0"], USAGE, "--speed"),
        (["--no-source", "--out", "result.json"], USAGE, "--out belongs to one game"),
        (["--no-source", "--record", "evening"], USAGE, "--record belongs to one game"),
        (["--no-source", "--rules", "whist"], USAGE, "whist"),
        (["--port", "http", "--no-browser"], USAGE, "no port"),
        (["--out", "."], FAILED, "is a folder"),
        (["--inputs", "no-such-file.jsonl"], FAILED, "cannot be read"),
        (["--source", "no-such-film.mp4"], FAILED, "no file or folder"),
        (["--source", "gopher://x"], FAILED, "no address"),
    ],
)
def test_watch_says_what_is_wrong_in_one_sentence(
    options: list[str], code: int, said: str, recording: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = {"--source", "--no-source"} & set(options)
    words = ["watch", *([] if bare else ["--source", str(recording)]), *(o for o in options if o != "--no-source")]
    assert main(words) == code
    assert said in sentence(capsys)


def test_watch_without_a_camera_points_to_the_demo(capsys: pytest.CaptureFixture[str]) -> None:
    if list(Path("/dev").glob("video*")) or sys.platform != "linux":
        pytest.skip("this machine may have a camera")
    assert main(["watch", "--headless"]) == FAILED
    assert "brisca watch --source demo" in sentence(capsys)


def test_a_score_kept_by_hand_needs_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "--source", "none", "--headless"]) == USAGE
    assert "leave out --headless" in capsys.readouterr().err


def test_headless_ends_with_the_result(recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, again = tmp_path / "new" / "result.json", tmp_path / "again"
    words = ["watch", "--source", str(recording), "--headless", "--out", str(out), "--record", str(again)]
    assert main(words) == 0
    captured = capsys.readouterr()
    assert "100%" in captured.err
    assert re.search(r"^Ana \d+ · Luis \d+$", captured.out, re.MULTILINE)
    assert "The game is not complete." in captured.out
    assert out.read_text(encoding="utf-8") == (recording / "result.json").read_text(encoding="utf-8")
    assert (again / "log.jsonl").read_bytes() == (recording / "log.jsonl").read_bytes()
    assert not (tmp_path / "data").exists()
    assert main(["replay", str(again), "--check"]) == 0
    assert "the same, byte for byte" in capsys.readouterr().out


def test_what_is_pressed_comes_from_a_file(recording: Path, tmp_path: Path) -> None:
    inputs, out = tmp_path / "inputs.jsonl", tmp_path / "result.json"
    before = json.loads((recording / "result.json").read_text())
    taken = {play["card"] for trick in before["tricks"] for play in trick["plays"]}
    card = next(
        f"{rank}{before['trump'][-1]}" for rank in (1, 3, 12, 11) if f"{rank}{before['trump'][-1]}" not in taken
    )
    winner = before["tricks"][0]["winner"]
    press = {"t": 9.0, "type": "correct_card", "trick": 1, "seat": winner, "card": card}
    inputs.write_text(json.dumps(press) + "\n\n", encoding="utf-8")
    words = ["watch", "--source", str(recording), "--headless", "--inputs", str(inputs), "--out", str(out)]
    assert main([*words, "--record", str(tmp_path / "s")]) == 0
    plays = json.loads(out.read_text())["tricks"][0]["plays"]
    assert {play["seat"]: play["card"] for play in plays}[winner] == card
    assert [line.data["type"] for line in read_recording(tmp_path / "s").of("press")] == ["correct_card"]


def test_a_press_that_does_not_fit_the_game_is_left_out_and_told(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inputs, out = tmp_path / "inputs.jsonl", tmp_path / "result.json"
    inputs.write_text(json.dumps({"t": 9.0, "type": "set_winner", "trick": 19, "seat": 0}) + "\n", encoding="utf-8")
    words = ["watch", "--source", str(recording), "--headless", "--inputs", str(inputs), "--out", str(out)]
    assert main(words) == 0
    assert "The press at 9.0 s was left out" in capsys.readouterr().err
    assert json.loads(out.read_text())["tricks"] == json.loads((recording / "result.json").read_text())["tricks"]


def test_a_film_that_breaks_off_is_told_with_the_result_so_far(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = tmp_path / "film"
    words = ["simulate", "--tricks", "1", "--seed", "3", "--size", "320x180", "--fps", "6", "--out", str(whole)]
    assert main(words) == 0
    data = bytearray((whole / "game.mp4").read_bytes())
    data[len(data) // 2 : len(data) * 5 // 6] = bytes(len(data) * 5 // 6 - len(data) // 2)
    film, out = tmp_path / "broken.mp4", tmp_path / "result.json"
    film.write_bytes(data)
    capsys.readouterr()
    assert main(["watch", "--source", str(film), "--headless", "--out", str(out)]) == FAILED
    assert "The film broke off at" in capsys.readouterr().err
    assert json.loads(out.read_text(encoding="utf-8"))["complete"] is False


def test_a_headless_run_keeps_its_history_when_asked(recording: Path, tmp_path: Path) -> None:
    assert main(["watch", "--source", str(recording), "--headless", "--data", str(tmp_path / "kept")]) == 0
    with Store(tmp_path / "kept" / "history.sqlite") as store:
        (row,) = store.sessions()
        assert row.ended is not None
        assert row.result == json.loads((recording / "result.json").read_text())
        assert len(store.entries(row.id)) == sum(1 for _ in read_recording(recording).of("entry"))


def test_a_start_that_is_refused_leaves_no_game_behind(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, record = tmp_path / "kept", tmp_path / "new"
    words = ["watch", "--source", str(recording), "--data", str(data), "--record", str(record), "--no-browser"]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main([*words, "--port", str(taken.getsockname()[1])]) == FAILED
    assert "is in use" in sentence(capsys)
    assert main([*words, "--port", "0", "--host", "192.0.2.1"]) == FAILED  # an address reserved for documentation
    assert "no address of this machine" in sentence(capsys)
    assert not record.exists()
    with Store(data / "history.sqlite") as store:
        assert store.sessions() == ()


def test_the_history_begins_a_game_once_it_runs(recording: Path, tmp_path: Path) -> None:
    plan = Plan(str(recording), recorded_table(read_recording(recording)), recording=read_recording(recording))
    with Store(tmp_path / "history.sqlite") as store:
        game = open_game(plan, store)
        store.flush()
        assert store.sessions() == ()
        game.begin()
        store.flush()
        assert [row.id for row in store.sessions()] == [game.facts.id]
        game.close()


def test_folders_that_cannot_be_used_are_told_before_the_game(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    words = ["watch", "--source", str(recording), "--headless"]
    for options, said in (
        (["--record", str(recording)], "not empty"),
        (["--record", str(tmp_path / "file" / "x")], "writable"),
        (["--out", str(tmp_path / "file" / "x.json")], "--out"),
        (["--data", str(tmp_path / "file" / "x")], "--data"),
    ):
        assert main([*words, *options]) == FAILED
        assert said in sentence(capsys)


def test_a_replay_that_differs_is_1(recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in recording.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    assert main(["replay", str(copy), "--out", str(tmp_path / "r.json")]) == 0
    assert (tmp_path / "r.json").read_bytes() == (recording / "result.json").read_bytes()
    with (copy / "log.jsonl").open("ab") as log:
        log.write(b'{"type": "entry", "da')
    assert main(["replay", str(copy), "--check"]) == 0
    assert "cut off" in capsys.readouterr().err
    text = (copy / "result.json").read_text(encoding="utf-8")
    (copy / "result.json").write_text(text.replace("Ana", "Eva"), encoding="utf-8")
    assert main(["replay", str(copy), "--check"]) == FAILED
    captured = capsys.readouterr()
    assert "result differs" in captured.err
    assert "not the same" in captured.out
    assert main(["replay", str(tmp_path)]) == FAILED
    assert "is no recorded session" in sentence(capsys)


def test_the_demo_brings_its_people_and_what_they_said() -> None:
    folder = ROOT / "vision" / "demo"
    if not (folder / "truth.json").is_file():
        pytest.skip("the demo film is not there")
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    table = make_table(truth["rules"], DEMO_SEATS)
    assert table.as_json()["seats"] == truth["seats"]
    args = build_parser().parse_args(["watch", "--source", DEMO])
    said = (folder / "inputs.jsonl").read_text(encoding="utf-8").splitlines()
    assert _presses(args, table) == tuple(json.loads(line) for line in said)


def test_paths_may_be_pasted_in_quotes(recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "result.json"
    assert main(["watch", "--source", f" '{recording}' ", "--headless", "--out", str(out)]) == 0
    assert out.is_file()
    assert main(["replay", f'"{recording}"', "--check"]) == 0
    capsys.readouterr()
    assert main(["watch", "--source", '"no-such-film.mp4"', "--headless"]) == FAILED
    assert "There is no file or folder no-such-film.mp4" in sentence(capsys)
    assert main(["detect", f"'{tmp_path}'"]) == FAILED
    assert "holds no picture" in sentence(capsys)


def test_detect_says_what_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", str(tmp_path / "none.jpg")]) == FAILED
    assert "no file or folder" in sentence(capsys)
    assert main(["detect", str(tmp_path)]) == FAILED
    assert "holds no picture" in sentence(capsys)


def test_missing_weights_are_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BRISCA_MODELS", str(tmp_path))
    for words in (["model", "list"], ["model", "verify"]):
        assert main(words) == FAILED
        assert "MODELS.toml" in sentence(capsys)
    assert main(["doctor", "--port", "0"]) == FAILED
    out = capsys.readouterr().out
    assert re.search(r"^BAD   weights: .*MODELS.toml", out, re.MULTILINE)
    assert re.search(r"^ok    python: 3", out, re.MULTILINE)
    assert re.search(r"^ok    video files", out, re.MULTILINE)
    assert "to mend" in out


def test_the_doctor_finds_a_port_in_use_and_a_bad_history(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "history.sqlite").write_text("no database " * 100)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["doctor", "--port", str(taken.getsockname()[1])]) == FAILED
    out = capsys.readouterr().out
    assert re.search(r"^BAD   port: Port \d+ is in use", out, re.MULTILINE)
    assert re.search(r"^BAD   history: ", out, re.MULTILINE)


@pytest.mark.parametrize(("games", "said"), [(0, "0 sessions"), (1, "1 session"), (2, "2 sessions")])
def test_the_doctor_counts_the_games_of_the_history(games: int, said: str, tmp_path: Path) -> None:
    with Store(tmp_path / "history.sqlite") as store:
        for _ in range(games):
            store.begin(SessionFacts.begin("film").row(make_table(), None))
        store.flush()
    assert check_history(str(tmp_path)).detail.endswith(f", {said}")


def test_export_without_the_training_packages_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["model", "export", "locator", str(tmp_path / "no.pt"), str(tmp_path / "out.onnx")]) == USAGE
    assert re.search(r"brisca-table\[train\]|no checkpoint", sentence(capsys))


def test_a_traceback_is_shown_only_on_demand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BRISCA_DEBUG", "1")
    assert main(["watch", "--rules", "whist"]) == USAGE
    assert "Traceback" in capsys.readouterr().err


def brisca(*words: str, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """``brisca`` in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "server.cli", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_pipe_whose_reader_has_left_is_no_failure() -> None:
    process = brisca("rules", "list")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(20) == 0


def test_watch_serves_the_page_until_ctrl_c(recording: Path, tmp_path: Path) -> None:
    out, record = tmp_path / "result.json", tmp_path / "again"
    process = brisca(
        "watch", "--source", str(recording), "--port", "0", "--no-browser", "--speed", "20",
        "--out", str(out), "--record", str(record),
    )  # fmt: skip
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        match = re.search(r"http://127\.0\.0\.1:(\d+)/", first)
        assert match is not None, first
        port = int(match[1])
        with connect(f"ws://127.0.0.1:{port}/ws") as screen:
            while not (message := json.loads(screen.recv(timeout=30))).get("data", {}).get("session", {}).get("ended"):
                pass
            assert len(message["data"]["hand"]["tricks"]) == 2
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/result", timeout=10) as answer:
                assert json.load(answer) == json.loads((recording / "result.json").read_text())
            second = brisca("watch", "--source", str(recording), "--port", str(port), "--no-browser")
            _, said = second.communicate(timeout=30)
            assert second.returncode == FAILED
            assert f"Port {port} is in use" in said
            assert "Traceback" not in said
        process.send_signal(signal.SIGINT)
        printed, errors = process.communicate(timeout=20)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    assert process.returncode == 0, errors
    assert errors == ""
    assert "Ana" in printed
    assert out.read_text() == (recording / "result.json").read_text()
    assert (record / "log.jsonl").read_bytes() == (recording / "log.jsonl").read_bytes()


def test_ctrl_c_in_a_headless_run_keeps_the_result_so_far(recording: Path, tmp_path: Path) -> None:
    out, record = tmp_path / "result.json", tmp_path / "part"
    process = brisca(
        "watch", "--source", str(recording), "--headless", "--out", str(out), "--record", str(record),
    )  # fmt: skip
    end = time.monotonic() + 20
    while time.monotonic() < end and not ((record / "log.jsonl").exists() and (record / "log.jsonl").stat().st_size):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode in (0, 130), errors
    assert "Traceback" not in errors
    assert out.exists()
    assert main(["replay", str(record), "--check"]) == 0
