"""``brisca data``: make and check sets of labelled pictures."""

import argparse
import os
import sys
from pathlib import Path

from server.errors import UsageError


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``data synth`` and ``data check``."""
    parser = subparsers.add_parser(
        "data", help="make and check training pictures", description="Make and check sets of labelled pictures."
    )
    groups = parser.add_subparsers(title="what to do", metavar="ACTION", dest="action", required=True)

    synth = groups.add_parser(
        "synth",
        help="draw a data set of card tables",
        description="Draw pictures of card tables with exact labels, as a YOLO-OBB data set. Needs no pictures: decks, "
        "tables, hands and things are drawn; your own deck and table pictures can be mixed in.",
    )
    synth.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the new set")
    synth.add_argument("--count", type=int, required=True, metavar="N", help="number of pictures")
    synth.add_argument("--seed", type=int, default=1, metavar="S", help="same seed, same set; from 900000 on: held out")
    synth.add_argument(
        "--scheme", choices=("locator", "cards"), default="locator", help="2 classes, or 48 cards and back"
    )
    synth.add_argument("--size", type=int, default=640, metavar="PX", help="longer side of the pictures (default: 640)")
    synth.add_argument("--decks", type=Path, metavar="DIR", help="folder of deck folders to mix in (or BRISCA_DECKS)")
    synth.add_argument("--textures", type=Path, metavar="DIR", help="folder of table pictures (or BRISCA_TEXTURES)")
    synth.add_argument("--exclude-decks", default="", metavar="NAME,NAME", help="deck folders to leave out")
    synth.add_argument(
        "--drawn", type=float, default=0.5, metavar="SHARE", help="share of drawn decks beside the folders"
    )
    synth.add_argument(
        "--layout",
        metavar="NAME",
        help="draw one kind of table only: game, scattered, rows, fans, heap, close_up, shown, bare (no card at all: "
        "cloths, things, hands, look-alikes) or trump (the trump half under the stock)",
    )
    synth.add_argument("--square", action="store_true", help="square pictures only, as training likes them")
    synth.add_argument("--val", type=float, default=0.08, metavar="SHARE", help="share set apart for validation")
    synth.add_argument("--workers", type=int, default=2, metavar="N", help="processes (default: 2)")
    synth.set_defaults(run=run_synth)

    check = groups.add_parser(
        "check",
        help="look for faults in a data set",
        description="Look through a YOLO or YOLO-OBB data set and say what is wrong with it.",
    )
    check.add_argument("folder", type=Path, metavar="DIR", help="folder with data.yaml")
    check.set_defaults(run=run_check)


def _folder(given: Path | None, variable: str) -> Path | None:
    """The folder of an option, or else of an environment variable."""
    named = os.environ.get(variable)
    folder = given if given is not None else Path(named) if named else None
    if folder is not None and not folder.is_dir():
        raise UsageError(f"There is no folder {folder}; check the path (or the variable {variable}).")
    return folder


def run_synth(args: argparse.Namespace) -> int:
    """Draw a data set."""
    from vision.train.dataset import Recipe, build

    if not 0 <= args.drawn <= 1 or not 0 <= args.val <= 0.5:
        raise UsageError("--drawn must lie between 0 and 1, --val between 0 and 0.5.")
    recipe = Recipe(
        out=args.out,
        count=args.count,
        seed=args.seed,
        scheme=args.scheme,
        size=args.size,
        decks=_folder(args.decks, "BRISCA_DECKS"),
        textures=_folder(args.textures, "BRISCA_TEXTURES"),
        exclude=tuple(name.strip() for name in args.exclude_decks.split(",") if name.strip()),
        drawn=args.drawn,
        val_share=args.val,
        workers=args.workers,
        square=args.square,
        layout=args.layout,
    )

    def progress(done: int, wanted: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{done} of {wanted} pictures", end="" if done < wanted else "\n", file=sys.stderr, flush=True)

    built = build(recipe, progress)
    print(f"{built.pictures} pictures with {built.cards} cards in {args.out} ({args.scheme} scheme, seed {args.seed}).")
    if built.decks:
        print(f"Deck folders used: {', '.join(built.decks)}.")
    return 0


def run_check(args: argparse.Namespace) -> int:
    """Check a data set; exit code 1 where it has faults."""
    from vision.train.truth import check

    report = check(args.folder)
    for split, count in report.pictures.items():
        print(f"{split}: {count} pictures, {report.cards[split]} cards")
    print(f"{len(report.classes)} classes have examples.")
    for problem in report.problems:
        print(problem)
    if report.problems:
        return 1
    print("No fault found.")
    return 0
