"""What stands where on small and large screens: the header, the list of tricks, the end of a match on a TV."""

import copy
from typing import Any

import pytest

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def four(played: Any) -> Any:
    """A table of four in mid-game, made once."""
    made = played(4)
    return lambda: copy.deepcopy(made)


def lines(page: Any, selector: str) -> int:
    """In how many lines these stand: by their upper edges, give or take a border."""
    tops = page.locator(selector).evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    return len({round(top / 8) for top in tops})


def decided(state: dict[str, Any], status: str = "won") -> dict[str, Any]:
    """The hand is over, and with it a match to two hands."""
    sides = len(state["scores"])
    points = [49, 71, 0][:sides]
    state["hand"].update(phase="result", turn=None, result={"status": "won", "points": points, "winners": [1]})
    winner = 1 if status == "won" else None
    wins = [1, 2 if winner else 1, 0][:sides]
    state["match"].update(format="first_to", n=2, status=status, winner=winner, wins=wins)
    return state


@pytest.mark.parametrize("language", ["es", "en", "it", "pt"])
def test_the_header_is_one_line_with_the_settings_in_it(served: Any, opened: Any, four: Any, language: str) -> None:
    state = four()
    state["hand"]["phase"] = "trick_full"
    state["session"]["source"] = "none"
    page = opened(served(state), f"/?lang={language}", 1024, 768)
    page.get_by_test_id("camera-state").wait_for()
    for width in (961, 1024, 1280):
        page.set_viewport_size({"width": width, "height": 768})
        assert page.locator(".top").bounding_box()["height"] <= 80, width
        brand, settings = (page.locator(f".top {one}").bounding_box() for one in (".brand", ".button-settings"))
        assert abs((brand["y"] + brand["height"] / 2) - (settings["y"] + settings["height"] / 2)) <= 2, width
        parts = [page.locator(f".top {one}").bounding_box() for one in (".brand", ".where", ".camera-chip")] + [
            settings
        ]
        edges = [edge for box in parts for edge in (box["x"], box["x"] + box["width"])]
        assert edges == sorted(edges), width
        assert edges[-1] <= width


def test_the_four_cards_of_a_trick_stand_in_one_line(served: Any, opened: Any, four: Any) -> None:
    page = opened(served(four()), "/", 1024, 768)
    first = "#tricks .trick-row[data-trick='1']"
    for width, height in ((1024, 768), (320, 568), (768, 1024)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator(f"{first} .trick-card").count() == 4
        assert lines(page, f"{first} .trick-card") == 1, width
        row = page.locator(first).bounding_box()
        for part in (".trick-card", ".trick-winner", ".trick-points"):
            for box in (one.bounding_box() for one in page.locator(f"{first} {part}").all()):
                assert row["x"] <= box["x"], (width, part)
                assert box["x"] + box["width"] <= row["x"] + row["width"], (width, part)
        assert page.locator("#last .last-cards > li").count() == 4
        assert lines(page, "#last .last-cards > li") == (2 if width == 320 else 1), width


def test_a_phone_of_320_has_two_buttons_beside_each_other_and_whole_names(served: Any, opened: Any, four: Any) -> None:
    page = opened(served(four()), "/", 320, 568)
    assert lines(page, ".action-grid .button") <= 5
    names = page.locator("#table .slot-name > span:not(.slot-lead)", has_text="Mercedes")
    assert names.evaluate("(one) => one.getClientRects().length === 1 && one.offsetHeight < 24")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_tv_shows_big_who_has_won_the_match_and_by_how_much(
    served: Any, opened: Any, played: Any, faults: Any, players: int
) -> None:
    page = opened(served(decided(played(players))), "/tv", 1920, 1080)
    match = page.get_by_test_id("match")
    winner = page.locator(".tile[data-side='1'] .tile-name").inner_text().strip()
    verdict = match.locator(".match-verdict")
    assert verdict.inner_text().strip() == f"Partida para {winner}"
    assert [one.inner_text() for one in match.locator("strong").all()][:2] == ["1 mano", "2 manos"]
    letters = "(one) => parseFloat(getComputedStyle(one).fontSize)"
    for width, height in ((1920, 1080), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        assert verdict.evaluate(letters) >= height / 12
        assert match.locator("li").first.evaluate(letters) >= height / 20
        for part in (".match-verdict", ".match-sides li", ".tile-number", ".result-title", ".bar"):
            for one in page.locator(part).all():
                box = one.bounding_box()
                assert box["y"] >= 0, part
                assert box["y"] + box["height"] <= height, part
                assert box["x"] + box["width"] <= width, part
    assert faults(page) == []


def test_a_tv_shows_how_the_match_stands_between_the_hands_and_the_hand_alone_in_it(
    served: Any, opened: Any, played: Any
) -> None:
    server = served(played(2))
    page = opened(server, "/tv", 1920, 1080)
    assert not page.get_by_test_id("match").is_visible()
    server.post(decided(played(2), "running"))
    page.get_by_test_id("match").wait_for()
    assert page.get_by_test_id("match-0").inner_text().split("\n")[-1].endswith("1 mano")
    assert page.locator(".match-verdict").count() == 0
    assert not page.locator("#table").is_visible(), "the last trick is shown below the result"
    assert page.locator("#last").is_visible()


def test_the_overlay_shows_who_has_won_the_match(served: Any, opened: Any, four: Any) -> None:
    server = served(four())
    page = opened(server, "/overlay", 1920, 1080)
    assert not page.get_by_test_id("match").is_visible()
    server.post(decided(four()))
    page.get_by_test_id("match").wait_for()
    assert page.locator(".match-verdict").inner_text() == "Partida para Luis + José Antonio"
    box = page.get_by_test_id("match").bounding_box()
    assert box["y"] > 540, "the picture above stays free"
    assert page.locator(".tile-number").first.bounding_box()["y"] > box["y"]


def test_the_winner_of_the_match_is_said(served: Any, opened: Any, played: Any) -> None:
    server = served(played(2))
    page = opened(server)
    server.post(decided(played(2)))
    page.wait_for_function("() => document.querySelector('#polite').textContent.includes('Partida para Luis.')")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("es", "Sin conexión con el ordenador"),
        ("en", "No connection to the computer"),
        ("it", "Nessun collegamento con il computer"),
        ("pt", "Sem ligação ao computador"),
    ],
)
def test_by_hand_a_lost_link_is_no_trouble_of_a_camera(table: Any, opened: Any, language: str, words: str) -> None:
    game = table(by_hand=True)
    page = opened(game, f"/?lang={language}", 390, 844)
    by_hand = page.get_by_test_id("camera-state").inner_text()
    game.stop()
    page.wait_for_selector("html[data-link=lost]")
    assert page.get_by_test_id("camera-state").inner_text() == words
    assert page.get_by_test_id("camera-state").is_visible()
    assert by_hand != words


@pytest.mark.parametrize("language", ["es", "en", "it", "pt"])
def test_no_sheet_is_wider_than_a_small_phone(served: Any, opened: Any, four: Any, language: str) -> None:
    page = opened(served(four()), f"/?lang={language}", 320, 568)
    page.locator("#settings-button").click()
    assert page.locator("#settings").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert lines(page, "#settings .sheet-head > *") <= 2
    assert page.locator("#settings h2").evaluate("(one) => one.getBoundingClientRect().height") < 32
