"""What a hand and a match look like after so many facts: frozen values, built by :mod:`engine.fold` alone."""

from dataclasses import dataclass, field
from fractions import Fraction

from engine.cards import Card
from engine.rules import Rules

PHASES = ("setup", "trump_shown", "trick", "trick_full", "swept", "last_three", "result")
"""Phases of a hand, in order; trick .. swept repeat."""

VIOLATION_CODES = (
    "out_of_turn",
    "wrong_leader",
    "two_cards",
    "wrong_gather",
    "illegal_exchange",
    "missed_arrastre",
    "missed_follow",
    "duplicate_card",
    "foreign_card",
    "trump_taken_early",
    "wrong_trump_taker",
    "hand_short",
    "hand_long",
    "invalid_call",
)

CERTAINTIES = ("certain", "possible", "cleared", "unknowable")


@dataclass(frozen=True, slots=True)
class Play:
    """A card in a trick. ``card`` None: unread; ``by_elimination``: filled because it is the only one left unread.

    ``seat_assumed``: nobody saw who played it; it was given to the seat whose turn it was.
    """

    seat: int
    card: Card | None
    t: float | None = None
    confidence: float | None = None
    event_id: str | None = None
    candidates: tuple[tuple[str, float], ...] = ()
    by_elimination: bool = False
    seat_assumed: bool = False


@dataclass(frozen=True, slots=True)
class Trick:
    """A gathered trick. ``points`` counts the cards read; ``winner`` None while an unread card could change it.

    ``awarded``: the table said who takes it, whatever the cards say.
    """

    n: int
    plays: tuple[Play, ...]
    winner: int | None
    points: int
    t_full: float | None = None
    t_swept: float | None = None
    gathered_by: int | None = None
    awarded: bool = False

    @property
    def unread(self) -> int:
        """Cards of the trick that nobody could read."""
        return sum(1 for play in self.plays if play.card is None)


@dataclass(frozen=True, slots=True)
class Exchange:
    """``seat`` gave ``given`` and took the face-up card after trick ``after_trick`` (0: before the first)."""

    seat: int | None
    given: Card | None
    taken: Card | None
    after_trick: int
    t: float | None = None
    event_id: str | None = None
    reason: str = "ok"


@dataclass(frozen=True, slots=True)
class Call:
    """Arrastre called by ``seat``; ``obliged`` the seats it binds; ``confidence`` that the call was heard rightly.

    ``valid`` None while the call waits for its card, or for the trump suit to become known.
    """

    seat: int
    trick: int
    valid: bool | None
    obliged: tuple[int, ...] = ()
    t: float | None = None
    event_id: str | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule broken, or perhaps broken.

    ``key`` stays the same while the facts it rests on keep their ids; ``p`` is the exact probability that the hand
    could have obliged otherwise (None where it is no matter of odds); ``evidence`` are the cards that prove it.
    """

    key: str
    code: str
    seat: int | None
    trick: int
    certainty: str
    p: Fraction | None = None
    evidence: tuple[str, ...] = ()
    reason: str = ""
    hand: int = 1
    event_id: str | None = None
    acknowledged: bool = False


@dataclass(frozen=True, slots=True)
class HandResult:
    """How a hand ended. ``winner`` is a team (or a seat when everybody plays alone), None without one.

    status: won, draw, void, unfinished, no_majority, no_winner_literal, tied_first, points_missing, title_open.
    tied_first is for the table to settle; title_open: nobody says who the Alcaide is.
    ``points`` per side; ``alcaide_keeps`` only in the three-player forms, where a defeated Alcaide leaves no winner.
    """

    status: str
    winner: int | None
    points: tuple[int, ...]
    missing_points: int = 0
    alcaide_keeps: bool | None = None
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class GameState:
    """One hand as it stands.

    ``stock_left`` counts the face-up card; between tricks it and ``hand_sizes`` show the draws that the rules demand
    as done. ``points_by_seat`` counts full tricks whose winner is known; ``points_open`` the points seen in full tricks
    without a known winner; ``unread`` the unread cards. ``known_held`` are cards that everybody knows to be in a hand.
    ``trump_final`` is the face-up card that was lifted in the end. ``claimed_by`` took, by everybody's consent, what
    was not played, and ``claimed_points`` with it. ``trick_number`` is that of the trick on the table, or of the next
    one. ``missed`` tricks were played before anybody watched; ``points_before`` are what each side had taken in them
    (contained in the points), None: nobody has said.
    """

    rules: Rules
    number: int = 1
    phase: str = "setup"
    dealer: int | None = None
    leader: int | None = None
    turn: int | None = None
    alcaide: int | None = None
    trump_suit: str | None = None
    trump_card: Card | None = None
    stock_left: int = 0
    hand_sizes: tuple[int, ...] = ()
    trick_number: int = 1
    trick: tuple[Play, ...] = ()
    tricks: tuple[Trick, ...] = ()
    points_by_seat: tuple[int, ...] = ()
    points_by_team: tuple[int, ...] | None = None
    points_open: int = 0
    unread: int = 0
    exchanges: tuple[Exchange, ...] = ()
    calls: tuple[Call, ...] = ()
    violations: tuple[Violation, ...] = ()
    known_held: tuple[tuple[Card, ...], ...] = ()
    trump_taker: int | None = None
    trump_final: Card | None = None
    claimed_by: int | None = None
    claimed_points: int = 0
    result: HandResult | None = None
    problems: tuple[str, ...] = ()
    revision: int = 0
    missed: int = 0
    points_before: tuple[int, ...] | None = None

    @property
    def points(self) -> tuple[int, ...]:
        """Points per scoring side, in the order of ``rules.sides``."""
        return self.points_by_team if self.points_by_team is not None else self.points_by_seat

    @property
    def all_plays(self) -> tuple[Play, ...]:
        """Every card played in the hand, in order."""
        return tuple(play for trick in self.tricks for play in trick.plays) + self.trick


@dataclass(frozen=True, slots=True)
class MatchScore:
    """Hands of a match added up. ``totals`` are points, ``wins`` hands, per side; ``stakes`` what each side takes.

    status: running, won, tied_match. ``after_hand``: the hand that decided it.
    """

    format: str
    totals: tuple[int, ...]
    wins: tuple[int, ...]
    ties: int = 0
    void: int = 0
    stakes: tuple[int, ...] = ()
    winner: int | None = None
    status: str = "running"
    after_hand: int | None = None
    next_dealer: int | None = None
    next_dealer_open: bool = False
    alcaide: int | None = None


@dataclass(frozen=True, slots=True)
class MatchState:
    """A whole session: its hands and the score of the match. ``problems`` lists facts that could not be placed."""

    rules: Rules
    hands: tuple[GameState, ...] = ()
    match: MatchScore = field(default_factory=lambda: MatchScore("single", (), ()))
    revision: int = 0
    problems: tuple[str, ...] = ()

    @property
    def hand(self) -> GameState | None:
        """The current hand, None before the first."""
        return self.hands[-1] if self.hands else None

    @property
    def violations(self) -> tuple[Violation, ...]:
        """Violations of all hands, in order."""
        return tuple(violation for hand in self.hands for violation in hand.violations)
