"""The picture is too dark, or the camera was moved; cards and hands are neither."""

import cv2
import numpy as np
import pytest

from server.scoreboard.picture import Image
from server.scoreboard.scene import ACCEPTED_SECONDS, SceneWatch

HEIGHT, WIDTH = 360, 640


@pytest.fixture
def room() -> Image:
    """A table in a room: soft blobs and edges, wider than the picture, so that it can be looked at from the side."""
    rng = np.random.default_rng(3)
    coarse = rng.integers(40, 220, (24, 48, 3), np.uint8)
    wide = cv2.resize(coarse, (WIDTH + 200, HEIGHT), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(wide.astype(int) + rng.integers(-4, 5, wide.shape), 0, 255), np.uint8)


def seen(room: Image, shift: int = 0) -> Image:
    return np.ascontiguousarray(room[:, 60 + shift : 60 + shift + WIDTH])


def test_a_room_without_light_is_dark_after_a_moment_and_bright_at_once(room: Image) -> None:
    watch = SceneWatch()
    assert watch.look(seen(room), 0.0, 0.0) == "ok"
    night = np.asarray(seen(room) * 0.1, np.uint8)
    assert watch.look(night, 0.0, 0.2) == "ok"
    assert watch.look(night, 0.0, 1.4) == "dark"
    assert watch.look(seen(room), 0.0, 1.6) == "ok"


def test_cards_that_come_and_go_are_no_movement_of_the_camera(room: Image) -> None:
    watch = SceneWatch()
    for number in range(40):
        image = seen(room)
        for card in range(number % 8):
            x, y = 100 + 55 * card, 90 + 20 * (card % 3)
            cv2.rectangle(image, (x, y), (x + 48, y + 75), (236, 244, 250), -1)
        assert watch.look(image, 0.0, 0.5 * number) == "ok"


def test_a_moved_camera_is_told_and_then_accepted(room: Image) -> None:
    watch = SceneWatch()
    watch.look(seen(room), 0.0, 0.0)
    assert watch.look(seen(room, 60), 0.3, 1.0) == "ok", "while it is still moving nothing is told"
    assert watch.look(seen(room, 60), 0.0, 1.5) == "moved"
    assert watch.look(seen(room, 61), 0.0, 1.5 + ACCEPTED_SECONDS + 1) == "moved"
    assert watch.look(seen(room, 60), 0.0, 1.5 + ACCEPTED_SECONDS + 2) == "ok"


def test_a_camera_that_was_only_knocked_is_forgotten(room: Image) -> None:
    watch = SceneWatch()
    watch.look(seen(room), 0.0, 0.0)
    assert watch.look(seen(room, 50), 0.0, 1.0) == "moved"
    assert watch.look(seen(room), 0.0, 2.0) == "ok"
