"""One against two on the page: who the Alcaide is, is asked with one tap, shown, and put right later."""

from typing import Any

import pytest
from entering import PHONE, keep, noted
from told import by_hand, hand

pytestmark = pytest.mark.browser

SEATS = "south=Ana,east=Luis,west=Mercedes"
SHAKY_MS = 600  # a second tap sooner, and near the first one, is taken for a shaky finger's


def test_who_plays_alone_is_asked_shown_and_put_right(table: Any, opened: Any) -> None:
    game = table(SEATS, profile="alcaide", by_hand=True)
    keep(game, (0, "4O"), (1, "1O"), (2, "5E"), players=3)
    page = opened(game, width=PHONE[0], height=PHONE[1])
    question = page.locator("#attention .notice[data-kind=question]")
    assert "Mano 1: ¿quién es el alcaide" in question.inner_text()
    assert question.locator("button").all_inner_texts() == ["Ana", "Luis", "Mercedes"]
    assert page.get_by_test_id("alcaide-1").count() == 0
    question.locator("button", has_text="Luis").click()
    assert "El alcaide es Luis" in noted(page)
    page.wait_for_selector("[data-testid=alcaide-1]")
    assert page.get_by_test_id("alcaide-1").inner_text() == "Alcaide"
    assert question.count() == 0
    assert game.hand().alcaide == 1

    page.locator("#actions [data-testid=correct]").click()
    page.get_by_test_id("fix-alcaide").click()
    page.wait_for_timeout(SHAKY_MS)
    page.locator("#picker [data-seat='2']").click()
    page.wait_for_selector("[data-testid=alcaide-2]")
    assert page.get_by_test_id("alcaide-1").count() == 0
    assert game.hand().alcaide == 2
    page.get_by_test_id("undo").click()
    page.wait_for_selector("[data-testid=alcaide-1]")


def test_where_everybody_plays_for_himself_nothing_is_asked(table: Any, opened: Any) -> None:
    game = table(SEATS, profile="tres_39", by_hand=True)
    keep(game, (0, "4O"), (1, "1O"), (2, "5E"), players=3)
    page = opened(game, width=PHONE[0], height=PHONE[1])
    assert page.locator("#attention .notice[data-kind=question]").count() == 0
    page.locator("#actions [data-testid=correct]").click()
    assert page.get_by_test_id("fix-alcaide").count() == 0


def test_a_lost_title_is_told_in_words_and_an_open_one_too(table: Any, opened: Any) -> None:
    whole = hand(by_hand("alcaide", 3, 13))
    trump = str(whole.trump_card or whole.trump_final)
    game = table(SEATS, profile="alcaide", by_hand=True)
    keep(game, *((play.seat, str(play.card)) for play in whole.all_plays), trump=trump, players=3)
    page = opened(game, width=PHONE[0], height=PHONE[1])
    title = page.locator("#result .result-title")
    assert title.inner_text() == "Falta decir quién es el alcaide"
    points = game.hand().points
    least = min(range(3), key=lambda seat: points[seat])
    assert points[least] < 31
    page.locator(f"#attention .notice [data-seat='{least}']").click()
    page.wait_for_selector(f"[data-testid=alcaide-{least}]")
    assert title.inner_text() == f"{('Ana', 'Luis', 'Mercedes')[least]} pierde el título"
