"""Kept games told again: one game whole, the list of all in short, and forgetting a game or a player.

A game is told from its ledger, so that what was corrected after its end is in it; the list is told from the results,
which need no refereeing anew.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from engine.codec import entry_from_json, entry_to_json
from engine.errors import EngineError
from engine.fold import fold
from engine.ledger import Correction, LedgerEntry, Retract, voided
from engine.record import rules_from_json
from engine.result import hand_result, match_score
from engine.rules import Rules, load_profile
from engine.state import HandResult, MatchScore, MatchState
from server.errors import StoreError
from server.history.revision import Revision, steps_of
from server.messages import ChangeData, ScoreData
from server.moment import now_text
from server.presses import parse_press
from server.scoreboard.changes import STEPS, changes, dismissed
from server.scoreboard.dealers import dealer_of
from server.scoreboard.snapshot import (
    hand_json,
    known_json,
    match_json,
    rules_json,
    scores_json,
    seat_json,
    violation_json,
)
from server.seats import Seat, swap_names
from server.sessions.result import OPEN, result_json
from server.sessions.session import Table
from server.sessions.store import REMEMBERED, SessionRow, Store

ALL = -1
"""No limit to the number of sessions."""

_BY_POINTS: Final = ("fixed_hands_sum", "points_limit")


def rules_of(row: SessionRow) -> Rules:
    """The rules that a game was played by. Raises :class:`StoreError` where this version does not know them."""
    try:
        return rules_from_json(row.terms) if row.terms is not None else load_profile(row.rules, row.players)
    except EngineError as error:
        raise StoreError(f"The rules of the game {row.id} are unknown here: {error}") from error


def table_of(row: SessionRow) -> Table:
    """The table that a game was played at."""
    seats = tuple(Seat.from_json(one) for one in row.seats)
    return Table(row.rules, rules_of(row), seats)


def entries_of(store: Store, session: str) -> tuple[LedgerEntry, ...]:
    """The ledger of a game. Raises :class:`StoreError` for a line that cannot be read."""
    try:
        return tuple(entry_from_json(body) for body in store.entries(session))
    except EngineError as error:
        raise StoreError(f"The ledger of the game {session} cannot be read: {error}") from error


def result_of(store: Store, row: SessionRow) -> dict[str, Any]:
    """The result of a game; told from the ledger where a power cut kept it from being written."""
    if row.result is not None:
        return row.result
    table, entries = table_of(row), entries_of(store, row.id)
    return result_json(table.rules, table.seats, fold(table.rules, entries), entries)


def hands_of(result: Mapping[str, Any]) -> Sequence[dict[str, Any]]:
    """The hands of a result file's content."""
    hands: Sequence[dict[str, Any]] = result.get("hands") or [dict(result)]
    return hands


def summary_json(store: Store, row: SessionRow) -> dict[str, Any]:
    """A game in the list: who played, how many hands, points and hands won of each side, which of them count.

    ``status`` and ``winner`` are those of the match by its format: nobody has won one that is not decided.
    """
    rules = rules_of(row)
    hands = hands_of(result_of(store, row))
    done = [hand for hand in hands if hand["complete"]]
    match = _match_of(store, row, rules, done)
    whole = match.totals if done else [sum(_points(hand, seats) for hand in hands) for seats in rules.sides]
    return {
        "id": row.id,
        "started": row.started,
        "ended": row.ended,
        "source": row.source,
        "rules": row.rules,
        "seats": [seat_json(seat, rules) for seat in table_of(row).seats],
        "sides": [list(seats) for seats in rules.sides],
        "demo": row.demo,
        "hands": len(done),
        "points": list(whole),
        "wins": list(match.wins),
        **_standing(match, len(done)),
    }


def game_json(store: Store, row: SessionRow) -> dict[str, Any]:
    """A whole game: its hands with tricks and violations, the match, and what was put right."""
    table, entries = table_of(row), entries_of(store, row.id)
    state = fold(table.rules, entries)
    let_go = dismissed(entries, voided(entries))
    return {
        "session": {
            "id": row.id,
            "source": row.source,
            "started": row.started,
            "ended": row.ended,
            "demo": row.demo,
        },
        "rules": rules_json(table),
        "seats": [seat_json(seat, table.rules) for seat in table.seats],
        "hands": [
            {
                **hand_json(hand, ended=row.ended is not None, dealer=dealer_of(state, hand.number, table.dealer)),
                "known": known_json(hand),
                "scores": [_named(score, table) for score in scores_json(table, hand)],
                "violations": [
                    violation_json(violation, hand, dismissed=violation.key in let_go) for violation in hand.violations
                ],
            }
            for hand in state.hands
        ],
        "match": match_json(state, table.dealer),
        **_standing(state.match, _complete(state)),
        "corrections": corrections_json(entries, state),
        "steps": steps_of(entries),
    }


def corrections_json(entries: Sequence[LedgerEntry], state: MatchState) -> list[ChangeData]:
    """The corrections that still stand, oldest first, in the form of the snapshot's changes."""
    void, corrections = voided(entries), {one.id for one in entries if isinstance(one.body, Correction)}
    gone = void | {
        one.id
        for one in entries
        if isinstance(one.body, Retract) and one.body.reason in STEPS and one.body.target in corrections
    }
    told = changes(state, entries, len(entries))
    return [one for one in reversed(told) if one["change"] != "told" and one["id"] not in gone]


def revise(store: Store, row: SessionRow, raw: Mapping[str, Any]) -> tuple[str, ...]:
    """Put a game that is over right by what was pressed; the ids of the new entries of its ledger.

    Raises :class:`~server.errors.PressError` where the press cannot be meant (nothing is changed then) and
    :class:`StoreError` where the history cannot be written.
    """
    table, before = table_of(row), entries_of(store, row.id)
    press, seats = parse_press(raw, table.rules.players), table.seats
    revision = Revision(table.rules, before)
    if press.type == "swap_seats":
        seats = swap_names(seats, press.seat or 0, press.other or 0)
    else:
        revision.press(press)
    entries = revision.ledger.entries
    made = entries[len(before) :]
    result = result_json(table.rules, seats, fold(table.rules, entries), entries)
    written = [(one.seq, entry_to_json(one)) for one in made]
    store.revise(row.id, [seat.as_json() for seat in seats], written, result, now_text())
    return tuple(one.id for one in made)


def forget_player(store: Store, name: str, games: bool) -> int:
    """Forget a player: the name in all games (``games`` False), or the games themselves; gives how many it were.

    Also what the start page remembers of it. Recordings that somebody asked for with ``--record`` are not touched.
    """
    statements: list[tuple[str, Sequence[Any]]] = []
    for row in games_with(store, name):
        if games:
            statements.append(("DELETE FROM session WHERE id = ?", (row.id,)))
            continue
        seats, result = _nameless(row.seats, name), row.result
        if result is not None:
            hands = [{**hand, "seats": _nameless(hand["seats"], name)} for hand in result.get("hands", ())]
            result = {**result, "seats": _nameless(result["seats"], name), **({"hands": hands} if hands else {})}
        values = (store.text(seats), None if result is None else store.text(result), row.id)
        statements.append(("UPDATE session SET seats = ?, result = ? WHERE id = ?", values))
    count = len(statements)
    kept = store.recall(REMEMBERED)
    if isinstance(kept, dict) and any(same_name(one.get("name", ""), name) for one in kept.get("people", ())):
        kept["people"] = _nameless(kept["people"], name)
        statements.append(("UPDATE remembered SET value = ? WHERE name = ?", (store.text(kept), REMEMBERED)))
    store.change(statements)
    return count


def games_with(store: Store, name: str) -> list[SessionRow]:
    """The games in which a player of that name took part."""
    return [row for row in store.sessions(ALL) if any(same_name(seat["name"], name) for seat in row.seats)]


def same_name(one: str, other: str) -> bool:
    """Whether two names mean the same person: capitals do not matter."""
    return one.strip().casefold() == other.strip().casefold()


def _named(score: ScoreData, table: Table) -> ScoreData:
    """A side's score; without a name where one of the side has been forgotten: screens then say "player 2"."""
    whole = all(table.seats[seat].name for seat in score["seats"])
    return score if whole else {**score, "name": ""}


def _nameless(people: Iterable[Mapping[str, Any]], name: str) -> list[dict[str, Any]]:
    return [{**one, "name": "" if same_name(str(one["name"]), name) else one["name"]} for one in people]


def _match_of(store: Store, row: SessionRow, rules: Rules, done: Sequence[Mapping[str, Any]]) -> MatchScore:
    """The match that the complete hands of a result make."""
    if rules.alcaide is not None:  # who bears the title is in the ledger only
        return fold(rules, entries_of(store, row.id)).match
    results = []
    for hand in done:
        points = tuple(_points(hand, seats) for seats in rules.sides)
        winner = hand["winner"]
        results.append(hand_result(rules, points, total=None) if winner is None else HandResult("won", winner, points))
    return match_score(rules, results)


def _complete(state: MatchState) -> int:
    """How many hands are complete."""
    return sum(hand.result is not None and hand.result.status not in OPEN for hand in state.hands)


def _standing(match: MatchScore, hands: int) -> dict[str, Any]:
    """Which of points and hands won count in a match after so many hands, whether it is decided, and for whom."""
    single = match.format == "single"
    by_wins = hands > 1 if single else match.format not in _BY_POINTS
    status, winner = match.status, match.winner
    if single and hands > 1:  # each of them was a game of its own: who won more of them?
        best = max(match.wins)
        winner = match.wins.index(best) if match.wins.count(best) == 1 else None
        status = "tied_match" if winner is None else "won"
    return {"counts": "wins" if by_wins else "points", "status": status, "winner": winner}


def _points(hand: Mapping[str, Any], seats: Iterable[int]) -> int:
    by_seat = hand["totals"]["by_seat"]
    return sum(int(by_seat.get(str(seat), 0)) for seat in seats)
