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


@dataclass(slots=True)
class Table:
    """The mutable state of a hand; :mod:`engine.fold` turns it into a GameState.

    What proofs may rest on is kept with care. ``trump_sure``: the trump suit is beyond doubt, ``face_up_sure``: so is
    the face-up card, ``lift_sure``: so is that it was lifted, ``trick_start_sure``: and that the trick on the table
    began with its first card, ``tricks_sure``: and how many tricks there were, ``bounds_sure``: and which cards each of
    them was made of. ``taker_seen``: somebody was seen to lift the face-up card (else the rules say who has it).
    ``doubtful``: cards whose place rests on a doubtful reading, or on two readings that contradict each other.
    ``taker_implied``: the face-up card, while its place in a hand rests on the rules and doubtful readings alone;
    seeing it lifted ends that doubt, and only that. ``perhaps_out``: known cards that may have been the unread or
    doubtful card which their hand has played since.

    Calls: ``waiting`` were made with an unread card, or with an ace while the trump suit was unknown; ``waiting_aces``
    (trick, ace) were played then where no word is needed; of ``unsure_calls`` it is doubtful which card they went with.
    """

    rules: Rules
    number: int
    start: HandStarted
    start_id: str | None
    alcaide: int
    title_known: bool = True
    leader: int | None = None
    trump_suit: str | None = None
    trump_card: Card | None = None
    trump_lifted: bool = False
    lift_sure: bool = True
    trump_sure: bool = True
    face_up_sure: bool = True
    trump_taker: int | None = None
    taker_seen: bool = False
    trump_final: Card | None = None
    stock: int = 0
    hands: list[int] = field(default_factory=list)
    known: list[list[Card]] = field(default_factory=list)
    history: list[list[Step]] = field(default_factory=list)
    plays_by_seat: list[int] = field(default_factory=list)
    trick: list[Play] = field(default_factory=list)
    tricks: list[Trick] = field(default_factory=list)
    t_full: float | None = None
    trick_start_sure: bool = True
    tricks_sure: bool = True
    bounds_sure: list[bool] = field(default_factory=list)
    last_winner: int | None = None
    pending: list[int] = field(default_factory=list)
    pending_round: int = 0
    seen_draw: set[int] = field(default_factory=set)
    exchanges: list[Exchange] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    waiting: dict[int, Play] = field(default_factory=dict)
    waiting_aces: list[tuple[int, Play]] = field(default_factory=list)
    unsure_calls: set[int] = field(default_factory=set)
    violations: list[Violation] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    seen: dict[Card, str] = field(default_factory=dict)
    doubtful: set[Card] = field(default_factory=set)
    taker_implied: set[Card] = field(default_factory=set)
    perhaps_out: set[Card] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    ended: bool = False
    claimed_by: int | None = None
    filled: Card | None = None

    @classmethod
    def begin(cls, rules: Rules, number: int, start: HandStarted, start_id: str | None, alcaide: int | None) -> "Table":
        """A freshly dealt hand."""
        seats = range(rules.players)
        title = start.alcaide if start.alcaide in seats else alcaide
        known = title is not None or rules.alcaide is None
        named = (("dealer", start.dealer), ("leader", start.leader), ("Alcaide", start.alcaide))
        odd = [f"{who} {seat}" for who, seat in named if seat is not None and seat not in seats]
        table = cls(rules, number, start, start_id, title or 0, known)
        table.problems += [
            f"{start_id or '-'}: there is no seat for {who} at a table of {rules.players}" for who in odd
        ]
        if start.points_before is not None and len(start.points_before) != len(rules.sides):
            table.problems.append(
                f"{start_id or '-'}: points_before does not give one number for each of {len(rules.sides)} sides"
            )
        if start.missed is not None and start.missed > rules.tricks:
            table.problems.append(f"{start_id or '-'}: {start.missed} tricks missed, a hand has {rules.tricks}")
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
        """Whether two seats gather for each other: partners, or the two rivals of the Alcaide (any two if unknown)."""
        if self.rules.alcaide is not None and not self.title_known:
            return True
        if self.rules.alcaide is not None:
            return (one == self.alcaide) == (other == self.alcaide)
        return self.rules.side_of(one) == self.rules.side_of(other)

    def winner_sure(self, n: int) -> bool:
        """Whether the cards that decided trick ``n`` were all read beyond doubt.

        An unread card is known not to win by counting the cards that are out: then all of them must be beyond doubt.
        """
        if not self.trump_sure or not 0 < n <= len(self.tricks) or not self.bounds_sure[n - 1]:
            return False
        plays = self.tricks[n - 1].plays
        counted = self.all_plays if any(play.card is None for play in plays) else plays
        return all(self.read_surely(play) for play in counted)

    @property
    def counted_surely(self) -> bool:
        """Whether it is beyond doubt who played how many cards so far."""
        return all(seen_surely(play) for play in self.all_plays)

    @property
    def trick_is_sure(self) -> bool:
        """Whether it is beyond doubt which trick this is, and what lies in it."""
        return self.tricks_sure and all(seen_surely(play) for play in self.trick)

    def held_surely(self, cards: set[Card]) -> bool:
        """Whether it is beyond doubt that cards known to be in a hand were, and still are, there."""
        return not cards & self.doubted and not cards & self.perhaps_out

    @property
    def all_plays(self) -> list[Play]:
        """Every card played in the hand so far, in order."""
        return [play for trick in self.tricks for play in trick.plays] + self.trick

    def plays_of(self, n: int) -> list[Play]:
        """The cards of trick ``n`` in order, gathered or on the table."""
        return list(self.tricks[n - 1].plays) if n <= len(self.tricks) else self.trick

    def read_surely(self, play: Play) -> bool:
        """Whether a card and who played it are beyond doubt, and no other reading contradicts it."""
        return seen_surely(play) and play.card not in self.doubted

    @property
    def doubted(self) -> set[Card]:
        """Every card whose place is in doubt, for whatever reason."""
        return self.doubtful | self.taker_implied

    def found_elsewhere(self, card: Card, holder: int | None = None) -> None:
        """A card turned up outside the hands that were thought to hold it: one of the readings is wrong.

        ``holder``: the seat that has it now, whose knowledge stays.
        """
        for seat, held in enumerate(self.known):
            if seat != holder and card in held:
                held.remove(card)
                self.doubtful.add(card)

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


def is_sure(confidence: float | None) -> bool:
    """Whether a reading with that confidence may carry a proof (None: nobody doubted it)."""
    return confidence is None or confidence >= SURE


def seen_surely(play: Play) -> bool:
    """Whether it is beyond doubt that this seat played a card there."""
    return is_sure(play.confidence) and not play.seat_assumed
