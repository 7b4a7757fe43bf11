"""A phone's camera that goes away in the middle of a game and comes back, as every screen in the room tells it."""

from typing import Any

import pytest
from rooms import ServedRoom, phone_camera

pytestmark = pytest.mark.browser


def test_a_real_camera_is_lost_and_comes_back_on_phone_tablet_and_tv(visit: Any, room: ServedRoom) -> None:
    with phone_camera() as phone:
        port = phone.server_port
        assert room.start(source={"kind": "stream", "value": phone.url})[0] == 201
        room.wait("/api/status", lambda status: status["camera"] == "RUNNING", 60)
        pages = [visit(room.url, screen) for screen in ("phone", "tablet", "tv")]
        pages.append(visit(f"{room.url}/tv", "tv"))
        for press in ({"type": "set_trump", "card": "4O"}, {"type": "add_play", "trick": 1, "seat": 0, "card": "3C"}):
            assert room.ask("POST", "/api/press", press)[0] == 200
    for page in pages:
        trouble = page.get_by_test_id("camera-trouble")
        trouble.wait_for()
        assert "Buscando la cámara" in trouble.inner_text() or "se ha parado" in trouble.inner_text()
        assert page.locator("[data-testid=trick] [data-card='3C']").count() == 1
    pages[0].get_by_test_id("by-hand").click()
    pages[0].locator("#picker .picker-buttons [data-seat='1']").click()
    pages[0].locator("#picker .picker-suits [data-suit=C]").click()
    pages[0].locator("#picker .picker-ranks [data-card='1C']").click()
    for page in pages:
        page.wait_for_function("() => document.querySelector('[data-testid=score-1]').textContent === '21'")
    with phone_camera(port):
        for page in pages:
            page.get_by_test_id("camera-trouble").wait_for(state="hidden", timeout=120_000)
            assert page.get_by_test_id("score-1").inner_text() == "21"
        assert room.ask("GET", "/api/status")[1]["camera"] == "RUNNING"
