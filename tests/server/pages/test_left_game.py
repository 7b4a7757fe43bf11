"""After a power cut the scoreboard that waits offers the game that was left off first, then another one."""

from pathlib import Path
from typing import Any

import pytest
from rooms import ServedRoom, serving_room, write_film

pytestmark = pytest.mark.browser


def leave(folder: Path, **begin: Any) -> str:
    """A game by hand in which something was played, and the program that goes away in its middle."""
    with serving_room(folder) as room:
        name = room.start(**{"source": {"kind": "none"}, **begin})[1]["session"]
        assert room.ask("POST", "/api/press", {"type": "set_trump", "suit": "O"})[0] == 200
        assert room.ask("POST", "/api/press", {"type": "add_play", "card": "1C", "seat": 0, "trick": 1})[0] == 200
        return str(name)


def pressed(page: Any) -> list[str]:
    """What can be pressed on the waiting scoreboard, in its order."""
    names = page.locator("#idle a:visible, #idle button:visible").evaluate_all(
        "all => all.map((one) => one.dataset.testid)"
    )
    return [name for name in names if name]


@pytest.mark.parametrize(
    ("locale", "told", "go", "another"),
    [
        ("es-ES", "Ha quedado una partida sin terminar: Ana y Luis", "Seguir la partida", "Empezar otra partida"),
        ("en-GB", "A game was left unfinished: Ana and Luis", "Go on with the game", "Start another game"),
        ("it-IT", "È rimasta una partita da finire: Ana e Luis", "Continua la partita", "Inizia un'altra partita"),
        ("pt-PT", "Ficou uma partida por acabar: Ana e Luis", "Continuar a partida", "Começar outra partida"),
    ],
)
def test_the_waiting_scoreboard_goes_on_with_the_game_that_was_left(
    visit: Any, faults: Any, tmp_path: Path, locale: str, told: str, go: str, another: str
) -> None:
    name = leave(tmp_path)
    with serving_room(tmp_path) as room:
        page = visit(f"{room.url}/", "phone", locale)
        page.get_by_test_id("idle-resume").wait_for()
        assert page.locator("#idle h2").inner_text() == told
        assert pressed(page)[:2] == ["idle-resume", "idle-start"]
        assert page.get_by_test_id("idle-resume").inner_text() == go
        assert page.get_by_test_id("idle-start").inner_text() == another
        assert faults(page) == []
        page.get_by_test_id("idle-resume").focus()
        page.keyboard.press("Enter")
        page.locator("#score").wait_for()
        assert page.get_by_test_id("idle").is_hidden()
        state = room.ask("GET", "/api/state")[1]
        assert (state["session"]["id"], state["hand"]["trick"]["plays"][0]["card"]) == (name, "1C")


def test_a_tv_says_what_was_left_and_has_nothing_to_press_and_the_overlay_says_nothing(
    visit: Any, tmp_path: Path
) -> None:
    leave(tmp_path)
    with serving_room(tmp_path, in_the_room=True) as room:
        page = visit(f"{room.url}/tv", "tv")
        page.locator("#idle h2", has_text="Ana y Luis").wait_for()
        assert page.locator("#idle h2").is_visible()
        assert page.locator("#idle .button").count() == 0
        page = visit(f"{room.url}/overlay", "tv")
        page.wait_for_selector("html[data-idle=true]", state="attached")
        assert page.locator("body *:not(.visually-hidden):visible").count() == 0


def test_a_program_that_comes_back_is_asked_what_was_left(visit: Any, tmp_path: Path) -> None:
    with serving_room(tmp_path) as room:
        page = visit(f"{room.url}/", "phone")
        page.get_by_test_id("idle-start").wait_for()
        assert pressed(page) == ["idle-start"], "nothing was left yet"
        port = room.port
    leave(tmp_path)
    with serving_room(tmp_path, port=port):
        page.get_by_test_id("idle-resume").wait_for()


def test_where_the_film_is_gone_another_source_is_offered(visit: Any, tmp_path: Path) -> None:
    film = write_film(tmp_path / "table.mp4", 30)
    name = leave(tmp_path, source={"kind": "film", "value": str(film)})
    film.unlink()
    with serving_room(tmp_path) as room:
        page = visit(f"{room.url}/", "phone")
        page.get_by_test_id("idle-resume").click()
        page.locator("#idle [role=alert]").wait_for()
        assert page.evaluate("document.activeElement.dataset.testid") == "idle-resume"
        page.get_by_test_id("idle-elsewhere").click()
        page.get_by_test_id("resume-here").wait_for()
        page.locator("input[name=kind][data-value=none]").check()
        page.get_by_test_id("resume-here").click()
        page.locator("#score").wait_for()
        assert room.ask("GET", "/api/state")[1]["session"]["id"] == name


def test_a_game_that_another_screen_has_gone_on_with_is_shown(visit: Any, tmp_path: Path) -> None:
    name = leave(tmp_path)
    room: ServedRoom
    with serving_room(tmp_path) as room:
        page = visit(f"{room.url}/", "phone")
        page.get_by_test_id("idle-resume").wait_for()
        assert room.ask("POST", "/api/game/resume", {"session": name})[0] == 201
        page.locator("#score").wait_for()
        assert page.get_by_test_id("idle").is_hidden()
