"""Reading tables with the packaged weights: drawn pictures of our own deck, single and as a film.

What is asked here is what the drawn pictures make easy; figures on harder material are in the model card.
"""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from table_pictures import PLACES, SIZE, noisy, shot
from table_scene import quad_at

from vision.errors import ModelError
from vision.facts import Detection, Frame
from vision.identifier import Identifier, Seen
from vision.labels import LABELS
from vision.locator import Locator
from vision.overlap import iou_matrix
from vision.reader import TableReader, with_visible, without_doubles
from vision.synth.textures import table
from vision.weights import find_weights, list_weights, verify


@pytest.fixture(scope="module")
def reader() -> TableReader:
    return TableReader.packaged()


@pytest.fixture(scope="module")
def felt() -> np.ndarray:
    return table(900_001, SIZE, kind="felt")


def named(found: list[Detection]) -> set[str]:
    return {LABELS[int(d.probs.argmax())] for d in found if d.probs is not None}


def test_the_listed_weights_are_in_order() -> None:
    for weights in list_weights():
        verify(weights)
    assert find_weights("locate").classes == ("face", "back")
    assert find_weights("identify").classes == LABELS


def test_a_table_is_read(reader: TableReader, felt: np.ndarray) -> None:
    found = reader.read(shot(felt, PLACES, back=(200, 380, 3)))
    faces = [detection for detection in found if detection.kind == "face"]
    backs = [detection for detection in found if detection.kind == "back"]
    assert named(faces) == set(PLACES)
    assert len(faces) == len(PLACES)
    for face in faces:
        assert face.probs is not None
        assert face.probs.sum() == pytest.approx(1, abs=0.01)
        x, y, _ = PLACES[LABELS[int(face.probs.argmax())]]
        assert face.quad.mean(axis=0) == pytest.approx((x, y), abs=6)
        assert face.visible > 0.6
    assert len(backs) == 1
    assert backs[0].quad.mean(axis=0) == pytest.approx((200, 380), abs=12)
    assert backs[0].probs is None


class Zooms(Locator):
    """The packaged locator, which remembers how large it was shown the pictures."""

    def locate(self, image: np.ndarray, zoom: float = 1.0, stretch: float = 1.0) -> list[Detection]:
        self.zooms = [*getattr(self, "zooms", []), zoom]
        return super().locate(image, zoom, stretch)


def test_a_film_shows_large_cards_smaller_and_outlines_them_where_they_are(felt: np.ndarray) -> None:
    locator = Zooms(find_weights("locate").path)
    reader = TableReader(locator, Identifier(find_weights("identify").path))
    small = shot(felt, PLACES)  # cards of 130 pixels, 65 in the locator's input
    large = cv2.resize(small[120:480, 320:960], (1280, 720))
    close, far = (
        [frame(reader, picture, t) for t in times] for picture, times in ((large, (0, 1, 2)), (small, (3, 4, 5)))
    )
    assert locator.zooms[0] == 1.0
    assert locator.zooms[2] == pytest.approx(0.5, abs=0.08)
    for name in ("3C", "12E", "1O"):  # the two others are cut by the rim
        x, y, _ = PLACES[name]
        assert close[-1][name].mean(axis=0) == pytest.approx(((x - 320) * 2, (y - 120) * 2), abs=8)
    assert set(far[-1]) == set(PLACES)
    assert reader.observe(Frame(9, 9.0, felt)).sightings == ()
    assert frame(reader, small, 10.0)
    assert locator.zooms[-1] == 1.0, "after an empty table the cards may have any size"


def frame(reader: TableReader, picture: np.ndarray, t: float) -> dict[str, np.ndarray]:
    """The outlines of the faces that one frame at ``t`` shows, by their likeliest label."""
    sightings = reader.observe(Frame(int(t * 10), float(t), picture)).sightings or ()
    return {one.labels[0][0]: np.array(one.quad) for one in sightings if one.labels}


def leaning(quad: np.ndarray, size: tuple[int, int], squeeze: float) -> np.ndarray:
    """Where points of a picture of ``size`` come to lie for a camera that leans: squeezed, and narrower at the top."""
    width, height = size
    top, bottom = height * (1 - squeeze) / 2, height * (1 + squeeze) / 2
    ends = [[0.18 * width, top], [0.82 * width, top], [width, bottom], [0, bottom]]
    whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    to_leaning = cv2.getPerspectiveTransform(whole, np.array(ends, np.float32))
    return cv2.perspectiveTransform(quad[None].astype(np.float32), to_leaning)[0]


@pytest.fixture(scope="module")
def leaned(felt: np.ndarray) -> np.ndarray:
    width, height = SIZE
    whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    turn = cv2.getPerspectiveTransform(whole, leaning(whole, SIZE, 0.55))
    return cv2.warpPerspective(shot(felt, PLACES), turn, SIZE, borderMode=cv2.BORDER_REPLICATE)


def test_a_picture_from_a_leaning_camera_is_read_in_the_true_shape_of_its_cards(
    reader: TableReader, leaned: np.ndarray
) -> None:
    found = reader.read(leaned)
    assert named(found) == set(PLACES)
    for one in found:
        assert one.probs is not None
        x, y, angle = PLACES[LABELS[int(one.probs.argmax())]]
        true = leaning(np.asarray(quad_at(x, y, angle), np.float32), SIZE, 0.55)
        assert iou_matrix(one.quad[None].astype(np.float64), true[None].astype(np.float64))[0, 0] > 0.8


def test_a_film_from_a_leaning_camera_is_read_in_the_true_shape_of_its_cards(leaned: np.ndarray) -> None:
    reader = TableReader.packaged()
    for t in range(6):
        look = reader.observe(Frame(t, float(t), noisy(leaned, t)))
    assert look.sightings is not None
    found = {sighting.labels[0][0]: sighting.quad for sighting in look.sightings if sighting.labels}
    assert set(found) == set(PLACES)
    for name, quad in found.items():
        x, y, angle = PLACES[name]
        true = leaning(np.asarray(quad_at(x, y, angle), np.float32), SIZE, 0.55)
        shared = iou_matrix(np.asarray(quad, np.float64)[None], true[None].astype(np.float64))
        assert shared[0, 0] > 0.8, name


class Backs(Locator):
    """The packaged locator, except that it takes every card for a back."""

    def locate(self, image: np.ndarray, zoom: float = 1.0, stretch: float = 1.0) -> list[Detection]:
        return [replace(found, kind="back") for found in super().locate(image, zoom, stretch)]


def test_a_face_that_is_located_as_a_back_is_a_face_all_the_same(felt: np.ndarray) -> None:
    reader = TableReader(Backs(find_weights("locate").path), Identifier(find_weights("identify").path))
    picture = shot(felt, PLACES, back=(200, 380, 3))
    found = reader.read(picture)
    assert named(found) == set(PLACES)
    assert sum(detection.kind == "back" for detection in found) == 1
    look = reader.observe(Frame(0, 0.0, picture))
    assert look.sightings is not None
    assert {sighting.labels[0][0] for sighting in look.sightings if sighting.labels} == set(PLACES)
    assert sum(sighting.kind == "back" for sighting in look.sightings) == 1


class Gaudy(Identifier):
    """The packaged identifier, except that it sees a face everywhere and does not know which."""

    def classify(self, crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        probs = np.full((len(crops), len(LABELS)), 0.5 / (len(LABELS) - 1), np.float32)
        probs[:, 0] = 0.5
        return probs, np.full(len(crops), 0.9, np.float32)


def test_a_back_in_which_a_face_is_seen_but_none_is_known_stays_a_back(felt: np.ndarray) -> None:
    reader = TableReader(Locator(find_weights("locate").path), Gaudy(find_weights("identify").path))
    look = reader.observe(Frame(0, 0.0, shot(felt, {}, back=(200, 380, 3))))
    assert look.sightings is not None
    assert [sighting.kind for sighting in look.sightings] == ["back"]


class Wide(Locator):
    """The packaged locator, except that its boxes are broad: they touch their neighbours, and may be halves."""

    def locate(self, image: np.ndarray, zoom: float = 1.0, stretch: float = 1.0) -> list[Detection]:
        return [replace(one, quad=self._wide(one.quad)) for one in super().locate(image, zoom, stretch)]

    @staticmethod
    def _wide(quad: np.ndarray) -> np.ndarray:
        across = (quad[1] - quad[0] + quad[2] - quad[3]) / 2
        return quad + np.array([-0.07, 0.07, 0.07, -0.07], np.float32)[:, None] * across


class Misfit(Identifier):
    """The packaged identifier, except that quads fitted to edges tell it nothing, and halves any card for certain."""

    def look(self, crops: np.ndarray) -> Seen:
        seen = super().look(crops)
        if len(crops) % 4:  # one box's halves, one or two; whole cards come in four views
            return replace(seen, probs=np.eye(len(LABELS), dtype=np.float32)[[0] * len(crops)])
        probs = seen.probs.reshape(4, -1, len(LABELS)).copy()  # box and fit, then both upside down
        probs[1::2] = 1 / len(LABELS)
        return replace(seen, probs=probs.reshape(-1, len(LABELS)))


def test_a_card_read_plainly_in_its_box_is_not_the_half_of_another(felt: np.ndarray) -> None:
    """Cards side by side, boxes a little broad, edges that fit badly: seen on a photograph of a whole deck."""
    reader = TableReader(Wide(find_weights("locate").path), Misfit(find_weights("identify").path))
    row = {label: (400.0 + 90 * place, 300.0, 0.0) for place, label in enumerate(("3C", "12E", "7B", "5O"))}
    assert named(reader.read(shot(felt, (), **row))) == set(row)


def test_an_empty_table_has_no_cards(reader: TableReader, felt: np.ndarray) -> None:
    assert reader.read(shot(felt, [])) == []


def test_odd_pictures_are_no_trouble(reader: TableReader) -> None:
    for shape in ((1, 1), (3, 2000), (2000, 3), (720, 1280)):
        assert reader.read(np.zeros((*shape, 3), np.uint8)) == []


def test_a_still_film_is_looked_at_a_few_times_only(reader: TableReader, felt: np.ndarray) -> None:
    reader.reset()
    before = reader.looks
    still = shot(felt, PLACES)
    seen = [reader.observe(Frame(i, i / 8, noisy(still, i))) for i in range(14)]
    assert 2 <= reader.looks - before <= 6
    assert seen[0].motion == 1
    assert all(observation.motion == 0 for observation in seen[1:])
    assert seen[0].sightings is not None
    labels = {sighting.labels[0][0] for sighting in seen[0].sightings if sighting.labels}
    assert labels == set(PLACES)
    assert seen[-1].sightings is None
    assert reader.milliseconds > 0


def test_a_new_card_is_seen_at_once(reader: TableReader, felt: np.ndarray) -> None:
    reader.reset()
    two, three = shot(felt, ["3C", "12E"]), shot(felt, ["3C", "12E", "7B"])
    for i in range(10):
        reader.observe(Frame(i, i / 8, noisy(two, i)))
    looks = [reader.observe(Frame(i, i / 8, noisy(three, i))) for i in range(10, 14)]
    first = next(look for look in looks if look.sightings is not None)
    assert first.frame <= 11
    assert first.sightings is not None
    assert {s.labels[0][0] for s in first.sightings if s.labels} == {"3C", "12E", "7B"}


def test_an_arm_over_the_table_is_told(reader: TableReader, felt: np.ndarray) -> None:
    reader.reset()
    picture = shot(felt, ["3C"])
    for i in range(6):
        assert reader.observe(Frame(i, i / 8, noisy(picture, i))).hand == ()
    cv2.line(picture, (900, 400), (950, 760), (150, 180, 225), 100, cv2.LINE_AA)
    look = reader.observe(Frame(6, 0.75, picture))
    assert look.hand != ()
    assert look.motion > 0.01


def test_the_models_are_not_mistaken_for_each_other() -> None:
    with pytest.raises(ModelError):
        Locator(find_weights("identify").path)
    with pytest.raises(ModelError):
        Identifier(find_weights("locate").path)


def face(label: str, confidence: float, x: float, y: float, top: float = 0.9) -> Detection:
    probs = np.full(48, (1 - top) / 47, np.float32)
    probs[LABELS.index(label)] = top
    return Detection(quad_at(x, y), "face", confidence, probs)


def test_one_card_found_twice_becomes_one_and_half_covered_cards_stay() -> None:
    twice = [face("3C", 0.9, 300, 300), face("3C", 0.6, 310, 320)]
    assert without_doubles(twice) == twice[:1]
    ghost = [face("3C", 0.9, 300, 300), face("11O", 0.4, 305, 330, top=0.2)]
    assert without_doubles(ghost) == ghost[:1]
    pair = [face("3C", 0.9, 300, 300), face("12E", 0.6, 330, 330)]
    assert without_doubles(pair) == pair
    apart = [face("3C", 0.9, 300, 300), face("3C", 0.6, 700, 300)]
    assert without_doubles(apart) == apart


def test_visible_shares_are_bounded_by_the_picture_and_by_cards_on_backs() -> None:
    cut = with_visible([face("3C", 0.9, 0, 300)], (640, 480))
    assert cut[0].visible == pytest.approx(0.5, abs=0.01)
    stock = Detection(quad_at(300, 300), "back", 0.9)
    half = with_visible([stock, face("3C", 0.9, 300, 365)], (640, 480))
    assert half[0].visible == pytest.approx(0.5, abs=0.01)
    assert with_visible([], (640, 480)) == []


def test_an_empty_table_is_watched_without_a_card(reader: TableReader, felt: np.ndarray) -> None:
    reader.reset()
    assert reader.observe(Frame(0, 0.0, felt)).sightings == ()
