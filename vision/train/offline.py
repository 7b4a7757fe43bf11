"""Keeps Ultralytics to this machine: no usage statistics, no downloads, no installs of its own.

Import this module before ``ultralytics``: it reads the environment once, when it is imported.
"""

import os
from typing import Any

os.environ.setdefault("YOLO_OFFLINE", "True")
os.environ.setdefault("YOLO_AUTOINSTALL", "False")


def stay_offline(settings: Any) -> None:
    """Switch off the usage statistics in Ultralytics' own settings file."""
    settings.update(sync=False)
