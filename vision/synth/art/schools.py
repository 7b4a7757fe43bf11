"""Random decks of every school: castellano prints, modern drawings, worn old cards."""

from dataclasses import replace

import numpy as np

from vision.synth.art.aces import random_aces
from vision.synth.art.backs import random_back
from vision.synth.art.clubs import ClubStyle, random_club
from vision.synth.art.coins import CoinStyle, random_coin
from vision.synth.art.cups import CupStyle, random_cup
from vision.synth.art.dice import Dice
from vision.synth.art.frame import FrameStyle, random_frame
from vision.synth.art.layouts import ROUND_LAYOUTS, SCHOOLS, stick_layout
from vision.synth.art.letters import random_words
from vision.synth.art.palette import Palette, random_palette
from vision.synth.art.paper import random_paper
from vision.synth.art.pen import Print, dark, light, mix, rgb
from vision.synth.art.style import DeckStyle, RoundPips, SmallPrint, StickPips
from vision.synth.art.swords import SwordStyle, random_sword
from vision.synth.art.wardrobe import random_courts


def _random_print(dice: Dice, p: Palette) -> Print:
    off = float(dice.rng.exponential(0.09)) if dice.toss(0.6) else 0.0
    angle = dice.between(0, 2 * np.pi)
    off = min(off, 0.4)
    return Print(
        ink=p.ink,
        line=dice.between(0.1, 0.36),
        shading=dice.pick(["flat", "side", "hatch", "soft", "glow"], [0.16, 0.25, 0.25, 0.14, 0.2]),
        depth=dice.between(0.15, 0.4),
        misregistration=(off * np.cos(angle), off * np.sin(angle)),
        wobble=dice.between(0.05, 0.35) if dice.toss(0.3) else 0.0,
        outlined=dice.toss(0.92),
    )


def _random_round(dice: Dice, cups: bool, classic: bool) -> RoundPips:
    return RoundPips(
        grids={
            rank: grids[0] if classic and dice.toss(0.88) else dice.pick(grids) for rank, grids in ROUND_LAYOUTS.items()
        },
        fill=dice.between(0.78, 0.99),
        largest=dice.between(8.5, 13.5) if not cups else dice.between(9.5, 16),
        inverted=dice.pick(["none", "lower", "alternate"], [0.78, 0.14, 0.08]) if cups and not classic else "none",
        big_centre=not cups and dice.toss(0.45),
    )


def _random_sticks(dice: Dice, clubs: bool, classic: bool) -> StickPips:
    school = dice.pick(SCHOOLS, [0.45, 0.18, 0.1, 0.09, 0.18]) if not classic else "castellano"
    inward = dice.toss(0.35 if clubs else 0.85)
    alternate = dice.toss(0.55 if clubs else 0.12)
    crossing = dice.toss(0.75 if clubs else 0.12)
    stray = 0.02 if classic else 0.15
    sticks = {}
    for rank in range(2, 10):
        mine = dice.pick(SCHOOLS) if dice.toss(stray) else school
        crossed = crossing and (rank == 3 or dice.toss(0.05 if classic else 0.4))
        sticks[rank] = tuple(stick_layout(rank, dice, mine, inward, crossed, alternate))
    return StickPips(sticks=sticks, unit=dice.between(0.85, 1.3))


def _random_words(dice: Dice, p: Palette) -> SmallPrint | None:
    if dice.toss(0.35):
        return None
    places = ["4O", "4C", "4E", "5E", "2E", "2B", "2O", "10O", "12C", "6O", "4B", "2C"]
    some = dice.rng.choice(places, dice.whole(1, 6), replace=False)
    inks = [p.red, p.blue, p.ink, p.green]
    return SmallPrint(
        words={str(label): random_words(dice, dice.whole(1, 4)) for label in some},
        height=dice.between(1.3, 3.0),
        colour=dice.pick(inks),
        signature=dice.toss(0.4),
    )


def _castellano_pips(
    dice: Dice, p: Palette, coin: CoinStyle, cup: CupStyle, sword: SwordStyle, club: ClubStyle
) -> tuple[CoinStyle, CupStyle, SwordStyle, ClubStyle]:
    """Pips nearer to the castellano pattern: a golden medal, a red lidded urn, blue daggers, green and red cudgels."""
    if dice.toss(0.8):
        gold = mix(p.yellow, p.red if dice.toss(0.4) else p.brown, dice.between(0, 0.35))
        coin = replace(
            coin, heart="profile", gold=gold, ground=None, accent=p.red if dice.toss(0.5) else dark(gold, 0.5)
        )
        coin = replace(coin, rim=dice.pick(["milled", "beads", "plain", "rope"]))
    if dice.toss(0.8):
        cup = replace(
            cup,
            body=p.red,
            rim=p.yellow,
            stem=p.yellow,
            lid="dome",
            bowl=dice.pick(["round", "tulip", "bell", "waist"]),
        )
        cup = replace(cup, wide=dice.between(0.55, 0.8), stem_length=dice.between(0.1, 0.3), handles=False)
        cup = replace(
            cup,
            foot=dice.pick([p.yellow, p.blue, p.red]),
            jewel=dice.pick([p.yellow, p.blue, p.white]),
        )
    if dice.toss(0.8):
        steel = dice.pick([p.blue, p.steel, light(p.blue, 0.3)])
        sword = replace(sword, blade="straight", short_blade="dagger", steel=steel, hilt=p.yellow)
        sword = replace(sword, grip=dice.pick([p.red, p.brown, p.yellow]))
    if dice.toss(0.8):
        red = mix(p.red, p.yellow, dice.between(0, 0.4))
        woods = (p.green, red, p.yellow) if dice.toss(0.6) else (red, p.green, p.yellow)
        club = replace(club, shape="cudgel", woods=woods, streak=dice.toss(0.85), cut=p.yellow, knobs=dice.whole(2, 7))
    return coin, cup, sword, club


def _random_padding(dice: Dice, frame: FrameStyle) -> tuple[float, float]:
    """Space between frame and pips, mm; most decks keep their pips beside the numerals, some let them touch."""
    if dice.toss(0.25):
        return dice.between(0.5, 2.0), dice.between(0.5, 2.5)
    wide, high = dice.between(1.5, 4.5), dice.between(2.0, 6.0)
    if dice.toss(0.6):
        wide = max(wide, frame.digit_inset[0] + 0.45 * frame.digits.width * frame.digit_height)
    return wide, high


def random_style(seed: int) -> DeckStyle:
    """A whole deck's style; the same ``seed`` gives the same style."""
    dice = Dice(np.random.default_rng((0xCA27A5, seed)))
    p = random_palette(dice)
    classic = dice.toss(0.55)  # the castellano pattern, as most real decks have it
    coin, cup, sword, club = random_coin(dice, p), random_cup(dice, p), random_sword(dice, p), random_club(dice, p)
    if classic:
        coin, cup, sword, club = _castellano_pips(dice, p, coin, cup, sword, club)
    off = dice.between(0, 0.8) if dice.toss(0.6) else 0.0
    angle = dice.between(0, 6.28)
    panels = [light(p.yellow, 0.75), mix(p.paper, rgb("b8bcc0"), 0.5), light(p.blue, 0.85), light(p.red, 0.88)]
    frame = random_frame(dice, p)
    wide, high = _random_padding(dice, frame)
    return DeckStyle(
        seed=seed,
        palette=p,
        ink=_random_print(dice, p),
        frame=frame,
        coin=coin,
        cup=cup,
        sword=sword,
        club=club,
        round_pips={"O": _random_round(dice, False, classic), "C": _random_round(dice, True, classic)},
        stick_pips={"E": _random_sticks(dice, False, classic), "B": _random_sticks(dice, True, classic)},
        courts=random_courts(dice, p, classic),
        aces=random_aces(dice, p, random_words(dice, 2)),
        back=random_back(dice, p),
        paper=random_paper(dice),
        print_words=_random_words(dice, p),
        padding=(wide, high),
        shift=(off * float(np.cos(angle)), off * float(np.sin(angle))),
        shift_spread=dice.between(0, 0.3),
        turn=float(dice.rng.normal(0, 0.25)),
        panel=dice.pick(panels) if dice.toss(0.06) else None,
        corner_mm=dice.between(2.5, 5.5),
    )


def long_pip_ranks(pips: StickPips) -> tuple[int, ...]:
    """The ranks from 4 to 9 whose pips run the whole card, side by side or crossed."""
    return tuple(rank for rank, sticks in pips.sticks.items() if rank >= 4 and not any(stick.short for stick in sticks))


def with_shuffled_pips(style: DeckStyle) -> DeckStyle:
    """The style with long pips given to other ranks by chance: how many a card bears says nothing about it any more."""
    rng = np.random.default_rng((0x1DE4, style.seed))
    shuffled = {}
    for suit, pips in style.stick_pips.items():
        ranks = long_pip_ranks(pips)
        given = {rank: pips.sticks[int(rng.choice(ranks))] for rank in ranks}
        shuffled[suit] = replace(pips, sticks=pips.sticks | given)
    return replace(style, stick_pips=shuffled)
