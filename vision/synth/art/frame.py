"""The frame line with its pinta, and the numerals in the corners.

The pinta is the number of gaps in the top and in the bottom line: oros 0, copas 1, espadas 2, bastos 3.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.synth.art.curves import Points, ellipse
from vision.synth.art.dice import Dice
from vision.synth.art.glyphs import DigitStyle, number_outlines, random_digits
from vision.synth.art.palette import Palette
from vision.synth.art.pen import Colour, Pen, mix

PINTA = {"O": 0, "C": 1, "E": 2, "B": 3}


@dataclass(frozen=True, slots=True)
class FrameStyle:
    """Frame line and numerals of one deck; lengths in mm."""

    lines: int = 1
    """0 for no frame, 2 for a thin second line inside."""
    margin: tuple[float, float] = (5.0, 5.0)
    width: float = 0.4
    colour: Colour = (30, 22, 20)
    round_corner: float = 0.0
    pinta: bool = True
    gap: float = 0.13
    """Length of one gap as a share of the frame's width."""
    gap_on_all_lines: bool = True
    digits: DigitStyle = field(default_factory=DigitStyle)
    digit_height: float = 6.0
    digit_colour: Colour = (30, 22, 20)
    digit_inset: tuple[float, float] = (0.9, 1.0)
    corners: str = "two"
    """``two`` (top left and upside down bottom right), ``four``, or ``none``."""
    halo: float = 0.0
    """Paper left free around the numerals, mm, where they meet the art."""
    suit_mark: bool = False
    """A small pip under each numeral."""

    def inner(self, size_mm: tuple[float, float]) -> tuple[float, float, float, float]:
        """The area inside the frame as x0, y0, x1, y1 in mm."""
        mx, my = self.margin
        extra = 1.1 if self.lines > 1 else 0.0
        return mx + extra, my + extra, size_mm[0] - mx - extra, size_mm[1] - my - extra


def random_frame(dice: Dice, p: Palette) -> FrameStyle:
    """A frame as found on real decks: nearly always one dark line with the pinta, and two numerals."""
    kind = dice.between(0, 1)
    lines = 0 if kind < 0.04 else 2 if kind < 0.12 else 1
    coloured = [p.red, p.blue, p.green, p.brown]
    tint = dice.pick(coloured)
    digits = random_digits(dice)
    margin = dice.pick([dice.between(2.2, 4.0), dice.between(4.0, 6.4)], [0.3, 0.7])
    return FrameStyle(
        lines=lines,
        margin=(margin, margin + dice.between(-1.2, 1.6)),
        width=dice.between(0.2, 0.65),
        colour=p.ink if dice.toss(0.86) else tint,
        round_corner=dice.between(0.8, 3.0) if dice.toss(0.18) else 0.0,
        pinta=dice.toss(0.93),
        gap=dice.between(0.06, 0.17),
        gap_on_all_lines=dice.toss(0.6),
        digits=digits,
        digit_height=dice.between(3.4, 7.8),
        digit_colour=p.ink if dice.toss(0.85) else mix(tint, p.ink, 0.2),
        digit_inset=(dice.between(0.5, 1.8), dice.between(0.5, 2.0)),
        corners=dice.pick(["two", "four", "none"], [0.92, 0.06, 0.02]),
        halo=dice.between(0.2, 0.8) if dice.toss(0.3) else 0.0,
        suit_mark=dice.toss(0.05),
    )


def _outline(x0: float, y0: float, x1: float, y1: float, radius: float) -> Points:
    if radius <= 0:
        return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    corners = (
        (x1 - radius, y0 + radius, -90),
        (x1 - radius, y1 - radius, 0),
        (x0 + radius, y1 - radius, 90),
        (x0 + radius, y0 + radius, 180),
    )
    return np.concatenate([ellipse(x, y, radius, None, start, start + 90, 7) for x, y, start in corners])


def gap_centres(suit: str) -> list[float]:
    """Centres of the pinta's gaps along the frame's width, 0 to 1."""
    count = PINTA[suit]
    return [(k + 1) / (count + 1) for k in range(count)]


def draw_frame(pen: Pen, s: FrameStyle, suit: str) -> None:
    """The frame line of one suit, gaps included."""
    w, h = pen.size_mm
    for k in range(s.lines):
        x0, y0 = (edge + 1.1 * k for edge in s.margin)
        x1, y1 = w - x0, h - y0
        thick = s.width if k == 0 else s.width * 0.5
        pen.line(_outline(x0, y0, x1, y1, s.round_corner), s.colour, thick, closed=True)
        if not s.pinta or (k > 0 and not s.gap_on_all_lines):
            continue
        half = s.gap * (w - 2 * s.margin[0]) / 2
        for share in gap_centres(suit):
            x = s.margin[0] + share * (w - 2 * s.margin[0])
            for y in (y0, y1):
                pen.fill(
                    [(x - half, y - thick), (x + half, y - thick), (x + half, y + thick), (x - half, y + thick)],
                    pen.paper,
                )


def draw_numerals(pen: Pen, s: FrameStyle, rank: int) -> tuple[float, float]:
    """The numerals in the corners; returns width and height of one in mm (0, 0 for none)."""
    if s.corners == "none":
        return 0.0, 0.0
    outlines, wide = number_outlines(str(rank), s.digits)
    w, h = pen.size_mm
    extra = 1.1 if s.lines > 1 else 0.0
    x, y = s.margin[0] + s.digit_inset[0] + extra, s.margin[1] + s.digit_inset[1] + extra
    spots = [(x, y, 0), (w - x, h - y, 180)]
    if s.corners == "four":
        spots += [(w - x - wide * s.digit_height, y, 0), (x + wide * s.digit_height, h - y, 180)]
    for sx, sy, turn in spots:
        with pen.at(sx, sy, s.digit_height, turn):
            if s.halo:
                hull = cv2.convexHull(np.concatenate(outlines).astype(np.float32))[:, 0]
                pen.fill(hull, pen.paper)
                pen.line(hull, pen.paper, 2 * s.halo / s.digit_height, closed=True)
            for outline in outlines:
                pen.fill(outline, s.digit_colour)
    return wide * s.digit_height, s.digit_height
