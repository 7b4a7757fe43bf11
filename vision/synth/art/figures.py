"""Bodies of the court figures: legs, tunics, robes, cloaks and arms.

Figure units: the feet stand on y = 0, the shoulders are at y = -7.5, the crown of the head near y = -9.8. ``side`` is
-1 for the left of the page, 1 for the right.
"""

from dataclasses import dataclass

import numpy as np

from vision.synth.art.curves import Points, ellipse, mirrored, placed, smooth, star, tube
from vision.synth.art.heads import HeadStyle
from vision.synth.art.pen import Colour, Pen, dark, light

GARMENTS = ("tunic", "trunk", "coat", "skirt")
COLLARS = ("ruff", "round", "cape", "band", "none")
PATTERNS = ("plain", "stripes", "dots", "diamonds", "halves", "border")


@dataclass(frozen=True, slots=True)
class Costume:
    """What one figure wears."""

    head: HeadStyle
    garment: str = "tunic"
    tunic: Colour = (45, 55, 200)
    second: Colour = (60, 189, 240)
    sleeve: Colour = (168, 111, 45)
    hose: tuple[Colour, Colour] = ((75, 138, 63), (75, 138, 63))
    shoe: Colour = (30, 40, 70)
    boots: bool = False
    cloak: Colour | None = None
    lining: Colour = (234, 246, 251)
    ermine: bool = False
    collar: str = "round"
    belt: Colour = (60, 189, 240)
    pattern: str = "plain"
    puffed: bool = True
    gloves: Colour | None = None
    ground: Colour | None = (90, 160, 110)


ARMS: dict[str, tuple[tuple[float, float], tuple[float, float]]] = {
    "hip": ((2.2, -6.05), (1.0, -5.15)),
    "raise": ((2.2, -6.4), (2.5, -7.95)),
    "down": ((1.7, -6.0), (1.85, -4.6)),
    "chest": ((1.85, -5.95), (0.55, -6.35)),
    "out": ((2.05, -6.5), (3.0, -6.9)),
    "grip": ((1.95, -6.05), (2.45, -5.5)),
}
"""Elbow and hand of an arm on the right of the page; mirrored for the left."""


def hand_at(pose: str, side: int) -> tuple[float, float]:
    """Where the hand of an arm in ``pose`` is."""
    x, y = ARMS[pose][1]
    return side * x, y


def draw_ground(pen: Pen, c: Costume, width: float = 2.6) -> None:
    """A tuft of earth under the feet."""
    if c.ground is None:
        return
    # The right end stays short of the numeral in the corner.
    left, right = -0.95 * width, 0.7 * width
    top = [(left, 0.1), (left * 0.6, -0.14), (-0.4, -0.02), (right * 0.5, -0.16), (right, 0.1)]
    pen.shape(smooth([*top, (right * 0.3, 0.36), (left * 0.5, 0.3)], True), c.ground, shade=0.7)


def draw_cloak(pen: Pen, c: Costume, length: float = -1.0) -> None:
    """The cloak as seen behind the figure, down to y = ``length``."""
    if c.cloak is None:
        return
    sides = [
        (0.9, -7.65),
        (1.65, -7.2),
        (2.15, -5.0),
        (2.3, -2.6),
        (2.5, length),
        (1.5, length + 0.25),
        (0.7, length - 0.1),
        (0, length + 0.2),
    ]
    outline = smooth(mirrored(sides), True, 4)
    pen.shape(outline, c.cloak)
    for x in (-1.7, 1.7):
        pen.line(smooth([(x * 0.85, -6.5), (x * 1.1, -4), (x * 1.2, length - 0.2)], steps=4))
    if c.ermine:
        for side in (-1, 1):
            edge = smooth([(side * 1.75, -6.6), (side * 2.2, -4.6), (side * 2.3, -2.4), (side * 2.45, length)], steps=5)
            pen.shape(tube(edge, 0.42), c.lining, shade=0)
            for x, y in edge[2::3]:
                pen.fill(ellipse(float(x), float(y), 0.07, 0.13, n=8), pen.print.ink)


def draw_legs(pen: Pen, c: Costume, stance: float = 0.6) -> None:
    """Two legs and shoes; ``stance`` is how far the feet stand apart."""
    for side, hose in zip((-1, 1), c.hose, strict=True):
        foot = side * stance
        out = side * 0.25 if side * c.head.look >= 0 else side * 0.1
        leg = smooth(
            [(side * 0.48, -4.4), (side * (0.5 + stance * 0.12), -2.5), (foot * 1.02 + out * 0.3, -1.7), (foot, -0.35)],
            steps=5,
        )
        pen.shape(tube(leg, np.interp(np.linspace(0, 1, len(leg)), [0, 0.45, 0.7, 1], [1.02, 0.72, 0.7, 0.42])), hose)
        toe = side if abs(stance) > 0.3 else (1 if c.head.look > 0 else -1)
        if c.boots:
            pen.shape(tube([(foot + out * 0.2, -1.75), (foot, -1.0), (foot, -0.3)], [0.86, 0.7, 0.56]), c.shoe)
            pen.shape(
                tube([(foot + out * 0.2 - 0.42, -1.78), (foot + out * 0.2 + 0.42, -1.74)], 0.22),
                light(c.shoe, 0.3),
                shade=0,
            )
        shoe = [(-0.3, -0.55), (0.2, -0.6), (0.55, -0.28), (1.1, -0.12), (1.0, 0.06), (-0.32, 0.06)]
        pen.shape(smooth(np.asarray(shoe) * (toe, 1) + (foot, 0), True, 4), c.shoe)


def _patterned(pen: Pen, c: Costume, outline: Points, top: float, bottom: float) -> None:
    match c.pattern:
        case "stripes":
            for x in (-0.6, 0, 0.6):
                pen.line([(x * 0.85, top + 0.25), (x, (top + bottom) / 2), (x * 1.5, bottom - 0.2)], c.second, 0.2)
        case "dots" | "diamonds":
            for row, y in enumerate(np.arange(top + 0.55, bottom - 0.25, 0.62)):
                for x in (-0.5, 0.5) if row % 2 else (-0.85, 0, 0.85):
                    spot = (
                        ellipse(0, 0, 0.13, n=10)
                        if c.pattern == "dots"
                        else np.array([(0, -0.26), (0.17, 0), (0, 0.26), (-0.17, 0)])
                    )
                    pen.fill(placed(spot, x, float(y)), c.second)
        case "halves":
            left = outline[outline[:, 0] <= 0.01]
            pen.shape(left, c.second)
        case "border":
            low = outline[outline[:, 1] > bottom - 0.5]
            if len(low) > 2:
                x0, x1 = float(low[:, 0].min()), float(low[:, 0].max())
                pen.shape(
                    tube([(x0 + 0.05, bottom - 0.3), (0, bottom - 0.22), (x1 - 0.05, bottom - 0.3)], 0.34),
                    c.second,
                    shade=0,
                )


def draw_torso(pen: Pen, c: Costume, seated: bool = False) -> None:
    """Tunic or doublet from the shoulders to the hem; ``seated`` stops at the hip."""
    hem = -4.3 if seated else {"tunic": -3.35, "trunk": -4.5, "coat": -2.6, "skirt": -3.0}[c.garment]
    flare = {"tunic": 1.45, "trunk": 1.0, "coat": 1.6, "skirt": 1.75}[c.garment] if not seated else 1.1
    chest = [(0.3, -7.72), (1.15, -7.6), (1.3, -7.0), (1.02, -6.0), (0.9, -5.35)]
    skirt = [(0.95, -5.2), (flare * 0.85, (hem - 5.2) / 2), (flare, hem)]
    if c.garment == "trunk" and not seated:
        for side in (-1, 1):
            puff = smooth(
                [(side * 0.1, -5.1), (side * 1.1, -4.9), (side * 1.35, -4.0), (side * 0.9, -3.35), (side * 0.12, -3.6)],
                True,
            )
            pen.shape(puff, c.tunic)
            for k in (0.3, 0.65, 1.0):
                pen.line(
                    smooth([(side * k * 0.8, -4.95), (side * k * 1.2, -4.2), (side * k * 0.8, -3.5)], steps=4),
                    c.second,
                    0.17,
                )
    else:
        outline = mirrored(smooth([*skirt, (flare * 0.5, hem + 0.12)], steps=4))
        pen.shape(outline, c.tunic)
        _patterned(pen, c, outline, -5.2, hem)
        for x in (-0.45, 0.4):
            pen.line([(x * 0.8, -5.0), (x * flare * 1.1, hem - 0.05)])
    body = mirrored(smooth(chest, steps=4))
    pen.shape(body, c.tunic)
    _patterned(pen, c, body, -7.7, -5.35)
    if c.garment in ("coat", "trunk"):
        pen.line([(0.06 * c.head.look, -7.4), (0.06 * c.head.look, -5.4)])
        for y in np.arange(-7.0, -5.5, 0.45):
            pen.fill(ellipse(0.06 * c.head.look, float(y), 0.1, n=8), c.second)
    pen.shape(tube(smooth([(-0.95, -5.35), (0, -5.22), (0.95, -5.35)]), 0.34), c.belt, shade=0)
    pen.shape(placed(star(4, 0.26, 0.2, 45), 0.1 * c.head.look, -5.22), light(c.belt, 0.5), shade=0)


def draw_robe(pen: Pen, c: Costume) -> None:
    """A king's robe down to the feet, with a broad band in front and a bordered hem."""
    for side in (-1, 1):
        pen.shape(ellipse(side * 0.7, -0.02, 0.6, 0.24, 160, 380, 14), c.shoe)
    outline = mirrored(
        smooth(
            [(0.3, -7.72), (1.2, -7.55), (1.35, -6.6), (1.15, -5.4), (1.5, -3.2), (1.95, -0.45), (0.8, -0.2)], steps=5
        )
    )
    pen.shape(outline, c.tunic)
    _patterned(pen, c, outline, -5.0, -1.2)
    hem = smooth([(-1.88, -0.75), (-0.8, -0.5), (0, -0.46), (0.8, -0.5), (1.88, -0.75)])
    pen.shape(tube(hem, 0.5), c.second, shade=0)
    for x, y in hem[4:-3:3]:
        pen.fill(ellipse(float(x), float(y), 0.12, n=8), c.belt)
    band = [(-0.32, -7.4), (0.32, -7.4), (0.3, -5.3), (0.5, -0.5), (-0.5, -0.5), (-0.3, -5.3)]
    pen.shape(band, c.second, shade=0.5)
    for y in np.arange(-6.8, -1.0, 0.9):
        pen.fill(placed([(0, -0.3), (0.2, 0), (0, 0.3), (-0.2, 0)], 0, float(y)), c.belt)
    for x in (-0.95, 0.95):
        pen.line(smooth([(x * 0.9, -5.0), (x * 1.15, -3), (x * 1.3, -1.0)], steps=4))
    pen.shape(tube(smooth([(-1.14, -5.3), (0, -5.12), (1.14, -5.3)]), 0.36), c.belt, shade=0)
    pen.line(smooth([(0.2, -5.1), (0.35, -4.2), (0.3, -3.3)], steps=4), c.belt, 0.16)


def draw_mantle(pen: Pen, c: Costume) -> None:
    """The shoulder part of a king's cloak, worn over the robe."""
    if c.cloak is None:
        return
    cape = smooth(
        [
            (-1.3, -6.35),
            (-1.75, -6.7),
            (-1.45, -7.5),
            (0, -7.95),
            (1.45, -7.5),
            (1.75, -6.7),
            (1.3, -6.35),
            (0.5, -6.75),
            (-0.5, -6.75),
        ],
        True,
    )
    pen.shape(cape, c.lining if c.ermine else c.cloak)
    if c.ermine:
        for x, y in ((-1.2, -6.95), (-0.75, -7.3), (-0.3, -7.0), (0.3, -7.1), (0.75, -7.35), (1.2, -6.95)):
            pen.fill(ellipse(x, y, 0.07, 0.14, n=8), pen.print.ink)
    else:
        pen.shape(ellipse(0, -7.0, 0.22, n=14), c.belt, shade=0)


def _between(a: tuple[float, float], b: tuple[float, float], share: float) -> tuple[float, float]:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def draw_arm(pen: Pen, c: Costume, side: int, pose: str) -> None:
    """One arm, sleeve and hand."""
    (ex, ey), (hx, hy) = ARMS[pose]
    shoulder, elbow, hand = (side * 1.12, -7.25), (side * ex, ey), (side * hx, hy)
    colour = c.second if c.pattern == "halves" and side < 0 else c.sleeve
    cuff = _between(elbow, hand, 0.75)
    # The bend is cut short: a sharper one would fold the sleeve's inner edge over itself.
    above, below = _between(shoulder, elbow, 0.66), _between(elbow, cuff, 0.4)
    pen.shape(tube(smooth([shoulder, above, below, cuff], steps=6), [0.85, 0.78, 0.66, 0.5]), colour)
    d = np.asarray(hand) - np.asarray(elbow)
    d = d / max(float(np.hypot(*d)), 1e-6)
    pen.shape(tube([np.asarray(cuff) - d * 0.1, np.asarray(cuff) + d * 0.16], 0.66), c.belt, shade=0)
    if c.puffed:
        middle = np.asarray(shoulder) * 0.62 + np.asarray(elbow) * 0.38
        pen.shape(ellipse(float(middle[0]), float(middle[1]), 0.62, 0.66), c.tunic if colour != c.tunic else c.second)
        for k in (-0.25, 0.1, 0.4):
            pen.line(placed(smooth([(k, -0.55), (k * 1.3, 0), (k, 0.55)], steps=3), *middle))
    palm = c.gloves if c.gloves is not None else c.head.skin
    pen.shape(
        placed(
            smooth([(-0.3, 0.0), (-0.22, -0.3), (0.18, -0.32), (0.36, 0.0), (0.18, 0.28), (-0.22, 0.26)], True, 3),
            *hand,
        ),
        palm,
        shade=0.5,
    )
    for k in (-0.1, 0.06):
        pen.line(placed([(0.08 * side, k), (0.3 * side, k)], *hand))


def draw_collar(pen: Pen, c: Costume) -> None:
    """What lies around the neck, drawn after the torso and before the head."""
    match c.collar:
        case "ruff":
            for x in np.linspace(-0.85, 0.85, 7):
                pen.shape(ellipse(float(x), -7.55 + 0.12 * (1 - abs(float(x))), 0.22, 0.3, n=12), c.lining, shade=0)
        case "round":
            pen.shape(tube(smooth([(-0.85, -7.6), (0, -7.22), (0.85, -7.6)]), 0.42), c.second, shade=0)
        case "cape":
            pen.shape(
                smooth(
                    [
                        (-1.45, -6.75),
                        (-1.2, -7.55),
                        (0, -7.8),
                        (1.2, -7.55),
                        (1.45, -6.75),
                        (0.7, -6.6),
                        (0, -6.3),
                        (-0.7, -6.6),
                    ],
                    True,
                    4,
                ),
                c.second,
            )
        case "band":
            pen.shape([(-0.4, -7.75), (0.4, -7.75), (0.75, -7.1), (0, -7.35), (-0.75, -7.1)], c.lining, shade=0)


def shade_of(colour: Colour) -> Colour:
    """The far side of something of this colour."""
    return dark(colour, 0.22)
