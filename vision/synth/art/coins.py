"""Oros: coins."""

from dataclasses import dataclass

import numpy as np

from vision.synth.art.curves import ellipse, placed, scalloped, smooth, star
from vision.synth.art.dice import Dice
from vision.synth.art.letters import draw_text_arc, random_words
from vision.synth.art.palette import Palette
from vision.synth.art.pen import Colour, Pen, dark, light, mix

RIMS = ("plain", "beads", "milled", "double", "petals", "rays", "rope")
HEARTS = ("profile", "face", "sun", "star", "flower", "rings", "cross", "crown", "lattice", "empty")


@dataclass(frozen=True, slots=True)
class CoinStyle:
    """One deck's coin."""

    rim: str = "milled"
    heart: str = "sun"
    gold: Colour = (60, 189, 240)
    accent: Colour = (45, 55, 200)
    second: Colour = (168, 111, 45)
    ground: Colour | None = None
    """Colour of the field between rim and heart; None for the gold itself."""
    inner: float = 0.68
    lettering: bool = False
    facing_left: bool = True
    motto: tuple[str, str] = ("", "")
    """Words over and under the heart, in place of the engraved ring."""


def random_coin(dice: Dice, p: Palette) -> CoinStyle:
    """A coin in the deck's inks."""
    warm = [p.yellow, p.yellow, mix(p.yellow, p.brown, 0.25), mix(p.yellow, p.red, 0.22)]
    accents = [p.red, p.red, p.brown, p.blue, p.green, dark(p.yellow, 0.45)]
    grounds = [
        None,
        None,
        None,
        light(p.yellow, 0.4),
        p.white,
        p.red,
        mix(p.yellow, p.brown, 0.35),
        mix(p.yellow, p.red, 0.3),
        p.blue,
    ]
    return CoinStyle(
        rim=dice.pick(RIMS),
        heart=dice.pick(HEARTS, (0.32, 0.08, 0.11, 0.11, 0.11, 0.08, 0.05, 0.05, 0.04, 0.05)),
        gold=dice.pick(warm),
        accent=dice.pick(accents),
        second=dice.pick([p.blue, p.green, p.red, p.white]),
        ground=dice.pick(grounds),
        inner=dice.between(0.55, 0.8),
        lettering=dice.toss(0.45),
        facing_left=dice.toss(0.5),
        motto=(random_words(dice, 1), random_words(dice, 1)) if dice.toss(0.5) else ("", ""),
    )


def _rim(pen: Pen, s: CoinStyle) -> None:
    match s.rim:
        case "milled":
            pen.shape(star(40, 1.0, 0.93), s.gold)
            pen.line(ellipse(0, 0, 0.88), closed=True)
        case "petals":
            pen.shape(scalloped(16, 0.94, 0.06), s.gold)
            pen.line(ellipse(0, 0, 0.84), closed=True)
        case "rays":
            pen.shape(star(24, 1.0, 0.82), s.gold)
            pen.line(ellipse(0, 0, 0.8), closed=True)
        case "double":
            pen.shape(ellipse(0, 0, 1.0), s.accent)
            pen.shape(ellipse(0, 0, 0.87), s.gold)
        case _:
            pen.shape(ellipse(0, 0, 1.0), s.gold)
            pen.line(ellipse(0, 0, 0.9), closed=True)
    if s.rim in ("beads", "rope"):
        count = 28 if s.rim == "beads" else 20
        for k in range(count):
            angle = k * 360 / count
            x, y = 0.945 * np.cos(np.radians(angle)), 0.945 * np.sin(np.radians(angle))
            if s.rim == "beads":
                pen.fill(ellipse(x, y, 0.034, n=8), pen.print.ink)
            else:
                pen.line(placed([(-0.05, -0.03), (0.05, 0.03)], x, y, angle + 25))


def _profile(pen: Pen, s: CoinStyle) -> None:
    """A head in profile, facing right before flipping, about one unit high."""
    bust = [(-0.05, 0.62), (-0.32, 0.52), (-0.22, 0.3), (-0.3, 0.05), (-0.34, -0.3), (-0.1, -0.58), (0.18, -0.56)]
    front = [
        (0.3, -0.36),
        (0.32, -0.2),
        (0.46, 0.02),
        (0.34, 0.07),
        (0.37, 0.15),
        (0.33, 0.2),
        (0.35, 0.28),
        (0.24, 0.38),
    ]
    neck = [(0.06, 0.34), (0.04, 0.48), (0.16, 0.6)]
    hair = [(0.22, -0.42), (0.08, -0.3), (0.02, -0.1), (-0.08, 0.06), (-0.3, 0.2), (-0.46, 0.12), (-0.44, -0.1)]
    crown = [(-0.48, -0.36), (-0.3, -0.62), (0.02, -0.68), (0.24, -0.58)]
    pen.shape(smooth(bust + front + neck, closed=True, steps=4), light(s.gold, 0.3))
    pen.shape(smooth(hair + crown, closed=True, steps=4), s.accent, shade=0.6)
    for k in range(3):
        pen.line(smooth([(0.1 - 0.12 * k, -0.52), (-0.1 - 0.1 * k, -0.3), (-0.2 - 0.07 * k, -0.05)], steps=4))
    pen.line([(0.2, -0.14), (0.28, -0.16)])
    pen.line(smooth([(0.14, -0.24), (0.22, -0.27), (0.3, -0.24)], steps=3))


def _face(pen: Pen, s: CoinStyle) -> None:
    pen.shape(ellipse(0, 0, 0.55, 0.6), light(s.gold, 0.35))
    for side in (-1, 1):
        pen.fill(ellipse(side * 0.2, -0.12, 0.07, 0.05, n=10), pen.print.ink)
        pen.line(ellipse(side * 0.2, -0.2, 0.12, 0.08, 200, 340, 8))
        pen.fill(ellipse(side * 0.3, 0.14, 0.09, n=10), s.accent)
    pen.line(smooth([(0.02, -0.15), (0.08, 0.1), (-0.04, 0.12)], steps=4))
    pen.line(ellipse(0, 0.2, 0.18, 0.12, 20, 160, 8))


def _heart(pen: Pen, s: CoinStyle) -> None:
    match s.heart:
        case "profile":
            with pen.at(0.02 * (-1 if s.facing_left else 1), 0.03, 1.1, flip=s.facing_left):
                _profile(pen, s)
        case "face":
            with pen.at(scale=1.2):
                _face(pen, s)
        case "sun":
            pen.shape(star(16, 0.95, 0.55), s.accent)
            with pen.at(scale=0.85):
                _face(pen, s)
        case "star":
            pen.shape(star(8, 0.95, 0.42), s.accent)
            pen.shape(star(8, 0.5, 0.3, -67.5), s.second)
            pen.shape(ellipse(0, 0, 0.18, n=14), s.gold)
        case "flower":
            for k in range(8):
                pen.shape(placed(ellipse(0.56, 0, 0.36, 0.19, n=14), angle=k * 45), s.accent if k % 2 else s.second)
            pen.shape(ellipse(0, 0, 0.3, n=16), s.gold)
        case "rings":
            for radius, colour in ((0.85, s.accent), (0.62, s.gold), (0.42, s.second), (0.2, s.gold)):
                pen.shape(ellipse(0, 0, radius), colour, shade=0.5)
        case "cross":
            for k in range(4):
                petal = [(0.08, -0.1), (0.5, -0.3), (0.9, -0.28), (0.9, 0.28), (0.5, 0.3), (0.08, 0.1)]
                pen.shape(placed(petal, angle=90 * k), s.accent)
            pen.shape(ellipse(0, 0, 0.24, n=14), s.second)
        case "crown":
            pen.shape([(-0.6, 0.4), (-0.7, -0.4), (-0.3, 0), (0, -0.6), (0.3, 0), (0.7, -0.4), (0.6, 0.4)], s.accent)
            pen.shape([(-0.6, 0.4), (0.6, 0.4), (0.58, 0.62), (-0.58, 0.62)], s.second)
        case "lattice":
            for k in range(6):
                pen.line(placed([(-0.8, 0), (0.8, 0)], angle=30 * k), s.accent, 0.07)
            pen.shape(ellipse(0, 0, 0.4), s.second)
            pen.shape(ellipse(0, 0, 0.2), s.gold)


def _lettering(pen: Pen, s: CoinStyle) -> None:
    middle, high = (s.inner + 0.87) / 2, 0.86 - s.inner
    if any(s.motto):
        for words, top in zip(s.motto, (True, False), strict=True):
            size = min(high * 0.62, 3.0 * middle / max(1, len(words)))
            draw_text_arc(pen, words, middle, size, pen.print.ink, top)
        for side in (-1, 1):
            pen.fill(ellipse(side * middle, 0, high * 0.14, n=10), pen.print.ink)
        return
    for k in range(30):
        angle = 110 + k * 320 / 30
        if k % 8 == 7:
            continue
        reach = high * (0.25 + 0.1 * ((k * 7) % 3))
        ray = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
        pen.line(np.stack([ray * (middle - reach), ray * (middle + reach)]))
        if k % 3:
            pen.line(ellipse(0, 0, middle + reach * (k % 3 - 1.5), None, angle, angle + 6, 3))


def draw_coin(pen: Pen, s: CoinStyle) -> None:
    """A coin of radius 1 around the origin."""
    _rim(pen, s)
    if s.ground is not None:
        pen.shape(ellipse(0, 0, 0.84 if s.rim in ("rays", "petals", "double") else 0.88), s.ground, shade=0.5)
    if s.lettering and s.inner < 0.74:
        _lettering(pen, s)
    if s.rim in ("double", "rays") or s.lettering:
        pen.line(ellipse(0, 0, s.inner + 0.02), closed=True)
    with pen.at(scale=s.inner * (0.98 if s.heart == "profile" else 0.94)):
        _heart(pen, s)
