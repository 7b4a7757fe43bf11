"""Enrolling a deck: all its faces in one or a few pictures, each named once by settling them together.

A design that the identifier never saw is often misread card by card, but nearly all mistakes are exchanges: the 6 of
bastos for the 7, and then the 7 for the 6. Every card exists once, so the likeliest reading of the *whole* deck is an
assignment problem (:mod:`vision.assignment`). What forcing another name would cost tells how sure each name is.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.assignment import solve
from vision.facts import Detection
from vision.identifier import Identifier, rectify
from vision.labels import LABELS
from vision.overlap import areas, overlap_matrix
from vision.references import KEPT_MARGIN, KEPT_SIZE, embeddings_of, upright

DOUBT: Final = 3.0
"""Nats by which the whole must get less likely under any other name of a card for its name to be sure (1 : 20)."""
NO_CARD: Final = 20.0
"""What leaving a face without a name costs: more than any name, so only what is too many goes without one."""
LEAST_LOG: Final = -9.2
"""Below 1 : 10,000 the identifier's word counts no further: on unknown designs it is too sure."""
FORBIDDEN: Final = 1e4
LAP: Final = 0.45
"""Share of the smaller of two boxes from which they are one card: in a spread no card lies on another."""
SAME: Final = 0.75
"""Likeness from which faces of two pictures are the same card."""
PERHAPS_SAME: Final = 0.4
"""The same while there are more faces than the deck has cards, so that some must be the same."""


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One card as one picture shows it: ``crop`` as kept (:mod:`vision.references`), ``probs`` (48,), ``embedding``."""

    crop: NDArray[np.uint8]
    probs: NDArray[np.float32]
    embedding: NDArray[np.float32]
    confidence: float


@dataclass(frozen=True, slots=True)
class Name:
    """What a card is called: an index into LABELS or None for no card of the deck; ``rivals`` are what else it may be.

    The name is sure where there are none.
    """

    label: int | None
    rivals: tuple[int, ...] = ()


def deck_cards(size: int) -> tuple[int, ...]:
    """The label indices of a deck of 48 cards, or of 40, which has no 8 and 9. Raises ValueError for other sizes."""
    if size not in (40, 48):
        raise ValueError(f"a Spanish deck has 40 or 48 cards, not {size}")
    return tuple(index for index, label in enumerate(LABELS) if size == 48 or label[:-1] not in ("8", "9"))


def find_faces(
    read: Callable[[NDArray[np.uint8]], list[Detection]], identifier: Identifier, image: NDArray[np.uint8]
) -> list[Face]:
    """The faces of a BGR picture in reading order: rows from the top, each from the left.

    ``read`` is :meth:`vision.reader.TableReader.read`. Raises :class:`~vision.errors.ModelError` where the identifier
    gives no embeddings.
    """
    found = _apart([one for one in read(image) if one.kind == "face" and one.probs is not None])
    if not found:
        return []
    quads = np.stack([one.quad for one in found])
    order = reading_order(quads)
    crops = rectify(image, quads[order], KEPT_SIZE, KEPT_MARGIN)
    seen = np.stack([upright(identifier, crop) for crop in crops])
    both = embeddings_of(identifier, np.concatenate([seen, seen[:, ::-1, ::-1]]))
    mean = both.reshape(2, len(crops), -1).mean(axis=0)
    faces = []
    for row, place in enumerate(order):
        probs = found[place].probs
        assert probs is not None
        faces.append(Face(crops[row], probs, mean[row], found[place].confidence))
    return faces


def _apart(found: list[Detection]) -> list[Detection]:
    """Without the boxes that lie on a surer one."""
    if not found:
        return found
    found = sorted(found, key=lambda one: -one.confidence)
    quads = np.stack([one.quad for one in found]).astype(np.float64)
    shared, area = overlap_matrix(quads, quads), areas(quads)
    kept: list[int] = []
    for index in range(len(found)):
        if all(shared[index, other] <= LAP * min(area[index], area[other]) for other in kept):
            kept.append(index)
    return [found[index] for index in kept]


def reading_order(quads: NDArray[np.float32]) -> list[int]:
    """Indices of cards (N, 4, 2) row by row; a new row begins where the next card is more than half a card lower.

    The rows may run askew by as much as the cards lie askew in them.
    """
    sides = quads[:, 1].astype(np.float64) - quads[:, 0]
    # Cards lie along or across the rows: the angle of their sides, folded to -45..45 degrees, is that of the rows.
    angles = np.arctan2(sides[:, 1], sides[:, 0])
    askew = float(np.angle(np.exp(4j * angles).mean())) / 4
    centre = quads.mean(axis=1).astype(np.float64)
    cos, sin = math.cos(askew), math.sin(askew)
    across, down = centre @ (cos, sin), centre @ (-sin, cos)
    corners = quads.astype(np.float64) @ (-sin, cos)
    tall = float(np.median(corners.max(axis=1) - corners.min(axis=1)))
    rows: list[list[int]] = []
    for index in np.argsort(down, kind="stable"):
        if rows and down[index] - np.mean([down[i] for i in rows[-1]]) <= tall / 2:
            rows[-1].append(int(index))
        else:
            rows.append([int(index)])
    return [index for row in rows for index in sorted(row, key=lambda i: float(across[i]))]


def merge(pictures: Sequence[Sequence[Face]], size: int) -> list[list[Face]]:
    """The faces of all pictures by card, for a deck of ``size``: what two pictures show of one card is put together.

    Cards come in the order in which they are first seen. Two faces of one picture are never the same card.
    """
    every = [face.embedding for picture in pictures for face in picture]
    if not every:
        return []
    middle, spread = np.mean(every, axis=0), np.std(every, axis=0) + 0.1 * float(np.std(every))

    def direction(faces: Sequence[Face]) -> NDArray[np.float64]:
        vector = (np.mean([face.embedding for face in faces], axis=0) - middle) / spread
        return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-9), np.float64)

    cards: list[list[Face]] = []
    for picture in pictures:
        pairs: list[tuple[float, int, int]] = []
        if cards and picture:
            likeness = np.stack([direction(card) for card in cards]) @ np.stack([direction([f]) for f in picture]).T
            turned = len(cards) > len(picture)
            best = solve(1 - (likeness.T if turned else likeness)).columns
            paired = [(int(c), r) if turned else (r, int(c)) for r, c in enumerate(best)]
            pairs = sorted(((float(likeness[card, face]), card, face) for card, face in paired), reverse=True)
        of: dict[int, int] = {}
        many = len(cards) + len(picture)
        for alike, card, place in pairs:
            if alike >= SAME or (alike >= PERHAPS_SAME and many > size):
                of[place] = card
                many -= 1
        for place, face in enumerate(picture):
            if place in of:
                cards[of[place]].append(face)
            else:
                cards.append([face])
    return cards


def evidence(faces: Sequence[Face]) -> NDArray[np.float64]:
    """What the views of one card say together: mean log probabilities (48,), least :data:`LEAST_LOG`."""
    logs = np.log(np.maximum(np.stack([face.probs for face in faces]).astype(np.float64), 1e-12))
    return np.asarray(np.maximum(logs.mean(axis=0), LEAST_LOG))


def settle(
    logs: NDArray[np.float64],
    confidences: Sequence[float],
    cards: Sequence[int],
    told: Mapping[int, int | None] | None = None,
) -> list[Name]:
    """Name N cards from their evidence ``logs`` (N, 48), each of the deck's ``cards`` given once at the most.

    ``confidences`` of being a card at all decide which go without a name where there are too many. ``told`` are rows
    whose label (None: no card of the deck) somebody has said; the others are settled around them. Raises ValueError
    where one label is told twice or is none of the deck's.
    """
    told = told or {}
    said = [label for label in told.values() if label is not None]
    if len(set(said)) < len(said) or set(said) - set(cards):
        raise ValueError("each card of the deck can be told once, and no other")
    count, width = len(logs), len(cards)
    if not count:
        return []
    cost = np.full((count, width + count), FORBIDDEN)
    cost[:, :width] = -logs[:, list(cards)]
    cost[np.arange(count), width + np.arange(count)] = NO_CARD * (1 + 0.2 * np.asarray(confidences))
    for row, label in told.items():
        column = width + row if label is None else list(cards).index(label)
        cost[row] = FORBIDDEN
        cost[row, column] = 0.0
    best = solve(cost)
    names = []
    for row, column in enumerate(best.columns):
        others = [c for c in range(width) if c != column and best.regret[row, c] < DOUBT]
        rivals = tuple(cards[c] for c in sorted(others, key=lambda c: float(best.regret[row, c])))
        names.append(Name(cards[column] if column < width else None, () if row in told else rivals))
    return names
