"""A game without a screen: every frame of a film, as fast as the machine can."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterable, Iterator

from server.errors import PressError
from server.sessions.intake import Finished, Pressed, Resumed, Seen, Step
from server.sessions.lessons import Lessons
from server.sessions.session import Session


def run_steps(
    session: Session,
    steps: Iterable[Step],
    on_frame: Callable[[], None] | None = None,
    lessons: Lessons | None = None,
    on_refused: Callable[[Pressed, PressError], None] | None = None,
) -> None:
    """Drive a session through its steps to its end; ``lessons`` are offered every frame.

    A press that does not fit the game is passed to ``on_refused`` and changes nothing; without it the error comes
    through. Errors of the source come through once the session has been brought to its end, so that nothing recorded
    is lost.
    """
    try:
        for step in steps:
            try:
                take_step(session, step, lessons)
            except PressError as error:
                if on_refused is None or not isinstance(step, Pressed):
                    raise
                on_refused(step, error)
            if on_frame is not None and isinstance(step, Seen):
                on_frame()
    finally:
        session.finish()


def take_step(session: Session, step: Step, lessons: Lessons | None = None) -> None:
    """Do one step to a session."""
    match step:
        case Pressed(press):
            session.press(press)
        case Finished():
            session.finish()
        case Resumed(t, away):
            session.resume(t, away)
        case Seen(observation, image):
            events = session.track(observation)
            if lessons is not None:
                lessons.offer(events, observation, image)
            session.take(observation, events)


@contextlib.contextmanager
def stop_on_signal(stop: threading.Event) -> Iterator[None]:
    """Set ``stop`` on Ctrl-C or a request to end, so that a step is never broken off in its middle.

    The second Ctrl-C is an ordinary KeyboardInterrupt, for a source that is stuck.
    """

    def handle(number: int, frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
