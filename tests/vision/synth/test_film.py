"""Films: what the truth says is what the pixels show, when it says so."""

import math
from itertools import combinations, permutations
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.labels import LABELS
from vision.synth.decks import PictureDeck, round_corners
from vision.synth.film import Film, FilmSettings
from vision.synth.film_actions import Bump, Draw, Exchange, Gather, PlaceStock, Play, ShowTrump, TableAction, TakeTrump
from vision.synth.film_camera import Pose, Viewpoint, fit_camera
from vision.synth.film_file import FilmFileError
from vision.synth.film_level import LEVEL_TABLE
from vision.synth.film_light import make_light
from vision.synth.film_plan import FilmError, Moving
from vision.synth.film_sprites import SpriteBook
from vision.synth.film_stage import MIDDLE, STOCK, Stage, lying_card, lying_stack
from vision.synth.film_table import build_layout
from vision.synth.film_truth import frame_truth

SIZE = (640, 360)
MAGENTA = (230, 20, 230)
GREEN = (20, 220, 20)


def coloured(colour: tuple[int, int, int]) -> np.ndarray:
    return round_corners(np.full((190, 123, 3), colour, np.uint8), 4.0)


def plain_deck() -> PictureDeck:
    """Every face magenta, every back green: no table and no hand has these colours."""
    return PictureDeck("plain", {label: (lambda: coloured(MAGENTA)) for label in LABELS}, lambda: coloured(GREEN))


def game() -> tuple[TableAction, ...]:
    return (
        PlaceStock(0.0, 6),
        ShowTrump(0.2, "north", "4O", 1.2),
        Play(1.6, "south", "3C", 1.0),
        Play(2.6, "north", "12C", 1.0),
        Gather(4.2, "north", 1.6),
        Exchange(5.8, "north", "2O", 2.4),
        Draw(8.3, "north", 0.8),
        Draw(9.2, "south", 0.8),
    )


def settings(level: str = "easy", **more: object) -> FilmSettings:
    values: dict[str, object] = {"level": level, "size": SIZE, "fps": 10.0, "seed": 900_001, "table_kind": "wood"}
    return FilmSettings(plain_deck(), **(values | more))  # type: ignore[arg-type]


def is_face(pixel: np.ndarray) -> bool:
    b, g, r = (int(v) for v in pixel)
    return min(b, r) > g + 40


def is_back(pixel: np.ndarray) -> bool:
    b, g, r = (int(v) for v in pixel)
    return g > max(b, r) + 40


def inside(quad: tuple[tuple[float, float], ...], share: float) -> list[tuple[int, int]]:
    """The quad's corners pulled towards its middle (share < 1) or pushed out (share > 1), as pixels."""
    points = np.array(quad)
    middle = points.mean(axis=0)
    return [(round(float(x)), round(float(y))) for x, y in middle + (points - middle) * share]


@pytest.fixture(scope="module")
def frames() -> tuple[Film, list[np.ndarray]]:
    film = Film(game(), settings())
    return film, list(film.frames())


def test_cards_lie_where_and_when_the_truth_says(frames: tuple[Film, list[np.ndarray]]) -> None:
    film, pictures = frames
    plays = [action for action in game() if isinstance(action, Play)]
    boxes = {truth.frame: truth for truth in film.truth().boxes}
    for play in plays:
        truth = boxes[math.ceil(play.rest * 10)]
        (card,) = [card for card in truth.cards if card.label == play.label]
        assert not card.moving
        # the hand has left half a second later
        later = pictures[math.ceil(play.rest * 10) + 5]
        for x, y in inside(card.quad, 0.85):
            assert is_face(later[y, x])
        for x, y in inside(card.quad, 1.25):
            assert not is_face(later[y, x])
        before = pictures[math.floor(play.t * 10)]
        assert not any(is_face(before[y, x]) for x, y in inside(card.quad, 0.85))


def test_a_gathered_trick_is_gone_and_lies_face_down_at_the_winner(frames: tuple[Film, list[np.ndarray]]) -> None:
    film, pictures = frames
    gather = next(action for action in game() if isinstance(action, Gather))
    truth = next(t for t in film.truth().boxes if t.frame == math.ceil(gather.rest * 10))
    assert [card.label for card in truth.cards if card.label] == ["4O"]
    stock, pile = sorted((card for card in truth.cards if card.label is None), key=lambda card: -card.count)
    assert (stock.count, pile.count) == (6, 2)
    assert np.mean(np.array(pile.quad)[:, 1]) < SIZE[1] / 2, "north gathers to the top of the picture"
    later = pictures[math.ceil((gather.t + gather.duration) * 10)]
    assert all(is_back(later[y, x]) for x, y in inside(pile.quad, 0.8))


def test_gathered_cards_turn_over_on_their_way(frames: tuple[Film, list[np.ndarray]]) -> None:
    """turn_over: faces while they are pulled together, backs when they come down on the pile."""
    film, _ = frames
    gather = next(action for action in game() if isinstance(action, Gather))

    def cards(t: float) -> list[str]:
        pieces = [piece for track in film.plan.tracks if track.start <= t < track.end for piece in track.pieces(t)]
        return sorted(piece.key for piece in pieces if not piece.key.startswith("hand"))

    assert cards(gather.swept) == ["face:12C", "face:3C"]
    assert cards(gather.rest - 0.1) == ["back", "back"]
    assert cards(gather.rest + 0.01) == []


def test_the_face_up_card_changes_with_the_exchange(frames: tuple[Film, list[np.ndarray]]) -> None:
    film, _ = frames
    swap = next(action for action in game() if isinstance(action, Exchange))
    lying = {
        truth.frame: [card.label for card in truth.cards if card.label and not card.moving]
        for truth in film.truth().boxes
    }
    assert lying[math.ceil(swap.rest * 10)] == ["2O"]
    between = [labels for frame, labels in lying.items() if swap.lift + 0.1 < frame / 10 < swap.rest]
    assert between
    assert all(labels == [] for labels in between)
    assert all("2O" not in labels for frame, labels in lying.items() if frame / 10 < swap.rest)


def test_drawing_thins_the_stock(frames: tuple[Film, list[np.ndarray]]) -> None:
    film, _ = frames
    last = film.truth().boxes[-1]
    assert sorted(card.count for card in last.cards if card.label is None) == [2, 4]


def test_the_file_can_be_read_and_has_every_frame(tmp_path: Path) -> None:
    film = Film((PlaceStock(0.0, 5), Play(0.2, "south", "7B", 1.0)), settings())
    told: list[int] = []
    truth = film.write(tmp_path / "film.mp4", lambda done, total: told.append(total - done))
    capture = cv2.VideoCapture(str(tmp_path / "film.mp4"))
    count = 0
    while True:
        there, picture = capture.read()
        if not there:
            break
        assert picture.shape == (SIZE[1], SIZE[0], 3)
        count += 1
    assert capture.get(cv2.CAP_PROP_FPS) == 10
    capture.release()
    assert count == truth.frames == len(told)
    assert told[-1] == 0


def test_the_same_seed_gives_the_same_frames_and_another_one_others() -> None:
    actions = (PlaceStock(0.0, 5), Play(0.1, "south", "7B", 0.8))
    first, again, other = (
        [picture for picture, _ in zip(Film(actions, settings("medium", seed=seed)).frames(), range(8), strict=False)]
        for seed in (900_001, 900_001, 900_002)
    )
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[-1], other[-1])


def test_after_a_knock_the_truth_follows_the_camera() -> None:
    actions = (PlaceStock(0.0, 5), Play(0.1, "south", "7B", 0.8), Bump(1.2, 0.5))
    film = Film(actions, settings())
    pictures = list(film.frames())
    truth = film.truth()
    (_, before), (since, after) = truth.views
    assert since == pytest.approx(1.7, abs=0.11)
    assert not np.allclose(before, after)
    last = truth.boxes[-1]
    (card,) = [card for card in last.cards if card.label]
    assert all(is_face(pictures[last.frame][y, x]) for x, y in inside(card.quad, 0.88))
    assert not any(is_face(pictures[last.frame][y, x]) for x, y in inside(card.quad, 1.2))


def test_a_card_half_under_another_is_half_visible() -> None:
    camera = fit_camera(Viewpoint(30), np.array([[-150.0, -100], [150, 100]]), SIZE)
    book = SpriteBook(plain_deck(), camera.scale)
    light = make_light(SIZE, LEVEL_TABLE["easy"], np.random.default_rng(1))
    stage = Stage(camera, light, book, np.full((400, 600, 3), 90, np.uint8), 1.0)
    stage.put(lying_card("a", "3C", Pose(0, 0), MIDDLE))
    stage.put(lying_card("b", "4C", Pose(61.5 / 2, 0), MIDDLE))
    stage.put(lying_stack("s", STOCK, ((Pose(-140, 0), 10),), 0.3))
    covered = frame_truth(0, 0.0, stage, book, [])
    visible = {card.label: card.visible for card in covered.cards}
    assert visible["3C"] == pytest.approx(0.5, abs=0.04)
    assert visible["4C"] == pytest.approx(1.0, abs=0.04)
    hidden = frame_truth(0, 0.0, stage, book, [Moving("back", Pose(61.5 / 2, 0, 1.0))])
    assert {card.label: card.visible for card in hidden.cards}["4C"] < 0.06


@pytest.mark.parametrize("level", ["medium", "hard"])
def test_a_trump_under_the_stock_is_partly_visible(level: str) -> None:
    for seed in range(900_000, 900_012):
        layout = build_layout(("south", "north"), LEVEL_TABLE[level], np.random.default_rng(seed))
        if not layout.under_stock:
            continue
        film = Film((PlaceStock(0, 20), ShowTrump(0, "north", "5E", 0.4)), settings(level, seed=seed, fps=4.0))
        if not film.layout.under_stock:
            continue
        assert sum(1 for _ in film.frames()) == film.frame_count
        (card,) = [card for card in film.truth().boxes[-1].cards if card.label]
        assert 0.3 < card.visible < 0.85
        return
    pytest.fail("no seed put the trump card under the stock")


SIX = ("south", "southeast", "northeast", "north", "northwest", "southwest")


@pytest.mark.parametrize(
    "sides", [("south", "north"), ("south", "east", "west"), ("south", "east", "north", "west"), SIX]
)
@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_everything_lies_within_the_picture(sides: tuple[str, ...], level: str) -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        layout = build_layout(sides, LEVEL_TABLE[level], rng)  # type: ignore[arg-type]
        camera = fit_camera(Viewpoint(LEVEL_TABLE[level].tilt[1], 10, 4), layout.extent(), SIZE)
        flat = np.column_stack([layout.extent(), np.zeros(len(layout.extent()))])
        seen = camera.pixels(flat)
        assert (seen >= 0).all()
        assert (seen <= SIZE).all()
        assert np.allclose(camera.table_points(seen), layout.extent(), atol=1e-6)


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_nobody_plays_onto_the_face_up_card_wherever_two_people_sit(level: str) -> None:
    for sides in permutations(("south", "east", "north", "west"), 2):
        for seed in range(5):
            layout = build_layout(sides, LEVEL_TABLE[level], np.random.default_rng(seed))  # type: ignore[arg-type]
            for play in layout.plays.values():
                assert math.hypot(play.x - layout.trump.x, play.y - layout.trump.y) > 85


def test_the_camera_walks_round_the_table() -> None:
    """From the south-west the south of the table lies at the lower right of the picture."""
    for turn, right in ((40.0, 1), (-40.0, -1)):
        film = Film((Play(0.0, "south", "3C", 0.6),), settings(turn=turn))
        u, v = film.camera.pixels(np.array([[0.0, 60.0, 0.0], [0.0, 0.0, 0.0]]))
        assert (u - v)[1] > 10
        assert (u - v)[0] * right > 10


def test_six_people_find_room_for_their_cards_beside_each_other() -> None:
    for seed in range(5):
        layout = build_layout(SIX, LEVEL_TABLE["easy"], np.random.default_rng(seed))  # type: ignore[arg-type]
        middles = [(pose.x, pose.y) for pose in (*layout.plays.values(), layout.trump, layout.stock)]
        assert min(math.dist(one, other) for one, other in combinations(middles, 2)) > 70
        assert min(math.dist(one, other) for one, other in combinations(middles[:-2], 2)) > 100


def test_sides_that_leave_no_room_for_the_stock() -> None:
    with pytest.raises(FilmError, match="take other sides"):
        build_layout(("southeast", "west"), LEVEL_TABLE["easy"], np.random.default_rng(1))
    with pytest.raises(FilmError, match="two or more"):
        build_layout(("south",), LEVEL_TABLE["easy"], np.random.default_rng(1))


@pytest.mark.parametrize(
    ("actions", "says"),
    [
        ((Gather(0.0, "south"),), "gathered only after"),
        ((Play(0.0, "south", "3C"), Gather(0.0, "south")), "gathered only after"),
        ((PlaceStock(0.0, 1), Draw(0.0, "south"), Draw(2.0, "north")), "stock is empty"),
        ((Exchange(0.0, "south", "7O"),), "no face-up card"),
        ((TakeTrump(0.0, "south"),), "no face-up card"),
        ((Play(0.0, "east", "3C"),), "Nobody sits at the east"),
    ],
)
def test_actions_that_the_table_does_not_allow(actions: tuple[TableAction, ...], says: str) -> None:
    with pytest.raises(FilmError, match=says):
        Film(actions, settings())


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"level": "cruel"}, "level"),
        ({"size": (641, 360)}, "even width"),
        ({"fps": 0.0}, "frames a second"),
        ({"tilt": 70.0}, "leans"),
        ({"turn": 90.0}, "round the table"),
    ],
)
def test_settings_that_make_no_film(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(FilmError, match=says):
        settings(**wrong)  # type: ignore[arg-type]


def test_a_film_that_cannot_be_written(tmp_path: Path) -> None:
    film = Film((PlaceStock(0.0, 5),), settings())
    with pytest.raises(FilmError, match="does not exist"):
        film.write(tmp_path / "nowhere" / "film.mp4")
    with pytest.raises(FilmFileError, match="cannot be written"):
        film.write(tmp_path)
