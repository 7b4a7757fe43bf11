"""A game made ready: source, weights, session, recording and history are opened before its first frame.

Whatever is wrong is told here, before anybody sits down to a game that could not be watched. The command and the start
page both begin their games through :func:`open_game`.
"""

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.codec import entry_to_json
from server.decks import EnrolledDeck
from server.eyes import open_eyes
from server.moment import now_text
from server.presses import parse_inputs
from server.sessions.intake import Pace, Step, frame_steps, no_steps, read_ahead, recorded_steps
from server.sessions.journals import Journal, Journals
from server.sessions.lessons import Lessons
from server.sessions.recording import Recorder, Recording, write_result
from server.sessions.resumption import Resumption
from server.sessions.session import Session, Table, press_json
from server.sessions.sitting import SessionFacts
from server.sessions.store import Store
from server.web.live import StateRelay
from vision.demo import demo_path
from vision.reader import TableReader
from vision.source import Source, open_source

DEMO: Final = "demo"
NONE: Final = "none"
"""The source of a game whose score is kept by hand."""

DEMO_SEATS: Final = "south=Ana,north=Luis"

Presses = tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be watched, by whom, and what is kept of it.

    ``source`` is what :func:`vision.source.open_source` understands, the folder of ``recording``, or ``NONE``.
    ``presses`` come in at their time on the source's clock. ``record`` is a new folder for a recording, ``out`` a file
    for the result. ``speed`` 2 shows a film twice as fast. ``resume`` is the session that goes on, ``deck`` the deck
    on the table, if it is an enrolled one.
    """

    source: str
    table: Table
    presses: Presses = ()
    recording: Recording | None = None
    record: Path | None = None
    out: Path | None = None
    speed: float = 1.0
    resume: Resumption | None = None
    deck: EnrolledDeck | None = None


@dataclass(slots=True)
class Game:
    """Everything that belongs to one game; :meth:`close` lets go of it."""

    plan: Plan
    session: Session
    facts: SessionFacts
    source: Source | None
    reader: TableReader | None
    recorder: Recorder | None
    store: Store | None
    relay: StateRelay
    stop: threading.Event
    held: ExitStack
    lessons: Lessons | None = None
    journal: Journal | None = None

    @property
    def live(self) -> bool:
        """Whether it is seen by a camera or stream, which cannot be opened twice."""
        return self.source is not None and self.source.info.live

    @property
    def by_hand(self) -> bool:
        """Whether nothing is watched: people enter what happens."""
        return self.source is None and self.plan.recording is None

    @property
    def demo(self) -> bool:
        """Whether it is the demo's game, or a recording of that: nobody has played it here."""
        if self.plan.recording is None:
            return self.plan.source == DEMO
        source = self.plan.recording.header.get("source")
        return isinstance(source, dict) and source.get("kind") == DEMO

    @property
    def frames(self) -> int | None:
        """How many frames are to come, None where that is unknown."""
        if self.plan.recording is not None:
            return sum(1 for _ in self.plan.recording.of("observation"))
        frames = self.source.info.frames if self.source is not None else None
        resume = self.plan.resume
        if frames is None or resume is None or self.live or not resume.same:
            return frames
        return max(0, frames - resume.last_frame - 1)

    @property
    def failures(self) -> list[str]:
        """What could not be written, one sentence each."""
        parts = (self.recorder, self.store)
        return [part.failure for part in parts if part is not None and part.failure is not None]

    def steps(self, paced: bool = True) -> Iterator[Step]:
        """The steps of the game; a film keeps its time when ``paced``, else it goes as fast as the machine can."""
        pace = Pace(self.stop, self.plan.speed) if paced and not self.live else (lambda t: self.stop.is_set())
        if self.plan.recording is not None:
            return recorded_steps(self.plan.recording, self.plan.presses, pace)
        if self.source is None or self.reader is None:
            return no_steps(self.stop)
        frames = self.source if self.live else read_ahead(self.source)
        resume, presses = self.plan.resume, self.plan.presses
        if resume is not None:
            frames = resume.frames(frames, self.session.t, self.live)
            presses = tuple(press for press in presses if press["t"] > max(self.session.t, resume.last_press))
        return frame_steps(frames, self.reader, presses, pace)

    def begin(self) -> None:
        """Note in the history that the game runs now: one that was opened but never begun leaves no trace there."""
        if self.store is not None:
            folder = self.recorder.folder if self.recorder is not None and self.journal is None else None
            row = self.facts.row(self.session.table, None if folder is None else str(folder.absolute()), demo=self.demo)
            if self.plan.resume is None:
                self.store.begin(row)
            else:
                entries = self.session.referee.ledger.entries
                self.store.begin_again(row, [(entry.seq, entry_to_json(entry)) for entry in entries])

    def keep(self, result: dict[str, Any]) -> None:
        """Write the result wherever it is wanted. Raises :class:`~server.errors.RecordingError`."""
        if self.recorder is not None:
            self.recorder.result(result)
        if self.store is not None:
            self.store.save_result(self.facts.id, result, now_text())
        if self.plan.out is not None:
            write_result(self.plan.out, result)

    def close(self) -> None:
        """Stop reading and release camera, film and recording; harmless the second time."""
        self.stop.set()
        self.held.close()
        if self.journal is not None and self.journal.over:
            self.journal.remove()

    def settle(self) -> None:
        """Note that the game is over for good: nobody is to be asked whether to go on with it."""
        if self.journal is not None:
            self.journal.close()


def open_game(
    plan: Plan, store: Store | None = None, journals: Journals | None = None, learn: Path | None = None
) -> Game:
    """Open all that ``plan`` needs; :meth:`Game.begin` notes the game in ``store``'s history once it runs.

    A game that is not recorded for somebody is kept in ``journals`` until it is over, so that it can go on after a
    power cut; demos and recordings are not. ``learn`` is the folder for crops of the cards that people put right, None
    to keep none. May take seconds (a camera, a stream). Raises a vision, server or engine error with one sentence and
    leaves nothing open behind it.
    """
    relay, stop = StateRelay(), threading.Event()
    source = reader = recorder = None
    models: dict[str, str] = {}
    with ExitStack() as stack:
        if plan.recording is None and plan.source != NONE:
            # Films wait for us even when they are shown live: the score must not depend on the speed of the machine.
            source = stack.enter_context(open_source(plan.source, live=False, on_state=relay, stop=stop))
            reader, models = open_eyes(plan.deck)
        if plan.resume is not None:
            recorder = stack.enter_context(Recorder.going_on(plan.resume.recording))
            facts = plan.resume.facts
            session = plan.resume.session(recorder, source is not None and source.info.live)
            journal = None if journals is None else journals.of(recorder.folder)
        else:
            facts = SessionFacts.begin(source.info.name if source is not None else Path(plan.source).name)
            folder, journal = plan.record, None
            if folder is None and journals is not None and plan.recording is None and plan.source != DEMO:
                journal = journals.new(facts.id)
                folder = journal.folder
            if folder is not None:
                header = facts.header(
                    plan.table, None if source is None else source.info, models, _lasting(plan.source)
                )
                recorder = stack.enter_context(Recorder(folder, header))
            session = Session(plan.table, recorder)
        lessons = None
        if learn is not None and source is not None:
            lessons = Lessons(learn, facts.id)
            session.on_word = lessons.heard
        held = stack.pop_all()
        return Game(plan, session, facts, source, reader, recorder, store, relay, stop, held, lessons, journal)


def _lasting(source: str) -> str:
    """A source as it is found again from any folder: a film or a folder of pictures by its whole path."""
    if source in (DEMO, NONE) or source.isdecimal() or "://" in source:
        return source
    return str(Path(source).expanduser().absolute())


def demo_presses(table: Table) -> Presses:
    """What the people of the demo film say and no camera can see; nothing where the rules know no arrastre."""
    said = demo_path().with_name("inputs.jsonl")
    if not table.rules.arrastre or table.rules.players != 2 or not said.is_file():
        return ()
    lines = said.read_text(encoding="utf-8").splitlines()
    return tuple(press_json(press) for press in parse_inputs(lines, table.rules.players))
