"""Scripted incidents: a bent game that still holds together, filmed and told as it happened."""

from random import Random
from typing import Any

import pytest

from engine.cards import Card
from engine.events import CardPlayed, TrickSwept
from engine.fold import fold_events
from engine.random_game import Drew, Gathered, Played, Swapped
from engine.rules import load_profile
from server.simulator.camera_faults import CAMERA_FAULTS, CameraFaultError
from server.simulator.incidents import INCIDENTS, IncidentError, Staged, stage_game
from server.simulator.simulate import Simulation, presses, script_game
from vision.synth.film_actions import Bump, ExposureJump, Gather, LostFrames, Play, TakeBack

FILMABLE = [kind for kind in INCIDENTS if kind != "missed_follow"]
LATEST = {"late_exchange": "late_exchange@7", "wrong_seat_exchange": "wrong_seat_exchange@3"}


def staged(*wishes: str, players: int = 4, seed: int = 1, profile: str = "arrastro") -> Staged:
    return stage_game(load_profile(profile, players), wishes, Random(seed))


@pytest.mark.parametrize("kind", FILMABLE)
def test_an_incident_is_a_violation_that_the_engine_finds_and_the_only_certain_one(kind: str) -> None:
    game = staged(LATEST.get(kind, kind))
    (incident,) = game.incidents
    hand = fold_events(game.game.rules, game.facts()).hand
    assert hand is not None
    certain = {(v.code, v.seat, v.trick) for v in hand.violations if v.certainty == "certain"}
    expected = {(incident.kind, incident.seat, incident.trick)}
    assert certain == (set() if kind == "duplicate_card" else expected)
    assert incident.name == kind


@pytest.mark.parametrize("kind", [kind for kind in FILMABLE if kind != "duplicate_card"])
def test_every_card_is_played_once_and_every_trick_goes_to_its_winner(kind: str) -> None:
    game = staged(LATEST.get(kind, kind), seed=3).game
    cards = [move.card for move in game.moves if isinstance(move, Played)]
    assert sorted(cards) == sorted(game.rules.cards)
    hands = [set(hand) for hand in game.hands]
    for move in game.moves:
        if isinstance(move, Drew):
            hands[move.seat].add(move.card)
        elif isinstance(move, Swapped):
            hands[move.seat].remove(move.given)
            hands[move.seat].add(move.taken)
        elif isinstance(move, Played):
            hands[move.seat].remove(move.card)
    hand = fold_events(game.rules, game.events()).hand
    assert hand is not None
    winners = [move.seat for move in game.moves if isinstance(move, Gathered)]
    assert [trick.winner for trick in hand.tricks] == winners


def test_the_same_seed_gives_the_same_incident_and_another_trick_another_place() -> None:
    assert staged("wrong_leader@5") == staged("wrong_leader@5")
    assert staged("wrong_leader@5").incidents[0].trick == 5
    assert staged("wrong_leader@6").incidents[0].trick == 6


def test_suit_is_not_followed_where_it_must_be() -> None:
    game = staged("missed_follow", players=2, profile="oculta_asistencia")
    (incident,) = game.incidents
    assert incident.trick > game.game.rules.draw_rounds
    made = script_game(
        Simulation(players=2, seed=4, rules="oculta_asistencia", incidents=("missed_follow",), level="easy")
    )
    assert [(row["kind"], row["certainty"]) for row in made.truth()["violations"]] == [("missed_follow", "certain")]
    assert presses(made)[0] == {"t": 1.0, "type": "set_trump", "suit": made.game.trump.suit}


def test_two_incidents_in_one_game() -> None:
    game = staged("wrong_leader@3", "wrong_gather@6")
    assert [(incident.kind, incident.trick) for incident in game.incidents] == [
        ("wrong_leader", 3),
        ("wrong_gather", 6),
    ]


def test_without_wishes_it_is_the_random_game_of_the_seed() -> None:
    plain = script_game(Simulation(seed=339, seats="south=Ana,north=Luis"))
    assert plain.staged == Staged(plain.game)


@pytest.mark.parametrize(
    ("wish", "players", "part"),
    [
        ("theft@3", 4, "choose one of"),
        ("wrong_leader@99", 4, "up to 10"),
        ("wrong_leader@x", 4, "up to 10"),
        ("out_of_turn@3", 2, "take wrong_leader instead"),
        ("wrong_leader@1", 4, "name another trick"),
        ("missed_follow", 4, "name another trick or other rules"),
    ],
)
def test_an_incident_that_cannot_be_is_refused_with_a_way_out(wish: str, players: int, part: str) -> None:
    with pytest.raises(IncidentError, match=part):
        staged(wish, players=players)


def script(players: int = 2, **what: Any) -> Any:
    return script_game(Simulation(players=players, seed=4, **what))


def test_who_gathers_and_who_wins_are_two_things() -> None:
    made = script(incidents=("wrong_gather@2",))
    truth = made.truth()
    gathers = [action.side for action in made.script.actions if isinstance(action, Gather)]
    sides = {seat.side: seat.seat for seat in made.seats}
    winner = truth["tricks"][1]["winner"]
    assert sides[gathers[1]] != winner
    assert truth["tricks"][2]["plays"][0]["seat"] == winner
    assert [fact.seat for fact in made.script.facts if isinstance(fact, TrickSwept)][1] == sides[gathers[1]]
    assert [(row["kind"], row["seat"]) for row in truth["violations"]] == [("wrong_gather", sides[gathers[1]])]


def test_a_card_too_much_is_laid_beside_and_taken_back_before_anybody_goes_on() -> None:
    made = script(incidents=("two_cards@3",))
    (back,) = [action for action in made.script.actions if isinstance(action, TakeBack)]
    twice = [action for action in made.script.actions if isinstance(action, Play) and action.label == back.label]
    assert twice[0].aside > 0
    assert twice[0].rest < back.lift
    assert twice[1].t > back.t
    truth = made.truth()
    assert sum(isinstance(fact, CardPlayed) for fact in made.script.facts) == 40
    (row,) = truth["violations"]
    assert (row["kind"], row["trick"], row["evidence"]) == ("two_cards", 3, [back.label])
    assert sum(truth["totals"]["by_seat"].values()) == 120


def test_faults_of_the_camera_begin_while_a_card_comes_to_rest() -> None:
    made = script(camera=("lost_frames@2", "exposure_up@3", "exposure_down@4", "bumped@5", "turned@6", "mirrored"))
    assert made.mirrored
    truth = made.truth()
    kinds = (LostFrames, ExposureJump, ExposureJump, Bump, Bump)
    faults = [action for action in made.script.actions if isinstance(action, LostFrames | ExposureJump | Bump)]
    assert [type(action) for action in faults] == list(kinds)
    for trick, action in enumerate(faults, start=2):
        assert truth["tricks"][trick - 1]["plays"][0]["t"] == pytest.approx(action.t + 0.2, abs=2e-3)
    assert set(CAMERA_FAULTS) == {name.partition("@")[0] for name in made.what.camera}


@pytest.mark.parametrize("wish", ["fog@2", "mirrored@2", "bumped", "bumped@21", "bumped@0"])
def test_a_fault_that_cannot_be_is_refused(wish: str) -> None:
    with pytest.raises(CameraFaultError, match=r"write|choose"):
        script(camera=(wish,))


def test_a_duplicate_takes_the_place_of_a_card_that_is_never_seen() -> None:
    game = staged("duplicate_card", players=2).game
    cards = [move.card for move in game.moves if isinstance(move, Played)]
    missing = set(game.rules.cards) - set(cards)
    assert len(missing) == 1
    assert all(isinstance(card, Card) and card.points == 0 for card in missing)
