"""From a whole game to the film of it: every move of the engine's random game becomes a timed table action.

The moves know cards and rules and no clock; the actions know sides and seconds and no rules. What happened when is told
by the returned facts: a card counts from the moment that it lies still, a trick is swept when its last card has left
the middle.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, cast

from engine.cards import Card
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
from engine.random_game import Called, Drew, Gathered, Played, RandomGame, Swapped, TrumpTurned
from engine.rules import Rules
from server.errors import ServerError
from server.seats import Seat
from server.simulator.incidents import Staged
from vision.synth.film_actions import (
    SIDES,
    Bump,
    Draw,
    Exchange,
    Gather,
    Hover,
    PlaceStock,
    Play,
    ShowTrump,
    Side,
    TableAction,
    TakeBack,
    TakeTrump,
    action_end,
)
from vision.synth.film_level import Level

SAID_AT: Final = 1.0
"""When it is said who the Alcaide is, and the suit of a hidden trump card, in seconds of the film."""

_ASIDE_MM: Final = 44.0
"""How far to its right somebody lays a second card."""


class ScriptError(ServerError):
    """A game that cannot be filmed."""

    code = "script"


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast people play, in seconds; pairs are (least, most).

    ``think`` passes between a card at rest and the next hand, ``look`` between a full trick and the gathering hand.
    """

    think: tuple[float, float]
    look: tuple[float, float]
    play: tuple[float, float]
    gather: tuple[float, float]
    draw: tuple[float, float]
    stagger: float
    exchange: float
    hovers: int = 0
    bumps: int = 0


PACES: Final[dict[str, Pace]] = {
    "easy": Pace((0.4, 1.0), (1.0, 1.4), (1.2, 1.4), (1.8, 2.1), (1.0, 1.2), 0.65, 3.4),
    "medium": Pace((0.2, 0.9), (0.8, 1.3), (1.0, 1.3), (1.5, 1.9), (0.85, 1.1), 0.55, 2.9),
    "hard": Pace((0.1, 0.9), (0.7, 1.1), (0.8, 1.1), (1.2, 1.7), (0.75, 1.0), 0.4, 2.4, hovers=4, bumps=1),
    "demo": Pace((0.1, 0.35), (0.6, 0.8), (0.9, 1.1), (1.2, 1.4), (0.75, 0.85), 0.35, 2.2),
}


@dataclass(frozen=True, slots=True)
class Script:
    """A game on a clock: what the film shows, the same as facts with their times, and the calls that nobody can see."""

    actions: tuple[TableAction, ...]
    facts: tuple[GameEvent, ...]
    calls: tuple[ArrastreCalled, ...]


def write_script(
    game: RandomGame | Staged,
    seats: Sequence[Seat],
    level: Level,
    rng: Random,
    *,
    tricks: int | None = None,
    pace: Pace | None = None,
) -> Script:
    """The script of ``game``, perhaps staged with incidents, for people at ``seats``; ``tricks`` ends it early.

    Raises ScriptError for seats or rules that the film cannot show.
    """
    staged = game if isinstance(game, Staged) else Staged(game)
    rules = staged.game.rules
    _demand_filmable(rules, seats)
    writer = _Writer(staged, [cast(Side, seat.side) for seat in seats], pace or PACES[level], rng)
    return writer.write(rules.tricks if tricks is None else tricks)


def _demand_filmable(rules: Rules, seats: Sequence[Seat]) -> None:
    if len(seats) != rules.players:
        raise ScriptError(f"These rules are for {rules.players} players, but {len(seats)} seats are given.")
    other = [seat.side for seat in seats if seat.side not in SIDES]
    if other:
        raise ScriptError(f"Nobody can sit at the {other[0]} of a film; take some of {', '.join(SIDES)}.")


class _Writer:
    def __init__(self, staged: Staged, sides: list[Side], pace: Pace, rng: Random) -> None:
        self._staged = staged
        self._game = game = staged.game
        self._sides = sides
        self._pace = pace
        self._rng = rng
        self._actions: list[TableAction] = []
        self._facts: list[GameEvent] = [HandStarted(game.dealer, game.leader, game.alcaide, t=0.0)]
        self._calls: list[ArrastreCalled] = []
        self._clock = 0.0
        self._free = dict.fromkeys(sides, 0.0)
        self._on_table = 0
        self._drawing = False

    def write(self, tricks: int) -> Script:
        # A hidden trump card is the undermost of the stock: the film shows one card more, and the suit is only said.
        open_trump = self._game.rules.trump_rank_visible
        self._actions.append(PlaceStock(0.0, self._game.rules.stock_start - (1 if open_trump else 0)))
        done = 0
        for move in self._game.moves:
            if done >= tricks and isinstance(move, Played | Drew | Swapped):
                break
            match move:
                case TrumpTurned(card, False):
                    self._facts.append(TrumpShown(None, card.suit, t=SAID_AT))
                    self._clock = SAID_AT + 0.5
                case TrumpTurned(card, _):
                    side = self._sides[self._game.dealer]
                    shown = ShowTrump(0.6, side, str(card), 1.5)
                    self._add(shown, side, shown.rest)
                    self._facts.append(TrumpShown(card, t=_round(shown.rest)))
                    self._clock += 0.5
                case Played(_, seat, _):
                    self._play(move, self._sides[seat])
                case Called(_, seat):
                    # it is said while the ace lands or just after
                    called = ArrastreCalled(seat, t=_round(self._clock + self._rng.uniform(0.05, 0.5)))
                    self._calls.append(called)
                    self._facts.append(called)
                case Gathered(trick, seat):
                    self._gather(self._staged.gatherers.get(trick, seat))
                    done += 1
                case Swapped():
                    self._swap(move)
                case Drew(_, seat, _, is_trump):
                    self._draw(seat, is_trump and open_trump)
        end = max(action_end(action) for action in self._actions)
        if done == self._game.rules.tricks:
            self._facts.append(HandEnded(t=_round(end)))
        self._disturb(end)
        return Script(tuple(sorted(self._actions, key=lambda a: a.t)), tuple(self._facts), tuple(self._calls))

    def _between(self, bounds: tuple[float, float]) -> float:
        return self._rng.uniform(*bounds)

    def _start(self, side: Side, wait: float) -> float:
        """When the player's hand can move: after a pause, and not before it is back from what it did last."""
        return _round(max(self._clock + wait, self._free[side] + 0.1))

    def _add(self, action: TableAction, side: Side, clock: float) -> None:
        self._actions.append(action)
        self._free[side] = action_end(action)
        self._clock = clock

    def _play(self, move: Played, side: Side) -> None:
        self._drawing = False
        start = self._start(side, self._between(self._pace.think))
        action = Play(start, side, str(move.card), _round(self._between(self._pace.play)))
        self._add(action, side, action.rest)
        self._on_table += 1
        self._facts.append(CardPlayed(move.seat, move.card, t=_round(action.rest)))
        seat, card = self._staged.taken_back.get(move.trick, (None, None))
        if seat == move.seat and card is not None:
            self._play_too_much(move.seat, card, side)

    def _play_too_much(self, seat: int, card: Card, side: Side) -> None:
        """A second card is laid beside the first, lies there for a moment, and goes back into the hand."""
        extra = Play(
            self._start(side, self._pace.think[0]), side, str(card), _round(self._between(self._pace.play)), _ASIDE_MM
        )
        self._add(extra, side, extra.rest)
        back = TakeBack(self._start(side, self._between(self._pace.look)), side, str(card), 1.4)
        self._add(back, side, back.lift)
        self._facts.append(CardTakenBack(seat, card, t=_round(back.lift)))

    def _gather(self, seat: int) -> None:
        side = self._sides[seat]
        action = Gather(
            self._start(side, self._between(self._pace.look)), side, _round(self._between(self._pace.gather))
        )
        self._add(action, side, action.rest)
        self._on_table = 0
        self._facts.append(TrickSwept(seat, t=_round(action.swept)))

    def _swap(self, move: Swapped) -> None:
        side = self._sides[move.seat]
        action = Exchange(self._start(side, 0.2), side, str(move.given), self._pace.exchange)
        self._add(action, side, action.rest)
        self._facts.append(TrumpExchanged(move.seat, move.given, move.taken, t=_round(action.rest)))

    def _draw(self, seat: int, is_trump: bool) -> None:
        side = self._sides[seat]
        # the next one reaches for the stock while the one before is still on the way home
        wait = self._pace.stagger - 0.5 * self._between(self._pace.draw) if self._drawing else 0.1
        self._drawing = True
        duration = _round(self._between(self._pace.draw))
        action = (TakeTrump if is_trump else Draw)(self._start(side, wait), side, duration)
        self._add(action, side, action.lift)
        fact = TrumpTaken(seat, t=_round(action.lift)) if is_trump else CardDrawn(seat, t=_round(action.lift))
        self._facts.append(fact)

    def _disturb(self, end: float) -> None:
        """Hands that reach over the middle and touch nothing, and a knock at the camera."""
        plays = [action for action in self._actions if isinstance(action, Play)]
        chosen = self._rng.sample(plays, min(self._pace.hovers, len(plays)))
        for play in chosen:
            side = self._rng.choice([other for other in self._sides if other != play.side])
            busy = any(
                getattr(other, "side", None) == side
                and other.t < play.rest + 1.6
                and action_end(other) > play.rest - 0.1
                for other in self._actions
            )
            if not busy:
                self._actions.append(Hover(_round(play.rest + 0.05), side, 1.5))
        for _ in range(self._pace.bumps):
            self._actions.append(Bump(_round(end * self._rng.uniform(0.3, 0.7))))


def _round(t: float) -> float:
    return round(t, 3)


def trick_times(facts: Iterable[GameEvent]) -> list[tuple[list[float], float | None]]:
    """Per trick the times of its plays and of its gathering (None while it lies)."""
    times: list[tuple[list[float], float | None]] = []
    plays: list[float] = []
    for fact in facts:
        if isinstance(fact, CardPlayed) and fact.t is not None:
            plays.append(fact.t)
        elif isinstance(fact, TrickSwept):
            times.append((plays, fact.t))
            plays = []
    if plays:
        times.append((plays, None))
    return times
