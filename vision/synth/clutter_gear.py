"""Things from pockets and sideboards: coins, chips, phones, keys, pens, spectacles."""

import math

import numpy as np

from vision.synth.clutter_sheet import Rng, Sheet, any_colour, pick, times


def coins(rng: Rng) -> tuple[Sheet, float]:
    """One to six coins, some on each other."""
    sheet = Sheet(90, 90)
    for _ in range(int(rng.integers(1, 7))):
        radius = rng.uniform(8, 13)
        x, y = rng.normal(0, 13, 2)
        metal = pick(rng, (90, 170, 205), (80, 120, 180), (180, 185, 188), (100, 140, 160))
        sheet.disc(x + 0.5, y + 0.6, radius, times(metal, 0.5))
        sheet.disc(x, y, radius, metal)
        sheet.disc(x, y, radius * 0.88, times(metal, 0.86))
        if rng.random() < 0.4:
            sheet.disc(x, y, radius * 0.64, pick(rng, (180, 185, 188), (90, 170, 205)))
        value = str(rng.choice(["1", "2", "5", "10", "20", "50"]))
        sheet.text(x - radius * 0.5, y + radius * 0.35, value, radius * 0.7, times(metal, 0.6), 2)
        sheet.disc(x - radius * 0.3, y - radius * 0.4, radius * 0.22, times(metal, 1.25), False)
    return sheet, 2.0


def phone(rng: Rng) -> tuple[Sheet, float]:
    """A phone lying on its back, its screen dark or lit, or lying on its face."""
    w, h = rng.uniform(66, 78), rng.uniform(138, 164)
    sheet = Sheet(w, h)
    body = pick(rng, (30, 28, 28), (200, 200, 202), (90, 60, 50), (60, 50, 150))
    sheet.box(0, 0, w, h, body, 9)
    kind = rng.random()
    if kind < 0.45:
        sheet.box(0, 0, w - 4, h - 4, (18, 16, 16), 7)
        sheet.polygon(
            [(-w / 2 + 4, -h / 2 + 20), (w / 2 - 4, -h / 2 + 4), (w / 2 - 4, 0), (-w / 2 + 4, 30)], (44, 42, 42)
        )
    elif kind < 0.75:
        sheet.box(0, 0, w - 4, h - 4, pick(rng, (235, 235, 235), (140, 90, 40), (60, 40, 30)), 7)
        for row in range(int(rng.integers(4, 8))):
            y = -h / 2 + 20 + row * 17
            if rng.random() < 0.5:
                for column in range(4):
                    sheet.box(-w / 2 + 13 + column * (w - 26) / 3, y, 10, 10, any_colour(rng), 2.5)
            else:
                sheet.box(0, y, w - 16, 12, any_colour(rng, 150, 240), 2)
                sheet.text(-w / 2 + 10, y + 2, "hola mesa carta", 2.6, (90, 90, 90))
    else:
        sheet.box(-w / 2 + 15, -h / 2 + 17, 20, 24, times(body, 0.7), 5)
        for y in (-5, 6):
            sheet.disc(-w / 2 + 15, -h / 2 + 17 + y, 4.5, (20, 18, 18))
    return sheet, 8.0


def chips(rng: Rng) -> tuple[Sheet, float]:
    """A few casino chips or round counters."""
    sheet = Sheet(120, 120)
    for _ in range(int(rng.integers(1, 6))):
        x, y = rng.normal(0, 18, 2)
        colour = pick(rng, (40, 40, 180), (150, 70, 30), (50, 120, 40), (40, 40, 40), (225, 225, 225), (60, 180, 220))
        sheet.disc(x + 1, y + 1.2, 19.5, times(colour, 0.45))
        sheet.disc(x, y, 19.5, colour)
        turn = rng.uniform(0, 60)
        for spot in range(6):
            angles = np.radians(np.array([turn + spot * 60, turn + spot * 60 + 22]))
            outer, inner = np.stack([np.cos(angles), np.sin(angles)], 1) * 19.5, 15
            shape = np.vstack([outer, outer[::-1] * inner / 19.5])
            sheet.polygon(shape + np.array((x, y)), (230, 232, 232), False)
        sheet.disc(x, y, 13, times(colour, 0.85), False)
        sheet.disc(x, y, 11.5, (225, 228, 228), False)
        sheet.text(x - 7, y + 4, str(rng.choice(["5", "10", "25"])), 7, times(colour, 0.8), 2)
    return sheet, 4.0


def pen(rng: Rng) -> tuple[Sheet, float]:
    """A ball pen or a pencil."""
    length, thick = rng.uniform(120, 180), rng.uniform(7, 11)
    sheet = Sheet(length, thick + 6)
    colour = any_colour(rng)
    half = length / 2
    sheet.polygon(
        [(-half, 0), (-half + 16, -thick / 2), (half, -thick / 2), (half, thick / 2), (-half + 16, thick / 2)], colour
    )
    sheet.polygon([(-half, 0), (-half + 6, -thick / 5), (-half + 6, thick / 5)], (50, 50, 50))
    sheet.line([(-half + 18, -thick / 5), (half - 3, -thick / 5)], times(colour, 1.6), thick / 6)
    sheet.line([(-half + 18, thick / 3), (half - 3, thick / 3)], times(colour, 0.6), thick / 4)
    if rng.random() < 0.6:
        sheet.box(half - 20, -thick / 2, 36, 2.4, (190, 192, 195), 1)
    return sheet, 8.0


def remote(rng: Rng) -> tuple[Sheet, float]:
    """A remote control or a small calculator."""
    w, h = rng.uniform(40, 66), rng.uniform(110, 190)
    sheet = Sheet(w, h)
    body = pick(rng, (34, 32, 32), (70, 68, 66), (190, 192, 192))
    sheet.box(0, 0, w, h, body, 6)
    for y in np.arange(-h / 2 + 14, h / 2 - 12, 11):
        for x in np.linspace(-w / 2 + 10, w / 2 - 10, 3):
            if rng.random() < 0.85:
                key = pick(rng, (90, 90, 90), (150, 150, 150), (60, 60, 170), (200, 200, 200))
                sheet.box(float(x), float(y), 8, 5.5, key, 2)
    return sheet, 16.0


def keys(rng: Rng) -> tuple[Sheet, float]:
    """A ring with two or three keys."""
    sheet = Sheet(130, 130)
    angles = np.linspace(0, 2 * math.pi, 40)
    sheet.line(np.stack([np.cos(angles), np.sin(angles)], 1) * 14, (150, 155, 158), 2.0, True)
    for _ in range(int(rng.integers(1, 4))):
        turn = rng.uniform(0, 6.3)
        spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        metal = pick(rng, (165, 170, 172), (90, 160, 190), (120, 125, 128))
        shift = np.array((20.0, 0.0)) @ spin
        sheet.disc(float(shift[0]), float(shift[1]), 11, metal)
        blade = np.array([(28, -3.2), (60, -3.2), (58, 1), (52, 0.5), (48, 3.2), (42, 0.8), (38, 3.2), (28, 3.2)])
        sheet.polygon(blade @ spin, times(metal, 0.9))
        sheet.line(np.array([(30, -1), (58, -1)]) @ spin, times(metal, 1.25), 0.8)
    return sheet, 4.0


def spectacles(rng: Rng) -> tuple[Sheet, float]:
    """A pair of glasses with folded arms."""
    sheet = Sheet(150, 75)
    frame = pick(rng, (30, 30, 32), (40, 60, 100), (160, 165, 170))
    angles = np.linspace(0, 2 * math.pi, 40)
    for side in (-1, 1):
        rim = np.stack([np.cos(angles) * 24, np.sin(angles) * 18], 1) + np.array((side * 33, -12))
        sheet.line(rim, frame, 2.6, True)
        sheet.line([(side * 58, -16), (side * 66, -8), (-side * 30, 24 + side * 4)], frame, 3.0, True)
    sheet.line([(-10, -16), (0, -20), (10, -16)], frame, 2.4, True)
    return sheet, 10.0
