"""What is really on a frame of a film: every card's outline, label and visible share."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import CARD_MM
from vision.synth.film_camera import Camera, Pose
from vision.synth.film_plan import Moving
from vision.synth.film_sprites import SpriteBook, bounds, warp_into
from vision.synth.film_stage import Stage
from vision.synth.film_table import card_corners


@dataclass(frozen=True, slots=True)
class CardTruth:
    """One card on a frame.

    ``label`` is None for a back; ``quad`` (4 points, pixels) the whole card, covered parts included, from the top left
    corner of its printing, clockwise; ``visible`` the share of it that the picture shows, 0..1; ``count`` the cards of
    a stack that it tops.
    """

    label: str | None
    quad: tuple[tuple[float, float], ...]
    visible: float
    moving: bool
    count: int = 1


@dataclass(frozen=True, slots=True)
class FrameTruth:
    """All cards of one frame, from bottom to top."""

    frame: int
    t: float
    cards: tuple[CardTruth, ...]

    def mirrored(self, right: float) -> "FrameTruth":
        """The same frame with left and right changed; ``right`` is the x of its last column of pixels."""
        cards = tuple(replace(card, quad=tuple((right - x, y) for x, y in card.quad)) for card in self.cards)
        return replace(self, cards=cards)

    def to_json(self) -> dict[str, object]:
        """A JSON object: frame, t, cards (label, quad, visible, moving) and backs (quad, visible, moving, count)."""
        faces: list[dict[str, object]] = []
        backs: list[dict[str, object]] = []
        for card in self.cards:
            row: dict[str, object] = {} if card.label is None else {"card": card.label}
            row |= {
                "quad": [[round(x, 1), round(y, 1)] for x, y in card.quad],
                "visible": round(card.visible, 3),
                "moving": card.moving,
            }
            if card.label is None:
                backs.append(row | {"count": card.count})
            else:
                faces.append(row)
        return {"frame": self.frame, "t": round(self.t, 4), "cards": faces, "backs": backs}


def card_quad(camera: Camera, pose: Pose, card_mm: tuple[float, float] = CARD_MM) -> NDArray[np.float64]:
    """(4, 2) pixels of a card's corners."""
    return camera.pixels(card_corners(pose, card_mm))


def _fill(owner: NDArray[np.int32], quad: NDArray[np.float64], number: int) -> None:
    cv2.fillConvexPoly(owner, np.round(quad * 16).astype(np.int32), number, shift=4)


def _area(quad: NDArray[np.float64]) -> float:
    x, y = quad[:, 0], quad[:, 1]
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


def frame_truth(frame: int, t: float, stage: Stage, book: SpriteBook, moving: list[Moving]) -> FrameTruth:
    """The truth of the frame that shows ``stage`` with ``moving`` above it."""
    camera = stage.camera
    owner = np.zeros((camera.size[1], camera.size[0]), np.int32)
    found: list[tuple[str | None, NDArray[np.float64], bool, int]] = []

    def moved(piece: Moving) -> None:
        if piece.key.startswith("hand"):
            sprite = book.get(piece.key)
            matrix = sprite.matrix(camera, piece.pose)
            box = bounds(matrix, sprite.image.shape, camera.size)
            if box is not None:
                alpha = warp_into(sprite.image, matrix, box)[..., 3]
                owner[box[1] : box[3], box[0] : box[2]][alpha > 127] = 0
            return
        quad = card_quad(camera, piece.pose, book.card_mm)
        # a card on its edge shows neither face nor back
        if abs(math.cos(piece.pose.roll)) > 0.35:
            found.append((piece.label, quad, True, 1))
            _fill(owner, quad, len(found))
        else:
            _fill(owner, quad, 0)

    covered = {key for piece in moving for key in piece.under}
    waiting = [piece for piece in moving if piece.under]
    for thing in stage.things:
        if thing.key in covered:
            for piece in waiting:
                moved(piece)
            waiting = []
        for _, pose in thing.layers[:-1]:
            _fill(owner, card_quad(camera, pose, book.card_mm), 0)
        quad = card_quad(camera, thing.pose, book.card_mm)
        if thing.kind == "object":
            continue
        found.append((thing.label, quad, False, thing.count))
        _fill(owner, quad, len(found))
    for piece in [*waiting, *(piece for piece in moving if not piece.under)]:
        moved(piece)
    seen = np.bincount(owner.ravel(), minlength=len(found) + 1)
    cards = tuple(
        CardTruth(
            label,
            tuple((float(x), float(y)) for x, y in quad),
            min(1.0, float(seen[number]) / max(_area(quad), 1.0)),
            in_motion,
            count,
        )
        for number, (label, quad, in_motion, count) in enumerate(found, 1)
    )
    return FrameTruth(frame, t, cards)
