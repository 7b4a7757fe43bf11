"""What a referee has told so far, and hands that people tell it card by card."""

from random import Random

import pytest

from engine.events import CardPlayed, TrumpShown
from engine.random_game import random_game
from engine.rules import load_profile
from engine.state import GameState
from server.errors import PressError
from server.referee.referee import Referee
from server.seats import default_seats


def hand(referee: Referee) -> GameState:
    found = referee.state.hand
    assert found is not None
    return found


def played(referee: Referee) -> list[tuple[int, str | None]]:
    return [(play.seat, None if play.card is None else str(play.card)) for play in hand(referee).all_plays]


def entered(players: int, trump: str | None, *plays: tuple[int, str]) -> Referee:
    """A hand kept by hand: who laid which card, trick after trick."""
    referee = Referee(load_profile("arrastro", players), default_seats(players))
    if trump is not None:
        referee.press({"type": "set_trump", "card": trump, "t": 0.5})
    for n, (seat, card) in enumerate(plays):
        referee.press({"type": "add_play", "trick": n // players + 1, "seat": seat, "card": card, "t": n + 1.0})
    return referee


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


def refused(referee: Referee, **press: object) -> str:
    """The reason why a press is refused; it changes nothing."""
    before, entries = played(referee), referee.ledger.entries
    with pytest.raises(PressError) as error:
        referee.press(press)
    assert played(referee) == before
    assert referee.ledger.entries == entries
    return error.value.reason
