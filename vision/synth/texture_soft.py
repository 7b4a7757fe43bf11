"""Covered table tops: felt, cloths, leather, newspaper, wicker.

Each draws (H, W, 3) float32 BGR of a size at a scale.
"""

import math
from typing import Final

import cv2
import numpy as np

from vision.synth.texture_grain import Grid, Rng, between, folds, noise, weave


def felt(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Card-table felt or baize."""
    base = [(58, 92, 26), (48, 110, 44), (118, 66, 26), (36, 28, 116), (92, 42, 62), (60, 60, 64), (30, 70, 20)]
    colour = np.array(base[int(rng.integers(len(base)))], np.float32) * rng.uniform(0.75, 1.35)
    tone = 1 + 0.045 * rng.standard_normal(size[::-1], dtype=np.float32)
    tone += 0.05 * noise(rng, size, 2.2 * mm) + 0.05 * noise(rng, size, 60 * mm)
    tone += 0.04 * noise(rng, size, (5 * mm, 1.2 * mm))
    return colour * tone[..., None]


def _stripes(rng: Rng, length: int, mm: float, pale: float) -> Grid:
    """A profile of threads 0..1 along one axis of a check."""
    period = rng.uniform(12, 60) * mm
    phase = (np.arange(length, dtype=np.float32) / period + rng.uniform(0, 1)) % 1.0
    edges = np.sort(rng.uniform(0.08, 0.92, int(rng.choice([1, 1, 1, 3, 5]))))
    level = np.searchsorted(edges, phase) % 2
    soft: Grid = cv2.GaussianBlur(level.astype(np.float32)[None, :], (0, 0), 0.6)[0]
    return np.asarray(soft * pale)


def gingham(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Oilcloth or cotton with checks: gingham, tartan, stripes."""
    ink = np.array(
        [(40, 40, 190), (150, 80, 30), (70, 130, 40), (40, 150, 210), (60, 60, 60), (110, 50, 110)][
            int(rng.integers(6))
        ],
        np.float32,
    ) * rng.uniform(0.8, 1.15)
    paper = np.array((rng.uniform(205, 240), rng.uniform(215, 242), rng.uniform(220, 245)), np.float32)
    across = _stripes(rng, size[0], mm, 1.0)
    down = _stripes(rng, size[1], mm, 0.0 if rng.random() < 0.2 else 1.0)
    if rng.random() < 0.6:
        down = np.resize(across, size[1]) if down.any() else down
    share = (0.5 * (across[None, :] + down[:, None]))[..., None]
    image = paper * (1 - share) + ink * share
    return np.asarray(image * (weave(rng, size, mm) * folds(rng, size, mm))[..., None])


def _flower(canvas: Grid, rng: Rng, at: tuple[float, float], radius: float, colour: Grid) -> None:
    """Paints one printed flower with leaves."""
    petals, turn = int(rng.integers(4, 9)), rng.uniform(0, 6.3)
    green = (np.array((50, 120, 70), np.float32) * rng.uniform(0.6, 1.4)).tolist()
    for angle in rng.uniform(0, 6.3, int(rng.integers(1, 4))):
        centre = (at[0] + 1.5 * radius * math.cos(angle), at[1] + 1.5 * radius * math.sin(angle))
        axes = (1.3 * radius, 0.5 * radius)
        cv2.ellipse(canvas, (centre, axes, math.degrees(angle)), green, -1, cv2.LINE_AA)
    for shade, reach in ((0.82, 1.0), (1.05, 0.72)):
        for petal in range(petals):
            angle = turn + petal * 2 * math.pi / petals
            centre = (at[0] + 0.62 * radius * math.cos(angle), at[1] + 0.62 * radius * math.sin(angle))
            axes = (1.15 * radius * reach, 0.75 * radius * reach)
            cv2.ellipse(canvas, (centre, axes, math.degrees(angle)), (colour * shade).tolist(), -1, cv2.LINE_AA)
    cv2.circle(canvas, (round(at[0]), round(at[1])), max(1, round(0.3 * radius)), (60, 170, 215), -1, cv2.LINE_AA)


def flowers(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """A printed cloth: flowers, fruit-like dots, leaves; one repeat is drawn and laid side by side."""
    repeat = round(rng.uniform(90, 220) * mm)
    base = [(225, 235, 240), (200, 225, 240), (120, 60, 40), (60, 50, 130), (170, 200, 160), (70, 70, 70)]
    ground = np.array(base[int(rng.integers(len(base)))], np.float32) * rng.uniform(0.85, 1.05)
    tile = np.empty((repeat, repeat, 3), np.float32)
    tile[:] = ground
    inks = [rng.uniform(30, 235, 3).astype(np.float32) for _ in range(3)]
    for _ in range(int(rng.integers(5, 16))):
        at = rng.uniform(0, repeat, 2)
        radius, ink = rng.uniform(5, 16) * mm, inks[int(rng.integers(3))]
        state = int(rng.integers(1 << 30))
        for dx in (-repeat, 0, repeat):
            for dy in (-repeat, 0, repeat):
                x, y = float(at[0] + dx), float(at[1] + dy)
                if -2.5 * radius < x < repeat + 2.5 * radius and -2.5 * radius < y < repeat + 2.5 * radius:
                    _flower(tile, np.random.default_rng(state), (x, y), radius, ink)
    image = np.tile(tile, (math.ceil(size[1] / repeat), math.ceil(size[0] / repeat), 1))[: size[1], : size[0]]
    return np.asarray(image * (weave(rng, size, mm) * folds(rng, size, mm))[..., None])


def leather(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Leather, leatherette or a rubber mat: bumps lit from one side."""
    colour = between(rng, (20, 24, 30), (50, 80, 140))
    bumps = np.abs(noise(rng, size, rng.uniform(2.5, 5) * mm)) + 0.5 * np.abs(noise(rng, size, 2.2 * mm))
    slope = cv2.Sobel(bumps, cv2.CV_32F, 1, 1, ksize=3)
    tone = 1 + np.clip(slope, -1.5, 1.5) * 0.10 + 0.05 * noise(rng, size, 90 * mm) + 0.06 * np.clip(bumps, 0, 2)
    return colour * tone[..., None]


_WORDS: Final = (
    "la",
    "casa",
    "del",
    "puerto",
    "abre",
    "hoy",
    "sus",
    "puertas",
    "mesa",
    "carta",
    "juego",
    "de",
    "noche",
    "y",
    "cuatro",
    "ganan",
    "once",
    "el",
    "rey",
    "gana",
    "triunfo",
    "precio",
    "mercado",
    "norte",
    "agua",
    "tres",
    "millones",
    "gol",
    "partido",
    "lluvia",
    "viento",
    "sale",
    "nuevo",
    "plan",
    "ciudad",
    "tren",
)


def newspaper(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Printed paper spread over the table: columns, headlines, grey pictures."""
    image = np.empty((size[1], size[0], 3), np.uint8)
    image[:] = between(rng, (185, 200, 208), (222, 230, 234)).astype(np.uint8)
    column, line = max(24.0, rng.uniform(38, 60) * mm), max(4.0, rng.uniform(3.2, 4.6) * mm)
    ink = rng.uniform(30, 80)
    x = -rng.uniform(0, column)
    scale = line / 30
    while x < size[0]:
        y = -rng.uniform(0, 10 * line)
        while y < size[1]:
            kind, inner = rng.random(), column * 0.92
            if kind < 0.14:
                text = " ".join(rng.choice(_WORDS, 3))
                big = rng.uniform(1.8, 3.5)
                cv2.putText(image, text, (int(x), int(y + 24 * big * scale)), cv2.FONT_HERSHEY_TRIPLEX, scale * big,
                            (ink, ink, ink), max(1, round(scale * big * 2)), cv2.LINE_AA)  # fmt: skip
                y += line * 2.6 * big / 2
            elif kind < 0.2:
                tall = rng.uniform(6, 16) * line
                grey = rng.uniform(70, 190)
                cv2.rectangle(image, (int(x), int(y)), (int(x + inner), int(y + tall)), (grey, grey, grey), -1)
                y += tall + line
            else:
                for _ in range(int(rng.integers(4, 14))):
                    text = " ".join(rng.choice(_WORDS, 9))
                    room = max(4, int(inner / (scale * 19)))
                    cv2.putText(image, text[:room], (int(x), int(y)), cv2.FONT_HERSHEY_SIMPLEX, scale,
                                (ink + 30, ink + 30, ink + 30), 1, cv2.LINE_AA)  # fmt: skip
                    y += line
                y += line * 0.7
        x += column
    return image * (1 + 0.03 * noise(rng, size, 60 * mm))[..., None]


def wicker(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Rattan, bamboo or a woven plastic mat: basket weave with shaded strands."""
    strand = max(3.0, rng.uniform(3.5, 12) * mm)
    colour = (
        between(rng, (50, 90, 130), (150, 190, 215))
        if rng.random() < 0.7
        else between(rng, (40, 40, 44), (120, 90, 70))
    )
    x, y = np.arange(size[0], dtype=np.float32) / strand, np.arange(size[1], dtype=np.float32) / strand
    over = (np.floor(x)[None, :] + np.floor(y)[:, None]) % 2
    round_x = np.sin(math.pi * (x % 1.0))[None, :]
    round_y = np.sin(math.pi * (y % 1.0))[:, None]
    if rng.random() < 0.35:
        over[:] = 0
    tone = np.where(over > 0, 0.55 + 0.5 * round_x * round_y**0.4, 0.55 + 0.5 * round_y * round_x**0.4)
    tone = tone * (1 + 0.05 * noise(rng, size, (strand * 4, strand)))
    return np.asarray(colour * tone[..., None], np.float32)
