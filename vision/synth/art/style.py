"""Everything that makes one deck look like itself, and random decks of every school."""

from dataclasses import dataclass, replace

import numpy as np

from vision.labels import CARD_MM
from vision.synth.art.aces import AceStyle, random_aces
from vision.synth.art.backs import BackStyle, random_back
from vision.synth.art.clubs import ClubStyle, random_club
from vision.synth.art.coins import CoinStyle, random_coin
from vision.synth.art.courts import CourtStyle
from vision.synth.art.cups import CupStyle, random_cup
from vision.synth.art.figures import ARMS, COLLARS, GARMENTS, PATTERNS, Costume
from vision.synth.art.frame import FrameStyle, random_frame
from vision.synth.art.heads import BEARDS, CROWNS, HAIR, HATS, HeadStyle
from vision.synth.art.horses import GAITS, HorseStyle
from vision.synth.art.layouts import ROUND_LAYOUTS, SCHOOLS, Grid, Stick, stick_layout
from vision.synth.art.letters import random_words
from vision.synth.art.palette import Palette, random_palette
from vision.synth.art.paper import PaperStyle, random_paper
from vision.synth.art.pen import Colour, Print, dark, light, mix, rgb
from vision.synth.art.swords import SwordStyle, random_sword


@dataclass(frozen=True, slots=True)
class RoundPips:
    """How one deck lays out oros or copas."""

    grids: dict[int, Grid]
    fill: float = 0.95
    largest: float = 11.0
    """Cap of a pip's half height, mm."""
    inverted: str = "none"
    """``none``, ``lower`` (the lower half stands on its head) or ``alternate``."""
    big_centre: bool = False
    """The middle pip of the five is larger."""


@dataclass(frozen=True, slots=True)
class StickPips:
    """How one deck lays out espadas or bastos."""

    sticks: dict[int, tuple[Stick, ...]]
    unit: float = 3.0
    """Size of a sword's hilt, or width of a club as a multiple of its own style, mm."""


@dataclass(frozen=True, slots=True)
class SmallPrint:
    """Words on a few cards: label to text, with a signature under some."""

    words: dict[str, str]
    height: float = 2.2
    colour: Colour = (40, 40, 160)
    signature: bool = False


@dataclass(frozen=True, slots=True)
class DeckStyle:
    """One deck, drawn wholly from these values and ``seed``."""

    seed: int
    palette: Palette
    ink: Print
    frame: FrameStyle
    coin: CoinStyle
    cup: CupStyle
    sword: SwordStyle
    club: ClubStyle
    round_pips: dict[str, RoundPips]
    stick_pips: dict[str, StickPips]
    courts: dict[str, CourtStyle]
    aces: AceStyle
    back: BackStyle
    paper: PaperStyle = PaperStyle()
    print_words: SmallPrint | None = None
    padding: tuple[float, float] = (2.0, 3.0)
    """Free space between frame and pips, mm."""
    shift: tuple[float, float] = (0.0, 0.0)
    shift_spread: float = 0.0
    turn: float = 0.0
    panel: Colour | None = None
    """Colour of the field inside the frame, when it is not the paper's."""
    corner_mm: float = 4.0
    card_mm: tuple[float, float] = CARD_MM


def _coin_toss(rng: np.random.Generator, share: float) -> bool:
    return bool(rng.random() < share)


def _random_print(rng: np.random.Generator, p: Palette) -> Print:
    off = float(rng.exponential(0.09)) if _coin_toss(rng, 0.6) else 0.0
    angle = float(rng.uniform(0, 2 * np.pi))
    off = min(off, 0.4)
    return Print(
        ink=p.ink,
        line=float(rng.uniform(0.1, 0.36)),
        shading=str(rng.choice(["flat", "side", "hatch", "soft", "glow"], p=[0.16, 0.25, 0.25, 0.14, 0.2])),
        depth=float(rng.uniform(0.15, 0.4)),
        misregistration=(off * np.cos(angle), off * np.sin(angle)),
        wobble=float(rng.uniform(0.05, 0.35)) if _coin_toss(rng, 0.3) else 0.0,
        outlined=_coin_toss(rng, 0.92),
    )


def _random_round(rng: np.random.Generator, cups: bool, classic: bool) -> RoundPips:
    pick = lambda grids: grids[0 if classic and _coin_toss(rng, 0.88) else int(rng.integers(len(grids)))]  # noqa: E731
    return RoundPips(
        grids={rank: pick(grids) for rank, grids in ROUND_LAYOUTS.items()},
        fill=float(rng.uniform(0.78, 0.99)),
        largest=float(rng.uniform(8.5, 13.5) if not cups else rng.uniform(9.5, 16)),
        inverted=str(rng.choice(["none", "lower", "alternate"], p=[0.78, 0.14, 0.08]))
        if cups and not classic
        else "none",
        big_centre=not cups and _coin_toss(rng, 0.45),
    )


def _random_sticks(rng: np.random.Generator, clubs: bool, classic: bool) -> StickPips:
    school = str(rng.choice(SCHOOLS, p=[0.45, 0.18, 0.1, 0.09, 0.18])) if not classic else "castellano"
    inward = _coin_toss(rng, 0.35 if clubs else 0.85)
    alternate = _coin_toss(rng, 0.55 if clubs else 0.12)
    crossing = _coin_toss(rng, 0.75 if clubs else 0.12)
    stray = 0.02 if classic else 0.15
    sticks = {}
    for rank in range(2, 10):
        mine = str(rng.choice(SCHOOLS)) if _coin_toss(rng, stray) else school
        crossed = crossing and (rank == 3 or _coin_toss(rng, 0.05 if classic else 0.4))
        sticks[rank] = tuple(stick_layout(rank, rng, mine, inward, crossed, alternate))
    return StickPips(sticks=sticks, unit=float(rng.uniform(0.85, 1.3)))


def _random_head(rng: np.random.Generator, p: Palette, king: bool, old: bool) -> HeadStyle:
    cloths = [p.red, p.blue, p.green, p.yellow, p.brown, p.white]
    pick = lambda: cloths[int(rng.integers(len(cloths)))]  # noqa: E731
    hairs = [p.brown, p.yellow, dark(p.brown, 0.5), p.ink, mix(p.red, p.yellow, 0.5)]
    greys = [p.white, mix(p.steel, p.white, 0.6), mix(p.brown, p.white, 0.4), p.brown, dark(p.brown, 0.5)]
    beards = (
        ("full", "long", "forked", "full", "goatee")
        if king
        else BEARDS
        if old
        else ("none", "none", "none", "goatee", "moustache")
    )
    return HeadStyle(
        hat=str(rng.choice(CROWNS if king else HATS)),
        hair=str(rng.choice(HAIR)),
        beard=str(rng.choice(beards)),
        skin=mix(p.skin, p.white, float(rng.uniform(0, 0.4))),
        hair_colour=(greys if king else hairs)[int(rng.integers(5))],
        hat_colour=pick(),
        trim=p.yellow if king or _coin_toss(rng, 0.6) else pick(),
        feather=pick() if _coin_toss(rng, 0.75) else None,
        look=float(rng.choice([-0.9, -0.5, 0.0, 0.5, 0.9])),
        blush=p.red if _coin_toss(rng, 0.5) else None,
    )


def _random_costume(rng: np.random.Generator, p: Palette, rank: int) -> Costume:
    king = rank == 12
    cloths = [
        p.red,
        p.blue,
        p.green,
        p.yellow,
        p.red,
        p.blue,
        mix(p.red, p.ink, 0.3),
        mix(p.blue, p.ink, 0.3),
        p.brown,
        light(p.green, 0.3),
    ]
    order = [cloths[int(k)] for k in rng.permutation(len(cloths))]
    parted = _coin_toss(rng, 0.35)
    earth = [p.green, mix(p.green, p.yellow, 0.5), mix(p.brown, p.yellow, 0.5), p.brown]
    return Costume(
        head=_random_head(rng, p, king, rank == 11),
        garment=str(rng.choice(GARMENTS)),
        tunic=order[0],
        second=p.yellow if _coin_toss(rng, 0.4) and order[0] != p.yellow else order[1],
        sleeve=order[2] if _coin_toss(rng, 0.6) else order[0],
        hose=(order[3], order[4] if parted else order[3]),
        shoe=[p.brown, p.ink, p.red, p.yellow, order[3]][int(rng.integers(5))],
        boots=_coin_toss(rng, 0.35),
        cloak=order[5] if _coin_toss(rng, 0.92 if king else 0.45) else None,
        lining=p.white,
        ermine=king and _coin_toss(rng, 0.55),
        collar=str(rng.choice(COLLARS)),
        belt=p.yellow if _coin_toss(rng, 0.65) else order[6],
        pattern=str(rng.choice(PATTERNS)),
        puffed=_coin_toss(rng, 0.5),
        gloves=p.white if _coin_toss(rng, 0.1) else None,
        ground=earth[int(rng.integers(4))] if _coin_toss(rng, 0.75) else None,
    )


def _random_horse(rng: np.random.Generator, p: Palette) -> HorseStyle:
    coats = [
        p.brown,
        mix(p.brown, p.yellow, 0.5),
        p.white,
        mix(p.steel, p.white, 0.5),
        dark(p.brown, 0.5),
        mix(p.brown, p.red, 0.3),
        p.steel,
    ]
    coat = coats[int(rng.integers(len(coats)))]
    cloths = [p.red, p.blue, p.green, p.yellow]
    return HorseStyle(
        gait=str(rng.choice(GAITS)),
        coat=coat,
        mane=[dark(coat, 0.5), p.ink, p.white, p.yellow, dark(coat, 0.3)][int(rng.integers(5))],
        hoof=dark(p.brown, 0.6),
        tack=cloths[int(rng.integers(4))],
        cloth=cloths[int(rng.integers(4))] if _coin_toss(rng, 0.8) else None,
        trim=p.yellow if _coin_toss(rng, 0.7) else p.white,
        fringe=_coin_toss(rng, 0.5),
        socks=_coin_toss(rng, 0.25),
        dapple=_coin_toss(rng, 0.2),
        caparison=_coin_toss(rng, 0.3),
    )


def _random_courts(rng: np.random.Generator, p: Palette, classic: bool) -> dict[str, CourtStyle]:
    double = _coin_toss(rng, 0.0 if classic else 0.2)
    corner = _coin_toss(rng, 0.12 if classic else 0.4)
    size = float(rng.uniform(0.86, 1.02))
    alike = _coin_toss(rng, 0.3)  # many decks dress the four figures of a rank alike
    shared = {rank: int(rng.integers(1 << 30)) for rank in (10, 11, 12)}
    left_handed = {rank: float(rng.choice([0.15, 0.5, 0.85], p=[0.5, 0.3, 0.2])) for rank in (10, 11, 12)}
    courts = {}
    for suit in "OCEB":
        for rank in (10, 11, 12):
            own = np.random.default_rng(shared[rank]) if alike and _coin_toss(rng, 0.8) else rng
            in_corner = corner or (suit == "O" and _coin_toss(rng, 0.3)) or _coin_toss(rng, 0.08)
            costume = _random_costume(own, p, rank)
            if in_corner and rank == 10 and _coin_toss(rng, 0.3):
                in_corner = False
            courts[f"{rank}{suit}"] = CourtStyle(
                costume=costume,
                horse=_random_horse(rng, p) if rank == 11 else None,
                pip="corner" if in_corner else "hand",
                other_arm=str(rng.choice(["hip", "down", "chest", "out"]))
                if rank != 12
                else str(rng.choice(["hip", "down", "chest"])),
                flip=_coin_toss(rng, left_handed[rank]),
                stance=float(rng.choice([0.25, 0.6, 0.9])),
                size=size * float(rng.uniform(0.95, 1.03)),
                stretch=float(rng.uniform(0.82, 0.95) if rank == 11 else rng.uniform(0.88, 1.08)),
                double=double,
                tone=int(rng.integers(3)),
            )
    assert all(pose in ARMS for pose in ("hip", "down", "chest", "out"))
    return courts


def _random_words(rng: np.random.Generator, p: Palette) -> SmallPrint | None:
    if _coin_toss(rng, 0.35):
        return None
    places = ["4O", "4C", "4E", "5E", "2E", "2B", "2O", "10O", "12C", "6O", "4B", "2C"]
    some = rng.choice(places, int(rng.integers(1, 6)), replace=False)
    inks = [p.red, p.blue, p.ink, p.green]
    return SmallPrint(
        words={str(label): random_words(rng, int(rng.integers(1, 4))) for label in some},
        height=float(rng.uniform(1.3, 3.0)),
        colour=inks[int(rng.integers(4))],
        signature=_coin_toss(rng, 0.4),
    )


def _castellano_pips(
    rng: np.random.Generator, p: Palette, coin: CoinStyle, cup: CupStyle, sword: SwordStyle, club: ClubStyle
) -> tuple[CoinStyle, CupStyle, SwordStyle, ClubStyle]:
    """Pips nearer to the castellano pattern: a golden medal, a red lidded urn, blue daggers, green and red cudgels."""
    if _coin_toss(rng, 0.8):
        gold = mix(p.yellow, p.red if _coin_toss(rng, 0.4) else p.brown, float(rng.uniform(0, 0.35)))
        coin = replace(
            coin, heart="profile", gold=gold, ground=None, accent=p.red if _coin_toss(rng, 0.5) else dark(gold, 0.5)
        )
        coin = replace(coin, rim=str(rng.choice(["milled", "beads", "plain", "rope"])))
    if _coin_toss(rng, 0.8):
        cup = replace(
            cup,
            body=p.red,
            rim=p.yellow,
            stem=p.yellow,
            lid="dome",
            bowl=str(rng.choice(["round", "tulip", "bell", "waist"])),
        )
        cup = replace(cup, wide=float(rng.uniform(0.55, 0.8)), stem_length=float(rng.uniform(0.1, 0.3)), handles=False)
        cup = replace(
            cup,
            foot=[p.yellow, p.blue, p.red][int(rng.integers(3))],
            jewel=[p.yellow, p.blue, p.white][int(rng.integers(3))],
        )
    if _coin_toss(rng, 0.8):
        steel = [p.blue, p.steel, light(p.blue, 0.3)][int(rng.integers(3))]
        sword = replace(sword, blade="straight", short_blade="dagger", steel=steel, hilt=p.yellow)
        sword = replace(sword, grip=[p.red, p.brown, p.yellow][int(rng.integers(3))])
    if _coin_toss(rng, 0.8):
        red = mix(p.red, p.yellow, float(rng.uniform(0, 0.4)))
        woods = (p.green, red, p.yellow) if _coin_toss(rng, 0.6) else (red, p.green, p.yellow)
        club = replace(
            club, shape="cudgel", woods=woods, streak=_coin_toss(rng, 0.85), cut=p.yellow, knobs=int(rng.integers(2, 7))
        )
    return coin, cup, sword, club


def random_style(seed: int) -> DeckStyle:
    """A whole deck's style; the same ``seed`` gives the same style."""
    rng = np.random.default_rng((0xCA27A5, seed))
    p = random_palette(rng)
    classic = _coin_toss(rng, 0.55)  # the castellano pattern, as most real decks have it
    coin, cup, sword, club = random_coin(rng, p), random_cup(rng, p), random_sword(rng, p), random_club(rng, p)
    if classic:
        coin, cup, sword, club = _castellano_pips(rng, p, coin, cup, sword, club)
    tight = _coin_toss(rng, 0.3)
    off = float(rng.uniform(0, 0.8)) if _coin_toss(rng, 0.6) else 0.0
    angle = float(rng.uniform(0, 6.28))
    panels = [light(p.yellow, 0.75), mix(p.paper, rgb("b8bcc0"), 0.5), light(p.blue, 0.85), light(p.red, 0.88)]
    return DeckStyle(
        seed=seed,
        palette=p,
        ink=_random_print(rng, p),
        frame=random_frame(rng, p),
        coin=coin,
        cup=cup,
        sword=sword,
        club=club,
        round_pips={"O": _random_round(rng, False, classic), "C": _random_round(rng, True, classic)},
        stick_pips={"E": _random_sticks(rng, False, classic), "B": _random_sticks(rng, True, classic)},
        courts=_random_courts(rng, p, classic),
        aces=random_aces(rng, p, random_words(rng, 2)),
        back=random_back(rng, p),
        paper=random_paper(rng),
        print_words=_random_words(rng, p),
        padding=(float(rng.uniform(0.5, 2.0)), float(rng.uniform(0.5, 2.5)))
        if tight
        else (float(rng.uniform(1.5, 5)), float(rng.uniform(2, 6))),
        shift=(off * float(np.cos(angle)), off * float(np.sin(angle))),
        shift_spread=float(rng.uniform(0, 0.3)),
        turn=float(rng.normal(0, 0.25)),
        panel=panels[int(rng.integers(4))] if _coin_toss(rng, 0.06) else None,
        corner_mm=float(rng.uniform(2.5, 5.5)),
    )
