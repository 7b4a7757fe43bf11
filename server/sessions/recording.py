"""A session on disk: a folder with ``session.json`` (what was played, with which versions) and ``log.jsonl``.

The log holds, in the order in which they happened, one JSON object a line: what each frame showed (``observation``),
what the tracker concluded (``table_event``), what people pressed (``press``), the ledger (``entry``), the end of the
source (``finish``) and where the session went on after it (``resume``). All but table events and ledger are inputs:
from them the rest can be computed again, to the byte. ``result.json`` is the result as it stood when the session was
closed. The format is told in docs/recording.md.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Protocol, get_args

from server.errors import RecordingError
from server.sessions.result import result_text

FORMAT: Final = 1
HEADER_FILE: Final = "session.json"
LOG_FILE: Final = "log.jsonl"
RESULT_FILE: Final = "result.json"

LineType = Literal["observation", "table_event", "press", "entry", "finish", "resume"]
LINE_TYPES: Final[tuple[str, ...]] = get_args(LineType)
INPUT_TYPES: Final = ("observation", "press", "finish", "resume")

# Observations are the bulk of the log: they may wait in the buffer for a second or so of film, decisions may not.
_LINES_PER_FLUSH: Final = 30


class Log(Protocol):
    """Something that keeps the lines of a session."""

    def line(self, type: LineType, data: Any) -> None:
        """Keep one line."""
        ...


@dataclass(frozen=True, slots=True)
class LogLine:
    """One sound line of a log: its number in the file (from 1), its type, its data, its text as written."""

    number: int
    type: str
    data: Any
    text: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that could not be used, and why."""

    number: int
    sentence: str

    def __str__(self) -> str:
        return f"line {self.number}: {self.sentence}"


@dataclass(slots=True)
class MemoryLog:
    """A log in memory: the texts of its lines."""

    lines: list[str] = field(default_factory=list)

    def line(self, type: LineType, data: Any) -> None:
        """Keep one line."""
        self.lines.append(log_text(type, data))


class Recorder:
    """Writes a session folder; use as a context manager.

    ``folder`` must be new or empty, so that no recording is ever overwritten. Raises :class:`RecordingError` when it
    cannot be made. A disk that fails later does not stop the game: recording ends and :attr:`failure` says so.
    """

    def __init__(self, folder: Path, header: dict[str, Any]) -> None:
        self.folder = folder
        self.failure: str | None = None
        self._waiting = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise RecordingError(f"The folder {folder} is not empty; give a new one for the recording.")
            (folder / HEADER_FILE).write_text(
                json.dumps({"format": FORMAT, **header}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
            )
            self._file = (folder / LOG_FILE).open("w", encoding="utf-8", newline="\n")
        except OSError as error:
            raise RecordingError(
                f"The recording cannot be written to {folder} ({_why(error)}); give a writable folder."
            ) from error

    @classmethod
    def going_on(cls, recording: "Recording") -> "Recorder":
        """Write on where a recording stops; a last line that was cut off is taken away first.

        Raises :class:`RecordingError` where its log cannot be written.
        """
        path = recording.folder / LOG_FILE
        recorder = cls.__new__(cls)
        recorder.folder, recorder.failure, recorder._waiting = recording.folder, None, 0
        try:
            raw = path.read_bytes()
            whole = len(raw) if not recording.truncated else raw.rfind(b"\n") + 1
            recorder._file = path.open("r+", encoding="utf-8", newline="\n")
            recorder._file.truncate(whole)
            recorder._file.seek(0, os.SEEK_END)
            if whole and raw[whole - 1 : whole] != b"\n":
                recorder._file.write("\n")
        except OSError as error:
            raise RecordingError(
                f"The recording {recording.folder} cannot be written on ({_why(error)}); make its folder writable."
            ) from error
        return recorder

    def __enter__(self) -> "Recorder":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def line(self, type: LineType, data: Any) -> None:
        """Append one line; all but observations reach the system at once."""
        if self.failure is not None:
            return
        self._waiting += 1
        try:
            self._file.write(log_text(type, data) + "\n")
            if type != "observation" or self._waiting >= _LINES_PER_FLUSH:
                self._file.flush()
                self._waiting = 0
        except OSError as error:
            self._fail(error)

    def text(self, line: str) -> None:
        """Append a line as it is, without its break: one that was computed again and had not reached the disk."""
        if self.failure is None:
            try:
                self._file.write(line + "\n")
            except OSError as error:
                self._fail(error)

    def result(self, result: dict[str, Any]) -> None:
        """Write the result as it stands now, replacing the last one in one step."""
        if self.failure is not None:
            return
        try:
            write_result(self.folder / RESULT_FILE, result)
        except RecordingError as error:
            self.failure = str(error)

    def close(self) -> None:
        """Write what waits and close the file."""
        try:
            self._file.close()
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> None:
        self.failure = (
            f"Recording to {self.folder} has stopped ({_why(error)}); free the disk. The game itself went on."
        )


@dataclass(frozen=True, slots=True)
class Recording:
    """A session folder that was read: header, sound lines, what was wrong with it.

    ``truncated`` says that the last line was cut off, as a power cut leaves it; that is no problem.
    """

    folder: Path
    header: dict[str, Any]
    lines: tuple[LogLine, ...]
    problems: tuple[Problem, ...]
    truncated: bool
    result_text: str | None

    def of(self, *types: str) -> Iterator[LogLine]:
        """The lines of these types, in order."""
        return (line for line in self.lines if line.type in types)


def is_recording(path: Path) -> bool:
    """Whether a folder is a recorded session."""
    return (path / HEADER_FILE).is_file() and (path / LOG_FILE).is_file()


def read_recording(folder: Path) -> Recording:
    """Read a session folder, going on past lines that are malformed.

    Raises :class:`RecordingError` if there is no session there, or one of a format that this version does not know.
    """
    if not is_recording(folder):
        raise RecordingError(
            f"{folder} is no recorded session: it needs {HEADER_FILE} and {LOG_FILE}, as 'brisca watch --record' "
            "writes them.",
            "recording_unreadable",
        )
    try:
        header = json.loads((folder / HEADER_FILE).read_text(encoding="utf-8"))
        raw = (folder / LOG_FILE).read_bytes()
        result_path = folder / RESULT_FILE
        result_text = result_path.read_text(encoding="utf-8") if result_path.is_file() else None
    except OSError as error:
        raise RecordingError(
            f"{folder} cannot be read ({_why(error)}); check its permissions.", "recording_unreadable"
        ) from error
    except ValueError as error:
        raise RecordingError(
            f"{folder / HEADER_FILE} is damaged ({error}); restore it from a copy.", "recording_unreadable"
        ) from error
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        found = header.get("format") if isinstance(header, dict) else None
        raise RecordingError(
            f"{folder} is recorded in format {found!r}, this version reads format {FORMAT}; use the version of brisca "
            f"named in {HEADER_FILE}.",
            "recording_of_other_version",
        )
    lines, problems, truncated = read_log(raw)
    return Recording(folder, header, lines, problems, truncated, result_text)


def read_log(raw: bytes) -> tuple[tuple[LogLine, ...], tuple[Problem, ...], bool]:
    """The sound lines of a log, its problems, and whether its last line was cut off."""
    lines: list[LogLine] = []
    problems: list[Problem] = []
    pieces = raw.split(b"\n")
    tail = pieces.pop()
    truncated = bool(tail)
    if tail and not isinstance(_parse(len(pieces) + 1, tail), Problem):
        # Whole but for its line break: nothing was lost.
        pieces.append(tail)
        truncated = False
    for number, piece in enumerate(pieces, start=1):
        if not piece.strip():
            continue
        parsed = _parse(number, piece)
        if isinstance(parsed, Problem):
            problems.append(parsed)
        else:
            lines.append(parsed)
    return tuple(lines), tuple(problems), truncated


def log_text(type: str, data: Any) -> str:
    """The text of a log line, always the same for the same data."""
    return json.dumps({"type": type, "data": data}, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def write_result(path: Path, result: dict[str, Any]) -> None:
    """Write a result file in one step (never half a file); raises :class:`RecordingError` with a way out."""
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(result_text(result), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise RecordingError(
            f"The result cannot be written to {path} ({_why(error)}); give a writable place with --out."
        ) from error


def check_writable(path: Path, option: str) -> None:
    """Make sure, before a game begins, that a file can be written at ``path``; raises :class:`RecordingError`."""
    probe = path.parent / f".{path.name}.probe"
    try:
        if path.is_dir():
            raise RecordingError(f"{path} is a folder; give the name of a file with {option}.")
        path.parent.mkdir(parents=True, exist_ok=True)
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise RecordingError(
            f"Nothing can be written to {path.parent} ({_why(error)}); give a writable place with {option}."
        ) from error


def _parse(number: int, raw: bytes) -> LogLine | Problem:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return Problem(number, "not UTF-8 text")
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return Problem(number, "not JSON")
    if not isinstance(value, dict) or "data" not in value:
        return Problem(number, "not an object with 'type' and 'data'")
    if value.get("type") not in LINE_TYPES:
        return Problem(number, f"unknown type {value.get('type')!r}")
    return LogLine(number, value["type"], value["data"], text)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
