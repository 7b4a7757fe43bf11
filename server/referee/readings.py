"""What a reading of a face is worth: from a few labels with probabilities to a belief over the cards of the deck.

The camera's probabilities are taken with a doubt of our own, which grows where little of the card is seen and leans
to the mistakes that readers of Spanish cards make: neighbouring ranks of a suit, the same rank of another suit.
"""

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card

Floats = NDArray[np.float64]
Labels = tuple[tuple[str, float], ...]

DOUBT: Final = 0.02
"""Chance that a clear reading is wrong in a way that its own probabilities do not tell."""

DOUBT_COVERED: Final = 0.12
"""Further doubt where (almost) nothing of the card is seen."""

FLOOR: Final = 1e-7


@lru_cache(maxsize=8)
def _mistakes(cards: tuple[Card, ...]) -> Floats:
    """(K, K): chance of the true card (column) when the reading is wrong and says the row's card. Rows sum to 1."""
    table: Floats = np.full((len(cards), len(cards)), 0.3)
    for row, said in enumerate(cards):
        for column, true in enumerate(cards):
            if said.suit == true.suit and abs(said.rank - true.rank) == 1:
                table[row, column] = 4.0
            elif said.rank == true.rank:
                table[row, column] = 3.0
            elif min(said.rank, true.rank) >= 10:
                table[row, column] = 1.5
        table[row, row] = 0.0
    table /= table.sum(axis=1, keepdims=True)
    return table


@lru_cache(maxsize=8)
def card_index(cards: tuple[Card, ...]) -> dict[str, int]:
    """Column of each card text."""
    return {str(card): index for index, card in enumerate(cards)}


def belief(cards: tuple[Card, ...], labels: Labels, visible: float = 1.0) -> Floats:
    """Probabilities (K,) over ``cards`` from labels with probabilities; flat where no label is in the deck."""
    index = card_index(cards)
    read = np.zeros(len(cards))
    for label, share in labels:
        column = index.get(label)
        if column is not None and share > 0.0:
            read[column] += share
    total = read.sum()
    if total <= 0.0:
        return np.full(len(cards), 1.0 / len(cards))
    read /= total
    doubt = DOUBT + DOUBT_COVERED * (1.0 - min(max(visible, 0.0), 1.0))
    return (1.0 - doubt) * read + doubt * (read @ _mistakes(cards))


def joined(beliefs: Iterable[Floats], size: int) -> Floats:
    """Several beliefs about one card taken together; flat without any.

    They come from the same camera, light and place, so that they err together: n of them count as sqrt(n).
    """
    logs = np.zeros(size)
    count = 0
    for one in beliefs:
        logs += np.log(np.maximum(one, FLOOR))
        count += 1
    if count > 1:
        logs /= math.sqrt(count)
    logs -= logs.max()
    shares: Floats = np.exp(logs)
    shares /= shares.sum()
    return shares


def likeliest(cards: tuple[Card, ...], shares: Floats, least: float = 0.01, most: int = 5) -> Labels:
    """The likeliest cards as (text, probability), best first, rounded to four decimals."""
    order = np.argsort(-shares, kind="stable")[:most]
    return tuple((str(cards[int(k)]), round(float(shares[k]), 4)) for k in order if shares[k] >= least)
