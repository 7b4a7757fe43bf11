"""Scores the shipped (or any exported) weights on a labelled folder; what runs here is what runs at play time."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.reader import TableReader
from vision.train.evaluation import Evaluation
from vision.train.one_stage import OneStageReader
from vision.train.truth import DatasetError, MarkedCard, read


def score_folder(
    data: Path,
    *,
    models: Path | None = None,
    one_stage: Path | None = None,
    long_side: int | None = None,
    limit: int | None = None,
    split: str | None = None,
) -> dict[str, Any]:
    """Read every picture of a labelled folder and return the figures (see :class:`Evaluation`).

    ``one_stage`` is an exported baseline to read with instead of the two stages. ``long_side`` scales the pictures to
    this many pixels first. Raises DatasetError where the folder cannot be read.
    """
    reader = TableReader.packaged(models) if one_stage is None else OneStageReader(one_stage)
    evaluation = Evaluation()
    for number, picture in enumerate(read(data, split)):
        if limit is not None and number >= limit:
            break
        image, cards = picture.image(), picture.cards
        if long_side is not None:
            scale = long_side / max(image.shape[:2])
            image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
            cards = tuple(
                MarkedCard(card.kind, card.label, np.asarray(card.quad * scale, np.float32), card.visible)
                for card in cards
            )
        evaluation.add(picture.path.name, cards, reader.read(image))
    if not evaluation.pictures:
        raise DatasetError(f"The folder {data} holds no labelled pictures; give the folder that has data.yaml.")
    return evaluation.report()
