"""The ledger says exactly what the story says, whatever way the story changes."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import ALL_CARDS
from engine.events import CardPlayed, TrickSwept
from engine.ledger import Amend, InsertAfter, Ledger, Retract
from engine.rules import load_profile
from server.referee.story import Item, Teller, material

STORIES = st.lists(
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 2)), unique_by=lambda one: one[0], max_size=8), max_size=8
)


def story(parts: list[tuple[int, int]]) -> list[Item]:
    return [Item(("play", 1, key), CardPlayed(0, ALL_CARDS[card], t=float(key))) for key, card in parts]


@settings(max_examples=300, deadline=None)
@given(STORIES)
def test_the_effective_facts_are_the_story(stories: list[list[tuple[int, int]]]) -> None:
    ledger = Ledger(load_profile("briscola", 2))
    teller = Teller(ledger)
    for parts in stories:
        teller.tell(story(parts), 1.0)
        assert [event for _, event in ledger.effective()] == [item.event for item in story(parts)]
        assert [entry for entry, _ in ledger.effective()] == [teller.entry_of(("play", 1, key)) for key, _ in parts]


def test_the_same_story_writes_nothing() -> None:
    teller = Teller(Ledger(load_profile("briscola", 2)))
    told = story([(1, 0), (2, 1)])
    assert len(teller.tell(told, 1.0)) == 2
    assert teller.tell(told, 2.0) == []


def test_each_change_is_written_as_what_it_is() -> None:
    teller = Teller(Ledger(load_profile("briscola", 2)))
    teller.tell(story([(1, 0), (3, 1)]), 1.0)
    (amended,) = teller.tell(story([(1, 0), (3, 2)]), 2.0)
    assert isinstance(amended.body, Amend)
    (inserted,) = teller.tell(story([(1, 0), (2, 0), (3, 2)]), 3.0)
    assert isinstance(inserted.body, InsertAfter)
    assert inserted.body.target == "e1"
    (retracted,) = teller.tell(story([(2, 0), (3, 2)]), 4.0)
    assert isinstance(retracted.body, Retract)


def test_a_confidence_is_worth_an_amendment_where_proofs_begin_or_end() -> None:
    play = CardPlayed(0, ALL_CARDS[0], confidence=0.85)
    assert material(play, replace(play, confidence=0.95))
    assert not material(play, replace(play, confidence=0.75))
    assert not material(replace(play, confidence=0.89), replace(play, confidence=0.91))
    swept = TrickSwept(0)
    assert material(swept, replace(swept, confidence=0.7))
    assert not material(swept, replace(swept, confidence=0.95))
