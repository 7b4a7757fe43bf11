"""The history told again: games, statistics, files, forgetting; in real SQLite, over a real server."""

import csv
import io
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from kept import AT_TABLE, keep_game
from rooms import ServedRoom, serving_room, write_film

from engine.codec import entry_to_json
from engine.events import TrickSwept
from engine.fold import fold
from engine.ledger import Amend, Confirm, Ledger, Retract
from engine.random_game import Called, Gathered, Played, RandomGame, Swapped
from engine.record import read_record
from server.errors import StoreError
from server.history.archive import entries_of, rules_of
from server.history.statistics import BRISCA_RANKS
from server.referee.steps import DISMISSED
from server.sessions.store import MIGRATIONS, Store


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ServedRoom]:
    with serving_room(tmp_path) as server:
        yield server


def moves(game: RandomGame, kind: type) -> list[Any]:
    return [move for move in game.moves if isinstance(move, kind)]


def briscas_of(game: RandomGame, seat: int) -> int:
    """Counted from what really happened, not from any state."""
    trump = next(move.card for move in game.moves if type(move).__name__ == "TrumpTurned").suit
    won = {move.trick for move in moves(game, Gathered) if move.seat == seat}
    return sum(
        str(move.card.rank) in BRISCA_RANKS and move.card.suit != trump and move.trick in won
        for move in moves(game, Played)
    )


def test_a_game_is_told_whole(served: ServedRoom) -> None:
    id, (first, second) = keep_game(served.store, 3, hands=2, corrected=True)
    status, game = served.ask("GET", f"/api/sessions/{id}/game")
    assert status == 200
    assert [hand["scores"][seat]["points"] for hand in game["hands"] for seat in (0, 1)] == [
        *first.points_by_seat,
        *second.points_by_seat,
    ]
    assert [len(hand["tricks"]) for hand in game["hands"]] == [20, 20]
    shown = [play["card"] for trick in game["hands"][1]["tricks"] for play in trick["plays"]]
    assert shown == [str(move.card) for move in moves(second, Played)]
    assert (game["match"]["format"], game["match"]["n"]) == ("fixed_hands_sum", 5)
    assert game["match"]["totals"] == [a + b for a, b in zip(first.points_by_seat, second.points_by_seat, strict=True)]
    by_hand = [one for one in game["corrections"] if one["by"] == "person"]
    card = str(moves(first, Played)[0].card)
    assert [(one["change"], one["hand"], one["trick"], one["after"]) for one in by_hand] == [("amended", 1, 1, card)]
    assert by_hand[0]["before"] != card
    assert not {one["change"] for one in game["corrections"]} & {"told"}, "what people said is in the hands"
    faults = Counter((one["kind"], one["seat"]) for hand in game["hands"] for one in hand["violations"])
    state = fold(rules_of(served.store.session(id)), entries_of(served.store, id))
    assert faults == Counter((one.code, one.seat) for one in state.violations)


def test_the_list_is_short_and_newest_first(served: ServedRoom) -> None:
    keep_game(served.store, 1, started="2026-01-01T20:00:00Z")
    id, (game,) = keep_game(served.store, 2, started="2026-01-02T20:00:00Z", seats=AT_TABLE[4])
    broken, _ = keep_game(served.store, 4, started="2026-01-03T20:00:00Z", written=False)
    games = served.ask("GET", "/api/history")[1]["games"]
    assert [one["started"][:10] for one in games] == ["2026-01-03", "2026-01-02", "2026-01-01"]
    assert games[0]["id"] == broken
    assert games[0]["ended"] is None
    assert sum(games[0]["points"]) == 120, "told from the ledger, as its result was never written"
    teams = games[1]
    assert (teams["id"], teams["sides"]) == (id, [[0, 2], [1, 3]])
    points = game.points_by_seat
    assert teams["points"] == [points[0] + points[2], points[1] + points[3]]
    assert sum(teams["wins"]) <= teams["hands"] == 1
    assert "tricks" not in json.dumps(games)


@pytest.mark.parametrize(("hands", "status"), [(1, "running"), (2, "running"), (3, "running"), (12, "won")])
def test_a_match_has_a_winner_only_once_it_is_decided(served: ServedRoom, hands: int, status: str) -> None:
    id, games = keep_game(served.store, 40, hands=hands, terms={"match": "first_5"})
    (told,) = served.ask("GET", "/api/history")[1]["games"]
    won = [sum(game.points_by_seat[side] > 60 for game in games) for side in (0, 1)]
    assert (told["counts"], told["wins"], told["status"]) == ("wins", won, status)
    assert (told["winner"] is None) == (status == "running")
    whole = served.ask("GET", f"/api/sessions/{id}/game")[1]
    assert (whole["counts"], whole["status"], whole["winner"]) == (told["counts"], told["status"], told["winner"])


def test_a_single_hand_is_won_by_its_points_and_several_by_the_hands_won(served: ServedRoom) -> None:
    keep_game(served.store, 1, started="2026-01-02T20:00:00Z", terms={"match": "single"})
    keep_game(served.store, 10, hands=3, started="2026-01-01T20:00:00Z", terms={"match": "single"})
    one, several = served.ask("GET", "/api/history")[1]["games"]
    assert (one["counts"], one["status"]) == ("points", "won")
    assert one["points"][one["winner"]] == max(one["points"])
    assert several["counts"] == "wins"
    assert several["winner"] == several["wins"].index(max(several["wins"]))


def test_the_demo_is_marked_and_counts_for_nobody(served: ServedRoom) -> None:
    keep_game(served.store, 3, started="2026-01-01T20:00:00Z")
    before = served.ask("GET", "/api/players")[1]
    assert served.start()[0] == 201
    (demo,) = (game for game in served.ask("GET", "/api/history")[1]["games"] if game["demo"])
    assert served.ask("GET", f"/api/sessions/{demo['id']}/game")[1]["session"]["demo"]
    assert served.ask("POST", "/api/game/end")[0] == 200
    result = keep_game(served.store, 9, started="2026-01-03T20:00:00Z")[0]
    served.store.change([("UPDATE session SET demo = 1 WHERE id = ?", (result,))])
    assert served.ask("GET", "/api/players")[1] == before, "a whole hand of the demo changes no figure"


def test_statistics_count_what_really_happened(served: ServedRoom) -> None:
    _, one = keep_game(served.store, 10, hands=3, started="2026-01-01T20:00:00Z")
    _, two = keep_game(served.store, 20, hands=2, started="2026-01-02T20:00:00Z", seats="south=luis,north=Eva")
    players = {player["name"]: player for player in served.ask("GET", "/api/players")[1]["players"]}
    assert set(players) == {"Ana", "luis", "Eva"}, "capitals make no other person; the newest spelling is shown"
    luis = players["luis"]
    played = [(game, 1) for game in one] + [(game, 0) for game in two]
    assert (luis["games"], luis["hands"]) == (2, 5)
    assert [point["points"] for point in luis["points"]] == [game.points_by_seat[seat] for game, seat in played]
    assert luis["won"] == sum(game.points_by_seat[seat] > 60 for game, seat in played)
    assert luis["undecided"] == sum(game.points_by_seat[seat] == 60 for game, seat in played)
    assert luis["mean"] == round(sum(game.points_by_seat[seat] for game, seat in played) / 5, 1)
    assert luis["briscas"] == sum(briscas_of(game, seat) for game, seat in played)
    assert luis["arrastres"] == sum(move.seat == seat for game, seat in played for move in moves(game, Called))
    assert luis["exchanges"] == sum(move.seat == seat for game, seat in played for move in moves(game, Swapped))
    assert sum(player["briscas"] for player in players.values()) == sum(
        briscas_of(game, seat) for game in (*one, *two) for seat in (0, 1)
    )


def test_partners_share_points_and_wins_but_not_what_each_gathered(served: ServedRoom) -> None:
    _, (game,) = keep_game(served.store, 5, seats=AT_TABLE[4])
    players = {player["name"]: player for player in served.ask("GET", "/api/players")[1]["players"]}
    ana, mercedes = players["Ana"], players["Mercedes"]
    assert ana["won"] == mercedes["won"]
    assert ana["mean"] == mercedes["mean"] == game.points_by_seat[0] + game.points_by_seat[2]
    assert (ana["captured"], mercedes["captured"]) == (game.points_by_seat[0], game.points_by_seat[2])


@pytest.mark.parametrize("form", ["json", "txt"])
def test_an_exported_record_is_read_back_as_the_same_game(served: ServedRoom, form: str) -> None:
    terms = {"tie": "void", "match": "first_2"}
    id, _ = keep_game(served.store, 7, hands=2, terms=terms, corrected=True, seats='south=Ana "la mano",north=Luis')
    status, content = served.ask("GET", f"/api/sessions/{id}/export/{form}")
    assert status == 200
    text = json.dumps(content) if form == "json" else content.decode()
    record = read_record(text)
    assert record.problems == ()
    assert dict(record.tags)["Seat0"] == "Ana 'la mano'"
    state = fold(rules_of(served.store.session(id)), entries_of(served.store, id))
    again = record.state()
    assert record.rules == state.rules
    assert [hand.points_by_seat for hand in again.hands] == [hand.points_by_seat for hand in state.hands]
    assert [[trick.winner for trick in hand.tricks] for hand in again.hands] == [
        [trick.winner for trick in hand.tricks] for hand in state.hands
    ]


def test_the_table_of_plays_adds_up_and_holds_no_formula(served: ServedRoom) -> None:
    id, (game,) = keep_game(served.store, 8, seats="south==HYPERLINK(1),north=Luis")
    content = served.ask("GET", f"/api/sessions/{id}/export/csv")[1].decode()
    rows = list(csv.DictReader(io.StringIO(content)))
    assert [row["card"] for row in rows] == [str(move.card) for move in moves(game, Played)]
    assert sum(int(row["points"]) for row in rows) == 120
    assert {row["player"] for row in rows} == {"'=HYPERLINK(1)", "Luis"}
    assert served.ask("GET", f"/api/sessions/{id}/export/exe")[0] == 400


def test_the_table_of_plays_tells_a_full_trick_that_lies_there_still(served: ServedRoom) -> None:
    served.start(source={"kind": "none"})
    served.wait("/api/state", lambda state: not state["session"].get("idle"))
    for press in (
        {"type": "set_trump", "card": "4O"},
        {"type": "add_play", "trick": 1, "seat": 0, "card": "3C"},
        {"type": "add_play", "trick": 1, "seat": 1, "card": "2O"},
        {"type": "sweep"},
        {"type": "add_play", "trick": 2, "seat": 1, "card": "1E"},
    ):
        assert served.ask("POST", "/api/press", press)[0] == 200, press
    id = served.ask("GET", "/api/state")[1]["session"]["id"]

    def ends() -> list[tuple[str, str, str]]:
        served.store.flush()
        rows = csv.DictReader(io.StringIO(served.ask("GET", f"/api/sessions/{id}/export/csv")[1].decode()))
        return [(row["card"], row["won_by"], row["trick_points"]) for row in rows]

    assert ends() == [("3C", "Luis", "10"), ("2O", "Luis", "10"), ("1E", "", "")]
    served.ask("POST", "/api/press", {"type": "add_play", "trick": 2, "seat": 0, "card": "12E"})
    assert ends()[2:] == [("1E", "Luis", "15"), ("12E", "Luis", "15")]


def test_what_the_table_let_go_is_no_fault_in_the_statistics(served: ServedRoom) -> None:
    id, _ = keep_game(served.store, 1)
    rules = rules_of(served.store.session(id))
    entries = list(entries_of(served.store, id))
    sweep = next(entry for entry in entries if isinstance(entry.body, TrickSwept))
    loser = 1 - fold(rules, entries).hands[0].tricks[0].winner
    ledger = Ledger(rules, entries)
    ledger.append("person", Amend(sweep.id, TrickSwept(loser, t=sweep.t), "corrected by hand"))
    fault = next(one for one in fold(rules, ledger.entries).violations if one.certainty == "certain")
    keep = [(ledger.entries[-1].seq, entry_to_json(ledger.entries[-1]))]
    served.store.append(id, keep)
    served.store.flush()

    def faults() -> dict[str, int]:
        return {one["name"]: one["violations"] for one in served.ask("GET", "/api/players")[1]["players"]}

    name = ("Ana", "Luis")[fault.seat or 0]
    assert faults()[name] == 1
    dismiss = ledger.append("person", Confirm(fault.key, DISMISSED))
    served.store.append(id, [(dismiss.seq, entry_to_json(dismiss))])
    served.store.flush()
    assert faults()[name] == 0
    back = ledger.append("person", Retract(dismiss.id, "undo"))
    served.store.append(id, [(back.seq, entry_to_json(back))])
    served.store.flush()
    assert faults()[name] == 1, "a dismissal that was taken back counts no more"


def test_a_deleted_game_is_gone_from_the_file_as_well(tmp_path: Path) -> None:
    with serving_room(tmp_path) as served:
        id, _ = keep_game(served.store, 1, seats="south=Zoraida,north=Luis")
        other, _ = keep_game(served.store, 2)
        assert served.ask("DELETE", f"/api/sessions/{id}")[0] == 200
        assert served.ask("GET", f"/api/sessions/{id}/game")[0] == 404
        assert served.ask("DELETE", f"/api/sessions/{id}")[0] == 404
        assert [game["id"] for game in served.ask("GET", "/api/history")[1]["games"]] == [other]
        evil = {"Origin": "http://evil.example"}
        assert served.ask("DELETE", f"/api/sessions/{other}", **evil)[0] == 403
        left = b"".join(path.read_bytes() for path in tmp_path.glob("history.sqlite*"))
        assert b"Zoraida" not in left
        assert b"Luis" in left


@pytest.mark.parametrize("games", [False, True])
def test_a_player_is_forgotten(tmp_path: Path, games: bool) -> None:
    with serving_room(tmp_path) as served:
        id, _ = keep_game(served.store, 1, seats="south=Zoraida,north=Luis")
        other, _ = keep_game(served.store, 2, seats="south=Ana,north=Luis")
        film = write_film(tmp_path / "table.mp4", 0.5)
        people = [{"side": "south", "name": "zoraida"}, {"side": "north", "name": "Eva"}]
        assert (
            served.ask("POST", "/api/game", {"source": {"kind": "film", "value": str(film)}, "people": people})[0]
            == 201
        )
        served.wait("/api/state", lambda state: state["session"]["ended"])
        status, told = served.ask("POST", "/api/players/forget", {"name": "ZORAIDA", "games": games})
        assert (status, told["games"]) == (200, 2)
        left = b"".join(path.read_bytes() for path in tmp_path.glob("history.sqlite*"))
        assert b"zoraida" not in left.lower()
        kept = {game["id"]: game for game in served.ask("GET", "/api/history")[1]["games"]}
        assert (id in kept) is not games
        assert other in kept
        if not games:
            assert [seat["name"] for seat in kept[id]["seats"]] == ["", "Luis"]
            assert served.ask("GET", f"/api/sessions/{id}/game")[1]["hands"][0]["scores"][0]["name"] == ""
        assert "Zoraida" not in {player["name"] for player in served.ask("GET", "/api/players")[1]["players"]}
        assert served.ask("GET", "/api/state")[1]["session"]["idle"], "that game has left the screens"
        assert served.ask("POST", "/api/players/forget", {"name": "Zoraida"})[0] == 404
        assert served.ask("GET", "/api/health")[1]["status"] == "ok"


def test_a_game_going_on_is_not_deleted(served: ServedRoom, tmp_path: Path) -> None:
    film = write_film(tmp_path / "long.mp4", 30)
    _, begun = served.start(source={"kind": "film", "value": str(film)})
    status, body = served.ask("DELETE", f"/api/sessions/{begun['session']}")
    assert (status, body["error"]["code"]) == (409, "busy")
    assert served.ask("POST", "/api/players/forget", {"name": "Ana"})[0] == 409
    served.ask("POST", "/api/game/end")
    assert served.ask("DELETE", f"/api/sessions/{begun['session']}")[0] == 200
    assert served.ask("GET", "/api/health")[1]["status"] == "ok"


def test_a_history_of_the_first_version_is_brought_along(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    with Store(tmp_path / "other" / "h.sqlite") as new:
        id, (game,) = keep_game(new, 1, profile="fournier")
        row, entries = new.session(id), entries_of(new, id)
    with closing(sqlite3.connect(path)) as old:
        old.executescript(MIGRATIONS[0])
        old.execute(
            "INSERT INTO session (id, started, source, rules, players, seats, version, complete, result)"
            " VALUES (?, ?, ?, ?, ?, ?, '0.1', 1, ?)",
            (row.id, row.started, row.source, "fournier", 2, json.dumps(list(row.seats)), json.dumps(row.result)),
        )
        old.execute(
            "INSERT INTO session (id, started, source, rules, players, seats, version)"
            " SELECT 'older', '2020-01-01', 'demo.mp4', rules, players, seats, version FROM session"
        )
        lines = [(row.id, entry.seq, json.dumps(entry_to_json(entry))) for entry in entries]
        old.executemany("INSERT INTO entry VALUES (?, ?, ?)", lines)
        old.execute("PRAGMA user_version = 1")
        old.commit()
    with serving_room(tmp_path) as served:
        assert served.store.session(id).terms is None
        told = served.ask("GET", f"/api/sessions/{id}/game")[1]
        assert [score["points"] for score in told["hands"][0]["scores"]] == list(game.points_by_seat)
        assert served.ask("GET", "/api/history")[1]["games"][0]["rules"] == "fournier"
        assert [row.demo for row in served.store.sessions()] == [False, True]
    with closing(sqlite3.connect(path)) as migrated:
        assert migrated.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)


def test_a_game_of_unknown_rules_does_not_hide_the_others(served: ServedRoom) -> None:
    id, _ = keep_game(served.store, 1)
    strange, _ = keep_game(served.store, 2)
    served.store.change([('UPDATE session SET terms = \'{"profile": "whist"}\' WHERE id = ?', (strange,))])
    assert [game["id"] for game in served.ask("GET", "/api/history")[1]["games"]] == [id]
    assert len(served.ask("GET", "/api/players")[1]["players"]) == 2
    with pytest.raises(StoreError, match="whist"):
        rules_of(served.store.session(strange))
    status, body = served.ask("GET", f"/api/sessions/{strange}/game")
    assert (status, body["error"]["code"]) == (500, "store")
