from random import Random

import pytest

from engine.cards import Card
from engine.events import CardPlayed, HandStarted, TrickSwept, TrumpShown
from engine.fold import fold
from engine.ledger import Amend, InsertAfter, Ledger, LedgerEntry, Retract
from engine.random_game import random_game
from engine.rules import Rules, load_profile
from engine.state import MatchState
from server.seats import default_seats, parse_seats
from server.sessions.result import amendments, result_json, result_text


def played(rules: Rules, *seeds: int) -> tuple[MatchState, tuple[LedgerEntry, ...]]:
    ledger = Ledger(rules)
    for seed in seeds:
        for event in random_game(rules, Random(seed)).events(start=1.0):
            ledger.append("vision", event)
    return fold(rules, ledger.entries), ledger.entries


def test_a_hand_is_written_in_the_format_of_the_page() -> None:
    rules = load_profile("arrastro", 2)
    state, entries = played(rules, 3)
    seats = parse_seats("south=Ana,north=Luis")
    result = result_json(rules, seats, state, entries)
    assert list(result) == [
        "rules", "trump", "seats", "tricks", "exchanges", "violations", "totals", "winner", "complete", "amendments"
    ]  # fmt: skip
    assert result["rules"] == "arrastro"
    assert result["seats"][0] == {"seat": 0, "side": "south", "name": "Ana"}
    assert result["trump"] == str(random_game(rules, Random(3)).trump)
    assert len(result["tricks"]) == 20
    first = result["tricks"][0]
    assert list(first) == ["n", "plays", "winner", "points", "t_full", "t_swept"]
    assert list(first["plays"][0]) == ["seat", "card", "t", "confidence"]
    assert sum(result["totals"]["by_seat"].values()) == 120
    assert result["totals"]["by_team"] is None
    assert result["complete"] is True
    assert result["amendments"] == 0
    assert "hands" not in result


def test_pairs_have_their_totals() -> None:
    rules = load_profile("arrastro", 4)
    state, entries = played(rules, 5)
    result = result_json(rules, default_seats(4), state, entries)
    assert list(result["totals"]["by_team"]) == ["0", "1"]
    assert sum(result["totals"]["by_team"].values()) == 120
    assert result["winner"] in (0, 1, None)


def test_several_hands_stand_behind_the_last_complete_one() -> None:
    rules = load_profile("briscola", 2)
    _, entries = played(rules, 1, 2)
    ledger = Ledger(rules, entries)
    ledger.append("vision", HandStarted())
    ledger.append("vision", TrumpShown(Card.parse("4O"), t=900.0))
    result = result_json(rules, default_seats(2), fold(rules, ledger.entries), ledger.entries)
    assert [hand["n"] for hand in result["hands"]] == [1, 2, 3]
    assert [hand["complete"] for hand in result["hands"]] == [True, True, False]
    assert result["tricks"] == result["hands"][1]["tricks"]
    assert result["hands"][2]["trump"] == "4O"
    assert result["hands"][2]["tricks"] == []


def test_an_unread_card_is_null_with_its_candidates() -> None:
    rules = load_profile("briscola", 2)
    ledger = Ledger(rules)
    ledger.append("vision", HandStarted())
    ledger.append("vision", TrumpShown(Card.parse("4O")))
    ledger.append("vision", CardPlayed(0, None, (("4C", 0.61234), ("4E", 0.3)), t=2.0004, confidence=0.61234))
    result = result_json(rules, default_seats(2), fold(rules, ledger.entries), ledger.entries)
    assert result["tricks"][0]["plays"] == [
        {"seat": 0, "card": None, "t": 2.0, "confidence": 0.6123, "candidates": [["4C", 0.6123], ["4E", 0.3]]}
    ]
    assert result["complete"] is False
    assert result["winner"] is None


def test_nothing_played_is_a_result_too() -> None:
    rules = load_profile("arrastro", 2)
    result = result_json(rules, default_seats(2), MatchState(rules))
    assert result["tricks"] == []
    assert result["totals"]["by_seat"] == {"0": 0, "1": 0}
    assert result["complete"] is False


def test_the_same_session_gives_the_same_bytes() -> None:
    rules = load_profile("arrastro", 4)
    texts = {result_text(result_json(rules, default_seats(4), *played(rules, 8))) for _ in range(3)}
    assert len(texts) == 1
    assert texts.pop().endswith("}\n")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (Amend("e3", CardPlayed(0, Card.parse("5O"))), 1),
        (Amend("e4", CardPlayed(1, Card.parse("5O"))), 0),
        (Amend("e3", CardPlayed(0, Card.parse("4O"), confidence=1.0)), 0),
        (Retract("e3"), 1),
        (InsertAfter("e3", TrickSwept(0)), 1),
    ],
)
def test_amendments_count_what_was_said_and_taken_back(body: Amend | Retract | InsertAfter, expected: int) -> None:
    ledger = Ledger(load_profile("briscola", 2))
    ledger.append("vision", HandStarted())
    ledger.append("vision", TrumpShown(Card.parse("2C")))
    ledger.append("vision", CardPlayed(0, Card.parse("4O")))
    ledger.append("vision", CardPlayed(1, None))
    ledger.append("rule", body)
    assert amendments(ledger.entries) == expected
