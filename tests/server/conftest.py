"""A whole game as a perfect pair of eyes would have seen it (real observations without pictures); and axe-core."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.random_game import random_game
from engine.rules import load_profile
from server.seats import default_seats
from server.simulator.script import Script, write_script
from vision.facts import Observation, Quad, Sighting
from vision.labels import LABELS
from vision.synth.film_actions import Draw, Exchange, Gather, PlaceStock, Play, ShowTrump, TakeTrump, action_end

sys.path.insert(0, str(Path(__file__).parent))  # for rooms.py: tests are no packages

SIZE = (1280, 720)
FPS = 10
CARD = (98.0, 152.0)
MIDDLE = (560.0, 360.0)
STOCK = (900.0, 360.0)
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
TOWARDS = {"south": (0.0, 1.0), "north": (0.0, -1.0), "east": (1.0, 0.0), "west": (-1.0, 0.0)}


@dataclass(frozen=True, slots=True)
class Witnessed:
    """A game that was played: what was seen, and the truth of it."""

    observations: tuple[Observation, ...]
    script: Script
    points: tuple[int, ...]
    calls: tuple[dict[str, object], ...]


def upright(x: float, y: float, across: bool = False) -> Quad:
    """A card around a point; the first two corners are a short side."""
    w, h = CARD
    if across:
        return ((x + h / 2, y - w / 2), (x + h / 2, y + w / 2), (x - h / 2, y + w / 2), (x - h / 2, y - w / 2))
    return ((x - w / 2, y - h / 2), (x + w / 2, y - h / 2), (x + w / 2, y + h / 2), (x - w / 2, y + h / 2))


def face(label: str, quad: Quad, visible: float = 1.0) -> Sighting:
    """A face read as surely as a model reads it."""
    other = LABELS[(LABELS.index(label) + 7) % len(LABELS)]
    return Sighting(quad, "face", 0.95, ((label, 0.97), (other, 0.02)), visible)


def back(x: float, y: float) -> Sighting:
    """A card face down."""
    return Sighting(upright(x, y), "back", 0.96)


def seen_at(script: Script, t: float) -> tuple[Sighting, ...]:
    """What lies on the table at a moment."""
    found: list[Sighting] = []
    stock, trump, piles = 0, None, set()
    trick: list[tuple[str, str]] = []
    on_the_way: tuple[str, float] | None = None
    for action in script.actions:
        match action:
            case PlaceStock(at, count) if t >= at:
                stock = count
            case ShowTrump() if t >= action.rest:
                trump = action.label
            case Play() if t >= action.rest:
                trick.append((action.side, action.label))
            case Gather() if t >= action.swept:
                trick.clear()
                if t >= action.rest:
                    piles.add(action.side)
            case Gather() if t >= action.t + 0.2 * action.duration:
                begin = action.t + 0.2 * action.duration
                on_the_way = (action.side, (t - begin) / (action.swept - begin))
            case Draw() if t >= action.lift:
                stock -= 1
            case TakeTrump() if t >= action.lift:
                trump = None
            case Exchange() if t >= action.lift:
                trump = action.label if t >= action.rest else None
            case _:
                pass
    if trump is not None:
        quad = upright(STOCK[0] - 76 * (stock > 0), STOCK[1], across=True)
        found.append(face(trump, quad, 0.55 if stock > 0 else 1.0))
    if stock > 0:
        found.append(back(*STOCK))
    for side, label in trick:
        x, y = (MIDDLE[axis] + 100 * TOWARDS[side][axis] for axis in (0, 1))
        if on_the_way is not None:
            x, y = (
                (x, y)[axis] + on_the_way[1] * (180 * TOWARDS[on_the_way[0]][axis] + MIDDLE[axis] - (x, y)[axis])
                for axis in (0, 1)
            )
        found.append(face(label, upright(x, y)))
    found += [back(250.0, MIDDLE[1] + 250 * TOWARDS[side][1]) for side in sorted(piles)]
    return tuple(found)


@cache
def witness(seed: int, profile: str = "arrastro", players: int = 2, tricks: int | None = None) -> Witnessed:
    """A random legal game of so many players, or only its first tricks."""
    rules = load_profile(profile, players)
    game = random_game(rules, Random(seed), exchange_chance=0.0)
    script = write_script(game, default_seats(players), "easy", Random(seed), tricks=tricks)
    end = max(action_end(action) for action in script.actions) + 2.0
    observations = []
    before: tuple[Sighting, ...] = ()
    for frame in range(round(end * FPS)):
        t = round(frame / FPS, 3)
        sightings = seen_at(script, t)
        busy = any(action.t < t < action_end(action) for action in script.actions if not isinstance(action, PlaceStock))
        motion = 0.06 if busy else 0.04 if sightings != before else 0.0
        observations.append(Observation(frame, t, SIZE, motion, sightings))
        before = sightings
    calls = tuple({"t": call.t, "type": "arrastre_called", "seat": call.seat} for call in script.calls)
    return Witnessed(tuple(observations), script, game.points_by_seat, calls)


@pytest.fixture(scope="session")
def witnessed() -> Callable[..., Witnessed]:
    """Makes games: ``witnessed(seed, profile, players, tricks)``."""
    return witness


@pytest.fixture(scope="session")
def faults() -> Callable[[Any], list[str]]:
    """What axe-core finds wrong with a page, the serious and critical things."""
    from axe_playwright_python.sync_playwright import Axe

    axe, options = Axe(), {"runOnly": {"type": "tag", "values": WCAG}, "resultTypes": ["violations"]}

    def found(page: Any) -> list[str]:
        page.emulate_media(reduced_motion="reduce")  # a colour halfway through a fade has no contrast of its own
        return [
            f"{one['id']}: {' '.join(node['html'][:120] for node in one['nodes'][:3])}"
            for one in axe.run(page, options=options).response["violations"]
            if one["impact"] in ("serious", "critical")
        ]

    return found
