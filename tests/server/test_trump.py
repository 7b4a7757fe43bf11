"""Which face is the face-up card: the one that lay by the stock first and was well seen."""

from engine.rules import load_profile
from server.referee.faces import Face
from server.referee.trump import choose
from server.referee.zones import Spot

CARDS = load_profile("arrastro", 2).cards
SIZE = (1280, 720)
STOCK = Spot((200.0, 200.0), 100.0, SIZE)


def face(uid: int, t: float, middle: tuple[float, float], label: str, visible: float) -> Face:
    found = Face(uid, t, Spot(middle, 100.0, SIZE))
    found.readings[uid] = (((label, 0.97), ("12O", 0.02)), visible)
    found.lying.add(uid)
    return found


def test_a_pattern_that_reads_as_a_card_under_the_stock_is_not_the_face_up_card() -> None:
    trump = face(1, 2.0, (275.0, 215.0), "3C", 0.96)
    pattern = face(2, 6.0, (180.0, 195.0), "1B", 0.4)
    played = [face(uid, 2.0 + uid, (600.0 + 40 * uid, 300.0), label, 0.95) for uid, label in ((3, "2O"), (4, "11B"))]
    assert choose([trump, *played, pattern], [STOCK]) is trump
    trump.gone, trump.how = 4.0, "vanished"  # then it may have been a card that somebody showed
    assert choose([trump, *played, pattern], [STOCK]) is pattern
