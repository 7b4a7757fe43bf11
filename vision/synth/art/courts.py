"""The court cards: sota (standing page), caballo (rider) and rey (crowned, robed king), each with its suit's pip."""

from dataclasses import dataclass

import numpy as np

from vision.synth.art.clubs import ClubStyle, draw_club
from vision.synth.art.coins import CoinStyle, draw_coin
from vision.synth.art.cups import CupStyle, draw_cup
from vision.synth.art.curves import smooth, tube
from vision.synth.art.figures import (
    Costume,
    draw_arm,
    draw_cloak,
    draw_collar,
    draw_ground,
    draw_legs,
    draw_mantle,
    draw_robe,
    draw_torso,
    hand_at,
)
from vision.synth.art.heads import draw_head
from vision.synth.art.horses import HorseStyle, draw_horse
from vision.synth.art.pen import Pen
from vision.synth.art.swords import SwordStyle, draw_sword

Pips = tuple[CoinStyle, CupStyle, SwordStyle, ClubStyle]


@dataclass(frozen=True, slots=True)
class CourtStyle:
    """One court card. ``pip`` says where the suit's sign is: ``hand`` or ``corner``; ``flip`` mirrors the figure."""

    costume: Costume
    horse: HorseStyle | None = None
    pip: str = "hand"
    other_arm: str = "hip"
    flip: bool = False
    stance: float = 0.6
    size: float = 1.0
    stretch: float = 1.0
    double: bool = False
    tone: int = 0


def draw_pip(pen: Pen, suit: str, pips: Pips, height: float, tone: int = 0) -> None:
    """One suit sign about ``height`` high around the origin."""
    coin, cup, sword, club = pips
    if suit == "O":
        with pen.at(scale=height / 2):
            draw_coin(pen, coin)
    elif suit == "C":
        with pen.at(scale=height / 2):
            draw_cup(pen, cup)
    elif suit == "E":
        with pen.at(scale=height / 6):
            draw_sword(pen, sword, 6)
    else:
        draw_club(pen, club, height, height * club.width, tone)


_HOLD = {"O": "raise", "C": "raise", "E": "grip", "B": "grip"}


def _held(pen: Pen, suit: str, pips: Pips, side: int, tone: int) -> None:
    """The pip in the hand of the arm on ``side``, drawn before the arm."""
    x, y = hand_at(_HOLD[suit], side)
    if suit == "O":
        with pen.at(x + side * 0.05, y - 1.15):
            draw_pip(pen, suit, pips, 2.3)
    elif suit == "C":
        with pen.at(x + side * 0.1, y - 0.95):
            draw_pip(pen, suit, pips, 2.7)
    elif suit == "E":
        sword = pips[2]
        with pen.at(x, y, 0.78, side * 7):
            length = 6.6
            with pen.at(0, -length / 2 + 0.45 + sword.grip_length * 0.45):
                draw_sword(pen, sword, length)
    else:
        with pen.at(x, y, 1, side * 9), pen.at(0, -2.0):
            draw_club(pen, pips[3], 5.4, min(5.4 * pips[3].width * 1.05, 1.6), tone)


def _upper_body(pen: Pen, suit: str, s: CourtStyle, pips: Pips, king: bool, seated: bool) -> None:
    c = s.costume
    if king and not seated:
        draw_robe(pen, c)
    else:
        draw_torso(pen, c, seated)
    draw_arm(pen, c, 1, s.other_arm)
    if s.pip == "hand":
        _held(pen, suit, pips, -1, s.tone)
    if king:
        draw_mantle(pen, c)
    draw_arm(pen, c, -1, _HOLD[suit] if s.pip == "hand" else "chest")
    draw_collar(pen, c)
    draw_head(pen, c.head)


def _standing(pen: Pen, suit: str, s: CourtStyle, pips: Pips, king: bool) -> None:
    c = s.costume
    draw_ground(pen, c)
    draw_cloak(pen, c, -0.7 if king else -2.2)
    if not king:
        draw_legs(pen, c, s.stance)
    _upper_body(pen, suit, s, pips, king, False)


_RIDER = 0.9


def _rider(pen: Pen, suit: str, s: CourtStyle, pips: Pips) -> None:
    c = s.costume
    assert s.horse is not None
    draw_ground(pen, c, 4.0)
    draw_horse(pen, s.horse)
    with pen.at(0.25, -5.15 + 4.5 * _RIDER, _RIDER):
        draw_cloak(pen, c, -4.2)
        leg = smooth([(0.1, -4.5), (-1.2, -3.9), (-1.1, -2.6), (-0.95, -1.7)], steps=5)
        pen.shape(tube(leg, np.interp(np.linspace(0, 1, len(leg)), [0, 0.4, 1], [1.25, 1.0, 0.6])), c.hose[0])
        if c.boots:
            pen.shape(tube(leg[8:], np.linspace(0.95, 0.7, len(leg) - 8)), c.shoe)
        pen.shape(smooth([(-0.65, -1.9), (-1.25, -1.85), (-2.0, -1.45), (-1.8, -1.25), (-0.7, -1.3)], True, 4), c.shoe)
        pen.line([(-1.0, -3.2), (-1.15, -1.2)], s.horse.tack, 0.1)
        _upper_body(pen, suit, s, pips, False, True)


def _corner_pip(
    pen: Pen, suit: str, s: CourtStyle, pips: Pips, area: tuple[float, float], index: tuple[float, float]
) -> None:
    height = {"O": 10.5, "C": 13.0, "E": 20.0, "B": 20.0}[suit] * s.size
    half = height * {"O": 0.5, "C": 0.4, "E": 0.14, "B": 0.18}[suit]
    x = area[0] / 2 - half - 1.5
    place = (
        (x, -area[1] / 2 + height / 2 + 2)
        if s.flip
        else (-x + 0.3 * index[0], -area[1] / 2 + height / 2 + index[1] * (0.55 if suit == "O" else 0.9) + 1)
    )
    with pen.at(*place):
        draw_pip(pen, suit, pips, height, s.tone)


def draw_court(
    pen: Pen, suit: str, rank: int, s: CourtStyle, pips: Pips, area: tuple[float, float], index: tuple[float, float]
) -> None:
    """The court card of ``rank`` (10, 11, 12) around the origin, on a free area of ``area`` mm.

    ``index`` is the size of the corner numeral, which a pip in the corner keeps clear of.
    """
    wide, high = area
    if s.double:
        _double(pen, suit, rank, s, pips, area, index)
        return
    if rank == 11 and s.horse is not None:
        unit = min(wide / 8.8 / s.stretch, high / 11.9) * s.size
        with pen.at(0.15 * unit * (-1 if s.flip else 1), high / 2 - 0.35 * unit, unit, flip=s.flip, stretch=s.stretch):
            _rider(pen, suit, s, pips)
    else:
        unit = min(high / 11.4, wide / 6.0) * s.size
        shift = 0.0 if s.pip == "corner" else 0.6 * unit * (-1 if s.flip else 1)
        with pen.at(shift, high / 2 - 0.35 * unit, unit, flip=s.flip, stretch=s.stretch):
            _standing(pen, suit, s, pips, rank == 12)
    if s.pip == "corner":
        _corner_pip(pen, suit, s, pips, area, index)


def _double(
    pen: Pen, suit: str, rank: int, s: CourtStyle, pips: Pips, area: tuple[float, float], index: tuple[float, float]
) -> None:
    """Two half figures, head up and head down, parted at the waist."""
    wide, high = area
    if rank == 11 and s.horse is not None:
        unit = min(high / 2 / 7.4, wide / 8.2) * s.size
        with pen.at(0.6 * unit * (-1 if s.flip else 1), 3.9 * unit, unit, flip=s.flip):
            _rider(pen, suit, s, pips)
    else:
        unit = min(high / 2 / 5.7, wide / 5.8) * s.size
        with pen.at(0, 5.2 * unit, unit, flip=s.flip):
            draw_cloak(pen, s.costume, -3.0)
            _upper_body(pen, suit, s, pips, rank == 12, False)
    if s.pip == "corner":
        _corner_pip(pen, suit, s, pips, area, index)
    pen.mirror_top()
    reach = wide * 0.36
    pen.shape(tube([(-reach, 0), (reach, 0)], 1.8), s.costume.belt)
