"""Heads of the court figures: faces, hair, beards, hats and crowns.

Drawn in figure units: the chin near (0, -7.85), the top of the skull near (0, -9.75).
"""

from dataclasses import dataclass

import numpy as np

from vision.synth.art.curves import bezier, box, ellipse, leaf, mirrored, placed, smooth, tube
from vision.synth.art.pen import Colour, Pen, dark, light, mix

HATS = ("beret", "cap", "brim", "plumed", "hood", "helmet", "band", "tall", "bare")
CROWNS = ("points", "lilies", "balls", "arched", "turban")
HAIR = ("bob", "long", "short", "curls", "ponytail")
BEARDS = ("none", "full", "long", "goatee", "moustache", "forked")


@dataclass(frozen=True, slots=True)
class HeadStyle:
    """One head. ``look`` turns the face, -1 to the left of the page, 1 to the right."""

    hat: str = "beret"
    hair: str = "bob"
    beard: str = "none"
    skin: Colour = (164, 201, 242)
    hair_colour: Colour = (51, 90, 138)
    hat_colour: Colour = (45, 55, 200)
    trim: Colour = (60, 189, 240)
    feather: Colour | None = None
    look: float = 0.6
    blush: Colour | None = (120, 140, 235)


def _hair_back(pen: Pen, s: HeadStyle) -> None:
    match s.hair:
        case "bob":
            pen.shape(
                smooth(
                    [
                        (-0.95, -9.2),
                        (-1.1, -8.4),
                        (-0.95, -7.75),
                        (0, -7.7),
                        (0.95, -7.75),
                        (1.1, -8.4),
                        (0.95, -9.2),
                        (0, -9.95),
                    ],
                    True,
                ),
                s.hair_colour,
            )
        case "long":
            pen.shape(
                smooth(
                    [
                        (-0.9, -9.2),
                        (-1.1, -8.4),
                        (-1.25, -7.3),
                        (-0.8, -6.9),
                        (0, -7.3),
                        (0.8, -6.9),
                        (1.25, -7.3),
                        (1.1, -8.4),
                        (0.9, -9.2),
                        (0, -9.95),
                    ],
                    True,
                ),
                s.hair_colour,
            )
        case "short":
            pen.shape(ellipse(0, -8.95, 0.92, 0.95), s.hair_colour)
        case "curls":
            for k in range(9):
                angle = np.radians(150 + k * 30)
                pen.shape(
                    ellipse(0.92 * float(np.cos(angle)), -8.7 + 0.85 * float(np.sin(angle)), 0.36, n=14), s.hair_colour
                )
            for side in (-1, 1):
                pen.shape(ellipse(side * 0.98, -7.95, 0.32, n=14), s.hair_colour)
        case _:
            side = -1 if s.look > 0 else 1
            pen.shape(
                smooth(
                    [
                        (0, -9.9),
                        (side * 0.9, -9.3),
                        (side * 1.3, -8.3),
                        (side * 1.15, -7.0),
                        (side * 0.7, -7.6),
                        (side * 0.6, -8.4),
                    ],
                    True,
                ),
                s.hair_colour,
            )


def _fringe(pen: Pen, s: HeadStyle) -> None:
    if s.hair in ("bob", "long"):
        pen.shape(
            smooth(
                [
                    (-0.86, -8.5),
                    (-0.8, -9.3),
                    (0, -9.85),
                    (0.8, -9.3),
                    (0.86, -8.5),
                    (0.62, -9.1),
                    (0.2 * s.look, -9.3),
                    (-0.62, -9.1),
                ],
                True,
                5,
            ),
            s.hair_colour,
            shade=0.5,
        )
    else:
        pen.shape(
            smooth(
                [(-0.82, -8.75), (-0.7, -9.5), (0, -9.85), (0.7, -9.5), (0.82, -8.75), (0.4, -9.3), (-0.4, -9.3)],
                True,
                5,
            ),
            s.hair_colour,
            shade=0.5,
        )


def _beard(pen: Pen, s: HeadStyle) -> None:
    dx = 0.16 * s.look
    if s.beard in ("full", "long", "forked"):
        drop = {"full": -7.35, "long": -6.5, "forked": -6.7}[s.beard]
        outline = [
            (-0.78, -8.65),
            (-0.82, -8.1),
            (-0.5 + dx, (drop - 7.7) / 2),
            (dx, drop),
            (0.5 + dx, (drop - 7.7) / 2),
            (0.82, -8.1),
            (0.78, -8.65),
        ]
        if s.beard == "forked":
            outline[3:4] = [(-0.25 + dx, drop), (dx, drop - 0.45), (0.25 + dx, drop)]
        inner = [(0.5 + dx, -8.2), (0.25 + dx, -8.32), (dx, -8.26), (-0.25 + dx, -8.32), (-0.5 + dx, -8.2)]
        pen.shape(smooth(outline + inner, True, 4), s.hair_colour)
        for k in (-0.3, 0, 0.3):
            pen.line(
                smooth([(k + dx, -7.95), (k * 0.9 + dx + 0.05, -7.6), (k * 0.6 + dx, (drop - 7.5) / 2 - 0.05)], steps=3)
            )
        pen.fill(ellipse(dx, -8.08, 0.17, 0.07, n=12), mix(s.skin, (60, 60, 190), 0.6))
    elif s.beard == "goatee":
        pen.shape(smooth([(-0.22 + dx, -7.98), (dx, -7.3), (0.22 + dx, -7.98)], True, 4), s.hair_colour, shade=0)
    if s.beard != "none":
        for side in (-1, 1):
            pen.shape(
                smooth(
                    [(dx, -8.36), (side * 0.25 + dx, -8.4), (side * 0.48 + dx, -8.18), (side * 0.2 + dx, -8.24)],
                    True,
                    3,
                ),
                s.hair_colour,
                shade=0,
            )


def _face(pen: Pen, s: HeadStyle) -> None:
    dx = 0.2 * s.look
    ink = pen.print.ink
    pen.shape(
        smooth(
            [
                (-0.76, -9.1),
                (-0.78, -8.5),
                (-0.52 + dx * 0.3, -7.98),
                (dx * 0.8, -7.78),
                (0.52 + dx * 0.3, -7.98),
                (0.78, -8.5),
                (0.76, -9.1),
                (0, -9.75),
            ],
            True,
        ),
        s.skin,
        shade=0.5,
    )
    for side in (-1, 1):
        x = dx + side * 0.31
        if s.blush is not None:
            pen.fill(ellipse(x + side * 0.1, -8.34, 0.16, 0.11, n=12), mix(s.skin, s.blush, 0.45))
        pen.fill(ellipse(x, -8.73, 0.15, 0.085, n=12), (250, 252, 252))
        pen.fill(ellipse(x + 0.03 * s.look, -8.73, 0.075, 0.085, n=10), ink)
        pen.line(ellipse(x, -8.73, 0.17, 0.12, 190, 350, 7))
        pen.line(
            smooth([(x - side * 0.16, -8.96), (x + side * 0.04, -9.02), (x + side * 0.22, -8.93)], steps=3),
            mix(s.hair_colour, ink, 0.5),
        )
    nose = 1 if s.look >= 0 else -1
    pen.line(smooth([(dx - nose * 0.06, -8.7), (dx + nose * 0.14, -8.42), (dx + nose * 0.02, -8.38)], steps=4))
    if s.beard not in ("full", "long", "forked"):
        pen.line(smooth([(dx - 0.16, -8.12), (dx, -8.08), (dx + 0.17, -8.13)], steps=3), mix(ink, (40, 40, 180), 0.6))
        pen.line([(dx - 0.07, -7.99), (dx + 0.07, -7.99)])


def _plume(pen: Pen, colour: Colour, x: float, y: float, side: float, length: float = 1.5) -> None:
    spine = bezier(
        (x, y),
        (x + side * 0.2 * length, y - 0.7 * length),
        (x + side * length, y - 0.75 * length),
        (x + side * 1.05 * length, y + 0.05),
        10,
    )
    widths = np.array([0.12, 0.3, 0.42, 0.5, 0.54, 0.54, 0.5, 0.42, 0.3, 0.1])
    pen.shape(tube(spine, widths), colour)
    pen.line(spine)


def _hat(pen: Pen, s: HeadStyle) -> None:
    c, back = s.hat_colour, (-1 if s.look > 0 else 1)
    match s.hat:
        case "beret":
            if s.feather:
                _plume(pen, s.feather, back * 0.5, -9.6, back)
            pen.shape(
                smooth(
                    [
                        (-0.95, -9.25),
                        (-1.25, -9.7),
                        (-0.6, -10.2),
                        (0.4, -10.15),
                        (1.25, -9.75),
                        (0.95, -9.25),
                        (0, -9.4),
                    ],
                    True,
                ),
                c,
            )
            pen.shape(tube(smooth([(-0.92, -9.22), (0, -9.42), (0.92, -9.22)]), 0.24), s.trim, shade=0)
        case "cap":
            pen.shape(smooth([(-0.86, -9.2), (-0.9, -9.9), (0, -10.3), (0.9, -9.9), (0.86, -9.2), (0, -9.4)], True), c)
            pen.shape(tube(smooth([(-0.94, -9.15), (0, -9.36), (0.94, -9.15)]), 0.3), s.trim)
            if s.feather:
                pen.shape(placed(leaf(1.5, 0.25), back * 0.4, -9.3, -90 + back * 28), s.feather)
        case "brim" | "plumed":
            pen.shape(smooth([(-0.75, -9.4), (-0.7, -10.2), (0, -10.4), (0.7, -10.2), (0.75, -9.4)], True, 5), c)
            pen.shape(
                tube(
                    smooth([(-1.6, -9.45), (-0.8, -9.22), (0, -9.38), (0.8, -9.22), (1.6, -9.55)]),
                    [0.1, 0.34, 0.3, 0.34, 0.1],
                ),
                c,
            )
            pen.shape(tube(smooth([(-0.74, -9.55), (0, -9.66), (0.74, -9.55)]), 0.2), s.trim, shade=0)
            if s.feather:
                _plume(pen, s.feather, back * 0.4, -9.7, back, 1.5 if s.hat == "plumed" else 1.1)
        case "hood":
            pen.shape(
                smooth(
                    [
                        (-0.84, -8.2),
                        (-1.05, -9.1),
                        (-0.5, -10.0),
                        (0.3, -10.1),
                        (1.0, -9.2),
                        (0.84, -8.2),
                        (0.72, -9.0),
                        (0, -9.45),
                        (-0.72, -9.0),
                    ],
                    True,
                    5,
                ),
                c,
            )
            pen.shape(
                smooth([(back * 0.4, -10.1), (back * 1.2, -10.0), (back * 1.7, -9.2), (back * 1.0, -9.5)], True), c
            )
        case "helmet":
            if s.feather:
                _plume(pen, s.feather, 0, -10.3, back, 1.3)
            pen.shape(
                smooth(
                    [(-0.92, -8.9), (-0.9, -9.7), (0, -10.4), (0.9, -9.7), (0.92, -8.9), (0.5, -9.25), (-0.5, -9.25)],
                    True,
                    5,
                ),
                c,
            )
            pen.line([(0, -10.35), (0, -9.3)], s.trim, 0.14)
            pen.shape(tube(smooth([(-0.96, -8.95), (0, -9.3), (0.96, -8.95)]), 0.2), s.trim, shade=0)
        case "tall":
            pen.shape([(-0.8, -9.3), (-0.62, -10.6), (0.62, -10.6), (0.8, -9.3)], c)
            pen.shape(box(-0.86, -9.5, 0.86, -9.2), s.trim)
            if s.feather:
                pen.shape(placed(leaf(1.3, 0.28), back * 0.5, -9.6, -90 + back * 20), s.feather)
        case "band":
            pen.shape(tube(smooth([(-0.84, -9.15), (0, -9.38), (0.84, -9.15)]), 0.22), s.trim, shade=0)
            pen.shape(ellipse(0.2 * s.look, -9.36, 0.17, n=12), c, shade=0)


def _crown(pen: Pen, s: HeadStyle) -> None:
    gold, gem = s.trim, s.hat_colour
    low = smooth([(0.92, -9.25), (0, -9.4), (-0.92, -9.25)], steps=4)
    match s.hat:
        case "points":
            pen.shape(
                np.concatenate(
                    [
                        [
                            (-0.92, -9.25),
                            (-1.12, -10.4),
                            (-0.62, -9.95),
                            (-0.42, -10.6),
                            (0, -10.0),
                            (0.42, -10.6),
                            (0.62, -9.95),
                            (1.12, -10.4),
                        ],
                        low,
                    ]
                ),
                gold,
            )
        case "lilies":
            pen.shape(np.concatenate([[(-0.92, -9.25), (-1.02, -9.95), (1.02, -9.95)], low]), gold)
            for x in (-0.8, 0, 0.8):
                pen.shape(
                    smooth(
                        [(x - 0.14, -9.9), (x - 0.34, -10.3), (x, -10.75), (x + 0.34, -10.3), (x + 0.14, -9.9)], True, 3
                    ),
                    gold,
                    shade=0.5,
                )
        case "balls":
            pen.shape(
                np.concatenate(
                    [[(-0.92, -9.25), (-1.08, -10.2), (-0.55, -9.85), (0, -10.3), (0.55, -9.85), (1.08, -10.2)], low]
                ),
                gold,
            )
            for x, y in ((-1.08, -10.3), (0, -10.42), (1.08, -10.3), (-0.55, -9.95), (0.55, -9.95)):
                pen.shape(ellipse(x, y, 0.14, n=12), light(gold, 0.4), shade=0)
        case "arched":
            pen.shape(smooth([(-0.95, -9.6), (-0.9, -10.4), (0, -10.65), (0.9, -10.4), (0.95, -9.6)], True, 4), gem)
            for x in (-0.5, 0, 0.5):
                pen.line(smooth([(x * 1.7, -9.6), (x * 1.6, -10.3), (0, -10.65)], steps=4), gold, 0.13)
            pen.shape(ellipse(0, -10.82, 0.18, n=12), gold, shade=0)
        case _:
            pen.shape(
                smooth(
                    [(-1.05, -9.3), (-1.25, -9.9), (-0.5, -10.4), (0.5, -10.4), (1.25, -9.9), (1.05, -9.3), (0, -9.5)],
                    True,
                ),
                light(gem, 0.3),
            )
            pen.line(smooth([(-1.0, -9.5), (0, -10.0), (1.1, -9.9)], steps=4))
            pen.shape([(-0.3, -10.3), (-0.4, -10.8), (0, -10.55), (0.4, -10.8), (0.3, -10.3)], gold)
    if s.hat != "turban":
        pen.shape(tube(smooth([(-0.95, -9.28), (0, -9.44), (0.95, -9.28)]), 0.26), gold, shade=0)
        for x in (-0.55, 0, 0.55):
            pen.fill(placed([(0, -1), (1, 0), (0, 1), (-1, 0)], x, -9.42 + 0.1 * abs(x), 0, 0.11), gem)


def draw_head(pen: Pen, s: HeadStyle) -> None:
    """The head on its neck; kings' crowns are hats named in :data:`CROWNS`."""
    _hair_back(pen, s)
    pen.shape(mirrored([(0.34, -8.1), (0.36, -7.4)]), dark(s.skin, 0.12), shade=0)
    _face(pen, s)
    _fringe(pen, s)
    _beard(pen, s)
    if s.hat in CROWNS:
        _crown(pen, s)
    else:
        _hat(pen, s)
