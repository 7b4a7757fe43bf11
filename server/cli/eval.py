"""``brisca eval``: score the weights on labelled pictures."""

import argparse
import json
from pathlib import Path


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``eval``."""
    parser = subparsers.add_parser(
        "eval",
        help="score the weights on labelled pictures",
        description="Score finding, naming and calibration on any YOLO or YOLO-OBB folder with our class names.",
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR|data.yaml", help="the labelled pictures")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write all figures as JSON")
    parser.add_argument("--long-side", type=int, metavar="PX", help="scale pictures to this long side first")
    parser.add_argument(
        "--models", type=Path, metavar="DIR", help="folder with MODELS.toml (default: the shipped weights)"
    )
    parser.add_argument("--one-stage", type=Path, metavar="FILE.onnx", help="score the one-stage baseline instead")
    parser.add_argument("--limit", type=int, metavar="N", help="score only the first N pictures")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Score the pictures and print the figures."""
    from vision.train.scoring import score_folder

    report = score_folder(
        args.data, models=args.models, one_stage=args.one_stage, long_side=args.long_side, limit=args.limit
    )
    if args.out is not None:
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    for key, value in report.items():
        if not isinstance(value, list | dict):
            print(f"{key:32} {value}")
    for key in ("identity_by_size", "identity_by_visible_share", "located_by_size", "located_by_visible_share"):
        print(key)
        for name, cell in report[key].items():
            print(f"  {name:>10}  {cell['share']}  of {cell['of']}")
    if report["confusions"]:
        shown = ", ".join(f"{c['truth']} read as {c['read']} x{c['times']}" for c in report["confusions"][:12])
        print(f"confusions: {shown}")
    for wrong in report["wrong_above_0.9"]:
        print(f"sure and wrong: {wrong['picture']}: {wrong['truth']} read as {wrong['read']} ({wrong['confidence']})")
    return 0
