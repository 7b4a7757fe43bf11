"""A single picture is looked at at every scale: small cards of large pictures, and cards that fill the picture."""

import cv2
import numpy as np
import pytest
from table_pictures import SIZE, shot

from vision.facts import Detection
from vision.labels import LABELS
from vision.reader import TableReader
from vision.survey import joined, tiles
from vision.synth.textures import table


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader.packaged()


def face(x: float, y: float, tall: float, confidence: float) -> Detection:
    w, h = 0.65 * tall / 2, tall / 2
    quad = np.array([[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]], np.float32)
    return Detection(quad, "face", confidence)


def test_tiles_cover_the_picture_and_lap() -> None:
    seen = np.zeros((100, 300), int)
    for left, top, right, bottom in tiles(300, 100, 3):
        seen[top:bottom, left:right] += 1
    assert seen.min() >= 1
    assert (seen > 1).mean() > 0.3


def test_a_part_of_a_card_is_not_another_card() -> None:
    whole, piece, beside = face(100, 100, 100, 0.8), face(100, 80, 50, 0.7), face(300, 100, 100, 0.9)
    assert joined([whole, piece, beside]) == [beside, whole]


def test_a_card_found_at_two_scales_is_one() -> None:
    assert [one.confidence for one in joined([face(100, 100, 100, 0.6), face(103, 98, 104, 0.9)])] == [0.9]


def test_a_box_of_an_odd_size_among_cards_is_dropped() -> None:
    cards = [face(100 + 120 * k, 100, 100, 0.9) for k in range(4)]
    assert len(joined([*cards, face(900, 900, 20, 0.5)])) == 4
    assert len(joined([*cards, face(900, 900, 60, 0.5)])) == 5


def found_in(reader: TableReader, picture: np.ndarray) -> set[str]:
    return {LABELS[int(one.probs.argmax())] for one in reader.read(picture) if one.probs is not None}


def test_small_cards_of_a_large_picture_are_read(reader: TableReader) -> None:
    table_part = shot(table(900_001, SIZE, kind="felt"), ["3C", "12E", "1O"])
    picture = np.asarray(cv2.resize(table(900_001, SIZE, kind="felt"), (3840, 2160)), np.uint8)
    picture[1000:1288, 2000:2512] = cv2.resize(table_part, (512, 288), interpolation=cv2.INTER_AREA)
    assert {"3C", "12E", "1O"} <= found_in(reader, picture)
    assert len(reader._locator.locate(picture)) < 3, "one look at the whole picture is enough: no test of the survey"


def test_a_card_that_fills_the_picture_is_read(reader: TableReader) -> None:
    picture = shot(table(900_001, SIZE, kind="felt"), ["12E"])[160:320, 520:760]
    assert found_in(reader, np.asarray(cv2.resize(picture, (1080, 720), interpolation=cv2.INTER_CUBIC))) == {"12E"}
