"""A height field built from capsules, and the light on it: the clay that hands are made of."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray


class Relief:
    """A height field in millimetres over a pixel grid, built up from capsules. ``edge`` is a signed distance inside."""

    def __init__(self, width: int, height: int, px_per_mm: float, origin: tuple[float, float]) -> None:
        self.scale = px_per_mm
        self.origin = origin
        self.height = np.full((height, width), -60.0, np.float32)
        self.edge = np.full((height, width), -50.0, np.float32)

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Pixel of a point in hand millimetres (x right, y towards the fingers)."""
        return self.origin[0] + x * self.scale, self.origin[1] - y * self.scale

    def capsule(
        self, a: Sequence[float], b: Sequence[float], ra: float, rb: float, za: float, zb: float, flat: float = 1.0
    ) -> None:
        """Adds a bone from ``a`` to ``b`` (mm) with end radii, heights of the axis at both ends and a flatness."""
        s = self.scale
        (ax, ay), (bx, by) = self.pixel(*a), self.pixel(*b)
        reach = max(ra, rb) * s + 2
        x0, x1 = int(max(0, min(ax, bx) - reach)), int(min(self.height.shape[1], max(ax, bx) + reach + 1))
        y0, y1 = int(max(0, min(ay, by) - reach)), int(min(self.height.shape[0], max(ay, by) + reach + 1))
        if x0 >= x1 or y0 >= y1:
            return
        px = (np.arange(x0, x1, dtype=np.float32) - ax)[None, :]
        py = (np.arange(y0, y1, dtype=np.float32) - ay)[:, None]
        dx, dy = bx - ax, by - ay
        along = np.clip((px * dx + py * dy) / max(dx * dx + dy * dy, 1e-6), 0.0, 1.0).astype(np.float32)
        distance = np.hypot(px - along * dx, py - along * dy) / s
        radius = ra + (rb - ra) * along
        surface = za + (zb - za) * along + flat * np.sqrt(np.maximum(radius * radius - distance * distance, 0.0))
        inside = radius - distance
        block_h, block_e = self.height[y0:y1, x0:x1], self.edge[y0:y1, x0:x1]
        np.copyto(block_h, np.maximum(block_h, np.where(inside > -0.5, surface, -60.0)))
        np.copyto(block_e, np.maximum(block_e, inside))


def lit(
    relief: Relief, light: tuple[float, float], soften_mm: float
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Diffuse light 0..1, hollow darkness 0..1 and alpha 0..1 of a relief."""
    s = relief.scale
    inside = (relief.edge > -0.2).astype(np.float32)
    floor = float(relief.height[inside > 0].min()) if inside.any() else 0.0
    filled = np.where(inside > 0, relief.height, floor - 4.0).astype(np.float32)
    smooth = cv2.GaussianBlur(filled, (0, 0), max(soften_mm * s, 0.5))
    gx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3) * (s / 8)
    gy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3) * (s / 8)
    norm = np.sqrt(gx * gx + gy * gy + 1.0)
    lz = 0.86
    diffuse = np.clip((lz - light[0] * gx - light[1] * gy) / norm, 0.0, 1.15)
    small = cv2.resize(smooth, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    wide = cv2.resize(cv2.GaussianBlur(small, (0, 0), max(1.6 * s, 0.6)), smooth.shape[::-1])
    hollow = np.clip((wide - smooth) / 14.0, 0.0, 0.6)
    alpha = np.clip(relief.edge * s / 1.6 + 0.55, 0.0, 1.0)
    return diffuse, hollow, alpha


def mottle(rng: np.random.Generator, shape: tuple[int, int], cell_px: float) -> NDArray[Any]:
    """Smooth noise of zero mean and about unit range."""
    h, w = max(2, int(shape[0] / cell_px)), max(2, int(shape[1] / cell_px))
    return cv2.resize(rng.normal(0, 1, (h, w)).astype(np.float32), shape[::-1], interpolation=cv2.INTER_CUBIC)


def blob(field: NDArray[Any], centre: tuple[float, float], radius: float, amount: float) -> None:
    """Adds a round soft spot to a field."""
    x0, x1 = max(0, int(centre[0] - 2 * radius)), min(field.shape[1], int(centre[0] + 2 * radius) + 1)
    y0, y1 = max(0, int(centre[1] - 2 * radius)), min(field.shape[0], int(centre[1] + 2 * radius) + 1)
    if x0 >= x1 or y0 >= y1:
        return
    gx = np.exp(-(((np.arange(x0, x1) - centre[0]) / radius) ** 2))
    gy = np.exp(-(((np.arange(y0, y1) - centre[1]) / radius) ** 2))
    field[y0:y1, x0:x1] += (amount * gy[:, None] * gx[None, :]).astype(np.float32)
