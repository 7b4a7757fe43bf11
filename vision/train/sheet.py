"""A contact sheet of the worst errors: the place in the picture, what lies there, what was read, how sure it was."""

import heapq
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.train.evaluation import Fault, FaultKind

Image = NDArray[np.uint8]

MOST: Final[dict[FaultKind, int]] = {"wrong_name": 30, "false_card": 30, "false_back": 12, "missed": 18}
"""Errors of each kind that are kept, the worst of them."""

TILE: Final = 190
"""Side of a crop in pixels."""
CAPTION: Final = 50
COLUMNS: Final = 6
TITLE: Final = 34
AROUND: Final = 1.7
"""Side of the part that is shown, against the longer side of the card's upright hull."""

TITLES: Final[dict[FaultKind, str]] = {
    "wrong_name": "Wrong names, the surest first",
    "false_card": "Named cards that are not there, the surest first",
    "false_back": "Backs that are not there, the surest first",
    "missed": "Cards that were missed, the plainest first",
}
_INK, _PAPER = (30, 30, 30), 250


@dataclass(slots=True)
class ErrorSheet:
    """Keeps the worst errors with their crops; memory stays small however many pictures come."""

    _kept: dict[FaultKind, list[tuple[float, int, Fault, Image]]] = field(
        default_factory=lambda: {kind: [] for kind in MOST}
    )
    _count: "itertools.count[int]" = field(default_factory=itertools.count)

    def take(self, image: Image, faults: Iterable[Fault]) -> None:
        """Take in the errors of one picture (BGR)."""
        for fault in faults:
            heap = self._kept[fault.kind]
            if len(heap) == MOST[fault.kind] and fault.confidence <= heap[0][0]:
                continue
            entry = (fault.confidence, -next(self._count), fault, crop(image, fault.quad))
            if len(heap) < MOST[fault.kind]:
                heapq.heappush(heap, entry)
            else:
                heapq.heapreplace(heap, entry)

    def worst(self, kind: FaultKind) -> list[Fault]:
        """The errors of a kind that are kept, worst first."""
        return [fault for _, _, fault, _ in sorted(self._kept[kind], key=lambda entry: entry[:2], reverse=True)]

    def picture(self) -> Image:
        """The sheet, BGR; one line of text where there is no error."""
        bands: list[Image] = []
        for kind in MOST:
            entries = sorted(self._kept[kind], key=lambda entry: entry[:2], reverse=True)
            if entries:
                bands += [_title(TITLES[kind]), _grid([_tile(fault, part) for _, _, fault, part in entries])]
        return np.vstack(bands) if bands else _title("No error")


def crop(image: Image, quad: NDArray[np.float32]) -> Image:
    """The surroundings of a card, square, with its outline drawn; grey where the picture ends."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    side = max(8.0, float((high - low).max()) * AROUND)
    scale = TILE / side
    corner = (low + high) / 2 - side / 2
    matrix = np.array([[scale, 0, -scale * corner[0]], [0, scale, -scale * corner[1]]])
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    part = cv2.warpAffine(image, matrix, (TILE, TILE), flags=method, borderValue=(114, 114, 114))
    outline = np.round((quad - corner) * scale).astype(np.int32)
    cv2.polylines(part, [outline], True, (0, 200, 255), 1, cv2.LINE_AA)
    return np.asarray(part, np.uint8)


def caption(fault: Fault) -> tuple[str, str]:
    """What is written under a crop: the error, and the picture that it is in."""
    match fault.kind:
        case "wrong_name":
            said = f"{fault.truth} read as {fault.read} {fault.confidence:.2f}"
        case "false_card" | "false_back":
            said = f"no card, read as {fault.read} {fault.confidence:.2f}"
        case _:
            said = f"{fault.truth} missed"
    return said, fault.picture if len(fault.picture) <= 26 else f"...{fault.picture[-23:]}"


def _tile(fault: Fault, part: Image) -> Image:
    tile = np.full((TILE + CAPTION, TILE + 8, 3), _PAPER, np.uint8)
    tile[4 : 4 + TILE, 4 : 4 + TILE] = part
    for row, text in enumerate(caption(fault)):
        _write(tile, text, (5, TILE + 20 + 18 * row), 0.42)
    return tile


def _grid(tiles: Sequence[Image]) -> Image:
    blank = np.full_like(tiles[0], _PAPER)
    full = [*tiles, *[blank] * (-len(tiles) % COLUMNS)]
    return np.vstack([np.hstack(full[start : start + COLUMNS]) for start in range(0, len(full), COLUMNS)])


def _title(text: str) -> Image:
    band = np.full((TITLE, COLUMNS * (TILE + 8), 3), _PAPER, np.uint8)
    _write(band, text, (6, 24), 0.6)
    return band


def _write(image: Image, text: str, at: tuple[int, int], size: float) -> None:
    # OpenCV's letters are ASCII: anything else in a file name would come out as question marks anyway.
    plain = text.encode("ascii", "replace").decode("ascii")
    cv2.putText(image, plain, at, cv2.FONT_HERSHEY_SIMPLEX, size, _INK, 1, cv2.LINE_AA)
