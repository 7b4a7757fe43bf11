"""One hand, fact by fact. Permissive: an odd fact is recorded and told, it never raises."""

from engine.calling import arrastre_called
from engine.events import (
    ArrastreCalled,
    CardDrawn,
    CardPlayed,
    CardTakenBack,
    GameEvent,
    HandEnded,
    HandStarted,
    TrickSwept,
    TrumpExchanged,
    TrumpShown,
    TrumpTaken,
)
from engine.playing import card_played, card_taken_back, hand_ended, trick_swept
from engine.stock import card_drawn, trump_shown, trump_taken
from engine.swap import trump_exchanged
from engine.table import Table


def apply(table: Table, event_id: str, event: GameEvent) -> None:
    """Take in one fact."""
    seat = getattr(event, "seat", None)
    if seat is not None and not 0 <= seat < table.rules.players:
        table.problems.append(f"{event_id}: there is no seat {seat} at a table of {table.rules.players}")
        return
    if seat is None and isinstance(event, CardDrawn | CardTakenBack | ArrastreCalled):
        table.problems.append(f"{event_id}: nobody knows whose card or call this was")
        return
    match event:
        case TrumpShown():
            trump_shown(table, event)
        case CardPlayed():
            card_played(table, event_id, event)
        case TrumpExchanged():
            trump_exchanged(table, event_id, event)
        case TrickSwept():
            trick_swept(table, event_id, event)
        case CardDrawn():
            card_drawn(table, event)
        case CardTakenBack():
            card_taken_back(table, event_id, event)
        case TrumpTaken():
            trump_taken(table, event_id, event)
        case ArrastreCalled():
            arrastre_called(table, event_id, event)
        case HandEnded():
            hand_ended(table, event_id, event)
        case HandStarted():
            table.problems.append(f"{event_id}: a hand starts within a hand")
