"""The parts of drawn cards: layouts, numerals, the pen, wear."""

import numpy as np
import pytest

from vision.synth.art.curves import box, ellipse, tube
from vision.synth.art.dice import Dice
from vision.synth.art.frame import FrameStyle, draw_frame, gap_centres
from vision.synth.art.glyphs import DigitStyle, digit_outlines, number_outlines, random_digits
from vision.synth.art.layouts import ROUND_LAYOUTS, SCHOOLS, place_round, stick_layout, stick_room
from vision.synth.art.own import OWN_STYLE
from vision.synth.art.paper import PaperStyle, wear
from vision.synth.art.pen import Pen, Print
from vision.synth.art.schools import random_style


def new_pen(height: int = 190, ink: Print | None = None) -> Pen:
    return Pen((61.5, 95.0), height, (250, 250, 250), ink or Print())


@pytest.mark.parametrize("rank", range(2, 10))
def test_layouts_hold_as_many_pips_as_the_rank_says(rank: int) -> None:
    assert all(len(grid) == len(set(grid)) == rank for grid in ROUND_LAYOUTS[rank])
    for seed, school in enumerate(SCHOOLS):
        for crossing in (False, True):
            dice = Dice(np.random.default_rng(seed))
            assert len(stick_layout(rank, dice, school, True, crossing)) == rank
    for layout in OWN_STYLE.round_pips.values():
        assert len(layout.grids[rank]) == rank
    for sticks in OWN_STYLE.stick_pips.values():
        assert len(sticks.sticks[rank]) == rank


@pytest.mark.parametrize("rank", range(2, 10))
def test_round_pips_neither_overlap_nor_leave_the_card(rank: int) -> None:
    for grid in ROUND_LAYOUTS[rank]:
        scale, centres = place_round(grid, (45.0, 75.0), (2.0, 2.0), 1.0, 12.0)
        assert scale > 3
        assert (centres > scale - 1e-6).all()
        assert (centres < np.array((45.0, 75.0)) - scale + 1e-6).all()
        apart = np.hypot(*(centres[:, None] - centres[None]).transpose(2, 0, 1)) + 1e3 * np.eye(rank)
        assert apart.min() >= 2 * scale


def test_sticks_in_a_row_keep_clear_of_each_other() -> None:
    sticks = OWN_STYLE.stick_pips["E"].sticks[8]
    for (length, width), stick in zip(stick_room(sticks, (45.0, 75.0)), sticks, strict=True):
        assert length <= 75 * stick.length + 1e-6
        assert width <= 45 / 3 * 0.9


def raster(digit: str, style: DigitStyle) -> np.ndarray:
    pen = Pen((10.0, 16.0), 64, (255, 255, 255), Print())
    with pen.at(1, 2, 12):
        for outline in digit_outlines(digit, style):
            pen.fill(outline, (0, 0, 0))
    return pen.picture()[:, :, 0].astype(float)


@pytest.mark.parametrize("seed", range(6))
def test_digits_of_a_family_can_be_told_apart(seed: int) -> None:
    style = random_digits(Dice(np.random.default_rng(seed)))
    drawn = [raster(str(digit), style) for digit in range(10)]
    assert all((picture < 128).mean() > 0.02 for picture in drawn)
    for a in range(10):
        for b in range(a):
            assert np.abs(drawn[a] - drawn[b]).mean() > 4


def test_numbers_are_set_from_left_to_right() -> None:
    one, wide_one = number_outlines("1", DigitStyle())
    twelve, wide_twelve = number_outlines("12", DigitStyle())
    assert len(twelve) > len(one)
    assert wide_twelve > wide_one > 0
    assert min(outline[:, 0].min() for outline in twelve) == pytest.approx(0)
    assert max(outline[:, 0].max() for outline in twelve) == pytest.approx(wide_twelve)
    with pytest.raises(ValueError, match="'x'"):
        digit_outlines("x", DigitStyle())


@pytest.mark.parametrize(("suit", "count"), [("O", 0), ("C", 1), ("E", 2), ("B", 3)])
def test_the_frame_has_the_suits_gaps_in_both_lines(suit: str, count: int) -> None:
    assert len(gap_centres(suit)) == count
    pen = new_pen(950)
    draw_frame(pen, FrameStyle(margin=(5.0, 5.0), width=0.8), suit)
    for y in (50, 899):
        dark = pen.picture()[y, 60:-60, 0] < 128
        assert np.count_nonzero(np.diff(dark.astype(int)) == 1) == count
    sides = pen.picture()[100:-100, 50, 0]
    assert (sides < 128).all()


def test_the_pen_fills_in_millimetres() -> None:
    pen = new_pen(950, Print(shading="flat", outlined=False))
    with pen.at(30, 50, 2, 90):
        pen.shape(box(-5, -1, 5, 1), (10, 20, 30))
    filled = pen.picture()[:, :, 0] < 130
    ys, xs = np.nonzero(filled)
    # Ten by two, doubled and turned: 4 mm wide and 20 mm tall around (30, 50), ten pixels to the millimetre.
    assert (np.ptp(xs), np.ptp(ys)) == (pytest.approx(40, abs=2), pytest.approx(200, abs=2))
    assert (xs.mean(), ys.mean()) == (pytest.approx(300, abs=1), pytest.approx(500, abs=1))
    assert tuple(pen.picture()[500, 300]) == (10, 20, 30)
    assert tuple(pen.picture()[500, 330]) == (250, 250, 250)


def test_colours_may_lie_beside_the_outline() -> None:
    centres = []
    for off in (0.0, 1.0):
        pen = new_pen(190, Print(shading="flat", outlined=False, misregistration=(off, 0.0)))
        pen.shape(ellipse(30, 50, 8), (0, 0, 0))
        centres.append(float(np.nonzero(pen.picture()[:, :, 0] < 128)[1].mean()))
    assert centres[1] - centres[0] == pytest.approx(2.0, abs=0.1)


def test_a_double_headed_card_reads_the_same_upside_down() -> None:
    pen = new_pen()
    pen.shape(ellipse(20, 20, 8), (0, 0, 200))
    pen.mirror_top()
    picture = pen.picture()
    assert (picture == picture[::-1, ::-1]).all()
    assert tuple(picture[150, 83]) != (250, 250, 250)


def test_tubes_have_the_asked_width() -> None:
    outline = tube([(0, 0), (0, 5), (0, 10)], 2.0)
    assert outline[:, 0].min() == pytest.approx(-1)
    assert outline[:, 0].max() == pytest.approx(1)


def test_wear_leaves_new_paper_alone_and_marks_used_paper() -> None:
    picture = np.full((200, 130, 3), 240, np.uint8)
    assert wear(picture, PaperStyle(), (1,)) is picture
    used = PaperStyle(yellow=0.3, stains=0.2, scratches=4, worn=0.4, halftone=0.1, fibre=3.0, fade=0.1)
    worn = wear(picture, used, (1, 2))
    assert worn.dtype == np.uint8
    assert (worn == wear(picture, used, (1, 2))).all()
    assert (worn != wear(picture, used, (1, 3))).any()
    assert worn[:, :, 0].mean() < worn[:, :, 2].mean() - 10


def test_random_styles_vary_in_what_matters() -> None:
    styles = [random_style(seed) for seed in range(60)]
    assert random_style(7) == styles[7]
    assert {style.coin.heart for style in styles} >= {"profile", "sun", "star"}
    assert len({style.cup.bowl for style in styles}) >= 5
    assert len({style.back.pattern for style in styles}) >= 7
    assert 0.8 < np.mean([style.frame.pinta for style in styles]) <= 1
    assert 0.9 < np.mean([style.frame.corners != "none" for style in styles]) <= 1
    assert 0 < np.mean([style.courts["10O"].double for style in styles]) < 0.4
