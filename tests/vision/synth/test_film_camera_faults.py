"""What goes wrong with a camera, and a card that is taken back: the truth stays with what the picture shows."""

from pathlib import Path

import numpy as np
import pytest

from vision.labels import LABELS
from vision.synth.decks import PictureDeck, round_corners
from vision.synth.film import Film, FilmSettings
from vision.synth.film_actions import Bump, ExposureJump, LostFrames, PlaceStock, Play, TableAction, TakeBack
from vision.synth.film_plan import FilmError

MAGENTA = (230, 20, 230)
FPS = 10


def deck() -> PictureDeck:
    face = round_corners(np.full((190, 123, 3), MAGENTA, np.uint8), 4.0)
    back = round_corners(np.full((190, 123, 3), (20, 220, 20), np.uint8), 4.0)
    return PictureDeck("plain", {label: (lambda: face) for label in LABELS}, lambda: back)


def film(*actions: TableAction, mirrored: bool = False) -> tuple[Film, list[np.ndarray]]:
    settings = FilmSettings(
        deck(), ("east", "west"), "easy", 900_001, (640, 360), FPS, table_kind="wood", noise=0.0, mirrored=mirrored
    )
    made = Film((PlaceStock(0.0, 6), Play(0.3, "east", "3C", 1.0), *actions), settings)
    return made, list(made.frames())


def shows_card(made: Film, frames: list[np.ndarray]) -> list[bool]:
    """For each frame whose truth is known whether the middle of the 3C, at rest, is drawn where the truth has it."""
    found = []
    for row in made.truth().boxes:
        for card in row.cards:
            if card.label == "3C" and not card.moving:
                x, y = np.mean(card.quad, axis=0).round().astype(int)
                b, g, r = (int(v) for v in frames[row.frame][y, x])
                found.append(min(b, r) > g + 40)
    return found


def test_a_mirrored_film_is_the_same_one_with_left_and_right_changed() -> None:
    plain, frames = film()
    mirrored, flipped = film(mirrored=True)
    assert all(np.array_equal(one[:, ::-1], other) for one, other in zip(frames, flipped, strict=True))
    assert all(shows_card(mirrored, flipped))
    assert not any(shows_card(plain, flipped))
    point = np.array([96.0, 10.0, 1.0])
    seen = [made.truth().views[0][1] @ point for made in (plain, mirrored)]
    assert seen[0][0] / seen[0][2] + seen[1][0] / seen[1][2] == pytest.approx(639)


def test_lost_frames_repeat_the_last_picture_and_have_no_truth() -> None:
    made, frames = film(LostFrames(0.5, 1.0), Play(0.9, "west", "4O", 1.0))
    assert all(np.array_equal(frames[4], frames[index]) for index in range(5, 15))
    assert not np.array_equal(frames[4], frames[15])
    assert not [row for row in made.truth().boxes if 5 <= row.frame < 15]
    assert made.truth().boxes


def test_the_exposure_jumps_and_finds_back() -> None:
    _, plain = film(ExposureJump(1.5, 1.0, 1.0))
    _, dark = film(ExposureJump(1.5, 0.4, 1.0))
    ratio = [float(b.mean() / a.mean()) for a, b in zip(plain, dark, strict=True)]
    assert ratio[14] == ratio[25] == 1.0
    assert ratio[15] == pytest.approx(0.4, abs=0.02)
    assert ratio[15] < ratio[19] < ratio[24] < 1.0


def test_after_a_turn_all_lies_where_the_truth_says_and_still_in_the_picture() -> None:
    made, frames = film(Bump(1.5, 0.5, degrees=8.0))
    assert len(made.truth().views) == 2
    found = shows_card(made, frames)
    assert len(found) >= 2
    assert all(found)
    last = made.truth().boxes[-1]
    corners = np.array([point for card in last.cards for point in card.quad])
    assert (corners > 0).all()
    assert (corners < (640, 360)).all()
    first = next(row for row in made.truth().boxes if any(not card.moving for card in row.cards))
    sides = [np.subtract(row.cards[0].quad[1], row.cards[0].quad[0]) for row in (first, last)]
    angles = [float(np.degrees(np.arctan2(y, x))) for x, y in sides]
    # OpenCV's positive angle turns the picture against the clock.
    assert angles[1] - angles[0] == pytest.approx(-8.0, abs=1.0)


def test_a_card_that_is_taken_back_is_gone() -> None:
    made, _ = film(Play(1.4, "east", "4O", 1.0, 44.0), TakeBack(3.0, "east", "4O", 1.0))
    labels = [{card.label for card in row.cards if not card.moving} for row in made.truth().boxes]
    assert any({"3C", "4O"} <= seen for seen in labels)
    assert "4O" not in labels[-1]
    assert "3C" in labels[-1]
    both = made.truth().boxes[next(index for index, seen in enumerate(labels) if {"3C", "4O"} <= seen)]
    shares = {card.label: card.visible for card in both.cards}
    assert 0.2 < shares["3C"] < 0.9, "the second card lies half on the first"


def test_only_what_lies_there_can_be_taken_back() -> None:
    with pytest.raises(FilmError, match="play it first"):
        film(TakeBack(3.0, "east", "5O", 1.0))


def test_the_file_has_every_frame_of_a_film_with_faults(tmp_path: Path) -> None:
    settings = FilmSettings(deck(), ("south", "north"), "easy", 900_001, (360, 640), FPS, table_kind="wood")
    made = Film((PlaceStock(0.0, 6), Play(0.3, "south", "3C", 1.0), LostFrames(0.5)), settings)
    truth = made.write(tmp_path / "portrait.mp4")
    assert truth.frames == made.frame_count
