"""What the locator does around its network: letterbox there and back, decoding of the raw output, corner order."""

import math

import cv2
import numpy as np
import pytest

from vision.identifier import rectify
from vision.locator import MOST_IOU, decode, letterbox
from vision.overlap import iou_matrix, suppress


def raw(boxes: list[tuple[float, float, float, float, float, float, float]]) -> np.ndarray:
    """The (7, N) output of a model for (cx, cy, w, h, face, back, angle) boxes."""
    return np.array(boxes, np.float32).T.copy()


@pytest.mark.parametrize(
    ("shape", "size"), [((720, 1280), (384, 640)), ((900, 400), (384, 640)), ((50, 60), (640, 640))]
)
def test_letterbox_keeps_shape_and_tells_the_way_back(shape: tuple[int, int], size: tuple[int, int]) -> None:
    image = np.zeros((*shape, 3), np.uint8)
    image[:, :] = (10, 60, 200)
    tensor, scale, shift = letterbox(image, size)
    assert tensor.shape == (1, 3, *size)
    assert tensor.dtype == np.float32
    left, top = shift
    corner = np.array([shape[1], shape[0]]) * scale + shift
    assert corner[0] <= size[1] + 1
    assert corner[1] <= size[0] + 1
    middle = tensor[0, :, int((top + corner[1]) / 2), int((left + corner[0]) / 2)]
    assert middle * 255 == pytest.approx([200, 60, 10], abs=0.01)
    if left >= 1:
        assert tensor[0, :, size[0] // 2, 0] * 255 == pytest.approx([114] * 3, abs=0.01)
    if top >= 1:
        assert tensor[0, :, 0, size[1] // 2] * 255 == pytest.approx([114] * 3, abs=0.01)


def test_a_picture_is_shown_taller_and_still_whole() -> None:
    image = np.zeros((720, 1280, 3), np.uint8)
    _, scale, shift = letterbox(image, (384, 640), 1.0, 1.6)
    assert scale[1] == pytest.approx(1.6 * scale[0])
    assert (np.array([1280, 720]) * scale + shift <= np.array([640, 384]) + 1).all()
    assert letterbox(image, (384, 640), 0.5, 1.6)[1][0] == pytest.approx(0.25)


def test_decoding_puts_a_short_side_first_and_runs_clockwise() -> None:
    quads, scores = decode(
        raw([(100, 80, 40, 60, 0.9, 0.1, 0.0), (300, 80, 60, 40, 0.2, 0.8, 0.3), (9, 9, 4, 6, 0.1, 0.2, 0)]), 0.3
    )
    assert quads[0].tolist() == [[80, 50], [120, 50], [120, 110], [80, 110]]
    assert scores.argmax(axis=0).tolist() == [0, 1]
    assert scores.max(axis=0) == pytest.approx([0.9, 0.8])
    for quad in quads:
        assert math.dist(quad[0], quad[1]) == pytest.approx(40)
        assert math.dist(quad[1], quad[2]) == pytest.approx(60)
        a, b, c = quad[:3]
        assert np.cross([*(b - a), 0], [*(c - b), 0])[2] > 0
    # The same box as OpenCV draws it from the same numbers.
    theirs = cv2.boxPoints(((300, 80), (60, 40), math.degrees(0.3)))
    assert iou_matrix(quads[1:], theirs[None].astype(np.float64))[0, 0] == pytest.approx(1, abs=1e-4)


def test_many_boxes_of_one_card_become_one_and_crossed_cards_stay_two() -> None:
    rng = np.random.default_rng(3)
    boxes = []
    for cx, cy, angle, face in ((200, 200, 0.2, 0.9), (210, 205, 0.2 + math.pi / 2, 0.85), (400, 220, 1.0, 0.95)):
        for _ in range(30):
            dx, dy, dw, dh = rng.normal(0, 2.5, 4)
            boxes.append((cx + dx, cy + dy, 62 + dw, 95 + dh, face - abs(dx) / 50, 0.05, angle + rng.normal(0, 0.03)))
    quads, scores = decode(raw(boxes), 0.3)
    keep = suppress(quads, scores.max(axis=0), MOST_IOU)
    assert len(keep) == 3
    middles = quads[keep].mean(axis=1)
    assert sorted(round(float(x) / 10) for x in middles[:, 0]) == [20, 21, 40]


def test_nothing_in_the_picture() -> None:
    quads, scores = decode(raw([(1, 2, 3, 4, 0.1, 0.1, 0)]), 0.3)
    assert quads.shape == (0, 4, 2)
    assert scores.shape == (2, 0)


def test_a_rectified_card_stands_upright_with_its_margin() -> None:
    """Draw a striped card turned by 37 degrees, rectify it, and find the stripes where they belong."""
    card = np.full((240, 160, 3), 255, np.uint8)
    card[:60] = (0, 0, 255)
    quad = np.array([[300, 100], [380, 160], [290, 280], [210, 220]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [160, 0], [160, 240], [0, 240]], np.float32), quad)
    picture = cv2.warpPerspective(card, matrix, (640, 480), borderValue=(0, 120, 0))
    (upright,) = rectify(picture, quad[None], (216, 144), 0.04)
    assert upright.shape == (216, 144, 3)
    assert upright[20, 72].tolist() == [0, 0, 255]
    assert upright[150, 72].tolist() == [255, 255, 255]
    assert upright[2, 2].tolist() == [0, 120, 0]
    # Counter-clockwise corners are put right, never mirrored: the red end stays up.
    (again,) = rectify(picture, quad[[1, 0, 3, 2]][None], (216, 144), 0.04)
    assert np.array_equal(again, upright)
    # From the other end it stands on its head.
    (turned,) = rectify(picture, quad[[2, 3, 0, 1]][None], (216, 144), 0.04)
    assert np.abs(turned[::-1, ::-1].astype(int) - upright).mean() < 7


def test_a_large_card_is_shrunk_without_skipping_pixels() -> None:
    lines = np.zeros((2400, 1600, 3), np.uint8)
    lines[:, ::2] = 255  # one-pixel lines: a warp that skips pixels shows them as bands
    quad = np.array([[0, 0], [1600, 0], [1600, 2400], [0, 2400]], np.float32)
    (upright,) = rectify(lines, quad[None], (216, 144), 0.04)
    assert upright[20:-20, 20:-20].std() < 12


def test_no_quads_no_crops() -> None:
    assert rectify(np.zeros((9, 9, 3), np.uint8), np.zeros((0, 4, 2), np.float32), (24, 16), 0.1).shape == (
        0,
        24,
        16,
        3,
    )
