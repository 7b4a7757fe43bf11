"""A decoded hand told as the items of a story: what happened in order, how sure each is, and where calls belong."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.cards import Card
from engine.events import (
    ArrastreCalled,
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
from engine.rules import Rules
from server.referee.decoder import Decoding
from server.referee.faces import Faces
from server.referee.readings import Floats, likeliest
from server.referee.story import Item, Key
from server.referee.taken_back import TakenBack
from server.referee.tricks import Arrangement, Slot, uids_of
from server.referee.trump import TrumpStory
from server.referee.word import Call, Word
from server.referee.zones import seat_of_side
from server.seats import Seat

STATED: Final = 0.9
"""Posterior from which a card is stated."""

KEPT: Final = 0.65
"""Posterior down to which a card once stated stays so."""

STRANGERS: Final = 0.15
"""Share of the cards from one side up to which those laid by others than who sits there are mistakes."""

AWAY_SECONDS: Final = 1.0
"""Cards of a full trick that vanished one by one count as gathered after so long."""

AGAINST_WINNER: Final = 0.7
"""Confidence in the side that gathered a trick where it is not the winner's."""

CALL_SECONDS: Final = (20.0, 8.0)
"""A call belongs to the caller's play at most so long before, or after, the press."""

CALL_NEAR: Final = 3.0
"""A card that is no trump ace and fell longer before or after a call may not be the one that it was said to."""

TAKEN_IS_PLAYED: Final = "who plays the card that was taken had exchanged it"

UNTOLD: Final = 0.5
"""Confidence in a hand having ended with fewer cards than it has, where nobody claimed the rest."""

CALL_ASTRAY: Final = 0.5
"""Confidence in such a call: the ace itself may have escaped the camera."""


@dataclass(frozen=True, slots=True)
class UpCard:
    """One face-up card for the decoder: its belief, tricks gathered before it, who laid it, when.

    ``seat`` is what people said, ``side`` the side of the picture that the card was seen to come from. ``gone``: so
    many tricks had been gathered when it left the table for good; None while it lies there.
    """

    shares: Floats
    after: int
    seat: int | None
    t: float
    side: str | None = None
    gone: int | None = None


@dataclass(slots=True)
class Telling:
    """The last telling of a hand: what it rests on, for questions and presses."""

    arrangement: Arrangement
    trump: TrumpStory
    plays: list[tuple[Key, int, int, int | None]]  # key, trick (from 0), seat, uid
    over: bool
    full: int
    muddled: bool


@dataclass(frozen=True, slots=True)
class Narrator:
    """Tells hand ``number`` from its faces, from what people said, and from how both were decoded."""

    rules: Rules
    seats: tuple[Seat, ...]
    number: int
    dealer: int | None
    faces: Faces
    word: Word
    missed: int = 0

    def tell(
        self,
        arrangement: Arrangement,
        decoding: Decoding,
        trump: TrumpStory,
        ups: list[UpCard],
        back: tuple[TakenBack, ...],
        told: Mapping[Key, GameEvent],
        now: float,
        *,
        final: bool,
    ) -> tuple[list[Item], Telling]:
        """The items of the story in order, and what it rests on. ``told`` is what was said before."""
        number, rules = self.number, self.rules
        faces = [face for face in self.faces.in_order() if face.legible(rules.cards)]
        start = min((face.t for face in faces), default=now)
        leader = self.word.leaders.get(0)
        said = leader is not None or self.word.alcaide is not None
        who, why = ("person", "corrected by hand") if said else ("vision", "")
        items = [Item(("start", number), self._start(leader, start), who, why)]
        items.extend(self._trump_items(decoding, trump, told, start))
        items.extend(self._exchange_items(0, decoding, ups))
        early = self._taken_early(arrangement, decoding, trump, ups)
        items.extend(early.get(0, ()))
        listed: list[tuple[Key, int, int, int | None]] = []
        row = 0
        full = 0
        all_away = True
        laid = self._laid(arrangement, decoding)
        for index, slots in enumerate(arrangement.tricks):
            seats = decoding.seats[index]
            for position, slot in enumerate(slots):
                key: Key = ("unseen", number, index, position) if slot.uid is None else ("play", number, slot.uid)
                items.append(self._play(key, slot.uid, seats[position], decoding, row, told, slots))
                listed.append((key, index, seats[position], slot.uid))
                items.extend(self._taken_back(one) for one in back if one.after == (index, position))
                row += 1
            if len(slots) < rules.plays_per_trick:
                all_away = False
                break
            full += 1
            later = index + 1 < len(arrangement.tricks)
            away = self._sweep(index, slots, self._winner_of(index, decoding), laid, now, later=later, final=final)
            won = self.word.winners.get(index)
            if away is None:
                all_away = False
                items.extend(self._exchange_items(index + 1, decoding, ups, said=True))
                continue
            if won is None:
                items.append(Item(("sweep", number, index), away, reason="how it was gathered was seen later"))
            else:
                given = replace(away, winner=won)
                items.append(Item(("sweep", number, index), given, "person", "the table gave the trick"))
            items.extend(self._exchange_items(index + 1, decoding, ups))
            gone = trump.gone
            items.extend(early.get(index + 1, ()))
            if index + 1 == rules.draw_rounds and trump.phases and gone is not None and not early:
                items.append(Item(("taken", number), TrumpTaken(t=round(gone, 3))))
        items = self._with_calls(items, listed, decoding.suit)
        over = full == rules.tricks and all_away
        if over or self.word.ended is not None:
            last = max([item.event.t or 0.0 for item in items] + [self.word.ended or 0.0])
            cut_short = self.word.ended is not None and full < rules.tricks
            source = "person" if cut_short else "vision"
            # Who begins the next hand may only have left the last cards untold: that proves nothing about them.
            confidence = UNTOLD if cut_short and self.word.claimed is None else None
            ended = HandEnded(self.word.claimed, t=last, confidence=confidence)
            items.append(Item(("end", number), ended, source, "the rest was claimed"))
        return items, Telling(arrangement, trump, listed, over, full, decoding.muddled)

    def _start(self, leader: int | None, t: float) -> HandStarted:
        """The beginning of the hand; ``missed`` tricks of it were played before anybody watched."""
        before = self.word.points_before if self.missed else None
        return HandStarted(self.dealer, leader, self.word.alcaide, self.missed or None, before, t=t)

    def _trump_items(
        self, decoding: Decoding, trump: TrumpStory, told: Mapping[Key, GameEvent], start: float
    ) -> list[Item]:
        key: Key = ("trump", self.number)
        if not decoding.trumps:
            if self.word.trump_suit is None:
                return []
            return [Item(key, TrumpShown(suit=self.word.trump_suit, confidence=1.0, t=start), source="person")]
        column, share = decoding.trumps[0]
        before = told.get(key)
        card: Card | None = self.rules.cards[column]
        kept = isinstance(before, TrumpShown) and before.card == card
        if share < (KEPT if kept else STATED):
            card = None
        suit = decoding.suit if decoding.suit_share >= KEPT else None
        card, suit = self.word.trump_card or card, self.word.trump_suit or suit  # what a person said is not doubted
        if card is None and suit is None:
            return []
        t = trump.phases[0].t if trump.phases else start
        event = TrumpShown(card=card, suit=suit, confidence=round(share, 4), t=round(t, 3))
        if self.word.trump_card is not None or self.word.trump_suit is not None:
            return [Item(key, event, "person", "corrected by hand")]
        return [Item(key, event, reason="a clearer view of the trump card")]

    def _play(
        self,
        key: Key,
        uid: int | None,
        seat: int,
        decoding: Decoding,
        row: int,
        told: Mapping[Key, GameEvent],
        slots: tuple[Slot, ...],
    ) -> Item:
        cards = self.rules.cards
        shares = decoding.shares[row]
        column = int(shares.argmax())
        share = float(shares[column])
        before = told.get(key)
        kept = isinstance(before, CardPlayed) and before.card == cards[column]
        card = cards[column] if share >= (KEPT if kept else STATED) else None
        candidates = () if card is not None else likeliest(cards, shares)
        t: float | None = None
        source, reason = "rule", "the only card that fits the rest of the hand"
        if uid is not None:
            face = self.faces.get(uid)
            t = round(face.t, 3)
            own = face.shares(cards)
            if face.card is not None or face.must or face.seat is not None:
                source, reason = "person", "corrected by hand"
            elif int(own.argmax()) == column:
                source, reason = "vision", "a clearer view"
        if card is None:
            reason = "no longer sure"
        # As sure as the less sure of both: which card it is, and who laid it.
        event = CardPlayed(seat, card, candidates, t=t, confidence=round(min(share, decoding.seat_share[row]), 4))
        if before is None and source == "rule" and uid is not None:
            source = "vision"  # a first reading is the camera's, whatever helped it
        return Item(key, event, source, reason)

    def _taken_back(self, one: TakenBack) -> Item:
        event = CardTakenBack(
            one.seat, self.rules.cards[one.card], t=round(one.t, 3), confidence=round(one.confidence, 4)
        )
        return Item(("back", self.number, one.uid), event, reason="a clearer view")

    def _laid(self, arrangement: Arrangement, decoding: Decoding) -> list[tuple[str, int]]:
        """From which side of the picture each card came, where that was seen, and who laid it."""
        slots = [
            (slot.uid, seat)
            for seats, trick in zip(decoding.seats, arrangement.tricks, strict=True)
            for seat, slot in zip(seats, trick, strict=False)
        ]
        sides = [(self.faces.get(uid).side, seat) for uid, seat in slots if uid is not None]
        return [(side, seat) for side, seat in sides if side is not None]

    def _sweep(
        self,
        index: int,
        slots: tuple[Slot, ...],
        winner: int | None,
        laid: list[tuple[str, int]],
        now: float,
        *,
        later: bool,
        final: bool,
    ) -> TrickSwept | None:
        """The gathering of a full trick, or None while it still lies there. ``laid`` as by :meth:`_laid`."""
        said = self.word.gathered.get(index)
        faces = [self.faces.get(uid) for uid in uids_of(slots)]
        gone = [face.gone for face in faces if face.gone is not None]
        side = next((face.swept_to for face in faces if face.how == "swept" and face.swept_to), None)
        mates = (winner,) if winner is None or not self.rules.teams else self.rules.sides[self.rules.side_of(winner)]
        seat = seat_of_side(self.seats, side, mates)
        from_there = [player in mates for place, player in laid if place == side]
        if seat not in mates and sum(from_there) > STRANGERS * len(from_there):
            seat = None  # the camera stands between two players, and arms of both come in over that edge
        if said is not None:
            return TrickSwept(said[0] if said[0] is not None else seat, t=said[1])
        # That somebody else gathered is an accusation, and the way of a hand is a weak witness.
        sure = None if seat is None or seat in mates else AGAINST_WINNER
        swept = any(face.how == "swept" and face.gone is not None for face in faces)
        if len(gone) == len(faces) and gone and (swept or now >= max(gone) + AWAY_SECONDS or later or final):
            return TrickSwept(seat, t=round(max(gone), 3), confidence=sure)
        if later or (swept and len(gone) * 2 >= len(faces)) or final:
            return TrickSwept(seat, t=round(max(gone), 3) if gone else None, confidence=sure)
        return None

    def _exchange_items(self, after: int, decoding: Decoding, ups: list[UpCard], *, said: bool = False) -> list[Item]:
        """The exchanges after so many tricks; ``said``: only those that people told of."""
        items: list[Item] = []
        for index in range(1, len(decoding.trumps)):
            if ups[index].after != after or (said and ups[index].seat is None):
                continue
            given, given_share = decoding.trumps[index]
            taken, taken_share = decoding.trumps[index - 1]
            named = ups[index].seat
            seat, witness, reason = named, 1.0, "corrected by hand"
            if named is None:
                seat, witness, reason = self._exchanger(after, taken, ups[index].side, decoding)
            share = min(given_share, taken_share, witness)
            items.append(
                Item(
                    ("exchange", self.number, index),
                    TrumpExchanged(
                        seat,
                        self.rules.cards[given] if given_share >= STATED else None,
                        self.rules.cards[taken] if taken_share >= STATED else None,
                        t=round(ups[index].t, 3),
                        confidence=round(share, 4),
                    ),
                    "vision" if named is None else "person",
                    reason,
                )
            )
        return items

    def _exchanger(self, after: int, taken: int, side: str | None, decoding: Decoding) -> tuple[int | None, float, str]:
        """Who exchanged the face-up card, how surely, and why: its card ``taken`` is in that hand, and is played later.

        Until then it is taken to be who may, where that is one seat, else who reached in from ``side``.
        """
        arm = seat_of_side(self.seats, side)
        due = arm
        if self.rules.exchange_who == "trick_winner" and after > 0:
            due = self._winner_of(after - 1, decoding)
        for index, _, seat, share in _surely_played(taken, decoding):
            if index >= after and seat != due:
                # That it was somebody else is an accusation: only where the arm was seen, too, is it a proof.
                return seat, share if seat == arm else AGAINST_WINNER, TAKEN_IS_PLAYED
        return due, 1.0, "a clearer view of the exchanged card"

    def _taken_early(
        self, arrangement: Arrangement, decoding: Decoding, trump: TrumpStory, ups: list[UpCard]
    ) -> dict[int, list[Item]]:
        """The face-up card taken before its time, by the tricks gathered before: it was gone, and a seat plays it.

        It is told as possible: that it was gone may have been missed, and a card misread.
        """
        if trump.gone is None or not decoding.trumps or decoding.trumps[-1][1] < STATED:
            return {}
        after = ups[-1].gone
        for index, position, seat, _ in _surely_played(decoding.trumps[-1][0], decoding):
            uid = arrangement.tricks[index][position].uid
            if index < self.rules.draw_rounds and uid is not None and self.faces.get(uid).t > trump.gone:
                taken = TrumpTaken(seat, t=round(trump.gone, 3), confidence=AGAINST_WINNER)
                return {} if after is None else {after: [Item(("taken", self.number), taken, reason="a clearer view")]}
        return {}

    def _winner_of(self, trick: int, decoding: Decoding) -> int | None:
        """The seat that won a full trick in the likeliest whole: it leads the next one."""
        if trick + 1 < len(decoding.seats) and decoding.seats[trick + 1]:
            return decoding.seats[trick + 1][0]
        best = int(np.argmax(decoding.next_leader))
        return best if decoding.next_leader[best] >= 0.5 else None

    def _with_calls(
        self, items: list[Item], listed: list[tuple[Key, int, int, int | None]], suit: str | None
    ) -> list[Item]:
        """The story with the calls put behind the caller's play that was nearest in time."""
        for call in self.word.calls:
            place, astray = self._place_of_call(call, items, listed, suit)
            said = ArrastreCalled(call.seat, t=call.t, confidence=CALL_ASTRAY if astray else None)
            entry = Item(("call", self.number, call.key), said, source="person")
            items = [*items[:place], entry, *items[place:]]
        return items

    def _place_of_call(
        self, call: Call, items: list[Item], listed: list[tuple[Key, int, int, int | None]], suit: str | None
    ) -> tuple[int, bool]:
        """Where in the story a call belongs, and whether it is doubtful that it was said to the card there."""
        keys = [item.key for item in items]
        if call.t is None:
            return len(items), False
        best: tuple[float, int, bool] | None = None
        for key, _, seat, uid in listed:
            if seat != call.seat or uid is None:
                continue
            play = items[keys.index(key)].event
            ahead = call.t - self.faces.get(uid).t
            if not -CALL_SECONDS[1] <= ahead <= CALL_SECONDS[0]:
                continue
            ace = isinstance(play, CardPlayed) and _is_trump_ace(play.card, suit)
            distance = abs(ahead) - (60.0 if ace else 0.0)
            if best is None or distance < best[0]:
                best = (distance, keys.index(key) + 1, not ace and abs(ahead) > CALL_NEAR)
        if best is not None:
            return best[1], best[2]
        before = [place for place, item in enumerate(items) if item.event.t is None or item.event.t <= call.t]
        return (before[-1] + 1) if before else len(items), False


def _surely_played(card: int, decoding: Decoding) -> Iterator[tuple[int, int, int, float]]:
    """The plays that surely were a card, as (trick from 0, place in it, seat, chance of card and seat)."""
    places = [(index, place, seat) for index, seats in enumerate(decoding.seats) for place, seat in enumerate(seats)]
    for (index, place, seat), shares, laid in zip(places, decoding.shares, decoding.seat_share, strict=False):
        share = min(float(shares[card]), laid)
        if share >= STATED:
            yield index, place, seat, share


def _is_trump_ace(card: Card | None, suit: str | None) -> bool:
    return card is not None and card.rank == 1 and card.suit == suit
