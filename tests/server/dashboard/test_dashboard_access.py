"""Everybody can use the page: axe-core finds nothing in any view, theme or sheet; four languages; pictures."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

from server.errors import PressError

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[3]
TEXT_KEY = re.compile(r"\b(?:fix|changes|known|why|win|keys|scene|action)\.[a-z_]+\b")


def busy(state: dict[str, Any]) -> dict[str, Any]:
    """A state with everything on it that can be: faults of all kinds, a doubt, the lost thread, changes, a pause."""
    kinds = ("certain", "possible", "unknowable", "cleared")
    state["violations"] = [
        {"key": f"k{kind}", "kind": "missed_arrastre", "hand": 1, "seat": 1, "trick": 2, "certainty": kind, "p": 0.6,
         "evidence": ["3C"], "pictures": [], "acknowledged": kind == "cleared", "dismissed": False}
        for kind in kinds
    ]  # fmt: skip
    state["lost"] = True
    play = state["hand"]["trick"]["plays"][0]
    state["questions"] = [
        {"id": "q", "kind": "card", "text_key": "question.card",
         "options": [{"type": "correct_card", "play": play["id"], "card": "3C", "p": 0.6}]}
    ]  # fmt: skip
    state["session"]["paused"] = True
    state["steps"] = {"undo": True, "redo": False}
    state["known"]["decided"] = 0
    changes = (("person", "amended", "by_hand"), ("rule", "retracted", "no_fact"), ("vision", "inserted", "late"))
    state["changes"] = [
        {"id": f"e{n}", "t": 1.0, "by": by, "change": change, "what": "card_played", "why": why, "hand": 1, "trick": 2,
         "seat": 0, "before": "3C", "after": "4C"}
        for n, (by, change, why) in enumerate(changes)
    ]  # fmt: skip
    return state


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_axe_finds_nothing_on_any_view(served: Any, opened: Any, played: Any, faults: Any, theme: str) -> None:
    server = served(busy(played(2)))
    page = opened(server, f"/?theme={theme}", 390, 844)
    server.tell(camera="RUNNING", scene="dark")
    page.get_by_test_id("camera-trouble").wait_for()
    page.locator("#changes summary").click()
    assert faults(page) == []
    for size in ((820, 1180), (1280, 800)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert faults(page) == [], size
    for path in ("/tv", "/overlay"):
        page.goto(f"{server.url}{path}?theme={theme}")
        page.wait_for_selector("html[data-link=live]")
        page.set_viewport_size({"width": 1920, "height": 1080})
        assert faults(page) == [], path


def press_until(page: Any, key: str, wanted: str) -> None:
    """Press a key until its sheet shows; on a busy machine the sheet before may still be closing at the first press."""
    from playwright.sync_api import TimeoutError as Late

    for _ in range(3):
        page.keyboard.press(key)
        try:
            page.locator(wanted).first.wait_for(timeout=5_000)
        except Late:
            continue
        return
    page.locator(wanted).first.wait_for()


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_axe_finds_nothing_on_any_sheet(served: Any, opened: Any, played: Any, faults: Any, theme: str) -> None:
    page = opened(served(busy(played(2))), f"/?theme={theme}", 390, 844)
    ways = {
        "c": "#picker .picker-now",
        "m": "#picker [data-testid=fix-add]",
        "a": "#picker [data-seat]",
        "s": "#picker .fix-ways",
        "r": "#picker .fix-ways",
        "?": "#picker kbd",
    }
    for key, wanted in ways.items():
        press_until(page, key, wanted)
        assert faults(page) == [], key
        page.keyboard.press("Escape")
        page.locator("#picker").wait_for(state="hidden")
    for way in ("trump", "exchange", "winner"):
        page.get_by_test_id("correct").click()
        page.get_by_test_id(f"fix-{way}").click()
        assert faults(page) == [], way
        page.keyboard.press("Escape")
        page.locator("#picker").wait_for(state="hidden")
    page.locator("#settings-button").click()
    assert faults(page) == []


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_axe_finds_nothing_in_the_states_of_a_game(
    served: Any, opened: Any, played: Any, faults: Any, theme: str
) -> None:
    """Waiting, kept by hand, over, camera lost for good, refused, wire cut."""
    idle = {**played(2), "hand": None}
    idle["session"] = {**idle["session"], "idle": True}
    over = played(2)
    over["hand"].update(phase="result", turn=None, result={"status": "won", "points": [71, 49], "winners": [0]})
    over["hands"] = [{"n": n, "points": [71, 49], "winners": [0]} for n in (1, 2)]
    by_hand = played(2)
    by_hand["hand"].update(phase="setup", trump=None, tricks=[], trick={**by_hand["hand"]["trick"], "plays": []})
    server = served(idle)
    page = opened(server, f"/?theme={theme}", 390, 844)
    page.get_by_test_id("idle").wait_for()
    assert faults(page) == [], "waiting"
    server.tell(camera="NONE")
    server.post(by_hand)
    page.get_by_test_id("set-trump").wait_for()
    assert faults(page) == [], "kept by hand"
    server.post(over)
    page.get_by_test_id("result").wait_for()
    server.tell(camera="FAILED", reason="camera_taken")
    page.get_by_test_id("camera-trouble").wait_for()
    assert faults(page) == [], "over, and the camera failed"
    server.desk.refuse = PressError("There is nothing to undo.", "nothing_to_undo")
    page.get_by_test_id("new-hand").click()
    page.wait_for_selector("#toast[data-bad=true]:not([hidden])")
    assert faults(page) == [], "refused"
    server.stop()
    page.wait_for_selector("html[data-link=lost]")
    assert faults(page) == [], "wire cut"


@pytest.mark.parametrize("language", ["es", "en", "it", "pt"])
def test_no_text_is_missing_in_any_language(served: Any, opened: Any, played: Any, language: str) -> None:
    page = opened(served(busy(played(2))), f"/?lang={language}", 820, 1180)
    page.locator("#changes summary").click()
    shown = [page.inner_text("body")]
    for key in ("c", "m", "a", "s", "r", "?"):
        page.keyboard.press(key)
        page.locator("#picker").wait_for()
        shown.append(page.inner_text("#picker"))
        page.keyboard.press("Escape")
        page.locator("#picker").wait_for(state="hidden")
    for text in shown:
        assert not TEXT_KEY.search(text), TEXT_KEY.search(text)
        assert "undefined" not in text
        assert not re.search(r"\{\w+\}", text)


def test_the_overlay_and_the_tv_have_addresses_of_their_own(served: Any, opened: Any, played: Any) -> None:
    server = served(played(2))
    overlay = opened(server, "/overlay?lang=it", 1920, 1080)
    assert overlay.evaluate("document.documentElement.dataset.view") == "overlay"
    assert overlay.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    shown = overlay.locator(".known, .changes, .actions, .violations, .last").evaluate_all(
        "all => all.filter((one) => one.checkVisibility()).length"
    )
    assert shown == 0
    tv = opened(server, "/tv", 1920, 1080)
    assert tv.evaluate("document.documentElement.dataset.view") == "tv"
    for name in ("score-0", "trump", "stock", "turn", "winning", "trick"):
        box = tv.get_by_test_id(name).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 1080, name
    tv.locator("#settings-button").click()
    links = tv.locator("#settings .views a:not(.page-link)").evaluate_all(
        "all => all.map((one) => one.getAttribute('href'))"
    )
    assert links == ["/", "/tv", "/overlay"]


def test_nothing_moves_for_those_who_do_not_want_it(served: Any, opened: Any, played: Any) -> None:
    page = opened(served(played(2)))
    page.emulate_media(reduced_motion="reduce")
    page.get_by_test_id("replay").click()
    moving = page.evaluate("() => document.getAnimations().length")
    assert moving == 0


SCREENS = {
    "live-phone": ("/", (390, 844)),
    "live-tablet": ("/", (820, 1180)),
    "live-tv": ("/tv", (1920, 1080)),
    "live-overlay": ("/overlay", (1920, 1080)),
}


@pytest.mark.parametrize("name", SCREENS)
def test_pictures_for_the_docs(served: Any, opened: Any, played: Any, name: str) -> None:
    """Each view is complete on its screen; with BRISCA_PICTURES=1 its picture in docs/pictures is made anew."""
    path, size = SCREENS[name]
    page = opened(served(played(2)), path, *size)
    page.get_by_test_id("trick").wait_for()
    page.emulate_media(reduced_motion="reduce")  # no card halfway to the table
    page.evaluate("() => document.fonts.ready")
    target = ROOT / "docs" / "pictures" / f"{name}.png"
    if os.environ.get("BRISCA_PICTURES") == "1":
        page.screenshot(path=target, omit_background=True)
    assert target.is_file(), "BRISCA_PICTURES=1 makes it"
