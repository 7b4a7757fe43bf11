"""From what a user writes after ``--source`` to an open source of pictures."""

import re
from pathlib import Path
from threading import Event

from vision.camera import open_camera
from vision.demo import open_demo
from vision.errors import SourceError
from vision.feed import FINAL, Source, SourceInfo, SourceKind, SourceState, StateListener
from vision.pathname import as_meant
from vision.stills import SUFFIXES, Stills
from vision.stream import SCHEMES, mask_password, open_stream
from vision.video import VideoFile, live_film

__all__ = ["FINAL", "Source", "SourceInfo", "SourceKind", "SourceState", "StateListener", "open_source"]


def open_source(
    spec: str, *, live: bool | None = None, on_state: StateListener | None = None, stop: Event | None = None
) -> Source:
    """Open a camera index (``0``), film, picture, folder of pictures, ``rtsp://`` or ``http://`` stream, or ``demo``.

    ``live`` True plays a film at its own pace, newest frame only; False delivers every frame, as fast as they are
    read; None is the habit of the kind: films wait for their reader, the demo plays. Cameras and streams are always
    live. A path may stand in quotes. ``on_state`` hears of every change of state; ``stop`` ends a live camera or stream
    when it is set.

    Raises :class:`~vision.errors.SourceError` with one sentence that says what to do.
    """
    spec = as_meant(spec)
    if not spec:
        raise SourceError("No source was given: give a camera number, a file, a folder, an address or `demo`.")
    if spec == "demo":
        return open_demo(live=live is not False, on_state=on_state)
    if spec.isdecimal():
        return open_camera(int(spec), on_state=on_state, stop=stop)
    if device := re.fullmatch(r"/dev/video(\d+)", spec):
        return open_camera(int(device.group(1)), on_state=on_state, stop=stop)
    if "://" in spec:
        scheme = spec.split("://", 1)[0].lower()
        if scheme not in SCHEMES:
            raise SourceError(
                f"{mask_password(spec)} is no address for pictures: use {', '.join(SCHEMES)} or a file.", "no_address"
            )
        return open_stream(spec, on_state=on_state, stop=stop)
    path = Path(spec).expanduser()
    if not path.exists():
        raise SourceError(
            f"There is no file or folder {path}: check the path, or give a camera number such as 0.", "file_missing"
        )
    if path.is_dir() or path.suffix.lower() in SUFFIXES:
        return Stills(path, on_state=on_state)
    return live_film(path, on_state=on_state) if live else VideoFile(path, on_state=on_state)
