"""The caballo's horse, in figure units, facing left, hooves on y = 0."""

from dataclasses import dataclass

import numpy as np

from vision.synth.art.curves import ellipse, smooth, tube
from vision.synth.art.figures import shade_of
from vision.synth.art.pen import Colour, Pen, light

GAITS = ("walk", "stand", "prance", "rear")


@dataclass(frozen=True, slots=True)
class HorseStyle:
    """One horse and its tack."""

    gait: str = "walk"
    coat: Colour = (51, 90, 138)
    mane: Colour = (40, 60, 90)
    hoof: Colour = (40, 40, 50)
    tack: Colour = (45, 55, 200)
    cloth: Colour | None = (168, 111, 45)
    trim: Colour = (60, 189, 240)
    fringe: bool = True
    socks: bool = False
    dapple: bool = False
    caparison: bool = False


_LEGS: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    # far hind, far fore, near hind, near fore: hip, knee, fetlock, hoof
    "walk": (
        ((2.0, -3.4), (2.6, -2.1), (2.2, -0.6), (1.95, 0.0)),
        ((-2.1, -3.4), (-3.3, -2.7), (-3.5, -1.4), (-3.8, -1.0)),
        ((2.5, -3.4), (3.3, -2.2), (3.2, -0.6), (2.95, 0.0)),
        ((-1.9, -3.2), (-2.0, -1.9), (-2.0, -0.6), (-2.25, 0.0)),
    ),
    "stand": (
        ((2.0, -3.4), (2.5, -2.2), (2.3, -0.6), (2.1, 0.0)),
        ((-2.3, -3.4), (-2.6, -2.0), (-2.6, -0.6), (-2.8, 0.0)),
        ((2.5, -3.4), (3.2, -2.2), (3.05, -0.6), (2.8, 0.0)),
        ((-1.8, -3.2), (-1.9, -1.9), (-1.9, -0.6), (-2.1, 0.0)),
    ),
    "prance": (
        ((2.0, -3.4), (2.4, -2.1), (1.6, -0.7), (1.3, 0.0)),
        ((-2.1, -3.5), (-3.6, -3.2), (-3.2, -1.9), (-3.5, -1.5)),
        ((2.5, -3.4), (3.4, -2.2), (3.2, -0.6), (2.9, 0.0)),
        ((-1.9, -3.2), (-2.9, -2.1), (-2.4, -0.9), (-2.7, -0.4)),
    ),
    "rear": (
        ((2.0, -3.2), (2.5, -2.0), (2.1, -0.6), (1.8, 0.0)),
        ((-2.2, -3.8), (-3.7, -3.6), (-3.9, -2.2), (-4.2, -1.9)),
        ((2.5, -3.2), (3.3, -2.1), (3.1, -0.6), (2.8, 0.0)),
        ((-1.9, -3.4), (-3.1, -2.8), (-3.1, -1.5), (-3.4, -1.2)),
    ),
}


def _leg(pen: Pen, s: HorseStyle, joints: tuple[tuple[float, float], ...], far: bool, hind: bool) -> None:
    colour = shade_of(s.coat) if far else s.coat
    path = smooth(joints[:3], steps=6)
    widths = np.interp(
        np.linspace(0, 1, len(path)), [0, 0.3, 0.5, 0.75, 1], [1.5 if hind else 1.15, 1.0, 0.62, 0.44, 0.42]
    )
    pen.shape(tube(path, widths), colour)
    if s.socks:
        pen.shape(tube(path[-5:], 0.46), (245, 248, 248), shade=0)
    (fx, fy), (hx, hy) = joints[2], joints[3]
    pen.shape(
        [(fx - 0.2, fy - 0.02), (fx + 0.22, fy + 0.02), (hx + 0.42, hy + 0.02), (hx - 0.4, hy + 0.02)], s.hoof, shade=0
    )


def _neck_and_head(pen: Pen, s: HorseStyle) -> None:
    pen.shape(smooth([(-2.75, -7.7), (-2.55, -8.35), (-2.95, -7.9)], True, 3), shade_of(s.coat), shade=0)
    neck = [
        (-0.9, -5.3),
        (-1.5, -6.6),
        (-2.3, -7.7),
        (-3.1, -7.85),
        (-3.55, -7.0),
        (-3.1, -6.0),
        (-3.15, -4.9),
        (-2.9, -4.0),
        (-1.6, -3.9),
    ]
    pen.shape(smooth(neck, True), s.coat)
    head = [
        (-2.6, -7.75),
        (-3.15, -7.95),
        (-3.75, -7.4),
        (-4.45, -6.3),
        (-4.75, -5.75),
        (-4.55, -5.4),
        (-4.15, -5.4),
        (-3.85, -5.75),
        (-3.35, -6.15),
        (-2.7, -6.5),
        (-2.35, -7.1),
    ]
    pen.shape(smooth(head, True), s.coat)
    ink = pen.print.ink
    pen.shape(smooth([(-2.95, -7.75), (-2.85, -8.55), (-3.25, -7.95)], True, 3), s.coat, shade=0)
    pen.fill(ellipse(-3.42, -7.05, 0.15, 0.11, n=10), (250, 250, 250))
    pen.fill(ellipse(-3.45, -7.05, 0.09, 0.1, n=10), ink)
    pen.line(ellipse(-3.4, -7.1, 0.2, 0.13, 180, 340, 6))
    pen.fill(ellipse(-4.5, -5.78, 0.08, 0.12, n=8), ink)
    pen.line(smooth([(-4.58, -5.5), (-4.3, -5.62), (-4.05, -5.72)], steps=3))
    for k in range(6):
        share = k / 5
        x, y = -2.75 + share * 1.75, -8.05 + share * 2.55
        lock = smooth(
            [
                (x - 0.15, y + 0.05),
                (x + 0.25, y + 0.1),
                (x + 0.35, y + 0.75),
                (x - 0.15, y + 1.05),
                (x - 0.1, y + 0.55),
            ],
            True,
            3,
        )
        pen.shape(lock, s.mane, shade=0.5)
    pen.shape(smooth([(-2.9, -8.1), (-3.35, -7.9), (-3.55, -7.35), (-3.1, -7.6)], True, 3), s.mane, shade=0)
    pen.line(smooth([(-2.75, -7.6), (-3.15, -7.0), (-3.2, -6.25)], steps=3), s.tack, 0.17)
    pen.line([(-3.95, -7.02), (-3.2, -6.25), (-4.15, -5.85), (-4.5, -6.2)], s.tack, 0.17)
    pen.line(smooth([(-4.1, -5.8), (-2.6, -5.6), (-1.1, -6.3)], steps=5), s.tack, 0.15)


def _cloth(pen: Pen, s: HorseStyle) -> None:
    if s.cloth is None:
        pen.shape(
            smooth([(-1.0, -5.35), (0.2, -5.15), (1.2, -5.4), (1.0, -4.7), (0.1, -4.5), (-0.8, -4.7)], True), s.tack
        )
        return
    if s.caparison:
        hind = [
            (-0.9, -5.3),
            (1.2, -5.3),
            (2.9, -5.1),
            (3.55, -4.0),
            (3.75, -1.9),
            (2.2, -1.65),
            (0.8, -1.9),
            (-0.8, -2.1),
        ]
        fore = [(-1.0, -5.3), (-2.6, -5.2), (-3.2, -4.6), (-3.3, -2.3), (-2.0, -2.0), (-0.8, -2.2)]
        panels = [fore, hind]
    else:
        panels = [[(-1.1, -5.35), (1.3, -5.3), (2.4, -5.2), (2.2, -2.9), (0.6, -2.6), (-1.2, -2.8)]]
    for panel in panels:
        outline = smooth(panel, True, 4)
        pen.shape(outline, s.cloth)
        bottom = outline[outline[:, 1] > np.quantile(outline[:, 1], 0.62)]
        bottom = bottom[np.argsort(bottom[:, 0])]
        if len(bottom) > 3:
            pen.shape(tube(smooth(bottom[::2], steps=2), 0.34), s.trim, shade=0)
            if s.fringe:
                for x, y in smooth(bottom[::2], steps=3)[::2]:
                    pen.line([(x, y + 0.1), (x, y + 0.42)], s.trim, 0.09)


def draw_horse(pen: Pen, s: HorseStyle) -> None:
    """The horse; the saddle's seat is near (0, -5.3)."""
    tail = smooth([(3.0, -5.0), (3.8, -4.9), (4.2, -3.6), (4.0, -2.2), (4.5, -1.3)], steps=5)
    pen.shape(tube(tail, [0.35, 0.6, 0.85, 0.9, 0.15]), s.mane)
    pen.line(tail[3:-3])
    legs = _LEGS[s.gait]
    _leg(pen, s, legs[0], True, True)
    _leg(pen, s, legs[1], True, False)
    body = [
        (-1.4, -5.5),
        (0, -5.15),
        (1.6, -5.35),
        (2.9, -5.1),
        (3.45, -4.1),
        (3.0, -3.0),
        (1.6, -2.75),
        (0, -2.5),
        (-1.6, -2.65),
        (-2.9, -3.4),
        (-3.0, -4.4),
    ]
    _leg(pen, s, legs[2], False, True)
    _leg(pen, s, legs[3], False, False)
    pen.shape(smooth(body, True), s.coat)
    if s.dapple:
        for x, y in ((2.3, -4.4), (1.5, -3.5), (2.7, -3.7), (0.4, -3.2), (-2.2, -4.2), (-1.9, -3.3), (1.0, -4.6)):
            pen.fill(ellipse(x, y, 0.24, 0.2, n=10), light(s.coat, 0.3))
    _neck_and_head(pen, s)
    _cloth(pen, s)
    pen.line(smooth([(-2.95, -4.7), (-2.2, -4.15), (-1.1, -4.5)], steps=4), s.tack, 0.24)
    pen.shape(ellipse(-2.4, -4.25, 0.2, n=10), s.trim, shade=0)
