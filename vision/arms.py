"""What the tracker knows of hands: which places are hidden just now, and from which side arms came in lately."""

from collections import deque
from typing import Final

from vision.facts import Observation, Quad
from vision.hand import SIDES, Grid, Look, at_rims, covered

QUIET_MOTION: Final = 0.0025
"""Changed share of the picture below which nothing moves that matters."""
HIDDEN_SHARE: Final = 0.35
"""A hand that covers so much of a place hides what lies there."""
MEMORY_SECONDS: Final = 5.0
CLEAR_SHARE: Final = 0.65
"""Share of all that came in over the rims that one side must have, to be called the side."""


def is_quiet(observation: Observation) -> bool:
    """Whether nothing moves that matters."""
    return observation.motion < QUIET_MOTION


class Arms:
    """Takes in every observation in order. Plain observations leave open where hands are: ``known`` is False."""

    def __init__(self) -> None:
        self._hand: Grid | None = None
        self._quiet = True
        self._size = (1, 1)
        self._t = 0.0
        self._rims: deque[tuple[float, tuple[float, float, float, float]]] = deque()

    @property
    def known(self) -> bool:
        """Whether the observations say where hands are."""
        return self._hand is not None

    def watch(self, observation: Observation) -> None:
        """Note where hands are now and at which rims they come in."""
        self._hand = observation.hand if isinstance(observation, Look) else None
        self._quiet, self._size, self._t = is_quiet(observation), observation.size, observation.t
        if self._hand:
            self._rims.append((self._t, at_rims(self._hand)))
        while self._rims and self._rims[0][0] < self._t - MEMORY_SECONDS:
            self._rims.popleft()

    def is_in_view(self, quad: Quad) -> bool:
        """Whether no hand hides a place; where hands are not known, only a quiet table is in view."""
        if self._hand is None:
            return self._quiet
        return covered(self._hand, quad, self._size) < HIDDEN_SHARE

    def is_untouched(self, quad: Quad) -> bool:
        """Whether it is known that no hand is over any part of a place: what is seen there, nobody holds."""
        return self._hand is not None and covered(self._hand, quad, self._size) == 0

    def side(self, since: float) -> str | None:
        """The side of the picture where an arm has come in since then, where one side stands out."""
        sums = [0.0, 0.0, 0.0, 0.0]
        for t, rims in self._rims:
            if t >= since:
                sums = [a + b for a, b in zip(sums, rims, strict=True)]
        best = max(range(4), key=lambda side: (sums[side], -side))
        return SIDES[best] if sums[best] > 0 and sums[best] >= CLEAR_SHARE * sum(sums) else None
