"""A game kept by hand, without any camera: told card by card, and put right afterwards."""

from random import Random

import pytest
from told import hand

from engine.events import CardPlayed, TrumpExchanged, TrumpShown
from engine.fold import fold_events
from engine.random_game import random_game
from engine.rules import load_profile
from server.referee.referee import Referee
from server.scoreboard.snapshot import first_leader, hand_json
from server.seats import default_seats


@pytest.mark.parametrize(("profile", "players"), [("arrastro", 2), ("arrastro", 4), ("tres_39", 3)])
def test_a_whole_game_is_kept_by_hand_without_any_camera(profile: str, players: int) -> None:
    rules = load_profile(profile, players)
    game = random_game(rules, Random(5), exchange_chance=1.0)
    referee = Referee(rules, default_seats(players))
    n, trick, t = 0, 0, 0.0
    for event in game.events():
        t += 1.0
        match event:
            case TrumpShown(card=card):
                referee.press({"type": "set_trump", "card": str(card), "t": t})
            case CardPlayed(seat=seat, card=card):
                trick = n // rules.plays_per_trick + 1
                referee.press({"type": "add_play", "trick": trick, "seat": seat, "card": str(card), "t": t})
                n += 1
            case TrumpExchanged(seat=seat, given=given):
                after = n // rules.plays_per_trick
                referee.press({"type": "exchange", "seat": seat, "given": str(given), "after_trick": after, "t": t})
    referee.press({"type": "sweep", "t": t + 1})
    state, truth = hand(referee), fold_events(rules, game.events()).hand
    assert truth is not None
    assert state.result is not None
    assert state.points == truth.points
    assert sum(state.points) == 120
    assert (state.result.status, state.result.winner) == (truth.result.status, truth.result.winner)  # type: ignore[union-attr]
    assert [one.winner for one in state.tricks] == [one.winner for one in truth.tricks]
    swaps = [(one.seat, one.given, one.taken, one.after_trick) for one in truth.exchanges]
    assert [(one.seat, one.given, one.taken, one.after_trick) for one in state.exchanges] == swaps
    assert not [v for v in state.violations if v.certainty == "certain"]


def by_hand(profile: str, players: int, tricks: int) -> Referee:
    """The first tricks of a random game, kept without a camera."""
    rules = load_profile(profile, players)
    referee = Referee(rules, default_seats(players))
    plays = 0
    for event in random_game(rules, Random(5), exchange_chance=0.0).events():
        if isinstance(event, TrumpShown):
            referee.press({"type": "set_trump", "card": str(event.card), "t": 0.5})
        elif isinstance(event, CardPlayed) and plays < tricks * players:
            plays += 1
            trick = (plays - 1) // players + 1
            press = {"type": "add_play", "trick": trick, "seat": event.seat, "card": str(event.card)}
            referee.press({**press, "t": float(plays)})
            assert not referee.status.lost, trick
    referee.press({"type": "sweep", "t": plays + 0.5})
    return referee


@pytest.mark.parametrize(("players", "tricks"), [(2, 4), (2, 12), (2, 20), (4, 10)])
def test_a_trick_given_to_somebody_else_leaves_the_cards_of_the_others(players: int, tricks: int) -> None:
    referee = by_hand("arrastro", players, tricks)
    before = [(play.seat, play.card) for play in hand(referee).all_plays]
    winners = [one.winner for one in hand(referee).tricks]
    assert len(before) == players * tricks
    for trick in range(1, tricks + 1):
        given = (winners[trick - 1] + 1) % players  # type: ignore[operator]
        referee.press({"type": "set_winner", "trick": trick, "seat": given, "t": 99.0})
        assert [(play.seat, play.card) for play in hand(referee).all_plays] == before, trick
        got = [one.winner for one in hand(referee).tricks]
        assert got == [given if n == trick else winner for n, winner in enumerate(winners, 1)], trick
        referee.press({"type": "undo", "t": 99.5})
        assert [one.winner for one in hand(referee).tricks] == winners


@pytest.mark.parametrize(("players", "tricks"), [(2, 20), (4, 10)])
def test_who_leads_the_next_hand_follows_from_who_led_the_one_before(players: int, tricks: int) -> None:
    referee = by_hand("arrastro", players, tricks)
    led = hand(referee).tricks[0].plays[0].seat
    assert first_leader(referee.state) is None
    referee.press({"type": "next_hand", "t": 200.0})
    referee.press({"type": "set_trump", "card": "4O", "t": 201.0})
    assert first_leader(referee.state) == (led + 1) % players
    assert hand_json(hand(referee), first=first_leader(referee.state))["next_leader"] == (led + 1) % players


def test_a_hand_ended_before_its_last_card_was_told_accuses_nobody_with_certainty() -> None:
    referee = by_hand("arrastro", 2, 19)
    leader = hand(referee).tricks[-1].winner
    played_cards = {play.card for play in hand(referee).all_plays}
    left = sorted(hand(referee).rules.card_set - played_cards)
    referee.press({"type": "add_play", "trick": 20, "seat": leader, "card": str(left[0]), "t": 150.0})
    referee.press({"type": "next_hand", "t": 200.0})
    (short,) = (one for one in referee.state.hands[0].violations if one.code == "hand_short")
    assert short.certainty == "possible"


@pytest.mark.parametrize("trick", [1, 10, 20])
def test_who_led_a_trick_can_be_said_of_a_hand_that_is_whole(trick: int) -> None:
    referee = by_hand("arrastro", 2, 20)
    led = hand(referee).tricks[trick - 1].plays[0].seat
    referee.press({"type": "set_leader", "trick": trick, "seat": 1 - led, "t": 99.0})
    assert sum(hand(referee).points) <= 120
    referee.press({"type": "undo", "t": 99.5})
    assert hand(referee).tricks[trick - 1].plays[0].seat == led
