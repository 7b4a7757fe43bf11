"""How long after a card lies still the screens know of it: a made-up film sent live, as a phone sends its camera.

The film (720p, 15 pictures a second) is sent in real time as motion JPEG; a real ``brisca watch`` in a process of its
own reads it as any stream, drops what it has no time for, and a real WebSocket waits for the events. A figure counts
from the sending of the first picture in which the card lies still, as the film's truth has it, to the arrival of the
first event that names the card. The same film is read once more as fast as the machine can, without screens.
"""

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

import cv2
from websockets.asyncio.client import connect

SEED = 390
TRICKS = 20
FPS = 15
WITHIN_SECONDS = 0.6
"""What the 95th percentile should stay below on a machine that does nothing else."""

PATIENCE = 5.0
"""The last picture is sent on for so many seconds."""

ROOT = Path(__file__).parents[1]
ENVIRONMENT = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(ROOT)}


def brisca(*words: str) -> list[str]:
    """The command line of ``brisca`` in this source tree."""
    return [sys.executable, "-m", "server.cli", *words]


@dataclass
class Camera:
    """A film as a live camera: ``sent`` is when each picture went out, on the clock of :func:`time.perf_counter`."""

    pictures: list[bytes]
    sent: dict[int, float] = field(default_factory=dict)
    over: threading.Event = field(default_factory=threading.Event)
    _start: float | None = None

    def stream(self) -> Iterator[bytes]:
        """The pictures from now on, each in its time; the clock starts with the first viewer."""
        self._start = time.perf_counter() if self._start is None else self._start
        last = len(self.pictures) - 1
        number = int((time.perf_counter() - self._start) * FPS)
        while not self.over.is_set() and number <= last + PATIENCE * FPS:
            time.sleep(max(0.0, self._start + number / FPS - time.perf_counter()))
            self.sent.setdefault(number, time.perf_counter())
            yield self.pictures[min(number, last)]
            number += 1
        self.over.set()


@contextlib.contextmanager
def served(camera: Camera) -> Iterator[str]:
    """The camera on a port of this machine; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            with contextlib.suppress(OSError):
                for jpeg in camera.stream():
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                    self.wfile.write(head.encode() + jpeg + b"\r\n")

        def log_message(self, *words: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/camera"
    finally:
        camera.over.set()
        server.shutdown()
        server.server_close()


def pictures(film: Path) -> list[bytes]:
    """The frames of a film as JPEGs."""
    capture = cv2.VideoCapture(str(film))
    found: list[bytes] = []
    while True:
        more, image = capture.read()
        if not more:
            return found
        found.append(cv2.imencode(".jpg", image, [int(cv2.IMWRITE_JPEG_QUALITY), 92])[1].tobytes())


def card_of(entry: dict[str, Any] | None) -> str | None:
    """The card that an entry of the ledger names as played."""
    body = (entry or {}).get("body", entry) or {}
    fact = body.get("event", body)
    return fact.get("card") if fact.get("type") == "card_played" else None


async def listen(port: int, camera: Camera) -> tuple[dict[str, float], int]:
    """When the first event that names each card came, and how many pictures were dropped."""
    came: dict[str, float] = {}
    dropped = 0
    async with connect(f"ws://127.0.0.1:{port}/ws", max_size=None, open_timeout=60) as wire:
        while not camera.over.is_set():
            with contextlib.suppress(TimeoutError):
                message = json.loads(await asyncio.wait_for(wire.recv(), 0.5))
                now = time.perf_counter()
                if message["type"] == "event" and (card := card_of(message["event"])) is not None:
                    came.setdefault(card, now)
                if message["type"] == "status":
                    dropped = int(message["data"].get("dropped") or dropped)
    return came, dropped


def live(film: Path, data: str) -> tuple[dict[str, float], Camera, int]:
    """Send the film to a real server and listen to what it tells."""
    camera = Camera(pictures(film))
    with served(camera) as address:
        process = subprocess.Popen(
            brisca("watch", "--source", address, "--port", "0", "--no-browser", "--data", data),
            cwd=ROOT,
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            port = next((m[1] for text in process.stdout if (m := re.search(r"127\.0\.0\.1:(\d+)/", text))), None)
            if port is None:
                raise SystemExit("brisca watch did not start.")
            came, dropped = asyncio.run(listen(int(port), camera))
        finally:
            process.terminate()
            process.wait(30)
    return came, camera, dropped


def main() -> None:
    """Make the film, send it, read it, print the figures. The times are told, and judged by who knows the machine."""
    with tempfile.TemporaryDirectory() as folder:
        film = Path(folder, "film")
        words = ("simulate", "--out", str(film), "--seed", str(SEED), "--tricks", str(TRICKS), "--fps", str(FPS))
        subprocess.run(brisca(*words), cwd=ROOT, env=ENVIRONMENT, check=True, capture_output=True)
        truth = json.loads((film / "truth.json").read_text(encoding="utf-8"))
        seconds = truth["film"]["frames"] / FPS
        came, camera, dropped = live(film / "game.mp4", str(Path(folder, "data")))
        plays = [play for trick in truth["tricks"] for play in trick["plays"]]
        waits = []
        for play in plays:
            rests = camera.sent.get(-int(-play["t"] * FPS // 1))  # the first picture that is not earlier
            if rests is not None and play["card"] in came:
                waits.append(came[play["card"]] - rests)
        waits.sort()
        print(f"{len(waits)} of {len(plays)} plays told, {dropped} of {len(camera.sent)} pictures dropped")
        if waits:
            worst = waits[int(0.95 * (len(waits) - 1) + 0.5)]
            print(f"card at rest to event: median {median(waits):.2f} s, 95 % {worst:.2f} s, worst {waits[-1]:.2f} s")
            if worst > WITHIN_SECONDS:
                print(f"slower than {WITHIN_SECONDS:.1f} s at the 95th percentile: is the machine busy?")
        began = time.perf_counter()
        read = brisca("watch", "--source", str(film / "game.mp4"), "--headless", "--out", str(Path(folder, "out.json")))
        subprocess.run(read, cwd=ROOT, env=ENVIRONMENT, check=True, capture_output=True)
        took = time.perf_counter() - began
        print(f"headless: {took:.1f} s for {seconds:.1f} s of film, {seconds / took:.2f} times as fast as the film")


if __name__ == "__main__":
    main()
