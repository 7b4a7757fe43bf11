"""Which cards a game is played with, and the first draw that chooses dealer and partners."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.cards import ALL_CARDS, Card
from engine.rules import Rules


def deck_cards(rules: Rules) -> tuple[Card, ...]:
    """All cards of the game, suit by suit, without those that the rules take out."""
    return rules.cards


def total_points(rules: Rules) -> int:
    """Points in the whole deck: 120 unless a scoring card was taken out."""
    return sum(card.points for card in rules.cards)


def missing_ranks(rules: Rules) -> tuple[int, ...]:
    """Ranks that no card of the deck has (8 and 9 in the pack of 40)."""
    there = {card.rank for card in rules.cards}
    return tuple(sorted({card.rank for card in ALL_CARDS} - there))


@dataclass(frozen=True, slots=True)
class FirstDraw:
    """Outcome of drawing for the deal: a dealer and, with four players, the partners; or who must draw again."""

    dealer: int | None
    teams: tuple[tuple[int, ...], ...] | None
    right_of_dealer: int | None
    redraw: tuple[int, ...]


def draw_for_dealer(draws: Mapping[int, Card]) -> FirstDraw:
    """Highest card deals (seed S0, S1); with four, the two highest play the two lowest.

    The best opponent sits at the dealer's right (S1). Ranks that tie where it matters draw again: no seed breaks a
    tie. The suit counts for nothing.
    """
    ranking = sorted(draws, key=lambda seat: (-draws[seat].strength, seat))
    strength = [draws[seat].strength for seat in ranking]
    boundaries = [0] if len(ranking) != 4 else [0, 1]
    redraw: set[int] = set()
    for boundary in boundaries:
        if boundary + 1 < len(ranking) and strength[boundary] == strength[boundary + 1]:
            redraw |= {seat for seat in ranking if draws[seat].strength == strength[boundary]}
    if redraw:
        return FirstDraw(None, None, None, tuple(sorted(redraw)))
    if len(ranking) != 4:
        return FirstDraw(ranking[0], None, None, ())
    teams = ((ranking[0], ranking[1]), (ranking[2], ranking[3]))
    best_rival = ranking[2] if strength[2] != strength[3] else None
    return FirstDraw(ranking[0], teams, best_rival, ())
