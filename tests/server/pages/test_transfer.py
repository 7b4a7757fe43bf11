"""How much has to come over a weak network before the scoreboard stands there."""

from pathlib import Path
from typing import Any

import pytest
from rooms import ServedRoom

pytestmark = pytest.mark.browser

FIRST_PAINT_BYTES = 150_000


def test_the_first_paint_of_the_scoreboard_is_light(browser: Any, room: ServedRoom, film: Path) -> None:
    room.start(source={"kind": "film", "value": str(film)})
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="es-ES")
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sent: dict[str, float] = {}
    wire.on("Network.loadingFinished", lambda told: sent.update({told["requestId"]: told["encodedDataLength"]}))
    wire.on(
        "Network.webSocketFrameReceived",
        lambda told: sent.update({f"frame {told['timestamp']}": len(told["response"]["payloadData"])}),
    )
    page.goto(room.url)
    page.wait_for_selector("html[data-link=live][data-ready=true]")
    page.wait_for_selector("[data-testid=score-0]")
    page.wait_for_load_state("networkidle")
    context.close()
    assert len(sent) > 20, "every script, style and text counts"
    assert sum(sent.values()) < FIRST_PAINT_BYTES, sent
    print(f"{sum(sent.values()):.0f} bytes in {len(sent)} answers")


def test_what_is_static_comes_packed_and_is_the_same(room: ServedRoom) -> None:
    import gzip
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", room.port, timeout=10)
    plain = room.ask("GET", "/static/js/app.js")[1]
    connection.request("GET", "/static/js/app.js", headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    packed = answer.read()
    connection.close()
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["content-security-policy"]
    assert len(packed) < len(plain) / 2
    assert gzip.decompress(packed) == plain
