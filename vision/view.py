"""How the frames of a film are shown to the locator: how small, and how much taller than they are.

Cards that are large in the picture are found and outlined best when it is shown smaller. And a camera that leans over
the table foreshortens it along the picture's height: an upright card becomes square, one that lies crosswise a narrow
strip; the locator finds halves of them then, or takes the wrong side for the long one. Shown taller by the right
factor, the same picture has cards of their true shape again. Both are learnt from the cards themselves.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.facts import Detection
from vision.labels import CARD_MM
from vision.locator import Locator, fitting_scale

CARD_PIXELS: Final = 66.0
"""Long side of a card in the locator's input at which it is found and outlined best; a film shows larger ones smaller.

At 94 to 117 pixels 95 of 100 cards of made-up films were found, with an IoU of 0.84; at 60 % of that 99, with 0.86."""

LEAST_ZOOM: Final = 0.4
ZOOM_STEP: Final = 0.12
STRETCH_STEP: Final = 0.12
"""The picture is shown smaller, larger or taller only from such a change on: with each the outlines shift a little."""

SURE_BOX: Final = 0.5
SIZES: Final = 60
"""So many of the last sure boxes tell how large cards are."""

CARDS: Final = 12
"""So many of the last cards that were surely read tell how the camera leans, from LEAST_CARDS on."""

LEAST_CARDS: Final = 3
LOOKS: Final = 60
"""Looks with faces, at most, in which both ways of seeing a table are compared before enough cards are known."""

GUESS: Final = 1.5
"""The factor that is compared with the picture as it is: right for a camera 48 degrees off the vertical."""

READ: Final = 0.9
WHOLE: Final = 0.8
"""Probability of a card's name, and share of it that is seen, from which its shape is believed."""

STRETCHES: Final = np.linspace(1.0, 2.0, 41)
"""Candidate factors; a camera 60 degrees off the vertical needs 2."""

LEAST_PIXELS: Final = 34.0
"""A picture that becomes taller has to be shown smaller to fit: not so much that its cards get smaller than this."""

_RATIO: Final = float(np.log(CARD_MM[1] / CARD_MM[0]))


class View:
    """How the next frame is shown: ``zoom`` and ``stretch`` as :meth:`~vision.locator.Locator.locate` takes them."""

    def __init__(self) -> None:
        self.zoom = 1.0
        self.stretch = 1.0
        self._sizes: deque[float] = deque(maxlen=SIZES)
        self._sides: dict[int, NDArray[np.float64]] = {}  # by label, the last seen at the end
        self._looks = 0

    @property
    def is_open(self) -> bool:
        """Whether it is not known yet how the camera leans, so that :attr:`other` should be looked at as well."""
        return len(self._sides) < LEAST_CARDS and self._looks < LOOKS

    @property
    def other(self) -> float:
        """The stretch to compare with the present one."""
        return GUESS if self.stretch < GUESS else 1.0

    @property
    def shape(self) -> NDArray[np.float32]:
        """(2,) factors, x and y, that give the picture's cards their true shape."""
        return true_shape(self.stretch)

    def fit(self, found: Iterable[Detection], locator: Locator, image: NDArray[np.uint8]) -> None:
        """Choose how the next look shows the picture, by the boxes that this one found."""
        sure = [one.quad * self.shape for one in found if one.confidence >= SURE_BOX]
        if not sure:  # perhaps because the cards are far smaller than they were
            self._sizes.clear()
            self.zoom = 1.0
            return
        scale = fitting_scale(image, locator.size)
        self._sizes.extend(scale * float(np.linalg.norm(quad[1] - quad[2])) for quad in sure)
        size = float(np.median(self._sizes))
        fitting = float(np.clip(CARD_PIXELS / size, LEAST_ZOOM, 1.0))
        if abs(fitting - self.zoom) >= ZOOM_STEP * self.zoom:
            self.zoom = fitting
        most = size / LEAST_PIXELS * locator.size[0] / (scale * image.shape[0])
        learnt = _foreshortened(self._sides.values()) if len(self._sides) >= LEAST_CARDS else self.stretch
        stretch = float(np.clip(learnt, 1.0, max(1.0, most)))
        if abs(stretch - self.stretch) >= STRETCH_STEP * self.stretch:
            self.stretch = stretch
            self._sizes.clear()

    def learn(self, read: Iterable[Detection]) -> None:
        """Learn how the camera leans from faces with their names and fitted quads."""
        faces = [one for one in read if one.kind == "face"]
        self._looks += bool(faces)
        for label, sides in _sides(faces):
            self._sides.pop(label, None)
            self._sides[label] = sides
            if len(self._sides) > CARDS:
                del self._sides[next(iter(self._sides))]


def true_shape(stretch: float) -> NDArray[np.float32]:
    """(2,) factors, x and y, of a picture that is shown ``stretch`` times taller than it is."""
    return np.array([1.0, stretch], np.float32)


def foreshortened(found: Iterable[Detection]) -> float:
    """The factor by which a single picture must become taller, by its surely read faces; 1 without any."""
    return _foreshortened(sides for _, sides in _sides(found))


def _sides(found: Iterable[Detection]) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Label, and short and long side (2, 2) as vectors, of each face that is seen whole and surely named."""
    for one in found:
        if one.probs is not None and one.visible >= WHOLE and one.probs.max() >= READ:
            q = np.asarray(one.quad, np.float64)
            yield int(one.probs.argmax()), np.stack([q[1] - q[0] + q[2] - q[3], q[3] - q[0] + q[2] - q[1]])


def _foreshortened(sides: Iterable[NDArray[np.float64]]) -> float:
    """The factor that gives the cards with these sides their true shape.

    The median over the cards decides, for some of them are half covered or badly outlined.
    """
    known = list(sides)
    if not known:
        return 1.0
    stretched = np.stack(known)[:, :, None, :] * np.stack([np.ones_like(STRETCHES), STRETCHES], axis=1)
    lengths = np.log(np.maximum(np.linalg.norm(stretched, axis=-1), 1e-6))
    off = np.median(np.abs(lengths[:, 1] - lengths[:, 0] - _RATIO), axis=0)
    return float(STRETCHES[int(off.argmin())])
