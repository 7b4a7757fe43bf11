"""Who wins a trick: the highest trump, else the highest card of the suit led (all seeds agree)."""

from collections.abc import Iterable, Sequence

from engine.cards import Card


def beats(challenger: Card, holder: Card, trump: str | None) -> bool:
    """Whether ``challenger``, played later, takes the trick from ``holder``."""
    if challenger.suit == holder.suit:
        return challenger.strength > holder.strength
    return challenger.suit == trump


def winning_index(cards: Sequence[Card], trump: str | None) -> int:
    """Index of the winning card; ``cards`` in the order played, at least one."""
    best = 0
    for index in range(1, len(cards)):
        if beats(cards[index], cards[best], trump):
            best = index
    return best


def decided_index(cards: Sequence[Card | None], trump: str | None, pool: Iterable[Card]) -> int | None:
    """Index of the winning card when some are unread (None) and may be any card of ``pool``; None when it is open.

    Without a known trump suit only a trick of a single suit is decided.
    """
    known = [index for index, card in enumerate(cards) if card is not None]
    read = [card for card in cards if card is not None]
    if not read:
        return None
    if trump is None:
        if len(read) != len(cards) or len({card.suit for card in read}) > 1:
            return None
        return winning_index(read, None)
    if len(read) == len(cards):
        return winning_index(read, trump)
    lead_read = cards[0] is not None
    trumps = [index for index in known if (card := cards[index]) is not None and card.suit == trump]
    if not lead_read and not trumps:
        return None
    best = known[winning_index(read, trump)] if lead_read else max(trumps, key=lambda i: _strength(cards[i]))
    holder = cards[best]
    assert holder is not None
    return best if not any(beats(card, holder, trump) for card in pool) else None


def trick_points(cards: Iterable[Card | None]) -> int:
    """Points of the cards read."""
    return sum(card.points for card in cards if card is not None)


def _strength(card: Card | None) -> int:
    return card.strength if card is not None else 0
