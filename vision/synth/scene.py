"""Still pictures of card tables with exact truth: what a webcam over a game of brisca sees, and a good deal beside it.

``still(seed, decks)`` draws one of several layouts (a game in course, scattered cards, rows, fans, heaps, close-ups,
bare tables; the trump under the stock only where it is asked for) with one or two of the given decks, under a random
camera, light and lens. By convention scene seeds from 900,000 on are held out: they draw other tables, hands and things
than the training seeds.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import CARD_MM
from vision.synth import textures
from vision.synth.compose import Camera, Canvas, Light
from vision.synth.decks import DeckArt
from vision.synth.effects import ROUGH, CameraLevel, photograph
from vision.synth.layouts import LAYS, Rng, Table

MIN_VISIBLE: Final = 0.2
"""Cards of which less is seen carry no label."""

HELD_OUT: Final = 900_000


@dataclass(frozen=True, slots=True)
class SceneCard:
    """One card of a picture: ``label`` (None for a back), ``quad`` (4, 2) float32 pixels, ``visible`` share 0..1.

    The quad is the whole card, hidden parts included, from its top left corner on; it may reach out of the picture.
    """

    label: str | None
    quad: NDArray[np.float32]
    visible: float


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture (BGR uint8) and the cards in it of which at least :data:`MIN_VISIBLE` is seen, bottom up.

    ``layout`` is the name of its layout, ``decks`` the names of the decks used, ``unit`` the usual height of a card in
    pixels.
    """

    image: NDArray[np.uint8]
    cards: tuple[SceneCard, ...]
    layout: str
    decks: tuple[str, ...]
    unit: float


LAYOUTS: Final = tuple(LAYS)
"""Names of the layouts that :func:`still` draws."""


def _backdrop(rng: Rng, camera: Camera, pictures: Sequence[Path], held_out: bool) -> NDArray[np.uint8]:
    """The bare table as the camera sees it, with the room behind its far edge where the view is slanting."""
    w, h = camera.size
    edge = -float(rng.uniform(260, 700)) if camera.tilt > 18 and rng.random() < 0.4 else -1e9
    rim = np.array([(0, 0), (w, 0), (w, h), (0, h), (w / 2, 0)], np.float64)
    seen = camera.unproject(rim)
    seen = np.clip(np.nan_to_num(seen, nan=-3000.0), -3000, 3000)
    low, high = seen.min(0), seen.max(0)
    low[1] = max(low[1], edge, -2200)
    span = np.maximum(high - low, 50)
    mm = min(camera.px_per_mm * 1.1, math.sqrt(1.7 * w * h / float(span[0] * span[1])))
    size = (max(16, round(float(span[0]) * mm)), max(16, round(float(span[1]) * mm)))
    if pictures and rng.random() < 0.35:
        flat = textures.folder_table(pictures, int(rng.integers(100_000)), size)
    else:
        flat = textures.table(int(rng.integers(100_000)) + (HELD_OUT if held_out else 0), size, mm)
    to_table = np.array([[1 / mm, 0, low[0]], [0, 1 / mm, low[1]], [0, 0, 1]])
    homography = camera.plane @ to_table
    image = cv2.warpPerspective(flat, homography, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    if edge < -1e8:
        return np.asarray(image, np.uint8)
    far = camera.project(np.array([(-3000.0, edge), (3000.0, edge)]))
    if max(far[0, 1], far[1, 1]) < 2:
        return np.asarray(image, np.uint8)
    blot = rng.uniform(10, 170, (5, 8, 1)) + rng.uniform(-18, 18, (5, 8, 3)) + rng.uniform(-15, 15, 3)
    room = cv2.resize(blot.astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC)
    mask = np.zeros((h, w), np.uint8)
    outline = np.array([far[0], far[1], (far[1, 0], -10), (far[0, 0], -10)])
    cv2.fillPoly(mask, [np.round(np.clip(outline, -30000, 30000) * 4).astype(np.int32)], 255, cv2.LINE_AA, 2)
    share = (mask.astype(np.float32) / 255)[..., None]
    return np.clip(image * (1 - share) + room * share, 0, 255).astype(np.uint8)


def _cameras(rng: Rng, size: tuple[int, int], card_share: tuple[float, float]) -> tuple[Camera, Camera]:
    """The camera over the game, and the same one over a table that is not turned under it."""
    low, high = card_share
    tall = size[0] * math.exp(rng.uniform(math.log(low), math.log(high)))
    if size[1] > size[0]:
        tall *= size[1] / size[0] * 0.75
    tall = min(tall, 0.93 * min(size))
    view = rng.random()
    tilt = abs(float(rng.normal(0, 5))) if view < 0.45 else float(rng.uniform(5, 46))
    turn = float(rng.normal(0, 5)) if rng.random() < 0.7 else float(rng.choice([90, 180, 270]) + rng.normal(0, 12))
    roll, fov = float(rng.normal(0, 2.5)), float(rng.uniform(48, 80))
    centre = (0.5 + float(rng.normal(0, 0.05)), 0.5 + float(rng.normal(0, 0.05)) + tilt / 700)
    scale = tall / CARD_MM[1]
    return (
        Camera.look(size, scale, tilt, roll, turn, fov, centre),
        Camera.look(size, scale, tilt, roll, 0.0, fov, centre),
    )


def _tint(rng: Rng) -> NDArray[np.float32]:
    """The colour of a deck's paper, new to well-thumbed."""
    if rng.random() < 0.45:
        return np.ones(3, np.float32)
    age = float(rng.uniform(0, 1))
    return np.array((1 - 0.22 * age, 1 - 0.09 * age, 1 - 0.04 * age), np.float32) * np.float32(rng.uniform(0.9, 1.0))


def still(
    seed: int,
    decks: Sequence[DeckArt],
    size: tuple[int, int] = (1280, 720),
    *,
    pictures: Sequence[Path] = (),
    layout: str | None = None,
    level: CameraLevel = ROUGH,
    held_out: bool | None = None,
) -> Scene:
    """One picture of a table of ``size`` (width, height); the same arguments give the same pixels and truth.

    ``decks`` to choose from (at least one), ``pictures`` of table tops beside the drawn ones, ``layout`` one of
    :data:`LAYOUTS` (default: by the seed), ``level`` how hard light and camera are, ``held_out`` whether tables, hands
    and things are those kept for tests (default: for seeds from :data:`HELD_OUT` on). Raises ValueError where there is
    no deck or no such layout.
    """
    if not decks:
        raise ValueError("a scene needs at least one deck")
    if layout is not None and layout not in LAYS:
        raise ValueError(f"there is no layout {layout!r}; choose one of {', '.join(LAYS)}")
    rng = np.random.default_rng((seed, 9001))
    weights = np.array([weight for _, weight, _ in LAYS.values()])
    drawn = LAYOUTS[int(rng.choice(len(LAYOUTS), p=weights / weights.sum()))]
    name = layout or drawn
    lay, _, share = LAYS[name]
    chosen = [decks[int(rng.integers(len(decks)))]]
    if rng.random() < 0.12:
        chosen.append(decks[int(rng.integers(len(decks)))])
    held_out = seed >= HELD_OUT if held_out is None else held_out
    camera, straight = _cameras(rng, size, share)
    background = _backdrop(rng, straight, pictures, held_out)
    angle, steep = rng.uniform(0, 2 * math.pi), rng.uniform(0.1, 1.3)
    light = Light(
        (float(steep * math.cos(angle)), float(steep * math.sin(angle))),
        float(rng.uniform(0.2, 0.62)),
        float(rng.uniform(0.15, 0.9)),
    )
    table = Table(
        rng,
        Canvas(background, camera, light),
        chosen,
        [_tint(rng) for _ in chosen],
        1000 if held_out else 0,
        float(rng.uniform(0, 1)) ** 1.5,
        float(rng.uniform(0, 1)) if rng.random() < 0.4 else 0.0,
    )
    lay(table)
    visible = table.canvas.visible()
    unit = camera.px_per_mm * CARD_MM[1]
    image = photograph(rng, table.canvas.image, unit, level)
    cards = tuple(
        SceneCard(label, laid.quad, round(float(seen), 4))
        for label, laid, seen in zip(table.labels, table.canvas.laid, visible, strict=True)
        if seen >= MIN_VISIBLE
    )
    return Scene(image, cards, name, tuple(deck.name for deck in chosen), unit)
