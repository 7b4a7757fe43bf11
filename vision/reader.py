"""Reads the cards of a table: single pictures thoroughly, films by looking only when something has changed."""

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codec import sighting_of
from vision.edges import refine
from vision.facts import Detection, Frame, Sighting
from vision.halves import halves, is_covered, is_half
from vision.hand import HandWatch, Look
from vision.identifier import Identifier, placed
from vision.locator import Locator
from vision.motion import Change, compare, reduce
from vision.overlap import areas, iou_matrix, overlap_matrix
from vision.survey import survey
from vision.view import STRETCH_STEP, View, foreshortened, true_shape
from vision.weights import find_weights

MOVING_SECONDS: Final = 0.09
"""Least time between two runs of the locator while something moves."""
QUIET_LOOKS: Final = (0.0, 0.12, 0.3, 0.6)
"""Looks after the last movement, in seconds after it: several, because a single look may be unlucky."""
IDLE_SECONDS: Final = 2.0
"""A still table is looked at this often, for what the gate may have missed."""
SAME_CROP_IOU: Final = 0.8
SAME_CROP_STEP: Final = 5.0
"""Mean change in grey levels of a reduced crop up to which it is the same view of the same card."""
MOST_READS: Final = 3
"""A view that does not change is classified this many times at the most."""
CARDLIKE: Final = 0.6
"""Confidence of box and name together from which a face of a single picture is told. Below are patterns, mostly."""
FACE_VISIBLE: Final = 0.5
"""Share of a face that the identifier sees from which a box with a plain name is one, even if it is located as a back.

Of most backs it sees less than 0.1, of plain faces that the locator took for backs 0.87 and more; in a gaudy back it
may see a face, but does not know which."""
PLAIN: Final = 0.85
"""Probability of a name from which a box is read no other way."""
PLAIN_AS_FOUND: Final = 0.95
"""The same where only the located box is asked: a quad fitted wrongly to a whole card makes the mean doubtful."""
OTHER_TOLD: Final = 1.1
"""How much more the other way of seeing a table must tell to be taken."""
SAME_CARD_IOU: Final = 0.5
GHOST_PROBABILITY: Final = 0.5
GHOST_CONFIDENCE: Final = 0.6
_THUMB: Final = (16, 24)


@dataclass(frozen=True, slots=True)
class _Read:
    """A classified view: the box, the quad fitted to the card, a small grey crop, what the identifier said."""

    box: NDArray[np.float32]
    quad: NDArray[np.float32]
    thumb: NDArray[np.float32]
    probs: NDArray[np.float32]
    visible: float
    reads: int


class TableReader:
    """Joins a locator and an identifier. Not to be used from two threads at a time.

    :meth:`read` is for single pictures and keeps no state; :meth:`observe` is for the frames of one source in order.
    """

    def __init__(self, locator: Locator, identifier: Identifier) -> None:
        self._locator = locator
        self._identifier = identifier
        self._milliseconds = 0.0
        self._looks = 0
        self.reset()

    @classmethod
    def packaged(cls, folder: Path | None = None) -> "TableReader":
        """With the weights of this version, or of another models folder.

        Raises :class:`~vision.errors.WeightsError` where they are not in order.
        """
        locating, identifying = (find_weights(task, folder=folder) for task in ("locate", "identify"))
        return cls(Locator(locating.path), Identifier(identifying.path))

    @property
    def milliseconds(self) -> float:
        """Time that a run of the detector takes, smoothed over the last runs; 0 before the first."""
        return self._milliseconds

    @property
    def looks(self) -> int:
        """How often the detector has run in :meth:`observe`."""
        return self._looks

    def reset(self) -> None:
        """Forget the frames seen: another source, or the camera was away."""
        self._last: NDArray[np.float32] | None = None
        self._seen: NDArray[np.float32] | None = None
        self._seen_t = -1e9
        self._moved_t = -1e9
        self._quiet_looks = 0
        self._reads: list[_Read] = []
        self._view = View()
        self._hands = HandWatch()

    def read(self, image: NDArray[np.uint8]) -> list[Detection]:
        """The cards of a BGR picture: faces with ``probs`` and visible share, backs; most confident first.

        Where its cards say that the camera leaned, the picture is read again, made taller by as much; what tells more
        counts.
        """
        found = self._read(image)
        stretch = foreshortened(found)
        if stretch < 1 + STRETCH_STEP:
            return found
        tall = cv2.resize(image, (image.shape[1], round(image.shape[0] * stretch)), interpolation=cv2.INTER_LINEAR)
        back = np.array([1.0, image.shape[0] / tall.shape[0]], np.float32)
        again = [replace(one, quad=one.quad * back) for one in self._read(np.asarray(tall, np.uint8))]
        return max(found, again, key=_told)

    def _read(self, image: NDArray[np.uint8]) -> list[Detection]:
        found = survey(self._locator, image)
        if found:
            boxes = np.stack([detection.quad for detection in found])
            faces = np.array([one.kind == "face" for one in found])
            crops = self._identifier.crops(image, boxes)
            told = self._name(image, boxes, crops, faces, boxes, true_shape(1.0), turned=True)
            found = [_judged(*one) for one in zip(found, *told, strict=True)]
        likely = [one for one in found if one.probs is None or one.confidence + float(one.probs.max()) >= CARDLIKE]
        return without_doubles(with_visible(likely, (image.shape[1], image.shape[0])))

    def _name(
        self,
        image: NDArray[np.uint8],
        boxes: NDArray[np.float32],
        crops: NDArray[np.uint8],
        faces: NDArray[np.bool_],
        others: NDArray[np.float32],
        shape: NDArray[np.float32],
        *,
        turned: bool = False,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """Quads (N, 4, 2), probabilities (N, 48) and visible shares (N,) of the cards in the locator's ``boxes``.

        ``crops`` are those of the boxes, which the caller has; ``faces`` (N,) tells what the locator takes for faces,
        ``others`` (M, 4, 2) are the boxes of all cards of the picture. A name rests on the box and on the quad fitted
        to the card's edges together: where the fit has caught a printed frame or a neighbour, the two views disagree
        and the mean is in doubt. ``shape`` (2,) are the factors, x and y, that give cards their true shape. ``turned``
        takes both upside down as well, for what there is time.
        """
        fits = np.stack([refine(image, box) for box in boxes]) if len(boxes) else boxes
        views = [crops, self._identifier.crops(image, fits)]
        if turned:
            views += [view[:, ::-1, ::-1] for view in views]
        seen, shares = self._identifier.classify(np.concatenate(views))
        by_view = (len(views), len(boxes))
        told = seen.reshape(*by_view, seen.shape[1])
        probs = np.asarray(told.mean(axis=0), np.float32)
        visible = np.asarray(shares.reshape(by_view).max(axis=0), np.float32)
        plain = (probs.max(axis=1, initial=0.0) >= PLAIN) | (told[::2].max(axis=(0, 2), initial=0.0) >= PLAIN_AS_FOUND)
        doubtful = (faces | (visible >= FACE_VISIBLE)) & ~plain
        for place in np.flatnonzero(doubtful):
            if is_half(boxes[place] * shape):
                self._weigh_halves(image, int(place), boxes, others, shape, fits, probs, visible)
        return fits, probs, visible

    def _weigh_halves(
        self,
        image: NDArray[np.uint8],
        place: int,
        boxes: NDArray[np.float32],
        others: NDArray[np.float32],
        shape: NDArray[np.float32],
        quads: NDArray[np.float32],
        probs: NDArray[np.float32],
        visible: NDArray[np.float32],
    ) -> None:
        """Read a box also as the two cards of which it may be the half, and write into the row what that tells.

        A half is one only where another card lies on the rest of it. Each way of seeing it counts by the square of its
        confidence; the surest gives the quad.
        """
        ways = halves(boxes[place] * shape)
        ways = ways[[is_covered(boxes[place] * shape, way, others * shape) for way in ways]] / shape
        if not len(ways):
            return
        seen = self._identifier.look(self._identifier.crops(image, ways))
        if seen.corners is not None:
            ways = placed(ways, seen.corners, self._identifier.size, self._identifier.margin)
            seen = self._identifier.look(self._identifier.crops(image, ways))
        told = np.concatenate([probs[place : place + 1], seen.probs])
        sure = told.max(axis=1)
        probs[place] = (sure**2 @ told) / (sure**2).sum()
        best = int(sure.argmax())
        if best:
            quads[place], visible[place] = ways[best - 1], seen.visible[best - 1]

    def observe(self, frame: Frame) -> Look:
        """Look at the next frame of a film; the detector runs only when it should."""
        small = reduce(frame.image)
        change = compare(self._last, small) if self._last is not None else None
        self._last = small
        sightings: tuple[Sighting, ...] | None = None
        if self._is_due(frame.t, change, small):
            began = time.perf_counter()
            sightings = tuple(sighting_of(detection) for detection in self._detect(frame.image))
            spent = 1000 * (time.perf_counter() - began)
            self._milliseconds = spent if not self._looks else 0.8 * self._milliseconds + 0.2 * spent
            self._looks += 1
            self._seen, self._seen_t = small, frame.t
        motion = 1.0 if change is None else round(change.share, 4)
        size = (frame.image.shape[1], frame.image.shape[0])
        hand = self._hands.look(frame.image, frame.t, change is not None and change.still)
        return Look(frame.index, round(frame.t, 4), size, motion, sightings, hand)

    def _is_due(self, t: float, change: Change | None, small: NDArray[np.float32]) -> bool:
        """Whether to look now: at once after the first frame, sparingly in motion, a few times after it."""
        if change is None or self._seen is None:
            self._moved_t, self._quiet_looks = t, 1
            return True
        if not change.still:
            self._moved_t, self._quiet_looks = t, 0
            return t - self._seen_t >= MOVING_SECONDS - 1e-6
        quiet = t - self._moved_t
        if self._quiet_looks < len(QUIET_LOOKS):
            if quiet >= QUIET_LOOKS[self._quiet_looks] - 1e-6:
                self._quiet_looks += 1
                return True
            return False
        if t - self._seen_t >= IDLE_SECONDS:
            return True
        # A change too slow to show from frame to frame adds up against the last picture that was read.
        return t - self._seen_t >= MOVING_SECONDS and not compare(self._seen, small).still

    def _detect(self, image: NDArray[np.uint8]) -> list[Detection]:
        """Locate all cards, classify those whose view has changed, and remember the views.

        Until it is known how the camera leans, the picture is looked at both ways; the way that tells more goes on, and
        a face that both name differently is in doubt: a foreshortened card, cut out crosswise, is read as another one.
        """
        view = self._view
        found, reads = self._look(image, view.stretch)
        judged = _judged_all(found, reads)
        if view.is_open and any(one.kind == "face" for one in judged):
            others, other_reads = self._look(image, view.other)
            again = _judged_all(others, other_reads)
            if _told(again) > OTHER_TOLD * _told(judged):
                view.stretch, found, reads = view.other, others, other_reads
                judged, again = again, judged
            judged = _agreed(judged, again)
        self._reads = reads
        view.learn(judged)
        view.fit(found, self._locator, image)
        return without_doubles(with_visible(judged, (image.shape[1], image.shape[0])))

    def _look(self, image: NDArray[np.uint8], stretch: float) -> tuple[list[Detection], list[_Read]]:
        """What the locator finds, and what is read in it or was already when its view was the same."""
        found = self._locator.locate(image, self._view.zoom, stretch)
        quads = np.stack([one.quad for one in found]) if found else np.zeros((0, 4, 2), np.float32)
        crops = self._identifier.crops(image, quads)
        thumbs = [_thumb(crop) for crop in crops]
        known = [self._known(quad, thumb) for quad, thumb in zip(quads, thumbs, strict=True)]
        ask = [place for place, old in enumerate(known) if old is None or old.reads < MOST_READS]
        faces = np.array([found[place].kind == "face" for place in ask], np.bool_)
        fits, probs, visible = self._name(image, quads[ask], crops[ask], faces, quads, true_shape(stretch))
        reads = []
        for place, old in enumerate(known):
            if old is None or old.reads < MOST_READS:
                row = ask.index(place)
                so_far = 0 if old is None else old.reads
                read = _Read(quads[place], fits[row], thumbs[place], probs[row], float(visible[row]), so_far + 1)
            else:
                # The box follows the card; the thumb stays, so that a slow change adds up and is noticed.
                step = quads[place].mean(0) - old.box.mean(0)
                read = replace(old, box=quads[place], quad=np.asarray(old.quad + step, np.float32))
            reads.append(read)
        return found, reads

    def _known(self, quad: NDArray[np.float32], thumb: NDArray[np.float32]) -> _Read | None:
        if not self._reads:
            return None
        iou = iou_matrix(quad[None].astype(np.float64), np.stack([r.box for r in self._reads]).astype(np.float64))[0]
        for place in np.argsort(-iou, kind="stable"):
            if iou[place] < SAME_CROP_IOU:
                return None
            old = self._reads[int(place)]
            # The detector numbers corners from either end of a card: compare the thumb turned as well.
            steps = (np.abs(turned - old.thumb).mean() for turned in (thumb, thumb[::-1, ::-1]))
            if min(steps) <= SAME_CROP_STEP:
                return old
        return None


def _told(found: list[Detection]) -> float:
    """How much a reading tells: the faces that it names, each by its certainty."""
    return sum(one.confidence * float(one.probs.max()) for one in found if one.probs is not None)


def _agreed(found: list[Detection], others: list[Detection]) -> list[Detection]:
    """``found``, where a face that the ``others`` have at the same place under another name has the mean of both."""
    rivals = [one for one in others if one.probs is not None]
    if not rivals:
        return found
    quads = np.stack([one.quad for one in rivals]).astype(np.float64)
    out = []
    for one in found:
        shared = iou_matrix(one.quad[None].astype(np.float64), quads)[0]
        rival = rivals[int(shared.argmax())].probs
        same = shared.max() >= SAME_CARD_IOU
        if same and one.probs is not None and rival is not None and one.probs.argmax() != rival.argmax():
            out.append(replace(one, probs=np.asarray((one.probs + rival) / 2, np.float32)))
        else:
            out.append(one)
    return out


def _judged_all(found: list[Detection], reads: list[_Read]) -> list[Detection]:
    return [_judged(one, read.quad, read.probs, read.visible) for one, read in zip(found, reads, strict=True)]


def _judged(detection: Detection, quad: NDArray[np.float32], probs: NDArray[np.float32], visible: float) -> Detection:
    """A box with what the identifier says of it: a face with its name, or a back as the locator found it."""
    if detection.kind == "back" and (visible < FACE_VISIBLE or probs.max() < PLAIN):
        return detection
    return replace(detection, kind="face", quad=quad, probs=probs, visible=visible)


def with_visible(found: list[Detection], size: tuple[int, int]) -> list[Detection]:
    """Bound the visible shares by geometry: the part outside a picture of ``size`` (width, height) is not visible.

    A back has no estimate of its own; the part of it that lies under or over other cards counts as hidden.
    """
    if not found:
        return []
    quads = np.stack([detection.quad for detection in found]).astype(np.float64)
    area = np.maximum(areas(quads), 1.0)
    width, height = size
    picture = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float64)
    inside = overlap_matrix(quads, picture)[:, 0] / area
    shared = overlap_matrix(quads, quads)
    np.fill_diagonal(shared, 0.0)
    hidden = np.minimum(1.0, shared.sum(axis=1) / area)
    out = []
    for index, detection in enumerate(found):
        own = detection.visible if detection.kind == "face" else 1.0 - float(hidden[index])
        out.append(replace(detection, visible=float(np.clip(min(own, float(inside[index])), 0.0, 1.0))))
    return out


def without_doubles(found: list[Detection]) -> list[Detection]:
    """Drop faces that lie on a surer one and bear its label, or none that could be read: one card, found twice."""
    if len(found) < 2:
        return found
    quads = np.stack([detection.quad for detection in found]).astype(np.float64)
    shared = overlap_matrix(quads, quads)
    area = np.maximum(areas(quads), 1.0)
    kept: list[int] = []
    for index in sorted(range(len(found)), key=lambda i: (-found[i].confidence, i)):
        rivals = [k for k in kept if found[k].kind == "face" and shared[index, k] > 0.4 * min(area[index], area[k])]
        if not any(_is_ghost(found[index], found[k], float(shared[index, k] / area[index])) for k in rivals):
            kept.append(index)
    return [found[index] for index in kept]


def _is_ghost(weak: Detection, strong: Detection, share: float) -> bool:
    """Whether a face that lies on a surer one, by ``share`` of its area, is that one found twice, or nothing at all."""
    if weak.probs is None or strong.probs is None:
        return False
    if int(weak.probs.argmax()) == int(strong.probs.argmax()):
        return True
    unread = float(weak.probs.max()) < GHOST_PROBABILITY and weak.confidence < GHOST_CONFIDENCE
    return unread and share > 0.5


def _thumb(crop: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The crop in grey at 16 x 24, its mean taken out: exposure is no change."""
    small = cv2.resize(crop, _THUMB, interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
    return np.asarray(grey - grey.mean(), np.float32)
