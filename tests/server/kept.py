"""Games kept in a real history for tests, played by the engine's own random players."""

from random import Random
from typing import Any

from engine.codec import entry_to_json
from engine.events import ArrastreCalled, CardPlayed
from engine.fold import fold
from engine.ledger import Amend, Ledger
from engine.random_game import RandomGame, random_game
from engine.rules import Rules
from server.seats import parse_seats
from server.sessions.result import result_json
from server.sessions.session import Table
from server.sessions.sitting import SessionFacts
from server.sessions.store import Store
from server.terms import rules_on_terms

AT_TABLE = {2: "south=Ana,north=Luis", 4: "south=Ana,east=Luis,north=Mercedes,west=José Antonio"}


def keep_game(
    store: Store,
    seed: int,
    *,
    hands: int = 1,
    profile: str = "arrastro",
    seats: str = AT_TABLE[2],
    terms: dict[str, Any] | None = None,
    started: str | None = None,
    corrected: bool = False,
    written: bool = True,
) -> tuple[str, list[RandomGame]]:
    """Keep a game of so many hands; gives its id and what really happened. ``written`` False: as after a power cut."""
    sitting = parse_seats(seats)
    rules: Rules = rules_on_terms(profile, len(sitting), terms or {})
    table = Table(profile, rules, sitting)
    facts = SessionFacts.begin("camera 0")
    if started is not None:
        facts = SessionFacts(f"{started}-{seed}", "camera 0", started)
    ledger = Ledger(rules)
    games = [random_game(rules, Random(seed + number)) for number in range(hands)]
    for game in games:
        for event in game.events():
            ledger.append("person" if isinstance(event, ArrastreCalled) else "vision", event)
    if corrected:
        play = next(entry for entry in ledger.entries if isinstance(entry.body, CardPlayed))
        assert isinstance(play.body, CardPlayed)
        wrong = CardPlayed(play.body.seat, None, t=play.body.t)
        ledger.append("vision", Amend(play.id, wrong, "no longer sure"), 1.0)
        ledger.append("person", Amend(play.id, play.body, "corrected by hand"), 2.0)
    store.begin(facts.row(table, None))
    store.append(facts.id, [(entry.seq, entry_to_json(entry)) for entry in ledger.entries])
    if written:
        result = result_json(rules, sitting, fold(rules, ledger.entries), ledger.entries)
        store.save_result(facts.id, result, "2026-01-02T04:00:00Z")
    store.flush()
    assert store.failure is None
    return facts.id, games
