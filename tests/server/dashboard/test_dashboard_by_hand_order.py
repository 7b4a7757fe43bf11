"""A game kept by hand on the page: what does not go together is asked about, each way out is one tap."""

from typing import Any

import pytest
from entering import PHONE, keep, noted, played, tap

pytestmark = pytest.mark.browser

SEATS = "south=Ana,east=Luis,north=Mercedes,west=José Antonio"
FORGOTTEN = ((1, "4O"), (0, "7C"), (1, "7E"), (0, "5B"), (0, "6E"), (1, "1E"), (0, "5O"))
"""The sixth card, 1:6B, was forgotten: seat 0 seems to lead the fourth trick, which seat 1 should."""


def test_a_forgotten_card_is_put_in_where_the_page_offers_it(table: Any, opened: Any) -> None:
    game = table(by_hand=True)
    keep(game, *FORGOTTEN, trump="4B")
    page = opened(game, width=PHONE[0], height=PHONE[1])
    notice = page.locator(".notice[data-kind=question]")
    assert "Baza 4: según lo apuntado, Ana jugó sin que le tocara." in notice.inner_text()
    ways = notice.locator("button")
    assert ways.all_inner_texts() == [
        "Falta una carta de Luis en la baza 4, antes de cinco de oros",
        "Falta una carta de Luis en la baza 3, antes de as de espadas",
        "Baza 4: la carta cinco de oros la jugó Luis",
        "Fue así: jugó sin que le tocara",
    ]
    ways.nth(1).click()
    assert page.locator("#picker [data-seat='1']").get_attribute("aria-pressed") == "true"
    tap(page, "6B")
    noted(page)
    page.wait_for_selector(".notice[data-kind=question]", state="detached")
    assert played(game) == [*FORGOTTEN[:5], (1, "6B"), *FORGOTTEN[5:]]


def test_who_really_led_out_of_turn_is_told_with_one_tap(table: Any, opened: Any) -> None:
    game = table(by_hand=True)
    keep(game, *FORGOTTEN, trump="4B")
    page = opened(game, width=PHONE[0], height=PHONE[1])
    page.locator("[data-way=confirm]").click()
    page.wait_for_selector(".notice[data-kind=question]", state="detached")
    assert played(game) == list(FORGOTTEN)


def test_an_order_that_cannot_be_is_asked_about_in_words_of_what_was_entered(table: Any, opened: Any) -> None:
    game = table(SEATS, by_hand=True)
    plays = ((0, "4O"), (2, "5O"), (1, "6O"), (3, "7O"), (1, "4C"), (3, "5C"), (2, "6C"), (0, "7C"))
    keep(game, *plays, trump="4B", players=4)
    page = opened(game, width=PHONE[0], height=PHONE[1])
    words = page.locator(".notice[data-kind=question]").inner_text()
    assert "según lo apuntado" in words
    assert "mesa" not in words


def test_nobody_is_taken_to_have_led_where_anybody_may(table: Any, opened: Any) -> None:
    game = table(by_hand=True)
    keep(game, trump="3C")
    page = opened(game, width=PHONE[0], height=PHONE[1])
    assert page.get_by_test_id("turn").inner_text() == "Sale quien juegue primero"
    page.get_by_test_id("add").click()
    assert page.locator("#picker [data-seat][aria-pressed=true]").count() == 0
    tap(page, "4O")
    assert page.get_by_test_id("who").inner_text() == "Cuatro de oros: ¿quién la jugó? Toca un nombre."
    assert played(game) == []
    page.locator("#picker [data-seat='1']").click()
    noted(page)
    assert played(game) == [(1, "4O")]


def test_a_card_in_the_hand_of_another_is_asked_about(table: Any, opened: Any) -> None:
    game = table(by_hand=True)
    keep(game, (0, "1O"), (1, "4O"), trump="12C")
    game.ask(lambda: game.live.press({"type": "exchange", "seat": 0, "given": "7C", "after_trick": 1}))
    game.ask(lambda: game.live.press({"type": "add_play", "trick": 2, "seat": 0, "card": "5O"}))
    page = opened(game, width=PHONE[0], height=PHONE[1])
    page.get_by_test_id("add").click()
    tap(page, "12C")
    assert page.locator("#picker-title").inner_text() == "Rey de copas: la tiene Ana, que la cogió de la mesa"
    page.get_by_test_id("clash-back").click()
    tap(page, "12C")
    page.get_by_test_id("clash-sure").click()
    noted(page)
    assert played(game)[-1] == (1, "12C")


def test_a_hand_that_is_not_over_is_left_only_after_a_question(table: Any, opened: Any) -> None:
    game = table(by_hand=True)
    keep(game, (0, "1O"), (1, "4O"), trump="12C")
    page = opened(game, width=PHONE[0], height=PHONE[1])
    page.get_by_test_id("new-hand").click()
    assert "Faltan 38 cartas" in page.locator("#ask").inner_text()
    page.get_by_test_id("answer-no").click()
    assert game.hand().number == 1
    assert game.hand().result is None
    page.get_by_test_id("new-hand").click()
    page.wait_for_timeout(700)  # a second tap at once would be a shaky finger's
    page.get_by_test_id("answer-yes").click()
    noted(page)
    assert game.hand().result is not None
