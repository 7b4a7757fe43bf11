"""The golden recordings on the page: phone, tablet and TV, four languages, from the first card to the score."""

import json
import lzma
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
SCREENS = {
    "es": ("/", 390, 844, "Bazas jugadas", "arrastre"),
    "it": ("/", 1024, 768, "Prese fatte", "arrastre"),
    "pt": ("/", 1920, 1080, "Vazas jogadas", "arrastre"),
    "en": ("/tv", 1920, 1080, "", ""),
}


@pytest.fixture
def golden(tmp_path: Path) -> Callable[[str], tuple[Path, dict[str, Any]]]:
    """Unpacks a recording; gives its folder and its result."""

    def unpack(name: str) -> tuple[Path, dict[str, Any]]:
        folder = tmp_path / name
        folder.mkdir()
        shutil.copy(GOLDEN / name / "session.json", folder)
        with lzma.open(GOLDEN / name / "log.jsonl.xz", "rb") as packed:
            (folder / "log.jsonl").write_bytes(packed.read())
        return folder, json.loads((GOLDEN / name / "result.json").read_text(encoding="utf-8"))

    return unpack


@pytest.mark.parametrize("name", ["two-exchange", "four-whole"])
def test_every_screen_tells_a_golden_recording_alike(
    browser: Browser, brisca: Callable[..., Any], golden: Callable[[str], tuple[Path, dict[str, Any]]], name: str
) -> None:
    folder, result = golden(name)
    server = brisca("--source", str(folder), "--speed", "12")
    complaints: list[str] = []
    pages: dict[str, Page] = {}
    for language, (path, width, height, _, _) in SCREENS.items():
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        page = pages[language] = context.new_page()
        page.on(
            "console",
            lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None,
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{server.url.rstrip('/')}{path}?lang={language}")
        expect(page.locator("html")).to_have_attribute("data-link", "live")
    by_team = result["totals"]["by_team"]
    points = list((by_team or result["totals"]["by_seat"]).values())
    for language, page in pages.items():
        expect(page.get_by_test_id("camera-state")).to_have_attribute("data-state", "ENDED", timeout=600_000)
        for side, wanted in enumerate(points):
            expect(page.get_by_test_id(f"score-{side}")).to_have_text(str(wanted))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), language
        heading, fault = SCREENS[language][3:]
        if not heading:
            continue
        rows = page.get_by_test_id("trick-list").locator("[data-trick]")
        expect(rows).to_have_count(len([trick for trick in result["tricks"] if trick["t_swept"] is not None]))
        expect(page.get_by_test_id("trick-list")).to_contain_text(re.compile(heading))
        expect(page.locator(".violation")).to_have_count(len(result["violations"]))
        if result["violations"]:
            expect(page.locator(".violation").first).to_contain_text(re.compile(fault, re.IGNORECASE))
        expect(page.get_by_test_id("result")).to_be_visible(visible=result["complete"])
    for page in pages.values():
        page.context.close()
    assert complaints == []
    code, _, errors = server.stop()
    assert (code, errors) == (0, "")
