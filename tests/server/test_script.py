"""Scripts: a whole game becomes table actions at the right sides and in a possible order."""

from random import Random

import pytest

from engine.events import ArrastreCalled, CardPlayed, TrickSwept, TrumpExchanged, TrumpShown
from engine.fold import fold_events
from engine.random_game import Called, Gathered, Played, RandomGame, random_game
from engine.rules import load_profile
from server.seats import default_seats
from server.simulator.script import PACES, Script, ScriptError, trick_times, write_script
from vision.synth.film_actions import (
    Draw,
    Exchange,
    Gather,
    Hover,
    PlaceStock,
    Play,
    ShowTrump,
    TakeTrump,
    action_end,
)

LEVELS = ("easy", "medium", "hard")


def scripted(players: int, seed: int, level: str = "easy", profile: str = "arrastro") -> tuple[RandomGame, Script]:
    game = random_game(load_profile(profile, players), Random(seed))
    return game, write_script(game, default_seats(players), level, Random(seed))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("players", "profile"), [(2, "arrastro"), (3, "tres_39"), (4, "arrastro"), (4, "abril"), (6, "seis_48")]
)
@pytest.mark.parametrize("level", LEVELS)
def test_every_move_is_shown_once_and_at_its_side(players: int, profile: str, level: str) -> None:
    game, script = scripted(players, 5, level, profile)
    sides = [seat.side for seat in default_seats(players)]
    plays = [(action.side, action.label) for action in script.actions if isinstance(action, Play)]
    assert plays == [(sides[move.seat], str(move.card)) for move in game.moves if isinstance(move, Played)]
    gathers = [action.side for action in script.actions if isinstance(action, Gather)]
    assert gathers == [sides[move.seat] for move in game.moves if isinstance(move, Gathered)]
    stock = next(action.count for action in script.actions if isinstance(action, PlaceStock))
    assert sum(isinstance(action, Draw) for action in script.actions) == stock
    assert sum(isinstance(action, TakeTrump) for action in script.actions) == 1
    assert sum(isinstance(action, ShowTrump) for action in script.actions) == 1


@pytest.mark.parametrize("players", [2, 4])
def test_the_facts_are_timed_by_the_actions_and_score_the_game(players: int) -> None:
    game, script = scripted(players, 11)
    played = [fact.t for fact in script.facts if isinstance(fact, CardPlayed)]
    assert played == [pytest.approx(action.rest, abs=1e-3) for action in script.actions if isinstance(action, Play)]
    swept = [fact.t for fact in script.facts if isinstance(fact, TrickSwept)]
    assert swept == [pytest.approx(action.swept, abs=1e-3) for action in script.actions if isinstance(action, Gather)]
    state = fold_events(game.rules, script.facts).hand
    assert state is not None
    assert state.points_by_seat == game.points_by_seat
    assert sum(state.points_by_seat) == 120
    assert not state.violations


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", range(4))
def test_nobody_has_two_hands_in_the_picture_and_tricks_can_be_seen(level: str, seed: int) -> None:
    _, script = scripted(4 if seed % 2 else 2, seed, level)
    busy: dict[str, float] = {}
    for action in script.actions:
        side = getattr(action, "side", None)
        if side is None or isinstance(action, Hover):
            continue
        assert action.t >= busy.get(side, 0.0), f"{action} begins while {side} is still busy"
        busy[side] = action_end(action)
    for plays, swept in trick_times(script.facts):
        assert plays == sorted(plays)
        assert swept is not None
        assert swept - plays[-1] > PACES[level].look[0]


def test_an_exchange_comes_before_the_draws_and_keeps_its_cards() -> None:
    for seed in range(40):
        _, script = scripted(2, seed)
        swaps = [fact for fact in script.facts if isinstance(fact, TrumpExchanged)]
        if not swaps:
            continue
        shown = [action for action in script.actions if isinstance(action, Exchange)]
        assert [action.label for action in shown] == [str(fact.given) for fact in swaps]
        assert [fact.t for fact in swaps] == [pytest.approx(action.rest, abs=1e-3) for action in shown]
        following = next(a for a in script.actions if isinstance(a, Draw) and a.t > shown[0].t)
        assert following.t >= shown[0].rest
        before = [a for a in script.actions if isinstance(a, Gather) and a.t < shown[0].t]
        assert all(shown[0].t >= action.rest for action in before)
        return
    pytest.fail("no game had an exchange")


def test_calls_are_timed_with_the_ace() -> None:
    game, script = next(
        pair for pair in (scripted(4, seed) for seed in range(40)) if any(isinstance(m, Called) for m in pair[0].moves)
    )
    (call, *_) = script.calls
    ace = next(
        fact for fact in script.facts
        if isinstance(fact, CardPlayed) and fact.card is not None and str(fact.card) == f"1{game.trump.suit}"
    )  # fmt: skip
    assert call.seat == ace.seat
    assert call.t is not None
    assert ace.t is not None
    assert 0 < call.t - ace.t < 0.6
    assert call in [fact for fact in script.facts if isinstance(fact, ArrastreCalled)]


def test_tricks_ends_the_script_early() -> None:
    game = random_game(load_profile("arrastro", 2), Random(3))
    script = write_script(game, default_seats(2), "easy", Random(3), tricks=2)
    assert sum(isinstance(action, Gather) for action in script.actions) == 2
    assert sum(isinstance(action, Play) for action in script.actions) == 4
    assert len(trick_times(script.facts)) == 2


def test_games_that_cannot_be_filmed() -> None:
    game = random_game(load_profile("arrastro", 2), Random(3))
    with pytest.raises(ScriptError, match="for 2 players, but 4 seats"):
        write_script(game, default_seats(4), "easy", Random(3))


def test_a_hidden_trump_card_lies_in_the_stock_and_only_its_suit_is_told() -> None:
    game, script = scripted(2, 3, profile="oculta")
    assert not [action for action in script.actions if isinstance(action, ShowTrump | TakeTrump)]
    (stock,) = [action.count for action in script.actions if isinstance(action, PlaceStock)]
    assert stock == game.rules.stock_start == sum(isinstance(action, Draw) for action in script.actions)
    (shown,) = [fact for fact in script.facts if isinstance(fact, TrumpShown)]
    assert (shown.card, shown.suit) == (None, game.trump.suit)
    assert min(action.t for action in script.actions if isinstance(action, Play)) > (shown.t or 0.0)
    state = fold_events(game.rules, script.facts).hand
    assert state is not None
    assert sum(state.points_by_seat) == 120
    assert not [violation for violation in state.violations if violation.certainty == "certain"]
