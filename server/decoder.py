"""The likeliest legal whole of a hand: which cards were played, who led each trick, which card is the trump.

Evidence goes in per play (a belief over the deck, the seats that the landing place speaks for), per trick (who
gathered it) and for the face-up card. The rules bind it together: each card exists once, the face-up card is not
played while it lies there, the winner of a trick leads the next, seats follow in order.

For each likely reading of the face-up card the cheapest assignment of plays to cards is solved exactly; its reduced
costs tell which other cards a play can have at all. A search trick by trick then scores whole hands with the seats as
well, and every play's posterior is its share among them. A person's word is evidence that nothing outweighs.
"""

import math
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from engine.rules import Rules
from server.assignment import solve
from server.readings import FLOOR

Floats = NDArray[np.float64]

MARGIN: Final = 5.0
"""Nats beyond the optimum up to which another card of a play is weighed."""

WIDE_MARGIN: Final = 11.0
"""The same for the plays of tricks whose winner does not go with where the next cards fell or who gathered."""

TENSION: Final = 2.0
"""Nats that places or a gathering must speak against the likeliest whole for a trick to be weighed widely."""

TRUMP_MARGIN: Final = 5.0
"""Nats behind the likeliest face-up card up to which another one is weighed."""

BRANCHES: Final = 5
"""Cards weighed for one play at most; an unseen play with more open cards stays open."""

WIDTH: Final = 48
"""Whole hands kept at each trick."""

FORBIDDEN: Final = 30.0
"""Nats against a card that cannot be there by the rules."""

ERROR: Final = 7.0
"""Nats against the people at the table having played in a wrong order."""

TAKER: Final = 4.0
"""Nats against the face-up card being played by another seat than the one that drew it."""

PRUNE: Final = 12.0
"""Nats behind the best at which a whole hand on its way is dropped."""

TRUMPS: Final = 5
"""Readings of the face-up card weighed at most."""

CERTAIN: Final = 0.9995
"""No posterior is claimed to be higher than this."""


@dataclass(frozen=True, slots=True)
class PlayEvidence:
    """One play: ``shares`` (K,) is the belief over the deck; ``places`` (P,) the log likelihood of each seat.

    ``unseen`` is a play that the order of play demands but nobody saw: its shares are flat.
    """

    shares: Floats
    places: tuple[float, ...]
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class TrickEvidence:
    """One trick in order of play; ``gathered`` (P,) is the log likelihood of each winner, ``led`` of each leader."""

    plays: tuple[PlayEvidence, ...]
    gathered: tuple[float, ...]
    led: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class TrumpSight:
    """A face-up card: ``shares`` (K,) and the number of tricks gathered before it was laid (0: from the start)."""

    shares: Floats
    after: int = 0


@dataclass(frozen=True, slots=True)
class HandEvidence:
    """Everything seen of one hand. ``suits`` weighs the trump suits (O, C, E, B) where no card is seen."""

    tricks: tuple[TrickEvidence, ...]
    trumps: tuple[TrumpSight, ...] = ()
    suits: tuple[float, float, float, float] = (0.25, 0.25, 0.25, 0.25)


@dataclass(slots=True)
class Decoding:
    """The decoded hand. Arrays follow the plays in order; columns are the deck's cards.

    ``shares`` (n, K) are posteriors, ``best`` (n,) the cards of the likeliest whole. ``seats`` gives per trick the
    seats in order of play of the likeliest whole, ``lead_share`` the posterior of its leaders. ``next_leader`` (P,)
    is the posterior of the seat to lead next. ``trumps`` pairs each face-up card with its posterior.
    """

    best: list[int]
    shares: Floats
    seats: list[tuple[int, ...]]
    lead_share: list[float]
    next_leader: tuple[float, ...]
    trumps: list[tuple[int, float]]
    suit: str | None
    suit_share: float
    log_weight: float


@dataclass(slots=True)
class _Whole:
    """One hypothesis on its way: its log weight, used cards as bits, next leader (-1: open), what was chosen."""

    log: float
    used: int
    leader: int
    picks: tuple[int, ...]
    seats: tuple[tuple[int, ...], ...]
    taker: int = -1


@dataclass(slots=True)
class _Tally:
    """Sums over whole hands, for the posteriors."""

    logs: list[float] = field(default_factory=list)
    wholes: list[_Whole] = field(default_factory=list)
    trumps: list[tuple[tuple[int, ...], int]] = field(default_factory=list)


class Decoder:
    """Decodes hands under one set of rules. Holds nothing but tables made from the rules."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._cards: tuple[Card, ...] = rules.cards
        self._suit = [("OCEB").index(card.suit) for card in self._cards]
        self._strength = [card.strength for card in self._cards]
        self._rank = [card.rank for card in self._cards]
        self._players = rules.plays_per_trick
        self._rotations = [rules.seats_from(seat) for seat in range(rules.players)]

    def decode(self, evidence: HandEvidence) -> Decoding:
        """The likeliest legal whole and the posteriors around it."""
        rows = [play for trick in evidence.tricks for play in trick.plays]
        trick_of = np.array([k for k, trick in enumerate(evidence.tricks) for _ in trick.plays], dtype=np.intp)
        costs = -np.log(np.maximum(np.array([play.shares for play in rows]), FLOOR)) if rows else np.zeros((0, 0))
        orders = [self._orders(trick) for trick in evidence.tricks]
        tally = _Tally()
        for cards, suit, log in self._trump_readings(evidence, rows, trick_of):
            barred = costs + self._bars(cards, evidence.trumps, trick_of) if rows else costs
            for whole in self._search(evidence, rows, barred, orders, suit, cards[-1] if cards else -1):
                tally.logs.append(whole.log + log)
                tally.wholes.append(whole)
                tally.trumps.append((cards, suit))
        return self._weigh(evidence, rows, tally)

    def _trump_readings(
        self, evidence: HandEvidence, rows: list[PlayEvidence], trick_of: NDArray[np.intp]
    ) -> list[tuple[tuple[int, ...], int, float]]:
        """Likely readings of the face-up cards: (cards in order of time, suit, log weight)."""
        if not evidence.trumps:
            return [((), suit, math.log(share)) for suit, share in enumerate(evidence.suits) if share > 1e-6]
        readings: list[tuple[tuple[int, ...], float, float]] = [((), 0.0, 0.0)]
        for order, sight in enumerate(evidence.trumps):
            until = evidence.trumps[order + 1].after if order + 1 < len(evidence.trumps) else self._rules.draw_rounds
            early = [play.shares for play, trick in zip(rows, trick_of.tolist(), strict=True) if trick < until]
            # A card that was surely played while the face-up card lay there is not the face-up card.
            elsewhere = np.max(early, axis=0) if early else np.zeros(len(self._cards))
            logs = np.log(np.maximum(sight.shares, FLOOR))
            guesses = logs + np.log(np.maximum(1.0 - elsewhere, 1e-3))
            ranking = np.argsort(-guesses, kind="stable").tolist()
            wider: list[tuple[tuple[int, ...], float, float]] = []
            for cards, log, guess in readings:
                suit = self._suit[cards[0]] if cards else -1
                allowed = [k for k in ranking if k not in cards and suit in (-1, self._suit[k])]
                for k in allowed[:8]:
                    legal = 0.0 if not cards or self._may_exchange(k, cards[-1]) else -6.0
                    wider.append(((*cards, k), log + float(logs[k]) + legal, guess + float(guesses[k]) + legal))
            wider.sort(key=lambda one: -one[2])
            readings = [one for one in wider[:TRUMPS] if one[2] > wider[0][2] - TRUMP_MARGIN]
        return [(cards, self._suit[cards[0]], log) for cards, log, _ in readings]

    def _may_exchange(self, given: int, taken: int) -> bool:
        takes = self._rules.exchange_takes.get(self._rank[given])
        return takes is not None and self._rank[taken] in takes

    def _bars(self, cards: tuple[int, ...], sights: tuple[TrumpSight, ...], trick_of: NDArray[np.intp]) -> Floats:
        """Costs that keep a face-up card from being played before it was picked up."""
        bars = np.zeros((len(trick_of), len(self._cards)))
        for order, card in enumerate(cards):
            until = sights[order + 1].after if order + 1 < len(sights) else self._rules.draw_rounds
            bars[trick_of < until, card] = FORBIDDEN
        return bars

    def _orders(self, trick: TrickEvidence) -> list[tuple[float, tuple[int, ...]]]:
        """For each seat that should lead: log likelihood of the places, and the seats in order of play.

        The order is the rule's, unless the places contradict it so clearly that the table must have erred.
        """
        count = len(trick.plays)
        places = [play.places for play in trick.plays]
        found: list[tuple[float, tuple[int, ...]]] = []
        other: tuple[float, tuple[int, ...]] | None = None
        for leader, rotation in enumerate(self._rotations):
            log = sum(places[p][rotation[p % len(rotation)]] for p in range(count)) + trick.led[leader]
            if log < -ERROR and count and len(rotation) == self._players <= 4:
                if other is None:
                    other = max(
                        (sum(places[p][order[p]] for p in range(count)), tuple(-seat for seat in order))
                        for order in permutations(range(self._players))
                    )
                    other = (other[0], tuple(-seat for seat in other[1]))
                if other[0] - ERROR > log:
                    found.append((other[0] - ERROR, other[1]))
                    continue
            found.append((log, rotation))
        return found

    def _search(
        self,
        evidence: HandEvidence,
        rows: list[PlayEvidence],
        costs: Floats,
        orders: list[list[tuple[float, tuple[int, ...]]]],
        trump: int,
        face_up: int,
    ) -> list[_Whole]:
        """Whole hands near the optimum under one reading of the trump, with their true log weights."""
        if not rows:
            first = math.log(1.0 / self._rules.players)
            return [_Whole(first, 0, seat, (), ()) for seat in range(self._rules.players)]
        whole_deck = len(rows) == len(self._cards)
        solved = [row for row, play in enumerate(rows) if whole_deck or not play.unseen]
        optimum = solve(costs[solved])
        reduced: dict[int, Floats] = dict(zip(solved, optimum.reduced, strict=True))
        regret: dict[int, Floats] = dict(zip(solved, optimum.regret, strict=True))
        margins = [MARGIN] * len(evidence.tricks)
        options = self._options(evidence, reduced, regret, margins)
        wholes = self._beam(evidence, options, orders, trump, face_up)
        tense = self._tense(evidence, max(wholes, key=lambda whole: whole.log), orders)
        if tense:
            margins = [WIDE_MARGIN if number in tense else MARGIN for number in range(len(margins))]
            options = self._options(evidence, reduced, regret, margins)
            wholes = self._beam(evidence, options, orders, trump, face_up)
        # The search was guided by reduced costs; what counts in the end is what the cards really cost.
        true = {row: (optimum.reduced[line] - costs[row]).tolist() for line, row in enumerate(solved)}
        for whole in wholes:
            whole.log += sum(true[row][card] for row, card in enumerate(whole.picks) if card >= 0)
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

    def _beam(
        self,
        evidence: HandEvidence,
        options: list[list[tuple[tuple[int, ...], float, int]]],
        orders: list[list[tuple[float, tuple[int, ...]]]],
        trump: int,
        face_up: int,
    ) -> list[_Whole]:
        """The best whole hands, grown trick by trick."""
        players = self._rules.players
        wholes = [_Whole(math.log(1.0 / players), 0, seat, (), ()) for seat in range(players)]
        for number, trick in enumerate(evidence.tricks):
            count = len(trick.plays)
            full = count >= self._players
            last_draw = number + 1 == self._rules.draw_rounds
            grown: list[_Whole] = []
            hands = options[number]
            clash = all(whole.used & bits for _, _, bits in hands for whole in wholes)
            for picks, cost, bits in hands:
                winner = self._winner(picks, trump) if full else None
                outcomes = (0,) if not full else tuple(range(self._players)) if winner is None else (winner,)
                share = math.log(1.0 / len(outcomes)) - (FORBIDDEN if clash else 0.0) - cost
                for whole in wholes:
                    if whole.used & bits and not clash:
                        continue
                    place, seats = orders[number][whole.leader]
                    log = whole.log + place + share
                    if whole.taker >= 0 and face_up in picks and seats[picks.index(face_up)] != whole.taker:
                        log -= TAKER
                    for position in outcomes:
                        seat = seats[position % len(seats)] if full else whole.leader
                        gathered = trick.gathered[seat] if full else 0.0
                        taker = (seat - 1) % players if last_draw and full else whole.taker
                        grown.append(
                            _Whole(
                                log + gathered,
                                whole.used | bits,
                                seat,
                                whole.picks + picks,
                                (*whole.seats, seats[:count]),
                                taker,
                            )
                        )
            grown.sort(key=_by_log)
            limit = grown[0].log - PRUNE
            wholes = [whole for whole in grown[:WIDTH] if whole.log >= limit]
        return wholes

    def _tense(
        self, evidence: HandEvidence, best: _Whole, orders: list[list[tuple[float, tuple[int, ...]]]]
    ) -> set[int]:
        """Tricks whose winner in the likeliest whole does not go with what was seen after them."""
        tense: set[int] = set()
        for number, seats in enumerate(best.seats):
            if number == 0 or not seats:
                continue
            leader = seats[0]
            most = max(log for log, _ in orders[number])
            expected = [log for log, order in orders[number] if order[0] == leader]
            gathered = evidence.tricks[number - 1].gathered
            if not expected or max(expected) < most - TENSION or gathered[leader] < max(gathered) - TENSION:
                tense |= {number - 1, number}
        return tense

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

    def _weigh(self, evidence: HandEvidence, rows: list[PlayEvidence], tally: _Tally) -> Decoding:
        """Posteriors from the whole hands found."""
        size = len(self._cards)
        shares = np.zeros((len(rows), size))
        leaders = [[0.0] * self._rules.players for _ in evidence.tricks]
        following = [0.0] * self._rules.players
        suits = [0.0, 0.0, 0.0, 0.0]
        faces: list[dict[int, float]] = [{} for _ in evidence.trumps]
        best = max(range(len(tally.logs)), key=lambda k: tally.logs[k])
        top = tally.logs[best]
        weights = [math.exp(log - top) for log in tally.logs]
        total = sum(weights)
        for weight, whole, (cards, suit) in zip(weights, tally.wholes, tally.trumps, strict=True):
            share = weight / total
            if share < 1e-9:
                continue
            for row, card in enumerate(whole.picks):
                if card >= 0:
                    shares[row, card] += share
            for number, seats in enumerate(whole.seats):
                if seats:
                    leaders[number][seats[0]] += share
            following[whole.leader] += share
            suits[suit] += share
            for order, card in enumerate(cards):
                faces[order][card] = faces[order].get(card, 0.0) + share
        chosen = tally.wholes[best]
        cards, suit = tally.trumps[best]
        np.minimum(shares, CERTAIN, out=shares)
        for row, card in enumerate(chosen.picks):
            if card < 0:  # not seen and not yet settled: any card that nobody else has
                free = np.ones(size)
                free[[k for k in chosen.picks if k >= 0]] = 0.0
                shares[row] = free / max(free.sum(), 1.0)
        return Decoding(
            best=list(chosen.picks),
            shares=shares,
            seats=list(chosen.seats),
            lead_share=[
                min(leaders[number][seats[0]], CERTAIN) if seats else 0.0 for number, seats in enumerate(chosen.seats)
            ],
            next_leader=tuple(min(share, CERTAIN) for share in following),
            trumps=[(card, min(faces[order].get(card, 0.0), CERTAIN)) for order, card in enumerate(cards)],
            suit="OCEB"[suit] if suits[suit] > 0.5 else None,
            suit_share=min(suits[suit], CERTAIN),
            log_weight=top + math.log(total),
        )


def _by_log(whole: _Whole) -> float:
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
