"""Things that lie on tables and are not Spanish cards: glasses, coins, phones, papers, look-alikes.

``thing(kind, seed)`` draws one of :data:`KINDS` from above, as a cut-out of true size. Most are there to be told from
cards: coasters, photographs, business cards, bank notes and French cards share a card's size, corners or print.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth import textures

Rng = np.random.Generator
Colour = tuple[float, float, float]
PX_PER_MM: Final = 2.0
_SUPER: Final = 2


@dataclass(frozen=True, slots=True)
class Thing:
    """A cut-out: ``image`` BGRA uint8, straight alpha, at ``px_per_mm``; ``height_mm`` is what its shadow falls from.

    ``under`` tells that cards are put on it rather than beside it (a mat).
    """

    kind: str
    image: NDArray[np.uint8]
    px_per_mm: float
    height_mm: float
    under: bool = False


class _Sheet:
    """A drawing in millimetres with the origin at its centre, rendered with twice the pixels and reduced."""

    def __init__(self, width: float, height: float) -> None:
        self.k = PX_PER_MM * _SUPER
        self.w, self.h = round((width + 4) * self.k), round((height + 4) * self.k)
        self.colour = np.full((self.h, self.w, 3), 128, np.uint8)
        self.mask = np.zeros((self.h, self.w), np.uint8)

    def points(self, points: Any) -> NDArray[np.int32]:
        flat = np.asarray(points, np.float64) * self.k + np.array((self.w / 2, self.h / 2))
        return np.asarray(np.round(flat * 16), np.int32)

    def polygon(self, points: Any, colour: Colour, solid: bool = True) -> None:
        shape = [self.points(points)]
        cv2.fillPoly(self.colour, shape, colour, cv2.LINE_AA, 4)
        if solid:
            # one pixel more of colour than of mask, so that no rim of the ground shows
            cv2.polylines(self.colour, shape, True, colour, 2, cv2.LINE_AA, 4)
            cv2.fillPoly(self.mask, shape, 255, cv2.LINE_AA, 4)

    def box(
        self, x: float, y: float, w: float, h: float, colour: Colour, radius: float = 0.0, solid: bool = True
    ) -> None:
        """A rectangle with centre (x, y) and rounded corners."""
        self.polygon(_rounded(w, h, radius) + np.array((x, y)), colour, solid)

    def disc(self, x: float, y: float, radius: float, colour: Colour, solid: bool = True, squeeze: float = 1.0) -> None:
        angles = np.linspace(0, 2 * math.pi, 56, endpoint=False)
        shape = np.stack([np.cos(angles), squeeze * np.sin(angles)], 1) * radius
        self.polygon(shape + np.array((x, y)), colour, solid)

    def line(self, points: Any, colour: Colour, width: float, solid: bool = False) -> None:
        thick = max(1, round(width * self.k))
        cv2.polylines(self.colour, [self.points(points)], False, colour, thick, cv2.LINE_AA, 4)
        if solid:
            cv2.polylines(self.mask, [self.points(points)], False, 255, thick, cv2.LINE_AA, 4)

    def arc(self, radius: float, start: float, sweep: float, colour: Colour, width: float) -> None:
        angles = np.radians(np.linspace(start, start + sweep, 24))
        self.line(np.stack([np.cos(angles), np.sin(angles)], 1) * radius, colour, width)

    def text(self, x: float, y: float, words: str, size: float, colour: Colour, font: int = 0) -> None:
        """Words with their left end of the base line at (x, y), ``size`` the height of a capital."""
        scale = size * self.k / 21
        at = self.points([(x, y)])[0] // 16
        cv2.putText(
            self.colour, words, (int(at[0]), int(at[1])), font, scale, colour, max(1, round(scale * 1.5)), cv2.LINE_AA
        )

    def shade(self, field: NDArray[np.float32]) -> None:
        """Multiplies the colours by a small field stretched over the sheet."""
        full = cv2.resize(field, (self.w, self.h), interpolation=cv2.INTER_LINEAR)
        self.colour = np.clip(self.colour * full[..., None], 0, 255).astype(np.uint8)

    def done(self, opacity: float = 1.0) -> NDArray[np.uint8]:
        size = (self.w // _SUPER, self.h // _SUPER)
        colour = cv2.resize(self.colour, size, interpolation=cv2.INTER_AREA)
        mask = cv2.resize(self.mask, size, interpolation=cv2.INTER_AREA)
        return np.dstack([colour, (mask * opacity).astype(np.uint8)])


def _rounded(w: float, h: float, radius: float) -> NDArray[np.float64]:
    """Outline of a rounded rectangle around the origin."""
    if radius <= 0:
        return np.array([(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)])
    outline = []
    for cx, cy, start in ((1, -1, -90), (1, 1, 0), (-1, 1, 90), (-1, -1, 180)):
        for angle in np.radians(np.linspace(start, start + 90, 7)):
            outline.append(
                (cx * (w / 2 - radius) + radius * math.cos(angle), cy * (h / 2 - radius) + radius * math.sin(angle))
            )
    return np.array(outline)


def _any(rng: Rng, low: float = 25, high: float = 235) -> Colour:
    tone = rng.uniform(low, high, 3)
    # printed colours are seldom pure: draw them towards their grey
    b, g, r = tone.mean() + (tone - tone.mean()) * rng.uniform(0.3, 1.0)
    return float(b), float(g), float(r)


def _pick(rng: Rng, *colours: Colour) -> Colour:
    b, g, r = np.clip(np.array(colours[int(rng.integers(len(colours)))]) * rng.uniform(0.85, 1.15), 0, 255)
    return float(b), float(g), float(r)


def _times(colour: Colour, factor: float) -> Colour:
    return min(255.0, colour[0] * factor), min(255.0, colour[1] * factor), min(255.0, colour[2] * factor)


def _glass(rng: Rng) -> tuple[_Sheet, float]:
    """A tumbler, wine glass or beer from above."""
    radius = rng.uniform(28, 42)
    sheet = _Sheet(2 * radius, 2 * radius)
    drink = _pick(rng, (40, 18, 60), (60, 150, 215), (30, 40, 60), (190, 195, 190), (120, 190, 220), (40, 90, 190))
    sheet.disc(0, 0, radius, _pick(rng, (190, 200, 200), (150, 160, 160)))
    sheet.disc(0, 0, radius * 0.94, _times(drink, 0.75))
    sheet.disc(0, 0, radius * 0.86, drink)
    if rng.random() < 0.35:
        sheet.disc(0, 0, radius * 0.85, (215, 232, 240))
        for _ in range(30):
            angle, reach = rng.uniform(0, 6.3), radius * 0.8 * math.sqrt(rng.random())
            sheet.disc(reach * math.cos(angle), reach * math.sin(angle), rng.uniform(0.6, 2), (190, 215, 228))
    elif rng.random() < 0.5:
        for _ in range(int(rng.integers(1, 4))):
            x, y = rng.uniform(-0.4, 0.4, 2) * radius
            sheet.polygon(_rounded(18, 17, 3) + np.array((x, y)), _times(drink, 1.35))
            sheet.line(_rounded(15, 14, 3) + np.array((x, y)), _times(drink, 1.8), 0.8)
    start = rng.uniform(0, 360)
    sheet.arc(radius * 0.96, start, 70, (250, 252, 252), 1.4)
    sheet.arc(radius * 0.78, start + 15, 35, (245, 248, 250), 2.2)
    sheet.arc(radius * 0.96, start + 180, 40, (235, 238, 238), 1.0)
    return sheet, rng.uniform(20, 50)


def _cup(rng: Rng) -> tuple[_Sheet, float]:
    """A cup of coffee or tea on its saucer."""
    glaze = _pick(rng, (235, 238, 240), (220, 225, 228), (90, 60, 40), (60, 70, 160), (200, 190, 120))
    sheet = _Sheet(150, 150)
    if rng.random() < 0.7:
        sheet.disc(0, 0, 70, _times(glaze, 0.92))
        sheet.disc(0, 0, 58, _times(glaze, 0.98))
        sheet.disc(0, 0, 42, _times(glaze, 0.88))
    angle = rng.uniform(0, 6.3)
    handle = np.array([(0, -9), (28, -8), (28, 8), (0, 9)]) @ np.array(
        [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]
    )
    sheet.polygon(handle + 28 * np.array((math.cos(angle), math.sin(angle))), _times(glaze, 0.9))
    sheet.disc(0, 0, 40, glaze)
    sheet.disc(0, 0, 36.5, _times(glaze, 0.7))
    drink = _pick(rng, (24, 40, 66), (90, 140, 180), (40, 100, 170))
    sheet.disc(1.5, 1.5, 33, drink)
    sheet.arc(24, rng.uniform(0, 360), 80, _times(drink, 1.7), 2.0)
    return sheet, 26.0


def _coins(rng: Rng) -> tuple[_Sheet, float]:
    """One to six coins, some on each other."""
    sheet = _Sheet(90, 90)
    for _ in range(int(rng.integers(1, 7))):
        radius = rng.uniform(8, 13)
        x, y = rng.normal(0, 13, 2)
        metal = _pick(rng, (90, 170, 205), (80, 120, 180), (180, 185, 188), (100, 140, 160))
        sheet.disc(x + 0.5, y + 0.6, radius, _times(metal, 0.5))
        sheet.disc(x, y, radius, metal)
        sheet.disc(x, y, radius * 0.88, _times(metal, 0.86))
        if rng.random() < 0.4:
            sheet.disc(x, y, radius * 0.64, _pick(rng, (180, 185, 188), (90, 170, 205)))
        value = str(rng.choice(["1", "2", "5", "10", "20", "50"]))
        sheet.text(x - radius * 0.5, y + radius * 0.35, value, radius * 0.7, _times(metal, 0.6), 2)
        sheet.disc(x - radius * 0.3, y - radius * 0.4, radius * 0.22, _times(metal, 1.25), False)
    return sheet, 2.0


def _phone(rng: Rng) -> tuple[_Sheet, float]:
    """A phone lying on its back, its screen dark or lit, or lying on its face."""
    w, h = rng.uniform(66, 78), rng.uniform(138, 164)
    sheet = _Sheet(w, h)
    body = _pick(rng, (30, 28, 28), (200, 200, 202), (90, 60, 50), (60, 50, 150))
    sheet.box(0, 0, w, h, body, 9)
    kind = rng.random()
    if kind < 0.45:
        sheet.box(0, 0, w - 4, h - 4, (18, 16, 16), 7)
        sheet.polygon(
            [(-w / 2 + 4, -h / 2 + 20), (w / 2 - 4, -h / 2 + 4), (w / 2 - 4, 0), (-w / 2 + 4, 30)], (44, 42, 42)
        )
    elif kind < 0.75:
        sheet.box(0, 0, w - 4, h - 4, _pick(rng, (235, 235, 235), (140, 90, 40), (60, 40, 30)), 7)
        for row in range(int(rng.integers(4, 8))):
            y = -h / 2 + 20 + row * 17
            if rng.random() < 0.5:
                for column in range(4):
                    sheet.box(-w / 2 + 13 + column * (w - 26) / 3, y, 10, 10, _any(rng), 2.5)
            else:
                sheet.box(0, y, w - 16, 12, _any(rng, 150, 240), 2)
                sheet.text(-w / 2 + 10, y + 2, "hola mesa carta", 2.6, (90, 90, 90))
    else:
        sheet.box(-w / 2 + 15, -h / 2 + 17, 20, 24, _times(body, 0.7), 5)
        for y in (-5, 6):
            sheet.disc(-w / 2 + 15, -h / 2 + 17 + y, 4.5, (20, 18, 18))
    return sheet, 8.0


def _paper(rng: Rng) -> tuple[_Sheet, float]:
    """A sheet with a hand-written score, a notebook page or a printed leaflet."""
    w, h = [(105, 148), (148, 210), (74, 105), (90, 190), (76, 76)][int(rng.integers(5))]
    sheet = _Sheet(w, h)
    paper = _pick(rng, (232, 240, 242), (225, 235, 240), (150, 225, 240), (215, 228, 232), (200, 230, 200))
    sheet.box(0, 0, w, h, paper)
    ink = _pick(rng, (120, 50, 30), (40, 36, 36), (40, 40, 150), (70, 70, 74))
    rule = _times(paper, 0.86)
    if rng.random() < 0.5:
        for y in np.arange(-h / 2 + 8, h / 2 - 4, rng.uniform(5, 8)):
            sheet.line([(-w / 2 + 2, y), (w / 2 - 2, y)], rule, 0.3)
        if rng.random() < 0.5:
            for x in np.arange(-w / 2 + 4, w / 2 - 2, 5):
                sheet.line([(x, -h / 2 + 3), (x, h / 2 - 3)], rule, 0.3)
    if rng.random() < 0.6:
        sheet.line([(0, -h / 2 + 8), (0, h / 2 - 10)], ink, 0.6)
        sheet.line([(-w / 2 + 6, -h / 2 + 20), (w / 2 - 6, -h / 2 + 20)], ink, 0.6)
        for column in (-w / 4, w / 4):
            sheet.text(column - 10, -h / 2 + 16, str(rng.choice(["Ana", "Luis", "N", "E", "nos", "ell"])), 6, ink, 16)
            for row in range(int(rng.integers(1, 8))):
                sheet.text(column - 6, -h / 2 + 32 + row * 10, str(int(rng.integers(0, 121))), 5.5, ink, 16)
    else:
        for y in np.arange(-h / 2 + 12, h / 2 - 8, rng.uniform(4, 9)):
            sheet.text(
                -w / 2 + 7,
                y,
                "la mesa de juego y cuatro cartas de oros"[: int(w / 3)],
                2.8,
                ink,
                int(rng.choice([0, 2])),
            )
    if rng.random() < 0.3:
        for x in np.arange(-w / 2 + 4, w / 2 - 2, 6):
            sheet.disc(x, -h / 2 + 4, 1.6, (60, 60, 60), False)
    sheet.shade((1 + 0.05 * rng.standard_normal((4, 4))).astype(np.float32))
    return sheet, 1.2


def _coaster(rng: Rng) -> tuple[_Sheet, float]:
    """A beer mat or cork coaster, square, round or as tall as a card."""
    colour, print_ = _any(rng, 40, 230), _any(rng, 20, 240)
    kind = rng.random()
    w, h = (94.0, 94.0) if kind < 0.6 else (float(rng.uniform(60, 75)), float(rng.uniform(85, 105)))
    sheet = _Sheet(w, h)
    if kind < 0.3:
        sheet.disc(0, 0, 47, colour)
        sheet.arc(41, 0, 360, print_, 1.5)
    else:
        sheet.box(0, 0, w, h, colour, rng.uniform(0, 10))
        if rng.random() < 0.6:
            sheet.line(np.vstack([_rounded(w - 8, h - 8, 4), _rounded(w - 8, h - 8, 4)[:1]]), print_, 1.2)
    if rng.random() < 0.7:
        sheet.disc(0, 0, rng.uniform(12, 26), print_, False, float(rng.uniform(0.5, 1)))
        sheet.text(-18, 3, str(rng.choice(["BAR", "CAFE", "1906", "Casa", "SOL"])), 8, colour, 3)
    sheet.shade((1 + 0.05 * rng.standard_normal((12, 12))).astype(np.float32))
    return sheet, 2.5


def _chips(rng: Rng) -> tuple[_Sheet, float]:
    """A few casino chips or round counters."""
    sheet = _Sheet(120, 120)
    for _ in range(int(rng.integers(1, 6))):
        x, y = rng.normal(0, 18, 2)
        colour = _pick(rng, (40, 40, 180), (150, 70, 30), (50, 120, 40), (40, 40, 40), (225, 225, 225), (60, 180, 220))
        sheet.disc(x + 1, y + 1.2, 19.5, _times(colour, 0.45))
        sheet.disc(x, y, 19.5, colour)
        turn = rng.uniform(0, 60)
        for spot in range(6):
            angles = np.radians(np.array([turn + spot * 60, turn + spot * 60 + 22]))
            outer, inner = np.stack([np.cos(angles), np.sin(angles)], 1) * 19.5, 15
            shape = np.vstack([outer, outer[::-1] * inner / 19.5])
            sheet.polygon(shape + np.array((x, y)), (230, 232, 232), False)
        sheet.disc(x, y, 13, _times(colour, 0.85), False)
        sheet.disc(x, y, 11.5, (225, 228, 228), False)
        sheet.text(x - 7, y + 4, str(rng.choice(["5", "10", "25"])), 7, _times(colour, 0.8), 2)
    return sheet, 4.0


def _pen(rng: Rng) -> tuple[_Sheet, float]:
    """A ball pen or a pencil."""
    length, thick = rng.uniform(120, 180), rng.uniform(7, 11)
    sheet = _Sheet(length, thick + 6)
    colour = _any(rng)
    half = length / 2
    sheet.polygon(
        [(-half, 0), (-half + 16, -thick / 2), (half, -thick / 2), (half, thick / 2), (-half + 16, thick / 2)], colour
    )
    sheet.polygon([(-half, 0), (-half + 6, -thick / 5), (-half + 6, thick / 5)], (50, 50, 50))
    sheet.line([(-half + 18, -thick / 5), (half - 3, -thick / 5)], _times(colour, 1.6), thick / 6)
    sheet.line([(-half + 18, thick / 3), (half - 3, thick / 3)], _times(colour, 0.6), thick / 4)
    if rng.random() < 0.6:
        sheet.box(half - 20, -thick / 2, 36, 2.4, (190, 192, 195), 1)
    return sheet, 8.0


def _ashtray(rng: Rng) -> tuple[_Sheet, float]:
    """An ashtray, a saucer of olives or a bowl of nuts."""
    radius = rng.uniform(40, 70)
    sheet = _Sheet(2 * radius, 2 * radius)
    colour = _pick(rng, (60, 60, 60), (215, 220, 222), (150, 120, 60), (60, 90, 150))
    if rng.random() < 0.25:
        sheet.box(0, 0, 1.8 * radius, 1.8 * radius, colour, 8)
    else:
        sheet.disc(0, 0, radius, colour)
    sheet.disc(0, 0, radius * 0.84, _times(colour, 0.78))
    sheet.disc(0, 0, radius * 0.7, _times(colour, 0.9))
    filling = rng.random()
    for _ in range(int(rng.integers(3, 40)) if filling < 0.75 else 0):
        angle, reach = rng.uniform(0, 6.3), radius * 0.6 * math.sqrt(rng.random())
        x, y = reach * math.cos(angle), reach * math.sin(angle)
        tone = (
            _pick(rng, (50, 120, 110), (60, 110, 160)) if filling < 0.4 else _pick(rng, (90, 150, 190), (120, 180, 220))
        )
        sheet.disc(x + 0.7, y + 0.9, 7, _times(tone, 0.5), False, 0.8)
        sheet.disc(x, y, 7, tone, False, 0.8)
        sheet.disc(x - 2, y - 2, 1.8, _times(tone, 1.5), False)
    sheet.arc(radius * 0.92, rng.uniform(0, 360), 60, (245, 245, 245), 1.2)
    return sheet, 14.0


def _remote(rng: Rng) -> tuple[_Sheet, float]:
    """A remote control or a small calculator."""
    w, h = rng.uniform(40, 66), rng.uniform(110, 190)
    sheet = _Sheet(w, h)
    body = _pick(rng, (34, 32, 32), (70, 68, 66), (190, 192, 192))
    sheet.box(0, 0, w, h, body, 6)
    for y in np.arange(-h / 2 + 14, h / 2 - 12, 11):
        for x in np.linspace(-w / 2 + 10, w / 2 - 10, 3):
            if rng.random() < 0.85:
                key = _pick(rng, (90, 90, 90), (150, 150, 150), (60, 60, 170), (200, 200, 200))
                sheet.box(float(x), float(y), 8, 5.5, key, 2)
    return sheet, 16.0


def _french(rng: Rng) -> tuple[_Sheet, float]:
    """A card of the French pattern, which is no Spanish card: corner index, hearts, spades, diamonds, clubs."""
    w, h = 63.0, 88.0
    sheet = _Sheet(w, h)
    sheet.box(0, 0, w, h, _pick(rng, (245, 248, 250), (232, 240, 244)), 3.5)
    suit = int(rng.integers(4))
    ink: Colour = (40, 30, 190) if suit < 2 else (30, 28, 28)
    rank = str(rng.choice(["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]))

    def pip(x: float, y: float, size: float) -> None:
        if suit == 0:
            for side in (-1, 1):
                sheet.disc(x + side * size * 0.27, y - size * 0.18, size * 0.3, ink, False)
            sheet.polygon(
                [(x - size * 0.55, y - 0.05 * size), (x, y + size * 0.6), (x + size * 0.55, y - 0.05 * size)],
                ink,
                False,
            )
        elif suit == 1:
            shape = np.array([(0, -0.62), (0.45, 0), (0, 0.62), (-0.45, 0)]) * size + np.array((x, y))
            sheet.polygon(shape, ink, False)
        else:
            for dx, dy in ((-0.26, 0.08), (0.26, 0.08), (0, -0.25)):
                sheet.disc(x + dx * size, y + dy * size, size * 0.29, ink, False)
            sheet.polygon([(x - size * 0.2, y + size * 0.6), (x, y), (x + size * 0.2, y + size * 0.6)], ink, False)

    if rank in "JQK":
        sheet.line(np.vstack([_rounded(w - 17, h - 15, 0), _rounded(w - 17, h - 15, 0)[:1]]), (110, 60, 40), 0.6)
        for _ in range(26):
            x, y = rng.uniform(-19, 19), rng.uniform(-32, 32)
            tone = _pick(rng, (40, 40, 190), (60, 190, 220), (130, 60, 30), (30, 30, 30))
            shape = rng.normal(0, 6, (4, 2)) + np.array((x, y))
            sheet.polygon(np.clip(shape, (-22, -35), (22, 35)), tone, False)
            sheet.polygon(-np.clip(shape, (-22, -35), (22, 35)), tone, False)
    else:
        count = 1 if rank == "A" else int(rank)
        columns = [0.0] if count < 4 else [-13.0, 13.0]
        rows = math.ceil(count / len(columns))
        for number in range(count):
            y = 0.0 if rows == 1 else -29 + 58 * (number // len(columns)) / (rows - 1)
            pip(columns[number % len(columns)], y, 20 if rank == "A" else 11)
    for turn in (1, -1):
        if turn < 0:
            sheet.colour = np.ascontiguousarray(sheet.colour[::-1, ::-1])
        sheet.text(-w / 2 + 2.5, -h / 2 + 10, rank, 7, ink, 2)
        pip(-w / 2 + 6, -h / 2 + 16, 5.5)
    return sheet, 0.6


def _business(rng: Rng) -> tuple[_Sheet, float]:
    """A business, bank or loyalty card."""
    w, h = 85.6, 54.0
    sheet = _Sheet(w, h)
    bank = rng.random() < 0.5
    colour = _any(rng, 30, 220) if bank else _pick(rng, (245, 245, 245), (225, 235, 238), (40, 40, 40))
    ink: Colour = (30, 30, 30) if sum(colour) > 330 else (235, 235, 235)
    sheet.box(0, 0, w, h, colour, 3.2 if bank else 0)
    if bank:
        sheet.box(-25, -4, 12, 9, (90, 180, 205), 1.5, False)
        sheet.text(-36, 14, "4929 1840 2277 0031", 3.6, ink)
        for dx, tone in ((26, (40, 40, 210)), (34, (40, 150, 235))):
            sheet.disc(dx, 17, 7, tone, False)
    else:
        sheet.disc(-28, -10, 8, _any(rng), False)
        sheet.text(-14, -8, "Casa Marin", 5, ink, 3)
        for row in range(3):
            sheet.text(-14, 4 + row * 6, "calle del mar 21", 2.6, ink)
    return sheet, 0.9


def _note(rng: Rng) -> tuple[_Sheet, float]:
    """A bank note with guilloche lines and a portrait-like oval."""
    w, h = rng.uniform(118, 140), rng.uniform(60, 76)
    sheet = _Sheet(w, h)
    colour = _pick(rng, (170, 180, 150), (190, 160, 150), (130, 160, 200), (150, 190, 170))
    sheet.box(0, 0, w, h, colour)
    for phase in np.linspace(0, 6.3, 9):
        x = np.linspace(-w / 2 + 4, w / 2 - 4, 40)
        sheet.line(np.stack([x, np.sin(x / 9 + phase) * h * 0.3], 1), _times(colour, 0.8), 0.4)
    sheet.disc(w * 0.2, 0, h * 0.32, _times(colour, 0.65), False, 1.2)
    value = str(rng.choice(["5", "10", "20", "50"]))
    sheet.text(-w / 2 + 5, -h / 2 + 15, value, 10, _times(colour, 0.4), 3)
    sheet.text(w / 2 - 20, h / 2 - 5, value, 7, _times(colour, 0.4), 3)
    return sheet, 1.0


def _photo(rng: Rng) -> tuple[_Sheet, float]:
    """A photographic print or a picture postcard, near a card in size."""
    w, h = [(100, 150), (62, 92), (88, 107), (70, 100)][int(rng.integers(4))]
    sheet = _Sheet(w, h)
    sheet.box(0, 0, w, h, _pick(rng, (240, 242, 244), (225, 232, 236)), 1.0)
    sheet.box(0, 0, w - 7, h - 7, _any(rng), 0, False)
    blot = rng.uniform(20, 235, (5, 4, 1)) + rng.uniform(-45, 45, (5, 4, 3)) + rng.uniform(-30, 30, 3)
    blot = blot.astype(np.float32)
    scene = cv2.resize(blot, (int((w - 8) * sheet.k), int((h - 8) * sheet.k)), interpolation=cv2.INTER_CUBIC)
    y, x = (sheet.h - scene.shape[0]) // 2, (sheet.w - scene.shape[1]) // 2
    sheet.colour[y : y + scene.shape[0], x : x + scene.shape[1]] = np.clip(scene, 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(2, 8))):
        at = rng.uniform(-0.35, 0.35, 2) * (w, h)
        sheet.disc(float(at[0]), float(at[1]), rng.uniform(4, 16), _any(rng), False, float(rng.uniform(0.4, 1.5)))
    return sheet, 0.8


def _keys(rng: Rng) -> tuple[_Sheet, float]:
    """A ring with two or three keys."""
    sheet = _Sheet(130, 130)
    angles = np.linspace(0, 2 * math.pi, 40)
    sheet.line(np.stack([np.cos(angles), np.sin(angles)], 1) * 14, (150, 155, 158), 2.0, True)
    for _ in range(int(rng.integers(1, 4))):
        turn = rng.uniform(0, 6.3)
        spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        metal = _pick(rng, (165, 170, 172), (90, 160, 190), (120, 125, 128))
        shift = np.array((20.0, 0.0)) @ spin
        sheet.disc(float(shift[0]), float(shift[1]), 11, metal)
        blade = np.array([(28, -3.2), (60, -3.2), (58, 1), (52, 0.5), (48, 3.2), (42, 0.8), (38, 3.2), (28, 3.2)])
        sheet.polygon(blade @ spin, _times(metal, 0.9))
        sheet.line(np.array([(30, -1), (58, -1)]) @ spin, _times(metal, 1.25), 0.8)
    return sheet, 4.0


def _napkin(rng: Rng) -> tuple[_Sheet, float]:
    """A paper napkin, folded, with a stamped border or a printed name."""
    side = rng.uniform(90, 170)
    sheet = _Sheet(side + 8, side + 8)
    colour = _pick(rng, (238, 240, 242), (225, 230, 240), (150, 150, 225), (170, 200, 150))
    corner = rng.uniform(-4, 4, (4, 2)) + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 2
    sheet.polygon(corner, colour)
    for inset in (6, 9):
        outline = _rounded(side - 2 * inset, side - 2 * inset, 0)
        sheet.line(np.vstack([outline, outline[:1]]), _times(colour, 0.93), 0.8)
    if rng.random() < 0.4:
        sheet.text(-20, 4, "Gracias", 7, _any(rng), 16)
    sheet.shade((1 + 0.06 * rng.standard_normal((7, 7))).astype(np.float32))
    return sheet, 3.0


def _spectacles(rng: Rng) -> tuple[_Sheet, float]:
    """A pair of glasses with folded arms."""
    sheet = _Sheet(150, 75)
    frame = _pick(rng, (30, 30, 32), (40, 60, 100), (160, 165, 170))
    angles = np.linspace(0, 2 * math.pi, 40)
    for side in (-1, 1):
        rim = np.stack([np.cos(angles) * 24, np.sin(angles) * 18], 1) + np.array((side * 33, -12))
        sheet.line(rim, frame, 2.6, True)
        sheet.line([(side * 58, -16), (side * 66, -8), (-side * 30, 24 + side * 4)], frame, 3.0, True)
    sheet.line([(-10, -16), (0, -20), (10, -16)], frame, 2.4, True)
    return sheet, 10.0


def _box_(rng: Rng) -> tuple[_Sheet, float]:
    """A packet: cigarettes, matches, sweets, a lighter."""
    w, h = [(55, 86), (36, 55), (24, 82), (60, 40)][int(rng.integers(4))]
    sheet = _Sheet(w, h)
    colour = _any(rng, 30, 235)
    sheet.box(0, 0, w, h, colour, 1.5)
    sheet.box(0, -h * 0.25, w, h * 0.4, _any(rng), 0, False)
    sheet.text(-w * 0.4, h * 0.2, str(rng.choice(["ORO", "Luz", "MAR", "FUERTE"])), w * 0.16, _times(colour, 0.4), 3)
    sheet.line([(-w / 2 + 1, h / 2 - 1), (w / 2 - 1, h / 2 - 1)], _times(colour, 0.5), 1.5)
    return sheet, 18.0


def _book(rng: Rng) -> tuple[_Sheet, float]:
    """A book, magazine or closed notebook."""
    w, h = rng.uniform(110, 210), rng.uniform(150, 290)
    sheet = _Sheet(w, h)
    colour = _any(rng, 25, 235)
    sheet.box(0, 0, w, h, colour, 2)
    sheet.box(-w / 2 + 4, 0, 6, h, _times(colour, 0.75), 0, False)
    for _ in range(int(rng.integers(1, 6))):
        at = rng.uniform(-0.3, 0.3, 2) * (w, h)
        sheet.box(
            float(at[0]), float(at[1]), rng.uniform(0.1, 0.5) * w, rng.uniform(0.05, 0.3) * h, _any(rng), 0, False
        )
    sheet.text(-w * 0.36, -h * 0.3, str(rng.choice(["VIAJES", "El juego", "Cocina", "1984"])), w * 0.09, _any(rng), 3)
    sheet.shade((1 + 0.04 * rng.standard_normal((5, 5))).astype(np.float32))
    return sheet, 9.0


def _mat(rng: Rng) -> tuple[_Sheet, float]:
    """A place mat or a card mat of some table-top stuff, square or round; cards are laid on it."""
    w, h = rng.uniform(280, 460), rng.uniform(240, 380)
    sheet = _Sheet(w, h)
    kind = str(rng.choice(["felt", "wicker", "gingham", "flowers", "leather", "plain", "wood"]))
    stuff = textures.table(int(rng.integers(1, 90_000)), (sheet.w // 2, sheet.h // 2), sheet.k / 2, kind)
    border = _any(rng)
    if rng.random() < 0.3:
        sheet.disc(0, 0, min(w, h) / 2, border)
        inner = np.zeros_like(sheet.mask)
        cv2.circle(inner, (sheet.w // 2, sheet.h // 2), int((min(w, h) / 2 - 5) * sheet.k), 255, -1)
    else:
        sheet.box(0, 0, w, h, border, 10)
        inner = np.zeros_like(sheet.mask)
        cv2.fillPoly(inner, [sheet.points(_rounded(w - 10, h - 10, 7))], 255, cv2.LINE_8, 4)
    big = cv2.resize(stuff, (sheet.w, sheet.h), interpolation=cv2.INTER_LINEAR)
    sheet.colour = np.where(inner[..., None] > 0, big, sheet.colour)
    return sheet, 1.2


KINDS: Final[dict[str, tuple[Callable[[Rng], tuple[_Sheet, float]], float]]] = {
    "glass": (_glass, 3.0),
    "cup": (_cup, 1.5),
    "coins": (_coins, 2.0),
    "phone": (_phone, 2.5),
    "paper": (_paper, 3.0),
    "coaster": (_coaster, 2.5),
    "chips": (_chips, 1.5),
    "pen": (_pen, 2.0),
    "ashtray": (_ashtray, 1.2),
    "remote": (_remote, 0.8),
    "french": (_french, 0.8),
    "business": (_business, 1.0),
    "note": (_note, 0.8),
    "photo": (_photo, 1.0),
    "keys": (_keys, 1.0),
    "napkin": (_napkin, 1.2),
    "spectacles": (_spectacles, 0.8),
    "box": (_box_, 1.2),
    "book": (_book, 0.8),
    "mat": (_mat, 1.0),
}
"""Kinds of thing with their drawing function and weight."""


@lru_cache(maxsize=192)
def thing(kind: str, seed: int) -> Thing:
    """One thing of a kind; the same arguments give the same pixels (read-only). ValueError for an unknown kind."""
    if kind not in KINDS:
        raise ValueError(f"there is no thing called {kind!r}; choose one of {', '.join(KINDS)}")
    sheet, height = KINDS[kind][0](np.random.default_rng((seed, list(KINDS).index(kind), 6203)))
    image = sheet.done()
    image.setflags(write=False)
    return Thing(kind, image, PX_PER_MM, height, kind == "mat")


def random_thing(rng: Rng, variants: int = 40) -> Thing:
    """A thing by the weights of :data:`KINDS`, one of ``variants`` of its kind, so that a process can keep them."""
    weights = np.array([weight for _, weight in KINDS.values()])
    kind = list(KINDS)[int(rng.choice(len(KINDS), p=weights / weights.sum()))]
    return thing(kind, int(rng.integers(variants)))
