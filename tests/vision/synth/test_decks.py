"""Folder decks: reading, rounding corners, writing."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.labels import LABELS
from vision.synth.decks import DeckError, PictureDeck, deck_folders, folder_deck, save_deck


def write_folder(folder: Path, stems: list[str], alpha: bool = False, ext: str = ".png") -> Path:
    folder.mkdir(parents=True)
    for number, stem in enumerate(stems):
        picture = np.full((190, 123, 4 if alpha else 3), 40 + 5 * number, np.uint8)
        if alpha:
            picture[:, :, 3] = 255
            picture[:9, :9, 3] = 0
        cv2.imwrite(str(folder / (stem + ext)), picture)
    settings = {"name": folder.name, "alpha": alpha, "corner_radius_mm": 4.0, "card_mm": [61.5, 95.0]}
    (folder / "deck.json").write_text(json.dumps(settings))
    return folder


def test_a_folder_may_lack_cards(tmp_path: Path) -> None:
    deck = folder_deck(write_folder(tmp_path / "few", ["bastos_12", "oros_01", "back"]))
    assert deck.labels == ("1O", "12B")
    with pytest.raises(DeckError, match="2C"):
        deck.face("2C")


@pytest.mark.parametrize("ext", [".png", ".jpg"])
def test_square_corners_are_rounded_by_the_radius(tmp_path: Path, ext: str) -> None:
    alpha = folder_deck(write_folder(tmp_path / "square", ["oros_01"], ext=ext)).face("1O")[:, :, 3]
    assert alpha[0, 0] == 0
    assert alpha[-1, -1] == 0
    assert alpha[95, 0] == 255
    radius = 4.0 * 190 / 95
    missing = (255 - alpha.astype(float)).sum() / 255
    assert missing == pytest.approx((4 - np.pi) * radius**2, rel=0.05)


def test_transparent_corners_are_kept_and_hold_no_dark_colour(tmp_path: Path) -> None:
    face = folder_deck(write_folder(tmp_path / "clear", ["oros_01"], alpha=True)).face("1O")
    assert (face[:9, :9, 3] == 0).all()
    assert face[0, -1, 3] == 255
    assert tuple(face[0, 0, :3]) == (40, 40, 40)


def test_a_deck_without_back_gets_a_drawn_one(tmp_path: Path) -> None:
    back = folder_deck(write_folder(tmp_path / "noback", ["copas_03"])).back()
    assert back.shape == (190, 123, 4)
    assert back[0, 0, 3] == 0
    assert back[:, :, 0].std() > 10


def test_folders_that_hold_no_deck_say_so(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match=r"no deck\.json"):
        folder_deck(tmp_path)
    with pytest.raises(DeckError, match=r"oros_01\.jpg"):
        folder_deck(write_folder(tmp_path / "empty", []))
    (tmp_path / "empty" / "deck.json").write_text("{")
    with pytest.raises(DeckError, match="JSON"):
        folder_deck(tmp_path / "empty")


def test_deck_folders_finds_only_decks(tmp_path: Path) -> None:
    write_folder(tmp_path / "b", ["oros_01"])
    write_folder(tmp_path / "a", ["oros_01"])
    (tmp_path / "notes").mkdir()
    assert [folder.name for folder in deck_folders(tmp_path)] == ["a", "b"]
    assert deck_folders(tmp_path / "a") == [tmp_path / "a"]
    assert deck_folders(tmp_path / "nowhere") == []


def test_saved_decks_read_back_unchanged(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    pictures = {label: rng.integers(0, 256, (95, 62, 4), np.uint8) for label in LABELS[:5]}
    for picture in pictures.values():
        picture[:, :, 3] = 255
        picture[0, 0] = (10, 20, 30, 0)
    deck = PictureDeck("five", {label: (lambda p=p: p) for label, p in pictures.items()}, lambda: pictures["1O"])
    again = folder_deck(save_deck(deck, tmp_path / "five"))
    assert again.name == "five"
    assert again.labels == LABELS[:5]
    for label in again.labels:
        solid = pictures[label][:, :, 3] == 255
        assert (again.face(label)[solid] == pictures[label][solid]).all()
        assert (again.face(label)[:, :, 3] == pictures[label][:, :, 3]).all()
