"""``brisca eval`` as people run it: real weights on small drawn sets, of ours and of other makers."""

import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from server.cli import USAGE, main
from vision.labels import LABELS
from vision.synth.decks import own_deck
from vision.synth.scene import Scene, still
from vision.train.evaluation import Fault
from vision.train.scoring import look_through
from vision.train.sheet import MOST, ErrorSheet, caption
from vision.train.truth import DatasetError

SEEDS = (900_003, 900_005)


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    deck = own_deck(300)
    return [still(seed, [deck], (640, 360), layout="close_up") for seed in SEEDS]


@pytest.fixture
def folder(scenes: list[Scene], tmp_path: Path) -> Path:
    """A set of another maker: axis-aligned boxes beside the pictures, our class order, no data.yaml."""
    root = tmp_path / "set"
    root.mkdir()
    for number, scene in enumerate(scenes):
        cv2.imwrite(str(root / f"{number}.png"), scene.image)
        height, width = scene.image.shape[:2]
        lines = []
        for card in scene.cards:
            low, high = np.clip([card.quad.min(0), card.quad.max(0)], 0, (width, height)) / (width, height)
            numbers = [*(low + high) / 2, *(high - low)]
            lines.append(f"{48 if card.label is None else LABELS.index(card.label)} " + " ".join(map(str, numbers)))
        (root / f"{number}.txt").write_text("\n".join(lines))
    return root


def figures(*words: str, code: int = 0) -> dict[str, Any]:
    out = Path(words[-1]) / "report.json"
    assert main(["eval", *words]) == code
    return json.loads(out.read_text())


def test_a_plain_folder_with_boxes_is_scored_and_pictured(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = figures("--data", str(folder), "--report", str(tmp_path / "report"))
    told = capsys.readouterr()
    assert "no class names: its numbers are taken for the 48 cards and the back" in told.err
    assert report["pictures"] == 2
    assert report["located_recall"] >= 0.7, "the hull of what is read is compared with the box"
    assert report["identity_top1"] >= 0.5
    for key in ("precision", "recall", "map50", "map50_95", "identity_top1", "calibration_error"):
        assert f"{key:32} {report[key]}" in told.out
    for title in ("px tall", "card", "visible: the set does not tell"):
        assert title in told.out
    for name, least in (("confusion.png", 900), ("reliability.png", 500), ("worst.png", 34)):
        image = cv2.imread(str(tmp_path / "report" / name))
        assert image is not None
        assert image.shape[0] >= least


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda root: (root / "classes.txt").write_text("joker\nhearts_3\n"), "'joker' means no Spanish card"),
        (lambda root: (root / "classes.txt").write_text("1O\n2O\n"), "but there are only the names 0 to 1"),
        (lambda root: [file.unlink() for file in root.glob("*.txt")], "use --card-free"),
        (lambda root: (root / "1.png").write_bytes(b"no picture"), "1.png cannot be read"),
        (lambda root: (root / "1.txt").write_text("3 0.1 0.2\n"), "Line 1 of"),
        (lambda root: shutil.rmtree(root), "There is no folder"),
        (lambda root: [file.unlink() for file in root.glob("*.png")], "holds no pictures"),
    ],
)
def test_a_set_that_cannot_be_scored_is_refused_in_one_sentence(
    folder: Path, break_it: Any, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    break_it(folder)
    assert main(["eval", "--data", str(folder)]) == USAGE
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert said in lines[0]


@pytest.mark.parametrize(
    "words",
    [[], ["--data", "a", "--card-free", "b"], ["--card-free", "b", "--split", "val"], ["--data", "a", "--limit", "0"]],
)
def test_options_that_make_no_sense_together_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(["eval", *words])
    except SystemExit as exit:
        code = int(str(exit.code))
    assert code == USAGE
    assert capsys.readouterr().err


def test_pictures_without_a_label_file_count_as_card_free_and_that_is_said(folder: Path) -> None:
    (folder / "1.txt").unlink()
    assert any("1 of 2 pictures have no label file" in note for note in look_through(folder).notes)


def test_zero_and_one_alone_are_face_and_back(folder: Path) -> None:
    for file in folder.glob("*.txt"):
        file.write_text("0 0.5 0.5 0.1 0.2\n1 0.5 0.5 0.1 0.2\n")
    looked = look_through(folder)
    assert looked.names == ("face", "back")
    assert "face and back" in looked.notes[0]


def test_names_claimed_where_no_card_is_are_counted_and_shown(
    scenes: list[Scene], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bare").mkdir()
    plain = still(900_001, [own_deck(160)], (640, 360), layout="bare").image
    cv2.imwrite(str(tmp_path / "bare" / "a.png"), np.full_like(plain, (60, 90, 40)))
    # A picture full of cards plays a table that is taken for them: every name in it is one too many.
    cv2.imwrite(str(tmp_path / "bare" / "b.png"), scenes[0].image)
    report = figures("--card-free", str(tmp_path / "bare"), "--report", str(tmp_path / "report"))
    assert report["pictures"] == 2
    assert report["names_told"] >= report["names_claimed"] >= 1
    assert report["names_claimed_per_500_pictures"] == 250 * report["names_claimed"]
    assert report["pictures_with_a_claim"] == 1
    assert cv2.imread(str(tmp_path / "report" / "worst.png")).shape[0] > 200
    assert "names_claimed_per_500_pictures" in capsys.readouterr().out


def test_a_labelled_card_among_card_free_pictures_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "--card-free", str(folder)]) == USAGE
    assert "score labelled pictures with --data" in capsys.readouterr().err


def test_the_sheet_keeps_the_worst_errors_only() -> None:
    sheet, image = ErrorSheet(), np.full((100, 100, 3), 90, np.uint8)
    quad = np.array([[10, 10], [40, 10], [40, 60], [10, 60]], np.float32)
    for step in range(100):
        sheet.take(image, [Fault("wrong_name", f"{step}.jpg", "1O", "2O", step / 100, quad)])
    worst = sheet.worst("wrong_name")
    assert [fault.picture for fault in worst[:3]] == ["99.jpg", "98.jpg", "97.jpg"]
    assert len(worst) == MOST["wrong_name"]
    assert caption(worst[0]) == ("1O read as 2O 0.99", "99.jpg")
    sheet.take(image, [Fault("false_back", "a.jpg", None, "back", 0.99, quad)] * 50)
    sheet.take(image, [Fault("false_card", "a.jpg", None, "7O", 0.5, quad)])
    assert len(sheet.worst("false_card")) == 1, "backs leave the names their place"


def test_a_split_that_is_not_there_is_named(folder: Path) -> None:
    with pytest.raises(DatasetError, match="no split test; it has all"):
        look_through(folder, "test")
