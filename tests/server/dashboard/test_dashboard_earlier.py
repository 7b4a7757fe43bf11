"""What was noticed too late: a hand that is over is put right on the page; what a correction moves is said there."""

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.browser

PHONE, TABLET, TV = (360, 740), (820, 1180), (1920, 1080)


def wait_text(page: Any, selector: str, wanted: str) -> None:
    page.wait_for_function(
        "([where, words]) => document.querySelector(where)?.textContent.includes(words)", arg=[selector, wanted]
    )


def choose(page: Any, card: str) -> None:
    """Tap a card on the pad: its suit, then its rank."""
    page.locator(f"#picker .picker-suits [data-suit={card[-1]}]").first.click()
    page.locator(f"#picker .picker-ranks [data-card='{card}']").click()


def two_hands(table: Callable[..., Any]) -> Any:
    """A table kept by hand: hand 1 is claimed after two tricks (Ana 14, Luis 106), hand 2 has begun."""
    game = table(by_hand=True)
    presses = [
        {"type": "set_trump", "card": "4O"},
        {"type": "add_play", "trick": 1, "seat": 0, "card": "3C"},
        {"type": "add_play", "trick": 1, "seat": 1, "card": "12C"},
        {"type": "sweep"},
        {"type": "add_play", "trick": 2, "seat": 0, "card": "1E"},
        {"type": "add_play", "trick": 2, "seat": 1, "card": "2O"},
        {"type": "sweep"},
        {"type": "claim", "seat": 1},
        {"type": "next_hand"},
        {"type": "set_trump", "card": "5B"},
        {"type": "add_play", "trick": 1, "seat": 1, "card": "1C"},
    ]
    for press in presses:
        game.ask(lambda press=press: game.live.press(press))
    return game


@pytest.mark.parametrize("size", [PHONE, TABLET, TV])
def test_an_earlier_hand_is_put_right_on_the_page(table: Any, opened: Any, size: tuple[int, int]) -> None:
    game = two_hands(table)
    page = opened(game, "/", *size)
    line = page.get_by_test_id("open-hand-1")
    assert line.inner_text().strip() == "Mano 1: Ana 14, Luis 106"
    line.click()
    assert page.get_by_test_id("earlier-score").inner_text() == "Ana 14, Luis 106"
    page.locator("#picker [data-trick='1'] .trick-card").nth(1).click()
    choose(page, "1O")  # a trump after all: the trick and its points go to Luis
    wait_text(page, "[data-testid=open-hand-1]", "Mano 1: Ana 0, Luis 120")
    assert "Mano 1: Ana 0, Luis 120" in page.get_by_test_id("moved").inner_text()
    page.get_by_test_id("toast-undo").click()
    wait_text(page, "[data-testid=open-hand-1]", "Mano 1: Ana 14, Luis 106")
    line.click()
    page.locator("#picker [data-trick='2'] .trick-winner").click()
    page.locator("#picker .fix-ways [data-seat='0']").click()
    wait_text(page, "[data-testid=open-hand-1]", "Mano 1: Ana 25, Luis 95")
    line.click()
    page.get_by_test_id("earlier-trump").click()
    choose(page, "4E")
    wait_text(page, "#toast", "cuatro de espadas")
    first, second = game.ask(lambda: game.session.state.hands)
    assert (str(first.trump_card), str(second.trump_card)) == ("4E", "5B")
    assert [str(play.card) for play in second.all_plays] == ["1C"], "the hand on the table is not touched"


def test_an_earlier_hand_is_found_under_put_right(table: Any, opened: Any, faults: Any) -> None:
    game = two_hands(table)
    page = opened(game, "/", *PHONE)
    page.get_by_test_id("correct").click()
    page.get_by_test_id("fix-hand-1").click()
    assert page.get_by_test_id("earlier-score").inner_text() == "Ana 14, Luis 106"
    assert faults(page) == []
    page.get_by_test_id("earlier-add").click()
    page.locator("#picker .picker-buttons [data-seat='0']").click()
    choose(page, "7C")
    wait_text(page, "#toast", "siete de copas")
    first = game.ask(lambda: game.session.state.hands[0])
    assert str(first.all_plays[-1].card) == "7C"


def test_a_hand_that_is_not_there_is_refused_in_words(table: Any, opened: Any) -> None:
    game = two_hands(table)
    page = opened(game, "/", *TABLET)
    answer = page.request.get(f"{game.url}/api/hands/7")
    assert answer.status == 404
    assert answer.json()["error"]["reason"] == "no_such_hand"
    assert page.request.get(f"{game.url}/api/hands/1").json()["hand"]["n"] == 1


@pytest.mark.parametrize("size", [PHONE, TV])
def test_what_a_correction_moves_is_said_where_it_is_made(
    table: Any, opened: Any, witnessed: Callable[..., Any], size: tuple[int, int]
) -> None:
    game = table()
    game.feed(witnessed(1).observations, lambda hand: len(hand.tricks) == 4 and not hand.trick)
    page = opened(game, "/", *size)
    hand = game.hand()
    taken = hand.tricks[3].plays[0]
    mine = hand.tricks[2].plays[1]
    page.locator("[data-trick='3'] .trick-card").nth(1).click()
    choose(page, str(taken.card))  # the camera read that card one trick later
    page.get_by_test_id("clash-only").click()
    page.get_by_test_id("moved").wait_for()
    after = game.hand().tricks[3].plays[0]
    assert after.card != taken.card
    name = ("Ana", "Luis")[taken.seat]
    said = page.get_by_test_id("moved").inner_text()
    assert f"{name} · baza 4: " in said
    assert "queda en duda" in said if after.card is None else "pasa a ser" in said
    page.get_by_test_id("toast-undo").click()
    wait_text(page, "#toast", "Deshecho")
    assert str(game.hand().tricks[2].plays[1].card) == str(mine.card)
    assert "→" in page.get_by_test_id("moved").inner_text(), "what was undone"
