"""Label evidence: damped, floored, and shared out between cards that claim the same label."""

import numpy as np
import pytest
from table_scene import quad_at, read_as

from vision.codec import sighting_of
from vision.evidence import Evidence, claim, conflict, distribution, shortlist
from vision.facts import Detection, Sighting
from vision.labels import INDEX


def look(label: str, top: float, rival: str | None = None, visible: float = 1.0) -> Sighting:
    return sighting_of(Detection(quad_at(300, 300), "face", 0.9, read_as(label, top, rival), visible))


def test_many_doubtful_looks_do_not_make_certainty() -> None:
    evidence = Evidence()
    for number in range(200):
        evidence.add(look("1B", 0.6 + 0.0005 * (number % 7), "3B"), True)
    assert evidence.top == pytest.approx(0.71, abs=0.04)


def test_clear_looks_outweigh_covered_ones() -> None:
    evidence = Evidence()
    for number in range(6):
        evidence.add(look("1B", 0.8 + 0.001 * number, "3B", visible=0.15), True)
    for number in range(6):
        evidence.add(look("3B", 0.95 + 0.001 * number, "1B"), True)
    assert shortlist(evidence.probs)[0][0] == "3B"
    assert evidence.top > 0.9


def test_one_wild_look_does_not_turn_the_rest() -> None:
    evidence = Evidence()
    for number in range(5):
        evidence.add(look("12C", 0.9 + 0.01 * number), True)
    evidence.add(look("4O", 0.9999), True)
    assert shortlist(evidence.probs)[0][0] == "12C"


def test_repetitions_are_not_counted() -> None:
    evidence = Evidence()
    same = look("7O", 0.7, "4O")
    for _ in range(50):
        evidence.add(same, True)
    assert evidence.looks == 1
    assert evidence.top == pytest.approx(0.69, abs=0.015)
    evidence.add(Sighting(same.quad, "face", 0.9), True)
    assert evidence.looks == 1


def test_moving_looks_count_little() -> None:
    evidence = Evidence()
    for number in range(4):
        evidence.add(look("5C", 0.9 + 0.001 * number), False)
    for number in range(2):
        evidence.add(look("6B", 0.9 + 0.001 * number), True)
    assert shortlist(evidence.probs)[0][0] == "6B"


def test_short_lists_become_distributions() -> None:
    probs = distribution((("3C", 0.6), ("4C", 0.2)))
    assert probs.sum() == pytest.approx(1)
    assert probs[INDEX["3C"]] == pytest.approx(0.6)
    assert probs[INDEX["1O"]] == pytest.approx(0.2 / 46)
    assert distribution(()).max() == pytest.approx(1 / 48)
    assert shortlist(probs)[:2] == (("3C", 0.6), ("4C", 0.2))


def test_conflict_needs_two_that_are_sure_of_different_cards() -> None:
    sure, other, vague = (distribution(((label, p),)) for label, p in (("3C", 0.95), ("4C", 0.95), ("4C", 0.3)))
    assert conflict(sure, sure) == 0
    assert conflict(sure, other) > 0.8
    assert conflict(sure, vague) < 0.4
    between = distribution((("7O", 0.41), ("8O", 0.35)))
    assert conflict(sure, between) > 0.6  # none of both is the 3C
    assert conflict(sure, distribution((("3C", 0.35), ("4C", 0.4)))) < 0.4


def test_the_surer_keeps_the_label() -> None:
    sure, rival = distribution((("3B", 0.98),)), distribution((("3B", 0.7), ("1B", 0.29)))
    assert shortlist(claim(rival, [sure], []))[0][0] == "1B"
    assert shortlist(claim(sure, [], [rival]))[0] == ("3B", pytest.approx(0.98, abs=0.01))
    same = distribution((("3B", 0.6), ("1B", 0.4)))
    first, second = claim(same, [], [same]), claim(same, [same], [])
    assert first[INDEX["3B"]] == pytest.approx(0.6)
    assert second[INDEX["3B"]] < 0.52
    assert np.isclose(claim(rival, [sure, sure], [sure]).sum(), 1)
