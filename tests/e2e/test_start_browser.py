"""``brisca watch`` alone: from an empty machine to a game on the page, another one after it, and the history."""

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


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory, witnessed: Callable[..., Any]) -> Path:
    """A recorded session of one trick."""
    folder = tmp_path_factory.mktemp("recorded") / "session"
    table = make_table("arrastro", "south=A,north=B")
    with Recorder(folder, SessionFacts.begin("film").header(table, None, {})) as recorder:
        session = Session(table, recorder)
        run_steps(session, (Seen(observation) for observation in witnessed(1, tricks=1).observations))
    return folder


def begin(page: Page, recording: Path, *names: str) -> None:
    page.locator("input[name=kind][data-value=film]").check()
    page.locator("#source-film").fill(str(recording))
    for seat, name in enumerate(names):
        page.locator(f"#name-{seat}").fill(name)
    page.get_by_test_id("go").click()
    expect(page.locator("html")).to_have_attribute("data-link", "live")


def test_two_games_without_restarting_and_the_history_of_both(
    watched: Any, brisca: Callable[..., Any], recording: Path
) -> None:
    server = brisca("--speed", "8", "--seats", "south=Carmen,north=Pepe")
    page: Page = watched.page
    page.goto(f"{server.url}start")
    expect(page.locator("#name-0")).to_have_value("Carmen")
    begin(page, recording)
    expect(page.locator(".tile-name").first).to_have_text(re.compile("Carmen"))
    expect(page.get_by_test_id("trump")).to_have_attribute("data-card", re.compile(r"\d+[OCEB]"))
    page.goto(f"{server.url}start")
    page.get_by_test_id("end").or_(page.get_by_test_id("go")).first.wait_for()
    if page.get_by_test_id("end").is_visible():
        page.get_by_test_id("end").click()
        page.get_by_test_id("answer-yes").click()
    begin(page, recording, "Rosa", "Juan")
    expect(page.locator(".tile-name").first).to_have_text(re.compile("Rosa"))
    page.goto(f"{server.url}history")
    expect(page.get_by_test_id("game")).to_have_count(2)
    expect(page.get_by_test_id("game").first).to_contain_text("Rosa")
    # A recorded session has no picture to look at beforehand: even that answer leaves nothing in the console.
    assert watched.complaints == []
    own = re.sub(r"^\w+://([^/]*)/$", r"\1", server.url)
    assert {host for host in watched.hosts if not host.startswith(f"blob:{server.url}")} == {own}
    code, out, errors = server.stop()
    assert (code, errors) == (0, "")
    assert "Carmen" in out
    assert "Rosa" in out
