"""Steps from frames: order of presses, pace, reading ahead."""

import io
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from server.progress import ProgressBar, clock_text
from server.sessions.intake import Pace, Pressed, Seen, frame_steps, read_ahead
from vision.errors import SourceError
from vision.facts import Frame, Observation
from vision.source import open_source


class Blind:
    """A reader of tables on which nothing ever lies."""

    def observe(self, frame: Frame) -> Observation:
        return Observation(frame.index, frame.t, (8, 8), 0.0, ())


def frames(count: int) -> Iterator[Frame]:
    for index in range(count):
        yield Frame(index, index / 10, np.zeros((8, 8, 3), np.uint8))


def test_presses_come_before_the_first_frame_that_is_not_earlier() -> None:
    presses = [{"t": 0.0, "type": "a"}, {"t": 0.15, "type": "b"}, {"t": 0.2, "type": "c"}, {"t": 9.0, "type": "d"}]
    told = [
        step.press["type"] if isinstance(step, Pressed) else step.observation.frame
        for step in frame_steps(frames(4), Blind(), presses)
        if isinstance(step, Pressed | Seen)
    ]
    assert told == ["a", 0, 1, "b", "c", 2, 3, "d"]


def test_frames_read_ahead_are_all_there_in_order_and_errors_come_in_their_place() -> None:
    assert [frame.index for frame in read_ahead(frames(100))] == list(range(100))

    def broken() -> Iterator[int]:
        yield from range(3)
        raise SourceError("The film is torn: get another.")

    got = []
    with pytest.raises(SourceError, match="torn"):
        got.extend(read_ahead(broken()))
    assert got == [0, 1, 2]


def test_every_frame_of_a_real_film_is_read(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 20.0, (64, 48))
    for index in range(45):
        writer.write(np.full((48, 64, 3), index * 5, np.uint8))
    writer.release()
    with open_source(str(path), live=False) as source:
        steps = list(frame_steps(read_ahead(source), Blind()))
    seen = [step for step in steps if isinstance(step, Seen)]
    assert [step.observation.frame for step in seen] == list(range(45))
    assert [round(step.observation.t, 3) for step in seen] == [round(index / 20, 3) for index in range(45)]
    assert all(step.image is not None and step.image.shape == (48, 64, 3) for step in seen)


def test_reading_ahead_stops_when_nobody_wants_more() -> None:
    fetched = []

    def endless() -> Iterator[int]:
        number = 0
        while True:
            fetched.append(number)
            yield number
            number += 1

    ahead = read_ahead(endless(), depth=3)
    assert next(ahead) == 0
    ahead.close()  # type: ignore[attr-defined]
    count = len(fetched)
    assert count <= 6
    time.sleep(0.15)
    assert len(fetched) == count


def test_a_film_is_kept_to_its_time_and_speed() -> None:
    stop = threading.Event()
    pace = Pace(stop, speed=4.0)
    started = time.monotonic()
    assert not pace(10.0)
    assert not pace(10.4)
    assert 0.08 <= time.monotonic() - started < 0.4
    threading.Timer(0.05, stop.set).start()
    started = time.monotonic()
    assert pace(1000.0)
    assert time.monotonic() - started < 2.0


def test_the_progress_bar_tells_share_speed_and_time_left() -> None:
    now = [0.0]
    out = io.StringIO()
    with ProgressBar(100, "Reading", out, lambda: now[0]) as bar:
        for _ in range(50):
            now[0] += 0.5
            bar.step()
        assert bar.share == 0.5
        assert " 50%  2.0 fps  0:25 left" in bar.text(now[0])
    lines = out.getvalue().splitlines()
    assert 2 <= len(lines) <= 4
    assert "\r" not in out.getvalue()
    endless = ProgressBar(None, "", out, lambda: now[0])
    endless.step()
    assert endless.text(now[0] + 2.0) == "1 frames  0.5 fps  0:02"
    assert (clock_text(59.6), clock_text(3725)) == ("1:00", "1:02:05")
