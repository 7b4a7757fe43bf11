"""One sitting at one table: observations and presses go in, the ledger and its game come out.

A session has no clock, no thread and no disk of its own. The live server, the headless run and the replay all drive
this same object, so that all three come to the same game.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.codec import entry_to_json
from engine.errors import ParseError, RulesError
from engine.ledger import LedgerEntry
from engine.record import rules_from_json, rules_to_json
from engine.rules import Rules
from engine.state import MatchState
from server.errors import UsageError
from server.house_rules import load_rules
from server.presses import Press, parse_press
from server.referee.referee import Referee
from server.referee.word import Worded
from server.seats import Seat, default_seats, parse_seats, seat_at
from server.sessions.recording import Log
from server.sessions.result import result_json
from server.settings import USUAL_PLAYERS, USUAL_RULES
from vision.codec import observation_to_json, table_event_to_json
from vision.facts import Observation, TableEvent
from vision.tracker import TableTracker


@dataclass(frozen=True, slots=True)
class Table:
    """What is played and by whom. ``profile`` is the name that the rules were loaded by."""

    profile: str
    rules: Rules
    seats: tuple[Seat, ...]
    dealer: int | None = None

    def as_json(self) -> dict[str, Any]:
        """The table as it is recorded."""
        return {
            "rules": rules_to_json(self.rules),
            "seats": [seat.as_json() for seat in self.seats],
            "dealer": self.dealer,
        }


@dataclass(slots=True)
class Entries:
    """What one step brought: the new ledger entries, also as JSON."""

    entries: tuple[LedgerEntry, ...] = ()
    bodies: tuple[dict[str, Any], ...] = ()


@dataclass(slots=True)
class Session:
    """The game of one table. ``log`` is told everything in order; ``on_entries`` hears of new ledger entries.

    ``on_word`` hears after each press which of the faces seen a person has named.
    """

    table: Table
    log: Log | None = None
    on_entries: Callable[[Entries], None] | None = None
    on_word: Callable[[tuple[Worded, ...]], None] | None = None
    t: float = 0.0
    finished: bool = False
    _tracker: TableTracker = field(init=False)
    _referee: Referee = field(init=False)

    def __post_init__(self) -> None:
        self._tracker = TableTracker()
        self._referee = Referee(self.table.rules, self.table.seats, self.table.dealer)

    @property
    def referee(self) -> Referee:
        """The referee, for its state and questions."""
        return self._referee

    @property
    def state(self) -> MatchState:
        """The match as it stands."""
        return self._referee.state

    def observe(self, observation: Observation) -> Entries:
        """Take what one frame showed."""
        return self.take(observation, self.track(observation))

    def track(self, observation: Observation) -> list[TableEvent]:
        """The first half of :meth:`observe`: what the tracker concludes; may run on another thread than the rest."""
        return list(self._tracker.update(observation))

    def take(self, observation: Observation, events: Iterable[TableEvent]) -> Entries:
        """The second half of :meth:`observe`: what the referee concludes."""
        self.t = observation.t
        self._write("observation", observation_to_json(observation))
        made: list[LedgerEntry] = []
        for event in events:
            self._write("table_event", table_event_to_json(event))
            made += self._referee.feed(event)
        return self._told(made)

    def press(self, raw: Mapping[str, Any]) -> Entries:
        """Take what somebody pressed; without ``t`` it was pressed now.

        Raises :class:`~server.errors.PressError` or :class:`~engine.errors.EngineError` and changes nothing when it
        makes no sense here.
        """
        press = parse_press(dict(raw) if raw.get("t") is not None else {**raw, "t": self.t}, self.table.rules.players)
        made = self._referee.press(press)
        # Only what was accepted is recorded: a replay has no one to tell an error to.
        self._write("press", press_json(press))
        if self.on_word is not None:
            self.on_word(self._referee.worded)
        return self._told(made)

    def resume(self, t: float, away: bool) -> Entries:
        """Go on after a break: the source is back at ``t``; see :meth:`follow_on` and :meth:`take_up`."""
        self.follow_on(t, away)
        return self.take_up(t, away)

    def follow_on(self, t: float, away: bool) -> None:
        """The first half of :meth:`resume`, for the thread of :meth:`track`: what lay there counts as lying still.

        ``away``: the table went on without being watched; else the source has only been opened again.
        """
        if away:
            self._tracker.resume(t)

    def take_up(self, t: float, away: bool) -> Entries:
        """The second half of :meth:`resume`: the session is open again, the referee looks for what it has missed."""
        self.finished, self.t = False, t
        self._write("resume", {"t": t, "away": away})
        return self._told(self._referee.take_up(t, away))

    def finish(self) -> Entries:
        """The source has come to its end; harmless the second time."""
        if self.finished:
            return Entries()
        self.finished = True
        self._write("finish", {"t": self.t})
        return self._told(self._referee.finish(self.t))

    def result(self) -> dict[str, Any]:
        """The result as it stands, in the format of the result file."""
        return result_json(self.table.rules, self.table.seats, self.state, self._referee.ledger.entries)

    def _told(self, made: Iterable[LedgerEntry]) -> Entries:
        if self._referee.seats != self.table.seats:
            self.table = replace(self.table, seats=self._referee.seats)
        entries = tuple(made)
        if not entries:
            return Entries()
        told = Entries(entries, tuple(entry_to_json(entry) for entry in entries))
        for body in told.bodies:
            self._write("entry", body)
        if self.on_entries is not None:
            self.on_entries(told)
        return told

    def _write(self, type: Any, data: Any) -> None:
        if self.log is not None:
            self.log.line(type, data)


def make_table(
    rules: str = USUAL_RULES, seats: str | None = None, players: int | None = None, dealer: str | None = None
) -> Table:
    """The table that the options of ``brisca watch`` mean.

    Raises :class:`~server.errors.UsageError` or an engine error with a sentence that says what to do.
    """
    sitting = parse_seats(seats) if seats else default_seats(players or USUAL_PLAYERS)
    if players is not None and players != len(sitting):
        raise UsageError(
            f"--players {players} does not fit the {len(sitting)} names of --seats; leave one of them out."
        )
    try:
        loaded = load_rules(rules, len(sitting))
    except (RulesError, ParseError) as error:
        raise UsageError(str(error)) from error
    return Table(loaded.name, loaded, sitting, None if dealer is None else seat_at(sitting, dealer))


def table_from_json(data: Mapping[str, Any]) -> Table:
    """The table of a recording's header. Raises KeyError, TypeError or ValueError where it is none."""
    seats = tuple(Seat.from_json(seat) for seat in data["seats"])
    rules = rules_from_json(data["rules"])
    dealer = data.get("dealer")
    return Table(str(data["rules"].get("profile", rules.name)), rules, seats, None if dealer is None else int(dealer))


def press_json(press: Press) -> dict[str, Any]:
    """A press as it is recorded: the fields that say something."""
    values = {name: getattr(press, name) for name in press.__slots__}
    listed = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
    return {name: value for name, value in listed.items() if value is not None}
