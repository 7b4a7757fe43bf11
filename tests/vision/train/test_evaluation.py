import numpy as np
import pytest

from vision.facts import Detection
from vision.labels import INDEX
from vision.train.evaluation import Evaluation, calibration_error
from vision.train.truth import MarkedCard


def quad(x, y, height=100.0):
    width = height * 61.5 / 95
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)


def reading(label, where, sure=0.95, confidence=0.9):
    probs = np.full(48, (1 - sure) / 47, np.float32)
    probs[INDEX[label]] = sure
    return Detection(where, "face", confidence, probs)


def test_perfect_readings_score_one():
    evaluation = Evaluation()
    truth = [MarkedCard("face", "1O", quad(0, 0), 1.0), MarkedCard("back", None, quad(200, 0), 1.0)]
    evaluation.add("a", truth, [reading("1O", quad(0, 0)), Detection(quad(200, 0), "back", 0.9)])
    report = evaluation.report()
    assert report["located_recall"] == 1.0
    assert report["map50"] == pytest.approx(1.0)
    assert report["map50_95"] == pytest.approx(1.0)
    assert report["identity_top1"] == 1.0
    assert report["wrong_above_0.9"] == []


def test_a_wrong_name_is_found_but_not_right_and_is_told():
    evaluation = Evaluation()
    evaluation.add("a", [MarkedCard("face", "4O", quad(0, 0), 0.6)], [reading("5O", quad(0, 0), sure=0.97)])
    report = evaluation.report()
    assert report["located_recall"] == 1.0
    assert report["identity_top1"] == 0.0
    assert report["map50"] == 0.0
    assert report["confusions"] == [{"truth": "4O", "read": "5O", "times": 1}]
    assert report["wrong_above_0.9"][0]["read"] == "5O"
    assert report["identity_by_visible_share"] == {"0.5-0.75": {"share": 0.0, "of": 1}}


def test_a_second_box_on_the_same_card_costs_precision():
    evaluation = Evaluation()
    found = [reading("1O", quad(0, 0)), reading("1O", quad(3, 3), confidence=0.8)]
    evaluation.add("a", [MarkedCard("face", "1O", quad(0, 0))], found)
    report = evaluation.report()
    assert report["precision"] == 0.5
    assert report["recall"] == 1.0


def test_loose_boxes_cost_map50_95_only():
    evaluation = Evaluation()
    evaluation.add("a", [MarkedCard("face", "1O", quad(0, 0))], [reading("1O", quad(12, 0))])
    report = evaluation.report()
    assert report["map50"] == pytest.approx(1.0)
    assert 0.1 < report["map50_95"] < 0.6


def test_claims_in_empty_pictures_are_false_cards():
    evaluation = Evaluation()
    evaluation.add("a", [], [reading("1O", quad(0, 0)), reading("2O", quad(200, 0), sure=0.3)])
    assert evaluation.report()["false_cards_in_empty_pictures"] == 1


def test_calibration_error_of_honest_and_of_boastful_bets():
    honest = [(0.75, True)] * 75 + [(0.75, False)] * 25
    boastful = [(0.95, True)] * 50 + [(0.95, False)] * 50
    assert calibration_error(honest) == pytest.approx(0.0, abs=1e-9)
    assert calibration_error(boastful) == pytest.approx(0.45)
    assert calibration_error([]) is None
