"""Pictures of the pages; with ``BRISCA_PICTURES=1`` they replace those of the documentation."""

import os
from pathlib import Path
from typing import Any

import pytest
from kept import AT_TABLE, keep_game
from rooms import serving_room

pytestmark = pytest.mark.browser

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return PICTURES if os.environ.get("BRISCA_PICTURES") == "1" else tmp_path


def picture(page: Any, folder: Path, name: str) -> None:
    page.screenshot(path=folder / f"{name}.png")
    assert (folder / f"{name}.png").stat().st_size > 10_000


def test_every_page_can_be_pictured(visit: Any, film: Path, folder: Path, tmp_path: Path) -> None:
    with serving_room(tmp_path / "data", in_the_room=True) as room:
        keep_game(room.store, 13, hands=5, started="2026-01-02T20:00:00Z")
        keep_game(room.store, 23, started="2026-01-03T20:00:00Z", seats=AT_TABLE[4])
        game, _ = keep_game(
            room.store, 33, corrected=True, started="2026-01-04T20:00:00Z", seats="south=Eva,north=Luis"
        )
        pages = {
            "start": "/start",
            "history": "/history",
            "game": f"/history/{game}",
            "put-right": f"/history/{game}",
            "waiting": "/",
            "missing": "/nothing",
        }
        for name, path in pages.items():
            screen = "phone" if name == "put-right" else "tablet"
            page = visit(room.url + path, screen, "en-GB", forgive="404" if name == "missing" else "")
            if name == "start":
                page.locator("#name-0").fill("Ana")
                page.locator("#name-1").fill("Luis")
                page.locator("input[name=kind][data-value=film]").check()
                page.locator("#source-film").fill(str(film))
                page.wait_for_selector("[data-testid=preview]:not([hidden])")
                page.locator("#source-film").fill("/home/ana/game.mp4")
                page.evaluate("scrollTo(0, 0)")
            if name == "history":
                page.get_by_test_id("players").scroll_into_view_if_needed()
            if name == "put-right":
                page.get_by_test_id("correct-1").click()
                page.locator("#picker [data-trick='12'] .trick-card").first.click()
                page.locator("#picker .picker-ranks").wait_for()
                page.mouse.move(0, 0)
            picture(page, folder, name)


@pytest.mark.slow
def test_the_demo_game_can_be_pictured(visit: Any, folder: Path, tmp_path: Path) -> None:
    """The scoreboard with its live picture, and who sits where: with real frames, read by the real weights."""
    with serving_room(tmp_path / "data") as room:
        assert room.start(source={"kind": "demo"})[0] == 201
        page = visit(room.url, locale="en-GB", patience=600_000)
        page.wait_for_selector("[data-trick='2']")
        page.wait_for_function("() => document.querySelectorAll('[data-testid=trick] .played').length === 2")
        picture(page, folder, "dashboard")
        page = visit(f"{room.url}/places", locale="en-GB")
        page.wait_for_function("() => document.querySelector('[data-testid=places-picture]').naturalWidth > 0")
        picture(page, folder, "places")


def test_the_pictures_of_the_pages_are_in_the_documents() -> None:
    text = "".join(
        (PICTURES.parents[1] / name).read_text(encoding="utf-8") for name in ("docs/dashboard.md", "README.md")
    )
    shown = {path.stem for path in PICTURES.glob("*.png") if f"pictures/{path.name}" in text}
    assert shown == {path.stem for path in PICTURES.glob("*.png")}
    assert {"start", "history", "game", "put-right", "waiting", "missing", "places", "dashboard"} <= shown
    assert {"live-phone", "live-tablet", "live-tv", "live-overlay"} <= shown
