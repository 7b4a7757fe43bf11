"""What an arm wears: a sleeve, a watch or a bracelet."""

import math
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.hand_relief import Relief, lit, mottle

ARM_MM: Final = 430.0
"""Length of arm that a sprite shows below the wrist."""

_CLOTHS: Final = (
    (40, 38, 36), (92, 56, 30), (60, 60, 66), (200, 200, 196), (44, 40, 140), (70, 96, 60), (170, 150, 120),
    (120, 70, 90), (30, 90, 150), (225, 222, 215), (130, 90, 40), (90, 130, 170), (60, 30, 80), (50, 110, 60),
)  # fmt: skip


def sleeve(
    relief: Relief,
    rng: np.random.Generator,
    girth: float,
    light: tuple[float, float],
    colour: NDArray[Any],
    alpha: NDArray[Any],
) -> None:
    """Lays a sleeve (or none), and a watch, bracelet or ring, over a bare hand in place."""
    s = relief.scale
    kind = rng.random()
    if rng.random() < 0.3:
        _strap(relief, rng, girth, colour, alpha)
    if kind < 0.22:
        return  # short sleeves: a bare forearm
    start = float(rng.uniform(18, 60)) if kind < 0.8 else float(rng.uniform(110, 190))
    slack = float(rng.uniform(1.08, 1.45))
    cloth = Relief(colour.shape[1], colour.shape[0], s, relief.origin)
    r0 = (27 + 0.05 * start) * girth * slack
    cloth.capsule((0, -start - r0), (0, -ARM_MM - 80), r0, 52 * girth * slack, 12, 12, 0.8)
    # the cuff is a straight cut, not a round end
    rows = (np.arange(colour.shape[0], dtype=np.float32) - relief.origin[1])[:, None] / s - start
    columns = (np.arange(colour.shape[1], dtype=np.float32) - relief.origin[0])[None, :] / s
    profile = r0 + np.clip(rows, 0, None) * (52 * girth * slack - r0) / (ARM_MM - start)
    inside = np.minimum(profile - np.abs(columns), rows - 0.0022 * columns**2)
    cloth.edge[:] = inside
    cloth.height[:] = np.where(inside > -0.5, 12 + 0.8 * np.sqrt(np.maximum(profile**2 - columns**2, 0)), -60)
    folds = mottle(rng, colour.shape[:2], 26 * s) * 2.2 + mottle(rng, colour.shape[:2], 11 * s) * 1.0
    cloth.height += np.where(inside > -0.5, folds * np.clip(rows / 20, 0.2, 1), 0).astype(np.float32)
    diffuse, hollow, cover = lit(cloth, light, 2.0)
    tone = np.array(_CLOTHS[int(rng.integers(len(_CLOTHS)))], np.float32) * rng.uniform(0.85, 1.12)
    fabric = np.broadcast_to(tone, colour.shape).copy()
    pattern = rng.random()
    if pattern < 0.18:
        period = float(rng.uniform(5, 16))
        stripe = (np.sin(columns * 2 * math.pi / period) > rng.uniform(0, 0.8)).astype(np.float32)
        fabric += stripe[..., None] * (rng.uniform(-60, 60, 3).astype(np.float32))
    elif pattern < 0.32:
        period = float(rng.uniform(10, 26))
        check = (np.sin(columns * 2 * math.pi / period) > 0.3) * 0.5 + (np.sin(rows * 2 * math.pi / period) > 0.3) * 0.5
        fabric += check[..., None].astype(np.float32) * rng.uniform(-55, 55, 3).astype(np.float32)
    fabric *= (1 + 0.03 * rng.normal(0, 1, colour.shape[:2]).astype(np.float32))[..., None]
    shade = np.clip(0.34 + 0.72 * diffuse - 0.8 * hollow, 0.1, 1.15)
    hem = np.exp(-(((rows - 3.5) / 0.8) ** 2)) * 0.22
    fabric *= (shade * (1 - hem))[..., None]
    # the sleeve's own shadow on the wrist
    fall = np.clip(np.exp(-np.abs(np.minimum(rows, 0)) / 5.0), 0, 1) * 0.4 * (rows < 1)
    colour *= (1 - fall)[..., None]
    cover = cover.astype(np.float32)
    colour *= (1 - cover)[..., None]
    colour += fabric * cover[..., None]
    # a slack sleeve hides the bare arm beside it as well
    np.maximum(alpha, cover, out=alpha)
    alpha *= np.where(rows > 3, cover, 1.0)


def _strap(relief: Relief, rng: np.random.Generator, girth: float, colour: NDArray[Any], alpha: NDArray[Any]) -> None:
    """Puts a watch or a bracelet on the wrist."""
    s = relief.scale
    y = float(rng.uniform(-32, -14))
    x, row = relief.pixel(0, y)
    half = 25.5 * girth * s
    width = float(rng.uniform(1.5, 3.0) if rng.random() < 0.4 else rng.uniform(7, 11)) * s
    tone = np.array(rng.choice([(40, 38, 36), (70, 160, 200), (190, 190, 195), (50, 70, 120)]), np.float32)
    layer = np.zeros(colour.shape[:2], np.float32)
    axes = (round(half), round(5 * s))
    cv2.ellipse(layer, (round(x), round(row - 2 * s)), axes, 0, 0, 180, 1.0, round(width), cv2.LINE_AA)
    layer *= alpha
    across = np.clip(1 - ((np.arange(colour.shape[1]) - x) / half) ** 2, 0, 1)[None, :, None]
    colour *= (1 - layer)[..., None]
    colour += layer[..., None] * tone * (0.45 + 0.65 * across)
    if width > 6 * s:
        dial = (round(x), round(row + 3 * s))
        cv2.circle(colour, dial, round(17 * s), (tone * 0.9 + 15).tolist(), -1, cv2.LINE_AA)
        face = (30, 28, 26) if rng.random() < 0.5 else (222, 226, 226)
        cv2.circle(colour, dial, round(14 * s), face, -1, cv2.LINE_AA)
        for angle, length in ((float(rng.uniform(0, 6.28)), 9 * s), (float(rng.uniform(0, 6.28)), 6 * s)):
            end = (round(dial[0] + length * math.sin(angle)), round(dial[1] - length * math.cos(angle)))
            cv2.line(colour, dial, end, (128, 128, 130), max(1, round(0.9 * s)), cv2.LINE_AA)
