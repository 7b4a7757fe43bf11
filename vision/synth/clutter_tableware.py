"""Glasses, cups, bowls, coasters, napkins and mats, seen from above."""

import math

import cv2
import numpy as np

from vision.synth import textures
from vision.synth.clutter_sheet import Rng, Sheet, any_colour, pick, rounded, times


def glass(rng: Rng) -> tuple[Sheet, float]:
    """A tumbler, wine glass or beer from above."""
    radius = rng.uniform(28, 42)
    sheet = Sheet(2 * radius, 2 * radius)
    drink = pick(rng, (40, 18, 60), (60, 150, 215), (30, 40, 60), (190, 195, 190), (120, 190, 220), (40, 90, 190))
    sheet.disc(0, 0, radius, pick(rng, (190, 200, 200), (150, 160, 160)))
    sheet.disc(0, 0, radius * 0.94, times(drink, 0.75))
    sheet.disc(0, 0, radius * 0.86, drink)
    if rng.random() < 0.35:
        sheet.disc(0, 0, radius * 0.85, (215, 232, 240))
        for _ in range(30):
            angle, reach = rng.uniform(0, 6.3), radius * 0.8 * math.sqrt(rng.random())
            sheet.disc(reach * math.cos(angle), reach * math.sin(angle), rng.uniform(0.6, 2), (190, 215, 228))
    elif rng.random() < 0.5:
        for _ in range(int(rng.integers(1, 4))):
            x, y = rng.uniform(-0.4, 0.4, 2) * radius
            sheet.polygon(rounded(18, 17, 3) + np.array((x, y)), times(drink, 1.35))
            sheet.line(rounded(15, 14, 3) + np.array((x, y)), times(drink, 1.8), 0.8)
    start = rng.uniform(0, 360)
    sheet.arc(radius * 0.96, start, 70, (250, 252, 252), 1.4)
    sheet.arc(radius * 0.78, start + 15, 35, (245, 248, 250), 2.2)
    sheet.arc(radius * 0.96, start + 180, 40, (235, 238, 238), 1.0)
    return sheet, rng.uniform(20, 50)


def cup(rng: Rng) -> tuple[Sheet, float]:
    """A cup of coffee or tea on its saucer."""
    glaze = pick(rng, (235, 238, 240), (220, 225, 228), (90, 60, 40), (60, 70, 160), (200, 190, 120))
    sheet = Sheet(150, 150)
    if rng.random() < 0.7:
        sheet.disc(0, 0, 70, times(glaze, 0.92))
        sheet.disc(0, 0, 58, times(glaze, 0.98))
        sheet.disc(0, 0, 42, times(glaze, 0.88))
    angle = rng.uniform(0, 6.3)
    handle = np.array([(0, -9), (28, -8), (28, 8), (0, 9)]) @ np.array(
        [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]
    )
    sheet.polygon(handle + 28 * np.array((math.cos(angle), math.sin(angle))), times(glaze, 0.9))
    sheet.disc(0, 0, 40, glaze)
    sheet.disc(0, 0, 36.5, times(glaze, 0.7))
    drink = pick(rng, (24, 40, 66), (90, 140, 180), (40, 100, 170))
    sheet.disc(1.5, 1.5, 33, drink)
    sheet.arc(24, rng.uniform(0, 360), 80, times(drink, 1.7), 2.0)
    return sheet, 26.0


def coaster(rng: Rng) -> tuple[Sheet, float]:
    """A beer mat or cork coaster, square, round or as tall as a card."""
    colour, print_ = any_colour(rng, 40, 230), any_colour(rng, 20, 240)
    kind = rng.random()
    w, h = (94.0, 94.0) if kind < 0.6 else (float(rng.uniform(60, 75)), float(rng.uniform(85, 105)))
    sheet = Sheet(w, h)
    if kind < 0.3:
        sheet.disc(0, 0, 47, colour)
        sheet.arc(41, 0, 360, print_, 1.5)
    else:
        sheet.box(0, 0, w, h, colour, rng.uniform(0, 10))
        if rng.random() < 0.6:
            sheet.line(np.vstack([rounded(w - 8, h - 8, 4), rounded(w - 8, h - 8, 4)[:1]]), print_, 1.2)
    if rng.random() < 0.7:
        sheet.disc(0, 0, rng.uniform(12, 26), print_, False, float(rng.uniform(0.5, 1)))
        sheet.text(-18, 3, str(rng.choice(["BAR", "CAFE", "1906", "Casa", "SOL"])), 8, colour, 3)
    sheet.shade((1 + 0.05 * rng.standard_normal((12, 12))).astype(np.float32))
    return sheet, 2.5


def ashtray(rng: Rng) -> tuple[Sheet, float]:
    """An ashtray, a saucer of olives or a bowl of nuts."""
    radius = rng.uniform(40, 70)
    sheet = Sheet(2 * radius, 2 * radius)
    colour = pick(rng, (60, 60, 60), (215, 220, 222), (150, 120, 60), (60, 90, 150))
    if rng.random() < 0.25:
        sheet.box(0, 0, 1.8 * radius, 1.8 * radius, colour, 8)
    else:
        sheet.disc(0, 0, radius, colour)
    sheet.disc(0, 0, radius * 0.84, times(colour, 0.78))
    sheet.disc(0, 0, radius * 0.7, times(colour, 0.9))
    filling = rng.random()
    for _ in range(int(rng.integers(3, 40)) if filling < 0.75 else 0):
        angle, reach = rng.uniform(0, 6.3), radius * 0.6 * math.sqrt(rng.random())
        x, y = reach * math.cos(angle), reach * math.sin(angle)
        tone = (
            pick(rng, (50, 120, 110), (60, 110, 160)) if filling < 0.4 else pick(rng, (90, 150, 190), (120, 180, 220))
        )
        sheet.disc(x + 0.7, y + 0.9, 7, times(tone, 0.5), False, 0.8)
        sheet.disc(x, y, 7, tone, False, 0.8)
        sheet.disc(x - 2, y - 2, 1.8, times(tone, 1.5), False)
    sheet.arc(radius * 0.92, rng.uniform(0, 360), 60, (245, 245, 245), 1.2)
    return sheet, 14.0


def napkin(rng: Rng) -> tuple[Sheet, float]:
    """A paper napkin, folded, with a stamped border or a printed name."""
    side = rng.uniform(90, 170)
    sheet = Sheet(side + 8, side + 8)
    colour = pick(rng, (238, 240, 242), (225, 230, 240), (150, 150, 225), (170, 200, 150))
    corner = rng.uniform(-4, 4, (4, 2)) + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 2
    sheet.polygon(corner, colour)
    for inset in (6, 9):
        outline = rounded(side - 2 * inset, side - 2 * inset, 0)
        sheet.line(np.vstack([outline, outline[:1]]), times(colour, 0.93), 0.8)
    if rng.random() < 0.4:
        sheet.text(-20, 4, "Gracias", 7, any_colour(rng), 16)
    sheet.shade((1 + 0.06 * rng.standard_normal((7, 7))).astype(np.float32))
    return sheet, 3.0


def mat(rng: Rng) -> tuple[Sheet, float]:
    """A place mat or a card mat of some table-top stuff, square or round; cards are laid on it."""
    w, h = rng.uniform(280, 460), rng.uniform(240, 380)
    sheet = Sheet(w, h)
    kind = str(rng.choice(["felt", "wicker", "gingham", "flowers", "leather", "plain", "wood"]))
    stuff = textures.table(int(rng.integers(1, 90_000)), (sheet.w // 2, sheet.h // 2), sheet.k / 2, kind)
    border = any_colour(rng)
    if rng.random() < 0.3:
        sheet.disc(0, 0, min(w, h) / 2, border)
        inner = np.zeros_like(sheet.mask)
        cv2.circle(inner, (sheet.w // 2, sheet.h // 2), int((min(w, h) / 2 - 5) * sheet.k), 255, -1)
    else:
        sheet.box(0, 0, w, h, border, 10)
        inner = np.zeros_like(sheet.mask)
        cv2.fillPoly(inner, [sheet.points(rounded(w - 10, h - 10, 7))], 255, cv2.LINE_8, 4)
    big = cv2.resize(stuff, (sheet.w, sheet.h), interpolation=cv2.INTER_LINEAR)
    sheet.colour = np.where(inner[..., None] > 0, big, sheet.colour)
    return sheet, 1.2
