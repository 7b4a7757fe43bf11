"""``brisca model``: the weights that belong to this version."""

import argparse
import sys
from pathlib import Path

from server.errors import ServerError
from vision.errors import WeightsError


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``model``."""
    parser = subparsers.add_parser(
        "model",
        help="list, verify or export the weights",
        description="The weights that belong to this version, as listed in MODELS.toml.",
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    listing = actions.add_parser("list", help="list the weights", description="List the weights and their figures.")
    listing.set_defaults(run=run_list)
    verify = actions.add_parser(
        "verify",
        help="check the weights",
        description="Check that the weights are the listed ones, and that they load.",
    )
    verify.set_defaults(run=run_verify)
    export = actions.add_parser(
        "export",
        help="export trained weights to ONNX",
        description="Export trained weights to ONNX with their metadata (needs the extra [train]).",
    )
    export.add_argument("checkpoint", type=Path, metavar="CHECKPOINT", help="trained weights (.pt)")
    export.add_argument("--out", type=Path, required=True, metavar="FILE.onnx", help="the ONNX file to write")
    export.set_defaults(run=run_export)


def run_list(args: argparse.Namespace) -> int:
    """List the weights."""
    from vision.weights import list_weights, models_folder

    folder = models_folder()
    print(f"in {folder}")
    for weights in list_weights(folder):
        height, width = weights.input
        size = f"{weights.path.stat().st_size / 1e6:.1f} MB" if weights.path.is_file() else "missing"
        figures = ", ".join(f"{name} {value}" for name, value in weights.metrics.items())
        print(
            f"{weights.name}  {weights.task}  {len(weights.classes)} classes  {width}x{height}  {size}  "
            f"{weights.licence}  sha256 {weights.sha256[:12]}" + (f"\n  {figures}" if figures else "")
        )
    return 0


def run_verify(args: argparse.Namespace) -> int:
    """Check each file; 1 when one is missing, changed or does not load."""
    from vision.identifier import Identifier
    from vision.locator import Locator
    from vision.weights import list_weights, verify

    failed = 0
    for weights in list_weights():
        try:
            verify(weights)
            (Locator if weights.task == "locate" else Identifier)(weights.path)
        except WeightsError as error:
            failed += 1
            print(f"brisca: {error}", file=sys.stderr)
        else:
            print(f"{weights.name}: sound")
    return 1 if failed else 0


def run_export(args: argparse.Namespace) -> int:
    """Hand over to the training room, which is there only with the extra ``[train]``."""
    try:
        from vision.train.export import export_onnx
    except ModuleNotFoundError as error:
        raise ServerError(
            f"Exporting weights needs the extra [train] ({error.name} is missing): pip install 'brisca-table[train]'."
        ) from error
    export_onnx(args.checkpoint, args.out)
    print(f"written: {args.out}")
    return 0
