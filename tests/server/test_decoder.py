import math
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.cards import Card
from engine.rules import Rules, load_profile
from engine.trick import winning_index
from server.referee.decoder import CLEAR, TWIN, Decoder
from server.referee.evidence import HandEvidence, PlayEvidence, TrickEvidence, TrumpSight
from server.referee.readings import Floats, belief

RULES = load_profile("briscola", 2)
CARDS = RULES.cards
NOWHERE = (0.0, 0.0)


def sees(rules: Rules = RULES, **labels: float) -> Floats:
    return belief(rules.cards, tuple((name.strip("_"), share) for name, share in labels.items()))


def play(shares: Floats, places: tuple[float, ...] = NOWHERE, unseen: bool = False) -> PlayEvidence:
    return PlayEvidence(shares, places, unseen)


def trick(*plays: PlayEvidence, gathered: tuple[float, ...] = NOWHERE) -> TrickEvidence:
    return TrickEvidence(plays, gathered, NOWHERE)


def south(shares: Floats) -> PlayEvidence:
    return play(shares, (0.0, -5.0))


def north(shares: Floats) -> PlayEvidence:
    return play(shares, (-5.0, 0.0))


def text(column: int) -> str:
    return str(CARDS[column])


TRUMP = (TrumpSight(sees(_6E=0.99)),)


def test_a_card_exists_once() -> None:
    evidence = HandEvidence(
        (trick(south(sees(_4O=0.6, _5O=0.4)), north(sees(_12B=0.99))), trick(south(sees(_4O=0.99)))), TRUMP
    )
    found = Decoder(RULES).decode(evidence)
    assert [text(k) for k in found.best] == ["5O", "12B", "4O"]
    assert found.shares[0].max() > 0.9


def test_who_leads_next_settles_what_won() -> None:
    # 3B or 1B: only the ace beats the three, and north leads the next trick.
    evidence = HandEvidence(
        (
            trick(south(sees(_3C=0.99)), north(sees(_1B=0.6, _1C=0.4))),
            trick(north(sees(_5O=0.99)), south(sees(_7B=0.99))),
        ),
        TRUMP,
    )
    found = Decoder(RULES).decode(evidence)
    assert text(found.best[1]) == "1C"
    assert found.shares[1].max() > 0.95
    assert found.seats == [(0, 1), (1, 0)]


def test_who_gathers_settles_what_won() -> None:
    evidence = HandEvidence((trick(south(sees(_3C=0.99)), north(sees(_1B=0.6, _1C=0.4)), gathered=(-4.0, 0.0)),), TRUMP)
    assert text(Decoder(RULES).decode(evidence).best[1]) == "1C"


def test_who_plays_the_card_that_was_taken_in_exchange_settles_which_it_was() -> None:
    rules = load_profile("arrastro", 2)
    tricks = (
        trick(south(sees(rules, _1O=0.99)), north(sees(rules, _4O=0.99))),
        trick(south(sees(rules, _7C=0.99)), north(sees(rules, _5C=0.99))),
    )
    sights = (TrumpSight(sees(rules, _5C=0.88, _7C=0.12)), TrumpSight(sees(rules, _2C=0.99), after=1))
    (taken, share), _ = Decoder(rules).decode(HandEvidence(tricks, sights)).trumps
    assert str(rules.cards[taken]) == "7C"  # south won the first trick, exchanged, and plays it now
    assert share > 0.9


def test_the_face_up_card_is_not_played_while_it_lies_there() -> None:
    evidence = HandEvidence((trick(south(sees(_6E=0.7, _7E=0.3))),), TRUMP)
    assert text(Decoder(RULES).decode(evidence).best[0]) == "7E"


def test_a_sure_play_corrects_the_face_up_card() -> None:
    evidence = HandEvidence(
        (trick(south(sees(_6E=0.999)), north(sees(_12B=0.99))),), (TrumpSight(sees(_6E=0.55, _7E=0.44)),)
    )
    found = Decoder(RULES).decode(evidence)
    assert text(found.trumps[0][0]) == "7E"
    assert text(found.best[0]) == "6E"
    assert found.suit == "E"


def test_an_exchange_needs_a_card_that_may_be_given() -> None:
    rules = load_profile("arrastro", 2)
    sights = (TrumpSight(sees(rules, _1E=0.99)), TrumpSight(sees(rules, _6E=0.6, _7E=0.35), after=1))
    evidence = HandEvidence((trick(south(sees(rules, _4O=0.9)), north(sees(rules, _5B=0.9))),), sights)
    found = Decoder(rules).decode(evidence)
    assert [str(rules.cards[k]) for k, _ in found.trumps] == ["1E", "7E"]


def test_the_taken_card_may_be_played_after_the_exchange() -> None:
    rules = load_profile("arrastro", 2)
    sights = (TrumpSight(sees(rules, _1E=0.99)), TrumpSight(sees(rules, _7E=0.95), after=1))
    tricks = (
        trick(south(sees(rules, _4O=0.9)), north(sees(rules, _5B=0.9))),
        trick(south(sees(rules, _1E=0.9)), north(sees(rules, _7C=0.9))),
    )
    found = Decoder(rules).decode(HandEvidence(tricks, sights))
    assert str(rules.cards[found.best[2]]) == "1E"


def test_the_card_taken_in_exchange_is_played_by_who_took_it() -> None:
    """The face-up card looked more like the 5; but the 7 is what the exchanging seat plays later, the other the 5."""
    rules = load_profile("arrastro", 2)
    sights = (TrumpSight(sees(rules, _5C=0.77, _7C=0.17)), TrumpSight(sees(rules, _2C=0.99), after=1))
    tricks = (
        trick(south(sees(rules, _3O=0.99)), north(sees(rules, _4B=0.99))),
        trick(south(sees(rules, _7C=0.99)), north(sees(rules, _6B=0.99))),
        trick(south(sees(rules, _4O=0.99)), north(sees(rules, _5C=0.99))),
    )
    found = Decoder(rules).decode(HandEvidence(tricks, sights))
    assert [str(rules.cards[k]) for k, _ in found.trumps] == ["7C", "2C"]


def test_an_arm_out_of_turn_at_the_exchange_leaves_it_open_which_card_was_taken() -> None:
    """South won, but north's arm laid the 2; both the 5 and the 7 are played later, one by each of them."""
    rules = load_profile("arrastro", 2)
    tricks = (
        trick(south(sees(rules, _3O=0.99)), north(sees(rules, _4B=0.99))),
        trick(south(sees(rules, _5C=0.99)), north(sees(rules, _7C=0.99))),
    )
    shares = []
    for arm in (0, 1):
        sights = (TrumpSight(sees(rules, _5C=0.7, _7C=0.25)), TrumpSight(sees(rules, _2C=0.99), after=1, arm=arm))
        (taken, share), _ = Decoder(rules).decode(HandEvidence(tricks, sights)).trumps
        assert str(rules.cards[taken]) == "5C"
        shares.append(share)
    assert shares[0] > 0.99, "everything goes together"
    assert shares[1] < 0.9, "somebody exchanged out of turn, or the arm was another's"


def test_the_last_unseen_card_is_known_by_elimination() -> None:
    order = list(CARDS)
    tricks: list[TrickEvidence] = []
    flat = np.full(len(CARDS), 1 / len(CARDS))
    for number in range(20):
        pair = []
        for card in order[2 * number : 2 * number + 2]:
            hidden = str(card) == "5C"
            pair.append(play(flat, unseen=True) if hidden else play(belief(CARDS, ((str(card), 0.97),))))
        tricks.append(trick(*pair))
    found = Decoder(RULES).decode(HandEvidence(tuple(tricks), (TrumpSight(belief(CARDS, (("12B", 0.99),))),)))
    assert text(found.best[order.index(Card.parse("5C"))]) == "5C"
    assert found.shares[order.index(Card.parse("5C"))].max() > 0.99


def test_an_unseen_card_stays_open_until_then() -> None:
    flat = np.full(len(CARDS), 1 / len(CARDS))
    found = Decoder(RULES).decode(HandEvidence((trick(south(sees(_4O=0.9)), play(flat, unseen=True)),), TRUMP))
    assert found.best[1] == -1
    assert found.shares[1].max() < 0.05


def test_without_a_face_up_card_the_suit_is_open() -> None:
    found = Decoder(RULES).decode(HandEvidence((trick(south(sees(_4O=0.9)), north(sees(_5B=0.9))),)))
    assert found.suit is None
    assert found.trumps == []


def test_two_sure_readings_of_one_card_leave_a_doubt() -> None:
    evidence = HandEvidence((trick(south(sees(_4O=0.98, _5O=0.01)), north(sees(_4O=0.98, _4C=0.01))),), TRUMP)
    found = Decoder(RULES).decode(evidence)
    assert found.shares.max(axis=1).max() < 0.9


def test_a_card_that_is_there_twice_is_told_once_nothing_else_fits() -> None:
    first, again = sees(_4O=1.0), sees(_4O=1.0)
    others = [str(card) for card in CARDS if str(card) not in ("4O", "2B", "6E")]
    plays = [first, *(sees(**{f"_{name}": 1.0}) for name in others), again]
    tricks = tuple(trick(play(one), play(two)) for one, two in zip(plays[::2], plays[1::2], strict=False))
    whole = Decoder(RULES).decode(HandEvidence((*tricks, trick(play(plays[-1]))), TRUMP))
    assert [text(k) for k in (whole.best[0], whole.best[-1])] == ["4O", "4O"]  # or the 2B was read as the 4O
    assert 0.8 < min(whole.shares[0].max(), whole.shares[-1].max()) < 0.999
    early = Decoder(RULES).decode(HandEvidence((trick(play(first), play(again)),), TRUMP))
    assert 0.5 < early.shares[1][CARDS.index(Card.parse("4O"))] < 0.9  # a doubt while many cards may be meant


def test_a_card_is_not_there_twice_for_a_face_that_is_read_badly() -> None:
    evidence = HandEvidence((trick(south(sees(_4O=1.0)), north(sees(_4O=0.94, _12B=0.06))),), TRUMP)
    assert text(Decoder(RULES).decode(evidence).best[1]) == "12B"


def test_a_card_that_a_person_placed_against_what_was_seen_is_there_once() -> None:
    seen = (trick(south(sees(_4O=1.0)), north(sees(_4O=1.0))),)
    assert [text(k) for k in Decoder(RULES).decode(HandEvidence(seen, TRUMP)).best] == ["4O", "4O"]
    named = HandEvidence(seen, TRUMP, named=frozenset([CARDS.index(Card.parse("4O"))]))
    assert len(set(Decoder(RULES).decode(named).best)) == 2


def test_the_face_up_card_can_be_there_twice_as_well() -> None:
    sixes = (TrumpSight(sees(_6E=1.0)),)
    found = Decoder(RULES).decode(HandEvidence((trick(south(sees(_6E=1.0)), north(sees(_4O=1.0))),), sixes))
    assert text(found.best[0]) == "6E"
    assert [text(card) for card, _ in found.trumps] == ["6E"]


def test_a_hand_that_breaks_the_order_of_play_again_and_again_is_not_believed() -> None:
    # South takes every trick, and north is seen to lead every next one.
    names = ("1O", "2O", "1C", "2C", "1B", "2B", "3O", "4O")
    cards = [sees(**{f"_{name}": 1.0}) for name in names]
    sure, other = (0.0, -20.0), (-20.0, 0.0)
    first = trick(play(cards[0], sure), play(cards[1], other))
    after = [trick(play(low, other), play(high, sure)) for high, low in zip(cards[2::2], cards[3::2], strict=True)]
    once = Decoder(RULES).decode(HandEvidence((first, after[0]), TRUMP))
    assert not once.muddled
    assert min(once.seat_share) > 0.9
    often = Decoder(RULES).decode(HandEvidence((first, *after), TRUMP))
    assert often.muddled
    assert max(often.seat_share) <= 0.6
    assert often.trumps[0][1] <= 0.6


FEW = [Card.parse(word) for word in ("4O", "5O", "1C", "3C", "12B")]
OTHERS = st.lists(st.lists(st.floats(0.001, 0.12), min_size=5, max_size=5), min_size=4, max_size=4)
TOPS = st.tuples(st.permutations(range(5)), st.booleans()).map(lambda one: [*one[0][:3], one[0][3 if one[1] else 0]])


@settings(max_examples=40, deadline=None)
@given(TOPS, OTHERS, st.floats(-3, 3))
@example([0, 2, 1, 3], [[0.0625] * 5] * 4, -2.0)
def test_posteriors_are_those_of_all_legal_wholes(tops: list[int], weights: list[list[float]], tilt: float) -> None:
    """Against every way to give four plays of two tricks their cards, with the leader of the second uncertain.

    Different cards, or one card a second time where two clear faces show it.
    """
    columns = [CARDS.index(card) for card in FEW]
    beliefs = []
    for top, others in zip(tops, weights, strict=True):
        shares = np.full(len(CARDS), 1e-7)
        shares[columns] = others
        shares[columns[top]] = 1.0
        beliefs.append(shares / shares.sum())
    second = (min(0.0, tilt), min(0.0, -tilt))  # the landing place of the third card
    evidence = HandEvidence(
        (trick(south(beliefs[0]), north(beliefs[1])), trick(play(beliefs[2], second), play(beliefs[3]))),
        (TrumpSight(sees(_7E=0.999)),),
    )
    found = Decoder(RULES).decode(evidence)
    exact = np.zeros((4, 5))
    clear = [float(shares.max()) >= CLEAR and columns[top] for shares, top in zip(beliefs, tops, strict=True)]
    for order in product(range(5), repeat=4):
        again = [row for row, card in enumerate(order) if card in order[:row]]
        if len(again) > 1 or any(clear[row] != columns[order[row]] for row in again):
            continue
        if any(order[row] not in [tops[k] for k in range(row) if clear[k]] for row in again):
            continue
        winner = winning_index([FEW[order[0]], FEW[order[1]]], "E")
        weight = math.exp(second[0 if winner == 0 else 1] - TWIN * len(again))
        for row, card in enumerate(order):
            weight *= float(beliefs[row][columns[card]])
        for row, card in enumerate(order):
            exact[row, card] += weight
    exact /= exact.sum(axis=1, keepdims=True)
    got = found.shares[:, columns]
    assert got == pytest.approx(exact, abs=0.05)
