"""Recordings that are kept only while their game goes on, so that a game outlives the program that watches it.

They lie in ``unfinished`` in the data folder, one folder a game, and are removed when the game is over: ended on the
page, followed by another one, or when its film has come to its end. Closing the program ends no game.
"""

import contextlib
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from server.sessions.recording import HEADER_FILE, is_recording

FOLDER: Final = "unfinished"
KEPT: Final = 3
"""Games that were left off and are kept at most, the newest; whoever has begun three others will not come back."""

_OVER_FILE: Final = "over"


@dataclass(frozen=True, slots=True)
class Journal:
    """The recording of one game that goes on."""

    folder: Path

    @property
    def over(self) -> bool:
        """Whether its game is over."""
        return (self.folder / _OVER_FILE).exists()

    def close(self) -> None:
        """Note that its game is over. The folder stays until nobody writes in it any more."""
        with contextlib.suppress(OSError):  # a full disk: then the game is offered once more
            (self.folder / _OVER_FILE).touch()

    def remove(self) -> None:
        """Delete it."""
        shutil.rmtree(self.folder, ignore_errors=True)


class Journals:
    """The unfinished games of a data folder."""

    def __init__(self, data: Path) -> None:
        self.folder = data / FOLDER

    def new(self, session: str) -> Journal:
        """The journal of a game that begins; old ones make way for it."""
        for old in self.unfinished()[KEPT - 1 :]:
            old.remove()
        return Journal(self.folder / session)

    def of(self, folder: Path) -> Journal | None:
        """The journal that lies in ``folder``; None for a recording that belongs to somebody."""
        return Journal(folder) if folder.parent.resolve() == self.folder.resolve() else None

    def unfinished(self) -> list[Journal]:
        """The games that can go on, the newest first; what is left of games that are over is swept up."""
        found = []
        for path in sorted(self.folder.glob("*"), reverse=True):
            journal = Journal(path)
            if journal.over:
                journal.remove()
            elif is_recording(path):
                found.append(journal)
        return found

    def forget(self, session: str) -> None:
        """Delete the journal of a game, if there is one."""
        if session == Path(session).name:
            Journal(self.folder / session).remove()

    def forget_player(self, known: Callable[[str], bool]) -> None:
        """Delete the journals of games in which somebody plays of whose name ``known`` is true."""
        for journal in self.unfinished():
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                header = json.loads((journal.folder / HEADER_FILE).read_text(encoding="utf-8"))
                if any(known(str(seat["name"])) for seat in header["seats"]):
                    journal.remove()
