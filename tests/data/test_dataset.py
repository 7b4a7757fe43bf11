import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from server.cli import main
from vision.labels import LABELS
from vision.synth.decks import PictureDeck, round_corners, save_deck
from vision.synth.layouts import LAYS
from vision.train.dataset import BLOCK, SCHEMES, Recipe, build, framed_quad, picture
from vision.train.truth import DatasetError, check, class_of, read


@pytest.fixture(scope="module")
def decks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two decks as folders, one red, one green."""
    root = tmp_path_factory.mktemp("decks")
    for name, ink in (("red-deck", (40, 40, 200)), ("green-deck", (40, 160, 40))):
        face = np.full((95, 62, 3), 235, np.uint8)
        face[20:70, 15:45] = ink
        back = round_corners(np.full((95, 62, 3), ink, np.uint8), 4.0)
        deck = PictureDeck(
            name, {label: lambda face=face: round_corners(face, 4.0) for label in LABELS}, lambda back=back: back
        )
        save_deck(deck, root / name)
    return root


@pytest.fixture(scope="module")
def cards_set(decks: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("set") / "cards"
    build(Recipe(out, BLOCK + 4, seed=3, scheme="cards", size=200, decks=decks, drawn=0.0, workers=1))
    return out


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_two_processes_write_the_same_set_as_one(decks: Path, cards_set: Path, tmp_path: Path) -> None:
    out = tmp_path / "cards"
    told: list[tuple[int, int]] = []
    recipe = Recipe(out, BLOCK + 4, seed=3, scheme="cards", size=200, decks=decks, drawn=0.0, workers=2)
    built = build(recipe, lambda done, wanted: told.append((done, wanted)))
    assert files(out) == files(cards_set)
    assert told == [(BLOCK, BLOCK + 4), (BLOCK + 4, BLOCK + 4)]
    assert built.pictures == BLOCK + 4
    assert built.decks == ("green-deck", "red-deck")


def test_a_fresh_set_has_no_fault_but_classes_without_example(cards_set: Path) -> None:
    report = check(cards_set)
    assert sum(report.pictures.values()) == BLOCK + 4
    assert all("have no example" in problem for problem in report.problems)
    assert report.pictures["val"] == BLOCK


def test_the_set_moves_with_its_folder(cards_set: Path) -> None:
    text = (cards_set / "data.yaml").read_text()
    assert str(cards_set.parent) not in text
    assert '  0: "1O"' in text
    assert '  48: "back"' in text


def test_reading_gives_back_the_truth_that_was_drawn(decks: Path, cards_set: Path) -> None:
    recipe = Recipe(cards_set, BLOCK + 4, seed=3, scheme="cards", size=200, decks=decks, drawn=0.0)
    by_name = {marked.path.stem: marked for marked in read(cards_set)}
    for index in (0, 7, BLOCK + 2):
        scene, marked = picture(recipe, index), by_name[f"{index:06d}"]
        assert marked.size == scene.image.shape[1::-1]
        assert [card.label for card in marked.cards] == [card.label for card in scene.cards]
        for mine, drawn in zip(marked.cards, scene.cards, strict=True):
            assert np.abs(mine.quad - drawn.quad).max() < 0.02
            assert mine.visible == pytest.approx(drawn.visible, abs=0.001)
            assert mine.kind == ("back" if drawn.label is None else "face")


def test_the_label_files_say_the_same_without_the_book(cards_set: Path, tmp_path: Path) -> None:
    full = {marked.path.name: marked for marked in read(cards_set, "val")}
    book = cards_set / "cards.jsonl"
    kept = book.read_text()
    book.unlink()
    try:
        plain = list(read(cards_set, "val"))
    finally:
        book.write_text(kept)
    matched = 0
    for marked in plain:
        width, height = marked.size
        for card in marked.cards:
            assert (card.quad >= -0.5).all()
            assert (card.quad <= (width + 0.5, height + 0.5)).all()
            twins = [t for t in full[marked.path.name].cards if t.label == card.label and t.kind == card.kind]
            gaps = [np.abs(np.sort(t.quad, axis=0) - np.sort(card.quad, axis=0)).max() for t in twins]
            matched += min(gaps) < 0.1
    assert matched > 20


def test_a_left_out_deck_does_not_appear(decks: Path, tmp_path: Path) -> None:
    recipe = Recipe(tmp_path / "x", 40, seed=5, size=200, decks=decks, drawn=0.0, exclude=("red-deck",))
    assert {name for index in range(12) for name in picture(recipe, index).decks} == {"green-deck"}


@pytest.mark.parametrize(
    ("quad", "kept"),
    [
        ([(10, 10), (40, 10), (40, 60), (10, 60)], True),
        ([(-20, 10), (10, 10), (10, 60), (-20, 60)], True),
        ([(-29, 10), (1, 10), (1, 60), (-29, 60)], False),
        ([(300, 300), (330, 300), (330, 350), (300, 350)], False),
    ],
)
def test_a_card_beyond_the_rim_is_cut_to_what_is_left(quad: list[tuple[int, int]], kept: bool) -> None:
    box = framed_quad(np.array(quad, np.float32), (200, 100))
    assert (box is not None) == kept
    if box is not None:
        assert (box >= 0).all()
        assert (box <= (199, 99)).all()
        inside = cv2.intersectConvexConvex(np.array(quad, np.float32), box)[0]
        assert inside / cv2.contourArea(box) > 0.95


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("1O", ("face", "1O")),
        ("12b", ("face", "12B")),
        ("oros_01", ("face", "1O")),
        ("espadas-10", ("face", "10E")),
        ("1 de oros", ("face", "1O")),
        ("As de Copas", ("face", "1C")),
        ("sota_bastos", ("face", "10B")),
        ("king of swords", ("face", "12E")),
        ("7 golds", ("face", "7O")),
        ("back", ("back", None)),
        ("Reverso", ("back", None)),
        ("face", ("face", None)),
    ],
)
def test_class_names_of_many_makers_are_understood(name: str, meant: tuple[str, str | None]) -> None:
    assert class_of(name) == meant


@pytest.mark.parametrize("name", ["13O", "0C", "hearts_3", "joker", "", "O", "7", "3 4 oros"])
def test_names_of_no_card_are_refused(name: str) -> None:
    with pytest.raises(DatasetError, match="means no Spanish card"):
        class_of(name)


def write_set(root: Path, names: str, lines: str) -> Path:
    (root / "train" / "images").mkdir(parents=True)
    (root / "train" / "labels").mkdir()
    cv2.imwrite(str(root / "train" / "images" / "a.png"), np.full((100, 200, 3), 90, np.uint8))
    (root / "train" / "labels" / "a.txt").write_text(lines)
    (root / "data.yaml").write_text(f"# made elsewhere\ntrain: ../train/images\nnc: 2\nnames: {names}\n")
    return root


def test_a_set_of_another_maker_with_boxes_and_its_own_class_order(tmp_path: Path) -> None:
    root = write_set(
        tmp_path, "['rey de copas', \"oros_07\"]", "1 0.5 0.5 0.1 0.4\n0 0.1 0.2 0.4 0.2 0.4 0.5 0.1 0.5\n"
    )
    (marked,) = read(root)
    assert [card.label for card in marked.cards] == ["7O", "12C"]
    assert np.allclose(marked.cards[0].quad, [(90, 30), (110, 30), (110, 70), (90, 70)])
    quad = marked.cards[1].quad
    assert np.linalg.norm(quad[0] - quad[1]) < np.linalg.norm(quad[1] - quad[2]), "a lying card: 0-1 is a short side"


def test_names_as_list_and_as_numbers(tmp_path: Path) -> None:
    root = write_set(tmp_path, "\n  - 1O\n  - dorso", "1 0.5 0.5 0.1 0.4\n")
    assert next(iter(read(root))).cards[0].kind == "back"
    (root / "data.yaml").write_text("train: train/images\nnames:\n  1: 2E\n  0: 4B\n")
    assert next(iter(read(root))).cards[0].label == "2E"


def test_every_kind_of_fault_is_told_in_a_sentence(tmp_path: Path) -> None:
    root = write_set(
        tmp_path,
        "[1O, joker]",
        "5 0.5 0.5 0.1 0.1\n0 0.5 0.5 0.1\n0 0.9 0.5 0.4 0.2\n0 nan 0.5 0.1 0.1\n0 0.5 0.5 0 0.2\n0 0.5 0.5 0.1 0.1\n",
    )
    (root / "train" / "labels" / "ghost.txt").write_text("")
    (root / "train" / "images" / "torn.jpg").write_bytes(b"\xff\xd8 not a picture")
    text = "\n".join(check(root).problems)
    for told in (
        "'joker' means no Spanish card",
        "Line 1 of",
        "has class 5, but there are only classes 0 to 1",
        "cannot be read (3 coordinates instead of 4 or 8)",
        "has a corner outside the picture",
        "a coordinate is not a number",
        "has a box without area",
        "ghost.txt has no picture",
        "torn.jpg cannot be read",
        "1 of 2 classes have no example: joker",
    ):
        assert told in text, told


def test_the_same_picture_in_train_and_val_is_told(cards_set: Path, tmp_path: Path) -> None:
    for split in ("train", "val"):
        (tmp_path / "images" / split).mkdir(parents=True)
        (tmp_path / "labels" / split).mkdir(parents=True)
        cv2.imwrite(str(tmp_path / "images" / split / f"{split}.png"), np.zeros((20, 20, 3), np.uint8))
        (tmp_path / "labels" / split / f"{split}.txt").write_text("0 0.5 0.5 0.2 0.4\n")
    (tmp_path / "data.yaml").write_text("train: images/train\nval: images/val\nnames: [back]\n")
    assert check(tmp_path).problems == ("The same picture is in train and val: train.png and val.png.",)


def test_the_command_draws_checks_and_explains(
    decks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BRISCA_DECKS", str(decks))
    monkeypatch.delenv("BRISCA_TEXTURES", raising=False)
    out = str(tmp_path / "set")
    assert main(["data", "synth", "--out", out, "--count", "5", "--seed", "2", "--size", "200", "--drawn", "0"]) == 0
    assert "5 pictures with" in capsys.readouterr().out
    assert (tmp_path / "set" / "data.yaml").read_text().endswith('  0: "face"\n  1: "back"\n')
    assert json.loads((tmp_path / "set" / "recipe.json").read_text())["decks"] == ["green-deck", "red-deck"]
    assert main(["data", "check", out]) in (0, 1)
    assert "train: 5 pictures" in capsys.readouterr().out
    assert main(["data", "synth", "--out", out, "--count", "5"]) == 1
    assert "already holds a data set" in capsys.readouterr().err
    other = str(tmp_path / "other")
    assert main(["data", "synth", "--out", other, "--count", "5", "--exclude-decks", "blue"]) == 1
    assert "no deck blue" in capsys.readouterr().err
    assert main(["data", "synth", "--out", other, "--count", "0"]) == 1
    assert main(["data", "synth", "--out", other, "--count", "3", "--decks", str(tmp_path / "none")]) == 2
    assert main(["data", "check", str(tmp_path / "none")]) == 1
    assert "There is no folder" in capsys.readouterr().err


def test_a_torn_card_picture_is_named(decks: Path, tmp_path: Path) -> None:
    torn = tmp_path / "decks" / "torn"
    shutil.copytree(decks / "red-deck", torn)
    for card in torn.glob("*.png"):
        card.write_bytes(b"no picture")
    with pytest.raises(DatasetError, match=r"card picture .*torn.* cannot be read"):
        build(Recipe(tmp_path / "x", 6, size=200, decks=torn.parent, drawn=0.0, workers=1))


def test_the_repository_alone_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRISCA_DECKS", raising=False)
    scene = picture(Recipe(tmp_path, 1, seed=900_001, size=200), 0)
    assert scene.decks[0].startswith("random-9")


def test_schemes_are_the_labels_and_the_back() -> None:
    assert SCHEMES["locator"] == ("face", "back")
    assert SCHEMES["cards"][:48] == LABELS
    assert len(SCHEMES["cards"]) == 49


def test_a_set_of_one_layout_holds_only_what_it_says(decks: Path, tmp_path: Path) -> None:
    trumps = Recipe(tmp_path / "trump", 6, seed=900_007, size=240, decks=decks, drawn=0.0, workers=1, layout="trump")
    build(trumps)
    for marked in read(tmp_path / "trump"):
        faces = [card for card in marked.cards if card.kind == "face"]
        assert len(faces) == 1, "the trump is the only face"
        assert 0.3 <= (faces[0].visible or 0) <= 0.7, "half of it lies under the stock"
        assert any(card.kind == "back" for card in marked.cards)
    bare = Recipe(tmp_path / "bare", 4, seed=900_007, size=240, decks=decks, drawn=0.0, workers=1, layout="bare")
    assert build(bare).cards == 0
    assert json.loads((tmp_path / "bare" / "recipe.json").read_text())["layout"] == "bare"
    with pytest.raises(DatasetError, match=r"no layout moon; choose one of game, .* bare, trump"):
        build(Recipe(tmp_path / "moon", 1, size=240, layout="moon"))


def test_layouts_without_weight_are_drawn_only_where_they_are_asked_for(decks: Path, tmp_path: Path) -> None:
    recipe = Recipe(tmp_path / "x", 60, seed=8, size=160, decks=decks, drawn=0.0)
    assert "trump" not in {picture(recipe, index).layout for index in range(60)}
    assert sum(weight for _, weight, _ in LAYS.values()) == pytest.approx(1)
