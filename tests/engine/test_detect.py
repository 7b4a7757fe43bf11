"""Each rule that a camera can watch: what is told, how sure it is, and that nothing else is told."""

from fractions import Fraction

import pytest
from late_game import LATE

from engine.cards import Card
from engine.events import (
    ArrastreCalled,
    CardDrawn,
    CardPlayed,
    CardTakenBack,
    GameEvent,
    HandEnded,
    HandStarted,
    TrickSwept,
    TrumpExchanged,
    TrumpShown,
    TrumpTaken,
)
from engine.fold import fold_events
from engine.notation import parse_text
from engine.rules import Rules, load_profile
from engine.state import GameState

TWO = load_profile("arrastro", 2)
FOUR = load_profile("arrastro", 4)


def hand(rules: Rules, *events: GameEvent) -> GameState:
    state = fold_events(rules, [HandStarted(rules.players - 1), TrumpShown(Card.parse("4O")), *events]).hand
    assert state is not None
    return state


def text(rules: Rules, moves: str) -> GameState:
    record = parse_text(f'[Rules "{rules.name}"]\n[Players "{rules.players}"]\n[Hand "1"]\n[Leader "0"]\n{moves}')
    assert record.problems == ()
    state = fold_events(rules, record.facts).hand
    assert state is not None
    return state


def play(seat: int, card: str | None, confidence: float | None = None) -> CardPlayed:
    return CardPlayed(seat, None if card is None else Card.parse(card), confidence=confidence)


def told(state: GameState) -> list[tuple[str, int | None, int, str]]:
    return [(v.code, v.seat, v.trick, v.certainty) for v in state.violations]


def test_wrong_leader() -> None:
    assert told(hand(TWO, play(1, "3C"))) == [("wrong_leader", 1, 1, "certain")]
    later = hand(TWO, play(0, "3C"), play(1, "2C"), TrickSwept(0), play(1, "5B"), play(0, "6B"))
    assert told(later) == [("wrong_leader", 1, 2, "certain")]
    assert later.trick[0].seat == 1


def test_out_of_turn_among_four() -> None:
    state = hand(FOUR, play(0, "3C"), play(2, "2C"), play(1, "4C"), play(3, "5C"))
    assert told(state) == [("out_of_turn", 2, 1, "certain")]
    assert state.phase == "trick_full"


def test_two_cards_at_once() -> None:
    state = hand(FOUR, play(0, "3C"), play(1, "2C"), play(1, "4C"), play(2, "6C"), play(3, "5C"), TrickSwept(0))
    assert told(state) == [("two_cards", 1, 1, "certain")]
    assert state.tricks[0].winner == 0


def test_a_card_too_many_that_goes_back_into_the_hand() -> None:
    back = CardTakenBack(0, Card.parse("4C"))
    state = hand(TWO, play(0, "3C"), back, play(1, "2C"), TrickSwept(0), play(0, "4C"))
    assert told(state) == [("two_cards", 0, 1, "certain")]
    assert state.violations[0].evidence == ("4C",)
    assert [str(one.card) for one in state.all_plays] == ["3C", "2C", "4C"]
    # Taken back before another card lies there it was thought better of, and no card too many.
    assert told(hand(TWO, back, play(0, "3C"), play(1, "2C"))) == []
    doubtful = CardTakenBack(0, Card.parse("4C"), confidence=0.7)
    assert told(hand(TWO, play(0, "3C"), doubtful)) == [("two_cards", 0, 1, "possible")]
    assert told(hand(TWO, play(0, "3C", 0.6), back)) == [("two_cards", 0, 1, "possible")]
    assert text(TWO, "0:3C -0:4C~0.7 1:2C >0").violations[0].certainty == "possible"


def test_a_doubtful_reading_is_never_certain() -> None:
    assert told(hand(TWO, play(1, "3C", 0.6))) == [("wrong_leader", 1, 1, "possible")]
    # Who won rests on a doubtful card: then who must lead, gather or exchange is doubtful too.
    doubt = [play(0, "3C"), play(1, "2C", 0.6), TrickSwept(0)]
    assert told(hand(TWO, *doubt, play(1, "5B"))) == [("wrong_leader", 1, 2, "possible")]
    swap = TrumpExchanged(1, Card.parse("7O"), Card.parse("4O"))
    assert told(hand(TWO, *doubt, swap)) == [("illegal_exchange", 1, 1, "possible")]
    state = fold_events(
        TWO,
        [HandStarted(1), TrumpShown(Card.parse("4O"), confidence=0.5), play(0, "3C"), play(1, "2C"), TrickSwept(1)],
    ).hand
    assert state is not None
    assert told(state) == [("wrong_gather", 1, 1, "possible")]


def test_a_proof_by_a_doubtful_card_stays_possible() -> None:
    moves = LATE + "18. 1:1C! 0:4C >1 19. 1:7E 0:12C"
    assert told(text(TWO, moves + "~0.5")) == [("missed_arrastre", 0, 18, "possible")]
    assert text(TWO, moves + "~0.5").violations[0].reason == "doubtful_reading"
    assert told(text(TWO, moves.replace('[Trump "4C"]', '[Trump "4C~0.5"]')))[0][3] == "possible"


def test_wrong_side_gathers_and_a_partner_may() -> None:
    plays = [play(0, "5C"), play(1, "1C"), play(2, "6C"), play(3, "2C")]
    assert told(hand(FOUR, *plays, TrickSwept(3))) == []
    assert told(hand(FOUR, *plays, TrickSwept(2))) == [("wrong_gather", 2, 1, "certain")]
    doubtful = [play(0, "5C"), play(1, "1C", 0.5), play(2, "6C"), play(3, "2C")]
    assert told(hand(FOUR, *doubtful, TrickSwept(2))) == [("wrong_gather", 2, 1, "possible")]
    assert told(hand(FOUR, play(0, "5C"), play(1, None), play(2, "6C"), play(3, "2C"), TrickSwept(2))) == []


def test_the_rivals_of_the_alcaide_gather_for_each_other() -> None:
    rules = load_profile("alcaide")
    start = [HandStarted(0, 1, 0), TrumpShown(Card.parse("4O"))]
    plays = [play(1, "5C"), play(2, "1C"), play(0, "6C")]
    for gatherer, expected in ((1, []), (0, [("wrong_gather", 0, 1, "certain")])):
        state = fold_events(rules, [*start, *plays, TrickSwept(gatherer)]).hand
        assert state is not None
        assert told(state) == expected


def test_duplicate_and_foreign_cards_are_only_possible() -> None:
    assert told(hand(TWO, play(0, "3C"), play(1, "3C"))) == [("duplicate_card", 1, 1, "possible")]
    assert told(hand(TWO, play(0, "8C"))) == [("foreign_card", 0, 1, "possible")]
    face_up = hand(TWO, play(0, "4O"))
    assert told(face_up) == [("duplicate_card", 0, 1, "possible")]


def test_arrastre_calls() -> None:
    assert told(hand(TWO, play(0, "1O"), ArrastreCalled(0))) == []
    assert told(hand(TWO, ArrastreCalled(0), play(0, "1O"))) == []
    assert told(hand(TWO, play(0, "3O"), ArrastreCalled(0))) == [("invalid_call", 0, 1, "certain")]
    assert told(hand(TWO, ArrastreCalled(0), play(0, "3O"))) == [("invalid_call", 0, 1, "certain")]
    without = load_profile("briscola", 2)
    assert told(hand(without, play(0, "1O"), ArrastreCalled(0))) == [("invalid_call", 0, 1, "certain")]
    called = hand(FOUR, play(0, "5C"), play(1, "1O"), ArrastreCalled(1))
    assert called.calls[0].obliged == (2, 3)
    assert called.calls[0].valid


def test_a_late_call_still_binds_those_who_played_after_the_ace() -> None:
    state = hand(TWO, play(0, "1O"), play(1, "12O"), TrickSwept(0), ArrastreCalled(0))
    assert state.calls[0].valid
    assert told(state) == [("missed_arrastre", 1, 1, "possible")]
    assert 0 < (state.violations[0].p or 0) < 1


def test_nobody_is_bound_without_a_call_unless_the_rules_say_so() -> None:
    events = (play(0, "1O"), play(1, "5C"))
    assert told(hand(TWO, *events)) == []
    silent = TWO.changed(arrastre_call_required=False)
    assert [v.code for v in hand(silent, *events).violations] == ["missed_arrastre"]


def test_missed_arrastre_is_possible_then_proved_by_a_later_card() -> None:
    called = text(TWO, LATE + "18. 1:1C! 0:12O")
    assert told(called) == [("missed_arrastre", 0, 18, "certain")]
    assert called.violations[0].evidence == ("4C",)  # the face-up card that everybody saw him take
    obeyed = text(TWO, LATE + "18. 1:1C! 0:4C")
    assert told(obeyed) == [("missed_arrastre", 0, 18, "possible")]
    assert obeyed.violations[0].p == Fraction(1, 2)  # the king is one of two cards out of four
    proved = text(TWO, LATE + "18. 1:1C! 0:4C >1 19. 1:7E 0:12C")
    assert told(proved) == [("missed_arrastre", 0, 18, "certain")]
    assert proved.violations[0].evidence == ("12C",)
    cleared = text(TWO, LATE + "18. 1:1C! 0:4C >1 19. 1:12C 0:7E")
    assert told(cleared) == [("missed_arrastre", 0, 18, "cleared")]
    assert proved.violations[0].key == cleared.violations[0].key == obeyed.violations[0].key


def test_an_open_case_is_closed_as_unknowable() -> None:
    moves = LATE.replace("16. 0:10C 1:11C >1\n17. 1:3C 0:7O >1", "16. 0:1C! 1:7O >0\n17. 0:10C 1:11C >1")
    state = text(TWO, moves + "18. 1:12C 0:12O >1 19. 1:4B 0:3C >0 20. 0:4C 1:7E >0 #")
    assert told(state) == [("missed_arrastre", 1, 16, "unknowable")]  # two better cards, but also two draws
    assert state.violations[0].p not in (None, 0, 1)


def test_following_suit_after_the_stock() -> None:
    rules = load_profile("oculta_asistencia", 2)
    moves = LATE.replace('"4C"', '"C"').replace("17. 1:3C 0:7O", "17. 1:3C 0:4B")
    opened = text(rules, moves + "18. 1:7O 0:7E")
    assert told(opened) == [("missed_follow", 0, 18, "possible")]
    state = text(rules, moves + "18. 1:7O 0:7E >1 19. 1:12O 0:12C >0 20. 0:4C 1:1C >1 #")
    assert told(state) == [("missed_follow", 0, 18, "cleared")]
    revoke = text(rules, moves + "18. 1:7O 0:7E >1 19. 1:1C 0:12O >1 20. 1:12C 0:4C >1 #")
    assert told(revoke) == [("missed_follow", 0, 18, "certain"), ("missed_follow", 0, 19, "certain")]
    at_once = text(rules, moves + "18. 1:12C 0:7E")
    assert told(at_once) == [("missed_follow", 0, 18, "certain")]  # he drew the hidden trump card


def test_blind_play_is_never_judged() -> None:
    rules = load_profile("ciegas", 2).changed(arrastre=True)
    assert told(hand(rules, play(0, "1O"), ArrastreCalled(0), play(1, "5C"))) == []


@pytest.mark.parametrize(
    ("moves", "reason", "certainty"),
    [
        ("1. 0:3C 1:2C >0 1:7O=12O", "not_trick_winner", "certain"),
        ("1. 0:3C 1:2C >0 0:7C=12O", "wrong_suit", "certain"),
        ("1. 0:3C 1:2C >0 0:2O=12O", "give_not_in_table", "certain"),
        ("1. 0:3C 1:2C >0 +0 0:7O=12O", "already_drawn", "possible"),
        ("1. 0:3C 1:2C >0 2. 0:5C 0:7O=12O", "already_drawn", "certain"),
        ("1. 0:7O 1:2C >0 0:7O=12O", "impossible_card_already_seen", "possible"),
        ("0:7O=12O", "not_trick_winner", "certain"),
    ],
)
def test_illegal_exchanges_by_reason(moves: str, reason: str, certainty: str) -> None:
    state = text(TWO, f'[Trump "12O"]\n{moves}')
    found = [v for v in state.violations if v.code == "illegal_exchange"]
    assert [(v.reason, v.certainty) for v in found] == [(reason, certainty)]


def test_an_exchange_in_the_last_round_of_draws() -> None:
    moves = LATE.replace("15. 1:6C 0:7C", "15. 1:6C 0:12C").replace("^0\n", "1:7C=4C\n")
    late = text(TWO, moves)
    assert [(v.code, v.reason, v.certainty) for v in late.violations] == [
        ("illegal_exchange", "last_draw_round", "certain")
    ]
    fournier = text(load_profile("fournier", 2), moves)  # its text can be read in two ways: no fault
    assert [(v.reason, v.certainty) for v in fournier.violations] == [("last_draw_round", "unknowable")]
    # A seven for a lower card is pointless, but S0 and S1 do not forbid it.
    early = text(TWO, '[Trump "4O"]\n1. 0:3C 1:2C >0 0:7O=4O')
    assert early.violations == ()
    assert early.exchanges[0].reason == "pointless"


def test_a_second_swap_and_no_exchange_at_all() -> None:
    swap = load_profile("briscola_cambio", 2)
    state = text(swap, '[Trump "12O"]\n0:7O=12O 1:2O=7O 1:7O=2O')
    assert [(v.reason, v.certainty) for v in state.violations] == [("second_swap", "certain")]
    none = text(load_profile("briscola", 2), '[Trump "12O"]\n0:7O=12O')
    assert [v.reason for v in none.violations] == ["no_exchange"]
    abril = text(load_profile("abril", 2), '[Trump "2O"]\n1. 0:3C 1:2C >0 0:7O=2O')
    assert [v.reason for v in abril.violations] == ["trump_card_is_two"]
    siete = load_profile("oculta_siete", 2)
    assert text(siete, '[Trump "1O"]\n0:7O=1O').violations == ()
    assert [v.reason for v in text(siete, '[Trump "1O"]\n1. 0:3C 0:7O=1O').violations] == ["already_played_first_card"]
    assert [v.reason for v in text(siete, '[Trump "12O"]\n0:7O=12O').violations] == ["trump_card_not_ace_or_three"]


def test_an_unread_gift_is_inferred_when_only_one_rank_fits() -> None:
    state = text(TWO, '[Trump "12O"]\n1. 0:3C 1:2C >0 0:?=?')
    assert (state.exchanges[0].given, state.exchanges[0].taken) == (Card.parse("7O"), Card.parse("12O"))
    assert state.trump_card == Card.parse("7O")


def test_the_trump_card_taken_early_or_by_the_wrong_seat() -> None:
    early = text(TWO, '[Trump "12O"]\n1. 0:3C 1:2C >0 ^1')
    assert told(early) == [("trump_taken_early", 1, 2, "certain")]
    assert early.known_held[1] == (Card.parse("12O"),)
    wrong = text(TWO, LATE.replace("^0", "^1"))
    assert [(v.code, v.seat, v.certainty) for v in wrong.violations] == [("wrong_trump_taker", 1, "certain")]
    assert wrong.known_held == ((), (Card.parse("4C"),))
    played = text(TWO, LATE.replace("^0", "") + "18. 1:4C")
    assert [(v.code, v.seat, v.reason) for v in played.violations] == [("wrong_trump_taker", 1, "played_it")]
    assert text(TWO, LATE).violations == ()


def test_hands_that_ran_short_or_kept_a_card() -> None:
    rest = "18. 1:1C 0:12O >1 19. 1:7E 0:4C >0 20. 0:12C"
    short = text(TWO, LATE + rest + " #")
    assert told(short) == [("hand_short", 1, 20, "certain")]
    long = text(TWO, LATE + rest + " 1:4B >0 1:7C #")
    assert [(v.code, v.seat) for v in long.violations if v.code == "hand_long"] == [("hand_long", 1)]


def test_a_drawn_card_that_was_seen_counts_as_known() -> None:
    state = hand(TWO, play(0, "3C"), play(1, "2C"), TrickSwept(0), CardDrawn(1, Card.parse("3O")))
    assert state.known_held[1] == (Card.parse("3O"),)
    assert state.hand_sizes == (3, 3)
    state = hand(
        TWO, play(0, "3C"), play(1, "2C"), TrickSwept(0), CardDrawn(1, Card.parse("3O")),
        play(0, "1O"), ArrastreCalled(0), play(1, "5C"),
    )  # fmt: skip
    assert [(v.certainty, v.evidence) for v in state.violations] == [("certain", ("3O",))]


def test_strange_facts_are_told_not_raised() -> None:
    state = hand(TWO, TrickSwept(0), play(5, "3C"), HandEnded(), play(0, "3C"), TrumpTaken(7))
    assert len(state.problems) == 4
    assert state.result is not None
    assert state.result.status == "unfinished"
