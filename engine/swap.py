"""An exchange of the face-up card, as it happened at the table: recorded in any case, judged if it can be."""

from engine.cards import Card
from engine.events import (
    TrumpExchanged,
)
from engine.exchange import ExchangeQuestion, judge_exchange
from engine.state import Exchange
from engine.stock import close_trick, trump_known
from engine.table import Step, Table, is_sure, seen_surely


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
    reason, certain = _judge(table, event, seat, given, taken, misread)
    if reason not in ("ok", "pointless"):
        cards = tuple(str(c) for c in (given, taken) if c is not None)
        tag = "unknowable" if certain is None else ("certain" if certain else "possible")
        table.violate("illegal_exchange", seat, event_id, True, cards, reason=reason, certainty=tag, trick=after)
    table.exchanges.append(Exchange(seat, given, taken, after, event.t, event_id, reason))
    sure = is_sure(event.confidence) and event.seat is not None and not misread
    if given is None or event.given is None or not sure:
        table.doubtful.update(card for card in (given, taken) if card is not None)
        if seat is not None:
            table.perhaps_out.update(table.known[seat])  # any of them may have been the card given
    elif taken is not None and event.taken is None and not table.face_up_sure:
        table.doubtful.add(taken)
    if table.trump_lifted:  # two facts that contradict each other
        table.doubtful.update(card for card in (given, taken, table.trump_final) if card is not None)
    if given is not None:
        table.found_elsewhere(given, seat)
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
        table.face_up_sure = sure and event.given is not None
    if given is not None and table.trump_suit is None:
        trump_known(table, given.suit, sure and event.given is not None)


def _only_gift(table: Table, taken: Card | None) -> Card | None:
    """The card that must have been given when it was not read: the only one whose rank fits."""
    if taken is None:
        return None
    fits = [Card(give, taken.suit) for give, takes in table.rules.exchange_table if taken.rank in takes]
    fits = [card for card in fits if card not in table.seen and card in table.rules.card_set]
    return fits[0] if len(fits) == 1 else None


def _judge(
    table: Table, event: TrumpExchanged, seat: int | None, given: Card | None, taken: Card | None, misread: bool
) -> tuple[str, bool | None]:
    """Reason and whether it is certain (None: two readings of the rules differ)."""
    sure = is_sure(event.confidence)
    if table.trump_lifted:
        return "no_trump_card", sure and table.lift_sure and table.trick_is_sure
    if table.trick and table.rules.exchange_when == "before_draw" and not _may_draw(table, seat):
        return "already_drawn", sure and table.trick_start_sure and all(seen_surely(play) for play in table.trick)
    winner, after = table.last_winner, len(table.tricks)
    is_winner = None if seat is None or (winner is None and after > 0) else seat == winner
    won: bool | None = any(trick.winner == seat for trick in table.tricks)
    if seat is None or (not won and any(trick.winner is None for trick in table.tricks)):
        won = None
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
    return verdict.warning or verdict.reason, sure and _beyond_doubt(table, event, verdict.reason, taken, misread)


def _beyond_doubt(table: Table, event: TrumpExchanged, reason: str, taken: Card | None, misread: bool) -> bool:
    """Whether the readings that such a verdict rests on are all sure (the exchange itself is)."""
    after = len(table.tricks)
    match reason:
        case "already_drawn" | "impossible_card_already_seen":
            return False  # a gesture, or a card more likely misread
        case "no_exchange":
            return True
        case "last_draw_round":
            return table.trick_is_sure
        case "not_trick_winner":
            won = table.winner_sure(after) if after else True
            return event.seat is not None and table.trick_is_sure and won
        case "no_trick_won":
            return event.seat is not None and all(table.winner_sure(n) for n in range(1, after + 1))
        case "already_played_first_card":
            return event.seat is not None and table.counted_surely
    if event.given is None or misread or event.given in table.doubted:
        return False
    return taken is not None and taken not in table.doubted and (event.taken is not None or table.face_up_sure)


def _may_draw(table: Table, seat: int | None) -> bool:
    return seat is None or seat in table.pending
