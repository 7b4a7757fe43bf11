"""Film files: MPEG-4 through OpenCV, or a small H.264 file where PyAV is installed."""

import importlib
import importlib.util
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError


class FilmFileError(VisionError):
    """A film file that cannot be written; the message says what helps."""


class FilmWriter(Protocol):
    """Takes frames (H, W, 3) BGR uint8 one by one."""

    def write(self, image: NDArray[np.uint8]) -> Any:
        """Add a frame."""

    def release(self) -> None:
        """Finish the file."""


def open_writer(path: Path, fps: float, size: tuple[int, int], compact: bool = False) -> FilmWriter:
    """A writer of ``path`` (.mp4); ``size`` is (width, height).

    OpenCV cannot set a quality, and its MPEG-4 takes about 15 KB a frame at 1280 x 720. ``compact`` writes H.264 at a
    fifth of that where the optional package ``av`` is installed, else the same as without. Raises FilmFileError.
    """
    if compact and importlib.util.find_spec("av") is not None:
        return _H264Writer(path, fps, size)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, size)
    if not writer.isOpened():
        raise FilmFileError(f"The film {path} cannot be written; check that its folder is writable and has room.")
    return writer


class _H264Writer:
    """H.264 with a key frame every ten seconds: a still table costs almost nothing between them."""

    def __init__(self, path: Path, fps: float, size: tuple[int, int]) -> None:
        self._av = importlib.import_module("av")
        try:
            self._file = self._av.open(str(path), "w")
        except OSError as error:
            raise FilmFileError(f"The film {path} cannot be written ({error}); name another place.") from error
        rate = Fraction(fps).limit_denominator(1001)
        self._stream = self._file.add_stream("libx264", rate=rate)
        self._stream.width, self._stream.height = size
        self._stream.pix_fmt = "yuv420p"
        self._stream.options = {"crf": "25", "preset": "slow", "g": str(round(10 * fps)), "profile": "high"}

    def write(self, image: NDArray[np.uint8]) -> None:
        frame = self._av.VideoFrame.from_ndarray(image, format="bgr24")
        for packet in self._stream.encode(frame):
            self._file.mux(packet)

    def release(self) -> None:
        for packet in self._stream.encode():
            self._file.mux(packet)
        self._file.close()
