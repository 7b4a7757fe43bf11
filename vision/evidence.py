"""What a card is: label evidence gathered over many looks, damped because the looks resemble each other.

Two pictures of a card at rest, a tenth of a second apart, are nearly the same picture: both are wrong together. So the
log probabilities are averaged, and the average is sharpened a little with the number of looks, never multiplied up.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.facts import Sighting
from vision.labels import INDEX, LABELS

Labels = tuple[tuple[str, float], ...]

FLOOR: Final = 0.0005
"""Least probability that one look may give to any label: no single look rules a card out."""
MOST_LOOKS: Final = 2.2
"""What any number of looks at one resting card is worth, in independent looks."""
LOOKS_SCALE: Final = 3.0
MOVING_WEIGHT: Final = 0.15
LEAST_WEIGHT: Final = 0.05
LEAST_TOLD: Final = 0.02
PLAINLY: Final = 0.4
"""What a look must tell beyond a mere guess to count fully; one that tells less counts by the square of it."""
MOST_TOLD: Final = 8
_UNIFORM: Final = np.full(len(LABELS), 1 / len(LABELS))


def distribution(labels: Labels) -> NDArray[np.float64]:
    """The (48,) distribution that a short list of labels stands for; what is missing to 1 is spread over the rest."""
    probs = np.zeros(len(LABELS))
    for label, probability in labels:
        probs[INDEX[label]] = probability
    total = float(probs.sum())
    if total <= 0:
        return _UNIFORM.copy()
    others = len(LABELS) - len(labels)
    if others and total < 1:
        probs[probs == 0] = (1 - total) / others
    return np.asarray(probs / probs.sum())


def shortlist(probs: NDArray[np.float64]) -> Labels:
    """The likeliest labels of a (48,) distribution, best first, at most eight, four decimals."""
    order = np.argsort(-probs, kind="stable")[:MOST_TOLD]
    return tuple((LABELS[int(i)], round(float(probs[int(i)]), 4)) for i in order if probs[int(i)] >= 0.0005)


class Evidence:
    """Looks at one card, gathered. Looks while it moves count little, mere repetitions not at all."""

    def __init__(self) -> None:
        self._sum = np.zeros(len(LABELS))
        self._weight = 0.0
        self._looks = 0
        self._last: Labels = ()
        self._last_weight = 0.0
        self._probs = _UNIFORM

    @property
    def looks(self) -> int:
        """Looks that were counted."""
        return self._looks

    @property
    def probs(self) -> NDArray[np.float64]:
        """The (48,) distribution over labels; even before the first look."""
        return self._probs

    @property
    def top(self) -> float:
        """Probability of the likeliest label."""
        return float(self._probs.max())

    def add(self, sighting: Sighting, resting: bool) -> None:
        """Take in a look; sightings without labels and repetitions change nothing.

        A look counts by what it shows and what it tells: the edge of a card in a hand, that may be any card, leaves no
        trace on what the card is then seen to be. One that was counted while the card moved counts fully when it rests.
        """
        if not sighting.labels:
            return
        look = distribution(sighting.labels)
        telling = max(LEAST_TOLD, min(1.0, told(look) / PLAINLY) ** 2)
        weight = max(LEAST_WEIGHT, sighting.visible) * (1.0 if resting else MOVING_WEIGHT) * telling
        more = weight - self._last_weight if sighting.labels == self._last else weight
        if more <= 0:
            return
        self._last, self._last_weight = sighting.labels, weight
        self._sum += more * np.log(np.maximum(look, FLOOR))
        self._weight += more
        self._looks += 1 if resting else 0
        looks = 1 + (MOST_LOOKS - 1) * (1 - math.exp(-max(0, self._looks - 1) / LOOKS_SCALE))
        logs = self._sum / self._weight * looks
        odds = np.exp(logs - logs.max())
        self._probs = odds / odds.sum()

    def agreement(self, probs: NDArray[np.float64]) -> float:
        """Probability that both mean the same card, were they independent and certain of what they say: 0..1."""
        return float(self._probs @ probs)


def conflict(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """How sure both are, if they name different cards; 0 when they name the same.

    Sure is also who hesitates between two cards only: it is none of the others.
    """
    if int(first.argmax()) == int(second.argmax()):
        return 0.0
    return told(first) * told(second) * (1 - min(1.0, float(np.minimum(first, second).sum())))


def told(probs: NDArray[np.float64]) -> float:
    """Share of a distribution beyond a mere guess: 0 where any card may be meant, near 1 for one card or a few."""
    return float(np.maximum(probs - 1 / len(probs), 0.0).sum())


def claim(
    own: NDArray[np.float64], before: list[NDArray[np.float64]], after: list[NDArray[np.float64]]
) -> NDArray[np.float64]:
    """What is left of a card's distribution beside the other cards on the table, as each card exists once.

    Of two that claim one label the surer keeps it, of equally sure ones the one ``before``; the other's share of it
    shrinks by as much as the surer is sure.
    """
    left = own.copy()
    for rivals, stronger in ((before, np.greater_equal), (after, np.greater)):
        for rival in rivals:
            left *= np.where(stronger(rival, own), 1 - 0.98 * rival, 1.0)
    return np.asarray(left / left.sum())
