"""The exact odds against plain enumeration of everything that may have been in the hands."""

from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from engine.cards import ALL_CARDS, Card, cards_from_text
from engine.inference import (
    BadCard,
    Evidence,
    best_answers,
    better_than,
    judge,
    must_follow,
    of_suit,
    suspicion,
)
from engine.rules import load_profile

RULES = load_profile("arrastro", 2)


def enumerated(evidence: Evidence, bad: BadCard) -> Fraction:
    """Lay every choice of cards into the suspect's slots; keep those in which each card shown was there in time."""
    if any(bad(card) for card in evidence.known_held):
        return Fraction(1)
    born = [0] * evidence.held + [draw + 1 for draw in evidence.draws]  # first trick in which the slot can be played
    shown = [(trick, card) for trick, card in evidence.plays if card is not None]
    pool = [card for _, card in shown] + sorted(evidence.unseen)
    consistent = guilty = 0
    for cards in permutations(pool, len(born)):
        place = {card: index for index, card in enumerate(cards)}
        if all(card in place and born[place[card]] <= trick for trick, card in shown):
            consistent += 1
            guilty += any(bad(card) for card in cards[: evidence.held])
    return Fraction(guilty, consistent)


def random_evidence(rng: Random) -> tuple[Evidence, BadCard]:
    trick = rng.randint(1, 20)
    held = rng.randint(0, 2)
    draws = tuple(range(trick, trick + rng.randint(0, 2)))
    slots = held + len(draws)
    cards = rng.sample([card for card in ALL_CARDS if card.rank not in (8, 9)], 8)
    played, cards = cards[0], cards[1:]
    plays: list[tuple[int, Card | None]] = []
    for later in range(trick + 1, trick + 1 + rng.randint(0, slots)):
        in_hand = held + sum(1 for draw in draws if draw < later) - len(plays)
        if in_hand > 0:
            plays.append((later, cards.pop()))
    left = slots - len(plays)
    unseen = frozenset(cards[: rng.randint(left, max(left, min(len(cards), 7 - len(plays))))])
    known = tuple(rng.sample(cards[len(unseen) :], 1)) if rng.random() < 0.1 and len(cards) > len(unseen) else ()
    bad = better_than(RULES, played, "C") if rng.random() < 0.7 else of_suit(played.suit)
    return Evidence(held, draws, tuple(plays), unseen, known), bad


def test_the_odds_agree_with_enumeration() -> None:
    rng = Random(20)
    seen = {"violated": 0, "ok": 0, "unknown": 0}
    for _ in range(1500):
        evidence, bad = random_evidence(rng)
        verdict = judge(evidence, bad)
        assert verdict.p == enumerated(evidence, bad), evidence
        seen[verdict.status] += 1
    assert min(seen.values()) > 50  # every kind of verdict was really tried


def test_an_unread_card_of_the_suspect_stays_a_possible_one() -> None:
    # Two held, one of them was played unread: it may still have been the owed one.
    bad = of_suit("E")
    unseen = frozenset(cards_from_text("7E 2O 5O"))
    unread = judge(Evidence(2, (), ((19, None),), unseen), bad)
    assert unread.p == judge(Evidence(2, (), (), unseen), bad).p == Fraction(2, 3)


@pytest.mark.parametrize(
    ("best", "hand", "must"),
    [
        ("trumps_first", "2C 1B 3E", "2C"),
        ("by_points", "2C 1B 3E", "1B"),
        ("by_points", "2C 7B 3C 3E", "3C"),
        ("by_points", "4C 7B 6E", "4C"),
        ("trumps_first", "1B 1E 4O", "1B 1E"),
    ],
)
def test_both_readings_of_the_best_card(best: str, hand: str, must: str) -> None:
    rules = RULES.changed(arrastre_best=best)
    assert best_answers(rules, cards_from_text(hand), "C") == cards_from_text(must)
    assert best_answers(rules, (), "C") == ()


def test_following_is_owed_only_when_the_rules_say_so() -> None:
    rules = load_profile("oculta_asistencia", 2)
    assert [must_follow(rules, trick) for trick in (1, 17, 18, 20)] == [False, False, True, True]
    assert must_follow(rules.changed(follow="always"), 1)
    assert not must_follow(RULES, 20)


def test_certainty_is_not_changed_by_a_prior() -> None:
    prior = Fraction(1, 20)
    assert suspicion(Fraction(1), prior) == 1
    assert suspicion(Fraction(0), prior) == 0
    assert suspicion(Fraction(171, 176), prior) == Fraction(171, 271)
