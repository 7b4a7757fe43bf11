"""``brisca watch``: watch a game from a camera, a film or the demo, with the scoreboard or headless."""

import argparse
import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from server.errors import PressError, UsageError
from server.settings import USUAL_PLAYERS, USUAL_RULES

if TYPE_CHECKING:
    from server.intake import Step
    from server.live import StateRelay
    from server.recording import Recorder, Recording
    from server.session import Session, Table
    from server.sitting import SessionFacts
    from server.store import Store
    from vision.reader import TableReader
    from vision.source import Source


DEMO: Final = "demo"
NONE: Final = "none"
DEMO_SEATS: Final = "south=Ana,north=Luis"


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``watch``."""
    parser = subparsers.add_parser(
        "watch",
        help="watch a game and keep its score",
        description="Watch a game and keep its score on a page for any screen in the room, or headless.",
    )
    parser.add_argument(
        "--source",
        default="0",
        metavar="SOURCE",
        help="camera number, film, picture, folder of pictures, stream address (rtsp://, http://), recorded session, "
        "'demo', or 'none' to keep the score by hand (default: 0, the first camera)",
    )
    who = parser.add_argument_group("the table")
    who.add_argument("--seats", metavar="SIDE=NAME,...", help="who sits where, such as south=Ana,north=Luis")
    who.add_argument(
        "--players", type=int, metavar="N", help=f"number of players at their usual sides (default: {USUAL_PLAYERS})"
    )
    who.add_argument(
        "--rules", metavar="PROFILE", help=f"profile of rules, see 'brisca rules list' (default: {USUAL_RULES})"
    )
    who.add_argument("--dealer", metavar="SIDE", help="side of the dealer (default: whoever plays first leads)")
    keep = parser.add_argument_group("what is kept")
    keep.add_argument("--out", type=Path, metavar="FILE", help="write the result to this file")
    keep.add_argument("--record", type=Path, metavar="DIR", help="record the session to this new folder")
    keep.add_argument("--data", metavar="DIR", help="folder of the history (default: the user's data folder)")
    keep.add_argument(
        "--inputs", type=Path, metavar="FILE", help="JSON lines of what people press, on the film's clock"
    )
    how = parser.add_argument_group("how it is shown")
    how.add_argument("--headless", action="store_true", help="no page: every frame, as fast as the machine can")
    how.add_argument("--host", metavar="ADDRESS", help="address to serve on; 0.0.0.0 lets phones and a TV in")
    how.add_argument("--port", metavar="PORT", help="port to serve on (default: 8420; 0 takes any free one)")
    how.add_argument("--no-browser", action="store_true", help="do not open the page in the browser")
    how.add_argument("--speed", type=float, default=1.0, metavar="X", help="play a film X times as fast (default: 1)")
    parser.set_defaults(run=run)


@dataclass(slots=True)
class Run:
    """Everything that was made ready before the first frame."""

    session: "Session"
    facts: "SessionFacts"
    presses: tuple[dict[str, Any], ...]
    recording: "Recording | None"
    source: "Source | None"
    reader: "TableReader | None"
    recorder: "Recorder | None"
    store: "Store | None"
    out: Path | None
    relay: "StateRelay"
    stop: threading.Event


def run(args: argparse.Namespace) -> int:
    """Watch, as the options say."""
    if not 0.05 <= args.speed <= 1000:
        raise UsageError("--speed must lie between 0.05 and 1000; 1 is the film's own pace.")
    with ExitStack() as stack:
        ready = _prepare(args, stack)
        return _headless(ready) if args.headless else _live(args, ready, stack)


def _prepare(args: argparse.Namespace, stack: ExitStack) -> Run:
    """Check and open everything; whatever is wrong is told before the game begins."""
    from server.live import StateRelay
    from server.recording import Recorder, check_writable, is_recording, read_recording
    from server.session import Session
    from server.settings import HISTORY_FILE, load_settings
    from server.sitting import SessionFacts
    from server.store import Store

    recording = read_recording(Path(args.source)) if is_recording(Path(args.source)) else None
    table = _table(args, recording)
    presses = _presses(args, table)
    if args.out is not None:
        check_writable(args.out, "--out")
    source = reader = None
    relay, stop = StateRelay(), threading.Event()
    models: dict[str, str] = {}
    if args.source == NONE and args.headless:
        raise UsageError("Without a camera the score is kept by hand on the page; leave out --headless.")
    if recording is None and args.source != NONE:
        from server.eyes import open_eyes

        source = stack.enter_context(_source(args.source, relay, stop))
        reader, models = open_eyes()
    facts = SessionFacts.begin(source.info.name if source is not None else Path(args.source).name)
    recorder = None
    if args.record is not None:
        recorder = stack.enter_context(
            Recorder(args.record, facts.header(table, None if source is None else source.info, models))
        )
    store = None
    # A headless run leaves no trace but what it is asked for; the scoreboard keeps its history.
    if not args.headless or args.data is not None:
        store = stack.enter_context(Store(load_settings(data=args.data).data / HISTORY_FILE))
        store.begin(facts.row(table, None if args.record is None else str(args.record)))
    session = Session(table, recorder)
    return Run(session, facts, presses, recording, source, reader, recorder, store, args.out, relay, stop)


def _table(args: argparse.Namespace, recording: "Recording | None") -> "Table":
    from server.replay import recorded_table
    from server.session import make_table

    if recording is not None and not (args.seats or args.players or args.rules or args.dealer):
        return recorded_table(recording)
    if args.source == DEMO and not (args.seats or args.players):
        return make_table(args.rules or USUAL_RULES, DEMO_SEATS, None, args.dealer)
    return make_table(args.rules or USUAL_RULES, args.seats, args.players, args.dealer)


def _source(spec: str, relay: "StateRelay", stop: threading.Event) -> "Source":
    from vision.errors import SourceError
    from vision.source import open_source

    try:
        # Films wait for us even when they are shown live: the score must not depend on the speed of the machine.
        return open_source(spec, live=False, on_state=relay, stop=stop)
    except SourceError as error:
        if spec == "0":
            raise SourceError(f"{error} To see a game without a camera: brisca watch --source demo") from error
        raise


def _presses(args: argparse.Namespace, table: "Table") -> tuple[dict[str, Any], ...]:
    from vision.demo import demo_path

    if args.inputs is not None:
        return read_inputs(args.inputs, table.rules.players)
    if args.source == DEMO and table.rules.arrastre:
        # What is said at the table cannot be seen: the people of the demo press it.
        said = demo_path().with_name("inputs.jsonl")
        return read_inputs(said, table.rules.players) if said.is_file() else ()
    return ()


def read_inputs(path: Path, players: int) -> tuple[dict[str, Any], ...]:
    """The presses of a JSON-lines file, in order of time. Raises :class:`PressError` naming what is wrong with it."""
    from server.presses import parse_inputs
    from server.session import press_json

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PressError(f"The inputs {path} cannot be read ({error}); give a file of JSON lines.") from error
    return tuple(press_json(press) for press in parse_inputs(text.splitlines(), players))


def _total(ready: Run) -> int | None:
    if ready.recording is not None:
        return sum(1 for _ in ready.recording.of("observation"))
    return ready.source.info.frames if ready.source is not None else None


def _steps(ready: Run, speed: float | None) -> "Iterator[Step]":
    """The steps of the run; ``speed`` None: as fast as the machine can."""
    from server.intake import Pace, frame_steps, no_steps, read_ahead, recorded_steps

    live = ready.source is not None and ready.source.info.live
    pace = Pace(ready.stop, speed) if speed is not None and not live else (lambda t: ready.stop.is_set())
    if ready.recording is not None:
        return recorded_steps(ready.recording, ready.presses, pace)
    if ready.source is None or ready.reader is None:
        return no_steps(ready.stop)
    frames = ready.source if live else read_ahead(ready.source)
    return frame_steps(frames, ready.reader, ready.presses, pace)


def _headless(ready: Run) -> int:
    from server.headless import run_steps, stop_on_signal
    from server.progress import ProgressBar

    session, store = ready.session, ready.store
    if store is not None:
        session.on_entries = lambda told: store.append(
            ready.facts.id, [(entry.seq, body) for entry, body in zip(told.entries, told.bodies, strict=True)]
        )
    with stop_on_signal(ready.stop), ProgressBar(_total(ready), "Reading") as bar:
        run_steps(session, _steps(ready, None), bar.step)
    return _conclude(ready, interrupted=ready.stop.is_set())


def _live(args: argparse.Namespace, ready: Run, stack: ExitStack) -> int:
    from server.address import has_display, open_socket, urls
    from server.live import LiveTable
    from server.serve import open_page, serve
    from server.settings import load_settings
    from server.version import version

    settings = load_settings(args.data, args.host, args.port)
    listener = stack.enter_context(open_socket(settings.host, settings.port))
    table = LiveTable(
        ready.session,
        ready.facts,
        _steps(ready, args.speed),
        ready.stop,
        version=version(),
        store=ready.store,
        on_end=lambda result: _keep(ready, result),
    )
    table.frames = _total(ready)
    if ready.source is None and ready.recording is None:
        table.camera = "NONE"
    if ready.source is not None:
        source = ready.source
        table.dropped = lambda: source.dropped
        ready.relay.target = table.note_camera
    port = int(listener.getsockname()[1])
    pages = urls(settings.host, port)

    def announce() -> None:
        print(f"The scoreboard is at {pages[0]}", flush=True)
        for page in pages[1:]:
            print(f"  on phones and TVs in this network: {page}", flush=True)
        print("Ctrl-C ends it.", flush=True)
        if not args.no_browser and has_display():
            open_page(pages[0])

    asyncio.run(serve(table, listener, settings.host_names, announce))
    return _conclude(ready, interrupted=False)


def _keep(ready: Run, result: dict[str, Any]) -> None:
    """Write the result wherever it is wanted."""
    from server.recording import write_result
    from server.sitting import now_text

    if ready.recorder is not None:
        ready.recorder.result(result)
    if ready.store is not None:
        ready.store.save_result(ready.facts.id, result, now_text())
    if ready.out is not None:
        write_result(ready.out, result)


def _conclude(ready: Run, *, interrupted: bool) -> int:
    """Keep the result, say how the game went, give the exit code."""
    from server.cli import FAILED, INTERRUPTED
    from server.summary import summary_text

    result = ready.session.result()
    _keep(ready, result)
    print(summary_text(result, ready.session.table.rules))
    if ready.store is not None:
        ready.store.flush()
    failures = [part.failure for part in (ready.recorder, ready.store) if part is not None and part.failure is not None]
    for failure in failures:
        print(f"brisca: {failure}", file=sys.stderr)
    if interrupted:
        print("brisca: Broken off; the result so far is kept.", file=sys.stderr)
        return INTERRUPTED
    return FAILED if failures else 0
