"""Whether an outline is that of a card lying on the table, not of one held in a hand or cut by the picture's rim."""

from typing import Final

import numpy as np

from vision.facts import Quad
from vision.geometry import LEAST_CARDS, TableGeometry
from vision.overlap import areas, overlap_matrix
from vision.track import array_of, centre_of, long_side

RIM_PIXELS: Final = 2.0
FAN_RIM: Final = 0.22
"""A fan in a hand is looked for within this share of the picture's width and height from its rim."""
FAN_OVERLAP: Final = 0.2
SIZE_BOUNDS: Final = (0.78, 1.28)
"""Size of a lying card as the plane has it; outside, the card is nearer to the camera or farther than the table."""
ROUGH_BOUNDS: Final = (0.55, 1.8)
"""The same against the other cards in pixels, while the plane is not known; perspective alone gives as much."""
MOST_ERROR: Final = 0.08


def is_whole(quad: Quad, size: tuple[int, int]) -> bool:
    """Whether the outline lies within the picture of ``size`` (width, height)."""
    width, height = size
    return all(RIM_PIXELS <= x <= width - RIM_PIXELS and RIM_PIXELS <= y <= height - RIM_PIXELS for x, y in quad)


def is_flat(quad: Quad, geometry: TableGeometry, lying: list[Quad]) -> bool:
    """Whether a card at this place has the size of one on the table; ``lying`` are cards that lie there already."""
    plane = geometry.plane
    if plane is not None and plane.cards > LEAST_CARDS and plane.error < MOST_ERROR:
        ratio = plane.size_ratio(quad)
        return ratio is not None and SIZE_BOUNDS[0] <= ratio <= SIZE_BOUNDS[1]
    if len(lying) < 2:
        return True
    ratio = long_side(quad) / float(np.median([long_side(other) for other in lying]))
    return ROUGH_BOUNDS[0] <= ratio <= ROUGH_BOUNDS[1]


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
