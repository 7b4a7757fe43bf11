"""Who breaks the rules of order at a table of two, and that nobody is accused of what was not clearly seen."""

import pytest
from small_scene import NORTH, SOUTH, STOCK, TRUMP, Scene

from engine.cards import Card
from engine.events import TrumpExchanged
from engine.ledger import Amend
from engine.trick import decided_index
from server.referee.narrator import TAKEN_IS_PLAYED


def test_the_wrong_side_gathers() -> None:
    scene = Scene()
    scene.open()
    scene.trick("3C", "1C", "south")
    scene.trick("5C", "6C", "north", north_leads=True)
    assert [(violation.code, violation.seat) for violation in scene.hand.violations] == [("wrong_gather", 0)]


def test_nobody_gathers_wrongly_where_the_arms_of_both_come_in_over_one_edge() -> None:
    """The camera stands at a corner of the table: what the edge says of the seat, the cards themselves refute."""
    scene = Scene()
    scene.open()
    for south, north, side in (("3C", "1C", "south"), ("5C", "6C", "south")):
        scene.sweep(scene.south(south), scene.say("settled", NORTH, north, side="south"), side=side)
    assert [play.seat for play in scene.hand.all_plays] == [0, 1, 0, 1]
    assert scene.hand.violations == ()


def test_the_wrong_player_leads() -> None:
    scene = Scene()
    scene.open()
    scene.trick("1C", "3C", "south")
    scene.trick("6C", "5C", north_leads=True)
    scene.trick("5E", "6E")
    assert [seat for seat, _ in scene.plays()] == [0, 1, 1, 0, 0, 1]
    assert [violation.code for violation in scene.hand.violations] == ["wrong_leader"]


def test_where_every_story_is_unlikely_nobody_is_sure_who_laid_what() -> None:
    scene = Scene()
    scene.open()
    scene.trick("1C", "3C", "south")
    scene.trick("5C", "6C", north_leads=True)
    scene.trick("5E", "6E")  # and south leads again, although north's six took the trick
    assert all((play.confidence or 0) < 0.9 for play in scene.hand.tricks[1].plays)
    assert not any(violation.certainty == "certain" for violation in scene.hand.violations)


def test_a_second_card_that_goes_back_into_the_hand_is_two_cards() -> None:
    scene = Scene()
    scene.open()
    first = scene.south("3C")
    second = scene.say("settled", (SOUTH[0] + 90, SOUTH[1]), "7E", side="south")
    scene.say("vanished", (SOUTH[0] + 90, SOUTH[1]), "7E", track=second, after=2.0)
    answer = scene.north("5C")
    scene.sweep(first, answer, side="south")
    assert scene.plays() == [(0, "3C"), (1, "5C")]
    (told,) = scene.hand.violations
    assert (told.code, told.seat, told.trick, told.certainty) == ("two_cards", 0, 1, "possible")
    # The card is proven to be one of that hand when the same seat plays it.
    scene.trick("7E", "6E")
    (told,) = scene.hand.violations
    assert (told.code, told.certainty, told.evidence) == ("two_cards", "certain", ("7E",))


@pytest.mark.parametrize("how", ["brief", "elsewhere", "unread", "known", "alone"])
def test_what_is_not_clearly_a_second_card_accuses_nobody(how: str) -> None:
    scene = Scene()
    scene.open()
    scene.trick("1C", "7E", "south")
    first = 0 if how == "alone" else scene.south("3C")
    labels: dict[str, float] | str = {"unread": {"6E": 0.5, "5E": 0.4}, "known": "7E"}.get(how, "6E")
    place, side = ((640, 360), None) if how == "elsewhere" else ((SOUTH[0] + 90, SOUTH[1]), "south")
    second = scene.say("settled", place, labels, side=side)
    scene.say("vanished", place, labels, track=second, after=0.3 if how == "brief" else 2.0)
    first = first or scene.south("3C", after=6.0)
    scene.sweep(first, scene.north("5C"), side="south")
    assert scene.hand.violations == ()


@pytest.mark.parametrize(("seconds", "certainty"), [(1.0, "certain"), (6.0, "possible")])
def test_a_call_far_from_any_card_of_the_caller_may_belong_to_one_that_escaped(seconds: float, certainty: str) -> None:
    scene = Scene()
    scene.open()
    scene.referee.press({"type": "arrastre_called", "seat": 0, "t": scene.t})
    scene.south("5C", after=seconds)
    scene.north("6C")
    (told,) = scene.hand.violations
    assert (told.code, told.seat, told.certainty) == ("invalid_call", 0, certainty)


def test_who_plays_the_card_taken_had_exchanged_it() -> None:
    for side, certainty in (("south", "certain"), (None, "possible")):
        scene = Scene()
        scene.say("settled", STOCK, face="back")
        trump = scene.say("settled", TRUMP, {"12O": 0.999})
        scene.trick("3C", "1C", "north")
        scene.say("vanished", TRUMP, track=trump)
        scene.say("settled", TRUMP, {"7O": 0.99}, visible=0.6, side=side)
        assert next(fact for fact in scene.facts if isinstance(fact, TrumpExchanged)).seat == 1, "who may, until then"
        scene.trick("12O", "5C", north_leads=True)
        scene.trick("11O", "10O")  # what the king could have been mistaken for has been seen now
        assert next(fact for fact in scene.facts if isinstance(fact, TrumpExchanged)).seat == 0
        assert scene.plays()[2:4] == [(1, "5C"), (0, "12O")]
        told = [(fault.code, fault.seat, fault.certainty) for fault in scene.hand.violations]
        assert told == [("illegal_exchange", 0, certainty)]
        reasons = [entry.body.reason for entry in scene.entries if isinstance(entry.body, Amend)]
        assert TAKEN_IS_PLAYED in reasons


@pytest.mark.parametrize("late", [True, False])
def test_an_exchange_after_the_last_draw_is_no_card_played_there(late: bool) -> None:
    """The stock lies there still: it is an exchange, late. It has gone: the winner leads, close to where it lay."""
    scene = Scene()
    trump = scene.open("6E")
    held = {"6E", "2E", "1B", "6C", "7B", "5C"}
    cards = [str(card) for card in scene.referee.rules.cards if str(card) not in held]
    leader = 0
    for one, other in zip(cards[::2], cards[1::2], strict=True):
        winner = (leader + (decided_index([Card.parse(one), Card.parse(other)], "E", ()) or 0)) % 2
        south, north = (one, other) if leader == 0 else (other, one)
        scene.trick(south, north, "south" if winner == 0 else "north", north_leads=leader == 1)
        leader = winner
    side = "south" if leader == 0 else "north"
    scene.say("vanished", TRUMP, track=trump)
    if not late:
        scene.say("vanished", STOCK, track=1, face="back")
    two = scene.say("settled", TRUMP, {"2E": 0.97}, visible=0.9, side=side)
    faults = [(fault.code, fault.reason, fault.certainty) for fault in scene.hand.violations]
    exchanges = [(one.seat, str(one.given), str(one.taken), one.after_trick) for one in scene.hand.exchanges]
    if late:
        assert exchanges == [(leader, "2E", "6E", 17)]
        assert faults == [("illegal_exchange", "last_draw_round", "certain")]
        scene.say("vanished", STOCK, track=1, face="back")
        scene.say("vanished", TRUMP, track=two)
        assert len(scene.plays()) == 34
    else:
        assert (exchanges, faults) == ([], [])
        assert scene.plays()[34:] == [(leader, "2E")]


def test_the_face_up_card_taken_early_shows_when_it_is_played() -> None:
    scene = Scene()
    scene.say("settled", STOCK, face="back")
    trump = scene.say("settled", TRUMP, {"12O": 0.999}, after=3.0)
    scene.trick("3C", "1C", "north")
    scene.say("vanished", TRUMP, track=trump, side="south")
    scene.trick("5C", "6C", north_leads=True)
    assert not scene.hand.violations, "it may be hidden"
    scene.trick("12O", "2C", north_leads=True)
    scene.trick("11O", "10O")
    scene.trick("12C", "12E")  # nothing is left now that the king could be instead
    told = [(fault.code, fault.seat, fault.trick, fault.certainty) for fault in scene.hand.violations]
    assert told == [("trump_taken_early", 0, 2, "possible")]
    assert str(scene.hand.tricks[0].plays[0].card) == "3C"
    assert scene.plays()[5] == (0, "12O")
