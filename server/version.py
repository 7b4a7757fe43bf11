"""The version of this program, and of the parts that decide what it sees."""

import platform
from importlib import metadata
from typing import Final

DISTRIBUTION: Final = "brisca-table"
_PARTS: Final = (("numpy", "numpy"), ("opencv", "opencv-python-headless"), ("onnxruntime", "onnxruntime"))


def version() -> str:
    """The installed version; ``0+source`` when the program runs from a source tree that was never installed."""
    try:
        return metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return "0+source"


def versions() -> dict[str, str]:
    """The versions that belong beside a recording."""
    found = {"brisca": version(), "python": platform.python_version()}
    for name, distribution in _PARTS:
        try:
            found[name] = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            found[name] = "unknown"
    return found
