"""The search for whole hands: tricks are put together one after another, and only the likeliest wholes are kept.

The cheapest assignment of plays to cards guides it: its reduced costs say which other cards a play can have at all.
"""

import math
from dataclasses import dataclass
from itertools import permutations, product
from typing import Final

import numpy as np

from engine.rules import Rules
from server.referee.evidence import HandEvidence, PlayEvidence, TrickEvidence
from server.referee.readings import Floats
from vision.assignment import solve

MARGIN: Final = 6.0
"""Nats beyond the optimum up to which another card of a play is weighed.

Two plays that change card together cost about 5.5. Much more crowds the beam, which then drops the right whole.
"""

WIDE_MARGIN: Final = 11.0
"""The same for the plays of tricks whose winner does not go with where the next cards fell or who gathered."""

TENSION: Final = 2.0
"""Nats that places or a gathering must speak against the likeliest whole for a trick to be weighed widely."""

BRANCHES: Final = 5
"""Cards weighed for one play at most; an unseen play with more open cards stays open."""

WIDTH: Final = 48
"""Whole hands kept at each trick."""

LEADER_WIDTH: Final = 12
"""Whole hands kept at each trick for each seat that may have taken it, however unlikely beside the others."""

DOUBT: Final = 3.0
"""So many nats before it is likelier than the rule's, another order of play is weighed."""

FORBIDDEN: Final = 30.0
"""Nats against a card that cannot be there by the rules."""

ERROR: Final = 7.0
"""Nats against the people at the table having played in a wrong order."""

TAKER: Final = 5.5
"""Nats against a card from the table being played by another seat than the one that drew or exchanged it.

Only an exchange out of turn does that, which is rarer than a doubtful reading of the face-up card."""

ARM: Final = 5.0
"""Nats against a card from the table being played by another seat than the one whose arm exchanged it."""

EARLY: Final = 4.0
"""Nats against the face-up card having been taken before its time, where it was seen to be gone."""

PRUNE: Final = 12.0
"""Nats behind the best at which a whole hand on its way is dropped."""


Order = tuple[float, tuple[int, ...]]
"""Log likelihood of an order of play, and its seats."""


@dataclass(slots=True)
class Whole:
    """One hypothesis on its way: its log weight, used columns as bits, next leader (-1: open), what was chosen."""

    log: float
    used: int
    leader: int
    picks: tuple[int, ...]
    seats: tuple[tuple[int, ...], ...]
    taker: int = -1


class Beam:
    """Searches under one set of rules. Holds nothing but tables made from the rules.

    A play's cards are columns of the deck, ``rules.cards``; costs are in nats.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._cards = rules.cards
        self._suit = [("OCEB").index(card.suit) for card in self._cards]
        self._strength = [card.strength for card in self._cards]
        self._players = rules.plays_per_trick
        self._rotations = [rules.seats_from(seat) for seat in range(rules.players)]

    def orders(self, trick: TrickEvidence) -> list[list[Order]]:
        """For each seat that should lead: the orders of play with the log likelihood of the places.

        The first is the rule's. Where the places contradict it, so that the table may have erred, the one that fits
        them best is weighed beside it.
        """
        count = len(trick.plays)
        places = [play.places for play in trick.plays]
        found: list[list[Order]] = []
        other: Order | None = None
        for leader, rotation in enumerate(self._rotations):
            log = sum(places[p][rotation[p % len(rotation)]] for p in range(count)) + trick.led[leader]
            ways: list[Order] = [(log, rotation)]
            if log < -ERROR + DOUBT and count and len(rotation) == self._players <= 4:
                if other is None:
                    other = self._by_places(places)
                if other[1][:count] != rotation[:count]:
                    ways.append((other[0] - ERROR, other[1]))
            found.append(ways)
        return found

    def _by_places(self, places: list[tuple[float, ...]]) -> Order:
        """The order of play that the places of a trick speak for, whatever the rules say; the lowest of equals."""
        log, order = max(
            (sum(place[seat] for place, seat in zip(places, order, strict=False)), tuple(-seat for seat in order))
            for order in permutations(range(self._players))
        )
        return log, tuple(-seat for seat in order)

    def search(
        self,
        evidence: HandEvidence,
        rows: list[PlayEvidence],
        costs: Floats,
        columns: tuple[int, ...],
        orders: list[list[list[Order]]],
        trump: int,
        faces: tuple[int, ...],
    ) -> list[Whole]:
        """Whole hands near the optimum under one reading of the trump, with their true log weights.

        ``costs`` (n, m) has a column for each entry of ``columns``, the cards that can be played: the deck, and again
        each card that may be there a second time.
        """
        if not rows:
            first = math.log(1.0 / self._rules.players)
            return [Whole(first, 0, seat, (), ()) for seat in range(self._rules.players)]
        whole_deck = len(rows) == len(self._cards)
        solved = [row for row, play in enumerate(rows) if whole_deck or not play.unseen]
        optimum = solve(costs[solved])
        reduced: dict[int, Floats] = dict(zip(solved, optimum.reduced, strict=True))
        regret: dict[int, Floats] = dict(zip(solved, optimum.regret, strict=True))
        margins = [MARGIN] * len(evidence.tricks)
        options = self._options(evidence, reduced, regret, margins)
        wholes = self._grown(evidence, options, columns, orders, trump, faces)
        tense = self._tense(evidence, max(wholes, key=lambda whole: whole.log), orders)
        if tense:
            margins = [WIDE_MARGIN if number in tense else MARGIN for number in range(len(margins))]
            options = self._options(evidence, reduced, regret, margins)
            wholes = self._grown(evidence, options, columns, orders, trump, faces)
        # The search was guided by reduced costs; what counts in the end is what the cards really cost.
        true = {row: (optimum.reduced[line] - costs[row]).tolist() for line, row in enumerate(solved)}
        for whole in wholes:
            whole.log += sum(true[row][column] for row, column in enumerate(whole.picks) if column >= 0)
            whole.picks = _cards_of(whole.picks, columns)
        return wholes

    def _options(
        self, evidence: HandEvidence, reduced: dict[int, Floats], regret: dict[int, Floats], margins: list[float]
    ) -> list[list[tuple[tuple[int, ...], float, int]]]:
        """Per trick the ways to give its plays cards, see :func:`_combinations`."""
        found: list[list[tuple[tuple[int, ...], float, int]]] = []
        row = 0
        for trick, margin in zip(evidence.tricks, margins, strict=True):
            choices: list[list[tuple[int, float]]] = []
            for play in trick.plays:
                prices = reduced.get(row)
                row += 1
                if prices is None:
                    choices.append([(-1, 0.0)])
                    continue
                near = np.flatnonzero(regret[row - 1] <= margin)
                if play.unseen and len(near) > BRANCHES:
                    choices.append([(-1, 0.0)])
                    continue
                if len(near) > 1:
                    near = near[np.argsort(regret[row - 1][near], kind="stable")][:BRANCHES]
                choices.append([(int(k), float(prices[k])) for k in near])
            found.append(_combinations(choices, margin))
        return found

    def _grown(
        self,
        evidence: HandEvidence,
        options: list[list[tuple[tuple[int, ...], float, int]]],
        columns: tuple[int, ...],
        orders: list[list[list[Order]]],
        trump: int,
        faces: tuple[int, ...],
    ) -> list[Whole]:
        """The best whole hands, grown trick by trick."""
        players = self._rules.players
        face_up = faces[-1] if faces else -1
        swaps = self._swaps(evidence, faces)
        wholes = [Whole(math.log(1.0 / players), 0, seat, (), ()) for seat in range(players)]
        for number, trick in enumerate(evidence.tricks):
            count = len(trick.plays)
            full = count >= self._players
            last_draw = number + 1 == self._rules.draw_rounds
            grown: list[Whole] = []
            hands = options[number]
            clash = all(whole.used & bits for _, _, bits in hands for whole in wholes)
            for picks, cost, bits in hands:
                winner = self._winner(_cards_of(picks, columns), trump) if full else None
                outcomes = (0,) if not full else tuple(range(self._players)) if winner is None else (winner,)
                share = math.log(1.0 / len(outcomes)) - (FORBIDDEN if clash else 0.0) - cost
                ways = [
                    (whole, order)
                    for whole in wholes
                    if clash or not whole.used & bits
                    for order in orders[number][whole.leader]
                ]
                for whole, (place, seats) in ways:
                    log = whole.log + place + share
                    if whole.taker >= 0 and face_up in picks and seats[picks.index(face_up)] != whole.taker:
                        log -= TAKER
                    for after, taken, arm in swaps:
                        if number < after:
                            continue
                        due = next(iter((*whole.seats, seats)[after]), None)
                        # Where another's arm was seen than whose turn it was, one of the two costs, whoever plays it.
                        strange = min(TAKER, ARM) if arm not in (None, due) else 0.0
                        log -= strange * (number == after)
                        if taken in picks:
                            player = seats[picks.index(taken)]
                            log -= TAKER * (player != due) + ARM * (arm not in (None, player)) - strange
                    for position in outcomes if trick.won is None else outcomes[:1]:
                        seat = seats[position % len(seats)] if full else whole.leader
                        if full and trick.won is not None:
                            seat = trick.won
                        gathered = trick.gathered[seat] if full else 0.0
                        taker = (seat - 1) % players if last_draw and full else whole.taker
                        grown.append(
                            Whole(
                                log + gathered,
                                whole.used | bits,
                                seat,
                                whole.picks + picks,
                                (*whole.seats, seats[:count]),
                                taker,
                            )
                        )
            wholes = self._kept(grown)
        return wholes

    def _swaps(self, evidence: HandEvidence, faces: tuple[int, ...]) -> list[tuple[int, int, int | None]]:
        """Exchanges as (tricks gathered before it, card taken, whose arm it was).

        Whoever won the last of those tricks should hold the card.
        """
        if self._rules.exchange_who != "trick_winner":
            return []
        pairs = zip(evidence.trumps[1:], faces[:-1], strict=True)
        return [(sight.after, card, sight.arm) for sight, card in pairs if sight.after]

    def _kept(self, grown: list[Whole]) -> list[Whole]:
        """The likeliest wholes, and the likeliest of each next leader: the next trick shows who took this one."""
        grown.sort(key=_by_log)
        limit = grown[0].log - PRUNE
        room = [LEADER_WIDTH] * self._rules.players
        kept: list[Whole] = []
        for place, whole in enumerate(grown):
            if whole.log < limit:
                break
            if place < WIDTH or room[whole.leader] > 0:
                kept.append(whole)
                room[whole.leader] -= 1
        return kept

    def _tense(self, evidence: HandEvidence, best: Whole, orders: list[list[list[Order]]]) -> set[int]:
        """Tricks whose winner in the likeliest whole does not go with what was seen after them."""
        tense: set[int] = set()
        for number, seats in enumerate(best.seats):
            if number == 0 or not seats:
                continue
            leader = seats[0]
            ways = [way for by_leader in orders[number] for way in by_leader]
            most = max(log for log, _ in ways)
            expected = [log for log, order in ways if order[0] == leader]
            gathered = evidence.tricks[number - 1].gathered
            if not expected or max(expected) < most - TENSION or gathered[leader] < max(gathered) - TENSION:
                tense |= {number - 1, number}
        return tense

    def broken(self, evidence: HandEvidence, whole: Whole, trump: int) -> int:
        """Tricks of a whole that somebody led who had not taken the one before, or that went round out of turn.

        Of tricks that people have told, as the one before, nothing can have been read wrongly: they do not count.
        """
        count, taker, row, told = 0, -1, 0, True
        for trick, seats in zip(evidence.tricks, whole.seats, strict=True):
            picks = whole.picks[row : row + len(seats)]
            row += len(seats)
            before, told = told, all(play.said for play in trick.plays)
            if seats and not (before and told):
                count += taker not in (-1, seats[0]) or seats != self._rotations[seats[0]][: len(seats)]
            place = self._winner(picks, trump) if len(seats) == self._players else None
            taker = trick.won if trick.won is not None else -1 if place is None else seats[place]
        return count

    def _winner(self, picks: tuple[int, ...], trump: int) -> int | None:
        """Position of the winning card; None where an unseen card leaves it open."""
        if -1 in picks:
            return None
        led = self._suit[picks[0]]
        best, power = 0, -1
        for position, card in enumerate(picks):
            suit = self._suit[card]
            value = self._strength[card] + (100 if suit == trump else 0)
            if suit not in (led, trump):
                continue
            if value > power:
                best, power = position, value
        return best


def _cards_of(picks: tuple[int, ...], columns: tuple[int, ...]) -> tuple[int, ...]:
    """The cards of chosen columns; -1 stays what is open."""
    return tuple(columns[pick] if pick >= 0 else -1 for pick in picks)


def _by_log(whole: Whole) -> float:
    return -whole.log


def _combinations(options: list[list[tuple[int, float]]], most: float) -> list[tuple[tuple[int, ...], float, int]]:
    """Ways to give the plays of one trick different cards: (cards, cost, used cards as bits), cheapest first.

    Ways dearer than ``most`` are left out, except the cheapest.
    """
    if all(len(one) == 1 for one in options):
        cards = tuple(one[0][0] for one in options)
        bits = 0
        for card in cards:
            bits |= 1 << card if card >= 0 else 0
        if bits.bit_count() == sum(card >= 0 for card in cards):
            return [(cards, sum(one[0][1] for one in options), bits)]
    found: list[tuple[tuple[int, ...], float, int]] = []
    for choice in product(*options):
        bits, cost = 0, 0.0
        for card, price in choice:
            if card >= 0:
                if bits >> card & 1:
                    break
                bits |= 1 << card
            cost += price
        else:
            found.append((tuple(card for card, _ in choice), cost, bits))
    if not found:  # more plays than cards to tell them apart: let two have the same
        return [(tuple(one[0][0] for one in options), sum(one[0][1] for one in options), 0)]
    found.sort(key=lambda one: one[1])
    return [one for one in found[: 4 * BRANCHES] if one[1] <= max(most, found[0][1])]
