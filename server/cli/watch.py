"""``brisca watch``: watch a game from a camera, a film or the demo, with the scoreboard or headless."""

import argparse
import asyncio
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from server.errors import PressError, ServerError, UsageError
from server.settings import USUAL_PLAYERS, USUAL_RULES

if TYPE_CHECKING:
    from server.decks import EnrolledDeck
    from server.sessions.intake import Pressed
    from server.sessions.journals import Journals
    from server.sessions.recording import Recording
    from server.sessions.session import Table
    from server.sessions.store import Store
    from server.web.opening import Game, Plan
    from server.web.room import Room

FIRST_CAMERA: Final = "0"

WHOLE_FILM: Final = 0.95
"""Share of the frames that a film announces from which it was read to its end; some containers only estimate them."""


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``watch``."""
    parser = subparsers.add_parser(
        "watch",
        help="watch a game and keep its score",
        description="Watch a game and keep its score on a page for any screen in the room, or headless. Without "
        "--source the start page asks for the camera, the players and the rules.",
    )
    parser.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="SESSION",
        help="go on with a game that was left off: its id, its recording, or nothing for the last one",
    )
    parser.add_argument(
        "--source",
        metavar="SOURCE",
        help="camera number, film, picture, folder of pictures, stream address (rtsp://, http://), recorded session, "
        "'demo', or 'none' to keep the score by hand (default: the start page asks; headless: 0, the first camera)",
    )
    who = parser.add_argument_group("the table")
    who.add_argument("--seats", metavar="SIDE=NAME,...", help="who sits where, such as south=Ana,north=Luis")
    who.add_argument(
        "--players", type=int, metavar="N", help=f"number of players at their usual sides (default: {USUAL_PLAYERS})"
    )
    who.add_argument(
        "--rules", metavar="PROFILE", help=f"profile, see 'brisca rules list', or a TOML file (default: {USUAL_RULES})"
    )
    who.add_argument("--dealer", metavar="SIDE", help="side of the dealer (default: whoever plays first leads)")
    who.add_argument(
        "--deck", metavar="NAME", help="the enrolled deck on the table, see 'brisca deck list' (default: any deck)"
    )
    keep = parser.add_argument_group("what is kept")
    keep.add_argument("--out", type=Path, metavar="FILE", help="write the result to this file")
    keep.add_argument("--record", type=Path, metavar="DIR", help="record the session to this new folder")
    keep.add_argument(
        "--data", metavar="DIR", help="folder of the history and the decks (default: the user's data folder)"
    )
    keep.add_argument(
        "--learn",
        metavar="DIR",
        help="keep crops of the cards that people put right there, for training on this machine (default: keep none)",
    )
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


def run(args: argparse.Namespace) -> int:
    """Watch, as the options say."""
    from vision.pathname import as_meant

    if args.source is not None:
        args.source = as_meant(args.source)
    if not 0.05 <= args.speed <= 1000:
        raise UsageError("--speed must lie between 0.05 and 1000; 1 is the film's own pace.")
    if args.resume is not None:
        fixed = ("seats", "players", "rules", "dealer", "record")
        if given := [name for name in fixed if getattr(args, name) is not None]:
            raise UsageError(f"--{given[0]} is settled already in a game that goes on; leave it out with --resume.")
    elif args.source is None and args.headless:
        args.source = FIRST_CAMERA
    for_one = ("out", "record", "inputs")
    given = [name for name in for_one if getattr(args, name) is not None]
    if args.resume is None and args.source is None and given:
        raise UsageError(f"--{given[0]} belongs to one game: name its --source as well, such as --source 0.")
    with ExitStack() as stack:
        return _headless(args, stack) if args.headless else _live(args, stack)


def _plan(args: argparse.Namespace) -> "Plan":
    """Check what can be checked before anything is opened."""
    from server.sessions.recording import check_writable, is_recording, read_recording
    from server.web.opening import NONE, Plan

    if args.source == NONE and args.headless:
        raise UsageError("Without a camera the score is kept by hand on the page; leave out --headless.")
    if args.resume is not None:
        return _plan_again(args)
    recording = read_recording(Path(args.source)) if is_recording(Path(args.source)) else None
    table = _table(args, recording)
    presses = _presses(args, table)
    if args.out is not None:
        check_writable(args.out, "--out")
    deck = _deck(args, args.source, recording is not None)
    return Plan(args.source, table, presses, recording, args.record, args.out, args.speed, deck=deck)


def _deck(args: argparse.Namespace, source: str, recorded: bool = False) -> "EnrolledDeck | None":
    """The deck that was asked for; the demo has one of its own, and what was recorded or is pressed needs none."""
    from server.decks import Decks
    from server.settings import load_settings
    from server.web.opening import DEMO, NONE

    if recorded or source in (DEMO, NONE):
        if args.deck is not None:
            raise UsageError("--deck is for games that are watched with your own cards: leave it out here.")
        return None
    settings = load_settings(args.data, deck=args.deck)
    return None if settings.deck is None else Decks(settings.data).load(settings.deck)


def _plan_again(args: argparse.Namespace) -> "Plan":
    """The plan of a game that was left off."""
    from server.sessions.journals import Journals
    from server.sessions.recording import check_writable
    from server.sessions.store import Store
    from server.settings import HISTORY_FILE, load_settings
    from server.web.start import recall
    from server.web.unfinished import find_unfinished, plan_again

    data = load_settings(data=args.data).data
    with ExitStack() as stack:
        has_history = (data / HISTORY_FILE).is_file()
        store = stack.enter_context(Store(data / HISTORY_FILE)) if has_history else None
        recording = find_unfinished(args.resume, Journals(data), store)
        plan = plan_again(recording, args.source, recall(store, masked=False))
    presses = read_inputs(args.inputs, plan.table.rules.players) if args.inputs is not None else plan.presses
    if args.out is not None:
        check_writable(args.out, "--out")
    return replace(plan, presses=presses, out=args.out, speed=args.speed, deck=_deck(args, plan.source))


def _print_code(url: str) -> None:
    """The address for other devices, to be read or scanned."""
    from server.web.qr import qr_text

    print(f"  on phones and TVs in this network: {url}", flush=True)
    try:
        print(qr_text(url), flush=True)
    except UnicodeEncodeError:
        print("  (this terminal cannot draw its code; the page shows it)", flush=True)


def _conclude(game: "Game") -> int:
    """Keep the result, say how the game went, give the exit code."""
    from server.cli import FAILED
    from server.sessions.summary import summary_text

    result = game.session.result()
    game.keep(result)
    print(summary_text(result, game.plan.table.rules), flush=True)
    if game.store is not None:
        game.store.flush()
    for failure in game.failures:
        print(f"brisca: {failure}", file=sys.stderr)
    return FAILED if game.failures else 0


def _open(plan: "Plan", store: "Store | None", journals: "Journals | None" = None, learn: Path | None = None) -> "Game":
    from server.web.opening import open_game
    from vision.errors import SourceError

    try:
        return open_game(plan, store, journals, learn)
    except SourceError as error:
        if plan.source == FIRST_CAMERA:
            raise SourceError(f"{error} To see a game without a camera: brisca watch --source demo") from error
        raise


def _table(args: argparse.Namespace, recording: "Recording | None") -> "Table":
    from server.sessions.replay import recorded_table
    from server.sessions.session import make_table
    from server.web.opening import DEMO, DEMO_SEATS

    if recording is not None and not (args.seats or args.players or args.rules or args.dealer):
        return recorded_table(recording)
    if args.source == DEMO and not (args.seats or args.players):
        return make_table(args.rules or USUAL_RULES, DEMO_SEATS, None, args.dealer)
    return make_table(args.rules or USUAL_RULES, args.seats, args.players, args.dealer)


def _presses(args: argparse.Namespace, table: "Table") -> tuple[dict[str, Any], ...]:
    from server.web.opening import DEMO, demo_presses

    if args.inputs is not None:
        return read_inputs(args.inputs, table.rules.players)
    # What is said at the table cannot be seen: the people of the demo press it.
    return demo_presses(table) if args.source == DEMO else ()


def read_inputs(path: Path, players: int) -> tuple[dict[str, Any], ...]:
    """The presses of a JSON-lines file, in order of time. Raises :class:`PressError` naming what is wrong with it."""
    from server.presses import parse_inputs
    from server.sessions.session import press_json

    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PressError(f"The inputs {path} cannot be read ({error}); give a file of JSON lines.") from error
    return tuple(press_json(press) for press in parse_inputs(text.splitlines(), players))


def _headless(args: argparse.Namespace, stack: ExitStack) -> int:
    from server.cli import FAILED, INTERRUPTED
    from server.progress import ProgressBar
    from server.sessions.headless import run_steps, stop_on_signal
    from server.sessions.journals import Journals
    from server.sessions.store import Store
    from server.settings import HISTORY_FILE, load_settings

    plan = _plan(args)
    # A headless run leaves no trace but what it is asked for; the scoreboard keeps its history.
    store = None
    settings = load_settings(args.data, learn=args.learn)
    if args.data is not None:
        store = stack.enter_context(Store(settings.data / HISTORY_FILE))
    game = _open(plan, store, None if plan.resume is None else Journals(settings.data), settings.learn)
    stack.callback(game.close)
    game.begin()
    session = game.session
    if store is not None:
        session.on_entries = lambda told: store.append(
            game.facts.id, [(entry.seq, body) for entry, body in zip(told.entries, told.bodies, strict=True)]
        )
    with stop_on_signal(game.stop), ProgressBar(game.frames, "Reading") as bar:
        run_steps(session, game.steps(paced=False), bar.step, game.lessons, _not_taken)
    interrupted = game.stop.is_set()
    if not interrupted:
        game.settle()
    code = _conclude(game)
    if interrupted:
        print("brisca: Broken off; the result so far is kept.", file=sys.stderr)
        return INTERRUPTED
    if bar.share is not None and bar.share < WHOLE_FILM:
        print(
            f"brisca: The film broke off at {100 * bar.share:.0f} % of its length: the rest cannot be decoded, and the"
            " result is that of the part before. Copy the film again from the camera.",
            file=sys.stderr,
        )
        return FAILED
    return code


def _not_taken(press: "Pressed", error: PressError) -> None:
    """A press of the inputs that the game as it was read then does not allow: told, and the film goes on."""
    print(f"brisca: The press at {press.press.get('t')} s was left out: {error}", file=sys.stderr)


def _live(args: argparse.Namespace, stack: ExitStack) -> int:
    from server.cli import FAILED, complain
    from server.decks import Decks
    from server.sessions.journals import Journals
    from server.sessions.store import Store
    from server.settings import HISTORY_FILE, load_settings
    from server.version import version
    from server.web.address import has_display, open_socket, room_url, urls
    from server.web.room import Addresses, Room
    from server.web.serve import open_page, serve

    settings = load_settings(args.data, args.host, args.port, learn=args.learn, deck=args.deck)
    decks = Decks(settings.data)
    if settings.deck is not None:
        decks.load(settings.deck)
    plan = None if args.source is None and args.resume is None else _plan(args)
    usual = plan.table if plan is not None else _table(args, None)
    store = stack.enter_context(Store(settings.data / HISTORY_FILE))
    # The address first: where it cannot be had, no camera is opened and no recording is made for nothing.
    listener = stack.enter_context(open_socket(settings.host, settings.port))
    game = None if plan is None else _open(plan, store, Journals(settings.data), settings.learn)
    if game is not None:
        stack.callback(game.close)
    pages = urls(settings.host, int(listener.getsockname()[1]))
    codes = [0]

    def over(ended: "Game") -> None:
        try:
            codes.append(_conclude(ended))
        except ServerError as error:  # the next game must begin all the same
            codes.append(complain(error))

    async def main() -> None:
        room = Room(usual, version(), Addresses(pages[0], room_url(pages)), store, over, settings.learn)
        room.decks, room.deck = decks, settings.deck
        room.preset = any((args.seats, args.players, args.rules, args.dealer))
        if game is not None:
            room.open_with(game)
        await serve(room, listener, settings.host_names, lambda: announce(room))

    def announce(room: "Room") -> None:
        first = pages[0] if game is not None else f"{pages[0]}start"
        print(f"The scoreboard is at {pages[0]}", flush=True)
        if game is None:
            print(f"  no game yet: choose camera and players at {first}", flush=True)
        if (phone := room.addresses.room) is not None:
            _print_code(phone)
        print("Ctrl-C ends it.", flush=True)
        if not args.no_browser and has_display():
            open_page(first)

    asyncio.run(main())
    return FAILED if any(codes) else 0
