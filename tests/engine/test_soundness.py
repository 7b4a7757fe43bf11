"""Nothing is called certain that is not true: games whose truth is known, seen through bad eyes.

A camera misreads cards and seats, misses who played, hears calls that nobody made. As long as it says that it doubts
those readings, every fault that the engine calls certain must be one that was really committed.
"""

from dataclasses import replace
from random import Random

import pytest
from late_game import LATE

from engine.cards import ALL_CARDS, Card
from engine.events import (
    ArrastreCalled,
    CardDrawn,
    CardPlayed,
    CardTakenBack,
    GameEvent,
    HandStarted,
    TrickSwept,
    TrumpExchanged,
    TrumpShown,
    TrumpTaken,
)
from engine.fold import fold_events
from engine.notation import parse_text
from engine.random_game import random_game
from engine.rules import Rules, load_profile

DOUBT = 0.3

TABLES = {
    "arrastro-2": load_profile("arrastro", 2),
    "arrastro-4": load_profile("arrastro", 4),
    "by points, winners exchange": load_profile("arrastro", 2).changed(
        arrastre_best="by_points", exchange_who="has_won_a_trick"
    ),
    "draws before playing": load_profile("abril", 2).changed(follow="always"),
    "no word needed": load_profile("arrastro", 3, removed=("2B",)).changed(arrastre_call_required=False),
    "fournier-4": load_profile("fournier", 4).changed(follow="after_stock"),
    "cambio-2": load_profile("briscola_cambio", 2),
    "siete-4": load_profile("oculta_siete", 4),
    "hidden-2": load_profile("oculta_asistencia", 2),
    "alcaide-3": load_profile("alcaide"),
    "alcalde-3": load_profile("alcalde_pr").changed(arrastre=True),
    "six": load_profile("seis_48").changed(arrastre=True),
}


def misread(rules: Rules, rng: Random, event: GameEvent) -> GameEvent | None:
    """The event as a bad camera tells it, with its doubt; None: it was not seen at all."""
    card, seat = rng.choice(ALL_CARDS), rng.randrange(rules.players)
    match event:
        case CardPlayed():
            return rng.choice(
                [
                    replace(event, card=card, confidence=DOUBT),
                    replace(event, seat=seat, confidence=DOUBT),
                    replace(event, card=None),
                    replace(event, card=None, confidence=DOUBT),
                    replace(event, seat=None),
                ]
            )
        case TrumpShown(card=Card()):
            return rng.choice([replace(event, card=card, confidence=DOUBT), TrumpShown(None, None)])
        case TrumpShown():
            return replace(event, suit=card.suit, confidence=DOUBT)
        case TrumpExchanged():
            return rng.choice(
                [
                    replace(event, given=card, confidence=DOUBT),
                    replace(event, taken=card, confidence=DOUBT),
                    replace(event, seat=seat, confidence=DOUBT),
                    replace(event, given=None),
                    replace(event, given=None, taken=None),
                    replace(event, seat=None),
                ]
            )
        case TrumpTaken():
            return rng.choice([None, replace(event, seat=seat, confidence=DOUBT), replace(event, seat=None)])
        case TrickSwept():
            return rng.choice([None, replace(event, seat=seat, confidence=DOUBT), replace(event, seat=None)])
        case HandStarted():
            return rng.choice([replace(event, leader=seat, confidence=DOUBT), HandStarted(alcaide=event.alcaide)])
    return event


def imagined(rules: Rules, rng: Random, events: list[GameEvent]) -> GameEvent:
    """Something that never happened, told with doubt; often of a card that lay face up beside the stock."""
    face_up = [event.card for event in events if isinstance(event, TrumpShown) and event.card is not None]
    face_up += [event.given for event in events if isinstance(event, TrumpExchanged) and event.given is not None]
    seat = rng.randrange(rules.players)
    card = rng.choice(face_up if face_up and rng.random() < 0.3 else ALL_CARDS)
    return rng.choice(
        [
            ArrastreCalled(seat, confidence=DOUBT),
            CardDrawn(seat, card, confidence=DOUBT),
            CardTakenBack(seat, card, confidence=DOUBT),
            TrumpTaken(seat, confidence=DOUBT),
        ]
    )


def seen_badly(rules: Rules, rng: Random, events: list[GameEvent]) -> list[GameEvent]:
    told = list(events)
    for _ in range(rng.randint(1, 4)):
        index = rng.randrange(len(told))
        if rng.random() < 0.25 and index:
            told.insert(index, imagined(rules, rng, events))
            continue
        event = misread(rules, rng, told[index])
        told[index : index + 1] = [] if event is None else [event]
    return told


@pytest.mark.parametrize(
    ("name", "games"),
    [*((name, 30) for name in TABLES), *(pytest.param(name, 600, marks=pytest.mark.slow) for name in TABLES)],
)
def test_what_is_certain_is_true(name: str, games: int) -> None:
    rules = TABLES[name]
    for seed in range(games):
        rng = Random(f"{name} {seed}")
        game = random_game(rules, rng, fault_chance=0.5, call_chance=1.0)
        real = {(fault.code, fault.seat, fault.trick) for fault in game.faults}
        told = seen_badly(rules, rng, game.events(draws=bool(seed % 2)))
        for count in sorted({rng.randint(2, len(told)), rng.randint(2, len(told)), len(told)}):
            state = fold_events(rules, told[:count])
            for violation in state.violations:
                if violation.certainty == "certain":
                    assert (violation.code, violation.seat, violation.trick) in real, (seed, count, violation)


@pytest.mark.parametrize("name", TABLES)
def test_a_game_seen_well_proves_some_of_its_faults(name: str) -> None:
    rules = TABLES[name]
    proved = faults = 0
    for seed in range(60):
        game = random_game(rules, Random(seed), fault_chance=0.7, call_chance=1.0)
        real = {(fault.code, fault.seat, fault.trick) for fault in game.faults}
        faults += len(real)
        certain = {
            (v.code, v.seat, v.trick) for v in fold_events(rules, game.events()).violations if v.certainty == "certain"
        }
        assert certain <= real
        proved += len(certain)
    assert (proved > 0) == (faults > 0)


def told(rules: Rules, moves: str) -> list[tuple[str, int | None, str, str]]:
    record = parse_text(f'[Rules "{rules.name}"]\n[Players "{rules.players}"]\n[Leader "0"]\n{moves}')
    assert record.problems == ()
    state = fold_events(rules, record.facts)
    return [(v.code, v.seat, v.certainty, v.reason) for v in state.violations]


TWO = TABLES["arrastro-2"]
FOLLOWED = TABLES["arrastro-4"].changed(follow="always")
WINNERS = TWO.changed(exchange_who="has_won_a_trick")


@pytest.mark.parametrize(
    ("rules", "moves", "expected"),
    [
        # Nobody knows who won trick 1, so the seat may have won it.
        (WINNERS, '[Trump "12O"]\n0:3C 1:? >? 0:5C 1:6C >1 0:7O=12O', []),
        (WINNERS, '[Trump "12O"]\n0:3C 1:1C~0.4 >1 0:7O=12O', [("illegal_exchange", 0, "possible", "no_trick_won")]),
        # The face-up card was read with doubt, or two readings of it differ.
        (TWO, '[Trump "12O~0.4"]\n0:3C 1:2C >0 0:7C=?', [("illegal_exchange", 0, "possible", "wrong_suit")]),
        (TWO, '[Trump "4O"]\n0:3C 1:2C >0 0:2O=12O', [("illegal_exchange", 0, "possible", "give_not_in_table")]),
        # A call that was hardly heard; a card that was hardly seen when it was drawn.
        (TWO, '[Trump "4O"]\n0:3O !0~0.2', [("invalid_call", 0, "possible", "not_ace_of_trumps")]),
        (
            TWO,
            '[Trump "4O"]\n0:3C 1:2C >0 +1:3O~0.3 0:1O! 1:5C',
            [("missed_arrastre", 1, "possible", "doubtful_reading")],
        ),
        # While the trump suit is unknown nobody can say that the ace is not the trump ace; a three never is.
        (TWO, "0:1C !0 1:2O", []),
        (TWO, "0:1C !0 1:2O *4O", [("invalid_call", 0, "certain", "not_ace_of_trumps")]),
        (TWO, "0:1C !0 1:2C *4C", [("missed_arrastre", 1, "possible", "")]),
        (TWO, "0:3C !0", [("invalid_call", 0, "certain", "not_ace_of_trumps")]),
        # The card called with was not read: it may have been the ace, and the next card proves nothing.
        (TWO, '[Trump "4O"]\n0:? !0 1:2C >0 0:5C', []),
        # Saying the word twice is no second call.
        (TWO, '[Trump "4O"]\n0:1O! !0 1:3O >0 0:5C', []),
        # The known king may be the card that was not read: then it was no longer there to answer with.
        (
            TWO,
            '[Trump "12O"]\n0:3C 1:1C >1 1:7O=12O 1:? 0:2C >? 0:1O! 1:5C',
            [("missed_arrastre", 1, "possible", "doubtful_reading")],
        ),
        # A glimpse of the face-up card in a hand, while it surely lies there, neither proves nor spoils anything,
        # and the card is not in the hand twice once it was drawn and played.
        (TWO, LATE.replace("16. ", "+0:4C~0.3 16. ") + "18. 1:1C! 0:12O", [("missed_arrastre", 0, "certain", "")]),
        (
            TWO.changed(follow="after_stock"),
            LATE.replace("16. ", "+0:4C~0.3 16. ") + "18. 1:1C 0:4C >1 19. 1:12C 0:7E",
            [],
        ),
        # A hand was thought to have drawn the seven that another seat then gave for the face-up card.
        (
            load_profile("abril", 2).changed(follow="always"),
            '[Trump "12O"]\n0:3C 1:2C >0 0:6C +1:7O~0.3 1:5C >0 0:7O=12O 0:1O 1:11C',
            [
                ("illegal_exchange", 0, "possible", "impossible_card_already_seen"),
                ("missed_follow", 1, "possible", ""),
            ],
        ),
        # A card told twice begins a trick of its own, which is then gathered: from there on tricks are counted wrong.
        (
            TWO.changed(follow="after_stock"),
            LATE.replace("1:4O >0", "1:4O 1:4O~0.3 >0") + "18. 1:12B 0:4C >0",
            [
                ("wrong_leader", 1, "possible", ""),
                ("duplicate_card", 1, "possible", "misread?"),
                ("missed_follow", 0, "possible", "doubtful_reading"),
                ("duplicate_card", 1, "possible", "misread?"),
                ("missed_follow", 0, "possible", ""),
            ],
        ),
        # Who must answer a call with the best card owes no suit besides.
        (
            FOLLOWED,
            '[Trump "4C"]\n0:2O 1:1C! 2:3C 3:5E',
            [("missed_arrastre", 3, "possible", ""), ("missed_follow", 1, "possible", "")],
        ),
        # A call may be said before the card that it is made with.
        (TWO, "0:1C 1:2C >0 !0 0:1O 1:3O *4O", [("invalid_call", 0, "possible", "not_ace_of_trumps")]),
        (TWO, '[Trump "4O"]\n0:3C 1:2C !0 >0 0:1O 1:5E', [("missed_arrastre", 1, "possible", "")]),
        (TWO, '[Trump "4O"]\n0:3C 1:2C !0 >0 0:5O', [("invalid_call", 0, "certain", "not_ace_of_trumps")]),
        (
            TWO,
            '[Trump "4O"]\n0:3C 1:2C !0 >0 1:?~0.3 0:5O',
            [("wrong_leader", 1, "possible", ""), ("invalid_call", 0, "possible", "not_ace_of_trumps")],
        ),
        (TWO, '[Trump "4O"]\n0:3C 1:2C >0 !0~0.3 !0 0:1O 1:3O >0 0:5C', []),
        (TABLES["alcalde-3"], '[Trump "4O"]\n0:3C !0 0:1O 1:3O', []),
        # Who played the first card is open, so that a card too many may lie in the trick: it may be over.
        (
            TABLES["arrastro-4"],
            '[Trump "1E"]\n1:2O~0.3 1:6O 2:4O 3:6E 3:10E 0:3B 1:2C 2:10C 3:7E=1E',
            [
                ("wrong_leader", 1, "possible", ""),
                ("two_cards", 1, "possible", ""),
                ("two_cards", 3, "possible", ""),
                ("illegal_exchange", 3, "possible", "already_drawn"),
                ("wrong_leader", 1, "possible", ""),
            ],
        ),
        # The suit was thought to be another one: who took the tricks turns with it.
        (TWO, "0:3C 1:2C >0 0:7E=12E~0.3 0:4B 1:5E >1 *4B 0:5C 1:6C", []),
        (
            TABLES["alcalde-3"],
            '[Trump "4O"]\n0:3C 0:2C 1:5C 2:6C !0 >0 0:3E 0:1O 1:3O 2:2O',
            [("missed_arrastre", 2, "possible", "")],
        ),
        # The trump suit is known from a doubtful exchange alone, made while the face-up card may have been lifted.
        (
            TWO,
            "0:1O! 1:5C ^1~0.3 >0 0:7C=12C~0.3",
            [
                ("trump_taken_early", 1, "possible", ""),
                ("illegal_exchange", 0, "possible", "no_trump_card"),
                ("invalid_call", 0, "possible", "not_ace_of_trumps"),
            ],
        ),
        # Nobody saw who played the first card, so it is open who was out of turn.
        (TABLES["arrastro-4"], '[Trump "4O"]\n?:3C 2:2C', [("out_of_turn", 2, "possible", "")]),
    ],
)
def test_what_rests_on_doubt_is_not_certain(rules: Rules, moves: str, expected: list[object]) -> None:
    assert told(rules, moves) == expected


def test_a_card_played_twice_proves_nothing() -> None:
    moves = LATE + "18. 1:1C! 0:4C >1 19. 1:7E 0:3C"
    assert told(TWO, moves) == [
        ("missed_arrastre", 0, "possible", "doubtful_reading"),
        ("duplicate_card", 0, "possible", "misread?"),
    ]


def test_a_doubtful_lead_obliges_nobody_for_certain() -> None:
    rules = TABLES["hidden-2"]
    moves = LATE.replace('"4C"', '"C"').replace("17. 1:3C 0:7O", "17. 1:3C 0:4B")
    moves += "18. 1:7O{} 0:7E >1 19. 1:1C 0:12O >1 20. 1:12C 0:4C >1 #"
    assert told(rules, moves.format(""))[0] == ("missed_follow", 0, "certain", "")
    assert told(rules, moves.format("~0.4"))[0] == ("missed_follow", 0, "possible", "doubtful_reading")


def test_who_took_the_face_up_card_must_be_sure_too() -> None:
    answer = "18. 1:1C! 0:12O"
    assert told(TWO, LATE + answer) == [("missed_arrastre", 0, "certain", "")]
    doubtful_winner = LATE.replace("17. 1:3C", "17. 1:3C~0.4")
    assert told(TWO, doubtful_winner + answer) == [("missed_arrastre", 0, "certain", "")]  # he was seen to take it
    not_seen = doubtful_winner.replace("^0\n", "")
    assert told(TWO, not_seen + answer) == [("missed_arrastre", 0, "possible", "doubtful_reading")]
    moved = LATE.replace("^0\n", "") + answer + " ^1"  # the other took it, seen a little late
    assert sorted(told(TWO, moved)) == [("missed_arrastre", 0, "possible", ""), ("wrong_trump_taker", 1, "certain", "")]


def test_a_seat_seen_to_lift_the_trump_card_holds_it_even_where_nobody_knows_who_won() -> None:
    moves = LATE.replace("17. 1:3C 0:7O >1", "17. 1:? 0:7O >?")
    record = parse_text(f'[Rules "arrastro"]\n[Players "2"]\n[Leader "0"]\n{moves}')
    hand = fold_events(TWO, record.facts).hands[0]
    assert hand.known_held == ((Card(4, "C"),), ())


@pytest.mark.parametrize("players", [2, 4])
def test_the_face_up_card_lifted_where_draws_come_before_playing(players: int) -> None:
    rules = load_profile("abril", players)
    game = random_game(rules, Random(5), exchange_chance=0)
    events = game.events()
    at = next(i for i, event in enumerate(events) if isinstance(event, TrumpTaken))
    right = events[at]
    assert isinstance(right, TrumpTaken)
    assert right.seat is not None
    lifted = fold_events(rules, events[: at + 1]).hands[0]
    assert (lifted.trump_card, lifted.known_held[right.seat], lifted.violations) == (None, (game.trump,), ())
    wrong = (right.seat + 1) % players
    for stop in (at + 1, at + 2, at + 3):
        hand = fold_events(rules, [*events[:at], TrumpTaken(wrong), *events[at + 1 : stop]]).hands[0]
        assert [(v.code, v.seat) for v in hand.violations] == [("wrong_trump_taker", wrong)]
        assert (hand.known_held[wrong], hand.known_held[right.seat]) == ((game.trump,), ())


def test_a_hand_short_of_a_card_shows_when_the_last_trick_is_gathered() -> None:
    moves = LATE + "18. 1:1C 0:12O >1 19. 1:7E 0:4C >0 20. 0:12C >0"
    assert told(TWO, moves) == [("hand_short", 1, "certain", "")]
    assert told(TWO, moves + " #") == [("hand_short", 1, "certain", "")]
