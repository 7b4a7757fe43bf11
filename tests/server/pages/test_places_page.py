"""Who sits where in the picture, put right by hand: with the mouse, with the keys, and back to automatic."""

from collections.abc import Callable
from typing import Any

import pytest
from rooms import ServedRoom

pytestmark = pytest.mark.browser


@pytest.fixture
def film(tmp_path: Any) -> Any:
    from rooms import write_film

    return write_film(tmp_path / "long.mp4", 20.0)


def seats_of(room: ServedRoom) -> list[Any]:
    return [seat["at"] for seat in room.ask("GET", "/api/state")[1]["seats"]]


def test_names_are_dragged_to_their_owners(
    visit: Any, room: ServedRoom, film: Any, faults: Callable[[Any], list[str]]
) -> None:
    assert room.start(source={"kind": "film", "value": str(film)})[0] == 201
    page = visit(f"{room.url}/places", "phone")
    page.get_by_test_id("places-now").wait_for()
    assert "automático" in page.get_by_test_id("places-now").inner_text()
    assert page.get_by_test_id("places-reset").is_disabled()
    page.wait_for_function("() => document.querySelector('[data-testid=places-picture]').naturalWidth > 0")
    box = page.locator(".places-picture").bounding_box()
    name = page.get_by_test_id("place-0").bounding_box()
    page.mouse.move(name["x"] + name["width"] / 2, name["y"] + name["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 0.8 * box["height"], steps=4)
    page.mouse.up()
    north = page.get_by_test_id("place-1")
    north.focus()
    for _ in range(3):
        north.press("ArrowLeft")
    north.press("ArrowDown")
    page.get_by_test_id("places-save").click()
    page.wait_for_function("() => document.querySelector('[data-testid=places-now]').textContent.includes('a mano')")
    (x, y), other = seats_of(room)
    assert (x, y) == pytest.approx((0.9, 0.8), abs=0.01)
    assert other == pytest.approx([0.44, 0.06])
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_test_id("places-reset").click()
    page.wait_for_function(
        "() => document.querySelector('[data-testid=places-now]').textContent.includes('automático')"
    )
    assert seats_of(room) == [None, None]


def test_without_a_game_there_is_nothing_to_place(visit: Any, room: ServedRoom) -> None:
    page = visit(f"{room.url}/places", locale="en-GB")
    assert "There is no game yet" in page.get_by_test_id("places").inner_text()
    assert page.locator(".places-seat").count() == 0
