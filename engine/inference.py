"""What public facts prove about a hidden hand: exact odds that a card played under a duty was not the one owed.

At the moment of the play the suspect held ``held`` other cards that nobody knows; since then some of his cards came
from draws. Every card that he shows later sits either in a slot of the hand he held then or in a slot of a later draw;
all injective, time-consistent placements are equally likely (random shuffle, choice-blind play). A placement proves the
fault when a bad card sits in a held slot; otherwise the slots still empty are filled at random from the unseen cards.
The status is violated at p = 1, cleared at p = 0, unknown between: never an accusation on odds. See docs/rules.md.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb

from engine.cards import Card
from engine.rules import Rules

BadCard = Callable[[Card], bool]
"""Whether holding this card makes the card played a fault."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What everybody saw of the suspect since the play in question.

    ``held``: other cards in the hand at that play whose identity was unknown. ``known_held``: those that were known.
    ``draws``: numbers of the tricks after which he drew an unknown card. ``plays``: (trick, card) of his later cards of
    unknown origin in the order seen, None where the card is unread; a card given in an exchange after trick k counts as
    (k, card). ``unseen``: cards that nobody has located now.
    """

    held: int
    draws: tuple[int, ...]
    plays: tuple[tuple[int, Card | None], ...]
    unseen: frozenset[Card]
    known_held: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class HiddenTrump:
    """The trump card that was drawn last without being seen: some card of a known suit, in a known hand.

    ``played``: trumps of unknown origin that its taker has played since; ``slots``: unknown cards still in that hand;
    ``suspect``: the taker is the one who is judged.
    """

    suit: str
    played: int
    slots: int
    suspect: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """``status`` violated, ok or unknown; ``p`` exact; ``proof``: the cards that prove a fault, most telling first."""

    status: str
    p: Fraction
    proof: tuple[Card, ...] = ()


def judge(evidence: Evidence, bad: BadCard, hidden: HiddenTrump | None = None) -> Verdict:
    """Exact verdict on one answer. ``bad`` tells which cards, had they been in the hand, were owed instead.

    ``hidden`` is used for answers given after the stock was gone, when the hands no longer change.
    """
    known_bad = tuple(card for card in evidence.known_held if bad(card))
    if known_bad:
        return Verdict("violated", Fraction(1), known_bad)
    unseen_bad = sum(1 for card in evidence.unseen if bad(card))
    marks = tuple((trick, None if card is None else bad(card)) for trick, card in evidence.plays)
    p = None
    if hidden is not None and not evidence.draws and not any(mark for _, mark in marks):
        p = _with_hidden_trump(evidence, bad, hidden)
    if p is None:
        p = placement_odds(evidence.held, tuple(sorted(evidence.draws)), marks, len(evidence.unseen), unseen_bad)
    if p == 1:
        shown = tuple(card for _, card in evidence.plays if card is not None and bad(card))
        return Verdict("violated", p, shown or tuple(sorted(card for card in evidence.unseen if bad(card))))
    return Verdict("ok" if p == 0 else "unknown", p)


@lru_cache(maxsize=4096)
def placement_odds(
    held: int, draws: tuple[int, ...], plays: tuple[tuple[int, bool | None], ...], unseen: int, unseen_bad: int
) -> Fraction:
    """Chance that the held slots contained a bad card.

    Walks through the plays counting placements by (held slots taken by read cards, held slots taken by unread cards,
    a bad card among them); the number of ways at each step depends on nothing else.
    """
    ways: dict[tuple[int, int, bool], int] = {(0, 0, False): 1}
    for index, (trick, mark) in enumerate(plays):
        usable = sum(1 for draw in draws if draw < trick)
        following: dict[tuple[int, int, bool], int] = {}
        for (read, unread, proven), count in ways.items():
            free_held = held - read - unread
            free_drawn = usable - (index - read - unread)
            if free_held > 0:
                taken = (read + 1, unread, proven or mark is True) if mark is not None else (read, unread + 1, proven)
                following[taken] = following.get(taken, 0) + count * free_held
            if free_drawn > 0:
                key = (read, unread, proven)
                following[key] = following.get(key, 0) + count * free_drawn
        if not following:
            break  # more cards than slots: the facts contradict each other; what was placed so far decides
        ways = following
    total = sum(ways.values())
    chance = Fraction(0)
    for (read, _, proven), count in ways.items():
        chance += count if proven else count * _some_bad(held - read, unseen, unseen_bad)
    return chance / total


def _with_hidden_trump(evidence: Evidence, bad: BadCard, hidden: HiddenTrump) -> Fraction | None:
    """Chance of a bad card in the suspect's hand when one known hand holds a trump that was drawn unseen.

    Of all ways to share out the unseen cards, one counts as often as it has trumps in the taker's hand that may be the
    card drawn. None when the facts contradict each other.
    """
    unseen = len(evidence.unseen)
    slots = min(unseen, max(0, evidence.held - sum(1 for _, card in evidence.plays if card is not None)))
    kinds = [(bad(card), card.suit == hidden.suit) for card in evidence.unseen]
    counts = {kind: kinds.count(kind) for kind in ((True, True), (True, False), (False, True), (False, False))}
    trumps = counts[True, True] + counts[False, True]
    total = guilty = Fraction(0)
    for bad_trumps, bad_plain, good_trumps in product(range(slots + 1), repeat=3):
        rest = slots - bad_trumps - bad_plain - good_trumps
        if rest < 0:
            continue
        ways = (
            comb(counts[True, True], bad_trumps)
            * comb(counts[True, False], bad_plain)
            * comb(counts[False, True], good_trumps)
            * comb(counts[False, False], rest)
        )
        mine = bad_trumps + good_trumps
        weight = Fraction(hidden.played)
        if hidden.suspect:
            weight += mine
        elif unseen > slots:
            weight += Fraction(min(hidden.slots, unseen - slots) * (trumps - mine), unseen - slots)
        total += ways * weight
        guilty += ways * weight if bad_trumps + bad_plain else 0
    return guilty / total if total else None


def _some_bad(slots: int, unseen: int, unseen_bad: int) -> Fraction:
    """Chance that so many slots, filled at random from the unseen cards, hold a bad one."""
    slots = min(slots, unseen)
    return 1 - Fraction(comb(unseen - unseen_bad, slots), comb(unseen, slots))


def arrastre_rank(rules: Rules, card: Card, trump: str) -> tuple[int, int]:
    """Order of "your best card" under arrastre, greater is better; equal ranks of plain suits are equal.

    ``trumps_first`` is S0's explicit list: any trump before any other suit. ``by_points`` is the other reading: the
    points count first, a trump only before plain cards of the same worth.
    """
    is_trump = int(card.suit == trump)
    if rules.arrastre_best == "by_points":
        return card.points, is_trump * 100 + card.strength
    return is_trump, card.strength


def best_answers(rules: Rules, hand: Iterable[Card], trump: str) -> tuple[Card, ...]:
    """The cards of a hand that answer an arrastre: the best, or several that are equally good."""
    cards = tuple(hand)
    if not cards:
        return ()
    best = max(arrastre_rank(rules, card, trump) for card in cards)
    return tuple(card for card in cards if arrastre_rank(rules, card, trump) == best)


def better_than(rules: Rules, played: Card, trump: str) -> BadCard:
    """Cards that outrank ``played`` in the order of arrastre."""
    rank = arrastre_rank(rules, played, trump)
    return lambda card: arrastre_rank(rules, card, trump) > rank


def of_suit(suit: str) -> BadCard:
    """Cards of the suit that had to be followed."""
    return lambda card: card.suit == suit


def may_follow(hand: Sequence[Card], led: Card | str) -> tuple[Card, ...]:
    """Cards of a hand that follow suit; the whole hand when none does (no duty to trump or to beat)."""
    suit = led if isinstance(led, str) else led.suit
    return tuple(card for card in hand if card.suit == suit) or tuple(hand)


def must_follow(rules: Rules, trick: int) -> bool:
    """Whether the led suit must be followed in that trick."""
    return rules.follow == "always" or (rules.follow == "after_stock" and trick > rules.draw_rounds)


def suspicion(p: Fraction, prior: Fraction) -> Fraction:
    """Odds to display, from the chance that the hand could have obliged: eps p / (eps p + 1 - p).

    0 and 1 are unchanged. ``prior`` is the chance eps that somebody who can oblige does not.
    """
    if p == 1:
        return Fraction(1)
    return prior * p / (prior * p + 1 - p)
