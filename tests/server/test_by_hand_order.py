"""Kept by hand, what does not go together is asked about: no word that a person gave is doubted or taken back."""

from dataclasses import replace

import pytest
from told import entered, hand, played, refused

from server.referee.corrections import counts_for
from server.referee.referee import Referee
from server.scoreboard.changes import changes

LED_WRONGLY = (
    (0, "2E"), (1, "1E"),
    (1, "5O"), (0, "3O"),
    (1, "2C"), (0, "6C"),
    (1, "5E"), (0, "12E"),
    (1, "4C"), (0, "7C"),
    (1, "6E"), (0, "10E"),
)  # fmt: skip
"""Leaders against the reckoned winner in trick after trick, under the trump 4B."""


def test_the_trump_and_the_cards_that_a_person_entered_stay_whoever_leads() -> None:
    for count in range(1, len(LED_WRONGLY) + 1):
        referee = entered(2, "4B", *LED_WRONGLY[:count])
        state = hand(referee)
        assert (str(state.trump_card), state.trump_suit) == ("4B", "B"), count
        assert played(referee) == list(LED_WRONGLY[:count])
        assert all(play.confidence is None or play.confidence >= 0.9 for play in state.all_plays), count
        assert [trick.winner for trick in state.tricks if trick.winner is None] == []
        assert {change["change"] for change in changes(referee.state, referee.ledger.entries)} == {"told"}


def test_the_same_holds_for_a_suit_without_a_card() -> None:
    referee = entered(2, None, *LED_WRONGLY)
    referee.press({"type": "set_trump", "suit": "B", "t": 50.0})
    assert hand(referee).trump_suit == "B"
    referee.press({"type": "set_trump", "card": "4B", "t": 51.0})
    assert (str(hand(referee).trump_card), hand(referee).trump_suit) == ("4B", "B")


FORGOTTEN = (
    (1, "4O"), (0, "7C"),
    (1, "7E"), (0, "5B"),
    (0, "6E"),  # and 1:6B, which nobody entered
    (1, "1E"), (0, "5O"),
    (1, "7O"), (0, "10E"),
    (1, "7B"), (0, "1B"),
)  # fmt: skip


def asked(referee: Referee, kind: str = "order") -> list[dict[str, object]]:
    (question,) = referee.status.questions
    assert question.kind == kind
    return [dict(option) for option in question.options]


def test_the_first_wrong_leader_is_asked_about_with_the_places_where_a_card_may_be_missing() -> None:
    assert not entered(2, "4B", *FORGOTTEN[:6]).status.questions
    referee = entered(2, "4B", *FORGOTTEN[:7])
    plays = [play.event_id for play in hand(referee).all_plays]
    wrong = hand(referee).violations[0]
    assert asked(referee) == [
        {"type": "add_play", "before": plays[6], "seat": 1},
        {"type": "add_play", "before": plays[5], "seat": 1},
        {"type": "correct_seat", "play": plays[6], "seat": 1},
        {"type": "confirm", "violation": wrong.key},
    ]
    assert not referee.status.lost
    referee.press({**asked(referee)[1], "card": "6B", "t": 20.0})
    assert played(referee) == [*FORGOTTEN[:5], (1, "6B"), *FORGOTTEN[5:7]]
    assert (hand(referee).violations, referee.status.questions) == ((), ())


def test_the_more_cards_were_entered_the_better_it_is_known_where_one_is_missing() -> None:
    referee = entered(2, "4B", *FORGOTTEN)
    plays = [play.event_id for play in hand(referee).all_plays]
    late, first, *others = asked(referee)
    assert late == {"type": "add_play", "before": plays[6], "seat": 1}, "that would do as well"
    assert first == {"type": "add_play", "before": plays[5], "seat": 1}
    assert [one["type"] for one in others] == ["confirm"], "to turn it round would leave others wrong"
    assert str(hand(referee).trump_card) == "4B"
    referee.press({**first, "card": "6B", "t": 20.0})
    assert not referee.status.questions
    for seat, card in ((0, "12O"), (1, "5E")):
        referee.press(
            {"type": "add_play", "trick": len(played(referee)) // 2 + 1, "seat": seat, "card": card, "t": 21.0}
        )
    assert not hand(referee).violations


def test_a_lost_thread_asks_for_what_was_entered_and_not_for_what_lies_there() -> None:
    referee = entered(4, "4B", (0, "4O"), (2, "5O"), (1, "6O"), (3, "7O"), (1, "4C"), (3, "5C"), (2, "6C"), (0, "7C"))
    assert referee.status.lost
    assert asked(referee, "lost")[-1]["type"] == "confirm"
    while referee.status.questions:
        referee.press({**referee.status.questions[0].options[-1], "t": 20.0})
    assert not referee.status.lost, "they say that it was so"


def test_whoever_really_led_out_of_turn_did_so_and_nothing_is_asked_again() -> None:
    referee = entered(2, "4B", *LED_WRONGLY)
    seen = []
    while referee.status.questions:
        (question,) = referee.status.questions
        seen.append(question.options[-1])
        referee.press({**question.options[-1], "t": 20.0})
    assert seen
    assert {option["type"] for option in seen} == {"confirm"}
    assert not referee.status.lost
    assert played(referee) == list(LED_WRONGLY)
    referee.press({"type": "undo", "t": 21.0})
    assert len(referee.status.questions) == 1


@pytest.mark.parametrize("forgotten", [1, 2])
def test_with_four_players_a_seat_that_was_passed_over_is_asked_about_at_once(forgotten: int) -> None:
    plays = [(0, "4O"), (1, "5O"), (2, "6O"), (3, "7O")]
    referee = entered(4, "4B", *(play for play in plays if play[0] != forgotten))
    after = hand(referee).all_plays[forgotten].event_id
    first = asked(referee)[0]
    assert first == {"type": "add_play", "before": after, "seat": forgotten}
    referee.press({**first, "card": plays[forgotten][1], "t": 9.0})
    assert played(referee) == plays
    assert not referee.status.questions


def test_what_is_noted_already_is_not_answered_as_taken() -> None:
    referee = entered(2, "4B", *LED_WRONGLY[:4])
    play = hand(referee).all_plays[0]
    again = (
        {"type": "set_trump", "card": "4B"},
        {"type": "correct_card", "play": play.event_id, "card": "2E"},
        {"type": "correct_seat", "play": play.event_id, "seat": 0},
        {"type": "set_winner", "trick": 1, "seat": 1},
        {"type": "set_winner", "trick": 2, "seat": 0},  # on the table still
    )
    for press in again:
        assert refused(referee, **press, t=20.0) == "nothing_changes", press
    referee.press({"type": "undo", "t": 21.0})
    assert len(played(referee)) == 3, "what changed nothing is no step to take back"


def test_a_trick_is_pinned_to_the_seat_that_has_it_only_where_that_is_in_doubt() -> None:
    referee = entered(2, "4B", *LED_WRONGLY[:6])
    assert [trick.winner for trick in hand(referee).tricks] == [1, 0]
    assert refused(referee, type="set_winner", trick=1, seat=1, t=20.0) == "nothing_changes"
    referee.press({"type": "set_winner", "trick": 2, "seat": 0, "t": 21.0})  # 1 led the third all the same
    assert refused(referee, type="set_winner", trick=2, seat=0, t=22.0) == "nothing_changes"
    referee.press({"type": "set_winner", "trick": 1, "seat": 0, "t": 23.0})
    assert refused(referee, type="set_winner", trick=1, seat=0, t=24.0) == "nothing_changes"
    referee.press({"type": "set_winner", "trick": 1, "seat": 1, "t": 25.0})


def test_a_card_that_was_not_read_surely_leaves_the_winner_open_to_a_word() -> None:
    state = hand(entered(2, "4B", *LED_WRONGLY[:4]))
    (first,) = state.tricks
    assert counts_for(state, 1, 1, on_table=False)
    for unsure in ({"card": None}, {"confidence": 0.5}):
        plays = (replace(first.plays[0], **unsure), *first.plays[1:])
        assert not counts_for(replace(state, tricks=(replace(first, plays=plays),)), 1, 1, on_table=False)
    assert not counts_for(replace(state, tricks=(replace(first, gathered_by=0),)), 1, 1, on_table=False)
    assert not counts_for(state, 2, 0, on_table=False), "a camera is told that it was gathered"
    assert counts_for(state, 2, 0, on_table=True)
