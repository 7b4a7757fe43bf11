"""Espadas: swords, daggers and sabres."""

from dataclasses import dataclass

import numpy as np

from vision.synth.art.curves import box, ellipse, placed, smooth, tube
from vision.synth.art.dice import Dice
from vision.synth.art.palette import Palette
from vision.synth.art.pen import Colour, Pen, dark, light, mix

BLADES = ("straight", "taper", "dagger", "leaf", "sabre")
GUARDS = ("cross", "drooped", "curled", "disc", "knuckle", "shell", "trefoil")
POMMELS = ("ball", "disc", "drop", "crown", "bud")


@dataclass(frozen=True, slots=True)
class SwordStyle:
    """One deck's sword. ``short_blade`` is the blade of the small swords of ranks 4 to 9."""

    blade: str = "straight"
    short_blade: str = "dagger"
    guard: str = "cross"
    pommel: str = "ball"
    steel: Colour = (207, 179, 143)
    hilt: Colour = (60, 189, 240)
    grip: Colour = (45, 55, 200)
    blade_width: float = 0.36
    guard_width: float = 1.0
    grip_length: float = 1.0
    fuller: bool = True
    two_tone: bool = True


def random_sword(dice: Dice, p: Palette) -> SwordStyle:
    """A sword in the deck's inks; the unit is about the length of the grip."""
    blade = dice.pick(("straight", "straight", "taper", "leaf", "sabre"))
    return SwordStyle(
        blade=blade,
        short_blade=dice.pick(("dagger", "dagger", "dagger", blade, "straight", "taper")),
        guard=dice.pick(GUARDS),
        pommel=dice.pick(POMMELS),
        steel=dice.pick([p.steel, p.steel, p.blue, light(p.steel, 0.4), mix(p.steel, p.ink, 0.2), light(p.blue, 0.3)]),
        hilt=dice.pick([p.yellow, p.yellow, p.yellow, p.brown, p.red]),
        grip=dice.pick([p.red, p.red, p.brown, p.blue, p.green, p.yellow]),
        blade_width=dice.between(0.26, 0.5),
        guard_width=dice.between(0.75, 1.3),
        grip_length=dice.between(0.8, 1.25),
        fuller=dice.toss(0.5),
        two_tone=dice.toss(0.5),
    )


def _blade(pen: Pen, s: SwordStyle, kind: str, length: float, width: float) -> None:
    """From the guard at y = 0 to the tip at y = -length."""
    w = width
    match kind:
        case "straight":
            outline = np.array(
                [(-w, 0), (-w * 0.9, -length + w * 2.2), (0, -length), (w * 0.9, -length + w * 2.2), (w, 0)]
            )
        case "dagger":
            outline = np.array([(-w * 1.35, 0), (0, -length), (w * 1.35, 0)])
        case "taper":
            outline = np.array(
                [(-w * 1.15, 0), (-w * 0.6, -length * 0.85), (0, -length), (w * 0.6, -length * 0.85), (w * 1.15, 0)]
            )
        case "leaf":
            half = smooth([(w * 0.8, 0), (w * 0.75, -length * 0.3), (w * 1.25, -length * 0.7), (0, -length)], steps=5)
            outline = np.concatenate([half, (half * (-1, 1))[::-1]])
        case _:
            spine = smooth(
                [(0, 0), (length * 0.035, -length * 0.4), (-length * 0.02, -length * 0.75), (-length * 0.11, -length)],
                steps=6,
            )
            outline = tube(spine, [2 * w, 2 * w, 2.1 * w, 2 * w, 0.1 * w])
    pen.shape(outline, s.steel, shade=0 if s.two_tone else 1)
    if kind == "sabre":
        return
    if s.two_tone:
        right = outline[outline[:, 0] >= -1e-9]
        pen.shape(np.concatenate([right, [(0, 0)]]), dark(s.steel, 0.22), ink=False, shade=0)
        pen.line(outline, closed=True)
    if s.fuller:
        pen.line([(0, -0.05), (0, -length * (0.9 if kind == "dagger" else 0.82))])
        if kind in ("straight", "leaf") and w > 0.3:
            pen.line([(-w * 0.35, -0.05), (-w * 0.3, -length * 0.8)])


def _guard(pen: Pen, s: SwordStyle) -> None:
    g = s.guard_width
    match s.guard:
        case "cross":
            pen.shape(box(-g, -0.13, g, 0.13), s.hilt)
            for side in (-g, g):
                pen.shape(ellipse(side, 0, 0.2, n=14), s.hilt)
        case "drooped":
            pen.shape(
                tube(
                    smooth([(-g, -0.35), (-g * 0.6, 0.02), (0, 0.05), (g * 0.6, 0.02), (g, -0.35)]),
                    [0.22, 0.26, 0.3, 0.26, 0.22],
                ),
                s.hilt,
            )
        case "curled":
            for side in (-1, 1):
                curl = smooth(
                    [(0, 0), (side * g * 0.7, 0.12), (side * g, -0.12 * side), (side * g * 0.85, -0.3 * side)]
                )
                pen.shape(tube(curl, [0.3, 0.22, 0.2, 0.12]), s.hilt)
            pen.shape(ellipse(0, 0, 0.26, n=14), s.hilt)
        case "disc":
            pen.shape(ellipse(0, 0, g * 0.85, 0.24), s.hilt)
        case "knuckle":
            bow = smooth([(0.1, 0.05), (g * 0.95, 0.2), (g * 0.9, 0.85 * s.grip_length), (0.1, s.grip_length * 1.1)])
            pen.shape(tube(bow, [0.16, 0.24, 0.22, 0.12]), s.hilt)
            pen.shape(tube(smooth([(-g * 0.8, -0.2), (-g * 0.4, 0.08), (g * 0.6, 0.0)]), [0.2, 0.28, 0.2]), s.hilt)
            pen.shape(ellipse(-g * 0.8, -0.15, 0.19, n=12), s.hilt)
        case "shell":
            pen.shape(ellipse(0, 0.02, g * 0.8, 0.42, 180, 360, 16), s.hilt)
            pen.shape(box(-g, -0.02, g, 0.16), s.hilt)
            for k in (-0.4, 0, 0.4):
                pen.line([(0, 0), (k * g, -0.34)])
        case _:
            pen.shape(box(-g * 0.75, -0.12, g * 0.75, 0.12), s.hilt)
            for side in (-1, 1):
                for dx, dy in ((0.75, -0.16), (0.75, 0.16), (0.95, 0)):
                    pen.shape(ellipse(side * g * dx, dy, 0.17, n=12), s.hilt)


def draw_hilt(pen: Pen, s: SwordStyle) -> None:
    """Guard at the origin, grip and pommel below it; about 1.6 long."""
    end = s.grip_length
    pen.shape(
        smooth([(-0.2, 0), (-0.25, end * 0.5), (-0.18, end), (0.18, end), (0.25, end * 0.5), (0.2, 0)], steps=3), s.grip
    )
    for k in range(4):
        y = end * (0.12 + 0.24 * k)
        pen.line([(-0.22, y), (0.22, y + 0.14)], s.hilt if k % 2 else None, 0.09 if k % 2 else None)
    match s.pommel:
        case "ball":
            pen.shape(ellipse(0, end + 0.2, 0.3, n=16), s.hilt)
        case "disc":
            pen.shape(ellipse(0, end + 0.1, 0.42, 0.17, n=16), s.hilt)
        case "drop":
            pen.shape(
                smooth(
                    [(-0.18, end), (-0.3, end + 0.3), (0, end + 0.55), (0.3, end + 0.3), (0.18, end)],
                    closed=True,
                    steps=4,
                ),
                s.hilt,
            )
        case "crown":
            pen.shape(
                [
                    (-0.2, end),
                    (-0.4, end + 0.45),
                    (-0.14, end + 0.3),
                    (0, end + 0.5),
                    (0.14, end + 0.3),
                    (0.4, end + 0.45),
                    (0.2, end),
                ],
                s.hilt,
            )
        case _:
            pen.shape(ellipse(0, end + 0.16, 0.28, 0.2, n=14), s.hilt)
            pen.shape(ellipse(0, end + 0.4, 0.13, n=12), s.grip)
    _guard(pen, s)


def draw_sword(pen: Pen, s: SwordStyle, length: float, short: bool = False) -> None:
    """A sword ``length`` long in grip units, centred on the origin, tip up."""
    hilt = s.grip_length + 0.45
    with pen.at(0, length / 2 - hilt):
        kind = s.short_blade if short else s.blade
        _blade(pen, s, kind, length - hilt, s.blade_width * (0.95 if short else 1.1))
        draw_hilt(pen, s)


def draw_scabbard(pen: Pen, colour: Colour, trim: Colour, length: float, width: float) -> None:
    """A sheath from the origin up to y = -length."""
    pen.shape(tube([(0, 0), (0, -length * 0.5), (0, -length)], [width, width, width * 0.8]), colour)
    for k in (0.05, 0.35, 0.7):
        pen.shape(placed(box(-width * 0.58, -0.12, width * 0.58, 0.12), 0, -length * k), trim)
    pen.shape(ellipse(0, -length, width * 0.5, n=14), trim)
