"""What everybody at the table knows: which cards are out, who must hold what, who is winning the trick and why."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.cards import SUITS, Card
from engine.result import decided
from engine.state import GameState, Play
from engine.trick import winning_index

REASONS = ("led", "only_trump", "highest_trump", "only_of_suit", "highest_of_suit", "awarded")
"""Why a card wins a trick: it lies there alone; the only trump, the highest one; nobody else played the suit led, the
highest card of it; the table said so."""


@dataclass(frozen=True, slots=True)
class KnownHand:
    """A hand as the table knows it: cards that it must hold, and how many others."""

    seat: int
    cards: tuple[Card, ...]
    unknown: int


@dataclass(frozen=True, slots=True)
class PublicView:
    """Public knowledge about a hand in progress.

    ``unseen``: cards that nobody has located (in hands, in the stock, or played unread). ``out``: cards played, by
    suit, strongest first. ``points_to_come``: points not yet in a full trick. ``decided``: the side that nobody can
    catch.
    """

    unseen: tuple[Card, ...]
    out: dict[str, tuple[Card, ...]]
    unseen_by_suit: dict[str, tuple[Card, ...]]
    trumps_unseen: int | None
    hands: tuple[KnownHand, ...]
    face_down_stock: int
    points_to_come: int
    decided: int | None


@dataclass(frozen=True, slots=True)
class Winning:
    """The play that wins a trick so far, by its place in the trick, and why: one of :data:`REASONS`."""

    index: int
    why: str


def winning_view(plays: Sequence[Play], trump: str | None) -> Winning | None:
    """Who wins a trick (full or not) by the cards that lie there, and why; None where an unread card leaves it open."""
    cards = [play.card for play in plays if play.card is not None]
    if not cards or len(cards) != len(plays):
        return None
    if trump is None and len({card.suit for card in cards}) > 1:
        return None
    index = winning_index(cards, trump)
    alike = sum(1 for card in cards if card.suit == cards[index].suit)
    if len(cards) == 1:
        return Winning(index, "led")
    if cards[index].suit == trump:
        return Winning(index, "only_trump" if alike == 1 else "highest_trump")
    return Winning(index, "only_of_suit" if alike == 1 else "highest_of_suit")


def public_view(state: GameState) -> PublicView:
    """Everything that an attentive onlooker knows, without looking into a hand."""
    rules = state.rules
    played = {play.card for play in state.all_plays if play.card is not None}
    located = played | {card for held in state.known_held for card in held}
    if state.trump_card is not None:
        located.add(state.trump_card)
    unseen = tuple(sorted(set(rules.cards) - located))
    unseen_by_suit = {suit: _by_strength(card for card in unseen if card.suit == suit) for suit in SUITS}
    won = sum(state.points) + state.points_open
    to_come = sum(card.points for card in rules.cards) - won
    sure = None
    if rules.alcaide is None or state.alcaide is not None:  # whose title it is decides what has to be reached
        sure = decided(rules, state.points, to_come + state.points_open, alcaide=state.alcaide)
    return PublicView(
        unseen=unseen,
        out={suit: _by_strength(card for card in played if card.suit == suit) for suit in SUITS},
        unseen_by_suit=unseen_by_suit,
        trumps_unseen=None if state.trump_suit is None else len(unseen_by_suit[state.trump_suit]),
        hands=_known_hands(state, unseen),
        face_down_stock=max(0, state.stock_left - _trump_lies(state)),
        points_to_come=to_come,
        decided=sure,
    )


def _known_hands(state: GameState, unseen: tuple[Card, ...]) -> tuple[KnownHand, ...]:
    hands: list[KnownHand] = []
    if not state.hand_sizes:
        return ()  # nothing was dealt yet
    for seat in range(state.rules.players):
        held = state.known_held[seat]
        hands.append(KnownHand(seat, tuple(sorted(held)), max(0, state.hand_sizes[seat] - len(held))))
    # Once nothing lies in the stock, whoever alone has unknown cards must hold all the unseen ones.
    open_hands = [hand for hand in hands if hand.unknown]
    if state.stock_left == 0 and not state.unread and len(open_hands) == 1 and open_hands[0].unknown == len(unseen):
        only = open_hands[0]
        hands[only.seat] = KnownHand(only.seat, tuple(sorted((*only.cards, *unseen))), 0)
    return tuple(hands)


def _trump_lies(state: GameState) -> int:
    """1 while the trump card lies under the stock, face up or hidden."""
    return 1 if state.stock_left > 0 and state.trump_taker is None else 0


def _by_strength(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=lambda card: -card.strength))
