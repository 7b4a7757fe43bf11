"""Enrolling: reading order, faces of several pictures put together, the whole deck named at once; and references."""

from itertools import pairwise

import numpy as np
import pytest

from vision.enrolment import Face, deck_cards, evidence, find_faces, merge, reading_order, settle
from vision.identifier import Identifier
from vision.labels import INDEX, LABELS
from vision.locator import Locator
from vision.overlap import iou_matrix
from vision.reader import TableReader
from vision.references import KEPT_SIZE, References, make_references
from vision.synth.decks import random_deck
from vision.synth.spread import spread
from vision.weights import find_weights

CARDS = deck_cards(40)
CROP = np.zeros((*KEPT_SIZE, 3), np.uint8)


def logs(**shares: float) -> np.ndarray:
    probs = np.full(len(LABELS), 1e-4)
    for label, share in shares.items():
        probs[INDEX[label.removeprefix("_")]] = share
    return np.log(probs)


def face(number: int, tilt: float = 0.0) -> Face:
    """A face with an embedding of its own, ``tilt`` off as in another picture."""
    rng = np.random.default_rng(number)
    vector = rng.normal(0, 1, 64) + tilt * np.random.default_rng(1000 + number).normal(0, 1, 64)
    probs = np.full(len(LABELS), 1 / len(LABELS), np.float32)
    return Face(CROP, probs, vector.astype(np.float32), 0.9)


def test_a_deck_has_40_or_48_cards() -> None:
    assert len(CARDS) == 40
    assert not {"8O", "9B"} & {LABELS[card] for card in CARDS}
    assert len(deck_cards(48)) == 48
    with pytest.raises(ValueError, match="40 or 48"):
        deck_cards(52)


def test_cards_that_are_mistaken_for_each_other_are_settled_by_the_whole() -> None:
    # Alone both would be called the 7 of bastos; the second one is surer of it.
    rows = np.stack([logs(_7B=0.6, _6B=0.35), logs(_7B=0.9, _6B=0.01), logs(_1O=0.99)])
    assert [LABELS[int(row.argmax())] for row in rows] == ["7B", "7B", "1O"]
    names = settle(rows, [0.9] * 3, CARDS)
    assert [LABELS[name.label or 0] for name in names] == ["6B", "7B", "1O"]
    assert names[2].rivals == ()


def test_an_exchange_that_costs_little_leaves_both_names_in_doubt() -> None:
    rows = np.stack([logs(_7B=0.5, _6B=0.4), logs(_7B=0.4, _6B=0.5)])
    first, second = settle(rows, [0.9] * 2, CARDS)
    assert (first.label, first.rivals) == (INDEX["7B"], (INDEX["6B"],))
    assert (second.label, second.rivals) == (INDEX["6B"], (INDEX["7B"],))


def test_what_a_person_says_stands_and_moves_the_others() -> None:
    rows = np.stack([logs(_7B=0.5, _6B=0.4), logs(_7B=0.4, _6B=0.5)])
    first, second = settle(rows, [0.9] * 2, CARDS, {0: INDEX["6B"]})
    assert (first.label, first.rivals) == (INDEX["6B"], ())
    assert second.label == INDEX["7B"]
    with pytest.raises(ValueError, match="told once"):
        settle(rows, [0.9] * 2, CARDS, {0: INDEX["6B"], 1: INDEX["6B"]})
    assert settle(rows, [0.9] * 2, CARDS, {0: None})[0].label is None


def test_where_there_are_too_many_the_one_that_fits_least_goes_without_a_name() -> None:
    rows = np.stack([*(logs(**{f"_{LABELS[card]}": 0.9}) for card in CARDS), logs(_5C=0.3)])
    names = settle(rows, [0.9] * 40 + [0.5], CARDS)
    assert [name.label for name in names] == [*CARDS, None]


def test_reading_order_follows_rows_that_run_askew() -> None:
    turn = np.deg2rad(8)
    places = [(column * 80.0, row * 115.0) for row in range(4) for column in range(9)]
    corners = np.array([[-31, -47], [31, -47], [31, 47], [-31, 47]], np.float32)
    matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    rng = np.random.default_rng(1)
    quads = np.stack([(corners + place + rng.normal(0, 4, 2)) @ matrix for place in places]).astype(np.float32)
    mixed = rng.permutation(len(quads))
    assert [int(mixed[index]) for index in reading_order(quads[mixed])] == list(range(len(quads)))


def test_cards_of_two_pictures_are_put_together_and_others_kept_apart() -> None:
    first, second = [face(n) for n in range(30)], [face(n, 0.3) for n in range(20, 40)]
    cards = merge([first, second], 40)
    assert len(cards) == 40
    assert [len(card) for card in cards] == [1] * 20 + [2] * 10 + [1] * 10
    assert len(merge([[face(n) for n in range(20)], [face(n) for n in range(20, 40)]], 40)) == 40
    assert merge([], 40) == []


def test_evidence_is_the_mean_of_the_views() -> None:
    sure, unsure = face(1), face(1)
    sure.probs[:], unsure.probs[:] = 1e-9, 0.5
    assert evidence([sure])[0] == pytest.approx(-9.2)
    assert evidence([sure, unsure])[0] == pytest.approx(max(-9.2, (np.log(1e-9) + np.log(0.5)) / 2), abs=0.01)


def test_references_outvote_a_mistaken_identifier_and_know_the_deck() -> None:
    rng = np.random.default_rng(3)
    known = [card for card in CARDS if card != INDEX["12B"]]
    vectors = rng.normal(0, 1, (len(known), 32)).astype(np.float32)
    references = References("0" * 64, CARDS, np.array(known, np.intp), vectors)
    place = known.index(INDEX["6B"])
    mistaken = np.exp(logs(_7B=0.7, _6B=0.2, _8B=0.08)).astype(np.float32)
    (corrected,) = references.correct((mistaken / mistaken.sum())[None], vectors[place : place + 1] + 0.1)
    assert LABELS[int(corrected.argmax())] == "6B"
    assert corrected[INDEX["8B"]] == 0, "a deck of 40 has no 8"
    assert corrected.sum() == pytest.approx(1, abs=1e-5)
    even = np.full((1, len(LABELS)), 1 / len(LABELS), np.float32)
    (back,) = references.correct(even, vectors[place : place + 1])
    assert back.max() < 0.1, "what cannot be read at all is not read by its likeness"
    king = np.exp(logs(_12B=0.8, _12C=0.1)).astype(np.float32)
    (kept,) = references.correct((king / king.sum())[None], rng.normal(0, 1, (1, 32)).astype(np.float32))
    assert kept[INDEX["12B"]] == pytest.approx(0.8 / 0.9, abs=0.02), "a card that was not enrolled keeps its share"


def test_a_deck_never_seen_is_named_from_one_picture_and_read_better_after_it() -> None:
    deck = random_deck(900_041, height=300)
    rng = np.random.default_rng(41)
    scene = spread(900_041, deck, [LABELS[card] for card in rng.permutation(CARDS)], (1600, 1200))
    identifier = Identifier(find_weights("identify").path)
    reader = TableReader(Locator(find_weights("locate").path), identifier)
    faces = find_faces(reader.read, identifier, scene.image)
    assert len(faces) == 40
    names = settle(np.stack([evidence([one]) for one in faces]), [one.confidence for one in faces], CARDS)
    truth = [INDEX[card.label] for card in scene.cards if card.label]  # laid in reading order
    right = [name.label == card for name, card in zip(names, truth, strict=True)]
    single = [int(one.probs.argmax()) == card for one, card in zip(faces, truth, strict=True)]
    assert sum(right) >= max(38, sum(single))
    assert all(name.rivals for name, good in zip(names, right, strict=True) if not good), "no mistake is called sure"
    quads = np.stack([card.quad for card in scene.cards])
    assert all(iou_matrix(a[None], b[None])[0, 0] < 0.1 for a, b in pairwise(quads))

    some = list(range(0, 40, 5))
    references = make_references(
        identifier,
        "0" * 64,
        tuple(truth[row] for row in some),
        [truth[row] for row in some],
        [faces[row].crop for row in some],
    )
    assert references.likeness(faces[0].embedding[None]).argmax() == truth[0]
