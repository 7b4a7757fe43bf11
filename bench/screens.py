"""Two hundred scoreboards at once: how long after a press the last of them has the event, with one that is stuck.

A real ``brisca watch`` in a process of its own, real WebSockets, presses over HTTP. A figure says how long after the
press was sent a screen had the message in its hands; it includes the press itself, and the work of all these clients,
which share the machine with the server. The stuck screen connects and never reads.
"""

import asyncio
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from websockets.asyncio.client import connect

SCREENS = 200
PRESSES = 60
WITHIN_MS = 250.0
"""What the 95th percentile should stay below on a machine that does nothing else."""

HEAD = re.compile(r'\{"type":"(\w+)","seq":(\d+)(?:,"event":\{"seq":\d+,"id":"(\w+)")?')
ROOT = Path(__file__).parents[1]


def start(data: str, source: str = "none", *more: str) -> tuple[subprocess.Popen[str], int]:
    """A server (without a camera unless another source is given); its process and port."""
    words = ["watch", "--source", source, "--port", "0", "--no-browser", "--data", data, *more]
    process = subprocess.Popen(
        [sys.executable, "-m", "server.cli", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    match = re.search(r":(\d+)/", process.stdout.readline())
    if match is None:
        raise SystemExit("brisca watch did not start.")
    return process, int(match[1])


def press(port: int, body: dict[str, Any]) -> float:
    """Press something; when it was sent."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/press", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    sent = time.perf_counter()
    with urllib.request.urlopen(request, timeout=30):
        return sent


def stuck_screen(port: int) -> socket.socket:
    """A screen that connects, with as small a buffer as the system allows, and never reads."""
    stuck = socket.socket()
    stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    stuck.connect(("127.0.0.1", port))
    stuck.sendall(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    return stuck


async def screen(port: int, arrived: dict[str, list[float]], ready: asyncio.Semaphore, lost: list[str]) -> None:
    """One scoreboard: notes when each event came, and whether a number was missing."""
    async with connect(f"ws://127.0.0.1:{port}/ws", max_size=None, open_timeout=60, ping_interval=None) as wire:
        last: int | None = None
        async for text in wire:
            now = time.perf_counter()
            match = HEAD.match(str(text)[:120])  # reading it all would measure this process, not the server
            if match is None:
                continue
            kind, seq = match[1], int(match[2])
            if kind == "hello":
                continue
            if kind == "snapshot" and last is None:
                last = seq
                ready.release()
                continue
            if last is not None and seq != last + 1:
                lost.append(f"{last} -> {seq}")
            last = seq
            if kind == "event" and match[3] is not None:
                arrived.setdefault(match[3], []).append(now)


@dataclass
class Screens:
    """Connected scoreboards: when each event came to each of them, and numbers that were missing."""

    arrived: dict[str, list[float]] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)


@contextlib.asynccontextmanager
async def connected(port: int, count: int) -> AsyncIterator[Screens]:
    """So many scoreboards, and one more that is stuck, until the block ends."""
    screens, ready = Screens(), asyncio.Semaphore(0)
    tasks = [asyncio.create_task(screen(port, screens.arrived, ready, screens.lost)) for _ in range(count)]
    for _ in range(count):
        await ready.acquire()
    stuck = stuck_screen(port)
    try:
        yield screens
    finally:
        stuck.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def memory_kib(pid: int) -> int | None:
    """Resident memory of a process; None where the system does not tell."""
    status = Path(f"/proc/{pid}/status")
    match = re.search(r"VmRSS:\s+(\d+)", status.read_text()) if status.is_file() else None
    return None if match is None else int(match[1])


async def load(port: int, pid: int, screens: int, presses: int) -> dict[str, float]:
    """Connect all, press, and count."""
    seen: list[float] = []
    missing = 0
    async with connected(port, screens) as told:
        arrived = told.arrived
        await asyncio.sleep(1.0)
        before = memory_kib(pid)
        for number in range(presses):
            body = {"type": "arrastre_called", "seat": number % 2} if number % 2 == 0 else {"type": "undo"}
            known = set(arrived)
            at = await asyncio.to_thread(press, port, body)
            end = time.perf_counter() + 10
            while time.perf_counter() < end:
                fresh = [key for key in arrived if key not in known]
                if fresh and all(len(arrived[key]) >= screens for key in fresh):
                    break
                await asyncio.sleep(0.005)
            for key in (key for key in arrived if key not in known):
                seen += [1000 * (t - at) for t in arrived[key]]
                missing += screens - len(arrived[key])
        after = memory_kib(pid)
    seen.sort()
    return {
        "screens": screens,
        "presses": presses,
        "messages": len(seen),
        "missing": missing,
        "gaps": len(told.lost),
        "median_ms": median(seen) if seen else 0.0,
        "p95_ms": seen[int(0.95 * (len(seen) - 1))] if seen else 0.0,
        "worst_ms": seen[-1] if seen else 0.0,
        "memory_before_mib": (before or 0) / 1024,
        "memory_after_mib": (after or 0) / 1024,
    }


def figures(screens: int = SCREENS, presses: int = PRESSES) -> dict[str, float]:
    """Start a server, load it, end it."""
    with tempfile.TemporaryDirectory() as data:
        process, port = start(data)
        try:
            press(port, {"type": "set_trump", "card": "4O"})
            for seat, card in ((0, "3C"), (1, "12C"), (0, "1O")):
                trick = 1 if card != "1O" else 2
                press(port, {"type": "add_play", "trick": trick, "seat": seat, "card": card})
            return asyncio.run(load(port, process.pid, screens, presses))
        finally:
            process.terminate()
            process.wait(20)


def main() -> int:
    """Print the figures; 1 when a message was lost. The time is told, and judged by whoever knows the machine."""
    rows = figures()
    for key, value in rows.items():
        print(f"{key:20} {value:10.1f}")
    if rows["p95_ms"] > WITHIN_MS:
        print(f"slower than {WITHIN_MS:.0f} ms at the 95th percentile: is the machine busy?")
    return 1 if rows["missing"] or rows["gaps"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
