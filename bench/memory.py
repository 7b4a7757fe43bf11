"""Memory over an hour of play: one long session, accelerated, with scoreboards connected and one that is stuck.

A recorded session (``python -m bench.memory --recording FOLDER``; without one the demo film is read first) is repeated,
hand after hand, until it fills an hour on the source's clock. A real ``brisca watch`` in a process of its own plays it
faster, while real WebSockets read every message and one screen connects and never reads. The resident memory of the
server is told every few minutes of play. All frames are recorded ones, so what a camera holds is not in the figures.

What is left to grow is the game itself: ledger and evidence of every hand are kept, so that each can be put right, some
3 KiB for each card that was played. An hour at a real table (eight hands of forty cards) leaves 1 MiB; the short hands
of a repeated recording come faster.
"""

import argparse
import asyncio
import contextlib
import json
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.screens import ROOT, connected, memory_kib, start

MINUTES = 60.0
SPEED = 40.0
SCREENS = 8
POINTS = 12
"""Samples in the table."""


def record_demo(folder: Path) -> Path:
    """The demo film, read by the real weights and recorded."""
    target = folder / "demo"
    words = ["watch", "--source", "demo", "--headless", "--record", str(target)]
    subprocess.run([sys.executable, "-m", "server.cli", *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return target


def lengthened(lines: Sequence[dict[str, Any]], seconds: float) -> Iterator[dict[str, Any]]:
    """The inputs of a recording again and again, each time as the next hand, until ``seconds`` are full."""
    inputs = [line for line in lines if line["type"] in ("observation", "press")]
    span = max(line["data"]["t"] for line in inputs) + 2.0
    frames = sum(line["type"] == "observation" for line in inputs)
    rounds = 0
    while rounds * span < seconds:
        if rounds:
            yield {"type": "press", "data": {"type": "next_hand", "t": round(rounds * span, 4)}}
        for line in inputs:
            data = {**line["data"], "t": round(line["data"]["t"] + rounds * span, 4)}
            if line["type"] == "observation":
                data["frame"] += rounds * frames
            yield {"type": line["type"], "data": data}
        rounds += 1


def hour_of(recording: Path, folder: Path, minutes: float) -> Path:
    """A recording so long, made of another one."""
    folder.mkdir(parents=True)
    log = (recording / "log.jsonl").read_text(encoding="utf-8").splitlines()
    with (folder / "log.jsonl").open("w", encoding="utf-8") as out:
        for line in lengthened([json.loads(text) for text in log], 60 * minutes):
            out.write(json.dumps(line, separators=(",", ":")) + "\n")
    (folder / "session.json").write_bytes((recording / "session.json").read_bytes())
    return folder


def status(port: int, path: str) -> Any:
    """What the server tells at an address."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
        return json.load(answer)


async def watch(port: int, pid: int, minutes: float, screens: int) -> list[dict[str, float]]:
    """Connect the screens and sample the memory until the recording is over; each sample is printed as it comes."""
    rows: list[dict[str, float]] = []
    over = False
    async with connected(port, screens) as shown:
        while not over:
            told = await asyncio.to_thread(status, port, "/api/status")
            health = await asyncio.to_thread(status, port, "/api/health")
            over = told["camera"] in ("ENDED", "FAILED")
            if over or told["t"] >= len(rows) * 60 * minutes / POINTS:
                row = {
                    "minute": told["t"] / 60,
                    "mib": (memory_kib(pid) or 0) / 1024,
                    "events": len(shown.arrived),
                    "screens": health["screens"],
                    "gaps": len(shown.lost),
                }
                print("  ".join(f"{key} {value:8.1f}" for key, value in row.items()), flush=True)
                rows.append(row)
            await asyncio.sleep(0.5)
    return rows


def figures(
    recording: Path | None = None, minutes: float = MINUTES, speed: float = SPEED, screens: int = SCREENS
) -> list[dict[str, float]]:
    """Make the hour, start a server on it, sample its memory, end it."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        hour = hour_of(recording or record_demo(folder), folder / "hour", minutes)
        process, port = start(str(folder / "data"), str(hour), "--speed", str(speed))
        try:
            return asyncio.run(watch(port, process.pid, minutes, screens))
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(30)
            process.kill()


def growth(rows: Sequence[dict[str, float]]) -> float:
    """MiB between the first third, when everything has been used once, and the highest after it."""
    third = len(rows) // 3
    return max(row["mib"] for row in rows[third:]) - rows[third]["mib"]


def main() -> int:
    """Print the growth below the samples; 1 when a screen missed a message."""
    parser = argparse.ArgumentParser(prog="python -m bench.memory", description=__doc__)
    parser.add_argument("--recording", type=Path, help="a folder recorded with --record (default: the demo film)")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--speed", type=float, default=SPEED)
    args = parser.parse_args(sys.argv[1:] if sys.argv[0].endswith("memory.py") else [])
    rows = figures(args.recording, args.minutes, args.speed)
    print(f"growth after the first third: {growth(rows):.1f} MiB")
    return 1 if any(row["gaps"] for row in rows) else 0


if __name__ == "__main__":
    raise SystemExit(main())
