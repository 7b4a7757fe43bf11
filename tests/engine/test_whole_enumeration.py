"""Verdicts of folded games against enumeration of every deal that agrees with what the table saw.

This tries the whole way from facts to odds: who held what, which draws were known, exchanges, the hidden trump card.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from engine.cards import Card
from engine.fold import fold_events
from engine.inference import BadCard, better_than, of_suit
from engine.random_game import Called, Drew, Played, RandomGame, Swapped, TrumpTurned, random_game
from engine.rules import Rules, load_profile

START = {("arrastro", 2): 16, ("arrastro", 4): 8, ("oculta_asistencia", 2): 17}
"""Number of tricks after which enumeration starts; the cards hidden then are few enough."""


@dataclass
class World:
    """One way in which the hidden cards may lie after so many tricks."""

    hands: list[list[Card]]
    stock: list[Card]


def visible_prefix(game: RandomGame, tricks: int) -> int:
    """Index of the first move after the draws that follow that trick."""
    last = max(i for i, m in enumerate(game.moves) if isinstance(m, Played | Drew) and m.trick <= tricks)
    return last + 1


def agrees(
    rules: Rules, world: World, game: RandomGame, start: int, stop: int, fault: int, bad: BadCard
) -> bool | None:
    """Whether the suspect held a bad card at the fault; None when this world contradicts what was seen."""
    hands = [list(hand) for hand in world.hands]
    stock = list(world.stock)
    guilty = False
    for index in range(start, stop):
        move = game.moves[index]
        if isinstance(move, Played):
            if move.card not in hands[move.seat]:
                return None
            hands[move.seat].remove(move.card)
            if index == fault:
                guilty = any(bad(card) for card in hands[move.seat])
        elif isinstance(move, Swapped):
            if move.given not in hands[move.seat]:
                return None
            hands[move.seat].remove(move.given)
            hands[move.seat].append(move.taken)
            stock[-1] = move.given
        elif isinstance(move, Drew):
            hands[move.seat].append(stock.pop(0))
    return guilty


def enumerate_worlds(rules: Rules, game: RandomGame, tricks: int, stop: int, fault: int, bad: BadCard) -> Fraction:
    start = visible_prefix(game, tricks)
    hands: list[list[Card]] = [list(hand) for hand in game.hands]
    known: list[set[Card]] = [set() for _ in hands]
    trump = game.trump
    for move in game.moves[:start]:
        if isinstance(move, Played):
            hands[move.seat].remove(move.card)
            known[move.seat].discard(move.card)
        elif isinstance(move, Swapped):
            hands[move.seat].remove(move.given)
            hands[move.seat].append(move.taken)
            known[move.seat].add(move.taken)
            known[move.seat].discard(move.given)
            trump = move.given
        elif isinstance(move, Drew):
            hands[move.seat].append(move.card)
            if move.is_trump and rules.trump_rank_visible:
                known[move.seat].add(move.card)
    drawn = [m.card for m in game.moves[:start] if isinstance(m, Drew)]
    out = {m.card for m in game.moves[:start] if isinstance(m, Played)}
    taken_unseen = next((m for m in game.moves[:start] if isinstance(m, Drew) and m.is_trump), None)
    in_stock = [card for card in rules.cards if card not in out and not any(card in h for h in hands)]
    face_up = [trump] if trump in in_stock and rules.trump_rank_visible else []
    hidden = [c for h, k in zip(hands, known, strict=True) for c in h if c not in k]
    hidden += [card for card in in_stock if card not in face_up]
    sizes = [len(h) - len(k) for h, k in zip(hands, known, strict=True)]
    assert len(drawn) + len(in_stock) == rules.stock_start
    consistent = guilty = 0
    for cards in permutations(hidden):
        parts, at = [], 0
        for size in sizes:
            parts.append(cards[at : at + size])
            at += size
        if taken_unseen is not None and not rules.trump_rank_visible:
            # The last card of the taker's hand stands for the trump card that was drawn unseen.
            last = parts[taken_unseen.seat][-1]
            if last.suit != game.trump.suit:
                continue
        world = World([[*k, *part] for k, part in zip(known, parts, strict=True)], [*cards[at:], *face_up])
        verdict = agrees(rules, world, game, start, stop, fault, bad)
        if verdict is not None:
            consistent += 1
            guilty += verdict
    return Fraction(guilty, consistent)


def answers_late(game: RandomGame, after: int) -> list[tuple[int, BadCard]]:
    """Index of each answer under a duty after that trick, with the cards owed."""
    trump = game.trump.suit
    found: list[tuple[int, BadCard]] = []
    led: Played | None = None
    called = 0
    for index, move in enumerate(game.moves):
        if isinstance(move, Called):
            called = move.trick
        if not isinstance(move, Played):
            continue
        first = led is None or led.trick != move.trick
        if first:
            led = move
        elif move.trick > after:
            assert led is not None
            if game.rules.arrastre and called == move.trick:
                found.append((index, better_than(game.rules, move.card, trump)))
            elif game.rules.follow == "after_stock" and move.card.suit != led.card.suit:
                found.append((index, of_suit(led.card.suit)))
    return found


@pytest.mark.parametrize(("name", "players"), list(START))
def test_verdicts_agree_with_every_deal_that_fits(name: str, players: int) -> None:
    rules = load_profile(name, players)
    start = START[name, players]
    enough = {("arrastro", 2): 200, ("arrastro", 4): 70, ("oculta_asistencia", 2): 320}[name, players]
    tried = {"certain": 0, "possible": 0, "cleared": 0, "none": 0}
    for seed in range(3000):
        rng = Random(seed)
        game = random_game(rules, rng, fault_chance=0.5, call_chance=1.0)
        late = answers_late(game, start)
        if not late:
            continue
        if sum(tried.values()) > enough:
            break
        fault, bad = late[0]
        plays = [i for i, m in enumerate(game.moves) if isinstance(m, Played) and i >= fault]
        stop = rng.choice(plays) + 1
        while stop < len(game.moves) and isinstance(game.moves[stop], Called):
            stop += 1
        shown = _prefix(game, stop)
        state = fold_events(rules, shown.events()[:-1]).hand
        assert state is not None
        move = game.moves[fault]
        assert isinstance(move, Played)
        told = [v for v in state.violations if v.seat == move.seat and v.trick == move.trick]
        exact = enumerate_worlds(rules, game, start, stop, fault, bad)
        if told:
            assert told[0].p == exact, (seed, told[0])
            tried[told[0].certainty if told[0].certainty != "unknowable" else "possible"] += 1
        else:
            assert exact == 0, seed
            tried["none"] += 1
    assert min(tried.values()) >= 5, tried


def _prefix(game: RandomGame, stop: int) -> RandomGame:
    moves = game.moves[:stop]
    assert any(isinstance(move, TrumpTurned) for move in moves)
    return RandomGame(
        game.rules, game.dealer, game.leader, game.alcaide, game.trump, game.hands, moves, (), game.points_by_seat
    )
