"""Network cameras: MJPEG over HTTP read by our own code, everything else (RTSP, HLS...) by the FFmpeg in OpenCV.

Passwords in an address are masked in every name and message.
"""

import base64
import re
import urllib.error
import urllib.parse
import urllib.request
from http.client import HTTPException, HTTPResponse
from threading import Event
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

import vision.quiet  # noqa: F401 (before the first stream is opened)
from vision.capture import Grab, Grabber, LiveSource
from vision.errors import SourceError
from vision.feed import SourceInfo, StateListener
from vision.video import FALLBACK_FPS, plausible_fps

SCHEMES: Final = ("rtsp", "rtsps", "rtmp", "http", "https", "udp", "tcp")
TIMEOUT_SECONDS: Final = 10.0
LARGEST_JPEG: Final = 32 * 1024 * 1024
_CHUNK: Final = 64 * 1024
_SOI: Final = b"\xff\xd8\xff"
_EOI: Final = b"\xff\xd9"


def mask_password(url: str) -> str:
    """The address with the password, and any query value that may be a secret, replaced by ``***``."""
    # Greedy up to the last @ before the path: passwords may hold an unescaped @.
    url = re.sub(r"(?<=://)([^/?#\s:]*):([^/\s]*)@", r"\1:***@", url)
    return re.sub(r"([?&](?:pass\w*|pwd|token|key|secret|auth)=)[^&#\s]*", r"\1***", url, flags=re.IGNORECASE)


class MjpegGrabber:
    """Pictures of an open HTTP response that sends JPEGs one after the other (``multipart/x-mixed-replace``).

    It looks for the JPEG markers instead of the part headers: the boundary and Content-Length that cameras send are
    wrong too often.
    """

    def __init__(self, response: HTTPResponse) -> None:
        self._response = response
        self._buffer = bytearray()

    def read(self) -> Grab | None:
        """The next picture that decodes; None when the connection ends or breaks."""
        while True:
            jpeg = self._next_jpeg()
            if jpeg is None:
                return None
            if (image := _decode(jpeg)) is not None:
                return Grab(image)

    def _next_jpeg(self) -> bytes | None:
        start = -1
        searched = 0
        while True:
            if start < 0:
                start = self._buffer.find(_SOI)
                searched = start + len(_SOI)
            end = self._buffer.find(_EOI, max(searched - 1, 0)) if start >= 0 else -1
            if end >= 0:
                jpeg = bytes(self._buffer[start : end + 2])
                del self._buffer[: end + 2]
                return jpeg
            searched = max(searched, len(self._buffer))
            if start < 0:
                del self._buffer[: -len(_SOI)]
            if len(self._buffer) > LARGEST_JPEG:
                return None
            try:
                data = self._response.read1(_CHUNK)
            except (OSError, HTTPException, ValueError):
                return None
            if not data:
                return None
            self._buffer += data

    def close(self) -> None:
        """End the connection."""
        self._response.close()


class SnapshotGrabber:
    """A camera that only offers single JPEGs at an address: fetched again and again."""

    def __init__(self, url: str, first: NDArray[np.uint8], stop: Event, interval: float = 0.2) -> None:
        self._url = url
        self._first: NDArray[np.uint8] | None = first
        self._stop = stop
        self._interval = interval

    def read(self) -> Grab | None:
        """Fetch the next picture; None when it cannot be fetched."""
        if self._first is not None:
            first, self._first = self._first, None
            return Grab(first)
        if self._stop.wait(self._interval):
            return None
        try:
            with _request(self._url) as response:
                image = _decode(response.read(LARGEST_JPEG))
        except (OSError, HTTPException, ValueError):
            return None
        return Grab(image) if image is not None else None

    def close(self) -> None:
        """Nothing is held between two pictures."""


class FfmpegGrabber:
    """A stream that FFmpeg reads. Raises :class:`~vision.errors.SourceError` when it cannot be opened."""

    def __init__(self, url: str) -> None:
        name = mask_password(url)
        limit = int(1000 * TIMEOUT_SECONDS)
        wishes = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, limit, cv2.CAP_PROP_READ_TIMEOUT_MSEC, limit]
        self._capture = cv2.VideoCapture(url, cv2.CAP_FFMPEG, wishes)
        if not self._capture.isOpened():
            self._capture.release()
            raise SourceError(
                f"No pictures from {name}: check the address, user and password, and the camera's network.",
                "stream_unreachable",
            )
        self.fps = plausible_fps(self._capture.get(cv2.CAP_PROP_FPS))

    def read(self) -> Grab | None:
        """Block for the next picture; None when the stream breaks off."""
        try:
            ok, image = self._capture.read()
        except cv2.error:
            return None
        return Grab(np.asarray(image, dtype=np.uint8)) if ok and image is not None and image.size else None

    def close(self) -> None:
        """End the stream."""
        self._capture.release()


class _Primed:
    """A grabber whose first picture has been fetched already, to learn its size."""

    def __init__(self, grabber: Grabber, first: Grab) -> None:
        self._grabber = grabber
        self._first: Grab | None = first

    def read(self) -> Grab | None:
        if self._first is not None:
            first, self._first = self._first, None
            return first
        return self._grabber.read()

    def close(self) -> None:
        self._grabber.close()


def open_stream(url: str, *, on_state: StateListener | None = None, stop: Event | None = None) -> LiveSource:
    """Open a network camera. Raises :class:`~vision.errors.SourceError` where no picture comes from the address."""
    stop = stop if stop is not None else Event()
    name = mask_password(url)
    grabber = _connect(url, stop)
    first = grabber.read()
    if first is None:
        grabber.close()
        raise SourceError(
            f"{name} answers, but sends no picture: check that this is the camera's video address.", "stream_silent"
        )
    height, width = first.image.shape[:2]
    fps = grabber.fps if isinstance(grabber, FfmpegGrabber) else FALLBACK_FPS
    info = SourceInfo("stream", name, width, height, fps, None, live=True)
    return LiveSource(info, _Primed(grabber, first), lambda: _connect(url, stop), stop=stop, on_state=on_state)


def _connect(url: str, stop: Event) -> Grabber:
    if not url.lower().startswith(("http://", "https://")):
        return FfmpegGrabber(url)
    name = mask_password(url)
    try:
        response = _request(url)
    except urllib.error.HTTPError as error:
        error.close()
        why = "wrong user or password" if error.code in {401, 403} else f"the camera answers {error.code}"
        raise SourceError(f"No pictures from {name} ({why}): check the address.", "stream_refuses") from None
    except (OSError, HTTPException, ValueError) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        raise SourceError(
            f"{name} cannot be reached ({mask_password(str(reason))}): check the address and the network.",
            "stream_unreachable",
        ) from None
    kind = response.headers.get_content_type()
    if kind.startswith("multipart/"):
        return MjpegGrabber(response)
    if kind == "image/jpeg":
        with response:
            image = _decode(response.read(LARGEST_JPEG))
        if image is None:
            raise SourceError(f"{name} sends a picture that cannot be read: check the camera.", "stream_silent")
        return SnapshotGrabber(url, image, stop)
    finite = kind.startswith("video/") and response.headers.get("Content-Length") is not None
    response.close()
    if finite:
        raise SourceError(f"{name} is a film file, not a stream: download it and give the file.", "stream_is_film")
    if kind == "text/html":
        raise SourceError(
            f"{name} is a web page, not a stream: look in the camera's settings for its video address.",
            "stream_is_page",
        )
    return FfmpegGrabber(url)


def _request(url: str) -> HTTPResponse:
    """GET with the user and password of the address sent as basic authentication, as cameras expect."""
    parts = urllib.parse.urlsplit(url)
    request = urllib.request.Request(url)
    if parts.username is not None:
        bare = parts._replace(netloc=parts.netloc.rpartition("@")[2])
        request = urllib.request.Request(urllib.parse.urlunsplit(bare))
        user = urllib.parse.unquote(parts.username)
        password = urllib.parse.unquote(parts.password or "")
        token = base64.b64encode(f"{user}:{password}".encode()).decode("ascii")
        request.add_header("Authorization", f"Basic {token}")
    response = urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS)
    assert isinstance(response, HTTPResponse)
    return response


def _decode(jpeg: bytes) -> NDArray[np.uint8] | None:
    if not jpeg:
        return None
    try:
        image = cv2.imdecode(np.frombuffer(jpeg, dtype=np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, dtype=np.uint8)
