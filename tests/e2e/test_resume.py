"""A real ``brisca watch`` killed in mid-hand on a real film: the game that goes on is the one that was broken off."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import pytest

from server.cli import main
from server.sessions.recording import LOG_FILE, read_recording
from vision.demo import demo_path
from vision.errors import VisionError
from vision.weights import find_weights

ROOT = Path(__file__).parents[2]
WATCH = (sys.executable, "-m", "server.cli", "watch")
SEATS = ("--seats", "south=Ana,north=Luis")
FRAMES = 165
"""Two tricks of the demo film with their gathering."""

CUT = 118
"""The second trick lies full: its cards must neither be played again nor be lost."""


def game(result: dict[str, Any]) -> dict[str, Any]:
    """What counts: not how sure each card was, to the fourth digit, nor the moment to the frame."""
    tricks = [
        ([(play["seat"], play["card"]) for play in trick["plays"]], trick["winner"], trick["points"])
        for trick in result["tricks"]
    ]
    return {
        **{name: result[name] for name in ("trump", "totals", "winner", "violations", "exchanges")},
        "tricks": tricks,
    }


def write(path: Path, frames: list[Any]) -> Path:
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 15, (1280, 720))
    for frame in frames:
        film.write(frame)
    film.release()
    return path


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The beginning of the demo film, and its part from the cut on as a film of its own."""
    try:
        find_weights("locate")
        find_weights("identify")
        source = cv2.VideoCapture(str(demo_path()))
    except VisionError as error:
        pytest.skip(str(error))
    frames = [source.read()[1] for _ in range(FRAMES)]
    source.release()
    folder = tmp_path_factory.mktemp("films")
    return write(folder / "whole.mp4", frames), write(folder / "rest.mp4", frames[CUT:])


@pytest.fixture(scope="module")
def uninterrupted(films: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    out = tmp_path_factory.mktemp("whole") / "result.json"
    assert main(["watch", "--source", str(films[0]), *SEATS, "--headless", "--out", str(out)]) == 0
    result: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    assert len(result["tricks"]) == 2
    return result


@pytest.fixture
def killed(films: tuple[Path, Path], tmp_path: Path) -> Path:
    """The recording of a run that was killed (signal 9) some frames before the cut or at it."""
    record = tmp_path / "session"
    process = subprocess.Popen(
        [*WATCH, "--source", str(films[0]), *SEATS, "--headless", "--record", str(record)],
        cwd=ROOT,
        env={**os.environ, "BRISCA_DATA": str(tmp_path / "data")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 600
    while time.monotonic() < end and process.poll() is None:
        log = record / LOG_FILE
        if log.exists() and log.read_bytes().count(b'{"type":"observation"') > CUT - 30:
            break
        time.sleep(0.01)
    process.kill()
    assert process.wait(20) == -9, "it was killed in its middle, it had not come to its end"
    with (record / LOG_FILE).open("ab") as file:
        file.write(b'{"type":"observation","data":{"fra')  # the power went in the middle of a line
    return record


def test_a_killed_game_goes_on_where_the_film_was(
    killed: Path, uninterrupted: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRISCA_DATA", str(tmp_path / "data"))
    out = tmp_path / "result.json"
    seen = max(line.data["frame"] for line in read_recording(killed).of("observation"))
    assert 0 < seen < FRAMES - 1
    assert main(["watch", "--resume", str(killed), "--headless", "--out", str(out)]) == 0
    result = json.loads(out.read_text(encoding="utf-8"))
    assert game(result) == game(uninterrupted)
    frames = [line.data["frame"] for line in read_recording(killed).of("observation")]
    assert frames == list(range(FRAMES)), "every frame once"
    assert main(["replay", str(killed), "--check"]) == 0


@pytest.mark.slow
def test_a_killed_game_goes_on_with_what_the_table_shows_now(
    killed: Path,
    films: tuple[Path, Path],
    uninterrupted: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("BRISCA_DATA", str(tmp_path / "data"))
    out = tmp_path / "result.json"
    assert main(["watch", "--resume", str(killed), "--source", str(films[1]), "--headless", "--out", str(out)]) == 0
    result = json.loads(out.read_text(encoding="utf-8"))
    assert game(result) == game(uninterrupted)
    assert main(["replay", str(killed), "--check"]) == 0
    assert "the same, byte for byte" in capsys.readouterr().out


@pytest.mark.browser
def test_the_start_page_offers_a_killed_game(
    watched: Any, brisca: Callable[..., Any], films: tuple[Path, Path]
) -> None:
    server = brisca("--source", str(films[0]), *SEATS)
    page = watched.page
    page.goto(server.url)
    page.wait_for_selector("[data-testid=trump][data-card]:not([data-card=''])", timeout=300_000)
    server.process.kill()
    server.process.communicate()
    server = brisca()
    page.goto(f"{server.url}start")
    left = page.get_by_test_id("left")
    left.wait_for()
    assert "Ana and Luis" in left.inner_text()
    page.get_by_test_id("resume").click()
    page.wait_for_selector("html[data-link=live]")
    page.wait_for_selector("[data-testid=trump][data-card]:not([data-card=''])")
    assert page.locator("text=Luis").count() > 0
    page.goto(f"{server.url}start")
    page.get_by_test_id("running").wait_for()
    assert page.get_by_test_id("left").is_hidden()
    page.wait_for_function(
        "() => fetch('/api/status').then((answer) => answer.json()).then((status) => status.camera === 'ENDED')",
        timeout=600_000,
    )
    page.reload()
    page.wait_for_selector("html[data-ready=true]")
    assert page.get_by_test_id("left").is_hidden(), "its film has come to its end: it is over"
