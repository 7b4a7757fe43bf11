"""The running game behind the scoreboard: a thread reads the table, the event loop owns the game.

source -> read-ahead thread -> vision worker --call_soon_threadsafe--> session (event loop) -> hub -> screens
                                                                           -> recorder, store (writer thread)
"""

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, cast

from engine.errors import EngineError
from server.errors import ServerError
from server.messages import EarlierHandData, SnapshotData, StatusData
from server.scoreboard.picture import LivePicture
from server.scoreboard.proofs import Proofs
from server.scoreboard.scene import SceneWatch
from server.scoreboard.snapshot import earlier_json, snapshot_json
from server.sessions.headless import take_step
from server.sessions.intake import Resumed, Seen, Step
from server.sessions.lessons import Lessons
from server.sessions.session import Entries, Session
from server.sessions.sitting import SessionFacts
from server.sessions.store import Store
from server.web.hub import Hub
from vision.errors import VisionError
from vision.facts import Sighting, TableEvent
from vision.source import SourceState

# Steps that may be on their way to the event loop: few, so that a film never runs away from the screens.
_IN_FLIGHT: Final = 8
_STATUS_SECONDS: Final = 1.0
_HEARTBEAT_SECONDS: Final = 5.0
_SPEED_FRAMES: Final = 60
_QUIET_SECONDS: Final = 1.0

BROKEN_OFF: Final = "broken_off"
"""Why the reading came to its end where no better reason is known."""

_LOG: Final = logging.getLogger(__name__)
_WORTH_TELLING: Final = frozenset({"STALLED", "RECONNECTING", "FAILED"})


class StateRelay:
    """Passes on what an open source tells of its state, once there is somebody to tell; keeps nothing."""

    def __init__(self) -> None:
        self.target: Callable[[str, str], None] | None = None

    def __call__(self, state: SourceState, sentence: str) -> None:
        """The source changed its state (any thread)."""
        if self.target is not None:
            self.target(state.value, sentence)


async def keep_telling(hub: Hub, ask: Callable[[], Mapping[str, Any]]) -> None:
    """Publish the status that ``ask`` gives when it changes, and now and then as a sign of life, until cancelled."""
    last: Mapping[str, Any] = {}
    told = 0.0
    while True:
        status = ask()
        now = time.monotonic()
        if status != last or now - told >= _HEARTBEAT_SECONDS:
            last, told = status, now
            hub.status(status)
        await asyncio.sleep(_STATUS_SECONDS)


class LiveTable:
    """The desk of the web app for one running session.

    ``steps`` are read on a thread of their own, until ``stop`` is set. ``frames`` is how many frames the source has,
    None where that is unknown; ``dropped`` tells how many were lost. ``source_over`` is called when the
    source has come to its end by itself. ``on_end`` is given the result when the game
    ends, and again when somebody corrects it after that. ``screens`` are the hub and picture of a room that outlives
    this table; without them the table has its own and closes them at its end. ``lessons`` are offered every frame.
    """

    def __init__(
        self,
        session: Session,
        facts: SessionFacts,
        steps: Iterator[Step],
        stop: threading.Event,
        *,
        version: str,
        store: Store | None = None,
        on_end: Callable[[dict[str, Any]], None] | None = None,
        screens: tuple[Hub, LivePicture] | None = None,
        lessons: Lessons | None = None,
    ) -> None:
        self.session = session
        self.facts = facts
        self.version = version
        self.store = store
        self.proofs = Proofs(facts.id)
        self.lessons = lessons
        self.scene = SceneWatch()
        self.hub, self.picture = screens or (Hub(self.snapshot, version), LivePicture())
        self._own_screens = screens is None
        self.camera = "INIT"
        self.message: str | None = None
        self.reason: str | None = None
        self.frames: int | None = None
        self.dropped: Callable[[], int] = lambda: 0
        self.source_over: Callable[[], None] = lambda: None
        self.ended = False
        self._steps = steps
        self._stop = stop
        self._on_end = on_end
        self._room = threading.Semaphore(_IN_FLIGHT)
        self._worker: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._seen = 0
        self._whole = False
        self._sightings: tuple[Sighting, ...] = ()
        self._born = time.monotonic()
        self._times: deque[float] = deque(maxlen=_SPEED_FRAMES)
        self._reading: deque[float] = deque(maxlen=_SPEED_FRAMES)
        session.on_entries = self._tell

    # Start and stop ------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to read the source; call it on the event loop."""
        self._loop = asyncio.get_running_loop()
        self._worker = threading.Thread(target=self._work, name="vision-worker", daemon=True)
        self._worker.start()

    async def tell_status(self) -> None:
        """Publish the status when it changes, and now and then as a sign of life, until cancelled."""
        await keep_telling(self.hub, self.status)

    async def stop(self) -> None:
        """Stop reading, bring the game to its end and keep the result."""
        self._stop.set()
        if self._worker is not None:
            await asyncio.to_thread(self._worker.join, 5.0)
        # Steps that were on their way when the worker stopped are done before the end is.
        await asyncio.sleep(0)
        self._end()
        if self._own_screens:
            self.picture.close()
            self.hub.close()
        else:
            self._loop = None  # a worker that hangs in a driver has nothing more to say to the room's screens

    # The desk of the web app ---------------------------------------------------------------------------------------

    def snapshot(self) -> SnapshotData:
        """The whole state for a screen."""
        return snapshot_json(self.facts, self.session, self.ended, self.proofs)

    def hand(self, number: int) -> EarlierHandData:
        """One hand of the game, whole; :class:`~server.errors.NotFoundError` where there is none of that number."""
        return earlier_json(self.session, number)

    def result(self) -> dict[str, Any]:
        """The result as it stands."""
        return self.session.result()

    def status(self) -> StatusData:
        """How the camera is doing."""
        times, reading = self._times, self._reading
        span = times[-1] - times[0] if len(times) > 1 else 0.0
        fresh = bool(times) and time.monotonic() - times[-1] < 3.0
        return {
            "camera": cast(Any, self.camera),
            "scene": self.scene.scene if self.camera == "RUNNING" else "ok",
            "fps": round((len(times) - 1) / span, 1) if span > 0 and fresh else 0.0,
            "dropped": self.dropped(),
            "t": round(self.session.t, 2),
            "progress": self._progress(),
            "detector_ms": round(1000 * sum(reading) / len(reading)) if reading else None,
            "message": self.message,
            "reason": self.reason,
        }

    def _progress(self) -> float | None:
        """The share of a film that was seen; whoever counted its frames may have erred, so its end is the whole."""
        if not self.frames:
            return None
        return 1.0 if self._whole else round(min(1.0, self._seen / self.frames), 3)

    def press(self, press: dict[str, Any]) -> tuple[str, ...]:
        """Somebody pressed something; the ids of the ledger entries that it made."""
        # A screen does not know the source's clock: what is pressed is pressed now.
        seats = self.session.table.seats
        told = self.session.press({**press, "t": self._now()})
        if self.session.table.seats != seats and self.store is not None:
            self.store.save_seats(self.facts.id, self.session.table.as_json()["seats"])
        if not told.entries:
            self.hub.snapshot()  # a pause or new names change what is shown, not the ledger
        if self.ended:
            self._keep()
        return tuple(entry.id for entry in told.entries)

    def _now(self) -> float:
        """This moment on the clock of the source; while no pictures come, time goes on without them."""
        quiet = time.monotonic() - (self._times[-1] if self._times else self._born)
        return round(self.session.t + (quiet if quiet > _QUIET_SECONDS else 0.0), 3)

    # On the event loop ---------------------------------------------------------------------------------------------

    def note_camera(self, state: str, message: str = "") -> None:
        """The source changed its state (any thread)."""
        self._call(self._set_camera, state, message)

    def _set_camera(self, state: str, message: str) -> None:
        if self.camera != "FAILED":
            self.camera = state
            self.message = (message or None) if state in _WORTH_TELLING else None
            self.hub.status(self.status())

    def _take(self, step: Step, events: list[TableEvent]) -> None:
        self._room.release()
        try:
            if isinstance(step, Seen):
                self._count(step)
                self.session.take(step.observation, events)
            elif isinstance(step, Resumed):
                self.session.take_up(step.t, step.away)
            else:
                take_step(self.session, step)
        except (EngineError, ServerError) as error:
            # A press of --inputs that makes no sense here: say so, the game goes on.
            self.message = str(error)
        except Exception:
            _LOG.exception("a step of the game could not be taken; the game goes on")
            self.message = "Something went wrong inside brisca; the game goes on, its log tells more."

    def _count(self, step: Seen) -> None:
        self._seen += 1
        self._times.append(time.monotonic())
        if self.camera == "INIT":
            self._set_camera("RUNNING", "")
        if step.observation.sightings is not None and step.seconds:
            self._reading.append(step.seconds)

    def _over(self, failure: str | None, reason: str | None) -> None:
        self.reason = reason
        self._whole = failure is None and not self._stop.is_set()
        if failure or self.camera != "NONE":  # what nobody watches does not end: the game does
            self._set_camera("FAILED" if failure else "ENDED", failure or "")
        # A camera that is lost ends nothing: the score stays and can be kept by hand until the program is closed.
        if failure is None:
            if self._whole:
                self.source_over()  # nobody ended it: the film has
            self._end()

    def _end(self) -> None:
        if self.ended:
            return
        self.ended = True
        self.session.finish()
        self.hub.snapshot()
        self._keep()

    def _keep(self) -> None:
        if self._on_end is not None:
            try:
                self._on_end(self.session.result())
            except ServerError as error:
                # A full disk must not take the game away from the screens; the command tells it again at its end.
                self.message = str(error)

    def _tell(self, told: Entries) -> None:
        if self.store is not None:
            pairs = [(entry.seq, body) for entry, body in zip(told.entries, told.bodies, strict=True)]
            self.store.append(self.facts.id, pairs)
        data = self.snapshot()
        for body in told.bodies:
            self.hub.event(body, data)

    # On the worker's thread ----------------------------------------------------------------------------------------

    def _work(self) -> None:
        failure: str | None = None
        reason: str | None = None
        try:
            for step in self._steps:
                events: list[TableEvent] = []
                if isinstance(step, Seen):
                    self.picture.offer(step.image, step.observation.size, step.observation.sightings)
                    # The tracker is used on this thread only; what it concludes goes to the loop with the frame.
                    events = self.session.track(step.observation)
                    self._keep_picture(step, events)
                elif isinstance(step, Resumed):
                    self.session.follow_on(step.t, step.away)
                while not self._room.acquire(timeout=0.2):
                    if self._stop.is_set():
                        return
                self._call(self._take, step, events)
                if self._stop.is_set():
                    return
        except (VisionError, EngineError, ServerError) as error:
            failure, reason = str(error), getattr(error, "reason", "") or BROKEN_OFF
        except Exception as error:
            _LOG.exception("reading the table broke off")
            reason = BROKEN_OFF
            failure = f"Reading the table broke off ({error!r}); start again, and report this if it happens again."
        self._call(self._over, failure, reason)

    def _keep_picture(self, step: Seen, events: list[TableEvent]) -> None:
        seen = step.observation
        if seen.sightings is not None:
            self._sightings = seen.sightings
        self.proofs.offer(events, seen.t, step.image, seen.size, self._sightings)
        if self.lessons is not None:
            self.lessons.offer(events, seen, step.image)
        if step.image is not None:
            self.scene.look(step.image, seen.motion, seen.t)

    def _call(self, function: Callable[..., None], *values: Any) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(function, *values)
