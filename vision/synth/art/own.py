"""Our own deck: a castellano-pattern deck drawn here, fixed for good."""

from dataclasses import replace

from vision.synth.art.aces import AceStyle
from vision.synth.art.backs import BackStyle
from vision.synth.art.clubs import ClubStyle
from vision.synth.art.coins import CoinStyle
from vision.synth.art.courts import CourtStyle
from vision.synth.art.cups import CupStyle
from vision.synth.art.figures import Costume
from vision.synth.art.frame import FrameStyle
from vision.synth.art.glyphs import DigitStyle
from vision.synth.art.heads import HeadStyle
from vision.synth.art.horses import HorseStyle
from vision.synth.art.layouts import ROUND_LAYOUTS, Grid, Stick
from vision.synth.art.palette import palette
from vision.synth.art.pen import Colour, Print, dark, mix
from vision.synth.art.style import DeckStyle, RoundPips, StickPips
from vision.synth.art.swords import SwordStyle

P = palette(
    red="c4412f",
    blue="1f6a8c",
    yellow="eeb53c",
    green="5c8c3f",
    brown="8a5730",
    steel="a9cbd8",
    skin="f3cda8",
    white="fdf8ec",
    ink="2a2226",
    paper="fcf8ee",
)
"""Brick red, petrol blue, ochre and olive on cream paper."""

NIGHT = dark(P.blue, 0.45)
WINE = dark(P.red, 0.35)
SAND = mix(P.yellow, P.white, 0.55)
ROSE = mix(P.red, P.skin, 0.55)
SKY = mix(P.blue, P.white, 0.5)
MOSS = dark(P.green, 0.35)

COIN = CoinStyle(
    rim="beads",
    heart="sun",
    gold=P.yellow,
    accent=P.red,
    second=P.blue,
    ground=SAND,
    inner=0.8,
    motto=("BUENA SUERTE", "BRISCA"),
)
CUP = CupStyle(
    bowl="round",
    decor="diamonds",
    lid="dome",
    base="steps",
    body=P.red,
    rim=P.yellow,
    stem=P.yellow,
    foot=P.blue,
    jewel=SAND,
    wide=0.74,
    stem_length=0.2,
)
SWORD = SwordStyle(
    blade="straight",
    short_blade="taper",
    guard="drooped",
    pommel="ball",
    steel=P.steel,
    hilt=P.yellow,
    grip=P.red,
    blade_width=0.46,
    guard_width=0.95,
    grip_length=0.95,
    fuller=True,
    two_tone=True,
)
CLUB = ClubStyle(
    shape="cudgel",
    woods=(P.green, P.red, mix(P.yellow, P.brown, 0.2)),
    cut=SAND,
    leaf=P.green,
    streak=True,
    knobs=4,
    twigs=1,
    leaves=False,
    bark=2,
    width=0.27,
    bend=0.015,
    seed=12,
)


def _head(
    hat: str,
    hair: str,
    hair_colour: Colour,
    hat_colour: Colour,
    feather: Colour | None,
    look: float,
    beard: str = "none",
) -> HeadStyle:
    return HeadStyle(
        hat=hat,
        hair=hair,
        beard=beard,
        skin=P.skin,
        hair_colour=hair_colour,
        hat_colour=hat_colour,
        trim=P.yellow,
        feather=feather,
        look=look,
        blush=P.red,
    )


GREY = mix(P.steel, P.white, 0.55)
CHESTNUT = dark(P.brown, 0.25)
BLOND = mix(P.yellow, P.brown, 0.25)
BLACK = mix(P.ink, P.brown, 0.25)
GRASS = mix(P.green, P.yellow, 0.45)

_PAGES: dict[str, Costume] = {
    "O": Costume(
        head=_head("beret", "bob", CHESTNUT, P.red, P.white, -0.6),
        garment="trunk", tunic=P.blue, second=P.yellow, sleeve=P.yellow, hose=(P.red, P.red), shoe=CHESTNUT,
        cloak=None, collar="ruff", belt=P.yellow, pattern="plain", lining=P.white, ground=GRASS,
    ),
    "C": Costume(
        head=_head("brim", "long", BLOND, P.green, P.red, -0.6),
        garment="tunic", tunic=P.green, second=SAND, sleeve=P.red, hose=(P.yellow, P.yellow), shoe=WINE,
        cloak=P.red, collar="band", belt=P.yellow, pattern="border", lining=P.white, ground=GRASS,
    ),
    "E": Costume(
        head=_head("band", "curls", BLOND, P.red, None, -0.6),
        garment="skirt", tunic=P.blue, second=P.yellow, sleeve=SKY, hose=(P.red, P.red), shoe=P.brown, boots=True,
        cloak=P.red, collar="cape", belt=P.yellow, pattern="border", lining=P.white, ground=GRASS,
    ),
    "B": Costume(
        head=_head("cap", "short", BLACK, P.blue, P.red, -0.6),
        garment="coat", tunic=P.red, second=P.yellow, sleeve=P.blue, hose=(P.yellow, P.green), shoe=CHESTNUT,
        cloak=P.green, collar="round", belt=SAND, pattern="diamonds", lining=P.white, ground=GRASS,
    ),
}  # fmt: skip
_RIDERS: dict[str, Costume] = {
    "O": Costume(
        head=_head("plumed", "bob", CHESTNUT, P.blue, P.red, -0.6),
        tunic=P.red, second=P.yellow, sleeve=P.blue, hose=(P.yellow, P.yellow), shoe=CHESTNUT, boots=True,
        cloak=P.green, collar="round", belt=P.yellow, pattern="plain", lining=P.white, ground=GRASS,
    ),
    "C": Costume(
        head=_head("beret", "long", BLOND, P.red, P.white, -0.6),
        tunic=P.green, second=P.yellow, sleeve=P.red, hose=(P.red, P.red), shoe=P.brown, boots=True,
        cloak=P.blue, collar="ruff", belt=P.yellow, pattern="plain", lining=P.white, ground=GRASS,
    ),
    "E": Costume(
        head=_head("helmet", "short", BLACK, P.steel, P.red, -0.6, "moustache"),
        tunic=P.blue, second=P.yellow, sleeve=P.steel, hose=(P.steel, P.steel), shoe=NIGHT, boots=True,
        cloak=P.red, collar="round", belt=P.red, pattern="plain", lining=P.white, ground=GRASS,
    ),
    "B": Costume(
        head=_head("hood", "bob", CHESTNUT, P.green, None, -0.6),
        tunic=P.yellow, second=P.red, sleeve=P.green, hose=(P.blue, P.blue), shoe=CHESTNUT, boots=True,
        cloak=P.red, collar="cape", belt=P.red, pattern="plain", lining=P.white, ground=GRASS,
    ),
}  # fmt: skip
_KINGS: dict[str, Costume] = {
    "O": Costume(
        head=_head("points", "long", GREY, P.red, None, -0.6, "long"),
        tunic=P.red, second=SAND, sleeve=P.yellow, shoe=WINE, cloak=P.blue, ermine=True, collar="none",
        belt=P.yellow, pattern="plain", lining=P.white, puffed=False, ground=GRASS,
    ),
    "C": Costume(
        head=_head("lilies", "long", CHESTNUT, P.blue, None, -0.6, "full"),
        tunic=P.green, second=P.yellow, sleeve=P.red, shoe=WINE, cloak=P.red, ermine=True, collar="none",
        belt=SAND, pattern="plain", lining=P.white, puffed=False, ground=GRASS,
    ),
    "E": Costume(
        head=_head("balls", "long", GREY, P.blue, None, -0.6, "forked"),
        tunic=P.blue, second=P.yellow, sleeve=SKY, shoe=NIGHT, cloak=WINE, ermine=True, collar="none",
        belt=P.red, pattern="plain", lining=P.white, puffed=False, ground=GRASS,
    ),
    "B": Costume(
        head=_head("arched", "curls", BLACK, P.green, None, -0.6, "full"),
        tunic=P.yellow, second=P.red, sleeve=P.green, shoe=CHESTNUT, cloak=P.green, ermine=True, collar="none",
        belt=P.blue, pattern="plain", lining=P.white, puffed=False, ground=GRASS,
    ),
}  # fmt: skip
_HORSES: dict[str, HorseStyle] = {
    "O": HorseStyle("walk", mix(P.brown, P.yellow, 0.35), CHESTNUT, BLACK, P.red, P.blue, P.yellow),
    "C": HorseStyle("prance", P.white, mix(P.steel, P.white, 0.3), BLACK, P.blue, P.red, P.yellow),
    "E": HorseStyle("rear", dark(P.brown, 0.3), BLACK, BLACK, P.yellow, P.red, P.yellow, socks=True),
    "B": HorseStyle("stand", mix(P.steel, P.white, 0.35), P.ink, BLACK, P.red, P.green, P.yellow, dapple=True),
}


def _courts() -> dict[str, CourtStyle]:
    courts = {}
    poses = {
        "O": ("hip", "out", "down"),
        "C": ("hip", "hip", "chest"),
        "E": ("hip", "down", "chest"),
        "B": ("down", "out", "hip"),
    }
    for tone, suit in enumerate("OCEB"):
        page, rider, king = poses[suit]
        courts[f"10{suit}"] = CourtStyle(
            _PAGES[suit], other_arm=page, stance=(0.6, 0.35, 0.65, 0.55)[tone], stretch=0.98
        )
        courts[f"11{suit}"] = CourtStyle(_RIDERS[suit], _HORSES[suit], other_arm=rider, stretch=0.8, tone=1)
        courts[f"12{suit}"] = CourtStyle(_KINGS[suit], other_arm=king, stretch=1.02)
    return courts


_EIGHT: Grid = ROUND_LAYOUTS[8][0]
_NINE: Grid = ROUND_LAYOUTS[9][0]
_NINE_COINS: Grid = ROUND_LAYOUTS[9][1]
_GRIDS: dict[int, Grid] = {rank: grids[0] for rank, grids in ROUND_LAYOUTS.items()} | {8: _EIGHT, 9: _NINE}


def _rows(rank: int, tips_in: bool) -> tuple[Stick, ...]:
    """Small swords and clubs: an upper and a lower row, one lying across when the rank is odd."""
    half, length = rank // 2, 0.43
    turn = 0 if tips_in else 180
    xs = [0.5 + (k / (half - 1) - 0.5) * (0.74 if half == 2 else 0.8 if half == 3 else 0.86) for k in range(half)]
    sticks = [Stick(x, 0.24, length, 180 - turn, k) for k, x in enumerate(xs)]
    sticks += [Stick(x, 0.76, length, turn, k + 1) for k, x in enumerate(xs)]
    return (*sticks, Stick(0.5, 0.5, length * 0.95, 90, 2)) if rank % 2 else tuple(sticks)


def _slanted(tips_in: bool) -> tuple[Stick, ...]:
    turn = 180 if tips_in else 0
    spots = ((0.24, 0.23, -30), (0.76, 0.23, 30), (0.24, 0.77, 210), (0.76, 0.77, 150))
    return tuple(Stick(x, y, 0.42, angle + turn, k) for k, (x, y, angle) in enumerate(spots))


def _sticks(suit: str) -> dict[int, tuple[Stick, ...]]:
    swords = suit == "E"
    sticks = {rank: _rows(rank, swords) for rank in (5, 6, 7, 8, 9)}
    sticks[4] = _slanted(swords)
    sticks[2] = (Stick(0.28, 0.5, 0.96, 0, 0, False), Stick(0.72, 0.5, 0.96, 180, 1, False))
    if swords:
        sticks[3] = tuple(Stick(0.5 + 0.33 * k, 0.5, 0.96, 180 if k else 0, 0, False) for k in (-1, 0, 1))
    else:
        sticks[3] = (
            Stick(0.5, 0.5, 0.96, 0, 1, False),
            Stick(0.5, 0.5, 0.94, 25, 0, False),
            Stick(0.5, 0.5, 0.94, -25, 2, False),
        )
    return sticks


OWN_STYLE = DeckStyle(
    seed=0,
    palette=P,
    ink=Print(ink=P.ink, line=0.24, shading="glow", depth=0.2),
    frame=FrameStyle(
        margin=(4.6, 4.8),
        width=0.42,
        colour=P.ink,
        round_corner=1.4,
        gap=0.12,
        digits=DigitStyle(weight=0.13, contrast=0.62, width=0.92, serif=0.13, ball=True),
        digit_height=5.6,
        digit_colour=P.ink,
        digit_inset=(1.1, 1.3),
        halo=0.55,
    ),
    coin=COIN,
    cup=CUP,
    sword=SWORD,
    club=CLUB,
    round_pips={
        "O": RoundPips(_GRIDS | {9: _NINE_COINS}, fill=0.95, largest=11.5, big_centre=True),
        "C": RoundPips(_GRIDS, fill=0.95, largest=12.5),
    },
    stick_pips={"E": StickPips(_sticks("E"), 1.1), "B": StickPips(_sticks("B"), 1.0)},
    courts=_courts(),
    aces=AceStyle(
        wreath=True,
        banner_top="BRISCA",
        banner_bottom="A LA MESA",
        banner_colour=P.red,
        ribbon=True,
        ribbon_colours=(P.red, P.blue),
        sword_angle=22,
        club_angle=22,
        spiral=True,
        cup=replace(CUP, decor="gadroons", handles=True, jewel=P.blue, foot=P.red, wide=0.62, stem_length=0.24),
        size=0.98,
    ),
    back=BackStyle(
        pattern="lattice",
        ink=SAND,
        second=SAND,
        ground=P.blue,
        border=3.6,
        border_colour=P.paper,
        frame=0.5,
        step=4.2,
        line=0.16,
        medallion="disc",
    ),
    padding=(3.0, 4.2),
    corner_mm=4.0,
)
"""The style behind ``own_deck()``."""
