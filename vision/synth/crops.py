"""Pictures of single cards as the identifier sees them: rectified, a little off, lit, half covered, blurred.

The maker draws a card at the scale at which a camera would see it, among and under other cards, photographs the scene
(:mod:`vision.synth.effects`) and rectifies the card from a slightly wrong quad, as the locator delivers it. So the
identifier learns from the resolution, the covering and the light of real tables, at a fraction of a table's price.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import CARD_MM, INDEX
from vision.synth import clutter
from vision.synth.effects import CALM, ROUGH, CameraLevel, photograph

Rng = np.random.Generator
Image = NDArray[np.uint8]
Canvas = NDArray[np.float32]

ASPECT = CARD_MM[0] / CARD_MM[1]
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


class Faces(Protocol):
    """The part of a deck that the crop maker needs (see :class:`vision.synth.decks.DeckArt`)."""

    @property
    def name(self) -> str:
        """Name of the deck."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the faces that it has."""

    def face(self, label: str) -> Image:
        """Return the face as BGRA."""

    def back(self) -> Image:
        """Return the back as BGRA."""


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
    """One training picture: ``image`` BGR uint8, ``label`` an index into LABELS or UNREADABLE, ``visible`` 0..1."""

    image: Image
    label: int
    visible: float


def card_quad(centre: tuple[float, float], height: float, angle: float) -> NDArray[np.float32]:
    """Return the four corners of an upright card turned by ``angle`` (radians, clockwise on screen), (4, 2) pixels."""
    w, h = height * ASPECT / 2, height / 2
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]], np.float32)
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, s], [-s, c]], np.float32)
    return np.asarray(corners @ turn + np.array(centre, np.float32), np.float32)


def crop_homography(quad: NDArray[np.float32], size: tuple[int, int], margin: float) -> NDArray[np.float64]:
    """Return the 3x3 homography from picture pixels to a crop of ``size`` (height, width) with the given margin."""
    height, width = size
    mx, my = width * margin / (1 + 2 * margin), height * margin / (1 + 2 * margin)
    target = np.array([[mx, my], [width - mx, my], [width - mx, height - my], [mx, height - my]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(np.asarray(quad, np.float32), target), np.float64)


def fitted(card: Image, height: float) -> Image:
    """Return the card shrunk to little more than ``height`` pixels: a warp that shrinks by more than two aliases."""
    factor = 1.3 * height / card.shape[0]
    if factor > 0.8:
        return card
    return np.asarray(cv2.resize(card, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)


def printed(rng: Rng, card: Image) -> Image:
    """Return the card as another copy of the deck: ink, paper tone, fading, and the art up to 1 mm off centre."""
    height, width = card.shape[:2]
    colour = card[..., :3].astype(np.float32)
    paper = 1 - np.array([rng.uniform(0, 0.22), rng.uniform(0, 0.1), rng.uniform(0, 0.05)], np.float32)
    ink = 1 + rng.normal(0, 0.05, 3).astype(np.float32)
    fade = np.float32(rng.uniform(0, 0.22) if rng.random() < 0.4 else 0.0)
    colour = 255 - (255 - colour) * ink
    colour = (colour * (1 - fade) + 235 * fade) * paper
    if rng.random() < 0.15:  # hue of another print run
        hsv = cv2.cvtColor(np.clip(colour, 0, 255).astype(np.uint8), cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(np.int16) + int(rng.integers(-7, 8))) % 180
        colour = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR).astype(np.float32)
    out = card.copy()
    out[..., :3] = np.clip(colour, 0, 255)
    if rng.random() < 0.5:
        shift = np.array([[1, 0, rng.uniform(-0.017, 0.017) * width], [0, 1, rng.uniform(-0.011, 0.011) * height]])
        out[..., :3] = cv2.warpAffine(out[..., :3], shift, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return out


def lay(canvas: Canvas, card: Image, quad: NDArray[np.float32], lift: float = 0.0) -> NDArray[np.float32]:
    """Lay a BGRA card into the float canvas in place, with a contact shadow; return its alpha mask (H, W) 0..1."""
    height, width = canvas.shape[:2]
    ch, cw = card.shape[:2]
    source = np.array([[0, 0], [cw, 0], [cw, ch], [0, ch]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, np.asarray(quad, np.float32))
    warped = cv2.warpPerspective(card, matrix, (width, height), flags=cv2.INTER_LINEAR)
    alpha = warped[..., 3].astype(np.float32) / 255
    if lift > 0:
        soft = cv2.GaussianBlur(alpha, (0, 0), max(0.7, lift))
        move = np.array([[1, 0, lift * 0.7], [0, 1, lift]], np.float32)
        soft = cv2.warpAffine(soft, move, (width, height))
        canvas *= (1 - 0.45 * soft * (1 - alpha))[..., None]
    canvas *= (1 - alpha)[..., None]
    canvas += warped[..., :3].astype(np.float32) * alpha[..., None]
    return np.asarray(alpha, np.float32)


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
            self._cover(rng, canvas, mask, deck, quad, height)
        visible = float(mask.sum()) / whole if whole > 0 else 0.0
        if visible < recipe.readable:
            label = UNREADABLE

        picture = photograph(rng, canvas, height, recipe.level)
        return Crop(self._rectify(rng, picture, quad, height, visible), label, visible if label != UNREADABLE else 0.0)

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
            self._cover(rng, canvas, mask, deck, quad, height)
        seen = visible * float(mask.sum()) / max(whole, 1.0)
        known = seen >= self.recipe.readable
        picture = photograph(rng, canvas, height, CALM)  # a camera's light and noise are in it already
        cut = self._rectify(rng, picture, quad, height, seen)
        return Crop(cut, INDEX[label] if known else UNREADABLE, seen if known else 0.0)

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

    def _any_card(self, rng: Rng, deck: Faces) -> Image:
        if rng.random() < 0.2:
            return deck.back()
        return deck.face(deck.labels[int(rng.integers(len(deck.labels)))])

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
            under = fitted(self._any_card(rng, deck), height)
            lay(canvas, under, card_quad(place, height, rng.uniform(0, 2 * math.pi)), 0.01 * height)

    def _cover(
        self,
        rng: Rng,
        canvas: Canvas,
        mask: Canvas,
        deck: Faces,
        quad: NDArray[np.float32],
        height: float,
    ) -> None:
        """Cover part of the card, in place, as tables do: the stock, a later card, a fan, a hand."""
        centre = quad.mean(0)
        along, across = (quad[3] - quad[0]), (quad[1] - quad[0])
        base = math.atan2(float(across[1]), float(across[0]))
        way = rng.random()
        lift = rng.uniform(0.004, 0.03) * height
        over: list[tuple[Image, NDArray[np.float32], float]] = []
        if way < 0.25:  # half under the stock, which lies across or in line
            end = 1 if rng.random() < 0.5 else -1
            turned = rng.random() < 0.7
            thick = (0.5 * ASPECT if turned else 0.5) * height
            edge = rng.uniform(-0.12, 0.3) * height  # where the stock's edge runs, from the card's middle
            place = centre + along / height * end * (edge + thick) + across * rng.uniform(-0.25, 0.25)
            angle = base + (math.pi / 2 if turned else 0.0) + rng.normal(0, 0.06)
            over.append((deck.back(), card_quad((float(place[0]), float(place[1])), height, angle), 2.5 * lift))
        elif way < 0.4:  # a fan in a hand or on the table: the neighbours leave one long strip free
            right = 1 if rng.random() < 0.75 else -1
            for step in range(1, int(rng.integers(2, 4))):
                place = centre + across * right * rng.uniform(0.2, 0.5) * step + along * rng.normal(0, 0.04)
                angle = base + right * rng.uniform(0.02, 0.3) * step
                over.append(
                    (self._any_card(rng, deck), card_quad((float(place[0]), float(place[1])), height, angle), lift)
                )
        elif way < 0.85:  # a later card of the trick
            for _ in range(1 + int(rng.random() < 0.2)):
                angle, reach = rng.uniform(0, 2 * math.pi), height * rng.uniform(0.35, 0.9)
                place = centre + reach * np.array([math.cos(angle), math.sin(angle)], np.float32)
                turn = base + (rng.normal(0, 0.25) if rng.random() < 0.5 else rng.uniform(0, 2 * math.pi))
                over.append(
                    (self._any_card(rng, deck), card_quad((float(place[0]), float(place[1])), height, turn), lift)
                )
        elif way < 0.92:
            self._fingers(rng, canvas, mask, quad, height)
        else:
            self._patch(rng, canvas, mask, quad, height)
        for art, place, rise in over:
            alpha = lay(canvas, printed(rng, fitted(art, height)), place, rise)
            mask *= 1 - alpha

    def _patch(self, rng: Rng, canvas: Canvas, mask: Canvas, quad: NDArray[np.float32], height: float) -> None:
        """Hide a small part, most often the middle: a coin, a sticker, a printed marker, a burnt-out reflection.

        A pip may be exactly there, so the network must learn to count what it sees and to doubt what it does not.
        """
        size = height * rng.uniform(0.1, 0.36)
        off = rng.normal(0, 0.12, 2) if rng.random() < 0.6 else rng.uniform(-0.4, 0.4, 2)
        at = quad.mean(0) + (quad[1] - quad[0]) * off[0] + (quad[3] - quad[0]) * off[1]
        square = card_quad((float(at[0]), float(at[1])), size, rng.uniform(0, math.pi) if rng.random() < 0.4 else 0.0)
        square[:, 0] = at[0] + (square[:, 0] - at[0]) / ASPECT
        way = rng.random()
        if way < 0.5:  # a printed marker: a dark square with light cells
            cells = int(rng.integers(3, 8))
            pattern = np.where(rng.random((cells, cells)) < 0.5, rng.uniform(0, 70), rng.uniform(180, 255))
            pattern = np.pad(pattern, 1, constant_values=float(pattern.min() if rng.random() < 0.6 else pattern.max()))
            image = np.full((64, 64, 4), 255, np.uint8)
            image[..., :3] = cv2.resize(pattern, (64, 64), interpolation=cv2.INTER_NEAREST)[..., None]
        else:  # something round, or one colour: a coin, a chip, a sticker; nearly white is a reflection
            image = np.zeros((64, 64, 4), np.uint8)
            colour = rng.uniform(20, 245, 3) if way < 0.85 else rng.uniform(235, 255, 3)
            if rng.random() < 0.7:
                cv2.circle(image, (32, 32), 31, (*colour.tolist(), 255), -1, cv2.LINE_AA)
                cv2.circle(image, (32, 32), int(rng.integers(12, 28)), (*(colour * 0.8).tolist(), 255), 2, cv2.LINE_AA)
            else:
                image[:] = (*colour, 255)
        mask *= 1 - lay(canvas, fitted(image, size), square, lift=rng.uniform(0, 0.01) * height)

    def _fingers(self, rng: Rng, canvas: Canvas, mask: Canvas, quad: NDArray[np.float32], height: float) -> None:
        """Lay one to four fingers over an edge of the card."""
        tone = rng.uniform(0.35, 1.0)
        skin = np.array([rng.uniform(120, 170), rng.uniform(150, 190), rng.uniform(200, 240)], np.float32) * tone
        corner = int(rng.integers(4))
        edge_start, edge_end = quad[corner], quad[(corner + 1) % 4]
        inward = quad.mean(0) - (edge_start + edge_end) / 2
        start = rng.uniform(0.1, 0.7)
        for finger in range(int(rng.integers(1, 5))):
            root = edge_start + (edge_end - edge_start) * (start + 0.16 * finger) - inward * 0.6
            tip = root + inward * rng.uniform(0.7, 1.7) + rng.normal(0, 0.03 * height, 2).astype(np.float32)
            width = max(2, round(height * rng.uniform(0.1, 0.17)))
            layer = np.zeros(mask.shape, np.float32)
            cv2.line(layer, tuple(map(int, root)), tuple(map(int, tip)), 1.0, width, cv2.LINE_AA)
            layer = np.asarray(cv2.GaussianBlur(layer, (0, 0), max(0.6, 0.006 * height)), np.float32)
            shade = np.float32(rng.uniform(0.85, 1.1))
            canvas *= (1 - layer)[..., None]
            canvas += layer[..., None] * skin * shade
            mask *= 1 - layer

    def _rectify(self, rng: Rng, picture: Image, quad: NDArray[np.float32], height: float, visible: float) -> Image:
        """Cut the card out by a quad that is as wrong as a locator's: turned, shifted, scaled, perspective lost.

        Where a part of the card is covered, a locator often takes the card to end elsewhere.
        """
        recipe = self.recipe
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
            quad = np.roll(quad, 2, axis=0)
        homography = crop_homography(np.asarray(quad, np.float32), recipe.size, recipe.margin)
        out = (recipe.size[1], recipe.size[0])
        return np.asarray(
            cv2.warpPerspective(picture, homography, out, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
            np.uint8,
        )


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
