"""One hand while its facts come in: its mutable state, and the questions that the state answers."""

from dataclasses import dataclass, field
from typing import Literal

from engine.cards import Card
from engine.events import HandStarted
from engine.inference import HiddenTrump
from engine.rules import Rules
from engine.state import Call, Exchange, Play, Trick, Violation
from engine.trick import decided_index

SURE = 0.9
"""Readings below this confidence prove nothing: what rests on them is at most possible."""


@dataclass(frozen=True, slots=True)
class Step:
    """What everybody saw one seat do with a card: play it, give it in an exchange, or draw it.

    ``trick`` is the trick of the play, or the trick before the draw or the gift. ``known``: the card was publicly known
    to be in the hand (or, for a draw, to be this card).
    """

    kind: Literal["play", "give", "draw"]
    trick: int
    card: Card | None
    known: bool


@dataclass(slots=True)
class Answer:
    """A card played under a duty, with what the hand was known to be at that moment."""

    seat: int
    trick: int
    play: Play
    step_index: int
    held_unknown: int
    held_known: tuple[Card, ...]
    unseen_then: frozenset[Card]
    led: Card | None
    sure: bool


@dataclass(slots=True)
class Table:
    """The mutable state of a hand; :mod:`engine.fold` turns it into a GameState."""

    rules: Rules
    number: int
    start: HandStarted
    start_id: str | None
    alcaide: int
    leader: int | None = None
    trump_suit: str | None = None
    trump_card: Card | None = None
    trump_lifted: bool = False
    trump_sure: bool = True
    trump_taker: int | None = None
    trump_final: Card | None = None
    stock: int = 0
    hands: list[int] = field(default_factory=list)
    known: list[list[Card]] = field(default_factory=list)
    history: list[list[Step]] = field(default_factory=list)
    plays_by_seat: list[int] = field(default_factory=list)
    trick: list[Play] = field(default_factory=list)
    tricks: list[Trick] = field(default_factory=list)
    t_full: float | None = None
    last_winner: int | None = None
    pending: list[int] = field(default_factory=list)
    pending_round: int = 0
    seen_draw: set[int] = field(default_factory=set)
    exchanges: list[Exchange] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    seen: dict[Card, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    ended: bool = False
    claimed_by: int | None = None
    filled: Card | None = None

    @classmethod
    def begin(cls, rules: Rules, number: int, start: HandStarted, start_id: str | None, alcaide: int | None) -> "Table":
        """A freshly dealt hand."""
        seats = range(rules.players)
        title = start.alcaide if start.alcaide in seats else alcaide
        table = cls(rules, number, start, start_id, title or 0)
        table.stock = rules.stock_start
        table.hands = [rules.full_hand(seat, table.alcaide) for seat in seats]
        table.known = [[] for _ in seats]
        table.history = [[] for _ in seats]
        table.plays_by_seat = [0] * rules.players
        if start.leader is not None and start.leader in seats:
            table.leader = start.leader
        elif start.dealer is not None and start.dealer in seats:
            table.leader = (start.dealer + 1) % rules.players
        return table

    @property
    def trick_number(self) -> int:
        """Number of the trick on the table, or of the next one."""
        return len(self.tricks) + 1

    @property
    def first_seat(self) -> int | None:
        """Who leads the trick on the table."""
        return self.trick[0].seat if self.trick else self.leader

    def quota(self, seat: int) -> int:
        """Cards that ``seat`` plays in each trick."""
        return self.rules.quota(seat, self.alcaide)

    def played_in_trick(self, seat: int) -> int:
        """Cards of ``seat`` in the trick on the table."""
        return sum(1 for play in self.trick if play.seat == seat)

    @property
    def full(self) -> bool:
        """Whether every seat has played to the trick on the table."""
        return bool(self.trick) and all(
            self.played_in_trick(seat) >= self.quota(seat) for seat in range(self.rules.players)
        )

    @property
    def turn(self) -> int | None:
        """Who plays next; None when the trick is full or nobody can tell."""
        first = self.first_seat
        if first is None or self.full or self.ended:
            return None
        if not self.trick and len(self.tricks) >= self.rules.tricks:
            return None
        for seat in self.rules.seats_from(first):
            if self.played_in_trick(seat) < self.quota(seat):
                return seat
        return None

    def same_side(self, one: int, other: int) -> bool:
        """Whether two seats gather for each other: partners, or the two rivals of the Alcaide."""
        if self.rules.alcaide is not None:
            return (one == self.alcaide) == (other == self.alcaide)
        return self.rules.side_of(one) == self.rules.side_of(other)

    def winner_sure(self, n: int) -> bool:
        """Whether the cards that decided trick ``n`` were all read beyond doubt."""
        return self.trump_sure and 0 < n <= len(self.tricks) and all_sure(self.tricks[n - 1].plays)

    def unseen(self) -> frozenset[Card]:
        """Cards of the deck that nobody has located: not played, not face up, not publicly held."""
        located = set(self.seen)
        if self.trump_card is not None:
            located.add(self.trump_card)
        for held in self.known:
            located.update(held)
        return self.rules.card_set - located

    def winner_index(self, plays: list[Play]) -> int | None:
        """Index of the play that wins, None while an unread card could change it."""
        cards = [play.card for play in plays]
        pool = () if None not in cards else self.rules.card_set - set(self.seen)
        return decided_index(cards, self.trump_suit, pool)

    def expected_taker(self) -> int | None:
        """Who gets the face-up card: the seat before the winner of trick R; None when he is not known."""
        if len(self.tricks) < self.rules.draw_rounds:
            return None
        winner = self.tricks[self.rules.draw_rounds - 1].winner
        return None if winner is None else (winner - 1) % self.rules.players

    def hidden_trump(self, suspect: int) -> HiddenTrump | None:
        """The trump card drawn unseen, once it was drawn; None when it is known which card that was, or who has it."""
        taker = self.trump_taker
        if taker is None or self.trump_final is not None or self.trump_suit is None:
            return None
        steps = self.history[taker]
        at = next(
            (i for i, step in enumerate(steps) if step.kind == "draw" and step.trick == self.rules.draw_rounds), None
        )
        if at is None:
            return None
        since = [step for step in steps[at:] if step.kind != "draw" and not step.known and step.card is not None]
        played = sum(1 for step in since if step.card is not None and step.card.suit == self.trump_suit)
        unread = sum(1 for step in steps[at:] if step.kind == "play" and step.card is None)
        slots = max(0, self.hands[taker] - len(self.known[taker])) + unread
        return HiddenTrump(self.trump_suit, played, slots, taker == suspect)

    def violate(
        self,
        code: str,
        seat: int | None,
        event_id: str | None,
        sure: bool,
        evidence: tuple[str, ...],
        *,
        reason: str = "",
        trick: int | None = None,
        certainty: str | None = None,
    ) -> None:
        """Note a violation; ``sure`` False makes it at most possible."""
        key = violation_key(code, event_id, seat)
        n = trick if trick is not None else min(self.trick_number, self.rules.tricks)
        tag = certainty or ("certain" if sure else "possible")
        self.violations.append(Violation(key, code, seat, n, tag, None, evidence, reason, self.number, event_id))

    @staticmethod
    def text(play: Play) -> tuple[str, ...]:
        """The card as evidence; nothing when it is unread."""
        return (str(play.card),) if play.card is not None else ()


def violation_key(code: str, event_id: str | None, seat: int | None) -> str:
    """Name of a violation that outlives corrections of other facts: its code, the fact it rests on, the seat."""
    return f"{code}:{event_id or '-'}:{'-' if seat is None else seat}"


def all_sure(plays: tuple[Play, ...]) -> bool:
    """Whether every card of a trick was read beyond doubt."""
    return all(play.confidence is None or play.confidence >= SURE for play in plays)
