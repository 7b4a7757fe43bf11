"""Fits a located box to the card's true edges where the picture shows them.

A locator's oriented box is a few per cent off and knows no perspective; names and table geometry rest on the quad. The
box is rectified with room around it; there each side of the card is nearly an axis-parallel line. Along each candidate
line the colour steps across it are summed *with their sign*: a step from table to paper adds up over the whole length,
while print, wood grain and the thin frame line (two opposite steps) cancel. A side without a clear step stays as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import CARD_MM

LENGTH: Final = 128
"""Height of the rectified card in pixels; its width follows from the card's millimetres."""
BREADTH: Final = round(LENGTH * CARD_MM[0] / CARD_MM[1])
ROOM: Final = 26
"""Pixels of surroundings on every side."""
REACH: Final = 17
"""How far a side may lie from the box, in rectified pixels: an eighth of the card's height."""
SLOPES: Final = np.linspace(-0.11, 0.11, 11)
"""Candidate slopes of a side against the box, about 6 degrees either way."""
KEEP: Final = 3
"""Candidates per side that the four sides are chosen from together."""
CLEAR: Final = 5.0
"""Least step of a clear edge, in grey levels (mean over the side)."""
PASSES: Final = 1
SHAPE_PENALTY: Final = 11.0
SKEW_PENALTY: Final = 3.3
SHIFT_PENALTY: Final = 0.35


@dataclass(frozen=True, slots=True)
class _Line:
    """A side in the rectified picture: ``offset`` px outwards from the box's side, ``slope`` px per px along it."""

    offset: float
    slope: float
    gain: float


_AS_IS: Final = _Line(0.0, 0.0, 0.0)


def refine(image: NDArray[np.uint8], quad: NDArray[np.float32], passes: int = PASSES) -> NDArray[np.float32]:
    """Return the quad moved onto the card's edges; sides without a clear edge keep their place.

    ``image`` is BGR uint8 (H, W, 3), ``quad`` (4, 2) float32 px with the short sides 0-1 and 2-3. Corners keep their
    order. Each further pass looks again from where the last one ended.
    """
    for _ in range(passes):
        moved = _fit(image, quad)
        if moved is quad:
            break
        quad = moved
    return quad


def _fit(image: NDArray[np.uint8], quad: NDArray[np.float32]) -> NDArray[np.float32]:
    to_patch = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), _corners((0.0, 0.0, 0.0, 0.0), (0.0,) * 4))
    size = (BREADTH + 2 * ROOM, LENGTH + 2 * ROOM)
    patch = cv2.warpPerspective(image, to_patch, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    soft = cv2.GaussianBlur(patch, (0, 0), 1.3).astype(np.float32)
    across = np.zeros_like(soft)
    across[:, 1:-1] = soft[:, 2:] - soft[:, :-2]
    down = np.zeros_like(soft)
    down[1:-1] = soft[2:] - soft[:-2]
    turned = down.transpose(1, 0, 2)
    top = _candidates(turned, ROOM, BREADTH, outwards=-1)
    bottom = _candidates(turned, ROOM + LENGTH, BREADTH, outwards=1)
    left = _candidates(across, ROOM, LENGTH, outwards=-1)
    right = _candidates(across, ROOM + BREADTH, LENGTH, outwards=1)
    best = _choose((top, right, bottom, left))
    if all(side is _AS_IS for side in best):
        return quad
    offsets = tuple(side.offset for side in best)
    slopes = tuple(side.slope for side in best)
    corners = _corners((offsets[0], offsets[1], offsets[2], offsets[3]), slopes)
    refined = cv2.perspectiveTransform(corners[None], np.linalg.inv(to_patch))[0]
    return np.asarray(refined, np.float32)


def _candidates(steps: NDArray[np.float32], side: int, length: int, outwards: int) -> list[_Line]:
    """Return the likeliest lines of one side, the box's own among them.

    ``steps`` (rows along the side, columns across, 3) are colour steps across the side; ``side`` is the box's column.
    """
    rows = np.arange(ROOM + length // 14, ROOM + length - length // 14)
    middle = ROOM + length / 2
    columns = np.arange(-REACH, REACH + 1)
    rows = rows[::2]
    shifts = np.round(SLOPES[:, None] * (rows - middle)).astype(int)
    where = np.clip(side + columns[None, None, :] + shifts[..., None], 0, steps.shape[1] - 1)
    strengths = np.linalg.norm(steps[rows[None, :, None], where].mean(1), axis=2)
    lines = [_AS_IS]
    for _ in range(KEEP):
        index, column = np.unravel_index(int(np.argmax(strengths)), strengths.shape)
        strength = float(strengths[index, column])
        if strength < CLEAR:
            break
        gain = float(np.log(strength / CLEAR))
        lines.append(_Line(float(columns[column]) * outwards, float(SLOPES[index]) * outwards, gain))
        strengths[:, max(0, column - 3) : column + 4] = 0
    return lines


def _choose(sides: Sequence[Sequence[_Line]]) -> tuple[_Line, ...]:
    """Choose one line per side (top, right, bottom, left): clear edges count for a choice, an odd shape against it."""
    axes = [np.array([[line.offset, line.slope, line.gain] for line in lines]).T for lines in sides]
    (ot, st, gt), (orr, sr, gr), (ob, sb, gb), (ol, sl, gl) = (
        axis.reshape(3, *(-1 if place == number else 1 for place in range(4))) for number, axis in enumerate(axes)
    )
    wide, tall = 1 + (ol + orr) / BREADTH, 1 + (ot + ob) / LENGTH
    shape = np.abs(np.log(np.maximum(wide, 0.2) / np.maximum(tall, 0.2)))
    skew = np.abs(sl + sr) + np.abs(st + sb)
    shift = np.abs(ot) + np.abs(orr) + np.abs(ob) + np.abs(ol)
    worth = gt + gr + gb + gl - SHAPE_PENALTY * shape - SKEW_PENALTY * skew - SHIFT_PENALTY * shift / REACH
    best = np.unravel_index(int(np.argmax(worth)), worth.shape)
    return tuple(lines[int(index)] for lines, index in zip(sides, best, strict=True))


def _corners(offsets: tuple[float, float, float, float], slopes: tuple[float, ...]) -> NDArray[np.float32]:
    """Intersect the sides (top, right, bottom, left), each moved outwards by its offset and turned by its slope."""
    x0, x1, y0, y1 = float(ROOM), float(ROOM + BREADTH), float(ROOM), float(ROOM + LENGTH)
    middle_x, middle_y = (x0 + x1) / 2, (y0 + y1) / 2
    # horizontal sides: y = a + b (x - middle_x); vertical sides: x = c + d (y - middle_y)
    top, bottom = (y0 - offsets[0], -slopes[0]), (y1 + offsets[2], slopes[2])
    right, left = (x1 + offsets[1], slopes[1]), (x0 - offsets[3], -slopes[3])

    def meet(level: tuple[float, float], upright: tuple[float, float]) -> tuple[float, float]:
        (a, b), (c, d) = level, upright
        y = (a + b * (c - middle_x) - b * d * middle_y) / (1 - b * d)
        return c + d * (y - middle_y), y

    return np.array([meet(top, left), meet(top, right), meet(bottom, right), meet(bottom, left)], np.float32)
