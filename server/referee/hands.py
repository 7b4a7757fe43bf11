"""The hands of one session as the camera shows them: facts about the table in, the story of every hand out.

Knows which hand a face belongs to, where one hand ends and the next begins, and where backs lie. What people press is
the business of :mod:`server.referee.referee`.
"""

from collections.abc import Iterator
from typing import Final

from engine.cards import Card
from engine.ledger import Ledger, LedgerEntry
from engine.rules import Rules
from server.referee.faces import Face
from server.referee.hand import Hand
from server.referee.story import Item, Key, Teller
from server.referee.trump import lies_by
from server.referee.zones import Spot, spot
from server.seats import Seat
from vision.facts import TableEvent

NEW_HAND_QUIET: Final = 3.0
"""Seconds without a face on the table after which a face by the stock can begin a new hand early."""

NEW_STOCK_SECONDS: Final = 1.5
"""A back that comes to rest so long after the last trick was gathered may be the next hand's stock."""

MOST_LEFT_EARLY: Final = 64
"""Tracks that left before they were told to have come to rest, the newest: most of them never are."""

RECENT: Final = 2
"""Hands of which a card may still be found to leave the table; the evidence of those before them is put by."""


class Hands:
    """The hands of a session in order; the last one is in play.

    ``seats`` are those of the hands that begin from now on, ``now`` the latest moment heard of, in seconds of the
    source.
    """

    def __init__(self, rules: Rules, seats: tuple[Seat, ...], dealer: int | None) -> None:
        self.rules = rules
        self.seats = seats
        self.ledger = Ledger(rules)
        self.teller = Teller(self.ledger)
        self.now = 0.0
        self._hands: list[Hand] = [Hand(rules, seats, 1, dealer)]
        self._closed: dict[int, list[Item]] = {}
        self._backs: dict[int, tuple[Spot, float]] = {}
        self._left_early: dict[int, TableEvent] = {}

    def __len__(self) -> int:
        return len(self._hands)

    def __iter__(self) -> Iterator[Hand]:
        return iter(self._hands)

    @property
    def last(self) -> Hand:
        """The hand in play."""
        return self._hands[-1]

    def number(self, number: int) -> Hand:
        """The hand with that number, from 1; ``IndexError`` if there is none."""
        return self._hands[number - 1]

    def started(self) -> list[Hand]:
        """Those that the ledger tells of: empty hands are not in it."""
        return [hand for hand in self._hands if hand.started]

    # -- facts -------------------------------------------------------------------------------------------------

    def take(self, event: TableEvent) -> bool:
        """Take in one fact about the table; whether the story has to be told anew for it."""
        return self._back(event) if event.face == "back" else self._face(event)

    def waiting_for_time(self) -> bool:
        """Whether the passing of time alone may tell something: a trick whose cards vanished one by one."""
        telling = self.last.telling
        if telling is None or telling.full == 0:
            return False
        return self.teller.entry_of(("sweep", self.last.number, telling.full - 1)) is None

    def _back(self, event: TableEvent) -> bool:
        if event.kind in ("settled", "moved", "uncovered", "read"):
            since = self._backs[event.track][1] if event.track in self._backs else event.t
            self._backs[event.track] = (spot(event.quad, event.centre), since)
        elif event.kind in ("vanished", "swept"):
            for track in (event.track, *event.tracks):
                self._backs.pop(track, None)
        return event.kind == "settled"

    def _face(self, event: TableEvent) -> bool:
        hand = self.last
        if event.kind in ("settled", "uncovered"):
            where = spot(event.quad, event.centre)
            hand = self._hand_for(event, where)
            known = hand.faces.of_track(event.track)
            if known is not None and self._replaced(hand, known, event):
                hand.faces.split(known, event, where)
                return True
            face = hand.faces.settle(event, where, hand.trump_faces, hand.waiting_faces)
            self._backs.pop(event.track, None)
            face.by_stock |= lies_by(where, self._stock_backs(hand.since))
            left = self._left_early.pop(event.track, None)
            if left is not None and left.t >= event.t:  # told out of order: it has left again already
                self._leave(face, event.track, left)
            return True
        known = hand.faces.of_track(event.track)
        if event.kind == "moved" and known is not None:
            known.lying.add(event.track)
            known.gone = None
            known.read(event)
            if known.uid in hand.trump_faces:
                known.spot = spot(event.quad, event.centre)
            return True
        if event.kind == "read" and known is not None:
            where = spot(event.quad, event.centre)
            if self._replaced(hand, known, event):
                hand.faces.split(known, event, where)
            elif hand.faces.is_other(known, event):
                hand.faces.part(known, event, where)
            else:
                known.read(event)
            return True
        if event.kind in ("vanished", "swept"):
            return self._left(event)
        return False

    def _replaced(self, hand: Hand, face: Face, event: TableEvent) -> bool:
        """Whether the face-up card's track now clearly shows another card: an exchange that tracking slept through."""
        if face.uid not in hand.trump_faces or not event.labels or not face.readings:
            return False
        before = hand.belief_of(face.uid)
        label, share = event.labels[0]
        card = Card.parse(label)
        if share < 0.8 or card not in self.rules.card_set or before.max() < 0.9:
            return False
        return float(before[self.rules.cards.index(card)]) < 0.02

    def _left(self, event: TableEvent) -> bool:
        found = False
        for track in dict.fromkeys((event.track, *event.tracks)):
            known = False
            for hand in self._hands[-RECENT:]:
                face = hand.faces.of_track(track)
                if face is None:
                    continue
                known = True
                if track in face.lying or face.gone is None:
                    self._leave(face, track, event)
                    found = True
            if not known:
                self._left_early[track] = event
                while len(self._left_early) > MOST_LEFT_EARLY:
                    self._left_early.pop(next(iter(self._left_early)))
        return found

    @staticmethod
    def _leave(face: Face, track: int, event: TableEvent) -> None:
        if event.kind == "swept":
            face.leave(track, event.t, "swept", event.id, event.side)
        else:
            face.leave(track, event.t, "vanished", None, event.side)

    def _hand_for(self, event: TableEvent, where: Spot) -> Hand:
        """The hand that a face coming to rest belongs to; begins the next one where the last is over."""
        hand = self.last
        if event.track in hand.faces:
            return hand
        if hand.over or self._begins_early(hand, event, where):
            self.begin_next()
        return self.last

    def _begins_early(self, hand: Hand, event: TableEvent, where: Spot) -> bool:
        """Whether a face by a new stock begins a hand although the last one seems to lack plays."""
        telling = hand.telling
        if telling is None or hand.trump_spot() is None:
            return False
        faces = [face for face in hand.faces.in_order() if face.legible(self.rules.cards)]
        if any(face.gone is None for face in faces):
            return False
        plays = len(telling.plays)
        if plays < self.rules.draw_rounds * self.rules.plays_per_trick:
            return False
        cleared = max(face.gone or 0.0 for face in faces)
        near = lies_by(where, self._stock_backs(cleared))
        return event.t - cleared > NEW_HAND_QUIET and near

    def _stock_backs(self, since: float | None) -> list[Spot]:
        """Where backs lie; with ``since`` only those that came to rest after a hand, which no pile of tricks did."""
        if since is None:
            return [back for back, _ in self._backs.values()]
        return [back for back, t in self._backs.values() if t > since + NEW_STOCK_SECONDS]

    # -- from one hand to the next -----------------------------------------------------------------------------

    def begin_next(self, *, pressed: bool = False) -> None:
        """Close the hand in play and begin another; ``pressed`` where a person says so."""
        hand = self.last
        self._closed[hand.number] = self._ended(hand)
        since = None if pressed else hand.last_moment(self.now)
        self._hands.append(Hand(self.rules, self.seats, len(self._hands) + 1, None, since=since))
        self.put_by()

    def close(self, hand: Hand) -> None:
        """Tell an earlier hand anew after a press about it; the hand in play is told anyway."""
        if hand is not self.last:
            self._closed[hand.number] = self._ended(hand)
        self.put_by()

    def put_by(self) -> None:
        """Keep the evidence of hands long over small; whoever asks for it takes it out by that."""
        for hand in self._hands[:-RECENT]:
            hand.faces.put_by()

    def drop_last(self) -> Hand:
        """Take the beginning of the hand in play back: the one before it is in play again. Returns what was dropped."""
        dropped = self._hands.pop()
        self._closed.pop(self.last.number, None)
        return dropped

    def put_back(self, dropped: Hand) -> None:
        """Go on with a hand that was dropped."""
        self._closed[self.last.number] = self._ended(self.last)
        self._hands.append(dropped)

    def _ended(self, hand: Hand) -> list[Item]:
        """The last telling of a hand that is left behind, with its end."""
        if not hand.started:
            return []
        if hand.word.ended is None:
            hand.word.ended = hand.last_moment(self.now)
        return hand.story(self._stock_backs(hand.since), self.teller.events(), self.now, final=True)

    def tell(
        self,
        t: float,
        *,
        final: bool = False,
        cause: str | None = None,
        by_hand: frozenset[Key] = frozenset(),
        swapped: frozenset[Key] = frozenset(),
    ) -> list[LedgerEntry]:
        """Tell all hands anew and write to the ledger what changed; the entries that were written."""
        hand = self.last
        story = hand.story(self._stock_backs(hand.since), self.teller.events(), self.now, final=final)
        closed = [item for number in sorted(self._closed) for item in self._closed[number]]
        return self.teller.tell([*closed, *story], t, cause, by_hand, swapped)
