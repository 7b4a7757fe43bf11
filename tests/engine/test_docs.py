"""The documents name every parameter, profile, code and fact that there is."""

import doctest
import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from engine.answers import _HANDLERS
from engine.codec import event_name
from engine.events import (
    ArrastreCalled,
    CardDrawn,
    CardPlayed,
    CardTakenBack,
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

SOURCES = r"\b(S[0-4]|D\d+|all|outside|no source|our own)\b"
"""How a source may be named."""

DOCS = Path(__file__).parents[2] / "docs"
RULES = (DOCS / "rules.md").read_text(encoding="utf-8")
NOTATION = (DOCS / "notation.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [field.name for field in fields(Rules)])
def test_every_parameter_is_explained(name: str) -> None:
    written = "teams" if name == "team_lists" else name
    parameters = RULES[RULES.index("\n## Parameters") : RULES.index("\n## Decisions")]
    cells = [line.strip("|").split("|") for line in parameters.splitlines() if line.startswith("|")]
    row = next((line for line in cells if f"`{written}`" in line[0]), None)
    assert row is not None
    assert len(row) == 4
    assert len(row[2].split()) >= 2, "the meaning is told in words"
    assert re.search(SOURCES, row[3]), "the source is named"
    for value in CHOICES.get(name, ()):
        assert f'"{value}"' in row[1]


def test_defaults_are_written_first() -> None:
    parameters = RULES[RULES.index("\n## Parameters") : RULES.index("\n## What a table decides")]
    cells = [line.split("|") for line in parameters.splitlines() if line.startswith("|")]
    rows = {cell[1].strip(" `"): cell[2].strip() for cell in cells}
    for field in fields(Rules):
        default = getattr(Rules(), field.name)
        if isinstance(default, bool | int | float) and field.name != "players":
            assert rows[field.name] == str(default).lower(), field.name
        elif field.name in CHOICES:
            values = [value.strip(' "') for value in rows[field.name].split(",")]
            assert values[0] == default, field.name
            assert sorted(values) == sorted(CHOICES[field.name]), field.name


def test_every_decision_that_is_named_is_explained() -> None:
    files = [*(DOCS.parent / "engine").rglob("*.py"), *(DOCS.parent / "engine").rglob("*.toml")]
    named = set(re.findall(r"\bD\d+\b", RULES + "".join(file.read_text(encoding="utf-8") for file in files)))
    explained = set(re.findall(r"^- \*\*(D\d+)\*\*", RULES, re.MULTILINE))
    assert {"D1", "D7", "D24"} <= named
    assert named <= explained


def test_every_profile_format_and_code_is_named() -> None:
    for word in (*list_profiles(), *VIOLATION_CODES, *MATCH_TYPES[1:]):
        assert f"`{word}`" in RULES, word


def test_every_kind_of_vector_is_named_with_its_inputs() -> None:
    table = RULES[RULES.index("## Test vectors") :]
    for kind in _HANDLERS:
        assert f"`{kind}`" in table, kind
    for line in (Path(__file__).parent / "data" / "vectors.jsonl").read_text(encoding="utf-8").splitlines():
        vector = json.loads(line)
        remarks = {"id", "n", "rule", "profile", "expect", "source", "override", "name", "known_draws", "tricks_left"}
        remarks |= {"player_points"} | (
            {"players", "trick"} if vector["rule"].endswith(("inference", "order")) else set()
        )
        remarks |= {"trump"} if vector["rule"] == "follow_inference" else set()
        rows = [row for row in table.splitlines() if row.startswith("|")]
        row = next(row for row in rows if f"`{vector['rule']}`" in row.split("|")[1])
        row += next(row for row in rows if row.startswith("| any |"))
        for key in set(vector) - remarks:
            assert f"`{key}`" in row, (vector["id"], key)


def test_the_example_in_python_runs() -> None:
    outcome = doctest.testfile(str(DOCS / "rules.md"), module_relative=False)
    assert outcome.attempted > 10
    assert outcome.failed == 0


def test_every_fact_is_named_and_the_example_can_be_read() -> None:
    for fact in (HandStarted(), TrumpShown(), CardPlayed(0, None), TrumpExchanged(0), TrickSwept(), CardDrawn(0),
                 CardTakenBack(0), TrumpTaken(), ArrastreCalled(0), HandEnded()):  # fmt: skip
        assert f"`{event_name(fact)}`" in NOTATION
    example = NOTATION.split("```")[1]
    record = parse_text(example)
    assert not record.problems
    told_wrong = parse_text(example.replace('Result "19-0"', 'Result "26-94"'))
    assert [problem.text for problem in told_wrong.problems] == ["the record says 26-94, the cards say 19-0"]
    hand = record.state().hand
    assert hand is not None
    assert [trick.winner for trick in hand.tricks] == [0, 0, 0]
