"""The end of a hand and of a game on the scoreboard: who is to play then, what counts, what the page calls it."""

from random import Random
from typing import Any

import pytest
from rooms import ServedRoom, phone_camera, write_film

from engine.events import CardPlayed, TrumpShown
from engine.random_game import random_game
from engine.rules import load_profile

pytestmark = pytest.mark.browser

BY_HAND = {"kind": "none"}


def enter(room: ServedRoom, plays: int, seed: int = 5) -> Any:
    """Begin a game by hand and enter so many plays of a made-up one; gives what really happened."""
    assert room.start(source=BY_HAND)[0] == 201
    game = random_game(load_profile("arrastro", 2), Random(seed), exchange_chance=0.0)
    left = plays
    for event in game.events():
        if isinstance(event, TrumpShown):
            assert room.ask("POST", "/api/press", {"type": "set_trump", "card": str(event.card)})[0] == 200
        if isinstance(event, CardPlayed) and left:
            press = {"type": "add_play", "seat": event.seat, "card": str(event.card), "trick": (plays - left) // 2 + 1}
            assert room.ask("POST", "/api/press", press)[0] == 200
            left -= 1
    return game


def said(page: Any, name: str) -> str:
    return str(page.get_by_test_id(name).inner_text()).strip()


def rows(page: Any) -> list[tuple[int, int]]:
    """The tricks of the list: the points of each and who took it, the oldest first."""
    found = page.locator("#tricks .trick-row").evaluate_all(
        "all => all.map((one) => [one.dataset.winner, one.querySelector('.trick-points').firstChild.textContent])"
    )
    return [(int(winner), int(points)) for winner, points in reversed(found)]


def test_the_last_trick_of_a_hand_by_hand_counts_by_itself(visit: Any, room: ServedRoom) -> None:
    game = enter(room, 40)
    page = visit(f"{room.url}/")
    taken = rows(page)
    assert len(taken) == 20
    for side in (0, 1):
        mine = [points for winner, points in taken if winner == side]
        assert sum(mine) == int(said(page, f"score-{side}")) == game.points_by_seat[side]
        assert f"{len(mine)} baza" in page.locator(f".tile[data-side='{side}'] .tile-foot").inner_text()
    assert page.locator("#phase").inner_text() == "Mano terminada"
    assert said(page, "turn").startswith("Mano terminada")
    assert "recoger" not in page.locator("body").inner_text()
    assert page.locator("#last .last-cards > li").count() == 2
    state = room.ask("GET", "/api/state")[1]
    assert sum(score["captured"] for score in state["scores"]) == 40
    assert state["hand"]["trick"]["points"] == taken[-1][1]


def test_a_full_trick_by_hand_asks_for_the_next_card_and_not_for_gathering(visit: Any, room: ServedRoom) -> None:
    enter(room, 6)
    page = visit(f"{room.url}/")
    assert page.locator("#phase").inner_text() == "Baza completa: apunta la siguiente"
    taken = rows(page)
    assert len(taken) == 3
    assert sum(points for _, points in taken) == sum(int(said(page, f"score-{side}")) for side in (0, 1))


@pytest.mark.parametrize(
    ("locale", "over", "chip"),
    [
        ("es-ES", "La partida ha terminado", "Partida terminada"),
        ("en-GB", "The game is over", "Game over"),
        ("it-IT", "La partita è finita", "Partita finita"),
        ("pt-PT", "A partida acabou", "Partida terminada"),
    ],
)
def test_a_game_by_hand_that_was_ended_says_so_and_nobody_is_to_play(
    visit: Any, room: ServedRoom, locale: str, over: str, chip: str
) -> None:
    enter(room, 5)
    page = visit(f"{room.url}/", "phone", locale)
    assert page.locator("[data-turn=true]").count() == 2, "the tile and the place at the table"
    assert room.ask("POST", "/api/game/end")[0] == 200
    page.wait_for_function("(words) => document.querySelector('#phase').textContent === words", arg=over)
    assert said(page, "turn") == over
    assert said(page, "camera-state") == chip
    assert page.locator("[data-turn=true]").count() == 0
    assert page.locator(".turn-leader").count() == 0
    assert not page.locator("#camera").is_visible()
    for name in ("pause", "new-hand", "claim", "arrastre-0"):
        assert page.get_by_test_id(name).count() == 0, name
    page.keyboard.press("n")
    page.get_by_test_id("correct").click()
    page.get_by_test_id("fix-add").click()
    assert page.locator("#picker [data-seat][aria-pressed=true]").get_attribute("data-seat") == str(
        1 - room.ask("GET", "/api/state")[1]["hand"]["trick"]["plays"][0]["seat"]
    ), "whose card is missing is the first choice"
    state = room.ask("GET", "/api/state")[1]
    assert (state["hand"]["n"], state["hand"]["turn"], state["hand"]["next_leader"]) == (1, None, None)


def test_what_counted_at_the_end_counts_still_after_a_correction(room: ServedRoom) -> None:
    enter(room, 6)
    assert room.ask("POST", "/api/game/end")[0] == 200
    before = room.ask("GET", "/api/state")[1]["hand"]
    assert (before["phase"], len(before["tricks"])) == ("swept", 3)
    assert room.ask("POST", "/api/press", {"type": "swap_seats", "seat": 0, "other": 1})[0] == 200
    after = room.ask("GET", "/api/state")[1]["hand"]
    assert (after["phase"], after["tricks"]) == (before["phase"], before["tricks"])


def test_the_words_at_the_end_fit_what_was_watched(visit: Any, room: ServedRoom, tmp_path: Any) -> None:
    with phone_camera() as phone:
        assert room.start(source={"kind": "stream", "value": phone.url})[0] == 201
        room.wait("/api/status", lambda told: told["camera"] == "RUNNING")
        page = visit(f"{room.url}/")
        assert room.ask("POST", "/api/game/end")[0] == 200
        page.get_by_test_id("camera-state").get_by_text("Partida terminada").wait_for()
    film = write_film(tmp_path / "long.mp4", 60)
    assert room.start(source={"kind": "film", "value": str(film)})[0] == 201
    room.wait("/api/status", lambda told: told["camera"] == "RUNNING")
    assert room.ask("POST", "/api/game/end")[0] == 200
    page.get_by_test_id("camera-state").get_by_text("Partida terminada").wait_for()
    film = write_film(tmp_path / "short.mp4", 1)
    assert room.start(source={"kind": "film", "value": str(film)})[0] == 201
    page.get_by_test_id("camera-state").get_by_text("El vídeo ha terminado").wait_for()
    assert room.ask("GET", "/api/status")[1]["progress"] == 1
