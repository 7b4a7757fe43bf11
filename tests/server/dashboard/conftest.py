"""The dashboard in a real headless Chromium, served by the real app with its real hub and headers.

The states come from the engine's own snapshot of a game, changed where a test needs something rare. Without a browser
the tests are skipped; BRISCA_REQUIRE_BROWSER=1 makes that a failure, BRISCA_BROWSER names the browser to take.
"""

import asyncio
import copy
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any

import pytest
import uvicorn

from engine.state import GameState
from server.errors import NotFoundError, PressError
from server.scoreboard.picture import LivePicture
from server.scoreboard.proofs import Proofs
from server.scoreboard.snapshot import snapshot_json
from server.sessions.intake import Seen
from server.sessions.session import Session, make_table
from server.sessions.sitting import SessionFacts
from server.web.app import create_app
from server.web.hub import Hub
from server.web.live import LiveTable
from server.web.serve import serve

SEATS = {
    2: "south=Ana,north=Luis",
    3: "south=Ana,east=Luis,west=Mercedes",
    4: "south=Ana,east=Luis,north=Mercedes,west=José Antonio",
}


class Posted:
    """A desk that shows what it is given and keeps what is pressed."""

    def __init__(self, state: dict[str, Any]) -> None:
        self.state = state
        self.camera: dict[str, Any] = {"camera": "RUNNING", "fps": 14.8, "dropped": 3, "t": 63.2, "progress": None}
        self.presses: list[dict[str, Any]] = []
        self.refuse: PressError | None = None
        self.version = "1.2.3"
        self.store = None
        self.picture = LivePicture()
        self.proofs = Proofs()
        self.hub = Hub(self.snapshot, self.version)

    def snapshot(self) -> Mapping[str, Any]:
        return self.state

    def hand(self, number: int) -> Mapping[str, Any]:
        raise NotFoundError(f"There is no hand {number}.", "no_such_hand", hand=number)

    def result(self) -> dict[str, Any]:
        return {}

    def status(self) -> Mapping[str, Any]:
        return self.camera

    def press(self, press: dict[str, Any]) -> tuple[str, ...]:
        if self.refuse is not None:
            raise self.refuse
        self.presses.append(press)
        return ("e1",)


class Served:
    """A desk on a port, in a thread of its own."""

    def __init__(self, desk: Posted, port: int = 0) -> None:
        self.desk = desk
        self.listener = socket.create_server(("127.0.0.1", port))
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        config = uvicorn.Config(
            create_app(desk), log_level="warning", lifespan="off", ws="websockets-sansio", timeout_graceful_shutdown=1
        )
        self.server = uvicorn.Server(config)
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.loop.run_until_complete(self.server.serve(sockets=[self.listener]))
        finally:
            self.loop.close()

    def do(self, call: Callable[[], None]) -> None:
        """Do something on the event loop, which owns the hub."""
        done = threading.Event()
        self.loop.call_soon_threadsafe(lambda: (call(), done.set()))
        assert done.wait(60)

    def post(self, state: dict[str, Any]) -> None:
        """Show another state, told as an event."""
        self.desk.state = state
        self.do(lambda: self.desk.hub.event({}, state))

    def tell(self, **status: Any) -> None:
        self.desk.camera = {**self.desk.camera, **status}
        self.do(lambda: self.desk.hub.status(self.desk.camera))

    def stop(self) -> None:
        def leave() -> None:
            self.desk.picture.close()
            self.desk.hub.close()
            self.server.should_exit = True

        if self.thread.is_alive():
            self.do(leave)
            self.thread.join(10)
        assert not self.thread.is_alive()


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens pages: ``opened(served, "/?view=tv", width, height, locale)``.

    A console error or a violation of the Content-Security-Policy fails the test.
    """
    contexts: list[Any] = []
    complaints: list[str] = []

    def open_page(
        served: Served, path: str = "/", width: int = 1280, height: int = 800, locale: str = "es-ES", ready: bool = True
    ) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, locale=locale)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.add_init_script(
            "window.blocked = []; document.addEventListener('securitypolicyviolation',"
            " (event) => window.blocked.push(`${event.violatedDirective} ${event.blockedURI}`));"
        )
        page.goto(served.url + path)
        if ready:
            page.wait_for_selector("html[data-link=live][data-ready=true]")
        return page

    yield open_page
    blocked = [one for context in contexts for page in context.pages for one in page.evaluate("window.blocked")]
    for context in contexts:
        context.close()
    # A server that was stopped on purpose cannot be reached; the browser itself writes that to the console.
    assert [one for one in complaints if "ERR_CONNECTION_REFUSED" not in one] == []
    assert blocked == []


@pytest.fixture
def served() -> Iterator[Callable[[dict[str, Any]], Served]]:
    running: list[Served] = []

    def start(state: dict[str, Any], port: int = 0) -> Served:
        running.append(Served(Posted(state), port))
        return running[-1]

    yield start
    for one in running:
        one.stop()


class Table:
    """A real game on a real server: a test hands its frames over one by one."""

    def __init__(self, seats: str, profile: str = "arrastro", by_hand: bool = False) -> None:
        self.steps: queue.SimpleQueue[Seen | None] = queue.SimpleQueue()
        self.session = Session(make_table(profile, seats))
        facts = SessionFacts.begin("none" if by_hand else "a film")
        self.live = LiveTable(self.session, facts, iter(self.steps.get, None), threading.Event(), version="1.2.3")
        if by_hand:
            self.live.camera = "NONE"
        listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.loop = asyncio.new_event_loop()
        self.over = asyncio.Event()
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(listener,))
        self.thread.start()
        assert self.ready.wait(60)

    def _run(self, listener: socket.socket) -> None:
        try:
            self.loop.run_until_complete(serve(self.live, listener, on_ready=self.ready.set, stop=self.over))
        finally:
            self.loop.close()

    def ask(self, call: Callable[[], Any]) -> Any:
        """Do something on the event loop, which owns the game."""
        done: Future[Any] = Future()

        def run() -> None:
            try:
                done.set_result(call())
            except Exception as error:
                done.set_exception(error)

        self.loop.call_soon_threadsafe(run)
        return done.result(60)

    def feed(self, observations: Any, until: Callable[[GameState], bool] | None = None) -> None:
        """Hand frames over, one after the other, until the hand looks as wanted (or all are seen)."""
        for observation in observations:
            self.steps.put(Seen(observation))
            end = time.monotonic() + 60
            while self.ask(lambda: self.session.t) < observation.t:
                assert time.monotonic() < end
                time.sleep(0.002)
            if until is not None and self.ask(lambda: self.session.state.hand and until(self.session.state.hand)):
                return
        assert until is None, "the game ended before that"

    def hand(self) -> GameState:
        hand = self.ask(lambda: self.session.state.hand)
        assert hand is not None
        return hand

    def stop(self) -> None:
        if self.thread.is_alive():
            self.steps.put(None)
            self.loop.call_soon_threadsafe(self.over.set)
            self.thread.join(15)
        assert not self.thread.is_alive()


@pytest.fixture
def table() -> Iterator[Callable[..., Table]]:
    """Opens tables: ``table("south=Ana,north=Luis", by_hand=True)``."""
    running: list[Table] = []

    def start(seats: str = SEATS[2], **options: Any) -> Table:
        running.append(Table(seats, **options))
        return running[-1]

    yield start
    for one in running:
        one.stop()


@pytest.fixture(scope="module")
def played(witnessed: Callable[..., Any]) -> Callable[[int], dict[str, Any]]:
    """The snapshot in mid-game of a table of so many players."""

    def state(players: int = 2) -> dict[str, Any]:
        table = make_table("tres_39" if players == 3 else "arrastro", SEATS[players])
        session = Session(table)
        game = witnessed(1, table.profile, players, 3)
        for observation in game.observations:
            session.observe(observation)
            hand = session.state.hand
            if hand is not None and len(hand.tricks) == 2 and hand.trick:
                break
        return copy.deepcopy(snapshot_json(SessionFacts("s1", "a film", "2025-01-01T10:00:00Z"), session, False))

    return state
