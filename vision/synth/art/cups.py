"""Copas: goblets and urns."""

from dataclasses import dataclass

import numpy as np

from vision.synth.art.curves import box, ellipse, mirrored, placed, smooth, tube
from vision.synth.art.dice import Dice
from vision.synth.art.palette import Palette
from vision.synth.art.pen import Colour, Pen, light, mix

BOWLS: dict[str, list[tuple[float, float]]] = {
    "round": [(0.95, -0.5), (0.98, -0.2), (0.8, 0.18), (0.45, 0.4), (0.16, 0.46)],
    "tulip": [(0.92, -0.5), (0.7, -0.25), (0.82, 0.05), (0.6, 0.34), (0.16, 0.46)],
    "vee": [(0.98, -0.5), (0.72, -0.1), (0.4, 0.25), (0.14, 0.46)],
    "bell": [(1.0, -0.5), (0.74, -0.32), (0.64, 0.0), (0.56, 0.28), (0.2, 0.46)],
    "bucket": [(0.9, -0.5), (0.8, 0.0), (0.7, 0.36), (0.2, 0.46)],
    "shallow": [(1.05, -0.34), (0.95, -0.02), (0.6, 0.28), (0.16, 0.44)],
    "waist": [(0.95, -0.5), (0.8, -0.1), (0.4, 0.2), (0.18, 0.44)],
}
DECORS = ("plain", "diamonds", "gadroons", "band", "dots", "stripes", "swag", "zigzag")
LIDS = ("none", "none", "dome", "flat", "crown")
BASES = ("disc", "steps", "square", "flare", "twin")


@dataclass(frozen=True, slots=True)
class CupStyle:
    """One deck's cup, drawn in a box about 2 high and 2 * ``wide`` wide."""

    bowl: str = "round"
    decor: str = "diamonds"
    lid: str = "dome"
    base: str = "steps"
    body: Colour = (45, 55, 200)
    rim: Colour = (60, 189, 240)
    stem: Colour = (60, 189, 240)
    foot: Colour = (168, 111, 45)
    jewel: Colour = (60, 189, 240)
    wide: float = 0.8
    stem_length: float = 0.25
    knop: bool = True
    handles: bool = False
    wine: bool = False


def random_cup(dice: Dice, p: Palette) -> CupStyle:
    """A cup in the deck's inks."""
    body = dice.pick([p.red, p.red, p.red, p.yellow, p.yellow, p.blue, p.green, mix(p.red, p.yellow, 0.5)])
    trims = [c for c in (p.yellow, p.yellow, p.blue, p.green, p.red, p.steel) if c != body]
    rim = dice.pick(trims)
    return CupStyle(
        bowl=dice.pick(list(BOWLS)),
        decor=dice.pick(DECORS),
        lid=dice.pick(LIDS),
        base=dice.pick(BASES),
        body=body,
        rim=rim,
        stem=dice.pick([rim, rim, *trims]),
        foot=dice.pick([rim, rim, *trims]),
        jewel=dice.pick([rim, p.white, *trims]),
        wide=dice.between(0.62, 0.98),
        stem_length=dice.between(0.1, 0.42),
        knop=dice.toss(0.6),
        handles=dice.toss(0.12),
        wine=dice.toss(0.25),
    )


def _decor(pen: Pen, s: CupStyle, profile: np.ndarray, top: float, bottom: float) -> None:
    middle = top + (bottom - top) * 0.38
    half = float(np.interp(middle, profile[:, 1], profile[:, 0])) * 0.98
    match s.decor:
        case "diamonds":
            for k in (-0.62, 0, 0.62):
                size = 0.16 * (1 - 0.3 * abs(k))
                pen.shape(
                    placed([(0, -1.25), (0.8, 0), (0, 1.25), (-0.8, 0)], k * half, middle, 0, size), s.jewel, shade=0
                )
        case "gadroons" | "stripes":
            count = 4 if s.decor == "gadroons" else 6
            for k in range(1, count):
                share = -1 + 2 * k / count
                ys = np.linspace(top + 0.04, bottom - 0.02, 8)
                xs = np.interp(ys, profile[:, 1], profile[:, 0]) * share
                pen.line(
                    np.stack([xs, ys], axis=1),
                    s.jewel if s.decor == "stripes" else None,
                    0.09 if s.decor == "stripes" else None,
                )
        case "band":
            ys = np.array([middle - 0.08, middle + 0.12])
            xs = np.interp(ys, profile[:, 1], profile[:, 0])
            pen.shape(mirrored(np.stack([xs, ys], axis=1)), s.jewel, shade=0.4)
        case "dots":
            for k in (-0.75, -0.38, 0, 0.38, 0.75):
                pen.shape(ellipse(k * half, middle + 0.08 * (1 - abs(k)), 0.085, n=12), s.jewel, shade=0)
        case "swag":
            for k in (-0.5, 0.5):
                pen.line(ellipse(k * half, middle - 0.12, half * 0.48, 0.22, 0, 180, 12), s.jewel, 0.08)
        case "zigzag":
            xs = np.linspace(-half * 0.95, half * 0.95, 11)
            pen.line(np.stack([xs, middle + 0.09 * (-1) ** np.arange(11)], axis=1), s.jewel, 0.07)


def _base(pen: Pen, s: CupStyle, neck: float) -> None:
    match s.base:
        case "disc":
            pen.shape(mirrored(smooth([(0.13, neck), (0.2, 0.82), (0.62, 0.92), (0.66, 1.0)], steps=4)), s.foot)
        case "flare":
            pen.shape(mirrored(smooth([(0.12, neck), (0.16, 0.7), (0.42, 0.9), (0.7, 1.0)], steps=4)), s.foot)
        case "steps":
            pen.shape(mirrored(smooth([(0.12, neck), (0.2, 0.74), (0.46, 0.84)], steps=4)), s.stem)
            pen.shape(box(-0.68, 0.84, 0.68, 1.0), s.foot)
        case "square":
            pen.shape(mirrored([(0.12, neck), (0.16, 0.76), (0.4, 0.8)]), s.stem)
            pen.shape(box(-0.45, 0.8, 0.45, 0.89), s.foot)
            pen.shape(box(-0.62, 0.89, 0.62, 1.0), s.foot)
        case _:
            pen.shape(mirrored([(0.12, neck), (0.14, 0.72), (0.56, 1.0)]), s.foot)
            pen.shape(mirrored([(0.3, 0.8), (0.62, 1.0)]), s.stem)


def _lid(pen: Pen, s: CupStyle, top: float, half: float) -> None:
    if s.lid == "crown":
        tips = [
            (-half, top),
            (-half * 0.95, -0.86),
            (-half * 0.45, -0.66),
            (0, -1.0),
            (half * 0.45, -0.66),
            (half * 0.95, -0.86),
        ]
        pen.shape([*tips, (half, top)], s.jewel)
        return
    peak = -0.86 if s.lid == "dome" else top - 0.2
    dome = smooth([(0.0, peak), (half * 0.55, peak + 0.06), (half, top)], steps=5)
    pen.shape(mirrored(dome), s.stem)
    for k in (-0.5, 0.5):
        pen.line(smooth([(0, peak), (half * k * 0.8, peak + 0.12), (half * k * 1.1, top)], steps=4))
    pen.shape(ellipse(0, peak - 0.06, 0.1, n=14), s.jewel)


def draw_cup(pen: Pen, s: CupStyle) -> None:
    """A cup centred on the origin from y = -1 to 1."""
    with pen.at(stretch=s.wide):
        top = -0.52 if s.lid in ("dome", "crown") else (-0.72 if s.lid == "flat" else -0.94)
        bottom = 0.62 - s.stem_length
        outline = smooth(BOWLS[s.bowl], steps=5)
        share = (outline[:, 1] - outline[0, 1]) / (outline[-1, 1] - outline[0, 1])
        profile = np.stack([outline[:, 0], top + share * (bottom - top)], axis=1)
        half = float(profile[0, 0])
        knop = (bottom + 0.72) / 2
        _base(pen, s, knop)
        pen.shape(mirrored([(0.13, bottom - 0.02), (0.1, knop), (0.14, knop + 0.16)]), s.stem)
        if s.handles:
            for side in (-1, 1):
                bow = ellipse(side * half * 0.96, top + 0.28, 0.2, 0.26, -90, 90, 16)
                bow[:, 0] = side * half * 0.96 + side * np.abs(bow[:, 0] - side * half * 0.96)
                pen.shape(tube(bow, 0.11), s.rim)
        pen.shape(mirrored(profile), s.body)
        _decor(pen, s, profile, top, bottom)
        if s.knop:
            pen.shape(ellipse(0, knop, 0.22, 0.11, n=16), s.jewel)
        if s.lid in ("none",):
            pen.shape(ellipse(0, top, half, 0.1), light(s.body, 0.4) if not s.wine else s.jewel, shade=0)
            pen.line(ellipse(0, top, half, 0.1), s.rim, 0.07, closed=True)
            pen.line(ellipse(0, top, half, 0.13), closed=True)
        else:
            _lid(pen, s, top, half * 0.98)
            pen.shape(box(-half * 1.08, top - 0.04, half * 1.08, top + 0.12), s.rim)
