"""Whole cards: paper, frame, pips or figure, numerals, wear."""

from dataclasses import replace

import numpy as np

from vision.synth.art.aces import draw_ace
from vision.synth.art.backs import draw_back
from vision.synth.art.clubs import draw_club
from vision.synth.art.coins import draw_coin
from vision.synth.art.courts import draw_court, draw_pip
from vision.synth.art.cups import draw_cup
from vision.synth.art.curves import box, placed
from vision.synth.art.dice import Dice
from vision.synth.art.frame import draw_frame, draw_numerals
from vision.synth.art.layouts import place_round, stick_room
from vision.synth.art.letters import draw_text, scribble
from vision.synth.art.paper import wear
from vision.synth.art.pen import Pen
from vision.synth.art.style import DeckStyle
from vision.synth.art.swords import draw_sword

_SUIT_ORDER = "OCEB"


def _free_area(s: DeckStyle) -> tuple[float, float]:
    x0, y0, x1, y1 = s.frame.inner(s.card_mm)
    return x1 - x0 - 2 * s.padding[0], y1 - y0 - 2 * s.padding[1]


def _court_area(s: DeckStyle) -> tuple[float, float]:
    """Figures fill the frame more than pips do."""
    x0, y0, x1, y1 = s.frame.inner(s.card_mm)
    return x1 - x0 - 2 * min(s.padding[0], 1.0), y1 - y0 - 2 * min(s.padding[1], 1.8)


def _draw_round(pen: Pen, s: DeckStyle, suit: str, rank: int, area: tuple[float, float]) -> None:
    layout = s.round_pips[suit]
    pip = (2.0, 2.0) if suit == "O" else (2.0 * s.cup.wide * 1.02, 2.0)
    grid = layout.grids[rank]
    scale, centres = place_round(grid, area, pip, layout.fill, layout.largest)
    big = 1.0
    if rank == 5 and layout.big_centre:
        big = min(1.45, max(1.0, float(np.hypot(*(centres[0] - centres[2])) / scale - 1.05)))
    for k, (x, y) in enumerate(centres):
        middle = grid[k] == (0.5, 0.5)
        low = grid[k][1] > 0.55 if layout.inverted == "lower" else k % 2 == 1 and layout.inverted == "alternate"
        with pen.at(x - area[0] / 2, y - area[1] / 2, scale * (big if middle else 1), 180 if low else 0):
            if suit == "O":
                draw_coin(pen, s.coin)
            else:
                draw_cup(pen, s.cup)


def _draw_sticks(pen: Pen, s: DeckStyle, suit: str, rank: int, area: tuple[float, float]) -> None:
    layout = s.stick_pips[suit]
    sticks = layout.sticks[rank]
    for stick, (length, room) in zip(sticks, stick_room(sticks, area), strict=True):
        with pen.at((stick.x - 0.5) * area[0], (stick.y - 0.5) * area[1], 1, stick.angle):
            if suit == "E":
                reach = 2 * max(s.sword.guard_width + 0.2, 0.8)
                unit = min(3.6 * layout.unit, room * 0.94 / reach, length / 4.2)
                with pen.at(scale=unit):
                    draw_sword(pen, s.sword, length / unit, stick.short)
            else:
                width = min(length * s.club.width * layout.unit * (0.95 if stick.short else 0.55), room * 0.86)
                draw_club(pen, s.club, length, width, stick.tone, leafy=rank in (2, 3) and s.club.leaves)


def _draw_words(pen: Pen, s: DeckStyle, label: str) -> None:
    text = s.print_words
    if text is None or label not in text.words:
        return
    words = text.words[label]
    upright = label in ("2E", "2B", "10O", "12C", "2O", "2C")
    height = min(text.height, (60 if upright else 36) / max(4, len(words)) / 0.75)
    if label in ("4O", "4C", "4E", "4B", "6O"):
        for k, line in enumerate(words.split(" ")):
            draw_text(pen, line, 0, (k - 0.5) * height * 1.7, height, text.colour)
        if text.signature:
            pen.line(placed(scribble(Dice(np.random.default_rng(s.seed)), 24), 0, -height * 3), text.colour, 0.25)
    elif label in ("2E", "2B"):
        draw_text(pen, words, 0, 0, height, text.colour, angle=90)
    else:
        inner = _free_area(s)
        draw_text(
            pen,
            words,
            -inner[0] / 2 + height if upright else 0,
            0 if upright else -inner[1] * 0.44,
            height * 0.7,
            text.colour,
            angle=90 if upright else 0,
        )


def draw_face(s: DeckStyle, label: str, height: int, oversample: int = 2) -> np.ndarray:
    """The face ``label`` as ``(height, width, 3)`` uint8 BGR with square corners."""
    rank, suit = int(label[:-1]), label[-1]
    number = _SUIT_ORDER.index(suit) * 12 + rank
    rng = np.random.default_rng((s.seed, number))
    pen = Pen(s.card_mm, height, s.palette.paper, s.ink, oversample)
    dx, dy = np.asarray(s.shift) + rng.normal(0, s.shift_spread, 2)
    w, h = s.card_mm
    area = _free_area(s)
    pips = (s.coin, s.cup, s.sword, s.club)
    # The print lies on the card as one piece: everything is shifted and turned together.
    with pen.at(w / 2 + dx, h / 2 + dy, 1, s.turn), pen.at(-w / 2, -h / 2):
        if s.panel is not None:
            x0, y0, x1, y1 = s.frame.inner(s.card_mm)
            pen.fill(box(x0 + 0.8, y0 + 0.8, x1 - 0.8, y1 - 0.8), s.panel)
        draw_frame(pen, s.frame, suit)
        index = (len(str(rank)) * 0.62 * s.frame.digit_height, s.frame.digit_height)
        with pen.at(w / 2, h / 2):
            if rank == 1:
                draw_ace(pen, suit, s.aces, pips, s.palette, area)
            elif rank >= 10:
                draw_court(pen, suit, rank, s.courts[label], pips, _court_area(s), index)
            elif suit in "OC":
                _draw_round(pen, s, suit, rank, area)
            else:
                _draw_sticks(pen, s, suit, rank, area)
            _draw_words(pen, s, label)
        _, tall = draw_numerals(pen, s.frame, rank)
        if s.frame.suit_mark and tall and rank < 10:
            x, y = (
                s.frame.margin[0] + s.frame.digit_inset[0] + 1.8,
                s.frame.margin[1] + s.frame.digit_inset[1] + tall + 3.2,
            )
            for px, py, turn in ((x, y, 0), (w - x, h - y, 180)):
                with pen.at(px, py, 1, turn):
                    draw_pip(pen, suit, pips, 4.2)
    return wear(pen.picture(), s.paper, (s.seed, number, 1))


def draw_deck_back(s: DeckStyle, height: int, oversample: int = 2) -> np.ndarray:
    """The back as ``(height, width, 3)`` uint8 BGR with square corners."""
    pen = Pen(s.card_mm, height, s.palette.paper, replace(s.ink, misregistration=(0.0, 0.0), wobble=0.0), oversample)
    with pen.at(*s.shift):
        draw_back(pen, s.back)
    return wear(pen.picture(), s.paper, (s.seed, 0, 1))
