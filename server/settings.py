"""Where the program keeps its things and how it is reached: defaults, environment variables, checks.

Every setting is one row of :data:`SETTINGS`, which the documentation is tested against. An option on the command line
wins over the environment variable, which wins over the default.
"""

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from server.errors import SettingsError

APP: Final = "brisca-table"
LOOPBACK: Final = "127.0.0.1"
PORT: Final = 8420
USUAL_RULES: Final = "arrastro"
USUAL_PLAYERS: Final = 2
HISTORY_FILE: Final = "history.sqlite"
_HOST_NAME = re.compile(r"[A-Za-z0-9._:\-\[\]%]{1,255}")


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its environment variable, the option that overrides it, its default in words, what it does."""

    variable: str
    option: str | None
    default: str
    meaning: str


SETTINGS: Final[tuple[Setting, ...]] = (
    Setting("BRISCA_DATA", "--data", "the user's data folder", "folder of the history database and the enrolled decks"),
    Setting("BRISCA_HOST", "--host", LOOPBACK, "address to serve on; 0.0.0.0 lets phones and a TV in"),
    Setting("BRISCA_PORT", "--port", str(PORT), "port to serve on; 0 takes any free one"),
    Setting("BRISCA_HOST_NAMES", None, "none", "further host names under which the page may be opened, by commas"),
    Setting(
        "BRISCA_MODELS", None, "the weights that came with the program", "folder of other weights and their MODELS.toml"
    ),
    Setting("BRISCA_LEARN", "--learn", "off", "folder for crops of the cards that people put right, for training"),
    Setting("BRISCA_DECK", "--deck", "none", "the enrolled deck that lies on the table, see `brisca deck list`"),
    Setting("BRISCA_CV_LOG", None, "off", "1: the messages of OpenCV and FFmpeg are shown"),
    Setting("BRISCA_DEBUG", None, "off", "1: a failing command shows its traceback as well"),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one run, checked."""

    data: Path
    host: str = LOOPBACK
    port: int = PORT
    host_names: tuple[str, ...] = ()
    learn: Path | None = None
    deck: str | None = None


def data_folder(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """The folder that this platform gives a program for a user's data (not created here).

    Linux and others: ``$XDG_DATA_HOME`` or ``~/.local/share``; macOS: ``~/Library/Application Support``;
    Windows: ``%LOCALAPPDATA%`` or ``~/AppData/Local``.
    """
    env = os.environ if environ is None else environ
    home = Path(env["HOME"]) if platform != "win32" and env.get("HOME") else Path.home()
    if platform == "win32":
        base = Path(env["LOCALAPPDATA"]) if env.get("LOCALAPPDATA") else home / "AppData" / "Local"
    elif platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        # The XDG specification says that a relative path there is to be ignored.
        xdg = env.get("XDG_DATA_HOME", "")
        base = Path(xdg) if xdg and Path(xdg).is_absolute() else home / ".local" / "share"
    return base / APP


def load_settings(
    data: str | None = None,
    host: str | None = None,
    port: str | int | None = None,
    environ: Mapping[str, str] | None = None,
    learn: str | None = None,
    deck: str | None = None,
) -> Settings:
    """Settings from options (None = not given), environment and defaults.

    Raises :class:`SettingsError` with a sentence that names the setting.
    """
    env = os.environ if environ is None else environ
    folder = data or env.get("BRISCA_DATA") or ""
    address = host or env.get("BRISCA_HOST") or LOOPBACK
    if not _HOST_NAME.fullmatch(address):
        raise SettingsError(f"'{address}' is no address to serve on; try {LOOPBACK} or 0.0.0.0.")
    raw_port = port if port is not None else env.get("BRISCA_PORT") or PORT
    try:
        number = int(raw_port)
    except ValueError:
        number = -1
    if not 0 <= number <= 65535:
        raise SettingsError(f"'{raw_port}' is no port; give a number from 0 to 65535.")
    names = tuple(name.strip().lower() for name in env.get("BRISCA_HOST_NAMES", "").split(",") if name.strip())
    kept = learn or env.get("BRISCA_LEARN") or ""
    return Settings(
        data=Path(folder).expanduser() if folder else data_folder(env),
        host=address,
        port=number,
        host_names=names,
        learn=Path(kept).expanduser() if kept else None,
        deck=(deck if deck is not None else env.get("BRISCA_DECK", "")).strip() or None,
    )
