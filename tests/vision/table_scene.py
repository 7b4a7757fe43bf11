"""A scripted table that makes observations for the tracker tests: cards at places, noise, hands, skipped frames."""

import math
from dataclasses import dataclass, field

import numpy as np

from vision.codec import sighting_of
from vision.facts import Detection, Kind, Observation, TableEvent
from vision.hand import COLUMNS, ROWS, Look
from vision.labels import INDEX, LABELS
from vision.tracker import TableTracker

SIZE = (1280, 720)
CARD = (84.0, 130.0)


def quad_at(x: float, y: float, turn: float = 0.0, scale: float = 1.0) -> np.ndarray:
    """A card of 84 x 130 pixels with its middle at (x, y), turned clockwise by ``turn`` degrees."""
    w, h = CARD[0] * scale / 2, CARD[1] * scale / 2
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return (corners @ np.array([[c, s], [-s, c]]) + (x, y)).astype(np.float32)


def read_as(label: str, top: float = 0.97, rival: str | None = None) -> np.ndarray:
    """A distribution with ``top`` on the label and the rest on a rival (default: spread evenly)."""
    probs = np.full(len(LABELS), (1 - top) / (len(LABELS) - 1) if rival is None else 1e-5)
    if rival is not None:
        probs[INDEX[rival]] = 1 - top
    probs[INDEX[label]] = top
    return (probs / probs.sum()).astype(np.float32)


@dataclass
class Lying:
    """A card in the scene; ``label`` None is a back. ``seen`` False: the detector does not find it."""

    label: str | None
    quad: np.ndarray
    top: float = 0.97
    rival: str | None = None
    visible: float = 1.0
    seen: bool = True
    confidence: float = 0.9


@dataclass
class Scene:
    """A table watched at ``fps``; :meth:`run` lets time pass and collects the events."""

    fps: float = 15.0
    noise: float = 0.6
    with_hands: bool = True
    tracker: TableTracker = field(default_factory=TableTracker)
    cards: dict[str, Lying] = field(default_factory=dict)
    hand: tuple[int, ...] = ()
    frame: int = 0
    events: list[TableEvent] = field(default_factory=list)
    observations: list[Observation] = field(default_factory=list)
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(5))

    @property
    def t(self) -> float:
        return self.frame / self.fps

    def lay(self, name: str, x: float, y: float, turn: float = 0.0, **how: object) -> Lying:
        """Put a card there; a name such as ``3C`` is its face, one with a # is a back."""
        label = None if "#" in name else name
        self.cards[name] = Lying(label, quad_at(x, y, turn), **how)  # type: ignore[arg-type]
        return self.cards[name]

    def run(self, seconds: float, *, motion: float = 0.0, look: bool = True) -> list[TableEvent]:
        """Let time pass; returns what was told in it, without ``appeared``."""
        new: list[TableEvent] = []
        for _ in range(round(seconds * self.fps)):
            new += self.step(motion=motion, look=look)
        return [event for event in new if event.kind != "appeared"]

    def step(self, *, motion: float = 0.0, look: bool = True) -> list[TableEvent]:
        seen = None
        if look:
            seen = tuple(sighting_of(self._detect(card)) for card in self.cards.values() if card.seen)
        facts = (self.frame, round(self.t, 4), SIZE, motion, seen)
        observation = Look(*facts, hand=self.hand) if self.with_hands else Observation(*facts)
        self.frame += 1
        self.observations.append(observation)
        told = self.tracker.update(observation)
        self.events += told
        return told

    def carry(self, name: str, x: float, y: float, seconds: float = 0.5) -> list[TableEvent]:
        """Move a card evenly to (x, y), seen on every second frame."""
        start = self.cards[name].quad.copy()
        way = np.array((x, y)) - start.mean(axis=0)
        told: list[TableEvent] = []
        steps = round(seconds * self.fps)
        for number in range(1, steps + 1):
            self.cards[name].quad = (start + way * number / steps).astype(np.float32)
            told += self.step(motion=0.03, look=number % 2 == 0)
        return [event for event in told if event.kind != "appeared"]

    def arm(self, side: str, *places: tuple[float, float]) -> None:
        """A hand over these places, with an arm that comes in at ``side``; none without places."""
        cells = np.zeros((ROWS, COLUMNS), bool)
        for x, y in places:
            column, row = int(x * COLUMNS / SIZE[0]), int(y * ROWS / SIZE[1])
            reach = {
                "south": (slice(row, ROWS), slice(column - 2, column + 3)),
                "north": (slice(0, row + 1), slice(column - 2, column + 3)),
                "west": (slice(row - 2, row + 3), slice(0, column + 1)),
                "east": (slice(row - 2, row + 3), slice(column, COLUMNS)),
            }[side]
            cells[reach] = True
            cells[max(0, row - 2) : row + 3, column - 2 : column + 3] = True
        self.hand = tuple(sum(1 << x for x in range(COLUMNS) if row[x]) for row in cells) if places else ()

    def _detect(self, card: Lying) -> Detection:
        quad = card.quad + self.rng.normal(0, self.noise, (4, 2)).astype(np.float32)
        if self.rng.random() < 0.5:
            quad = np.roll(quad, 2, axis=0)  # detectors number the corners from either end
        kind: Kind = "face" if card.label else "back"
        probs = read_as(card.label, card.top, card.rival) if card.label else None
        if probs is not None:  # looks differ a little from each other
            probs = probs * self.rng.uniform(0.98, 1.0, len(LABELS)).astype(np.float32)
            probs = (probs / probs.sum()).astype(np.float32)
        return Detection(quad.astype(np.float32), kind, card.confidence, probs, card.visible)


def told(events: list[TableEvent]) -> list[tuple[str, str]]:
    """(kind, likeliest label or "") of each event."""
    return [(event.kind, event.labels[0][0] if event.labels else "") for event in events]


SOUTH, NORTH = (640.0, 480.0), (640.0, 250.0)


def trick(scene: Scene) -> Scene:
    """Two cards that have settled."""
    scene.lay("3C", *SOUTH)
    scene.lay("12E", *NORTH, turn=5)
    assert told(scene.run(1)) == [("settled", "3C"), ("settled", "12E")]
    return scene
