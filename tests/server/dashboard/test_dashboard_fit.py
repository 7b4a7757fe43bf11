"""Names, results and warnings have their room on every screen: nothing is cut, covered or broken inside a word."""

import copy
from functools import cache
from random import Random
from typing import Any

import pytest
from fitting import broken_words, cut_off, set_letters

from engine.events import CardPlayed, TrumpShown
from engine.random_game import random_game
from server.scoreboard.snapshot import snapshot_json
from server.sessions.session import Session, make_table
from server.sessions.sitting import SessionFacts

pytestmark = pytest.mark.browser

TV = (1920, 1080)
TABLES = {
    2: ("arrastro", "south=Concepción,north=Bartolomé"),
    3: ("tres_39", "south=Ana,east=Luis,west=María del Carmen"),
    4: ("arrastro", "south=Ana,east=Luis,north=Maximiliano,west=Eva"),
    6: (
        "seis_48",
        "south=Concepción,southeast=Bartolomé,northeast=Maximiliano,north=Eva,northwest=Francisca,southwest=José Luis",
    ),
}


@cache
def told(players: int, tricks: int) -> dict[str, Any]:
    profile, seats = TABLES[players]
    table = make_table(profile, seats)
    session, plays = Session(table), 0
    for event in random_game(table.rules, Random(5), exchange_chance=0.0).events():
        if isinstance(event, TrumpShown):
            session.press({"type": "set_trump", "card": str(event.card)})
        elif isinstance(event, CardPlayed) and plays <= tricks * players:
            place = {"seat": event.seat, "trick": plays // players + 1}
            session.press({"type": "add_play", "card": str(event.card), "sure": True, **place})
            plays += 1
    return dict(snapshot_json(SessionFacts("s1", "none", "2025-01-01T10:00:00Z"), session, False))


def playing(players: int) -> dict[str, Any]:
    """Three tricks and a card of the next one."""
    return copy.deepcopy(told(players, 3))


def over(players: int) -> dict[str, Any]:
    """A whole hand, one of a match."""
    state = copy.deepcopy(told(players, 99))
    assert state["hand"]["result"]
    state["match"].update(format="first_to", n=3)
    return state


def boxes(page: Any, selector: str) -> list[dict[str, float]]:
    return [box for one in page.locator(selector).all() if one.is_visible() and (box := one.bounding_box())]


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_a_tv_shows_the_result_of_a_hand_whole(served: Any, opened: Any, players: int) -> None:
    page = opened(served(over(players)), "/tv", *TV)
    for width, height in (TV, (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        assert cut_off(page) == []
        assert broken_words(page) == []
        assert not page.locator("#table").is_visible()
        edge = 0.0
        for part in ("#match", "#result", ".tiles", ".bar", "#last"):
            (box,) = boxes(page, part)
            assert box["y"] >= edge, part
            edge = box["y"] + box["height"]
        assert edge <= height
        for box in boxes(page, ".last-cards .card"):
            assert box["width"] >= width / 40


@pytest.mark.parametrize("path", ["/tv", "/overlay"])
@pytest.mark.parametrize("players", [3, 4])
def test_a_lost_wire_leaves_the_table_its_room(served: Any, opened: Any, players: int, path: str) -> None:
    server = served(playing(players))
    page = opened(server, path, *TV)
    (before,) = {box["height"] for box in boxes(page, "#table .played .card")}
    server.stop()
    page.wait_for_selector("html[data-link=lost]")
    assert page.get_by_test_id("link").is_visible()
    (after,) = {box["height"] for box in boxes(page, "#table .played .card")}
    assert after >= 0.6 * before
    assert cut_off(page) == []
    assert broken_words(page) == []


@pytest.mark.parametrize("width", [320, 360, 390])
@pytest.mark.parametrize("language", ["es", "en", "it", "pt"])
def test_whose_turn_it_is_fits_into_the_tile(served: Any, opened: Any, language: str, width: int) -> None:
    page = opened(served(playing(3)), f"/?lang={language}", width, 640)
    (pill,), (tile,) = boxes(page, ".tile[data-turn=true] .tile-turn"), boxes(page, ".tile[data-turn=true]")
    assert pill["x"] + pill["width"] <= tile["x"] + tile["width"] - 3
    assert cut_off(page) == []


@pytest.mark.parametrize(
    ("players", "path", "size"),
    [
        (2, "/", (390, 844)),
        (2, "/", (320, 568)),
        (6, "/", (320, 568)),
        (2, "/tv", TV),
        (3, "/tv", TV),
        (3, "/overlay", TV),
        (4, "/overlay", (1280, 720)),
        (6, "/overlay", TV),
    ],
)
def test_names_that_have_room_are_whole(
    served: Any, opened: Any, players: int, path: str, size: tuple[int, int]
) -> None:
    page = opened(served(playing(players)), path, *size)
    assert broken_words(page) == []
    assert cut_off(page) == []


def test_over_a_video_all_names_stand_in_one_line_and_the_sum_in_a_small_box(served: Any, opened: Any) -> None:
    server = served(playing(6))
    page = opened(server, "/overlay", *TV)
    (high,) = boxes(page, "#table")
    edges = {round(box["y"] + box["height"]) for box in boxes(page, ".slot-name")}
    assert max(edges) - min(edges) <= 2, "above a card or above the place where one will lie"
    server.post(over(6))
    page.get_by_test_id("result").wait_for()
    (box,) = boxes(page, ".result-check")
    assert box["height"] < 70
    assert abs(boxes(page, "#table")[0]["height"] - high["height"]) <= 6, "the strip does not jump"
    assert cut_off(page) == []


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_letters_follow_the_browsers_own_size(served: Any, opened: Any, players: int) -> None:
    server = served(playing(players))
    page = opened(server, "/", 390, 844)
    root = "() => parseFloat(getComputedStyle(document.documentElement).fontSize)"
    for size in (24, 32):
        set_letters(page, size)
        assert page.evaluate(root) >= 1.06 * size
        assert cut_off(page) == [], size
    server.post(over(players))
    page.get_by_test_id("result").wait_for()
    assert cut_off(page) == []
    for name in ("correct", "add", "swap"):
        page.get_by_test_id(name).click()
        assert page.locator("#picker").evaluate("(one) => one.scrollWidth <= one.clientWidth"), name
        page.keyboard.press("Escape")
        page.wait_for_timeout(500)  # a second tap at one place is a shaky finger's


def test_the_usual_letters_are_as_large_as_ever(served: Any, opened: Any) -> None:
    page = opened(served(playing(2)))
    for width in (320, 390, 1280, 1920, 2560):
        page.set_viewport_size({"width": width, "height": 800})
        size = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
        assert size == pytest.approx(min(max(17, 15 + 0.0035 * width), 22), abs=0.02)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_phone_that_is_zoomed_to_the_double_does_not_scroll_sideways(served: Any, opened: Any, players: int) -> None:
    page = opened(served(playing(players)), "/", 195, 422)
    assert cut_off(page) == []
