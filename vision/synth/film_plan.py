"""What a film is made of: things that move, moments at which the still table changes, and when."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from vision.errors import VisionError
from vision.synth.film_actions import Bump, ExposureJump, LostFrames
from vision.synth.film_camera import Pose
from vision.synth.film_stage import Lying

HAND_LOW_MM: Final = 11.0
"""Height of the back of a hand that touches the table."""

HAND_HIGH_MM: Final = 42.0
"""Height of a hand on its way."""


class FilmError(VisionError):
    """A film that cannot be drawn or written; the message says why and what helps."""


@dataclass(frozen=True, slots=True)
class Moving:
    """One moving sprite at one moment; ``under`` names lying things that cover it."""

    key: str
    pose: Pose
    label: str | None = None
    under: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Track:
    """A movement from ``start`` to ``end``; ``pieces(t)`` is what moves, bottom first, always in the same order."""

    start: float
    end: float
    pieces: Callable[[float], list[Moving]]


@dataclass(frozen=True, slots=True)
class Change:
    """At ``t`` things lie down or are gone."""

    t: float
    put: tuple[Lying, ...] = ()
    remove: tuple[str, ...] = ()


@dataclass(slots=True)
class Plan:
    """Everything that moves or changes in a film; ``changes`` in order of time."""

    tracks: list[Track] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    bumps: list[Bump] = field(default_factory=list)
    lost: list[LostFrames] = field(default_factory=list)
    exposures: list[ExposureJump] = field(default_factory=list)
    end: float = 0.0


def ease(share: float) -> float:
    """Minimum-jerk course of a reaching hand, 0..1."""
    s = min(1.0, max(0.0, share))
    return s * s * s * (10 - 15 * s + 6 * s * s)
