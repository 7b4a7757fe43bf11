"""Light and camera: what lies between a printed card and the pixels that a cheap webcam delivers.

Every function takes a ``numpy.random.Generator`` first and a picture as float32 BGR in 0..255, shape (H, W, 3), and
returns a picture of the same shape and type; :func:`photograph` strings them together and returns uint8. Lengths that
depend on the scale of the cards are given in units of ``unit`` = the height of a card in pixels, so that the same
recipe serves a 160 px crop and a 1280 px table.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]
Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class CameraLevel:
    """How hard the light and the camera are; each number is an upper bound from which a value is drawn."""

    light: float = 1.0  # strength of gradients and colour casts
    shadow: float = 0.5  # chance of a cast shadow
    glare: float = 0.3  # chance of a reflection
    dark: float = 0.22  # chance of an under-exposed picture with its noise
    blur: float = 0.45  # chance of defocus or motion blur
    noise: float = 1.0  # scale of the sensor noise
    jpeg: float = 0.7  # chance of visible compression


CALM = CameraLevel(light=0.4, shadow=0.15, glare=0.05, dark=0.05, blur=0.1, noise=0.35, jpeg=0.4)
ROUGH = CameraLevel()


def _ramp(rng: Rng, width: int, height: int) -> Picture:
    """Return a linear gradient of random direction with values -0.5..0.5, shape (H, W)."""
    angle = rng.uniform(0, 2 * math.pi)
    x = np.linspace(-0.5, 0.5, width, dtype=np.float32) * np.float32(math.cos(angle))
    y = np.linspace(-0.5, 0.5, height, dtype=np.float32) * np.float32(math.sin(angle))
    ramp: Picture = x[None, :] + y[:, None]
    return ramp


def _spot(rng: Rng, width: int, height: int, reach: tuple[float, float]) -> Picture:
    """Return a soft elliptic spot with peak 1 somewhere near the picture, shape (H, W)."""
    cx, cy = rng.uniform(-0.3, 1.3, 2)
    rx, ry = rng.uniform(*reach, 2)
    x = (np.linspace(0, 1, width, dtype=np.float32) - np.float32(cx)) / np.float32(rx)
    y = (np.linspace(0, 1, height, dtype=np.float32) - np.float32(cy)) / np.float32(ry)
    spot: Picture = np.exp(-(x[None, :] ** 2 + y[:, None] ** 2))
    return spot


def _enlarge(field: Picture, image: Picture) -> Picture:
    height, width = image.shape[:2]
    return np.asarray(cv2.resize(field, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def light(rng: Rng, image: Picture, strength: float = 1.0) -> Picture:
    """Multiply by a room's light: a gradient, up to two lamps, and the colour of each (warm lamp, cool window)."""
    field = np.ones((24, 24, 3), np.float32)
    field *= (1 + strength * rng.uniform(0, 0.7) * _ramp(rng, 24, 24))[..., None]
    for _ in range(rng.integers(0, 3)):
        warm = rng.uniform(-0.5, 1.0)
        colour = np.array([1 - 0.35 * warm, 1.0, 1 + 0.25 * warm], np.float32)
        field += strength * rng.uniform(0, 0.6) * _spot(rng, 24, 24, (0.25, 1.2))[..., None] * colour
    field /= field.mean()
    cast = 1 + strength * np.array([rng.normal(0, 0.09), rng.normal(0, 0.03), rng.normal(0, 0.09)], np.float32)
    return image * _enlarge(np.clip(field, 0.25, 2.5) * cast.astype(np.float32), image)


def shadow(rng: Rng, image: Picture, unit: float) -> Picture:
    """Darken a region with a soft or hard edge, as of a head, an arm or a lamp shade."""
    height, width = image.shape[:2]
    scale = min(1.0, 200 / max(height, width))
    w, h = max(8, round(width * scale)), max(8, round(height * scale))
    mask = np.zeros((h, w), np.float32)
    centre = rng.uniform(-0.1, 1.1, 2) * (w, h)
    count = int(rng.integers(4, 9))
    radius = rng.uniform(0.3, 2.0) * unit * scale
    angles = np.sort(rng.uniform(0, 2 * math.pi, count))
    radii = radius * rng.uniform(0.5, 1.3, count)
    outline = centre + np.stack([np.cos(angles), np.sin(angles)], 1) * radii[:, None]
    cv2.fillPoly(mask, [np.round(outline * 8).astype(np.int32)], 1.0, cv2.LINE_AA, 3)
    softness = max(0.6, rng.uniform(0.01, 0.25) * unit * scale)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), softness), np.float32)
    depth = rng.uniform(0.25, 0.7)
    tint = np.array([1.0, 0.97, 0.94], np.float32)  # shadows are lit by the cooler rest of the room
    return image * (1 - depth * _enlarge(mask, image)[..., None] * tint)


def glare(rng: Rng, image: Picture, unit: float) -> Picture:
    """Add the reflection of a lamp or a window on varnished card: a spot or a streak that washes the print out."""
    height, width = image.shape[:2]
    scale = min(1.0, 200 / max(height, width))
    w, h = max(8, round(width * scale)), max(8, round(height * scale))
    mask = np.zeros((h, w), np.float32)
    centre = rng.uniform(0, 1, 2) * (w, h)
    long = rng.uniform(0.15, 0.9) * unit * scale
    short = long * rng.uniform(0.12, 1.0)
    cv2.ellipse(mask, (tuple(map(float, centre)), (2 * long, 2 * short), rng.uniform(0, 180)), 1.0, -1, cv2.LINE_AA)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.6, rng.uniform(0.1, 0.6) * short)), np.float32)
    strength = rng.uniform(60, 260)
    colour = np.array([1.0, 1.0, 1.0], np.float32) + rng.uniform(-0.12, 0.05, 3).astype(np.float32)
    return image + strength * _enlarge(mask, image)[..., None] * colour


def defocus(rng: Rng, image: Picture, unit: float) -> Picture:
    """Blur as a lens out of focus or a hand in motion does, up to 1.2 % of a card's height."""
    radius = rng.uniform(0.15, 1.0) * max(0.6, 0.012 * unit)
    if rng.random() < 0.7:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), radius), np.float32)
    length = max(2, round(2.5 * radius))
    kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
    angle = rng.uniform(0, math.pi)
    step = np.array([math.cos(angle), math.sin(angle)]) * length
    start, end = np.round((length - step) * 16).astype(int), np.round((length + step) * 16).astype(int)
    cv2.line(kernel, tuple(map(int, start)), tuple(map(int, end)), 1.0, 1, cv2.LINE_AA, 4)
    total = float(kernel.sum())
    return image if total <= 0 else np.asarray(cv2.filter2D(image, -1, kernel / total), np.float32)


def expose(rng: Rng, image: Picture, dark: bool) -> Picture:
    """Apply exposure, contrast, gamma and saturation of a webcam's automatics (they are often wrong)."""
    gain = rng.uniform(0.3, 0.65) if dark else rng.uniform(0.7, 1.25)
    image = image * np.float32(gain)
    gamma = rng.uniform(0.8, 1.3)
    image = 255 * np.asarray(cv2.pow(np.maximum(image * np.float32(1 / 255), 0), gamma), np.float32)
    contrast, mid = rng.uniform(0.8, 1.2), float(image.mean())
    image = (image - mid) * np.float32(contrast) + mid + np.float32(rng.uniform(-12, 12))
    grey = image @ np.array([0.114, 0.587, 0.299], np.float32)
    saturation = np.float32(rng.uniform(0.55, 1.35))
    return np.asarray(grey[..., None] + (image - grey[..., None]) * saturation, np.float32)


def sensor_noise(rng: Rng, image: Picture, scale: float, dark: bool) -> Picture:
    """Add read and shot noise; part of it is coarse and coloured, as demosaicking and denoising leave it."""
    height, width = image.shape[:2]
    sigma = scale * rng.uniform(0.5, 4.0) * (1.8 if dark else 1.0)
    fine = rng.standard_normal((height, width, 1), dtype=np.float32) * np.float32(sigma)
    coarse = rng.standard_normal(((height + 1) // 2, (width + 1) // 2, 3), dtype=np.float32) * np.float32(0.7 * sigma)
    return image + fine + np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def sharpen(rng: Rng, image: Picture) -> Picture:
    """Over-sharpen as webcams do; leaves halos along edges."""
    soft = cv2.GaussianBlur(image, (0, 0), 1.0)
    return image + np.float32(rng.uniform(0.2, 1.2)) * (image - soft)


def compress(rng: Rng, image: NDArray[np.uint8], quality: tuple[int, int] = (25, 92)) -> NDArray[np.uint8]:
    """Return the picture after one JPEG round trip of random quality."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(*quality))])
    if not done:
        return image
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def photograph(rng: Rng, image: Picture, unit: float, level: CameraLevel = ROUGH) -> NDArray[np.uint8]:
    """Light the picture and take it with a cheap camera.

    ``image`` is float32 BGR 0..255, (H, W, 3); ``unit`` the height of a card in it, in pixels. Returns uint8 BGR of the
    same size.
    """
    image = light(rng, image, level.light)
    if rng.random() < level.shadow:
        image = shadow(rng, image, unit)
    if rng.random() < level.glare:
        image = glare(rng, image, unit)
    if rng.random() < level.blur:
        image = defocus(rng, image, unit)
    dark = rng.random() < level.dark
    image = expose(rng, image, dark)
    if rng.random() < 0.3 * level.light:
        image = sharpen(rng, image)
    image = sensor_noise(rng, image, level.noise, dark)
    picture = np.clip(image, 0, 255).astype(np.uint8)
    return compress(rng, picture) if rng.random() < level.jpeg else picture
