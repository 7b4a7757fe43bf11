"""Arrastre called at the table: to which card a call belongs, and whom it binds."""

from dataclasses import replace

from engine.cards import Card
from engine.events import (
    ArrastreCalled,
)
from engine.state import Call, Play
from engine.table import SURE, Table


def arrastre_called(table: Table, event_id: str, event: ArrastreCalled) -> None:
    """A call goes with the caller's last card when that is the trump ace, else with the card it plays next."""
    ace = None if table.trump_suit is None else Card(1, table.trump_suit)
    trick, play = _last_play(table, event.seat)
    on_table = play is not None and trick == table.trick_number
    again = any(call.seat == event.seat and call.valid and call.trick == trick for call in table.calls)
    if play is not None and play.card is not None and not again:
        if play.card == ace and (on_table or not table.trick):
            table.calls.append(Call(event.seat, trick, True, (), event.t, event_id))
            _oblige(table, len(table.calls) - 1, play)
            return
        if on_table and ace is not None:
            call = Call(event.seat, trick, False, (), event.t, event_id)
            table.calls.append(call)
            _invalid_call(table, call, play, "not_ace_of_trumps")
            return
    table.calls.append(Call(event.seat, table.trick_number, None, (), event.t, event_id))


def settle_call(table: Table, play: Play) -> None:
    """Give a card just played to the call that waited for it; where no word is needed, a trump ace is a call itself."""
    ace = play.card is not None and play.card == Card(1, table.trump_suit or "O") and table.trump_suit is not None
    for index, call in enumerate(table.calls):
        if call.seat == play.seat and call.valid is None and play.card is not None:
            table.calls[index] = replace(call, valid=ace, trick=table.trick_number)
            if ace:
                _oblige(table, index, play)
            else:
                _invalid_call(table, call, play, "not_ace_of_trumps")
            return
    if ace and table.rules.arrastre and not table.rules.arrastre_call_required:
        table.calls.append(Call(play.seat, table.trick_number, True, (), play.t, play.event_id))
        _oblige(table, len(table.calls) - 1, play)


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
    plays = table.trick if call.trick == table.trick_number else list(table.tricks[-1].plays)
    at = plays.index(ace)
    before = {play.seat for play in plays[:at]}
    seats = [seat for seat in table.rules.seats_from(ace.seat) if seat != ace.seat]
    bound = tuple(s for s in seats if s not in before or table.rules.arrastre_obliged == "all")
    table.calls[index] = replace(call, obliged=bound)


def _invalid_call(table: Table, call: Call, play: Play, reason: str) -> None:
    sure = play.confidence is None or play.confidence >= SURE
    table.violate("invalid_call", call.seat, call.event_id, sure, table.text(play), reason=reason)
