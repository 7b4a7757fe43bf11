"""How a film is shown to the locator: learnt from cards of known shape, seen by a camera that leans."""

from dataclasses import replace

import numpy as np
import pytest

from vision.facts import Detection
from vision.labels import CARD_MM
from vision.locator import Locator
from vision.view import LEAST_PIXELS, View
from vision.weights import find_weights

IMAGE = np.zeros((720, 1280, 3), np.uint8)


@pytest.fixture(scope="module")
def locator() -> Locator:
    return Locator(find_weights("locate").path)


def card(angle: float, squeeze: float, scale: float = 1.5, label: int | None = None) -> Detection:
    """A face that was surely read, turned by ``angle`` on a table whose depth the picture shows ``squeeze`` times."""
    half = np.array(CARD_MM) * scale / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    quad = (corners @ turn) * [1, squeeze] + [640, 360]
    probs = np.zeros(48, np.float32)
    probs[round(10 * angle) if label is None else label] = 0.99
    return Detection(quad.astype(np.float32), "face", 0.9, probs, 1.0)


def shown(cards: list[Detection], locator: Locator, looks: int = 2) -> View:
    view = View()
    for _ in range(looks):
        view.learn(cards)
        view.fit(cards, locator, IMAGE)
    return view


@pytest.mark.parametrize("lean", [0, 25, 40, 55])
def test_cards_lying_any_way_tell_how_the_camera_leans(locator: Locator, lean: int) -> None:
    squeeze = float(np.cos(np.radians(lean)))
    view = shown([card(angle, squeeze, 1.8) for angle in (0.1, 0.8, 1.5, 2.4)], locator)
    assert view.stretch == pytest.approx(1 / squeeze, abs=0.12)


def test_a_few_wrong_outlines_do_not_tell(locator: Locator) -> None:
    halves = [card(angle, 0.5, label=label) for angle, label in ((0.0, 40), (1.5, 41))]
    view = shown([card(angle, 1.0) for angle in (0.1, 0.8, 1.5)] + halves, locator)
    assert view.stretch == 1.0


def test_one_card_seen_often_tells_nothing_yet(locator: Locator) -> None:
    view = shown([card(0.1, 0.6, 1.8)], locator, looks=20)
    assert view.is_open
    assert view.stretch == 1.0
    view = shown([card(angle, 0.6, 1.8) for angle in (0.1, 0.7, 1.4)], locator)
    assert not view.is_open
    assert view.stretch > 1.4


def test_without_a_card_that_can_be_read_both_ways_are_not_compared_for_ever(locator: Locator) -> None:
    unread = Detection(card(0.1, 0.6).quad, "face", 0.9, np.full(48, 1 / 48, np.float32), 1.0)
    assert not shown([unread], locator, looks=60).is_open
    assert shown([replace(unread, kind="back", probs=None)], locator, looks=60).is_open


def test_small_cards_are_not_made_smaller_still(locator: Locator) -> None:
    small = [card(angle, 0.6, 0.9) for angle in (0.1, 0.8, 1.5)]
    view = shown(small, locator, looks=4)
    scale = min(locator.size[0] / 720, locator.size[1] / 1280)
    assert 1.0 <= view.stretch < 1.3
    size = 0.9 * CARD_MM[1] * scale * min(1.0, locator.size[0] / (720 * scale * view.stretch))
    assert size >= 0.85 * LEAST_PIXELS
