"""``brisca replay``: compute a recorded session again, and check that it comes out the same."""

import argparse
import sys
from pathlib import Path


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``replay``."""
    parser = subparsers.add_parser(
        "replay",
        help="compute a recorded session again",
        description="Compute the game of a recorded session again from what was seen and pressed; needs no camera and "
        "no weights.",
    )
    parser.add_argument("session", type=Path, metavar="SESSION", help="folder that 'brisca watch --record' wrote")
    parser.add_argument(
        "--check", action="store_true", help="compare ledger and result with the recorded ones, byte for byte"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the result to this file")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Replay; with ``--check`` a difference is a failure."""
    from server.sessions.recording import check_writable, read_recording, write_result
    from server.sessions.replay import differences, replay, version_note
    from server.sessions.summary import summary_text
    from vision.pathname import as_meant

    if args.out is not None:
        check_writable(args.out, "--out")
    recording = read_recording(Path(as_meant(str(args.session))))
    done = replay(recording)
    for problem in done.problems:
        print(f"brisca: {args.session}: {problem}", file=sys.stderr)
    if recording.truncated:
        print("The last line was cut off, as by a power cut; all before it counts.", file=sys.stderr)
    if args.out is not None:
        write_result(args.out, done.result)
    print(summary_text(done.result, done.session.table.rules))
    if not args.check:
        return 0
    parted = list(differences(recording, done))
    for difference in parted:
        print(f"brisca: {difference}", file=sys.stderr)
    if parted and (note := version_note(recording)) is not None:
        print(f"brisca: {note}", file=sys.stderr)
    entries = sum(1 for _ in recording.of("entry"))
    compared = f"{entries} ledger entries" + ("" if recording.result_text is None else " and the result")
    if not parted and not done.problems:
        print(f"check: the same, byte for byte ({compared}).")
        return 0
    print("check: not the same." if parted else "check: the same, but the log has damaged lines.")
    return 1
