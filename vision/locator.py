"""Finds the cards of a picture: oriented boxes of faces and backs, covered parts included.

Runs the ONNX export of an Ultralytics OBB model: input ``images`` (1, 3, H, W) RGB 0..1, letterboxed with grey 114;
output (1, 4 + classes + 1, N) with centre x, y, width, height in input pixels, a score per class, and the angle in
radians. The suppression of double boxes is our own (exact overlap of the rotated boxes).
"""

import ast
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.facts import Detection, Kind
from vision.network import THREADS, Network
from vision.overlap import suppress

KINDS: Final[tuple[Kind, ...]] = ("face", "back")
LEAST_CONFIDENCE: Final = 0.3
MOST_IOU: Final = 0.55
"""Two boxes that share more are one card. A card across the middle of another comes to 0.48."""
MOST_CANDIDATES: Final = 400
_GREY: Final = 114


class Locator:
    """A loaded locator. Not to be used from two threads at a time.

    Raises :class:`~vision.errors.WeightsError` or :class:`~vision.errors.ModelError` where the file is no locator.
    """

    def __init__(self, path: Path, *, threads: int = THREADS, least_confidence: float = LEAST_CONFIDENCE) -> None:
        self._network = Network(path, threads)
        self.size = self._network.size("images")
        self.least_confidence = least_confidence
        names = class_names(self._network.meta.get("names"))
        if names != KINDS:
            raise ModelError(f"{path} finds {', '.join(names) or 'unnamed things'}, not card faces and backs.")

    def locate(self, image: NDArray[np.uint8], zoom: float = 1.0, stretch: float = 1.0) -> list[Detection]:
        """The cards of a BGR picture, most confident first; ``probs`` is None, ``quad`` in pixels of the picture.

        ``zoom`` below 1 shows the picture that much smaller, with grey around it: for cards that would be too large.
        ``stretch`` above 1 shows it so many times taller: for a camera that leans, see :mod:`vision.view`.
        """
        if image.ndim != 3 or not image.size:
            return []
        tensor, scale, shift = letterbox(image, self.size, zoom, stretch)
        (output, *_) = self._network.run({"images": tensor})
        if output.ndim != 3 or output.shape[1] != 4 + len(KINDS) + 1:
            raise ModelError(f"{self._network.path} gives {output.shape} instead of boxes: export it again.")
        quads, classes = decode(output[0], self.least_confidence)
        kinds, scores = classes.argmax(axis=0), classes.max(axis=0)
        keep = suppress(quads, scores, MOST_IOU)
        quads = (quads - shift) / scale
        return [Detection(quads[i].astype(np.float32), KINDS[kinds[i]], float(scores[i])) for i in keep]


def letterbox(
    image: NDArray[np.uint8], size: tuple[int, int], zoom: float = 1.0, stretch: float = 1.0
) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.float64]]:
    """Scale a BGR picture into ``size`` (height, width) or the share ``zoom`` of it, grey around it.

    It keeps its shape, or becomes ``stretch`` times taller; the whole of it is shown in any case. Returns the tensor
    (1, 3, H, W) RGB 0..1 and the (2,) scale and shift, x and y, so that input = picture * scale + shift.
    """
    height, width = size
    scale = min(zoom * fitting_scale(image, size), height / (image.shape[0] * stretch))
    inner = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale * stretch)))
    method = cv2.INTER_AREA if scale * stretch < 0.5 else cv2.INTER_LINEAR
    small = cv2.resize(image, inner, interpolation=method) if inner != image.shape[1::-1] else image
    left, top = round((width - inner[0]) / 2 - 0.1), round((height - inner[1]) / 2 - 0.1)
    tensor = np.full((1, 3, height, width), _GREY / 255, np.float32)
    place = tensor[0, :, top : top + inner[1], left : left + inner[0]]
    # One plane at a time: numpy is several times slower at transposing and converting all three at once.
    for channel in range(3):
        np.multiply(small[..., 2 - channel], np.float32(1 / 255), out=place[channel])
    return tensor, np.array([scale, scale * stretch]), np.array([left, top], np.float64)


def fitting_scale(image: NDArray[np.uint8], size: tuple[int, int]) -> float:
    """The scale at which a picture just fits into ``size`` (height, width)."""
    return float(min(size[0] / image.shape[0], size[1] / image.shape[1]))


def decode(output: NDArray[np.float32], least_confidence: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Quads (N, 4, 2) in input pixels and scores (classes, N) of the (4 + classes + 1, A) output of a model.

    The corners run clockwise on the screen, corners 0 and 1 at the ends of a short side.
    """
    classes = output[4:-1]
    best = classes.max(axis=0)
    chosen = np.flatnonzero(best >= least_confidence)
    if len(chosen) > MOST_CANDIDATES:
        chosen = chosen[np.argsort(-best[chosen], kind="stable")[:MOST_CANDIDATES]]
    boxes = output[:4, chosen].astype(np.float64)
    angle = output[-1, chosen].astype(np.float64)
    lying = boxes[2] > boxes[3]
    short, long = np.where(lying, boxes[3], boxes[2]), np.where(lying, boxes[2], boxes[3])
    angle = np.where(lying, angle + np.pi / 2, angle)
    across = np.stack([np.cos(angle), np.sin(angle)], axis=1) * short[:, None] / 2
    down = np.stack([-np.sin(angle), np.cos(angle)], axis=1) * long[:, None] / 2
    centre = boxes[:2].T
    quads = np.stack(
        [centre - across - down, centre + across - down, centre + across + down, centre - across + down], axis=1
    )
    return quads, classes[:, chosen].astype(np.float64)


def class_names(value: object) -> tuple[str, ...]:
    """Class names from metadata: a JSON list, or the ``{0: 'face', ...}`` that Ultralytics writes."""
    if isinstance(value, str):
        try:
            value = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            return ()
    if isinstance(value, dict):
        value = [value[key] for key in sorted(value, key=int)]
    return tuple(str(name) for name in value) if isinstance(value, list | tuple) else ()
