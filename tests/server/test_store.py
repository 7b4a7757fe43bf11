"""The history in real SQLite files."""

import sqlite3
import threading
from pathlib import Path

import pytest

from server.errors import NotFoundError, StoreError
from server.sessions.store import MIGRATIONS, SessionRow, Store, migrate


def row(id: str = "s1", started: str = "2026-01-02T03:04:05Z") -> SessionRow:
    seats = ({"seat": 0, "side": "south", "name": "Ana"}, {"seat": 1, "side": "north", "name": "José 🂡"})
    return SessionRow(id, started, "demo", "arrastro", 2, seats, "1.0")


def test_a_session_with_its_ledger_and_result_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "history.sqlite"
    with Store(path) as store:
        store.begin(row())
        store.append("s1", [(1, {"id": "e1", "body": "ñ"}), (2, {"id": "e2"})])
        store.save_result("s1", {"complete": True, "winner": 0}, "2026-01-02T04:00:00Z")
        store.flush()
        assert store.failure is None
    with Store(path) as store:
        (kept,) = store.sessions()
        assert kept.seats == row().seats
        assert kept.complete
        assert kept.result == {"complete": True, "winner": 0}
        assert kept.ended == "2026-01-02T04:00:00Z"
        assert [entry["id"] for entry in store.entries("s1")] == ["e1", "e2"]
        assert store.session("s1") == kept


def test_a_result_while_the_session_goes_on_does_not_end_it(tmp_path: Path) -> None:
    with Store(tmp_path / "h.sqlite") as store:
        store.begin(row())
        store.save_result("s1", {"complete": False}, None)
        store.flush()
        assert store.session("s1").ended is None
        store.save_result("s1", {"complete": True}, "later")
        store.save_result("s1", {"complete": True, "again": 1}, None)
        store.flush()
        assert store.session("s1").ended == "later"


def test_newest_sessions_come_first_and_deleting_takes_the_ledger_along(tmp_path: Path) -> None:
    with Store(tmp_path / "h.sqlite") as store:
        for number in range(3):
            store.begin(row(f"s{number}", f"2026-01-0{number + 1}T00:00:00Z"))
        store.append("s1", [(1, {"id": "e1"})])
        store.flush()
        assert [kept.id for kept in store.sessions()] == ["s2", "s1", "s0"]
        assert len(store.sessions(limit=2)) == 2
        store.delete("s1")
        assert [kept.id for kept in store.sessions()] == ["s2", "s0"]
        assert store.entries("s1") == ()
        with pytest.raises(NotFoundError, match="no session 's1'"):
            store.delete("s1")


def test_closing_writes_what_was_queued(tmp_path: Path) -> None:
    store = Store(tmp_path / "h.sqlite")
    store.begin(row())
    for seq in range(500):
        store.append("s1", [(seq, {"id": f"e{seq}"})])
    store.close()
    store.close()
    with Store(tmp_path / "h.sqlite") as again:
        assert len(again.entries("s1")) == 500
    with pytest.raises(StoreError, match="closed already"):
        store.append("s1", [(501, {})])


def test_readers_and_the_writer_do_not_block_each_other(tmp_path: Path) -> None:
    counts: list[int] = []
    with Store(tmp_path / "h.sqlite") as store:
        store.begin(row())
        store.flush()

        def read() -> None:
            counts.extend(len(store.entries("s1")) for _ in range(30))

        reader = threading.Thread(target=read)
        reader.start()
        for seq in range(300):
            store.append("s1", [(seq, {"id": seq})])
        reader.join()
        store.flush()
        assert store.failure is None
        assert counts == sorted(counts)
        assert len(store.entries("s1")) == 300


def test_a_write_that_fails_is_told_and_stops_nothing(tmp_path: Path) -> None:
    with Store(tmp_path / "h.sqlite") as store:
        store.append("nobody", [(1, {})])
        store.flush()
        assert store.failure is not None
        assert "cannot be used" in store.failure
        store.begin(row())
        store.append("s1", [(1, {"id": "e1"}), (2, {"id": "e2"})])
        store.append("s1", [(3, {"id": "e3"}), (2, {"id": "twice"})])
        store.flush()
        # The batch that failed left nothing behind.
        assert [entry["id"] for entry in store.entries("s1")] == ["e1", "e2"]


def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite"
    path.write_text("this is no database, but long enough to be looked at" * 40)
    with pytest.raises(StoreError, match=r"cannot be used .*--data"):
        Store(path)
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StoreError, match="give a writable folder"):
        Store(blocked / "h.sqlite")


def test_migrations_run_once_each_and_newer_files_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite"
    with Store(path) as store:
        store.begin(row())
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        steps = (*MIGRATIONS, "ALTER TABLE session ADD COLUMN place TEXT; UPDATE session SET place = 'kitchen'")
        assert migrate(connection, path, steps) == len(steps)
        assert migrate(connection, path, steps) == len(steps)
        assert connection.execute("SELECT place FROM session").fetchall() == [("kitchen",)]
        with pytest.raises(StoreError, match="newer version"):
            migrate(connection, path, MIGRATIONS)
    finally:
        connection.close()
    with pytest.raises(StoreError, match="newer version"):
        Store(path)


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite"
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        with pytest.raises(sqlite3.Error):
            migrate(connection, path, ("CREATE TABLE a (x); CREATE TABLE a (x)",))
        connection.execute("ROLLBACK")
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == []
        assert connection.execute("PRAGMA user_version").fetchone() == (0,)
    finally:
        connection.close()
