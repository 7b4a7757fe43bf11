"""``brisca eval``: score the weights on labelled pictures, or on pictures without any card."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from server.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``eval``."""
    parser = subparsers.add_parser(
        "eval",
        help="score the weights on labelled pictures",
        description="Score finding, naming and calibration on any YOLO or YOLO-OBB folder with our class names, or "
        "count the cards that are claimed in pictures without any.",
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--data", type=Path, metavar="DIR|data.yaml", help="the labelled pictures")
    what.add_argument("--card-free", type=Path, metavar="DIR", help="pictures in which there is no card")
    parser.add_argument("--split", metavar="NAME", help="score one split of the set only, such as val")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write all figures as JSON")
    parser.add_argument(
        "--report",
        type=Path,
        metavar="DIR",
        help="write report.json, the confusion matrix, the reliability plot and a sheet of the worst errors there",
    )
    parser.add_argument("--long-side", type=int, metavar="PX", help="scale pictures to this long side first")
    parser.add_argument(
        "--models", type=Path, metavar="DIR", help="folder with MODELS.toml (default: the shipped weights)"
    )
    parser.add_argument("--one-stage", type=Path, metavar="FILE.onnx", help="score the one-stage baseline instead")
    parser.add_argument("--limit", type=int, metavar="N", help="score only the first N pictures")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score the pictures and print the figures; a set that cannot be scored is a mistake in the command (2)."""
    from vision.train.truth import DatasetError

    if args.limit is not None and args.limit < 1:
        raise UsageError("--limit must be at least 1.")
    if args.long_side is not None and not 32 <= args.long_side <= 16384:
        raise UsageError("--long-side must lie between 32 and 16384.")
    if args.card_free is not None and (args.split or args.long_side):
        raise UsageError("--split and --long-side belong to --data; leave them out with --card-free.")
    for folder in (args.report, args.out.parent if args.out is not None else None):
        _make(folder)
    try:
        return _card_free(args) if args.card_free is not None else _labelled(args)
    except DatasetError as error:
        raise UsageError(str(error)) from error


def _labelled(args: argparse.Namespace) -> int:
    from vision.train.plots import confusion_matrix, reliability
    from vision.train.scoring import look_through, score_folder

    folder = look_through(args.data, args.split)
    for note in folder.notes:
        print(f"brisca: {note}", file=sys.stderr)
    scored = score_folder(
        folder.base,
        models=args.models,
        one_stage=args.one_stage,
        long_side=args.long_side,
        limit=min(args.limit or folder.pictures, folder.pictures),
        split=args.split,
        names=folder.names,
        progress=_progress,
    )
    _write(args, scored.report)
    if args.report is not None:
        right = {label: row.right for label, row in scored.evaluation.cards.items() if row.named}
        _save(args.report / "confusion.png", confusion_matrix(right, scored.evaluation.confusion))
        _save(args.report / "reliability.png", reliability(scored.evaluation.bets))
        _save(args.report / "worst.png", scored.errors.picture())
    _print(scored.report)
    return 0


def _card_free(args: argparse.Namespace) -> int:
    from vision.train.scoring import score_card_free

    result = score_card_free(
        args.card_free, models=args.models, one_stage=args.one_stage, limit=args.limit, progress=_progress
    )
    report = result.report()
    _write(args, report)
    if args.report is not None:
        _save(args.report / "worst.png", result.errors.picture())
    for key, value in report.items():
        print(f"{key:34} {value}")
    return 0


def _print(report: dict[str, Any]) -> None:
    """All figures in words and tables."""
    for key, value in report.items():
        if not isinstance(value, list | dict):
            print(f"{key:32} {value}")
    for key, title in (
        ("groups", "group"),
        ("by_card", "card"),
        ("by_size", "px tall"),
        ("by_visible_share", "visible"),
    ):
        if not report[key]:
            print(f"{title}: the set does not tell")
            continue
        width = max(len(title), *(len(name) for name in report[key]))
        print(f"{title:>{width}}   seen  found         named  right")
        for name, row in report[key].items():
            found, right = _percent(row["found_share"]), _percent(row["right_share"])
            print(f"{name:>{width}} {row['seen']:6} {row['found']:6} {found} {row['named']:6} {row['right']:6} {right}")
    if report["confusions"]:
        shown = ", ".join(f"{c['truth']} read as {c['read']} x{c['times']}" for c in report["confusions"][:12])
        print(f"confusions: {shown}")
    for wrong in report["wrong_above_0.9"]:
        print(f"sure and wrong: {wrong['picture']}: {wrong['truth']} read as {wrong['read']} ({wrong['confidence']})")


def _percent(share: float | None) -> str:
    return "     -" if share is None else f"{100 * share:5.1f}%"


def _progress(done: int, wanted: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {wanted} pictures", end="" if done < wanted else "\n", file=sys.stderr, flush=True)


def _make(folder: Path | None) -> None:
    """Make a folder for what is written; a usage error where that cannot be."""
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"Nothing can be written to {folder} ({error.strerror}); give a writable folder.") from error


def _write(args: argparse.Namespace, report: dict[str, Any]) -> None:
    """The figures as JSON, wherever they are wanted: before anything is printed, so that no broken pipe loses them."""
    text = json.dumps(report, indent=1) + "\n"
    for file in (args.out, None if args.report is None else args.report / "report.json"):
        try:
            if file is not None:
                file.write_text(text, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"{file} cannot be written ({error.strerror}); give another place.") from error


def _save(path: Path, image: "NDArray[np.uint8]") -> None:
    import cv2

    if not cv2.imwrite(str(path), image):
        raise UsageError(f"The picture {path} cannot be written; is the disk full?")
