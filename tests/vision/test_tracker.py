"""The tracker's promises, one scripted table each: what settles, what only hides, what has left."""

import numpy as np
import pytest
from table_scene import CARD, NORTH, SIZE, SOUTH, Lying, Scene, quad_at, told, trick


def test_a_card_that_comes_to_rest_settles_once_and_soon(scene: Scene) -> None:
    scene.run(1)
    scene.arm("south", (640, 700))
    scene.lay("3C", 640, 700)
    assert scene.carry("3C", *SOUTH) == []
    rests = scene.t
    scene.arm("south")
    events = scene.run(2)
    assert told(events) == [("settled", "3C")]
    (event,) = events
    assert event.t - rests <= 0.4
    assert event.labels[0][1] > 0.95
    assert event.side == "south"
    assert event.centre == pytest.approx((SOUTH[0] / SIZE[0], SOUTH[1] / SIZE[1]), abs=0.004)
    assert event.frames[0] < event.frames[1]
    assert [e.kind for e in scene.events] == ["appeared", "settled"]


def test_the_side_comes_from_the_way_where_no_hand_is_known() -> None:
    scene = Scene(with_hands=False)
    scene.run(1)
    scene.lay("3C", 640, 60)
    scene.carry("3C", *NORTH)
    (event,) = scene.run(2)
    assert event.side == "north"


def test_what_does_not_rest_does_not_settle(scene: Scene) -> None:
    scene.lay("3C", 200, 360)
    told_then = []
    for stop in range(300, 1100, 100):
        told_then += scene.carry("3C", stop, 360, seconds=0.3)
    assert told_then == []


@pytest.mark.parametrize("fps", [10.0, 15.0, 30.0, 60.0])
def test_any_frame_rate(fps: float) -> None:
    scene = trick(Scene(fps=fps))
    scene.cards.clear()
    assert [event.kind for event in scene.run(2)] == ["swept"]


def test_a_passing_hand_changes_nothing(scene: Scene) -> None:
    trick(scene)
    scene.arm("south", SOUTH, NORTH)
    for card in scene.cards.values():
        card.seen = False
    assert scene.run(1.5, motion=0.05) == []
    scene.arm("south")
    for card in scene.cards.values():
        card.seen = True
    assert scene.run(3) == []


def test_a_hand_that_rests_on_a_card_changes_nothing(scene: Scene) -> None:
    trick(scene)
    scene.arm("south", SOUTH)
    scene.cards["3C"].seen = False
    assert scene.run(5) == []
    scene.arm("south")
    scene.cards["3C"].seen = True
    assert scene.run(2) == []


def test_motion_alone_changes_nothing_where_hands_are_not_known() -> None:
    scene = trick(Scene(with_hands=False))
    scene.cards["3C"].seen = False
    assert scene.run(3, motion=0.05) == []
    scene.cards["3C"].seen = True
    assert scene.run(2) == []


def test_a_half_hidden_card_whose_outline_is_guessed_has_not_moved(scene: Scene) -> None:
    trick(scene)
    card = scene.cards["3C"]
    card.quad = card.quad + 24.0
    card.visible, card.top, card.rival = 0.3, 0.5, "5C"
    assert scene.run(1) == []
    card.quad = card.quad - 24.0
    card.visible, card.top, card.rival = 1.0, 0.97, None
    assert scene.run(1) == []


def test_an_outline_that_slips_under_a_hand_and_is_lost_is_no_card_gone(scene: Scene) -> None:
    trick(scene)
    scene.arm("south", SOUTH)
    card = scene.cards["3C"]
    whole, card.visible = card.quad, 0.2
    card.quad = whole + np.array((0, 50), np.float32)
    assert scene.run(0.3, motion=0.04) == []
    card.seen = False
    assert scene.run(1.2, motion=0.04) == []
    scene.arm("south")
    card.quad, card.visible, card.seen = whole, 1.0, True
    assert scene.run(2) == []


def test_one_missed_look_is_nothing(scene: Scene) -> None:
    trick(scene)
    for _ in range(20):
        scene.cards["3C"].seen = False
        assert scene.step() == []
        scene.cards["3C"].seen = True
        assert scene.run(0.3) == []


def test_a_card_taken_away_vanishes(scene: Scene) -> None:
    trick(scene)
    numbers = {event.labels[0][0]: event.track for event in scene.events if event.kind == "settled"}
    del scene.cards["12E"]
    began = scene.t
    (event,) = scene.run(2)
    assert (event.kind, event.track, event.labels[0][0]) == ("vanished", numbers["12E"], "12E")
    assert event.t - began < 1.0


def test_cards_gathered_by_a_hand_are_swept_together_to_its_side(scene: Scene) -> None:
    trick(scene)
    scene.arm("north", SOUTH, NORTH)
    for card in scene.cards.values():
        card.seen = False
    assert scene.run(0.8, motion=0.06) == []
    scene.cards.clear()
    scene.arm("north", (300, 100))
    events = scene.run(1.5, motion=0.04)
    assert [event.kind for event in events] == ["swept"]
    assert events[0].tracks == (1, 2)
    assert events[0].side == "north"
    scene.arm("north")
    assert scene.run(3) == []


def test_cards_that_are_seen_to_slide_away_are_swept_to_where_they_went() -> None:
    scene = trick(Scene(with_hands=False))
    for x in range(640, 1200, 80):
        for name, y in (("3C", 480), ("12E", 250)):
            scene.carry(name, x, y, seconds=0.14)
    scene.cards.clear()
    events = scene.run(2)
    assert [(event.kind, event.side) for event in events] == [("swept", "east")]


def test_one_after_the_other_is_still_one_sweep(scene: Scene) -> None:
    trick(scene)
    scene.arm("south", SOUTH)
    del scene.cards["3C"]
    assert scene.run(0.4, motion=0.03) == []
    scene.arm("south", NORTH)
    del scene.cards["12E"]
    assert scene.run(0.4, motion=0.03) == []
    scene.arm("south")
    assert [event.kind for event in scene.run(2)] == ["swept"]


def test_the_sweep_is_told_before_the_next_card(scene: Scene) -> None:
    trick(scene)
    scene.arm("south", SOUTH, NORTH)
    scene.cards.clear()
    assert scene.run(1.0, motion=0.05) == []
    scene.lay("7O", 640, 700)
    scene.carry("7O", 640, 500)
    events = scene.run(1.5, motion=0.05)
    scene.arm("south")
    events += scene.run(1)
    assert told(events) == [("swept", "3C"), ("settled", "7O")]


def test_a_card_that_was_gathered_before_it_could_be_named_was_played_all_the_same(scene: Scene) -> None:
    trick(scene)
    scene.lay("7O", 500, 360, turn=90, top=0.5, rival="6O")
    scene.run(0.5)
    scene.arm("north", SOUTH, NORTH, (500, 360))
    for card in scene.cards.values():
        card.seen = False
    assert scene.run(0.8, motion=0.06) == []
    scene.cards.clear()
    scene.arm("north", (300, 100))
    events = scene.run(1.5, motion=0.04)
    assert [event.kind for event in events] == ["settled", "swept"]
    assert {label for label, _ in events[0].labels[:2]} == {"6O", "7O"}
    assert events[1].tracks == (1, 2, 3)


def test_a_card_that_was_half_covered_before_its_outline_held_still_was_played_all_the_same(scene: Scene) -> None:
    """Laid, shifted twice and covered by the next within a second; what was seen of it last has no card's shape."""
    scene.run(0.5)
    card = scene.lay("1O", *NORTH)
    for shift in (-24, 24, -24, 24):
        scene.run(0.2)
        card.quad = card.quad + np.array((shift, 0), np.float32)
    scene.lay("12O", NORTH[0] + 4, NORTH[1] + 70, turn=90)
    card.quad = card.quad + np.array([[-20, 0], [20, 0], [20, -30], [-20, -30]], np.float32)
    card.visible = 0.5
    scene.run(0.2)
    card.seen = False
    assert told(scene.run(0.2)) == [("settled", "12O")]
    scene.arm("north", NORTH)
    scene.cards["12O"].seen = False
    scene.run(0.4, motion=0.06)
    scene.cards.clear()
    scene.arm("north", (300, 100))
    events = scene.run(1.5, motion=0.04)
    assert told(events) == [("settled", "1O"), ("swept", "1O")]
    assert events[0].since is not None
    assert len(events[1].tracks) == 2


def test_noise_far_away_does_not_carry_off_a_card_that_lay_still(scene: Scene) -> None:
    """The edge of a card in a hand, which may be any card, is found just when one that was laid is gathered."""
    trick(scene)
    scene.lay("7O", 500, 360, turn=90, top=0.5, rival="6O")
    scene.run(0.5)
    scene.arm("north", SOUTH, NORTH, (500, 360))
    for card in scene.cards.values():
        card.seen = False
    scene.run(0.4, motion=0.06)
    scene.cards.clear()
    scene.lay("4E", 440, 520, top=0.08, visible=0.1, confidence=0.4)
    scene.arm("north", (300, 100))
    events = scene.run(1.5, motion=0.04)
    assert [event.kind for event in events] == ["settled", "swept"]
    assert len(events[1].tracks) == 3


def test_a_hand_of_cards_that_may_be_any_leaves_no_trace_on_the_card_laid_from_it(scene: Scene) -> None:
    scene.lay("2E", 560, 420, top=0.08, visible=0.15, confidence=0.4)
    scene.run(12)
    scene.cards["2E"] = Lying("2E", quad_at(640, 420), 0.9, "3E")
    assert told(scene.run(1)) == [("settled", "2E")]


def test_what_lay_in_doubt_and_is_gone_while_the_trick_stays_was_no_card(scene: Scene) -> None:
    trick(scene)
    scene.lay("7O", 500, 360, turn=90, top=0.5, rival="6O")
    scene.run(0.5)
    del scene.cards["7O"]
    assert scene.run(3) == []


def test_exchange_of_the_face_up_card(scene: Scene) -> None:
    scene.lay("#stock", 200, 360)
    scene.lay("12O", 290, 360, turn=90)
    assert told(scene.run(1)) == [("settled", ""), ("settled", "12O")]
    scene.arm("south", (290, 360))
    scene.carry("12O", 450, 600)
    del scene.cards["12O"]
    scene.run(0.4, motion=0.03)
    scene.lay("7O", 450, 600)
    scene.carry("7O", 290, 360)
    scene.arm("south")
    events = [event for event in scene.events if event.t > 1.05 and event.kind != "appeared"]
    events += scene.run(1.5)
    assert told(events) == [("vanished", "12O"), ("settled", "7O")]
    assert events[0].track != events[1].track


def test_another_card_at_the_same_place_is_another_card(scene: Scene) -> None:
    """The exchange under a hand: nobody saw the old card go."""
    scene.lay("12O", 290, 360, turn=90)
    scene.run(1)
    scene.arm("south", (290, 360))
    scene.cards.clear()
    scene.run(1, motion=0.04)
    scene.lay("7O", 291, 361, turn=90)
    scene.arm("south")
    assert told(scene.run(1.5)) == [("vanished", "12O"), ("settled", "7O")]


def test_a_card_laid_almost_exactly_on_another_is_a_card_of_its_own(scene: Scene) -> None:
    scene.lay("3O", 640, 300)
    scene.run(1)
    scene.arm("south", (640, 320))
    scene.cards.pop("3O")
    scene.lay("11O", 645, 318)
    events = scene.run(0.2, motion=0.04)
    scene.arm("south")
    events += scene.run(1.5)
    assert ("settled", "11O") in told(events)
    assert not {"read", "swept", "moved"} & {event.kind for event in events}, "it is not the first one, read anew"


def test_a_better_read_of_the_same_card_is_told_as_such(scene: Scene) -> None:
    card = scene.lay("1B", *SOUTH, top=0.6, rival="3B", visible=0.5)
    assert told(scene.run(1.5)) == [("settled", "1B")]
    card.label, card.top, card.rival, card.visible = "3B", 0.99, None, 1.0
    events = scene.run(2)
    assert ("read", "3B") in told(events)
    assert {event.kind for event in events} == {"read"}
    assert {event.track for event in events} == {1}


def test_a_card_that_is_half_covered_and_misread_is_still_the_same(scene: Scene) -> None:
    card = scene.lay("4O", 640, 300)
    scene.run(1)
    scene.arm("west", (600, 330))
    scene.lay("3E", 600, 330, turn=12)
    card.quad = card.quad + np.array((-2, -20), np.float32)
    card.label, card.top, card.visible = "3O", 0.75, 0.4
    events = scene.run(0.8, motion=0.03)
    scene.arm("west")
    events += scene.run(2)
    assert told(events) == [("settled", "3E")]


def test_a_card_pushed_aside_has_moved(scene: Scene) -> None:
    trick(scene)
    scene.arm("west", (640, 250))
    scene.carry("12E", 760, 270)
    scene.arm("west")
    events = scene.run(1.5)
    assert told(events) == [("moved", "12E")]
    assert events[0].track == 2
    assert scene.run(2) == []


def test_a_card_carried_off_unseen_and_laid_elsewhere_is_the_same(scene: Scene) -> None:
    trick(scene)
    scene.arm("south", SOUTH)
    quad = scene.cards.pop("3C").quad
    scene.run(0.6, motion=0.05)
    scene.lay("3C", *(quad.mean(axis=0) + np.array((450, 0))))
    scene.arm("south")
    events = scene.run(1.5)
    assert told(events) == [("moved", "3C")]
    assert events[0].track == 1


def test_a_card_under_another_is_covered_and_leaves_with_it(scene: Scene) -> None:
    scene.lay("3C", 640, 400)
    scene.run(1)
    scene.cards["3C"].seen = False
    scene.lay("12E", 655, 440, turn=20)
    events = scene.run(3)
    assert told(events) == [("settled", "12E"), ("covered", "3C")]
    scene.cards.clear()
    events = scene.run(2)
    assert [event.kind for event in events] == ["swept"]
    assert events[0].tracks == (1, 2)


def test_a_covered_card_is_uncovered(scene: Scene) -> None:
    scene.lay("3C", 640, 400)
    scene.run(1)
    scene.cards["3C"].seen = False
    scene.lay("12E", 655, 440, turn=20)
    scene.run(3)
    scene.cards["3C"].seen = True
    del scene.cards["12E"]
    assert sorted(told(scene.run(2))) == [("uncovered", "3C"), ("vanished", "12E")]


def test_two_cards_half_upon_each_other_stay_two(scene: Scene) -> None:
    scene.lay("3C", 640, 400)
    scene.lay("12E", 640 + 0.5 * CARD[0], 400 + 0.2 * CARD[1])
    assert told(scene.run(3)) == [("settled", "3C"), ("settled", "12E")]


def test_cards_cut_by_the_rim_and_fans_in_a_hand_do_not_settle(scene: Scene) -> None:
    scene.lay("3C", 640, 700)
    for number, name in enumerate(("5B", "6B", "7B")):
        scene.lay(name, 200 + 30 * number, 620, turn=-15 + 15 * number)
    assert scene.run(3) == []


def test_a_card_held_up_to_the_camera_does_not_settle(scene: Scene) -> None:
    trick(scene)
    card = scene.lay("1O", 300, 360)
    card.quad = ((card.quad - (300, 360)) * 2.1 + (300, 360)).astype("float32")
    assert scene.run(3) == []


def test_one_label_on_two_cards_goes_to_the_surer(scene: Scene) -> None:
    scene.lay("3B", *SOUTH, top=0.98)
    scene.run(1)
    scene.cards["other"] = scene.lay("1B", *NORTH)
    other = scene.cards.pop("1B")
    other.label, other.top, other.rival = "3B", 0.7, "1B"
    (event,) = scene.run(2)
    assert event.kind == "settled"
    assert event.labels[0][0] == "1B"
