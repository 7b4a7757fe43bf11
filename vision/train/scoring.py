"""Scores the shipped (or any exported) weights on pictures; what runs here is what runs at play time.

A labelled folder (:func:`score_folder`) tells how well cards are found and named, a folder of pictures without any card
(:func:`score_card_free`) how often a card is named where there is none.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import LABELS
from vision.reader import TableReader
from vision.train.evaluation import CLAIMED, Evaluation, Fault, FaultKind, name_of, score_of
from vision.train.one_stage import OneStageReader
from vision.train.sheet import ErrorSheet
from vision.train.truth import (
    DatasetError,
    MarkedCard,
    MarkedPicture,
    class_names,
    class_of,
    label_path,
    parse_line,
    pictures_in,
    read,
    splits,
)

PER: Final = 500
"""Pictures that the names claimed in card-free pictures are counted for."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class LabelledFolder:
    """A labelled folder that was looked through: its class ``names``, its pictures, and what was taken for granted."""

    base: Path
    names: tuple[str, ...]
    pictures: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scored:
    """The figures of a labelled folder as JSON values, what they were made from, and the worst errors."""

    report: dict[str, Any]
    evaluation: Evaluation
    errors: ErrorSheet


@dataclass(slots=True)
class CardFree:
    """What was read in pictures without any card.

    ``claims`` are names claimed with at least :data:`~vision.train.evaluation.CLAIMED` (box times name), ``told`` names
    of at least that probability whatever the box, as ``brisca detect`` tells them, ``backs`` boxes of backs.
    """

    pictures: int = 0
    claims: int = 0
    told: int = 0
    backs: int = 0
    pictures_with_claims: int = 0
    errors: ErrorSheet = field(default_factory=ErrorSheet)

    def report(self) -> dict[str, Any]:
        """Return the figures as JSON values."""
        per = PER / max(1, self.pictures)
        return {
            "pictures": self.pictures,
            "names_claimed": self.claims,
            "names_told": self.told,
            "backs_claimed": self.backs,
            "pictures_with_a_claim": self.pictures_with_claims,
            f"names_claimed_per_{PER}_pictures": round(self.claims * per, 1),
            f"names_told_per_{PER}_pictures": round(self.told * per, 1),
        }


def look_through(data: Path, split: str | None = None) -> LabelledFolder:
    """Check a labelled folder before an hour is spent on it.

    Without class names in it, the numbers are taken for the order of our own sets: 0 and 1 alone for face and back, any
    larger one for the 48 cards and the back. Raises DatasetError for class names that mean no card, pictures without
    labels, label lines and pictures that cannot be read.
    """
    base = data.parent if data.is_file() else data
    if not base.is_dir():
        raise DatasetError(f"There is no folder {base}; give a folder of labelled pictures.")
    found = splits(base)
    if split is not None and split not in found:
        raise DatasetError(f"The set {base} has no split {split}; it has {', '.join(found)}.")
    pictures = [path for name, folder in found.items() if split in (None, name) for path in pictures_in(folder)]
    told = (base / "cards.jsonl").is_file()
    bare = [path for path in pictures if not label_path(path).is_file()]
    if len(bare) == len(pictures) and not told:
        raise DatasetError(
            f"No picture of {base} has a label file, such as {label_path(bare[0])}; for pictures without any card use "
            "--card-free."
        )
    highest = max((_highest_class(label_path(path)) for path in pictures if label_path(path).is_file()), default=-1)
    names, notes = _names(base, highest)
    for name in names:
        class_of(name)
    if highest >= len(names):
        raise DatasetError(
            f"The labels of {base} go up to class {highest}, but there are only the names 0 to {len(names) - 1}; "
            "complete the names in data.yaml."
        )
    if bare and not told:
        notes.append(
            f"{len(bare)} of {len(pictures)} pictures have no label file: they count as pictures without cards."
        )
    for path in pictures:
        if cv2.imread(str(path), cv2.IMREAD_REDUCED_COLOR_8) is None:
            raise DatasetError(f"The picture {path} cannot be read; save it again or take it out.")
    return LabelledFolder(base, names, len(pictures), tuple(notes))


def _names(base: Path, highest: int) -> tuple[tuple[str, ...], list[str]]:
    """The class names of a set; without any, those of our own sets, and a sentence that says so."""
    try:
        return tuple(class_names(base)), []
    except DatasetError:
        own = ("face", "back") if highest < 2 else (*LABELS, "back")
        meant = "face and back" if highest < 2 else "the 48 cards and the back in our own order (datasets/cards.yaml)"
        return own, [f"{base} has no class names: its numbers are taken for {meant}."]


def _highest_class(file: Path) -> int:
    highest = -1
    for row, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if line.strip():
            try:
                highest = max(highest, parse_line(line)[0])
            except (ValueError, IndexError) as error:
                raise DatasetError(
                    f"Line {row} of {file} cannot be read ({error}); correct it, or make the set anew."
                ) from error
    return highest


def open_reader(models: Path | None, one_stage: Path | None = None) -> TableReader | OneStageReader:
    """The reader to be scored: the shipped weights, those of a folder, or a one-stage baseline."""
    return TableReader.packaged(models) if one_stage is None else OneStageReader(one_stage)


def score_folder(
    data: Path,
    *,
    models: Path | None = None,
    one_stage: Path | None = None,
    long_side: int | None = None,
    limit: int | None = None,
    split: str | None = None,
    names: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Scored:
    """Read every picture of a labelled folder and return the figures (see :class:`Evaluation`).

    ``one_stage`` is an exported baseline to read with instead of the two stages. ``long_side`` scales the pictures to
    this many pixels first. ``names`` are the class names where the set has none. Raises DatasetError where the folder
    cannot be read.
    """
    reader = open_reader(models, one_stage)
    evaluation, errors = Evaluation(), ErrorSheet()
    for number, picture in enumerate(read(data, split, names)):
        if limit is not None and number >= limit:
            break
        image, cards = _scaled(picture, long_side)
        errors.take(image, evaluation.add(picture.path.name, cards, reader.read(image)))
        if progress is not None:
            progress(number + 1, limit or 0)
    if not evaluation.pictures:
        raise DatasetError(f"The folder {data} holds no labelled pictures; give the folder that has data.yaml.")
    return Scored(evaluation.report(), evaluation, errors)


def _scaled(picture: MarkedPicture, long_side: int | None) -> tuple[NDArray[np.uint8], tuple[MarkedCard, ...]]:
    """A picture and its cards, reduced or enlarged to a long side where one is wanted."""
    image, cards = picture.image(), picture.cards
    if long_side is None:
        return image, cards
    scale = long_side / max(image.shape[:2])
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    image = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=method), np.uint8)
    moved = [(card, np.asarray(card.quad * scale, np.float32)) for card in cards]
    return image, tuple(MarkedCard(card.kind, card.label, quad, card.visible, card.boxed) for card, quad in moved)


def score_card_free(
    folder: Path,
    *,
    models: Path | None = None,
    one_stage: Path | None = None,
    limit: int | None = None,
    progress: Progress | None = None,
) -> CardFree:
    """Read pictures in which there is no card and count what is claimed all the same.

    ``folder`` is a folder of pictures or a set whose label files are empty. Raises DatasetError where there are no
    pictures, where one cannot be read, or where the labels tell of cards.
    """
    if not folder.is_dir():
        raise DatasetError(f"There is no folder {folder}; give a folder of pictures without cards.")
    pictures = [path for images in splits(folder).values() for path in pictures_in(images)][:limit]
    for path in pictures:
        file = label_path(path)
        if file.is_file() and file.read_text(encoding="utf-8", errors="replace").strip():
            raise DatasetError(f"{file} tells of cards in its picture; score labelled pictures with --data instead.")
    reader, result = open_reader(models, one_stage), CardFree()
    for number, path in enumerate(pictures, 1):
        image = MarkedPicture(path, (0, 0), ()).image()
        faults, named = [], False
        for one in reader.read(image):
            claimed, sure = score_of(one) >= CLAIMED, one.confidence if one.probs is None else float(one.probs.max())
            if one.kind == "back":
                result.backs += claimed
            else:
                result.claims += claimed
                result.told += sure >= CLAIMED
                named |= claimed
            if sure >= CLAIMED:
                kind: FaultKind = "false_back" if one.kind == "back" else "false_card"
                faults.append(Fault(kind, path.name, None, name_of(one), sure, one.quad))
        result.pictures += 1
        result.pictures_with_claims += named
        result.errors.take(image, faults)
        if progress is not None:
            progress(number, len(pictures))
    return result
