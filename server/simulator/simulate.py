"""Makes a whole game up and films it: ``game.mp4`` with the truth of the game and of every card.

``truth.json`` is the result that ``brisca watch`` should reach, in the result format, plus ``film`` (how it was drawn);
``truth_boxes.jsonl`` has one line per sampled frame with the outline, name and visible share of every card;
``inputs.jsonl`` has what people press, on the film's clock.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from engine.events import TrumpExchanged
from engine.fold import fold_events
from engine.random_game import Gathered, Played, RandomGame, Swapped
from engine.rules import Rules
from server.errors import ServerError, UsageError
from server.house_rules import load_rules
from server.seats import Seat, default_seats, parse_seats
from server.simulator.camera_faults import camera_faults
from server.simulator.incidents import Staged, stage_game
from server.simulator.script import PACES, SAID_AT, Pace, Script, trick_times, write_script
from vision.synth import decks
from vision.synth.decks import DeckArt, DeckError
from vision.synth.film import Film, FilmSettings, FilmTruth
from vision.synth.film_level import LEVELS, Level
from vision.synth.scene import HELD_OUT

DEMO_SEED: Final = 339
DEMO_TABLE: Final = 900_006

Progress = Callable[[int, int], None]


class SimulateError(ServerError):
    """A game that cannot be simulated or written."""

    code = "simulate"


@dataclass(frozen=True, slots=True)
class Simulation:
    """What to simulate. ``deck`` is ``own``, ``random`` or a deck folder; ``faults`` lets players neglect duties.

    ``seats`` as for ``brisca watch``; without it ``players`` sit at their usual sides. ``incidents`` (see
    :mod:`server.simulator.incidents`) and ``camera`` (see :mod:`server.simulator.camera_faults`) are scripted, such as
    ``wrong_leader@5``.
    ``tilt`` in degrees from straight down and ``turn`` in degrees round the table override those of the level.
    """

    rules: str = "arrastro"
    players: int = 2
    seats: str | None = None
    seed: int = 0
    level: Level = "easy"
    size: tuple[int, int] = (1280, 720)
    fps: float = 15.0
    deck: str = "random"
    tricks: int | None = None
    faults: bool = False
    incidents: tuple[str, ...] = ()
    camera: tuple[str, ...] = ()
    tilt: float | None = None
    turn: float | None = None


@dataclass(frozen=True, slots=True)
class Scripted:
    """A game made up and put on a clock: all of a film but its pictures."""

    what: Simulation
    rules: Rules
    seats: tuple[Seat, ...]
    staged: Staged
    script: Script
    mirrored: bool

    @property
    def game(self) -> RandomGame:
        """The game as it was played."""
        return self.staged.game

    def truth(self) -> dict[str, Any]:
        """The result format, without the film's own part."""
        return game_truth(self.rules, self.seats, self.staged, self.script)


@dataclass(frozen=True, slots=True)
class Simulated(Scripted):
    """A game made up, scripted and ready to be filmed."""

    film: Film


def picture_size(text: str) -> tuple[int, int]:
    """(width, height) from ``1280x720``; UsageError for anything else."""
    width, cross, height = text.lower().partition("x")
    if not (cross and width.isdecimal() and height.isdecimal()):
        raise UsageError(f"{text!r} is no size of a picture; write for example 1280x720.")
    return int(width), int(height)


def load_deck(name: str, seed: int, labels: Sequence[str]) -> DeckArt:
    """The deck called ``own`` or ``random`` (by the seed), or that of a folder.

    Raises SimulateError when it cannot be read or lacks one of the ``labels``.
    """
    try:
        if name == "own":
            deck: DeckArt = decks.own_deck()
        elif name == "random":
            deck = decks.random_deck(HELD_OUT + seed)
        else:
            deck = decks.folder_deck(name)
    except DeckError as error:
        raise SimulateError(str(error)) from error
    missing = [label for label in labels if label not in deck.labels]
    if missing:
        raise SimulateError(
            f"The deck {deck.name} has no picture of {', '.join(missing[:5])}; take another deck or other rules."
        )
    return deck


def script_game(what: Simulation, pace: Pace | None = None) -> Scripted:
    """The game and its script; cheap, nothing is drawn.

    Raises an error of one of the rooms with a sentence that says what to do.
    """
    if what.level not in PACES:
        raise UsageError(f"There is no level {what.level!r}; choose one of {', '.join(LEVELS)}.")
    if what.tricks is not None and what.tricks < 1:
        raise UsageError("--tricks must be at least 1; leave it out for the whole game.")
    seats = parse_seats(what.seats) if what.seats else default_seats(what.players)
    rules = load_rules(what.rules, len(seats))
    rng = Random(f"{what.rules} {len(seats)} {what.seed}")
    staged = stage_game(rules, what.incidents, rng, careless=what.faults)
    script = write_script(staged, seats, what.level, rng, tricks=what.tricks, pace=pace or PACES[what.level])
    faults = camera_faults(what.camera, script)
    script = replace(script, actions=tuple(sorted((*script.actions, *faults.actions), key=lambda action: action.t)))
    return Scripted(what, rules, seats, staged, script, faults.mirrored)


def prepare(what: Simulation, *, deck: DeckArt | None = None, pace: Pace | None = None, **look: Any) -> Simulated:
    """The game and its film, not drawn yet.

    ``deck`` overrides the named one; ``look`` are further fields of :class:`~vision.synth.film.FilmSettings`. Raises an
    error of one of the rooms with a sentence that says what to do.
    """
    made = script_game(what, pace)
    art = deck or load_deck(what.deck, what.seed, [str(card) for card in made.rules.cards])
    sides: Any = tuple(seat.side for seat in made.seats)
    settings: dict[str, Any] = {"seed": HELD_OUT + what.seed, "size": what.size, "fps": what.fps, "level": what.level}
    settings |= {"mirrored": made.mirrored, "tilt": what.tilt, "turn": what.turn}
    film = Film(made.script.actions, FilmSettings(art, sides, **(settings | look)))
    return Simulated(what, made.rules, made.seats, made.staged, made.script, made.mirrored, film)


def prepare_demo() -> Simulated:
    """The demo film: two players, our own deck, a wooden table, always the same game."""
    what = Simulation(seats="south=Ana,north=Luis", seed=DEMO_SEED, level="demo", deck="own")
    return prepare(what, pace=PACES["demo"], table_kind="wood", table_seed=DEMO_TABLE, things=("coins", "spectacles"))


def simulate(
    ready: Simulated, out: Path, *, name: str = "game.mp4", inputs: bool = False, progress: Progress | None = None
) -> Path:
    """Writes the film and its truth into the folder ``out`` (made if need be); returns the path of the film."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        unfinished = out / f"unfinished-{name}"  # a film that was there stays whole until the new one is
        drawn = ready.film.write(unfinished, progress, compact=ready.what.level == "demo")
        unfinished.replace(out / name)
        truth = ready.truth() | {"film": film_truth(ready, drawn)}
        (out / "truth.json").write_text(json_text(truth), encoding="utf-8")
        boxes = [json.dumps(frame.to_json(), separators=(",", ":")) for frame in drawn.boxes]
        (out / "truth_boxes.jsonl").write_text("\n".join(boxes) + "\n", encoding="utf-8")
        if inputs:
            (out / "inputs.jsonl").write_text("".join(map(_line, presses(ready))), encoding="utf-8")
    except OSError as error:
        raise SimulateError(f"The folder {out} cannot be written ({error.strerror}); name another one.") from error
    return out / name


def presses(ready: Scripted) -> list[dict[str, Any]]:
    """What people press in a film, because it is said and not seen.

    Who the Alcaide is, the suit of a hidden trump card, the calls.
    """
    game = ready.game
    said = [] if game.alcaide is None else [{"t": SAID_AT, "type": "set_alcaide", "seat": game.alcaide}]
    if not ready.rules.trump_rank_visible:
        said.append({"t": SAID_AT, "type": "set_trump", "suit": game.trump.suit})
    return said + [{"t": call.t, "type": "arrastre_called", "seat": call.seat} for call in ready.script.calls]


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value) + "\n"


def json_text(value: dict[str, Any]) -> str:
    """JSON with one line per trick, violation and so on, so that people can read it."""
    lines = []
    for key, item in value.items():
        if isinstance(item, list) and item and isinstance(item[0], dict):
            rows = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in item)
            lines.append(f'"{key}": [\n{rows}]')
        else:
            lines.append(f'"{key}": {json.dumps(item, ensure_ascii=False)}')
    return "{" + ",\n ".join(lines) + "}\n"


def game_truth(rules: Rules, seats: Sequence[Seat], staged: Staged, script: Script) -> dict[str, Any]:
    """The game as it was really played, in the result format; every confidence is 1.

    Cards, winners and points come from the game itself; which violations a watcher could know of comes from the engine.
    """
    game = staged.game
    times = trick_times(script.facts)
    tricks: list[dict[str, Any]] = []
    plays: list[Played] = []
    points = dict.fromkeys(range(rules.players), 0)
    moves = iter(game.moves)
    exchanges: list[dict[str, Any]] = []
    swap_times = iter([fact.t for fact in script.facts if isinstance(fact, TrumpExchanged)])
    for played_at, swept in times:
        winner = None
        for move in moves:
            if isinstance(move, Swapped):
                exchanges.append(_exchange(move, next(swap_times, None)))
            elif isinstance(move, Played):
                plays.append(move)
            elif isinstance(move, Gathered):
                winner = move.seat
                break
        assert winner is not None, "a script tells whole tricks"
        worth = sum(play.card.points for play in plays)
        points[winner] += worth
        tricks.append(
            {
                "n": len(tricks) + 1,
                "plays": [
                    {"seat": play.seat, "card": str(play.card), "t": t, "confidence": 1.0}
                    for play, t in zip(plays, played_at, strict=True)
                ],
                "winner": winner,
                "points": worth,
                "t_full": played_at[-1],
                "t_swept": swept,
            }
        )
        plays = []
    exchanges = [row for row in exchanges if row["t"] is not None]
    state = fold_events(rules, script.facts).hand
    assert state is not None, "a script begins with a dealt hand"
    teams = rules.teams
    by_team = None
    if teams is not None:
        by_team = {str(index): sum(points[seat] for seat in team) for index, team in enumerate(teams)}
    violations = [
        {
            "kind": violation.code,
            "seat": violation.seat,
            "trick": violation.trick,
            "certainty": violation.certainty,
            **({} if violation.p is None else {"p": round(float(violation.p), 4)}),
            "evidence": list(violation.evidence),
        }
        for violation in state.violations
    ]
    complete = len(tricks) == rules.tricks
    return {
        "rules": rules.name,
        "trump": str(game.trump) if rules.trump_rank_visible else None,
        "seats": [{"seat": seat.seat, "side": seat.side, "name": seat.name} for seat in seats],
        "tricks": tricks,
        "exchanges": exchanges,
        "violations": violations,
        "totals": {"by_seat": {str(seat): worth for seat, worth in points.items()}, "by_team": by_team},
        "winner": state.result.winner if complete and state.result is not None else None,
        "complete": complete,
        "amendments": 0,
    }


def _exchange(move: Swapped, t: float | None) -> dict[str, Any]:
    return {
        "seat": move.seat,
        "given": str(move.given),
        "taken": str(move.taken),
        "after_trick": move.after_trick,
        "t": t,
    }


def film_truth(ready: Simulated, drawn: FilmTruth) -> dict[str, Any]:
    """How the film was drawn, and what its players did that nobody could see."""
    settings = ready.film.settings
    return {
        "fps": settings.fps,
        "size": list(settings.size),
        "frames": drawn.frames,
        "level": settings.level,
        "seed": ready.what.seed,
        "deck": settings.deck.name,
        "sides": [seat.side for seat in ready.seats],
        "views": [
            {"from": round(since, 3), "homography": [[float(f"{v:.8g}") for v in row] for row in matrix]}
            for since, matrix in drawn.views
        ],
        "faults": [
            {
                "kind": fault.code,
                "trick": fault.trick,
                "seat": fault.seat,
                "played": str(fault.played),
                "owed": [str(card) for card in fault.owed],
            }
            for fault in ready.game.faults
        ],
        "incidents": [
            {"name": incident.name, "kind": incident.kind, "trick": incident.trick, "seat": incident.seat}
            for incident in ready.staged.incidents
            if incident.trick <= len(trick_times(ready.script.facts))
        ],
        "camera": list(ready.what.camera),
        "calls": [{"t": call.t, "seat": call.seat} for call in ready.script.calls],
    }
