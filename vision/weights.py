"""The weights that belong to this version: listed in ``MODELS.toml``, found, and checked against their sha256.

``MODELS.toml`` holds one ``[[model]]`` table per file::

    [[model]]
    name = "locator"
    file = "locator.onnx"          # beside MODELS.toml
    task = "locate"                # or "identify"
    sha256 = "..."                 # 64 hexadecimal digits
    classes = ["face", "back"]
    input = [384, 640]             # height, width
    licence = "AGPL-3.0-or-later"
    metrics = { map50 = 0.99 }     # free
"""

import hashlib
import os
import tomllib
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Final, Literal, cast, get_args

from vision.errors import WeightsError

Task = Literal["locate", "identify"]

LIST_NAME: Final = "MODELS.toml"
FOLDER_VARIABLE: Final = "BRISCA_MODELS"
"""Environment variable that names another folder of weights."""

_TASKS: Final = frozenset(get_args(Task))
_WAY_OUT: Final = "install brisca-table again, or see `brisca model list`"


@dataclass(frozen=True, slots=True)
class Weights:
    """One entry of ``MODELS.toml``. ``input`` is (height, width); ``path`` need not exist until it is verified."""

    name: str
    path: Path
    task: Task
    sha256: str
    classes: tuple[str, ...]
    input: tuple[int, int]
    licence: str
    metrics: dict[str, Any] = field(default_factory=dict, hash=False)


def models_folder() -> Path:
    """The folder with ``MODELS.toml``: ``$BRISCA_MODELS``, the installed package's, or that of the source tree.

    Raises :class:`~vision.errors.WeightsError` where there is none.
    """
    if wish := os.environ.get(FOLDER_VARIABLE):
        folder = Path(wish)
        if not (folder / LIST_NAME).is_file():
            raise WeightsError(f"{FOLDER_VARIABLE} names {folder}, but there is no {LIST_NAME} in it: correct it.")
        return folder
    package = Path(str(resources.files("vision")))
    for folder in (package / "models", package.parent / "models"):
        if (folder / LIST_NAME).is_file():
            return folder
    raise WeightsError(f"The weights are missing ({LIST_NAME} is not there): {_WAY_OUT}.")


def list_weights(folder: Path | None = None) -> tuple[Weights, ...]:
    """All entries of the list in ``folder`` (default: :func:`models_folder`), not yet verified.

    Raises :class:`~vision.errors.WeightsError` where the list is missing or not well-formed.
    """
    folder = folder if folder is not None else models_folder()
    listing = folder / LIST_NAME
    try:
        data = tomllib.loads(listing.read_text(encoding="utf-8"))
    except OSError as error:
        raise WeightsError(f"{listing} cannot be read ({error.strerror}): {_WAY_OUT}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WeightsError(f"{listing} is no TOML ({error}): correct it or {_WAY_OUT}.") from error
    entries = data.get("model", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise WeightsError(f"{listing} holds no [[model]] tables: correct it or {_WAY_OUT}.")
    found = tuple(_entry(listing, entry) for entry in entries)
    names = [weights.name for weights in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise WeightsError(f"{listing} lists {twice} twice: remove one.")
    return found


def find_weights(task: Task, name: str | None = None, folder: Path | None = None) -> Weights:
    """The verified weights for a task: those called ``name``, else the first in the list for this task.

    Raises :class:`~vision.errors.WeightsError` where they are missing or not the listed ones.
    """
    listed = list_weights(folder)
    for weights in listed:
        if weights.task == task and name in (None, weights.name):
            verify(weights)
            return weights
    which = f" called {name}" if name else ""
    have = ", ".join(weights.name for weights in listed if weights.task == task) or "none"
    raise WeightsError(f"There are no weights{which} to {task} cards (there: {have}): {_WAY_OUT}.")


def verify(weights: Weights) -> None:
    """Check that the file is there and has the listed sha256; raises :class:`~vision.errors.WeightsError`."""
    if not weights.path.is_file():
        raise WeightsError(f"The weights {weights.path} are missing: {_WAY_OUT}.")
    try:
        found = sha256_of(weights.path)
    except OSError as error:
        raise WeightsError(f"{weights.path} cannot be read ({error.strerror}): check its permissions.") from error
    if found != weights.sha256:
        raise WeightsError(
            f"{weights.path} is damaged or not the file that {LIST_NAME} lists "
            f"(sha256 {found[:12]}… instead of {weights.sha256[:12]}…): {_WAY_OUT}."
        )


def sha256_of(path: Path) -> str:
    """The sha256 of a file, as 64 hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _entry(listing: Path, data: dict[str, Any]) -> Weights:
    name = data.get("name")

    def wrong(what: str) -> WeightsError:
        return WeightsError(f"{listing}, model {name!r}: {what}; correct it or {_WAY_OUT}.")

    if not isinstance(name, str) or not name:
        raise wrong("`name` is missing")
    file, task, digest = data.get("file"), data.get("task"), data.get("sha256")
    classes, size = data.get("classes"), data.get("input")
    if not isinstance(file, str) or Path(file).name != file:
        raise wrong("`file` must be the name of a file in the same folder")
    if task not in _TASKS:
        raise wrong(f"`task` must be one of {', '.join(sorted(_TASKS))}")
    if not isinstance(digest, str) or len(digest) != 64 or set(digest.lower()) - set("0123456789abcdef"):
        raise wrong("`sha256` must be 64 hexadecimal digits")
    if not isinstance(classes, list) or not all(isinstance(label, str) for label in classes):
        raise wrong("`classes` must be a list of names")
    if not isinstance(size, list) or len(size) != 2 or not all(isinstance(n, int) and n > 0 for n in size):
        raise wrong("`input` must be [height, width]")
    licence, metrics = data.get("licence", ""), data.get("metrics", {})
    if not isinstance(licence, str) or not isinstance(metrics, dict):
        raise wrong("`licence` must be a text and `metrics` a table")
    return Weights(
        name=name,
        path=listing.parent / file,
        task=cast("Task", task),
        sha256=digest.lower(),
        classes=tuple(classes),
        input=(size[0], size[1]),
        licence=licence,
        metrics=metrics,
    )
