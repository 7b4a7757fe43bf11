"""Reads labelled pictures in the YOLO and YOLO-OBB forms, whoever made them, and says what is wrong with a set.

Classes are known by their names, not their numbers: ``1O``, ``oros_01``, ``1 de oros``, ``As de Oros``, ``sota-copas``
and the like all mean a card; ``back``, ``dorso``, ``reverso`` mean a back; ``face``, ``card`` a face of unknown value.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.labels import INDEX

_SUITS: Final = {
    "O": ("o", "oro", "oros", "ouros", "ori", "denari", "coin", "coins", "gold", "golds"),
    "C": ("c", "copa", "copas", "coppe", "cup", "cups"),
    "E": ("e", "espada", "espadas", "spade", "sword", "swords"),
    "B": ("b", "basto", "bastos", "bastoni", "club", "clubs", "baton", "batons"),
}
_SUIT_OF: Final = {word: suit for suit, words in _SUITS.items() for word in words}
_RANK_OF: Final = {
    "as": 1, "ace": 1, "uno": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8,
    "nueve": 9, "sota": 10, "caballo": 11, "rey": 12, "jack": 10, "knave": 10, "knight": 11, "horse": 11, "king": 12,
}  # fmt: skip
_BACKS: Final = ("back", "backs", "dorso", "reverso", "card_back", "card-back", "retro", "verso")
_FACES: Final = ("face", "faces", "card", "carta", "front")
_PICTURES: Final = (".jpg", ".jpeg", ".png", ".bmp", ".webp")


class DatasetError(VisionError):
    """A data set that cannot be made or read; the message says why and what helps."""


@dataclass(frozen=True, slots=True)
class MarkedCard:
    """One labelled card: ``kind``, ``label`` (None for backs and faces of unknown value), ``quad`` (4, 2) float32 px.

    The quad's corners are in turning order and the side 0-1 is a short one; only in sets with ``cards.jsonl`` is it
    known to be the top one. ``visible`` is the share that is seen, None where the set does not tell. ``boxed``: the
    label is an axis-aligned box, which tells nothing of how the card is turned.
    """

    kind: Literal["face", "back"]
    label: str | None
    quad: NDArray[np.float32]
    visible: float | None = None
    boxed: bool = False


@dataclass(frozen=True, slots=True)
class MarkedPicture:
    """A picture file, its (width, height) and the cards labelled in it."""

    path: Path
    size: tuple[int, int]
    cards: tuple[MarkedCard, ...]

    def image(self) -> NDArray[np.uint8]:
        """The picture, BGR. Raises :class:`DatasetError` where the file cannot be read."""
        image = cv2.imread(str(self.path), cv2.IMREAD_COLOR)
        if image is None:
            raise DatasetError(f"The picture {self.path} cannot be read; save it again or take it out.")
        return np.asarray(image, np.uint8)


@dataclass(frozen=True, slots=True)
class Report:
    """What :func:`check` found: pictures and cards per split, cards per class name, and one sentence per fault."""

    pictures: dict[str, int]
    cards: dict[str, int]
    classes: dict[str, int]
    problems: tuple[str, ...]


def class_of(name: str) -> tuple[Literal["face", "back"], str | None]:
    """Kind and label of a class name. Raises :class:`DatasetError` for a name that means no card."""
    text = name.strip().strip("\"'").lower()
    if text in _BACKS:
        return "back", None
    if text in _FACES:
        return "face", None
    words = [word for word in re.findall(r"[a-zñ]+|\d+", text) if word not in ("de", "of", "the", "card", "carta")]
    ranks = [int(word) if word.isdigit() else _RANK_OF[word] for word in words if word.isdigit() or word in _RANK_OF]
    suits = [_SUIT_OF[word] for word in words if word in _SUIT_OF]
    if len(words) == 2 and len(ranks) == 1 and len(suits) == 1 and f"{ranks[0]}{suits[0]}" in INDEX:
        return "face", f"{ranks[0]}{suits[0]}"
    raise DatasetError(
        f"The class name {name!r} means no Spanish card; use names such as 1O, oros_01, '1 de oros', back or face."
    )


def _yaml(path: Path) -> tuple[dict[str, str], list[str]]:
    """The plain entries and the class names of a ``data.yaml`` (the part of YAML that such files use)."""
    plain: dict[str, str] = {}
    names: dict[int, str] = {}
    key = ""
    for raw in path.read_text(encoding="utf-8").splitlines():
        line = re.sub(r"\s+#.*$", "", raw).rstrip()
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        top = re.match(r"^([A-Za-z_]+)\s*:\s*(.*)$", line)
        if top:
            key, value = top.group(1), top.group(2).strip()
            if key == "names" and value.startswith("["):
                for number, word in enumerate(re.findall(r"\"[^\"]*\"|'[^']*'|[^,\[\]]+", value)):
                    if word.strip():
                        names[number] = word.strip().strip("\"'")
                names = dict(enumerate(names.values()))
            elif value:
                plain[key] = value.strip("\"'")
            continue
        item = re.match(r"^\s*-\s*(.+)$", line)
        entry = re.match(r"^\s*(\d+)\s*:\s*(.+)$", line)
        if key == "names" and entry:
            names[int(entry.group(1))] = entry.group(2).strip().strip("\"'")
        elif key == "names" and item:
            names[len(names)] = item.group(1).strip().strip("\"'")
        elif item and key not in plain:
            plain[key] = item.group(1).strip("\"'")
    return plain, [names.get(number, "") for number in range(max(names, default=-1) + 1)]


def class_names(folder: Path) -> list[str]:
    """The class names of a set, from ``data.yaml`` or ``classes.txt``. Raises :class:`DatasetError` without any."""
    for name in ("data.yaml", "data.yml", "dataset.yaml"):
        if (folder / name).is_file():
            names = _yaml(folder / name)[1]
            if names:
                return names
    for name in ("classes.txt", "labels/classes.txt"):
        if (folder / name).is_file():
            return [line.strip() for line in (folder / name).read_text(encoding="utf-8").splitlines() if line.strip()]
    raise DatasetError(f"The folder {folder} has no class names; it needs a data.yaml with names, or a classes.txt.")


def splits(folder: Path) -> dict[str, Path]:
    """The picture folders of a set by split name; a set without splits is one split called ``all``."""
    found: dict[str, Path] = {}
    for name in ("data.yaml", "data.yml", "dataset.yaml"):
        if (folder / name).is_file():
            plain = _yaml(folder / name)[0]
            for split in ("train", "val", "valid", "test"):
                value = plain.get(split)
                if value is None:
                    continue
                bases = [folder, folder / plain["path"]] if "path" in plain else [folder]
                tried = [base / part for base in bases for part in (value, re.sub(r"^(\.\./)+", "", value))]
                hit = next((path for path in tried if path.is_dir()), None)
                if hit is not None and hit.resolve() not in [path.resolve() for path in found.values()]:
                    found[split] = hit
    if not found:
        found = {
            split: folder / "images" / split
            for split in ("train", "val", "test")
            if (folder / "images" / split).is_dir()
        }
    if not found:
        found = {"all": folder / "images" if (folder / "images").is_dir() else folder}
    if not any(pictures_in(path) for path in found.values()):
        raise DatasetError(
            f"The folder {folder} holds no pictures; a set has them in images/ and its labels in labels/."
        )
    return found


def pictures_in(folder: Path) -> list[Path]:
    """The picture files of a folder, by name."""
    return sorted(p for p in folder.iterdir() if p.suffix.lower() in _PICTURES) if folder.is_dir() else []


def label_path(picture: Path) -> Path:
    """Where a picture's label file lies: ``labels`` in the place of the last ``images``, else beside the picture."""
    parts = list(picture.parts)
    for index in range(len(parts) - 2, -1, -1):
        if parts[index] == "images":
            return Path(*parts[:index], "labels", *parts[index + 1 :]).with_suffix(".txt")
    return picture.with_suffix(".txt")


def _turned(quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """The same corners clockwise on the screen, from a corner where a short side starts."""
    x, y = quad[:, 0].astype(np.float64), quad[:, 1].astype(np.float64)
    if float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) < 0:
        quad = quad[::-1]
    first = np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[3] - quad[2])
    second = np.linalg.norm(quad[2] - quad[1]) + np.linalg.norm(quad[0] - quad[3])
    return np.ascontiguousarray(quad if first <= second else np.roll(quad, -1, axis=0), np.float32)


def parse_line(line: str) -> tuple[int, NDArray[np.float64]]:
    """Class number and outline (N, 2), in shares of the picture, of one label line.

    Four numbers are a box (centre and size), eight a quad, more a polygon. Raises ValueError for anything else.
    """
    fields = line.split()
    numbers = np.array([float(field) for field in fields[1:]])
    number = int(fields[0])
    if not np.isfinite(numbers).all():
        raise ValueError("a coordinate is not a number")
    if len(numbers) == 4:
        cx, cy, w, h = numbers
        outline = np.array(
            [(cx - w / 2, cy - h / 2), (cx + w / 2, cy - h / 2), (cx + w / 2, cy + h / 2), (cx - w / 2, cy + h / 2)]
        )
    elif len(numbers) >= 8 and len(numbers) % 2 == 0:
        outline = numbers.reshape(-1, 2)
    else:
        raise ValueError(f"{len(numbers)} coordinates instead of 4 or 8")
    return number, outline


def quad_of(outline: NDArray[np.float64], size: tuple[int, int]) -> NDArray[np.float32]:
    """The quad in pixels (see :class:`MarkedCard`) of an outline in shares."""
    pixels = (outline * size).astype(np.float32)
    if len(pixels) != 4:
        pixels = cv2.boxPoints(cv2.minAreaRect(pixels)).astype(np.float32)
    return _turned(pixels)


def _size(path: Path) -> tuple[int, int]:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise DatasetError(f"The picture {path} cannot be read; save it again or take it out.")
    return image.shape[1], image.shape[0]


def _book(base: Path) -> dict[str, tuple[tuple[int, int], tuple[MarkedCard, ...]]]:
    """Size and cards by picture path, of a set that has the full truth in ``cards.jsonl``; else empty."""
    file = base / "cards.jsonl"
    told: dict[str, tuple[tuple[int, int], tuple[MarkedCard, ...]]] = {}
    for row, line in enumerate(file.read_text(encoding="utf-8").splitlines() if file.is_file() else [], 1):
        try:
            entry = json.loads(line)
            cards = tuple(
                MarkedCard(
                    "back" if card["label"] is None else "face",
                    card["label"],
                    np.array(card["quad"], np.float32).reshape(4, 2),
                    float(card["visible"]),
                )
                for card in entry["cards"]
            )
            told[str((base / entry["image"]).resolve())] = ((entry["size"][0], entry["size"][1]), cards)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise DatasetError(
                f"Line {row} of {file} cannot be read; make the set anew or remove that file."
            ) from error
    return told


def _marked(path: Path, classes: list[tuple[Literal["face", "back"], str | None]]) -> MarkedPicture:
    """A picture with what its label file says."""
    size, file, cards = _size(path), label_path(path), []
    for row, line in enumerate(file.read_text().splitlines() if file.is_file() else [], 1):
        if not line.strip():
            continue
        try:
            number, outline = parse_line(line)
            kind, label = classes[number]
        except (ValueError, IndexError) as error:
            raise DatasetError(f"Line {row} of {file} cannot be read ({error}); run 'brisca data check'.") from error
        cards.append(MarkedCard(kind, label, quad_of(outline, size), boxed=len(line.split()) == 5))
    return MarkedPicture(path, size, tuple(cards))


def read(folder: str | Path, split: str | None = None, names: Sequence[str] | None = None) -> Iterator[MarkedPicture]:
    """The pictures of a set with their cards, one by one; ``split`` None means all.

    ``folder`` may also be its ``data.yaml``. ``names`` are the class names where the set itself has none. The full
    truth in ``cards.jsonl`` is preferred to the label files. Raises :class:`DatasetError` on a set that cannot be read;
    :func:`check` lists all its faults at once.
    """
    base = Path(folder)
    base = base.parent if base.is_file() else base
    classes = [class_of(name) for name in (class_names(base) if names is None else names)]
    found, book = splits(base), _book(base)
    if split is not None and split not in found:
        raise DatasetError(f"The set {base} has no split {split}; it has {', '.join(found)}.")
    for name, images in found.items():
        if split is not None and name != split:
            continue
        for path in pictures_in(images):
            told = book.get(str(path.resolve()))
            yield MarkedPicture(path, *told) if told is not None else _marked(path, classes)


def _line_fault(line: str, names: list[str]) -> tuple[str | None, int]:
    """What is wrong with one label line (None: nothing), and its class number (-1: not known)."""
    try:
        number, outline = parse_line(line)
    except (ValueError, IndexError) as error:
        return f"cannot be read ({error})", -1
    if not 0 <= number < len(names):
        return f"has class {number}, but there are only classes 0 to {len(names) - 1}", -1
    if outline.min() < -0.001 or outline.max() > 1.001:
        return "has a corner outside the picture; coordinates must lie between 0 and 1", number
    if abs(cv2.contourArea(outline.astype(np.float32))) < 1e-6:
        return "has a box without area", number
    return None, number


def check(folder: str | Path, most: int = 50) -> Report:
    """Looks through a whole set and names its faults, at most ``most`` of them.

    Raises :class:`DatasetError` only where there is nothing to look through.
    """
    base = Path(folder)
    if not base.is_dir():
        raise DatasetError(f"There is no folder {base}; give the folder that holds data.yaml.")
    names, found = class_names(base), splits(base)
    problems: list[str] = []
    for name in names:
        try:
            class_of(name)
        except DatasetError as error:
            problems.append(str(error))
    pictures: dict[str, int] = {}
    cards: dict[str, int] = {}
    classes: Counter[str] = Counter()
    seen: dict[str, tuple[str, Path]] = {}
    for split, images in found.items():
        files = pictures_in(images)
        pictures[split], cards[split] = len(files), 0
        stems = {path.stem for path in files}
        labels = label_path(images / "x.jpg").parent
        for stray in sorted(p for p in labels.glob("*.txt") if p.stem not in stems and p.name != "classes.txt")[:most]:
            problems.append(f"The label file {stray} has no picture.")
        unlabelled = sum(not label_path(path).is_file() for path in files)
        if files and unlabelled == len(files):
            problems.append(f"No picture of {images} has a label file; they are looked for in {labels}.")
        for path in files:
            if cv2.imread(str(path), cv2.IMREAD_REDUCED_COLOR_8) is None:
                problems.append(f"The picture {path} cannot be read; save it again or take it out.")
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            other = seen.setdefault(digest, (split, path))
            if other[0] != split:
                problems.append(f"The same picture is in {other[0]} and {split}: {other[1].name} and {path.name}.")
            file = label_path(path)
            for row, line in enumerate(file.read_text().splitlines() if file.is_file() else [], 1):
                if not line.strip():
                    continue
                fault, number = _line_fault(line, names)
                if fault is not None:
                    problems.append(f"Line {row} of {file} {fault}.")
                if number >= 0:
                    cards[split] += 1
                    classes[names[number]] += 1
    missing = [name for name in names if not classes[name]]
    if missing and sum(cards.values()):
        shown = ", ".join(missing[:8]) + (" and others" if len(missing) > 8 else "")
        problems.append(f"{len(missing)} of {len(names)} classes have no example: {shown}.")
    if not sum(cards.values()):
        problems.append("No card is labelled in the whole set.")
    if len(problems) > most:
        problems = [*problems[:most], f"... and {len(problems) - most} more."]
    return Report(pictures, cards, dict(classes), tuple(problems))
