"""What a referee has told so far."""

from engine.state import GameState
from server.referee.referee import Referee


def hand(referee: Referee) -> GameState:
    found = referee.state.hand
    assert found is not None
    return found


def played(referee: Referee) -> list[tuple[int, str | None]]:
    return [(play.seat, None if play.card is None else str(play.card)) for play in hand(referee).all_plays]
