"""The aces: one big ornate pip, with wreaths, ribbons, banners and crowns as the deck likes."""

from dataclasses import dataclass, replace

import numpy as np

from vision.synth.art.clubs import ClubStyle, draw_club
from vision.synth.art.coins import CoinStyle, draw_coin
from vision.synth.art.cups import CupStyle, draw_cup
from vision.synth.art.curves import ellipse, leaf, placed, smooth, tube
from vision.synth.art.dice import Dice
from vision.synth.art.letters import draw_text
from vision.synth.art.palette import Palette
from vision.synth.art.pen import Colour, Pen, dark
from vision.synth.art.swords import SwordStyle, draw_scabbard, draw_sword


@dataclass(frozen=True, slots=True)
class AceStyle:
    """What surrounds the big pips of one deck."""

    wreath: bool = True
    banner_top: str = ""
    banner_bottom: str = ""
    banner_colour: Colour = (45, 55, 200)
    crown: bool = False
    flags: bool = False
    ribbon: bool = True
    ribbon_colours: tuple[Colour, Colour] = ((45, 55, 200), (168, 111, 45))
    scabbard: bool = False
    sword_angle: float = 25.0
    club_angle: float = -25.0
    spiral: bool = False
    garland: bool = False
    size: float = 1.0
    cup: CupStyle | None = None
    """A richer cup for the ace; None for the deck's own."""


def random_aces(dice: Dice, p: Palette, words: str) -> AceStyle:
    """Aces from plain to overloaded."""
    inks = (p.red, p.blue, p.green, p.yellow, p.brown)
    tilt = 0.0 if dice.toss(0.4) else dice.between(12, 32) * dice.pick((-1, 1))
    return AceStyle(
        wreath=dice.toss(0.5),
        banner_top=words.split(" ")[0] if dice.toss(0.45) else "",
        banner_bottom=words.split(" ")[-1] if dice.toss(0.5) else "",
        banner_colour=dice.pick(inks),
        crown=dice.toss(0.25),
        flags=dice.toss(0.25),
        ribbon=dice.toss(0.5),
        ribbon_colours=(dice.pick(inks), dice.pick(inks)),
        scabbard=dice.toss(0.25),
        sword_angle=tilt + (180 if dice.toss(0.4) else 0),
        club_angle=dice.between(-32, 32) + (180 if dice.toss(0.2) else 0),
        spiral=dice.toss(0.4),
        garland=dice.toss(0.3),
        size=dice.between(0.82, 1.05),
    )


def draw_banner(
    pen: Pen, x: float, y: float, width: float, text: str, colour: Colour, ink: Colour, arch: float = 0.12
) -> None:
    """A ribbon with folded ends and small print, ``width`` mm wide, centred on (x, y)."""
    with pen.at(x, y, width):
        for side in (-1, 1):
            end = [(side * 0.34, 0.04), (side * 0.5, 0.05), (side * 0.46, 0.13), (side * 0.5, 0.21), (side * 0.34, 0.2)]
            pen.shape(np.asarray(end), dark(colour, 0.2))
        pen.shape(tube(smooth([(-0.4, arch * 0.5), (0, -arch * 0.5), (0.4, arch * 0.5)]), 0.17), colour)
        if text:
            with pen.at(0, -arch * 0.3):
                draw_text(pen, text[:10], 0, 0, min(0.095, 0.62 / max(3, len(text[:10]))), ink, 0.13)


def _wreath(pen: Pen, radius: float, colour: Colour, berries: Colour) -> None:
    for side in (-1, 1):
        for k in range(9):
            angle = 90 - side * (14 + k * 15)
            x, y = radius * np.cos(np.radians(angle)), radius * np.sin(np.radians(angle))
            for turn in (-35, 30):
                heading = angle - side * 90 + turn
                pen.shape(placed(leaf(radius * 0.36, radius * 0.1), float(x), float(y), heading), colour)
            if k % 3 == 1:
                pen.shape(ellipse(float(x) * 1.08, float(y) * 1.08, radius * 0.05, n=10), berries, shade=0)


def _flags(pen: Pen, radius: float, a: Colour, b: Colour, pole: Colour) -> None:
    for side in (-1, 1):
        for tilt, colour in ((22, a), (38, b)):
            with pen.at(0, radius * 0.9, 1, side * tilt):
                pen.line([(0, 0), (0, -radius * 2.3)], pole, radius * 0.05)
                cloth = [
                    (0, -radius * 2.2),
                    (side * radius * 0.45, -radius * 2.1),
                    (side * radius * 0.4, -radius * 1.4),
                    (0, -radius * 1.3),
                ]
                pen.shape(smooth(cloth, True, 4), colour)


def _crown(pen: Pen, y: float, size: float, gold: Colour, gem: Colour) -> None:
    with pen.at(0, y, size):
        pen.shape([(-0.8, 0), (-1.0, -0.9), (-0.5, -0.45), (0, -1.1), (0.5, -0.45), (1.0, -0.9), (0.8, 0)], gold)
        for x, top in ((-1.0, -0.95), (0, -1.15), (1.0, -0.95)):
            pen.shape(ellipse(x, top, 0.14, n=12), gem, shade=0)
        pen.shape(tube([(-0.82, -0.05), (0.82, -0.05)], 0.3), gem, shade=0)


def _ribbon(pen: Pen, length: float, width: float, colours: tuple[Colour, Colour], front: bool) -> None:
    """One side of a band wound around a vertical axis: what runs behind it, or what runs in front of it."""
    turns = 2.5
    for k in range(int(turns * 2) + 1):
        if (k % 2 == 0) != front:
            continue
        phase = np.linspace(-np.pi / 2, np.pi / 2, 14) + np.pi * k
        y = -length / 2 + (phase + np.pi / 2) / (2 * np.pi) * length / turns
        grow = 0.8 + 0.3 * k / turns / 2
        path = np.stack([width * grow * 1.05 * np.sin(phase), y], axis=1)
        pen.shape(tube(path, width * 0.5), colours[0] if front else colours[1])


def _sprig(pen: Pen, side: int, length: float, leafage: Colour, berry: Colour) -> None:
    """A laurel twig that grows up and outwards from the origin."""
    stem = smooth([(0, 0), (side * length * 0.32, -length * 0.3), (side * length * 0.42, -length)], steps=6)
    pen.line(stem)
    for k in range(2, len(stem), 2):
        x, y = stem[k]
        heading = float(np.degrees(np.arctan2(stem[k, 1] - stem[k - 1, 1], stem[k, 0] - stem[k - 1, 0])))
        for turn in (-42, 42):
            pen.shape(placed(leaf(length * 0.34, length * 0.1), float(x), float(y), heading + turn), leafage)
        if k % 4 == 0:
            pen.shape(ellipse(float(x), float(y), length * 0.04, n=12), berry, shade=0)


def _garland(pen: Pen, length: float, width: float, green: Colour, bloom: Colour) -> None:
    for k in range(11):
        y = -length / 2 + length * k / 10
        x = width * np.sin(k * 1.1)
        for turn in (-30, 200):
            pen.shape(placed(leaf(width * 0.9, width * 0.28), float(x), y, turn + 25 * k % 40), green)
        if k % 3 == 0:
            for petal in range(5):
                pen.shape(placed(ellipse(0.22, 0, 0.17, 0.12, n=10), float(x), y, 72 * petal, width), bloom, shade=0)


def draw_ace(
    pen: Pen,
    suit: str,
    s: AceStyle,
    pips: tuple[CoinStyle, CupStyle, SwordStyle, ClubStyle],
    p: Palette,
    area: tuple[float, float],
) -> None:
    """The ace of ``suit`` around the origin, on a free area of ``area`` mm."""
    coin, cup, sword, club = pips
    wide, high = area
    text_ink = p.white if sum(s.banner_colour) < 420 else p.ink
    if suit == "O":
        radius = min(wide * 0.4, high * 0.27) * s.size
        if s.flags:
            _flags(pen, radius, *s.ribbon_colours, p.brown)
        if s.wreath:
            _wreath(pen, radius * 1.08, p.green, p.red)
        with pen.at(scale=radius):
            draw_coin(pen, replace(coin, lettering=True, inner=min(coin.inner, 0.7)))
        if s.crown and not s.banner_top:
            _crown(pen, -radius * 1.05, radius * 0.4, p.yellow, p.red)
        if s.banner_top:
            draw_banner(pen, 0, -high * 0.4, wide * 0.86, s.banner_top, s.banner_colour, text_ink)
        if s.banner_bottom:
            draw_banner(pen, 0, high * 0.37, wide * 0.9, s.banner_bottom, s.banner_colour, text_ink, -0.1)
    elif suit == "C":
        scale = min(high * 0.44, wide * 0.5 / cup.wide) * s.size
        if s.wreath:
            for side in (-1, 1):
                with pen.at(0, scale * 0.96):
                    _sprig(pen, side, min(high * 0.36, wide * 0.78), p.green, p.red)
        if s.crown and cup.lid == "none":
            _crown(pen, -scale * 1.02, scale * 0.22, p.yellow, p.blue)
        with pen.at(scale=scale):
            draw_cup(pen, s.cup if s.cup is not None else replace(cup, knop=True))
        if s.banner_bottom and cup.stem_length > 0.3:
            draw_banner(pen, 0, scale * 0.55, wide * 0.6, s.banner_bottom, s.banner_colour, text_ink)
    elif suit == "E":
        with pen.at(angle=s.sword_angle):
            length = min(high * 0.96, wide * 1.9) * s.size
            unit = length / 8.0
            big = replace(sword, blade_width=sword.blade_width * 1.2)
            bands = (length * 0.5, unit * max(0.9, 2.2 * sword.blade_width), s.ribbon_colours)
            with pen.at(0, -length * 0.02):
                if s.ribbon:
                    _ribbon(pen, *bands, front=False)
            with pen.at(scale=unit):
                draw_sword(pen, big, 8.0)
            if s.ribbon:
                with pen.at(0, -length * 0.02):
                    _ribbon(pen, *bands, front=True)
            if s.scabbard:
                with pen.at(0, length * 0.02, unit):
                    draw_scabbard(pen, s.ribbon_colours[0], sword.hilt, 4.2, sword.blade_width * 2.8)
            elif s.garland:
                _garland(pen, length * 0.55, wide * 0.08, p.green, p.red)
    else:
        with pen.at(angle=s.club_angle):
            length = min(high * 0.95, wide * 1.8) * s.size
            width = min(length * club.width * 0.95, wide * 0.42)
            if s.spiral:
                _ribbon(pen, length * 0.62, width * 0.5, s.ribbon_colours, front=False)
            draw_club(pen, club, length, width, 0, leafy=s.wreath or s.garland)
            if s.spiral:
                _ribbon(pen, length * 0.62, width * 0.5, s.ribbon_colours, front=True)
            elif s.banner_bottom:
                draw_banner(pen, 0, length * 0.12, width * 2.2, s.banner_bottom, s.banner_colour, text_ink)
