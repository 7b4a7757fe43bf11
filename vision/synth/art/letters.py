"""Capital letters from strokes, for the small print that real decks carry."""

import numpy as np

from vision.synth.art.curves import Points, ellipse, placed, smooth
from vision.synth.art.dice import Dice
from vision.synth.art.pen import Colour, Pen

_BOWL = [(0.0, 0.0), (0.35, 0.02), (0.48, 0.24), (0.35, 0.47), (0.0, 0.5)]
_LINES: dict[str, list[list[tuple[float, float]]]] = {
    "A": [[(0, 1), (0.28, 0), (0.56, 1)], [(0.1, 0.66), (0.46, 0.66)]],
    "B": [[(0, 1), (0, 0)], _BOWL, [(0, 0.5), (0.4, 0.52), (0.54, 0.76), (0.4, 0.98), (0, 1)]],
    "C": [[(0.54, 0.16), (0.3, 0), (0.05, 0.2), (0, 0.5), (0.05, 0.8), (0.3, 1), (0.54, 0.84)]],
    "D": [[(0, 1), (0, 0)], [(0, 0), (0.36, 0.06), (0.54, 0.5), (0.36, 0.94), (0, 1)]],
    "E": [[(0.5, 0), (0, 0), (0, 1), (0.5, 1)], [(0, 0.48), (0.42, 0.48)]],
    "F": [[(0.5, 0), (0, 0), (0, 1)], [(0, 0.48), (0.42, 0.48)]],
    "G": [
        [(0.54, 0.16), (0.3, 0), (0.05, 0.2), (0, 0.5), (0.05, 0.8), (0.3, 1), (0.54, 0.84), (0.54, 0.55), (0.32, 0.55)]
    ],
    "H": [[(0, 0), (0, 1)], [(0.54, 0), (0.54, 1)], [(0, 0.5), (0.54, 0.5)]],
    "I": [[(0.05, 0), (0.05, 1)]],
    "J": [[(0.4, 0), (0.4, 0.75), (0.22, 1), (0, 0.85)]],
    "L": [[(0, 0), (0, 1), (0.48, 1)]],
    "M": [[(0, 1), (0.04, 0), (0.34, 0.7), (0.64, 0), (0.68, 1)]],
    "N": [[(0, 1), (0, 0), (0.54, 1), (0.54, 0)]],
    "P": [[(0, 1), (0, 0)], _BOWL],
    "R": [[(0, 1), (0, 0)], _BOWL, [(0.24, 0.5), (0.52, 1)]],
    "S": [[(0.48, 0.14), (0.26, 0), (0.04, 0.2), (0.14, 0.42), (0.4, 0.56), (0.5, 0.78), (0.26, 1), (0, 0.84)]],
    "T": [[(0, 0), (0.56, 0)], [(0.28, 0), (0.28, 1)]],
    "U": [[(0, 0), (0, 0.7), (0.27, 1), (0.54, 0.7), (0.54, 0)]],
    "V": [[(0, 0), (0.28, 1), (0.56, 0)]],
    "X": [[(0, 0), (0.54, 1)], [(0.54, 0), (0, 1)]],
    "Z": [[(0, 0), (0.54, 0), (0, 1), (0.54, 1)]],
}
_SYLLABLES = (
    "NAI",
    "PES",
    "FI",
    "NO",
    "LUX",
    "OR",
    "VI",
    "TO",
    "RIA",
    "CAR",
    "TAS",
    "SEL",
    "MAR",
    "CA",
    "DE",
    "BAR",
    "JA",
    "REAL",
)


def text_lines(text: str) -> tuple[list[Points], float]:
    """The strokes of ``text`` 1 high from x = 0, and its width; letters that the alphabet lacks become gaps."""
    strokes: list[Points] = []
    x = 0.0
    for letter in text:
        if letter == "O":
            strokes.append(ellipse(x + 0.3, 0.5, 0.3, 0.5, n=18))
            x += 0.78
            continue
        drawn = _LINES.get(letter)
        if drawn is None:
            x += 0.4
            continue
        # Long runs are curves (C, S, bowls), short ones straight with sharp corners.
        curves = [
            smooth(run, steps=4) if len(run) >= 5 and letter not in "MG" else np.asarray(run, float) for run in drawn
        ]
        strokes.extend(placed(run, x) for run in curves)
        x += max(float(run[:, 0].max()) for run in curves) + 0.2
    return strokes, max(x - 0.2, 0.0)


def draw_text(
    pen: Pen, text: str, x: float, y: float, height: float, colour: Colour, weight: float = 0.12, angle: float = 0
) -> None:
    """``text`` centred on (x, y), ``height`` and place in mm, ``weight`` as a share of the height."""
    strokes, wide = text_lines(text)
    with pen.at(x, y, height, angle):
        for stroke in strokes:
            pen.line(stroke - (wide / 2, 0.5), colour, weight)


def draw_text_arc(pen: Pen, text: str, radius: float, height: float, colour: Colour, top: bool = True) -> None:
    """``text`` around the origin, over the top or under the bottom; ``radius`` is that of the letters' middle."""
    strokes, wide = text_lines(text)
    up = 1 if top else -1
    for stroke in strokes:
        turn = (stroke[:, 0] - wide / 2) * height / radius
        reach = radius + up * (0.5 - stroke[:, 1]) * height
        pen.line(np.stack([reach * np.sin(turn), -up * reach * np.cos(turn)], axis=1), colour, height * 0.14)


def random_words(dice: Dice, words: int = 2) -> str:
    """Small print that reads like a maker's name."""
    return " ".join("".join(dice.pick(_SYLLABLES) for _ in range(dice.whole(1, 4))) for _ in range(words))


def scribble(dice: Dice, width: float) -> Points:
    """A signature-like flourish around the origin, ``width`` mm wide."""
    xs = np.linspace(-0.5, 0.5, 12) + dice.rng.uniform(-0.05, 0.05, 12)
    ys = dice.rng.uniform(-0.12, 0.12, 12) * np.where(np.arange(12) % 2, 1, -1)
    return placed(smooth(np.stack([xs, ys], 1), steps=5), scale=width)
