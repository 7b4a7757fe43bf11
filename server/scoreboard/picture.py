"""The live picture: the newest frame with the cards outlined, made into JPEG only while someone looks.

The vision worker offers frames from its thread; viewers wait on the event loop. One JPEG is made per frame, however
many look at it. A recording has no frames: there the cards are drawn on plain cloth.
"""

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.facts import Sighting

Image = NDArray[np.uint8]
BOUNDARY: Final = "brisca-frame"
LONG_SIDE: Final = 1280
QUALITY: Final = 80
SURE: Final = 0.8
_CLOTH: Final = (62, 92, 40)
_SURE_COLOUR: Final = (96, 220, 96)
_DOUBT_COLOUR: Final = (48, 176, 255)
_BACK_COLOUR: Final = (208, 176, 128)
_SECONDS_BETWEEN: Final = 1 / 12


class LivePicture:
    """Holds the newest frame and what was seen in it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._image: Image | None = None
        self._size: tuple[int, int] = (1280, 720)
        self._sightings: tuple[Sighting, ...] = ()
        self._number = 0
        self._encoded: tuple[int, bytes] | None = None
        self._viewers = 0
        self._closed = False

    @property
    def viewers(self) -> int:
        """How many are looking at the stream now."""
        return self._viewers

    def offer(self, image: Image | None, size: tuple[int, int], sightings: tuple[Sighting, ...] | None) -> None:
        """Take a newer frame (any thread; keeps a reference, copies nothing).

        ``image`` is BGR uint8 (H, W, 3) or None where there is none; ``size`` (width, height); ``sightings`` None
        keeps those known.
        """
        with self._lock:
            self._image = image
            self._size = size
            if sightings is not None:
                self._sightings = sightings
            self._number += 1

    def jpeg(self) -> bytes:
        """The newest frame as JPEG, cards outlined; dark cloth before the first frame."""
        with self._lock:
            number, image, size, sightings = self._number, self._image, self._size, self._sightings
            if self._encoded is not None and self._encoded[0] == number:
                return self._encoded[1]
        drawn = outlined(image, size, sightings)
        ok, buffer = cv2.imencode(".jpg", drawn, [int(cv2.IMWRITE_JPEG_QUALITY), QUALITY])
        data = buffer.tobytes() if ok else b""
        with self._lock:
            self._encoded = (number, data)
        return data

    async def stream(self) -> AsyncIterator[bytes]:
        """Parts of a ``multipart/x-mixed-replace`` answer, until the viewer leaves or :meth:`close` is called."""
        self._viewers += 1
        shown = -1
        idle = 0.0
        try:
            while not self._closed:
                # A still table is sent again now and then: it keeps proxies from giving up on the connection.
                if self._number != shown or idle > 2.0:
                    shown, idle = self._number, 0.0
                    data = await asyncio.to_thread(self.jpeg)
                    yield part(data)
                await asyncio.sleep(_SECONDS_BETWEEN)
                idle += _SECONDS_BETWEEN
        finally:
            self._viewers -= 1

    def close(self) -> None:
        """End every stream."""
        self._closed = True


def part(data: bytes) -> bytes:
    """One JPEG as a part of the stream."""
    head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
    return head.encode("ascii") + data + b"\r\n"


def outlined(image: Image | None, size: tuple[int, int], sightings: tuple[Sighting, ...]) -> Image:
    """A copy of ``image`` (or cloth of ``size``), at most :data:`LONG_SIDE` long, with the sightings outlined.

    Colour is not the only sign: a sure card has its name, a doubtful one its name with a question mark, a back none.
    """
    width, height = size if image is None else (image.shape[1], image.shape[0])
    scale = min(1.0, LONG_SIDE / max(width, height, 1))
    target = (max(1, round(width * scale)), max(1, round(height * scale)))
    if image is None:
        canvas: Image = np.full((target[1], target[0], 3), _CLOTH, np.uint8)
    elif scale < 1.0:
        canvas = np.asarray(cv2.resize(image, target, interpolation=cv2.INTER_AREA), np.uint8)
    else:
        canvas = image.copy()
    for sighting in sightings:
        _draw(canvas, sighting, scale, filled=image is None)
    return canvas


def _draw(canvas: Image, sighting: Sighting, scale: float, filled: bool) -> None:
    quad = np.asarray(sighting.quad, np.float32) * scale
    corners = np.round(quad).astype(np.int32)
    label, p = sighting.labels[0] if sighting.labels else ("", 0.0)
    if sighting.kind == "back":
        colour, text = _BACK_COLOUR, ""
    elif p >= SURE:
        colour, text = _SURE_COLOUR, label
    else:
        colour, text = _DOUBT_COLOUR, f"{label}?"
    if filled:
        cv2.fillPoly(canvas, [corners], (226, 240, 244) if sighting.kind == "face" else (150, 110, 70))
    thickness = max(2, round(max(canvas.shape[:2]) / 400))
    cv2.polylines(canvas, [corners], True, colour, thickness, cv2.LINE_AA)
    if text:
        height = max(0.5, max(canvas.shape[:2]) / 1400)
        (w, h), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, height, 2)
        x, y = (int(value) for value in quad.mean(axis=0))
        box = (x - w // 2 - 4, y - h // 2 - 4), (x + w // 2 + 4, y + h // 2 + 4)
        cv2.rectangle(canvas, *box, (24, 24, 24), -1)
        cv2.putText(canvas, text, (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_SIMPLEX, height, colour, 2, cv2.LINE_AA)
