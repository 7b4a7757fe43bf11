"""The referee: table facts and presses in, game facts out. The only place where the one becomes the other.

Pure: no clock, no IO, no chance; the same facts in the same order give the same ledger. It keeps the evidence of each
hand, tells the whole hand anew after every fact that matters, and writes to the ledger what changed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from engine.cards import Card
from engine.events import CardPlayed
from engine.fold import fold
from engine.ledger import Confirm, Ledger, LedgerEntry, Retract
from engine.rules import Rules
from engine.state import Exchange, MatchState
from server.breaks import Break
from server.corrections import Corrections
from server.errors import PressError
from server.faces import Face
from server.hand import Hand
from server.presses import Press, parse_press
from server.questions import RefereeStatus, doubts, is_lost, late_questions, lost_questions, mirror_questions
from server.seats import Seat, in_mirror, seated_at, swap_names
from server.steps import DISMISSED, Step, still_true
from server.story import FOLLOWS, Item, Key, Teller
from server.word import Call
from server.zones import Spot, spot
from vision.facts import TableEvent

NEW_HAND_QUIET: Final = 3.0
"""Seconds without a face on the table after which a face by the stock can begin a new hand early."""

NEW_STOCK_SECONDS: Final = 1.5
"""A back that comes to rest so long after the last trick was gathered may be the next hand's stock."""


@dataclass(frozen=True, slots=True)
class _Made:
    """What a press brought by itself: entries, why the rest changes (undo, redo), the facts that it took out."""

    entries: tuple[LedgerEntry, ...] = ()
    cause: str | None = FOLLOWS
    by_hand: frozenset[Key] = frozenset()


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
        self._closed: dict[int, list[Item]] = {}
        self._backs: dict[int, tuple[Spot, float]] = {}
        self._left_early: dict[int, TableEvent] = {}
        self._now = 0.0
        self._pressed = 0
        self._held: list[TableEvent] | None = None
        self._ended_with = 0
        self._break: Break | None = None
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._state: MatchState | None = None

    # -- what comes in -----------------------------------------------------------------------------------------

    def feed(self, event: TableEvent) -> list[LedgerEntry]:
        """Take in one fact about the table; returns the ledger entries that follow from it.

        While the game is paused the fact is put by; what still holds when it goes on counts then.
        """
        self._now = max(self._now, event.t)
        if self._held is not None:
            self._held.append(event)
            return []
        if not self._take(event) and not self._waiting_for_time():
            return []
        return self._tell(event.t)

    def _take(self, event: TableEvent) -> bool:
        if self._break is not None:
            self._break.note(event, self._hands[-1])
        if self._hands[0].beginning is not None:
            self._hands[0].beginning.note(event)
        return self._back(event) if event.face == "back" else self._face(event)

    def press(self, press: Press | Mapping[str, Any]) -> list[LedgerEntry]:
        """Take in what a person pressed. Raises PressError where it cannot be meant; nothing is changed then."""
        pressed = press if isinstance(press, Press) else parse_press(press, self.rules.players)
        t = self._now if pressed.t is None else pressed.t
        self._now = max(self._now, t)
        made = self._apply(pressed, t)
        return [*made.entries, *self._tell(t, cause=made.cause, by_hand=made.by_hand)]

    def finish(self, t: float) -> list[LedgerEntry]:
        """The source has ended: close what is sure. The hand is complete only if every trick was seen."""
        self._now = max(self._now, t)
        self._ended_with = len(self._hands)
        return self._tell(t, final=True)

    def take_up(self, t: float, away: bool) -> list[LedgerEntry]:
        """Go on at ``t`` after the end of the source; ``away``: the table was not watched for a while.

        What is found changed on the table then is in doubt, and asked about.
        """
        self._now = max(self._now, t)
        self._ended_with = 0
        if away:
            self._break = Break(t)
        return self._tell(t)

    # -- what comes out ----------------------------------------------------------------------------------------

    @property
    def state(self) -> MatchState:
        """The session as the ledger tells it."""
        if self._state is None or self._state.revision != len(self.ledger.entries):
            self._state = fold(self.rules, self.ledger.entries)
        return self._state

    @property
    def fresh(self) -> bool:
        """Whether a person has begun a hand that has nothing to tell yet. At the source's end the last one counts."""
        hand = self._hands[-1]
        return self._ended_with < hand.number > 1 and hand.since is None and not hand.started

    @property
    def paused(self) -> bool:
        """Whether what the camera sees is put by for now."""
        return self._held is not None

    @property
    def can_undo(self) -> bool:
        """Whether there is a press to take back."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether a press was taken back that can be done again."""
        return bool(self._undone)

    @property
    def status(self) -> RefereeStatus:
        """Whether the thread is lost, and open questions."""
        hand = self._hands[-1]
        lost = hand.telling is not None and is_lost(hand)
        questions = [*lost_questions(hand, self._teller)] if lost else []
        if self._break is not None:
            questions.extend(self._break.questions(hand))
        questions.extend(doubts(hand, self._teller))
        questions.extend(late_questions(hand))
        questions.extend(mirror_questions(hand))
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
        cleared = max(face.gone or 0.0 for face in faces)
        near = any(where.distance(back) < 1.3 for back in self._stock_backs(cleared))
        return event.t - cleared > NEW_HAND_QUIET and near

    def _stock_backs(self, since: float | None) -> list[Spot]:
        """Where backs lie; with ``since`` only those that came to rest after a hand, which no pile of tricks did."""
        if since is None:
            return [back for back, _ in self._backs.values()]
        return [back for back, t in self._backs.values() if t > since + NEW_STOCK_SECONDS]

    def _next_hand(self, *, pressed: bool = False) -> None:
        hand = self._hands[-1]
        self._closed[hand.number] = self._ended(hand)
        since = None if pressed else hand.last_moment(self._now)
        self._hands.append(Hand(self.rules, self.seats, len(self._hands) + 1, None, since=since))

    def _ended(self, hand: Hand) -> list[Item]:
        """The last telling of a hand that is left behind, with its end."""
        if not hand.started:
            return []
        if hand.word.ended is None:
            hand.word.ended = hand.last_moment(self._now)
        return hand.story(self._stock_backs(hand.since), self._teller.events(), self._now, final=True)

    def _waiting_for_time(self) -> bool:
        """Whether the passing of time alone may tell something: a trick whose cards vanished one by one."""
        telling = self._hands[-1].telling
        return telling is not None and telling.full > 0 and self._last_sweep_open(telling.full - 1)

    def _last_sweep_open(self, trick: int) -> bool:
        return self._teller.entry_of(("sweep", self._hands[-1].number, trick)) is None

    def _tell(
        self, t: float, *, final: bool = False, cause: str | None = None, by_hand: frozenset[Key] = frozenset()
    ) -> list[LedgerEntry]:
        hand = self._hands[-1]
        story = hand.story(self._stock_backs(hand.since), self._teller.events(), self._now, final=final)
        closed = [item for number in sorted(self._closed) for item in self._closed[number]]
        return self._teller.tell([*closed, *story], t, cause, by_hand)

    # -- presses -----------------------------------------------------------------------------------------------

    def _apply(self, press: Press, t: float) -> _Made:
        match press.type:
            case "undo":
                return self._take_back()
            case "redo":
                return self._again()
            case "pause":
                self._held = [] if self._held is None else self._held
                return _Made()
            case "resume":
                self._resume()
                return _Made(cause=None)
        hand = self._hand_meant(press)
        step = Step(hand.number, hand.said(), self.seats)
        made = self._change(hand, press, t, step)
        self._tell_closed(hand)
        self._done.append(replace(step, entries=tuple(entry.id for entry in made.entries)))
        self._undone.clear()
        return made

    def _change(self, hand: Hand, press: Press, t: float, step: Step) -> _Made:
        """Do what a press says to a hand."""
        corrections = self._corrections
        match press.type:
            case "arrastre_called":
                if not hand.in_play:
                    raise PressError("The hand is over; arrastre can be said again in the next hand.")
                self._pressed += 1
                hand.word.calls.append(Call(self._pressed, press.seat or 0, t))
            case "correct_card":
                corrections.correct(hand, press, self._now)
            case "correct_seat":
                corrections.face_of(hand, press).seat = press.seat
            case "remove_play":
                face = corrections.face_of(hand, press)
                face.banned, face.must = True, False
                return _Made(by_hand=frozenset({corrections.key_of(hand, press)}))
            case "add_play":
                corrections.add(hand, press, self._now)
            case "set_trump":
                corrections.set_trump(hand, press)
            case "set_leader":
                corrections.set_leader(hand, press)
            case "set_winner":
                corrections.set_winner(hand, press, t)
            case "exchange":
                corrections.exchange(hand, press, t)
            case "remove_exchange":
                corrections.remove_exchange(hand, press, self._exchanges(hand))
                keys = (key for key in self._teller.events() if key[:2] == ("exchange", hand.number))
                return _Made(by_hand=frozenset(keys))
            case "sweep":
                corrections.sweep(hand, press, t)
            case "confirm":
                return _Made(tuple(self._confirm(hand, press, t)))
            case "dismiss":
                return _Made(tuple(self._judged(str(press.violation), DISMISSED, t)))
            case "swap_seats":
                if press.seat == press.other:
                    raise PressError("Two different seats are needed to swap their names.")
                self.seats = swap_names(self.seats, press.seat or 0, press.other or 0)
            case "claim":
                if hand.over or not hand.started:
                    raise PressError("There is no hand in play to claim; undo its end first.")
                hand.word.claimed, hand.word.ended = press.seat, t
            case "end_hand":
                if hand.over or not hand.started:
                    raise PressError("There is no hand in play to end; the next one begins by itself with its cards.")
                hand.word.ended = t
            case "next_hand":
                step.opened = self._new_hand(hand, t)
            case "found":
                hand.word.found_at = t
            case "late":
                corrections.late(hand, press)
            case "places":
                self._sit(seated_at(self.seats, press.places))
            case "mirror":
                self._sit(in_mirror(self.seats))
        return _Made()

    def _new_hand(self, hand: Hand, t: float) -> bool:
        """Begin a hand by a person's word: False where its first cards lie there already, True where it is opened."""
        if self.fresh or self.state.hand is None:
            raise PressError("This hand is new already; it begins by itself with the trump or the first card.")
        if hand.since is not None and not hand.started and all(face.gone is None for face in hand.faces.in_order()):
            hand.word.begun = True
            return False
        hand.word.ended = t if not hand.over else hand.word.ended
        self._next_hand(pressed=True)
        return True

    def _hand_meant(self, press: Press) -> Hand:
        """The hand that a press is about: that of its play, the one it names, else the current one."""
        key = self._teller.key_of(press.play or press.before or "")
        number = int(key[1]) if key is not None else press.hand or len(self._hands)
        if number > len(self._hands):
            raise PressError(f"There is no hand {number} yet; this is hand {len(self._hands)}.")
        return self._hands[number - 1]

    def _exchanges(self, hand: Hand) -> tuple[Exchange, ...]:
        """The exchanges of a hand as the ledger tells them; empty hands are not in it."""
        told = [one for one in self._hands if one.started]
        index = told.index(hand) if hand in told else -1
        return self.state.hands[index].exchanges if 0 <= index < len(self.state.hands) else ()

    def _take_back(self) -> _Made:
        if not self._done:
            raise PressError("There is nothing to undo; correct a card or remove a play instead.")
        step = self._done[-1]
        hand = self._hands[step.hand - 1]
        popped: Hand | None = None
        adopted: tuple[int, ...] = ()
        if step.opened:
            if step.hand + 1 != len(self._hands):
                raise PressError("Another hand has begun since; what was pressed before it stays.")
            popped = self._hands.pop()
            self._closed.pop(hand.number, None)
            adopted = hand.faces.adopt(popped.faces)
        self._done.pop()
        self._undone.append(
            Step(step.hand, hand.said(), self.seats, opened=step.opened, popped=popped, adopted=adopted)
        )
        self._restore(hand, step)
        entries = [self.ledger.append("person", Retract(entry, "undo"), self._now) for entry in step.entries]
        self._undone[-1].entries = tuple(entry.id for entry in entries)
        return _Made(tuple(entries), "undo")

    def _again(self) -> _Made:
        if not self._undone:
            raise PressError("There is nothing to do again: nothing was undone just now.")
        step = self._undone.pop()
        hand = self._hands[step.hand - 1]
        self._done.append(Step(step.hand, hand.said(), self.seats, opened=step.opened))
        self._restore(hand, step)
        if step.popped is not None:
            hand.faces.drop(step.adopted)
            self._closed[hand.number] = self._ended(hand)
            self._hands.append(step.popped)
        entries = [self.ledger.append("person", Retract(entry, "redo"), self._now) for entry in step.entries]
        # The retraction of a retraction: what it brought back can be undone by its own id again.
        self._done[-1].entries = tuple(entry.id for entry in entries)
        return _Made(tuple(entries), "redo")

    def _restore(self, hand: Hand, step: Step) -> None:
        hand.unsay(step.said)
        self._sit(step.seats)
        self._tell_closed(hand)

    def _sit(self, seats: tuple[Seat, ...]) -> None:
        """Let everybody sit there; where that is elsewhere, all hands are told anew."""
        moved = [(seat.side, seat.at) for seat in seats] != [(seat.side, seat.at) for seat in self.seats]
        self.seats = seats
        for hand in self._hands if moved else ():
            hand.sit(seats)
            self._tell_closed(hand)

    def _tell_closed(self, hand: Hand) -> None:
        """Tell an earlier hand anew after a press about it."""
        if hand is not self._hands[-1]:
            self._closed[hand.number] = self._ended(hand)

    def _resume(self) -> None:
        held, self._held = self._held or [], None
        for event in still_true(held):
            self._take(event)

    def _confirm(self, hand: Hand, press: Press, t: float) -> list[LedgerEntry]:
        if press.violation is not None:
            return self._judged(press.violation, "", t)
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

    def _judged(self, violation: str, reason: str, t: float) -> list[LedgerEntry]:
        """Somebody has seen a violation, or the table has dismissed it."""
        if not any(violation == known.key for state in self.state.hands for known in state.violations):
            raise PressError(f"There is no violation {violation!r} to confirm.")
        return [self.ledger.append("person", Confirm(violation, reason), t)]
