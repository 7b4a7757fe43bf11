"""Differential test against ``naipes`` (PyPI, MIT), an independent brisca for two: every trick, and whole games."""

from random import Random

import pytest

from engine.cards import Card
from engine.events import CardPlayed, GameEvent, HandEnded, HandStarted, TrickSwept, TrumpShown
from engine.fold import fold_events
from engine.rules import load_profile
from engine.trick import trick_points, winning_index

naipes = pytest.importorskip("naipes.games.brisca.state")
their_rules = pytest.importorskip("naipes.games.brisca.rules")
their_cards = pytest.importorskip("naipes.core.cards")

RULES = load_profile("briscola", 2)


def theirs(card: Card) -> "object":
    return their_cards.Card(card.rank, card.suit)


def test_every_trick_of_two_cards() -> None:
    tried = 0
    for trump in "OCEB":
        for lead in RULES.cards:
            for answer in RULES.cards:
                if lead == answer:
                    continue
                tried += 1
                pair = (theirs(lead), theirs(answer))
                assert (winning_index((lead, answer), trump) == 1) == their_rules.trick_winner_is_follower(*pair, trump)
                assert trick_points((lead, answer)) == their_rules.trick_points(*pair)
    assert tried == 4 * 40 * 39


def test_five_hundred_whole_games() -> None:
    for seed in range(500):
        rng = Random(seed)
        game = naipes.GameState.new(seed)
        seat = {naipes.Player.HUMAN: 0, naipes.Player.AI: 1}
        events: list[GameEvent] = [HandStarted(1, 0), TrumpShown(Card(game.trump_card.rank, game.trump_card.suit))]
        while not game.is_finished():
            player = game.leader if game.pending_leader is None else game.pending_leader.other()
            hand = game.hand_of(player)
            index = rng.randrange(len(hand))
            card = Card(hand[index].rank, hand[index].suit)
            events.append(CardPlayed(seat[player], card))
            record = game.play_card(player, index)
            if record is not None:
                events.append(TrickSwept(seat[record.winner]))
        events.append(HandEnded())
        state = fold_events(RULES, events).hand
        assert state is not None
        assert state.violations == ()
        assert [trick.winner for trick in state.tricks] == [seat[record.winner] for record in game.trick_log]
        assert [trick.points for trick in state.tricks] == [record.points for record in game.trick_log]
        assert state.points_by_seat == (game.score_of(naipes.Player.HUMAN), game.score_of(naipes.Player.AI))
