"""A look through a camera before the game begins: the newest picture, from a source that is open only while asked for.

A camera takes a second to open, so it stays open between two looks and is released when nobody has looked for a while.
"""

import threading
import time
from typing import Final

import cv2

from server.scoreboard.picture import QUALITY, outlined
from vision.errors import SourceError
from vision.facts import Frame
from vision.source import Source, open_source

KEPT_SECONDS: Final = 6.0
"""How long a camera stays open after the last look."""

_FIRST_SECONDS: Final = 10.0
_WAIT_SECONDS: Final = 0.05


class Preview:
    """Shows one source at a time. Both methods block and may be called from any thread."""

    def __init__(self) -> None:
        self._asking = threading.Lock()
        self._spec = ""
        self._source: Source | None = None
        self._worker: threading.Thread | None = None
        self._stop = threading.Event()
        self._newest: Frame | None = None
        self._error: SourceError | None = None
        self._asked = 0.0

    def still(self, spec: str) -> bytes:
        """The newest picture of a source as JPEG; of a film its first one.

        Raises :class:`~vision.errors.SourceError` where the source cannot be opened or sends nothing.
        """
        with self._asking:
            if spec != self._spec or self._worker is None or not self._worker.is_alive():
                self._release()
                self._open(spec)
            self._asked = time.monotonic()
            end = self._asked + _FIRST_SECONDS
            while (frame := self._newest) is None and self._error is None and time.monotonic() < end:
                time.sleep(_WAIT_SECONDS)
            if frame is None:
                error = self._error or SourceError(f"{self._name()} sends no picture: check it and try again.")
                self._release()
                raise error
            shape = (frame.image.shape[1], frame.image.shape[0])
            ok, data = cv2.imencode(".jpg", outlined(frame.image, shape, ()), [int(cv2.IMWRITE_JPEG_QUALITY), QUALITY])
            return data.tobytes() if ok else b""

    def close(self) -> None:
        """Release what is open, so that a game can have it."""
        with self._asking:
            self._release()

    def _name(self) -> str:
        return self._source.info.name if self._source is not None else "The source"

    def _open(self, spec: str) -> None:
        self._newest, self._error, self._asked = None, None, time.monotonic()
        self._stop = threading.Event()
        self._source = open_source(spec, live=False, stop=self._stop)
        self._spec = spec
        self._worker = threading.Thread(target=self._work, args=(self._source, self._stop), name="preview", daemon=True)
        self._worker.start()

    def _work(self, source: Source, stop: threading.Event) -> None:
        try:
            with source:
                for frame in source:
                    self._newest = frame
                    while not source.info.live and not self._forgotten() and not stop.is_set():
                        stop.wait(0.2)  # one picture of a film is enough
                    if self._forgotten() or stop.is_set():
                        return
        except SourceError as error:
            self._error = error

    def _forgotten(self) -> bool:
        return time.monotonic() - self._asked > KEPT_SECONDS

    def _release(self) -> None:
        self._stop.set()
        if self._source is not None:
            self._source.close()
        if self._worker is not None:
            self._worker.join(5.0)
        self._spec, self._source, self._worker, self._newest = "", None, None, None
