"""Card backs: one or two inks in a regular pattern, with or without a white border."""

from dataclasses import dataclass

import numpy as np

from vision.labels import CARD_MM
from vision.synth.art.curves import box, ellipse, placed, scalloped, star
from vision.synth.art.dice import Dice
from vision.synth.art.palette import Palette
from vision.synth.art.pen import Colour, Pen, Print, dark, light

PATTERNS = (
    "lattice",
    "plaid",
    "dots",
    "stripes",
    "checks",
    "scales",
    "stars",
    "waves",
    "bricks",
    "plain",
    "diamonds",
    "rosettes",
)


@dataclass(frozen=True, slots=True)
class BackStyle:
    """One deck's back; lengths in mm."""

    pattern: str = "lattice"
    ink: Colour = (150, 60, 40)
    second: Colour = (150, 60, 40)
    ground: Colour = (245, 250, 252)
    border: float = 4.0
    border_colour: Colour = (245, 250, 252)
    frame: float = 0.6
    step: float = 4.0
    line: float = 0.7
    medallion: str = "none"


def random_back(dice: Dice, p: Palette) -> BackStyle:
    """A back in the deck's inks."""
    inks = [
        p.blue,
        p.red,
        p.blue,
        p.red,
        p.green,
        p.brown,
        dark(p.blue, 0.4),
        dark(p.red, 0.35),
        p.ink,
        dark(p.green, 0.4),
        p.yellow,
    ]
    a, b = dice.pick(inks), dice.pick(inks)
    filled = dice.toss(0.4)
    pattern = dice.pick(PATTERNS, [0.22, 0.14, 0.1, 0.07, 0.07, 0.07, 0.06, 0.05, 0.05, 0.05, 0.06, 0.06])
    return BackStyle(
        pattern=pattern,
        ink=light(a, 0.85) if filled else a,
        second=b if dice.toss(0.4) else (light(a, 0.7) if filled else a),
        ground=a if filled else p.paper,
        border=dice.between(2.5, 6) if dice.toss(0.7) else 0.0,
        border_colour=p.paper,
        frame=dice.between(0.3, 1.2) if dice.toss(0.6) else 0.0,
        step=dice.between(2.2, 8),
        line=dice.between(0.12, 0.32),
        medallion=dice.pick(["none", "disc", "star", "flower", "letters"], [0.68, 0.1, 0.08, 0.08, 0.06]),
    )


def _pattern(pen: Pen, s: BackStyle) -> None:
    w, h = pen.size_mm
    step, thick = s.step, s.step * s.line
    columns, rows = int(w / step) + 2, int(h / step) + 2
    reach = int((w + h) / step) + 2
    match s.pattern:
        case "lattice" | "diamonds":
            for k in range(-reach, reach):
                pen.line([(k * step, 0), (k * step + h, h)], s.ink, thick)
                pen.line([(k * step + h, 0), (k * step, h)], s.second, thick)
            if s.pattern == "diamonds":
                for j in range(2 * rows):
                    for k in range(columns + 1):
                        pen.fill(ellipse(k * step + (j % 2) * step / 2, j * step / 2, step * 0.14, n=8), s.second)
        case "plaid":
            for k in range(2 * reach):
                x = k * step
                for offset, share, colour in ((0.0, 1.0, s.ink), (0.4, 0.5, s.second)):
                    pen.line([(x + offset * step, 0), (x + offset * step, h)], colour, thick * share)
                    pen.line([(0, x + offset * step), (w, x + offset * step)], colour, thick * share)
        case "stripes":
            for k in range(-reach, reach):
                pen.line(
                    [(k * step, 0), (k * step + (h if s.line > 0.2 else 0), h)],
                    s.ink if k % 2 else s.second,
                    thick * 1.5,
                )
        case "waves":
            xs = np.linspace(0, w, 60)
            for k in range(rows + 1):
                pen.line(
                    np.stack([xs, k * step + step * 0.3 * np.sin(xs * 6.28 / (step * 2))], 1),
                    s.ink if k % 2 else s.second,
                    thick,
                )
        case "plain":
            pen.fill(box(0, 0, w, h), s.ink)
        case "checks":
            for j in range(rows):
                for k in range(columns):
                    if (j + k) % 2:
                        pen.fill(box(k * step, j * step, (k + 1) * step, (j + 1) * step), s.ink)
        case "bricks":
            for j in range(rows):
                pen.line([(0, j * step), (w, j * step)], s.ink, thick)
                for k in range(columns):
                    x = (k + 0.5 * (j % 2)) * step * 1.6
                    pen.line([(x, j * step), (x, (j + 1) * step)], s.second, thick)
        case _:
            for j in range(rows):
                for k in range(columns):
                    x, y = (k + 0.5 * (j % 2)) * step, j * step
                    colour = s.ink if (j + k) % 2 else s.second
                    if s.pattern == "dots":
                        pen.fill(ellipse(x, y, step * (0.12 + s.line * 0.6), n=12), colour)
                    elif s.pattern == "scales":
                        pen.line(ellipse(x, y, step * 0.5, None, 0, 180, 10), colour, thick)
                        pen.line(ellipse(x, y, step * 0.25, None, 0, 180, 8), colour, thick * 0.6)
                    elif s.pattern == "stars":
                        pen.fill(placed(star(6, 0.42, 0.18), x, y, 0, step), colour)
                    else:
                        pen.line(placed(scalloped(6, 0.34, 0.09), x, y, 0, step), colour, thick * 0.7, closed=True)
                        pen.fill(ellipse(x, y, step * 0.12, n=8), s.second)


def _medallion(pen: Pen, s: BackStyle) -> None:
    w, h = pen.size_mm
    for turn in (0, 180):
        with pen.at(w / 2, h / 2, 14, turn):
            match s.medallion:
                case "disc":
                    pen.shape(scalloped(18, 0.95, 0.05), s.border_colour, s.ink, shade=0)
                    pen.shape(ellipse(0, 0, 0.7), s.second, s.ink, shade=0)
                    pen.shape(star(8, 0.6, 0.25), s.border_colour, s.ink, shade=0)
                case "star":
                    pen.shape(star(12, 1.0, 0.6), s.border_colour, s.ink, shade=0)
                    pen.shape(star(12, 0.7, 0.35), s.second, s.ink, shade=0)
                case "flower":
                    for k in range(8):
                        pen.shape(
                            placed(ellipse(0.6, 0, 0.38, 0.2, n=14), angle=45 * k), s.border_colour, s.ink, shade=0
                        )
                    pen.shape(ellipse(0, 0, 0.3), s.second, s.ink, shade=0)
                case _:
                    pen.shape(box(-1.3, -0.35, 1.3, 0.35), s.border_colour, s.ink, shade=0)
                    for k in range(9):
                        pen.line([(-1.05 + k * 0.26, 0.15), (-0.95 + k * 0.26, -0.15), (-0.85 + k * 0.26, 0.15)], s.ink)


def draw_back(pen: Pen, s: BackStyle) -> None:
    """The whole back."""
    w, h = pen.size_mm
    pen.fill(box(-1, -1, w + 1, h + 1), s.ground)
    _pattern(pen, s)
    if s.medallion != "none":
        _medallion(pen, s)
    b = s.border
    if b:
        for area in ((-1, -1, w + 1, b), (-1, h - b, w + 1, h + 1), (-1, -1, b, h + 1), (w - b, -1, w + 1, h + 1)):
            pen.fill(box(*area), s.border_colour)
    if s.frame:
        at = b if b else 3.0
        pen.line(box(at, at, w - at, h - at), s.ink if s.ground == s.border_colour else s.ground, s.frame, closed=True)


def lattice_back(height: int, width: int) -> np.ndarray:
    """A plain blue lattice, ``(height, width, 3)`` uint8 BGR, for decks that come without a back."""
    pen = Pen((CARD_MM[1] * width / height, CARD_MM[1]), height, (245, 250, 252), Print())
    draw_back(pen, BackStyle())
    return np.ascontiguousarray(pen.picture()[:, :width])
