"""The history: sessions and their ledgers in one SQLite file.

One thread writes, fed by a queue, so that the game never waits for a disk; readers open their own connections
(WAL lets them read while it writes). The schema grows by numbered migrations kept in ``PRAGMA user_version``.
"""

import json
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from server.errors import NotFoundError, StoreError

REMEMBERED: Final = "start"
"""The name under which the last answers of the start page are remembered."""

MIGRATIONS: Final[tuple[str, ...]] = (
    """
    CREATE TABLE session (
        id TEXT PRIMARY KEY,
        started TEXT NOT NULL,
        ended TEXT,
        source TEXT NOT NULL,
        rules TEXT NOT NULL,
        players INTEGER NOT NULL,
        seats TEXT NOT NULL,
        folder TEXT,
        version TEXT NOT NULL,
        complete INTEGER NOT NULL DEFAULT 0,
        result TEXT
    ) STRICT;
    CREATE TABLE entry (
        session TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (session, seq)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX session_started ON session (started);
    """,
    """
    ALTER TABLE session ADD COLUMN terms TEXT;
    CREATE TABLE remembered (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
    """
    ALTER TABLE session ADD COLUMN demo INTEGER NOT NULL DEFAULT 0;
    UPDATE session SET demo = 1 WHERE source = 'demo.mp4';
    """,
)
"""SQL of each schema version, oldest first. Never change one that was released: append the next."""

_INSERT: Final = (
    "INSERT INTO session (id, started, source, rules, players, seats, folder, version, terms, demo)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_ENTRY: Final = "INSERT INTO entry (session, seq, body) VALUES (?, ?, ?)"
_BUSY_SECONDS: Final = 5.0
_Job = tuple[Callable[[sqlite3.Connection], None], "Future[None] | None"]


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session of the history. Times are ISO 8601 in UTC; ``result`` is the result file's content once known.

    ``terms`` are the rules as a record writes them (profile, players and what the table changed); None in histories
    of versions that could change nothing. ``demo``: it is the demo's game, which nobody has played here.
    """

    id: str
    started: str
    source: str
    rules: str
    players: int
    seats: tuple[dict[str, Any], ...]
    version: str
    folder: str | None = None
    ended: str | None = None
    complete: bool = False
    result: dict[str, Any] | None = None
    terms: dict[str, Any] | None = None
    demo: bool = False

    def as_json(self) -> dict[str, Any]:
        """The row as it is sent to a screen (without the folder, which is nobody else's business)."""
        return {
            "id": self.id,
            "started": self.started,
            "ended": self.ended,
            "source": self.source,
            "rules": self.rules,
            "players": self.players,
            "seats": list(self.seats),
            "complete": self.complete,
            "demo": self.demo,
            "result": self.result,
        }


class Store:
    """The history database at ``path`` (made when missing, with its folder). Use as a context manager.

    Writes are queued and return at once; a write that fails is told by :attr:`failure` and does not stop the game.
    Raises :class:`StoreError` where the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.failure: str | None = None
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, check_same_thread=False, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(_cannot(path, error)) from error
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA secure_delete = ON")  # who asks to be forgotten is not to be found in the file
            migrate(connection, path)
        except sqlite3.Error as error:
            connection.close()
            raise StoreError(_cannot(path, error)) from error
        except StoreError:
            connection.close()
            raise
        self._writer = threading.Thread(target=self._write, args=(connection,), name="store-writer", daemon=True)
        self._writer.start()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    # Writing -------------------------------------------------------------------------------------------------------

    def begin(self, row: SessionRow) -> None:
        """Note that a session has begun."""
        values = _values(row)
        self._submit(lambda db: _run(db, _INSERT, values))

    def begin_again(self, row: SessionRow, entries: Sequence[tuple[int, dict[str, Any]]]) -> None:
        """Note that a session goes on: its end is taken back, its ledger is the one given."""
        self.change(
            [
                ("DELETE FROM session WHERE id = ?", (row.id,)),
                (_INSERT, _values(row)),
                *((_ENTRY, (row.id, seq, _dump(body))) for seq, body in entries),
            ]
        )

    def append(self, session: str, entries: Sequence[tuple[int, dict[str, Any]]]) -> None:
        """Append ledger entries, as (seq, JSON), to a session."""
        rows = [(session, seq, _dump(body)) for seq, body in entries]
        self._submit(lambda db: _run_many(db, _ENTRY, rows))

    def save_result(self, session: str, result: dict[str, Any], ended: str | None) -> None:
        """Keep the result as it stands; ``ended`` is the time of the end, None while the session goes on."""
        values = (_dump(result), int(bool(result.get("complete"))), ended, session)
        self._submit(
            lambda db: _run(
                db, "UPDATE session SET result = ?, complete = ?, ended = coalesce(ended, ?) WHERE id = ?", values
            )
        )

    def revise(
        self,
        session: str,
        seats: Sequence[dict[str, Any]],
        entries: Sequence[tuple[int, dict[str, Any]]],
        result: dict[str, Any],
        ended: str,
    ) -> None:
        """Keep what was put right in a game that is over, all or nothing; waits until it is done.

        ``ended`` is the end of a game that has none yet: what was put right by hand does not go on.
        """
        values = (_dump(list(seats)), _dump(result), int(bool(result.get("complete"))), ended, session)
        update = "UPDATE session SET seats = ?, result = ?, complete = ?, ended = coalesce(ended, ?) WHERE id = ?"
        self.change([*((_ENTRY, (session, seq, _dump(body))) for seq, body in entries), (update, values)])

    def save_seats(self, session: str, seats: Sequence[dict[str, Any]]) -> None:
        """Keep who sits where, after names were swapped."""
        values = (_dump(list(seats)), session)
        self._submit(lambda db: _run(db, "UPDATE session SET seats = ? WHERE id = ?", values))

    def delete(self, session: str) -> None:
        """Forget a session and its ledger. Waits until it is done; unknown ids raise :class:`NotFoundError`."""
        self.session(session)
        self.change([("DELETE FROM session WHERE id = ?", (session,))])

    def change(self, statements: Sequence[tuple[str, Sequence[Any]]]) -> None:
        """Do all of these SQL statements or none, and wait until they are done. What is deleted is overwritten."""
        self._submit(lambda db: _change(db, statements), wait=True)

    @staticmethod
    def text(value: object) -> str:
        """A JSON value as the store writes it."""
        return _dump(value)

    def remember(self, name: str, value: object) -> None:
        """Keep a JSON value under a name, for the next time."""
        values = (name, _dump(value))
        self._submit(lambda db: _run(db, "INSERT OR REPLACE INTO remembered (name, value) VALUES (?, ?)", values))

    def flush(self) -> None:
        """Wait until all that was queued so far is on the disk."""
        self._submit(lambda db: None, wait=True)

    def close(self) -> None:
        """Write what is queued, then close; harmless when closed already."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
            self._writer.join()

    # Reading -------------------------------------------------------------------------------------------------------

    def sessions(self, limit: int = 200) -> tuple[SessionRow, ...]:
        """The newest sessions first."""
        with self._reader() as db:
            rows = db.execute("SELECT * FROM session ORDER BY started DESC, id DESC LIMIT ?", (limit,)).fetchall()
        return tuple(_row(row) for row in rows)

    def count(self) -> int:
        """How many sessions there are."""
        with self._reader() as db:
            return int(db.execute("SELECT count(*) FROM session").fetchone()[0])

    def session(self, session: str) -> SessionRow:
        """One session; raises :class:`NotFoundError` for an unknown id."""
        with self._reader() as db:
            row = db.execute("SELECT * FROM session WHERE id = ?", (session,)).fetchone()
        if row is None:
            raise NotFoundError(
                f"There is no session '{session}' in the history; /api/sessions lists those there are.", "no_such_game"
            )
        return _row(row)

    def entries(self, session: str) -> tuple[dict[str, Any], ...]:
        """The ledger entries of a session as JSON, in order."""
        with self._reader() as db:
            rows = db.execute("SELECT body FROM entry WHERE session = ? ORDER BY seq", (session,)).fetchall()
        return tuple(json.loads(row["body"]) for row in rows)

    def recall(self, name: str) -> Any:
        """What was remembered under a name, None if nothing was."""
        with self._reader() as db:
            row = db.execute("SELECT value FROM remembered WHERE name = ?", (name,)).fetchone()
        return None if row is None else json.loads(row["value"])

    # Inside --------------------------------------------------------------------------------------------------------

    def _submit(self, job: Callable[[sqlite3.Connection], None], wait: bool = False) -> None:
        if self._closed:
            raise StoreError(f"The history at {self.path} is closed already; start the program again to write to it.")
        done: Future[None] | None = Future() if wait else None
        self._queue.put((job, done))
        if done is not None:
            done.result()

    def _write(self, connection: sqlite3.Connection) -> None:
        while (item := self._queue.get()) is not None:
            job, done = item
            try:
                job(connection)
            except sqlite3.Error as error:
                self.failure = _cannot(self.path, error)
                if done is not None:
                    done.set_exception(StoreError(self.failure))
            else:
                if done is not None:
                    done.set_result(None)
        connection.close()

    @contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro", uri=True, timeout=_BUSY_SECONDS)
        except sqlite3.Error as error:
            raise StoreError(_cannot(self.path, error)) from error
        connection.row_factory = sqlite3.Row
        try:
            yield connection
        except sqlite3.Error as error:
            raise StoreError(_cannot(self.path, error)) from error
        finally:
            connection.close()


def migrate(connection: sqlite3.Connection, path: Path, migrations: Sequence[str] = MIGRATIONS) -> int:
    """Bring the schema up to date, one transaction per step; gives the version reached.

    Raises :class:`StoreError` for a file that a newer program made.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > len(migrations):
        raise StoreError(
            f"The history at {path} was made by a newer version of brisca; update the program, or give another folder "
            "with --data."
        )
    for number, script in enumerate(migrations[version:], start=version + 1):
        # executescript commits on its own: the transaction has to be part of the script to hold its steps together.
        connection.executescript(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; COMMIT;")
    return len(migrations)


def _run(db: sqlite3.Connection, sql: str, values: Sequence[Any]) -> None:
    db.execute(sql, values)


def _run_many(db: sqlite3.Connection, sql: str, rows: Sequence[Sequence[Any]]) -> None:
    db.execute("BEGIN")
    try:
        db.executemany(sql, rows)
    except sqlite3.Error:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def _change(db: sqlite3.Connection, statements: Sequence[tuple[str, Sequence[Any]]]) -> None:
    db.execute("BEGIN IMMEDIATE")
    try:
        for sql, values in statements:
            db.execute(sql, values)
    except sqlite3.Error:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
    # The write-ahead log still holds the old pages: empty it (a reader in the way only delays that).
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def _values(row: SessionRow) -> tuple[Any, ...]:
    """A session that begins, as ``_INSERT`` takes it."""
    return (
        row.id,
        row.started,
        row.source,
        row.rules,
        row.players,
        _dump(list(row.seats)),
        row.folder,
        row.version,
        None if row.terms is None else _dump(row.terms),
        int(row.demo),
    )


def _row(row: sqlite3.Row) -> SessionRow:
    return SessionRow(
        id=row["id"],
        started=row["started"],
        source=row["source"],
        rules=row["rules"],
        players=row["players"],
        seats=tuple(json.loads(row["seats"])),
        version=row["version"],
        folder=row["folder"],
        ended=row["ended"],
        complete=bool(row["complete"]),
        result=json.loads(row["result"]) if row["result"] else None,
        terms=json.loads(row["terms"]) if row["terms"] else None,
        demo=bool(row["demo"]),
    )


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _cannot(path: Path, error: Exception) -> str:
    return f"The history at {path} cannot be used ({error}); free the disk or give a writable folder with --data."
