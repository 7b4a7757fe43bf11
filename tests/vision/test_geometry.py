"""Calibration by cards alone, against a camera of which everything is known."""

import math

import cv2
import numpy as np
import pytest

from vision.facts import Quad
from vision.geometry import TableGeometry
from vision.labels import CARD_MM

SIZE = (1280, 720)


def camera(tilt: float, turn: float = 0.0, focal: float = 1.0, distance: float = 900.0) -> np.ndarray:
    """Table millimetres -> pixels for a camera that looks at the origin from ``tilt`` degrees off the plumb line."""
    a, b = math.radians(tilt), math.radians(turn)
    about_x = np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])
    about_z = np.array([[math.cos(b), -math.sin(b), 0], [math.sin(b), math.cos(b), 0], [0, 0, 1]])
    spanned = np.column_stack([(about_x @ about_z)[:, :2], [0, 0, distance]])
    inner = np.array([[focal * SIZE[0], 0, SIZE[0] / 2], [0, focal * SIZE[0], SIZE[1] / 2], [0, 0, 1]])
    return inner @ spanned


def card(
    view: np.ndarray, x: float, y: float, turn: float, boxed: bool, noise: float, rng: np.random.Generator
) -> Quad:
    """A card on the table as it is found in the picture: its true outline, or the oriented box around it."""
    w, h = CARD_MM[0] / 2, CARD_MM[1] / 2
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) @ np.array([[c, s], [-s, c]]) + (x, y)
    flat = np.column_stack([corners, np.ones(4)]) @ view.T
    quad = flat[:, :2] / flat[:, 2:]
    if boxed:
        box = cv2.boxPoints(cv2.minAreaRect(quad.astype(np.float32)))
        first = int(np.linalg.norm(box[0] - box[1]) > np.linalg.norm(box[1] - box[2]))
        quad = np.roll(box, first, axis=0).astype(np.float64)
    quad = quad + rng.normal(0, noise, (4, 2))
    a, b, c_, d = ((round(float(px), 1), round(float(py), 1)) for px, py in quad)
    return a, b, c_, d


def learn(view: np.ndarray, count: int, *, boxed: bool, noise: float, seed: int = 1) -> TableGeometry:
    rng = np.random.default_rng(seed)
    geometry = TableGeometry(SIZE)
    for _ in range(count):
        x, y = rng.uniform(-260, 260), rng.uniform(-130, 130)
        geometry.add(card(view, x, y, rng.uniform(0, 180), boxed, noise, rng))
    return geometry


def worst_length(geometry: TableGeometry, view: np.ndarray) -> float:
    """Largest relative error of distances of 100 mm all over the middle of the table."""
    plane = geometry.plane
    assert plane is not None
    worst = 0.0
    for x in (-200, 0, 200):
        for y in (-100, 0, 100):
            for dx, dy in ((100, 0), (0, 100)):
                ends = [view @ (x, y, 1), view @ (x + dx, y + dy, 1)]
                mm = [plane.point((p[0] / p[2], p[1] / p[2])) for p in ends]
                assert mm[0] is not None
                assert mm[1] is not None
                worst = max(worst, abs(math.dist(mm[0], mm[1]) / 100 - 1))
    return worst


@pytest.mark.parametrize(("tilt", "turn"), [(0, 0), (20, 10), (45, -20)])
def test_true_outlines_give_the_plane(tilt: float, turn: float) -> None:
    view = camera(tilt, turn)
    geometry = learn(view, 16, boxed=False, noise=0.4)
    assert worst_length(geometry, view) < 0.05
    assert geometry.plane is not None
    assert geometry.plane.tilt == pytest.approx(tilt, abs=6)


@pytest.mark.parametrize(("tilt", "most"), [(0, 0.06), (25, 0.10), (40, 0.2)])
def test_oriented_boxes_give_it_nearly(tilt: float, most: float) -> None:
    view = camera(tilt)
    geometry = learn(view, 24, boxed=True, noise=1.0)
    assert worst_length(geometry, view) < most


def test_a_few_wrong_outlines_do_no_harm() -> None:
    view = camera(20)
    geometry = learn(view, 14, boxed=False, noise=0.4)
    before = worst_length(geometry, view)
    rng = np.random.default_rng(9)
    for _ in range(2):
        quad = np.array(card(view, 0, 0, 30, False, 0, rng))
        wrong = (quad - quad.mean(axis=0)) * 1.8 + quad.mean(axis=0)
        geometry.add(tuple(tuple(map(float, point)) for point in wrong))  # type: ignore[arg-type]
    assert worst_length(geometry, view) < before + 0.04


def test_one_card_gives_the_scale() -> None:
    geometry = learn(camera(0), 1, boxed=False, noise=0.0)
    assert geometry.plane is not None
    assert geometry.plane.cards == 1
    assert worst_length(geometry, camera(0)) < 0.02


def test_the_size_of_a_card_tells_whether_it_lies() -> None:
    view = camera(30)
    geometry = learn(view, 16, boxed=False, noise=0.3)
    plane = geometry.plane
    assert plane is not None
    rng = np.random.default_rng(2)
    lying = card(view, 100, 60, 40, False, 0.0, rng)
    assert plane.size_ratio(lying) == pytest.approx(1, abs=0.05)
    middle = np.mean(lying, axis=0)
    held = tuple(tuple((np.array(point) - middle) * 1.5 + middle) for point in lying)
    assert (plane.size_ratio(held) or 0) > 1.35  # type: ignore[arg-type]


def test_the_same_cards_give_the_same_plane_and_reset_forgets() -> None:
    view = camera(25, 8)
    first, second = (learn(view, 9, boxed=True, noise=1.0) for _ in range(2))
    assert first.plane == second.plane
    first.reset()
    assert first.plane is None


def test_beyond_the_horizon_is_nowhere() -> None:
    geometry = learn(camera(60, focal=0.8), 12, boxed=False, noise=0.2)
    assert geometry.plane is not None
    assert geometry.plane.point((640.0, -4000.0)) is None or geometry.plane.point((640.0, 4000.0)) is None


@pytest.mark.parametrize("tilt", [-40.0, 40.0])
@pytest.mark.parametrize("seed", range(6))
def test_cards_of_one_player_leave_it_open_whither_the_table_leans_and_the_first_one_elsewhere_settles_it(
    tilt: float, seed: int
) -> None:
    view, rng = camera(tilt), np.random.default_rng(seed)
    geometry = TableGeometry(SIZE)
    for _ in range(6):
        geometry.add(card(view, rng.normal(0, 10), -60 + rng.normal(0, 8), rng.normal(0, 12), False, 0.7, rng))
    for _ in range(3):
        geometry.add(card(view, rng.normal(0, 10), 60 + rng.normal(0, 8), rng.normal(0, 12), False, 0.7, rng))
    near = card(view, 20, 70, 5, False, 0.0, rng)
    assert geometry.plane is not None
    ratio = geometry.plane.size_ratio(near)
    assert ratio is not None
    assert 0.93 < ratio < 1.07
