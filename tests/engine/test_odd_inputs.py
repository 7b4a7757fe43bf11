"""What other hands write: house rules with slips, vectors in other spellings, records with odd words."""

import json
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import Card
from engine.codec import event_from_json
from engine.errors import ParseError, RulesError
from engine.events import CardPlayed, HandStarted, TrumpExchanged, TrumpShown
from engine.fold import fold, fold_events
from engine.ledger import Ledger, Retract
from engine.notation import parse_text, render_text
from engine.profile import rules_from_toml
from engine.record import Record, read_record, record_from_json, record_to_json, rules_from_json
from engine.result import hand_result, match_score
from engine.rules import Rules, load_profile
from engine.vectors import check_lines, check_vector
from server.cli import main

TWO = '[Rules "arrastro"]\n[Players "2"]\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('base = "arrastro"\nexchnge = true', "did you mean exchange"),
        ('players = 2\ncards_per_turn = ["x"]', "whole numbers"),
        ("players = 2\ncards_per_turn = [100]", "no stock"),
        ('players = 4\nteams = [["a"]]', "whole numbers"),
        ("players = 4\nteams = [0, 1, 2, 3]", "list"),
        ("players = 4\nteams = [[0, 1, 2, 3]]", "evenly"),
        ('team_lists = "auto"', "no parameter"),
        ('players_allowed = ["x"]', "whole numbers"),
        ('figure_numbers = {x = "sota"}', "no rank"),
        ('figure_numbers = {10 = "mona"}', "sota, caballo and rey"),
        ('exchange = true\nexchange_table = {x = "any"}', "no rank"),
        ("exchange = true\nexchange_table = {7 = [99]}", "no rank"),
        ("exchange = true", "no card may take"),
        ('base = "arrastro"\nexchange_min_draw_rounds = 400', "from 1 to 7"),
        ('base = "arrastro"\nexchange_min_draw_rounds = 0', "from 1 to 7"),
        ('match = {type = "first_to", n = "three"}', "whole number"),
        ('match = {type = "best_of", n = -1}', "1 or more"),
        ('match = {type = "points_limit", limit = -5}', "1 or more"),
        ('match = {type = "fixed_hands_stake", n = 3, stake = "a"}', "whole number"),
        ('base = "alcaide"\nalcaide = {threshold = 31, next = "me"}', "lot_among_rivals"),
        ('base = "alcaide"\nalcaide = {threshold = "x", next = "right"}', "whole number"),
        ('base = "alcaide"\nalcaide = {threshold = 500, next = "right"}', "never reach"),
        ('noncompliance_prior = "a"', "between 0 and 1"),
        ('hand_win = "over"\nhand_target = 500', "120 points"),
        ('objective = "fewest"\nhand_win = "over"\nhand_target = 60', "contradict"),
        ('hand_win = "fewest_points"', "contradict"),
        ("cut_min = 30", "cutting"),
        ('players = 2\nremoved = ["8O", "9O"]', "not there"),
        ('players = 3\nremoved = ["2B", "2B"]', "not there"),
        ('base = "ciegas"\narrastre = true', "blind"),
    ],
)
def test_house_rules_with_a_slip_are_refused_with_a_sentence(text: str, told: str) -> None:
    with pytest.raises(RulesError, match=told):
        rules_from_toml(text)


@pytest.mark.parametrize("rules", [{"profile": "arrastro", "players": "2"}, {"profile": "arrastro", "players": [2]}])
def test_players_of_a_record_are_a_number(rules: dict[str, Any]) -> None:
    with pytest.raises(RulesError, match="must be a number"):
        rules_from_json(rules)


def vector(rule: str, expect: Any, **inputs: Any) -> tuple[str, ...]:
    return check_vector({"id": "v", "rule": rule, "profile": "*", **inputs, "expect": expect}).problems


@pytest.mark.parametrize(
    ("rule", "inputs", "expect"),
    [
        # What the documents say may be left out, or written in another way for the same number.
        ("trick_winner", {"trump": "C", "lead": 0, "cards": ["5O", "6O", "2C"]}, {"winner": 2}),
        ("english_map", {"deck": "english"}, {"2": 2, "7": 7, "cards": 40}),
        ("suspicion", {"p": "1/2", "noncompliance_prior": "1/20"}, {"p_post": "2/42"}),
        ("suspicion", {"p": "1/2"}, {"p_post": "1/21"}),
        ("observe", {"missing": ["10E"]}, {"filled": "10E"}),
        (
            "first_dealer",
            {"players": 4, "draws": {"0": "2E", "1": "3O", "2": "12B", "3": "4C"}},
            {"teams_by_draw": [[2, 1], [0, 3]], "right_of_dealer": 3},
        ),
        # A foreign card among those seen before says nothing about the card asked for.
        ("observe", {"seen": ["8O", "3C"], "card": "5O"}, {"alert": None}),
        ("observe", {"seen": ["8O", "3C"], "card": "3C"}, {"alert": "duplicate_card"}),
    ],
)
def test_what_a_vector_may_leave_out(rule: str, inputs: dict[str, Any], expect: Any) -> None:
    assert vector(rule, expect, **inputs) == ()


TRICK: dict[str, Any] = {"players": 2, "trump": "C", "lead": 0, "cards": ["5O", "6O"]}
SWAP: dict[str, Any] = {"profile": "arrastro", "trump_card": "1C", "give": "7C", "after_trick": 3, "by": "trick_winner"}
STEP: dict[str, Any] = {"held": 2, "plays": [], "unseen": ["12C", "4B", "7E", "2B"]}


@pytest.mark.parametrize(
    ("rule", "inputs", "told"),
    [
        ("trick_winner", {**TRICK, "trump": "x"}, "trump = 'x' must be one of O, C, E, B"),
        ("trick_winner", {**TRICK, "trump": "c"}, "must be one of O, C, E, B"),
        ("trick_winner", {**TRICK, "trump": "4C"}, "must be one of O, C, E, B"),
        ("trick_winner", {key: TRICK[key] for key in ("players", "lead", "cards")}, "lacks the input 'trump'"),
        ("trick_winner", {**TRICK, "players": 3}, "2 cards are no trick of 3 players"),
        ("trick_winner", {**TRICK, "players": "2"}, "players = '2' must be a whole number"),
        ("trick_winner", {**TRICK, "lead": 2}, "lead = 2 is no seat"),
        ("trick_winner", {**TRICK, "profile": 5}, "must be the name of a profile"),
        ("trick_winner", {**TRICK, "profile": "tute"}, "no profile 'tute'"),
        ("trick_winner", {**TRICK, "deck": 41}, "use 36, 39, 40, 48 or english"),
        ("trick_winner", {**TRICK, "override": {"colour": 1}}, "no parameter 'colour'"),
        ("trick_winner", {**TRICK, "override": [1]}, "must be an object"),
        ("exchange", {**SWAP, "by": "somebody"}, "by = 'somebody' must be one of"),
        ("exchange", {**SWAP, "drawn": "no"}, "must be true or false"),
        ("exchange", {**SWAP, "after_trick": -1}, "0 or more"),
        ("hand_result", {"points": [120]}, "two sides or more"),
        ("hand_result", {"profile": "alcaide", "points": [31, 50, 39], "alcaide": 3}, "none of 3 sides"),
        ("match_result", {"hands": [[61, 59], [40, 40, 40]]}, "same number of sides"),
        ("arrastre_call", {"card": "1C", "trump": "C", "seat": 0, "called": True}, "lacks the input 'position'"),
        ("arrastre_inference", {"trump": "C", "played": "5O", "steps": [{**STEP, "unseen": []}]}, "fewer unseen"),
        (
            "arrastre_inference",
            {"trump": "C", "played": "5O", "steps": [{**STEP, "held": 0, "plays": [[19, "12C"]]}]},
            "1 cards out of 0 places",
        ),
        ("suspicion", {"p": "7/4"}, "must be a probability"),
        ("first_dealer", {"draws": {"Ana": "3E"}}, "a card to each seat"),
        # Shapes that no vector of the specification has are not guessed at.
        ("observe", {"players": 4, "turn": 1, "played_by": 2, "position": 1}, "tells no observation"),
        ("observe", {"players": 4, "lead": 0, "plays": [[0, "5O"], [2, "6O"]]}, "tells no observation"),
        ("observe", {"players": 2, "plays_by_seat": [20]}, "each of 2 seats"),
        ("observe", {**TRICK, "swept_by": 3}, "no seat"),
        ("observe", {**TRICK, "swept_by": 1, "teams": [["x"]]}, "whole numbers"),
        ("observe", {**TRICK, "swept_by": 1, "teams": [[0, 2], [1, 3]]}, "share out the seats 0-1"),
        ("tea", {}, "no kind of vector"),
    ],
)
def test_a_miswritten_vector_fails_with_a_sentence(rule: str, inputs: Any, told: str) -> None:
    (problem,) = vector(rule, {"winner": 1}, **inputs)
    assert told in problem
    assert "\n" not in problem


def test_a_vector_that_expects_nothing_fails() -> None:
    for expect in ({}, {"note": "x"}, [], None):
        assert "expects anything" in vector("points", expect, cards=["1O"])[0]


def test_a_failure_is_told_on_one_line() -> None:
    outcome = check_vector({"id": "a\nb", "rule": "t\nea", "profile": "*", "expect": {"points": 1}})
    assert "\n" not in outcome.id + outcome.rule + outcome.problems[0]


SPECIFIED = (Path(__file__).parent / "data" / "vectors.jsonl").read_text(encoding="utf-8").splitlines()
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 60) | st.floats() | st.sampled_from(["", "C", "1C", "99", "x\ny", "*"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["0", "held", "7"]), inner, max_size=2),
    max_leaves=4,
)


@given(st.sampled_from(SPECIFIED), st.data())
@settings(max_examples=400, deadline=None)
def test_a_vector_with_any_input_spoilt_is_told_in_a_sentence(line: str, data: st.DataObject) -> None:
    changed = json.loads(line)
    inputs = [key for key in changed if key not in ("id", "n", "expect", "source")]
    key = data.draw(st.sampled_from(inputs))
    if key == "steps" and data.draw(st.booleans()):
        step = changed["steps"][0]
        step[data.draw(st.sampled_from(sorted(step)))] = data.draw(JUNK)
    elif data.draw(st.booleans()):
        changed[key] = data.draw(JUNK)
    else:
        del changed[key]
    for problem in check_vector(changed).problems:
        assert "miswrites an input" not in problem  # the last net was not needed
        assert "\n" not in problem


def test_odd_lines_of_vectors_are_failures_and_no_more() -> None:
    good = '{"rule": "points", "profile": "*", "cards": ["1O"], "expect": {"points": 11}}'
    deep = "[" * 100_000
    outcomes = check_lines(["\ufeff" + good, deep, '{"points": ' + "9" * 5000 + "}", "", good.replace("11", "12")])
    assert [(outcome.id, outcome.passed) for outcome in outcomes] == [
        ("line 1", True),
        ("line 2", False),
        ("line 3", False),
        ("line 5", False),
    ]


def test_a_file_without_vectors_or_game_does_not_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty"
    empty.write_text("\n")
    assert main(["rules", "check-vectors", str(empty)]) == 1
    assert main(["score", str(empty)]) == 1
    told = capsys.readouterr()
    assert "holds no vectors" in told.err
    assert "holds no game" in told.err
    assert told.out == ""
    marked = tmp_path / "line\u2028.jsonl"
    text = '{"id": "a\u2028b", "rule": "points", "profile": "*", "cards": ["1O"], "expect": {"points": 11}}\r\n'
    marked.write_text(text, encoding="utf-8-sig")
    assert main(["rules", "check-vectors", str(marked)]) == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[Rules "arastro"]\n1. 0:1O', "did you mean arrastro"),
        (TWO + '[Dealer "Ana"]\n1. 0:1O', "Dealer 'Ana' is no number"),
        (TWO + '[Dealer "²"]\n1. 0:1O', "Dealer '²' is no number"),
        ('[Players "' + "9" * 5000 + '"]\n1. 0:1O', "is no number"),
        (TWO + "1. 0:1O " + "9" * 5000 + ":2O", "not understood"),
        (TWO + "1. 0:1O ²:2O", "not understood"),
        (TWO + "1. 0:1O 1:2O~1e999", "confidence from 0 to 1"),
        (TWO + "1. 0:1O 1:2O~-0.5", "confidence from 0 to 1"),
        (TWO + "1. 0:1O 1:?(2O:nan)", "between 0 and 1"),
        (TWO + '[Hand "1~5"]\n1. 0:1O', "no time or confidence"),
        (TWO + "1. 0:1O {never closed", "never closed"),
        (TWO + "1. 0:1O {not closed\n1:2O {closed}", "another '{'"),
        (TWO + '[Event "a"]\n[Event "b"]\n1. 0:1O', "given twice"),
    ],
)
def test_the_reader_tells_an_odd_word_and_goes_on(text: str, told: str) -> None:
    record = parse_text(text)
    assert any(told in str(problem) for problem in record.problems)
    assert CardPlayed(0, Card(1, "O")) in record.facts


def test_a_brace_after_a_semicolon_opens_no_comment() -> None:
    record = parse_text(TWO + "1. 0:1O ; {not a comment\n1:2O {a\nb; c} >0")
    assert record.problems == ()
    assert [note.text for note in record.comments] == ["a b; c"]
    assert len(record.facts) == 4


def test_a_text_may_begin_with_a_comment_or_a_mark() -> None:
    assert read_record('{Ana said "go"}\n' + TWO + "1. 0:1O").problems == ()
    assert read_record("\ufeff" + TWO + "1. 0:1O").rules.name == "arrastro"


@pytest.mark.parametrize("tail", ['"tags": ' + "[" * 100_000, '"events": [' + "9" * 5000 + "]}", '"version": "1"}'])
def test_json_that_cannot_be_a_record_is_refused(tail: str) -> None:
    with pytest.raises(ParseError):
        read_record('{"format": "brisca-record", ' + tail)


@pytest.mark.parametrize(
    "field",
    [{"seat": -1}, {"t": float("inf")}, {"t": 10**400}, {"confidence": 1.5}, {"candidates": [["1O", 2]]}],
)
def test_facts_in_json_hold_only_numbers_that_mean_something(field: dict[str, Any]) -> None:
    with pytest.raises(ParseError):
        event_from_json({"type": "card_played", "seat": 0, "card": None, **field})


def test_entries_that_correct_nothing_and_tags_that_cannot_be_kept_are_told() -> None:
    start = {"seq": 1, "id": "e1", "source": "vision", "body": {"type": "hand_started", "dealer": 1}}
    retract = {"seq": 2, "id": "e2", "source": "person", "body": {"type": "retract", "target": "e77", "reason": ""}}
    tags = {"two words": "x", "Dealer": "1", "Place": "a\nb"}
    record = record_from_json({"rules": "arrastro", "tags": tags, "entries": [start, start, retract]})
    assert record.tags == (("Place", "a b"),)
    told = " ".join(map(str, record.problems))
    for part in ("e1 is there twice", "e2 corrects e77", "two words", "'Dealer' cannot be a tag"):
        assert part in told
    assert parse_text(render_text(record)).tags == record.tags


def test_house_rules_that_are_the_plain_ones_come_back_from_text() -> None:
    record = Record(Rules(name="ours"), facts=(HandStarted(),))
    again = parse_text(render_text(record))
    assert again.problems == ()
    assert again.rules == record.rules


def test_comments_in_json_keep_their_place_in_text() -> None:
    data = record_to_json(Record(load_profile("arrastro"), facts=(HandStarted(),)))
    record = record_from_json({**data, "comments": [{"after": 0, "text": "a } b\r\nc"}]})
    assert parse_text(render_text(record)).comments == record.comments
    json.dumps(record_to_json(record), allow_nan=False)


def test_standard_input_that_is_no_text_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for errors in ("strict", "surrogateescape"):
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"1. 0:1O \xff\xfe"), encoding="utf-8", errors=errors))
        assert main(["score", "-"]) == 1
        assert "not text in UTF-8" in capsys.readouterr().err


def test_a_lost_title_is_no_tie_and_the_fewest_points_win_a_limit() -> None:
    alcaide = load_profile("alcaide")
    hands = [hand_result(alcaide, points, alcaide=0) for points in ((31, 50, 39), (20, 50, 50))]
    score = match_score(alcaide, hands)
    assert (score.wins, score.ties) == ((1, 0, 0), 0)
    limit = load_profile("contrario", 2).changed(match={"type": "points_limit", "limit": 100})
    score = match_score(limit, [hand_result(limit, points) for points in ((70, 50), (70, 50))])
    assert (score.totals, score.winner) == ((140, 100), 1)


def test_undo_takes_back_a_plain_retraction_too() -> None:
    rules = load_profile("arrastro", 2)
    ledger = Ledger(rules)
    for fact in (HandStarted(1), CardPlayed(0, Card(1, "O")), CardPlayed(1, Card(2, "O"))):
        ledger.append("vision", fact)
    whole = fold(rules, ledger.entries).hands[0].points_by_seat
    ledger.append("person", Retract("e2", "it was no card"))
    gone = fold(rules, ledger.entries).hands[0].points_by_seat
    assert (whole, gone) == ((11, 0), (0, 0))
    ledger.undo()
    assert fold(rules, ledger.entries).hands[0].points_by_seat == whole
    ledger.redo()
    assert fold(rules, ledger.entries).hands[0].points_by_seat == gone
    assert ledger.redo() is None
    ledger.undo(reason="a slip")
    assert fold(rules, ledger.entries).hands[0].points_by_seat == whole
    ledger.redo(reason="no slip")
    assert fold(rules, ledger.entries).hands[0].points_by_seat == gone
    ledger.undo()
    ledger.append("person", Retract("e3"))
    assert ledger.redo() is None


def test_a_card_taken_that_did_not_lie_there_is_told_and_proves_nothing() -> None:
    facts = (HandStarted(1), TrumpShown(Card(12, "B")), TrumpExchanged(0, Card(7, "B"), Card(11, "B")))
    hand = fold_events(load_profile("briscola_cambio", 2), facts).hands[0]
    assert hand.known_held == ((), ())
    assert "one of them was misread" in hand.problems[0]
