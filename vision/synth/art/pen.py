"""A pen that draws filled, inked and shaded outlines on a card in millimetres.

The picture is kept at ``oversample`` times the asked size and shrunk at the end; with OpenCV's own anti-aliased edges
this gives print-like lines. Colours are BGR tuples, as everywhere in OpenCV.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.synth.art.curves import Outline

Colour = tuple[int, int, int]
_SHIFT = 4


def rgb(value: str) -> Colour:
    """``"d23a2e"`` (red, green, blue in hex) as a BGR tuple."""
    return int(value[4:6], 16), int(value[2:4], 16), int(value[0:2], 16)


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """``a`` with ``share`` of ``b`` mixed in."""
    return tuple(round(p + (q - p) * share) for p, q in zip(a, b, strict=True))  # type: ignore[return-value]


def dark(colour: Colour, share: float = 0.3) -> Colour:
    """``colour`` nearer to a warm black."""
    return mix(colour, (24, 18, 22), share)


def light(colour: Colour, share: float = 0.35) -> Colour:
    """``colour`` nearer to white."""
    return mix(colour, (250, 253, 255), share)


@dataclass(frozen=True, slots=True)
class Print:
    """How the ink lies on the card: outline, shading and the small faults of printing."""

    ink: Colour = (30, 22, 20)
    line: float = 0.3
    shading: str = "side"
    """``flat``, ``side`` (darker edge), ``hatch`` (engraving), ``soft`` (gradient) or ``glow`` (edge and gleam)."""
    depth: float = 0.25
    misregistration: tuple[float, float] = (0.0, 0.0)
    """How far the colours lie beside the outline, mm."""
    wobble: float = 0.0
    """Amplitude of a slow bend of every line, mm, as in old woodcut prints."""
    outlined: bool = True


class Pen:
    """Draws in millimetres through a stack of placements; see :meth:`at`."""

    def __init__(
        self, size_mm: tuple[float, float], height: int, paper: Colour, ink: Print, oversample: int = 2
    ) -> None:
        self.size_mm = size_mm
        self.print = ink
        self.scale = height * oversample / size_mm[1]
        self._out = (round(height * size_mm[0] / size_mm[1]), height)
        shape = (height * oversample, self._out[0] * oversample, 3)
        self.image = np.empty(shape, np.uint8)
        self.image[:] = paper
        self.paper = paper
        self._matrix = np.array([[1.0, 0, 0], [0, 1.0, 0]])
        self._size = 1.0
        self._hatch: np.ndarray | None = None

    def picture(self) -> np.ndarray:
        """The card as ``(height, width, 3)`` uint8 BGR."""
        return cv2.resize(self.image, self._out, interpolation=cv2.INTER_AREA)

    @contextmanager
    def at(
        self, x: float = 0, y: float = 0, scale: float = 1, angle: float = 0, flip: bool = False, stretch: float = 1
    ) -> Iterator[None]:
        """Draw inside with the origin at (x, y), turned clockwise, scaled; ``flip`` mirrors, ``stretch`` widens."""
        before = self._matrix, self._size
        c, s = np.cos(np.radians(angle)) * scale, np.sin(np.radians(angle)) * scale
        across = (-1 if flip else 1) * stretch
        local = np.array([[c * across, -s, x], [s * across, c, y], [0, 0, 1]])
        self._matrix = self._matrix @ local
        self._size *= scale
        try:
            yield
        finally:
            self._matrix, self._size = before

    def mirror_top(self) -> None:
        """Repeat the upper half of the card upside down in the lower half."""
        middle = self.image.shape[0] // 2
        self.image[-middle:] = self.image[:middle][::-1, ::-1]

    def _pixels(self, points: Outline, offset: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
        p = np.asarray(points, float) @ self._matrix[:, :2].T + self._matrix[:, 2] + offset
        if self.print.wobble:
            a = self.print.wobble
            p = p + a * np.stack([np.sin(p[:, 1] * 0.21 + 1), np.sin(p[:, 0] * 0.27 + p[:, 1] * 0.05)], axis=1)
        return np.asarray(p * self.scale)

    def _width(self, width: float | None) -> int:
        return max(1, round((self.print.line if width is None else width * self._size) * self.scale))

    def line(
        self, points: Outline, colour: Colour | None = None, width: float | None = None, closed: bool = False
    ) -> None:
        """A stroke; ``width`` in local units, None for the print's own outline width in mm."""
        p = np.round(self._pixels(points) * (1 << _SHIFT)).astype(np.int32)
        ink = self.print.ink if colour is None else colour
        cv2.polylines(self.image, [p], closed, ink, self._width(width), cv2.LINE_AA, _SHIFT)

    def fill(self, points: Outline, colour: Colour) -> None:
        """A filled outline without ink."""
        p = self._pixels(points, self.print.misregistration)
        cv2.fillPoly(self.image, [np.round(p * (1 << _SHIFT)).astype(np.int32)], colour, cv2.LINE_AA, _SHIFT)

    def shape(
        self,
        points: Outline,
        colour: Colour,
        ink: Colour | bool | None = None,
        width: float | None = None,
        shade: float = 1.0,
    ) -> None:
        """A filled, shaded and outlined figure; ``ink=False`` leaves the outline out, ``shade=0`` the shading."""
        self.fill(points, colour)
        if shade > 0 and self.print.shading != "flat":
            self._shade(points, colour, shade)
        if ink is not False and self.print.outlined:
            self.line(points, None if ink is None or ink is True else ink, width, closed=True)

    def _shade(self, points: Outline, colour: Colour, amount: float) -> None:
        p = self._pixels(points, self.print.misregistration)
        high, wide = self.image.shape[:2]
        x0, y0 = np.maximum(np.floor(p.min(axis=0)).astype(int), 0)
        x1, y1 = np.minimum(np.ceil(p.max(axis=0)).astype(int) + 1, (wide, high))
        if x1 - x0 < 5 or y1 - y0 < 5:
            return
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillPoly(mask, [np.round(p - (x0, y0)).astype(np.int32)], 255)
        roi = self.image[y0:y1, x0:x1]
        depth = self.print.depth * amount
        if self.print.shading == "soft":
            ramp = np.linspace(1 + depth * 0.35, 1 - depth, x1 - x0, dtype=np.float32)
            soft = np.clip(np.asarray(colour, np.float32) * ramp[:, None], 0, 255).astype(np.uint8)
            roi[:] = np.where(mask[:, :, None] > 0, soft[None], roi)
            return
        reach = max(1, round(min(x1 - x0, y1 - y0, 9 * self.scale) * 0.26))
        crescent = mask.copy()
        crescent[: -max(1, reach // 2), :-reach] &= ~mask[max(1, reach // 2) :, reach:]
        if self.print.shading == "hatch":
            lines = self._hatching()[y0:y1, x0:x1]
            roi[(crescent > 0) & lines] = dark(colour, min(1.0, 0.35 + 2 * depth))
            return
        roi[crescent > 0] = dark(colour, depth)
        if self.print.shading == "glow":
            gleam = mask.copy()
            near = max(1, reach // 3)
            gleam[near:, near:] &= ~mask[:-near, :-near]
            gleam = cv2.erode(gleam, np.ones((3, 3), np.uint8)) if near > 3 else gleam
            roi[gleam > 0] = light(colour, depth * 1.6)

    def _hatching(self) -> np.ndarray:
        if self._hatch is None:
            self._hatch = _hatch_pattern(*self.image.shape[:2], max(3.0, 0.55 * self.scale))
        return self._hatch


@lru_cache(maxsize=2)
def _hatch_pattern(high: int, wide: int, period: float) -> np.ndarray:
    ys, xs = np.mgrid[0:high, 0:wide]
    return np.asarray((xs * 0.35 + ys) % period < period * 0.45)
