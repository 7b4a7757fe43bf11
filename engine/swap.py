"""An exchange of the face-up card, as it happened at the table: recorded in any case, judged if it can be."""

from engine.cards import Card
from engine.events import (
    TrumpExchanged,
)
from engine.exchange import ExchangeQuestion, judge_exchange
from engine.state import Exchange
from engine.stock import close_trick
from engine.table import SURE, Step, Table


def trump_exchanged(table: Table, event_id: str, event: TrumpExchanged) -> None:
    """Somebody exchanged the face-up card."""
    if table.full:
        close_trick(table, None, None)
    table_card = table.trump_card
    taken = event.taken or table_card
    seat = event.seat
    if seat is None and table.rules.exchange_who == "trick_winner":
        seat = table.last_winner
    given = event.given or _only_gift(table, taken)
    misread = None not in (table_card, taken) and taken != table_card and not table.trump_lifted
    if misread:
        table.problems.append(f"{event_id}: {taken} is taken, but {table_card} lay there: one of them was misread")
    after = len(table.tricks)
    reason, certain = _judge(table, event, seat, given, taken, after)
    sure = event.confidence is None or event.confidence >= SURE
    if reason not in ("ok", "pointless"):
        cards = tuple(str(c) for c in (given, taken) if c is not None)
        tag = "unknowable" if certain is None else ("certain" if certain and sure else "possible")
        table.violate("illegal_exchange", seat, event_id, True, cards, reason=reason, certainty=tag, trick=after)
    table.exchanges.append(Exchange(seat, given, taken, after, event.t, event_id, reason))
    if seat is not None and table.trump_taker is None:
        if given is not None:
            known = given in table.known[seat]
            if known:
                table.known[seat].remove(given)
            table.history[seat].append(Step("give", after, given, known))
        if taken is not None and not misread and taken not in table.seen and taken not in table.known[seat]:
            table.known[seat].append(taken)
    if not table.trump_lifted:
        table.trump_card = given
    if given is not None and table.trump_suit is None:
        table.trump_suit = given.suit


def _only_gift(table: Table, taken: Card | None) -> Card | None:
    """The card that must have been given when it was not read: the only one whose rank fits."""
    if taken is None:
        return None
    fits = [Card(give, taken.suit) for give, takes in table.rules.exchange_table if taken.rank in takes]
    fits = [card for card in fits if card not in table.seen and card in table.rules.card_set]
    return fits[0] if len(fits) == 1 else None


def _judge(
    table: Table, event: TrumpExchanged, seat: int | None, given: Card | None, taken: Card | None, after: int
) -> tuple[str, bool | None]:
    """Reason and whether it is certain (None: two readings of the rules differ)."""
    if table.trump_lifted or (
        table.trick and table.rules.exchange_when == "before_draw" and not _may_draw(table, seat)
    ):
        return ("no_trump_card" if table.trump_lifted else "already_drawn"), True
    winner = table.last_winner
    is_winner = None if seat is None or (winner is None and after > 0) else seat == winner
    won = None if seat is None else any(trick.winner == seat for trick in table.tricks)
    elsewhere = set(table.seen)
    for other, held in enumerate(table.known):
        if other != seat:
            elsewhere.update(held)
    verdict = judge_exchange(
        table.rules,
        ExchangeQuestion(
            taken, given, after, is_winner, won, seat in table.seen_draw,
            table.plays_by_seat[seat] if seat is not None else 0, elsewhere,
            [exchange.given for exchange in table.exchanges if exchange.given is not None],
        ),
    )  # fmt: skip
    if verdict.disputed:
        return verdict.reason, None
    certain = verdict.reason not in ("already_drawn", "impossible_card_already_seen")
    if verdict.reason == "not_trick_winner" and after:
        certain = table.winner_sure(after)
    return verdict.warning or verdict.reason, certain


def _may_draw(table: Table, seat: int | None) -> bool:
    return seat is None or seat in table.pending
