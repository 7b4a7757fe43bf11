"""A state machine over all profiles: legal facts, odd facts, and every kind of correction, in any order."""

import json
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.cards import ALL_CARDS, Card
from engine.codec import body_from_json, body_to_json, entry_from_json, entry_to_json, state_to_json
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
from engine.fold import fold
from engine.ledger import Amend, Confirm, InsertAfter, Ledger, LedgerEntry, Retract
from engine.notation import parse_text, render_text
from engine.random_game import random_game
from engine.record import Record
from engine.rules import Rules, list_profiles, load_profile
from engine.state import CERTAINTIES, PHASES, VIOLATION_CODES, GameState
from engine.views import public_view

PLAYABLE = [
    load_profile(name, players)
    for name in list_profiles()
    for players in load_profile(name).players_allowed
    if len(load_profile(name).cards) % players == 0
]

seats = st.integers(0, 6)
maybe_seats = st.none() | seats
cards = st.sampled_from(ALL_CARDS)
maybe_cards = st.none() | cards
times = st.none() | st.floats(0, 1e4, allow_nan=False).map(lambda t: round(t, 3))
shares = st.none() | st.floats(0, 1).map(lambda p: round(p, 3))
candidates = st.lists(st.tuples(cards.map(str), st.floats(0, 1).map(lambda p: round(p, 3))), max_size=2).map(tuple)
befores = st.none() | st.lists(st.integers(0, 130), min_size=1, max_size=3).map(tuple)
trumps = st.builds(TrumpShown, cards, t=times, confidence=shares) | st.builds(
    TrumpShown, st.none(), st.none() | st.sampled_from("OCEB"), t=times
)
odd_facts: st.SearchStrategy[GameEvent] = st.one_of(
    st.builds(HandStarted, maybe_seats, maybe_seats, maybe_seats, st.none() | st.integers(0, 21), befores, t=times),
    trumps,
    st.builds(CardPlayed, maybe_seats, maybe_cards, candidates, t=times, confidence=shares),
    st.builds(TrumpExchanged, maybe_seats, maybe_cards, maybe_cards, t=times),
    st.builds(TrickSwept, maybe_seats, t=times, confidence=shares),
    st.builds(CardDrawn, seats, maybe_cards, t=times),
    st.builds(CardTakenBack, seats, maybe_cards, t=times, confidence=shares),
    st.builds(TrumpTaken, maybe_seats, t=times),
    st.builds(ArrastreCalled, seats, t=times),
    st.builds(HandEnded, t=times),
)


class SessionMachine(RuleBasedStateMachine):
    """A session in which anything may be written into the ledger."""

    table: Rules
    ledger: Ledger
    script: list[GameEvent]

    @initialize(seed=st.integers(0, 10_000), faults=st.sampled_from([0.0, 0.5]))
    def start(self, seed: int, faults: float) -> None:
        self.ledger = Ledger(self.table)
        self.legal = True
        self.script = random_game(self.table, Random(seed), fault_chance=faults).events(draws=bool(seed % 2))

    @rule(count=st.integers(1, 30))
    def go_on(self, count: int) -> None:
        for event in self.script[:count]:
            self.ledger.append("vision", event)
        del self.script[:count]

    @rule(event=odd_facts)
    def write_an_odd_fact(self, event: GameEvent) -> None:
        self.legal = False
        self.ledger.append("person", event)

    def pick(self, pick: int) -> LedgerEntry:
        return self.ledger.entries[pick % len(self.ledger.entries)]

    @precondition(lambda self: self.ledger.entries)
    @rule(event=odd_facts, pick=st.integers(0, 200), back=st.booleans())
    def amend(self, event: GameEvent, pick: int, back: bool) -> None:
        before = self.ledger.effective()
        fix = self.ledger.append("person", Amend(self.pick(pick).id, event, "looked again"))
        if back:
            self.ledger.append("person", Retract(fix.id))
            assert self.ledger.effective() == before
        else:
            self.legal = False

    @precondition(lambda self: self.ledger.entries)
    @rule(event=odd_facts, pick=st.integers(0, 200), start=st.booleans())
    def insert(self, event: GameEvent, pick: int, start: bool) -> None:
        self.legal = False
        self.ledger.append("vision", InsertAfter(None if start else self.pick(pick).id, event))

    @precondition(lambda self: self.ledger.entries)
    @rule(pick=st.integers(0, 200))
    def retract(self, pick: int) -> None:
        self.legal = False
        self.ledger.append("rule", Retract(self.pick(pick).id, "no"))

    @precondition(lambda self: self.ledger.entries)
    @rule(pick=st.integers(0, 200))
    def confirm(self, pick: int) -> None:
        self.ledger.append("person", Confirm(self.pick(pick).id))

    @rule()
    def undo_and_redo(self) -> None:
        before = self.ledger.effective()
        if self.ledger.undo() is not None:
            self.ledger.redo()
        assert self.ledger.effective() == before

    @invariant()
    def the_state_is_sound(self) -> None:
        entries = self.ledger.entries
        state = fold(self.table, entries)
        assert fold(self.table, entries) == state
        json.dumps(state_to_json(state))
        for hand in state.hands:
            assert hand.phase in PHASES
            assert all(v.code in VIOLATION_CODES and v.certainty in CERTAINTIES for v in hand.violations)
            assert all(v.p != 1 or v.certainty != "cleared" for v in hand.violations)
            assert min(hand.hand_sizes) >= 0
            assert hand.stock_left >= 0
            public_view(hand)
            if hand.points_by_team is not None:
                assert sum(hand.points_by_team) == sum(hand.points_by_seat) + sum(hand.points_before or ())
        if self.legal and state.hand is not None:
            self.check_cards(state.hand)

    def check_cards(self, hand: GameState) -> None:
        """Each card is in exactly one place, and the points add up."""
        view = public_view(hand)
        places: list[Card] = [play.card for play in hand.all_plays if play.card is not None]
        places += [card for held in hand.known_held for card in held]
        places += [hand.trump_card] if hand.trump_card is not None else []
        places += list(view.unseen)
        assert sorted(places) == sorted(self.table.cards)
        total = sum(card.points for card in self.table.cards)
        assert sum(hand.points) + hand.points_open + view.points_to_come == total
        sizes = sum(hand.hand_sizes) + hand.stock_left + len(hand.all_plays)
        assert sizes == len(self.table.cards)
        if hand.phase == "result":
            assert sum(hand.points) == total
        certain = [v for v in hand.violations if v.certainty == "certain"]
        assert all(v.code in ("missed_arrastre", "missed_follow") for v in certain)

    @invariant()
    def every_form_round_trips(self) -> None:
        for entry in self.ledger.entries:
            assert entry_from_json(json.loads(json.dumps(entry_to_json(entry)))) == entry
            assert body_from_json(body_to_json(entry.body)) == entry.body
        facts = tuple(event for _, event in self.ledger.effective())
        if facts and isinstance(facts[0], HandStarted):
            again = parse_text(render_text(Record(self.table, (), facts)))
            assert again.problems == ()
            assert again.facts == facts


def run_sessions(rules: Rules, sessions: int) -> None:
    machine = type("Session", (SessionMachine,), {"table": rules})
    how = settings(
        max_examples=sessions, stateful_step_count=14, deadline=None, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(machine, settings=how)


@pytest.mark.parametrize("rules", PLAYABLE, ids=lambda rules: f"{rules.name}-{rules.players}")
def test_sessions_under_every_profile(rules: Rules) -> None:
    run_sessions(rules, 3)


@pytest.mark.slow
@pytest.mark.parametrize("rules", PLAYABLE, ids=lambda rules: f"{rules.name}-{rules.players}")
def test_many_sessions_under_every_profile(rules: Rules) -> None:
    run_sessions(rules, 40)
