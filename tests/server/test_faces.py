"""What counts as a face on the table, and what is a pattern that the reader took for one."""

from engine.rules import load_profile
from server.referee.faces import Face

CARDS = load_profile("arrastro", 2).cards


def face(labels: tuple[tuple[str, float], ...], visible: float) -> Face:
    found = Face(1, 0.0, None)
    found.readings[1] = (labels, visible)
    return found


def test_a_striped_back_that_reads_as_some_card_of_swords_is_no_face() -> None:
    striped = (("9E", 0.31), ("7E", 0.28), ("8E", 0.25))
    assert float(face(striped, 0.24).shares(CARDS).max()) > 0.6, "the deck has no 8 and no 9: the 7 is all that is left"
    assert not face(striped, 0.24).legible(CARDS)
    assert face(striped, 0.9).legible(CARDS)


def test_a_card_mostly_covered_but_surely_read_is_a_face() -> None:
    assert face((("7E", 0.8), ("8E", 0.1)), 0.2).legible(CARDS)


def test_a_second_look_that_sees_more_makes_it_a_face() -> None:
    found = face((("9E", 0.31), ("7E", 0.28)), 0.24)
    found.readings[2] = ((("7E", 0.45), ("6E", 0.3)), 0.6)
    assert found.legible(CARDS)
