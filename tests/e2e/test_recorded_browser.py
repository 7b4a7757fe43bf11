"""A recorded session on the page in a real browser: score, live picture, presses, reconnecting; no weights needed."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from server.sessions.headless import run_steps
from server.sessions.intake import Seen
from server.sessions.recording import Recorder
from server.sessions.session import Session, make_table
from server.sessions.sitting import SessionFacts

pytestmark = pytest.mark.browser


@pytest.fixture(scope="session")
def recording(tmp_path_factory: pytest.TempPathFactory, witnessed: Callable[..., Any]) -> Path:
    """A recorded session of two tricks between Ana and Luis."""
    folder = tmp_path_factory.mktemp("recorded") / "session"
    table = make_table("arrastro", "south=Ana,north=Luis")
    with Recorder(folder, SessionFacts.begin("film").header(table, None, {})) as recorder:
        session = Session(table, recorder)
        run_steps(session, (Seen(observation) for observation in witnessed(1, tricks=2).observations))
        recorder.result(session.result())
    return folder


def test_the_page_follows_a_session_to_its_end(watched: Any, brisca: Callable[..., Any], recording: Path) -> None:
    result = json.loads((recording / "result.json").read_text(encoding="utf-8"))
    server = brisca("--source", str(recording), "--speed", "6")
    page: Page = watched.page
    page.goto(server.url)
    expect(page.locator("html")).to_have_attribute("data-link", "live")
    expect(page.get_by_test_id("trump")).to_have_attribute("data-card", result["trump"])
    points = result["totals"]["by_seat"]
    for seat in ("0", "1"):
        expect(page.get_by_test_id(f"score-{seat}")).to_have_text(str(points[seat]))
    expect(page.get_by_test_id("camera-state")).to_have_attribute("data-state", "ENDED")
    expect(page.get_by_text("Ana").first).to_be_visible()
    assert watched.complaints == []
    assert watched.hosts == {re.sub(r"^\w+://([^/]*)/$", r"\1", server.url)}
    assert server.stop()[0] == 0


def test_the_live_picture_is_shown(watched: Any, brisca: Callable[..., Any], recording: Path) -> None:
    server = brisca("--source", str(recording), "--speed", "2")
    page: Page = watched.page
    page.goto(f"{server.url}snapshot.jpg")
    assert page.evaluate("document.images[0].naturalWidth") == 1280
    # Nothing but our own files may be loaded: the page's own policy forbids the rest.
    page.goto(server.url)
    expect(page.locator("html")).to_have_attribute("data-link", "live")
    blocked = page.evaluate("fetch('http://192.0.2.1/').then(() => 'open', () => 'blocked')")
    assert blocked == "blocked"
    assert any("Content Security Policy" in text for text in watched.complaints)


def test_the_page_comes_back_when_the_server_does(watched: Any, brisca: Callable[..., Any], recording: Path) -> None:
    first = brisca("--source", str(recording), "--speed", "50")
    page: Page = watched.page
    page.goto(first.url)
    expect(page.locator("html")).to_have_attribute("data-link", "live")
    port = first.url.rsplit(":", 1)[1].strip("/")
    assert first.stop()[0] == 0
    expect(page.locator("html")).to_have_attribute("data-link", "lost")
    brisca("--source", str(recording), "--speed", "50", "--port", port)
    expect(page.locator("html")).to_have_attribute("data-link", "live")


def test_the_score_is_kept_by_hand_without_a_camera(watched: Any, brisca: Callable[..., Any], tmp_path: Path) -> None:
    out = tmp_path / "result.json"
    server = brisca("--source", "none", "--seats", "south=Ana,north=Luis", "--out", str(out))
    page: Page = watched.page
    page.goto(server.url)
    expect(page.get_by_test_id("camera-state")).to_have_attribute("data-state", "NONE")
    expect(page.locator("#camera")).to_be_hidden()
    for press in (
        {"type": "set_trump", "suit": "O"},
        {"type": "add_play", "trick": 1, "seat": 0, "card": "3C"},
        {"type": "add_play", "trick": 1, "seat": 1, "card": "1C"},
        {"type": "claim", "seat": 0},
    ):
        assert page.request.post(f"{server.url}api/press", data=press).ok
    expect(page.get_by_test_id("score-1")).to_have_text("21")
    expect(page.get_by_test_id("score-0")).to_have_text("99")
    expect(page.get_by_test_id("result")).to_be_visible()
    assert watched.complaints == []
    assert server.stop()[0] == 0
    assert json.loads(out.read_text(encoding="utf-8"))["totals"]["by_seat"] == {"0": 99, "1": 21}
