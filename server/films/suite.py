"""A suite of films: a TOML file that lists what to film.

The file has a ``title``, a table ``[defaults]`` and an array ``film`` of tables::

    title = "Two games"

    [defaults]
    level = "easy"
    size = "1280x720"

    film = [
      { name = "two-51", players = 2, seed = 51 },
      { name = "four-52", players = 4, seed = 52, level = "hard", group = "hard" },
    ]

A film may have every field of :class:`~server.simulator.simulate.Simulation` (``size`` as ``"1280x720"``), ``inputs``
(whether the arrastre calls are pressed; true unless said otherwise) and ``group`` (under which it is summed; its level
if none).
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from server.errors import UsageError
from server.simulator.simulate import Simulation, picture_size

_OWN: Final = ("name", "group", "inputs")
_SIMULATION: Final = {field.name: field.type for field in fields(Simulation)}
_NUMBERS: Final = ("fps", "tilt", "turn")
_NAME_SIGNS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_.")


class SuiteError(UsageError):
    """A suite file that cannot be meant."""

    code = "bad_suite"


@dataclass(frozen=True, slots=True)
class FilmSpec:
    """One film of a suite: what to simulate, whether the calls are pressed, and the group that it is summed in."""

    name: str
    group: str
    what: Simulation
    inputs: bool = True


@dataclass(frozen=True, slots=True)
class Suite:
    """The films to make, in order."""

    title: str
    films: tuple[FilmSpec, ...]


def read_suite(path: Path) -> Suite:
    """The suite in a TOML file. Raises :class:`SuiteError` naming the film and field that are wrong."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SuiteError(f"The suite {path} cannot be read ({error.strerror}); name a TOML file.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SuiteError(f"The suite {path} is no TOML ({error}); correct it.") from error
    unknown = sorted(set(data) - {"title", "defaults", "film"})
    if unknown:
        raise SuiteError(f"The suite {path} has a part {unknown[0]!r}; it may have title, defaults and film.")
    defaults, listed = data.get("defaults", {}), data.get("film", [])
    if not isinstance(defaults, Mapping) or not isinstance(listed, list) or not listed:
        raise SuiteError(f"The suite {path} lists no films; see the head of datasets/films.toml for how to.")
    films = tuple(_film(path, {**defaults, **row}) for row in listed)
    names = [film.name for film in films]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise SuiteError(f"The suite {path} has two films called {twice}; rename one.")
    return Suite(str(data.get("title", path.stem)), films)


def _film(path: Path, row: Mapping[str, Any]) -> FilmSpec:
    name = row.get("name")
    if not isinstance(name, str) or not name or not set(name) <= _NAME_SIGNS:
        raise SuiteError(f"A film of {path} has the name {name!r}; use small letters, digits, - and _.")
    for key in row:
        if key not in _OWN and key not in _SIMULATION:
            known = ", ".join(sorted([*_OWN, *_SIMULATION]))
            raise SuiteError(f"The film {name} of {path} has a field {key!r}; it may have {known}.")
    values = {key: row[key] for key in row if key not in _OWN}
    for key, value in values.items():
        if not _fits(key, value):
            raise SuiteError(f"The film {name} of {path} has {key} = {value!r}, which is no {_SIMULATION[key]}.")
    if "size" in values:
        values["size"] = picture_size(values["size"])
    for key in ("incidents", "camera"):
        if key in values:
            values[key] = tuple(values[key])
    values |= {key: float(values[key]) for key in _NUMBERS if key in values}
    what = Simulation(**values)
    return FilmSpec(name, str(row.get("group", what.level)), what, bool(row.get("inputs", True)))


def _fits(key: str, value: object) -> bool:
    if key == "size":
        return isinstance(value, str)
    if key in ("incidents", "camera"):
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if key == "faults":
        return isinstance(value, bool)
    if key in ("players", "seed", "tricks"):
        return isinstance(value, int) and not isinstance(value, bool)
    if key in _NUMBERS:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, str)
