"""Crops that people put right, as training reads them."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.labels import INDEX
from vision.synth.crops import UNREADABLE, CropMaker, CropRecipe
from vision.synth.decks import own_deck, save_deck
from vision.train.learned import ENOUGH, SHARE, learned_crop, read_learned, share_of
from vision.train.recipe import DeckShare, RecipeError

MARGIN = 0.25


def keep(folder: Path, label: str, session: str = "s1", colour: tuple[int, int, int] = (60, 90, 40)) -> Path:
    """One crop as ``brisca watch --learn`` keeps it: the card upright with a strip of the table around it."""
    card = own_deck(300).face(label)
    height, width = card.shape[:2]
    image = np.full((round(height * (1 + 2 * MARGIN)), round(width * (1 + 2 * MARGIN)), 3), colour, np.uint8)
    top, left = round(height * MARGIN), round(width * MARGIN)
    alpha = card[..., 3:] / 255
    place = image[top : top + height, left : left + width]
    place[:] = place * (1 - alpha) + card[..., :3] * alpha
    (folder / session).mkdir(parents=True, exist_ok=True)
    assert cv2.imwrite(str(folder / session / f"{label}-1.jpg"), image)
    line = {"file": f"{label}-1.jpg", "label": label, "read": "1C", "confidence": 0.6, "margin": MARGIN, "visible": 1.0}
    with (folder / session / "crops.jsonl").open("a") as book:
        book.write(json.dumps(line) + "\n")
    return folder


def test_the_crops_of_all_sessions_are_read_with_their_right_labels(tmp_path: Path) -> None:
    keep(keep(tmp_path, "7O"), "12E", "s2")
    crops = read_learned(tmp_path)
    assert [(crop.file.name, crop.label) for crop in crops] == [("7O-1.jpg", "7O"), ("12E-1.jpg", "12E")]


def test_a_learned_crop_becomes_many_training_crops_of_the_same_card(tmp_path: Path) -> None:
    (crop,) = read_learned(keep(tmp_path, "7O"))
    maker = CropMaker([own_deck(160)], [], CropRecipe(size=(120, 80), covered=1.0))
    rng = np.random.default_rng(4)
    made = [learned_crop(rng, crop, maker) for _ in range(40)]
    assert {one.image.shape for one in made} == {(120, 80, 3)}
    assert {one.label for one in made} <= {INDEX["7O"], UNREADABLE}
    assert len({one.image.tobytes() for one in made}) == 40, "each time in another way"
    assert any(one.visible == pytest.approx(1) for one in made)
    assert any(0 < one.visible < 0.9 for one in made), "some are covered"


def test_an_unchanged_crop_is_cut_to_the_card_itself(tmp_path: Path) -> None:
    (crop,) = read_learned(keep(tmp_path, "7O", colour=(255, 0, 255)))
    maker = CropMaker([own_deck(160)], [], CropRecipe(size=(120, 80), margin=0.0, covered=0.0, loose=0.0))
    rng = np.random.default_rng(5)
    for _ in range(5):
        image = learned_crop(rng, crop, maker).image.astype(int)
        edge = image[60, 4:12].mean(axis=0)
        assert edge[1] > 0.6 * edge[[0, 2]].max(), "the strip of magenta table is cut away"


def test_few_crops_make_up_less_of_a_batch_than_many() -> None:
    assert share_of(0) == 0
    assert share_of(10) == pytest.approx(SHARE * 10 / ENOUGH)
    assert share_of(10 * ENOUGH) == SHARE


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("not json", "Line 2 of"),
        ('{"file": "7O-1.jpg", "label": "7O"}', "'margin'"),
        ('{"file": "7O-1.jpg", "label": "joker", "margin": 0.2, "visible": 1}', "names no card"),
        ('{"file": "gone.jpg", "label": "7O", "margin": 0.2, "visible": 1}', "gone.jpg cannot be read"),
        ('{"file": "/etc/passwd", "label": "7O", "margin": 0.2, "visible": 1}', "s1/passwd cannot be read"),
    ],
)
def test_lines_that_cannot_be_used_are_told(tmp_path: Path, line: str, said: str) -> None:
    keep(tmp_path, "7O")
    with (tmp_path / "s1" / "crops.jsonl").open("a") as book:
        book.write(line + "\n")
    with pytest.raises(RecipeError, match=said):
        read_learned(tmp_path)


def test_a_folder_without_crops_is_told(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="holds no learned crops; 'brisca watch --learn"):
        read_learned(tmp_path)


@pytest.mark.train
def test_the_training_stream_yields_learned_crops_among_the_drawn_ones(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs the extra [train]")
    from vision.train.stream import CropStream

    own = own_deck(160)
    save_deck(own, tmp_path / "deck")
    for file in (tmp_path / "deck").glob("oros_*"):
        file.unlink()  # the drawn crops know no oros: those that come are learned ones
    learned = read_learned(keep(tmp_path / "learned", "7O")) * ENOUGH
    recipe = CropRecipe(size=(96, 64), covered=0.0)
    decks = [DeckShare(tmp_path / "deck", 1.0)]

    def labels(*more):
        stream = iter(CropStream(decks, [], recipe, 64, 3, *more))
        return np.concatenate([next(stream)[1].numpy() for _ in range(4)])

    assert 0.05 < (labels(learned) == INDEX["7O"]).mean() < 0.3
    assert not (labels() == INDEX["7O"]).any()
