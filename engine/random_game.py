"""Random whole games under any rules, for tests and for drawing films. Randomness comes from the caller alone.

``random_game(rules, rng)`` returns a :class:`RandomGame`. Its ``moves`` say, in the order of the table, everything that
happens to a card: :class:`Dealt` (seat, card), :class:`TrumpTurned` (card), :class:`Played` (trick, seat, card),
:class:`Called` (trick, seat; said with the card just played), :class:`Gathered` (trick, seat), :class:`Swapped` (seat,
given, taken, after_trick) and :class:`Drew` (trick, seat, card, is_trump; ``trick`` is the one just gathered). Its
``events()`` are the same game as facts for the ledger; ``faults`` are the rules really broken, known from the hands.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

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
from engine.inference import best_answers, may_follow, must_follow
from engine.rules import Rules
from engine.trick import winning_index


@dataclass(frozen=True, slots=True)
class Dealt:
    """A card dealt before the first trick."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class TrumpTurned:
    """The trump card laid under or beside the stock; ``face_up`` False where only its suit is shown."""

    card: Card
    face_up: bool


@dataclass(frozen=True, slots=True)
class Played:
    """A card played."""

    trick: int
    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Called:
    """Arrastre called with the card just played."""

    trick: int
    seat: int


@dataclass(frozen=True, slots=True)
class Gathered:
    """The trick gathered by its winner."""

    trick: int
    seat: int


@dataclass(frozen=True, slots=True)
class Swapped:
    """The face-up card taken for the 7 or the 2."""

    seat: int
    given: Card
    taken: Card
    after_trick: int


@dataclass(frozen=True, slots=True)
class Drew:
    """A card drawn after ``trick``; ``is_trump``: it was the face-up (or hidden) trump card."""

    trick: int
    seat: int
    card: Card
    is_trump: bool


Move = Dealt | TrumpTurned | Played | Called | Gathered | Swapped | Drew


@dataclass(frozen=True, slots=True)
class Fault:
    """A duty really neglected: ``played`` although the hand held ``owed``."""

    code: str
    trick: int
    seat: int
    played: Card
    owed: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class RandomGame:
    """A whole game with everything that nobody at the table sees at once."""

    rules: Rules
    dealer: int
    leader: int
    alcaide: int | None
    trump: Card
    hands: tuple[tuple[Card, ...], ...]
    moves: tuple[Move, ...]
    faults: tuple[Fault, ...]
    points_by_seat: tuple[int, ...]

    def events(self, *, draws: bool = False, start: float | None = None) -> list[GameEvent]:
        """The game as facts. ``draws`` adds each draw (card unknown); ``start``: first t, one second per fact."""
        facts = [fact for move in self.moves for fact in _facts(move, draws)]
        facts.insert(0, HandStarted(self.dealer, self.leader, self.alcaide))
        facts.append(HandEnded())
        if start is None:
            return facts
        return [_timed(fact, start + index) for index, fact in enumerate(facts)]


def random_game(
    rules: Rules,
    rng: Random,
    *,
    dealer: int | None = None,
    exchange_chance: float = 1.0,
    call_chance: float = 0.7,
    fault_chance: float = 0.0,
    deck: Sequence[Card] | None = None,
) -> RandomGame:
    """A whole random game. ``fault_chance``: how often somebody under a duty who could comply does not.

    ``deck`` fixes the order of the cards (first card dealt first), else ``rng`` shuffles.
    """
    return _Dealer(rules, rng, exchange_chance, call_chance, fault_chance).game(dealer, deck)


class _Dealer:
    def __init__(self, rules: Rules, rng: Random, exchange: float, call: float, fault: float) -> None:
        self.rules, self.rng = rules, rng
        self.exchange_chance, self.call_chance, self.fault_chance = exchange, call, fault
        self.moves: list[Move] = []
        self.faults: list[Fault] = []
        self.points = [0] * rules.players
        self.won = [0] * rules.players
        self.swapped: list[Card] = []
        self.due: list[int] = []

    def game(self, dealer: int | None, deck: Sequence[Card] | None) -> RandomGame:
        rules = self.rules
        cards = list(deck) if deck is not None else list(rules.cards)
        if deck is None:
            self.rng.shuffle(cards)
        dealer = self.rng.randrange(rules.players) if dealer is None else dealer
        alcaide = dealer if rules.alcaide is not None else None
        self.alcaide = alcaide or 0
        leader = (dealer + 1) % rules.players
        self.hands: list[list[Card]] = [[] for _ in range(rules.players)]
        for _ in range(rules.hand_size):
            for seat in rules.seats_from(leader):
                for _ in range(self._quota(seat)):
                    self.hands[seat].append(cards.pop(0))
                    self.moves.append(Dealt(seat, self.hands[seat][-1]))
        dealt = tuple(tuple(hand) for hand in self.hands)
        self.trump_card: Card | None = cards.pop(0)
        turned = self.trump_card
        self.suit = turned.suit
        self.stock = cards
        self.moves.append(TrumpTurned(turned, rules.trump_rank_visible))
        self._swap_any(0, None)
        winner = leader
        for n in range(1, rules.tricks + 1):
            winner = self._trick(n, winner)
            self.moves.append(Gathered(n, winner))
            self._after_trick(n, winner)
        points = tuple(self.points)
        return RandomGame(
            rules, dealer, leader, alcaide, turned, dealt, tuple(self.moves), tuple(self.faults), points
        )  # fmt: skip

    def _quota(self, seat: int) -> int:
        return self.rules.quota(seat, self.alcaide)

    def _trick(self, n: int, leader: int) -> int:
        played: list[tuple[int, Card]] = []
        called = False
        for seat in self.rules.seats_from(leader):
            self._draw_before_play(n, seat)
            for _ in range(self._quota(seat)):
                card = self._choose(n, seat, played, called)
                self.hands[seat].remove(card)
                played.append((seat, card))
                self.moves.append(Played(n, seat, card))
                if card == Card(1, self.suit) and self.rules.arrastre and self.rng.random() < self.call_chance:
                    called = True
                    self.moves.append(Called(n, seat))
        winner = played[winning_index([card for _, card in played], self.suit)][0]
        self.points[winner] += sum(card.points for _, card in played)
        self.won[winner] += 1
        return winner

    def _choose(self, n: int, seat: int, played: list[tuple[int, Card]], called: bool) -> Card:
        hand = self.hands[seat]
        owed: tuple[Card, ...] = ()
        code = ""
        if called:
            owed, code = best_answers(self.rules, hand, self.suit), "missed_arrastre"
        elif played and must_follow(self.rules, n):
            owed, code = may_follow(hand, played[0][1]), "missed_follow"
        if not owed or len(owed) == len(hand):
            return self.rng.choice(hand)
        if self.rng.random() >= self.fault_chance:
            return self.rng.choice(owed)
        wrong = self.rng.choice([card for card in hand if card not in owed])
        self.faults.append(Fault(code, n, seat, wrong, owed))
        return wrong

    def _after_trick(self, n: int, winner: int) -> None:
        if n > self.rules.draw_rounds:
            return
        self._swap_any(n, winner)
        self.due = [seat for seat in self.rules.seats_from(winner) for _ in range(self._quota(seat))]
        if self.rules.draw_timing == "after_trick":
            while self.due:
                self._draw(n, self.due.pop(0))

    def _draw_before_play(self, n: int, seat: int) -> None:
        while seat in self.due:
            self.due.remove(seat)
            self._draw(n - 1, seat)

    def _draw(self, n: int, seat: int) -> None:
        is_trump = not self.stock
        card = self.stock.pop(0) if self.stock else self.trump_card
        assert card is not None, "the stock is counted so that every draw finds a card"
        if is_trump:
            self.trump_card = None
        self.hands[seat].append(card)
        self.moves.append(Drew(n, seat, card, is_trump))

    def _swap_any(self, after: int, winner: int | None) -> None:
        """Every swap that the rules allow now, each with the chance asked for."""
        if not self.rules.exchange:
            return
        for seat in self.rules.seats_from(winner or 0):
            for rank, _ in self.rules.exchange_table:
                card = Card(rank, self.suit)
                if card not in self.hands[seat] or self.trump_card is None or card in self.swapped:
                    continue
                question = ExchangeQuestion(
                    self.trump_card, card, after, seat == winner, self.won[seat] > 0, False,
                    sum(1 for move in self.moves if isinstance(move, Played) and move.seat == seat),
                    swapped=self.swapped,
                )  # fmt: skip
                verdict = judge_exchange(self.rules, question)
                if not verdict.allowed or verdict.warning or self.rng.random() >= self.exchange_chance:
                    continue
                self.hands[seat].remove(card)
                self.hands[seat].append(self.trump_card)
                self.moves.append(Swapped(seat, card, self.trump_card, after))
                self.swapped.append(card)
                self.trump_card = card


def _facts(move: Move, draws: bool) -> list[GameEvent]:
    match move:
        case TrumpTurned(card, face_up):
            return [TrumpShown(card) if face_up else TrumpShown(None, card.suit)]
        case Played(_, seat, card):
            return [CardPlayed(seat, card)]
        case Called(_, seat):
            return [ArrastreCalled(seat)]
        case Gathered(_, seat):
            return [TrickSwept(seat)]
        case Swapped(seat, given, taken, _):
            return [TrumpExchanged(seat, given, taken)]
        case Drew(_, seat, _, True):
            return [TrumpTaken(seat)]
        case Drew(_, seat, _, False) if draws:
            return [CardDrawn(seat)]
    return []


def _timed(fact: GameEvent, t: float) -> GameEvent:
    return replace(fact, t=t)
