"""A recorded session computed again: observations and presses in, ledger and result out, compared to the byte."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Final

from engine.errors import EngineError
from server.errors import RecordingError, ServerError
from server.sessions.headless import take_step
from server.sessions.intake import recorded_step
from server.sessions.recording import INPUT_TYPES, MemoryLog, Problem, Recording
from server.sessions.result import result_text
from server.sessions.session import Session, Table, table_from_json
from server.version import version

DERIVED: Final = (("table_event", "table events"), ("entry", "ledger"))


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the replay parts from the recording: what was compared, the log's line (None: the end), both texts."""

    what: str
    number: int | None
    recorded: str | None
    replayed: str | None

    def __str__(self) -> str:
        where = f" at line {self.number}" if self.number is not None else ""
        return f"{self.what} differs{where}:\n  recorded: {_cut(self.recorded)}\n  replayed: {_cut(self.replayed)}"


@dataclass(slots=True)
class Replay:
    """What came out: the session as it ended, its log, what was wrong with the recording."""

    session: Session
    log: MemoryLog
    problems: list[Problem] = field(default_factory=list)
    ended: bool = False

    @property
    def result(self) -> dict[str, Any]:
        """The result that was computed."""
        return self.session.result()


def recorded_table(recording: Recording) -> Table:
    """The table of a recording; raises :class:`RecordingError` where its header names none."""
    try:
        return table_from_json(recording.header)
    except EngineError as error:
        raise RecordingError(f"{recording.folder} was played by rules that are unknown here: {error}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise RecordingError(f"The header of {recording.folder} names no table; restore it from a copy.") from error


def replay(recording: Recording, table: Table | None = None) -> Replay:
    """Play a recording again, past lines that are malformed; ``table`` instead of the recorded one.

    A recording without an end (a power cut) is brought to its end as Ctrl-C would have done.
    """
    done = retell(recording, table)
    if not done.ended:
        done.session.finish()
    return done


def retell(recording: Recording, table: Table | None = None) -> Replay:
    """The same, left open where the recording stops."""
    log = MemoryLog()
    done = Replay(Session(table or recorded_table(recording), log), log, list(recording.problems))
    for line in recording.of(*INPUT_TYPES):
        try:
            take_step(done.session, recorded_step(line))
        except (EngineError, ServerError) as error:
            done.problems.append(Problem(line.number, str(error)))
    done.ended = done.session.finished
    return done


def differences(recording: Recording, done: Replay) -> Iterator[Difference]:
    """Where the replay parts from the recording: the first place of each kind, nothing when they are the same.

    What a recording without an end cannot have (the entries of the end) is no difference.
    """
    texts: dict[str, list[str]] = {type: [] for type, _ in DERIVED}
    for text in done.log.lines:
        type = json.loads(text)["type"]
        if type in texts:
            texts[type].append(text)
    for type, what in DERIVED:
        recorded = list(recording.of(type))
        replayed = texts[type]
        if not done.ended and len(replayed) > len(recorded):
            replayed = replayed[: len(recorded)]
        for line, text in zip_longest(recorded, replayed):
            if line is None or line.text != text:
                yield Difference(what, None if line is None else line.number, line.text if line else None, text)
                break
    if recording.result_text is not None:
        text = result_text(done.result)
        if text != recording.result_text:
            yield Difference("result", None, recording.result_text, text)


def version_note(recording: Recording) -> str | None:
    """A sentence when another version made the recording, which explains differences."""
    made = recording.header.get("versions", {}).get("brisca")
    return None if made == version() else f"The recording was made by brisca {made}, this is {version()}."


def _cut(text: str | None) -> str:
    if text is None:
        return "nothing"
    flat = " ".join(text.split())
    return flat if len(flat) <= 400 else flat[:400] + " ..."
