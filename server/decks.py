"""The decks that somebody has enrolled, each in a folder of its own below ``decks/`` in the user's data folder.

A folder holds ``deck.json`` (what was found and how it is named), ``faces/`` (a small picture of each card, cut from
the user's photographs; nothing leaves this machine), ``references.npz`` (what the identifier makes of them) and
``sheet.html`` for the user to check. The references belong to one file of weights; with others they are made again
from the small pictures, without being asked for.
"""

import io
import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from server.deck_sheet import sheet_html
from server.errors import DeckError, NotFoundError, UsageError
from server.moment import now_text
from vision.enrolment import Face, Name, deck_cards, evidence, settle
from vision.identifier import Identifier
from vision.labels import INDEX, LABELS
from vision.references import References, make_references
from vision.weights import Weights

FORMAT: Final = 1
FOLDER: Final = "decks"
SHEET: Final = "sheet.html"
_NAME: Final = re.compile(r"[^\W_](?:[\w \-]{0,38}[\w\-])?")
_QUALITY: Final = 95


@dataclass(frozen=True, slots=True)
class DeckFace:
    """A card that was found: its ``number`` on the sheet (from 1), the files of its pictures, what it is called.

    ``label`` None is no card of the deck. ``rivals`` are what else it may be; ``told`` says that a person named it.
    ``logs`` are the identifier's log probabilities (48), from which corrections settle the others again.
    """

    number: int
    files: tuple[str, ...]
    confidence: float
    logs: tuple[float, ...]
    label: str | None
    rivals: tuple[str, ...] = ()
    told: bool = False


@dataclass(frozen=True, slots=True)
class EnrolledDeck:
    """A deck of ``size`` 40 or 48, known by its faces; ``folder`` is where it is kept."""

    name: str
    folder: Path
    made: str
    size: int
    faces: tuple[DeckFace, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """The cards of the deck that no face was named after, in the order of LABELS."""
        have = {face.label for face in self.faces}
        return tuple(LABELS[index] for index in deck_cards(self.size) if LABELS[index] not in have)

    @property
    def doubtful(self) -> tuple[DeckFace, ...]:
        """The faces whose name is not sure."""
        return tuple(face for face in self.faces if face.rivals)

    @property
    def surplus(self) -> tuple[DeckFace, ...]:
        """The faces that are no card of the deck, found twice or foreign."""
        return tuple(face for face in self.faces if face.label is None)

    @property
    def sheet(self) -> Path:
        """The page that shows every card with its number and name."""
        return self.folder / SHEET


class Decks:
    """The enrolled decks below a data folder, which need not exist yet."""

    def __init__(self, data: Path) -> None:
        self.root = data / FOLDER

    def names(self) -> list[str]:
        """The names of all decks, sorted."""
        if not self.root.is_dir():
            return []
        return sorted((path.parent.name for path in self.root.glob("*/deck.json")), key=str.casefold)

    def load(self, name: str) -> EnrolledDeck:
        """The deck of this name; upper and lower case are the same.

        Raises :class:`~server.errors.NotFoundError` where there is none, :class:`~server.errors.DeckError` where its
        file is damaged.
        """
        own = self._own(name)
        folder = self.root / own
        try:
            return _deck(folder, json.loads((folder / "deck.json").read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DeckError(
                f"The deck {own} in {folder} is damaged ({error}): remove it and enrol it again."
            ) from error

    def enrol(
        self, name: str, cards: list[list[Face]], size: int, told: Mapping[int, int | None] | None = None
    ) -> EnrolledDeck:
        """Name the cards (each with its views), keep them as a deck, and write its sheet.

        ``told`` are label indices by row that somebody has said. An older deck of this name is replaced. Raises
        :class:`~server.errors.UsageError` for a name that no folder can have, :class:`~server.errors.DeckError` where
        the folder cannot be written.
        """
        name = checked_name(name)
        folder = self.root / name
        told = told or {}
        logs = np.stack([evidence(card) for card in cards])
        confidences = [max(face.confidence for face in card) for card in cards]
        names = settle(logs, confidences, deck_cards(size), told)
        faces: list[DeckFace] = []
        pictures: dict[str, bytes] = {}
        for row, (card, named) in enumerate(zip(cards, names, strict=True)):
            files = tuple(f"{row + 1:02d}{chr(97 + view)}.jpg" for view in range(len(card)))
            pictures.update({file: _jpeg(face.crop) for file, face in zip(files, card, strict=True)})
            kept = tuple(round(float(value), 4) for value in logs[row])
            faces.append(_named(DeckFace(row + 1, files, confidences[row], kept, None), named, row in told))
        deck = EnrolledDeck(name, folder, now_text(), size, tuple(faces))
        try:
            if folder.exists():
                shutil.rmtree(folder)
            (folder / "faces").mkdir(parents=True)
            for file, data in pictures.items():
                (folder / "faces" / file).write_bytes(data)
        except OSError as error:
            raise _unwritable(folder, error) from error
        return self._write(deck)

    def correct(self, name: str, told: Mapping[int, str | None]) -> EnrolledDeck:
        """Name faces by their number on the sheet (None: no card of the deck); the others are settled around them.

        A face whose label is now told of another one is free again. Raises :class:`~server.errors.UsageError` for a
        number or a card that the deck has not, or a card told twice.
        """
        deck = self.load(name)
        cards = deck_cards(deck.size)
        numbers = {face.number for face in deck.faces}
        for number, label in told.items():
            if number not in numbers:
                raise UsageError(
                    f"The sheet of {deck.name} has no number {number}; its numbers are 1 to {len(numbers)}."
                )
            if label is not None and (label not in INDEX or INDEX[label] not in cards):
                raise UsageError(f"A deck of {deck.size} has no card {label}; write 7B for the 7 of bastos, or 'none'.")
        now = [label for label in told.values() if label is not None]
        if (twice := next((label for label in now if now.count(label) > 1), None)) is not None:
            raise UsageError(f"You have named two cards {twice}; every card exists once.")
        said: dict[int, int | None] = {}
        for row, face in enumerate(deck.faces):
            if face.number in told:
                label = told[face.number]
                said[row] = None if label is None else INDEX[label]
            elif face.told and face.label not in now:
                said[row] = None if face.label is None else INDEX[face.label]
        logs = np.array([face.logs for face in deck.faces])
        names = settle(logs, [face.confidence for face in deck.faces], cards, said)
        faces = tuple(
            _named(face, one, row in said) for row, (face, one) in enumerate(zip(deck.faces, names, strict=True))
        )
        return self._write(replace(deck, faces=faces))

    def remove(self, name: str) -> str:
        """Delete a deck with its pictures, damaged or not, and give its name.

        Raises :class:`~server.errors.NotFoundError` where there is none, :class:`~server.errors.DeckError` where it
        cannot be deleted.
        """
        own = self._own(name)
        try:
            shutil.rmtree(self.root / own)
        except OSError as error:
            raise DeckError(f"The deck {own} cannot be removed ({error.strerror}): see who owns its folder.") from error
        return own

    def _own(self, name: str) -> str:
        """The name as the deck bears it; :class:`~server.errors.NotFoundError` where there is none."""
        names = self.names()
        own = next((one for one in names if one.casefold() == name.strip().casefold()), None)
        if own is None:
            have = f"there: {', '.join(names)}" if names else "none is enrolled yet"
            raise NotFoundError(
                f"There is no deck called {name!r} ({have}); enrol it with: brisca deck enrol NAME PICTURE",
                "no_such_deck",
                name=name,
            )
        return own

    def _write(self, deck: EnrolledDeck) -> EnrolledDeck:
        try:
            _write_whole(deck.folder / "deck.json", (json.dumps(_as_json(deck), indent=1) + "\n").encode())
            _write_whole(deck.sheet, sheet_html(deck).encode())
        except OSError as error:
            raise _unwritable(deck.folder, error) from error
        return deck


def references_of(deck: EnrolledDeck, weights: Weights) -> References:
    """A deck's references for these weights, made now where they were made with others or never.

    Takes some seconds then. Raises :class:`~vision.errors.ModelError` where the weights cannot compare faces.
    """
    file = deck.folder / "references.npz"
    labels = [face.label for face in deck.faces for _ in face.files]
    try:
        with np.load(file) as kept:
            if str(kept["sha256"]) == weights.sha256 and kept["named"].tolist() == [str(label) for label in labels]:
                vectors = kept["vectors"].astype(np.float32)
                return References(weights.sha256, deck_cards(deck.size), kept["labels"].astype(np.intp), vectors)
    except (OSError, ValueError, KeyError, EOFError):
        pass  # never made, or damaged: the pictures are what counts
    made = _make(deck, weights)
    packed = io.BytesIO()
    np.savez(
        packed,
        sha256=weights.sha256,
        named=np.array([str(label) for label in labels]),
        labels=made.labels.astype(np.int16),
        vectors=made.vectors.astype(np.float16),
    )
    try:
        _write_whole(file, packed.getvalue())
    except OSError as error:
        raise _unwritable(deck.folder, error) from error
    return replace(made, vectors=made.vectors.astype(np.float16).astype(np.float32))


def _make(deck: EnrolledDeck, weights: Weights) -> References:
    named = [(face.label, file) for face in deck.faces if face.label is not None for file in face.files]
    crops = [_picture(deck, file) for _, file in named]
    identifier = Identifier(weights.path)
    indices = [INDEX[label] for label, _ in named]
    return make_references(identifier, weights.sha256, deck_cards(deck.size), indices, crops)


def checked_name(name: str) -> str:
    """The name without blanks at its ends. Raises :class:`~server.errors.UsageError` where no deck can be called so."""
    plain = " ".join(name.split())
    if not _NAME.fullmatch(plain):
        raise UsageError(f"A deck cannot be called {name!r}: use up to 40 letters, digits, blanks and hyphens.")
    return plain


def _named(face: DeckFace, name: Name, told: bool) -> DeckFace:
    label = None if name.label is None else LABELS[name.label]
    return replace(face, label=label, rivals=tuple(LABELS[index] for index in name.rivals), told=told)


def _jpeg(crop: NDArray[np.uint8]) -> bytes:
    ok, data = cv2.imencode(".jpg", crop, [int(cv2.IMWRITE_JPEG_QUALITY), _QUALITY])
    if not ok:
        raise DeckError("The picture of a card cannot be kept as JPEG: install opencv-python-headless again.")
    return data.tobytes()


def _picture(deck: EnrolledDeck, file: str) -> NDArray[np.uint8]:
    path = deck.folder / "faces" / file
    crop = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_COLOR) if path.is_file() else None
    if crop is None:
        raise DeckError(f"The deck {deck.name} has lost its picture {path}: enrol it again.")
    return np.asarray(crop, np.uint8)


def _as_json(deck: EnrolledDeck) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "name": deck.name,
        "made": deck.made,
        "size": deck.size,
        "faces": [
            {
                "number": face.number,
                "files": list(face.files),
                "confidence": round(face.confidence, 4),
                "logs": list(face.logs),
                "label": face.label,
                "rivals": list(face.rivals),
                "told": face.told,
            }
            for face in deck.faces
        ],
    }


def _deck(folder: Path, data: dict[str, Any]) -> EnrolledDeck:
    if data["format"] != FORMAT or data["size"] not in (40, 48):
        raise ValueError("it was written by another version of brisca")
    faces = []
    for one in data["faces"]:
        files = tuple(str(file) for file in one["files"])
        if any(Path(file).name != file for file in files):
            raise ValueError("a picture lies outside its folder")
        logs = tuple(float(value) for value in one["logs"])
        if len(logs) != len(LABELS) or (one["label"] is not None and one["label"] not in INDEX):
            raise ValueError("a face is not well-formed")
        rivals = tuple(str(label) for label in one["rivals"])
        faces.append(
            DeckFace(int(one["number"]), files, float(one["confidence"]), logs, one["label"], rivals, bool(one["told"]))
        )
    return EnrolledDeck(str(data["name"]), folder, str(data["made"]), int(data["size"]), tuple(faces))


def _write_whole(path: Path, data: bytes) -> None:
    """Write a file in one go, so that a reader never meets half of it."""
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    part.replace(path)


def _unwritable(folder: Path, error: OSError) -> DeckError:
    return DeckError(
        f"The deck cannot be kept in {folder} ({error.strerror or error}); give another folder with --data."
    )
