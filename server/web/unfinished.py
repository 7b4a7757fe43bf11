"""Games that were left off: which there are, and the plan by which one of them goes on."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from server.errors import NotFoundError, RecordingError
from server.sessions.journals import Journals
from server.sessions.recording import LOG_FILE, Recording, is_recording, read_recording
from server.sessions.resumption import Resumption
from server.sessions.store import Store
from server.web.opening import DEMO, NONE, Plan, Presses, demo_presses
from vision.stream import mask_password

_GIVE: Final = "say with --source what is to be watched now"


def find_unfinished(named: str, journals: Journals, store: Store | None = None) -> Recording:
    """The recording of the session that is to go on: a folder, the id of a game, or "" for the newest left off.

    Raises :class:`NotFoundError` where there is none, :class:`RecordingError` for one that cannot be read.
    """
    if named:
        if is_recording(Path(named)):
            return read_recording(Path(named))
        for folder in _folders(journals, store):
            if folder.name == named or _id_of(folder, store) == named:
                return read_recording(folder)
        raise NotFoundError(
            f"{named} is neither a recorded session nor an unfinished game; leave it out for the last.",
            "not_unfinished",
        )
    for folder in _folders(journals, store):
        if has_entries(folder):
            return read_recording(folder)
    raise NotFoundError("There is no unfinished game; begin one with 'brisca watch'.", "not_unfinished")


def has_entries(folder: Path) -> bool:
    """Whether a recording tells of anything that happened at the table."""
    try:
        with (folder / LOG_FILE).open("rb") as log:
            return any(line.startswith(b'{"type":"entry"') for line in log)
    except OSError:
        return False


def plan_again(
    recording: Recording, source: str | None = None, known: Mapping[str, Any] | None = None, presses: Presses = ()
) -> Plan:
    """The plan of the game that goes on, with the source that it had or with another one.

    ``known`` is the remembered start (see :func:`server.web.start.recall`), which knows the password of a stream.
    Raises :class:`RecordingError` where it is not known what to watch.
    """
    resume = Resumption(recording, source is None)
    facts, table = resume.facts, resume.table
    spec = _same_source(resume, known or {}) if source is None else source
    if spec == DEMO and not presses:
        presses = demo_presses(table)
    if spec != NONE and is_recording(Path(spec)):
        raise RecordingError(f"{facts.id} was played from a recording, which has no pictures to go on with: {_GIVE}.")
    return Plan(spec, table, presses, resume=resume)


def offer(journals: Journals, playing: str | None) -> dict[str, Any] | None:
    """The game that the start page offers to go on with, or None; ``playing`` is the one that is going on."""
    for journal in journals.unfinished():
        if journal.folder.name == playing or not has_entries(journal.folder):
            continue
        try:
            resume = Resumption(read_recording(journal.folder), True)
            facts, table = resume.facts, resume.table
        except RecordingError:
            continue
        return {
            "id": facts.id,
            "source": facts.source,
            "started": facts.started,
            "names": [seat.name for seat in table.seats],
        }
    return None


def _same_source(resume: Resumption, known: Mapping[str, Any]) -> str:
    spec = resume.opens
    if spec is None:
        raise RecordingError(f"The recording {resume.recording.folder} does not tell what was watched: {_GIVE}.")
    kept = known.get("source", {})
    if kept.get("kind") == "stream" and mask_password(kept.get("value", "")) == spec:
        return str(kept["value"])
    if "://" in spec and "***" in spec:
        raise RecordingError(f"The address {spec} was kept without its password: {_GIVE}.")
    if spec not in (DEMO, NONE) and not spec.isdecimal() and "://" not in spec and not Path(spec).exists():
        raise RecordingError(f"{spec}, which was watched, is not to be found from here: {_GIVE}.", "file_missing")
    return spec


def _folders(journals: Journals, store: Store | None) -> Iterable[Path]:
    """Recordings of games without an end, the newest first."""
    found = [(journal.folder.name, journal.folder) for journal in journals.unfinished()]
    if store is not None:
        rows = (row for row in store.sessions() if row.ended is None and row.folder is not None)
        found += [(row.id, Path(row.folder or "")) for row in rows if is_recording(Path(row.folder or ""))]
    return [folder for _, folder in sorted(found, reverse=True)]


def _id_of(folder: Path, store: Store | None) -> str | None:
    rows = store.sessions() if store is not None else ()
    return next((row.id for row in rows if row.folder == str(folder)), None)
