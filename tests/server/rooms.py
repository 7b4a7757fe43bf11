"""A served room for tests: the real app, hub, guard and history, with real films and a real phone camera."""

import asyncio
import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from server.decks import Decks, EnrolledDeck
from server.sessions.session import make_table
from server.sessions.store import Store
from server.web.opening import Game
from server.web.room import Addresses, Room
from server.web.serve import serve
from vision.enrolment import Face
from vision.labels import INDEX, LABELS
from vision.references import KEPT_SIZE, kept_quad
from vision.synth.decks import own_deck

TWO = [{"side": "south", "name": "Ana"}, {"side": "north", "name": "Luis"}]


@dataclass
class ServedRoom:
    """A room on a port of this machine."""

    room: Room
    port: int
    store: Store
    over: list[Game] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            data = None if body is None else json.dumps(body)
            connection.request(method, path, data, {"Content-Type": "application/json", **headers})
            answer = connection.getresponse()
            content = answer.read()
            return answer.status, json.loads(content) if "json" in answer.headers["content-type"] else content
        finally:
            connection.close()

    def start(self, **body: Any) -> tuple[int, Any]:
        return self.ask("POST", "/api/game", {"source": {"kind": "demo"}, "people": TWO, **body})

    def wait(self, path: str, wanted: Any, seconds: float = 60) -> Any:
        """Ask until the answer is as wanted."""
        end = time.monotonic() + seconds
        while not wanted(answer := self.ask("GET", path)[1]):
            assert time.monotonic() < end, answer
            time.sleep(0.1)
        return answer


@contextlib.contextmanager
def serving_room(folder: Path, in_the_room: bool = False, port: int = 0) -> Iterator[ServedRoom]:
    """A room without a game, served until the block ends."""
    store = Store(folder / "history.sqlite")
    listener = socket.create_server(("127.0.0.1", port))
    port = listener.getsockname()[1]
    ready = threading.Event()
    over: list[Game] = []
    handles: list[Any] = []

    async def main() -> None:
        stop = asyncio.Event()
        addresses = Addresses(f"http://127.0.0.1:{port}/", "http://192.168.1.20:8420/" if in_the_room else None)
        room = Room(make_table("arrastro"), "1.2.3", addresses, store, over.append)
        room.decks = Decks(folder)
        handles.extend((asyncio.get_running_loop(), stop, room))
        await serve(room, listener, on_ready=ready.set, stop=stop)

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    try:
        assert ready.wait(60)
        yield ServedRoom(handles[2], port, store, over)
    finally:
        with contextlib.suppress(RuntimeError):
            handles[0].call_soon_threadsafe(handles[1].set)
        thread.join(20)
        assert not thread.is_alive()
        store.close()


def write_film(path: Path, seconds: float = 2.0) -> Path:
    """A real film of an empty green table."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10, (640, 360))
    for number in range(round(10 * seconds)):
        image = np.full((360, 640, 3), (62, 92 + number % 2, 40), np.uint8)
        writer.write(image)
    writer.release()
    return path


class _Camera(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.opened += 1  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        image = np.full((240, 320, 3), (40, 160, 220), np.uint8)
        with contextlib.suppress(OSError):
            while not self.server.ended.is_set():  # type: ignore[attr-defined]
                image[:20, :20] = (image[:20, :20].astype(int) + 3) % 255
                jpeg = cv2.imencode(".jpg", image)[1].tobytes()
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                self.wfile.write(head.encode() + jpeg + b"\r\n")
                time.sleep(0.1)
        self.server.left += 1  # type: ignore[attr-defined]

    def log_message(self, *words: Any) -> None:
        pass


@contextlib.contextmanager
def phone_camera(port: int = 0) -> Iterator[Any]:
    """A phone that serves its camera as motion JPEG; ``url``, ``opened`` and ``left`` count the viewers."""
    server: Any = ThreadingHTTPServer(("127.0.0.1", port), _Camera)
    server.daemon_threads = True
    server.opened = server.left = 0
    server.ended = threading.Event()
    server.url = f"http://127.0.0.1:{server.server_port}/video"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.ended.set()
        server.shutdown()
        server.server_close()


def known_deck(data: Path, name: str) -> EnrolledDeck:
    """A deck of which four cards are known, drawn by our own code and told, so that nothing has to be read."""
    art, cards = own_deck(300), []
    left, top, right, bottom = (int(v) for v in (*kept_quad()[0], *kept_quad()[2]))
    for label in ("1O", "3C", "7E", "12B"):
        crop = np.full((*KEPT_SIZE, 3), (40, 90, 50), np.uint8)
        crop[top:bottom, left:right] = cv2.resize(art.face(label)[..., :3], (right - left, bottom - top))
        even = np.full(len(LABELS), 1 / len(LABELS), np.float32)
        cards.append([Face(crop, even, np.zeros(1, np.float32), 0.9)])
    return Decks(data).enrol(name, cards, 40, dict(enumerate(INDEX[label] for label in ("1O", "3C", "7E", "12B"))))
