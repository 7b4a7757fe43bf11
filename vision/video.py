"""Film files: every frame, in order, its time taken from its number."""

import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Lock
from typing import Final, cast

import cv2
import numpy as np
from numpy.typing import NDArray

import vision.quiet  # noqa: F401 (before the first film is opened)
from vision.capture import Grab, LiveSource
from vision.errors import SourceError
from vision.facts import Frame
from vision.feed import Source, SourceInfo, SourceKind, SourceState, StateListener

FALLBACK_FPS: Final = 25.0
"""Frames per second assumed for a film whose own figure is missing or absurd."""


class Film:
    """An open film file that is known to decode: its first frame has been read.

    Raises :class:`~vision.errors.SourceError` for what is missing, empty, no film, or coded in a way that cannot be
    read. ``read`` returns BGR pictures in order and None after the last; both methods may be called from any thread.
    """

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise SourceError(f"There is no file {path}: check the path.", "file_missing")
        if path.is_dir():
            raise SourceError(f"{path} is a folder, not a film: give the film file inside it.", "file_is_folder")
        try:
            with path.open("rb") as file:
                empty = not file.read(1)
        except OSError as error:
            raise SourceError(
                f"{path} cannot be read ({error.strerror}): check its permissions.", "file_locked"
            ) from error
        if empty:
            raise SourceError(f"{path} is empty: copy or record the film again.", "file_empty")
        way_out = f"convert it with: ffmpeg -i {path.name} -c:v libx264 -pix_fmt yuv420p new.mp4"
        self._lock = Lock()
        self._capture: cv2.VideoCapture | None = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            # Builds without FFmpeg still have the system's own reader.
            self._capture = cv2.VideoCapture(str(path), cv2.CAP_ANY)
        if not self._capture.isOpened():
            self.close()
            raise SourceError(f"{path} cannot be read as a film; if it is one, {way_out}", "file_no_film")
        ok, first = self._capture.read()
        if not ok or first is None or not first.size:
            self.close()
            raise SourceError(
                f"{path} opens, but no picture of it can be decoded (wrong codec or cut off): {way_out}", "file_no_film"
            )
        self._first: NDArray[np.uint8] | None = _as_bgr(first)
        self.height, self.width = self._first.shape[:2]
        self.fps = plausible_fps(self._capture.get(cv2.CAP_PROP_FPS))
        count = self._capture.get(cv2.CAP_PROP_FRAME_COUNT)
        self.frames: int | None = int(count) if math.isfinite(count) and count >= 1 else None

    def read(self) -> NDArray[np.uint8] | None:
        """The next picture, or None at the end of the film or after ``close``."""
        with self._lock:
            if self._first is not None:
                first, self._first = self._first, None
                return first
            if self._capture is None:
                return None
            ok, image = self._capture.read()
            return _as_bgr(image) if ok and image is not None and image.size else None

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._first = None
            if self._capture is not None:
                self._capture.release()
                self._capture = None


class VideoFile(Source):
    """A film that waits for its reader: nothing is dropped, and ``t`` is frame number / frames per second."""

    def __init__(self, path: Path, *, kind: SourceKind = "video", on_state: StateListener | None = None) -> None:
        self._film = Film(path)
        super().__init__(film_info(self._film, kind, path.name, live=False), on_state)

    def _frames(self) -> Iterator[Frame]:
        index = 0
        try:
            while self.state is not SourceState.ENDED:
                image = self._film.read()
                if image is None:
                    break
                self._enter_state(SourceState.RUNNING)
                yield Frame(index, index / self.info.fps, image)
                index += 1
        finally:
            self.close()

    def close(self) -> None:
        """Release the file; a running iteration ends with the frame that it has."""
        self._film.close()
        self._enter_state(SourceState.ENDED)


class FilmGrabber:
    """Plays a film at its own pace, as a camera would show it; for :class:`~vision.capture.LiveSource`."""

    def __init__(self, film: Film, stop: Event, clock: Callable[[], float] = time.monotonic) -> None:
        self._film = film
        self._stop = stop
        self._clock = clock
        self._start: float | None = None
        self._index = 0

    def read(self) -> Grab | None:
        """The next frame, not before its time has come; None at the end."""
        now = self._clock()
        if self._start is None:
            self._start = now
        t = self._index / self._film.fps
        wait = self._start + t - now
        if wait > 0 and self._stop.wait(wait):
            return None
        image = self._film.read()
        if image is None:
            return None
        self._index += 1
        return Grab(image, t)

    def close(self) -> None:
        """Release the film."""
        self._film.close()


def live_film(path: Path, *, kind: SourceKind = "video", on_state: StateListener | None = None) -> LiveSource:
    """Play a film as if it were a camera: at its own pace, newest frame only; it ends with the film."""
    film = Film(path)
    stop = Event()
    info = film_info(film, kind, path.name, live=True)
    return LiveSource(info, FilmGrabber(film, stop), reopen=None, stop=stop, on_state=on_state)


def film_info(film: Film, kind: SourceKind, name: str, *, live: bool) -> SourceInfo:
    """What is known of an open film."""
    return SourceInfo(kind, name, film.width, film.height, film.fps, film.frames, live)


def plausible_fps(fps: float) -> float:
    """The given figure, or :data:`FALLBACK_FPS` where it is not a number or outside 1..240."""
    return float(fps) if math.isfinite(fps) and 1.0 <= fps <= 240.0 else FALLBACK_FPS


def _as_bgr(image: object) -> NDArray[np.uint8]:
    picture = cast("NDArray[np.uint8]", image)
    if picture.ndim == 2:
        return cast("NDArray[np.uint8]", cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR))
    return picture
