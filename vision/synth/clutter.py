"""Things that lie on tables and are not Spanish cards: glasses, coins, phones, papers, look-alikes.

``thing(kind, seed)`` draws one of :data:`KINDS` from above, as a cut-out of true size. Most are there to be told from
cards: coasters, photographs, business cards, bank notes and French cards share a card's size, corners or print.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.synth import clutter_gear, clutter_paper, clutter_tableware
from vision.synth.clutter_sheet import PX_PER_MM, Rng, Sheet


@dataclass(frozen=True, slots=True)
class Thing:
    """A cut-out: ``image`` BGRA uint8, straight alpha, at ``px_per_mm``; ``height_mm`` is what its shadow falls from.

    ``under`` tells that cards are put on it rather than beside it (a mat).
    """

    kind: str
    image: NDArray[np.uint8]
    px_per_mm: float
    height_mm: float
    under: bool = False


KINDS: Final[dict[str, tuple[Callable[[Rng], tuple[Sheet, float]], float]]] = {
    "glass": (clutter_tableware.glass, 3.0),
    "cup": (clutter_tableware.cup, 1.5),
    "coins": (clutter_gear.coins, 2.0),
    "phone": (clutter_gear.phone, 2.5),
    "paper": (clutter_paper.paper, 3.0),
    "coaster": (clutter_tableware.coaster, 2.5),
    "chips": (clutter_gear.chips, 1.5),
    "pen": (clutter_gear.pen, 2.0),
    "ashtray": (clutter_tableware.ashtray, 1.2),
    "remote": (clutter_gear.remote, 0.8),
    "french": (clutter_paper.french, 0.8),
    "business": (clutter_paper.business, 1.0),
    "note": (clutter_paper.note, 0.8),
    "photo": (clutter_paper.photo, 1.0),
    "keys": (clutter_gear.keys, 1.0),
    "napkin": (clutter_tableware.napkin, 1.2),
    "spectacles": (clutter_gear.spectacles, 0.8),
    "box": (clutter_paper.packet, 1.2),
    "book": (clutter_paper.book, 0.8),
    "mat": (clutter_tableware.mat, 1.0),
}
"""Kinds of thing with their drawing function and weight."""


@lru_cache(maxsize=192)
def thing(kind: str, seed: int) -> Thing:
    """One thing of a kind; the same arguments give the same pixels (read-only). ValueError for an unknown kind."""
    if kind not in KINDS:
        raise ValueError(f"there is no thing called {kind!r}; choose one of {', '.join(KINDS)}")
    sheet, height = KINDS[kind][0](np.random.default_rng((seed, list(KINDS).index(kind), 6203)))
    image = sheet.done()
    image.setflags(write=False)
    return Thing(kind, image, PX_PER_MM, height, kind == "mat")


def random_thing(rng: Rng, variants: int = 40) -> Thing:
    """A thing by the weights of :data:`KINDS`, one of ``variants`` of its kind, so that a process can keep them."""
    weights = np.array([weight for _, weight in KINDS.values()])
    kind = list(KINDS)[int(rng.choice(len(KINDS), p=weights / weights.sum()))]
    return thing(kind, int(rng.integers(variants)))
