"""From a source to the steps of a session: frames are read ahead, the table is read, presses come in their time.

A step is something to do to a session, in order: an observation (with the picture that it was made from), a press,
or the end. Recorded sessions give the same steps without pictures.
"""

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from server.errors import RecordingError
from server.sessions.recording import INPUT_TYPES, LogLine, Recording
from vision.codec import observation_from_json
from vision.errors import RecordError
from vision.facts import Frame, Observation

T = TypeVar("T")
READ_AHEAD: Final = 4


class Reader(Protocol):
    """What reads a frame: :class:`vision.reader.TableReader`."""

    def observe(self, frame: Frame) -> Observation:
        """What the frame shows."""
        ...


@dataclass(frozen=True, slots=True)
class Seen:
    """A frame was read; ``image`` is None for a recording; ``seconds`` is how long it took."""

    observation: Observation
    image: NDArray[np.uint8] | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Pressed:
    """Something was pressed, at this place in the order of things."""

    press: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Finished:
    """The source was over when this was recorded."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The session was taken up again at ``t``; ``away``: the table had gone on without being watched."""

    t: float
    away: bool


Step = Seen | Pressed | Finished | Resumed


def frame_steps(
    frames: Iterable[Frame],
    reader: Reader,
    presses: Sequence[dict[str, Any]] = (),
    wait: Callable[[float], bool] | None = None,
) -> Iterator[Step]:
    """Steps of frames; ``presses`` (in order of ``t``) come before the first frame that is not earlier than they are.

    ``wait`` is called with the time of each frame before it is read, and ends the iteration by returning True.
    """
    waiting = list(presses)
    for frame in frames:
        if wait is not None and wait(frame.t):
            return
        while waiting and waiting[0]["t"] <= frame.t:
            yield Pressed(waiting.pop(0))
        started = time.perf_counter()
        observation = reader.observe(frame)
        yield Seen(observation, frame.image, time.perf_counter() - started)
    for press in waiting:
        yield Pressed(press)


def skipped(frames: Iterable[Frame], done: int) -> Iterator[Frame]:
    """The frames of a film that was broken off after its frame number ``done``: those after that one."""
    return (frame for frame in frames if frame.index > done)


def shifted(frames: Iterable[Frame], first: int, t: float) -> Iterator[Frame]:
    """The frames of another source, numbered from ``first`` on, their clock put to ``t`` at the first one."""
    start: float | None = None
    for index, frame in enumerate(frames):
        start = frame.t if start is None else start
        yield replace(frame, index=first + index, t=t + frame.t - start)


def recorded_steps(
    recording: Recording,
    presses: Sequence[dict[str, Any]] = (),
    wait: Callable[[float], bool] | None = None,
) -> Iterator[Step]:
    """The steps of a recorded session, with ``presses`` besides its own ones and ``wait`` as in :func:`frame_steps`.

    Raises :class:`RecordingError` for data that is not what its line says.
    """
    waiting = list(presses)
    for line in recording.of(*INPUT_TYPES):
        step = recorded_step(line)
        if isinstance(step, Seen) and wait is not None and wait(step.observation.t):
            return
        while waiting and (isinstance(step, Finished) or _is_due(waiting[0], step)):
            yield Pressed(waiting.pop(0))
        yield step
    for press in waiting:
        yield Pressed(press)


def no_steps(stop: threading.Event) -> Iterator[Step]:
    """The steps of a table without a camera: none, until ``stop`` is set."""
    stop.wait()
    yield from ()


def _is_due(press: dict[str, Any], step: Step) -> bool:
    return isinstance(step, Seen) and bool(press["t"] <= step.observation.t)


def recorded_step(line: LogLine) -> Step:
    """The step of one line of a log. Raises :class:`RecordingError` where it holds none."""
    if line.type == "finish":
        return Finished()
    if not isinstance(line.data, dict):
        raise RecordingError(f"Line {line.number} of the recording holds no {line.type}; restore it from a copy.")
    if line.type == "press":
        return Pressed(line.data)
    if line.type == "resume":
        return _resumed(line)
    try:
        return Seen(observation_from_json(line.data))
    except RecordError as error:
        raise RecordingError(
            f"Line {line.number} of the recording holds no observation; restore it from a copy."
        ) from error


def _resumed(line: LogLine) -> Resumed:
    t, away = line.data.get("t"), line.data.get("away")
    if not isinstance(t, int | float) or not isinstance(away, bool):
        raise RecordingError(f"Line {line.number} of the recording holds no resume; restore it from a copy.")
    return Resumed(float(t), away)


class Pace:
    """Keeps a film to its time: call it with the time of a frame, it waits until that time has come.

    ``speed`` 2 plays twice as fast. True means that ``stop`` was set. A reader that fell behind is not waited for.
    """

    def __init__(self, stop: threading.Event, speed: float = 1.0) -> None:
        self._stop = stop
        self._speed = speed
        self._start: float | None = None

    def __call__(self, t: float) -> bool:
        """Wait for ``t`` seconds of film."""
        now = time.monotonic()
        if self._start is None:
            self._start = now - t / self._speed
        pause = self._start + t / self._speed - now
        return self._stop.wait(pause) if pause > 0 else self._stop.is_set()


def read_ahead(items: Iterable[T], depth: int = READ_AHEAD) -> Iterator[T]:
    """The same items, fetched by a thread of their own up to ``depth`` ahead; its error is raised in its place."""
    fetched: queue.Queue[tuple[bool, T | BaseException | None]] = queue.Queue(depth)
    stop = threading.Event()

    def put(item: tuple[bool, T | BaseException | None]) -> bool:
        while not stop.is_set():
            try:
                fetched.put(item, timeout=0.1)
            except queue.Full:
                continue
            return True
        return False

    def fetch() -> None:
        try:
            for item in items:
                if not put((True, item)):
                    return
            put((False, None))
        except BaseException as error:  # handed over to the thread that reads, which raises it
            put((False, error))

    thread = threading.Thread(target=fetch, name="read-ahead", daemon=True)
    thread.start()
    try:
        while True:
            more, item = fetched.get()
            if not more:
                if isinstance(item, BaseException):
                    raise item
                return
            yield item  # type: ignore[misc]
    finally:
        stop.set()
        thread.join(5.0)
