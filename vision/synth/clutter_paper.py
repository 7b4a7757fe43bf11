"""Printed and written things, some of them much like cards: papers, notes, photographs, French cards, packets."""

import math

import cv2
import numpy as np

from vision.synth.clutter_sheet import Colour, Rng, Sheet, any_colour, pick, rounded, times


def paper(rng: Rng) -> tuple[Sheet, float]:
    """A sheet with a hand-written score, a notebook page or a printed leaflet."""
    w, h = [(105, 148), (148, 210), (74, 105), (90, 190), (76, 76)][int(rng.integers(5))]
    sheet = Sheet(w, h)
    paper = pick(rng, (232, 240, 242), (225, 235, 240), (150, 225, 240), (215, 228, 232), (200, 230, 200))
    sheet.box(0, 0, w, h, paper)
    ink = pick(rng, (120, 50, 30), (40, 36, 36), (40, 40, 150), (70, 70, 74))
    rule = times(paper, 0.86)
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


def french(rng: Rng) -> tuple[Sheet, float]:
    """A card of the French pattern, which is no Spanish card: corner index, hearts, spades, diamonds, clubs."""
    w, h = 63.0, 88.0
    sheet = Sheet(w, h)
    sheet.box(0, 0, w, h, pick(rng, (245, 248, 250), (232, 240, 244)), 3.5)
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
        sheet.line(np.vstack([rounded(w - 17, h - 15, 0), rounded(w - 17, h - 15, 0)[:1]]), (110, 60, 40), 0.6)
        for _ in range(26):
            x, y = rng.uniform(-19, 19), rng.uniform(-32, 32)
            tone = pick(rng, (40, 40, 190), (60, 190, 220), (130, 60, 30), (30, 30, 30))
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


def business(rng: Rng) -> tuple[Sheet, float]:
    """A business, bank or loyalty card."""
    w, h = 85.6, 54.0
    sheet = Sheet(w, h)
    bank = rng.random() < 0.5
    colour = any_colour(rng, 30, 220) if bank else pick(rng, (245, 245, 245), (225, 235, 238), (40, 40, 40))
    ink: Colour = (30, 30, 30) if sum(colour) > 330 else (235, 235, 235)
    sheet.box(0, 0, w, h, colour, 3.2 if bank else 0)
    if bank:
        sheet.box(-25, -4, 12, 9, (90, 180, 205), 1.5, False)
        sheet.text(-36, 14, "4929 1840 2277 0031", 3.6, ink)
        for dx, tone in ((26, (40, 40, 210)), (34, (40, 150, 235))):
            sheet.disc(dx, 17, 7, tone, False)
    else:
        sheet.disc(-28, -10, 8, any_colour(rng), False)
        sheet.text(-14, -8, "Casa Marin", 5, ink, 3)
        for row in range(3):
            sheet.text(-14, 4 + row * 6, "calle del mar 21", 2.6, ink)
    return sheet, 0.9


def note(rng: Rng) -> tuple[Sheet, float]:
    """A bank note with guilloche lines and a portrait-like oval."""
    w, h = rng.uniform(118, 140), rng.uniform(60, 76)
    sheet = Sheet(w, h)
    colour = pick(rng, (170, 180, 150), (190, 160, 150), (130, 160, 200), (150, 190, 170))
    sheet.box(0, 0, w, h, colour)
    for phase in np.linspace(0, 6.3, 9):
        x = np.linspace(-w / 2 + 4, w / 2 - 4, 40)
        sheet.line(np.stack([x, np.sin(x / 9 + phase) * h * 0.3], 1), times(colour, 0.8), 0.4)
    sheet.disc(w * 0.2, 0, h * 0.32, times(colour, 0.65), False, 1.2)
    value = str(rng.choice(["5", "10", "20", "50"]))
    sheet.text(-w / 2 + 5, -h / 2 + 15, value, 10, times(colour, 0.4), 3)
    sheet.text(w / 2 - 20, h / 2 - 5, value, 7, times(colour, 0.4), 3)
    return sheet, 1.0


def photo(rng: Rng) -> tuple[Sheet, float]:
    """A photographic print or a picture postcard, near a card in size."""
    w, h = [(100, 150), (62, 92), (88, 107), (70, 100)][int(rng.integers(4))]
    sheet = Sheet(w, h)
    sheet.box(0, 0, w, h, pick(rng, (240, 242, 244), (225, 232, 236)), 1.0)
    sheet.box(0, 0, w - 7, h - 7, any_colour(rng), 0, False)
    blot = rng.uniform(20, 235, (5, 4, 1)) + rng.uniform(-45, 45, (5, 4, 3)) + rng.uniform(-30, 30, 3)
    blot = blot.astype(np.float32)
    scene = cv2.resize(blot, (int((w - 8) * sheet.k), int((h - 8) * sheet.k)), interpolation=cv2.INTER_CUBIC)
    y, x = (sheet.h - scene.shape[0]) // 2, (sheet.w - scene.shape[1]) // 2
    sheet.colour[y : y + scene.shape[0], x : x + scene.shape[1]] = np.clip(scene, 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(2, 8))):
        at = rng.uniform(-0.35, 0.35, 2) * (w, h)
        sheet.disc(float(at[0]), float(at[1]), rng.uniform(4, 16), any_colour(rng), False, float(rng.uniform(0.4, 1.5)))
    return sheet, 0.8


def packet(rng: Rng) -> tuple[Sheet, float]:
    """A packet: cigarettes, matches, sweets, a lighter."""
    w, h = [(55, 86), (36, 55), (24, 82), (60, 40)][int(rng.integers(4))]
    sheet = Sheet(w, h)
    colour = any_colour(rng, 30, 235)
    sheet.box(0, 0, w, h, colour, 1.5)
    sheet.box(0, -h * 0.25, w, h * 0.4, any_colour(rng), 0, False)
    sheet.text(-w * 0.4, h * 0.2, str(rng.choice(["ORO", "Luz", "MAR", "FUERTE"])), w * 0.16, times(colour, 0.4), 3)
    sheet.line([(-w / 2 + 1, h / 2 - 1), (w / 2 - 1, h / 2 - 1)], times(colour, 0.5), 1.5)
    return sheet, 18.0


def book(rng: Rng) -> tuple[Sheet, float]:
    """A book, magazine or closed notebook."""
    w, h = rng.uniform(110, 210), rng.uniform(150, 290)
    sheet = Sheet(w, h)
    colour = any_colour(rng, 25, 235)
    sheet.box(0, 0, w, h, colour, 2)
    sheet.box(-w / 2 + 4, 0, 6, h, times(colour, 0.75), 0, False)
    for _ in range(int(rng.integers(1, 6))):
        at = rng.uniform(-0.3, 0.3, 2) * (w, h)
        sheet.box(
            float(at[0]), float(at[1]), rng.uniform(0.1, 0.5) * w, rng.uniform(0.05, 0.3) * h, any_colour(rng), 0, False
        )
    sheet.text(
        -w * 0.36, -h * 0.3, str(rng.choice(["VIAJES", "El juego", "Cocina", "1984"])), w * 0.09, any_colour(rng), 3
    )
    sheet.shade((1 + 0.04 * rng.standard_normal((5, 5))).astype(np.float32))
    return sheet, 9.0
