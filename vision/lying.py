"""Whether an outline is that of a card lying on the table, not of one held in a hand or cut by the picture's rim."""

import math
from typing import Final

import numpy as np

from vision.facts import Quad
from vision.geometry import LEAST_CARDS, TableGeometry, TablePlane
from vision.labels import CARD_MM
from vision.overlap import areas, overlap_matrix
from vision.track import array_of, centre_of, long_side

RIM_PIXELS: Final = 2.0
FAN_RIM: Final = 0.22
"""A fan in a hand is looked for within this share of the picture's width and height from its rim."""
FAN_OVERLAP: Final = 0.2
SIZE_BOUNDS: Final = (0.78, 1.28)
"""Size of a lying card as the plane has it; outside, the card is nearer to the camera or farther than the table."""
WIDE_BOUNDS: Final = (0.7, 1.45)
"""The same for a card that nobody can be holding: so far off a plane may be that few cards near each other tell."""
ROUGH_BOUNDS: Final = (0.55, 1.8)
"""The same against the other cards in pixels, while the plane is not known; perspective alone gives as much."""
MOST_ERROR: Final = 0.08
LEAST_SPREAD: Final = 60.0
"""Millimetres between the farthest two cards that a plane must rest on; the cards of one player lie within 40."""
PIECE_WIDTH: Final = (0.85, 1.15)
"""One side of the visible piece of a card is as wide as the card, as the plane has it, and ..."""
PIECE_LENGTH: Final = (0.4, 1.2)
"""... the other side has that many card widths: less than the whole, more than a rim."""
STRETCHED_LENGTH: Final = (1.9, 2.6)
"""The same for an outline that runs on over the card beside it."""


def is_whole(quad: Quad, size: tuple[int, int]) -> bool:
    """Whether the outline lies within the picture of ``size`` (width, height)."""
    width, height = size
    return all(RIM_PIXELS <= x <= width - RIM_PIXELS and RIM_PIXELS <= y <= height - RIM_PIXELS for x, y in quad)


def is_flat(quad: Quad, geometry: TableGeometry, lying: list[Quad]) -> bool:
    """Whether a card at this place has the size of one on the table; ``lying`` are cards that lie there already.

    The outline may be that of the visible piece of a card, where one of them lies on the rest (the face-up card under
    the stock), or run on over one that lies beside it.
    """
    plane = geometry.plane
    if plane is not None and is_known(plane):
        return is_whole_size(quad, plane) or is_cut_wrongly(quad, plane, lying)
    if len(lying) < 2:
        return True
    ratio = long_side(quad) / float(np.median([long_side(other) for other in lying]))
    return ROUGH_BOUNDS[0] <= ratio <= ROUGH_BOUNDS[1]


def is_known(plane: TablePlane) -> bool:
    """Whether the plane rests on enough cards, not all in one place, to judge others by it."""
    return plane.cards > LEAST_CARDS and plane.error < MOST_ERROR and plane.spread >= LEAST_SPREAD


def is_whole_size(quad: Quad, plane: TablePlane) -> bool:
    """Whether the outline is as long as a card on the table is at this place."""
    ratio = plane.size_ratio(quad)
    return ratio is not None and SIZE_BOUNDS[0] <= ratio <= SIZE_BOUNDS[1]


def is_roughly_size(quad: Quad, geometry: TableGeometry) -> bool:
    """Whether the outline is about as long as a card at this place, for a plane that is off there; True without one."""
    ratio = geometry.plane.size_ratio(quad) if geometry.plane is not None else 1.0
    return ratio is not None and WIDE_BOUNDS[0] <= ratio <= WIDE_BOUNDS[1]


def is_cut_wrongly(quad: Quad, plane: TablePlane, lying: list[Quad]) -> bool:
    """Whether the outline is as wide as a card on the table, and one of ``lying`` explains that its length is wrong.

    A card nearer or farther than the table is not: all its sides are too long or too short by one measure.
    """
    mm = plane.quad(quad)
    if mm is None:
        return False
    width, length = CARD_MM
    sides = [(math.dist(mm[i], mm[i + 1]) + math.dist(mm[i + 2], mm[(i + 3) % 4])) / 2 / width for i in (0, 1)]
    if not any(
        PIECE_WIDTH[0] <= one <= PIECE_WIDTH[1] and low <= other <= high
        for one, other in (sides, sides[::-1])
        for low, high in (PIECE_LENGTH, STRETCHED_LENGTH)
    ):
        return False
    here = plane.point(centre_of(quad))
    there = [plane.point(centre_of(other)) for other in lying]
    return here is not None and any(point is not None and math.dist(here, point) <= length for point in there)


def is_in_fan(quad: Quad, faces: list[Quad], size: tuple[int, int]) -> bool:
    """Whether it is one of several overlapping faces at the rim of the picture: cards in a hand."""
    width, height = size
    x, y = centre_of(quad)
    if min(x, width - x) > FAN_RIM * width and min(y, height - y) > FAN_RIM * height:
        return False
    if len(faces) < 2:
        return False
    own = array_of([quad])
    shares = overlap_matrix(own, array_of(faces))[0] / max(float(areas(own)[0]), 1.0)
    return int((shares > FAN_OVERLAP).sum()) >= 2
