"""Serves a live table until Ctrl-C: uvicorn in this process, our own signals, an orderly end."""

import asyncio
import contextlib
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator
from typing import Final

import uvicorn

from server.web.app import create_app
from server.web.guard import BODY_LIMIT
from server.web.live import LiveTable
from server.web.room import Room

_GRACE_SECONDS: Final = 2
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers: ours have to end the game as well."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve(
    table: LiveTable | Room,
    listener: socket.socket,
    host_names: tuple[str, ...] = (),
    on_ready: Callable[[], None] | None = None,
    stop: asyncio.Event | None = None,
) -> None:
    """Serve a room, or one table, on ``listener`` until a signal comes or ``stop`` is set; end it in good order."""
    config = uvicorn.Config(
        create_app(table, host_names, table if isinstance(table, Room) else None),
        log_level="warning",
        access_log=False,
        lifespan="off",
        ws="websockets-sansio",
        ws_max_size=BODY_LIMIT,
        ws_per_message_deflate=False,  # it would compress each message anew for each screen
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        server_header=False,
    )
    server = _Server(config)
    over = stop if stop is not None else asyncio.Event()
    with _signals(over):
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        ending = asyncio.create_task(over.wait())
        table.start()
        status = asyncio.create_task(table.tell_status())
        try:
            while not server.started and not serving.done():
                await asyncio.sleep(0.01)
            if on_ready is not None and not serving.done():
                on_ready()
            await asyncio.wait({serving, ending}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            status.cancel()
            ending.cancel()
            # The game first: the screens still see the result, and nothing that follows can lose it.
            await table.stop()
            server.should_exit = True
            await asyncio.gather(serving, status, ending, return_exceptions=True)
    if serving.done() and not serving.cancelled() and (error := serving.exception()) is not None:
        raise error


def open_page(url: str) -> None:
    """Open the page in the user's browser without waiting for it."""
    threading.Thread(target=lambda: webbrowser.open(url), name="browser", daemon=True).start()


@contextlib.contextmanager
def _signals(over: asyncio.Event) -> Iterator[None]:
    """Set ``over`` on Ctrl-C or a request to end; a second one breaks off at once."""
    loop = asyncio.get_running_loop()
    before = {}

    def ask() -> None:
        if over.is_set():
            raise KeyboardInterrupt
        over.set()

    def handle(number: int, frame: object) -> None:
        loop.call_soon_threadsafe(ask)

    # signal.signal can be used in the main thread only; elsewhere (tests) the stop event does the same.
    if threading.current_thread() is threading.main_thread():
        for number in _SIGNALS:
            before[number] = signal.signal(number, handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
