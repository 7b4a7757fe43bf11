"""Who breaks the rules of order at a table of two, and that nobody is accused of what was not clearly seen."""

import pytest
from small_scene import SOUTH, Scene


def test_the_wrong_side_gathers() -> None:
    scene = Scene()
    scene.open()
    scene.trick("3C", "1C", "south")
    scene.trick("5C", "6C", "north", north_leads=True)
    assert [(violation.code, violation.seat) for violation in scene.hand.violations] == [("wrong_gather", 0)]


def test_the_wrong_player_leads() -> None:
    scene = Scene()
    scene.open()
    scene.trick("1C", "3C", "south")
    scene.trick("6C", "5C", north_leads=True)
    scene.trick("5E", "6E")
    assert [seat for seat, _ in scene.plays()] == [0, 1, 1, 0, 0, 1]
    assert [violation.code for violation in scene.hand.violations] == ["wrong_leader"]


def test_where_every_story_is_unlikely_nobody_is_sure_who_laid_what() -> None:
    scene = Scene()
    scene.open()
    scene.trick("1C", "3C", "south")
    scene.trick("5C", "6C", north_leads=True)
    scene.trick("5E", "6E")  # and south leads again, although north's six took the trick
    assert all((play.confidence or 0) < 0.9 for play in scene.hand.tricks[1].plays)
    assert not any(violation.certainty == "certain" for violation in scene.hand.violations)


def test_a_second_card_that_goes_back_into_the_hand_is_two_cards() -> None:
    scene = Scene()
    scene.open()
    first = scene.south("3C")
    second = scene.say("settled", (SOUTH[0] + 90, SOUTH[1]), "7E", side="south")
    scene.say("vanished", (SOUTH[0] + 90, SOUTH[1]), "7E", track=second, after=2.0)
    answer = scene.north("5C")
    scene.sweep(first, answer, side="south")
    assert scene.plays() == [(0, "3C"), (1, "5C")]
    (told,) = scene.hand.violations
    assert (told.code, told.seat, told.trick, told.certainty) == ("two_cards", 0, 1, "possible")
    # The card is proven to be one of that hand when the same seat plays it.
    scene.trick("7E", "6E")
    (told,) = scene.hand.violations
    assert (told.code, told.certainty, told.evidence) == ("two_cards", "certain", ("7E",))


@pytest.mark.parametrize("how", ["brief", "elsewhere", "unread", "known", "alone"])
def test_what_is_not_clearly_a_second_card_accuses_nobody(how: str) -> None:
    scene = Scene()
    scene.open()
    scene.trick("1C", "7E", "south")
    first = 0 if how == "alone" else scene.south("3C")
    labels: dict[str, float] | str = {"unread": {"6E": 0.5, "5E": 0.4}, "known": "7E"}.get(how, "6E")
    place, side = ((640, 360), None) if how == "elsewhere" else ((SOUTH[0] + 90, SOUTH[1]), "south")
    second = scene.say("settled", place, labels, side=side)
    scene.say("vanished", place, labels, track=second, after=0.3 if how == "brief" else 2.0)
    first = first or scene.south("3C", after=6.0)
    scene.sweep(first, scene.north("5C"), side="south")
    assert scene.hand.violations == ()


@pytest.mark.parametrize(("seconds", "certainty"), [(1.0, "certain"), (6.0, "possible")])
def test_a_call_far_from_any_card_of_the_caller_may_belong_to_one_that_escaped(seconds: float, certainty: str) -> None:
    scene = Scene()
    scene.open()
    scene.referee.press({"type": "arrastre_called", "seat": 0, "t": scene.t})
    scene.south("5C", after=seconds)
    scene.north("6C")
    (told,) = scene.hand.violations
    assert (told.code, told.seat, told.certainty) == ("invalid_call", 0, certainty)
