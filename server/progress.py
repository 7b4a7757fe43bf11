"""A progress bar on a terminal: share done, frames a second, time left; whole lines where it is no terminal."""

import sys
import time
from collections.abc import Callable
from typing import Final, TextIO

_WIDTH: Final = 28
_SECONDS_BETWEEN: Final = 0.2
_SECONDS_BETWEEN_LINES: Final = 10.0


class ProgressBar:
    """Shows how far a film has been read; use as a context manager. ``total`` None: only frames and speed."""

    def __init__(
        self,
        total: int | None,
        label: str = "",
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total = total if total else None
        self._label = label
        self._stream = stream if stream is not None else sys.stderr
        self._clock = clock
        self._terminal = self._stream.isatty()
        self._start = self._shown = clock()
        self._done = 0
        self._length = 0

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._show(self._clock())
        if self._terminal:
            self._stream.write("\n")
        self._stream.flush()

    def step(self) -> None:
        """One more frame is done."""
        self._done += 1
        now = self._clock()
        if now - self._shown >= (_SECONDS_BETWEEN if self._terminal else _SECONDS_BETWEEN_LINES):
            self._show(now)

    @property
    def share(self) -> float | None:
        """The share that is done, 0..1."""
        return None if self._total is None else min(1.0, self._done / self._total)

    def text(self, now: float) -> str:
        """What is shown: bar, percent, frames a second, time left."""
        elapsed = max(now - self._start, 1e-6)
        fps = self._done / elapsed
        share = self.share
        if share is None or self._total is None:
            return f"{self._label} {self._done} frames  {fps:.1f} fps  {clock_text(elapsed)}".strip()
        filled = round(share * _WIDTH)
        left = (self._total - self._done) / fps if fps > 0 else 0.0
        bar = "█" * filled + "░" * (_WIDTH - filled)
        if not _can_write(self._stream, bar):
            bar = "#" * filled + "." * (_WIDTH - filled)
        return f"{self._label} {bar} {share:4.0%}  {fps:.1f} fps  {clock_text(max(left, 0.0))} left".strip()

    def _show(self, now: float) -> None:
        self._shown = now
        text = self.text(now)
        if self._terminal:
            # Padding wipes what is left of a longer line before it.
            self._stream.write("\r" + text.ljust(self._length))
            self._length = len(text)
        else:
            self._stream.write(text + "\n")
        self._stream.flush()


def clock_text(seconds: float) -> str:
    """Seconds as m:ss or h:mm:ss."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _can_write(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
