import cv2
import numpy as np
import pytest

from vision.labels import INDEX, LABELS
from vision.synth.crops import UNREADABLE, CropMaker, CropRecipe, crop_homography
from vision.synth.decks import random_deck
from vision.synth.effects import CALM, ROUGH, photograph
from vision.synth.laying import card_quad


@pytest.fixture(scope="module")
def deck():
    return random_deck(900_100, height=200)


def test_the_same_generator_makes_the_same_crops(deck):
    maker = CropMaker([deck], [])
    first = [maker.make(np.random.default_rng(5)) for _ in range(3)]
    again = [maker.make(np.random.default_rng(5)) for _ in range(3)]
    for one, other in zip(first, again, strict=True):
        assert one.label == other.label
        assert np.array_equal(one.image, other.image)


def test_crops_have_the_asked_size_and_plausible_truth(deck):
    maker = CropMaker([deck], [], CropRecipe(size=(120, 80), negatives=0.3))
    rng = np.random.default_rng(1)
    crops = [maker.make(rng) for _ in range(60)]
    assert {crop.image.shape for crop in crops} == {(120, 80, 3)}
    assert any(crop.label == UNREADABLE for crop in crops)
    assert all(crop.visible >= 0.12 for crop in crops if crop.label != UNREADABLE)
    assert any(0.12 <= crop.visible < 0.8 for crop in crops)


def test_look_alikes_are_laid_as_cards_and_are_unreadable(deck):
    calm = {"size": (120, 80), "negatives": 1.0, "covered": 0.0, "heights": (150, 160), "level": CALM}
    things = CropMaker([deck], [], CropRecipe(**calm, lookalikes=1.0))
    others = CropMaker([deck], [], CropRecipe(**calm, lookalikes=0.0))
    made = [things.make(np.random.default_rng(seed)) for seed in range(12)]
    assert {(crop.label, crop.visible) for crop in made} == {(UNREADABLE, 0.0)}
    assert not any(
        np.array_equal(crop.image, others.make(np.random.default_rng(seed)).image) for seed, crop in enumerate(made)
    )


def test_a_patch_hides_a_part_and_the_card_stays_readable(deck):
    """With every card covered, some are by a small thing only: nearly whole, but less than whole."""
    maker = CropMaker([deck], [], CropRecipe(size=(60, 40), negatives=0.0, covered=1.0, heights=(100, 110)))
    rng = np.random.default_rng(4)
    shares = np.array([maker.make(rng).visible for _ in range(120)])
    assert ((shares > 0.85) & (shares < 0.995)).sum() >= 5
    assert (shares < 0.7).sum() >= 20


def test_an_uncovered_calm_crop_shows_the_face_that_its_label_names(deck):
    recipe = CropRecipe(
        size=(120, 80), margin=0.0, covered=0.0, negatives=0.0, loose=0.0, heights=(199, 200), level=CALM
    )
    maker = CropMaker([deck], [], recipe)
    rng = np.random.default_rng(3)

    def coarse(picture):
        return cv2.resize(picture[..., :3].astype(np.float32), (20, 30), interpolation=cv2.INTER_AREA)

    small = {label: coarse(deck.face(label)) for label in LABELS}
    right = 0
    for _ in range(30):
        crop = maker.make(rng)
        picture = coarse(crop.image)

        def likeness(label, picture=picture):
            art = small[label]
            turned = [np.corrcoef(art.ravel(), p.ravel())[0, 1] for p in (picture, picture[::-1, ::-1])]
            return max(turned)

        ranked = sorted(LABELS, key=likeness, reverse=True)
        right += LABELS[crop.label] in ranked[:5]
    assert right >= 15, f"{right} of 30 crops look like their label; chance gives 3"


def test_labels_are_drawn_evenly_and_only_those_that_the_decks_have(deck):
    maker = CropMaker([deck], [], CropRecipe(size=(60, 40), heights=(40, 41), negatives=0.0, covered=0.0))
    rng = np.random.default_rng(0)
    seen = {maker.make(rng).label for _ in range(300)}
    assert seen <= set(INDEX.values())
    assert len(seen) > 44


def test_the_crop_homography_puts_the_corners_at_the_margin():
    quad = card_quad((200, 150), 120, 0.4)
    homography = crop_homography(quad, (240, 160), 0.04)
    points = homography @ np.column_stack([quad, np.ones(4)]).T
    points = (points[:2] / points[2]).T
    margin_x, margin_y = 160 * 0.04 / 1.08, 240 * 0.04 / 1.08
    assert points[0] == pytest.approx((margin_x, margin_y), abs=0.01)
    assert points[2] == pytest.approx((160 - margin_x, 240 - margin_y), abs=0.01)


@pytest.mark.parametrize("level", [CALM, ROUGH])
def test_photographs_stay_pictures(level):
    rng = np.random.default_rng(2)
    image = np.full((90, 60, 3), 128, np.float32)
    means = []
    for _ in range(40):
        photo = photograph(rng, image.copy(), 90, level)
        assert photo.shape == (90, 60, 3)
        assert photo.dtype == np.uint8
        means.append(photo.mean())
    assert np.std(means) > 2
    assert 40 < np.mean(means) < 215
