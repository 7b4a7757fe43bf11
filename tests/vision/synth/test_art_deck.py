"""Our own deck and random decks: complete, deterministic, tellable apart, with the right pinta."""

from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.labels import LABELS
from vision.synth.art.frame import PINTA
from vision.synth.art.own import OWN_STYLE
from vision.synth.decks import DeckError, PictureDeck, folder_deck, own_deck, random_deck, save_deck

HELD_OUT = 900_000


@pytest.fixture(scope="module")
def own() -> PictureDeck:
    return own_deck()


@pytest.fixture(scope="module")
def small() -> PictureDeck:
    return own_deck(height=200)


def gaps(row: np.ndarray) -> int:
    """How many light runs lie between dark ones along a row of grey values."""
    dark = np.flatnonzero(row < 128)
    return sum(b - a > 4 for a, b in pairwise(dark.tolist()))


def test_the_own_deck_has_48_faces_and_a_back_of_one_size(own: PictureDeck) -> None:
    assert own.labels == LABELS
    assert own.card_mm == (61.5, 95.0)
    for picture in (own.face("1O"), own.face("12B"), own.back()):
        assert picture.shape == (640, 414, 4)
        assert picture.dtype == np.uint8
    with pytest.raises(DeckError, match="13O"):
        own.face("13O")


def test_corners_are_clear_and_the_rest_is_solid(own: PictureDeck) -> None:
    for picture in (own.face("7E"), own.back()):
        alpha = picture[:, :, 3]
        assert [alpha[y, x] for y in (0, -1) for x in (0, -1)] == [0, 0, 0, 0]
        assert (alpha[27:-27] == 255).all()
        assert (alpha[:, 27:-27] == 255).all()


@pytest.mark.parametrize("label", ["2O", "10O", "3C", "11C", "4E", "12E", "1B", "6B", "10B"])
def test_the_pinta_can_be_counted_in_the_frame_line(own: PictureDeck, label: str) -> None:
    grey = cv2.cvtColor(own.face(label)[:, :, :3], cv2.COLOR_BGR2GRAY)
    scale = 640 / 95
    x0, y0 = (edge * scale for edge in OWN_STYLE.frame.margin)
    inside = slice(round(x0 + 3 * scale), round(414 - x0 - 3 * scale))
    for y in (round(y0), round(640 - y0) - 1):
        line = grey[y - 3 : y + 4, inside].min(axis=0)
        assert gaps(line) == PINTA[label[-1]]


def test_no_two_faces_look_alike(small: PictureDeck) -> None:
    pictures = {
        label: cv2.resize(small.face(label)[:, :, :3], (32, 50), interpolation=cv2.INTER_AREA) for label in LABELS
    }
    stack = np.stack([pictures[label].astype(np.float32).ravel() for label in LABELS])
    apart = np.abs(stack[:, None] - stack[None]).mean(axis=2) + 1e3 * np.eye(48)
    assert apart.min() > 2.0
    # Upside down a card is itself or nearly so, but never another card.
    turned = np.stack([pictures[label][::-1, ::-1].astype(np.float32).ravel() for label in LABELS])
    across = np.abs(stack[:, None] - turned[None]).mean(axis=2) + 1e3 * np.eye(48)
    assert across.min() > 2.0


def test_the_own_deck_is_the_same_every_time(own: PictureDeck) -> None:
    again = own_deck()
    for label in ("1O", "9C", "5E", "3B", "11E"):
        assert (again.face(label) == own.face(label)).all()
    assert (again.back() == own.back()).all()


def test_random_decks_depend_on_their_seed_alone() -> None:
    first, again, other = (random_deck(HELD_OUT + seed, height=160) for seed in (1, 1, 2))
    for label in ("1E", "7B", "8C", "10O", "11B", "12C"):
        assert (first.face(label) == again.face(label)).all()
        assert first.face(label).shape != other.face(label).shape or (first.face(label) != other.face(label)).any()
    # The order in which faces are asked for must not matter.
    back_to_front = random_deck(HELD_OUT + 1, height=160)
    for label in reversed(LABELS[::7]):
        assert (back_to_front.face(label) == first.face(label)).all()


@pytest.mark.parametrize("seed", range(HELD_OUT + 10, HELD_OUT + 15))
def test_random_decks_are_whole_and_their_faces_differ(seed: int) -> None:
    deck = random_deck(seed, height=120)
    assert deck.labels == LABELS
    faces = [deck.face(label) for label in LABELS]
    assert all(face.shape == (120, 78, 4) and face[0, 0, 3] == 0 and face[60, 39, 3] == 255 for face in faces)
    assert len({face.tobytes() for face in faces}) == 48
    assert all(face[:, :, :3].std() > 5 for face in faces)
    assert deck.back().shape == (120, 78, 4)


def test_the_own_deck_survives_a_folder(small: PictureDeck, tmp_path: Path) -> None:
    again = folder_deck(save_deck(small, tmp_path / "own"))
    assert again.labels == LABELS
    assert again.name == small.name
    for picture, kept in ((small.face("4B"), again.face("4B")), (small.back(), again.back())):
        assert (picture[:, :, 3] == kept[:, :, 3]).all()
        solid = picture[:, :, 3] > 0
        assert (picture[solid] == kept[solid]).all()
