import time

import numpy as np
import pytest

from vision.facts import Detection
from vision.labels import INDEX, LABELS
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


def test_a_label_that_is_an_upright_box_is_met_by_the_hull_of_a_turned_card():
    turned = np.array([[60, 10], [110, 60], [50, 120], [0, 70]], np.float32)
    box = np.array([[0, 10], [110, 10], [110, 120], [0, 120]], np.float32)
    for boxed, found in ((True, 1.0), (False, 0.0)):
        evaluation = Evaluation()
        faults = evaluation.add("a", [MarkedCard("face", "1O", box, boxed=boxed)], [reading("1O", turned)])
        assert evaluation.report()["located_recall"] == found
        assert [fault.kind for fault in faults] == ([] if boxed else ["missed"])


def test_figures_are_told_for_cards_seen_well_and_for_those_seen_badly():
    evaluation = Evaluation()
    truth = [
        MarkedCard("face", "1O", quad(0, 0, 60), 0.5),  # clear
        MarkedCard("face", "2O", quad(200, 0, 59), 1.0),  # hard: small
        MarkedCard("face", "3O", quad(400, 0, 100), 0.3),  # hard: covered
        MarkedCard("face", "4O", quad(600, 0, 39), 1.0),  # in neither
        MarkedCard("face", "5O", quad(800, 0, 100)),  # how much is seen is not known
    ]
    found = [reading("1O", quad(0, 0, 60)), reading("7O", quad(200, 0, 59))]
    evaluation.add("a", truth, found)
    clear, hard = evaluation.report()["groups"].values()
    assert (clear["seen"], clear["found"], clear["right"]) == (1, 1, 1)
    assert (hard["seen"], hard["found"], hard["named"], hard["right"]) == (2, 1, 1, 0)
    assert (hard["found_share"], hard["right_share"]) == (0.5, 0.0)


def test_each_card_has_a_line_with_seen_found_and_named_right():
    evaluation = Evaluation()
    truth = [MarkedCard("face", "1O", quad(0, 0)), MarkedCard("face", "1O", quad(200, 0))]
    evaluation.add("a", [*truth, MarkedCard("back", None, quad(400, 0))], [reading("1O", quad(0, 0))])
    rows = evaluation.report()["by_card"]
    assert (rows["1O"]["seen"], rows["1O"]["found"], rows["1O"]["right"]) == (2, 1, 1)
    assert (rows["back"]["seen"], rows["back"]["found"]) == (1, 0)
    assert rows["back"]["right_share"] is None


def test_every_error_is_told_with_its_place():
    evaluation = Evaluation()
    truth = [MarkedCard("face", "1O", quad(0, 0)), MarkedCard("face", "2O", quad(200, 0))]
    faults = evaluation.add("a", truth, [reading("3O", quad(0, 0)), reading("4O", quad(600, 0))])
    assert [(fault.kind, fault.truth, fault.read) for fault in faults] == [
        ("wrong_name", "1O", "3O"),
        ("missed", "2O", None),
        ("false_card", None, "4O"),
    ]
    assert faults[2].quad[0, 0] == 600


def test_false_cards_are_counted_per_picture_without_cards():
    evaluation = Evaluation()
    evaluation.add("a", [], [reading("1O", quad(0, 0))])
    evaluation.add("b", [], [])
    evaluation.add("c", [MarkedCard("face", "2O", quad(0, 0))], [reading("2O", quad(0, 0))])
    report = evaluation.report()
    assert report["empty_pictures"] == 2
    assert report["false_cards_per_empty_picture"] == 0.5


def test_five_hundred_crowded_pictures_are_matched_in_seconds():
    rng = np.random.default_rng(1)
    pictures = []
    for _ in range(500):
        at = rng.uniform(0, 1200, (16, 2))
        names = [LABELS[int(n)] for n in rng.integers(0, 48, 16)]
        truth = [MarkedCard("face", name, quad(x, y), 1.0) for name, (x, y) in zip(names, at, strict=True)]
        found = [reading(name, quad(x + 3, y)) for name, (x, y) in zip(names, at, strict=True)]
        pictures.append((truth, found + found[:6]))
    began = time.process_time()
    evaluation = Evaluation()
    for number, (truth, found) in enumerate(pictures):
        evaluation.add(str(number), truth, found)
    report = evaluation.report()
    spent = time.process_time() - began
    assert report["cards"] == 8000
    assert report["map50"] > 0.5
    assert spent < 20, "matching costs less than a tenth of what reading does"
