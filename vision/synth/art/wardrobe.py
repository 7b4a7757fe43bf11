"""Who stands on random court cards: heads, costumes and horses of every fashion."""

import numpy as np

from vision.synth.art.courts import CourtStyle
from vision.synth.art.dice import Dice
from vision.synth.art.figures import COLLARS, GARMENTS, PATTERNS, Costume
from vision.synth.art.heads import BEARDS, CROWNS, HAIR, HATS, HeadStyle
from vision.synth.art.horses import GAITS, HorseStyle
from vision.synth.art.palette import Palette
from vision.synth.art.pen import dark, light, mix


def _random_head(dice: Dice, p: Palette, king: bool, old: bool) -> HeadStyle:
    cloths = [p.red, p.blue, p.green, p.yellow, p.brown, p.white]
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
        hat=dice.pick(CROWNS if king else HATS),
        hair=dice.pick(HAIR),
        beard=dice.pick(beards),
        skin=mix(p.skin, p.white, dice.between(0, 0.4)),
        hair_colour=(greys if king else hairs)[dice.whole(0, 5)],
        hat_colour=dice.pick(cloths),
        trim=p.yellow if king or dice.toss(0.6) else dice.pick(cloths),
        feather=dice.pick(cloths) if dice.toss(0.75) else None,
        look=dice.pick([-0.9, -0.5, 0.0, 0.5, 0.9]),
        blush=p.red if dice.toss(0.5) else None,
    )


def _random_costume(dice: Dice, p: Palette, rank: int) -> Costume:
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
    order = [cloths[int(k)] for k in dice.rng.permutation(len(cloths))]
    parted = dice.toss(0.35)
    earth = [p.green, mix(p.green, p.yellow, 0.5), mix(p.brown, p.yellow, 0.5), p.brown]
    return Costume(
        head=_random_head(dice, p, king, rank == 11),
        garment=dice.pick(GARMENTS),
        tunic=order[0],
        second=p.yellow if dice.toss(0.4) and order[0] != p.yellow else order[1],
        sleeve=order[2] if dice.toss(0.6) else order[0],
        hose=(order[3], order[4] if parted else order[3]),
        shoe=[p.brown, p.ink, p.red, p.yellow, order[3]][dice.whole(0, 5)],
        boots=dice.toss(0.35),
        cloak=order[5] if dice.toss(0.92 if king else 0.45) else None,
        lining=p.white,
        ermine=king and dice.toss(0.55),
        collar=dice.pick(COLLARS),
        belt=p.yellow if dice.toss(0.65) else order[6],
        pattern=dice.pick(PATTERNS),
        puffed=dice.toss(0.5),
        gloves=p.white if dice.toss(0.1) else None,
        ground=dice.pick(earth) if dice.toss(0.75) else None,
    )


def _random_horse(dice: Dice, p: Palette) -> HorseStyle:
    coats = [
        p.brown,
        mix(p.brown, p.yellow, 0.5),
        p.white,
        mix(p.steel, p.white, 0.5),
        dark(p.brown, 0.5),
        mix(p.brown, p.red, 0.3),
        p.steel,
    ]
    coat = dice.pick(coats)
    cloths = [p.red, p.blue, p.green, p.yellow]
    return HorseStyle(
        gait=dice.pick(GAITS),
        coat=coat,
        mane=dice.pick([dark(coat, 0.5), p.ink, p.white, p.yellow, dark(coat, 0.3)]),
        hoof=dark(p.brown, 0.6),
        tack=dice.pick(cloths),
        cloth=dice.pick(cloths) if dice.toss(0.8) else None,
        trim=p.yellow if dice.toss(0.7) else p.white,
        fringe=dice.toss(0.5),
        socks=dice.toss(0.25),
        dapple=dice.toss(0.2),
        caparison=dice.toss(0.3),
    )


def random_courts(dice: Dice, p: Palette, classic: bool) -> dict[str, CourtStyle]:
    """The twelve courts of one deck by label; ``classic`` keeps to single figures with the pip in the hand."""
    double = dice.toss(0.0 if classic else 0.2)
    corner = dice.toss(0.12 if classic else 0.4)
    size = dice.between(0.86, 1.02)
    alike = dice.toss(0.3)  # many decks dress the four figures of a rank alike
    shared = {rank: dice.whole(0, 1 << 30) for rank in (10, 11, 12)}
    left_handed = {rank: dice.pick([0.15, 0.5, 0.85], [0.5, 0.3, 0.2]) for rank in (10, 11, 12)}
    courts = {}
    for suit in "OCEB":
        for rank in (10, 11, 12):
            own = Dice(np.random.default_rng(shared[rank])) if alike and dice.toss(0.8) else dice
            in_corner = corner or (suit == "O" and dice.toss(0.3)) or dice.toss(0.08)
            costume = _random_costume(own, p, rank)
            if in_corner and rank == 10 and dice.toss(0.3):
                in_corner = False
            courts[f"{rank}{suit}"] = CourtStyle(
                costume=costume,
                horse=_random_horse(dice, p) if rank == 11 else None,
                pip="corner" if in_corner else "hand",
                other_arm=dice.pick(["hip", "down", "chest", "out"])
                if rank != 12
                else dice.pick(["hip", "down", "chest"]),
                flip=dice.toss(left_handed[rank]),
                stance=dice.pick([0.25, 0.6, 0.9]),
                size=size * dice.between(0.95, 1.03),
                stretch=dice.between(0.7, 0.92) if rank == 11 else dice.between(0.88, 1.08),
                double=double,
                tone=dice.whole(0, 3),
            )
    return courts
