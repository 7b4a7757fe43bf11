"""Films the games of a suite and reads the films, each step in a child process of the real command.

A crash, an error and a step that never ends are caught and told; what was done with the same code and weights is not
done again. The folder of a film holds ``film/`` (as ``brisca simulate`` writes it), ``reading/`` (the recording),
``again/`` (where only the game had to be read anew, the recording of that), ``result.json`` and the two logs.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from server.errors import ServerError
from server.films.identity import eyes_identity, film_identity, mind_identity
from server.films.suite import FilmSpec
from server.sessions.recording import is_recording
from server.simulator.simulate import Simulation, json_text, script_game
from vision.synth.film_actions import action_end

_PATIENCE: Final = 60.0
"""A step may take so many times the film's own time, and ten minutes more."""

_MADE: Final = "made.json"


class FilmFailedError(ServerError):
    """A film could not be made or read; the message says which step failed and how it ended."""

    code = "film_failed"


@dataclass(frozen=True, slots=True)
class Made:
    """The files of a film that was made and read, and how long reading the pictures took."""

    folder: Path
    truth: dict[str, Any]
    result: dict[str, Any]
    seconds_read: float
    replayed: bool

    @property
    def film(self) -> Path:
        """The film."""
        return self.folder / "film/game.mp4"

    @property
    def reading(self) -> Path:
        """The recorded session that the result comes from."""
        return self.folder / ("again" if self.replayed else "reading")


def simulate_words(what: Simulation, out: Path, *, inputs: bool) -> list[str]:
    """The words of ``brisca simulate`` that film this."""
    words = [
        "simulate", "--out", str(out), "--rules", what.rules, "--seed", str(what.seed), "--level", what.level,
        "--size", f"{what.size[0]}x{what.size[1]}", "--fps", f"{what.fps:g}", "--deck", what.deck,
        *_table_words(what),
    ]  # fmt: skip
    if what.tricks is not None:
        words += ["--tricks", str(what.tricks)]
    for option, angle in (("--tilt", what.tilt), ("--turn", what.turn)):
        if angle is not None:
            words += [option, f"{angle:g}"]
    if what.faults:
        words.append("--break-rules")
    if inputs:
        words.append("--inputs")
    for incident in what.incidents:
        words += ["--incident", incident]
    for trouble in what.camera:
        words += ["--camera", trouble]
    return words


def _table_words(what: Simulation) -> list[str]:
    return ["--seats", what.seats] if what.seats else ["--players", str(what.players)]


class Runner:
    """Makes and reads films under the folder ``cache``; ``again`` does everything anew."""

    def __init__(self, cache: Path, *, again: bool = False) -> None:
        self._cache = cache
        self._again = again

    def film(self, spec: FilmSpec) -> tuple[Path, dict[str, Any], str]:
        """The folder of a film with its pictures drawn, its truth, and the film's identity."""
        scripted = script_game(spec.what)
        identity = film_identity(scripted)
        folder = self._cache / spec.name
        film = folder / "film"
        made = _read_json(folder / _MADE)
        if self._again or made.get("film") != identity or not (film / "game.mp4").is_file():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            words = simulate_words(spec.what, film, inputs=spec.inputs)
            self._step(words, folder / "simulate.log", max(action_end(action) for action in scripted.script.actions))
            _write_json(folder / _MADE, {"film": identity})
        # What counts as a violation is told by the engine as it is now, not as it was when the film was drawn.
        old = _read_json(film / "truth.json")
        truth = json.loads(json_text(scripted.truth())) | {"film": old["film"]}
        (film / "truth.json").write_text(json_text(truth), encoding="utf-8")
        return folder, truth, identity

    def read(self, spec: FilmSpec) -> Made:
        """The film made and read; raises :class:`FilmFailedError` when a step fails."""
        folder, truth, identity = self.film(spec)
        made = _read_json(folder / _MADE)
        eyes = eyes_identity(identity, spec)
        mind = mind_identity(eyes, spec)
        seen = made.get("eyes") == eyes and is_recording(folder / "reading")
        if not (seen and made.get("mind") == mind and (folder / "result.json").is_file()):
            made = self._watch(spec, folder, truth, made, seen=seen)
            _write_json(folder / _MADE, made | {"film": identity, "eyes": eyes, "mind": mind})
        result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        return Made(folder, truth, result, float(made["seconds_read"]), bool(made["replayed"]))

    def _watch(
        self, spec: FilmSpec, folder: Path, truth: dict[str, Any], made: dict[str, Any], *, seen: bool
    ) -> dict[str, Any]:
        """Read the pictures, or only the game out of what was ``seen`` in them before."""
        (folder / "result.json").unlink(missing_ok=True)
        record = folder / ("again" if seen else "reading")
        shutil.rmtree(folder / "again", ignore_errors=True)
        if not seen:
            # A reading that is broken off must not pass for the one that was there before.
            _write_json(folder / _MADE, {"film": made["film"]})
            shutil.rmtree(record, ignore_errors=True)
        source = folder / ("reading" if seen else "film/game.mp4")
        words = ["watch", "--source", str(source), "--headless", "--rules", spec.what.rules, *_table_words(spec.what)]
        words += ["--out", str(folder / "result.json"), "--record", str(record)]
        # The recorded session has its presses in it already.
        if spec.inputs and not seen:
            words += ["--inputs", str(folder / "film/inputs.jsonl")]
        seconds = truth["film"]["frames"] / truth["film"]["fps"]
        started = time.monotonic()
        self._step(words, folder / "watch.log", seconds)
        took = time.monotonic() - started
        return made | {"seconds_read": made["seconds_read"] if seen else round(took, 1), "replayed": seen}

    @staticmethod
    def _step(words: Sequence[str], log: Path, seconds: float) -> None:
        """Run ``brisca`` with these words on a film of so many seconds."""
        limit = 600 + _PATIENCE * seconds
        command = [sys.executable, "-m", "server.cli", *words]
        shown = "brisca " + " ".join(words)
        with log.open("w", encoding="utf-8") as out:
            out.write(shown + "\n")
            out.flush()
            try:
                code = subprocess.run(
                    command, stdout=out, stderr=subprocess.STDOUT, timeout=limit, check=False, env=_environment()
                ).returncode
            except subprocess.TimeoutExpired as error:
                raise FilmFailedError(f"It did not end within {limit:.0f} s: {shown} (see {log}).") from error
        if code:
            last = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1]
            raise FilmFailedError(f"It ended with {code}: {shown}: {last} (see {log}).")


def _environment() -> dict[str, str]:
    """The child reads the same source tree as we do, wherever it is started."""
    root = str(Path(__file__).resolve().parents[2])
    path = os.environ.get("PYTHONPATH")
    return os.environ | {"PYTHONPATH": root if not path else os.pathsep.join((root, path))}


def _read_json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _write_json(path: Path, data: dict[str, Any]) -> None:
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
