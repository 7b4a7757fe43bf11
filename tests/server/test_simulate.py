"""``brisca simulate``: a film on disk, and a truth that agrees with itself and with the engine."""

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.errors import EngineError
from engine.fold import fold, fold_events
from engine.ledger import Ledger
from server.cli import simulate as command
from server.errors import UsageError
from server.sessions.result import result_json
from server.simulator.simulate import SimulateError, Simulation, game_truth, prepare, prepare_demo
from vision.labels import LABELS
from vision.synth.decks import PictureDeck, round_corners, save_deck


def _face(index: int) -> np.ndarray:
    hue = np.full((1, 1, 3), (index * 180 // 48, 220, 230), np.uint8)
    colour = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0]
    return round_corners(np.full((95, 62, 3), colour, np.uint8), 4.0)


def plain_deck() -> PictureDeck:
    faces = {label: (lambda index=index: _face(index)) for index, label in enumerate(LABELS)}
    return PictureDeck("plain", faces, lambda: _face(0))


@pytest.fixture(scope="module")
def deck_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_deck(plain_deck(), tmp_path_factory.mktemp("deck"))


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command.register(parser.add_subparsers())
    args = parser.parse_args(["simulate", *words])
    return int(args.run(args))


def truth_of(**what: Any) -> tuple[dict[str, Any], Any]:
    ready = prepare(Simulation(**({"size": (320, 180)} | what)), deck=plain_deck())
    return ready.truth(), ready


@pytest.mark.parametrize(
    ("players", "profile", "tricks"), [(2, "arrastro", 20), (3, "tres_39", 13), (4, "arrastro", 10), (6, "seis_48", 8)]
)
def test_the_truth_of_a_whole_game(players: int, profile: str, tricks: int) -> None:
    truth, ready = truth_of(players=players, rules=profile, seed=4)
    assert truth["complete"]
    assert len(truth["tricks"]) == tricks
    assert sum(truth["totals"]["by_seat"].values()) == 120
    assert sum(trick["points"] for trick in truth["tricks"]) == 120
    cards = [play["card"] for trick in truth["tricks"] for play in trick["plays"]]
    assert len(set(cards)) == len(cards) == players * tricks
    if players in (4, 6):
        team = range(0, players, 2)
        assert truth["totals"]["by_team"]["0"] == sum(truth["totals"]["by_seat"][str(seat)] for seat in team)
    else:
        assert truth["totals"]["by_team"] is None
    state = fold_events(ready.rules, ready.script.facts).hand
    assert state is not None
    assert [trick["winner"] for trick in truth["tricks"]] == [trick.winner for trick in state.tricks]
    assert [trick["points"] for trick in truth["tricks"]] == [trick.points for trick in state.tricks]
    assert [trick["t_full"] for trick in truth["tricks"]] == [trick.t_full for trick in state.tricks]
    assert [row["t"] for row in truth["exchanges"]] == [swap.t for swap in state.exchanges]
    for before, after in zip(truth["tricks"], truth["tricks"][1:], strict=False):
        assert before["t_full"] < before["t_swept"] < after["plays"][0]["t"]
        assert after["plays"][0]["seat"] == before["winner"]


@pytest.mark.parametrize(("players", "seed", "faults"), [(2, 339, False), (4, 8, True), (4, 12, True)])
def test_a_perfect_watcher_would_write_the_same_result(players: int, seed: int, faults: bool) -> None:
    truth, ready = truth_of(players=players, seed=seed, faults=faults)
    ledger = Ledger(ready.rules)
    for fact in ready.script.facts:
        ledger.append("vision", fact)
    state = fold(ready.rules, ledger.entries)
    result = result_json(ready.rules, ready.seats, state, ledger.entries)
    for trick in (*truth["tricks"], *result["tricks"]):
        for play in trick["plays"]:
            play.pop("confidence")
    assert truth == result


def test_exchanges_are_told_once_with_their_trick() -> None:
    for seed in range(60):
        truth, _ = truth_of(seed=seed)
        if truth["exchanges"]:
            row = truth["exchanges"][0]
            trick = truth["tricks"][row["after_trick"] - 1]
            assert trick["t_swept"] < row["t"] < truth["tricks"][row["after_trick"]]["plays"][0]["t"]
            assert trick["winner"] == row["seat"]
            assert row["taken"] == truth["trump"]
            return
    pytest.fail("no game had an exchange")


def test_broken_rules_are_told_as_faults_and_as_far_as_they_can_be_known() -> None:
    for seed in range(60):
        truth, ready = truth_of(seed=seed, players=4, faults=True)
        if any(row["certainty"] == "certain" for row in truth["violations"]):
            proven = next(row for row in truth["violations"] if row["certainty"] == "certain")
            assert proven["kind"] == "missed_arrastre"
            assert proven["evidence"]
            assert (proven["trick"], proven["seat"]) in {(fault.trick, fault.seat) for fault in ready.game.faults}
            return
    pytest.fail("no fault could be proven")


def test_the_command_writes_film_truth_boxes_and_inputs(
    deck_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new" / "game"
    words = ("--out", str(out), "--deck", str(deck_folder), "--size", "640x360", "--fps", "8", "--tricks", "2")
    assert run(*words, "--seed", "7", "--inputs") == 0
    assert str(out / "game.mp4") in capsys.readouterr().out
    truth = json.loads((out / "truth.json").read_text())
    assert not truth["complete"]
    assert truth["winner"] is None
    assert len(truth["tricks"]) == 2
    film = truth["film"]
    assert (film["size"], film["fps"], film["level"], film["deck"]) == ([640, 360], 8.0, "easy", "plain")
    assert np.array(film["views"][0]["homography"]).shape == (3, 3)
    capture = cv2.VideoCapture(str(out / "game.mp4"))
    count = 0
    while capture.grab():
        count += 1
    capture.release()
    assert count == film["frames"]
    assert count / 8 > truth["tricks"][-1]["t_swept"]
    lines = [json.loads(line) for line in (out / "truth_boxes.jsonl").read_text().splitlines()]
    for trick in truth["tricks"]:
        for play in trick["plays"]:
            seen = [line for line in lines if play["t"] <= line["t"] < trick["t_swept"] - 0.6]
            at_rest = {card["card"] for line in seen for card in line["cards"] if not card["moving"]}
            assert play["card"] in at_rest
            early = {c["card"] for line in lines if line["t"] < play["t"] for c in line["cards"] if not c["moving"]}
            assert play["card"] not in early
    assert (out / "inputs.jsonl").is_file()


def test_what_cannot_be_simulated(deck_folder: Path, tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "out"), "--deck", str(deck_folder))
    with pytest.raises(UsageError, match="1280x720"):
        run(*out, "--size", "big")
    with pytest.raises(UsageError, match="--tricks"):
        run(*out, "--tricks", "0")
    with pytest.raises(EngineError, match="nothing_like_it"):
        run(*out, "--rules", "nothing_like_it")
    with pytest.raises(SimulateError, match="no deck"):
        run("--out", str(tmp_path / "out"), "--deck", str(tmp_path))
    (tmp_path / "file").write_text("")
    with pytest.raises(SimulateError, match="cannot be written"):
        run(*out[2:], "--out", str(tmp_path / "file"), "--tricks", "1", "--size", "320x180")
    (deck_folder / "oros_04.png").rename(deck_folder / "hidden.png")
    try:
        with pytest.raises(SimulateError, match="no picture of 4O"):
            run(*out)
    finally:
        (deck_folder / "hidden.png").rename(deck_folder / "oros_04.png")


def test_the_demo_is_a_whole_game_with_an_exchange_and_a_call() -> None:
    ready = prepare_demo()
    truth = game_truth(ready.rules, ready.seats, ready.staged, ready.script)
    assert truth["complete"]
    assert [seat["name"] for seat in truth["seats"]] == ["Ana", "Luis"]
    assert len(truth["exchanges"]) == len(ready.script.calls) == 1
    assert {row["certainty"] for row in truth["violations"]} <= {"cleared", "unknowable"}
    assert truth["winner"] in (0, 1)
    assert 60 < ready.film.frame_count / 15 < 110
