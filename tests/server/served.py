"""A served table for tests: the real app on a port, whose steps a test hands over one by one."""

import asyncio
import contextlib
import http.client
import json
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from server.sessions.intake import Step
from server.sessions.session import Session, make_table
from server.sessions.sitting import SessionFacts
from server.sessions.store import Store
from server.web.live import LiveTable
from server.web.serve import serve


@dataclass
class Running:
    """A served table whose steps a test hands over one by one."""

    table: LiveTable
    port: int
    steps: queue.SimpleQueue[Step | Exception | None]
    results: list[dict[str, Any]] = field(default_factory=list)

    def feed(self, *steps: Step) -> None:
        for step in steps:
            self.steps.put(step)

    def get(self, path: str) -> tuple[int, Any]:
        return self.ask("GET", path)

    def ask(self, method: str, path: str, body: bytes | None = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            content = answer.read()
            return answer.status, json.loads(content) if "json" in answer.headers["content-type"] else content
        finally:
            connection.close()

    def screen(self, **options: Any) -> ClientConnection:
        return connect(f"ws://127.0.0.1:{self.port}/ws", open_timeout=10, **options)


@contextlib.contextmanager
def running(tmp_path: Path, store: bool = True) -> Iterator[Running]:
    """A table of two, served until the block ends."""
    steps: queue.SimpleQueue[Step | Exception | None] = queue.SimpleQueue()

    def handed_over() -> Iterator[Step]:
        while not stop.is_set():
            try:
                step = steps.get(timeout=0.05)
            except queue.Empty:
                continue
            if step is None:
                return
            if isinstance(step, Exception):
                raise step
            yield step

    stop = threading.Event()
    sitting = make_table("arrastro", "south=Ana,north=Luis")
    facts = SessionFacts.begin("a film")
    history = Store(tmp_path / "history.sqlite") if store else None
    if history is not None:
        history.begin(facts.row(sitting, None))
    results: list[dict[str, Any]] = []
    table = LiveTable(
        Session(sitting), facts, handed_over(), stop, version="1.2.3", store=history, on_end=results.append
    )
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    ready = threading.Event()
    handles: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def main() -> None:
        over = asyncio.Event()
        handles.append((asyncio.get_running_loop(), over))
        await serve(table, listener, on_ready=ready.set, stop=over)

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    try:
        assert ready.wait(10)
        yield Running(table, port, steps, results)
    finally:
        loop, over = handles[0]
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(over.set)
        thread.join(15)
        assert not thread.is_alive()
        if history is not None:
            history.close()


def until(screen: ClientConnection, wanted: Callable[[dict[str, Any]], bool], seconds: float = 30) -> dict[str, Any]:
    """The first message that is wanted."""
    end = time.monotonic() + seconds
    while True:
        message = json.loads(screen.recv(timeout=max(0.01, end - time.monotonic())))
        if wanted(message):
            return message


def is_type(name: str) -> Callable[[dict[str, Any]], bool]:
    return lambda message: message["type"] == name
