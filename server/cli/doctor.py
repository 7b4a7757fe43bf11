"""``brisca doctor``: check everything that a game needs, and say what to do about what is missing."""

import argparse
import importlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final, Literal

from engine.errors import EngineError
from server.errors import ServerError
from vision.errors import VisionError

Verdict = Literal["ok", "note", "bad"]
PACKAGES: Final = (
    ("numpy", "numpy"),
    ("opencv-python-headless", "cv2"),
    ("onnxruntime", "onnxruntime"),
    ("fastapi", "fastapi"),
    ("uvicorn", "uvicorn"),
    ("websockets", "websockets"),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: what, how it stands, and for what is not well what to do."""

    verdict: Verdict
    what: str
    detail: str


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``doctor``."""
    parser = subparsers.add_parser(
        "doctor",
        help="check that everything is ready for a game",
        description="Check Python, packages, weights, camera, port and folders; each trouble comes with its cure.",
    )
    parser.add_argument("--data", metavar="DIR", help="folder of the history (default: the user's data folder)")
    parser.add_argument("--host", metavar="ADDRESS", help="address to serve on")
    parser.add_argument("--port", metavar="PORT", help="port to serve on")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Make all checks; 1 when something keeps a game from being watched (a missing camera does not: see the demo)."""
    signs = {"ok": "ok  ", "note": "note", "bad": "BAD "}
    bad = 0
    for finding in findings(args):
        bad += finding.verdict == "bad"
        print(f"{signs[finding.verdict]}  {finding.what}: {finding.detail}", flush=True)
    print("Everything is ready." if not bad else f"{bad} thing{'s' if bad > 1 else ''} to mend, see BAD above.")
    return 1 if bad else 0


def findings(args: argparse.Namespace) -> Iterator[Finding]:
    """All checks, in the order in which a game needs them."""
    yield check_python()
    for distribution, module in PACKAGES:
        yield check_package(distribution, module)
    for what, check in (
        ("video files", check_video),
        ("weights", check_weights),
        ("demo film", check_demo),
        ("camera", check_camera),
        ("history", lambda: check_history(args.data)),
        ("port", lambda: check_port(args.host, args.port)),
        ("browser window", check_display),
    ):
        yield guarded(what, check)


def guarded(what: str, check: Callable[[], Finding]) -> Finding:
    """A check whose errors are findings."""
    try:
        return check()
    except (ServerError, EngineError, VisionError) as error:
        return Finding("bad", what, str(error))
    except ImportError as error:
        return Finding("bad", what, f"{error}; install brisca-table again.")


def check_python(version: tuple[int, int] | None = None) -> Finding:
    """Python must be new enough."""
    have = version or sys.version_info[:2]
    text = f"{have[0]}.{have[1]}"
    if have < (3, 11):
        return Finding("bad", "python", f"{text}, but 3.11 is needed; install a newer Python.")
    return Finding("ok", "python", text)


def check_package(distribution: str, module: str) -> Finding:
    """A package must be there and load (a system library may be missing even so)."""
    try:
        importlib.import_module(module)
    except ImportError as error:
        return Finding("bad", distribution, f"does not load ({error}); pip install --force-reinstall {distribution}")
    try:
        return Finding("ok", distribution, metadata.version(distribution))
    except metadata.PackageNotFoundError:
        return Finding("note", distribution, f"loads as {module}, but from another package")


def check_video() -> Finding:
    """OpenCV must be able to open films: a small one is written and read."""
    import cv2
    import numpy as np

    build = cv2.getBuildInformation()
    ffmpeg = next((line.split(":", 1)[1].strip() for line in build.splitlines() if "FFMPEG:" in line), "NO")
    if not ffmpeg.upper().startswith("YES"):
        return Finding(
            "bad", "video files", "OpenCV comes without FFmpeg; pip install --force-reinstall opencv-python-headless"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "probe.mp4")
        writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"mp4v"), 10.0, (64, 48))
        for _ in range(3):
            writer.write(np.zeros((48, 64, 3), np.uint8))
        writer.release()
        capture = cv2.VideoCapture(path)
        ok, _ = capture.read()
        capture.release()
    if not ok:
        return Finding(
            "bad", "video files", "a film cannot be read back; pip install --force-reinstall opencv-python-headless"
        )
    return Finding("ok", "video files", "FFmpeg is there")


def check_weights() -> Finding:
    """The weights must be the listed ones and load."""
    from server.eyes import open_eyes

    _, digests = open_eyes()
    return Finding("ok", "weights", ", ".join(f"{name} {digest[:12]}" for name, digest in digests.items()))


def check_demo() -> Finding:
    """The demo film should be there."""
    from vision.demo import demo_path

    return Finding("ok", "demo film", demo_path().name)


def check_camera() -> Finding:
    """A camera is good to have; without one there are films, streams and the demo."""
    from vision.camera import probe_cameras

    found = probe_cameras()
    if not found:
        return Finding(
            "note", "camera", "none is free; plug one in or close what uses it. Without: brisca watch --source demo"
        )
    return Finding("ok", "camera", ", ".join(f"{c.index} ({c.width}x{c.height})" for c in found))


def check_history(data: str | None) -> Finding:
    """The history's folder must be writable."""
    from server.sessions.store import Store
    from server.settings import HISTORY_FILE, load_settings

    folder = load_settings(data=data).data
    probe = folder
    while not probe.exists() and probe != probe.parent:
        probe = probe.parent
    if not os.access(probe, os.W_OK):
        return Finding("bad", "history", f"nothing can be written to {folder}; give another folder with --data.")
    if (folder / HISTORY_FILE).exists():
        with Store(folder / HISTORY_FILE) as store:
            kept = store.count()
            return Finding("ok", "history", f"{folder}, {kept} session{'' if kept == 1 else 's'}")
    return Finding("ok", "history", f"{folder}, will be made")


def check_port(host: str | None, port: str | None) -> Finding:
    """The port must be free."""
    from server.settings import load_settings
    from server.web.address import open_socket, urls

    settings = load_settings(host=host, port=port)
    with open_socket(settings.host, settings.port) as listener:
        number = int(listener.getsockname()[1])
    return Finding("ok", "port", f"{number} is free, the page will be at {urls(settings.host, number)[0]}")


def check_display() -> Finding:
    """Without a display the page is not opened by itself."""
    from server.web.address import has_display

    if has_display():
        return Finding("ok", "browser window", "the page will open by itself")
    return Finding("note", "browser window", "no display here; open the page from another machine with --host 0.0.0.0")
