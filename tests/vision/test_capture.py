"""Live capture with real threads and a camera made of a queue: newest frame, standstill, reconnection, shutdown."""

import threading
import time
from collections.abc import Callable
from queue import Empty, Queue
from threading import Event

import numpy as np
import pytest

from vision.capture import Grab, LiveSource, pauses
from vision.errors import SourceError
from vision.feed import SourceInfo, SourceState

INFO = SourceInfo("camera", "camera 9", 8, 6, 25.0, None, live=True)
PICTURE = np.zeros((6, 8, 3), np.uint8)


class QueueCamera:
    """Delivers what is put into it; None breaks the connection; silence blocks, as drivers do, until the test ends."""

    def __init__(self, stop: Event) -> None:
        self.stop = stop
        self.queue: Queue[Grab | None] = Queue()
        self.closed = Event()

    def put(self, count: int = 1) -> None:
        for _ in range(count):
            self.queue.put(Grab(PICTURE))

    def read(self) -> Grab | None:
        while not self.stop.is_set():
            try:
                return self.queue.get(timeout=0.02)
            except Empty:
                continue
        return None

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def stop() -> Event:
    return Event()


def eventually(condition: Callable[[], bool], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    return condition()


def never_wait(_seconds: float) -> bool:
    return False


def test_pauses_double_up_to_half_a_minute() -> None:
    waits = pauses()
    assert [next(waits) for _ in range(8)] == [1, 2, 4, 8, 16, 30, 30, 30]


def test_capture_begins_with_the_iteration_and_keeps_only_the_newest_frame(stop: Event) -> None:
    camera = QueueCamera(stop)
    camera.put(5)
    with LiveSource(INFO, camera, None, stop=stop) as source:
        assert source.state is SourceState.INIT
        assert camera.queue.qsize() == 5
        frames = iter(source)
        first = next(frames)
        assert eventually(camera.queue.empty)
        camera.put(4)
        assert eventually(camera.queue.empty)
        time.sleep(0.05)
        newest = next(frames)
        assert source.state is SourceState.RUNNING
        assert newest.index == 8
        assert source.dropped == 7
        assert 0 <= first.t <= newest.t < 5
    assert source.state is SourceState.ENDED
    assert camera.closed.is_set()


def test_a_lost_camera_is_tried_again_with_growing_pauses_and_comes_back(stop: Event) -> None:
    first, second = QueueCamera(stop), QueueCamera(stop)
    waits: list[float] = []
    states: list[SourceState] = []
    attempts = iter([None, None, None, second])

    def reopen() -> QueueCamera:
        if (camera := next(attempts)) is None:
            raise SourceError("There is no camera 9.")
        return camera

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        return False

    first.put()
    first.queue.put(None)
    with LiveSource(
        INFO, first, reopen, wait=wait, stop=stop, on_state=lambda state, _: states.append(state)
    ) as source:
        frames = iter(source)
        assert next(frames).index == 0
        second.put()
        assert next(frames).index == 1
        assert source.state is SourceState.RUNNING
        assert first.closed.is_set()
    assert waits == [1, 2, 4, 8]
    assert states == [
        SourceState.RUNNING,
        SourceState.RECONNECTING,
        SourceState.RUNNING,
        SourceState.ENDED,
    ]


def test_out_of_attempts_it_fails_with_the_last_reason(stop: Event) -> None:
    camera = QueueCamera(stop)
    camera.put()
    camera.queue.put(None)

    def reopen() -> QueueCamera:
        raise SourceError("There is no camera 9: plug it in.")

    source = LiveSource(INFO, camera, reopen, wait=never_wait, stop=stop, attempts=3)
    with pytest.raises(SourceError, match="plug it in"):
        list(source)
    assert source.state is SourceState.FAILED


def test_a_silent_camera_is_stalled_and_runs_on_when_it_speaks_again(stop: Event) -> None:
    camera = QueueCamera(stop)
    states: list[SourceState] = []
    camera.put()
    source = LiveSource(
        INFO,
        camera,
        lambda: camera,
        stop=stop,
        stall_after=0.1,
        abandon_after=60,
        on_state=lambda state, _: states.append(state),
    )
    with source:
        frames = iter(source)
        next(frames)
        threading.Timer(0.4, camera.put).start()
        assert next(frames).index == 1
    assert states[:3] == [SourceState.RUNNING, SourceState.STALLED, SourceState.RUNNING]


def test_a_camera_stuck_in_its_driver_is_left_behind_and_opened_anew(stop: Event) -> None:
    release = Event()

    class Stuck(QueueCamera):
        def read(self) -> Grab | None:
            if not self.queue.empty():
                return self.queue.get()
            release.wait(20)
            return Grab(PICTURE)

    stuck, fresh = Stuck(stop), QueueCamera(stop)
    stuck.put()
    fresh.put()
    source = LiveSource(INFO, stuck, lambda: fresh, wait=never_wait, stop=stop, stall_after=0.05, abandon_after=0.2)
    with source:
        frames = iter(source)
        next(frames)
        assert next(frames).index == 1
        # What the stuck driver hands out at last must not come in as a frame of the new connection.
        release.set()
        assert eventually(stuck.closed.is_set)
        fresh.put()
        assert next(frames).index == 2


def test_a_new_connection_that_never_delivers_is_given_up_too(stop: Event) -> None:
    first, mute, third = QueueCamera(stop), QueueCamera(stop), QueueCamera(stop)
    first.put()
    first.queue.put(None)
    third.put()
    line = iter([mute, third])
    source = LiveSource(
        INFO, first, lambda: next(line), wait=never_wait, stop=stop, stall_after=0.05, abandon_after=0.2
    )
    with source:
        frames = iter(source)
        next(frames)
        assert next(frames).index == 1


def test_the_stop_event_ends_a_waiting_reader_and_the_thread(stop: Event) -> None:
    camera = QueueCamera(stop)
    source = LiveSource(INFO, camera, lambda: camera, stop=stop)
    threading.Timer(0.1, stop.set).start()
    began = time.monotonic()
    assert list(source) == []
    assert time.monotonic() - began < 2
    assert eventually(lambda: not any("camera 9" in thread.name for thread in threading.enumerate()))
    assert source.state is SourceState.ENDED


def test_stop_ends_the_pause_between_two_attempts(stop: Event) -> None:
    camera = QueueCamera(stop)
    camera.put()
    camera.queue.put(None)
    source = LiveSource(INFO, camera, lambda: camera, stop=stop)
    frames = iter(source)
    next(frames)
    assert eventually(lambda: source.state is SourceState.RECONNECTING)
    began = time.monotonic()
    source.close()
    assert time.monotonic() - began < 0.5
    assert list(frames) == []


def test_closed_before_it_began_it_releases_the_camera(stop: Event) -> None:
    camera = QueueCamera(stop)
    source = LiveSource(INFO, camera, None, stop=stop)
    source.close()
    source.close()
    assert camera.closed.is_set()
    assert list(source) == []
