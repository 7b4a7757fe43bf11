"""Who uses keys goes on where he was: the focus outlives every correction, and whatever is drawn anew."""

from typing import Any

import pytest

pytestmark = pytest.mark.browser

PLAYS = ((0, "4C"), (1, "2B"), (1, "5O"), (0, "6O"), (0, "7C"), (1, "10C"), (1, "1B"), (0, "12B"), (0, "4E"))
"""Four tricks and a card, under the trump 3E."""


@pytest.fixture
def game(table: Any) -> Any:
    made = table(by_hand=True)
    made.ask(lambda: made.live.press({"type": "set_trump", "card": "3E"}))
    for n, (seat, card) in enumerate(PLAYS):
        press = {"type": "add_play", "seat": seat, "card": card, "trick": n // 2 + 1}
        made.ask(lambda press=press: made.live.press(press))
    return made


def focused(page: Any) -> str:
    """What has the focus: the trick of the list and its card or words, else what it is."""
    return str(
        page.evaluate(
            """() => {
              const one = document.activeElement;
              const row = one.closest(".trick-row");
              const words = one.getAttribute("aria-label") ?? one.textContent;
              return row ? `${row.dataset.trick}: ${words}` : one.id || one.dataset.testid || words || one.tagName;
            }"""
        )
    )


def open_card(page: Any, trick: int, seat: int) -> None:
    page.locator(f"#tricks [data-place='{trick}/{seat}']").focus()
    page.keyboard.press("Enter")
    page.locator("#picker[open]").wait_for()


def choose(page: Any, selector: str) -> None:
    page.locator(f"#picker {selector}").first.focus()
    page.keyboard.press("Enter")
    page.locator("#picker").wait_for(state="hidden")
    page.locator("#toast").get_by_text("Apuntado").wait_for()


def test_after_a_correction_the_focus_is_on_what_was_corrected(game: Any, opened: Any) -> None:
    page = opened(game)
    open_card(page, 1, 0)
    choose(page, ".picker-ranks [data-card='5C']")
    page.locator("#tricks .trick-row[data-trick='1']").get_by_label("cinco de copas").wait_for()
    assert "1: Ana. " in focused(page)
    assert "cinco de copas" in focused(page)
    open_card(page, 3, 0)
    choose(page, ".picker-more .picker-buttons button")  # the other one laid it: the two change places
    page.locator("#tricks [data-place='3/0'][aria-label*='sota de copas']").wait_for()
    assert "3: Ana. Corregir: sota de copas" in focused(page)
    page.locator("#tricks [data-place='2/winner']").focus()
    page.keyboard.press("Enter")
    page.locator("#picker[open]").wait_for()
    choose(page, ".fix-ways [data-seat='1']")
    page.locator("#tricks .trick-row[data-trick='2'][data-winner='1']").wait_for()
    assert focused(page) == "2: Para Luis"


def test_where_a_card_is_taken_out_the_focus_stays_in_its_trick(game: Any, opened: Any) -> None:
    page = opened(game)
    open_card(page, 2, 1)
    choose(page, ".picker-more .picker-buttons:last-child button:last-child")  # no card was played there
    page.locator("#tricks").get_by_label("No se sabe").wait_for()
    assert focused(page) == "2: Luis. Corregir: No se sabe"


def test_a_card_of_the_table_and_a_sheet_that_was_put_away_give_the_focus_back(game: Any, opened: Any) -> None:
    page = opened(game)
    card = "#table .played[data-place='5/0']"
    page.locator(card).focus()
    page.keyboard.press("Enter")
    page.locator("#picker[open]").wait_for()
    # Somebody else corrects it meanwhile: what had the focus is drawn anew under the sheet.
    play = page.locator(card).get_attribute("data-play")
    game.ask(lambda: game.live.press({"type": "correct_card", "play": play, "card": "5E"}))
    page.locator(f"{card}[data-card='5E']").wait_for()
    page.keyboard.press("Escape")
    page.locator("#picker").wait_for(state="hidden")
    page.wait_for_function("(card) => document.activeElement === document.querySelector(card)", arg=card)


def test_what_was_undone_is_said(game: Any, opened: Any) -> None:
    page = opened(game)
    open_card(page, 1, 0)
    choose(page, ".picker-ranks [data-card='5C']")
    page.get_by_test_id("toast-undo").focus()
    page.keyboard.press("Enter")
    page.locator("#toast").get_by_text("Deshecho").wait_for()
    assert page.get_by_test_id("moved").locator("li").first.inner_text() == (
        "Ana · baza 1: cinco de copas → cuatro de copas"
    )
    assert page.evaluate("document.activeElement.dataset.testid") == "toast-close"
    page.get_by_test_id("redo").focus()
    page.keyboard.press("Enter")
    page.locator("#toast").get_by_text("Rehecho").wait_for()
    assert focused(page) == "redo"
    for _ in range(2):  # the correction, and the card that was entered last
        page.get_by_test_id("undo").focus()
        page.keyboard.press("Enter")
        page.locator("#toast").get_by_text("Deshecho").wait_for()
    page.get_by_test_id("moved").get_by_text("Se quita: cuatro de espadas").wait_for()
