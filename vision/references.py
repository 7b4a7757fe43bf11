"""What the cards of an enrolled deck look like to the identifier, and how that corrects what it says of a face.

The identifier names faces by what all decks have in common. For one deck whose faces are known, the features that it
decides from tell more: each face of the deck is looked at as it is, upside down, blurred, small, dark, pale, a little
off and half covered, and a face on the table is likened to all of these. Likeness and the identifier's own
distribution are joined as independent evidence, each with a weight that was settled by measurement (docs/decks.md).
"""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelError
from vision.identifier import Identifier, Seen, crop_quad, rectify
from vision.labels import LABELS
from vision.network import THREADS

KEPT_SIZE: Final = (336, 224)
KEPT_MARGIN: Final = 0.12
"""Height, width and margin of the crops that are kept of a deck: more than any identifier needs today."""

OWN_WEIGHT: Final = 0.5
"""Exponent of the identifier's own probabilities: it was taught with other decks and is too sure."""
WARMTH: Final = 0.1
"""Temperature of the likenesses: so much more likeness is worth a factor of e."""
READABLE: Final = 0.5
"""How far, as a share, a distribution must be from the even one to be that of a face that can be read for sure.

What is no face of a deck, a back or a banknote, gets an even distribution. It resembles some reference all the same, so
likeness counts the less the more even the identifier's word is.
"""
FLOOR: Final = 1e-6
_SEED: Final = 20_401
_SHIFT: Final = 0.015
"""How far the corners of a view lie off, as a share of the card's height: as far as a located box does."""


@dataclass(frozen=True, eq=False)
class References:
    """Embeddings of the faces of one deck.

    ``labels`` (R,) are indices into :data:`vision.labels.LABELS`, ``vectors`` (R, D) what the identifier with this
    ``sha256`` made of them. ``cards`` are the indices of the deck's cards, those that lack references included.
    """

    sha256: str
    cards: tuple[int, ...]
    labels: NDArray[np.intp]
    vectors: NDArray[np.float32]

    @cached_property
    def _scaled(self) -> NDArray[np.float32]:
        return self._scale(self.vectors)

    def _scale(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Unit vectors, every feature measured against how much it differs within this deck."""
        spread = self.vectors.std(axis=0)
        apart = (vectors - self.vectors.mean(axis=0)) / (spread + 0.1 * float(self.vectors.std()))
        length = np.linalg.norm(apart, axis=1, keepdims=True)
        return np.asarray(apart / np.maximum(length, FLOOR), np.float32)

    def likeness(self, embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosine of each of N embeddings with the most similar reference of each label, (N, 48); -1 without any."""
        cosines = self._scale(embeddings) @ self._scaled.T
        best = np.full((len(LABELS), len(embeddings)), -1.0, np.float32)
        np.maximum.at(best, self.labels, cosines.T)
        return best.T

    def correct(self, probs: NDArray[np.float32], embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
        """The identifier's ``probs`` (N, 48), corrected by what is known of this deck.

        Labels that the deck lacks get 0; cards of it that have no references keep their share.
        """
        known = np.unique(self.labels)
        unknown = np.setdiff1d(np.array(self.cards, np.intp), known)
        own = np.maximum(probs.astype(np.float64), FLOOR)
        even = -(own * np.log(own)).sum(axis=1, keepdims=True) / np.log(own.shape[1])
        readable = np.clip((1 - even) / READABLE, 0, 1)
        score = OWN_WEIGHT * np.log(own[:, known]) + readable * self.likeness(embeddings)[:, known] / WARMTH
        share = np.exp(score - score.max(axis=1, keepdims=True))
        share /= share.sum(axis=1, keepdims=True)
        out = np.zeros_like(own)
        out[:, unknown] = own[:, unknown]
        out[:, known] = share * own[:, known].sum(axis=1, keepdims=True)
        return np.asarray(out / out.sum(axis=1, keepdims=True), np.float32)


def make_references(
    identifier: Identifier, sha256: str, cards: tuple[int, ...], labels: list[int], crops: list[NDArray[np.uint8]]
) -> References:
    """References of a deck of ``cards`` from kept crops (see :data:`KEPT_SIZE`) and the label index of each.

    Raises :class:`~vision.errors.ModelError` where the identifier gives no embeddings. The same crops, the same
    references.
    """
    seen, of = [], []
    rng = np.random.default_rng(_SEED)
    for place, (label, crop) in enumerate(zip(labels, crops, strict=True)):
        cover = crops[(place + 1 + int(rng.integers(max(1, len(crops) - 1)))) % len(crops)]
        views = _views(identifier, crop, cover, rng)
        seen += views
        of += [label] * len(views)
    return References(sha256, cards, np.array(of, np.intp), embeddings_of(identifier, np.stack(seen)))


def embeddings_of(identifier: Identifier, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Embeddings (N, D) of crops of the identifier's own size; raises :class:`~vision.errors.ModelError`."""
    embeddings = identifier.look(crops).embeddings
    if embeddings is None:
        raise ModelError(
            "These weights cannot compare faces: export them again with 'brisca model export', or do without a deck."
        )
    return embeddings


def kept_quad() -> NDArray[np.float32]:
    """Where the card's corners lie in a kept crop, (4, 2) pixels."""
    return crop_quad(KEPT_SIZE, KEPT_MARGIN)


def upright(identifier: Identifier, crop: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A kept crop as the identifier takes it."""
    (seen,) = rectify(crop, kept_quad()[None], identifier.size, identifier.margin)
    return np.asarray(seen, np.uint8)


def _views(
    identifier: Identifier, crop: NDArray[np.uint8], cover: NDArray[np.uint8], rng: np.random.Generator
) -> list[NDArray[np.uint8]]:
    """The card as a camera may see it. Turning one of the views is enough: the features hardly know up from down."""
    height, width = identifier.size
    corners = kept_quad()
    off = _SHIFT * (corners[2, 1] - corners[1, 1])
    moved = [corners, *(corners + rng.normal(0, off, (4, 2)).astype(np.float32) for _ in range(2))]
    plain, *loose = rectify(crop, np.stack(moved), identifier.size, identifier.margin)
    small = cv2.resize(loose[0], (width // 4, height // 4), interpolation=cv2.INTER_AREA)
    views = [
        plain,
        *loose,
        np.asarray(cv2.GaussianBlur(plain, (0, 0), height / 86), np.uint8),
        np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8),
        np.clip(plain * 0.55, 0, 255).astype(np.uint8),
        np.clip((loose[1].astype(np.float32) - 128) * 0.7 + 150, 0, 255).astype(np.uint8),
    ]
    other = rectify(cover, corners[None], identifier.size, identifier.margin)[0]
    half, across = height // 2, width // 2
    for rows, columns in ((slice(half), slice(width)), (slice(half, height), slice(width)),
                          (slice(height), slice(across)), (slice(height), slice(across, width))):  # fmt: skip
        covered = plain.copy()
        covered[rows, columns] = other[::-1, ::-1][rows, columns]
        views.append(covered)
    return [*views, np.ascontiguousarray(plain[::-1, ::-1])]


class DeckIdentifier(Identifier):
    """An identifier that knows the deck on the table. Raises as :class:`Identifier` does, and where it cannot compare.

    ``references`` must have been made with the same file.
    """

    def __init__(self, path: Path, references: References, *, threads: int = THREADS) -> None:
        super().__init__(path, threads=threads)
        self._references = references

    def look(self, crops: NDArray[np.uint8]) -> Seen:
        """As :meth:`Identifier.look`, the probabilities corrected by what is known of the deck."""
        seen = super().look(crops)
        if seen.embeddings is None:
            return seen
        return replace(seen, probs=self._references.correct(seen.probs, seen.embeddings))
