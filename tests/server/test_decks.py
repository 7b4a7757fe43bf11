"""Enrolling a deck from pictures drawn by our own code, with the real weights, through the real command."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from server.cli import main
from server.deck_sheet import card_name
from server.decks import Decks, EnrolledDeck, references_of
from server.errors import DeckError, NotFoundError, UsageError
from server.eyes import open_eyes
from vision.labels import LABELS
from vision.synth.decks import own_deck
from vision.synth.spread import spread
from vision.weights import find_weights

IN_SUITS = [label for label in LABELS if label[:-1] not in ("8", "9")]


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The deck suit by suit: oros and copas in one picture, espadas and bastos in the other."""
    folder, deck = tmp_path_factory.mktemp("pictures"), own_deck(300)
    files = [folder / "oros-copas.png", folder / "espadas-bastos.png"]
    for number, file in enumerate(files):
        labels = IN_SUITS[20 * number : 20 * number + 20]
        cv2.imwrite(str(file), spread(900_300 + number, deck, labels, (1280, 1000), columns=5).image)
    return files


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, pictures: list[Path]) -> Path:
    """A data folder with the deck ``Mi baraja``, enrolled by reading both pictures."""
    data = tmp_path_factory.mktemp("home")
    assert main(["deck", "enrol", "Mi baraja", *map(str, pictures), "--data", str(data)]) == 0
    return data


@pytest.fixture
def deck(home: Path) -> EnrolledDeck:
    return Decks(home).load("mi BARAJA")


def test_every_card_is_named_and_kept_with_a_sheet(deck: EnrolledDeck) -> None:
    assert [face.label for face in deck.faces] == IN_SUITS
    assert (deck.size, deck.missing, deck.surplus) == (40, (), ())
    page = deck.sheet.read_text(encoding="utf-8")
    assert page.count("<li ") == 40
    assert card_name("10B") == "sota de bastos"
    assert "sota de bastos" in page
    for word in ("src=", "href=", "url("):
        assert f'{word}"http' not in page
    for face in deck.faces:
        assert (deck.folder / "faces" / face.files[0]).stat().st_size < 60_000


def test_the_deck_is_read_with_what_is_known_of_it(deck: EnrolledDeck, pictures: list[Path]) -> None:
    reader, _ = open_eyes(deck)
    found = [one for one in reader.read(cv2.imread(str(pictures[1]))) if one.probs is not None]
    names = {LABELS[int(one.probs.argmax())] for one in found if one.probs is not None}
    assert names == set(IN_SUITS[20:])
    nines = [index for index, label in enumerate(LABELS) if label not in IN_SUITS]
    assert max(float(one.probs[nines].max()) for one in found if one.probs is not None) == 0


def test_references_of_other_weights_are_made_again_from_the_kept_pictures(deck: EnrolledDeck) -> None:
    weights = find_weights("identify")
    before, file = references_of(deck, weights), deck.folder / "references.npz"
    kept = dict(np.load(file))
    np.savez(file, **{**kept, "sha256": "0" * 64, "vectors": np.zeros_like(kept["vectors"])})
    again = references_of(deck, weights)
    assert np.array_equal(again.vectors, before.vectors)
    assert str(np.load(file)["sha256"]) == weights.sha256
    file.write_bytes(b"damaged")
    assert np.array_equal(references_of(deck, weights).labels, before.labels)


def test_a_correction_moves_the_others_and_is_kept(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    decks = Decks(home)
    try:
        assert main(["deck", "correct", "mi baraja", "1=2o", "--data", str(home)]) == 0
        assert "40 of 40 cards" in capsys.readouterr().out
        first, second = decks.load("Mi baraja").faces[:2]
        assert (first.label, first.told, second.label) == ("2O", True, "1O"), "its old name is free for the other one"
        faces = decks.correct("Mi baraja", {40: None}).faces
        assert faces[39].label is None
        assert faces[0].label == "2O", "what was told before stands"
        assert decks.load("Mi baraja").missing == ("12B",)
    finally:
        decks.correct("Mi baraja", {1: "1O", 2: "2O", 40: "12B"})
    assert [face.label for face in decks.load("Mi baraja").faces] == IN_SUITS


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({41: "1O"}, "no number 41"),
        ({1: "8O"}, "has no card 8O"),
        ({1: "joker"}, "has no card joker"),
        ({1: "3O", 2: "3O"}, "two cards 3O"),
    ],
)
def test_what_cannot_be_told_is_one_sentence(home: Path, told: dict[int, str | None], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Decks(home).correct("Mi baraja", told)


def test_cards_laid_in_order_need_no_reading(
    tmp_path: Path, pictures: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    data = ["--data", str(tmp_path)]
    assert main(["deck", "enrol", "laid", *map(str, pictures), "--order", "suits", *data]) == 0
    faces = Decks(tmp_path).load("laid").faces
    assert [face.label for face in faces] == IN_SUITS
    assert all(face.told for face in faces)
    assert main(["deck", "enrol", "laid", str(pictures[0]), "--order", "suits", "--replace", *data]) == 1
    assert "20 faces found instead of 40" in capsys.readouterr().err
    assert len(Decks(tmp_path).load("laid").faces) == 40, "a deck that is not replaced stays"


def test_half_a_deck_is_too_little_and_some_cards_may_be_missing(
    tmp_path: Path, pictures: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.png"
    cv2.imwrite(str(empty), np.full((200, 300, 3), 90, np.uint8))
    assert main(["deck", "enrol", "none", str(empty), "--data", str(tmp_path)]) == 1
    assert "Only 0 of 40 cards were found: spread them" in capsys.readouterr().err
    assert main(["deck", "enrol", "half", str(pictures[0]), "--data", str(tmp_path)]) == 0
    assert "missing: 1E, 2E" in capsys.readouterr().err
    assert main(["deck", "show", "half", "--data", str(tmp_path)]) == 0
    assert "half: 20 of 40 cards" in capsys.readouterr().out


def test_decks_are_listed_and_forgotten(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deck", "list", "--data", str(home)]) == 0
    assert "Mi baraja  40 of 40 cards" in capsys.readouterr().out
    assert main(["deck", "list", "--data", str(tmp_path)]) == 0
    assert "No deck is enrolled yet" in capsys.readouterr().out
    folder = tmp_path / "decks" / "old"
    folder.mkdir(parents=True)
    (folder / "deck.json").write_text("{}", encoding="utf-8")
    with pytest.raises(DeckError, match="damaged"):
        Decks(tmp_path).load("old")
    assert main(["deck", "list", "--data", str(tmp_path)]) == 1
    assert "The deck old" in capsys.readouterr().err
    assert main(["deck", "remove", "OLD", "--data", str(tmp_path)]) == 0
    assert not folder.exists()
    with pytest.raises(NotFoundError, match="no deck called 'old'"):
        Decks(tmp_path).remove("old")


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        (["deck", "enrol", "../x", "a.png"], 2, "cannot be called"),
        (["deck", "enrol", "Mi Baraja", "a.png"], 2, "There is a deck called Mi Baraja already"),
        (["deck", "enrol", "new", "nowhere.png"], 1, "There is no file or folder nowhere.png"),
        (["deck", "correct", "Mi baraja", "7B"], 2, "is not understood"),
        (["deck", "show", "other"], 1, "there: Mi baraja"),
        (["watch", "--source", "nowhere.mp4", "--headless", "--deck", "other"], 1, "no deck called 'other'"),
        (["watch", "--source", "demo", "--headless", "--deck", "Mi baraja"], 2, "leave it out here"),
        (["detect", "--deck", "other", "a.png"], 1, "no deck called 'other'"),
    ],
)
def test_errors_are_one_sentence(
    home: Path, argv: list[str], code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*argv, "--data", str(home)]) == code
    said = capsys.readouterr().err
    assert words in said
    assert len(said.splitlines()) == 1


def test_a_deck_damaged_in_the_middle_is_told(home: Path, tmp_path: Path) -> None:
    deck = Decks(home).load("Mi baraja")
    other = tmp_path / "decks" / "copy"
    (other / "faces").mkdir(parents=True)
    data = json.loads((deck.folder / "deck.json").read_text(encoding="utf-8"))
    (other / "deck.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(DeckError, match="has lost its picture"):
        references_of(Decks(tmp_path).load("copy"), find_weights("identify"))
    data["faces"][0]["files"] = ["../../secret.jpg"]
    (other / "deck.json").write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(DeckError, match="outside its folder"):
        Decks(tmp_path).load("copy")
