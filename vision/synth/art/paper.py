"""What paper, print and use do to a card: tone, halftone, fibre, yellowing, stains, scratches, worn edges."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.synth.art.dice import Dice


@dataclass(frozen=True, slots=True)
class PaperStyle:
    """Strength of each fault, 0 for none; the same for a whole deck, its marks different on each card."""

    yellow: float = 0.0
    stains: float = 0.0
    scratches: int = 0
    worn: float = 0.0
    halftone: float = 0.0
    fibre: float = 0.0
    fade: float = 0.0
    blur: float = 0.0


def random_paper(dice: Dice) -> PaperStyle:
    """Half of all decks are nearly new, the others used."""
    used = dice.toss(0.5)
    return PaperStyle(
        yellow=_sometimes(dice, 0.6, 0.35) if used else _sometimes(dice, 0.2, 0.12),
        stains=_sometimes(dice, 0.5, 0.22) if used else 0.0,
        scratches=dice.whole(0, 9) if used else 0,
        worn=_sometimes(dice, 0.7, 0.5) if used else _sometimes(dice, 0.2, 0.15),
        halftone=_sometimes(dice, 0.3, 0.16),
        fibre=_sometimes(dice, 0.6, 5.0),
        fade=_sometimes(dice, 0.5, 0.25) if used else _sometimes(dice, 0.15, 0.15),
        blur=_sometimes(dice, 0.25, 0.8),
    )


def _sometimes(dice: Dice, share: float, top: float) -> float:
    return dice.between(0, top) if dice.toss(share) else 0.0


def _clouds(rng: np.random.Generator, height: int, width: int, cells: int) -> np.ndarray:
    small = rng.standard_normal((cells + 1, cells)).astype(np.float32)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)


@lru_cache(maxsize=2)
def _screen(height: int, width: int) -> np.ndarray:
    """A halftone screen, -1 to 1."""
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    turn = 4.44 / max(2.2, height / 150)
    return np.asarray(np.sin((xs + ys) * turn) * np.sin((xs - ys) * turn))


def wear(picture: np.ndarray, s: PaperStyle, seed: tuple[int, ...]) -> np.ndarray:
    """``picture`` (H, W, 3) uint8 BGR as printed on such paper; ``seed`` fixes the marks of this one card."""
    if s == PaperStyle():
        return picture
    rng = np.random.default_rng(seed)
    height, width = picture.shape[:2]
    if s.blur > 0.15:
        picture = cv2.GaussianBlur(picture, (0, 0), s.blur * height / 400)
    out = picture.astype(np.float32)
    if s.fade:
        out = out * (1 - s.fade) + 246 * s.fade
    if s.halftone:
        out += (_screen(height, width) * s.halftone)[:, :, None] * (255 - out) * 0.6
    if s.fibre:
        grain = np.tile(rng.standard_normal((128, 128)).astype(np.float32), (height // 128 + 1, width // 128 + 1))
        out += (grain[:height, :width] * s.fibre)[:, :, None]
    if s.yellow:
        out *= np.array([1 - 0.55 * s.yellow, 1 - 0.14 * s.yellow, 1 - 0.05 * s.yellow], np.float32)
    if s.stains:
        blots = np.clip(_clouds(rng, height, width, 5) - 0.5, 0, 1.6)[:, :, None] * s.stains
        out *= 1 - blots * np.array([0.5, 0.32, 0.22], np.float32)
    if s.worn:
        ys = np.minimum(np.arange(height), np.arange(height)[::-1]).astype(np.float32)[:, None]
        xs = np.minimum(np.arange(width), np.arange(width)[::-1]).astype(np.float32)[None]
        rough = 1 + 0.5 * _clouds(rng, height, width, 9)
        edge = np.clip(1 - np.minimum(xs, ys) / (height * 0.018 * rough.clip(0.2)), 0, 1)[:, :, None] * s.worn
        out = out * (1 - edge) + np.array([150, 165, 172], np.float32) * edge
    np.clip(out, 0, 255, out)
    worn = np.round(out).astype(np.uint8)
    for _ in range(s.scratches):
        a = rng.uniform((0, 0), (width, height))
        b = a + rng.normal(0, height * 0.12, 2)
        tone = int(rng.choice([250, 235, 120]))
        line = worn.copy()
        cv2.line(
            line,
            tuple(np.round(a).astype(int).tolist()),
            tuple(np.round(b).astype(int).tolist()),
            (tone, tone, tone),
            1,
            cv2.LINE_AA,
        )
        worn = np.asarray(cv2.addWeighted(worn, 0.6, line, 0.4, 0), np.uint8)
    return worn
