"""Bastos: knobbly cudgels."""

from dataclasses import dataclass

import numpy as np

from vision.synth.art.curves import Points, ellipse, leaf, placed, smooth, tube
from vision.synth.art.dice import Dice
from vision.synth.art.palette import Palette
from vision.synth.art.pen import Colour, Pen, dark, light, mix

SHAPES = ("cudgel", "cudgel", "cudgel", "log", "branch", "staff")


@dataclass(frozen=True, slots=True)
class ClubStyle:
    """One deck's club; ``woods`` are the colours it takes in turn on one card."""

    shape: str = "cudgel"
    woods: tuple[Colour, ...] = ((75, 138, 63), (45, 55, 200), (60, 189, 240))
    cut: Colour = (160, 220, 245)
    leaf: Colour = (75, 138, 63)
    streak: bool = True
    knobs: int = 4
    twigs: int = 2
    leaves: bool = False
    bark: int = 3
    width: float = 0.26
    """Greatest width as a share of the length of a short club."""
    bend: float = 0.03
    seed: int = 0


def random_club(dice: Dice, p: Palette) -> ClubStyle:
    """A club in the deck's inks."""
    wood = mix(p.brown, p.yellow, 0.4)
    woods = dice.pick(
        [
            (p.green, p.red, p.yellow),
            (p.green, p.red, p.yellow),
            (p.green, mix(p.red, p.yellow, 0.35), p.yellow),
            (p.green,),
            (p.brown,),
            (p.green, p.brown),
            (mix(p.green, p.ink, 0.3), p.red),
            (wood, p.brown),
            (mix(p.green, p.yellow, 0.45), p.brown),
        ]
    )
    return ClubStyle(
        shape=dice.pick(SHAPES),
        woods=woods,
        cut=dice.pick([p.yellow, light(p.yellow, 0.5), p.skin, light(p.brown, 0.5)]),
        leaf=dice.pick([p.green, p.green, mix(p.green, p.yellow, 0.4)]),
        streak=dice.toss(0.65),
        knobs=dice.whole(0, 7),
        twigs=dice.whole(0, 4),
        leaves=dice.toss(0.2),
        bark=dice.whole(0, 5),
        width=dice.between(0.2, 0.34),
        bend=dice.between(0, 0.06),
        seed=dice.whole(0, 1 << 30),
    )


def _half_widths(s: ClubStyle, t: Points) -> Points:
    """Half the width along the club, ``t`` 0 at the handle and 1 at the head, 1 at the widest."""
    match s.shape:
        case "cudgel":
            return np.asarray(
                np.interp(t, [0, 0.1, 0.45, 0.75, 0.92, 0.985, 1], [0.34, 0.36, 0.6, 0.95, 1.0, 0.7, 0.3])
            )
        case "log":
            return np.asarray(np.interp(t, [0, 0.5, 1], [0.72, 0.8, 0.9]))
        case "branch":
            return np.asarray(np.interp(t, [0, 0.3, 0.7, 1], [0.45, 0.5, 0.62, 0.8]))
        case _:
            return np.asarray(np.interp(t, [0, 0.8, 0.94, 1], [0.36, 0.42, 0.66, 0.4]))


def draw_club(pen: Pen, s: ClubStyle, length: float, width: float, tone: int = 0, leafy: bool = False) -> None:
    """A club centred on the origin, head up; ``width`` in the same unit as ``length``, ``tone`` picks the wood."""
    rng = np.random.default_rng((s.seed, tone % 5))
    wood = s.woods[tone % len(s.woods)]
    t = np.linspace(0, 1, 26)
    phase = float(rng.uniform(0, 6))
    centre = np.stack([s.bend * length * np.sin(t * 4 + phase), length * (0.5 - t)], axis=1)
    half = _half_widths(s, t) * width / 2
    knobs = np.linspace(0.2, 0.9, s.knobs + 2)[1:-1] + rng.uniform(-0.04, 0.04, s.knobs)
    sides = rng.permutation(np.resize([-1, 1], s.knobs))
    left, right = half.copy(), half.copy()
    for at, side in zip(knobs, sides, strict=True):
        bump = np.exp(-(((t - at) / 0.035) ** 2)) * width * 0.13
        if side < 0:
            left += bump
        else:
            right += bump
    edge = np.concatenate([centre + np.stack([right, 0 * t], 1), (centre - np.stack([left, 0 * t], 1))[::-1]])
    if s.leaves or leafy:
        for k in range(3 if leafy else 2):
            at = 0.25 + 0.24 * k + float(rng.uniform(-0.04, 0.04))
            side = 1 if k % 2 else -1
            x, y = np.interp(at, t, centre[:, 0]) + side * np.interp(at, t, half), length * (0.5 - at)
            pen.line([(x, y), (x + side * width * 0.26, y - width * 0.26)])
            for turn in (-75, -10):
                blade = placed(
                    leaf(width * 0.6, width * 0.21),
                    x + side * width * 0.25,
                    y - width * 0.25,
                    turn if side > 0 else 180 - turn,
                )
                pen.shape(blade, s.leaf)
    for k in range(s.twigs):
        at = 0.3 + 0.5 * (k + 0.5) / s.twigs
        side = 1 if (k + tone) % 2 else -1
        x, y = np.interp(at, t, centre[:, 0]) + side * np.interp(at, t, half) * 0.7, length * (0.5 - at)
        tip = (float(x) + side * width * 0.3, y - width * 0.36)
        stub = np.array([(x, y), tip])
        pen.shape(tube(stub, [width * 0.3, width * 0.2]), wood)
        pen.shape(
            placed(ellipse(0, 0, width * 0.12, width * 0.07, n=12), *tip, side * 40),
            s.cut,
            shade=0,
        )
    pen.shape(smooth(edge[::2], closed=True, steps=3) if s.shape != "log" else edge, wood)
    if s.streak:
        run = slice(5, 23)
        pen.fill(
            tube(centre[run] - np.stack([half[run] * 0.25, 0 * t[run]], 1), [0.02 * width, 0.26 * width, 0.04 * width]),
            mix(wood, s.cut, 0.6),
        )
    for _ in range(s.bark):
        a = int(rng.integers(3, 14))
        b = min(25, a + int(rng.integers(4, 9)))
        offset = float(rng.uniform(-0.6, 0.6))
        pen.line(centre[a:b] + np.stack([half[a:b] * offset, 0 * t[a:b]], 1), dark(wood, 0.55))
    for at, side in zip(knobs, sides, strict=True):
        x = np.interp(at, t, centre[:, 0]) + side * np.interp(at, t, half) * 0.55
        pen.shape(
            ellipse(float(x), length * (0.5 - at), width * 0.1, width * 0.14, n=12),
            s.cut if s.streak else light(wood, 0.25),
            shade=0,
        )
    end = half[0]
    pen.shape(ellipse(float(centre[0, 0]), length * 0.5, float(end), float(end) * 0.45, n=14), s.cut, shade=0)
    if s.shape in ("log", "branch"):
        pen.shape(
            ellipse(float(centre[-1, 0]), -length * 0.5, float(half[-1]), float(half[-1]) * 0.4, n=14), s.cut, shade=0
        )
