"""Nothing is called certain that is not true, however badly a session is told: see bad_tellings.

Several hands in one session, games met halfway, and ledgers that are corrected, truthfully or with doubt, while others
undo and redo.
"""

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest
from bad_tellings import SPOILERS, Telling, met_halfway
from test_soundness import TABLES, imagined, misread

from engine.cards import Card
from engine.events import GameEvent
from engine.fold import fold, fold_events
from engine.ledger import Amend, Confirm, InsertAfter, Ledger, Retract
from engine.random_game import RandomGame, random_game
from engine.rules import Rules, load_profile
from engine.state import MatchState
from engine.views import public_view

ALL = {
    **TABLES,
    "both duties": load_profile("alcaide").changed(arrastre=True, follow="after_stock"),
    "all are bound": load_profile("arrastro", 4).changed(arrastre_obliged="all"),
    "both duties, no word": load_profile("tres_36").changed(
        follow="after_stock", arrastre=True, arrastre_call_required=False
    ),
}

Truth = set[tuple[str, int, int | Card, int]]


def truth(game: RandomGame, hand: int = 1) -> Truth:
    """The faults really committed, by trick and by card: where tricks are told badly, their numbers shift."""
    return {(f.code, f.seat, at, hand) for f in game.faults for at in (f.trick, f.played)}


def check(state: MatchState, real: Truth, case: object) -> None:
    for violation in state.violations:
        plays = state.hands[violation.hand - 1].all_plays
        card = next((play.card for play in plays if play.event_id == violation.event_id), None)
        of = (violation.code, violation.seat)
        known = {(*of, violation.trick, violation.hand), (*of, card, violation.hand)} & real
        assert violation.certainty != "certain" or known, (case, violation)
    for hand in state.hands:
        public_view(hand)


def spoil(rules: Rules, rng: Random, told: Telling, game: Telling, times: int) -> None:
    """Spoil a story in place: misread twice, imagined, or told as :data:`SPOILERS` do."""
    for _ in range(times):
        kind = rng.randrange(len(SPOILERS) + 2)
        if len(told) < 2:
            return
        if kind < len(SPOILERS):
            SPOILERS[kind](rules, rng, told)
        elif kind == len(SPOILERS):
            told.insert(rng.randrange(1, len(told)), imagined(rules, rng, game))
        else:
            at = rng.randrange(len(told))
            event = misread(rules, rng, told[at])
            again = None if event is None or rng.random() < 0.5 else misread(rules, rng, event)
            told[at : at + 1] = [one for one in [again or event] if one is not None]


def plays_of(rules: Rules, rng: Random) -> RandomGame:
    return random_game(rules, rng, fault_chance=0.5, call_chance=1.0)


def counts(told: Telling, rng: Random, least: int = 1) -> Iterable[int]:
    return sorted({rng.randint(min(least, len(told)), len(told)), len(told)})


def slowly(fast: int, slow: int) -> list[object]:
    return [*((name, fast) for name in ALL), *(pytest.param(name, slow, marks=pytest.mark.slow) for name in ALL)]


@pytest.mark.parametrize(("name", "games"), slowly(10, 400))
def test_sessions_of_several_hands(name: str, games: int) -> None:
    rules = ALL[name]
    for seed in range(games):
        rng = Random(f"hands {name} {seed}")
        told: Telling = []
        real: Truth = set()
        for hand in range(rng.randint(1, 3)):
            game = plays_of(rules, rng)
            events = game.events(draws=rng.random() < 0.5)
            spoilt = list(events)
            spoil(rules, rng, spoilt, events, rng.randint(0, 4))
            told += spoilt
            real |= truth(game, hand + 1)
        for count in counts(told, rng):
            check(fold_events(rules, told[:count]), real, (seed, count))


@pytest.mark.parametrize(("name", "games"), slowly(10, 400))
def test_games_met_halfway(name: str, games: int) -> None:
    rules = ALL[name]
    for seed in range(games):
        rng = Random(f"halfway {name} {seed}")
        game = plays_of(rules, rng)
        before, since = met_halfway(rules, rng, game)
        spoil(rules, rng, since, game.events(), rng.randint(0, 3))
        for count in counts(before + since, rng, len(before)):
            check(fold_events(rules, (before + since)[:count]), truth(game), (seed, count))


class Corrector:
    """A ledger told badly, and people who put it right, or say with doubt what is wrong."""

    def __init__(self, rules: Rules, rng: Random, game: RandomGame) -> None:
        self.rules, self.rng = rules, rng
        self.events = game.events(draws=rng.random() < 0.5)
        self.ledger = Ledger(rules)
        self.really: dict[str, GameEvent | None] = {}
        self.unseen: list[tuple[str, GameEvent]] = []
        last = ""
        for event in self.events:
            seen: GameEvent | None = event
            if self.really and rng.random() < 0.03:
                self.really[self.ledger.append("vision", imagined(rules, rng, self.events)).id] = None
            if rng.random() < 0.12:
                seen = misread(rules, rng, event)
            if seen is None:
                self.unseen.append((last, event))
            else:
                last = self.ledger.append("vision", seen).id
                self.really[last] = event

    def correct(self) -> None:
        rng, ledger = self.rng, self.ledger
        fact = rng.choice(list(self.really))
        real, stands = self.really[fact], dict(ledger.effective()).get(fact)
        match rng.randrange(6):
            case 0 if real is None:
                ledger.append("person", Retract(fact))
            case 0 if stands is not None:
                ledger.append("person", Amend(fact, real))
            case 1 if stands is not None and real is not None:
                wrong = misread(self.rules, rng, real)
                if wrong is not None:
                    ledger.append("vision", Amend(fact, wrong))
            case 2 if self.unseen:
                ledger.append("person", InsertAfter(*self.unseen.pop(rng.randrange(len(self.unseen)))))
            case 3 if len(self.really) > 1:
                after = rng.choice(list(self.really)[1:])
                ledger.append("vision", InsertAfter(after, imagined(self.rules, rng, self.events)))
            case 4 if stands is not None and real is not None and replace(stands, confidence=None) == real:
                ledger.append("person", Confirm(fact))
            case 5:
                _ = ledger.redo() if rng.random() < 0.5 else ledger.undo()


@pytest.mark.parametrize(("name", "games"), slowly(10, 400))
def test_ledgers_that_are_corrected(name: str, games: int) -> None:
    rules = ALL[name]
    for seed in range(games):
        rng = Random(f"ledger {name} {seed}")
        game = plays_of(rules, rng)
        corrector = Corrector(rules, rng, game)
        for step in range(rng.randint(1, 12)):
            corrector.correct()
            if rng.random() < 0.2:
                check(fold(rules, corrector.ledger.entries), truth(game), (seed, step))
        check(fold(rules, corrector.ledger.entries), truth(game), (seed, "end"))
