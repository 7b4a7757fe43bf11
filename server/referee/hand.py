"""One hand as the referee knows it: the faces seen, what people said, and the story that follows from both.

:meth:`Hand.story` tells the whole hand anew from the evidence each time; nothing else decides what happened.
"""

import math
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import Final

import numpy as np

from engine.cards import Card
from engine.events import GameEvent
from engine.rules import Rules
from server.referee.decoder import Decoder
from server.referee.evidence import HandEvidence, PlayEvidence, TrickEvidence, TrumpSight
from server.referee.faces import Face, Faces
from server.referee.late import Beginning
from server.referee.mirror import MirrorCheck
from server.referee.narrator import Narrator, Telling, UpCard
from server.referee.readings import Floats, joined
from server.referee.story import Item, Key
from server.referee.taken_back import taken_back
from server.referee.tricks import Arrangement, Arranger, FaceEvidence, Slot, uids_of
from server.referee.trump import TrumpStory, choose, is_pattern, stock_as_face, trump_story
from server.referee.word import FaceUp, Said, Word, Worded
from server.referee.zones import Spot, middle_of_play, seat_logs, seat_of_side, side_logs
from server.seats import Seat

STAY_SECONDS: Final = 4.0
"""A face beside a new stock begins the next hand when it has lain so long, or when a card is played beside it."""

DEALER_PRIOR: Final = 3.0
"""Nats for the seat after the dealer leading the hand, where the dealer was named."""


class Hand:
    """Evidence of one hand and its story.

    ``since`` is when the hand before ended: this one begins with a face that stays beside a new stock. None, or once
    somebody said that it has begun: it begins with whatever is seen.
    """

    def __init__(
        self, rules: Rules, seats: tuple[Seat, ...], number: int, dealer: int | None, *, since: float | None = None
    ) -> None:
        self.rules = rules
        self.seats = seats
        self.number = number
        self.dealer = dealer
        self._since = since
        self.faces = Faces(rules.cards)
        self.word = Word()
        self.telling: Telling | None = None
        self.face_up: tuple[FaceUp, ...] = ()
        self._decoder = Decoder(rules)
        self._arranger = Arranger(rules)
        self._trump_uid: int | None = None
        self._suit: str | None = None
        self.beginning = Beginning() if number == 1 else None
        self.missed = 0
        self.mirror = MirrorCheck(rules)

    @property
    def since(self) -> float | None:
        """When the hand before ended, while this one has to prove its beginning."""
        return None if self.word.begun else self._since

    @property
    def over(self) -> bool:
        """Whether every trick was played and gathered, or a person ended the hand."""
        return self.word.ended is not None or (self.telling is not None and self.telling.over)

    @property
    def started(self) -> bool:
        """Whether the hand has anything to tell."""
        return self.telling is not None

    @property
    def all_out(self) -> bool:
        """Whether every card has been played, gathered or not: its result stands."""
        return self.over or (self.telling is not None and self.telling.full >= self.rules.tricks)

    @property
    def in_play(self) -> bool:
        """Whether a card is to come: it goes on, or waits for its first one without the hand before shown still."""
        return not self.all_out and (self.started or self.since is None)

    @property
    def by_hand(self) -> bool:
        """Whether people alone tell it: no camera has seen a card of it."""
        return self.started and all(face.spot is None for face in self.faces.in_order())

    def last_moment(self, now: float) -> float:
        """When the last of its cards left, or came where it lies still; ``now`` without any."""
        return max([face.gone or face.t for face in self.faces.in_order()], default=now)

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

    @property
    def worded(self) -> list[Worded]:
        """The faces seen by the camera of which a person has said which card they are, by a press of any kind."""
        named = {face.uid: face.card for face in self.faces.in_order() if face.card is not None and not face.banned}
        if self.word.trump_card is not None and self.telling is not None and self.telling.trump.phases:
            named |= dict.fromkeys(self.telling.trump.phases[0].faces, self.word.trump_card)
        found = []
        for uid, card in named.items():
            face = self.faces.get(uid)
            if face.readings:
                gone = math.inf if face.gone is None else face.gone
                found.append(Worded(self.number, uid, str(card), frozenset(face.readings), face.t, gone))
        return found

    def sit(self, seats: tuple[Seat, ...]) -> None:
        """People sit elsewhere than was thought: who laid what is another question now."""
        self.seats = seats
        self.mirror = MirrorCheck(self.rules)

    def said(self) -> Said:
        """What people have said so far."""
        words = {face.uid: (face.card, face.seat, face.trick, face.must, face.banned) for face in self.faces.in_order()}
        return Said(deepcopy(self.word), words)

    def unsay(self, before: Said) -> None:
        """Back to what people had said then; plays put in since are taken out."""
        if self.word.begun and not before.word.begun:
            self.telling = None  # it has to prove its beginning again
        self.word = deepcopy(before.word)
        self.word.count_from(self.missed)
        for face in self.faces.in_order():
            new = (None, None, None, False, face.spot is None)
            face.card, face.seat, face.trick, face.must, face.banned = before.faces.get(face.uid, new)

    def story(self, backs: list[Spot], told: Mapping[Key, GameEvent], now: float, *, final: bool = False) -> list[Item]:
        """All facts of the hand in order. ``told`` is what was said before, ``final`` that nothing more will come."""
        faces = [face for face in self.faces.in_order() if face.legible(self.rules.cards)]
        stock = stock_as_face(faces, backs) if self.rules.trump_rank_visible else None
        if stock is not None and stock.spot is not None:
            faces, backs = [face for face in faces if face is not stock], [*backs, stock.spot]
        trump = trump_story(self.rules, faces, self._first_face_up(faces, backs))
        self._trump_uid = trump.place_of
        if not self._begun(faces, trump, now):
            self.telling = None
            return []
        plays = [face for face in faces if self._may_be_play(face, trump) and not is_pattern(face, faces)]
        suit = self.word.trump_suit or (self.word.trump_card.suit if self.word.trump_card else None) or self._suit
        if suit is None and trump.phases:
            suit = self.rules.cards[int(trump.phases[0].shares.argmax())].suit
        seen = self._evidence(plays)
        arrangement = self._arrange(seen, suit, trump, now, final=final)
        ups = self._up_cards(arrangement, trump)
        self.face_up = self._said_face_up(ups)
        by_uid = {one.uid: one for one in seen}
        decoding = self._decoder.decode(self._hand_evidence(arrangement, by_uid, ups))
        self._suit = decoding.suit
        narrator = Narrator(self.rules, self.seats, self.number, self.dealer, self.faces, self.word, self.missed)
        back = taken_back(arrangement, decoding, by_uid)
        items, self.telling = narrator.tell(arrangement, decoding, trump, ups, back, told, now, final=final)
        return items

    def _arrange(
        self, seen: list[FaceEvidence], suit: str | None, trump: TrumpStory, now: float, *, final: bool
    ) -> Arrangement:
        """The tricks that were seen, after those that had been played before."""
        arrangement = self._arrange_after(self.missed, seen, suit, final=final)
        missed = self._missed(arrangement, trump, now)
        if missed != self.missed:
            self.missed = missed
            self.word.count_from(missed)
            arrangement = self._arrange_after(missed, seen, suit, final=final)
        self.mirror.look(self._arranger, arrangement, seen, suit, missed)
        unseen = tuple(tuple(Slot(None) for _ in range(self.rules.plays_per_trick)) for _ in range(missed))
        return replace(arrangement, tricks=(*unseen, *arrangement.tricks))

    def _arrange_after(self, missed: int, seen: list[FaceEvidence], suit: str | None, *, final: bool) -> Arrangement:
        leaders = {trick - missed: seat for trick, seat in self.word.leaders.items() if trick >= missed}
        winners = {trick - missed: seat for trick, seat in self.word.winners.items() if trick >= missed}
        first = self._first_logs() if not missed else tuple(0.0 for _ in self.seats)
        return self._arranger.arrange(seen, suit, first, leaders, winners, final=final, missed=missed)

    def _missed(self, arrangement: Arrangement, trump: TrumpStory, now: float) -> int:
        """Tricks that had been played before the program watched."""
        if self.word.missed is not None:
            return min(self.word.missed, self.rules.tricks - 1)
        tricks = arrangement.tricks
        if self.beginning is None or not tricks or len(tricks[0]) < self.rules.plays_per_trick:
            return 0
        self.beginning.look(self.rules, trump, self.faces.in_order())
        seen = 0 if trump.gone is None else self._tricks_before(arrangement, trump.gone)
        return self.beginning.missed(self.rules, trump, seen, now)

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
        by_hand = all(face.spot is None for face in plays)
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
                    trick=face.trick if by_hand else None,
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
            seen = [by_uid[uid] for uid in uids_of(slots)]
            plays = tuple(
                PlayEvidence(by_uid[slot.uid].shares, by_uid[slot.uid].places, said=self._is_said(slot.uid))
                if slot.uid is not None
                else PlayEvidence(blank, none, unseen=True)
                for slot in slots
            )
            gathered = next((one.gathered for one in seen if any(one.gathered)), none)
            said = self.word.gathered.get(number)
            if said is not None and said[0] is not None:
                gathered = self._gathered(self.seats[said[0]].side)
            led = self._first_logs() if number == 0 and not self.missed else none
            if number in self.word.leaders:
                led = tuple(0.0 if seat.seat == self.word.leaders[number] else -30.0 for seat in self.seats)
            tricks.append(TrickEvidence(plays, gathered, led, self.word.winners.get(number)))
        weights = [0.25 if self.word.trump_suit in (None, suit) else 0.0 for suit in "OCEB"]
        sights = tuple(
            TrumpSight(
                up.shares, up.after, up.gone, self._named(order, up) is not None, seat_of_side(self.seats, up.side)
            )
            for order, up in enumerate(ups)
        )
        renamed = [face.card for face in self.faces.in_order() if face.card in cards and face.is_renamed(cards)]
        named = frozenset(cards.index(card) for card in (*renamed, self.word.trump_card) if card is not None)
        suits = (weights[0], weights[1], weights[2], weights[3])
        return HandEvidence(tuple(tricks), sights, suits, named, suit_said=self.word.trump_suit is not None)

    def _is_said(self, uid: int) -> bool:
        """Whether a person has told which card a play was and who laid it."""
        face = self.faces.get(uid)
        return face.card is not None and face.seat is not None

    def _up_cards(self, arrangement: Arrangement, trump: TrumpStory) -> list[UpCard]:
        """The face-up cards in order, as seen and as people said."""
        cards = self.rules.cards
        ups = [
            UpCard(
                phase.shares,
                0 if index == 0 else self._tricks_before(arrangement, phase.t),
                None,
                phase.t,
                self.faces.get(phase.faces[0]).side,
            )
            for index, phase in enumerate(trump.phases)
        ]
        if self.word.trump_card is not None:
            start = ups[0].t if ups else 0.0
            ups = [UpCard(_only(cards, [self.word.trump_card]), 0, None, start), *ups[1:]]
        elif self.word.trump_suit is not None and ups:
            suit = _only(cards, [card for card in cards if card.suit == self.word.trump_suit])
            ups[0] = UpCard(ups[0].shares * suit, 0, None, ups[0].t)
        ups = [*ups[:1], *(up for up in ups[1:] if up.after not in self.word.no_exchanges)]
        for swap in self.word.exchanges:
            after = self._tricks_before(arrangement, swap.t) if swap.after is None else swap.after
            seen = next((up for up in ups[1:] if up.after == after), None)
            fits = [swap.given] if swap.given else [card for card in cards if card.rank in self.rules.exchange_takes]
            shares = _only(cards, fits) * (seen.shares if seen else 1.0)
            fresh = UpCard(shares / shares.sum(), after, swap.seat, seen.t if seen else swap.t)
            ups = sorted([up for up in ups if up is not seen] + [fresh], key=lambda up: (up.after, up.t))
        if ups and trump.gone is not None:
            ups[-1] = replace(ups[-1], gone=self._tricks_before(arrangement, trump.gone))
        return ups

    def _said_face_up(self, ups: list[UpCard]) -> tuple[FaceUp, ...]:
        """Which of the face-up cards people have named, and for how long they lie there."""
        found: list[FaceUp] = []
        for order, up in enumerate(ups):
            card = self._named(order, up)
            until = ups[order + 1].after if order + 1 < len(ups) else self.rules.draw_rounds
            if card is not None:
                found.append(FaceUp(card, up.after, until if up.gone is None else min(until, up.gone)))
        return tuple(found)

    def _named(self, order: int, up: UpCard) -> Card | None:
        """The face-up card at that place of the order, where people have named it."""
        if not order:
            return self.word.trump_card
        return self.rules.cards[int(up.shares.argmax())] if up.seat is not None and up.shares.max() > 0.5 else None

    def _tricks_before(self, arrangement: Arrangement, t: float) -> int:
        """Full tricks all of whose cards had fallen before ``t``."""
        count = 0
        for slots in arrangement.tricks:
            uids = uids_of(slots)
            if len(slots) < self.rules.plays_per_trick or any(self.faces.get(uid).t >= t for uid in uids):
                break
            count += 1
        return count

    def belief_of(self, uid: int) -> Floats:
        """Belief over the deck for one face from its own readings."""
        return self.faces.get(uid).shares(self.rules.cards)


def _only(cards: tuple[Card, ...], chosen: list[Card]) -> Floats:
    """A belief that (almost) only allows the chosen cards."""
    shares: Floats = np.full(len(cards), 1e-9)
    for card in chosen:
        shares[cards.index(card)] = 1.0
    shares /= shares.sum()
    return shares
