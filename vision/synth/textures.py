"""Table tops: procedural woods, cloths, stones and the like, and pictures of one's own.

``table(seed, size)`` draws one of :data:`KINDS`, chosen by the seed. Everything is measured in millimetres of table, so
that grain, checks and tiles have the right size beside a card. The same arguments give the same pixels. By convention
seeds below 100,000 are for training and those from 900,000 on are kept for tests and evaluation.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.synth import texture_hard, texture_soft
from vision.synth.texture_grain import Grid, Rng

TABLE_MM: Final = 850.0
"""Width of table that a picture shows when no scale is given."""

_EXTENSIONS: Final = (".jpg", ".jpeg", ".png", ".webp", ".bmp")


class TextureError(VisionError):
    """A folder of table pictures that cannot be used; the message says why and what helps."""


KINDS: Final[dict[str, tuple[Callable[[Rng, tuple[int, int], float], Grid], float]]] = {
    "wood": (texture_hard.wood, 0.30),
    "felt": (texture_soft.felt, 0.14),
    "gingham": (texture_soft.gingham, 0.12),
    "flowers": (texture_soft.flowers, 0.08),
    "marble": (texture_hard.marble, 0.06),
    "granite": (texture_hard.granite, 0.06),
    "tiles": (texture_hard.tiles, 0.06),
    "plain": (texture_hard.plain, 0.08),
    "glass": (texture_hard.glass, 0.02),
    "leather": (texture_soft.leather, 0.03),
    "newspaper": (texture_soft.newspaper, 0.02),
    "wicker": (texture_soft.wicker, 0.03),
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
