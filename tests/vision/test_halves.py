import numpy as np
import pytest

from vision.halves import halves, is_covered, is_half
from vision.overlap import iou_matrix


def card(angle: float = 0.0, height: float = 120.0) -> np.ndarray:
    """A whole card about the origin, short sides 0-1 and 2-3."""
    width = height * 61.5 / 95
    corners = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(corners @ np.array([[c, s], [-s, c]]) + 300, np.float32)


def boxed(quad: np.ndarray) -> np.ndarray:
    """The quad as a locator gives it: the corners begin at a short side, wherever that is."""
    long, short = np.linalg.norm(quad[2] - quad[1]), np.linalg.norm(quad[1] - quad[0])
    return quad if long >= short else np.roll(quad, -1, axis=0)


def test_a_whole_card_is_no_half_and_a_piece_of_one_is():
    assert not is_half(card())
    assert not is_half(card(angle=0.7))
    piece = card()
    piece[2:] -= (0, 60)
    assert is_half(boxed(piece))


@pytest.mark.parametrize("angle", [0.0, 0.5, 1.3, 2.6])
@pytest.mark.parametrize("end", [0, 2])
def test_one_of_the_two_cards_is_the_true_one(angle, end):
    whole = card(angle)
    piece = whole.copy()
    step = (whole[3] - whole[0]) * (0.45 if end == 0 else -0.45)
    piece[end : end + 2] += step
    found = halves(boxed(piece))
    assert found.shape == (2, 4, 2)
    assert iou_matrix(whole[None].astype(float), found.astype(float)).max() > 0.97
    for quad in found:
        assert np.linalg.norm(quad[2] - quad[1]) == pytest.approx(120, rel=0.02), "the long side stays between 1 and 2"


def test_the_rest_of_a_half_is_hidden_by_another_card():
    whole = card()
    piece = whole.copy()
    piece[2:] -= (0, 55)
    stock = card(angle=np.pi / 2) + np.array([0, 45], np.float32)
    nobody = np.zeros((0, 4, 2), np.float32)
    assert is_covered(piece, whole, np.stack([piece, stock]))
    assert not is_covered(piece, whole, nobody)
    assert not is_covered(piece, whole, np.stack([piece, stock + np.array([300, 0], np.float32)]))
