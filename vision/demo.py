"""The packaged demo film: a whole game that needs no camera."""

from importlib import resources
from pathlib import Path

from vision.errors import SourceError
from vision.feed import Source, StateListener
from vision.video import VideoFile, live_film


def demo_path() -> Path:
    """Where the demo film lies. Raises :class:`~vision.errors.SourceError` where the package came without it."""
    path = Path(str(resources.files("vision"))) / "demo" / "demo.mp4"
    if not path.is_file():
        raise SourceError("The demo film is missing from this installation: install again, or give a --source.")
    return path


def open_demo(*, live: bool = True, on_state: StateListener | None = None) -> Source:
    """Open the demo film, at its own pace (``live``) or as fast as it is read. It plays once."""
    path = demo_path()
    return live_film(path, kind="demo", on_state=on_state) if live else VideoFile(path, kind="demo", on_state=on_state)
