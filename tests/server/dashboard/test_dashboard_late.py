"""A hand that had begun before the program: said on the page, with the points of before put in by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from vision.synth.film_actions import Gather, action_end

pytestmark = pytest.mark.browser


def test_a_hand_in_progress_is_told_and_its_points_put_in(
    table: Any, opened: Any, witnessed: Callable[..., Any], faults: Callable[[Any], list[str]]
) -> None:
    film = witnessed(1, tricks=3)
    start = next(action_end(action) for action in film.script.actions if isinstance(action, Gather)) + 0.5
    game = table()
    game.feed([one for one in film.observations if one.t >= start], lambda hand: hand.missed > 0)
    page = opened(game, width=360, height=740)
    late = page.get_by_test_id("late")
    late.wait_for()
    assert "Solo las bazas vistas" in page.get_by_test_id("left").inner_text()
    assert page.locator(".known-left").count() == 0, "how many are left is not known"
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing hangs over"
    page.get_by_test_id("late-tricks").fill("5")
    page.get_by_test_id("late-side-0").fill("21")
    page.get_by_test_id("late-side-1").fill("14")
    before = game.hand().points
    page.get_by_test_id("late-side-1").press("Enter")
    late.wait_for(state="detached")
    hand = game.hand()
    assert (hand.missed, hand.points_before) == (5, (21, 14))
    assert hand.points == (before[0] + 21, before[1] + 14)
    page.wait_for_function(
        "(points) => document.querySelector('[data-testid=score-0]').textContent === points", arg=str(hand.points[0])
    )
    assert "Quedan" in page.get_by_test_id("left").inner_text()


def test_a_hand_that_was_taken_for_one_in_progress_is_none(
    table: Any, opened: Any, witnessed: Callable[..., Any]
) -> None:
    film = witnessed(1, tricks=3)
    start = next(action_end(action) for action in film.script.actions if isinstance(action, Gather)) + 0.5
    game = table()
    game.feed([one for one in film.observations if one.t >= start], lambda hand: hand.missed > 0)
    page = opened(game)
    page.get_by_test_id("late-none").click()
    page.get_by_test_id("late").wait_for(state="detached")
    assert game.hand().missed == 0
    assert len(game.hand().tricks) + bool(game.hand().trick) >= 1
