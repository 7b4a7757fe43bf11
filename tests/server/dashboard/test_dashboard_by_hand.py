"""A game kept by hand on the page: cards and seats mixed up, the face-up card, exchanges, a claim."""

from typing import Any

import pytest
from entering import PHONE, keep, noted, played, tap

pytestmark = pytest.mark.browser

SEATS = {2: "south=Ana,north=Luis", 4: "south=Ana,east=Luis,north=Mercedes,west=José Antonio"}
SMALL = (320, 568)
FIRST = ((0, "4O"), (1, "1O"), (1, "5E"), (0, "6E"))


def open_card(page: Any, trick: int, place: int) -> None:
    page.locator(f"[data-trick='{trick}'] .trick-card").nth(place).click()


def newest_change(page: Any) -> str:
    if page.locator("#changes details").get_attribute("open") is None:
        page.locator("#changes summary").click()
    return str(page.locator(".change-line .change-what").first.inner_text())


def test_a_card_given_to_the_other_player_lets_both_change_places_in_one_line(table: Any, opened: Any) -> None:
    game = table(by_hand=True)
    keep(game, *FIRST)
    page = opened(game, width=PHONE[0], height=PHONE[1])
    open_card(page, 2, 0)
    page.locator("#picker .picker-more .picker-buttons button", has_text="Ana").click()
    page.wait_for_selector(".change-line[data-change=swapped]", state="attached")
    assert played(game) == [*FIRST[:2], (1, "6E"), (0, "5E")]
    assert newest_change(page) == "Cambian de sitio: cinco de espadas y seis de espadas"
    assert page.locator(".change-line[data-change=swapped]").count() == 1
    page.get_by_test_id("toast-undo").click()
    page.wait_for_selector(".change-line[data-why=undo]")
    assert played(game) == list(FIRST)


def test_two_cards_put_down_in_each_others_place_are_swapped_with_one_tap(table: Any, opened: Any) -> None:
    game = table(by_hand=True)
    keep(game, *FIRST)
    page = opened(game, width=PHONE[0], height=PHONE[1])
    open_card(page, 1, 0)
    tap(page, "6E")
    assert page.locator("#picker-title").inner_text() == "Seis de espadas: ya está apuntada para Ana en la baza 2"
    assert (
        "en la baza 1, Ana: seis de espadas; y en la baza 2, Ana: cuatro de oros"
        in page.get_by_test_id("clash").inner_text()
    )
    assert page.get_by_test_id("clash-only").count() == 0, "without a camera there is nothing else to be in doubt"
    page.get_by_test_id("clash-back").click()
    assert page.locator("#picker .picker-ranks").count() == 1
    tap(page, "6E")
    page.get_by_test_id("clash-swap").click()
    assert "cuatro de oros y seis de espadas" in noted(page)
    assert played(game) == [(0, "6E"), (1, "1O"), (1, "5E"), (0, "4O")]


def test_a_card_that_is_down_already_is_not_added_twice(table: Any, opened: Any) -> None:
    game = table(by_hand=True)
    keep(game, *FIRST)
    page = opened(game, width=PHONE[0], height=PHONE[1])
    page.get_by_test_id("add").click()
    page.locator("#picker [data-seat='1']").click()
    tap(page, "1O")
    assert page.get_by_test_id("clash-swap").count() == 0
    page.get_by_test_id("clash-back").click()
    assert page.locator("#picker [data-seat='1']").get_attribute("aria-pressed") == "true", "who played it stays chosen"
    tap(page, "1O")
    page.get_by_test_id("clash-other").click()
    assert page.locator("#picker-title").inner_text() == "¿Qué carta jugó Luis?"
    assert "as de oros" in page.locator(".picker-now").inner_text()
    assert played(game) == list(FIRST)


def test_the_face_up_card_is_asked_about_before_it_is_played(table: Any, opened: Any) -> None:
    game = table(by_hand=True)
    keep(game, *FIRST)
    page = opened(game, width=PHONE[0], height=PHONE[1])
    page.get_by_test_id("add").click()
    page.locator("#picker .picker-suits [data-suit=C]").click()
    three = page.locator("#picker .picker-ranks [data-card='3C']")
    assert three.get_attribute("aria-label") == "tres de copas: boca arriba bajo el mazo"
    three.click()
    assert page.locator("#picker-title").inner_text() == "Tres de copas: está boca arriba bajo el mazo"
    page.get_by_test_id("clash-exchange").click()
    page.locator("#picker .fix-line", has_text="Ana").locator("[data-card='7C']").click()
    noted(page)
    page.wait_for_selector(".exchange-row")
    page.get_by_test_id("add").click()
    tap(page, "3C")
    noted(page)
    page.wait_for_function("() => document.querySelectorAll('#table .slot .card').length > 0")
    assert played(game) == [*FIRST, (0, "3C")]


@pytest.mark.parametrize(
    ("profile", "trump", "plays", "offered"),
    [
        ("arrastro", "3C", FIRST, ["7C"]),
        ("arrastro", "7C", FIRST, ["2C"]),
        ("arrastro", "3C", (*FIRST[:2], (1, "7C"), (0, "6E")), []),
        ("abril", "2C", FIRST, []),
        ("briscola_cambio", "3C", FIRST, ["7C", "2C"]),
    ],
)
def test_only_what_the_rules_let_be_exchanged_is_offered(
    table: Any, opened: Any, profile: str, trump: str, plays: Any, offered: list[str]
) -> None:
    game = table(by_hand=True, profile=profile)
    keep(game, *plays, trump=trump)
    page = opened(game, width=PHONE[0], height=PHONE[1])
    page.get_by_test_id("correct").click()
    page.get_by_test_id("fix-exchange").click()
    if offered and profile == "arrastro":  # who took the second trick may, nobody else
        assert page.locator("#picker .fix-exchange > .fix-line").all_inner_texts() == ["Ana"]
        page.locator("#picker .fix-exchange summary", has_text="contra las reglas").click()
    for name in ("Ana", "Luis"):
        cards = page.locator("#picker .fix-line", has_text=name).locator(".picker-card")
        assert cards.evaluate_all("all => all.map((one) => one.dataset.card)") == offered
    assert page.get_by_test_id("exchange-none").count() == (not offered)
    if offered:
        assert page.get_by_test_id("exchange-for").inner_text().startswith("Por la que está boca arriba")


def test_after_each_trick_what_lay_there_then_is_exchanged(table: Any, opened: Any) -> None:
    game = table(by_hand=True)
    keep(game, *FIRST, trump="3C")
    game.ask(lambda: game.live.press({"type": "exchange", "seat": 0, "given": "7C", "after_trick": 1}))
    page = opened(game, width=PHONE[0], height=PHONE[1])
    page.get_by_test_id("correct").click()
    page.get_by_test_id("fix-exchange").click()
    cards = page.locator("#picker .fix-exchange .picker-card")
    assert cards.evaluate_all("all => all.map((one) => one.dataset.card)") == ["2C", "2C"]
    page.locator("#exchange-after").select_option("1")
    page.wait_for_function("() => document.querySelector('#picker .fix-exchange [data-card=\"7C\"]')")
    assert "tres de copas" in page.get_by_test_id("exchange-for").inner_text()


def test_who_claimed_the_rest_and_what_it_brought_stand_in_the_list(table: Any, opened: Any) -> None:
    game = table(by_hand=True)
    keep(game, *FIRST)
    page = opened(game, width=PHONE[0], height=PHONE[1])
    page.get_by_test_id("claim").click()
    page.locator("#picker .fix-ways [data-seat='1']").click()
    row = page.get_by_test_id("claim-row")
    row.wait_for()
    assert row.inner_text() == "Luis se lleva el resto: 109 puntos"
    assert game.hand().points == (0, 120)
    assert newest_change(page) == "El resto es de Luis"


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("locale", ["es-ES", "en-GB", "it-IT", "pt-PT"])
def test_the_pad_is_whole_on_the_smallest_phone(table: Any, opened: Any, players: int, locale: str) -> None:
    game = table(SEATS[players], by_hand=True)
    keep(game, *((n % players, card) for n, card in enumerate(["4O", "1O", "5E", "6E"])), players=players)
    page = opened(game, width=SMALL[0], height=SMALL[1], locale=locale)

    def pad_is_whole() -> None:
        whole = page.locator("#picker").evaluate(
            """(dialog) => {
              const inside = dialog.getBoundingClientRect();
              const buttons = [...dialog.querySelectorAll(".picker-suits .button, .picker-ranks .picker-card")];
              const words = [...dialog.querySelectorAll(".picker-suit span")];
              const fits = ({ top, bottom, width, height }) =>
                top >= inside.top && bottom <= inside.bottom && width >= 44 && height >= 44;
              return dialog.scrollTop === 0 && dialog.scrollWidth <= dialog.clientWidth && buttons.length === 14
                && buttons.every((one) => fits(one.getBoundingClientRect()))
                && words.every((word) => word.scrollWidth <= word.parentElement.clientWidth);
            }"""
        )
        assert whole

    page.get_by_test_id("add").click()
    pad_is_whole()
    page.keyboard.press("Escape")
    open_card(page, 1, 1 if players == 2 else 3)
    pad_is_whole()


def test_a_gap_is_asked_about_without_guesses_and_filled(table: Any, opened: Any) -> None:
    game = table(by_hand=True)
    keep(game, *FIRST)
    page = opened(game, width=PHONE[0], height=PHONE[1])
    open_card(page, 1, 0)
    page.locator("#picker .picker-more button", has_text="Aquí no se jugó ninguna carta").click()
    notice = page.locator("#attention .notice[data-kind=question]")
    notice.wait_for()
    assert played(game) == [(0, None), *FIRST[1:]]
    assert "¿Qué carta jugó Ana en la baza 1?" in notice.inner_text()
    assert notice.locator("button").all_inner_texts() == ["Corregir la carta de Ana en la baza 1"]
    assert "ve" not in str(page.locator("[data-trick='1'] .trick-card").first.get_attribute("aria-label")).split()
    notice.locator("button").click()
    assert page.locator("#picker h3", has_text="Las más probables").count() == 0
    tap(page, "4O")
    notice.wait_for(state="detached")
    assert played(game) == list(FIRST)


@pytest.mark.parametrize("button", ["add", "swap", "claim", "correct"])
def test_a_button_tapped_twice_presses_nothing_on_the_sheet_that_it_opens(table: Any, opened: Any, button: str) -> None:
    game = table(by_hand=True)
    keep(game, *FIRST)
    page = opened(game, width=PHONE[0], height=PHONE[1])
    before = game.ask(lambda: (len(game.session.referee.ledger.entries), game.session.table.seats))
    where = page.get_by_test_id(button)
    where.scroll_into_view_if_needed()
    box = where.bounding_box()
    for _ in range(2):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(150)
    title = page.locator("#picker-title").inner_text()
    assert page.locator("#picker").evaluate("(dialog) => dialog.open")
    page.wait_for_timeout(400)
    assert game.ask(lambda: (len(game.session.referee.ledger.entries), game.session.table.seats)) == before
    page.mouse.click(5, 5)  # beside the sheet, and no longer the same finger: it closes
    page.wait_for_function("() => !document.querySelector('#picker').open")
    assert title
