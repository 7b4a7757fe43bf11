"""Table tops: procedural woods, cloths, stones and the like, and pictures of one's own.

``table(seed, size)`` draws one of :data:`KINDS`, chosen by the seed. Everything is measured in millimetres of table, so
that grain, checks and tiles have the right size beside a card. The same arguments give the same pixels. By convention
seeds below 100,000 are for training and those from 900,000 on are kept for tests and evaluation.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError

Rng = np.random.Generator
Grid = NDArray[Any]
TABLE_MM: Final = 850.0
"""Width of table that a picture shows when no scale is given."""

_EXTENSIONS: Final = (".jpg", ".jpeg", ".png", ".webp", ".bmp")


class TextureError(VisionError):
    """A folder of table pictures that cannot be used; the message says why and what helps."""


def _noise(rng: Rng, size: tuple[int, int], cell: float | tuple[float, float]) -> Grid:
    """Smooth noise (H, W) float32 of about unit deviation with cells of ``cell`` pixels (x, y)."""
    cx, cy = cell if isinstance(cell, tuple) else (cell, cell)
    width, height = size
    w, h = max(3, round(width / max(cx, 1.0)) + 3), max(3, round(height / max(cy, 1.0)) + 3)
    w, h = min(w, width + 3), min(h, height + 3)
    return cv2.resize(rng.standard_normal((h, w), dtype=np.float32), size, interpolation=cv2.INTER_CUBIC)


def _turbulence(rng: Rng, size: tuple[int, int], cell: float, octaves: int = 4) -> Grid:
    """Sum of octaves of noise, halved in size and weight each time."""
    total = _noise(rng, size, cell)
    for octave in range(1, octaves):
        total += _noise(rng, size, cell / 2**octave) * 0.5**octave
    return total


def _between(rng: Rng, dark: Sequence[float], pale: Sequence[float]) -> Grid:
    """A random colour on the line between two BGR colours, a little beside it."""
    share = rng.uniform(0, 1)
    colour = np.array(dark, np.float32) * (1 - share) + np.array(pale, np.float32) * share
    return np.clip(colour + rng.normal(0, 6, 3), 4, 250).astype(np.float32)


def _wood(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Boards with grain, pores and now and then a knot; ``planks`` or one sheet of veneer."""
    dark, pale = [
        ((22, 36, 62), (44, 74, 120)),  # walnut
        ((60, 100, 150), (120, 165, 205)),  # oak
        ((90, 140, 180), (150, 195, 225)),  # beech, pine
        ((24, 30, 70), (50, 62, 130)),  # mahogany
        ((70, 84, 98), (130, 146, 160)),  # weathered grey
        ((30, 70, 130), (60, 115, 180)),  # honey
    ][int(rng.integers(6))]
    base = _between(rng, dark, pale)
    along = bool(rng.random() < 0.6)
    width, height = size if along else size[::-1]
    plank = float(rng.choice([60, 90, 120, 160, 2000])) * mm
    rows = np.arange(height, dtype=np.float32)
    board = np.floor((rows + rng.uniform(0, plank)) / plank).astype(np.int32)
    boards = int(board.max()) + 1
    bend = _noise(rng, (width, height), (260 * mm, 30 * mm)) * rng.uniform(1.0, 4.0) * mm
    columns = np.arange(width, dtype=np.float32)
    offset = rng.uniform(0, 900, boards).astype(np.float32)
    v = rows[:, None] + bend + offset[board][:, None] * mm
    for _ in range(int(rng.integers(0, 4))):
        kx, ky, kr = rng.uniform(0, width), rng.uniform(0, height), rng.uniform(8, 22) * mm
        bump = np.exp(-(((columns - kx) / (2.4 * kr)) ** 2))[None, :] * np.exp(-(((rows - ky) / kr) ** 2))[:, None]
        v += np.where(board == board[min(int(ky), height - 1)], 1.0, 0.0)[:, None] * bump * kr * 1.6
    period = rng.uniform(5, 16) * mm
    profile = cv2.resize(rng.standard_normal((1, 600), dtype=np.float32), (4096, 1), interpolation=cv2.INTER_CUBIC)[0]
    profile = profile * 0.6 + np.resize(rng.standard_normal(997).astype(np.float32), 4096) * 0.18
    rings = profile[(v * (4096 / (period * 150))).astype(np.int32) % 4096]
    fibre = _noise(rng, (width, height), (22 * mm, 0.9 * mm))
    pores = np.clip(_noise(rng, (width, height), (9 * mm, 0.6 * mm)) - 1.2, 0, 1.5)
    tone = 1 + rng.uniform(0.05, 0.16) * rings + rng.uniform(0.02, 0.06) * fibre - 0.16 * pores
    tone *= (1 + rng.normal(0, rng.uniform(0.02, 0.14), boards).astype(np.float32))[board][:, None]
    if boards > 1:
        seam = np.abs(np.diff(board, prepend=board[0])).astype(np.float32)
        seam = cv2.GaussianBlur(np.minimum(seam, 1)[:, None], (1, 0 * 2 + 5), max(0.5, 0.5 * mm))[:, 0]
        tone *= (1 - np.clip(seam * 1.6, 0, 1) * rng.uniform(0.3, 0.75))[:, None]
        length = rng.uniform(350, 900) * mm
        for index in range(boards if rng.random() < 0.6 else 0):
            inside = np.flatnonzero(board == index)
            if len(inside):
                for x in np.arange(rng.uniform(0, length), width, length):
                    tone[inside[0] : inside[-1] + 1, int(x) : int(x) + max(1, round(0.9 * mm))] *= 0.55
    hue = np.array([-0.35, 0.0, 0.22], np.float32)  # dark grain is redder than pale
    image = base * tone[..., None] * (1 + (1 - tone)[..., None] * hue)
    return image if along else np.ascontiguousarray(image.transpose(1, 0, 2))


def _felt(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Card-table felt or baize."""
    base = [(58, 92, 26), (48, 110, 44), (118, 66, 26), (36, 28, 116), (92, 42, 62), (60, 60, 64), (30, 70, 20)]
    colour = np.array(base[int(rng.integers(len(base)))], np.float32) * rng.uniform(0.75, 1.35)
    tone = 1 + 0.045 * rng.standard_normal(size[::-1], dtype=np.float32)
    tone += 0.05 * _noise(rng, size, 2.2 * mm) + 0.05 * _noise(rng, size, 60 * mm)
    tone += 0.04 * _noise(rng, size, (5 * mm, 1.2 * mm))
    return colour * tone[..., None]


def _weave(rng: Rng, size: tuple[int, int], mm: float, depth: float = 0.06) -> Grid:
    """The tone of threads, about 1; only noise where the threads are finer than the pixels."""
    pitch = rng.uniform(0.7, 1.8) * mm
    tone = 1 + 0.02 * rng.standard_normal(size[::-1], dtype=np.float32) + 0.03 * _noise(rng, size, (30 * mm, 2 * mm))
    if pitch > 2.2:
        x = np.sin(np.arange(size[0], dtype=np.float32) * (2 * math.pi / pitch))
        y = np.sin(np.arange(size[1], dtype=np.float32) * (2 * math.pi / pitch))
        tone += depth * x[None, :] * y[:, None]
    return tone


def _folds(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """The tone of a cloth's creases: broad soft waves, sometimes the cross of having lain folded."""
    tone = 1 + 0.035 * _noise(rng, size, (rng.uniform(60, 200) * mm, rng.uniform(60, 200) * mm))
    if rng.random() < 0.4:
        for axis in (0, 1):
            length = size[axis]
            position = rng.uniform(0.2, 0.8) * length
            ridge = (np.arange(length, dtype=np.float32) - position) / (2.5 * mm)
            line = 0.09 * ridge * np.exp(-(ridge**2))
            tone += line[None, :] if axis == 0 else line[:, None]
    return tone


def _stripes(rng: Rng, length: int, mm: float, pale: float) -> Grid:
    """A profile of threads 0..1 along one axis of a check."""
    period = rng.uniform(12, 60) * mm
    phase = (np.arange(length, dtype=np.float32) / period + rng.uniform(0, 1)) % 1.0
    edges = np.sort(rng.uniform(0.08, 0.92, int(rng.choice([1, 1, 1, 3, 5]))))
    level = np.searchsorted(edges, phase) % 2
    soft: Grid = cv2.GaussianBlur(level.astype(np.float32)[None, :], (0, 0), 0.6)[0]
    return np.asarray(soft * pale)


def _gingham(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
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
    return np.asarray(image * (_weave(rng, size, mm) * _folds(rng, size, mm))[..., None])


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


def _flowers(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
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
    return np.asarray(image * (_weave(rng, size, mm) * _folds(rng, size, mm))[..., None])


def _marble(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Polished marble with veins of two strengths."""
    ground = (
        _between(rng, (40, 44, 42), (90, 92, 90))
        if rng.random() < 0.3
        else _between(rng, (170, 185, 195), (230, 236, 238))
    )
    vein = ground * 0.45 if ground.mean() > 120 else np.clip(ground * 2.6, 0, 230)
    vein = np.clip(vein + rng.normal(0, 18, 3), 0, 240)
    field = _turbulence(rng, size, rng.uniform(90, 220) * mm, 5)
    broad = np.exp(-np.abs(field) * rng.uniform(7, 16))
    thin = np.exp(-np.abs(_turbulence(rng, size, 110 * mm, 4) + 0.5) * 40)
    share = np.clip(0.55 * broad * (0.6 + 0.4 * _noise(rng, size, 80 * mm)) + 0.4 * thin, 0, 0.9)[..., None]
    image = ground * (1 + 0.04 * field[..., None]) * (1 - share) + vein * share
    return np.asarray(image, np.float32)


def _granite(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Granite, terrazzo or worktop laminate: specks of two or three colours."""
    image = np.empty((size[1], size[0], 3), np.float32)
    image[:] = _between(rng, (60, 62, 66), (190, 195, 200))
    grain = rng.uniform(1.2, 5.0) * mm
    for _ in range(int(rng.integers(2, 5))):
        colour = np.clip(image[0, 0] * rng.uniform(0.4, 1.7) + rng.normal(0, 14, 3), 10, 240)
        field = _noise(rng, size, grain * rng.uniform(0.6, 1.6))
        share = np.clip((field - rng.uniform(0.5, 1.3)) * 3, 0, 1)[..., None]
        image += (colour.astype(np.float32) - image) * share
    return image * (1 + 0.02 * rng.standard_normal(size[::-1], dtype=np.float32))[..., None]


def _tiles(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Glazed or stone tiles with joints; some carry a printed four-fold pattern."""
    pitch = max(10, round(rng.uniform(70, 240) * mm))
    base = _between(rng, (90, 110, 130), (215, 225, 232))
    one = np.empty((pitch, pitch, 3), np.float32)
    one[:] = base
    if rng.random() < 0.45:
        quarter = np.zeros((pitch, pitch, 3), np.float32)
        quarter[:] = base
        for _ in range(int(rng.integers(3, 8))):
            ink = rng.uniform(30, 220, 3).tolist()
            at, axes = rng.uniform(0, pitch / 2, 2), rng.uniform(0.06, 0.5, 2) * pitch
            box = (tuple(map(float, at)), tuple(map(float, axes)), float(rng.uniform(0, 180)))
            cv2.ellipse(quarter, box, ink, -1 if rng.random() < 0.6 else max(1, round(2 * mm)), cv2.LINE_AA)
        half = pitch - pitch // 2
        corner = quarter[:half, :half]
        one = np.vstack([np.hstack([corner, corner[:, ::-1]]), np.hstack([corner[::-1], corner[::-1, ::-1]])])
        one = np.ascontiguousarray(one[:pitch, :pitch])
    rows, columns = size[1] // pitch + 2, size[0] // pitch + 2
    tone = 1 + rng.normal(0, rng.uniform(0.01, 0.09), (rows, columns)).astype(np.float32)
    if rng.random() < 0.25:
        tone *= np.where((np.arange(rows)[:, None] + np.arange(columns)[None, :]) % 2, 1.0, rng.uniform(0.25, 0.8))
    joint = max(1, round(rng.uniform(1.5, 5) * mm))
    grout = _between(rng, (60, 60, 60), (210, 215, 220))
    image = np.tile(one, (rows, columns, 1)) * np.repeat(np.repeat(tone, pitch, 0), pitch, 1)[..., None]
    image = image.reshape(rows, pitch, columns, pitch, 3)
    image[:, :joint] = grout
    image[:, :, :, :joint] = grout
    image = image.reshape(rows * pitch, columns * pitch, 3)
    x, y = int(rng.integers(pitch)), int(rng.integers(pitch))
    image = image[y : y + size[1], x : x + size[0]]
    return image * (1 + 0.03 * _turbulence(rng, size, 30 * mm, 3))[..., None]


def _plain(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Painted or laminated board, plastic, paper."""
    grey = rng.uniform(20, 245)
    colour = np.clip(grey + rng.normal(0, 14, 3), 8, 250) if rng.random() < 0.6 else rng.uniform(30, 225, 3)
    tone = 1 + 0.012 * _noise(rng, size, 1.5 * mm) + 0.02 * _noise(rng, size, 120 * mm)
    return colour.astype(np.float32) * tone[..., None]


def _glass(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """A glass or varnished top that mirrors windows and lamps."""
    image = _between(rng, (20, 22, 20), (120, 130, 110)) * (1 + 0.03 * _noise(rng, size, 200 * mm))[..., None]
    small = (max(8, size[0] // 4), max(8, size[1] // 4))
    mirror = np.zeros((small[1], small[0]), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        centre = rng.uniform(0, 1, 2) * small
        box = cv2.boxPoints(
            (
                tuple(map(float, centre)),
                tuple(map(float, rng.uniform(20, 140, 2) * mm / 2)),
                float(rng.uniform(-25, 25)),
            )
        )
        cv2.fillPoly(mirror, [box.astype(np.int32)], float(rng.uniform(0.3, 1)))
    soft = cv2.GaussianBlur(mirror, (0, 0), rng.uniform(0.6, 6))
    shine = cv2.resize(soft, size, interpolation=cv2.INTER_LINEAR)[..., None]
    return image + shine * rng.uniform(20, 90)


def _leather(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Leather, leatherette or a rubber mat: bumps lit from one side."""
    colour = _between(rng, (20, 24, 30), (50, 80, 140))
    bumps = np.abs(_noise(rng, size, rng.uniform(2.5, 5) * mm)) + 0.5 * np.abs(_noise(rng, size, 2.2 * mm))
    slope = cv2.Sobel(bumps, cv2.CV_32F, 1, 1, ksize=3)
    tone = 1 + np.clip(slope, -1.5, 1.5) * 0.10 + 0.05 * _noise(rng, size, 90 * mm) + 0.06 * np.clip(bumps, 0, 2)
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


def _newspaper(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Printed paper spread over the table: columns, headlines, grey pictures."""
    image = np.empty((size[1], size[0], 3), np.uint8)
    image[:] = _between(rng, (185, 200, 208), (222, 230, 234)).astype(np.uint8)
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
    return image * (1 + 0.03 * _noise(rng, size, 60 * mm))[..., None]


def _wicker(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """Rattan, bamboo or a woven plastic mat: basket weave with shaded strands."""
    strand = max(3.0, rng.uniform(3.5, 12) * mm)
    colour = (
        _between(rng, (50, 90, 130), (150, 190, 215))
        if rng.random() < 0.7
        else _between(rng, (40, 40, 44), (120, 90, 70))
    )
    x, y = np.arange(size[0], dtype=np.float32) / strand, np.arange(size[1], dtype=np.float32) / strand
    over = (np.floor(x)[None, :] + np.floor(y)[:, None]) % 2
    round_x = np.sin(math.pi * (x % 1.0))[None, :]
    round_y = np.sin(math.pi * (y % 1.0))[:, None]
    if rng.random() < 0.35:
        over[:] = 0
    tone = np.where(over > 0, 0.55 + 0.5 * round_x * round_y**0.4, 0.55 + 0.5 * round_y * round_x**0.4)
    tone = tone * (1 + 0.05 * _noise(rng, size, (strand * 4, strand)))
    return np.asarray(colour * tone[..., None], np.float32)


KINDS: Final[dict[str, tuple[Callable[[Rng, tuple[int, int], float], Grid], float]]] = {
    "wood": (_wood, 0.30),
    "felt": (_felt, 0.14),
    "gingham": (_gingham, 0.12),
    "flowers": (_flowers, 0.08),
    "marble": (_marble, 0.06),
    "granite": (_granite, 0.06),
    "tiles": (_tiles, 0.06),
    "plain": (_plain, 0.08),
    "glass": (_glass, 0.02),
    "leather": (_leather, 0.03),
    "newspaper": (_newspaper, 0.02),
    "wicker": (_wicker, 0.03),
}
"""Kinds of table with their drawing function and share among the seeds."""


def _wear(rng: Rng, image: Grid, mm: float) -> None:
    """Adds what use leaves behind: rings of glasses, scratches, crumbs."""
    height, width = image.shape[:2]
    for _ in range(int(rng.integers(0, 3)) if rng.random() < 0.35 else 0):
        x, y, radius = int(rng.uniform(0, width)), int(rng.uniform(0, height)), max(2, int(rng.uniform(28, 44) * mm))
        left, top = max(0, x - radius - 6), max(0, y - radius - 6)
        block = image[top : y + radius + 6, left : x + radius + 6]
        if block.size:
            ring = np.zeros(block.shape[:2], np.float32)
            start, sweep = rng.uniform(0, 360), rng.uniform(120, 360)
            thick = max(1, round(rng.uniform(1, 4) * mm))
            cv2.ellipse(ring, (x - left, y - top), (radius, radius), start, 0, sweep, 1.0, thick, cv2.LINE_AA)
            block *= (1 - rng.uniform(0.06, 0.25) * cv2.GaussianBlur(ring, (0, 0), max(0.5, mm)))[..., None]
    for _ in range(int(rng.integers(0, 14)) if rng.random() < 0.4 else 0):
        x, y = int(rng.uniform(0, width)), int(rng.uniform(0, height))
        angle, length = rng.uniform(0, 6.3), rng.uniform(8, 120) * mm
        end = (int(x + length * math.cos(angle)), int(y + length * math.sin(angle)))
        cv2.line(image, (x, y), end, (image[y, x] * rng.choice([0.8, 1.2])).tolist(), 1, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 25)) if rng.random() < 0.3 else 0):
        x, y, tone = int(rng.uniform(0, width)), int(rng.uniform(0, height)), rng.uniform(60, 220)
        radius = max(1, round(rng.uniform(0.5, 1.6) * mm))
        cv2.circle(image, (x, y), radius, (tone * 0.7, tone * 0.9, tone), -1, cv2.LINE_AA)


def table(
    seed: int, size: tuple[int, int] = (1280, 720), px_per_mm: float | None = None, kind: str | None = None
) -> NDArray[np.uint8]:
    """A table top as BGR uint8 of ``size`` = (width, height), seen straight from above.

    ``px_per_mm`` is its scale (default: :data:`TABLE_MM` across the width), ``kind`` one of :data:`KINDS` (default: by
    the seed). Raises :class:`TextureError` on an unknown kind or an empty size.
    """
    if size[0] < 1 or size[1] < 1:
        raise TextureError(f"A table of {size[0]}x{size[1]} pixels cannot be drawn; both sides must be at least 1.")
    rng = np.random.default_rng((seed, 5101))
    shares = np.array([share for _, share in KINDS.values()])
    drawn = list(KINDS)[int(rng.choice(len(KINDS), p=shares / shares.sum()))]
    if kind is not None and kind not in KINDS:
        raise TextureError(f"There is no table called {kind!r}; choose one of {', '.join(KINDS)}.")
    mm = px_per_mm if px_per_mm is not None else size[0] / TABLE_MM
    image = np.asarray(KINDS[kind or drawn][0](rng, size, mm), np.float32)
    _wear(rng, image, mm)
    return np.clip(image, 0, 255).astype(np.uint8)


def texture_files(folder: str | Path) -> list[Path]:
    """The pictures in a folder of table tops, by name. Raises :class:`TextureError` where there are none."""
    base = Path(folder)
    found = sorted(path for path in base.iterdir() if path.suffix.lower() in _EXTENSIONS) if base.is_dir() else []
    if not found:
        raise TextureError(
            f"The folder {base} holds no table pictures (.jpg, .png, .webp); give another one or leave it out."
        )
    return found


@lru_cache(maxsize=64)
def _read(path: Path) -> NDArray[np.uint8]:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise TextureError(f"The table picture {path} cannot be read; save it again as JPEG or PNG or take it out.")
    return np.asarray(image, np.uint8)


def folder_table(paths: Sequence[Path], seed: int, size: tuple[int, int] = (1280, 720)) -> NDArray[np.uint8]:
    """A table top cut from one of the pictures: a random crop, turned, mirrored, tinted, as BGR uint8 of ``size``."""
    rng = np.random.default_rng((seed, 5102))
    source = _read(paths[int(rng.integers(len(paths)))])
    if rng.random() < 0.5:
        source = source[:, ::-1]
    if rng.random() < 0.4:
        source = source.transpose(1, 0, 2)
    height, width = source.shape[:2]
    share = rng.uniform(0.55, 1.0)
    w = min(width * share, height * share * size[0] / size[1])
    h = w * size[1] / size[0]
    x, y = int(rng.uniform(0, width - w)), int(rng.uniform(0, height - h))
    crop = np.ascontiguousarray(source[y : y + max(1, int(h)), x : x + max(1, int(w))])
    image = cv2.resize(crop, size, interpolation=cv2.INTER_AREA if w > size[0] else cv2.INTER_LINEAR).astype(np.float32)
    image *= (rng.uniform(0.8, 1.2) * (1 + rng.normal(0, 0.05, 3))).astype(np.float32)
    return np.clip(image, 0, 255).astype(np.uint8)
