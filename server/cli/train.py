"""``brisca train``: train the weights anew (extra [train])."""

import argparse
import importlib.util
from pathlib import Path
from typing import Final

from server.errors import UsageError

TRAIN_PACKAGES: Final = ("torch", "ultralytics", "onnx")


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``train identifier`` and ``train locator``."""
    parser = subparsers.add_parser(
        "train", help="train the weights anew (extra [train])", description="Train the weights anew."
    )
    kinds = parser.add_subparsers(title="what to train", metavar="MODEL", dest="model", required=True)

    identifier = kinds.add_parser(
        "identifier",
        help="the network that names the faces",
        description="Train the identifier from endless drawn crops; a run that was broken off goes on.",
    )
    identifier.add_argument("--recipe", type=Path, default=Path("datasets/identifier.toml"), metavar="FILE")
    identifier.add_argument("--decks", type=Path, metavar="DIR", help="folder of deck folders to train on as well")
    identifier.add_argument("--textures", type=Path, metavar="DIR", help="folder of table pictures to use as well")
    identifier.add_argument(
        "--learned", type=Path, metavar="DIR", help="folder of crops that 'brisca watch --learn' has kept, to mix in"
    )
    identifier.add_argument(
        "--cache", type=Path, default=Path("cache"), metavar="DIR", help="where drawn decks are kept"
    )
    identifier.add_argument("--workers", type=int, default=1, help="processes that make crops (default: 1)")
    identifier.add_argument("--reuse", type=int, default=1, help="times that a crop is shown again (default: 1)")
    identifier.add_argument(
        "--bf16", action="store_true", help="train in bfloat16: faster where the processor has AMX, slower elsewhere"
    )
    identifier.set_defaults(run=run_identifier)

    locator = kinds.add_parser(
        "locator",
        help="the network that finds the cards, or the one-stage baseline",
        description="Train a YOLO11n OBB model on a data set made by 'brisca data synth'.",
    )
    locator.add_argument("--data", type=Path, required=True, metavar="data.yaml", help="the data set")
    locator.add_argument("--epochs", type=int, default=4)
    locator.add_argument("--size", type=int, default=416, help="side of the training pictures in pixels (default: 416)")
    locator.add_argument("--batch", type=int, default=16)
    locator.add_argument("--device", default="cpu", help="cpu, or the number of a GPU (default: cpu)")
    locator.set_defaults(run=run_locator)

    for command in (identifier, locator):
        command.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the run")
        command.add_argument("--start", type=Path, metavar="FILE", help="weights to start from (docs/training.md)")
        command.add_argument("--threads", type=int, default=2, help="threads of torch (default: 2)")


def run_identifier(args: argparse.Namespace) -> int:
    """Train the identifier and say where the best checkpoint is."""
    need_train("Training")
    _exists(args.decks, args.textures, args.learned, args.start)
    from vision.train.identifier import train_recipe
    from vision.train.recipe import read_recipe

    best = train_recipe(
        read_recipe(args.recipe),
        args.out,
        cache=args.cache,
        decks=args.decks,
        textures=args.textures,
        learned=args.learned,
        start=args.start,
        threads=args.threads,
        workers=args.workers,
        reuse=args.reuse,
        bf16=args.bf16,
    )
    print(f"{best}\nExport it with: brisca model export identifier {best} OUT.onnx")
    return 0


def run_locator(args: argparse.Namespace) -> int:
    """Train the locator and say where the best checkpoint is."""
    need_train("Training")
    _exists(args.data, args.start)
    from vision.train.locator import train

    best = train(
        args.data,
        args.out,
        start=args.start,
        size=args.size,
        epochs=args.epochs,
        batch=args.batch,
        threads=args.threads,
        device=args.device,
    )
    print(f"{best}\nExport it with: brisca model export locator {best} OUT.onnx")
    return 0


def need_train(what: str) -> None:
    """Raise a sentence where packages of the extra [train] are missing; ``what`` needs them ("Training")."""
    missing = [name for name in TRAIN_PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(
            f"{what} needs {', '.join(missing)}: install with: pip install 'brisca-table[train]' "
            "(docs/training.md says how to get the small torch build)."
        )


def _exists(*paths: Path | None) -> None:
    for path in paths:
        if path is not None and not path.exists():
            raise UsageError(f"{path} does not exist; check the path.")
