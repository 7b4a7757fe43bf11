"""What a cached film or reading was made by: hashes of the source files and weights that decide what comes out.

The files are found by following the import statements, so that a change of the dashboard makes no film anew, and a
change of the referee no new reading of the pictures.
"""

import ast
import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from server.films.suite import FilmSpec
from server.simulator.simulate import Scripted
from server.version import versions
from vision.weights import list_weights

_ROOT: Final = Path(__file__).resolve().parents[2]
_ROOMS: Final = ("engine", "vision", "server")
_FILM: Final = ("vision.synth.film", "vision.synth.decks")
_EYES: Final = ("server.eyes", "vision.source", "vision.codec")
_MIND: Final = ("server.sessions.session", "server.sessions.replay")


def film_identity(scripted: Scripted) -> str:
    """Hash of everything that decides the pictures of a film: its script, its look, the code that draws it.

    The rules of the game are in the script: code that only judges it draws nothing. Who is told to be the Alcaide,
    where there is one, is no part of the actions, but of what is pressed beside the pictures.
    """
    what = scripted.what
    look = [
        what.seed,
        what.level,
        what.size,
        what.fps,
        what.deck,
        scripted.mirrored,
        what.tilt,
        what.turn,
        [seat.side for seat in scripted.seats],
    ]
    said = [] if scripted.game.alcaide is None else [scripted.game.alcaide]
    return _digest([repr(scripted.script.actions), look, _sources(_FILM), *said])


def eyes_identity(film: str, spec: FilmSpec) -> str:
    """Hash of everything that decides what is seen in a film, and what is pressed."""
    weights = {weights.name: weights.sha256 for weights in list_weights()}
    parts = {name: number for name, number in versions().items() if name != "brisca"}
    return _digest([film, spec.inputs, weights, parts, _sources(_EYES)])


def mind_identity(eyes: str, spec: FilmSpec) -> str:
    """Hash of everything that decides which game is read out of what was seen."""
    profiles = {path.name: _hash(path.read_bytes()) for path in sorted((_ROOT / "engine/profiles").glob("*.toml"))}
    table = [spec.what.rules, spec.what.players, spec.what.seats]
    return _digest([eyes, table, profiles, _sources(_MIND)])


@cache
def _sources(entries: tuple[str, ...]) -> dict[str, str]:
    """The modules of the three rooms that ``entries`` import, directly or not, with the hash of each file."""
    found: dict[str, str] = {}
    waiting = list(entries)
    while waiting:
        name = waiting.pop()
        path = _file_of(name)
        if name in found or path is None:
            continue
        text = path.read_bytes()
        found[name] = _hash(text)
        waiting.extend(_imports(ast.parse(text)))
    return dict(sorted(found.items()))


def _imports(tree: ast.Module) -> Iterable[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _file_of(name: str) -> Path | None:
    if name.split(".")[0] not in _ROOMS:
        return None
    base = _ROOT.joinpath(*name.split("."))
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def _digest(value: object) -> str:
    return _hash(json.dumps(value, sort_keys=True, default=str).encode())[:16]


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
