"""The pages besides the scoreboard in a real headless Chromium, served by a real room."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))  # for rooms.py: tests are no packages

from rooms import ServedRoom, serving_room, write_film

SCREENS = {"phone": (390, 844), "tablet": (1024, 768), "tv": (1920, 1080)}


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens pages: ``visit(url, "phone", locale="it-IT", theme="contrast")``.

    Whatever a page complains of fails the test. ``forgive`` names an answer that the test provokes, such as "404":
    browsers write those to the console. ``patience`` (ms) is for servers that have much to do besides.
    """
    contexts: list[Any] = []
    complaints: list[tuple[str, str]] = []

    def open_page(
        url: str,
        screen: str = "tablet",
        locale: str = "es-ES",
        forgive: str = "",
        theme: str = "light",
        patience: int = 60_000,
    ) -> Any:
        width, height = SCREENS[screen]
        context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=locale,
            color_scheme="light" if theme == "contrast" else theme,
            reduced_motion="reduce",
            accept_downloads=True,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(patience)
        page.on(
            "console",
            lambda message: (
                complaints.append((forgive, message.text)) if message.type in ("error", "warning") else None
            ),
        )
        page.on("pageerror", lambda error: complaints.append(("", str(error))))
        page.add_init_script(
            "window.blocked = []; document.addEventListener('securitypolicyviolation',"
            " (event) => window.blocked.push(`${event.violatedDirective} ${event.blockedURI}`));"
        )
        page.goto(f"{url}?theme=contrast" if theme == "contrast" else url)
        page.wait_for_selector("html[data-ready=true]")
        return page

    yield open_page
    blocked = [one for context in contexts for page in context.pages for one in page.evaluate("window.blocked")]
    for context in contexts:
        context.close()
    # A server that was stopped on purpose cannot be reached.
    left = [(forgiven, text) for forgiven, text in complaints if "ERR_CONNECTION_REFUSED" not in text]
    assert [text for forgiven, text in left if not (forgiven and f"status of {forgiven}" in text)] == []
    assert blocked == []


@pytest.fixture
def room(tmp_path: Path) -> Iterator[ServedRoom]:
    with serving_room(tmp_path) as served:
        yield served


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half a minute of an empty table."""
    return write_film(tmp_path_factory.mktemp("films") / "table.mp4", 30)
