"""Records: both forms round-trip, corrections stay visible, bad lines are told and passed over."""

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import Card
from engine.errors import EngineError, ParseError, RulesError
from engine.events import CardPlayed, HandStarted, TrumpExchanged, TrumpShown
from engine.ledger import Amend, InsertAfter, Ledger, Retract
from engine.notation import parse_text, render_text
from engine.random_game import random_game
from engine.record import Comment, Record, read_record, record_from_entries, record_from_json, record_to_json
from engine.rules import list_profiles, load_profile


@pytest.mark.parametrize("name", list_profiles())
@pytest.mark.parametrize("timed", [False, True])
def test_both_forms_round_trip(name: str, timed: bool) -> None:
    rules = load_profile(name)
    for seed in range(4):
        game = random_game(rules, Random(seed))
        facts = tuple(game.events(draws=bool(seed % 2), start=0.5 if timed else None))
        record = Record(rules, (("Place", "Casa Pepe"),), facts, (Comment(-1, "first"), Comment(5, "a slow trick")))
        text = render_text(record)
        again = parse_text(text)
        assert again.problems == ()
        assert again == record
        assert render_text(again) == text
        assert record_from_json(json.loads(json.dumps(record_to_json(record)))) == record
        assert read_record(text) == record
        assert read_record(json.dumps(record_to_json(record))) == record


def test_every_mark_of_a_fact_survives_the_text() -> None:
    rules = load_profile("arrastro", 2)
    facts = (
        HandStarted(None, None, t=0.0, confidence=0.5),
        TrumpShown(None, "O", t=1.25),
        CardPlayed(None, None, (("3C", 0.5), ("5C", 0.25)), t=2.0, confidence=0.75),
        CardPlayed(1, Card.parse("12B"), t=3.0),
        TrumpExchanged(None, None, None),
    )
    record = Record(rules, (), facts)
    assert parse_text(render_text(record)).facts == facts


def test_a_hand_that_was_met_halfway_survives_both_forms() -> None:
    rules = load_profile("arrastro", 2)
    unread = tuple(CardPlayed(seat, None) for seat in (0, 1))
    facts = (HandStarted(0, 1, missed=1, points_before=(12, 0)), TrumpShown(Card.parse("4O")), *unread)
    record = Record(rules, (), facts)
    assert '[Missed "1"]\n[Before "12-0"]' in render_text(record)
    assert parse_text(render_text(record)).facts == facts
    assert record_from_json(record_to_json(record)).facts == facts
    bad = parse_text('[Players "2"]\n[Hand "1"]\n[Missed "one"]\n[Before "12"]\n#')
    told = [str(problem) for problem in bad.all_problems(bad.state())]
    assert told == [
        "line 3: Missed 'one' is no number of tricks, as in 3",
        "line 2: points_before does not give one number for each of 2 sides",
    ]


def test_house_rules_survive_both_forms() -> None:
    changed = load_profile("arrastro", 3, removed=("4B",)).changed(exchange_min_draw_rounds=1, tie="void")
    own = changed.replaced(name="pepe")
    for rules in (changed, own):
        record = Record(rules, (), tuple(random_game(rules, Random(1)).events()))
        assert parse_text(render_text(record)).rules == rules
        assert record_from_json(record_to_json(record)).rules == rules


def test_a_ledger_keeps_its_corrections() -> None:
    rules = load_profile("arrastro", 2)
    ledger = Ledger(rules)
    for event in random_game(rules, Random(2)).events():
        ledger.append("vision", event)
    played = next(e for e in ledger.entries if isinstance(e.body, CardPlayed))
    assert isinstance(played.body, CardPlayed)
    ledger.append("person", Amend(played.id, replace(played.body, confidence=1.0), "looked {again}"))
    ledger.append("person", InsertAfter(None, HandStarted(), "an older hand"))
    ledger.append("person", Retract(ledger.entries[-1].id, "no"))
    record = record_from_entries(rules, ledger.entries, {"Event": "test"})
    assert [c.text for c in record.comments][-1] == f"{played.id} amended by person: looked (again)"
    again = record_from_json(json.loads(json.dumps(record_to_json(record))))
    assert again == record
    assert again.state() == record.state()
    text = parse_text(render_text(record))
    assert text.comments == record.comments
    assert text.facts == record.facts


def test_cards_without_end_are_passed_over_and_told_once() -> None:
    record = parse_text("0:3C " * 20_000)
    state = record.state()
    assert len(state.hands[0].all_plays) == 80
    told = "line 1: more cards are played than two packs hold: this one and all after it were passed over"
    assert [str(problem) for problem in record.all_problems(state)] == [told]


def test_the_line_of_a_tag_is_told() -> None:
    record = parse_text('[Players "2"]\n[Hand "1"]\n[Trump "99C"]\n[Leader "x"]\n\n1. 0:3C')
    assert [str(problem) for problem in record.problems] == [
        "line 4: Leader 'x' is no number of a seat, as in 0",
        "line 3: '99C' is not a card: write a rank 1-12 and a suit O, C, E or B, as in 12C.",
    ]


@pytest.mark.parametrize(
    ("text", "told"), [("[" * 100_000, "nested too deeply"), ('{"a": ' + "9" * 5000 + "}", "too long")]
)
def test_json_that_python_cannot_hold_is_refused_in_our_words(text: str, told: str) -> None:
    with pytest.raises(ParseError, match=told):
        read_record(text, json_named=True)


def test_a_bad_line_does_not_lose_the_game() -> None:
    text = """
[Rules "arrastro"]
[Players "2"]
[Site "here"]
[Hand "1"]
[Dealer "0"]
[Trump "4O"]
[Result "99-21"]

1. 1:3C 0:1C >0 ; a comment to the end of the line 5:5
2. 0:9Z 0:2E hello 1:4E {a comment
over two lines} >1
"""
    record = parse_text(text)
    assert [str(p) for p in record.problems] == [
        "line 11: '0:9Z' is not understood and was passed over",
        "line 11: 'hello' is not understood and was passed over",
        "line 8: the record says 99-21, the cards say 21-0",
    ]
    assert record.comments == (Comment(6, "a comment over two lines"),)
    hand = record.state().hand
    assert hand is not None
    assert [t.winner for t in hand.tricks] == [0, 1]


@pytest.mark.parametrize(
    ("tags", "told"),
    [
        ('[Rules "arrastro"]\n[Place "x"]\n[Players "3"]', r"^line 3: .*1 left over.*tres_39"),
        ('[Rules "arrastro"]\n[Set "trump_rank_visible = false"]\n[Players "2"]', "^line 2: .*rank"),
        ('[Set "players = 3"]\n[Set "deck = 40"]\n[Place "x"]', "^line 1: .*left over"),
        ('[Place "x"]\n[Players "9"]', "^line 2: .*2 to 6"),
        ('[Rules "seis_48"]\n[Players "4"]', "^line 2: .*for 6 players"),
        ('[Players "2"]\n[Set "hand_win = \\"over\\""]\n[Set "cut_min = 30"]', "^lines 1, 2, 3: "),
    ],
)
def test_rules_that_cannot_be_played_are_refused_with_the_line_of_the_tag(tags: str, told: str) -> None:
    with pytest.raises(RulesError, match=told):
        read_record(f"{tags}\n1. 0:3C")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("exchnge = true", "tag Set was passed over: The rules have no parameter 'exchnge': did you mean exchange?"),
        ('cut_min = \\"x\\"', "tag Set was passed over: cut_min = 'x' must be a whole number."),
        ("players = 9", "tag Set was passed over: Brisca is played by 2 to 6 players, not 9: choose a number"),
        ("follow", "parameter 'follow' is no TOML"),
    ],
)
def test_a_parameter_that_cannot_be_read_is_told_with_its_line_and_passed_over(value: str, told: str) -> None:
    record = read_record(f'[Rules "arrastro"]\n[Set "{value}"]\n[Players "2"]\n[Leader "0"]\n1. 0:3C')
    told = f"line 2: the {told}"
    assert [str(problem)[: len(told)] for problem in record.problems] == [told]
    assert record.rules == load_profile("arrastro", 2)


def test_a_fact_that_finds_no_place_is_told_with_its_line() -> None:
    text = '[Rules "arrastro"]\n[Players "2"]\n[Dealer "4"]\n1. 1:3C 0:1C >0\n2. 5:7E\n0:4C >7'
    record = read_record(text)
    assert record.problems == ()
    told = [
        "line 3: there is no seat for dealer 4 at a table of 2",
        "line 5: there is no seat 5 at a table of 2",
        "line 6: there is no seat 7 at a table of 2",
    ]
    assert [str(problem) for problem in record.all_problems(record.state())] == told
    again = record_from_json(record_to_json(record))
    items = [str(problem) for problem in again.all_problems(again.state())]
    assert items == [f"item {n}: {line.split(': ')[1]}" for n, line in zip((1, 5, 7), told, strict=True)]
    assert record.state().hands[0].dealer is None
    assert record.state().hands[0].tricks[0].winner == 0


@pytest.mark.parametrize("text", ['{bad json "', '{"format": "other"}', '{"format": "brisca-record", "version": 99}'])
def test_an_unreadable_record_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ParseError, match=r"\w"):
        read_record(text)


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(EngineError):
        read_record('[Rules "arrastro"]\n[Players "3"]\n1. 0:3C')


@given(st.text(alphabet='[]{}";:!?@~>^+*#=()., \n0123456789OCEBRules"Hand', max_size=120))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    try:
        record = read_record(text)
    except EngineError:
        return
    record.state()
    assert parse_text(render_text(record)).facts == record.facts


@given(st.recursive(st.none() | st.integers() | st.text("abrisca", max_size=4), lambda inner: st.lists(inner) | inner))
@settings(max_examples=100, deadline=None)
def test_any_json_is_read_or_refused_with_a_sentence(value: object) -> None:
    for data in (value, {"format": "brisca-record", "events": value}, {"entries": [value], "rules": value}):
        try:
            record_from_json(data).state()
        except EngineError:
            continue
