"""One hand while its facts come in. Permissive: an odd fact is recorded and told, it never raises.

What a camera cannot see is implied: each seat draws as many cards as it played after tricks 1..R, winner first, and the
seat before him gets the face-up card in round R. Between tricks the draws wait (so that an exchange can still come
before them); they are done when the next card is played or the face-up card is lifted.
"""

from dataclasses import dataclass, field, replace
from typing import Literal

from engine.cards import Card
from engine.events import (
    ArrastreCalled,
    CardDrawn,
    CardPlayed,
    GameEvent,
    HandEnded,
    HandStarted,
    TrickSwept,
    TrumpExchanged,
    TrumpShown,
    TrumpTaken,
)
from engine.exchange import ExchangeQuestion, judge_exchange
from engine.inference import HiddenTrump
from engine.rules import Rules
from engine.state import Call, Exchange, Play, Trick, Violation
from engine.trick import decided_index, trick_points

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

    # ------------------------------------------------------------------ questions

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

    # ------------------------------------------------------------------ facts

    def apply(self, event_id: str, event: GameEvent) -> None:
        """Take in one fact."""
        seat = getattr(event, "seat", None)
        if seat is not None and not 0 <= seat < self.rules.players:
            self.problems.append(f"{event_id}: there is no seat {seat} at a table of {self.rules.players}")
            return
        if seat is None and isinstance(event, CardDrawn | ArrastreCalled):
            self.problems.append(f"{event_id}: nobody knows whose draw or call this was")
            return
        match event:
            case TrumpShown():
                self._trump_shown(event)
            case CardPlayed():
                self._card_played(event_id, event)
            case TrumpExchanged():
                self._exchanged(event_id, event)
            case TrickSwept():
                self._swept(event_id, event)
            case CardDrawn():
                self._card_drawn(event)
            case TrumpTaken():
                self._trump_taken(event_id, event)
            case ArrastreCalled():
                self._called(event_id, event)
            case HandEnded():
                self._hand_ended(event_id, event)
            case HandStarted():
                self.problems.append(f"{event_id}: a hand starts within a hand")

    def _trump_shown(self, event: TrumpShown) -> None:
        suit = event.card.suit if event.card is not None else event.suit
        self.trump_suit = suit or self.trump_suit
        if event.card is None:
            return
        if self.trump_lifted or self.stock == 0:
            # The hidden card is turned over when it is drawn (S3): the taker holds it.
            if self.trump_taker is not None and self.trump_final is None:
                self.trump_final = event.card
                self._reveal(self.trump_taker, event.card, self.rules.draw_rounds)
            return
        self.trump_card = event.card

    def _card_played(self, event_id: str, event: CardPlayed) -> None:
        if self.full:
            self._close_trick(None, None)
        seat = event.seat if event.seat is not None else self.turn
        if seat is None:
            seat = next((s for s in range(self.rules.players) if self.played_in_trick(s) < self.quota(s)), 0)
        self._draw_before_play(seat)
        play = Play(seat, event.card, event.t, event.confidence, event_id, event.candidates)
        sure = event.confidence is None or event.confidence >= SURE
        if self.ended:
            self.problems.append(f"{event_id}: a card is played after the hand was over")
        self._check_turn(play, sure)
        known = event.card is not None and event.card in self.known[seat]
        if event.card is not None:
            self._check_card(play, event.card)
            self._locate(seat, event.card, event_id, sure)
        self._note_answer(play, sure)
        self.history[seat].append(Step("play", self.trick_number, event.card, known))
        self.hands[seat] -= 1
        self.plays_by_seat[seat] += 1
        if event.card is not None:
            self.seen.setdefault(event.card, event_id)
        self.trick.append(play)
        self._settle_call(play)
        if self.full:
            self.t_full = event.t

    def _check_turn(self, play: Play, sure: bool) -> None:
        expected = self.turn
        seat = play.seat
        over = self.plays_by_seat[seat] >= self.rules.tricks * self.quota(seat)
        if over:
            self._violate("hand_long", seat, play.event_id, sure, self._text(play))
            return
        if expected is None or seat == expected:
            return
        if self.played_in_trick(seat) >= self.quota(seat):
            code = "two_cards"
        else:
            code = "out_of_turn" if self.trick else "wrong_leader"
        self._violate(code, seat, play.event_id, sure, self._text(play))

    def _check_card(self, play: Play, card: Card) -> None:
        if card not in self.rules.card_set:
            self._violate("foreign_card", play.seat, play.event_id, False, self._text(play), reason="misread?")
        elif card in self.seen or (card == self.trump_card and not self.trump_lifted):
            self._violate("duplicate_card", play.seat, play.event_id, False, self._text(play), reason="misread?")

    def _locate(self, seat: int, card: Card, event_id: str, sure: bool) -> None:
        """Take the card out of the hand that was thought to hold it."""
        for holder, held in enumerate(self.known):
            if card not in held:
                continue
            held.remove(card)
            if holder == seat:
                continue
            if self.trump_taker == holder and card == self.trump_final:
                self._violate("wrong_trump_taker", seat, event_id, sure, (str(card),), reason="played_it")
            else:
                self._violate("duplicate_card", seat, event_id, False, (str(card),), reason="held_by_another")

    def _swept(self, event_id: str, event: TrickSwept) -> None:
        if not self.trick:
            if self.tricks and self.tricks[-1].gathered_by is None and self.tricks[-1].t_swept is None:
                self._gathered_late(event_id, event)
            else:
                self.problems.append(f"{event_id}: a trick is gathered, but none lies on the table")
            return
        self._fill_missing()
        self._close_trick(event.seat, event.t)
        self._check_gather(event_id, event)

    def _gathered_late(self, event_id: str, event: TrickSwept) -> None:
        self.tricks[-1] = replace(self.tricks[-1], gathered_by=event.seat, t_swept=event.t)
        self._check_gather(event_id, event)

    def _check_gather(self, event_id: str, event: TrickSwept) -> None:
        trick = self.tricks[-1]
        if event.seat is None or trick.winner is None or self.same_side(event.seat, trick.winner):
            return
        sure = _all_sure(trick.plays) and (event.confidence is None or event.confidence >= SURE)
        cards = tuple(str(play.card) for play in trick.plays if play.seat == trick.winner)
        self._violate("wrong_gather", event.seat, event_id, sure, cards, trick=trick.n)

    def _fill_missing(self) -> None:
        """A trick gathered before everybody was seen to play: the rest played cards that nobody read."""
        if self.full or len(self.tricks) + 1 >= self.rules.tricks:
            return
        for seat in self.rules.seats_from(self.trick[0].seat):
            while self.played_in_trick(seat) < self.quota(seat):
                self.history[seat].append(Step("play", self.trick_number, None, False))
                self.hands[seat] -= 1
                self.plays_by_seat[seat] += 1
                self.trick.append(Play(seat, None))

    def _close_trick(self, gathered_by: int | None, t: float | None) -> None:
        if self.pending:
            self._draw_all()
        index = self.winner_index(self.trick)
        complete = self.full
        winner = self.trick[index].seat if index is not None and complete else None
        points = trick_points(play.card for play in self.trick)
        n = self.trick_number
        self.tricks.append(Trick(n, tuple(self.trick), winner, points, self.t_full, t, gathered_by))
        self.trick, self.t_full = [], None
        self.last_winner = self.leader = winner
        self.seen_draw = set()
        if n <= self.rules.draw_rounds:
            first = winner if winner is not None else 0
            self.pending = [s for s in self.rules.seats_from(first) for _ in range(self.quota(s))]
            self.pending_round = n

    # ------------------------------------------------------------------ draws

    def _draw_before_play(self, seat: int) -> None:
        if not self.pending:
            return
        if self.rules.draw_timing == "before_own_play":
            if seat in self.pending and self.played_in_trick(seat) == 0:
                self._draw([s for s in self.pending if s == seat])
                self.pending = [s for s in self.pending if s != seat]
            return
        self._draw_all()

    def _draw_all(self) -> None:
        self._draw(self.pending)
        self.pending = []

    def _draw(self, seats: list[int]) -> None:
        last_round = self.pending_round == self.rules.draw_rounds
        taker = self.expected_taker() if last_round else None
        for index, seat in enumerate(seats):
            self.stock = max(0, self.stock - 1)
            self.hands[seat] += 1
            card = None
            if last_round and seat == taker and not self.trump_lifted and seat not in seats[index + 1 :]:
                card = self._give_trump_to(seat)
            self.history[seat].append(Step("draw", self.pending_round, card, card is not None))
        if last_round and taker is None and self.stock == 0:
            self.trump_card, self.trump_lifted = None, True

    def _give_trump_to(self, seat: int) -> Card | None:
        card = self.trump_card
        self.trump_taker, self.trump_card, self.trump_lifted = seat, None, True
        self.trump_final = card
        if card is not None and card not in self.seen:
            self.known[seat].append(card)
        return card

    def expected_taker(self) -> int | None:
        """Who gets the face-up card: the seat before the winner of trick R; None when he is not known."""
        if len(self.tricks) < self.rules.draw_rounds:
            return None
        winner = self.tricks[self.rules.draw_rounds - 1].winner
        return None if winner is None else (winner - 1) % self.rules.players

    def _card_drawn(self, event: CardDrawn) -> None:
        self.seen_draw.add(event.seat)
        if event.card is None or event.card in self.seen:
            return
        if self.rules.draw_timing == "after_trick" and self.pending:
            self._draw_all()
        elif event.seat in self.pending:
            self._draw_before_play(event.seat)
        if event.card not in self.known[event.seat]:
            self._reveal(event.seat, event.card, None)

    def _reveal(self, seat: int, card: Card, after_trick: int | None) -> None:
        """A draw becomes known (the last unknown one, or that after a certain trick), and what the hand held since."""
        steps = self.history[seat]
        drawn = [
            index
            for index, step in enumerate(steps)
            if step.kind == "draw" and not step.known and after_trick in (None, step.trick)
        ]
        if not drawn:
            return
        at = drawn[-1]
        steps[at] = replace(steps[at], card=card, known=True)
        gone = next((i for i in range(at, len(steps)) if steps[i].kind != "draw" and steps[i].card == card), None)
        if gone is None:
            if card not in self.seen:
                self.known[seat].append(card)
        else:
            steps[gone] = replace(steps[gone], known=True)
        for answer in self.answers:
            if answer.seat == seat and at < answer.step_index < (len(steps) if gone is None else gone):
                answer.held_unknown = max(0, answer.held_unknown - 1)
                answer.held_known = (*answer.held_known, card)

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

    def _trump_taken(self, event_id: str, event: TrumpTaken) -> None:
        if self.full and self.trick_number == self.rules.draw_rounds:
            self._close_trick(None, None)
        sure = event.confidence is None or event.confidence >= SURE
        card = (str(self.trump_card),) if self.trump_card is not None else ()
        if len(self.tricks) < self.rules.draw_rounds:
            if not self.trump_lifted:
                self._violate("trump_taken_early", event.seat, event_id, sure, card)
                if event.seat is not None:
                    self._give_trump_to(event.seat)
                self.trump_card, self.trump_lifted = None, True
            return
        expected = self.expected_taker()
        if self.pending and self.rules.draw_timing == "after_trick":
            self._draw_all()
        if event.seat is None or event.seat == expected or self.trump_taker == event.seat:
            return
        if expected is None:
            self.trump_taker = event.seat
            return
        lifted = self.trump_final
        if lifted is not None and lifted in self.known[expected]:
            self.known[expected].remove(lifted)
            self.known[event.seat].append(lifted)
            self._move_draw(expected, event.seat, lifted)
        self.trump_taker = event.seat
        self._violate("wrong_trump_taker", event.seat, event_id, sure, (str(lifted),) if lifted else card)

    def _move_draw(self, wrong: int, right: int, card: Card) -> None:
        """The face-up card came to another seat than it should: each of the two drew the other's card."""
        for seat, drawn in ((wrong, None), (right, card)):
            steps = self.history[seat]
            for index in range(len(steps) - 1, -1, -1):
                if steps[index].kind == "draw" and steps[index].trick == self.rules.draw_rounds:
                    steps[index] = replace(steps[index], card=drawn, known=drawn is not None)
                    break

    # ------------------------------------------------------------------ exchange and arrastre

    def _exchanged(self, event_id: str, event: TrumpExchanged) -> None:
        if self.full:
            self._close_trick(None, None)
        table_card = self.trump_card
        taken = event.taken or table_card
        seat = event.seat
        if seat is None and self.rules.exchange_who == "trick_winner":
            seat = self.last_winner
        given = event.given or self._only_gift(taken)
        after = len(self.tricks)
        reason, certain = self._judge(event, seat, given, taken, after)
        sure = event.confidence is None or event.confidence >= SURE
        if reason not in ("ok", "pointless"):
            cards = tuple(str(c) for c in (given, taken) if c is not None)
            tag = "unknowable" if certain is None else ("certain" if certain and sure else "possible")
            self._violate("illegal_exchange", seat, event_id, True, cards, reason=reason, certainty=tag, trick=after)
        self.exchanges.append(Exchange(seat, given, taken, after, event.t, event_id, reason))
        if seat is not None and self.trump_taker is None:
            if given is not None:
                known = given in self.known[seat]
                if known:
                    self.known[seat].remove(given)
                self.history[seat].append(Step("give", after, given, known))
            if taken is not None and taken not in self.seen and taken not in self.known[seat]:
                self.known[seat].append(taken)
        if not self.trump_lifted:
            self.trump_card = given
        if given is not None and self.trump_suit is None:
            self.trump_suit = given.suit

    def _only_gift(self, taken: Card | None) -> Card | None:
        """The card that must have been given when it was not read: the only one whose rank fits."""
        if taken is None:
            return None
        fits = [Card(give, taken.suit) for give, takes in self.rules.exchange_table if taken.rank in takes]
        fits = [card for card in fits if card not in self.seen and card in self.rules.card_set]
        return fits[0] if len(fits) == 1 else None

    def _judge(
        self, event: TrumpExchanged, seat: int | None, given: Card | None, taken: Card | None, after: int
    ) -> tuple[str, bool | None]:
        """Reason and whether it is certain (None: two readings of the rules differ)."""
        if self.trump_lifted or (self.trick and self.rules.exchange_when == "before_draw" and not self._may_draw(seat)):
            return ("no_trump_card" if self.trump_lifted else "already_drawn"), True
        winner = self.last_winner
        is_winner = None if seat is None or (winner is None and after > 0) else seat == winner
        won = None if seat is None else any(trick.winner == seat for trick in self.tricks)
        elsewhere = set(self.seen)
        for other, held in enumerate(self.known):
            if other != seat:
                elsewhere.update(held)
        verdict = judge_exchange(
            self.rules,
            ExchangeQuestion(
                taken, given, after, is_winner, won, seat in self.seen_draw,
                self.plays_by_seat[seat] if seat is not None else 0, elsewhere,
                [exchange.given for exchange in self.exchanges if exchange.given is not None],
            ),
        )  # fmt: skip
        if verdict.disputed:
            return verdict.reason, None
        certain = verdict.reason not in ("already_drawn", "impossible_card_already_seen")
        return verdict.warning or verdict.reason, certain

    def _may_draw(self, seat: int | None) -> bool:
        return seat is None or seat in self.pending

    def _called(self, event_id: str, event: ArrastreCalled) -> None:
        """A call goes with the caller's last card when that is the trump ace, else with the card it plays next."""
        ace = None if self.trump_suit is None else Card(1, self.trump_suit)
        trick, play = self._last_play(event.seat)
        on_table = play is not None and trick == self.trick_number
        again = any(call.seat == event.seat and call.valid and call.trick == trick for call in self.calls)
        if play is not None and play.card is not None and not again:
            if play.card == ace and (on_table or not self.trick):
                self.calls.append(Call(event.seat, trick, True, (), event.t, event_id))
                self._oblige(len(self.calls) - 1, play)
                return
            if on_table and ace is not None:
                call = Call(event.seat, trick, False, (), event.t, event_id)
                self.calls.append(call)
                self._invalid_call(call, play, "not_ace_of_trumps")
                return
        self.calls.append(Call(event.seat, self.trick_number, None, (), event.t, event_id))

    def _last_play(self, seat: int) -> tuple[int, Play | None]:
        """Last card of the seat in the trick on the table, else in the one just gathered."""
        recent = [(self.trick_number, self.trick), *((trick.n, list(trick.plays)) for trick in self.tricks[-1:])]
        for n, plays in recent:
            for play in reversed(plays):
                if play.seat == seat:
                    return n, play
        return self.trick_number, None

    def _settle_call(self, play: Play) -> None:
        ace = play.card is not None and play.card == Card(1, self.trump_suit or "O") and self.trump_suit is not None
        for index, call in enumerate(self.calls):
            if call.seat == play.seat and call.valid is None and play.card is not None:
                self.calls[index] = replace(call, valid=ace, trick=self.trick_number)
                if ace:
                    self._oblige(index, play)
                else:
                    self._invalid_call(call, play, "not_ace_of_trumps")
                return
        if ace and self.rules.arrastre and not self.rules.arrastre_call_required:
            self.calls.append(Call(play.seat, self.trick_number, True, (), play.t, play.event_id))
            self._oblige(len(self.calls) - 1, play)

    def _oblige(self, index: int, ace: Play) -> None:
        call = self.calls[index]
        if not self.rules.arrastre:
            self.calls[index] = replace(call, valid=False)
            self._invalid_call(call, ace, "no_arrastre")
            return
        plays = self.trick if call.trick == self.trick_number else list(self.tricks[-1].plays)
        at = plays.index(ace)
        before = {play.seat for play in plays[:at]}
        seats = [seat for seat in self.rules.seats_from(ace.seat) if seat != ace.seat]
        bound = tuple(s for s in seats if s not in before or self.rules.arrastre_obliged == "all")
        self.calls[index] = replace(call, obliged=bound)

    def _invalid_call(self, call: Call, play: Play, reason: str) -> None:
        sure = play.confidence is None or play.confidence >= SURE
        self._violate("invalid_call", call.seat, call.event_id, sure, self._text(play), reason=reason)

    def _note_answer(self, play: Play, sure: bool) -> None:
        """Remember the hand at the moment of the play; duties are judged at the end, when calls are known too."""
        seat = play.seat
        held = tuple(card for card in self.known[seat] if card != play.card)
        others = max(0, self.hands[seat] - 1 - len(held))
        led = self.trick[0].card if self.trick else None
        index = len(self.history[seat])
        unseen = self.unseen() - {play.card} if play.card is not None else self.unseen()
        self.answers.append(Answer(seat, self.trick_number, play, index, others, held, unseen, led, sure))

    # ------------------------------------------------------------------ end

    def _hand_ended(self, event_id: str, event: HandEnded) -> None:
        if self.trick and (self.full or len(self.tricks) + 1 >= self.rules.tricks):
            self._close_trick(None, None)
        self.ended = True
        if len(self.tricks) < self.rules.tricks:
            return
        sure = event.confidence is None or event.confidence >= SURE
        for seat in range(self.rules.players):
            due = self.rules.tricks * self.quota(seat)
            if self.plays_by_seat[seat] < due:
                self._violate("hand_short", seat, event_id, sure, (), trick=self.rules.tricks)

    def _violate(
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
        key = violation_key(code, event_id, seat)
        n = trick if trick is not None else min(self.trick_number, self.rules.tricks)
        tag = certainty or ("certain" if sure else "possible")
        self.violations.append(Violation(key, code, seat, n, tag, None, evidence, reason, self.number, event_id))

    @staticmethod
    def _text(play: Play) -> tuple[str, ...]:
        return (str(play.card),) if play.card is not None else ()


def violation_key(code: str, event_id: str | None, seat: int | None) -> str:
    """Name of a violation that outlives corrections of other facts: its code, the fact it rests on, the seat."""
    return f"{code}:{event_id or '-'}:{'-' if seat is None else seat}"


def _all_sure(plays: tuple[Play, ...]) -> bool:
    return all(play.confidence is None or play.confidence >= SURE for play in plays)
