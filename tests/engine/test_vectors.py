"""Every vector of the specification, and the ways in which a vector can fail."""

import json
from pathlib import Path

import pytest

from engine.vectors import check_lines, check_vector

VECTORS = (Path(__file__).parent / "data" / "vectors.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", VECTORS, ids=[json.loads(line)["id"] for line in VECTORS])
def test_vector(line: str) -> None:
    outcome = check_vector(json.loads(line))
    assert outcome.problems == ()


@pytest.mark.parametrize(
    ("rule", "key", "wrong"),
    [
        ("trick_winner", "winner", 9),
        ("exchange", "allowed", None),
        ("hand_result", "winner", 7),
        ("observe", "alert", "nothing"),
        ("match_result", "winner", 5),
        ("arrastre_response", "must", ["2B"]),
        ("schedule", "tricks", 1),
    ],
)
def test_a_wrong_expectation_fails(rule: str, key: str, wrong: object) -> None:
    vector = next(v for v in map(json.loads, VECTORS) if v["rule"] == rule and key in v["expect"])
    vector["expect"][key] = wrong
    assert not check_vector(vector).passed


def test_a_step_with_other_odds_fails() -> None:
    vector = next(v for v in map(json.loads, VECTORS) if v["rule"] == "arrastre_inference")
    vector["expect"]["steps"][0]["p"] = "4/5"
    assert not check_vector(vector).passed


def test_lines_that_are_no_vectors_are_failures_not_crashes() -> None:
    lines = ["not json", "[1]", '{"id": "a"}', '{"id": "b", "rule": "tea", "expect": {}}', "", VECTORS[0]]
    outcomes = check_lines(lines)
    assert [outcome.passed for outcome in outcomes] == [False, False, False, False, True]
    lacking = check_vector({"id": "c", "rule": "points", "profile": "*", "expect": {"points": 3}})
    assert "input" in lacking.problems[0]
    unknown = check_vector({"id": "d", "rule": "points", "profile": "*", "cards": ["3B"], "expect": {"colour": 1}})
    assert "no answer of that name" in unknown.problems[0]


@pytest.mark.parametrize(
    ("by", "after", "who", "reason"),
    [
        ("has_won_a_trick", 5, "has_won_a_trick", "ok"),
        ("has_won_a_trick", 5, "trick_winner", "not_trick_winner"),
        ("trick_loser", 1, "has_won_a_trick", "no_trick_won"),
        ("trick_loser", 0, "has_won_a_trick", "no_trick_won"),
        ("trick_loser", 5, "trick_winner", "not_trick_winner"),
        ("anyone", 5, "trick_winner", "ok"),
    ],
)
def test_who_may_exchange_has_three_readings(by: str, after: int, who: str, reason: str) -> None:
    vector = {"id": "x", "rule": "exchange", "profile": "fournier", "players": 2, "trump_card": "12C", "give": "7C"}
    asked = {"by": by, "after_trick": after, "override": {"exchange_who": who}, "expect": {"reason": reason}}
    assert check_vector({**vector, **asked}).problems == ()
