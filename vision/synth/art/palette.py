"""Ink colours of a deck, by the part they play."""

import colorsys
from dataclasses import dataclass, fields

from vision.synth.art.dice import Dice
from vision.synth.art.pen import Colour, mix, rgb


@dataclass(frozen=True, slots=True)
class Palette:
    """The inks of one deck, BGR."""

    red: Colour
    blue: Colour
    yellow: Colour
    green: Colour
    brown: Colour
    steel: Colour
    skin: Colour
    white: Colour
    ink: Colour
    paper: Colour


def palette(**inks: str) -> Palette:
    """A palette from red-green-blue hex values."""
    return Palette(**{name: rgb(value) for name, value in inks.items()})


_FAMILIES: dict[str, dict[str, str]] = {
    "print": {
        "red": "dd3322", "blue": "2aa5dd", "yellow": "f5d02a", "green": "5fae2e", "brown": "9c6a34",
        "steel": "4fb6e6", "skin": "f7cfae", "white": "ffffff", "ink": "1a1416", "paper": "fdfdfa",
    },
    "deep": {
        "red": "d2184a", "blue": "1787c4", "yellow": "f3b71c", "green": "1f6b33", "brown": "87512b",
        "steel": "3a92cc", "skin": "fad5b8", "white": "fefefe", "ink": "181618", "paper": "fbfbfb",
    },
    "orange": {
        "red": "e2541d", "blue": "4a8fdc", "yellow": "f4c32c", "green": "3e9c46", "brown": "a5672e",
        "steel": "5d9be8", "skin": "f4c59c", "white": "fffdf5", "ink": "201813", "paper": "fcfaf4",
    },
    "muted": {
        "red": "b5483a", "blue": "54728f", "yellow": "d5aa4d", "green": "6b8355", "brown": "82613f",
        "steel": "93aabb", "skin": "e6bf9b", "white": "f5efe0", "ink": "332a28", "paper": "f3ecdb",
    },
    "old": {
        "red": "a63a2c", "blue": "3b5c74", "yellow": "cfa040", "green": "55683c", "brown": "71502f",
        "steel": "7f95a0", "skin": "dcb48c", "white": "ece0c4", "ink": "2c2420", "paper": "e8dcc0",
    },
    "modern": {
        "red": "e0614a", "blue": "4c6e96", "yellow": "f2c12e", "green": "4f9a6c", "brown": "a87b5a",
        "steel": "a7c7dc", "skin": "f3cdb0", "white": "f7f7f5", "ink": "2a3040", "paper": "ffffff",
    },
    "candy": {
        "red": "f0284c", "blue": "1e5fe0", "yellow": "ffdc1e", "green": "12a84c", "brown": "b06a28",
        "steel": "88c8f4", "skin": "ffd9b8", "white": "ffffff", "ink": "101014", "paper": "ffffff",
    },
    "dusk": {
        "red": "8e2336", "blue": "233a6b", "yellow": "c9902e", "green": "24573f", "brown": "5e3d28",
        "steel": "71849c", "skin": "e2b48e", "white": "f3ead8", "ink": "1a1512", "paper": "f7f0e0",
    },
}  # fmt: skip
_WEIGHTS = {
    "print": 0.26,
    "deep": 0.17,
    "orange": 0.15,
    "muted": 0.11,
    "old": 0.09,
    "modern": 0.1,
    "candy": 0.06,
    "dusk": 0.06,
}


def _shifted(colour: Colour, hue: float, chroma: float, value: float) -> Colour:
    b, g, r = (c / 255 for c in colour)
    h, s, v = colorsys.rgb_to_hsv(r, g, b)
    r, g, b = colorsys.hsv_to_rgb((h + hue) % 1, min(1, s * chroma), min(1, v * value))
    return round(b * 255), round(g * 255), round(r * 255)


def random_palette(dice: Dice) -> Palette:
    """A family of inks with its own drift in hue, strength and paper tone; now and then nearly one colour."""
    family = _FAMILIES[dice.pick(list(_WEIGHTS), list(_WEIGHTS.values()))]
    chroma, value = dice.between(0.75, 1.15), dice.between(0.92, 1.06)
    inks: dict[str, Colour] = {}
    for name, colour in family.items():
        strength = 0.35 if name in ("paper", "white", "ink") else 1.0
        inks[name] = _shifted(
            rgb(colour),
            float(dice.rng.normal(0, 0.014)) * strength,
            chroma * dice.between(0.9, 1.1),
            1 + (value * dice.between(0.94, 1.06) - 1) * strength,
        )
    kind = dice.between(0, 1)
    if kind < 0.05:  # engraved look: outlines with a weak tint
        tint = dice.between(0.5, 0.8)
        return Palette(**{k: mix(v, inks["paper"], tint) if k != "ink" else v for k, v in inks.items()})
    if kind < 0.09:  # one coloured ink over pale shades
        ink = inks[dice.pick(["red", "blue", "green", "brown"])]
        inks["ink"] = _shifted(ink, 0, 1.1, 0.6)
    if dice.toss(0.12):  # greyish or tinted card stock
        inks["paper"] = mix(inks["paper"], rgb(dice.pick(["c9cac8", "e9dcc0", "dfe6ea", "f2e6d8"])), 0.6)
    return Palette(**{f.name: inks[f.name] for f in fields(Palette)})
