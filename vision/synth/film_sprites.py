"""Cut-out pictures in table millimetres, warped through a camera and laid on a picture.

Colours are premultiplied with their alpha throughout, so that laying one thing on another is a multiplication and an
addition of bytes.
"""

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.clutter import thing
from vision.synth.decks import DeckArt
from vision.synth.film_camera import Camera, Pose
from vision.synth.film_light import GAIN_ONE, Light
from vision.synth.hands import Pose as HandPose
from vision.synth.hands import hand

Image = NDArray[Any]
Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Sprite:
    """A flat thing: premultiplied BGRA, the pixel of its anchor, pixels per millimetre, and its two shadows.

    ``contact`` is the shadow of the thing lying on a table, ``cast`` of the thing lifted off it.
    """

    image: Image
    anchor: tuple[float, float]
    px_per_mm: tuple[float, float]
    contact: "Shadow"
    cast: "Shadow"

    def matrix(self, camera: Camera, pose: Pose) -> NDArray[np.float64]:
        """(3, 3) from pixels of the sprite to pixels of the picture."""
        return camera.plane(pose) @ _millimetres(self.anchor, self.px_per_mm)


@dataclass(frozen=True, slots=True)
class Shadow:
    """A blurred alpha (H, W) with its own anchor and scale; it needs few pixels."""

    image: Image
    anchor: tuple[float, float]
    px_per_mm: tuple[float, float]

    def matrix(self, camera: Camera, pose: Pose) -> NDArray[np.float64]:
        """(3, 3) from pixels of the shadow to pixels of the picture."""
        return camera.plane(pose) @ _millimetres(self.anchor, self.px_per_mm)


def _millimetres(anchor: tuple[float, float], scale: tuple[float, float]) -> NDArray[np.float64]:
    return np.array([[1 / scale[0], 0, -anchor[0] / scale[0]], [0, 1 / scale[1], -anchor[1] / scale[1]], [0, 0, 1.0]])


def _shadow(alpha: Image, anchor: tuple[float, float], px_per_mm: tuple[float, float], soft_mm: float) -> Shadow:
    share = min(1.0, max(0.12, 1.5 / (soft_mm * px_per_mm[0])))
    small = cv2.resize(alpha, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    sx, sy = (s * small.shape[1 - i] / alpha.shape[1 - i] for i, s in enumerate(px_per_mm))
    px, py = math.ceil(2.5 * soft_mm * sx), math.ceil(2.5 * soft_mm * sy)
    wide = cv2.copyMakeBorder(small, py, py, px, px, cv2.BORDER_CONSTANT, value=0)
    soft = np.asarray(cv2.GaussianBlur(wide, (0, 0), max(0.4, soft_mm * sx)), np.uint8)
    return Shadow(soft, (anchor[0] * sx / px_per_mm[0] + px, anchor[1] * sy / px_per_mm[1] + py), (sx, sy))


def make_sprite(bgra: Image, anchor: tuple[float, float], px_per_mm: tuple[float, float]) -> Sprite:
    """A sprite of straight-alpha BGRA."""
    alpha = bgra[..., 3:].astype(np.uint16)
    image = np.dstack([(bgra[..., :3] * alpha + 127) // 255, alpha]).astype(np.uint8)
    shadows = (_shadow(np.ascontiguousarray(bgra[..., 3]), anchor, px_per_mm, soft) for soft in (2.5, 9.0))
    return Sprite(image, anchor, px_per_mm, *shadows)


class SpriteBook:
    """The sprites of one film, each made once, at about the resolution at which the camera sees them.

    Keys are ``face:<label>``, ``back``, ``edge`` (the paper of a stack's side), ``hand:<seed>:<pose>`` and
    ``thing:<kind>:<seed>`` (something that is no card).
    """

    def __init__(self, deck: DeckArt, px_per_mm: float) -> None:
        self._deck = deck
        self.card_mm = deck.card_mm
        self._px_per_mm = px_per_mm
        self._kept: dict[str, Sprite] = {}

    def get(self, key: str) -> Sprite:
        """The sprite of a key."""
        if key not in self._kept:
            self._kept[key] = self._make(key)
        return self._kept[key]

    def _make(self, key: str) -> Sprite:
        kind, _, rest = key.partition(":")
        if kind == "hand":
            seed, _, pose = rest.partition(":")
            return self._hand(int(seed), pose)  # type: ignore[arg-type]
        if kind == "thing":
            name, _, seed = rest.partition(":")
            drawn = thing(name, int(seed))
            h, w = drawn.image.shape[:2]
            return make_sprite(drawn.image, (w / 2 - 0.5, h / 2 - 0.5), (drawn.px_per_mm, drawn.px_per_mm))
        art = self._deck.face(rest) if kind == "face" else self._deck.back()
        if kind == "edge":
            art = np.dstack([np.full((*art.shape[:2], 3), (206, 214, 218), np.uint8), art[..., 3]])
        width_mm, height_mm = self._deck.card_mm
        # a little finer than the camera: the warp is bilinear and must neither skip pixels nor soften
        scale = min(1.0, 1.2 * self._px_per_mm * height_mm / art.shape[0])
        if scale < 1:
            alpha = art[..., 3:].astype(np.float32) / 255
            flat = np.dstack([art[..., :3] * alpha, art[..., 3]]).astype(np.float32)
            small = cv2.resize(flat, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            colour = small[..., :3] / np.maximum(small[..., 3:] / 255, 1e-3)
            art = np.clip(np.dstack([colour, small[..., 3]]), 0, 255).astype(np.uint8)
        h, w = art.shape[:2]
        return make_sprite(art, (w / 2 - 0.5, h / 2 - 0.5), (w / width_mm, h / height_mm))

    def _hand(self, seed: int, pose: HandPose) -> Sprite:
        drawn = hand(seed, pose, round(float(np.clip(self._px_per_mm * 1.05, 0.5, 4.0)), 2))
        return make_sprite(drawn.image, drawn.grip, (drawn.px_per_mm, drawn.px_per_mm))


def bounds(matrix: NDArray[np.float64], shape: tuple[int, ...], size: tuple[int, int], spare: int = 1) -> Box | None:
    """Where a sprite of ``shape`` lands in a picture of ``size``: (x0, y0, x1, y1), or None when wholly outside."""
    h, w = shape[:2]
    corners = np.array([[-1, w, w, -1], [-1, -1, h, h], [1, 1, 1, 1]]) - 0.0
    image = matrix @ corners
    if (image[2] <= 1e-9).any():
        return None
    xs, ys = image[0] / image[2], image[1] / image[2]
    x0, y0 = max(0, math.floor(xs.min()) - spare), max(0, math.floor(ys.min()) - spare)
    x1, y1 = min(size[0], math.ceil(xs.max()) + 1 + spare), min(size[1], math.ceil(ys.max()) + 1 + spare)
    return (x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def union(a: Box | None, b: Box | None) -> Box | None:
    """The smallest box around both."""
    if a is None or b is None:
        return a or b
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def warp_into(image: Image, matrix: NDArray[np.float64], box: Box) -> Image:
    """The sprite picture as seen inside ``box``."""
    shifted = np.array([[1, 0, -box[0]], [0, 1, -box[1]], [0, 0, 1.0]]) @ matrix
    size = (box[2] - box[0], box[3] - box[1])
    return np.asarray(cv2.warpPerspective(image, shifted, size, flags=cv2.INTER_LINEAR), np.uint8)


def three(grey: Image) -> Image:
    """A grey picture three times, as (H, W, 3)."""
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)


def lay(target: Image, box: Box, colour: Image, alpha: Image) -> None:
    """Lays premultiplied ``colour`` with ``alpha`` (H, W) on the box of ``target``, in place."""
    region = target[box[1] : box[3], box[0] : box[2]]
    cv2.multiply(region, three(cv2.bitwise_not(alpha)), dst=region, scale=1 / 255)
    cv2.add(region, colour, dst=region)


def darken(target: Image, box: Box, soft: Image, strength: float) -> None:
    """Multiplies the box of ``target`` by 1 - ``strength`` * ``soft``, in place."""
    region = target[box[1] : box[3], box[0] : box[2]]
    keep = cv2.convertScaleAbs(soft, alpha=-strength, beta=0)
    cv2.multiply(region, three(cv2.bitwise_not(keep)), dst=region, scale=1 / 255)


def lit(colour: Image, alpha: Image | None, light: Light, box: Box) -> Image:
    """``colour`` (premultiplied) under the light of its place; a reflection veils what is there, by ``alpha``."""
    window = (slice(box[1], box[3]), slice(box[0], box[2]))
    shone = cv2.multiply(colour, light.gain[window], scale=1 / GAIN_ONE)
    if light.glare is not None:
        veil = light.glare[window]
        if alpha is not None:
            veil = cv2.multiply(veil, three(alpha), scale=1 / 255)
        shone = cv2.add(shone, veil)
    return np.asarray(shone, np.uint8)


def draw_sprite(
    target: Image,
    sprite: Sprite,
    pose: Pose,
    camera: Camera,
    light: Light,
    *,
    shadow_on: float = 0.0,
    smear: tuple[float, float] = (0.0, 0.0),
) -> Box | None:
    """Draws a moving thing and its shadow in place; returns the touched box.

    The shadow falls on the height ``shadow_on``. ``smear`` is the way in pixels (x, y) that it moves while the shutter
    is open.
    """
    matrix = sprite.matrix(camera, pose)
    reach = (int(abs(smear[0])) | 1, int(abs(smear[1])) | 1)
    box = bounds(matrix, sprite.image.shape, camera.size, max(reach) // 2 + 1)
    lift = max(0.0, pose.z - shadow_on)
    below = Pose(pose.x + light.fall[0] * lift, pose.y + light.fall[1] * lift, shadow_on, pose.yaw, pose.roll)
    shadow = sprite.cast if lift > 6 else sprite.contact
    soft_matrix = shadow.matrix(camera, below)
    soft_box = bounds(soft_matrix, shadow.image.shape, camera.size)
    if soft_box is not None:
        # the higher a thing, the more light reaches in below it
        strength = light.shadow * (1 - 0.45 * min(1.0, lift / 60))
        darken(target, soft_box, warp_into(shadow.image, soft_matrix, soft_box), strength)
    if box is not None:
        warped = warp_into(sprite.image, matrix, box)
        if max(reach) > 1:
            warped = np.asarray(cv2.blur(warped, reach), np.uint8)
        alpha = np.ascontiguousarray(warped[..., 3])
        lay(target, box, lit(np.ascontiguousarray(warped[..., :3]), alpha, light, box), alpha)
    return union(box, soft_box)
