"""How cards come to lie on a table: a game in course, and all the other ways.

Each layout lays a :class:`Table` that is being painted; what it lays is recorded there.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.synth import clutter
from vision.synth.compose import Canvas, Placement
from vision.synth.decks import DeckArt
from vision.synth.hands import POSES, hand

Rng = np.random.Generator

_SIDES: Final = ((0.0, 1.0, 0.0), (1.0, 0.0, -90.0), (0.0, -1.0, 180.0), (-1.0, 0.0, 90.0))
"""Per side south, east, north, west: where it lies from the centre, and the angle of a card that its player reads."""


@dataclass(slots=True)
class Table:
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


def _game(table: Table) -> None:
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


def _stock(table: Table, spread: float) -> None:
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


def _pile(table: Table, side: int, spread: float) -> None:
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


def _scattered(table: Table) -> None:
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


def _rows(table: Table) -> None:
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


def _fans(table: Table) -> None:
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


def _heap(table: Table) -> None:
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


def _close_up(table: Table) -> None:
    """One to four cards near to the camera."""
    rng = table.rng
    table.clutter(int(rng.integers(0, 3)), clear=90)
    base = float(rng.choice([0, 90, 180, 270]))
    for _ in range(int(rng.integers(1, 5))):
        x, y = table.somewhere(0.22)
        table.card(x, y, base + float(rng.normal(0, 25)), bool(rng.random() < 0.8))
    _stray_hands(table, 0.3)


def _shown(table: Table) -> None:
    """One or two cards that fill most of the picture, as when somebody shows a card to the camera."""
    rng = table.rng
    table.clutter(int(rng.integers(0, 2)), clear=90)
    base = float(rng.choice([0, 90, 180, 270]))
    for number in range(1 + int(rng.random() < 0.3)):
        x, y = rng.normal(0, 12 + 30 * number, 2)
        table.card(float(x), float(y), base + float(rng.normal(0, 12)), bool(rng.random() < 0.85))
    _stray_hands(table, 0.15)


def _trump(table: Table) -> None:
    """The stock with the trump half under it and no other face: how well a half-hidden trump is read."""
    rng = table.rng
    if rng.random() < 0.12:
        table.mat()
    table.clutter(int(rng.choice([0, 0, 1, 2, 4])), clear=170)
    x, y = rng.normal(0, 40, 2)
    angle = float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 5 + 8 * table.messy))
    crossing = rng.random() < 0.85
    way = angle + float(rng.choice([-1, 1])) * (90.0 if crossing else 0.0)
    width, height = table.decks[0].card_mm
    # From the stock's edge on, so much of the trump is seen; its middle lies that far out.
    shift = height * (float(rng.uniform(0.44, 0.66)) - 0.5) + (width if crossing else height) / 2
    out = math.radians(way + 90 * float(rng.choice([-1, 1])))
    at = (float(x) + shift * math.cos(out), float(y) + shift * math.sin(out))
    table.card(*at, way + float(rng.normal(0, 3 + 4 * table.messy)))
    table.stack(float(x), float(y), angle, int(rng.integers(2, 34)))
    for side in rng.permutation(4)[: int(rng.integers(0, 3))]:
        dx, dy, turn = _SIDES[int(side)]
        reach = float(rng.uniform(210, 280))
        table.stack(dx * reach, dy * reach, turn + float(rng.normal(0, 10)), int(rng.integers(2, 17)))
        if rng.random() < 0.3:
            table.hand((dx * reach * 1.1, dy * reach * 1.1), int(side), "resting")


def _bare(table: Table) -> None:
    """No card at all: things, look-alikes and hands."""
    if table.rng.random() < 0.3:
        table.mat()
    table.clutter(int(table.rng.integers(0, 12)))
    _stray_hands(table, 0.5)


def _stray_hands(table: Table, chance: float) -> None:
    """Perhaps a hand or two over what lies there."""
    for _ in range(2):
        if table.rng.random() < chance:
            table.hand(table.somewhere(0.1), int(table.rng.integers(4)))


# Layout: function, weight, card height as a share of the picture's width (low, high); the weights add up to 1.
# A layout without weight is drawn only where it is asked for.
LAYS: Final[dict[str, tuple[Callable[[Table], None], float, tuple[float, float]]]] = {
    "game": (_game, 0.42, (0.062, 0.155)),
    "scattered": (_scattered, 0.15, (0.034, 0.26)),
    "rows": (_rows, 0.09, (0.05, 0.16)),
    "fans": (_fans, 0.09, (0.07, 0.24)),
    "heap": (_heap, 0.06, (0.06, 0.2)),
    "close_up": (_close_up, 0.06, (0.2, 0.42)),
    "shown": (_shown, 0.06, (0.4, 0.9)),
    "bare": (_bare, 0.07, (0.05, 0.3)),
    "trump": (_trump, 0.0, (0.062, 0.155)),
}
