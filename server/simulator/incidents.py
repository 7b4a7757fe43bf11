"""Games in which somebody breaks a rule at a certain place: what a film of an incident shows.

An incident is written ``kind@trick``, such as ``wrong_leader@5``; without ``@trick`` it happens at the first trick
where it can. A random game is made up, bent, and kept only if the bent game still holds together: the same winners, no
other rule broken, and the incident there to be seen. Else another game of the same seed is tried.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from engine.cards import Card
from engine.events import CardPlayed, CardTakenBack, GameEvent, TrickSwept
from engine.fold import fold_events
from engine.random_game import Called, Dealt, Drew, Gathered, Move, Played, RandomGame, Swapped, random_game
from engine.rules import Rules
from engine.trick import winning_index
from server.errors import UsageError

_TRIES: Final = 1000
"""Games that are made up before an incident counts as impossible; one takes about a millisecond."""


class IncidentError(UsageError):
    """An incident that these players and rules cannot have."""

    code = "bad_incident"


@dataclass(frozen=True, slots=True)
class Incident:
    """Something against the rules that a game was made to have: its violation's code, trick and seat."""

    name: str
    kind: str
    trick: int
    seat: int


@dataclass(frozen=True, slots=True)
class Staged:
    """A game with its incidents.

    ``gatherers``: who gathers a trick that another won, by trick. ``taken_back``: the card that a seat lays in a trick
    besides its own one and takes back into its hand, by trick.
    """

    game: RandomGame
    incidents: tuple[Incident, ...] = ()
    gatherers: dict[int, int] = field(default_factory=dict)
    taken_back: dict[int, tuple[int, Card]] = field(default_factory=dict)

    def facts(self) -> list[GameEvent]:
        """The game as facts without times, with who really gathered and what was taken back."""
        tricks = iter(sorted(move.trick for move in self.game.moves if isinstance(move, Gathered)))
        facts: list[GameEvent] = []
        played = 1
        for fact in self.game.events(draws=True):
            if isinstance(fact, TrickSwept):
                trick = next(tricks)
                fact = TrickSwept(self.gatherers.get(trick, fact.seat))
                played = trick + 1
            facts.append(fact)
            seat, card = self.taken_back.get(played, (None, None))
            if seat is not None and isinstance(fact, CardPlayed) and fact.seat == seat:
                facts.append(CardTakenBack(seat, card))
        return facts


Bend = Callable[[Staged, int, Random], Staged | None]
"""Bends a game at a trick; None where it cannot be there."""


def stage_game(rules: Rules, wishes: Sequence[str], rng: Random, *, careless: bool = False) -> Staged:
    """A random game with the incidents ``wishes``, such as ``("wrong_leader@5",)``.

    ``careless`` lets the players neglect their duties as they like. Raises :class:`IncidentError` for an unknown
    incident, or one that did not fit in any game.
    """
    parsed = [_parse(wish, rules) for wish in wishes]
    chance = 0.6 if careless else 0.0
    if not parsed:
        return Staged(random_game(rules, rng, fault_chance=chance))
    kinds = {kind for kind, _ in parsed}
    neglect = chance or (0.6 if kinds & _DUTIES else 0.0)
    swaps = 0.0 if kinds & {"late_exchange", "wrong_seat_exchange", "trump_taken_early"} else 1.0
    for _ in range(_TRIES):
        staged: Staged | None = Staged(random_game(rules, rng, fault_chance=neglect, exchange_chance=swaps))
        for kind, trick in parsed:
            staged = _bent(staged, kind, trick, rng) if staged is not None else None
        if staged is not None and _holds_together(staged):
            return staged
    raise IncidentError(f"No game of {rules.name} had {' and '.join(wishes)}; name another trick or other rules.")


def _parse(wish: str, rules: Rules) -> tuple[str, int | None]:
    kind, at, number = wish.partition("@")
    if kind not in INCIDENTS:
        raise IncidentError(f"There is no incident {kind!r}; choose one of {', '.join(INCIDENTS)}.")
    if at and not (number.isdecimal() and 1 <= int(number) <= rules.tricks):
        raise IncidentError(f"{wish!r} names no trick; write for example {kind}@5, up to {rules.tricks}.")
    if kind == "out_of_turn" and rules.players < 3:
        raise IncidentError("Of two players nobody can play out of turn but the leader; take wrong_leader instead.")
    return kind, int(number) if at else None


def _bent(staged: Staged, kind: str, trick: int | None, rng: Random) -> Staged | None:
    tricks = range(1, staged.game.rules.tricks + 1) if trick is None else (trick,)
    return next((bent for n in tricks if (bent := _BENDS[kind](staged, n, rng)) is not None), None)


def _holds_together(staged: Staged) -> bool:
    """Whether every trick goes to who is said to win it, and nothing is broken but what was wished for."""
    played: list[Played] = []
    for move in staged.game.moves:
        if isinstance(move, Played):
            played.append(move)
        elif isinstance(move, Gathered):
            best = winning_index([play.card for play in played], staged.game.trump.suit)
            if played[best].seat != move.seat:
                return False
            played = []
    hand = fold_events(staged.game.rules, staged.facts()).hand
    assert hand is not None, "a staged game begins with a dealt hand"
    told = {(violation.code, violation.seat, violation.trick): violation.certainty for violation in hand.violations}
    wished = {(incident.kind, incident.seat, incident.trick) for incident in staged.incidents}
    seen = {key for key in wished if told.get(key) in ("certain", "possible")}
    others = {key for key, certainty in told.items() if certainty == "certain" and key not in wished}
    return seen == wished and not others


# -- what can be bent --------------------------------------------------------------------------------------------------


def _out_of_turn(staged: Staged, trick: int, rng: Random) -> Staged | None:
    """The third player of a trick is faster than the second one."""
    places = _plays(staged.game, trick)
    if len(places) < 3 or _has_call(staged.game, trick) or places[2] - places[1] != 1:
        return None
    moves = list(staged.game.moves)
    moves[places[1]], moves[places[2]] = moves[places[2]], moves[places[1]]
    seat = _seat_at(moves, places[1])
    return _with(staged, moves, Incident("out_of_turn", "out_of_turn", trick, seat))


def _wrong_leader(staged: Staged, trick: int, rng: Random) -> Staged | None:
    """Another one than the winner of the last trick leads; the rest follow from there."""
    places = _plays(staged.game, trick)
    if trick < 2 or _has_call(staged.game, trick) or places[-1] - places[0] != len(places) - 1:
        return None
    turn = rng.randrange(1, len(places))
    moves = list(staged.game.moves)
    old = moves[places[0] : places[-1] + 1]
    moves[places[0] : places[-1] + 1] = old[turn:] + old[:turn]
    return _with(staged, moves, Incident("wrong_leader", "wrong_leader", trick, _seat_at(moves, places[0])))


def _wrong_gather(staged: Staged, trick: int, rng: Random) -> Staged | None:
    """The other side gathers the trick; whoever won it leads all the same."""
    rules = staged.game.rules
    winner = next(move.seat for move in staged.game.moves if isinstance(move, Gathered) and move.trick == trick)
    mine = rules.sides[rules.side_of(winner)]
    seat = rng.choice([seat for seat in range(rules.players) if seat not in mine])
    staged = replace(staged, gatherers={**staged.gatherers, trick: seat})
    return _with(staged, staged.game.moves, Incident("wrong_gather", "wrong_gather", trick, seat))


def _two_cards(staged: Staged, trick: int, rng: Random) -> Staged | None:
    """Somebody lays two cards, and takes one of them back."""
    places = _plays(staged.game, trick)
    place = rng.choice(places)
    seat = _seat_at(staged.game.moves, place)
    rest = sorted(_hands(staged.game, place + 1)[seat])
    if not rest:
        return None
    staged = replace(staged, taken_back={**staged.taken_back, trick: (seat, rng.choice(rest))})
    return _with(staged, staged.game.moves, Incident("two_cards", "two_cards", trick, seat))


def _late_exchange(staged: Staged, trick: int, rng: Random) -> Staged | None:
    """The winner exchanges the trump card when it is too late for it."""
    rules = staged.game.rules
    if not rules.draw_rounds - rules.exchange_min_draw_rounds + 1 < trick <= rules.draw_rounds:
        return None
    return _exchange(staged, trick, "late_exchange", lambda seat, winner: seat == winner)


def _wrong_seat_exchange(staged: Staged, trick: int, rng: Random) -> Staged | None:
    """Somebody exchanges the trump card who has not won the trick."""
    rules = staged.game.rules
    if rules.exchange_who != "trick_winner" or trick > rules.draw_rounds - rules.exchange_min_draw_rounds + 1:
        return None
    return _exchange(staged, trick, "wrong_seat_exchange", lambda seat, winner: seat != winner)


def _trump_taken_early(staged: Staged, trick: int, rng: Random) -> Staged | None:
    """Somebody draws the face-up card while the stock still lies there; the last one to draw gets the last of that."""
    game = staged.game
    if trick >= game.rules.draw_rounds:
        return None
    draws = [at for at, move in enumerate(game.moves) if isinstance(move, Drew) and move.trick == trick]
    last = next((at for at, move in enumerate(game.moves) if isinstance(move, Drew) and move.is_trump), None)
    if not draws or last is None or any(isinstance(move, Swapped) for move in game.moves):
        return None
    at = rng.choice(draws)
    moves = list(game.moves)
    early, late = moves[at], moves[last]
    assert isinstance(early, Drew) and isinstance(late, Drew)  # noqa: PT018
    moves = list(_relabelled(moves, at, early.card, late.card))
    moves[at] = replace(early, card=late.card, is_trump=True)
    moves[last] = replace(late, card=early.card, is_trump=False)
    return _with(staged, moves, Incident("trump_taken_early", "trump_taken_early", trick + 1, early.seat))


def _duplicate_card(staged: Staged, trick: int, rng: Random) -> Staged | None:
    """A card is played that lay on the table before: another deck was mixed in. It takes the place of one like it."""
    game = staged.game
    for place in _plays(game, trick):
        move = game.moves[place]
        assert isinstance(move, Played)
        if move.card.points or move.card.suit == game.trump.suit:
            continue
        before = [play.card for play in game.moves[:place] if isinstance(play, Played) and play.trick < trick]
        alike = [card for card in before if card.suit == move.card.suit and not card.points]
        if alike:
            moves = list(game.moves)
            moves[place] = replace(move, card=rng.choice(alike))
            return _with(staged, moves, Incident("duplicate_card", "duplicate_card", trick, move.seat))
    return None


def _neglected(code: str) -> Bend:
    """A duty neglected once in the game, so that the cards prove it."""

    def bend(staged: Staged, trick: int, rng: Random) -> Staged | None:
        faults = staged.game.faults
        if len(faults) != 1 or (faults[0].code, faults[0].trick) != (code, trick):
            return None
        hand = fold_events(staged.game.rules, staged.facts()).hand
        proved = hand is not None and any(v.code == code and v.certainty == "certain" for v in hand.violations)
        return _with(staged, staged.game.moves, Incident(code, code, trick, faults[0].seat)) if proved else None

    return bend


_DUTIES: Final = frozenset({"missed_arrastre", "missed_follow"})
_BENDS: Final[dict[str, Bend]] = {
    "out_of_turn": _out_of_turn,
    "wrong_leader": _wrong_leader,
    "two_cards": _two_cards,
    "wrong_gather": _wrong_gather,
    "late_exchange": _late_exchange,
    "wrong_seat_exchange": _wrong_seat_exchange,
    "trump_taken_early": _trump_taken_early,
    "duplicate_card": _duplicate_card,
    "missed_arrastre": _neglected("missed_arrastre"),
    "missed_follow": _neglected("missed_follow"),
}
INCIDENTS: Final = tuple(_BENDS)
"""Names of the incidents that can be scripted."""


# -- games as lists of moves -------------------------------------------------------------------------------------------


def _exchange(staged: Staged, trick: int, name: str, who: Callable[[int, int], bool]) -> Staged | None:
    """An exchange after ``trick`` by a seat that ``who(seat, winner)`` picks, of a card that it holds."""
    game = staged.game
    at = next(at for at, move in enumerate(game.moves) if isinstance(move, Gathered) and move.trick == trick)
    gathered = game.moves[at]
    assert isinstance(gathered, Gathered)
    up = game.trump
    for move in game.moves[:at]:
        up = move.given if isinstance(move, Swapped) else up
    takes = game.rules.exchange_takes
    for seat, hand in enumerate(_hands(game, at + 1)):
        fits = [c for c in sorted(hand) if c.suit == up.suit and up.rank in takes.get(c.rank, ())]
        if fits and who(seat, gathered.seat):
            moves = list(_relabelled(game.moves, at, fits[0], up))
            moves.insert(at + 1, Swapped(seat, fits[0], up, trick))
            return _with(staged, moves, Incident(name, "illegal_exchange", trick, seat))
    return None


def _relabelled(moves: Sequence[Move], after: int, one: Card, other: Card) -> Iterator[Move]:
    """The moves with two cards changed for each other wherever they come up after a place."""
    swap = {one: other, other: one}
    for at, move in enumerate(moves):
        if at > after and isinstance(move, Played | Drew):
            move = replace(move, card=swap.get(move.card, move.card))
        yield move


def _hands(game: RandomGame, end: int) -> list[set[Card]]:
    """What every seat holds before the move at ``end``."""
    hands: list[set[Card]] = [set() for _ in range(game.rules.players)]
    for move in game.moves[:end]:
        if isinstance(move, Dealt | Drew):
            hands[move.seat].add(move.card)
        elif isinstance(move, Played):
            hands[move.seat].discard(move.card)
        elif isinstance(move, Swapped):
            hands[move.seat].discard(move.given)
            hands[move.seat].add(move.taken)
    return hands


def _plays(game: RandomGame, trick: int) -> list[int]:
    return [at for at, move in enumerate(game.moves) if isinstance(move, Played) and move.trick == trick]


def _has_call(game: RandomGame, trick: int) -> bool:
    return any(isinstance(move, Called) and move.trick == trick for move in game.moves)


def _seat_at(moves: Sequence[Move], place: int) -> int:
    move = moves[place]
    assert isinstance(move, Played)
    return move.seat


def _with(staged: Staged, moves: Iterable[Move], incident: Incident) -> Staged:
    game = replace(staged.game, moves=tuple(moves))
    return replace(staged, game=game, incidents=(*staged.incidents, incident))
