"""Crops of the cards that people put right at the table, kept for training where the user has asked for it.

Off unless a folder is given; nothing leaves this machine. Of every face that comes to rest the crop is kept in memory
for a while. Once a person has said which card it is, the crop goes to ``FOLDER/<session>/<label>-<n>.jpg`` and a line
to ``FOLDER/<session>/crops.jsonl``. What the person takes back is taken out again. The format is read by
:mod:`vision.train.learned` and told in docs/training.md.
"""

import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from server.referee.word import Worded
from vision.facts import Observation, Quad, Sighting, TableEvent
from vision.identifier import rectify
from vision.labels import CARD_MM
from vision.overlap import iou_matrix
from vision.track import array_of, long_side

CROPS_FILE: Final = "crops.jsonl"
MARGIN: Final = 0.25
"""Strip around the card in a crop, as a share of the card: training cuts the card out anew, each time a bit wrong."""

TALLEST, SMALLEST = 480, 48
"""Height of a card in a crop, in pixels: that in the picture, within these limits."""

QUALITY: Final = 93
MOST: Final = 300
"""Crops kept in memory, the oldest go first. At some 20 kB each they stay below 6 MB."""

SAME_PLACE: Final = 0.6
"""Overlap (IoU) of a card at rest with what was read in a frame from which the two are one card."""

EARLY, LATE = 0.5, 0.2
"""Seconds by which a crop may come before its face was told to rest, or after it was told to have left."""

_TOLD: Final = ("settled", "uncovered", "moved", "read")
_LEFT: Final = ("vanished", "swept")
_LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Crop:
    """A card as it was read in one frame: the picture (JPEG), when, where, what was read and how sure."""

    t: float
    frame: int
    jpeg: bytes
    quad: Quad
    size: tuple[int, int]
    read: str | None
    confidence: float
    visible: float


class Lessons:
    """Keeps crops while a game is watched and writes those that a person has named; never raises.

    ``session`` names the folder of this game. Frames are offered by the vision worker, :meth:`heard` is called on the
    thread that owns the game. A folder that cannot be written is told once and no more is kept.
    """

    def __init__(self, folder: Path, session: str) -> None:
        self.folder = folder / session
        self.failure: str | None = None
        self._lock = threading.Lock()
        self._crops: OrderedDict[tuple[int, int], _Crop] = OrderedDict()
        self._waiting: dict[int, Quad] = {}
        self._lines: dict[tuple[int, int], dict[str, Any]] = {}
        self._numbers: dict[str, int] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._fail(error)

    def offer(self, events: Iterable[TableEvent], seen: Observation, image: NDArray[np.uint8] | None) -> None:
        """Take in a frame (BGR, as it came from the source) and what the tracker concluded from it; any thread."""
        for event in events:
            if event.kind in _LEFT:
                for track in (event.track, *event.tracks):
                    self._waiting.pop(track, None)
            elif event.kind in _TOLD and event.face == "face":
                self._waiting[event.track] = event.quad
        if image is None or not seen.sightings or not self._waiting or self.failure is not None:
            return
        # A frame in which the card was not read (a hand is over it) teaches nothing: the next one may.
        faces = [sighting for sighting in seen.sightings if sighting.kind == "face"]
        tracks = list(self._waiting)
        if not faces:
            return
        overlaps = iou_matrix(array_of([self._waiting[t] for t in tracks]), array_of([f.quad for f in faces]))
        for track, row in zip(tracks, overlaps, strict=True):
            if float(row.max()) >= SAME_PLACE:
                del self._waiting[track]
                self._keep(track, seen, faces[int(row.argmax())], image)

    def _keep(self, track: int, seen: Observation, sighting: Sighting, image: NDArray[np.uint8]) -> None:
        tall = min(max(round(long_side(sighting.quad)), SMALLEST), TALLEST)
        height = round(tall * (1 + 2 * MARGIN))
        size = (height, round(height * CARD_MM[0] / CARD_MM[1]))
        ok, data = cv2.imencode(
            ".jpg",
            rectify(image, np.array([sighting.quad], np.float32), size, MARGIN)[0],
            [int(cv2.IMWRITE_JPEG_QUALITY), QUALITY],
        )
        if not ok:
            return
        read, sure = sighting.labels[0] if sighting.labels else (None, 0.0)
        crop = _Crop(seen.t, seen.frame, data.tobytes(), sighting.quad, seen.size, read, sure, sighting.visible)
        with self._lock:
            self._crops[(track, seen.frame)] = crop
            while len(self._crops) > MOST:
                self._crops.popitem(last=False)

    def heard(self, words: Iterable[Worded]) -> None:
        """Bring the folder to what people say now: ``words`` are all faces of the session that bear a person's word."""
        if self.failure is not None:
            return
        said = {(word.hand, word.face): word for word in words}
        gone = [key for key, line in self._lines.items() if key not in said or said[key].card != line["label"]]
        fresh = [(key, word) for key, word in said.items() if key not in self._lines or key in gone]
        found = [(key, word, crop) for key, word in fresh if (crop := self._of(word)) is not None]
        if not gone and not found:
            return
        try:
            dropped = [self.folder / str(self._lines.pop(key)["file"]) for key in gone]
            self.folder.mkdir(parents=True, exist_ok=True)
            for key, word, crop in found:
                self._lines[key] = self._write(word, crop)
            part = self.folder / f".{CROPS_FILE}.part"
            part.write_text("".join(json.dumps(line) + "\n" for line in self._lines.values()), encoding="utf-8")
            part.replace(self.folder / CROPS_FILE)
            for file in dropped:
                file.unlink(missing_ok=True)
        except OSError as error:
            self._fail(error)

    def _of(self, word: Worded) -> _Crop | None:
        """The crop of a face: of those taken while it lay there, the one that shows most of it."""
        with self._lock:
            crops = [
                crop
                for (track, _), crop in self._crops.items()
                if track in word.tracks and word.t - EARLY <= crop.t <= word.gone + LATE
            ]
        return max(crops, key=lambda crop: (crop.visible, crop.t), default=None)

    def _write(self, word: Worded, crop: _Crop) -> dict[str, Any]:
        number = self._numbers[word.card] = self._numbers.get(word.card, 0) + 1
        file = self.folder / f"{word.card}-{number}.jpg"
        file.write_bytes(crop.jpeg)
        return {
            "file": file.name,
            "label": word.card,
            "read": crop.read,
            "confidence": crop.confidence,
            "t": crop.t,
            "frame": crop.frame,
            "quad": [list(point) for point in crop.quad],
            "size": list(crop.size),
            "visible": crop.visible,
            "margin": MARGIN,
        }

    def _fail(self, error: OSError) -> None:
        why = (error.strerror or str(error)).lower()
        self.failure = f"Crops for training cannot be kept in {self.folder} ({why}); the game goes on without them."
        _LOG.warning(self.failure)
