"""A game kept by hand, without any camera: told card by card, and put right afterwards."""

from random import Random

import pytest
from told import by_hand, entered, hand, played, refused

from engine.events import CardPlayed, TrumpExchanged, TrumpShown
from engine.fold import fold_events
from engine.random_game import random_game
from engine.rules import load_profile
from server.referee.referee import Referee
from server.scoreboard.changes import changes
from server.scoreboard.dealers import first_leader
from server.scoreboard.snapshot import hand_json
from server.seats import default_seats


@pytest.mark.parametrize(("profile", "players"), [("arrastro", 2), ("arrastro", 4), ("tres_39", 3)])
def test_a_whole_game_is_kept_by_hand_without_any_camera(profile: str, players: int) -> None:
    rules = load_profile(profile, players)
    game = random_game(rules, Random(5), exchange_chance=1.0)
    referee = Referee(rules, default_seats(players))
    n, trick, t = 0, 0, 0.0
    for event in game.events():
        t += 1.0
        match event:
            case TrumpShown(card=card):
                referee.press({"type": "set_trump", "card": str(card), "t": t})
            case CardPlayed(seat=seat, card=card):
                trick = n // rules.plays_per_trick + 1
                referee.press({"type": "add_play", "trick": trick, "seat": seat, "card": str(card), "t": t})
                n += 1
            case TrumpExchanged(seat=seat, given=given):
                after = n // rules.plays_per_trick
                referee.press({"type": "exchange", "seat": seat, "given": str(given), "after_trick": after, "t": t})
    referee.press({"type": "sweep", "t": t + 1})
    state, truth = hand(referee), fold_events(rules, game.events()).hand
    assert truth is not None
    assert state.result is not None
    assert state.points == truth.points
    assert sum(state.points) == 120
    assert (state.result.status, state.result.winner) == (truth.result.status, truth.result.winner)  # type: ignore[union-attr]
    assert [one.winner for one in state.tricks] == [one.winner for one in truth.tricks]
    swaps = [(one.seat, one.given, one.taken, one.after_trick) for one in truth.exchanges]
    assert [(one.seat, one.given, one.taken, one.after_trick) for one in state.exchanges] == swaps
    assert not [v for v in state.violations if v.certainty == "certain"]


@pytest.mark.parametrize(("players", "tricks"), [(2, 4), (2, 12), (2, 20), (4, 10)])
def test_a_trick_given_to_somebody_else_leaves_the_cards_of_the_others(players: int, tricks: int) -> None:
    referee = by_hand("arrastro", players, tricks)
    before = [(play.seat, play.card) for play in hand(referee).all_plays]
    winners = [one.winner for one in hand(referee).tricks]
    assert len(before) == players * tricks
    for trick in range(1, tricks + 1):
        given = (winners[trick - 1] + 1) % players  # type: ignore[operator]
        referee.press({"type": "set_winner", "trick": trick, "seat": given, "t": 99.0})
        assert [(play.seat, play.card) for play in hand(referee).all_plays] == before, trick
        got = [one.winner for one in hand(referee).tricks]
        assert got == [given if n == trick else winner for n, winner in enumerate(winners, 1)], trick
        referee.press({"type": "undo", "t": 99.5})
        assert [one.winner for one in hand(referee).tricks] == winners


@pytest.mark.parametrize(("players", "tricks"), [(2, 20), (4, 10)])
def test_who_leads_the_next_hand_follows_from_who_led_the_one_before(players: int, tricks: int) -> None:
    referee = by_hand("arrastro", players, tricks)
    led = hand(referee).tricks[0].plays[0].seat
    assert first_leader(referee.state, 1) is None
    referee.press({"type": "next_hand", "t": 200.0})
    assert first_leader(referee.state, 2) == (led + 1) % players
    referee.press({"type": "set_trump", "card": "4O", "t": 201.0})
    first = first_leader(referee.state, 2)
    assert first == (led + 1) % players
    assert hand_json(hand(referee), first=first)["next_leader"] == (led + 1) % players


def test_a_hand_ended_before_its_last_card_was_told_accuses_nobody_with_certainty() -> None:
    referee = by_hand("arrastro", 2, 19)
    leader = hand(referee).tricks[-1].winner
    played_cards = {play.card for play in hand(referee).all_plays}
    left = sorted(hand(referee).rules.card_set - played_cards)
    referee.press({"type": "add_play", "trick": 20, "seat": leader, "card": str(left[0]), "t": 150.0})
    referee.press({"type": "next_hand", "t": 200.0})
    (short,) = (one for one in referee.state.hands[0].violations if one.code == "hand_short")
    assert short.certainty == "possible"


@pytest.mark.parametrize("trick", [1, 10, 20])
def test_who_led_a_trick_can_be_said_of_a_hand_that_is_whole(trick: int) -> None:
    referee = by_hand("arrastro", 2, 20)
    led = hand(referee).tricks[trick - 1].plays[0].seat
    referee.press({"type": "set_leader", "trick": trick, "seat": 1 - led, "t": 99.0})
    assert sum(hand(referee).points) <= 120
    referee.press({"type": "undo", "t": 99.5})
    assert hand(referee).tricks[trick - 1].plays[0].seat == led


FIRST = ((0, "4O"), (1, "1O"), (1, "5E"), (0, "6E"))


def ids(referee: Referee) -> list[str]:
    return [play.event_id or "" for play in hand(referee).all_plays]


@pytest.mark.parametrize(
    ("place", "seat", "then"),
    [
        (0, 1, [(1, "4O"), (0, "1O"), (1, "5E"), (0, "6E")]),  # nobody knows who led: the order of entering stands
        (2, 0, [(0, "4O"), (1, "1O"), (1, "6E"), (0, "5E")]),  # who took the trick before leads all the same
        (3, 1, [(0, "4O"), (1, "1O"), (1, "6E"), (0, "5E")]),
    ],
)
def test_a_card_given_to_the_other_seat_lets_both_change_places(
    place: int, seat: int, then: list[tuple[int, str]]
) -> None:
    referee = entered(2, "3C", *FIRST)
    referee.press({"type": "correct_seat", "play": ids(referee)[place], "seat": seat, "t": 20.0})
    assert played(referee) == then
    newest, before, *_ = changes(referee.state, referee.ledger.entries)
    assert (newest["change"], newest["by"], newest["trick"]) == ("swapped", "person", place // 2 + 1)
    assert {newest["before"], newest["after"]} == {"4O", "1O"} if place < 2 else {"5E", "6E"}
    assert before["change"] == "told", "one line for both"
    referee.press({"type": "undo", "t": 21.0})
    assert played(referee) == list(FIRST)
    undone, swapped, *_ = changes(referee.state, referee.ledger.entries)
    assert (undone["change"], undone["why"], swapped["why"]) == ("swapped", "undo", "by_hand"), "and one for its undo"
    referee.press({"type": "redo", "t": 22.0})
    assert played(referee) == then


def test_a_wrong_leader_that_was_entered_is_put_right_by_giving_his_card_to_the_other() -> None:
    referee = entered(2, "3C", *FIRST[:2], (0, "5E"), (1, "6E"))
    assert [violation.code for violation in hand(referee).violations] == ["wrong_leader"]
    referee.press({"type": "correct_seat", "play": ids(referee)[2], "seat": 1, "t": 20.0})
    assert played(referee) == list(FIRST)
    assert not hand(referee).violations


@pytest.mark.parametrize(("place", "seat"), [(1, 3), (0, 1), (3, 2)])
def test_with_four_players_the_seats_keep_their_turn(place: int, seat: int) -> None:
    cards = ["4O", "1O", "5O", "6O"]
    referee = entered(4, "3C", *enumerate(cards))
    referee.press({"type": "correct_seat", "play": ids(referee)[place], "seat": seat, "t": 20.0})
    cards[place], cards[seat] = cards[seat], cards[place]
    assert played(referee) == list(enumerate(cards))
    assert not hand(referee).violations


@pytest.mark.parametrize(("one", "other"), [(0, 3), (1, 2), (2, 3)])
def test_two_cards_entered_in_each_others_place_change_places(one: int, other: int) -> None:
    referee = entered(2, "3C", *FIRST)
    plays = ids(referee)
    card = FIRST[other][1]
    assert refused(referee, type="correct_card", play=plays[one], card=card, t=19.0) == "card_taken"
    referee.press({"type": "swap_cards", "play": plays[one], "other_play": plays[other], "t": 20.0})
    cards = [card for _, card in FIRST]
    cards[one], cards[other] = cards[other], cards[one]
    assert [card for _, card in played(referee)] == cards
    newest, before, *_ = changes(referee.state, referee.ledger.entries)
    assert (newest["change"], newest["why"]) == ("swapped", "by_hand")
    assert {newest["before"], newest["after"]} == {FIRST[one][1], card}
    assert before["change"] == "told"
    referee.press({"type": "undo", "t": 21.0})
    assert played(referee) == list(FIRST)


def test_a_card_changes_places_with_no_card_that_is_not_there() -> None:
    referee = entered(2, "3C", *FIRST)
    plays = ids(referee)
    assert refused(referee, type="swap_cards", play=plays[0], other_play=plays[0]) == "same_play"
    assert refused(referee, type="swap_cards", play=plays[0], other_play="e999") == "no_such_play"


def test_the_face_up_card_is_nobodys_to_play_until_it_was_picked_up() -> None:
    referee = entered(2, "3C", *FIRST)
    plays = ids(referee)
    three = {"type": "add_play", "trick": 3, "seat": 0, "card": "3C"}
    assert refused(referee, **three, t=20.0) == "lies_face_up"
    assert refused(referee, type="correct_card", play=plays[2], card="3C") == "lies_face_up"
    assert refused(referee, type="add_play", before=plays[1], seat=1, card="3C") == "lies_face_up"
    referee.press({"type": "exchange", "seat": 0, "given": "7C", "after_trick": 2, "t": 21.0})
    assert refused(referee, type="add_play", trick=3, seat=0, card="7C") == "lies_face_up"
    assert refused(referee, type="correct_card", play=plays[0], card="7C") == "laid_later"
    referee.press({**three, "t": 22.0})
    assert played(referee)[-1] == (0, "3C")
    assert refused(referee, type="remove_exchange", after_trick=2) == "card_taken", "who played it had it from there"
    assert refused(referee, type="swap_cards", play=plays[0], other_play=ids(referee)[-1]) == "lies_face_up"


def test_what_was_played_is_neither_the_trump_card_nor_given_for_it() -> None:
    referee = entered(2, "3C", *FIRST, (0, "7C"), (1, "2C"))
    assert refused(referee, type="exchange", seat=0, given="7C", after_trick=2) == "card_taken"
    assert refused(referee, type="exchange", seat=0, given="3C", after_trick=2) == "lies_face_up"
    assert refused(referee, type="set_trump", card="4O") == "card_taken"
    assert [play.card for play in hand(referee).all_plays if play.card is None] == []


FOUR_TRICKS = (*FIRST, (0, "5B"), (1, "6B"), (1, "7B"))


@pytest.mark.parametrize("place", range(6))
def test_a_card_taken_out_leaves_a_gap_in_its_trick_and_the_others_where_they_are(place: int) -> None:
    referee = entered(2, "3C", *FOUR_TRICKS)
    seat, card = FOUR_TRICKS[place]
    referee.press({"type": "remove_play", "play": ids(referee)[place], "t": 20.0})
    assert played(referee) == [*FOUR_TRICKS[:place], (seat, None), *FOUR_TRICKS[place + 1 :]]
    (question,) = referee.status.questions
    assert not question.options, "it may have been any card"
    referee.press({"type": "add_play", "trick": place // 2 + 1, "seat": seat, "card": card, "t": 21.0})
    assert played(referee) == list(FOUR_TRICKS)
    assert not hand(referee).violations
    referee.press({"type": "undo", "t": 22.0})
    referee.press({"type": "undo", "t": 23.0})
    assert played(referee) == list(FOUR_TRICKS)


def test_a_card_that_was_left_out_moves_those_behind_it_on() -> None:
    plays = (*FIRST[:3], (0, "5B"), (1, "6B"))  # the 6 of swords was left out
    referee = entered(2, "3C", *plays)
    referee.press({"type": "add_play", "before": ids(referee)[3], "seat": 0, "card": "6E", "t": 20.0})
    assert [card for _, card in played(referee)] == ["4O", "1O", "5E", "6E", "5B", "6B"]
    assert played(referee)[:4] == list(FIRST)
    referee.press({"type": "undo", "t": 21.0})
    assert [card for _, card in played(referee)] == [card for _, card in plays]


def test_both_cards_of_a_trick_may_be_taken_out() -> None:
    referee = entered(2, "3C", *FOUR_TRICKS)
    for place in (2, 3):
        referee.press({"type": "remove_play", "play": ids(referee)[place], "t": 20.0 + place})
    assert [card for _, card in played(referee)] == ["4O", "1O", None, None, "5B", "6B", "7B"]
