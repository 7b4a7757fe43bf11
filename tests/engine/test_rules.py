"""Profiles and house rules: what can be played, what is refused and with which cures."""

import pytest

from engine.cards import Card
from engine.deck import deck_cards, draw_for_dealer, missing_ranks, total_points
from engine.errors import AmbiguousError, EngineError, ParseError, RulesError
from engine.exchange import ExchangeQuestion, judge_exchange
from engine.profile import rules_from_mapping, rules_from_toml, rules_to_mapping
from engine.record import rules_from_json, rules_to_json
from engine.rules import Rules, list_profiles, load_profile, setup_problems

EIGHTEEN = {
    "arrastro", "fournier", "briscola", "briscola_cambio", "oculta", "oculta_siete", "oculta_asistencia",
    "oculta_literal", "abril", "contrario", "ciegas", "alcaide", "english", "tres_39", "tres_36", "seis_48",
    "seis_36", "alcalde_pr",
}  # fmt: skip


def test_all_profiles_are_there_and_playable() -> None:
    assert set(list_profiles()) == EIGHTEEN
    for name in EIGHTEEN:
        rules = load_profile(name)
        assert setup_problems(rules) == ()
        assert rules.title
        assert len(deck_cards(rules)) % rules.plays_per_trick == 0
        assert total_points(rules) == 120
        assert rules_from_mapping(rules_to_mapping(rules)) == rules


@pytest.mark.parametrize(
    ("name", "players", "tricks", "rounds"),
    [("arrastro", 2, 20, 17), ("arrastro", 4, 10, 7), ("tres_39", 3, 13, 10), ("tres_36", 3, 12, 9),
     ("seis_48", 6, 8, 5), ("seis_36", 6, 6, 3), ("alcalde_pr", 3, 10, 7)],
)  # fmt: skip
def test_tricks_and_draws(name: str, players: int, tricks: int, rounds: int) -> None:
    rules = load_profile(name, players)
    assert (rules.tricks, rules.draw_rounds) == (tricks, rounds)


def test_three_and_six_with_forty_cards_are_refused_with_cures() -> None:
    with pytest.raises(RulesError, match=r"1 left over.*tres_39.*tres_36"):
        load_profile("arrastro", 3)
    with pytest.raises(RulesError, match=r"4 left over.*seis_48.*seis_36"):
        load_profile("oculta", 6)
    cured = load_profile("arrastro", 3, removed=("2B",))
    assert (cured.players, len(cured.cards), cured.tricks) == (3, 39, 13)
    assert load_profile("abril", 3, removed=("4O",)).players == 3


def test_a_profile_for_other_numbers_is_refused() -> None:
    with pytest.raises(RulesError, match="for 6 players, not 4"):
        load_profile("seis_48", 4)
    with pytest.raises(RulesError, match="There is no profile 'tute'"):
        load_profile("tute")
    with pytest.raises(AmbiguousError, match="tres_36 or tres_39"):
        load_profile("tres")
    with pytest.raises(RulesError, match="2 to 6"):
        load_profile("arrastro", 7)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("players = [", "not valid TOML"),
        ("colour = 3", "no parameter 'colour'"),
        ('players = "two"', "number"),
        ('follow = "sometimes"', "choose one of never"),
        ("exchange = 1", "true or false"),
        ("hand_size = 2.5", "whole number"),
        ('removed = "2B"', "list"),
        ('removed = ["2Z"]', "not a card"),
        ('hand_win = "over"', "points to reach"),
        ('exchange = true\ntrump_rank_visible = false', "hide"),
        ('[match]\ntype = "points_limit"', "limit"),
        ('[match]\ntype = "best_of"', "number of hands"),
        ('[match]\ntype = "golf"', "match type"),
        ("[match]\nhands = 3", "no parameter 'hands'"),
        ("[alcaide]\nthreshold = 31", "threshold"),
        ('players = 4\nteams = [[0, 1], [2, 2]]', "evenly"),
        ("noncompliance_prior = 2.0", "between 0 and 1"),
        ('base = "nothing"', "no profile"),
        ("players = 3", "left over"),
        ("hand_size = 11", "no stock"),
        ("cards_per_turn = [0]", "at least one"),
        ('players = 4\nalcaide = {threshold = 31, next = "right"}', "against two others"),
    ],
)  # fmt: skip
def test_bad_rules_are_told_in_a_sentence(text: str, says: str) -> None:
    with pytest.raises(EngineError, match=says):
        rules_from_toml(text)


def test_house_rules_start_from_a_profile() -> None:
    rules = rules_from_toml('base = "arrastro"\nplayers = [2]\nexchange_min_draw_rounds = 1', name="pepe")
    assert (rules.name, rules.players, rules.arrastre, rules.exchange_min_draw_rounds) == ("pepe", 2, True, 1)
    alone = rules_from_toml('teams = "none"')
    assert (alone.teams, alone.sides) == (None, ((0,), (1,), (2,), (3,)))
    mixed = rules_from_toml("teams = [[0, 1], [2, 3]]")
    assert mixed.side_of(1) == 0


def test_a_table_that_names_the_deadline_of_the_exchange_has_settled_the_dispute() -> None:
    assert load_profile("fournier").exchange_deadline_disputed
    strict = rules_from_toml('base = "fournier"\nexchange_min_draw_rounds = 3')
    assert not strict.exchange_deadline_disputed
    late = ExchangeQuestion(Card.parse("1C"), Card.parse("7C"), strict.draw_rounds - 1)
    verdict = judge_exchange(strict, late)
    assert (verdict.reason, verdict.disputed) == ("last_draw_round", False)
    open_still = rules_from_toml('base = "fournier"\nexchange_min_draw_rounds = 3\nexchange_deadline_disputed = true')
    assert judge_exchange(open_still, late).disputed
    for rules in (strict, open_still):
        own = rules.replaced(name="fournier")
        assert rules_from_json(rules_to_json(own)) == own


def test_the_first_dealer() -> None:
    draws = {0: Card.parse("3E"), 1: Card.parse("7O"), 2: Card.parse("1B"), 3: Card.parse("2C")}
    outcome = draw_for_dealer(draws)
    assert (outcome.dealer, outcome.teams, outcome.right_of_dealer) == (2, ((2, 0), (1, 3)), 1)
    assert draw_for_dealer({0: Card.parse("1E"), 1: Card.parse("1O")}).redraw == (0, 1)
    tied = draw_for_dealer({**draws, 1: Card.parse("3O")})
    assert (tied.dealer, tied.redraw) == (None, (0, 1))
    assert draw_for_dealer({**draws, 1: Card.parse("2O")}).right_of_dealer is None


def test_cards_and_packs() -> None:
    assert [str(Card.parse(text)) for text in (" 12c", "1O")] == ["12C", "1O"]
    assert str(Card.parse_english("qh")) == "11C"
    assert missing_ranks(Rules(deck="48")) == ()
    for wrong in ("13C", "0O", "C", "", "3X"):
        with pytest.raises(ParseError):
            Card.parse(wrong)
    for wrong in ("8H", "10D", "Q", "QX"):
        with pytest.raises(ParseError):
            Card.parse_english(wrong)
    with pytest.raises(ParseError):
        Card(13, "O")
