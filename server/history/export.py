"""A kept game as a file for other programs: a table of the plays (CSV), the record as JSON, the record as text."""

import csv
import io
import json
from typing import Any, Final

from engine.fold import fold
from engine.notation import render_text
from engine.record import Record, record_from_entries, record_to_json
from engine.state import GameState
from engine.views import winning_view
from server.history.archive import entries_of, table_of
from server.sessions.store import SessionRow, Store

MEDIA: Final[dict[str, str]] = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "txt": "text/plain; charset=utf-8",
}
COLUMNS: Final = (
    "game",
    "started",
    "hand",
    "trick",
    "order",
    "seat",
    "player",
    "card",
    "points",
    "confidence",
    "won_by",
    "trick_points",
)
_FORMULA: Final = ("=", "+", "-", "@", "\t")


def export(store: Store, row: SessionRow, form: str) -> str:
    """A game as the text of a file; ``form`` is a key of :data:`MEDIA`."""
    match form:
        case "csv":
            return plays_csv(store, row)
        case "json":
            return json.dumps(record_to_json(record_of(store, row)), ensure_ascii=False, indent=1) + "\n"
        case _:
            return render_text(record_of(store, row))


def record_of(store: Store, row: SessionRow) -> Record:
    """The game as a record that ``brisca score`` reads, with date, source and names as tags."""
    table = table_of(row)
    tags = {"Game": row.id, "Date": row.started, "Source": row.source}
    tags |= {f"Seat{seat.seat}": seat.name for seat in table.seats}
    plain = {name: value.replace('"', "'") for name, value in tags.items()}
    return record_from_entries(table.rules, entries_of(store, row.id), plain)


def plays_csv(store: Store, row: SessionRow) -> str:
    """One line for each card played. Names that a spreadsheet would take for a formula get an apostrophe."""
    table = table_of(row)
    names = {seat.seat: seat.name for seat in table.seats}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for hand in fold(table.rules, entries_of(store, row.id)).hands:
        open_trick = [(hand.trick_number, hand.trick, *_outcome(hand))] if hand.trick else []
        tricks = [(trick.n, trick.plays, trick.winner, trick.points) for trick in hand.tricks]
        for number, plays, winner, points in [*tricks, *open_trick]:
            for order, play in enumerate(plays, start=1):
                values: list[Any] = [row.id, row.started, hand.number, number, order, play.seat]
                values += [_plain(names.get(play.seat, "")), play.card, None if play.card is None else play.card.points]
                values += [None if play.confidence is None else round(play.confidence, 4)]
                values += [None if winner is None else _plain(names.get(winner, "")), points]
                writer.writerow(["" if value is None else str(value) for value in values])
    return out.getvalue()


def _outcome(hand: GameState) -> tuple[int | None, int | None]:
    """Who wins the trick on the table and its points, once it is full; None before, and where a card is not known."""
    winning = winning_view(hand.trick, hand.trump_suit) if hand.phase == "trick_full" else None
    if winning is None:
        return None, None
    return hand.trick[winning.index].seat, sum(play.card.points for play in hand.trick if play.card is not None)


def _plain(name: str) -> str:
    return f"'{name}" if name.startswith(_FORMULA) else name
