"""Digits drawn from strokes: one parametric pen covers sans, roman and italic numerals, light to bold.

A digit lives in a box 1 high (y down from 0 to 1) and about 0.6 wide. The stroke is as wide as the nib is where it runs
down the page and thinner, by ``contrast``, where it runs across, as in type cut after a broad nib.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from vision.synth.art.curves import Points, bezier, box, ellipse, placed, smooth, tube
from vision.synth.art.dice import Dice


@dataclass(frozen=True, slots=True)
class DigitStyle:
    """A family of numerals. ``weight`` is the stem as a share of the height; ``contrast`` 0 is an even line."""

    weight: float = 0.12
    contrast: float = 0.0
    width: float = 1.0
    slant: float = 0.0
    serif: float = 0.0
    """Length of the serifs as a share of the height; 0 for none."""
    ball: bool = False
    seven_bar: bool = False
    seven_curved: bool = False
    one_flag: bool = True
    one_foot: bool = False
    four_open: bool = False
    two_wave: bool = False
    three_flat: bool = False
    straight_six: bool = False
    gap: float = 0.14
    square: float = 0.0
    """0 round bowls, towards 1 boxy ones."""


def _loop(cx: float, cy: float, rx: float, ry: float, square: float, start: float = 0, stop: float = 360) -> Points:
    p = ellipse(0, 0, 1, 1, start, stop, 30)
    power = 1 - 0.5 * square
    p = np.sign(p) * np.abs(p) ** power
    return np.asarray(p * (rx, ry) + (cx, cy))


def _skeleton(digit: str, s: DigitStyle) -> list[Points]:
    q = s.square
    match digit:
        case "0":
            return [_loop(0.3, 0.5, 0.27, 0.5, q)]
        case "1":
            strokes = [np.array([(0.3, 0.0), (0.3, 1.0)])]
            if s.one_flag:
                strokes.append(np.array([(0.3, 0.01), (0.2, 0.12), (0.08, 0.2)]))
            if s.one_foot:
                strokes.append(np.array([(0.08, 1.0), (0.52, 1.0)]))
            return strokes
        case "2":
            top = np.concatenate(
                [
                    _loop(0.3, 0.27, 0.26, 0.27, q, 195, 380),
                    bezier((0.55, 0.36), (0.5, 0.6), (0.12, 0.78), (0.04, 1.0))[1:],
                ]
            )
            base = (
                smooth([(0.04, 0.97), (0.18, 0.9), (0.4, 1.0), (0.58, 0.88)]) if s.two_wave else [(0.03, 1), (0.57, 1)]
            )
            return [top, np.asarray(base, float)]
        case "3":
            lower = _loop(0.28, 0.71, 0.28, 0.29, q, -95, 160)
            if s.three_flat:
                return [np.array([(0.05, 0.0), (0.53, 0.0), (0.25, 0.42)]), lower]
            return [_loop(0.28, 0.22, 0.23, 0.22, q, 200, 455), lower]
        case "4":
            if s.four_open:
                return [np.array([(0.26, 0.0), (0.03, 0.66), (0.6, 0.66)]), np.array([(0.42, 0.34), (0.42, 1.0)])]
            return [np.array([(0.42, 1.0), (0.42, 0.0)]), np.array([(0.42, 0.0), (0.01, 0.7), (0.6, 0.7)])]
        case "5":
            bowl = _loop(0.27, 0.68, 0.29, 0.32, q, 220, 515)
            return [np.array([(0.52, 0.0), (0.09, 0.0), (0.05, 0.5)]), bowl]
        case "6" | "9":
            if s.straight_six:
                arm = np.array([(0.42, 0.0), (0.08, 0.52)])
            else:
                arm = bezier((0.52, 0.1), (0.36, -0.08), (0.02, 0.1), (0.02, 0.66), 18)
            strokes = [arm, _loop(0.3, 0.68, 0.28, 0.32, q)]
            return strokes if digit == "6" else [(0.6, 1.0) - stroke for stroke in strokes]
        case "7":
            stem = (
                bezier((0.56, 0.0), (0.4, 0.35), (0.22, 0.6), (0.22, 1.0))
                if s.seven_curved
                else [(0.56, 0.0), (0.2, 1.0)]
            )
            strokes = [np.array([(0.03, 0.0), (0.56, 0.0)]), np.asarray(stem, float)]
            if s.seven_bar:
                strokes.append(np.array([(0.16, 0.5), (0.54, 0.5)]))
            return strokes
        case "8":
            return [_loop(0.3, 0.24, 0.22, 0.24, q), _loop(0.3, 0.72, 0.28, 0.28, q)]
    raise ValueError(f"There is no digit {digit!r}.")


def _stroke(path: Points, s: DigitStyle) -> Points:
    if len(path) < 8:
        parts = [np.linspace(a, b, 6)[:-1] for a, b in pairwise(path)]
        path = np.concatenate([*parts, path[-1:]])
    d = np.gradient(path, axis=0)
    down = np.abs(d[:, 1]) / np.maximum(np.hypot(d[:, 0], d[:, 1]), 1e-9)
    return tube(path, s.weight * (1 - s.contrast * (1 - down**1.5)))


_FEET = {"1": [(0.3, 1.0), (0.3, 0.0)], "4": [(0.42, 1.0)], "7": [(0.21, 1.0)]}
_UPRIGHTS = {"2": [(0.57, 1.0, -1)], "7": [(0.03, 0.0, 1)], "5": [(0.52, 0.0, 1)]}
_BALLS = {"2": (0.07, 0.24), "3": (0.06, 0.82), "5": (0.03, 0.82), "6": (0.48, 0.12), "9": (0.12, 0.88)}


def digit_outlines(digit: str, s: DigitStyle) -> list[Points]:
    """The filled outlines of one digit in its unit box, slant and width applied."""
    outlines = []
    for path in _skeleton(digit, s):
        if len(path) < 8:
            # Each straight run is its own bar, so that corners stay sharp instead of being shaved by the offset.
            for a, b in pairwise(path):
                outlines.append(_stroke(np.array([a, b]), s))
            thin = s.weight * (1 - s.contrast)
            outlines.extend(ellipse(x, y, thin / 2, n=10) for x, y in path[1:-1])
        else:
            outlines.append(_stroke(path, s))
    thin = max(0.03, s.weight * (1 - s.contrast))
    if s.serif:
        outlines.extend(
            box(x - s.serif, y - thin / 2, x + s.serif, y + thin / 2)
            for x, y in _FEET.get(digit, ())
            if y or not s.one_flag
        )
        outlines.extend(
            np.array(
                [
                    (x - thin / 2, y),
                    (x + thin / 2, y),
                    (x + thin / 2, y + up * s.serif * 1.3),
                    (x - thin / 2, y + up * s.serif),
                ]
            )
            for x, y, up in _UPRIGHTS.get(digit, ())
        )
    if s.ball and digit in _BALLS:
        outlines.append(ellipse(*_BALLS[digit], s.weight * 0.62, n=14))
    lean = np.array([[s.width, 0], [-s.slant, 1]])
    return [p @ lean + (s.slant, 0) for p in outlines]


def number_outlines(text: str, s: DigitStyle) -> tuple[list[Points], float]:
    """The outlines of a number 1 high that starts at x = 0, and its width."""
    outlines: list[Points] = []
    x = 0.0
    for digit in text:
        glyph = digit_outlines(digit, s)
        left = min(p[:, 0].min() for p in glyph)
        right = max(p[:, 0].max() for p in glyph)
        outlines.extend(placed(p, x - left) for p in glyph)
        x += right - left + s.gap
    return outlines, x - s.gap


def random_digits(dice: Dice) -> DigitStyle:
    """A family of numerals as found on real cards: roman, sans, condensed, italic, hand-cut."""
    kind = dice.pick(["roman", "sans", "fat", "light", "hand"], [0.36, 0.28, 0.12, 0.12, 0.12])
    weight, contrast, serif = {
        "roman": (dice.between(0.11, 0.2), dice.between(0.45, 0.75), dice.between(0.1, 0.2)),
        "sans": (dice.between(0.1, 0.18), dice.between(0, 0.2), 0.0),
        "fat": (dice.between(0.2, 0.28), dice.between(0.2, 0.7), dice.pick([0.0, 0.2])),
        "light": (dice.between(0.06, 0.09), dice.between(0, 0.3), dice.pick([0.0, 0.12])),
        "hand": (dice.between(0.09, 0.16), dice.between(0, 0.5), 0.0),
    }[kind]
    return DigitStyle(
        weight=float(weight),
        contrast=float(contrast),
        width=dice.between(0.68, 1.15),
        slant=dice.between(0.1, 0.3) if dice.toss(0.22) else 0.0,
        serif=float(serif),
        ball=bool(serif) and dice.toss(0.7),
        seven_bar=dice.toss(0.15),
        seven_curved=dice.toss(0.45),
        one_flag=dice.toss(0.88),
        one_foot=not serif and dice.toss(0.3),
        four_open=dice.toss(0.18),
        two_wave=dice.toss(0.2),
        three_flat=dice.toss(0.15),
        straight_six=dice.toss(0.12),
        gap=dice.between(0.08, 0.2),
        square=dice.between(0, 0.6) if dice.toss(0.3) else 0.0,
    )
