"""A real game on the page, put right by its people: cards, winners, plays, names; on phone, tablet and TV."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engine.events import CardPlayed
from engine.fold import fold_events

pytestmark = pytest.mark.browser

PHONE, TABLET, TV = (360, 740), (820, 1180), (1920, 1080)


def wait_text(page: Any, selector: str, wanted: str) -> None:
    page.wait_for_function(
        "([where, words]) => document.querySelector(where)?.textContent.includes(words)", arg=[selector, wanted]
    )


def wait_scores(page: Any, points: tuple[int, ...]) -> None:
    for side, wanted in enumerate(points):
        page.wait_for_function(
            "([id, words]) => document.querySelector(`[data-testid=${id}]`)?.textContent === words",
            arg=[f"score-{side}", str(wanted)],
        )


def choose(page: Any, card: str) -> None:
    """Tap a card on the pad: its suit, then its rank."""
    page.locator(f"#picker .picker-suits [data-suit={card[-1]}]").first.click()
    page.locator(f"#picker .picker-ranks [data-card='{card}']").click()


@pytest.mark.parametrize("size", [PHONE, TABLET, TV])
def test_a_card_of_trick_3_is_put_right_at_trick_12_undone_and_done_again(
    table: Any, opened: Any, witnessed: Callable[..., Any], size: tuple[int, int]
) -> None:
    game = table()
    game.feed(witnessed(1).observations, lambda hand: hand.trick_number == 12 and len(hand.trick) == 1)
    page = opened(game, width=size[0], height=size[1])
    tv = opened(game, "/tv", *TV)
    before = game.hand()
    wait_scores(page, before.points)
    third = before.tricks[2]
    place = next(index for index, play in enumerate(third.plays) if play.seat == third.winner)
    play = third.plays[place]
    assert play.card is not None
    unseen = before.rules.card_set - {one.card for one in before.all_plays} - {before.trump_card}
    wrong = next(card for card in sorted(unseen) if card.suit not in (before.trump_suit, play.card.suit))
    facts = [event for _, event in game.ask(lambda: game.session.referee.ledger.effective())]
    expected = fold_events(
        before.rules,
        [replace(f, card=wrong) if isinstance(f, CardPlayed) and f.card == play.card else f for f in facts],
    ).hand
    assert expected is not None
    assert expected.points != before.points
    page.locator("[data-trick='3'] .trick-card").nth(place).click()
    choose(page, str(wrong))
    for screen in (page, tv):
        wait_scores(screen, expected.points)
    after = game.hand()
    assert [one.winner for one in after.tricks] == [one.winner for one in expected.tricks]
    assert [one.points for one in after.tricks] == [one.points for one in expected.tricks]
    page.locator("#changes summary").click()
    newest = page.locator(".change-line").first
    assert newest.get_attribute("data-by") == "person"
    assert "A mano · corregido a mano" in newest.inner_text()
    page.get_by_test_id("undo").click()
    wait_scores(page, before.points)
    page.get_by_test_id("redo").click()
    wait_scores(page, expected.points)
    page.keyboard.press("z")
    wait_scores(tv, before.points)
    page.keyboard.press("y")
    wait_scores(tv, expected.points)


def test_the_winner_the_reason_and_what_is_out_are_told(table: Any, opened: Any, witnessed: Callable[..., Any]) -> None:
    game = table()
    game.feed(witnessed(1).observations, lambda hand: len(hand.tricks) == 1 and len(hand.trick) == 2)
    page = opened(game, width=TABLET[0], height=TABLET[1])
    told = game.ask(game.live.snapshot)
    winning = page.get_by_test_id("winning")
    assert winning.get_attribute("data-why") == told["hand"]["trick"]["winning"]["why"] == "highest_of_suit"
    assert winning.inner_text() == "Baza para Ana · Tres de bastos: la más alta de bastos"
    assert page.locator(".turn-leader").inner_text() == "Luego sale Ana"
    assert page.get_by_test_id("last-why").inner_text() == "Tres de oros: único triunfo"
    assert page.locator("#last .card").count() == 2
    page.get_by_test_id("replay").click()
    assert page.locator("#last .replay").count() == 1
    shown = page.locator("#known .chip").evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    assert sorted(shown) == sorted(["dos de copas", "tres de oros", "tres de bastos", "sota de bastos"])
    assert (
        page.get_by_test_id("next-dealer").inner_text()
        == f"Luego reparte {['Ana', 'Luis'][told['match']['next_dealer']]}"
    )


def test_a_fault_is_shown_with_the_pictures_of_its_proof_and_let_go(
    table: Any, opened: Any, witnessed: Callable[..., Any]
) -> None:
    game = table()
    game.feed(witnessed(1, tricks=3).observations, lambda hand: len(hand.tricks) == 3)
    page = opened(game, width=PHONE[0], height=PHONE[1])
    second = game.hand().tricks[1]
    page.locator("[data-trick='2'] .trick-winner").click()
    page.wait_for_timeout(500)  # longer than a shaky finger's second tap, which would be left out
    page.locator(f"#picker .fix-ways [data-seat='{1 - second.winner}']").click()
    card = page.locator(".violation").first
    card.wait_for()
    assert "Lo decidió la mesa" in (page.locator("[data-trick='2'] .trick-winner").get_attribute("title") or "")
    for screen in (page, opened(game, width=TABLET[0], height=TABLET[1]), opened(game, width=TV[0], height=TV[1])):
        proofs = screen.locator(".violation .proof-list").first
        proofs.locator("img").first.scroll_into_view_if_needed()
        screen.wait_for_function(
            "() => [...document.querySelectorAll('.violation .proof-list img')].some((one) => one.naturalWidth === 640)"
        )
        assert "baza 3" in proofs.inner_text()
    card.locator("[data-answer=dismiss]").click()
    wait_text(page, ".violation[data-dismissed=true]", "La mesa lo dejó pasar")
    page.get_by_test_id("undo").click()
    page.wait_for_selector(".violation[data-dismissed=false] [data-answer=dismiss]")


def test_a_card_read_badly_is_asked_about_and_settled(table: Any, opened: Any, witnessed: Callable[..., Any]) -> None:
    def blurred(observation: Any) -> Any:
        sightings = observation.sightings and tuple(
            replace(one, labels=(("10B", 0.46), ("10E", 0.44), ("10C", 0.06)))
            if one.labels[:1] == (("10B", 0.97),)
            else one
            for one in observation.sightings
        )
        return replace(observation, sightings=sightings)

    game = table()
    game.feed(
        map(blurred, witnessed(1, tricks=3).observations), lambda hand: len(hand.tricks) == 2 and bool(hand.trick)
    )
    page = opened(game, width=TABLET[0], height=TABLET[1])
    question = page.get_by_test_id("questions")
    question.wait_for()
    assert "¿Qué carta jugó Luis en la baza 2?" in question.inner_text()
    question.get_by_role("button", name="sota de bastos").click()
    question.wait_for(state="hidden")
    assert [str(play.card) for play in game.hand().tricks[1].plays] == ["3B", "10B"]


def test_calls_pauses_claims_names_and_a_new_hand_are_buttons(
    table: Any, opened: Any, witnessed: Callable[..., Any]
) -> None:
    game = table()
    frames = iter(witnessed(1).observations)
    game.feed(frames, lambda hand: len(hand.tricks) == 2 and len(hand.trick) == 1)
    page = opened(game, width=PHONE[0], height=PHONE[1])
    page.get_by_test_id("arrastre-0").click()
    wait_text(page, "#toast", "Arrastre de Ana")
    assert [call.seat for call in game.hand().calls] == [0]
    page.get_by_test_id("toast-undo").click()
    page.wait_for_selector("[data-testid=redo]:not([aria-disabled])")
    assert game.hand().calls == ()
    page.get_by_test_id("pause").click()
    page.get_by_test_id("paused").wait_for()
    before = len(game.hand().all_plays)
    game.feed([next(frames) for _ in range(30)])
    assert len(game.hand().all_plays) == before, "what happens in a pause does not count"
    page.get_by_test_id("paused").get_by_role("button").click()
    page.get_by_test_id("paused").wait_for(state="hidden")
    page.get_by_test_id("swap").click()
    page.locator("#picker").get_by_role("button", name="Ana y Luis").click()
    wait_text(page, ".tile-name", "Luis")
    page.get_by_test_id("claim").click()
    page.locator("#picker [data-seat='0']").click()
    page.get_by_test_id("result").wait_for()
    assert sum(game.hand().points) == 120
    page.get_by_test_id("new-hand").click()
    wait_text(page, "#toast", "Mano nueva")
    page.get_by_test_id("toast-undo").click()
    page.wait_for_selector("[data-testid=redo]:not([aria-disabled])")
    page.keyboard.press("z")
    page.get_by_test_id("result").wait_for(state="hidden")


def test_the_score_is_kept_by_hand_without_a_camera(table: Any, opened: Any) -> None:
    game = table(by_hand=True)
    page = opened(game, width=PHONE[0], height=PHONE[1])
    assert page.get_by_test_id("camera-state").get_attribute("data-state") in ("NONE", "UNKNOWN")
    page.keyboard.press("m")
    page.get_by_test_id("fix-trump").click()
    choose(page, "4O")
    wait_text(page, "[data-testid=trump]", "Cuatro de oros")
    for seat, card in ((0, "3C"), (1, "12C"), (0, "1E"), (1, "2O")):
        page.get_by_test_id("add").click()
        page.locator(f"#picker .picker-buttons [data-seat='{seat}']").click()
        choose(page, card)
        page.locator("#picker").wait_for(state="hidden")
        wait_text(page, "#toast", card and {"3C": "tres", "12C": "rey", "1E": "as", "2O": "dos"}[card])
    wait_scores(page, (14, 11))
    assert [trick.winner for trick in game.hand().tricks] == [0]
    page.get_by_test_id("correct").click()
    page.get_by_test_id("fix-sweep").click()
    page.wait_for_selector("[data-trick='2']")
    page.get_by_test_id("correct").click()
    page.get_by_test_id("fix-exchange").click()
    page.locator("#picker [data-card='7O'][aria-label^='Luis']").click()
    wait_text(page, "#tricks", "Luis cambia siete de oros por cuatro de oros")
    page.get_by_test_id("correct").click()
    page.get_by_test_id("fix-exchange").click()
    page.get_by_test_id("exchange-remove").click()
    wait_text(page, "[data-testid=trump]", "Cuatro de oros")
    page.locator("[data-trick='1'] .trick-card").nth(1).click()
    page.locator("#picker").get_by_role("button", name="Antes de esta falta una carta").click()
    choose(page, "7B")
    page.locator("[data-trick='1'] .trick-card[aria-label*='siete de bastos']").wait_for()


def test_a_lost_camera_is_told_and_its_return_too(served: Any, opened: Any, played: Any) -> None:
    server = served(played(2))
    page = opened(server)
    trouble = page.get_by_test_id("camera-trouble")
    score = page.get_by_test_id("score-0").inner_text()
    troubles = [
        ({"camera": "RECONNECTING"}, "Buscando la cámara"),
        ({"camera": "RUNNING", "scene": "dark"}, "Hay poca luz"),
        ({"camera": "RUNNING", "scene": "moved"}, "La cámara se ha movido"),
    ]
    for state, words in troubles:
        server.tell(**state)
        wait_text(page, "[data-testid=camera-trouble]", words)
        assert page.get_by_test_id("score-0").inner_text() == score
    page.get_by_test_id("by-hand").click()
    choose(page, "1O")
    wait_text(page, "#toast", "as de oros")
    assert server.desk.presses[-1]["type"] == "add_play"
    server.tell(camera="RUNNING", scene="ok")
    trouble.wait_for(state="hidden")


def test_single_keys_press_the_buttons_and_can_be_switched_off(served: Any, opened: Any, played: Any) -> None:
    server = served({**played(2), "steps": {"undo": True, "redo": True}})
    page = opened(server)
    page.keyboard.press("?")
    help_sheet = page.locator("#picker")
    help_sheet.wait_for()
    assert "Deshacer" in help_sheet.inner_text()
    page.keyboard.press("n")
    assert server.desk.presses == [], "keys rest while a sheet is open"
    page.keyboard.press("Escape")
    help_sheet.wait_for(state="hidden")
    for key in ("2", "z", "y", "p", "n"):
        page.keyboard.press(key)
    wait_text(page, "#toast", "Mano nueva")
    assert [press["type"] for press in server.desk.presses] == ["arrastre_called", "undo", "redo", "pause", "next_hand"]
    page.keyboard.press("c")
    help_sheet.wait_for()
    page.keyboard.press("Escape")
    page.locator("#settings-button").click()
    page.locator("input[name=keys][value=false]").check()
    page.keyboard.press("Escape")
    page.keyboard.press("z")
    page.wait_for_timeout(200)
    assert len(server.desk.presses) == 5


@pytest.mark.parametrize(
    ("language", "first", "then"),
    [
        ("es", "Pintan oros", "Pintan oros → tres de copas"),
        ("it", "La briscola è denari", "La briscola è denari → tre di coppe"),
    ],
)
def test_a_trump_known_by_its_suit_stands_with_it_in_the_changes(
    table: Any, opened: Any, language: str, first: str, then: str
) -> None:
    game = table(by_hand=True)
    page = opened(game, f"/?lang={language}", *PHONE)
    for press, words in (({"suit": "O"}, first), ({"card": "3C"}, then)):
        game.ask(lambda press=press: game.live.press({"type": "set_trump", **press}))
        page.wait_for_function(
            "(words) => document.querySelector('.change-line .change-what')?.textContent === words", arg=words
        )
