"""A session that goes on after the program was closed, killed or cut off from power: told again from its recording.

The recording is played to where it stops, tracker and referee included, so that the cards on the table keep their
tracks: what lay there is no new play, what has come or gone meanwhile is seen by the next look.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from server.errors import RecordingError
from server.sessions.intake import shifted, skipped
from server.sessions.recording import Recorder, Recording
from server.sessions.replay import recorded_table, retell
from server.sessions.session import Session, Table
from server.sessions.sitting import SessionFacts
from vision.facts import Frame

AWAY_SECONDS: Final = 10.0
"""What a break counts for on the clock of a session, however long it was."""

FIRST_LOOK_SECONDS: Final = 1.0
"""Seconds from there to the first frame: whatever lies in the place of a card then may be another one."""


@dataclass(frozen=True, slots=True)
class Resumption:
    """The session of ``recording`` is to go on. ``same``: with the source that it had, so that a film is not begun
    again but goes on where it was broken off; else another source shows how the table stands now.
    """

    recording: Recording
    same: bool

    @property
    def table(self) -> Table:
        """Who plays by which rules, as the recording began; raises :class:`RecordingError` where it names none."""
        return recorded_table(self.recording)

    @property
    def facts(self) -> SessionFacts:
        """The session that goes on; raises :class:`RecordingError` where the header does not name it."""
        header, source = self.recording.header, self.recording.header.get("source")
        try:
            assert isinstance(source, dict)
            return SessionFacts(str(header["id"]), str(source["spec"]), str(header["started"]))
        except (AssertionError, KeyError) as error:
            raise RecordingError(
                f"The header of {self.recording.folder} names no session; restore it from a copy."
            ) from error

    @property
    def opens(self) -> str | None:
        """What was watched, without a password; None in recordings of versions that did not note it."""
        source = self.recording.header.get("source")
        found = source.get("open") if isinstance(source, Mapping) else None
        return found if isinstance(found, str) else None

    @property
    def last_frame(self) -> int:
        """Number of the last frame that was recorded; -1 without any."""
        return max((_frame(line.data) for line in self.recording.of("observation")), default=-1)

    @property
    def last_press(self) -> float:
        """When the last thing was pressed, in seconds of the session; 0 where nothing was."""
        return max((float(line.data.get("t") or 0.0) for line in self.recording.of("press")), default=0.0)

    def session(self, recorder: Recorder, live: bool) -> Session:
        """The session as it stood, open again and written on. ``live``: what it is to watch now is a camera."""
        told = retell(self.recording)
        written = [line.text for line in self.recording.lines]
        # What was concluded from the last input may not have reached the disk.
        if told.log.lines[: len(written)] == written:
            for line in told.log.lines[len(written) :]:
                recorder.text(line)
        session = told.session
        session.log = recorder
        away = live or not self.same
        t = max(session.t, self.last_press)
        session.resume(round(t + AWAY_SECONDS, 4) if away else t, away)
        return session

    def frames(self, frames: Iterable[Frame], t: float, live: bool) -> Iterator[Frame]:
        """The frames that are still to come; ``t`` is where the clock of the session stands."""
        if self.same and not live:
            return skipped(frames, self.last_frame)
        return shifted(frames, self.last_frame + 1, t + FIRST_LOOK_SECONDS)


def _frame(data: Any) -> int:
    frame = data.get("frame") if isinstance(data, dict) else None
    return frame if isinstance(frame, int) else -1
