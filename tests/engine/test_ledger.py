"""Corrections: amend, retract, insert, confirm; undo and redo; what comes after is worked out again."""

from dataclasses import replace
from random import Random

import pytest

from engine.cards import Card
from engine.codec import entry_from_json, entry_to_json, state_to_json
from engine.errors import EngineError
from engine.events import CardPlayed, HandStarted, TrickSwept, TrumpShown
from engine.fold import fold
from engine.ledger import Amend, Confirm, InsertAfter, Ledger, Retract
from engine.random_game import random_game
from engine.rules import load_profile

RULES = load_profile("arrastro", 2)


def play(seat: int, card: str) -> CardPlayed:
    return CardPlayed(seat, Card.parse(card))


@pytest.fixture
def ledger() -> Ledger:
    book = Ledger(RULES)
    for event in (HandStarted(1), TrumpShown(Card.parse("4O")), play(0, "3C"), play(1, "1C"), TrickSwept(1)):
        book.append("vision", event)
    return book


def test_an_amended_card_changes_winner_points_and_violations(ledger: Ledger) -> None:
    before = fold(RULES, ledger.entries).hand
    assert before is not None
    assert (before.tricks[0].winner, before.points_by_seat, before.violations) == (1, (0, 21), ())
    fix = ledger.append("person", Amend("e4", play(1, "7C"), "a seven"))
    after = fold(RULES, ledger.entries).hand
    assert after is not None
    assert (after.tricks[0].winner, after.points_by_seat, after.turn) == (0, (10, 0), 0)
    assert [v.code for v in after.violations] == ["wrong_gather"]
    ledger.append("person", Retract(fix.id, "it was the ace after all"))
    again = fold(RULES, ledger.entries).hand
    assert again is not None
    assert replace(again, revision=0) == replace(before, revision=0)


def test_an_acknowledged_violation_keeps_its_key(ledger: Ledger) -> None:
    ledger.append("person", Amend("e4", play(1, "7C")))
    key = fold(RULES, ledger.entries).violations[0].key
    ledger.append("person", Confirm(key))
    ledger.append("person", InsertAfter("e2", play(0, "5B")))
    ledger.append("person", InsertAfter("e8", play(1, "6B"), "a whole trick was missed"))
    found = [v for v in fold(RULES, ledger.entries).violations if v.code == "wrong_gather"]
    assert [(v.key, v.acknowledged, v.trick) for v in found] == [(key, True, 2)]


def test_insertions_keep_the_order_in_which_they_were_written(ledger: Ledger) -> None:
    ledger.append("person", InsertAfter("e2", play(0, "5B")))
    ledger.append("person", InsertAfter("e2", play(1, "6B")))
    ledger.append("person", InsertAfter(None, TrickSwept(None)))
    assert [fact_id for fact_id, _ in ledger.effective()] == ["e8", "e1", "e2", "e6", "e7", "e3", "e4", "e5"]


def test_an_inserted_fact_can_be_amended_and_retracted(ledger: Ledger) -> None:
    new = ledger.append("person", InsertAfter("e5", play(1, "5B")))
    ledger.append("person", Amend(new.id, play(1, "6B")))
    assert ledger.effective()[-1] == ("e6", play(1, "6B"))
    ledger.append("person", Retract(new.id))
    assert [fact for fact, _ in ledger.effective()] == ["e1", "e2", "e3", "e4", "e5"]


def test_an_amendment_of_an_amendment_names_the_same_fact(ledger: Ledger) -> None:
    fix = ledger.append("person", Amend("e4", play(1, "7C")))
    ledger.append("person", Amend(fix.id, play(1, "2O")))
    assert dict(ledger.effective())["e4"] == play(1, "2O")


def test_confirming_makes_a_reading_sure(ledger: Ledger) -> None:
    ledger.append("vision", replace(play(0, "5B"), confidence=0.4))
    assert fold(RULES, ledger.entries).violations[0].certainty == "possible"
    ledger.append("person", Confirm("e6"))
    assert fold(RULES, ledger.entries).violations[0].certainty == "certain"


def test_undo_and_redo(ledger: Ledger) -> None:
    whole = ledger.effective()
    ledger.append("person", Amend("e4", play(1, "7C")))
    amended = ledger.effective()
    assert ledger.undo() is not None
    assert ledger.effective() == whole
    assert ledger.undo() is not None
    assert ledger.effective() == whole[:-1]
    assert ledger.redo() is not None
    assert ledger.effective() == whole
    assert ledger.redo() is not None
    assert ledger.effective() == amended
    assert ledger.redo() is None
    for _ in range(6):
        assert ledger.undo() is not None
    assert ledger.undo() is None
    assert ledger.effective() == ()


def test_a_correction_of_nothing_is_refused(ledger: Ledger) -> None:
    for body in (Amend("e99", play(1, "7C")), Retract("x"), InsertAfter("e0", play(1, "7C")), Confirm("e77")):
        with pytest.raises(EngineError, match="no entry"):
            ledger.append("person", body)
    with pytest.raises(EngineError, match="source"):
        ledger.append("ghost", HandStarted())
    with pytest.raises(EngineError, match="alike"):
        Ledger(RULES, (ledger.entries[0], ledger.entries[0]))


def test_any_amend_then_retract_is_identity() -> None:
    rng = Random(4)
    game = random_game(RULES, rng)
    ledger = Ledger(RULES)
    for event in game.events():
        ledger.append("vision", event)
    plain = state_to_json(fold(RULES, ledger.entries)) | {"revision": 0}
    for _ in range(25):
        target = rng.choice([e for e in ledger.entries if isinstance(e.body, CardPlayed)])
        fix = ledger.append("person", Amend(target.id, CardPlayed(rng.randrange(2), rng.choice(RULES.cards))))
        assert state_to_json(fold(RULES, ledger.entries)) | {"revision": 0} != plain
        ledger.append("person", Retract(fix.id))
        state = state_to_json(fold(RULES, ledger.entries))
        assert {**state, "revision": 0, "hands": [{**h, "revision": 0} for h in state["hands"]]} == {
            **plain, "hands": [{**h, "revision": 0} for h in plain["hands"]]
        }  # fmt: skip
    assert tuple(entry_from_json(entry_to_json(entry)) for entry in ledger.entries) == ledger.entries
