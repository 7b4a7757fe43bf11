"""The tracker's promises about a film as a whole: the camera, gaps, backs, the end, numbers, recordings."""

import json

import numpy as np
import pytest
from table_scene import NORTH, SOUTH, Lying, Scene, quad_at, told, trick

from vision.codec import observation_from_json, observation_to_json
from vision.facts import Observation, TableEvent
from vision.tracker import TableTracker


def test_a_bumped_camera_moves_no_card(scene: Scene) -> None:
    trick(scene)
    scene.lay("#stock", 200, 360)
    scene.lay("4O", 1000, 400)
    scene.run(1)
    for card in scene.cards.values():
        card.quad = card.quad + np.array((30, -22), np.float32)
    assert scene.run(2, motion=0.0) == []
    del scene.cards["4O"]
    assert told(scene.run(1.5)) == [("vanished", "4O")]


def test_lost_frames_are_nothing(scene: Scene) -> None:
    trick(scene)
    scene.frame += 20
    assert scene.run(1) == []
    assert scene.run(1, motion=0.2, look=False) == []
    assert scene.run(1) == []


def test_a_still_table_needs_no_looks(scene: Scene) -> None:
    scene.run(0.5)
    scene.lay("3C", *SOUTH)
    scene.step(motion=0.02)
    assert told(scene.run(0.5, look=False)) == [("settled", "3C")]
    assert scene.run(5, look=False) == []


def test_backs_settle_and_vanish_too(scene: Scene) -> None:
    scene.lay("#stock", 200, 360)
    (event,) = scene.run(1)
    assert (event.kind, event.face, event.labels) == ("settled", "back", ())
    scene.cards.clear()
    (event,) = scene.run(2)
    assert (event.kind, event.face) == ("vanished", "back")


def test_a_card_given_up_too_early_comes_back_under_its_number(scene: Scene) -> None:
    trick(scene)
    card = scene.cards.pop("3C")
    assert [event.kind for event in scene.run(1.5)] == ["vanished"]
    scene.cards["3C"] = card
    (event,) = scene.run(1)
    assert (event.kind, event.track) == ("settled", 1)


def test_the_end_of_the_film_tells_what_has_left(scene: Scene) -> None:
    trick(scene)
    scene.arm("south", SOUTH, NORTH)
    scene.cards.clear()
    assert scene.run(1, motion=0.05) == []
    assert [event.kind for event in scene.tracker.finish()] == ["swept"]
    assert scene.tracker.finish() == []


def test_the_cards_calibrate_the_camera(scene: Scene) -> None:
    for number, name in enumerate(("1O", "2O", "3O", "4O", "5O")):
        scene.lay(name, 200 + 200 * number, 200 + 60 * number, turn=25 * number)
    last = scene.run(1)[-1]
    assert last.quad_mm is not None
    (ax, ay), (bx, by), (cx, cy), _ = last.quad_mm
    assert ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 == pytest.approx(61.5, rel=0.03)
    assert ((bx - cx) ** 2 + (by - cy) ** 2) ** 0.5 == pytest.approx(95, rel=0.03)


def test_numbers_count_up_and_time_never_runs_back(scene: Scene) -> None:
    trick(scene)
    scene.cards.clear()
    scene.run(2)
    trick(scene)
    assert [event.id for event in scene.events] == list(range(1, len(scene.events) + 1))
    times = [event.t for event in scene.events]
    assert times == sorted(times)


def test_the_recording_gives_the_same_events(scene: Scene) -> None:
    trick(scene)
    scene.carry("12E", 760, 270)
    scene.cards.clear()
    scene.run(2)

    def replay(observations: list[Observation]) -> list[TableEvent]:
        tracker = TableTracker()
        return [event for observation in observations for event in tracker.update(observation)]

    recorded = [json.dumps(observation_to_json(observation)) for observation in scene.observations]
    assert replay([observation_from_json(json.loads(line)) for line in recorded]) == scene.events
    assert replay(scene.observations) == scene.events
    assert len(scene.events) >= 5


def test_what_lies_on_the_table_can_be_asked(scene: Scene) -> None:
    trick(scene)
    assert [(number, labels[0][0]) for number, _, labels in scene.tracker.on_table] == [(1, "3C"), (2, "12E")]


def known_table(scene: Scene) -> Scene:
    """A table whose plane the cards have told, with the stock at (200, 360)."""
    for number, name in enumerate(("1O", "2O", "3O", "4O", "5O")):
        scene.lay(name, 400 + 160 * number, 200 + 60 * number)
    scene.lay("#stock", 200, 360)
    scene.run(1)
    return scene


def test_cards_all_in_one_place_do_not_tell_how_large_a_card_must_be_elsewhere(scene: Scene) -> None:
    """Those of one player, seen from a camera that leans: far away a card is smaller than they let expect."""
    for number in range(5):
        scene.lay(f"{number + 1}O", 640 + 6 * number, 560)
        scene.run(0.6)
        scene.cards.clear()
        scene.run(2)
    scene.lay("#stock", 300, 560)
    scene.lay("7B", 640, 560)
    scene.run(1)
    far = quad_at(640, 160, scale=0.7)
    scene.cards["12E"] = Lying("12E", far)
    assert told(scene.run(1)) == [("settled", "12E")]


def test_a_card_that_crosses_another_a_little_calibrates_the_camera(scene: Scene) -> None:
    scene.lay("3C", 640, 420)
    scene.run(1)
    scene.lay("12E", 640, 298)  # 8 of its 130 pixels over the other
    scene.run(1)
    scene.lay("5B", 660, 240)  # most of it over the other
    scene.run(1)
    plane = scene.tracker.geometry.plane if scene.tracker.geometry else None
    assert plane is not None
    assert plane.cards == 2


def test_a_card_half_under_the_stock_settles_though_only_its_visible_piece_is_outlined(scene: Scene) -> None:
    known_table(scene)
    plane = scene.tracker.geometry.plane if scene.tracker.geometry else None
    # The card lies across, its long side left to right; boxed is the right half, 84 wide and 66 long.
    piece = quad_at(200 + 65 + 33, 360, scale=1.0)
    middle = piece.mean(axis=0)
    scene.cards["7C"] = Lying("7C", ((piece - middle) * (66 / 84, 84 / 130) + middle).astype(np.float32))
    assert told(scene.run(1)) == [("settled", "7C")]
    assert (scene.tracker.geometry.plane if scene.tracker.geometry else None) == plane  # pieces calibrate nothing


def test_a_card_whose_outline_runs_on_over_its_neighbour_settles(scene: Scene) -> None:
    known_table(scene)
    scene.lay("3C", 640, 620)
    scene.run(1)
    quad = quad_at(640, 492)
    quad[2:] += (0, 60)  # 190 long instead of 130, over the card below
    scene.cards["11O"] = Lying("11O", quad)
    assert told(scene.run(1)) == [("settled", "11O")]
    assert scene.tracker.geometry is not None
    assert scene.tracker.geometry.plane is not None
    assert scene.tracker.geometry.plane.cards == 6  # five of the table, and 3C


@pytest.mark.parametrize(("where", "scale"), [((298, 360), 0.5), ((298, 360), 1.5), ((900, 620), None)])
def test_a_card_held_away_from_the_table_does_not_settle(
    scene: Scene, where: tuple[float, float], scale: float | None
) -> None:
    """Too small or too big as a whole; or as short as a piece where nothing lies that could hide the rest."""
    known_table(scene)
    whole = quad_at(*where)
    middle = whole.mean(axis=0)
    by = (66 / 84, 84 / 130) if scale is None else (scale, scale)
    scene.cards["7C"] = Lying("7C", ((whole - middle) * by + middle).astype(np.float32))
    assert scene.run(2) == []


def held(scene: Scene, scale: float) -> None:
    known_table(scene)
    whole = quad_at(298, 360)
    middle = whole.mean(axis=0)
    scene.cards["7C"] = Lying("7C", ((whole - middle) * scale + middle).astype(np.float32))


def test_a_plainly_read_card_that_no_hand_touches_lies_there_though_the_plane_is_off(scene: Scene) -> None:
    held(scene, 1.35)
    assert told(scene.run(2)) == [("settled", "7C")]


def test_the_same_card_in_a_hand_does_not_settle(scene: Scene) -> None:
    held(scene, 1.35)
    scene.arm("west", (330, 420))
    assert scene.run(2) == []


def test_a_wrong_plane_is_no_reason_to_believe_a_doubtful_card(scene: Scene) -> None:
    held(scene, 1.35)
    scene.cards["7C"].top, scene.cards["7C"].rival = 0.55, "6C"
    assert scene.run(2) == []
