"""Between two hands: what may still be pressed, and that "new hand" shows one."""

import pytest

from server.errors import PressError
from server.messages import SnapshotData
from server.scoreboard.snapshot import snapshot_json
from server.sessions.session import Session, make_table
from server.sessions.sitting import SessionFacts
from vision.facts import TableEvent

STOCK, UP, SOUTH, NORTH = (300.0, 360.0), (390.0, 360.0), (650.0, 460.0), (650.0, 260.0)


def laid(number: int, at: tuple[float, float], card: str, t: float) -> TableEvent:
    x, y = at
    quad = ((x - 50, y - 75), (x + 50, y - 75), (x + 50, y + 75), (x - 50, y + 75))
    labels = ((card, 0.98),) if card else ()
    return TableEvent(
        number, t, "settled", number, "face" if card else "back", labels, quad, (x / 1280, y / 720), 1.0, (0, 0)
    )


def gone(number: int, track: int, t: float) -> TableEvent:
    return TableEvent(number, t, "vanished", track, "face", (), ((0, 0), (9, 0), (9, 9), (0, 9)), (0, 0), 1.0, (0, 0))


def shown(session: Session) -> SnapshotData:
    return snapshot_json(SessionFacts.begin("x"), session, session.finished)


def hand_over() -> Session:
    """One trick was played by hand, then everybody agreed that south takes the rest."""
    session = Session(make_table("arrastro", "south=Ana,north=Luis"))
    session.press({"type": "set_trump", "card": "4O"})
    session.press({"type": "add_play", "trick": 1, "seat": 0, "card": "1C"})
    session.press({"type": "add_play", "trick": 1, "seat": 1, "card": "2C"})
    session.press({"type": "sweep", "seat": 0})
    session.t = 20.0
    session.press({"type": "claim", "seat": 0})
    assert shown(session)["hand"]["phase"] == "result"  # type: ignore[index]
    return session


def refused(session: Session, press: str, word: str, **fields: int) -> None:
    """The press is refused in one sentence and leaves no trace."""
    before = session.referee.ledger.entries
    with pytest.raises(PressError, match=word) as told:
        session.press({"type": press, **fields})
    assert str(told.value).endswith(".")
    assert "\n" not in str(told.value)
    assert session.referee.ledger.entries == before


def test_nobody_calls_or_ends_a_hand_that_is_over() -> None:
    session = hand_over()
    refused(session, "arrastre_called", "hand is over", seat=1)
    refused(session, "end_hand", "no hand in play")
    assert shown(session)["changes"][0]["what"] == "hand_ended"
    assert session.state.hands[0].calls == ()
    session.press({"type": "undo"})  # the claim, so that nothing of the refused presses has to be undone first
    session.press({"type": "arrastre_called", "seat": 0})
    assert [call.seat for call in session.state.hands[0].calls] == [0]


def test_a_call_between_two_hands_belongs_to_neither() -> None:
    session = hand_over()
    session.referee.feed(laid(1, STOCK, "", 30.0))
    session.referee.feed(laid(2, UP, "7B", 30.5))  # lies too short a time to begin the next hand
    refused(session, "arrastre_called", "hand is over", seat=1)


def test_a_new_hand_is_shown_empty_at_once_and_begins_with_its_cards() -> None:
    session = hand_over()
    assert session.press({"type": "next_hand"}).entries == ()
    told = shown(session)
    hand = told["hand"]
    assert hand is not None
    assert (hand["n"], hand["result"], hand["tricks"], hand["trump"]) == (2, None, [], None)
    assert [score["points"] for score in told["scores"]] == [0, 0]
    assert [done["n"] for done in told["hands"]] == [1]
    refused(session, "next_hand", "new already")
    refused(session, "end_hand", "no hand in play")
    session.press({"type": "undo"})
    assert shown(session)["hand"]["result"] is not None  # type: ignore[index]
    session.press({"type": "redo"})
    session.press({"type": "add_play", "trick": 1, "seat": 1, "card": "3B"})
    assert shown(session)["hand"]["n"] == len(session.state.hands) == 2  # type: ignore[index]


def test_a_new_hand_after_the_end_of_the_film_is_shown_too() -> None:
    session = hand_over()
    session.finish()
    session.press({"type": "next_hand"})
    assert shown(session)["hand"]["n"] == 2  # type: ignore[index]


def test_the_end_of_the_game_shows_the_last_hand_that_was_played() -> None:
    session = hand_over()
    session.press({"type": "next_hand"})
    session.finish()
    assert shown(session)["hand"]["n"] == 1  # type: ignore[index]
    session.press({"type": "next_hand"})
    assert shown(session)["hand"]["result"] is None  # type: ignore[index]


def test_a_game_without_a_card_has_its_new_hand_already() -> None:
    session = Session(make_table("arrastro", "south=Ana,north=Luis"))
    refused(session, "next_hand", "begins by itself")
    refused(session, "end_hand", "no hand in play")


def test_a_trump_laid_just_before_the_press_belongs_to_the_new_hand() -> None:
    session = hand_over()
    session.referee.feed(laid(1, STOCK, "", 30.0))
    session.referee.feed(laid(2, UP, "7B", 30.5))
    assert shown(session)["hand"]["n"] == 1  # type: ignore[index]
    session.t = 31.0
    session.press({"type": "next_hand"})
    assert (len(session.state.hands), str(session.state.hands[1].trump_card)) == (2, "7B")
    session.press({"type": "undo"})
    assert len(session.state.hands) == 1
    session.press({"type": "redo"})
    session.referee.feed(laid(3, NORTH, "5C", 33.0))
    assert [str(play.card) for play in session.state.hands[1].all_plays] == ["5C"]


def test_cards_that_were_only_counted_are_none_of_the_new_hand() -> None:
    session = hand_over()
    for number, card in ((1, "10C"), (2, "11C")):
        session.referee.feed(laid(number, SOUTH, card, 28.0 + number))
        session.referee.feed(gone(number + 5, number, 28.5 + number))
    session.press({"type": "next_hand"})
    assert shown(session)["hand"]["n"] == 2  # type: ignore[index]
    assert len(session.state.hands) == 1
