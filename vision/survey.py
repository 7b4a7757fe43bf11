"""Finds the cards of a single picture at every scale: those that fill it and those that are small in it.

The locator sees any picture reduced to its own input. In a large photograph small cards drown then, and a card held
close to the camera is larger than any that it knows. So a single picture, for which there is time, is looked at
several times: shrunk, whole, and in ever smaller overlapping tiles; what the looks agree on is kept once.
"""

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.facts import Detection
from vision.locator import MOST_IOU, Locator
from vision.overlap import areas, overlap_matrix, suppress

GRIDS: Final = ((2, 1.6), (3, 2.6), (5, 5.0))
"""Tiles per side, and how many times larger than the locator's input a picture must be for them to show more."""

LAP: Final = 0.3
"""Share of a tile that the next one repeats: a card cut by one tile lies whole in another."""

CUT: Final = 3.0
"""Pixels from the edge of a tile (not of the picture) within which a box may be that of a card cut in two."""

PART: Final = 0.7
"""Share of a smaller box inside a larger one from which it is taken for a part of that card."""

PART_SIZE: Final = 0.45
"""Size of a part against the whole card, by area, at most: a card on another is as large as that one."""

GROUP: Final = 0.35
"""Share of a box that two cards beside each other fill from which it is no card but both of them; three always are."""

LARGE: Final = 0.25
"""Height of a card, as a share of the picture's shorter side, from which the look at the shrunk picture is asked."""

SURE: Final = 0.6
ODD_SIZE: Final = 2.6
"""Cards of one picture differ by perspective; a box this many times longer or shorter than most is none."""

Box = tuple[int, int, int, int]


def survey(locator: Locator, image: NDArray[np.uint8]) -> list[Detection]:
    """The cards of a BGR picture as :meth:`Locator.locate` gives them, found at all scales; most confident first."""
    found = locator.locate(image) + _shrunk(locator, image)
    height, width = image.shape[:2]
    zoom = max(width / locator.size[1], height / locator.size[0])
    for side, least in GRIDS:
        if zoom >= least:
            for tile in tiles(width, height, side):
                found += _in_tile(locator, image, tile)
    return joined(found)


def tiles(width: int, height: int, side: int) -> list[Box]:
    """Overlapping tiles (left, top, right, bottom), ``side`` of them along each side, that cover the picture."""
    boxes = []
    share = 1 / (side - (side - 1) * LAP)
    wide, tall = round(width * share), round(height * share)
    for row in range(side):
        for column in range(side):
            left = round(column * (width - wide) / (side - 1))
            top = round(row * (height - tall) / (side - 1))
            boxes.append((left, top, left + wide, top + tall))
    return boxes


def joined(found: list[Detection]) -> list[Detection]:
    """What several looks found, each card once: doubles, parts of cards and boxes of an odd size are dropped."""
    if len(found) < 2:
        return found
    quads = np.stack([detection.quad for detection in found]).astype(np.float64)
    scores = np.array([detection.confidence for detection in found])
    keep = np.array(suppress(quads, scores, MOST_IOU), np.intp)
    quads, scores = quads[keep], scores[keep]
    area = np.maximum(areas(quads), 1.0)
    shared = overlap_matrix(quads, quads)
    part = (shared >= PART * area[:, None]) & (area[:, None] <= PART_SIZE * area[None, :])
    group = np.array([_is_group(part[:, k] & (scores >= 0.5), shared, area, float(area[k])) for k in range(len(area))])
    part &= ~group[None, :]
    good = ~group & ~(part & (scores[None, :] >= 0.75 * scores[:, None])).any(axis=1)
    sure = good & (scores >= SURE)
    if sure.sum() >= 3:
        usual = float(np.median(area[sure]))
        good &= np.abs(np.log(area / usual)) <= 2 * np.log(ODD_SIZE)
    return [found[int(index)] for index in keep[good]]


def _is_group(parts: NDArray[np.bool_], shared: NDArray[np.float64], area: NDArray[np.float64], whole: float) -> bool:
    """Whether a box of area ``whole`` is a group of cards: the sure boxes inside it lie apart and fill much of it."""
    inside = np.flatnonzero(parts)
    apart: list[int] = []
    for index in inside[np.argsort(-area[inside], kind="stable")]:
        if all(shared[index, other] < 0.1 * area[index] for other in apart):
            apart.append(int(index))
    return len(apart) > 2 or (len(apart) == 2 and float(area[apart].sum()) >= GROUP * whole)


def _shrunk(locator: Locator, image: NDArray[np.uint8]) -> list[Detection]:
    """Look at the picture at half the size, in the middle of a grey one, for cards that fill much of it."""
    least = LARGE * min(image.shape[:2])
    return [one for one in locator.locate(image, 0.5) if np.linalg.norm(one.quad[1] - one.quad[2]) >= least]


def _in_tile(locator: Locator, image: NDArray[np.uint8], tile: Box) -> list[Detection]:
    """Look at one tile; cards that its edge may cut are left to its neighbours."""
    left, top, right, bottom = tile
    height, width = image.shape[:2]
    low = np.array([-np.inf if left == 0 else left + CUT, -np.inf if top == 0 else top + CUT])
    high = np.array([np.inf if right == width else right - CUT, np.inf if bottom == height else bottom - CUT])
    part = np.ascontiguousarray(image[top:bottom, left:right])
    moved = [replace(one, quad=one.quad + np.array([left, top], np.float32)) for one in locator.locate(part)]
    return [one for one in moved if (one.quad >= low).all() and (one.quad <= high).all()]
