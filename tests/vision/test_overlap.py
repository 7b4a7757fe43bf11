"""Areas, intersections and suppression of quads, against OpenCV's own polygon clipping and by hand."""

import cv2
import numpy as np
import pytest

from vision.overlap import areas, clockwise, intersections, iou_matrix, overlap_matrix, suppress

SQUARE = np.array([[0, 0], [2, 0], [2, 2], [0, 2]], np.float64)


def random_quads(count: int, seed: int) -> np.ndarray:
    """Turned rectangles in a small area, so that most of them overlap; half of them counter-clockwise."""
    rng = np.random.default_rng(seed)
    quads = []
    for index in range(count):
        box = cv2.boxPoints((tuple(rng.uniform(0, 150, 2)), tuple(rng.uniform(20, 130, 2)), rng.uniform(0, 180)))
        quads.append(box if index % 2 else box[::-1])
    return np.array(quads, np.float64)


def test_intersections_agree_with_opencv() -> None:
    first, second = random_quads(300, 1), random_quads(300, 2)
    ours = intersections(first, second)
    for a, b, area in zip(first, second, ours, strict=True):
        theirs, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
        assert area == pytest.approx(theirs, abs=2.0, rel=2e-3)
    assert (ours > 0).mean() > 0.5


@pytest.mark.parametrize(
    ("shift", "area"), [((0, 0), 4), ((1, 0), 2), ((1, 1), 1), ((2, 0), 0), ((5, 5), 0), ((0, 0.5), 3)]
)
def test_squares(shift: tuple[float, float], area: float) -> None:
    assert intersections(SQUARE[None], (SQUARE + shift)[None])[0] == pytest.approx(area, abs=1e-9)


def test_one_inside_the_other_and_the_cross() -> None:
    inner = SQUARE / 4 + 0.5
    assert intersections(SQUARE[None], inner[None])[0] == pytest.approx(0.25)
    wide, high = SQUARE * (3, 1), SQUARE * (1, 3) + (2, -2)
    assert intersections(wide[None], high[None])[0] == pytest.approx(4)


def test_matrices_have_the_right_shape_even_when_empty() -> None:
    none = np.zeros((0, 4, 2))
    assert iou_matrix(none, SQUARE[None]).shape == (0, 1)
    assert overlap_matrix(SQUARE[None], none).shape == (1, 0)
    assert intersections(none, none).shape == (0,)
    quads = random_quads(30, 3)
    iou = iou_matrix(quads, quads)
    assert np.allclose(np.diag(iou), 1)
    assert np.allclose(iou, iou.T, atol=1e-6)
    assert iou.max() <= 1 + 1e-6


def test_clockwise_keeps_the_first_side() -> None:
    assert np.array_equal(clockwise(SQUARE[None])[0], SQUARE)
    turned = clockwise(SQUARE[[1, 0, 3, 2]][None])[0]
    assert np.array_equal(turned, SQUARE)
    assert areas(SQUARE[[1, 0, 3, 2]][None])[0] == 4


def test_suppression_keeps_the_best_of_each_heap() -> None:
    heap = np.stack([SQUARE, SQUARE + 0.1, SQUARE + 0.2, SQUARE + 10, SQUARE + np.array((1.2, 0))])
    scores = np.array([0.5, 0.9, 0.8, 0.3, 0.6])
    assert suppress(heap, scores, 0.5).tolist() == [1, 4, 3]
    assert suppress(heap, scores, 1.0).tolist() == [1, 2, 4, 0, 3]
    assert suppress(np.zeros((0, 4, 2)), np.zeros(0), 0.5).tolist() == []
