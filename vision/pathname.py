"""Paths as people write them: file managers and chats paste them in quotes, and blanks cling to them."""

from pathlib import Path
from typing import Final

_QUOTES: Final = ('""', "''", "\u201c\u201d", "\u2018\u2019")


def as_meant(written: str) -> str:
    """What was written, without blanks around it, and without a pair of quotes where nothing has that very name."""
    text = written.strip()
    if len(text) > 2 and text[0] + text[-1] in _QUOTES and not _there(text):
        return text[1:-1].strip()
    return text


def _there(text: str) -> bool:
    try:
        return Path(text).expanduser().exists()
    except (OSError, RuntimeError, ValueError):  # no name that a file can have
        return False
