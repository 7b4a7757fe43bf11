"""Single pictures and folders of pictures, read once each, one second apart on their own clock."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import PictureError, SourceError
from vision.facts import Frame
from vision.feed import Source, SourceInfo, SourceKind, SourceState, StateListener

SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
"""File names that are taken for pictures."""

SECONDS_APART: Final = 1.0


def read_picture(path: Path) -> NDArray[np.uint8]:
    """Read a picture as BGR uint8 (H, W, 3), turned as its EXIF data say.

    Raises :class:`~vision.errors.PictureError` for what is missing, empty or no picture. Works with any letters in the
    path, unlike ``cv2.imread`` on Windows.
    """
    if not path.exists():
        raise PictureError(f"There is no file {path}: check the path.")
    if path.is_dir():
        raise PictureError(f"{path} is a folder: give the picture inside it.")
    try:
        data = np.fromfile(path, dtype=np.uint8)
    except OSError as error:
        raise PictureError(f"{path} cannot be read ({error.strerror}): check its permissions.") from error
    if not data.size:
        raise PictureError(f"{path} is empty: copy or take the picture again.")
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None:
        raise PictureError(f"{path} cannot be read as a picture: save it as JPEG or PNG and give that.")
    return np.asarray(image, dtype=np.uint8)


def picture_files(folder: Path) -> list[Path]:
    """The pictures directly in a folder, sorted so that ``2.jpg`` comes before ``10.jpg``.

    Raises :class:`~vision.errors.SourceError` for a folder that is missing or holds no picture.
    """
    if not folder.is_dir():
        raise SourceError(f"There is no folder {folder}: check the path.")
    files = [path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file()]
    if not files:
        raise SourceError(f"The folder {folder} holds no picture ({', '.join(sorted(SUFFIXES))}): give another folder.")
    return sorted(files, key=_natural)


class Stills(Source):
    """Pictures one after the other. ``skipped`` lists those of a folder that could not be read, with the reason.

    A single picture that cannot be read raises :class:`~vision.errors.PictureError` on opening, a folder
    :class:`~vision.errors.SourceError` when none of its pictures can be read.
    """

    def __init__(self, path: Path, *, on_state: StateListener | None = None) -> None:
        self.skipped: list[tuple[Path, str]] = []
        kind: SourceKind = "folder" if path.is_dir() else "picture"
        self._files = picture_files(path) if path.is_dir() else [path]
        self._next = 0
        self._ahead = read_picture(path) if kind == "picture" else self._read_next()
        if self._ahead is None:
            raise SourceError(f"None of the pictures in {path} can be read: save them as JPEG or PNG.")
        height, width = self._ahead.shape[:2]
        info = SourceInfo(kind, path.name, width, height, 1 / SECONDS_APART, len(self._files), live=False)
        super().__init__(info, on_state)
        self.path: Path = self._files[max(self._next - 1, 0)]
        """The file of the frame that was yielded last (of the first one before that)."""

    def _read_next(self) -> NDArray[np.uint8] | None:
        while self._next < len(self._files):
            path = self._files[self._next]
            self._next += 1
            try:
                return read_picture(path)
            except PictureError as error:
                self.skipped.append((path, str(error)))
        return None

    def _frames(self) -> Iterator[Frame]:
        if self.info.kind == "picture":
            self._next = 1
        index = 0
        try:
            while self._ahead is not None and self.state is not SourceState.ENDED:
                image, self.path = self._ahead, self._files[self._next - 1]
                self._enter_state(SourceState.RUNNING)
                yield Frame(index, index * SECONDS_APART, image)
                index += 1
                self._ahead = self._read_next()
        finally:
            self.close()

    def close(self) -> None:
        """Forget the pictures; a running iteration ends."""
        self._ahead = None
        self._enter_state(SourceState.ENDED)


def _natural(path: Path) -> tuple[list[tuple[int, str]], str]:
    """A sort key that compares runs of digits as numbers."""
    parts = [(int(part), "") if part.isdigit() else (-1, part.lower()) for part in re.split(r"(\d+)", path.name)]
    return parts, path.name
