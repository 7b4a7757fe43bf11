"""From the film to the page: a real browser watches the demo game to its end."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from vision.demo import demo_path
from vision.errors import VisionError
from vision.weights import find_weights

pytestmark = pytest.mark.browser

SPEED = 4.0
"""The demo is shown faster than it was filmed: every frame is read all the same."""


def demo_truth() -> dict[str, Any]:
    """What really happens in the demo film."""
    try:
        find_weights("locate")
        find_weights("identify")
        truth = demo_path().with_name("truth.json")
    except VisionError as error:
        pytest.skip(str(error))
    content: dict[str, Any] = json.loads(truth.read_text(encoding="utf-8"))
    return content


def shown_points(page: Page, sides: int) -> list[int]:
    return [int(page.get_by_test_id(f"score-{side}").inner_text()) for side in range(sides)]


def test_the_demo_game_ends_with_the_right_score_on_the_page(
    watched: Any, brisca: Callable[..., Any], tmp_path: Path
) -> None:
    truth = demo_truth()
    result = truth.get("result", truth)
    out = tmp_path / "result.json"
    server = brisca("--source", "demo", "--speed", str(SPEED), "--out", str(out))
    page: Page = watched.page
    page.goto(server.url)
    expect(page.locator("html")).to_have_attribute("data-link", "live")
    expect(page.get_by_test_id("trump")).to_have_attribute("data-card", result["trump"], timeout=600_000)
    expect(page.get_by_test_id("result")).to_be_visible(timeout=1_200_000)
    by_seat = {int(seat): points for seat, points in result["totals"]["by_seat"].items()}
    assert shown_points(page, 2) == [by_seat[0], by_seat[1]]
    # The score stands once the last trick is gathered; the last readings may still settle a confidence.
    expect(page.get_by_test_id("camera-state")).to_have_attribute("data-state", "ENDED")
    page.wait_for_function(
        "() => fetch('/api/state').then((answer) => answer.json()).then((state) => state.session.ended)"
    )
    kept = page.request.get(f"{server.url}api/result").json()
    assert kept["complete"]
    assert kept["winner"] == result["winner"]
    assert kept["totals"] == result["totals"]
    assert [sorted(play["card"] for play in trick["plays"]) for trick in kept["tricks"]] == [
        sorted(play["card"] for play in trick["plays"]) for trick in result["tricks"]
    ]
    assert watched.complaints == []
    assert watched.hosts == {re.sub(r"^\w+://([^/]*)/$", r"\1", server.url)}
    code, _, errors = server.stop()
    assert (code, errors) == (0, "")
    assert json.loads(out.read_text(encoding="utf-8")) == kept
