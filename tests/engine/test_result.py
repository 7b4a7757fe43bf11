"""Hands and matches added up; what everybody knows on the way there."""

from random import Random

import pytest

from engine.cards import Card
from engine.events import HandStarted, TrumpShown
from engine.fold import fold_events
from engine.random_game import random_game
from engine.result import decided, hand_result, match_score
from engine.rules import Rules, load_profile
from engine.state import HandResult
from engine.views import public_view


def results(rules: Rules, *hands: tuple[int, ...]) -> list[HandResult]:
    return [hand_result(rules, points) for points in hands]


def test_ties_that_no_source_covers_are_left_to_the_table() -> None:
    rules = load_profile("tres_39")
    assert hand_result(rules, (50, 50, 20)).status == "tied_first"
    assert hand_result(rules, (40, 40, 40)).status == "void"
    assert hand_result(load_profile("contrario"), (70, 50)).winner == 1


def test_stakes_and_ties_of_a_match() -> None:
    abril = load_profile("abril", 2)
    score = match_score(abril, results(abril, (70, 50), (60, 60), (80, 40)))
    assert (score.wins, score.ties, score.stakes, score.winner, score.after_hand) == ((2, 0), 1, (2, 0), 0, 3)
    drawn = match_score(abril, results(abril, (70, 50), (60, 60), (40, 80)))
    assert (drawn.status, drawn.winner) == ("tied_match", None)
    unfinished = match_score(abril, [HandResult("unfinished", None, (10, 0))])
    assert (unfinished.totals, unfinished.status) == ((0, 0), "running")


def test_sum_of_hands_and_single() -> None:
    rules = load_profile("arrastro", 2).changed(match={"type": "fixed_hands_sum", "n": 2})
    score = match_score(rules, results(rules, (70, 50), (30, 90)))
    assert (score.totals, score.winner, score.status) == ((100, 140), 1, "won")
    single = rules.changed(match={"type": "single"})
    assert match_score(single, results(single, (70, 50))).winner == 0
    assert match_score(single, results(single, (60, 60))).status == "tied_match"
    assert match_score(single, []).status == "running"


def test_the_deal_passes_on_and_a_void_hand_asks() -> None:
    rules = load_profile("fournier")
    assert match_score(rules, results(rules, (70, 50)), last_dealer=3).next_dealer == 0
    void = match_score(rules, results(rules, (60, 60)), last_dealer=3)
    assert (void.next_dealer, void.next_dealer_open) == (None, True)
    same = rules.changed(void_hand_dealer="same")
    assert match_score(same, results(same, (60, 60)), last_dealer=3).next_dealer == 3


def test_the_title_of_the_alcaide() -> None:
    lot, right = load_profile("alcaide"), load_profile("alcalde_pr")
    lost = hand_result(lot, (30, 50, 40), alcaide=0)
    assert (lost.winner, lost.alcaide_keeps) == (None, False)
    assert match_score(lot, [lost], last_alcaide=0).alcaide is None
    assert match_score(right, [hand_result(right, (30, 50, 40), alcaide=0)], last_alcaide=0).alcaide == 1
    assert match_score(right, [hand_result(right, (60, 40, 20), alcaide=0)], last_alcaide=0).alcaide == 0


def test_a_lost_title_stays_open_until_somebody_says_who_drew_it() -> None:
    rules = load_profile("alcaide")
    lost = next(
        facts
        for seed in range(200)
        if (facts := random_game(rules, Random(seed), dealer=0).events())
        and (end := fold_events(rules, facts).hand) is not None
        and end.result is not None
        and end.result.alcaide_keeps is False
    )
    again = random_game(rules, Random(1), dealer=1).events()
    assert isinstance(again[0], HandStarted)
    first = fold_events(rules, [HandStarted(0, 1), *lost[1:]])
    assert (first.hands[0].alcaide, first.match.alcaide) == (None, None), "nobody has it before somebody says so"
    assert first.hands[0].result is not None
    assert first.hands[0].result.status == "title_open"
    silent = fold_events(rules, [*lost, HandStarted(1, 2), *again[1:]])
    assert (silent.hands[0].alcaide, silent.hands[1].alcaide) == (0, None)
    assert silent.hands[1].result is not None
    assert (silent.hands[1].result.status, silent.hands[1].result.alcaide_keeps) == ("title_open", None)
    assert silent.violations == ()  # any two of them may be partners
    assert silent.match.alcaide is None
    told = fold_events(rules, [*lost, HandStarted(1, 2, 1), *again[1:]])
    assert told.hands[1].alcaide == 1
    assert told.hands[1].result is not None
    assert told.hands[1].result.status == "won"


@pytest.mark.parametrize(
    ("name", "points", "left", "side"),
    [
        ("briscola", (61, 20), 39, 0),
        ("briscola", (60, 20), 40, None),
        ("oculta", (61, 20), 39, 0),
        ("arrastro", (61, 59), 0, 0),
        ("contrario", (20, 70), 30, 0),
        ("contrario", (20, 50), 50, None),
    ],
)
def test_decided(name: str, points: tuple[int, ...], left: int, side: int | None) -> None:
    assert decided(load_profile(name, 2), points, left) == side


def test_decided_agrees_with_the_end_of_random_games() -> None:
    for seed in range(60):
        rules = load_profile("briscola" if seed % 2 else "contrario", 2)
        facts = random_game(rules, Random(seed)).events()
        end = fold_events(rules, facts).hand
        assert end is not None
        assert end.result is not None
        sure = [
            view.decided
            for count in range(10, len(facts), 6)
            if (hand := fold_events(rules, facts[:count]).hand) is not None
            and (view := public_view(hand)).decided is not None
        ]
        assert set(sure) <= {end.result.winner}


def test_the_last_unseen_cards_must_be_in_the_only_open_hand() -> None:
    rules = load_profile("arrastro", 2)
    facts = random_game(rules, Random(9)).events()
    state = fold_events(rules, facts[:-5]).hand
    assert state is not None
    view = public_view(state)
    assert view.face_down_stock == 0
    assert sum(len(hand.cards) + hand.unknown for hand in view.hands) == sum(state.hand_sizes)
    start = fold_events(rules, [HandStarted(0), TrumpShown(Card.parse("4O"))]).hand
    assert start is not None
    first = public_view(start)
    assert (first.face_down_stock, first.points_to_come, first.trumps_unseen) == (33, 120, 9)
    assert first.unseen_by_suit["O"][0] == Card.parse("1O")


def test_missing_points_that_cannot_change_the_winner() -> None:
    rules = load_profile("arrastro", 2)
    short = hand_result(rules, (66, 52))
    assert (short.status, short.missing_points) == ("points_missing", 2)
