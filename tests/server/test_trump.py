"""Which face is the face-up card, and which ones are backs that look like faces."""

from engine.rules import load_profile
from server.referee.faces import Face
from server.referee.trump import choose, is_pattern, stock_as_face
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


def test_the_back_on_the_stock_that_is_taken_for_a_face_is_no_card() -> None:
    back = face(1, 0.9, (200.0, 200.0), "5B", 0.7)
    back.readings[1] = ((("5B", 0.46), ("9B", 0.3)), 0.7)
    trump = face(2, 1.8, (275.0, 215.0), "11B", 0.98)
    played = [face(uid, 2.0 + uid, (600.0, 300.0), label, 0.95) for uid, label in ((3, "2O"), (4, "11O"))]
    assert stock_as_face([back, trump], []) is back
    assert stock_as_face([back, trump, *played], []) is back
    assert stock_as_face([back, trump, *played], [STOCK]) is None, "the stock is seen: what lies under it is a card"
    trump.readings[2] = ((("11B", 0.6),), 0.98)
    assert stock_as_face([back, trump, *played], []) is None, "neither of them is known"


def test_two_cards_gathered_as_a_trick_are_no_stock_with_the_face_up_card() -> None:
    first = face(1, 1.0, (200.0, 200.0), "5B", 0.7)
    first.readings[1] = ((("5B", 0.46),), 0.7)
    second = face(2, 1.8, (275.0, 215.0), "11B", 0.98)
    assert stock_as_face([first, second], []) is first
    for card in (first, second):
        card.leave(card.uid, 4.0, "swept", 7)
    assert stock_as_face([first, second], []) is None


def test_a_face_never_named_that_stays_while_tricks_are_gathered_is_a_pile() -> None:
    pile = face(1, 1.0, (900.0, 600.0), "6B", 0.6)
    pile.readings[1] = ((("6B", 0.34),), 0.6)
    faces = [pile]
    for trick in (1, 2):
        assert not is_pattern(pile, faces)
        played = [face(10 * trick + n, 4.0 * trick + n, (600.0, 300.0), "2O", 0.95) for n in (0, 1)]
        for card in played:
            card.leave(card.uid, 4.0 * trick + 3.0, "swept", trick)
        faces.extend(played)
    assert is_pattern(pile, faces)
    pile.readings[1] = ((("6B", 0.7),), 0.6)
    assert not is_pattern(pile, faces), "a card that lies there still, forgotten or played early"
