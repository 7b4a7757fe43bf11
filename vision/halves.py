"""What a box that is too square for a card may be: the visible half of a card that lies crosswise under another.

A card that is half covered shows a piece as wide as the card and hardly as long: a locator takes that piece's longer
side for the card's, so the box is turned by a right angle and ends where the covering card begins. The card's true long
side then runs along the box's short one, on one of its two sides.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.labels import CARD_MM
from vision.overlap import areas, overlap_matrix

ASPECT: Final = CARD_MM[1] / CARD_MM[0]

SQUARE: Final = 1.38
"""Long side over short side up to which a box is taken for a half at all; a whole card seen from above has 1.54."""


COVERED: Final = 0.35
"""Share of the rest of a card that another card's box must cover to be what hides it; boxes of both are rough."""

HALF_LONG: Final = 0.85
"""Longer side of a half over the length of the card that covers it, at most; width over length is 0.65."""


def is_half(quad: NDArray[np.float32]) -> bool:
    """Whether a quad (4, 2), short sides 0-1 and 2-3, is so square that it may be the half of a card."""
    long, short = _sides(quad)
    return long < SQUARE * short


def halves(quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """The two cards (2, 4, 2) of which the quad may be the half, short sides 0-1 and 2-3 as everywhere."""
    q = np.asarray(quad, np.float64)
    long, short = _sides(quad)
    reach = long * ASPECT / max(short, 1e-6)
    near, far = (q[1] - q[0]) * reach, (q[2] - q[3]) * reach
    return np.array([[q[3], q[0], q[0] + near, q[3] + far], [q[1], q[2], q[2] - far, q[1] - near]], np.float32)


def is_covered(quad: NDArray[np.float32], whole: NDArray[np.float32], others: NDArray[np.float32]) -> bool:
    """Whether one of the cards ``others`` (M, 4, 2) lies on what ``whole`` has beyond the half ``quad`` of it.

    The longer side of a half is the width of its card: it is shorter than the card on it is long. One as long as that
    is a whole card with a broad box, and the other lies beside it.
    """
    longer = max(_sides(quad))
    others = others[[_sides(other)[0] * HALF_LONG >= longer for other in others]]
    if not len(others):
        return False
    pair = np.stack([whole, quad]).astype(np.float64)
    shared = overlap_matrix(pair, np.concatenate([pair[1:], others.astype(np.float64)]))
    rest = float(areas(pair)[0] - shared[0, 0])
    beyond = shared[0, 1:] - shared[1, 1:]
    return bool((beyond >= COVERED * rest).any())


def _sides(quad: NDArray[np.float32]) -> tuple[float, float]:
    """Mean length of the sides 1-2 and 3-0, and of 0-1 and 2-3."""
    q = np.asarray(quad, np.float64)
    lengths = np.linalg.norm(q - np.roll(q, -1, axis=0), axis=1)
    return float(lengths[1] + lengths[3]) / 2, float(lengths[0] + lengths[2]) / 2
