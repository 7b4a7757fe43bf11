"""Lays cards and things on a table as one camera sees it, and keeps account of what hides what.

Table coordinates are millimetres: x to the right, y towards the bottom edge of the picture (south), z up from the
table; the origin is where the camera looks. A :class:`Camera` is a pinhole over that plane. A
:class:`Canvas` is painted from the bottom up; it records for every pixel which card owns it, so the visible share of
each card is exact.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import CARD_MM
from vision.synth.hands import HandSprite, place_hand

Grid = NDArray[Any]
THICKNESS_MM: Final = 0.32
COVERED: Final = -1


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera over the table.

    ``plane`` (3, 3) maps homogeneous table millimetres at z = 0 to pixels, ``rise`` (3,) is what a millimetre of height
    adds. ``size`` is the picture's (width, height); ``px_per_mm`` the scale where it looks; ``tilt`` in degrees from
    straight above.
    """

    plane: Grid
    rise: Grid
    size: tuple[int, int]
    px_per_mm: float
    tilt: float

    @classmethod
    def look(
        cls,
        size: tuple[int, int],
        px_per_mm: float,
        tilt: float = 0.0,
        roll: float = 0.0,
        turn: float = 0.0,
        fov: float = 62.0,
        centre: tuple[float, float] = (0.5, 0.5),
    ) -> "Camera":
        """A camera that sees the origin at ``centre`` (share of the picture) at ``px_per_mm``.

        ``tilt`` leans it back towards the south by degrees; ``roll`` turns the picture; ``turn`` turns the table under
        it; ``fov`` is the horizontal field of view. Angles in degrees.
        """
        width, height = size
        focal = width / 2 / math.tan(math.radians(fov) / 2)
        distance = focal / px_per_mm
        lean, spin, yaw = math.radians(tilt), math.radians(roll), math.radians(turn)
        rotation = np.array(
            [
                [1, 0, 0],
                [0, math.cos(lean), -math.sin(lean)],
                [0, -math.sin(lean), -math.cos(lean)],
            ]
        )
        position = distance * np.array([0, math.sin(lean), math.cos(lean)])
        rolled = np.array([[math.cos(spin), -math.sin(spin), 0], [math.sin(spin), math.cos(spin), 0], [0, 0, 1]])
        rotation = rolled @ rotation
        lens = np.array([[focal, 0, width * centre[0]], [0, focal, height * centre[1]], [0, 0, 1]])
        turned = np.array([[math.cos(yaw), -math.sin(yaw), 0], [math.sin(yaw), math.cos(yaw), 0], [0, 0, 1]])
        columns = np.column_stack([rotation[:, 0], rotation[:, 1], -rotation @ position])
        return cls(lens @ columns @ turned, lens @ rotation[:, 2], size, px_per_mm, tilt)

    def at_height(self, z: float) -> Grid:
        """The homography of the plane ``z`` millimetres above the table."""
        lifted = self.plane.copy()
        lifted[:, 2] += z * self.rise
        return lifted

    def project(self, points: Grid, z: float = 0.0) -> Grid:
        """Pixels (N, 2) float64 of table points (N, 2) in millimetres."""
        flat = np.column_stack([points, np.ones(len(points))]) @ self.at_height(z).T
        return np.asarray(flat[:, :2] / flat[:, 2:])

    def unproject(self, pixels: Grid) -> Grid:
        """Table points (N, 2) in millimetres seen at pixels (N, 2); NaN at or above the horizon."""
        flat = np.column_stack([pixels, np.ones(len(pixels))]) @ np.linalg.inv(self.plane).T
        # the camera looks down: a ray that meets the table has the same sign of scale as the picture's own centre
        ahead = (flat[:, 2:] * np.sign(np.linalg.inv(self.plane)[2] @ self.plane[:, 2])) > 1e-9
        return np.where(ahead, flat[:, :2] / np.where(ahead, flat[:, 2:], 1.0), np.nan)

    def scale_at(self, point: tuple[float, float]) -> float:
        """Pixels per millimetre around a table point (geometric mean of both directions)."""
        near = self.project(np.array([point, (point[0] + 1, point[1]), (point[0], point[1] + 1)]))
        a, b = near[1] - near[0], near[2] - near[0]
        return float(math.sqrt(abs(a[0] * b[1] - a[1] * b[0])))


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a card lies: centre in table millimetres, ``angle`` in degrees clockwise in the picture (0 = upright).

    ``z`` is the height of its underside, ``lift`` how far its edges stand off (softer, farther shadow), ``curl`` the
    bend -1..1 (shading only), ``curl_axis`` 0 across, 1 along; ``off`` the print's shift on the card in millimetres.
    ``wear`` 0..1 is how dirty and creased the card is, in a way that ``wear_seed`` settles.
    """

    x: float
    y: float
    angle: float
    z: float = 0.0
    lift: float = 0.6
    curl: float = 0.0
    curl_axis: int = 0
    off: tuple[float, float] = (0.0, 0.0)
    card_mm: tuple[float, float] = CARD_MM
    wear: float = 0.0
    wear_seed: int = 0

    def corners(self) -> Grid:
        """Corners (4, 2) in millimetres: top left, top right, bottom right, bottom left of the upright card."""
        w, h = self.card_mm[0] / 2, self.card_mm[1] / 2
        turn = math.radians(self.angle)
        cos, sin = math.cos(turn), math.sin(turn)
        box = np.array([(-w, -h), (w, -h), (w, h), (-w, h)])
        return np.asarray(box @ np.array([[cos, sin], [-sin, cos]]) + (self.x, self.y))


@dataclass(frozen=True, slots=True)
class Light:
    """The main lamp: ``fall`` is the shadow's run in table mm per mm of height, ``dark`` its depth 0..1."""

    fall: tuple[float, float] = (0.6, 0.5)
    dark: float = 0.45
    soft: float = 0.5


@dataclass(frozen=True, slots=True)
class Laid:
    """A card that was laid: ``quad`` (4, 2) float32 pixels in the order of :meth:`Placement.corners`."""

    number: int
    quad: NDArray[np.float32]


class Canvas:
    """A picture in the making. ``image`` is (H, W, 3) float32 BGR, ``owner`` (H, W) int16: card number or COVERED."""

    def __init__(self, background: NDArray[np.uint8], camera: Camera, light: Light) -> None:
        self.image: NDArray[np.float32] = background.astype(np.float32)
        self.owner: NDArray[np.int16] = np.full(background.shape[:2], COVERED, np.int16)
        self.camera = camera
        self.light = light
        self.laid: list[Laid] = []

    def _block(self, points: Grid, margin: float) -> tuple[int, int, int, int]:
        """The part x0, y0, x1, y1 of the picture around points, grown by a margin; may be empty."""
        h, w = self.owner.shape[:2]
        low, high = np.floor(points.min(0) - margin), np.ceil(points.max(0) + margin)
        x0, y0 = np.clip(low, 0, (w, h)).astype(int)
        x1, y1 = np.clip(high + 1, 0, (w, h)).astype(int)
        return int(x0), int(y0), int(x1), int(y1)

    def _polygon(self, quad: Grid, box: tuple[int, int, int, int]) -> NDArray[np.float32]:
        """Cover 0..1 of a quad on a block of the picture."""
        x0, y0, x1, y1 = box
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        cv2.fillConvexPoly(mask, np.round((quad - (x0, y0)) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        return mask.astype(np.float32) * (1 / 255)

    def _shadow(self, mask: NDArray[np.float32], sigma: float, dark: float, box: tuple[int, int, int, int]) -> None:
        x0, y0, x1, y1 = box
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.6, sigma))
        self.image[y0:y1, x0:x1] *= (1 - dark * soft)[..., None]

    def lay_card(self, face: NDArray[np.uint8], place: Placement, *, tint: Grid | None = None) -> Laid:
        """Lays a card picture (BGRA, straight alpha, upright) on top of everything so far.

        ``tint`` (3,) multiplies its colours (yellowed paper). Returns the card with its exact corners, which may lie
        outside the picture.
        """
        camera, light = self.camera, self.light
        quad = camera.project(place.corners(), place.z + THICKNESS_MM)
        number = len(self.laid)
        laid = Laid(number, quad.astype(np.float32))
        self.laid.append(laid)
        scale = camera.scale_at((place.x, place.y))
        lift = place.lift + 3.0 * abs(place.curl)
        reach = (
            (abs(light.fall[0]) + abs(light.fall[1])) * (lift + THICKNESS_MM) * scale
            + 4 * light.soft * lift * scale
            + 3
        )
        box = self._block(quad, reach)
        x0, y0, x1, y1 = box
        if x0 >= x1 or y0 >= y1:
            return laid
        thrown = place.corners() + np.array(light.fall) * (lift + THICKNESS_MM)
        shade = self._polygon(camera.project(thrown, max(place.z - lift, 0.0)), box)
        self._shadow(shade, light.soft * lift * scale * 0.7 + 0.5, light.dark, box)
        if scale * THICKNESS_MM > 0.35:
            side = self._polygon(camera.project(place.corners(), place.z), box)[..., None]
            region = self.image[y0:y1, x0:x1]
            region += (np.array((172, 184, 190), np.float32) * (0.9 if tint is None else tint) - region) * side
        colour, alpha = self._print(face, place, quad, box, tint)
        region = self.image[y0:y1, x0:x1]
        region += (colour - region) * alpha[..., None]
        self.owner[y0:y1, x0:x1][alpha > 0.5] = number
        return laid

    def _print(
        self, face: NDArray[np.uint8], place: Placement, quad: Grid, box: tuple[int, int, int, int], tint: Grid | None
    ) -> tuple[Grid, Grid]:
        """The card as the camera sees it on a block of the picture: colour (h, w, 3) and alpha 0..1, float32."""
        x0, y0, x1, y1 = box
        tall = max(float(np.linalg.norm(quad[3] - quad[0])), float(np.linalg.norm(quad[2] - quad[1])), 4.0)
        shrink = 1.15 * tall / face.shape[0]
        if shrink < 0.8:
            width, height = max(3, round(face.shape[1] * shrink)), max(4, round(face.shape[0] * shrink))
            face = np.asarray(cv2.resize(face, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        height, width = face.shape[:2]
        shaded = face[..., :3].astype(np.float32)
        if tint is not None:
            shaded *= tint.astype(np.float32)
        if place.curl:
            span = height if place.curl_axis else width
            along = np.linspace(-1, 1, span, dtype=np.float32)
            bend = 1 + place.curl * (0.26 * along - 0.10 * along * along)
            shaded *= bend[:, None, None] if place.curl_axis else bend[None, :, None]
        if place.wear > 0:
            shaded *= _wear(place, width, height)
        pixels = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
        to_block = cv2.getPerspectiveTransform(pixels, (quad - (x0, y0)).astype(np.float32))
        out = (x1 - x0, y1 - y0)
        alpha = cv2.warpPerspective(np.ascontiguousarray(face[..., 3]), to_block, out, flags=cv2.INTER_LINEAR)
        if place.off != (0.0, 0.0):
            dx, dy = place.off[0] * width / place.card_mm[0], place.off[1] * height / place.card_mm[1]
            to_block = to_block @ np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1.0]])
        colour = cv2.warpPerspective(shaded, to_block, out, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return colour, alpha.astype(np.float32) * (1 / 255)

    def lay_stack(
        self,
        rng: np.random.Generator,
        top: NDArray[np.uint8],
        place: Placement,
        count: int,
        *,
        jitter: float = 0.5,
        tint: Grid | None = None,
    ) -> Laid:
        """Lays a pile of ``count`` cards of which only the top one is a card of its own; returns that one."""
        camera, light = self.camera, self.light
        high = count * THICKNESS_MM
        scale = camera.scale_at((place.x, place.y))
        base = place.corners()
        fall = np.array(light.fall)
        far = camera.project(np.vstack([base, base + fall * high]), place.z)
        box = self._block(far, 3 * light.soft * high * scale + 4)
        x0, y0, x1, y1 = box
        if x0 < x1 and y0 < y1:
            hull = cv2.convexHull(far.astype(np.float32))[:, 0]
            self._shadow(self._polygon(hull, box), light.soft * high * scale * 0.5 + 0.6, light.dark, box)
            layers = int(min(count, max(3, high * scale * 1.2)))
            for layer in range(layers):
                moved = base + rng.normal(0, jitter, 2)
                mask = self._polygon(camera.project(moved, place.z + high * layer / layers), box)[..., None]
                tone = np.array((168, 182, 190), np.float32) * rng.uniform(0.62, 1.05)
                region = self.image[y0:y1, x0:x1]
                region += (tone - region) * mask
                self.owner[y0:y1, x0:x1][mask[..., 0] > 0.5] = COVERED
        return self.lay_card(top, replace(place, z=place.z + high), tint=tint)

    def lay_sprite(
        self,
        sprite: NDArray[np.uint8],
        sprite_px_per_mm: float,
        at: tuple[float, float],
        angle: float,
        *,
        height_mm: float = 4.0,
        z: float = 0.0,
    ) -> None:
        """Lays a flat or low thing (BGRA) with its centre on a table point; its shadow falls as from ``height_mm``."""
        h, w = sprite.shape[:2]
        turn = math.radians(angle)
        k = 1 / sprite_px_per_mm
        cos, sin = math.cos(turn) * k, math.sin(turn) * k
        to_table = np.array(
            [
                [cos, -sin, at[0] - cos * w / 2 + sin * h / 2],
                [sin, cos, at[1] - sin * w / 2 - cos * h / 2],
                [0, 0, 1],
            ]
        )
        corners = np.array([(0, 0, 1), (w, 0, 1), (w, h, 1), (0, h, 1)]) @ to_table.T
        quad = self.camera.project(corners[:, :2], z)
        scale = self.camera.scale_at(at)
        reach = (abs(self.light.fall[0]) + abs(self.light.fall[1]) + 2 * self.light.soft) * height_mm * scale + 3
        box = self._block(quad, reach)
        x0, y0, x1, y1 = box
        if x0 >= x1 or y0 >= y1 or not np.isfinite(quad).all():
            return
        shrink = 1.15 * scale / sprite_px_per_mm
        if shrink < 0.8:
            small = cv2.resize(
                sprite, (max(2, round(w * shrink)), max(2, round(h * shrink))), interpolation=cv2.INTER_AREA
            )
            to_table = to_table @ np.diag([w / small.shape[1], h / small.shape[0], 1.0])
            sprite = np.asarray(small, np.uint8)
        shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
        matrix = shift @ self.camera.at_height(z) @ to_table
        warped = cv2.warpPerspective(sprite, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        alpha = warped[..., 3].astype(np.float32) * (1 / 255)
        foot = self.camera.project(
            np.array([at, (at[0] + self.light.fall[0] * height_mm, at[1] + self.light.fall[1] * height_mm)])
        )
        move = np.array([[1, 0, foot[1, 0] - foot[0, 0]], [0, 1, foot[1, 1] - foot[0, 1]]])
        thrown = cv2.warpAffine(alpha, move, (x1 - x0, y1 - y0))
        self._shadow(
            np.asarray(thrown, np.float32), self.light.soft * height_mm * scale * 0.5 + 0.5, self.light.dark, box
        )
        region = self.image[y0:y1, x0:x1]
        region += (warped[..., :3].astype(np.float32) - region) * alpha[..., None]
        self.owner[y0:y1, x0:x1][alpha > 0.5] = COVERED

    def lay_hand(
        self, sprite: HandSprite, at: tuple[float, float], towards: tuple[float, float], *, lift_mm: float = 18.0
    ) -> None:
        """Lays a hand over everything, its grip on a table point, fingers along a direction of the table."""
        pixels = self.camera.project(np.array([at, (at[0] + towards[0], at[1] + towards[1])]))
        direction = tuple(float(v) for v in pixels[1] - pixels[0])
        cover = place_hand(
            self.image,
            sprite,
            (float(pixels[0, 0]), float(pixels[0, 1])),
            (direction[0], direction[1]),
            self.camera.scale_at(at) * 1.04,
            shadow=self.light.dark * 0.9,
            light=self.light.fall,
            lift_mm=lift_mm,
        )
        self.owner[cover > 0.5] = COVERED

    def visible(self) -> NDArray[np.float64]:
        """The visible share 0..1 of every card laid, of its whole area, what lies outside the picture included."""
        count = len(self.laid)
        owned = np.bincount(self.owner[self.owner >= 0].ravel(), minlength=count)[:count]
        areas = np.array([max(1.0, float(cv2.contourArea(card.quad))) for card in self.laid])
        # rounded corners take about 0.25 % of a card; a share is never above one
        return np.minimum(owned / areas, 1.0) if count else np.zeros(0)


def _wear(place: Placement, width: int, height: int) -> NDArray[np.float32]:
    """The tone (height, width, 3) of dirt, dark rims and a crease on a card picture."""
    rng = np.random.default_rng((place.wear_seed, 4404))
    stains = cv2.resize(rng.standard_normal((7, 5), dtype=np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    x = np.abs(np.linspace(-1, 1, width, dtype=np.float32))[None, :]
    y = np.abs(np.linspace(-1, 1, height, dtype=np.float32))[:, None]
    rim = np.maximum(x, y) ** rng.integers(8, 24)
    tone = 1 - place.wear * (0.10 * np.clip(stains, 0, 2) + 0.28 * rim)
    if rng.random() < 0.35 * place.wear:
        crease = np.zeros((height, width), np.float32)
        ends = rng.uniform(0, 1, (2, 2)) * (width, height)
        start, end = (int(ends[0, 0]), int(ends[0, 1])), (int(ends[1, 0]), int(ends[1, 1]))
        cv2.line(crease, start, end, 1.0, max(1, round(height / 180)), cv2.LINE_AA)
        tone += float(rng.choice([-0.4, 0.35])) * place.wear * crease
    dirt = np.array((0.9, 1.0, 1.06), np.float32)  # grime takes the blue first
    return np.asarray(1 - (1 - tone)[..., None] * (2 - dirt), np.float32)
