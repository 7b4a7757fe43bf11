"""Cameras of this machine by index: opening, reading, and listing them without noise."""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

import vision.quiet  # noqa: F401 (before the first camera is opened)
from vision.capture import Grab, Grabber, LiveSource
from vision.errors import SourceError
from vision.feed import SourceInfo, StateListener
from vision.video import plausible_fps

PROBED_INDICES: Final = 6
"""How many indices are tried on systems that do not list their cameras as device files."""

FROZEN_SECONDS: Final = 5.0
"""A camera that repeats one picture bit for bit for this long is taken to be unplugged: a sensor always has noise."""

WANTED_SIZE: Final = (1280, 720)


@dataclass(frozen=True, slots=True)
class CameraListing:
    """A camera that opens and delivers a picture; ``label`` is the driver's name for it, "" where unknown."""

    index: int
    label: str
    width: int
    height: int
    fps: float


class CameraGrabber:
    """An open camera that has delivered a picture. Raises :class:`~vision.errors.SourceError` where it cannot."""

    def __init__(
        self,
        index: int,
        *,
        size: tuple[int, int] | None = WANTED_SIZE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._capture = cv2.VideoCapture(index, _backend())
        if not self._capture.isOpened():
            self._capture.release()
            raise SourceError(
                f"There is no camera {index}, or another program is using it: "
                "close that program, or see what `brisca cameras` lists.",
                "camera_taken",
            )
        if size is not None:
            # MJPG lets USB 2 cameras send 720p at their full rate; drivers that do not know it ignore the wish.
            self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # an old picture is worth less than none
        self._freeze = FreezeWatch(FROZEN_SECONDS, clock)
        self._first: Grab | None = None
        self._first = self.read()
        if self._first is None:
            self._capture.release()
            raise SourceError(
                f"Camera {index} opens but sends no picture: unplug it, plug it in again and retry.", "camera_silent"
            )
        self.height, self.width = self._first.image.shape[:2]
        self.fps = plausible_fps(self._capture.get(cv2.CAP_PROP_FPS))

    def read(self) -> Grab | None:
        """Block for the next picture; None when the camera is gone."""
        if self._first is not None:
            first, self._first = self._first, None
            return first
        try:
            ok, image = self._capture.read()
        except cv2.error:
            return None
        if not ok or image is None or not image.size:
            return None
        picture = np.asarray(image, dtype=np.uint8)
        return None if self._freeze.is_frozen(picture) else Grab(picture)

    def close(self) -> None:
        """Release the camera."""
        self._capture.release()


class FreezeWatch:
    """Tells when the same picture, bit for bit, has come for ``seconds``: some drivers go on so after an unplugging."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds = seconds
        self._clock = clock
        self._last: bytes = b""
        self._since = clock()

    def is_frozen(self, image: NDArray[np.uint8]) -> bool:
        """Whether the picture has not changed for too long; looks at one pixel in 64."""
        now = self._clock()
        seen = image[::8, ::8].tobytes()
        if seen != self._last:
            self._last = seen
            self._since = now
        return now - self._since >= self._seconds


def open_camera(index: int, *, on_state: StateListener | None = None, stop: Event | None = None) -> LiveSource:
    """Open the camera with this index. Raises :class:`~vision.errors.SourceError` where there is none."""
    grabber = CameraGrabber(index)
    info = SourceInfo("camera", f"camera {index}", grabber.width, grabber.height, grabber.fps, None, live=True)

    def reopen() -> Grabber:
        return CameraGrabber(index)

    return LiveSource(info, grabber, reopen, stop=stop, on_state=on_state)


def probe_cameras() -> list[CameraListing]:
    """The cameras that can be used now. Opens each for a moment; cameras in use elsewhere are not listed."""
    found = []
    for index in _candidate_indices():
        try:
            grabber = CameraGrabber(index, size=None)
        except SourceError:
            continue
        found.append(CameraListing(index, _label(index), grabber.width, grabber.height, grabber.fps))
        grabber.close()
    return found


def _candidate_indices() -> list[int]:
    if sys.platform.startswith("linux"):
        names = (path.name.removeprefix("video") for path in Path("/dev").glob("video*"))
        return sorted(int(name) for name in names if name.isdigit())
    return list(range(PROBED_INDICES))


def _label(index: int) -> str:
    try:
        return Path(f"/sys/class/video4linux/video{index}/name").read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _backend() -> int:
    if sys.platform == "win32":
        return int(cv2.CAP_DSHOW)  # the default backend takes 10 s and more to open a camera
    if sys.platform.startswith("linux"):
        return int(cv2.CAP_V4L2)
    return int(cv2.CAP_ANY)
