"""A whole game from deal to result: points, stock, hands, exchange, unread cards."""

from random import Random

import pytest

from engine.cards import Card
from engine.events import CardPlayed, HandEnded, HandStarted, TrickSwept, TrumpExchanged, TrumpShown
from engine.fold import fold_events
from engine.random_game import random_game
from engine.rules import Rules, list_profiles, load_profile


def rules_for_all() -> list[Rules]:
    found = []
    for name in list_profiles():
        usual = load_profile(name)
        for players in usual.players_allowed:
            if len(usual.cards) % players == 0:
                found.append(load_profile(name, players))
    return found


ALL_RULES = rules_for_all()


def play(seat: int, text: str | None) -> CardPlayed:
    return CardPlayed(seat, None if text is None else Card.parse(text))


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda r: f"{r.name}-{r.players}")
def test_a_legal_game_has_its_points_and_no_violation(rules: Rules) -> None:
    for seed in range(5):
        game = random_game(rules, Random(seed))
        state = fold_events(rules, game.events()).hand
        assert state is not None
        assert {v.code for v in state.violations} <= {"missed_arrastre", "missed_follow"}
        assert {v.certainty for v in state.violations} <= {"cleared", "unknowable"}
        assert state.problems == ()
        assert state.points_by_seat == game.points_by_seat
        assert sum(state.points) == sum(card.points for card in rules.cards)
        assert state.phase == "result"
        assert state.stock_left == 0
        assert state.hand_sizes == (0,) * rules.players
        assert len(state.tricks) == rules.tricks
        assert sorted(p.card for p in state.all_plays if p.card) == sorted(rules.cards)


@pytest.mark.parametrize("rules", ALL_RULES, ids=lambda r: f"{r.name}-{r.players}")
def test_one_unread_card_is_found_by_elimination(rules: Rules) -> None:
    game = random_game(rules, Random(11))
    events = game.events()
    index = [i for i, e in enumerate(events) if isinstance(e, CardPlayed)][7]
    hidden = events[index]
    assert isinstance(hidden, CardPlayed)
    events[index] = CardPlayed(hidden.seat, None)
    state = fold_events(rules, events).hand
    assert state is not None
    found = next(p for p in state.all_plays if p.by_elimination)
    assert found.card == hidden.card
    assert state.points_by_seat == game.points_by_seat
    half = fold_events(rules, events[: index + 1]).hand
    assert half is not None
    assert half.unread == 1


def test_missing_sweeps_and_leader_are_implied() -> None:
    rules = load_profile("arrastro", 2)
    game = random_game(rules, Random(3))
    full = fold_events(rules, game.events()).hand
    bare = [e for e in game.events() if not isinstance(e, TrickSwept | HandEnded | HandStarted)]
    state = fold_events(rules, [HandStarted(), *bare]).hand
    assert full is not None
    assert state is not None
    assert state.points_by_seat == full.points_by_seat
    assert [t.winner for t in state.tricks] == [t.winner for t in full.tricks[:-1]]
    assert state.result is not None
    assert state.result.points == full.points


def test_stock_and_hands_are_kept_without_seeing_a_draw() -> None:
    rules = load_profile("arrastro", 2)
    events = [HandStarted(0), TrumpShown(Card.parse("4O")), play(1, "3C"), play(0, "1C")]
    state = fold_events(rules, events).hand
    assert state is not None
    assert (state.phase, state.turn, state.stock_left, state.hand_sizes) == ("trick_full", None, 34, (2, 2))
    assert state.points_by_seat == (21, 0)
    state = fold_events(rules, [*events, TrickSwept(0)]).hand
    assert state is not None
    assert (state.phase, state.turn, state.stock_left, state.hand_sizes) == ("swept", 0, 32, (3, 3))


def test_the_two_takes_the_seven_that_took_the_ace() -> None:
    rules = load_profile("arrastro", 2)
    events = [
        HandStarted(0),
        TrumpShown(Card.parse("1O")),
        play(1, "3C"), play(0, "4C"), TrickSwept(1),
        TrumpExchanged(1, Card.parse("7O"), Card.parse("1O")),
        play(1, "5C"), play(0, "6C"), TrickSwept(0),
        TrumpExchanged(0, Card.parse("2O"), Card.parse("7O")),
    ]  # fmt: skip
    state = fold_events(rules, events).hand
    assert state is not None
    assert state.trump_card == Card.parse("2O")
    assert state.known_held == ((Card.parse("7O"),), (Card.parse("1O"),))
    assert [(x.after_trick, x.reason) for x in state.exchanges] == [(1, "ok"), (2, "ok")]
    assert state.violations == ()


def test_an_unread_card_keeps_the_winner_open_unless_it_cannot_matter() -> None:
    rules = load_profile("arrastro", 2)
    start = [HandStarted(0), TrumpShown(Card.parse("4O"))]
    open_trick = fold_events(rules, [*start, play(1, "3C"), play(0, None), TrickSwept(0)]).hand
    assert open_trick is not None
    assert open_trick.tricks[0].winner is None
    assert open_trick.points_open == 10
    sure = fold_events(rules, [*start, play(1, "1O"), play(0, None), TrickSwept(1)]).hand
    assert sure is not None
    assert sure.tricks[0].winner == 1
