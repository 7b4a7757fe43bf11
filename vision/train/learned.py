"""Crops of real cards that people put right (``brisca watch --learn``), as training pictures. No torch here.

A folder holds one folder per session with ``crops.jsonl``: a line per crop with its file, its label and the margin that
was kept around the card. Only the label is believed; what had been read is there to look at.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import INDEX
from vision.synth.crops import Crop, CropMaker
from vision.synth.laying import Rng
from vision.train.recipe import RecipeError

LINES: Final = "crops.jsonl"

SHARE: Final = 0.15
"""Most that learned crops make up of the crops of a run."""

ENOUGH: Final = 100
"""Learned crops from which they make up the whole of that share; fewer make up less, lest they be learned by heart."""


@dataclass(frozen=True, slots=True)
class LearnedCrop:
    """A picture file of one card, its label, the strip around the card (share of its size), the share seen (0..1)."""

    file: Path
    label: str
    margin: float
    visible: float

    def picture(self) -> NDArray[np.uint8]:
        """The picture, BGR. Raises RecipeError where the file cannot be read."""
        image = cv2.imread(str(self.file), cv2.IMREAD_COLOR)
        if image is None:
            raise RecipeError(f"The learned crop {self.file} cannot be read; take its line out of {LINES}.")
        return np.asarray(image, np.uint8)


def read_learned(folder: Path) -> list[LearnedCrop]:
    """Return the learned crops of all sessions below a folder, in order. Raises RecipeError with the reason."""
    books = sorted(folder.rglob(LINES))
    if not books:
        raise RecipeError(f"The folder {folder} holds no learned crops; 'brisca watch --learn {folder}' keeps them.")
    crops = []
    for book in books:
        for row, line in enumerate(book.read_text(encoding="utf-8").splitlines(), 1):
            try:
                told = json.loads(line)
                file = book.parent / Path(str(told["file"])).name
                crop = LearnedCrop(file, str(told["label"]), float(told["margin"]), float(told["visible"]))
            except (ValueError, KeyError, TypeError) as error:
                raise RecipeError(f"Line {row} of {book} cannot be read ({error}); take it out.") from error
            if crop.label not in INDEX or not 0 <= crop.margin < 1:
                raise RecipeError(f"Line {row} of {book} names no card, or no margin from 0 to 1; take it out.")
            crop.picture()
            crops.append(crop)
    return crops


def share_of(crops: int) -> float:
    """The chance that a training crop is a learned one, with so many of them."""
    return SHARE * min(1.0, crops / ENOUGH)


def learned_crop(rng: Rng, crop: LearnedCrop, maker: CropMaker) -> Crop:
    """Return a training crop of a learned one: reduced, covered, lit and cut out anew, each time in another way."""
    picture = crop.picture()
    height, width = picture.shape[:2]
    inset = np.array([width, height]) * crop.margin / (1 + 2 * crop.margin)
    low, high = inset, np.array([width, height]) - inset
    quad = np.array([low, (high[0], low[1]), high, (low[0], high[1])], np.float32)
    return maker.photographed(rng, picture, quad, crop.label, crop.visible)
