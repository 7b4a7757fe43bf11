"""One hand as the referee knows it: the faces seen, what people said, and the story that follows from both.

:meth:`Hand.story` tells the whole hand anew from the evidence each time; nothing else decides what happened.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from engine.cards import Card
from engine.events import (
    ArrastreCalled,
    CardPlayed,
    GameEvent,
    HandEnded,
    HandStarted,
    TrickSwept,
    TrumpExchanged,
    TrumpShown,
    TrumpTaken,
)
from engine.rules import Rules
from server.decoder import Decoder, Decoding
from server.evidence import HandEvidence, PlayEvidence, TrickEvidence, TrumpSight
from server.faces import Face, Faces
from server.readings import Floats, joined, likeliest
from server.seats import Seat
from server.story import Item, Key
from server.tricks import Arrangement, Arranger, FaceEvidence
from server.trump import TrumpStory, choose, trump_story
from server.zones import Spot, middle_of_play, seat_logs, seat_of_side, side_logs

STATED: Final = 0.9
"""Posterior from which a card is stated."""

KEPT: Final = 0.65
"""Posterior down to which a card once stated stays so."""

AWAY_SECONDS: Final = 1.0
"""Cards of a full trick that vanished one by one count as gathered after so long."""

STAY_SECONDS: Final = 4.0
"""A face beside a new stock begins the next hand when it has lain so long, or when a card is played beside it."""

AGAINST_WINNER: Final = 0.7
"""Confidence in the side that gathered a trick where it is not the winner's."""

DEALER_PRIOR: Final = 3.0
"""Nats for the seat after the dealer leading the hand, where the dealer was named."""

CALL_SECONDS: Final = (20.0, 8.0)
"""A call belongs to the caller's play at most so long before, or after, the press."""


@dataclass(slots=True)
class Call:
    """An arrastre call as pressed."""

    key: int
    seat: int
    t: float | None


@dataclass(slots=True)
class Word:
    """What people said about a hand, besides single faces (those carry it themselves)."""

    calls: list[Call] = field(default_factory=list)
    leaders: dict[int, int] = field(default_factory=dict)
    trump_card: Card | None = None
    trump_suit: str | None = None
    exchanges: list[tuple[int, Card | None, float]] = field(default_factory=list)
    gathered: dict[int, tuple[int | None, float]] = field(default_factory=dict)
    taken_away: dict[int, float] = field(default_factory=dict)
    ended: float | None = None
    found_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Said:
    """Everything that people had said about a hand at one moment, to come back to."""

    word: Word
    faces: dict[int, tuple[Card | None, int | None, bool, bool]]


@dataclass(frozen=True, slots=True)
class UpCard:
    """One face-up card for the decoder: its belief, tricks gathered before it, who laid it, when."""

    shares: Floats
    after: int
    seat: int | None
    t: float


@dataclass(slots=True)
class Telling:
    """The last telling of a hand: what it rests on, for questions and presses."""

    arrangement: Arrangement
    decoding: Decoding
    trump: TrumpStory
    plays: list[tuple[Key, int, int, int | None]]  # key, trick (from 0), seat, uid
    over: bool
    full: int


class Hand:
    """Evidence of one hand and its story.

    ``since`` is when the hand before ended: this one begins with a face that stays beside a new stock. None: it begins
    with whatever is seen.
    """

    def __init__(
        self, rules: Rules, seats: tuple[Seat, ...], number: int, dealer: int | None, *, since: float | None = None
    ) -> None:
        self.rules = rules
        self.seats = seats
        self.number = number
        self.dealer = dealer
        self.since = since
        self.faces = Faces(rules.cards)
        self.word = Word()
        self.telling: Telling | None = None
        self._decoder = Decoder(rules)
        self._arranger = Arranger(rules)
        self._trump_uid: int | None = None
        self._suit: str | None = None

    @property
    def over(self) -> bool:
        """Whether every trick was played and gathered, or a person ended the hand."""
        return self.word.ended is not None or (self.telling is not None and self.telling.over)

    @property
    def started(self) -> bool:
        """Whether the hand has anything to tell."""
        return self.telling is not None

    def trump_spot(self) -> Spot | None:
        """Where the face-up card lies or lay."""
        return None if self._trump_uid is None else self.faces.get(self._trump_uid).spot

    @property
    def trump_faces(self) -> frozenset[int]:
        """Uids of the faces that showed the face-up card."""
        return self.telling.trump.faces if self.telling else frozenset()

    @property
    def waiting_faces(self) -> frozenset[int]:
        """Uids of the plays of a trick that is not full yet."""
        if self.telling is None:
            return frozenset()
        full = self.telling.full
        return frozenset(uid for _, trick, _, uid in self.telling.plays if trick >= full and uid is not None)

    def said(self) -> Said:
        """What people have said so far."""
        words = {face.uid: (face.card, face.seat, face.must, face.banned) for face in self.faces.in_order()}
        return Said(deepcopy(self.word), words)

    def unsay(self, before: Said) -> None:
        """Back to what people had said then; plays put in since are taken out."""
        self.word = deepcopy(before.word)
        for face in self.faces.in_order():
            new = (None, None, False, face.spot is None)
            face.card, face.seat, face.must, face.banned = before.faces.get(face.uid, new)

    def story(self, backs: list[Spot], told: Mapping[Key, GameEvent], now: float, *, final: bool = False) -> list[Item]:
        """All facts of the hand in order. ``told`` is what was said before, ``final`` that nothing more will come."""
        faces = [face for face in self.faces.in_order() if face.legible(self.rules.cards)]
        trump = trump_story(self.rules, faces, self._first_face_up(faces, backs))
        self._trump_uid = trump.place_of
        if not self._begun(faces, trump, now):
            self.telling = None
            return []
        plays = [face for face in faces if self._may_be_play(face, trump)]
        suit = self.word.trump_suit or (self.word.trump_card.suit if self.word.trump_card else None) or self._suit
        if suit is None and trump.phases:
            suit = self.rules.cards[int(trump.phases[0].shares.argmax())].suit
        seen = self._evidence(plays)
        arrangement = self._arranger.arrange(seen, suit, self._first_logs(), self.word.leaders, final=final)
        ups = self._up_cards(arrangement, trump)
        by_uid = {one.uid: one for one in seen}
        decoding = self._decoder.decode(self._hand_evidence(arrangement, by_uid, ups))
        self._suit = decoding.suit
        return self._compose(arrangement, decoding, trump, ups, told, now, final=final)

    # -- what is what ------------------------------------------------------------------------------------------

    def _first_face_up(self, faces: list[Face], backs: list[Spot]) -> Face | None:
        if not self.rules.trump_rank_visible or not faces:
            return None
        if self._trump_uid is not None and self.telling is not None and self.telling.full >= 2:
            return self.faces.get(self._trump_uid)
        if self.since is not None and self.telling is not None and self._trump_uid is not None:
            return self.faces.get(self._trump_uid)
        return choose(faces, backs, need_back=self.since is not None)

    def _begun(self, faces: list[Face], trump: TrumpStory, now: float) -> bool:
        if self.since is not None and trump.phases and self.telling is None:
            shown = trump.phases[0].t
            lain = (now if trump.gone is None else trump.gone) - shown
            if lain < STAY_SECONDS and not any(
                face.uid not in trump.faces and face.t > shown and (trump.gone is None or face.t < trump.gone)
                for face in faces
            ):
                return False
        if trump.phases or self.word.trump_card or self.word.trump_suit or any(face.must for face in faces):
            return True
        if self.since is not None:
            return False
        return len(faces) >= 2 or (bool(faces) and not self.rules.trump_rank_visible)

    @staticmethod
    def _may_be_play(face: Face, trump: TrumpStory) -> bool:
        if face.banned or face.uid in trump.faces:
            return False
        if face.must or not trump.phases:
            return True
        shown = trump.phases[0].t
        return face.t >= shown or face.gone is None or face.gone > shown

    def _first_logs(self) -> tuple[float, ...]:
        if self.dealer is None:
            return tuple(0.0 for _ in self.seats)
        leader = (self.dealer + 1) % self.rules.players
        return tuple(0.0 if seat.seat == leader else -DEALER_PRIOR for seat in self.seats)

    def _evidence(self, plays: list[Face]) -> list[FaceEvidence]:
        middle = middle_of_play([face.spot for face in plays if face.spot is not None])
        found: list[FaceEvidence] = []
        for face in plays:
            if face.seat is not None:
                places = tuple(0.0 if seat.seat == face.seat else -25.0 for seat in self.seats)
            elif face.spot is None or middle is None:
                places = tuple(0.0 for _ in self.seats)
            else:
                places = seat_logs(self.seats, face.spot, middle, face.side)
            taken = self.word.taken_away.get(face.uid) if face.gone is None else None
            found.append(
                FaceEvidence(
                    uid=face.uid,
                    t=face.t,
                    gone=face.gone if taken is None else taken,
                    how=face.how if taken is None else "swept",
                    group=face.group,
                    gathered=self._gathered(face.swept_to if face.how == "swept" else None),
                    places=places,
                    shares=face.shares(self.rules.cards),
                    must=face.must,
                    seat=face.seat,
                )
            )
        return found

    def _gathered(self, side: str | None) -> tuple[float, ...]:
        """Log likelihood of each seat having won what went to ``side``; a partner may gather as well."""
        logs = side_logs(self.seats, side)
        teams = self.rules.teams
        if teams is None or side is None:
            return logs
        return tuple(max(logs[mate] for mate in teams[self.rules.side_of(seat)]) for seat in range(len(logs)))

    def _hand_evidence(
        self, arrangement: Arrangement, by_uid: dict[int, FaceEvidence], ups: list[UpCard]
    ) -> HandEvidence:
        cards = self.rules.cards
        blank = joined((), len(cards))
        none = tuple(0.0 for _ in self.seats)
        tricks: list[TrickEvidence] = []
        for number, slots in enumerate(arrangement.tricks):
            seen = [by_uid[uid] for uid in _uids(slots)]
            plays = tuple(
                PlayEvidence(by_uid[slot.uid].shares, by_uid[slot.uid].places)
                if slot.uid is not None
                else PlayEvidence(blank, none, unseen=True)
                for slot in slots
            )
            gathered = next((one.gathered for one in seen if any(one.gathered)), none)
            said = self.word.gathered.get(number)
            if said is not None and said[0] is not None:
                gathered = self._gathered(self.seats[said[0]].side)
            led = self._first_logs() if number == 0 else none
            if number in self.word.leaders:
                led = tuple(0.0 if seat.seat == self.word.leaders[number] else -30.0 for seat in self.seats)
            tricks.append(TrickEvidence(plays, gathered, led))
        weights = [0.25 if self.word.trump_suit in (None, suit) else 0.0 for suit in "OCEB"]
        sights = tuple(TrumpSight(up.shares, up.after) for up in ups)
        return HandEvidence(tuple(tricks), sights, (weights[0], weights[1], weights[2], weights[3]))

    def _up_cards(self, arrangement: Arrangement, trump: TrumpStory) -> list[UpCard]:
        """The face-up cards in order, as seen and as people said."""
        cards = self.rules.cards
        ups = [
            UpCard(phase.shares, 0 if index == 0 else self._tricks_before(arrangement, phase.t), None, phase.t)
            for index, phase in enumerate(trump.phases)
        ]
        if self.word.trump_card is not None:
            start = ups[0].t if ups else 0.0
            ups = [UpCard(_only(cards, [self.word.trump_card]), 0, None, start), *ups[1:]]
        elif self.word.trump_suit is not None and ups:
            suit = _only(cards, [card for card in cards if card.suit == self.word.trump_suit])
            ups[0] = UpCard(ups[0].shares * suit, 0, None, ups[0].t)
        for seat, given, t in self.word.exchanges:
            after = self._tricks_before(arrangement, t)
            seen = next((up for up in ups[1:] if up.after == after), None)
            fits = [given] if given else [card for card in cards if card.rank in self.rules.exchange_takes]
            shares = _only(cards, fits) * (seen.shares if seen else 1.0)
            fresh = UpCard(shares / shares.sum(), after, seat, seen.t if seen else t)
            ups = sorted([up for up in ups if up is not seen] + [fresh], key=lambda up: up.t)
        return ups

    def _tricks_before(self, arrangement: Arrangement, t: float) -> int:
        """Full tricks all of whose cards had fallen before ``t``."""
        count = 0
        for slots in arrangement.tricks:
            uids = _uids(slots)
            if len(slots) < self.rules.plays_per_trick or any(self.faces.get(uid).t >= t for uid in uids):
                break
            count += 1
        return count

    # -- the telling -------------------------------------------------------------------------------------------

    def _compose(
        self,
        arrangement: Arrangement,
        decoding: Decoding,
        trump: TrumpStory,
        ups: list[UpCard],
        told: Mapping[Key, GameEvent],
        now: float,
        *,
        final: bool,
    ) -> list[Item]:
        number, rules = self.number, self.rules
        faces = [face for face in self.faces.in_order() if face.legible(rules.cards)]
        start = min((face.t for face in faces), default=now)
        items = [Item(("start", number), HandStarted(dealer=self.dealer, leader=self.word.leaders.get(0), t=start))]
        items.extend(self._trump_items(decoding, trump, told, start))
        items.extend(self._exchange_items(0, decoding, ups))
        listed: list[tuple[Key, int, int, int | None]] = []
        row = 0
        full = 0
        all_away = True
        for index, slots in enumerate(arrangement.tricks):
            seats = decoding.seats[index]
            for position, slot in enumerate(slots):
                key: Key = ("unseen", number, index, position) if slot.uid is None else ("play", number, slot.uid)
                items.append(self._play(key, slot.uid, seats[position], decoding, row, told, slots))
                listed.append((key, index, seats[position], slot.uid))
                row += 1
            if len(slots) < rules.plays_per_trick:
                all_away = False
                break
            full += 1
            later = index + 1 < len(arrangement.tricks)
            away = self._sweep(index, slots, self._winner_of(index, decoding), now, later=later, final=final)
            if away is None:
                all_away = False
                continue
            items.append(Item(("sweep", number, index), away, reason="how it was gathered was seen later"))
            items.extend(self._exchange_items(index + 1, decoding, ups))
            gone = trump.gone
            if index + 1 == rules.draw_rounds and trump.phases and gone is not None:
                items.append(Item(("taken", number), TrumpTaken(t=round(gone, 3))))
        items = self._with_calls(items, listed)
        over = full == rules.tricks and all_away
        self.telling = Telling(arrangement, decoding, trump, listed, over, full)
        if over or self.word.ended is not None:
            last = max([item.event.t or 0.0 for item in items] + [self.word.ended or 0.0])
            items.append(Item(("end", number), HandEnded(t=last)))
        return items

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
        if card is None and suit is None:
            return []
        t = trump.phases[0].t if trump.phases else start
        event = TrumpShown(card=card, suit=suit, confidence=round(share, 4), t=round(t, 3))
        return [Item(key, event, reason="a clearer view of the trump card")]

    def _play(
        self,
        key: Key,
        uid: int | None,
        seat: int,
        decoding: Decoding,
        row: int,
        told: Mapping[Key, GameEvent],
        slots: tuple[object, ...],
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
            if face.card is not None or face.must:
                source, reason = "person", "corrected by hand"
            elif int(own.argmax()) == column:
                source, reason = "vision", "a clearer view"
        if card is None:
            reason = "no longer sure"
        event = CardPlayed(seat, card, candidates, t=t, confidence=round(share, 4))
        if before is None and source == "rule" and uid is not None:
            source = "vision"  # a first reading is the camera's, whatever helped it
        return Item(key, event, source, reason)

    def _sweep(
        self, index: int, slots: tuple[object, ...], winner: int | None, now: float, *, later: bool, final: bool
    ) -> TrickSwept | None:
        """The gathering of a full trick, or None while it still lies there."""
        said = self.word.gathered.get(index)
        faces = [self.faces.get(uid) for uid in _uids(slots)]
        gone = [face.gone for face in faces if face.gone is not None]
        side = next((face.swept_to for face in faces if face.how == "swept" and face.swept_to), None)
        seat = seat_of_side(self.seats, side)
        if said is not None:
            return TrickSwept(said[0] if said[0] is not None else seat, t=said[1])
        mates = (winner,) if winner is None or not self.rules.teams else self.rules.sides[self.rules.side_of(winner)]
        # That somebody else gathered is an accusation, and the way of a hand is a weak witness.
        sure = None if seat is None or seat in mates else AGAINST_WINNER
        swept = any(face.how == "swept" and face.gone is not None for face in faces)
        if len(gone) == len(faces) and gone and (swept or now >= max(gone) + AWAY_SECONDS or later or final):
            return TrickSwept(seat, t=round(max(gone), 3), confidence=sure)
        if later or (swept and len(gone) * 2 >= len(faces)) or final:
            return TrickSwept(seat, t=round(max(gone), 3) if gone else None, confidence=sure)
        return None

    def _exchange_items(self, after: int, decoding: Decoding, ups: list[UpCard]) -> list[Item]:
        items: list[Item] = []
        for index in range(1, len(decoding.trumps)):
            if ups[index].after != after:
                continue
            given, given_share = decoding.trumps[index]
            taken, taken_share = decoding.trumps[index - 1]
            seat = ups[index].seat
            if seat is None and after > 0:
                seat = self._winner_of(after - 1, decoding)
            share = min(given_share, taken_share)
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
                    reason="a clearer view of the exchanged card",
                )
            )
        return items

    def _winner_of(self, trick: int, decoding: Decoding) -> int | None:
        """The seat that won a full trick in the likeliest whole: it leads the next one."""
        if trick + 1 < len(decoding.seats) and decoding.seats[trick + 1]:
            return decoding.seats[trick + 1][0]
        best = int(np.argmax(decoding.next_leader))
        return best if decoding.next_leader[best] >= 0.5 else None

    def _with_calls(self, items: list[Item], listed: list[tuple[Key, int, int, int | None]]) -> list[Item]:
        """The story with the calls put behind the caller's play that was nearest in time."""
        for call in self.word.calls:
            entry = Item(("call", self.number, call.key), ArrastreCalled(call.seat, t=call.t), source="person")
            place = self._place_of_call(call, items, listed)
            items = [*items[:place], entry, *items[place:]]
        return items

    def _place_of_call(self, call: Call, items: list[Item], listed: list[tuple[Key, int, int, int | None]]) -> int:
        keys = [item.key for item in items]
        if call.t is None:
            return len(items)
        best: tuple[float, int] | None = None
        for key, _, seat, uid in listed:
            if seat != call.seat or uid is None:
                continue
            play = items[keys.index(key)].event
            ahead = call.t - self.faces.get(uid).t
            if not -CALL_SECONDS[1] <= ahead <= CALL_SECONDS[0]:
                continue
            distance = abs(ahead) - (60.0 if isinstance(play, CardPlayed) and self._is_trump_ace(play.card) else 0.0)
            if best is None or distance < best[0]:
                best = (distance, keys.index(key) + 1)
        if best is not None:
            return best[1]
        before = [place for place, item in enumerate(items) if item.event.t is None or item.event.t <= call.t]
        return (before[-1] + 1) if before else len(items)

    def _is_trump_ace(self, card: Card | None) -> bool:
        return card is not None and card.rank == 1 and card.suit == self._suit

    def belief_of(self, uid: int) -> Floats:
        """Belief over the deck for one face from its own readings."""
        return self.faces.get(uid).shares(self.rules.cards)


def _uids(slots: tuple[object, ...]) -> list[int]:
    return [uid for slot in slots if (uid := getattr(slot, "uid", None)) is not None]


def _only(cards: tuple[Card, ...], chosen: list[Card]) -> Floats:
    """A belief that (almost) only allows the chosen cards."""
    shares: Floats = np.full(len(cards), 1e-9)
    for card in chosen:
        shares[cards.index(card)] = 1.0
    shares /= shares.sum()
    return shares
