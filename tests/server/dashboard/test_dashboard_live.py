"""What happens on the page while a game runs: presses, corrections, lost wires, news, and a whole game to its end."""

import asyncio
import contextlib
import copy
import queue
import socket
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from server.errors import PressError
from server.sessions.intake import Seen, Step
from server.sessions.session import Session, make_table
from server.sessions.sitting import SessionFacts
from server.web.live import LiveTable
from server.web.serve import serve

pytestmark = pytest.mark.browser


SIZES = ((360, 740), (820, 1180), (1920, 1080))


def text(page: Any, name: str) -> str:
    return str(page.get_by_test_id(name).inner_text()).strip()


def wait_text(page: Any, selector: str, wanted: str) -> None:
    page.wait_for_function(
        "([where, words]) => document.querySelector(where)?.textContent.includes(words)", arg=[selector, wanted]
    )


def violation(certainty: str, p: float | None = None) -> dict[str, Any]:
    return {
        "key": f"k-{certainty}", "kind": "missed_arrastre", "hand": 1, "seat": 1, "trick": 2, "certainty": certainty,
        "p": p, "evidence": ["3C"], "pictures": [], "acknowledged": False, "dismissed": False,
    }  # fmt: skip


def test_buttons_reach_the_table_and_say_what_became_of_it(served: Any, opened: Any, played: Any) -> None:
    server = served({**played(2), "steps": {"undo": True, "redo": False}})
    for width, height in SIZES:
        page = opened(server, width=width, height=height)
        page.get_by_test_id("arrastre-1").click()
        wait_text(page, "#toast", "Arrastre de Luis")
    assert server.desk.presses == 3 * [{"type": "arrastre_called", "seat": 1}]
    del server.desk.presses[1:]
    page.get_by_test_id("undo").click()
    wait_text(page, "#toast", "Deshecho")
    assert server.desk.presses == [{"type": "arrastre_called", "seat": 1}, {"type": "undo"}]
    refusals = (
        (PressError("There is nothing to undo.", "nothing_to_undo"), "no hay nada que deshacer"),
        (PressError("Seat 1 has a card.", "seat_has_card", seat=1, trick=3), "Luis ya tiene una carta en la baza 3"),
        (
            PressError("The 3C was given.", "card_taken", card="3C", seat=1, trick=3),
            "tres de copas: ya se apuntó a mano para Luis en la baza 3",
        ),
        (
            PressError("Trick 9 has not begun.", "trick_not_begun", trick=9, next=4),
            "la siguiente carta va en la baza 4",
        ),
        (PressError("A reason of a later version.", "unheard_of"), "Ya no se puede."),
    )
    for refusal, words in refusals:
        server.desk.refuse = refusal
        page.get_by_test_id("undo").click()
        wait_text(page, "#toast", words)
    assert len(server.desk.presses) == 2


def test_no_arrastre_button_where_the_rules_have_none(served: Any, opened: Any, played: Any) -> None:
    page = opened(served(played(3)))
    assert page.get_by_test_id("undo").is_visible()
    assert page.locator(".button-arrastre").count() == 0


def test_a_card_is_put_right_from_the_whole_pack(served: Any, opened: Any, played: Any) -> None:
    state = played(2)
    server = served(state)
    page = opened(server)
    page.locator("[data-testid=trick] .played").click()
    page.locator("#picker [data-suit=C]").click()
    page.locator("#picker .picker-ranks [data-card='12C']").click()
    wait_text(page, "#toast", "rey de copas")
    assert server.desk.presses == [
        {"type": "correct_card", "play": state["hand"]["trick"]["plays"][0]["id"], "card": "12C"}
    ]


def test_a_doubt_is_marked_and_settled_with_one_tap(served: Any, opened: Any, played: Any) -> None:
    state = played(2)
    play = state["hand"]["trick"]["plays"][0]
    play.update(card=None, doubtful=True, candidates=[["3C", 0.6], ["3O", 0.4]])
    answers = [{"type": "correct_card", "play": play["id"], "card": card, "p": p} for card, p in play["candidates"]]
    state["questions"] = [{"id": f"card:{play['id']}", "kind": "card", "text_key": "question.card", "options": answers}]
    server = served(state)
    for width, height in SIZES:
        page = opened(server, width=width, height=height)
        assert page.locator("[data-testid=trick] [data-doubtful=true] .card-back").count() == 1
        question = page.get_by_test_id("questions")
        assert "¿Qué carta jugó" in question.inner_text()
        question.get_by_role("button", name="tres de oros").click()
        wait_text(page, "#toast", "tres de oros")
        assert server.desk.presses.pop() == {"type": "correct_card", "play": play["id"], "card": "3O"}


def test_the_lost_thread_is_said_and_leads_back(served: Any, opened: Any, played: Any) -> None:
    state = played(2)
    state["lost"] = True
    state["questions"] = [{"id": "lost:1", "kind": "lost", "text_key": "question.lost",
                           "options": [{"type": "found"}, {"type": "end_hand"}]}]  # fmt: skip
    server = served(state)
    page = opened(server)
    banner = page.get_by_test_id("lost")
    assert "He perdido el hilo" in banner.inner_text()
    assert not page.get_by_test_id("questions").is_visible()
    banner.get_by_role("button", name="Ya cuadra").click()
    wait_text(page, "#toast", "Ya cuadra")
    assert server.desk.presses == [{"type": "found"}]
    server.post({**state, "lost": False, "questions": []})
    banner.wait_for(state="hidden")


def test_a_violation_is_acknowledged_and_then_stands_back(served: Any, opened: Any, played: Any) -> None:
    state = played(2)
    state["violations"] = [violation("certain"), violation("possible", 0.6)]
    server = served(state)
    page = opened(server)
    page.locator(".violation[data-certainty=certain] button[data-answer=confirm]").click()
    wait_text(page, "#toast", "Visto")
    assert server.desk.presses == [{"type": "confirm", "violation": "k-certain"}]
    seen = copy.deepcopy(state)
    seen["violations"][0]["acknowledged"] = True
    server.post(seen)
    page.wait_for_selector(".violation[data-seen=true]")
    order = page.locator(".violation").evaluate_all("all => all.map((one) => one.dataset.certainty)")
    assert order == ["possible", "certain"]
    assert page.locator(".violation[data-seen=true] button").count() == 0


def test_a_cut_wire_is_shown_and_healed(served: Any, opened: Any, played: Any) -> None:
    state = {**played(2), "steps": {"undo": True, "redo": False}}
    server = served(state)
    pages = [opened(server, width=width, height=height) for width, height in SIZES]
    pages.append(opened(server, "/tv", 1920, 1080))
    old = text(pages[0], "score-0")
    server.stop()
    for page in pages:
        page.wait_for_selector("html[data-link=lost]")
        assert "Sin conexión" in text(page, "link")
        assert text(page, "score-0") == old
        assert page.locator(".tile[data-stale=true]").count() == 2
    assert "Puede no estar al día" in pages[0].locator(".tile").first.inner_text()
    pages[0].get_by_test_id("undo").click()
    wait_text(pages[0], "#toast", "No hay conexión")
    state["scores"][0]["points"] = 99
    again = served(state, server.port)
    for page in pages:
        page.wait_for_selector("html[data-link=live]")
        assert text(page, "score-0") == "99"
        assert page.locator(".tile[data-stale=true]").count() == 0
        assert not page.get_by_test_id("link").is_visible()
    pages[1].get_by_test_id("undo").click()
    wait_text(pages[1], "#toast", "Deshecho")
    assert again.desk.presses == [{"type": "undo"}], "buttons work again"


def test_a_missing_message_is_noticed_and_asked_for(served: Any, opened: Any, played: Any) -> None:
    state = played(2)
    server = served(state)
    page = opened(server)
    state["scores"][1]["points"] = 88

    def lose_one() -> None:
        server.desk.hub.seq += 1  # the message that never arrived
        server.desk.hub.status(server.desk.camera)

    server.do(lose_one)
    wait_text(page, "[data-testid=score-1]", "88")
    page.wait_for_selector("html[data-link=live]")


def test_tricks_and_corrections_are_announced_once(served: Any, opened: Any, played: Any) -> None:
    state = played(2)
    server = served(state)
    page = opened(server)
    polite = page.locator("#polite")
    assert polite.inner_text() == "", "what was there when the page opened is no news"
    after = copy.deepcopy(state)
    after["hand"]["tricks"].append(
        {"n": 3, "plays": state["hand"]["trick"]["plays"], "winner": 1, "why": "awarded", "points": 11}
    )
    after["scores"][1]["points"] = 55
    server.post(after)
    wait_text(page, "#polite", "Baza para Luis, 11 puntos. Lo decidió la mesa. Ana")
    corrected = copy.deepcopy(after)
    corrected["scores"][1]["points"] = 44
    server.post(corrected)
    wait_text(page, "#polite", "Corrección.")
    assert "Luis 44" in polite.inner_text()
    corrected["violations"] = [violation("possible", 0.6)]
    server.post(corrected)
    page.wait_for_selector(".violation")
    assert page.locator("#assertive").inner_text() == "", "a suspicion is not proclaimed"


def test_the_picture_is_fetched_only_while_it_is_shown(served: Any, opened: Any, played: Any) -> None:
    server = served(played(2))
    page = opened(server, width=360, height=740)
    server.desk.picture.offer(np.full((720, 1280, 3), 90, np.uint8), (1280, 720), ())
    picture = page.locator("#camera img")
    assert picture.get_attribute("src") is None
    page.locator("#camera button").click()
    assert picture.get_attribute("src") == "/live.mjpg"
    for _ in range(100):
        # A new frame now and then: a browser shows a part of the stream when the next one begins.
        server.desk.picture.offer(np.full((720, 1280, 3), 90, np.uint8), (1280, 720), ())
        page.wait_for_timeout(50)
        if picture.evaluate("(image) => image.naturalWidth"):
            break
    assert picture.evaluate("(image) => image.naturalWidth / image.naturalHeight") == pytest.approx(16 / 9, abs=0.02)
    page.locator("#camera button").click()
    assert picture.get_attribute("src") is None


def test_a_real_game_ends_on_the_page_with_the_right_score(opened: Any, witnessed: Callable[..., Any]) -> None:
    game = witnessed(1)
    steps: queue.SimpleQueue[Step | None] = queue.SimpleQueue()
    stop = threading.Event()
    table = LiveTable(
        Session(make_table("arrastro", "south=Ana,north=Luis")),
        SessionFacts.begin("a film"),
        iter(steps.get, None),
        stop,
        version="1",
    )
    listener = socket.create_server(("127.0.0.1", 0))
    ready = threading.Event()
    loops: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def main() -> None:
        over = asyncio.Event()
        loops.append((asyncio.get_running_loop(), over))
        await serve(table, listener, on_ready=ready.set, stop=over)

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    try:
        assert ready.wait(10)
        place = SimpleNamespace(url=f"http://127.0.0.1:{listener.getsockname()[1]}")
        page = opened(place)
        for observation in game.observations:
            steps.put(Seen(observation))
        steps.put(None)
        page.get_by_test_id("result").wait_for(state="visible", timeout=60_000)
        assert (text(page, "score-0"), text(page, "score-1")) == tuple(str(points) for points in game.points)
        assert "= 120" in text(page, "result")
        rows = page.locator("[data-testid=trick-list] .trick-row")
        rows.nth(19).wait_for(timeout=60_000)
        assert rows.count() == 20
        page.close()
    finally:
        steps.put(None)
        with contextlib.suppress(RuntimeError):
            loops[0][0].call_soon_threadsafe(loops[0][1].set)
        thread.join(15)
        assert not thread.is_alive()
