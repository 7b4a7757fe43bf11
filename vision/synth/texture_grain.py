"""What table tops are made from: smooth noise, turbulence, random colours, weave and folds.

Grids are float32; sizes are (width, height) in pixels, ``mm`` is pixels per millimetre of table.
"""

import math
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator

Grid = NDArray[Any]


def noise(rng: Rng, size: tuple[int, int], cell: float | tuple[float, float]) -> Grid:
    """Smooth noise (H, W) float32 of about unit deviation with cells of ``cell`` pixels (x, y)."""
    cx, cy = cell if isinstance(cell, tuple) else (cell, cell)
    width, height = size
    w, h = max(3, round(width / max(cx, 1.0)) + 3), max(3, round(height / max(cy, 1.0)) + 3)
    w, h = min(w, width + 3), min(h, height + 3)
    return cv2.resize(rng.standard_normal((h, w), dtype=np.float32), size, interpolation=cv2.INTER_CUBIC)


def turbulence(rng: Rng, size: tuple[int, int], cell: float, octaves: int = 4) -> Grid:
    """Sum of octaves of noise, halved in size and weight each time."""
    total = noise(rng, size, cell)
    for octave in range(1, octaves):
        total += noise(rng, size, cell / 2**octave) * 0.5**octave
    return total


def between(rng: Rng, dark: Sequence[float], pale: Sequence[float]) -> Grid:
    """A random colour on the line between two BGR colours, a little beside it."""
    share = rng.uniform(0, 1)
    colour = np.array(dark, np.float32) * (1 - share) + np.array(pale, np.float32) * share
    return np.clip(colour + rng.normal(0, 6, 3), 4, 250).astype(np.float32)


def weave(rng: Rng, size: tuple[int, int], mm: float, depth: float = 0.06) -> Grid:
    """The tone of threads, about 1; only noise where the threads are finer than the pixels."""
    pitch = rng.uniform(0.7, 1.8) * mm
    tone = 1 + 0.02 * rng.standard_normal(size[::-1], dtype=np.float32) + 0.03 * noise(rng, size, (30 * mm, 2 * mm))
    if pitch > 2.2:
        x = np.sin(np.arange(size[0], dtype=np.float32) * (2 * math.pi / pitch))
        y = np.sin(np.arange(size[1], dtype=np.float32) * (2 * math.pi / pitch))
        tone += depth * x[None, :] * y[:, None]
    return tone


def folds(rng: Rng, size: tuple[int, int], mm: float) -> Grid:
    """The tone of a cloth's creases: broad soft waves, sometimes the cross of having lain folded."""
    tone = 1 + 0.035 * noise(rng, size, (rng.uniform(60, 200) * mm, rng.uniform(60, 200) * mm))
    if rng.random() < 0.4:
        for axis in (0, 1):
            length = size[axis]
            position = rng.uniform(0.2, 0.8) * length
            ridge = (np.arange(length, dtype=np.float32) - position) / (2.5 * mm)
            line = 0.09 * ridge * np.exp(-(ridge**2))
            tone += line[None, :] if axis == 0 else line[:, None]
    return tone
