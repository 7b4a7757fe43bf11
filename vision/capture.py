"""Live capture: a thread keeps only the newest frame, notices a standstill, and reconnects with growing pauses.

A reader may block for good inside a driver when a camera is pulled out. So the thread that reads is never waited for:
the consumer notices the silence, leaves the stuck thread behind (it ends by itself when its read returns) and starts a
new one.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Condition, Event, Thread, current_thread
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.errors import SourceError
from vision.facts import Frame
from vision.feed import FINAL, Source, SourceInfo, SourceState, StateListener

FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 30.0
STALL_SECONDS: Final = 2.0
ABANDON_SECONDS: Final = 10.0
JOIN_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Grab:
    """One picture from a grabber; ``t`` is its time in seconds where the grabber knows better than the clock."""

    image: NDArray[np.uint8]
    t: float | None = None


class Grabber(Protocol):
    """An open connection to something that delivers pictures."""

    def read(self) -> Grab | None:
        """Block until the next picture; None when the connection is lost or the film is over."""

    def close(self) -> None:
        """Release the connection; called from the thread that reads, or after it has ended."""


def pauses(first: float = FIRST_PAUSE, longest: float = LONGEST_PAUSE) -> Iterator[float]:
    """The waits between two attempts to connect, in seconds: each twice the one before, up to ``longest``."""
    pause = first
    while True:
        yield pause
        pause = min(2 * pause, longest)


class LiveSource(Source):
    """A source that cannot wait for its reader.

    ``grabber`` is the first, open connection; ``reopen`` makes a new one and raises
    :class:`~vision.errors.SourceError` while it cannot (None: the end of the connection is the end of the source).
    Capture begins with the iteration, so that nothing is lost while the reader is still loading its models.
    ``stop`` ends everything at once when it is set; ``wait`` is how the pauses between attempts are waited for (it
    returns True to give up waiting because of ``stop``). ``attempts`` limits how many attempts in a row may fail
    (None: no limit); after that the state is FAILED and iteration raises the last error.

    The ``t`` of a frame is in seconds since the source was started, unless its grabber says otherwise; ``index``
    counts the captured frames, so that a gap shows what was dropped.
    """

    def __init__(
        self,
        info: SourceInfo,
        grabber: Grabber,
        reopen: Callable[[], Grabber] | None,
        *,
        stop: Event | None = None,
        on_state: StateListener | None = None,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], bool] | None = None,
        stall_after: float = STALL_SECONDS,
        abandon_after: float = ABANDON_SECONDS,
        attempts: int | None = None,
    ) -> None:
        super().__init__(info, on_state)
        self._reopen = reopen
        self._stop = stop if stop is not None else Event()
        self._clock = clock
        self._wait = wait if wait is not None else self._stop.wait
        self._stall_after = stall_after
        self._abandon_after = abandon_after
        self._attempts = attempts
        self._news = Condition()
        self._newest: Frame | None = None
        self._captured = 0
        self._dropped = 0
        self._started = self._last_news = clock()
        self._connecting = False
        self._error: SourceError | None = None
        self._first: Grabber | None = grabber
        self._thread: Thread | None = None

    @property
    def dropped(self) -> int:
        """Frames that were captured and replaced by a newer one before anybody fetched them."""
        return self._dropped

    def _frames(self) -> Iterator[Frame]:
        if self._thread is None and not self._stop.is_set():
            grabber, self._first = self._first, None
            self._started = self._last_news = self._clock()
            self._start_thread(grabber)
        try:
            while (frame := self._next_frame()) is not None:
                yield frame
        finally:
            self.close()
        if self._state is SourceState.FAILED and self._error is not None:
            raise self._error

    def _next_frame(self) -> Frame | None:
        """Wait for a frame newer than the last one; None when there will be none."""
        with self._news:
            while True:
                if self._newest is not None:
                    frame, self._newest = self._newest, None
                    return frame
                if self._state in FINAL or self._stop.is_set():
                    return None
                self._news.wait(timeout=min(0.25, self._stall_after / 4))
                self._watch_silence()

    def _watch_silence(self) -> None:
        """Notice a standstill (the lock is held). While a connection is being tried, silence is normal."""
        silence = self._clock() - self._last_news
        if self._connecting or silence < self._stall_after:
            return
        if silence < self._abandon_after or self._reopen is None:
            if self._state is not SourceState.RECONNECTING:
                self._enter_state(SourceState.STALLED, f"No picture from {self.info.name} for {silence:.0f} s.")
            return
        self._enter_state(SourceState.RECONNECTING, f"{self.info.name} hangs; connecting anew.")
        self._connecting = True
        self._start_thread(None)

    def _start_thread(self, grabber: Grabber | None) -> None:
        thread = Thread(target=self._capture, args=(grabber,), name=f"capture {self.info.name}", daemon=True)
        # Set before it starts: a thread that finds another one in its place knows that it was left behind.
        self._thread = thread
        thread.start()

    def _is_current(self) -> bool:
        return self._thread is current_thread() and not self._stop.is_set()

    def _capture(self, grabber: Grabber | None) -> None:
        try:
            while self._is_current():
                if grabber is None and (grabber := self._connect()) is None:
                    return
                self._drain(grabber)
                grabber.close()
                grabber = None
                with self._news:
                    if not self._is_current():
                        return
                    if self._reopen is None:
                        self._enter_state(SourceState.ENDED, f"{self.info.name} has ended.")
                        return
                    self._connecting = True
                    self._enter_state(SourceState.RECONNECTING, f"Lost {self.info.name}; connecting anew.")
        finally:
            if grabber is not None:
                grabber.close()
            with self._news:
                self._news.notify_all()

    def _drain(self, grabber: Grabber) -> None:
        """Read until the connection breaks, keeping the newest frame only."""
        while self._is_current():
            grab = grabber.read()
            if grab is None:
                return
            with self._news:
                if not self._is_current():
                    return
                now = self._clock()
                t = grab.t if grab.t is not None else now - self._started
                if self._newest is not None:
                    self._dropped += 1
                self._newest = Frame(self._captured, t, grab.image)
                self._captured += 1
                self._last_news = now
                self._enter_state(SourceState.RUNNING, f"{self.info.name} delivers pictures.")
                self._news.notify_all()

    def _connect(self) -> Grabber | None:
        """Try until it works; None when stopped, left behind, or out of attempts."""
        assert self._reopen is not None
        failures = 0
        for pause in pauses():
            if self._wait(pause) or not self._is_current():
                return None
            try:
                grabber = self._reopen()
            except SourceError as error:
                failures += 1
                if self._attempts is not None and failures >= self._attempts:
                    with self._news:
                        self._error = error
                        self._enter_state(SourceState.FAILED, str(error))
                    return None
                continue
            with self._news:
                if not self._is_current():
                    grabber.close()
                    return None
                self._connecting = False
                self._last_news = self._clock()  # the new connection gets its own time to deliver
            return grabber
        return None

    def close(self) -> None:
        """Stop the capture thread and release the device. A thread stuck in a driver is left to end by itself."""
        self._stop.set()
        with self._news:
            self._enter_state(SourceState.ENDED, f"{self.info.name} is closed.")
            self._news.notify_all()
        thread, grabber = self._thread, self._first
        if thread is None:
            if grabber is not None:
                self._first = None
                grabber.close()
        elif thread is not current_thread():
            thread.join(JOIN_SECONDS)
