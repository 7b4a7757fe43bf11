"""Pictures of the pages; with ``BRISCA_PICTURES=1`` they replace those of the documentation."""

import os
from pathlib import Path
from typing import Any

import pytest
from kept import AT_TABLE, keep_game
from rooms import serving_room

pytestmark = pytest.mark.browser

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"


def test_every_page_can_be_pictured(visit: Any, film: Path, tmp_path: Path) -> None:
    folder = PICTURES if os.environ.get("BRISCA_PICTURES") == "1" else tmp_path
    with serving_room(tmp_path / "data", in_the_room=True) as room:
        keep_game(room.store, 13, hands=5, started="2026-01-02T20:00:00Z")
        keep_game(room.store, 23, started="2026-01-03T20:00:00Z", seats=AT_TABLE[4])
        game, _ = keep_game(
            room.store, 33, corrected=True, started="2026-01-04T20:00:00Z", seats="south=Eva,north=Luis"
        )
        pages = {"start": "/start", "history": "/history", "game": f"/history/{game}", "waiting": "/"}
        for name, path in pages.items():
            page = visit(room.url + path, locale="en-GB", forgive="400")
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
            page.screenshot(path=folder / f"{name}.png")
            assert (folder / f"{name}.png").stat().st_size > 10_000


def test_the_pictures_of_the_pages_are_in_the_documents() -> None:
    text = (PICTURES.parent / "dashboard.md").read_text(encoding="utf-8")
    for name in ("start", "history", "game", "waiting"):
        assert f"pictures/{name}.png" in text
        assert (PICTURES / f"{name}.png").is_file()
