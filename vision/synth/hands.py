"""Hands and forearms seen from above, drawn from a skeleton of tapered capsules.

A hand is a height field: each bone is a capsule with a radius at both ends, its upper surface is a half ellipse, and
the highest surface wins. Normals and hollows of that field give the shading, so fingers look round and curled ones fold
under. Sizes are those of grown-up hands in millimetres, so that a hand stands in a right proportion to a card.

A sprite always has its forearm coming in from the bottom edge and its fingers towards the top, :data:`UP`.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.hand_dress import ARM_MM, sleeve
from vision.synth.hand_relief import Relief, blob, lit, mottle

Pose = Literal["holding", "pointing", "flat", "gathering", "resting"]

POSES: Final[tuple[Pose, ...]] = get_args(Pose)

UP: Final = (0.0, -1.0)

_HALF_WIDTH_MM: Final = 92.0

_REACH_MM: Final = 205.0


# BGR, pale to dark; skin reflects more red the thinner it is, so the shading below shifts the hue as well
_SKINS: Final = (
    (178, 196, 232), (160, 182, 224), (142, 168, 214), (128, 154, 204), (112, 140, 192),
    (98, 126, 178), (82, 108, 158), (66, 90, 136), (54, 74, 114), (44, 60, 92),
)  # fmt: skip


# Per finger: knuckle (x, y) from the wrist, azimuth at rest in degrees (0 = straight on, positive = to the right),
# bone lengths and the radius of the knuckle, all in millimetres; a right hand, seen from its back
_FINGERS: Final = (
    ((-25.0, 86.0), -6.0, (43.0, 25.0, 20.0), 9.6),
    ((-5.0, 91.0), -1.0, (47.0, 29.0, 21.0), 9.9),
    ((14.5, 86.0), 5.0, (43.0, 27.0, 21.0), 9.3),
    ((31.5, 75.0), 13.0, (34.0, 20.0, 18.0), 8.0),
)


# Flexion of the three joints of each finger in degrees, and the azimuth factor (spread), per pose
_FLEXION: Final[dict[str, tuple[tuple[float, float, float], ...]]] = {
    "holding": ((26, 26, 12), (30, 30, 16), (40, 46, 26), (48, 56, 30)),
    "pointing": ((8, 10, 6), (62, 88, 50), (66, 92, 50), (66, 88, 50)),
    "flat": ((3, 4, 3), (3, 4, 3), (3, 5, 3), (4, 6, 4)),
    "gathering": ((24, 34, 22), (24, 36, 22), (26, 36, 22), (30, 36, 22)),
    "resting": ((30, 46, 28), (36, 52, 30), (40, 56, 32), (44, 56, 32)),
}

_SPREAD: Final = {"holding": 0.7, "pointing": 0.8, "flat": 1.5, "gathering": 0.35, "resting": 0.8}


# Thumb: azimuths of its three bones in degrees and their drop
_THUMB: Final[dict[str, tuple[tuple[float, float, float], float]]] = {
    "holding": ((-38, -8, 12), 18.0),
    "pointing": ((-34, 4, 30), 22.0),
    "flat": ((-48, -34, -28), 8.0),
    "gathering": ((-46, -22, -8), 14.0),
    "resting": ((-38, -6, 10), 20.0),
}


@dataclass(frozen=True, slots=True)
class HandSprite:
    """A hand with its forearm, cut out.

    ``image`` is BGRA uint8 with straight alpha. ``grip`` is the (x, y) pixel where a held card's middle edge sits (a
    finger tip for ``pointing``, the hollow under the fingers for ``gathering``). ``direction`` is the unit vector from
    forearm to fingers in the sprite, always :data:`UP`. ``px_per_mm`` is the sprite's own scale. The forearm reaches
    the bottom edge of the sprite.
    """

    image: NDArray[np.uint8]
    grip: tuple[float, float]
    direction: tuple[float, float]
    px_per_mm: float
    pose: Pose


@dataclass(frozen=True, slots=True)
class _Tip:
    """The end of a finger: place in hand millimetres, azimuth in radians, radius, how far its nail faces up, height."""

    at: tuple[float, float]
    azimuth: float
    radius: float
    facing: float
    z: float


@lru_cache(maxsize=96)
def hand(seed: int, pose: Pose = "holding", px_per_mm: float = 2.0) -> HandSprite:
    """A hand with forearm in one of :data:`POSES`; the same arguments always give the same pixels (read-only).

    Skin, sleeve, side (left or right), ring, watch and nails come from ``seed`` and do not change with the pose, so
    that one player keeps one hand. ``px_per_mm`` between 0.5 and 6. Raises ValueError on an unknown pose.
    """
    if pose not in POSES:
        raise ValueError(f"there is no hand pose {pose!r}; the poses are {', '.join(POSES)}")
    rng = np.random.default_rng((seed, 7001))
    size = float(rng.uniform(0.88, 1.08))
    width = round(2 * _HALF_WIDTH_MM * px_per_mm)
    height = round((_REACH_MM + ARM_MM) * px_per_mm)
    origin = (width / 2, _REACH_MM * px_per_mm)
    skin = np.array(_SKINS[int(rng.integers(len(_SKINS)))], np.float32) * rng.uniform(0.94, 1.06, 3).astype(np.float32)
    left = bool(rng.random() < 0.3)
    look = np.random.default_rng((seed, POSES.index(pose), 7002))
    light = (float(rng.uniform(-0.35, 0.35)), float(rng.uniform(-0.45, 0.1)))
    turn = math.radians(float(look.uniform(-12, 12)))
    cos, sin = math.cos(turn), math.sin(turn)

    def at(x: float, y: float) -> tuple[float, float]:
        x, y = x * size, y * size
        return x * cos + y * sin, -x * sin + y * cos

    relief = Relief(width, height, px_per_mm, origin)
    girth = float(rng.uniform(0.9, 1.16)) * size
    relief.capsule((0, -8), (0, -ARM_MM - 60), 25 * girth, 45 * girth, 2, 0, 0.75)
    relief.capsule(at(0, 6), (0, -60), 24 * girth, 29 * girth, 4, 2, 0.72)
    tips: list[_Tip] = []
    joints: list[tuple[tuple[float, float], float]] = []
    for (kx, ky), _, _, radius in _FINGERS:
        radius *= size * (0.5 + 0.5 * girth / size)
        relief.capsule(at(kx * 0.5, 14), at(kx, ky), 15 * size, radius * 1.18, 12, 20, 0.62)
        relief.capsule(at(kx * 0.75, ky * 0.45), at(kx * 0.96, ky * 0.9), 17 * size, radius * 1.3, 11, 15, 0.6)
        joints.append((at(kx, ky), radius))
    for index, ((kx, ky), rest, lengths, radius) in enumerate(_FINGERS):
        radius *= size * (0.5 + 0.5 * girth / size)
        azimuth = math.radians(rest * _SPREAD[pose] + float(look.uniform(-3, 3))) + turn
        point, z = at(kx, ky), 17.5
        pitch = -8.0
        radii = (radius * 1.1, radius, radius * 0.9, radius * 0.74)
        for bone, (flexion, length) in enumerate(zip(_FLEXION[pose][index], lengths, strict=True)):
            pitch += flexion + float(look.uniform(-4, 4)) * (0.3 if pose == "flat" else 1.0)
            run = length * size * math.cos(math.radians(pitch))
            following = (point[0] + run * math.sin(azimuth), point[1] + run * math.cos(azimuth))
            z_next = max(z - length * size * math.sin(math.radians(pitch)), -8.0)
            relief.capsule(point, following, radii[bone], radii[bone + 1], z, z_next, 0.95)
            if bone < 2:
                joints.append((following, radii[bone + 1]))
            point, z = following, z_next
        facing = math.cos(math.radians(pitch))
        tips.append(_Tip(point, azimuth, radii[3], facing, z))
    azimuths, drop = _THUMB[pose]
    point, z = at(-16, 16), 14.0
    for bone, (degrees, length, ra, rb) in enumerate(
        zip(azimuths, (46.0, 33.0, 27.0), (16.0, 11.5, 10.2), (11.6, 10.2, 8.2), strict=True)
    ):
        azimuth = math.radians(degrees + float(look.uniform(-5, 5))) + turn
        following = (point[0] + length * size * math.sin(azimuth), point[1] + length * size * math.cos(azimuth))
        relief.capsule(point, following, ra * size, rb * size, z, z - drop * (0.2 + 0.3 * bone), 0.85)
        point, z = following, z - drop * (0.2 + 0.3 * bone)
        if bone == 1:
            joints.append((point, rb * size))
    tips.append(_Tip(point, azimuth, 8.2 * size, 0.95, z))

    colour, alpha = _skin(relief, rng, skin, light, tips, joints)
    sleeve(relief, rng, girth, light, colour, alpha)
    image = np.dstack([np.clip(colour, 0, 255), np.clip(alpha, 0, 1) * 255]).astype(np.uint8)
    grip = relief.pixel(*_grip(pose, tips))
    if left:
        image = np.ascontiguousarray(image[:, ::-1])
        grip = (width - 1 - grip[0], grip[1])
    image.setflags(write=False)
    return HandSprite(image, grip, UP, px_per_mm, pose)


def _grip(pose: Pose, tips: list[_Tip]) -> tuple[float, float]:
    """The point in hand millimetres where the pose touches what it handles."""
    index, middle, ring, thumb = tips[0].at, tips[1].at, tips[2].at, tips[4].at
    if pose == "pointing":
        return index
    if pose == "holding":
        return (index[0] + middle[0]) / 2, (index[1] + middle[1]) / 2 - 6.0
    if pose == "gathering":
        return (index[0] + ring[0]) / 2, (middle[1] + thumb[1]) / 2
    return (index[0] + ring[0]) / 2, middle[1] - 35.0


def _skin(
    relief: Relief,
    rng: np.random.Generator,
    skin: NDArray[Any],
    light: tuple[float, float],
    tips: list[_Tip],
    joints: list[tuple[tuple[float, float], float]],
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Colour (H, W, 3) float and alpha (H, W) of the bare hand: shading, redness at the joints, creases, nails."""
    s = relief.scale
    diffuse, hollow, alpha = lit(relief, light, 1.5)
    shape = diffuse.shape
    shade = np.clip(0.40 + 0.66 * diffuse - 0.75 * hollow, 0.15, 1.15)
    shade *= 1 + 0.018 * mottle(rng, shape, 9 * s) + 0.010 * mottle(rng, shape, 1.3 * s)
    flush = 0.05 * mottle(rng, shape, 22 * s)
    for (x, y), radius in joints:
        blob(flush, relief.pixel(x, y), radius * 1.1 * s, 0.13)
    for tip in tips:
        blob(flush, relief.pixel(*tip.at), tip.radius * 1.4 * s, 0.22)
    colour = np.empty((*shape, 3), np.float32)
    # light that leaves the skin again is red: shadows keep red longest
    for channel, (power, redness) in enumerate(((1.20, -0.55), (1.04, -0.35), (0.74, 0.12))):
        colour[..., channel] = skin[channel] * np.power(shade, power) * (1 + redness * flush)
    creases = np.zeros(shape, np.float32)
    for (x, y), radius in joints[4:]:
        px, py = relief.pixel(x, y)
        for offset in (-1.6, 0.2, 2.0):
            centre = (round(px), round(py + offset * s))
            axes = (max(1, round(radius * 0.55 * s)), max(1, round(1.1 * s)))
            cv2.ellipse(creases, centre, axes, 0, 200, 340, 1.0, max(1, round(0.35 * s)), cv2.LINE_AA)
    soft = cv2.GaussianBlur(creases, (0, 0), 0.45 * s)
    colour *= (1 - 0.16 * soft)[..., None]
    polish: NDArray[Any] | None = None
    if rng.random() < 0.12:
        polish = np.array([(60, 30, 170), (90, 60, 190), (40, 20, 90)][int(rng.integers(3))], np.float32)
    for tip in tips:
        x, y = relief.pixel(*tip.at)
        row, column = int(np.clip(y, 0, shape[0] - 1)), int(np.clip(x, 0, shape[1] - 1))
        if tip.facing > 0.45 and relief.height[row, column] < tip.z + tip.radius * 1.3:
            _nail(colour, (x, y), tip.azimuth, tip.radius * s, tip.facing, skin, polish)
    return colour, alpha.astype(np.float32)


def _nail(
    colour: NDArray[Any],
    tip: tuple[float, float],
    azimuth: float,
    radius: float,
    facing: float,
    skin: NDArray[Any],
    polish: NDArray[Any] | None,
) -> None:
    """Paints a finger nail just short of the tip, foreshortened by how far the tip bends away."""
    mask = np.zeros(colour.shape[:2], np.float32)
    back = radius * 0.05
    centre = (round((tip[0] - back * math.sin(azimuth)) * 8), round((tip[1] + back * math.cos(azimuth)) * 8))
    axes = (max(8, round(radius * 0.60 * 8)), max(8, round(radius * 0.86 * facing * 8)))
    cv2.ellipse(mask, centre, axes, math.degrees(azimuth), 0, 360, 1.0, -1, cv2.LINE_AA, 3)
    x, y, r = round(tip[0]), round(tip[1]), int(radius * 2.2) + 2
    ys, xs = slice(max(0, y - r), y + r), slice(max(0, x - r), x + r)
    block = cv2.GaussianBlur(mask[ys, xs], (0, 0), max(0.3, radius * 0.06))[..., None]
    if block.size == 0:
        return
    tone = polish if polish is not None else skin * 0.72 + np.array((62, 62, 74), np.float32)
    shine = np.zeros(block.shape[:2], np.float32)
    glint = (tip[0] - xs.start - radius * 0.15, tip[1] - ys.start)
    blob(shine, glint, radius * 0.35, 30.0 if polish is None else 70.0)
    under = colour[ys, xs]
    painted = under / np.maximum(skin, 1) * tone
    colour[ys, xs] = under * (1 - 0.75 * block) + (painted + shine[..., None]) * 0.75 * block


def place_hand(
    image: NDArray[Any],
    sprite: HandSprite,
    at: tuple[float, float],
    direction: tuple[float, float],
    px_per_mm: float,
    *,
    shadow: float = 0.4,
    light: tuple[float, float] = (0.5, 0.6),
    lift_mm: float = 18.0,
) -> NDArray[np.float32]:
    """Draws a hand into a BGR picture (uint8, or float32 0..255) in place.

    Its grip comes to lie on pixel ``at``, its fingers point along ``direction``.

    ``px_per_mm`` is the picture's scale there; ``light`` is the direction the shadow falls to, in picture pixels per
    pixel of lift; ``shadow`` its darkness 0..1. Returns the hand's cover of the picture, (H, W) float32 0..1.
    """
    ratio = px_per_mm / sprite.px_per_mm
    norm = math.hypot(*direction) or 1.0
    ux, uy = direction[0] / norm, direction[1] / norm
    # sprite "up" (0, -1) goes to (ux, uy); sprite "right" (1, 0) to (-uy, ux)
    matrix = np.array([[-uy * ratio, -ux * ratio, 0.0], [ux * ratio, -uy * ratio, 0.0]])
    matrix[:, 2] = np.array(at) - matrix[:, :2] @ np.array(sprite.grip)
    h, w = image.shape[:2]
    source: NDArray[Any] = sprite.image
    elbow = matrix[:, :2] @ np.array((source.shape[1] / 2, source.shape[0])) + matrix[:, 2]
    if 0 < elbow[0] < w and 0 < elbow[1] < h:
        # the arm would end in the picture: it goes on as the mirror image of itself
        source = np.vstack([source, source[: source.shape[0] // 2 : -1]])
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (source.shape[1], source.shape[0])
    reached = corners @ matrix[:, :2].T + matrix[:, 2]
    margin = lift_mm * px_per_mm * 2
    x0, y0 = np.maximum(0, np.floor(reached.min(0) - margin)).astype(int)
    x1, y1 = np.minimum((w, h), np.ceil(reached.max(0) + margin)).astype(int)
    cover = np.zeros((h, w), np.float32)
    if x0 >= x1 or y0 >= y1:
        return cover
    if ratio < 0.6:
        # shrink first: a warp alone would skip pixels
        small = cv2.resize(source, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
        matrix[:, :2] = matrix[:, :2] @ np.diag((source.shape[1] / small.shape[1], source.shape[0] / small.shape[0]))
        source = small
    matrix[:, 2] -= (x0, y0)
    warped = cv2.warpAffine(source, matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    alpha = warped[..., 3:].astype(np.float32) / 255
    region: NDArray[Any] = image[y0:y1, x0:x1].astype(np.float32)
    if shadow > 0:
        reach = lift_mm * px_per_mm
        move = np.array([[1, 0, light[0] * reach], [0, 1, light[1] * reach]])
        soft = cv2.warpAffine(alpha[..., 0], move, (alpha.shape[1], alpha.shape[0]))
        soft = cv2.GaussianBlur(soft, (0, 0), max(0.7, 0.35 * reach))
        region *= (1 - shadow * soft)[..., None]
    region = region * (1 - alpha) + warped[..., :3] * alpha
    image[y0:y1, x0:x1] = np.clip(region, 0, 255).astype(image.dtype)
    cover[y0:y1, x0:x1] = alpha[..., 0]
    return cover
