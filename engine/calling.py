"""Arrastre called at the table: to which card a call belongs, and whom it binds."""

from dataclasses import replace

from engine.cards import Card
from engine.events import (
    ArrastreCalled,
)
from engine.state import Call, Play
from engine.table import Table, is_sure, seen_surely


def arrastre_called(table: Table, event_id: str, event: ArrastreCalled) -> None:
    """A call goes with the caller's last card when that is the trump ace, else with the card it plays next."""
    trick, play = _last_play(table, event.seat)
    on_table = play is not None and trick == table.trick_number
    # Who still plays in this trick, or leads the next one, may mean a card that is yet to come.
    spoken = on_table and not _plays_next(table, event.seat)
    if play is not None and play.card is not None and (on_table or not table.trick):
        fits = play.card == Card(1, table.trump_suit or play.card.suit)
        told = any(call.seat == event.seat and call.trick == trick for call in table.calls)
        if fits and told:
            return  # the word was said twice, or said where the ace alone is a call
        if fits or spoken:
            table.calls.append(Call(event.seat, trick, None, (), event.t, event_id, event.confidence))
            whole = table.trick_start_sure and all(seen_surely(played) for played in table.trick)
            if not whole or (table.trump_suit is None and not spoken):
                table.unsure_calls.add(len(table.calls) - 1)
            _settle(table, len(table.calls) - 1, play)
            return
    for index, call in enumerate(table.calls):
        if call.seat == event.seat and call.valid is None and index not in table.waiting:
            if not is_sure(call.confidence):  # the word was said before that card already; the surer word counts
                table.calls[index] = replace(call, t=event.t, event_id=event_id, confidence=event.confidence)
            return
    index = len(table.calls)
    table.calls.append(Call(event.seat, table.trick_number, None, (), event.t, event_id, event.confidence))
    recent = table.plays_of(table.trick_number if table.trick else max(1, len(table.tricks)))
    ace = play is not None and play.card is not None and play.card.rank == 1 and not table.trump_sure
    if ace or not all(played.card is not None and table.read_surely(played) for played in recent):
        table.unsure_calls.add(index)  # it may have gone with the ace all the same
    if play is not None and play.card is None and (on_table or not table.trick):
        table.calls[index] = replace(table.calls[index], trick=trick)
        table.waiting[index] = play


def settle_call(table: Table, play: Play) -> None:
    """Give a card just played to the call that waited for it; where no word is needed, a trump ace is a call itself."""
    if play.card is None:
        return
    fits = play.card == Card(1, table.trump_suit or play.card.suit)
    if not fits and table.played_in_trick(play.seat) < table.quota(play.seat):
        return  # the ace may be the other card of this turn
    for index, call in enumerate(table.calls):
        if call.seat == play.seat and call.valid is None and index not in table.waiting:
            since = [card for trick in table.tricks[call.trick - 1 :] for card in trick.plays] + table.trick
            if not all(card.card is not None and table.read_surely(card) for card in since):
                table.unsure_calls.add(index)  # one of them may have been the caller's ace
            table.calls[index] = replace(call, trick=table.trick_number)
            _settle(table, index, play)
            return
    if play.card.rank == 1 and table.rules.arrastre and not table.rules.arrastre_call_required:
        _call_by_ace(table, table.trick_number, play)


def settle_waiting(table: Table) -> None:
    """The trump suit became known: now it shows which calls were made with the trump ace."""
    if table.trump_suit is None:
        return
    waiting, table.waiting = table.waiting, {}
    for index, play in waiting.items():
        _settle(table, index, play)
    aces, table.waiting_aces = table.waiting_aces, []
    for trick, play in aces:
        _call_by_ace(table, trick, play)


def _call_by_ace(table: Table, trick: int, play: Play) -> None:
    """Where no word is needed, the trump ace is a call by itself."""
    if table.trump_suit is None:
        table.waiting_aces.append((trick, play))
    elif play.card == Card(1, table.trump_suit) and not any(call.valid and call.trick == trick for call in table.calls):
        table.calls.append(Call(play.seat, trick, True, (), play.t, play.event_id, play.confidence))
        _oblige(table, len(table.calls) - 1, play)


def _settle(table: Table, index: int, play: Play) -> None:
    """Judge a call by the card that it was made with; it waits while nobody knows whether that is the trump ace."""
    call, card = table.calls[index], play.card
    if card is None or (table.trump_suit is None and card.rank == 1):
        table.waiting[index] = play
    elif card == Card(1, table.trump_suit or card.suit):
        table.calls[index] = replace(call, valid=True)
        _oblige(table, index, play)
    else:
        table.calls[index] = replace(call, valid=False)
        _invalid_call(table, call, play, "not_ace_of_trumps", index in table.unsure_calls)


def _plays_next(table: Table, seat: int) -> bool:
    """Whether a seat whose card lies in the trick may be the next to play all the same."""
    if table.played_in_trick(seat) < table.quota(seat):
        return True
    index = table.winner_index(table.trick) if table.full else None
    return table.full and (index is None or table.trick[index].seat == seat)


def _last_play(table: Table, seat: int) -> tuple[int, Play | None]:
    """Last card of the seat in the trick on the table, else in the one just gathered."""
    recent = [(table.trick_number, table.trick), *((trick.n, list(trick.plays)) for trick in table.tricks[-1:])]
    for n, plays in recent:
        for play in reversed(plays):
            if play.seat == seat:
                return n, play
    return table.trick_number, None


def _oblige(table: Table, index: int, ace: Play) -> None:
    call = table.calls[index]
    if not table.rules.arrastre:
        table.calls[index] = replace(call, valid=False)
        _invalid_call(table, call, ace, "no_arrastre")
        return
    plays = table.plays_of(call.trick)
    at = plays.index(ace)
    before = {play.seat for play in plays[:at]}
    seats = [seat for seat in table.rules.seats_from(ace.seat) if seat != ace.seat]
    bound = tuple(s for s in seats if s not in before or table.rules.arrastre_obliged == "all")
    table.calls[index] = replace(call, obliged=bound)


def _invalid_call(table: Table, call: Call, play: Play, reason: str, unsure: bool = False) -> None:
    sure = is_sure(call.confidence) and not unsure
    if reason == "not_ace_of_trumps":
        sure = sure and table.read_surely(play) and (table.trump_sure or (play.card is not None and play.card.rank > 1))
    table.violate("invalid_call", call.seat, call.event_id, sure, table.text(play), reason=reason, trick=call.trick)
