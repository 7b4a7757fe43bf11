import cv2
import numpy as np
import pytest

from vision.labels import LABELS
from vision.synth.compose import COVERED, THICKNESS_MM, Camera, Canvas, Light, Placement
from vision.synth.decks import PictureDeck, round_corners
from vision.synth.effects import CALM
from vision.synth.hands import hand
from vision.synth.scene import LAYOUTS, MIN_VISIBLE, still

SIZE = (320, 180)


def plain_deck(name: str = "plain") -> PictureDeck:
    def face(number: int) -> np.ndarray:
        art = np.full((95, 62, 3), 235, np.uint8)
        cv2.putText(art, str(number), (6, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (30, 30, 160), 2)
        return round_corners(art, 4.0)

    faces = {label: (lambda number=number: face(number)) for number, label in enumerate(LABELS)}
    return PictureDeck(name, faces, lambda: round_corners(np.full((95, 62, 3), (160, 60, 30), np.uint8), 4.0))


def bare_canvas(tilt: float = 0.0, px_per_mm: float = 2.0) -> Canvas:
    camera = Camera.look((400, 400), px_per_mm, tilt=tilt)
    return Canvas(np.full((400, 400, 3), 60, np.uint8), camera, Light(dark=0.0))


def test_a_camera_from_above_keeps_millimetres() -> None:
    camera = Camera.look((400, 300), 2.0)
    pixels = camera.project(np.array([(0.0, 0.0), (10.0, 0.0), (0.0, 10.0)]))
    assert np.allclose(pixels, [(200, 150), (220, 150), (200, 170)])
    assert camera.scale_at((30.0, -20.0)) == pytest.approx(2.0)


@pytest.mark.parametrize("tilt", [0.0, 20.0, 45.0])
def test_projecting_back_gives_the_point(tilt: float) -> None:
    camera = Camera.look((640, 360), 1.5, tilt=tilt, roll=4.0, turn=95.0)
    points = np.array([(0.0, 0.0), (-120.0, 60.0), (90.0, -80.0)])
    assert np.allclose(camera.unproject(camera.project(points)), points, atol=1e-6)


def test_a_tilted_camera_sees_far_cards_smaller_and_knows_the_horizon() -> None:
    camera = Camera.look((640, 360), 1.5, tilt=45.0)
    assert camera.scale_at((0.0, -200.0)) < camera.scale_at((0.0, 0.0)) < camera.scale_at((0.0, 100.0))
    assert np.isnan(camera.unproject(np.array([(320.0, -5000.0)]))).all()


def test_a_card_lies_where_its_quad_says() -> None:
    canvas = bare_canvas(tilt=25.0)
    deck = plain_deck()
    laid = canvas.lay_card(deck.back(), Placement(10.0, -20.0, 33.0))
    mask = np.zeros((400, 400), np.uint8)
    cv2.fillConvexPoly(mask, np.round(laid.quad).astype(np.int32), 255)
    owned = canvas.owner == 0
    agree = (owned & (mask > 0)).sum() / (owned | (mask > 0)).sum()
    assert agree > 0.97
    assert canvas.image[owned].mean(0) == pytest.approx((160, 60, 30), abs=6)


def test_corners_start_at_the_top_left_of_the_upright_card() -> None:
    canvas = bare_canvas()
    upright = canvas.lay_card(plain_deck().back(), Placement(0.0, 0.0, 0.0)).quad
    turned = canvas.lay_card(plain_deck().back(), Placement(0.0, 0.0, 90.0)).quad
    assert upright[0][0] < upright[1][0]
    assert upright[0][1] < upright[3][1]
    assert turned[0][0] > turned[3][0], "clockwise: the top edge of the card looks right"
    short, long = np.linalg.norm(upright[1] - upright[0]), np.linalg.norm(upright[2] - upright[1])
    assert long / short == pytest.approx(95 / 61.5, rel=0.01)


@pytest.mark.parametrize("shift", [0.0, 30.0, 47.5, 80.0])
def test_the_visible_share_is_what_the_upper_card_leaves(shift: float) -> None:
    canvas = bare_canvas(px_per_mm=1.5)
    canvas.lay_card(plain_deck().back(), Placement(0.0, 0.0, 0.0))
    canvas.lay_card(plain_deck().back(), Placement(0.0, shift, 0.0))
    under, over = canvas.visible()
    assert over > 0.985
    assert under == pytest.approx(shift / 95, abs=0.02)


def test_what_lies_outside_the_picture_is_not_visible() -> None:
    canvas = bare_canvas()
    canvas.lay_card(plain_deck().back(), Placement(-100.0, 0.0, 0.0))
    assert canvas.visible()[0] == pytest.approx(0.5, abs=0.03)
    canvas.lay_card(plain_deck().back(), Placement(900.0, 0.0, 0.0))
    assert canvas.visible()[1] == 0.0


def test_a_pile_owns_its_top_only_and_rises() -> None:
    canvas = bare_canvas(tilt=40.0, px_per_mm=2.0)
    top = canvas.lay_stack(np.random.default_rng(1), plain_deck().back(), Placement(0.0, 0.0, 0.0), 40)
    flat = canvas.camera.project(Placement(0.0, 0.0, 0.0).corners(), THICKNESS_MM)
    assert len(canvas.laid) == 1
    assert top.quad[:, 1].mean() < flat[:, 1].mean() - 5, (
        "a high pile is nearer to the camera, so higher in the picture"
    )
    assert set(np.unique(canvas.owner)) == {COVERED, 0}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_sound_truth(layout: str) -> None:
    deck = plain_deck()
    seen = 0
    for seed in range(4):
        scene = still(seed, [deck], SIZE, layout=layout)
        assert scene.image.shape == (180, 320, 3)
        assert scene.image.dtype == np.uint8
        assert scene.layout == layout
        for card in scene.cards:
            assert card.label is None or card.label in LABELS
            assert MIN_VISIBLE <= card.visible <= 1.0
            assert card.quad.shape == (4, 2)
            assert cv2.isContourConvex(card.quad)
            assert cv2.contourArea(card.quad, oriented=True) > 0, "clockwise on the screen"
        seen += len(scene.cards)
    assert (seen == 0) == (layout == "bare")


def test_a_scene_is_the_same_for_the_same_seed() -> None:
    deck = plain_deck()
    one, two, other = (still(seed, [deck], SIZE) for seed in (11, 11, 12))
    assert np.array_equal(one.image, two.image)
    assert [card.label for card in one.cards] == [card.label for card in two.cards]
    assert not np.array_equal(one.image, other.image)


def test_no_face_lies_twice_on_a_table_of_one_deck() -> None:
    for seed in range(8):
        scene = still(seed, [plain_deck()], SIZE, layout="game")
        faces = [card.label for card in scene.cards if card.label]
        if len(scene.decks) == 1:
            assert len(faces) == len(set(faces))


def test_held_out_scenes_stand_on_other_tables() -> None:
    train = still(21, [plain_deck()], SIZE, layout="bare", level=CALM)
    held = still(21, [plain_deck()], SIZE, layout="bare", level=CALM, held_out=True)
    assert not np.array_equal(train.image, held.image)


def test_a_trump_half_under_the_stock_keeps_its_whole_quad() -> None:
    deck, covered = plain_deck(), 0
    for seed in range(16):
        scene = still(seed, [deck], SIZE, layout="game")
        for card in scene.cards:
            long = np.linalg.norm(card.quad[2] - card.quad[1]) / np.linalg.norm(card.quad[1] - card.quad[0])
            if card.label and card.visible < 0.75 and 1.2 < long < 2.0:
                covered += 1
    assert covered >= 4


def test_no_deck_and_no_layout_are_said() -> None:
    with pytest.raises(ValueError, match="at least one deck"):
        still(1, [])
    with pytest.raises(ValueError, match="choose one of game"):
        still(1, [plain_deck()], layout="chess")


def test_a_hand_and_a_thing_take_from_the_visible_share() -> None:
    canvas = bare_canvas()
    canvas.lay_card(plain_deck().back(), Placement(0.0, 0.0, 0.0))
    whole = canvas.visible()[0]
    coaster = np.full((40, 40, 4), 255, np.uint8)
    canvas.lay_sprite(coaster, 1.0, (0.0, 0.0), 0.0)
    assert canvas.visible()[0] == pytest.approx(whole - 1600 / (61.5 * 95), abs=0.02)
    before = canvas.visible()[0]
    canvas.lay_hand(hand(3, "flat", 1.0), (0.0, 20.0), (0.0, -1.0))
    assert canvas.visible()[0] < before - 0.1


def test_worn_cards_are_darker_in_their_own_way() -> None:
    def drawn(wear: float, seed: int) -> np.ndarray:
        canvas = bare_canvas()
        canvas.lay_card(plain_deck().back(), Placement(0.0, 0.0, 0.0, wear=wear, wear_seed=seed))
        return canvas.image

    new, worn = drawn(0.0, 1), drawn(1.0, 1)
    assert worn.mean() < new.mean() - 0.5
    assert np.array_equal(worn, drawn(1.0, 1))
    assert not np.array_equal(worn, drawn(1.0, 2))


def test_a_card_held_up_looks_bigger_and_throws_its_shadow_aside() -> None:
    camera = Camera.look((400, 400), 2.0)
    canvas = Canvas(np.full((400, 400, 3), 200, np.uint8), camera, Light((1.0, 0.0), 0.6, 0.3))
    flat = canvas.lay_card(plain_deck().back(), Placement(0.0, 0.0, 0.0))
    canvas.image[:] = 200
    held = canvas.lay_card(plain_deck().back(), Placement(0.0, 0.0, 0.0, z=30.0, lift=30.0))
    assert cv2.contourArea(held.quad) > 1.05 * cv2.contourArea(flat.quad)
    right, left = canvas.image[200, 285:300].mean(), canvas.image[200, 100:115].mean()
    assert right < left - 20
