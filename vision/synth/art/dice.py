"""Chance with plain results: a generator's choices as Python values."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

Choice = TypeVar("Choice")


class Dice:
    """Draws from one ``numpy`` generator; the same generator gives the same draws."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def toss(self, share: float) -> bool:
        """True in ``share`` of all cases."""
        return bool(self.rng.random() < share)

    def pick(self, options: Sequence[Choice], weights: Sequence[float] | None = None) -> Choice:
        """One of ``options``; ``weights`` need not add up to 1."""
        if weights is None:
            return options[int(self.rng.integers(len(options)))]
        shares = np.asarray(weights, float)
        return options[int(self.rng.choice(len(options), p=shares / shares.sum()))]

    def between(self, low: float, high: float) -> float:
        """A number evenly from ``low`` to ``high``."""
        return float(self.rng.uniform(low, high))

    def whole(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high - 1``."""
        return int(self.rng.integers(low, high))
