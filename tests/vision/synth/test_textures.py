from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.synth import clutter
from vision.synth.hands import POSES, UP, hand, place_hand
from vision.synth.textures import KINDS, TextureError, folder_table, table, texture_files


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_is_the_same_for_the_same_seed_and_another_for_another(kind: str) -> None:
    first = table(3, (160, 90), kind=kind)
    assert first.shape == (90, 160, 3)
    assert first.dtype == np.uint8
    assert np.array_equal(first, table(3, (160, 90), kind=kind))
    assert not np.array_equal(first, table(4, (160, 90), kind=kind))
    assert 4 < first.mean() < 251


def test_seeds_give_many_kinds_of_table() -> None:
    means = {tuple((table(seed, (32, 20)).mean((0, 1)) // 8).astype(int)) for seed in range(24)}
    assert len(means) > 15


def test_an_upright_size_and_odd_numbers_are_drawn_as_asked() -> None:
    for seed in range(12):
        assert table(seed, (61, 133)).shape == (133, 61, 3)


def test_an_unknown_kind_says_which_there_are() -> None:
    with pytest.raises(TextureError, match="choose one of wood"):
        table(1, (64, 64), kind="lava")


def test_pictures_of_tables_are_cropped_to_size(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "oak.png"), table(1, (200, 300), kind="wood"))
    paths = texture_files(tmp_path)
    crop = folder_table(paths, 5, (90, 60))
    assert crop.shape == (60, 90, 3)
    assert np.array_equal(crop, folder_table(paths, 5, (90, 60)))


def test_a_folder_without_pictures_is_named(tmp_path: Path) -> None:
    with pytest.raises(TextureError, match="holds no table pictures"):
        texture_files(tmp_path)
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    with pytest.raises(TextureError, match=r"broken\.jpg cannot be read"):
        folder_table(texture_files(tmp_path), 1, (32, 32))


@pytest.mark.parametrize("pose", POSES)
def test_a_hand_reaches_in_from_the_bottom_edge(pose: str) -> None:
    sprite = hand(5, pose, 0.6)  # type: ignore[arg-type]
    alpha = sprite.image[..., 3]
    assert sprite.direction == UP
    assert alpha[-1].max() == 255, "the forearm goes through the bottom edge"
    assert alpha[0].max() == 0, "the fingers end within the sprite"
    x, y = sprite.grip
    reach = round(12 * sprite.px_per_mm)
    around = alpha[round(y) - reach : round(y) + reach, round(x) - reach : round(x) + reach]
    assert around.max() == 255, "the grip is at the fingers"


def test_one_seed_keeps_its_sleeve_and_skin_from_pose_to_pose() -> None:
    rows = [hand(9, pose, 0.6).image[-1] for pose in POSES]
    assert all(np.array_equal(rows[0], row) for row in rows[1:])
    assert not np.array_equal(hand(9, "flat", 0.6).image, hand(10, "flat", 0.6).image)


def test_a_placed_hand_covers_its_grip_and_comes_from_where_it_should() -> None:
    picture = np.full((240, 320, 3), 90, np.uint8)
    cover = place_hand(picture, hand(2, "pointing", 1.0), (160.0, 100.0), (0.0, -1.0), 1.0, shadow=0.0)
    assert cover[95:125, 150:170].max() > 0.9
    assert cover[200:].max() > 0.9
    assert cover[:80].max() == 0.0
    assert (picture[cover == 0] == 90).all()
    aside = place_hand(picture, hand(2, "pointing", 1.0), (160.0, 100.0), (1.0, 0.0), 1.0)
    assert aside[:, :40].max() > 0.9
    assert aside[:, 200:].max() == 0.0


def test_an_unknown_pose_says_which_there_are() -> None:
    with pytest.raises(ValueError, match="the poses are holding"):
        hand(1, "waving")  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", clutter.KINDS)
def test_every_thing_is_a_cut_out_of_true_size(kind: str) -> None:
    item = clutter.thing(kind, 7)
    alpha = item.image[..., 3]
    assert item.image.shape[2] == 4
    assert 0.05 < (alpha > 128).mean() < 1.0
    assert alpha[0].max() == 0, "a margin stays clear"
    assert max(alpha.shape) / item.px_per_mm < 480


def test_a_french_card_is_not_of_spanish_size() -> None:
    alpha = clutter.thing("french", 3).image[..., 3] > 128
    rows, columns = np.flatnonzero(alpha.any(1)), np.flatnonzero(alpha.any(0))
    height, width = (rows[-1] - rows[0] + 1) / clutter.PX_PER_MM, (columns[-1] - columns[0] + 1) / clutter.PX_PER_MM
    assert height == pytest.approx(88, abs=1.5)
    assert width == pytest.approx(63, abs=1.5)
