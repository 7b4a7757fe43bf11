"""Pictures of single cards as the identifier sees them: rectified, a little off, lit, half covered, blurred.

The maker draws a card at the scale at which a camera would see it, among and under other cards, photographs the scene
(:mod:`vision.synth.effects`) and rectifies the card from a slightly wrong quad, as the locator delivers it. So the
identifier learns from the resolution, the covering and the light of real tables, at a fraction of a table's price.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.identifier import crop_quad
from vision.labels import INDEX
from vision.synth import clutter
from vision.synth.covering import Faces, any_card, cover
from vision.synth.effects import CALM, ROUGH, CameraLevel, photograph
from vision.synth.laying import ASPECT, Canvas, Image, Rng, card_quad, fitted, lay, printed

LOOKALIKES = (
    "french",
    "business",
    "note",
    "photo",
    "box",
    "book",
    "coaster",
    "paper",
    "phone",
    "napkin",
    "mat",
    "chips",
)
"""Kinds of :mod:`vision.synth.clutter` that a locator may take for a card; others are too small or of another shape."""
UNREADABLE = -1
"""Label index of a crop that shows no face, or too little of one to be read by anybody."""


@dataclass(frozen=True, slots=True)
class CropRecipe:
    """What the crops look like; every share is a probability.

    ``size`` is (height, width) of a crop, ``margin`` the strip around the card as a share of its size, ``heights`` the
    range of card heights in camera pixels (drawn on a log scale). Of the ``negatives`` a share of ``lookalikes`` shows
    things that could be taken for cards, the others backs and empty tables. Labels in ``twice`` are drawn twice as
    often.
    """

    size: tuple[int, int] = (240, 160)
    margin: float = 0.04
    heights: tuple[float, float] = (40.0, 300.0)
    covered: float = 0.5
    negatives: float = 0.08
    lookalikes: float = 0.6
    loose: float = 1.0
    level: CameraLevel = ROUGH
    readable: float = 0.12
    twice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Crop:
    """One training picture: ``image`` BGR uint8, ``label`` an index into LABELS or UNREADABLE, ``visible`` 0..1.

    ``corners`` (4, 2) are where the card's corners truly are, as shares of the crop's width and height (outside 0..1
    where the crop cuts it off), in the order top left, top right, bottom right, bottom left of the crop; None where
    there is no card.
    """

    image: Image
    label: int
    visible: float
    corners: NDArray[np.float32] | None = None


def crop_homography(quad: NDArray[np.float32], size: tuple[int, int], margin: float) -> NDArray[np.float64]:
    """Return the 3x3 homography from picture pixels to a crop of ``size`` (height, width) with the given margin."""
    target = crop_quad(size, margin)
    return np.asarray(cv2.getPerspectiveTransform(np.asarray(quad, np.float32), target), np.float64)


class CropMaker:
    """Makes endless labelled crops from decks and backgrounds; all randomness comes from the caller's generator."""

    def __init__(
        self,
        decks: Sequence[Faces],
        backgrounds: Sequence[Image],
        recipe: CropRecipe | None = None,
        weights: Sequence[float] | None = None,
    ) -> None:
        if not decks:
            raise ValueError("a crop maker needs at least one deck")
        self.decks = list(decks)
        self.backgrounds = list(backgrounds)
        self.recipe = recipe or CropRecipe()
        share = np.asarray(weights if weights is not None else np.ones(len(decks)), np.float64)
        self.share = share / share.sum()
        self.having = {
            label: np.array([i for i, deck in enumerate(decks) if label in deck.labels], np.int64) for label in INDEX
        }
        self.labels = [label for label, having in self.having.items() if len(having)]
        self.labels += [label for label in self.labels if label in self.recipe.twice]

    def make(self, rng: Rng) -> Crop:
        """Return one crop. Labels are drawn evenly (but see ``twice``), decks by their weights."""
        recipe = self.recipe
        height = math.exp(rng.uniform(*np.log(recipe.heights)))
        side = round(height * 1.6)
        canvas = self._background(rng, side)
        centre = (side / 2 + rng.uniform(-1, 1), side / 2 + rng.uniform(-1, 1))
        quad = card_quad(centre, height, rng.normal(0, 0.06) + (rng.uniform(-0.8, 0.8) if rng.random() < 0.25 else 0))
        quad[:, 0] = centre[0] + (quad[:, 0] - centre[0]) * rng.uniform(0.95, 1.05)
        quad += rng.normal(0, 0.018 * height, (4, 2)).astype(np.float32)  # perspective

        deck, name = self._pick(rng)
        negative = rng.random() < recipe.negatives
        if negative and rng.random() < recipe.lookalikes:
            label, mask = UNREADABLE, lay(canvas, fitted(self._thing(rng), height), quad, 0.01 * height)
        elif negative and rng.random() < 0.5:
            label, mask = UNREADABLE, np.zeros((side, side), np.float32)
        else:
            art = deck.back() if negative else deck.face(name)
            label = UNREADABLE if negative else INDEX[name]
            if rng.random() < 0.35:
                self._neighbours(rng, canvas, deck, centre, height)
            mask = lay(canvas, printed(rng, fitted(art, height)), quad, lift=rng.uniform(0, 0.012) * height)
        whole = float(mask.sum())
        if whole > 0 and rng.random() < recipe.covered:
            cover(rng, canvas, mask, deck, quad, height)
        visible = float(mask.sum()) / whole if whole > 0 else 0.0
        if visible < recipe.readable:
            label = UNREADABLE

        picture = photograph(rng, canvas, height, recipe.level)
        cut, corners = self._rectify(rng, picture, quad, height, visible)
        known = label != UNREADABLE
        return Crop(cut, label, visible if known else 0.0, corners if known else None)

    def photographed(self, rng: Rng, picture: Image, quad: NDArray[np.float32], label: str, visible: float) -> Crop:
        """Return a crop of a card in a real picture (BGR): seen from farther away, covered, in other light, cut anew.

        ``quad`` are the card's corners in pixels, ``visible`` the share of it that is seen already.
        """
        tall = float(np.linalg.norm(quad[3] - quad[0]))
        least, most = self.recipe.heights
        most = min(most, tall)
        height = math.exp(rng.uniform(math.log(min(max(least, 0.4 * tall), most)), math.log(most)))
        scale = height / tall
        if scale < 1:
            picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        quad = np.asarray(quad * scale, np.float32)
        canvas = picture.astype(np.float32)
        mask = np.zeros(canvas.shape[:2], np.float32)
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1.0)
        whole = float(mask.sum())
        if rng.random() < 0.5 * self.recipe.covered:  # tables have covered some of them already
            deck, _ = self._pick(rng)
            cover(rng, canvas, mask, deck, quad, height)
        seen = visible * float(mask.sum()) / max(whole, 1.0)
        known = seen >= self.recipe.readable
        picture = photograph(rng, canvas, height, CALM)  # a camera's light and noise are in it already
        cut, corners = self._rectify(rng, picture, quad, height, seen)
        return Crop(cut, INDEX[label] if known else UNREADABLE, seen if known else 0.0, corners if known else None)

    def _pick(self, rng: Rng) -> tuple[Faces, str]:
        name = self.labels[int(rng.integers(len(self.labels)))]
        having = self.having[name]
        share = self.share[having]
        return self.decks[int(rng.choice(having, p=share / share.sum()))], name

    def _background(self, rng: Rng, side: int) -> Canvas:
        if not self.backgrounds or rng.random() < 0.2:
            canvas = np.empty((side, side, 3), np.float32)
            canvas[:] = rng.uniform(10, 245, 3)
            coarse = rng.normal(0, rng.uniform(0, 25), (max(2, side // 8), max(2, side // 8), 1)).astype(np.float32)
            canvas += cv2.resize(coarse, (side, side))[..., None]
            return np.clip(canvas, 0, 255)
        source = self.backgrounds[int(rng.integers(len(self.backgrounds)))]
        take = int(min(source.shape[0], source.shape[1], max(32, side * rng.uniform(0.6, 1.8))))
        y, x = (int(rng.integers(0, source.shape[axis] - take + 1)) for axis in (0, 1))
        patch = cv2.resize(source[y : y + take, x : x + take], (side, side), interpolation=cv2.INTER_AREA)
        return np.asarray(np.rot90(patch, int(rng.integers(4))), np.float32).copy()

    def _thing(self, rng: Rng) -> Image:
        """A look-alike, as it lies or one corner of it enlarged; it is laid as if it were the card."""
        kind = LOOKALIKES[int(rng.integers(len(LOOKALIKES)))]
        image = clutter.thing(kind, int(rng.integers(60))).image
        if rng.random() < 0.3:
            share, (height, width) = rng.uniform(0.4, 0.9), image.shape[:2]
            tall, wide = max(8, round(height * share)), max(8, round(width * share))
            top, left = int(rng.integers(height - tall + 1)), int(rng.integers(width - wide + 1))
            image = image[top : top + tall, left : left + wide]
        return np.asarray(np.rot90(image) if image.shape[1] > image.shape[0] else image, np.uint8).copy()

    def _neighbours(self, rng: Rng, canvas: Canvas, deck: Faces, centre: tuple[float, float], height: float) -> None:
        """Lay one or two other cards under the one that is to be read."""
        for _ in range(int(rng.integers(1, 3))):
            angle, reach = rng.uniform(0, 2 * math.pi), height * rng.uniform(0.3, 0.9)
            place = (centre[0] + reach * math.cos(angle), centre[1] + reach * math.sin(angle))
            under = fitted(any_card(rng, deck), height)
            lay(canvas, under, card_quad(place, height, rng.uniform(0, 2 * math.pi)), 0.01 * height)

    def _rectify(
        self, rng: Rng, picture: Image, quad: NDArray[np.float32], height: float, visible: float
    ) -> tuple[Image, NDArray[np.float32]]:
        """Cut the card out by a quad that is as wrong as a locator's: turned, shifted, scaled, perspective lost.

        Where a part of the card is covered, a locator often takes the card to end elsewhere. Returns the crop and where
        the true corners are in it.
        """
        recipe, true = self.recipe, quad
        loose = recipe.loose * (1.0 if rng.random() < 0.75 else 2.0)
        if rng.random() < 0.5:  # an oriented box instead of the true quad
            (cx, cy), (a, b), _ = cv2.minAreaRect(quad)
            long_side, short_side = max(a, b), min(a, b)
            down = (quad[3] + quad[2] - quad[0] - quad[1]) / 2
            angle = math.atan2(float(-down[0]), float(down[1]))
            box = card_quad((cx, cy), long_side, angle)
            scale = short_side / (long_side * ASPECT)
            across = (box[1] - box[0]) / 2 * (scale - 1)
            box += np.array([-across, across, across, -across], np.float32)
            quad = box
        if rng.random() < (0.6 if visible < 0.8 else 0.15) * recipe.loose:
            quad = _misfit(rng, quad)
        centre = quad.mean(0)
        turn = rng.normal(0, 0.02 * loose)
        c, s = math.cos(turn), math.sin(turn)
        matrix = np.array([[c, s], [-s, c]], np.float32) * np.float32(1 + rng.normal(0, 0.02 * loose))
        quad = (quad - centre) @ matrix + centre + rng.normal(0, 0.012 * loose * height, 2).astype(np.float32)
        if rng.random() < 0.5:
            quad, true = np.roll(quad, 2, axis=0), np.roll(true, 2, axis=0)
        homography = crop_homography(np.asarray(quad, np.float32), recipe.size, recipe.margin)
        out = (recipe.size[1], recipe.size[0])
        corners = cv2.perspectiveTransform(true[None].astype(np.float32), homography)[0] / np.array(out, np.float32)
        cut = cv2.warpPerspective(picture, homography, out, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cut, np.uint8), np.asarray(corners, np.float32)


def _misfit(rng: Rng, quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """Let one short side lie too far in or out along the card, at times a long side as well, and the whole turned."""
    out = np.asarray(quad, np.float32).copy()
    step = np.float32(rng.uniform(-0.38, 0.3))
    for end, other in ((0, 3), (1, 2)) if rng.random() < 0.5 else ((3, 0), (2, 1)):
        out[end] += (quad[end] - quad[other]) * step
    if rng.random() < 0.4:
        step = np.float32(rng.uniform(-0.2, 0.2))
        for side, other in ((0, 1), (3, 2)) if rng.random() < 0.5 else ((1, 0), (2, 3)):
            out[side] += (quad[side] - quad[other]) * step
    turn = rng.normal(0, 0.06)
    c, s = math.cos(turn), math.sin(turn)
    centre = out.mean(0)
    return np.asarray((out - centre) @ np.array([[c, s], [-s, c]], np.float32) + centre, np.float32)
