"""``brisca model``: the weights that belong to this version."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from server.cli.train import need_train
from server.errors import UsageError
from vision.errors import WeightsError

if TYPE_CHECKING:
    from vision.weights import Task


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
        description="Export trained weights to ONNX with their metadata, and enter them into the MODELS.toml beside "
        "the file (needs the extra [train]).",
    )
    kinds = export.add_subparsers(title="what to export", metavar="MODEL", dest="model", required=True)
    identifier = kinds.add_parser(
        "identifier", help="the network that names the faces", description="Export an identifier."
    )
    identifier.add_argument(
        "--recipe",
        type=Path,
        default=Path("datasets/identifier.toml"),
        metavar="FILE",
        help="recipe that it was trained by (default: datasets/identifier.toml)",
    )
    identifier.set_defaults(run=run_export_identifier)
    locator = kinds.add_parser("locator", help="the network that finds the cards", description="Export a locator.")
    locator.add_argument(
        "--size",
        type=int,
        nargs=2,
        default=(384, 640),
        metavar=("HEIGHT", "WIDTH"),
        help="size of the pictures that it will be given (default: 384 640)",
    )
    locator.set_defaults(run=run_export_locator)
    for command in (identifier, locator):
        command.add_argument("checkpoint", type=Path, metavar="CHECKPOINT", help="trained weights (.pt)")
        command.add_argument("out", type=Path, metavar="OUT.onnx", help="the ONNX file to write")


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


def run_export_identifier(args: argparse.Namespace) -> int:
    """Export an identifier at the crop size of its recipe's last stage."""
    _demand(args.checkpoint)
    from vision.train.export import export_identifier
    from vision.train.recipe import read_recipe

    recipe = read_recipe(args.recipe)
    return _enter(export_identifier(args.checkpoint, args.out, recipe.stages[-1].size, recipe.margin), "identify")


def run_export_locator(args: argparse.Namespace) -> int:
    """Export a locator."""
    _demand(args.checkpoint)
    from vision.train.export import export_locator

    return _enter(export_locator(args.checkpoint, args.out, tuple(args.size)), "locate")


def _demand(checkpoint: Path) -> None:
    need_train("Exporting weights")
    if not checkpoint.is_file():
        raise UsageError(f"There is no checkpoint {checkpoint}; check the path.")


def _enter(file: Path, task: "Task") -> int:
    """Enter the exported file into the list beside it; its figures are not known yet."""
    from vision.train.export import register_weights

    listing = register_weights(file, file.stem, task, {})
    print(f"{file}\nentered in {listing}")
    return 0
