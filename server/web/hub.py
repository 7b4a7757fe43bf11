"""The hub: tells every connected screen what has changed, each message serialised once.

All of it runs on one event loop. Every message bears an increasing ``seq``; a screen that finds a gap asks for the
whole state. A screen that cannot keep up is dropped, never waited for: its browser connects again and starts from a
fresh snapshot.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Final

LANGUAGES: Final = ("es", "en", "it", "pt")
BACKLOG: Final = 256
"""Messages that may wait for one screen before it is dropped."""

State = Mapping[str, Any]


class Client:
    """One connected screen: iterate it for the texts to send; the iteration ends when the screen is to be closed.

    ``slow`` says that it was dropped because it did not keep up.
    """

    def __init__(self, backlog: int) -> None:
        self.slow = False
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._backlog = backlog
        self._closed = asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[str]:
        while (text := await self._queue.get()) is not None and not self.slow:
            yield text

    async def wait_closed(self) -> None:
        """Return when the hub is done with this screen, even if a send to it is stuck."""
        await self._closed.wait()

    def offer(self, text: str) -> bool:
        """Queue a text; False when the screen is too far behind (it is closed then)."""
        if self._closed.is_set():
            return False
        if self._queue.qsize() >= self._backlog:
            self.slow = True
            self.close()
            return False
        self._queue.put_nowait(text)
        return True

    def close(self) -> None:
        """End the iteration once what was queued is out."""
        if not self._closed.is_set():
            self._queue.put_nowait(None)
            self._closed.set()


class Hub:
    """Fans messages out to the clients. ``snapshot`` gives the whole state, JSON-ready, whenever one joins."""

    def __init__(self, snapshot: Callable[[], State], version: str, backlog: int = BACKLOG) -> None:
        self.seq = 0
        self.dropped = 0
        self._snapshot = snapshot
        self._version = version
        self._backlog = backlog
        self._clients: set[Client] = set()
        self._closed = False

    @property
    def size(self) -> int:
        """How many screens are connected."""
        return len(self._clients)

    def join(self) -> Client:
        """A new client, greeted with hello and the snapshot."""
        client = Client(self._backlog)
        client.offer(_text({"type": "hello", "seq": 0, "version": self._version, "languages": list(LANGUAGES)}))
        self.resync(client)
        if self._closed:
            client.close()
        else:
            self._clients.add(client)
        return client

    def leave(self, client: Client) -> None:
        """Forget a client."""
        self._clients.discard(client)
        client.close()

    def resync(self, client: Client) -> None:
        """Send the whole state to one client; its counting goes on from the ``seq`` in it."""
        client.offer(_text({"type": "snapshot", "seq": self.seq, "data": self._snapshot()}))

    def answer(self, client: Client, message: State) -> None:
        """Send something to one client only (results and errors of what it asked; not numbered)."""
        client.offer(_text(message))

    def event(self, event: State, data: State) -> None:
        """Tell everybody one ledger entry and the state after it."""
        self._publish({"type": "event", "event": event, "data": data})

    def snapshot(self) -> None:
        """Send the whole state to everybody (something other than the ledger has changed)."""
        self._publish({"type": "snapshot", "data": self._snapshot()})

    def status(self, data: State) -> None:
        """Tell everybody how the camera is doing."""
        self._publish({"type": "status", "data": data})

    def close(self) -> None:
        """Send every client away."""
        self._closed = True
        for client in tuple(self._clients):
            self.leave(client)

    def _publish(self, message: dict[str, Any]) -> None:
        self.seq += 1
        text = _text({"type": message.pop("type"), "seq": self.seq, **message})
        for client in tuple(self._clients):
            if not client.offer(text):
                self.dropped += 1
                self._clients.discard(client)


def _text(message: State) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
