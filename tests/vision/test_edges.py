import cv2
import numpy as np
import pytest

from vision.edges import refine
from vision.overlap import iou_matrix
from vision.synth.decks import random_deck
from vision.synth.laying import card_quad, lay
from vision.synth.textures import table


def iou(first, second):
    return float(iou_matrix(first[None], second[None])[0, 0])


@pytest.fixture(scope="module")
def deck():
    return random_deck(900_300, height=260)


def scene(deck, rng, kind):
    picture = table(int(rng.integers(900_000, 900_050)), (500, 400), kind=kind).astype(np.float32)
    truth = card_quad((250, 200), rng.uniform(110, 200), rng.uniform(0, 6.28))
    truth += rng.normal(0, 4, (4, 2)).astype(np.float32)  # perspective
    lay(picture, deck.face(deck.labels[int(rng.integers(48))]), truth, lift=2.0)
    picture += rng.normal(0, 4, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8), truth


def test_loose_boxes_move_onto_the_card(deck):
    rng = np.random.default_rng(4)
    before, after = [], []
    for _ in range(25):
        picture, truth = scene(deck, rng, "felt")
        (cx, cy), height = truth.mean(0), np.linalg.norm(truth[3] - truth[0])
        angle = np.arctan2(*(truth[1] - truth[0])[::-1])
        loose = card_quad(
            (cx + rng.normal(0, 5), cy + rng.normal(0, 5)), height * rng.uniform(0.92, 1.08), angle + 0.05
        )
        before.append(iou(truth, loose))
        after.append(iou(truth, refine(picture, loose)))
    assert np.mean(before) < 0.9
    assert np.mean(after) > 0.95
    assert np.min(after) > 0.8


def test_a_true_quad_stays_true_on_every_table(deck):
    rng = np.random.default_rng(5)
    scores = []
    for kind in ("wood", "felt", "gingham", "marble") * 5:
        picture, truth = scene(deck, rng, kind)
        scores.append(iou(truth, refine(picture, truth)))
    assert np.mean(scores) > 0.95


def test_without_an_edge_the_box_stays_as_it_is():
    quad = card_quad((100, 100), 90, 0.3)
    picture = np.full((200, 200, 3), 200, np.uint8)
    assert refine(picture, quad) is quad


def test_a_card_at_the_rim_of_the_picture_does_no_harm():
    rng = np.random.default_rng(6)
    picture = cv2.GaussianBlur(rng.integers(0, 255, (120, 160, 3), np.uint8), (0, 0), 3)
    quad = card_quad((5, 5), 90, 0.3)
    refined = refine(picture, quad)
    assert np.all(np.isfinite(refined))
    assert np.abs(refined - quad).max() < 40
