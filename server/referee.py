"""The referee: table facts and presses in, game facts out. The only place where the one becomes the other.

Pure: no clock, no IO, no chance; the same facts in the same order give the same ledger. It keeps the evidence of each
hand, tells the whole hand anew after every fact that matters, and writes to the ledger what changed.
"""

from collections.abc import Mapping
from typing import Any, Final

from engine.cards import Card
from engine.events import CardPlayed
from engine.fold import fold
from engine.ledger import Confirm, Ledger, LedgerEntry, Retract
from engine.rules import Rules
from engine.state import MatchState
from server.corrections import Corrections
from server.errors import PressError
from server.faces import Face
from server.hand import Hand
from server.presses import Press, parse_press
from server.questions import RefereeStatus, doubts, is_lost, lost_questions
from server.seats import Seat
from server.story import Item, Teller
from server.word import Call, Said
from server.zones import Spot, spot
from vision.facts import TableEvent

NEW_HAND_QUIET: Final = 3.0
"""Seconds without a face on the table after which a face by the stock can begin a new hand early."""

NEW_STOCK_SECONDS: Final = 1.5
"""A back that comes to rest so long after the last trick was gathered may be the next hand's stock."""


class Referee:
    """Follows one session: any number of hands at one table under one set of rules."""

    def __init__(self, rules: Rules, seats: tuple[Seat, ...], dealer: int | None = None) -> None:
        if len(seats) != rules.players:
            raise PressError(f"The rules {rules.name} need {rules.players} seats, not {len(seats)}; name them all.")
        self.rules = rules
        self.seats = seats
        self.ledger = Ledger(rules)
        self._teller = Teller(self.ledger)
        self._corrections = Corrections(rules, self._teller)
        self._hands: list[Hand] = [Hand(rules, seats, 1, dealer)]
        self._closed: list[Item] = []
        self._backs: dict[int, tuple[Spot, float]] = {}
        self._left_early: dict[int, TableEvent] = {}
        self._now = 0.0
        self._pressed = 0
        self._undo: list[tuple[int, Said, tuple[str, ...]]] = []
        self._state: MatchState | None = None

    # -- what comes in -----------------------------------------------------------------------------------------

    def feed(self, event: TableEvent) -> list[LedgerEntry]:
        """Take in one fact about the table; returns the ledger entries that follow from it."""
        self._now = max(self._now, event.t)
        changed = self._back(event) if event.face == "back" else self._face(event)
        if not changed and not self._waiting_for_time():
            return []
        return self._tell(event.t)

    def press(self, press: Press | Mapping[str, Any]) -> list[LedgerEntry]:
        """Take in what a person pressed. Raises PressError where it cannot be meant; nothing is changed then."""
        pressed = press if isinstance(press, Press) else parse_press(press, self.rules.players)
        t = self._now if pressed.t is None else pressed.t
        self._now = max(self._now, t)
        extra = self._apply(pressed, t)
        return [*extra, *self._tell(t)]

    def finish(self, t: float) -> list[LedgerEntry]:
        """The source has ended: close what is sure. The hand is complete only if every trick was seen."""
        self._now = max(self._now, t)
        return self._tell(t, final=True)

    # -- what comes out ----------------------------------------------------------------------------------------

    @property
    def state(self) -> MatchState:
        """The session as the ledger tells it."""
        if self._state is None or self._state.revision != len(self.ledger.entries):
            self._state = fold(self.rules, self.ledger.entries)
        return self._state

    @property
    def status(self) -> RefereeStatus:
        """Whether the thread is lost, and open questions."""
        hand = self._hands[-1]
        lost = hand.telling is not None and is_lost(hand)
        questions = [*lost_questions(hand, self._teller)] if lost else []
        questions.extend(doubts(hand, self._teller))
        return RefereeStatus(lost, tuple(questions))

    # -- facts -------------------------------------------------------------------------------------------------

    def _back(self, event: TableEvent) -> bool:
        if event.kind in ("settled", "moved", "uncovered", "read"):
            since = self._backs[event.track][1] if event.track in self._backs else event.t
            self._backs[event.track] = (spot(event.quad, event.centre), since)
        elif event.kind in ("vanished", "swept"):
            for track in (event.track, *event.tracks):
                self._backs.pop(track, None)
        return event.kind == "settled"

    def _face(self, event: TableEvent) -> bool:
        hand = self._hands[-1]
        if event.kind in ("settled", "uncovered"):
            where = spot(event.quad, event.centre)
            hand = self._hand_for(event, where)
            known = hand.faces.of_track(event.track)
            if known is not None and self._replaced(hand, known, event):
                hand.faces.split(known, event, where)
                return True
            face = hand.faces.settle(event, where, hand.trump_faces, hand.waiting_faces)
            self._backs.pop(event.track, None)
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
            if self._replaced(hand, known, event):
                hand.faces.split(known, event, spot(event.quad, event.centre))
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
            for hand in self._hands[-2:]:
                face = hand.faces.of_track(track)
                if face is None:
                    continue
                known = True
                if track in face.lying or face.gone is None:
                    self._leave(face, track, event)
                    found = True
            if not known:
                self._left_early[track] = event
        return found

    @staticmethod
    def _leave(face: Face, track: int, event: TableEvent) -> None:
        if event.kind == "swept":
            face.leave(track, event.t, "swept", event.id, event.side)
        else:
            face.leave(track, event.t, "vanished", None, event.side)

    def _hand_for(self, event: TableEvent, where: Spot) -> Hand:
        """The hand that a face coming to rest belongs to; begins the next one where the last is over."""
        hand = self._hands[-1]
        if event.track in hand.faces:
            return hand
        if hand.over or self._begins_early(hand, event, where):
            self._next_hand()
        return self._hands[-1]

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
        quiet = event.t - max(face.gone or 0.0 for face in faces)
        near = any(where.distance(back) < 1.3 for back in self._stock_backs(max(face.gone or 0.0 for face in faces)))
        return quiet > NEW_HAND_QUIET and near

    def _stock_backs(self, since: float | None) -> list[Spot]:
        """Where backs lie; with ``since`` only those that came to rest after a hand, which no pile of tricks did."""
        if since is None:
            return [back for back, _ in self._backs.values()]
        return [back for back, t in self._backs.values() if t > since + NEW_STOCK_SECONDS]

    def _next_hand(self, *, pressed: bool = False) -> None:
        hand = self._hands[-1]
        self._closed.extend(self._ended(hand))
        last = max([face.gone or face.t for face in hand.faces.in_order()], default=self._now)
        since = None if pressed else last
        self._hands.append(Hand(self.rules, self.seats, len(self._hands) + 1, None, since=since))
        self._undo.clear()

    def _ended(self, hand: Hand) -> list[Item]:
        """The last telling of a hand that is left behind, with its end."""
        if not hand.started:
            return []
        if hand.word.ended is None:
            hand.word.ended = max([face.gone or face.t for face in hand.faces.in_order()], default=self._now)
        return hand.story(self._stock_backs(hand.since), self._teller.events(), self._now, final=True)

    def _waiting_for_time(self) -> bool:
        """Whether the passing of time alone may tell something: a trick whose cards vanished one by one."""
        telling = self._hands[-1].telling
        return telling is not None and telling.full > 0 and self._last_sweep_open(telling.full - 1)

    def _last_sweep_open(self, trick: int) -> bool:
        return self._teller.entry_of(("sweep", self._hands[-1].number, trick)) is None

    def _tell(self, t: float, *, final: bool = False) -> list[LedgerEntry]:
        hand = self._hands[-1]
        story = hand.story(self._stock_backs(hand.since), self._teller.events(), self._now, final=final)
        return self._teller.tell([*self._closed, *story], t)

    # -- presses -----------------------------------------------------------------------------------------------

    def _apply(self, press: Press, t: float) -> list[LedgerEntry]:
        hand = self._hands[-1]
        if press.type == "undo":
            return self._take_back()
        before = hand.said()
        extra: list[LedgerEntry] = []
        match press.type:
            case "arrastre_called":
                self._pressed += 1
                hand.word.calls.append(Call(self._pressed, press.seat or 0, t))
            case "correct_card":
                self._corrections.correct(hand, press, self._now)
            case "correct_seat":
                self._corrections.face_of(hand, press).seat = press.seat
            case "remove_play":
                face = self._corrections.face_of(hand, press)
                face.banned, face.must = True, False
            case "add_play":
                self._corrections.add(hand, press, self._now)
            case "set_trump":
                self._corrections.set_trump(hand, press)
            case "set_leader":
                self._corrections.set_leader(hand, press)
            case "exchange":
                self._corrections.exchange(hand, press, t)
            case "sweep":
                self._corrections.sweep(hand, press, t)
            case "confirm":
                extra.extend(self._confirm(hand, press, t))
            case "end_hand":
                hand.word.ended = t
            case "next_hand":
                hand.word.ended = t if not hand.over else hand.word.ended
                self._next_hand(pressed=True)
                return extra
            case "found":
                hand.word.found_at = t
        self._undo.append((len(self._hands), before, tuple(entry.id for entry in extra)))
        return extra

    def _take_back(self) -> list[LedgerEntry]:
        if not self._undo or self._undo[-1][0] != len(self._hands):
            raise PressError("There is nothing to undo in this hand; correct a card or remove a play instead.")
        _, before, entries = self._undo.pop()
        self._hands[-1].unsay(before)
        return [self.ledger.append("person", Retract(entry, "undo"), self._now) for entry in entries]

    def _confirm(self, hand: Hand, press: Press, t: float) -> list[LedgerEntry]:
        if press.violation is not None:
            if not any(press.violation == v.key for state in self.state.hands for v in state.violations):
                raise PressError(f"There is no violation {press.violation!r} to confirm.")
            return [self.ledger.append("person", Confirm(press.violation), t)]
        key = self._teller.last_key() if press.play is None else self._corrections.key_of(hand, press)
        event = None if key is None else self._teller.event_of(key)
        if key is None or not isinstance(event, CardPlayed):
            raise PressError("There is no card to confirm; press on a card that is shown.")
        if event.card is None:
            raise PressError("That card is not known yet; say which card it was instead.")
        if key[0] == "play":
            face = hand.faces.get(int(key[2]))
            face.card, face.must = event.card, True
        entry = self._teller.entry_of(key)
        return [] if entry is None else [self.ledger.append("person", Confirm(entry), t)]
