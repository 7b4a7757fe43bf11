"""Small scenes at a table of two: what the referee makes of them."""

from collections.abc import Iterable

import pytest
from small_scene import NORTH, SOUTH, TRUMP, Scene

from engine.events import CardPlayed, GameEvent, HandEnded, HandStarted, TrickSwept, TrumpExchanged, TrumpShown
from engine.ledger import Amend
from engine.rules import load_profile
from server.errors import ServerError
from server.referee.referee import Referee
from server.seats import default_seats


def kinds(facts: Iterable[GameEvent]) -> list[str]:
    return [type(fact).__name__ for fact in facts]


def test_a_trick_is_told_as_it_falls() -> None:
    scene = Scene()
    scene.open()
    assert kinds(scene.facts) == ["HandStarted", "TrumpShown"]
    scene.trick("3C", "1C", "north")
    assert kinds(scene.facts) == ["HandStarted", "TrumpShown", "CardPlayed", "CardPlayed", "TrickSwept"]
    assert scene.plays() == [(0, "3C"), (1, "1C")]
    assert scene.hand.tricks[0].winner == 1
    assert scene.hand.points_by_seat == (0, 21)
    assert isinstance(scene.facts[-1], TrickSwept)
    assert scene.facts[-1].seat == 1


def test_the_leader_is_whoever_plays_first_by_where_the_card_lands() -> None:
    scene = Scene()
    scene.open()
    scene.north("5B")
    assert scene.plays() == [(1, "5B")]
    assert scene.hand.turn == 0


def test_the_film_may_begin_with_the_trump_lying_there_and_no_stock_seen() -> None:
    scene = Scene()
    scene.open(stock=False)
    scene.trick("3C", "1C")
    scene.trick("5C", "6C", north_leads=True)
    assert scene.hand.trump_suit == "O"
    assert [card for _, card in scene.plays()] == ["3C", "1C", "6C", "5C"]


def test_the_first_card_may_fall_before_the_trump_is_recognised() -> None:
    scene = Scene()
    scene.south("3C")
    scene.open()
    scene.north("1C")
    assert scene.plays() == [(0, "3C"), (1, "1C")]
    assert str(scene.hand.trump_card) == "4O"


def test_a_trump_read_wrongly_at_first_is_amended() -> None:
    scene = Scene()
    track = scene.open({"5O": 0.97, "4O": 0.02})
    scene.trick("3C", "1C")
    scene.say("read", TRUMP, {"4O": 0.99}, track=track)
    scene.trick("5O", "6C", north_leads=True)
    assert str(scene.hand.trump_card) == "4O"
    assert any(isinstance(entry.body, Amend) and isinstance(entry.body.event, TrumpShown) for entry in scene.entries)


def test_a_doubtful_card_is_not_guessed_and_settled_by_a_clearer_view() -> None:
    scene = Scene()
    scene.open()
    track = scene.south({"3C": 0.55, "2C": 0.44})
    assert scene.plays() == [(0, None)]
    assert dict(scene.hand.trick[0].candidates).keys() >= {"3C", "2C"}
    assert [question.kind for question in scene.referee.status.questions] == ["card"]
    scene.say("read", SOUTH, {"2C": 0.99}, track=track)
    assert scene.plays() == [(0, "2C")]
    assert scene.referee.status.questions == ()
    amendment = scene.entries[-1]
    assert isinstance(amendment.body, Amend)
    assert amendment.source == "vision"


def test_a_later_certain_card_settles_an_earlier_doubt_by_rule() -> None:
    scene = Scene()
    scene.open()
    scene.south({"3C": 0.6, "2C": 0.39})
    scene.north("12B")
    scene.sweep(2 + 1, 4)
    scene.say("settled", SOUTH, {"3C": 0.995}, side="south")
    assert scene.plays()[0] == (0, "2C")
    assert scene.entries[-1].source == "rule" or any(
        entry.source == "rule" and isinstance(entry.body, Amend) for entry in scene.entries
    )


def test_a_card_lost_for_a_moment_is_the_same_play() -> None:
    scene = Scene()
    scene.open()
    track = scene.south("3C")
    scene.say("vanished", SOUTH, track=track, after=0.4)
    scene.say("settled", (SOUTH[0] + 6, SOUTH[1] - 4), "3C", after=0.6)
    scene.north("1C")
    assert scene.plays() == [(0, "3C"), (1, "1C")]


def test_a_card_lost_and_read_otherwise_in_the_same_place_is_one_play_in_doubt() -> None:
    scene = Scene()
    scene.open()
    track = scene.south({"3C": 0.9, "2C": 0.05})
    scene.say("vanished", SOUTH, track=track, after=0.4)
    scene.say("settled", SOUTH, {"2C": 0.7, "3C": 0.2}, after=0.6)
    scene.north("1C")
    assert len(scene.plays()) == 2


def test_a_card_taken_for_an_earlier_one_while_it_was_blurred_is_told_once_it_is_read() -> None:
    scene = Scene()
    scene.open()
    track = scene.south("3C")  # north's answer escapes the camera, so that the trick seems open
    scene.say("vanished", SOUTH, track=track, after=2.0)
    blurred = scene.south({"3C": 0.45, "5C": 0.45}, after=4.0)
    assert [card for _, card in scene.plays() if card] == ["3C"]
    scene.say("read", SOUTH, "5C", track=blurred)
    scene.north("6C")
    assert [card for _, card in scene.plays() if card] == ["3C", "5C", "6C"]
    assert scene.plays()[-2:] == [(0, "5C"), (1, "6C")]


def test_a_card_found_again_and_read_better_stays_one_play() -> None:
    scene = Scene()
    scene.open()
    track = scene.south("3C")
    scene.say("vanished", SOUTH, track=track, after=2.0)
    blurred = scene.south({"3C": 0.5, "5C": 0.4}, after=4.0)
    scene.say("read", SOUTH, "3C", track=blurred)
    scene.north("6C")
    assert scene.plays() == [(0, "3C"), (1, "6C")]


def test_a_pushed_card_is_no_new_play() -> None:
    scene = Scene()
    scene.open()
    track = scene.south("3C")
    scene.say("moved", (560.0, 300.0), "3C", track=track)
    scene.north("1C")
    assert scene.plays() == [(0, "3C"), (1, "1C")]


def test_a_gathering_that_nobody_saw_is_implied_by_the_next_card() -> None:
    scene = Scene()
    scene.open()
    scene.south("3C")
    scene.north("1C")
    scene.say("settled", (NORTH[0] + 40, NORTH[1] + 30), "5B", side="north")
    assert kinds(scene.facts)[-2:] == ["TrickSwept", "CardPlayed"]
    assert scene.hand.trick_number == 2


def test_cards_gathered_one_by_one_are_a_trick() -> None:
    scene = Scene()
    scene.open()
    tracks = scene.south("3C"), scene.north("1C")
    for track in tracks:
        scene.say("vanished", SOUTH, track=track, after=0.3)
    scene.north("5B", after=3.0)
    assert scene.plays()[2] == (1, "5B")
    assert len(scene.hand.tricks) == 1


def test_a_gathering_told_before_its_card_came_to_rest() -> None:
    scene = Scene()
    scene.open()
    south = scene.south("3C")
    scene.say("swept", SOUTH, track=south, tracks=(south, south + 1), side="north", t=9.0)
    scene.say("settled", NORTH, "1C", track=south + 1, side="north", t=5.0)
    assert scene.plays() == [(0, "3C"), (1, "1C")]
    assert len(scene.hand.tricks) == 1


def test_clutter_that_reads_as_no_card_is_nothing() -> None:
    scene = Scene()
    scene.say("settled", (1100.0, 400.0), {"4O": 0.05, "4B": 0.04, "2C": 0.04})
    scene.open()
    scene.trick("3C", "1C")
    assert scene.plays() == [(0, "3C"), (1, "1C")]
    assert str(scene.hand.trump_card) == "4O"


def test_the_seven_changes_the_trump_card() -> None:
    scene = Scene()
    trump = scene.open("12O")
    scene.trick("3C", "1C", "north")
    scene.say("vanished", TRUMP, track=trump)
    scene.say("settled", (TRUMP[0] + 5, TRUMP[1]), {"7O": 0.9, "6O": 0.08}, visible=0.6)
    scene.trick("5C", "12O", north_leads=True)
    exchange = next(fact for fact in scene.facts if isinstance(fact, TrumpExchanged))
    assert (exchange.seat, str(exchange.given), str(exchange.taken)) == (1, "7O", "12O")
    assert str(scene.hand.trump_card) == "7O"
    assert scene.plays()[2:] == [(1, "12O"), (0, "5C")]
    assert not scene.hand.violations


def test_an_exchange_that_tracking_slept_through() -> None:
    scene = Scene()
    trump = scene.open("12O")
    scene.trick("3C", "1C", "north")
    scene.say("read", TRUMP, {"7O": 0.97}, track=trump, visible=0.6)
    scene.north("5C")
    exchange = next(fact for fact in scene.facts if isinstance(fact, TrumpExchanged))
    assert (str(exchange.given), str(exchange.taken)) == ("7O", "12O")


def test_a_hand_over_the_trump_changes_nothing() -> None:
    scene = Scene()
    trump = scene.open("12O")
    scene.trick("3C", "1C")
    scene.say("vanished", TRUMP, track=trump)
    scene.say("settled", TRUMP, {"12O": 0.9, "11O": 0.08}, visible=0.6)
    scene.north("5C")
    assert not any(isinstance(fact, TrumpExchanged) for fact in scene.facts)
    assert str(scene.hand.trump_card) == "12O"


def test_a_film_that_ends_early_leaves_the_hand_open() -> None:
    scene = Scene()
    scene.open()
    scene.trick("3C", "1C", "north")
    scene.north("5B")
    scene.referee.finish(scene.t + 1)
    assert not any(isinstance(fact, HandEnded) for fact in scene.facts)
    assert scene.hand.result is None
    assert scene.plays() == [(0, "3C"), (1, "1C"), (1, "5B")]


def test_too_many_cards_lose_the_thread_and_offer_ways_back() -> None:
    scene = Scene()
    scene.open()
    scene.trick("3C", "1C", "north")
    for number, card in enumerate(["5B", "6B", "7B", "4E", "5E", "6E"]):
        scene.say("settled", (400.0 + 110 * number, 300.0 + 40 * number), card, side="south", after=0.2)
    status = scene.referee.status
    assert status.lost
    question = status.questions[0]
    assert question.kind == "lost"
    assert {option["type"] for option in question.options} >= {"found", "end_hand"}
    scene.referee.press({"type": "found"})
    assert not scene.referee.status.lost


def test_the_dealer_decides_who_should_lead() -> None:
    scene = Scene(dealer=0)
    scene.open()
    scene.say("settled", (650.0, 360.0), "5B")  # right in the middle: the place says nothing
    assert scene.plays() == [(1, "5B")]
    assert scene.facts[0] == HandStarted(dealer=0, t=2.0)


def test_the_same_facts_give_the_same_ledger() -> None:
    ledgers = []
    for _ in range(2):
        scene = Scene()
        scene.open({"5O": 0.6, "4O": 0.39})
        scene.trick("3C", "1C", "north")
        scene.trick("5C", "12O", north_leads=True)
        scene.referee.finish(60.0)
        ledgers.append(scene.referee.ledger.entries)
    assert ledgers[0] == ledgers[1]


def test_every_fact_is_written_once() -> None:
    scene = Scene()
    scene.open()
    scene.trick("3C", "1C", "north")
    assert tuple(scene.entries) == scene.referee.ledger.entries
    assert sum(isinstance(fact, CardPlayed) for fact in scene.facts) == 2


def test_seats_must_fit_the_rules() -> None:
    with pytest.raises(ServerError, match="need 2 seats"):
        Referee(load_profile("arrastro", 2), default_seats(3))
