"""A drawing sheet in millimetres, for things that are drawn from shapes and cut out."""

import math
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator

Colour = tuple[float, float, float]

PX_PER_MM: Final = 2.0

_SUPER: Final = 2


class Sheet:
    """A drawing in millimetres with the origin at its centre, rendered with twice the pixels and reduced."""

    def __init__(self, width: float, height: float) -> None:
        self.k = PX_PER_MM * _SUPER
        self.w, self.h = round((width + 4) * self.k), round((height + 4) * self.k)
        self.colour = np.full((self.h, self.w, 3), 128, np.uint8)
        self.mask = np.zeros((self.h, self.w), np.uint8)

    def points(self, points: Any) -> NDArray[np.int32]:
        """Points in millimetres as pixels in sixteenths, for the drawing functions with shift 4."""
        flat = np.asarray(points, np.float64) * self.k + np.array((self.w / 2, self.h / 2))
        return np.asarray(np.round(flat * 16), np.int32)

    def polygon(self, points: Any, colour: Colour, solid: bool = True) -> None:
        """A filled outline; ``solid`` makes it part of the cut-out, else it is only print on it."""
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
        self.polygon(rounded(w, h, radius) + np.array((x, y)), colour, solid)

    def disc(self, x: float, y: float, radius: float, colour: Colour, solid: bool = True, squeeze: float = 1.0) -> None:
        """A filled circle, or an ellipse with ``squeeze`` as its height by its width."""
        angles = np.linspace(0, 2 * math.pi, 56, endpoint=False)
        shape = np.stack([np.cos(angles), squeeze * np.sin(angles)], 1) * radius
        self.polygon(shape + np.array((x, y)), colour, solid)

    def line(self, points: Any, colour: Colour, width: float, solid: bool = False) -> None:
        """A line through points; ``solid`` makes it part of the cut-out."""
        thick = max(1, round(width * self.k))
        cv2.polylines(self.colour, [self.points(points)], False, colour, thick, cv2.LINE_AA, 4)
        if solid:
            cv2.polylines(self.mask, [self.points(points)], False, 255, thick, cv2.LINE_AA, 4)

    def arc(self, radius: float, start: float, sweep: float, colour: Colour, width: float) -> None:
        """A part of a circle around the origin, angles in degrees."""
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
        """The cut-out as BGRA uint8 at :data:`PX_PER_MM`."""
        size = (self.w // _SUPER, self.h // _SUPER)
        colour = cv2.resize(self.colour, size, interpolation=cv2.INTER_AREA)
        mask = cv2.resize(self.mask, size, interpolation=cv2.INTER_AREA)
        return np.dstack([colour, (mask * opacity).astype(np.uint8)])


def rounded(w: float, h: float, radius: float) -> NDArray[np.float64]:
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


def any_colour(rng: Rng, low: float = 25, high: float = 235) -> Colour:
    """A random colour with channels between two bounds, seldom a pure one."""
    tone = rng.uniform(low, high, 3)
    # printed colours are seldom pure: draw them towards their grey
    b, g, r = tone.mean() + (tone - tone.mean()) * rng.uniform(0.3, 1.0)
    return float(b), float(g), float(r)


def pick(rng: Rng, *colours: Colour) -> Colour:
    """One of some colours, a little lighter or darker."""
    b, g, r = np.clip(np.array(colours[int(rng.integers(len(colours)))]) * rng.uniform(0.85, 1.15), 0, 255)
    return float(b), float(g), float(r)


def times(colour: Colour, factor: float) -> Colour:
    """A colour made lighter or darker."""
    return min(255.0, colour[0] * factor), min(255.0, colour[1] * factor), min(255.0, colour[2] * factor)
