"""The one-stage baseline at work: one network finds and names the cards. It is trained and scored, never shipped."""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.facts import Detection
from vision.labels import LABELS
from vision.locator import MOST_IOU, class_names, decode, letterbox
from vision.network import THREADS, Network
from vision.overlap import suppress

CLASSES: Final = (*LABELS, "back")

LEAST_SCORE: Final = 0.02
"""Low, as average precision wants it: what follows after the sure claims counts too."""


class OneStageReader:
    """Reads pictures with an exported 49-class OBB model, as :class:`~vision.reader.TableReader` does with two.

    Raises WeightsError or ModelError where the file is no such model.
    """

    def __init__(self, path: Path, threads: int = THREADS) -> None:
        self._network = Network(path, threads)
        self.size = self._network.size("images")
        if class_names(self._network.meta.get("names")) != CLASSES:
            raise ModelError(f"{path} does not name the 48 cards and the back; train it with --scheme cards.")

    def read(self, image: NDArray[np.uint8]) -> list[Detection]:
        """The cards of a BGR picture, most confident first.

        ``probs`` are the scores of the 48 faces, scaled to one; ``confidence`` is their sum, at most 1, so that
        confidence times probability is the score that the network gave.
        """
        tensor, scale, shift = letterbox(image, self.size)
        quads, scores = decode(self._network.run({"images": tensor})[0][0], LEAST_SCORE)
        best = scores.max(axis=0)
        found = []
        for index in suppress(quads, best, MOST_IOU):
            quad = np.asarray((quads[index] - shift) / scale, np.float32)
            faces = scores[:-1, index]
            if scores[-1, index] >= faces.max():
                found.append(Detection(quad, "back", float(best[index])))
                continue
            total = float(faces.sum())
            found.append(Detection(quad, "face", min(total, 1.0), np.asarray(faces / total, np.float32)))
        return found
