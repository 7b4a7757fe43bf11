"""The documents name every parameter, profile, code and fact that there is."""

import doctest
from dataclasses import fields
from pathlib import Path

import pytest

from engine.codec import event_name
from engine.events import (
    ArrastreCalled,
    CardDrawn,
    CardPlayed,
    HandEnded,
    HandStarted,
    TrickSwept,
    TrumpExchanged,
    TrumpShown,
    TrumpTaken,
)
from engine.notation import parse_text
from engine.rules import CHOICES, MATCH_TYPES, Rules, list_profiles
from engine.state import VIOLATION_CODES

DOCS = Path(__file__).parents[2] / "docs"
RULES = (DOCS / "rules.md").read_text(encoding="utf-8")
NOTATION = (DOCS / "notation.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [field.name for field in fields(Rules)])
def test_every_parameter_is_explained(name: str) -> None:
    written = "teams" if name == "team_lists" else name
    row = next((line for line in RULES.splitlines() if line.startswith("|") and f"`{written}`" in line), None)
    assert row is not None
    for value in CHOICES.get(name, ()):
        assert f'"{value}"' in row


def test_every_profile_format_and_code_is_named() -> None:
    for word in (*list_profiles(), *VIOLATION_CODES, *MATCH_TYPES[1:]):
        assert f"`{word}`" in RULES, word


def test_the_example_in_python_runs() -> None:
    outcome = doctest.testfile(str(DOCS / "rules.md"), module_relative=False)
    assert outcome.attempted > 10
    assert outcome.failed == 0


def test_every_fact_is_named_and_the_example_can_be_read() -> None:
    for fact in (HandStarted(), TrumpShown(), CardPlayed(0, None), TrumpExchanged(0), TrickSwept(), CardDrawn(0),
                 TrumpTaken(), ArrastreCalled(0), HandEnded()):  # fmt: skip
        assert f"`{event_name(fact)}`" in NOTATION
    example = NOTATION.split("```")[1]
    record = parse_text(example)
    assert [problem.text for problem in record.problems] == ["the record says 26-94, the cards say 19-0"]
    hand = record.state().hand
    assert hand is not None
    assert [trick.winner for trick in hand.tricks] == [0, 0, 0]
