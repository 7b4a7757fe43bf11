"""Outlines as point lists: every function returns an ``(N, 2)`` float array, x to the right and y down."""

from collections.abc import Sequence

import numpy as np

Points = np.ndarray
Outline = Sequence[tuple[float, float]] | np.ndarray


def ellipse(
    cx: float, cy: float, rx: float, ry: float | None = None, start: float = 0, stop: float = 360, n: int = 44
) -> Points:
    """An arc of an ellipse; degrees run clockwise on the page from the right."""
    angles = np.radians(np.linspace(start, stop, n))
    return np.stack([cx + rx * np.cos(angles), cy + (rx if ry is None else ry) * np.sin(angles)], axis=1)


def box(x0: float, y0: float, x1: float, y1: float) -> Points:
    """The four corners of a rectangle."""
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], float)


def smooth(points: Outline, closed: bool = False, steps: int = 8) -> Points:
    """A Catmull-Rom curve through ``points``."""
    p = np.asarray(points, float)
    ends = (p[-1:], p[:2]) if closed else (2 * p[:1] - p[1:2], 2 * p[-1:] - p[-2:-1])
    p = np.concatenate([ends[0], p, ends[1]])
    t = np.linspace(0, 1, steps, endpoint=False)[None, :, None]
    a, b, c, d = (p[k : len(p) - 3 + k, None, :] for k in range(4))
    curve = 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - 3 * c + d - a) * t**3)
    flat = curve.reshape(-1, 2)
    return flat if closed else np.concatenate([flat, p[-2:-1]])


def bezier(p0: Sequence[float], p1: Sequence[float], p2: Sequence[float], p3: Sequence[float], n: int = 14) -> Points:
    """A cubic Bezier curve."""
    t = np.linspace(0, 1, n)[:, None]
    a, b, c, d = (np.asarray(p, float) for p in (p0, p1, p2, p3))
    return a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t**2 * (1 - t) + d * t**3


def mirrored(profile: Outline) -> Points:
    """The closed outline whose right half is ``profile`` (x >= 0, read from top to bottom)."""
    p = np.asarray(profile, float)
    return np.concatenate([p, p[::-1] * (-1, 1)])


def tube(centre: Outline, widths: float | Sequence[float] | np.ndarray) -> Points:
    """A band along ``centre``; ``widths`` is the full width at each point, or spread evenly from end to end."""
    c = np.asarray(centre, float)
    w = np.atleast_1d(np.asarray(widths, float))
    if len(w) != len(c):
        w = np.interp(np.linspace(0, 1, len(c)), np.linspace(0, 1, len(w)), w)
    d = np.gradient(c, axis=0)
    d /= np.maximum(np.hypot(d[:, 0], d[:, 1]), 1e-9)[:, None]
    side = np.stack([-d[:, 1], d[:, 0]], axis=1) * w[:, None] / 2
    return np.concatenate([c + side, (c - side)[::-1]])


def star(points: int, outer: float, inner: float, turn: float = -90) -> Points:
    """A star with ``points`` rays around the origin."""
    angles = np.radians(turn + np.arange(2 * points) * 180 / points)
    radii = np.where(np.arange(2 * points) % 2 == 0, outer, inner)
    return np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1)


def scalloped(lobes: int, radius: float, depth: float, n: int = 6) -> Points:
    """A circle with a wavy rim around the origin."""
    angles = np.linspace(0, 2 * np.pi, lobes * n, endpoint=False)
    radii = radius + depth * np.cos(lobes * angles)
    return np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1)


def placed(points: Outline, x: float = 0, y: float = 0, angle: float = 0, scale: float = 1) -> Points:
    """``points`` scaled, then turned clockwise by ``angle`` degrees, then moved."""
    c, s = np.cos(np.radians(angle)) * scale, np.sin(np.radians(angle)) * scale
    return np.asarray(np.asarray(points, float) @ np.array([[c, s], [-s, c]]) + (x, y))


def leaf(length: float, width: float) -> Points:
    """A pointed leaf from the origin along +x."""
    upper = bezier((0, 0), (length * 0.3, -width), (length * 0.7, -width * 0.8), (length, 0), 8)
    return np.concatenate([upper, (upper * (1, -1))[::-1]])
