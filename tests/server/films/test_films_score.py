"""Scoring of a reading against the truth of a film: what counts as right, as wrong, and as silently wrong."""

import copy
from typing import Any

import pytest

from server.films.alignment import align, flat_plays
from server.films.score import score_hand
from server.simulator.simulate import Simulation, script_game


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    return script_game(Simulation(players=2, seed=7)).truth()


def reading(truth: dict[str, Any]) -> dict[str, Any]:
    return copy.deepcopy(truth)


def test_the_truth_itself_is_whole(truth: dict[str, Any]) -> None:
    score = score_hand(truth, reading(truth))
    assert score.whole
    assert (score.cards, score.cards_all, score.tricks, score.winners) == (40, 40, 20, 20)
    assert not [*score.errors, *score.silent, *score.missed, *score.false]


def test_a_wrong_card_shown_without_doubt_is_silent_and_one_in_doubt_is_not(truth: dict[str, Any]) -> None:
    read = reading(truth)
    play = read["tricks"][3]["plays"][1]
    right, play["card"] = play["card"], read["trump"]
    play["confidence"] = 0.95
    score = score_hand(truth, read)
    assert (score.cards, score.tricks, score.winners, score.whole) == (39, 19, 20, False)
    assert [str(error) for error in score.errors] == [f"{right}→{truth['trump']} 0.95 (trick 4) SILENT"]
    assert len(score.silent) == 1
    play["confidence"] = 0.7
    score = score_hand(truth, read)
    assert not score.silent
    assert not score.whole
    play["card"] = None
    assert score_hand(truth, read).errors[0].kind == "unread"


def test_a_missed_play_does_not_make_all_later_ones_wrong(truth: dict[str, Any]) -> None:
    read = reading(truth)
    flat = [play for trick in read["tricks"] for play in trick["plays"]]
    del flat[5]
    read["tricks"] = [trick | {"plays": flat[2 * index : 2 * index + 2]} for index, trick in enumerate(read["tricks"])]
    read["complete"] = False
    score = score_hand(truth, read)
    assert score.cards == 39
    assert [error.kind for error in score.errors] == ["missed"]
    assert not any(text.startswith("card") for text in score.silent)
    assert score_hand(truth, read | {"complete": True}).errors[0].silent


def test_an_invented_play_and_a_wrong_seat_are_named(truth: dict[str, Any]) -> None:
    read = reading(truth)
    read["tricks"][0]["plays"].append(
        {"seat": 0, "card": None, "t": read["tricks"][0]["t_full"] + 0.2, "confidence": 0.4, "candidates": []}
    )
    read["tricks"][1]["plays"][0]["seat"] ^= 1
    kinds = {error.kind: error.silent for error in score_hand(truth, read).errors}
    assert kinds == {"invented": False, "seat": True}


def test_plays_far_apart_in_time_are_never_paired(truth: dict[str, Any]) -> None:
    plays = flat_plays(truth)[:1]
    late = [type(play)(play.trick, play.order, play.seat, play.card, play.t + 30, 1.0) for play in plays if play.t]
    assert [(pair.true is None, pair.read is None) for pair in align(plays, late)] == [(False, True), (True, False)]


def test_winner_totals_trump_and_exchanges_count(truth: dict[str, Any]) -> None:
    read = reading(truth)
    read["tricks"][0]["winner"] ^= 1
    read["totals"]["by_seat"] = dict(reversed(list(read["totals"]["by_seat"].items())))
    read["totals"]["by_seat"] = {"0": 0, "1": 120}
    read["trump"] = "4O" if truth["trump"] != "4O" else "4C"
    read["exchanges"] = [{"seat": 0, "given": "7O", "taken": "1O", "after_trick": 1, "t": 9.0}, *read["exchanges"]]
    score = score_hand(truth, read)
    assert (score.winners, score.totals, score.cards) == (19, False, 40)
    assert score.trump_read == (truth["trump"], read["trump"])
    assert score.exchanges == score.exchanges_all - 1
    assert [text.split(" ")[0].rstrip(":") for text in score.silent] == ["winner", "totals", "trump"]
    # In a hand with a doubtful card the totals were not stated.
    read["tricks"][5]["plays"][0]["confidence"] = 0.5
    assert [text.split(" ")[0].rstrip(":") for text in score_hand(truth, read).silent] == ["winner", "trump"]


def test_violations_are_found_missed_false_and_overstated(truth: dict[str, Any]) -> None:
    def row(kind: str, trick: int, certainty: str) -> dict[str, Any]:
        return {"kind": kind, "seat": 1, "trick": trick, "certainty": certainty, "evidence": []}

    true = truth | {"violations": [row("wrong_leader", 3, "certain"), row("missed_arrastre", 5, "possible")]}
    read = truth | {
        "violations": [
            row("missed_arrastre", 5, "certain"), row("out_of_turn", 6, "certain"), row("hand_short", 9, "cleared"),
        ]
    }  # fmt: skip
    score = score_hand(true, read)
    assert [len(rows) for rows in (score.found, score.missed, score.false, score.overstated)] == [1, 1, 1, 1]


def test_two_hands_are_not_one_whole_hand(truth: dict[str, Any]) -> None:
    score = score_hand(truth, reading(truth) | {"hands": [truth, truth]})
    assert not score.whole
    assert score.hands == 2
