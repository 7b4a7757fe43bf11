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
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from engine.rules import Rules
from server.referee.beam import EARLY, ERROR, FORBIDDEN, Beam, Whole
from server.referee.evidence import HandEvidence, PlayEvidence, TrumpSight
from server.referee.readings import FLOOR, Floats

TRUMP_MARGIN: Final = 5.0
"""Nats behind the likeliest face-up card up to which another one is weighed."""

TRUMPS: Final = 5
"""Readings of the face-up card weighed at most."""

CLEAR: Final = 0.97
"""Belief from which a face counts as clearly read: of some 1,200 such plays of made-up films none was another card."""

TWIN: Final = 3.5
"""Nats against a card being there twice (one is of another deck), where two clearly read faces say so."""

MUDDLED: Final = 3
"""Tricks out of order from which a hand is rather read wrongly, as with a wrong trump, than played so."""

UNBELIEVED: Final = 0.6
"""Confidence that is left then in what was read: in who played what, and in the trump. What people say stands."""

CERTAIN: Final = 0.9995
"""No posterior is claimed to be higher than this."""


@dataclass(slots=True)
class Decoding:
    """The decoded hand. Arrays follow the plays in order; columns are the deck's cards.

    ``shares`` (n, K) are posteriors, ``best`` (n,) the cards of the likeliest whole. ``seats`` gives per trick the
    seats in order of play of the likeliest whole, ``lead_share`` the posterior of its leaders, ``seat_share`` (n,) that
    of each play's seat. ``next_leader`` (P,) is the posterior of the seat to lead next. ``trumps`` pairs each face-up
    card with its posterior. ``muddled``: the likeliest whole breaks the order of play too often to be believed, so that
    neither its seats nor its trump are, unless people told them.
    """

    best: list[int]
    shares: Floats
    seats: list[tuple[int, ...]]
    lead_share: list[float]
    seat_share: list[float]
    next_leader: tuple[float, ...]
    trumps: list[tuple[int, float]]
    suit: str | None
    suit_share: float
    log_weight: float
    muddled: bool = False


@dataclass(slots=True)
class _Tally:
    """Sums over whole hands, for the posteriors."""

    logs: list[float] = field(default_factory=list)
    wholes: list[Whole] = field(default_factory=list)
    trumps: list[tuple[tuple[int, ...], int]] = field(default_factory=list)


class Decoder:
    """Decodes hands under one set of rules. Holds nothing but tables made from the rules."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._cards: tuple[Card, ...] = rules.cards
        self._suit = [("OCEB").index(card.suit) for card in self._cards]
        self._rank = [card.rank for card in self._cards]
        self._beam = Beam(rules)

    def decode(self, evidence: HandEvidence) -> Decoding:
        """The likeliest legal whole and the posteriors around it."""
        rows = [play for trick in evidence.tricks for play in trick.plays]
        trick_of = np.array([k for k, trick in enumerate(evidence.tricks) for _ in trick.plays], dtype=np.intp)
        costs = -np.log(np.maximum(np.array([play.shares for play in rows]), FLOOR)) if rows else np.zeros((0, 0))
        orders = [self._beam.orders(trick) for trick in evidence.tricks]
        tally = _Tally()
        twins, twin_costs = self._twins(evidence, costs, trick_of) if rows else ((), costs)
        columns = (*range(len(self._cards)), *twins)
        for cards, suit, log in self._trump_readings(evidence, rows, trick_of):
            barred = np.hstack([costs + self._bars(cards, evidence.trumps, trick_of), twin_costs]) if rows else costs
            for whole in self._beam.search(evidence, rows, barred, columns, orders, suit, cards):
                tally.logs.append(whole.log + log)
                tally.wholes.append(whole)
                tally.trumps.append((cards, suit))
        return self._weigh(evidence, rows, tally)

    def _twins(
        self, evidence: HandEvidence, costs: Floats, trick_of: NDArray[np.intp]
    ) -> tuple[tuple[int, ...], Floats]:
        """Cards that clearly read faces show a second time, and what it costs each play to be the second one (n, m).

        The second is a later play, or one that was made while the card lay face up beside the stock.
        """
        clear = costs <= -math.log(CLEAR)
        twins: list[int] = []
        second = np.zeros_like(clear)
        for card in set(np.flatnonzero(clear.any(axis=0)).tolist()) - evidence.named:
            later = np.flatnonzero(clear[:, card])
            second[later[1:], card] = True
            for order, sight in enumerate(evidence.trumps):
                if sight.gone is None and sight.shares[card] >= CLEAR:
                    second[later[trick_of[later] < self._due(evidence.trumps, order)], card] = True
            if second[:, card].any():
                twins.append(card)
        twins.sort()
        return tuple(twins), np.where(second[:, twins], costs[:, twins] + TWIN, FORBIDDEN)

    def _trump_readings(
        self, evidence: HandEvidence, rows: list[PlayEvidence], trick_of: NDArray[np.intp]
    ) -> list[tuple[tuple[int, ...], int, float]]:
        """Likely readings of the face-up cards: (cards in order of time, suit, log weight)."""
        if not evidence.trumps:
            return [((), suit, math.log(share)) for suit, share in enumerate(evidence.suits) if share > 1e-6]
        readings: list[tuple[tuple[int, ...], float, float]] = [((), 0.0, 0.0)]
        for order, sight in enumerate(evidence.trumps):
            until = self._due(evidence.trumps, order)
            until = until if sight.gone is None else min(until, sight.gone)
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

    def _due(self, sights: tuple[TrumpSight, ...], order: int) -> int:
        """Tricks gathered when a face-up card is picked up at its time: in exchange for the next one, or drawn."""
        return sights[order + 1].after if order + 1 < len(sights) else self._rules.draw_rounds

    def _may_exchange(self, given: int, taken: int) -> bool:
        takes = self._rules.exchange_takes.get(self._rank[given])
        return takes is not None and self._rank[taken] in takes

    def _bars(self, cards: tuple[int, ...], sights: tuple[TrumpSight, ...], trick_of: NDArray[np.intp]) -> Floats:
        """Costs that keep a face-up card from being played before it was picked up."""
        bars = np.zeros((len(trick_of), len(self._cards)))
        for order, card in enumerate(cards):
            until = self._due(sights, order)
            gone = sights[order].gone
            if gone is not None and gone < until:
                bars[trick_of < until, card] = EARLY
                until = gone
            bars[trick_of < until, card] = FORBIDDEN
        return bars

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
        muddled = self._beam.broken(evidence, chosen, suit) >= MUDDLED

        def most(said: bool) -> float:
            return UNBELIEVED if muddled and not said else CERTAIN

        laid = np.zeros(len(rows))
        wanted = _flat(chosen)
        for weight, whole in zip(weights, tally.wholes, strict=True):
            laid += weight / total * (_flat(whole) == wanted)
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
            seat_share=[
                min(float(share) * _may_lay(row, seat), most(row.said))
                for share, row, seat in zip(laid, rows, wanted.tolist(), strict=True)
            ],
            next_leader=tuple(min(share, CERTAIN) for share in following),
            trumps=[
                (card, min(faces[order].get(card, 0.0), most(evidence.trumps[order].said)))
                for order, card in enumerate(cards)
            ],
            suit="OCEB"[suit] if suits[suit] > 0.5 else None,
            suit_share=min(suits[suit], most(evidence.suit_said)),
            log_weight=top + math.log(total),
            muddled=muddled,
        )


def _flat(whole: Whole) -> NDArray[np.intp]:
    """The seats of all plays in order."""
    return np.array([seat for seats in whole.seats for seat in seats], dtype=np.intp)


def _may_lay(play: PlayEvidence, seat: int) -> float:
    """Chance that the seat which the order of play names laid a card that fell somewhere else.

    What the wholes do not know is weighed here: a card too many, laid by a seat that is not to play at all.
    """
    return 1.0 / (1.0 + math.exp(min(-play.places[seat] - ERROR, 50.0)))
