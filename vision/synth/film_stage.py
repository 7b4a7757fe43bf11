"""The table as it lies still: a background and things on it, kept composed in the camera's picture.

Putting a thing down lays one cached patch on the picture; taking one away repaints only its box.
"""

import math
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.film_camera import Camera, Pose
from vision.synth.film_light import Light
from vision.synth.film_sprites import Box, Image, SpriteBook, bounds, darken, lit, three, union, warp_into

FLOOR: Final = 0
PILES: Final = 1
TRUMP: Final = 2
STOCK: Final = 3
MIDDLE: Final = 4

_CONTACT_MM: Final = 1.4


@dataclass(frozen=True, slots=True)
class Lying:
    """One thing at rest. ``layers`` are sprites from bottom to top; ``label`` only for a card that lies face up.

    ``level`` is the order of lying on top of each other (:data:`PILES` .. :data:`MIDDLE`), of one level later ones on
    top. ``height`` is what its shadow falls from where the layers do not tell. ``pose`` is that of the topmost card,
    whose outline the truth quotes.
    """

    key: str
    kind: Literal["face", "back", "object"]
    level: int
    pose: Pose
    layers: tuple[tuple[str, Pose], ...]
    label: str | None = None
    count: int = 1
    height: float = 0.0


@dataclass(frozen=True, slots=True)
class _Patch:
    """``keep`` multiplies what lies below (255 = 1), ``colour`` is added; ``bare`` is ``keep`` without the shadow."""

    box: Box
    keep: Image
    bare: Image
    colour: Image


def lying_card(key: str, label: str, pose: Pose, level: int) -> Lying:
    """A card that lies face up."""
    return Lying(key, "face", level, pose, ((f"face:{label}", pose),), label)


def lying_stack(key: str, level: int, poses: tuple[tuple[Pose, int], ...], thickness: float) -> Lying:
    """Cards face down on one another: batches of (pose, count) from bottom to top."""
    layers: list[tuple[str, Pose]] = []
    height = 0.0
    pose = poses[-1][0]
    for pose, count in poses:
        top = height + count * thickness
        steps = max(1, math.ceil((top - height) / 0.7))
        for step in range(1, steps):
            # the side of a stack shows its single sheets: a hair of sideways scatter
            sway = 0.35 * math.sin(7.3 * (height + step))
            z = height + (top - height) * step / steps
            layers.append(("edge", Pose(pose.x + sway, pose.y - sway, z, pose.yaw)))
        pose = Pose(pose.x, pose.y, top, pose.yaw)
        layers.append(("back", pose))
        height = top
    return Lying(key, "back", level, pose, tuple(layers), None, sum(count for _, count in poses))


class Stage:
    """What lies on the table, and its picture without anything that moves."""

    def __init__(
        self, camera: Camera, light: Light, book: SpriteBook, table: NDArray[np.uint8], table_scale: float
    ) -> None:
        """``table`` is the table top from above at ``table_scale`` pixels per millimetre, its middle at (0, 0)."""
        self.light = light
        self._book = book
        self._table = table
        self._table_scale = table_scale
        self._things: dict[str, Lying] = {}
        self._patches: dict[str, _Patch] = {}
        self._camera = camera
        self._bare = self._background()
        self._picture = self._bare.copy()

    @property
    def camera(self) -> Camera:
        """The view; setting it draws everything anew."""
        return self._camera

    @camera.setter
    def camera(self, camera: Camera) -> None:
        self._camera = camera
        self._bare = self._background()
        self._picture = self._bare.copy()
        for thing in self.things:
            self._patches[thing.key] = self._patch(thing)
            self._lay(self._picture, self._patches[thing.key])

    @property
    def things(self) -> list[Lying]:
        """Everything that lies there, from bottom to top."""
        return sorted(self._things.values(), key=lambda thing: thing.level)

    def thing(self, key: str) -> Lying | None:
        """The thing with a key, or None."""
        return self._things.get(key)

    @property
    def picture(self) -> Image:
        """The still picture (H, W, 3); copy before drawing on it."""
        return self._picture

    def put(self, thing: Lying) -> None:
        """Lays a thing down on top of its level, in place of one with the same key."""
        self.remove(thing.key)
        on_top = all(other.level <= thing.level for other in self._things.values())
        self._things[thing.key] = thing
        patch = self._patches[thing.key] = self._patch(thing)
        if on_top:
            self._lay(self._picture, patch)
        else:
            self._repaint(patch.box)

    def remove(self, key: str) -> None:
        """Takes a thing away; nothing happens when it is not there."""
        if self._things.pop(key, None) is not None:
            self._repaint(self._patches.pop(key).box)

    def lay_again(self, target: Image, keys: tuple[str, ...]) -> None:
        """Draws things over ``target`` once more, without their shadows: something moved in below them."""
        for key in keys:
            if key in self._patches:
                self._lay(target, self._patches[key], bare=True)

    def _background(self) -> Image:
        scale, (h, w) = self._table_scale, self._table.shape[:2]
        place = np.array([[1 / scale, 0, -w / 2 / scale], [0, 1 / scale, -h / 2 / scale], [0, 0, 1.0]])
        seen = cv2.warpPerspective(
            self._table, self._camera.homography @ place, self._camera.size, borderMode=cv2.BORDER_REFLECT_101
        )
        return lit(np.asarray(seen, np.uint8), None, self.light, (0, 0, *self._camera.size))

    @staticmethod
    def _lay(target: Image, patch: _Patch, bare: bool = False) -> None:
        x0, y0, x1, y1 = patch.box
        region = target[y0:y1, x0:x1]
        cv2.multiply(region, patch.bare if bare else patch.keep, dst=region, scale=1 / 255)
        cv2.add(region, patch.colour, dst=region)

    def _repaint(self, box: Box) -> None:
        x0, y0, x1, y1 = box
        clean = self._bare[y0:y1, x0:x1].copy()
        for thing in self.things:
            patch = self._patches[thing.key]
            a, b, c, d = patch.box
            u0, v0, u1, v1 = max(a, x0), max(b, y0), min(c, x1), min(d, y1)
            if u0 >= u1 or v0 >= v1:
                continue
            region = clean[v0 - y0 : v1 - y0, u0 - x0 : u1 - x0]
            window = (slice(v0 - b, v1 - b), slice(u0 - a, u1 - a))
            cv2.multiply(region, patch.keep[window], dst=region, scale=1 / 255)
            cv2.add(region, patch.colour[window], dst=region)
        self._picture[y0:y1, x0:x1] = clean

    def _patch(self, thing: Lying) -> _Patch:
        light, camera = self.light, self._camera
        box: Box | None = None
        for key, pose in thing.layers:
            sprite = self._book.get(key)
            box = union(box, bounds(sprite.matrix(camera, pose), sprite.image.shape, camera.size))
        key, pose = thing.layers[0]
        sprite = self._book.get(key)
        lift = thing.height or _CONTACT_MM + thing.layers[-1][1].z
        below = Pose(pose.x + light.fall[0] * lift, pose.y + light.fall[1] * lift, 0, pose.yaw)
        shadow = sprite.cast if lift > 6 else sprite.contact
        shadow_matrix = shadow.matrix(camera, below)
        box = union(box, bounds(shadow_matrix, shadow.image.shape, camera.size)) or (0, 0, 1, 1)
        shape = (box[3] - box[1], box[2] - box[0], 3)
        bare = np.full(shape, 255, np.uint8)
        colour = np.zeros(shape, np.uint8)
        local = (0, 0, shape[1], shape[0])
        for key, pose in thing.layers:
            sprite = self._book.get(key)
            warped = warp_into(sprite.image, sprite.matrix(camera, pose), box)
            alpha = np.ascontiguousarray(warped[..., 3])
            inverse = three(cv2.bitwise_not(alpha))
            if key != "edge" and pose.z > 0.5:
                soft = warp_into(sprite.contact.image, sprite.contact.matrix(camera, pose), box)
                darken(colour, local, soft, light.shadow * 0.6)
            bare = np.asarray(cv2.multiply(bare, inverse, scale=1 / 255), np.uint8)
            colour = np.asarray(cv2.multiply(colour, inverse, scale=1 / 255), np.uint8)
            shone = lit(np.ascontiguousarray(warped[..., :3]), alpha, light, box)
            colour = np.asarray(cv2.add(colour, shone), np.uint8)
        keep = bare.copy()
        darken(keep, local, warp_into(shadow.image, shadow_matrix, box), light.shadow * 0.9)
        return _Patch(box, keep, bare, colour)
