"""The light on a table and the faults of a cheap sensor, prepared once per film so that a frame costs little."""

import math
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.film_level import FilmLevel

GAIN_ONE: Final = 128
"""Value of :attr:`Light.gain` that leaves a colour as it is."""

_SPARE: Final = 96

Image = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Light:
    """``gain`` (H, W, 3) uint8 multiplies colours (:data:`GAIN_ONE` = 1), ``glare`` (H, W, 3) uint8 is added.

    ``fall`` is where shadows fall: table millimetres (x, y) per millimetre of height; ``shadow`` their darkness 0..1.
    """

    gain: Image
    glare: Image | None
    fall: tuple[float, float]
    shadow: float


def make_light(size: tuple[int, int], level: FilmLevel, rng: np.random.Generator) -> Light:
    """The light of a room: a gradient, lamps with warm or cool casts, a vignette, perhaps a reflected streak."""
    w, h = 96, max(8, round(96 * size[1] / size[0]))
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    x, y = x / w - 0.5, (y / h - 0.5) * (h / w)
    angle = rng.uniform(0, 2 * math.pi)
    field = np.ones((h, w, 3), np.float32)
    field += (level.light * 0.6 * (x * math.cos(angle) + y * math.sin(angle)))[..., None]
    for _ in range(int(rng.integers(level.lamps[0], level.lamps[1] + 1))):
        cx, cy = rng.uniform(-0.5, 0.5), rng.uniform(-0.3, 0.3)
        radius = rng.uniform(0.25, 0.5)
        warmth = rng.uniform(-0.1, 0.25)
        spot = level.light * rng.uniform(0.25, 0.6) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / radius**2)
        field += spot[..., None] * np.array([1 - warmth, 1.0, 1 + warmth], np.float32)
    field *= (1 - 0.35 * level.light * (x**2 + y**2) / 0.33)[..., None]
    field *= rng.uniform(*level.dim) / field.mean()
    warm = rng.uniform(-0.4, 1.0) * level.cast
    field *= np.array([1 - warm, 1.0, 1 + warm * 0.8], np.float32)
    full = cv2.resize(np.clip(field, 0.05, 1.95), size, interpolation=cv2.INTER_CUBIC)
    gain = np.clip(full * GAIN_ONE, 0, 255).astype(np.uint8)
    turn = rng.uniform(0, 2 * math.pi)
    fall = rng.uniform(*level.shadow_reach)
    strength = rng.uniform(*level.glare)
    return Light(
        gain,
        _streak(size, strength, rng) if strength > 0.05 else None,
        (float(fall * math.cos(turn)), float(fall * math.sin(turn))),
        float(rng.uniform(*level.shadow)),
    )


def _streak(size: tuple[int, int], strength: float, rng: np.random.Generator) -> Image:
    w, h = 160, max(8, round(160 * size[1] / size[0]))
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    x, y = x / w - rng.uniform(0.2, 0.8), (y / h - rng.uniform(0.25, 0.75)) * (h / w)
    angle = rng.uniform(0, math.pi)
    along, across = x * math.cos(angle) + y * math.sin(angle), -x * math.sin(angle) + y * math.cos(angle)
    shape = np.exp(-((along / rng.uniform(0.1, 0.3)) ** 2) - (across / rng.uniform(0.02, 0.05)) ** 2)
    tint = np.array([0.94, 0.98, 1.0], np.float32)
    glow = cv2.resize((shape[..., None] * tint * (strength * 190)).astype(np.float32), size)
    return np.asarray(np.clip(glow, 0, 255), np.uint8)


class Sensor:
    """Lens blur, exposure drift and noise, frame by frame; the same seed gives the same frames."""

    def __init__(
        self, size: tuple[int, int], level: FilmLevel, rng: np.random.Generator, noise: float | None = None
    ) -> None:
        self._size = size
        self._level = level
        self._rng = np.random.default_rng(int(rng.integers(2**31)))
        sigma = float(rng.uniform(*level.noise)) if noise is None else noise
        self._scale = size[0] / 1280
        self._blur = float(rng.uniform(*level.blur)) * self._scale
        self._phases = rng.uniform(0, 2 * math.pi, 3)
        self._periods = rng.uniform((7.0, 2.1, 0.8), (15.0, 5.0, 1.6))
        self._bank = [self._noise(sigma) for _ in range(2)] if sigma > 0 else []
        self._focus = 0.0

    def _noise(self, sigma: float) -> Image:
        w, h = self._size[0] + _SPARE, self._size[1] + _SPARE
        fine = self._rng.standard_normal((h, w, 3), np.float32)
        # neighbouring pixels share noise in a debayered picture, most of all in colour
        grey = self._rng.standard_normal((h, w, 1), np.float32)
        soft: Image = cv2.GaussianBlur(0.6 * fine + 0.9 * grey, (0, 0), 0.7)
        soft = soft / soft.std()
        if self._level.coarse_noise > 0:
            small = self._rng.standard_normal((h // 4 + 1, w // 4 + 1, 3)).astype(np.float32)
            soft = soft + self._level.coarse_noise * cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)
        return np.asarray(np.clip(128 + sigma * soft, 0, 255), np.uint8)

    def expose(self, picture: Image, t: float, busy: float) -> Image:
        """The frame that the sensor delivers at ``t``; ``busy`` 0..1 is how much is moving (focus hunts then)."""
        self._focus += (busy - self._focus) * 0.25
        wobble = 0.5 + 0.5 * math.sin(2 * math.pi * t / self._periods[1] + self._phases[1])
        sigma = self._blur + self._level.focus_hunting * self._scale * self._focus * wobble**2
        if sigma > 0.28:
            reach = 3 if sigma < 0.75 else 5 if sigma < 1.3 else 7
            picture = cv2.GaussianBlur(picture, (reach, reach), sigma)
        waves = np.sin(2 * math.pi * t / self._periods + self._phases)
        gain = 1 + self._level.flicker * float(0.6 * waves[0] + 0.4 * waves[1] + 0.25 * waves[2]) - 0.015 * self._focus
        if not self._bank:
            return picture if gain == 1 else cv2.convertScaleAbs(picture, alpha=gain)
        bank = self._bank[int(self._rng.integers(len(self._bank)))]
        x, y = (int(v) for v in self._rng.integers(0, _SPARE, 2))
        noise = bank[y : y + self._size[1], x : x + self._size[0]]
        return cv2.addWeighted(picture, gain, noise, 1, -128)
