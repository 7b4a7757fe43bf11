"""Reads faces: each card is rectified from the full-resolution picture and classified, in either orientation.

The ONNX model takes ``crops`` (N, 3, H, W) RGB 0..1, the card's long side upright and a margin around it (a share of
the card's size, metadata ``margin``), and gives ``probs`` (N, 48) over :data:`vision.labels.LABELS`, ``visible``
(N,), the visible share of the card, and (files exported since decks can be enrolled) ``embedding`` (N, D), the features
that the name is decided from.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.labels import LABELS
from vision.network import THREADS, Network
from vision.overlap import clockwise

DEFAULT_MARGIN: Final = 0.04
BATCH: Final = 16
"""Crops per run: larger batches are no faster and take more memory."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What the network says of N crops: ``probs`` (N, 48) and ``visible`` (N,), and what files of today also give.

    ``embeddings`` (N, D) compare two pictures of cards; ``corners`` (N, 4, 2) are where the card's corners are, as
    shares of the crop, clockwise from the top left: the quad that the crop was cut by may be off, above all where a
    part of the card is covered. None where the file has none.
    """

    probs: NDArray[np.float32]
    visible: NDArray[np.float32]
    embeddings: NDArray[np.float32] | None = None
    corners: NDArray[np.float32] | None = None


class Identifier:
    """A loaded identifier. Not to be used from two threads at a time.

    Raises :class:`~vision.errors.WeightsError` or :class:`~vision.errors.ModelError` where the file is no identifier.
    """

    def __init__(self, path: Path, *, threads: int = THREADS) -> None:
        self._network = Network(path, threads)
        self.size = self._network.size("crops")
        margin = self._network.meta.get("margin", DEFAULT_MARGIN)
        if not isinstance(margin, int | float) or not 0 <= margin < 1:
            raise ModelError(f"{path} has no usable margin in its metadata: export it again.")
        self.margin = float(margin)
        names = self._network.meta.get("names")
        if names is not None and tuple(names) != LABELS:
            raise ModelError(f"{path} was trained for another list of cards: export it again.")
        missing = {"probs", "visible"} - set(self._network.outputs)
        if missing:
            raise ModelError(f"{path} lacks the output {', '.join(sorted(missing))}: it is a model for another task.")

    def crops(self, image: NDArray[np.uint8], quads: NDArray[np.float32]) -> NDArray[np.uint8]:
        """The rectified cards, BGR uint8 (N, H, W, 3); ``quads`` is (N, 4, 2) in pixels, short side 0-1 first."""
        return rectify(image, quads, self.size, self.margin)

    def classify(self, crops: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Probabilities (N, 48) and visible shares (N,) of rectified cards as :meth:`crops` gives them."""
        seen = self.look(crops)
        return seen.probs, seen.visible

    def look(self, crops: NDArray[np.uint8]) -> Seen:
        """All that the network says of rectified cards."""
        told: dict[str, list[NDArray[np.float32]]] = {name: [] for name in self._network.outputs}
        for start in range(0, len(crops), BATCH):
            batch = crops[start : start + BATCH]
            tensor = np.ascontiguousarray(batch[..., ::-1].transpose(0, 3, 1, 2), np.float32)
            tensor /= np.float32(255)
            outputs = dict(zip(self._network.outputs, self._network.run({"crops": tensor}), strict=True))
            for name, output in outputs.items():
                told[name].append(output.reshape(len(batch), -1))
        if not len(crops):
            return Seen(np.zeros((0, len(LABELS)), np.float32), np.zeros(0, np.float32))
        whole = {name: np.concatenate(parts) for name, parts in told.items()}
        corners = whole["corners"].reshape(-1, 4, 2) if "corners" in whole else None
        return Seen(whole["probs"], whole["visible"].reshape(-1), whole.get("embedding"), corners)

    def identify(
        self, image: NDArray[np.uint8], quads: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Probabilities (N, 48) and visible shares (N,) of the cards at ``quads`` (N, 4, 2) of a BGR picture."""
        return self.classify(self.crops(image, quads))


def placed(
    quads: NDArray[np.float32], corners: NDArray[np.float32], size: tuple[int, int], margin: float
) -> NDArray[np.float32]:
    """Where the cards are in the picture, (N, 4, 2): ``corners`` as :class:`Seen` has them, of crops cut by ``quads``.

    ``size`` (height, width) and ``margin`` are those of the crops.
    """
    height, width = size
    target = crop_quad(size, margin)
    out = np.empty((len(quads), 4, 2), np.float32)
    for index, quad in enumerate(clockwise(np.asarray(quads, np.float64).reshape(-1, 4, 2))):
        back = cv2.getPerspectiveTransform(target, quad.astype(np.float32))
        inside = np.asarray(corners[index] * (width, height), np.float32)
        out[index] = cv2.perspectiveTransform(inside[None], back)[0]
    return out


def crop_quad(size: tuple[int, int], margin: float) -> NDArray[np.float32]:
    """Where the quad that a crop is cut by lies in it, (4, 2) pixels; ``size`` is (height, width) of the crop."""
    height, width = size
    mx, my = width * margin / (1 + 2 * margin), height * margin / (1 + 2 * margin)
    return np.array([[mx, my], [width - mx, my], [width - mx, height - my], [mx, height - my]], np.float32)


def rectify(
    image: NDArray[np.uint8], quads: NDArray[np.float32], size: tuple[int, int], margin: float
) -> NDArray[np.uint8]:
    """Warp each quad (clockwise or not, 0-1 a short side) upright into (height, width) with a margin around it."""
    height, width = size
    corners = clockwise(np.asarray(quads, np.float64).reshape(-1, 4, 2))
    out = np.zeros((len(corners), height, width, 3), np.uint8)
    if not len(corners):
        return out
    target = crop_quad(size, margin)
    levels: dict[int, NDArray[np.uint8]] = {1: image}
    for index, quad in enumerate(corners):
        long = (np.linalg.norm(quad[2] - quad[1]) + np.linalg.norm(quad[3] - quad[0])) / 2
        shrink = 1
        while long / (2 * shrink) >= 1.2 * height / (1 + 2 * margin):
            shrink *= 2
        if shrink not in levels:
            # A warp that shrinks by more than two would skip pixels; halve the picture first.
            levels[shrink] = np.asarray(
                cv2.resize(image, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA), np.uint8
            )
        matrix = cv2.getPerspectiveTransform((quad / shrink).astype(np.float32), target)
        cv2.warpPerspective(
            levels[shrink],
            matrix,
            (width, height),
            dst=out[index],
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return out
