"""The exchanges of a hand: those that were made, and what the rules let be exchanged after each trick."""

from collections.abc import Iterator

from engine.cards import Card
from engine.exchange import ExchangeQuestion, judge_exchange
from engine.state import Exchange, GameState
from engine.views import winning_view
from server.messages import ExchangeData, ExchangeOfferData


def exchange_json(exchange: Exchange) -> ExchangeData:
    """An exchange of the face-up card."""
    return {
        "seat": exchange.seat,
        "given": None if exchange.given is None else str(exchange.given),
        "taken": None if exchange.taken is None else str(exchange.taken),
        "after_trick": exchange.after_trick,
        "t": exchange.t,
    }


def exchange_offers(hand: GameState) -> list[ExchangeOfferData]:
    """What the rules let be laid down for the face-up card, by the number of tricks before; only where there is any.

    An exchange that was told already is offered again, to be put right.
    """
    return [
        {
            "after_trick": after,
            "card": None if up is None else str(up),
            "given": [str(card) for card in given],
            "seats": _seats(hand, after),
        }
        for after, up, given in _offers(hand)
        if given
    ]


def _offers(hand: GameState) -> Iterator[tuple[int, Card | None, list[Card]]]:
    rules, suit = hand.rules, hand.trump_suit
    if not rules.exchange or suit is None:
        return
    tricks = {trick.n: trick.plays for trick in hand.tricks} | {hand.trick_number: hand.trick}
    out = {play.card for n, plays in tricks.items() if n <= rules.draw_rounds for play in plays}
    full = len(hand.tricks) + (hand.phase == "trick_full")
    for after in range(full + 1):
        up = _face_up(hand, after)
        swapped = [one.given for one in hand.exchanges if one.after_trick != after and one.given is not None]
        cards = [Card(rank, suit) for rank in rules.exchange_takes]
        questions = [
            ExchangeQuestion(up, card, after, own_cards_played=after, swapped=swapped)
            for card in cards
            if card in rules.card_set and card not in out and card != up
        ]
        yield after, up, [one.given for one in questions if one.given and judge_exchange(rules, one).allowed]


def _seats(hand: GameState, after: int) -> list[int]:
    """Who may exchange when so many tricks were gathered; everybody where the cards leave that open."""
    everybody = list(range(hand.rules.players))
    taken = {trick.n: trick.winner for trick in hand.tricks}
    winning = winning_view(hand.trick, hand.trump_suit) if hand.phase == "trick_full" else None
    if winning is not None:
        taken[hand.trick_number] = hand.trick[winning.index].seat
    winners = [taken.get(n) for n in range(1, after + 1)]
    if hand.rules.exchange_who == "trick_winner":
        winners = winners[-1:]
    elif hand.rules.exchange_who == "anyone":
        return everybody
    return everybody if None in winners else [seat for seat in everybody if seat in winners]


def _face_up(hand: GameState, after: int) -> Card | None:
    """The card that lay face up when so many tricks were gathered, before anybody exchanged it then."""
    before = [one for one in hand.exchanges if one.after_trick < after]
    if before:
        return before[-1].given
    return hand.exchanges[0].taken if hand.exchanges else hand.trump_card or hand.trump_final
