"""Which faces on the table are plays, and of which trick: the most probable way that a hand's cards fell.

Every face that came to rest is either a play or something else (a card shown, a second sighting of the same card). A
trick has a fixed number of plays; a play may have escaped the camera. What tells tricks apart is that the cards of one
lie together and leave together. All of this is evidence with a price in nats; the cheapest story is found by dynamic
programming over the faces in order of time, with (cards in the trick, seat to play) as the state.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.cards import Card
from engine.rules import Rules
from server.referee.readings import Floats

NOT_A_PLAY: Final = 7.0
"""Price of a face at rest in the play area that is no play."""

GATHERED: Final = 4.0
"""What is added where it was gathered like a play."""

REPEATED: Final = 4.5
"""How much of that price is taken off where the face repeats a card already seen."""

BRIEF: Final = 3.5
"""How much is taken off where it lay only for a moment."""

UNSEEN: Final = 7.0
"""Price of a play that nobody saw."""

WRONG_SEAT: Final = 6.0
"""Most that a landing place can say against a seat: people do play out of turn."""

SAME_TRICK: Final = {"lying": 0.0, "vanished": 1.5, "swept": 5.0}
NEXT_TRICK: Final = {"lying": 2.5, "vanished": 0.7, "swept": 0.0}
"""Price of a card being of the same trick as an earlier card, or of the next one, by what became of the earlier one."""

LEFT_TOGETHER: Final = 5.0
"""Price of two cards being of different tricks although they were gathered together."""

LEFT_APART: Final = 2.0
"""Price of two cards being of one trick although one was gathered while the other stayed."""

LED_ALL_THE_SAME: Final = 3.0
"""Nats against another seat leading than the one that the table gave the trick before to, perhaps much later."""

CLOSE_SECONDS: Final = 0.6
"""Two cards that came to rest within so short a time may have been laid the other way round, one under a hand."""

OTHER_WAY: Final = 1.0
"""Nats by which a story must be cheaper for two such cards to change places."""

OTHER_TRICK: Final = 25.0
"""Price of a play being of another trick than people have said, where nobody else can know."""

BEAM: Final = 12.0
"""Stories that are this much dearer than the cheapest are dropped."""

LONG: Final = 2.0
"""What is added where it lay as long as a play does."""

BRIEF_SECONDS: Final = 0.6
LONG_SECONDS: Final = 1.5


@dataclass(frozen=True, slots=True)
class FaceEvidence:
    """A face at rest: when it came and went, how it went, which gathering took it, and whose it may be.

    ``places`` (P,) is the log likelihood of each seat, ``shares`` (K,) the belief over the deck. ``must`` is set where
    a person said that it is a play, ``seat`` where a person said whose, ``trick`` where people alone say of which one.
    """

    uid: int
    t: float
    gone: float | None
    how: str
    group: int | None
    gathered: tuple[float, ...]
    places: tuple[float, ...]
    shares: Floats
    must: bool = False
    seat: int | None = None
    trick: int | None = None

    def state(self, t: float) -> str:
        """What had become of the card at time ``t``: lying, vanished or swept."""
        return "lying" if self.gone is None or self.gone > t else self.how


@dataclass(frozen=True, slots=True)
class Slot:
    """One play of a trick: the face's uid, or None for a play that nobody saw."""

    uid: int | None


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Tricks in order, each with its plays in order; faces that are no plays; the price of the story in nats.

    ``price_recent`` is the part of the price that the last faces caused: high where the thread is being lost.
    """

    tricks: tuple[tuple[Slot, ...], ...]
    others: tuple[int, ...]
    price: float
    price_recent: float


@dataclass(frozen=True, slots=True)
class _Story:
    """One story so far. ``trick`` and ``before`` are the faces of the open and of the last trick."""

    price: float
    seat: int
    trick: tuple[int | None, ...]
    before: tuple[int | None, ...]
    done: int
    steps: "_Step | None"


@dataclass(frozen=True, slots=True)
class _Step:
    """A linked list of what was decided, newest first: ("play"|"unseen"|"other", face index or None, price so far)."""

    kind: str
    face: int | None
    price: float
    last: "_Step | None"


class Arranger:
    """Arranges faces into tricks under one set of rules."""

    def __init__(self, rules: Rules) -> None:
        self._players = rules.players
        self._size = rules.plays_per_trick
        self._tricks = rules.tricks
        self._cards: tuple[Card, ...] = rules.cards
        self._given: dict[int, int] = {}
        self._most = rules.tricks

    def arrange(
        self,
        faces: list[FaceEvidence],
        trump: str | None,
        first: tuple[float, ...],
        leaders: dict[int, int],
        winners: Mapping[int, int] | None = None,
        *,
        final: bool = False,
        missed: int = 0,
    ) -> Arrangement:
        """The cheapest story for ``faces`` in order of time; ``final`` that no more will come.

        Two that came to rest almost at once change places where that makes the story cheaper.
        ``trump`` is the suit if known, ``first`` (P,) the log likelihood of each seat to lead the hand, ``leaders``
        what people said about who led which trick (0 is the first), ``winners`` about who takes it. So many tricks of
        the hand were ``missed`` before.
        """
        self._given = dict(winners or {})
        self._most = self._tricks - missed
        best = self._arranged(faces, trump, first, leaders, final=final)
        order = list(faces)
        for place in range(len(order) - 1):
            one, two = order[place : place + 2]
            if one.must or two.must or two.t - one.t > CLOSE_SECONDS:
                continue
            other = [*order[:place], two, one, *order[place + 2 :]]
            found = self._arranged(other, trump, first, leaders, final=final)
            if found.price < best.price - OTHER_WAY:
                best, order = found, other
        return best

    def _arranged(
        self,
        faces: list[FaceEvidence],
        trump: str | None,
        first: tuple[float, ...],
        leaders: dict[int, int],
        *,
        final: bool,
    ) -> Arrangement:
        stories: dict[tuple[int, int, int], _Story] = {}
        for seat in range(self._players):
            price = -first[seat] if 0 not in leaders else (0.0 if leaders[0] == seat else 30.0)
            stories[(0, 0, seat)] = _Story(price, seat, (), (), 0, None)
        repeats = [self._repeats(faces, index) for index in range(len(faces))]
        for index, face in enumerate(faces):
            grown: dict[tuple[int, int, int], _Story] = {}
            limit = math.inf
            for story in sorted(stories.values(), key=lambda one: one.price):
                self._other(grown, story, index, face, repeats[index])
                for unseen in range(self._size + (face.trick is not None)):  # also a whole trick that was taken out
                    if story.price + unseen * UNSEEN > limit:
                        break
                    before = self._with_unseen(story, unseen, leaders) if unseen else (story,)
                    for start in before:
                        self._play(grown, start, index, faces, repeats[index], trump, leaders)
                    limit = min((one.price for one in grown.values()), default=math.inf) + BEAM
            if not grown:  # a card that a person put in, after the last trick that there can be
                for story in stories.values():
                    self._keep(grown, replace(story, steps=_Step("other", index, story.price, story.steps)))
            stories = {key: story for key, story in grown.items() if story.price <= limit}
        best = min(stories.values(), key=lambda story: (story.price, story.seat))
        if final and best.trick and all(k is None or faces[k].gone is not None for k in best.trick):
            for _ in range(self._size - len(best.trick)):  # a card of the last trick escaped the camera
                best = min(self._unseen(best, leaders), key=lambda story: story.price)
        return self._told(best, faces)

    def _repeats(self, faces: list[FaceEvidence], index: int) -> float:
        """Probability-like measure that a face shows a card that an earlier face shows."""
        mine = faces[index].shares
        return max((float(mine @ earlier.shares) for earlier in faces[:index]), default=0.0)

    def _other(
        self,
        grown: dict[tuple[int, int, int], _Story],
        story: _Story,
        index: int,
        face: FaceEvidence,
        repeated: float,
    ) -> None:
        if face.must:
            return
        price = NOT_A_PLAY - REPEATED * repeated + (GATHERED if face.group is not None else 0.0)
        if face.gone is not None and face.gone - face.t > LONG_SECONDS:
            price += LONG
        if face.gone is not None and face.how == "vanished" and face.gone - face.t < BRIEF_SECONDS:
            price = max(0.5, price - BRIEF)
        total = story.price + price
        step = _Step("other", index, total, story.steps)
        self._keep(grown, _Story(total, story.seat, story.trick, story.before, story.done, step))

    def _with_unseen(self, story: _Story, count: int, leaders: dict[int, int]) -> tuple[_Story, ...]:
        """The story with ``count`` plays that nobody saw put in; several where one ends a trick of open winner."""
        stories = [story]
        for _ in range(count):
            stories = [after for one in stories for after in self._unseen(one, leaders)]
        return tuple(stories)

    def _unseen(self, story: _Story, leaders: dict[int, int]) -> list[_Story]:
        if story.done >= self._most:
            return []
        price = story.price + UNSEEN
        step = _Step("unseen", None, price, story.steps)
        trick = (*story.trick, None)
        if len(trick) < self._size:
            return [_Story(price, (story.seat + 1) % self._players, trick, story.before, story.done, step)]
        next_seats = self._after_given(story.done) or [(seat, 0.0) for seat in range(self._players)]
        return [
            _Story(price + more + self._said(leaders, story.done + 1, seat), seat, (), trick, story.done + 1, step)
            for seat, more in next_seats
        ]

    def _after_given(self, trick: int) -> list[tuple[int, float]]:
        """Who leads after a trick that the table gave to somebody, with the price of each; empty for other tricks.

        It may have been given after others had been played, which stay as they were.
        """
        if trick not in self._given:
            return []
        return [(seat, LED_ALL_THE_SAME * (seat != self._given[trick])) for seat in range(self._players)]

    @staticmethod
    def _said(leaders: dict[int, int], trick: int, seat: int) -> float:
        return 0.0 if leaders.get(trick, seat) == seat else 30.0

    def _play(
        self,
        grown: dict[tuple[int, int, int], _Story],
        story: _Story,
        index: int,
        faces: list[FaceEvidence],
        repeated: float,
        trump: str | None,
        leaders: dict[int, int],
    ) -> None:
        if story.done >= self._most:
            return
        face = faces[index]
        against = -face.places[story.seat]
        if face.seat is not None:
            against = 0.0 if face.seat == story.seat else 25.0
        price = story.price + min(WRONG_SEAT, against) + 2.0 * max(0.0, repeated - 0.5)
        if face.trick is not None and face.trick != story.done:
            price += OTHER_TRICK
        price += self._belongs(story.trick, face, faces, SAME_TRICK, same=True)
        price += self._belongs(story.before, face, faces, NEXT_TRICK, same=False)
        step = _Step("play", index, price, story.steps)
        trick = (*story.trick, index)
        if len(trick) < self._size:
            seat = (story.seat + 1) % self._players
            self._keep(grown, _Story(price, seat, trick, story.before, story.done, step))
            return
        leader = (story.seat - len(story.trick)) % self._players
        for seat, more in self._after_given(story.done) or self._winners(trick, leader, faces, trump):
            more += self._said(leaders, story.done + 1, seat)
            self._keep(grown, _Story(price + more, seat, (), trick, story.done + 1, step))

    def _belongs(
        self,
        trick: tuple[int | None, ...],
        face: FaceEvidence,
        faces: list[FaceEvidence],
        prices: dict[str, float],
        *,
        same: bool,
    ) -> float:
        """Price of ``face`` following the faces of ``trick``, in the same trick or as part of the next."""
        seen = [faces[k] for k in trick if k is not None and not faces[k].must]  # of others it is seen how they leave
        if not seen:
            return 0.0
        price = sum(prices[one.state(face.t)] for one in seen) / len(seen)
        if same:
            apart = any(
                one.how == "swept" and one.gone is not None and one.group != face.group and one.gone > face.t
                for one in seen
            )
            price += LEFT_APART if apart and (face.gone is None or face.how == "swept") else 0.0
        elif face.group is not None and any(one.group == face.group for one in seen):
            price += LEFT_TOGETHER
        return price

    def _winners(
        self, trick: tuple[int | None, ...], leader: int, faces: list[FaceEvidence], trump: str | None
    ) -> list[tuple[int, float]]:
        """Each seat that may have won a full trick, with its price."""
        flat = 1.0 / self._size
        shares = [flat] * self._size
        seen = [faces[k] for k in trick if k is not None]
        if len(seen) == self._size and trump is not None:
            tops = [int(one.shares.argmax()) for one in seen]
            sure = 1.0
            for one, top in zip(seen, tops, strict=True):
                sure *= float(one.shares[top])
            cards = [self._cards[top] for top in tops]
            led = cards[0].suit
            powers = [
                (100 if card.suit == trump else 0) + card.strength if card.suit in (led, trump) else 0 for card in cards
            ]
            sure = max(0.0, min(sure, 0.98) - 0.02)
            shares = [(1.0 - sure) * flat] * self._size
            shares[powers.index(max(powers))] += sure
        prices: list[tuple[int, float]] = []
        for position, share in enumerate(shares):
            seat = (leader + position) % self._players
            gathered = max((one.gathered[seat] for one in seen), default=0.0)
            prices.append((seat, -_log(share) - gathered))
        return prices

    @staticmethod
    def _keep(grown: dict[tuple[int, int, int], _Story], story: _Story) -> None:
        key = (story.done, len(story.trick), story.seat)
        known = grown.get(key)
        if known is None or story.price < known.price:
            grown[key] = story

    def _told(self, story: _Story, faces: list[FaceEvidence]) -> Arrangement:
        steps: list[_Step] = []
        step = story.steps
        while step is not None:
            steps.append(step)
            step = step.last
        steps.reverse()
        slots = [step for step in steps if step.kind != "other"]
        others = tuple(faces[step.face].uid for step in steps if step.kind == "other" and step.face is not None)
        plays = [Slot(None if step.face is None else faces[step.face].uid) for step in slots]
        tricks = tuple(tuple(plays[k : k + self._size]) for k in range(0, len(plays), self._size))
        back = [step.price for step in steps if step.face is not None]
        window = 2 * self._size + 1
        recent = story.price - (back[-window] if len(back) >= window else 0.0)
        return Arrangement(tricks, others, story.price, recent)


def _log(share: float) -> float:
    return math.log(max(share, 1e-6))


def uids_of(slots: tuple[Slot, ...]) -> list[int]:
    """The uids of the plays that were seen, in order."""
    return [slot.uid for slot in slots if slot.uid is not None]
