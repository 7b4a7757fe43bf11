"""``brisca detect``: read the cards in pictures."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from server.errors import RecordingError
from vision.errors import PictureError, SourceError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.facts import Detection, Sighting

LEAST_TOLD: Final = 0.5
"""Probability from which a card is told by name in words; the JSON has them all."""


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``detect``."""
    parser = subparsers.add_parser(
        "detect",
        help="read the cards in pictures",
        description="Read the cards in pictures and print them, one picture a line.",
    )
    parser.add_argument("pictures", nargs="+", type=Path, metavar="IMAGE|DIR", help="pictures, or folders of them")
    parser.add_argument(
        "--json", action="store_true", help="one JSON object per picture, with the corners of each card"
    )
    parser.add_argument("--save", type=Path, metavar="DIR", help="write the pictures with the cards outlined there")
    parser.add_argument("--deck", metavar="NAME", help="the enrolled deck in the pictures, see 'brisca deck list'")
    parser.add_argument("--data", metavar="DIR", help="folder of the decks (default: the user's data folder)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Read the pictures; those that cannot be read are told on stderr, and the others still come."""
    from server.decks import Decks
    from server.eyes import open_eyes
    from server.settings import load_settings
    from vision.codec import sighting_of
    from vision.stills import read_picture

    settings = load_settings(args.data, deck=args.deck)
    deck = None if settings.deck is None else Decks(settings.data).load(settings.deck)
    files = list_files(args.pictures)
    reader, _ = open_eyes(deck)
    failed = 0
    for file, out in zip(files, saved_names(files, args.save), strict=True):
        try:
            image = read_picture(file)
        except PictureError as error:
            failed += 1
            print(f"brisca: {error}", file=sys.stderr)
            continue
        detections = reader.read(image)
        print(
            json.dumps(picture_json(file, image, detections), ensure_ascii=False)
            if args.json
            else f"{file}: {picture_text(detections)}",
            flush=True,
        )
        if out is not None:
            save(out, image, tuple(sighting_of(detection) for detection in detections))
    return 1 if failed else 0


def list_files(paths: list[Path]) -> list[Path]:
    """The pictures meant by these paths, folders opened; raises a vision error where there are none."""
    from vision.pathname import as_meant
    from vision.stills import picture_files

    files: list[Path] = []
    for path in (Path(as_meant(str(written))) for written in paths):
        if not path.exists():
            raise SourceError(f"There is no file or folder {path}: check the path.")
        files += picture_files(path) if path.is_dir() else [path]
    return files


def picture_json(file: Path, image: "NDArray[np.uint8]", detections: "list[Detection]") -> dict[str, Any]:
    """The object of one picture. Corners are pixels of the picture as it was given."""
    cards, backs = [], []
    for detection in detections:
        quad = [[round(float(x), 1), round(float(y), 1)] for x, y in detection.quad]
        card, confidence = best_label(detection)
        if detection.kind == "back":
            backs.append({"quad": quad, "confidence": round(float(detection.confidence), 4)})
        else:
            cards.append(
                {"card": card, "confidence": confidence, "quad": quad, "visible": round(float(detection.visible), 3)}
            )
    return {"image": str(file), "size": [image.shape[1], image.shape[0]], "cards": cards, "backs": backs}


def picture_text(detections: "list[Detection]") -> str:
    """The cards of one picture in words; names that are mere guesses are counted, not told."""
    faces = [best_label(detection) for detection in detections if detection.kind == "face"]
    backs = sum(1 for detection in detections if detection.kind == "back")
    parts = [f"{card} {confidence:.0%}" for card, confidence in faces if confidence >= LEAST_TOLD]
    guesses = len(faces) - len(parts)
    if guesses:
        parts.append(f"{guesses} not read for sure")
    if backs:
        parts.append(f"{backs} face down")
    return ", ".join(parts) or "no card"


def best_label(detection: "Detection") -> tuple[str | None, float]:
    """The likeliest card of a face and its probability."""
    from vision.labels import LABELS

    if detection.probs is None:
        return None, 0.0
    best = int(detection.probs.argmax())
    return LABELS[best], round(float(detection.probs[best]), 4)


def saved_names(files: list[Path], folder: Path | None) -> list[Path | None]:
    """Where each picture is saved; pictures of the same name in different folders get a number."""
    if folder is None:
        return [None] * len(files)
    taken: set[str] = set()
    names: list[Path | None] = []
    for file in files:
        name, number = f"{file.stem}.jpg", 1
        while name in taken:
            number += 1
            name = f"{file.stem}-{number}.jpg"
        taken.add(name)
        names.append(folder / name)
    return names


def save(path: Path, image: "NDArray[np.uint8]", sightings: "tuple[Sighting, ...]") -> None:
    """Write a picture with the cards outlined; raises :class:`RecordingError` where that cannot be."""
    import cv2

    from server.scoreboard.picture import outlined

    drawn = outlined(image, (image.shape[1], image.shape[0]), sightings)
    ok, data = cv2.imencode(".jpg", drawn, [int(cv2.IMWRITE_JPEG_QUALITY), 92])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not ok:
            raise OSError("it could not be encoded")
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise RecordingError(
            f"The picture {path} cannot be written ({error.strerror or error}); give another folder with --save."
        ) from error
