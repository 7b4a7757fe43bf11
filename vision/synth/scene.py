"""Still pictures of card tables with exact truth: what a webcam over a game of brisca sees, and a good deal beside it.

``still(seed, decks)`` draws one of several layouts (a game in course, scattered cards, rows, fans, heaps, close-ups,
bare tables) with one or two of the given decks, under a random camera, light and lens. By convention scene seeds from
900,000 on are held out: they draw other tables, hands and things than the training seeds.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.labels import CARD_MM
from vision.synth import clutter, textures
from vision.synth.compose import Camera, Canvas, Light, Placement
from vision.synth.decks import DeckArt
from vision.synth.effects import ROUGH, CameraLevel, photograph
from vision.synth.hands import POSES, hand

Rng = np.random.Generator
MIN_VISIBLE: Final = 0.2
"""Cards of which less is seen carry no label."""

HELD_OUT: Final = 900_000
_SIDES: Final = ((0.0, 1.0, 0.0), (1.0, 0.0, -90.0), (0.0, -1.0, 180.0), (-1.0, 0.0, 90.0))
"""Per side south, east, north, west: where it lies from the centre, and the angle of a card that its player reads."""


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


@dataclass(slots=True)
class _Table:
    """A table while it is being laid."""

    rng: Rng
    canvas: Canvas
    decks: list[DeckArt]
    tints: list[NDArray[np.float32]]
    variant: int
    messy: float
    worn: float
    pools: list[list[str]] = field(default_factory=list)
    labels: list[str | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pools = [[] for _ in self.decks]

    def _deck(self) -> int:
        return 0 if len(self.decks) == 1 or self.rng.random() < 0.7 else 1

    def _face(self, which: int) -> str:
        """The next face of a deck; each one once before any comes again."""
        if not self.pools[which]:
            self.pools[which] = [str(label) for label in self.rng.permutation(self.decks[which].labels)]
        return self.pools[which].pop()

    def _place(self, x: float, y: float, angle: float, which: int) -> Placement:
        rng = self.rng
        curl = float(rng.normal(0, 0.5)) if rng.random() < 0.35 else 0.0
        return Placement(
            x,
            y,
            angle,
            z=0.0,
            lift=float(rng.uniform(0.2, 1.2) if rng.random() < 0.75 else rng.uniform(1.2, 5)),
            curl=min(max(curl, -1.0), 1.0),
            curl_axis=int(rng.integers(2)),
            off=(float(rng.normal(0, 0.35)), float(rng.normal(0, 0.35))),
            card_mm=self.decks[which].card_mm,
            wear=self.worn * float(rng.uniform(0.2, 1)),
            wear_seed=int(rng.integers(1 << 30)),
        )

    def card(self, x: float, y: float, angle: float, face_up: bool = True, held: float = 0.0) -> Placement:
        """Lays the next card with its centre on a point of the table, or holds it ``held`` millimetres above it."""
        which = self._deck()
        place = self._place(x, y, angle, which)
        if held > 0:
            place = replace(place, z=held, lift=held)
        label = self._face(which) if face_up else None
        picture = self.decks[which].face(label) if label else self.decks[which].back()
        self.canvas.lay_card(picture, place, tint=self.tints[which])
        self.labels.append(label)
        return place

    def stack(self, x: float, y: float, angle: float, count: int, face_up: bool = False) -> None:
        """Lays a pile; its top card is the only one of it that counts."""
        which = self._deck()
        place = self._place(x, y, angle, which)
        label = self._face(which) if face_up else None
        picture = self.decks[which].face(label) if label else self.decks[which].back()
        jitter = float(self.rng.uniform(0.15, 0.6 + 1.6 * self.messy))
        self.canvas.lay_stack(self.rng, picture, place, count, jitter=jitter, tint=self.tints[which])
        self.labels.append(label)

    def somewhere(self, inset: float = 0.06) -> tuple[float, float]:
        """A random table point within the picture."""
        w, h = self.canvas.camera.size
        for _ in range(8):
            pixel = self.rng.uniform(inset, 1 - inset, 2) * (w, h)
            x, y = self.canvas.camera.unproject(pixel[None, :])[0]
            if np.isfinite(x) and abs(x) < 2000 and abs(y) < 2000:
                return float(x), float(y)
        return 0.0, 0.0

    def clutter(self, count: int, clear: float = 0.0) -> None:
        """Puts things on the table, not nearer to the centre than ``clear`` millimetres."""
        for _ in range(count):
            item = clutter.random_thing(self.rng, 40)
            if self.variant:
                item = clutter.thing(item.kind, self.variant + int(self.rng.integers(12)))
            x, y = self.somewhere(-0.03)
            if math.hypot(x, y) < clear:
                continue
            angle = float(self.rng.uniform(0, 360))
            self.canvas.lay_sprite(item.image, item.px_per_mm, (x, y), angle, height_mm=item.height_mm)

    def mat(self) -> None:
        """Puts a mat under the game."""
        item = clutter.thing("mat", self.variant + int(self.rng.integers(24)))
        at = self.rng.normal(0, 25, 2)
        angle = float(self.rng.choice([0, 90]) + self.rng.normal(0, 6))
        self.canvas.lay_sprite(
            item.image, item.px_per_mm, (float(at[0]), float(at[1])), angle, height_mm=item.height_mm
        )

    def hand(self, at: tuple[float, float], side: int, pose: str | None = None) -> None:
        """Lays a hand that reaches from one side of the table to a point."""
        rng = self.rng
        chosen = POSES[int(rng.integers(len(POSES)))] if pose is None else next(p for p in POSES if p == pose)
        sprite = hand(self.variant + int(rng.integers(14)), chosen)
        dx, dy, _ = _SIDES[side]
        turn = math.radians(float(rng.normal(0, 22)))
        ux, uy = -dx, -dy
        towards = (ux * math.cos(turn) - uy * math.sin(turn), ux * math.sin(turn) + uy * math.cos(turn))
        self.canvas.lay_hand(sprite, at, towards, lift_mm=float(rng.uniform(6, 30)))


def _game(table: _Table) -> None:
    """A game in course: stock and trump, a trick, gathered piles, cards held low, hands."""
    rng = table.rng
    players = int(rng.choice([2, 2, 3, 4, 4]))
    sides = {2: [0, 2], 3: [0, 1, 3], 4: [0, 1, 2, 3]}[players]
    if rng.random() < 0.12:
        table.mat()
    table.clutter(int(rng.choice([0, 0, 1, 2, 3, 5])), clear=130)
    spread = float(rng.uniform(0.75, 1.25))
    played = min(players, int(rng.integers(0, players + 2)))
    if played == 0 or rng.random() < 0.85:
        _stock(table, spread)
    for side in sides:
        _pile(table, side, spread)
    centre = rng.normal(0, 18, 2)
    first = int(rng.integers(players))
    near, reaching = rng.random() < 0.3, rng.random() < 0.25
    aloft = float(rng.uniform(4, 55)) if rng.random() < 0.5 else 0.0
    last: Placement | None = None
    for turn in range(played):
        side = sides[(first + turn) % players]
        dx, dy, angle = _SIDES[side]
        reach = float(rng.uniform(2, 26) if near else rng.uniform(34, 85))
        x = centre[0] + dx * reach + rng.normal(0, 10 + 10 * table.messy)
        y = centre[1] + dy * reach + rng.normal(0, 10 + 10 * table.messy)
        if rng.random() < 0.15:
            angle = float(rng.uniform(0, 360))
        held = aloft if reaching and turn == played - 1 else 0.0
        last = table.card(float(x), float(y), angle + float(rng.normal(0, 6 + 16 * table.messy)), held=held)
    if last is not None and reaching:
        side = sides[(first + played - 1) % players]
        dx, dy, _ = _SIDES[side]
        hold = float(rng.uniform(14, 46))
        table.hand((last.x + dx * hold, last.y + dy * hold), side, "holding" if rng.random() < 0.75 else None)
    elif played == players and rng.random() < 0.2:
        table.hand((float(centre[0]), float(centre[1])), int(rng.choice(sides)), "gathering")
    for side in sides:
        if rng.random() < 0.16:
            dx, dy, _ = _SIDES[side]
            out = float(rng.uniform(130, 300))
            at = (dx * out + float(rng.normal(0, 70)), dy * out + float(rng.normal(0, 70)))
            table.hand(at, side, "resting" if rng.random() < 0.5 else None)


def _stock(table: _Table, spread: float) -> None:
    """The stock with the trump half under it, or one of them alone."""
    rng = table.rng
    spot = [(-150, 0), (150, 0), (0, -120), (120, -90), (-120, 80), (0, 0)][int(rng.integers(6))]
    x, y = spot[0] * spread + float(rng.normal(0, 15)), spot[1] * spread + float(rng.normal(0, 15))
    angle = float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 5 + 8 * table.messy))
    count = int(rng.choice([0, 1, 2, int(rng.integers(3, 34)), int(rng.integers(3, 34)), int(rng.integers(3, 34))]))
    if rng.random() < 0.85:
        across = angle + (90.0 if rng.random() < 0.85 else 0.0) * (1 if rng.random() < 0.5 else -1)
        out = math.radians(across + 90 * int(rng.choice([-1, 1])))
        shift = float(rng.uniform(26, 62))
        trump = across + float(rng.normal(0, 3 + 5 * table.messy))
        table.card(x + shift * math.cos(out), y + shift * math.sin(out), trump)
    if count == 1:
        table.card(x, y, angle, face_up=False)
    elif count > 1:
        table.stack(x, y, angle, count)
        if rng.random() < 0.3:
            moved = rng.normal(0, 6 + 6 * table.messy, 2)
            table.card(x + float(moved[0]), y + float(moved[1]), angle + float(rng.normal(0, 8)), face_up=False)


def _pile(table: _Table, side: int, spread: float) -> None:
    """What a player has before him: gathered tricks, and now and then his cards lying face down."""
    rng = table.rng
    dx, dy, angle = _SIDES[side]
    out, beside = float(rng.uniform(170, 260)) * spread, float(rng.choice([-1, 1]) * rng.uniform(40, 150))
    x, y = dx * out - dy * beside, dy * out * 0.8 + dx * beside
    kind = rng.random()
    if kind < 0.7:
        turn = angle + float(rng.choice([0, 0, 90]) + rng.normal(0, 10))
        face_up = bool(rng.random() < 0.12)
        if rng.random() < 0.6:
            table.stack(x, y, turn, int(rng.integers(2, 17)), face_up)
        for _ in range(int(rng.integers(0, 4)) if rng.random() < 0.6 else 0):
            moved = rng.normal(0, 5 + 16 * table.messy, 2)
            table.card(
                x + float(moved[0]), y + float(moved[1]), turn + float(rng.normal(0, 6 + 30 * table.messy)), face_up
            )
    if rng.random() < 0.3:
        held = int(rng.integers(1, 4))
        step, bend = float(rng.uniform(16, 66)), float(rng.uniform(0, 14))
        face_up = bool(rng.random() < 0.3)
        for index in range(held):
            along = (index - (held - 1) / 2) * step - beside * 0.8
            px, py = dx * out - dy * along, dy * out * 0.85 + dx * along
            table.card(px, py, angle + (index - (held - 1) / 2) * bend + float(rng.normal(0, 3)), face_up)


def _scattered(table: _Table) -> None:
    """Cards anywhere, any way round."""
    rng = table.rng
    table.clutter(int(rng.integers(0, 5)))
    backs = float(rng.choice([0.0, 0.15, 0.4, 0.8]))
    upright = rng.random() < 0.25
    for _ in range(int(rng.integers(1, 24))):
        x, y = table.somewhere(0.03)
        angle = float(rng.normal(0, 12) + 180 * int(rng.integers(2))) if upright else float(rng.uniform(0, 360))
        table.card(x, y, angle, bool(rng.random() > backs))
    table.clutter(int(rng.integers(0, 2)))
    _stray_hands(table, 0.3)


def _rows(table: _Table) -> None:
    """Rows of cards, laid out with care or not, beside each other or overlapping like tiles."""
    rng = table.rng
    columns, rows = int(rng.integers(2, 11)), int(rng.integers(1, 5))
    step_x = float(rng.uniform(20, 90) if rng.random() < 0.5 else rng.uniform(63, 80))
    step_y = float(rng.uniform(35, 130) if rng.random() < 0.4 else rng.uniform(97, 112))
    loose = float(rng.uniform(0, 7))
    turn = math.radians(float(rng.normal(0, 6)))
    flip = int(rng.integers(2)) * 180
    backs = float(rng.choice([0.0, 0.0, 0.1, 0.5, 1.0]))
    for row in range(rows):
        for column in range(columns):
            if rng.random() < 0.06:
                continue
            x, y = (column - (columns - 1) / 2) * step_x, (row - (rows - 1) / 2) * step_y
            x, y = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
            angle = math.degrees(turn) + flip + float(rng.normal(0, loose * 0.8))
            table.card(
                x + float(rng.normal(0, loose)), y + float(rng.normal(0, loose)), angle, bool(rng.random() > backs)
            )
    _stray_hands(table, 0.25)


def _fans(table: _Table) -> None:
    """Cards fanned as in a hand, face up or down, sometimes with the hand that lays them down."""
    rng = table.rng
    table.clutter(int(rng.integers(0, 4)), clear=150)
    for number in range(int(rng.integers(1, 4))):
        x, y = table.somewhere(0.2) if number else (float(rng.normal(0, 40)), float(rng.normal(0, 30)))
        count, step = int(rng.integers(2, 11)), float(rng.uniform(7, 26))
        radius = float(rng.uniform(60, 160))
        base, order = float(rng.uniform(0, 360)), int(rng.choice([-1, 1]))
        face_up = bool(rng.random() < 0.8)
        for index in range(count):
            angle = base + order * (index - (count - 1) / 2) * step + float(rng.normal(0, 1.5))
            turn = math.radians(angle - 90)
            table.card(x + radius * math.cos(turn), y + radius * math.sin(turn), angle, face_up)
        if rng.random() < 0.35:
            side = int(np.argmax([x * dx + y * dy for dx, dy, _ in _SIDES]))
            table.hand((x, y), side)


def _heap(table: _Table) -> None:
    """A dense heap, as of cards being shuffled on the table."""
    rng = table.rng
    table.clutter(int(rng.integers(0, 4)), clear=160)
    for _ in range(int(rng.integers(1, 3))):
        x, y = table.somewhere(0.25)
        wide = float(rng.uniform(25, 110))
        backs = float(rng.choice([0.0, 0.3, 0.7, 1.0]))
        for _ in range(int(rng.integers(4, 32))):
            at = rng.normal(0, wide, 2)
            table.card(x + float(at[0]), y + float(at[1]), float(rng.uniform(0, 360)), bool(rng.random() > backs))
    _stray_hands(table, 0.35)


def _close_up(table: _Table) -> None:
    """One to four cards near to the camera."""
    rng = table.rng
    table.clutter(int(rng.integers(0, 3)), clear=90)
    base = float(rng.choice([0, 90, 180, 270]))
    for _ in range(int(rng.integers(1, 5))):
        x, y = table.somewhere(0.22)
        table.card(x, y, base + float(rng.normal(0, 25)), bool(rng.random() < 0.8))
    _stray_hands(table, 0.3)


def _bare(table: _Table) -> None:
    """No card at all: things, look-alikes and hands."""
    if table.rng.random() < 0.3:
        table.mat()
    table.clutter(int(table.rng.integers(0, 12)))
    _stray_hands(table, 0.5)


def _stray_hands(table: _Table, chance: float) -> None:
    """Perhaps a hand or two over what lies there."""
    for _ in range(2):
        if table.rng.random() < chance:
            table.hand(table.somewhere(0.1), int(table.rng.integers(4)))


# Layout: function, weight, card height as a share of the picture's width (low, high)
_LAYOUTS: Final[dict[str, tuple[Callable[[_Table], None], float, tuple[float, float]]]] = {
    "game": (_game, 0.46, (0.062, 0.155)),
    "scattered": (_scattered, 0.17, (0.034, 0.26)),
    "rows": (_rows, 0.09, (0.05, 0.16)),
    "fans": (_fans, 0.09, (0.07, 0.24)),
    "heap": (_heap, 0.06, (0.06, 0.2)),
    "close_up": (_close_up, 0.06, (0.2, 0.42)),
    "bare": (_bare, 0.07, (0.05, 0.3)),
}

LAYOUTS: Final = tuple(_LAYOUTS)
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
    if layout is not None and layout not in _LAYOUTS:
        raise ValueError(f"there is no layout {layout!r}; choose one of {', '.join(_LAYOUTS)}")
    rng = np.random.default_rng((seed, 9001))
    weights = np.array([weight for _, weight, _ in _LAYOUTS.values()])
    drawn = LAYOUTS[int(rng.choice(len(LAYOUTS), p=weights / weights.sum()))]
    name = layout or drawn
    lay, _, share = _LAYOUTS[name]
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
    table = _Table(
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


def draw_truth(scene: Scene) -> NDArray[np.uint8]:
    """A copy of the picture with the quads drawn in, for people: faces green with label, backs red, top edges thick."""
    image: NDArray[Any] = scene.image.copy()
    for card in scene.cards:
        colour = (60, 60, 235) if card.label is None else (70, 220, 70)
        quad = np.round(card.quad * 8).astype(np.int32)
        cv2.polylines(image, [quad], True, colour, 1, cv2.LINE_AA, 3)
        cv2.polylines(image, [quad[:2]], False, colour, 3, cv2.LINE_AA, 3)
        x, y = card.quad.mean(0).astype(int)
        text = f"{card.label or 'back'} {card.visible:.2f}"
        cv2.putText(image, text, (int(x) - 20, int(y)), cv2.FONT_HERSHEY_SIMPLEX, 0.35, colour, 1, cv2.LINE_AA)
    return image
