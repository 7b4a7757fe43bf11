"""The referee: table facts and presses in, game facts out. The only place where the one becomes the other.

Pure: no clock, no IO, no chance; the same facts in the same order give the same ledger. :mod:`server.referee.hands`
keeps the evidence of each hand, tells the whole hand anew after every fact that matters, and writes to the ledger what
changed; here is what people press, and what can be undone of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.cards import Card
from engine.events import CardPlayed
from engine.fold import fold
from engine.ledger import Confirm, LedgerEntry, Retract
from engine.rules import Rules
from engine.state import Exchange, GameState, MatchState
from server import refusals
from server.errors import PressError
from server.presses import Press, parse_press
from server.referee.breaks import Break
from server.referee.corrections import Corrections
from server.referee.hand import Hand
from server.referee.hands import Hands
from server.referee.mirror import Turned
from server.referee.questions import (
    RefereeStatus,
    alcaide_questions,
    doubts,
    is_lost,
    late_questions,
    lost_questions,
    mirror_question,
    order_questions,
)
from server.referee.steps import DISMISSED, Step, still_true
from server.referee.story import FOLLOWS, TURNED, Key
from server.referee.word import Call, Worded
from server.seats import Seat, in_mirror, seated_at, swap_names
from vision.facts import TableEvent


@dataclass(frozen=True, slots=True)
class _Made:
    """What a press brought by itself: entries, why the rest changes (undo, redo), the facts that it took out, the two
    plays that it let change places."""

    entries: tuple[LedgerEntry, ...] = ()
    cause: str | None = FOLLOWS
    by_hand: frozenset[Key] = frozenset()
    swapped: frozenset[Key] = frozenset()


class Referee:
    """Follows one session: any number of hands at one table under one set of rules."""

    def __init__(self, rules: Rules, seats: tuple[Seat, ...], dealer: int | None = None) -> None:
        if len(seats) != rules.players:
            raise PressError(f"The rules {rules.name} need {rules.players} seats, not {len(seats)}; name them all.")
        self.rules = rules
        self._hands = Hands(rules, seats, dealer)
        self.ledger = self._hands.ledger
        self._teller = self._hands.teller
        self._corrections = Corrections(rules, self._teller)
        self._pressed = 0
        self._held: list[TableEvent] | None = None
        self._ended_with = 0
        self._break: Break | None = None
        self._turned: Turned | None = None
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._state: MatchState | None = None

    # -- what comes in -----------------------------------------------------------------------------------------

    def feed(self, event: TableEvent) -> list[LedgerEntry]:
        """Take in one fact about the table; returns the ledger entries that follow from it.

        While the game is paused the fact is put by; what still holds when it goes on counts then.
        """
        self._pass_time(event.t)
        if self._held is not None:
            self._held.append(event)
            return []
        if self._break is not None:
            self._break.note(event, self._hands.last)
        first = self._hands.number(1)
        if first.beginning is not None:
            first.beginning.note(event)
        if not self._hands.take(event) and not self._hands.waiting_for_time():
            return []
        told = self._hands.tell(event.t)
        if self._turned is None and self._hands.last.mirror.found:
            self._turn_round()
            told += self._hands.tell(event.t, cause=TURNED)
        return told

    def press(self, press: Press | Mapping[str, Any]) -> list[LedgerEntry]:
        """Take in what a person pressed. Raises PressError where it cannot be meant; nothing is changed then."""
        pressed = press if isinstance(press, Press) else parse_press(press, self.rules.players)
        t = self._hands.now if pressed.t is None else pressed.t
        self._pass_time(t)
        made = self._apply(pressed, t)
        # Once the source has ended no more will come: what counted then counts whatever is put right.
        final = self._ended_with >= len(self._hands)
        told = self._hands.tell(t, final=final, cause=made.cause, by_hand=made.by_hand, swapped=made.swapped)
        return [*made.entries, *told]

    def finish(self, t: float) -> list[LedgerEntry]:
        """The source has ended: close what is sure. The hand is complete only if every trick was seen."""
        self._pass_time(t)
        self._ended_with = len(self._hands)
        return self._hands.tell(t, final=True)

    def _pass_time(self, t: float) -> None:
        self._hands.now = max(self._hands.now, t)

    def take_up(self, t: float, away: bool) -> list[LedgerEntry]:
        """Go on at ``t`` after the end of the source; ``away``: the table was not watched for a while.

        What is found changed on the table then is in doubt, and asked about.
        """
        self._pass_time(t)
        self._ended_with = 0
        if away:
            self._break = Break(t)
        return self._hands.tell(t)

    # -- what comes out ----------------------------------------------------------------------------------------

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits where, as people last said."""
        return self._hands.seats

    @property
    def state(self) -> MatchState:
        """The session as the ledger tells it."""
        if self._state is None or self._state.revision != len(self.ledger.entries):
            self._state = fold(self.rules, self.ledger.entries)
        return self._state

    @property
    def fresh(self) -> bool:
        """Whether a person has begun a hand that has nothing to tell yet. At the source's end the last one counts."""
        hand = self._hands.last
        return self._ended_with < hand.number > 1 and hand.since is None and not hand.started

    @property
    def paused(self) -> bool:
        """Whether what the camera sees is put by for now."""
        return self._held is not None

    @property
    def worded(self) -> tuple[Worded, ...]:
        """The faces of all hands that the camera saw and a person has named."""
        found = tuple(word for hand in self._hands for word in hand.worded)
        self._hands.put_by()
        return found

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
        hand = self._hands.last
        lost = hand.telling is not None and is_lost(hand)
        if hand.by_hand:  # no camera can lose the thread: what people entered goes together, or says where it does not
            questions = order_questions(hand, self._told(hand), lost=lost)
            lost = lost and bool(questions)
        else:
            questions = lost_questions(hand, self._teller) if lost else []
        if self._break is not None:
            questions.extend(self._break.questions(hand))
        questions.extend(alcaide_questions(self.state, self._hands.started()))
        questions.extend((*doubts(hand, self._teller), *late_questions(hand)))
        if self._turned is not None and self._turned.is_open(hand.number, self.seats, found=hand.word.found_at > 0):
            questions.append(mirror_question(hand))
        return RefereeStatus(lost, tuple(questions))

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
        if not (made.entries or step.opened) and (hand.said(), self.seats) == (step.said, step.seats):
            raise refusals.nothing_changes()
        self._hands.close(hand)
        self._done.append(replace(step, entries=tuple(entry.id for entry in made.entries)))
        self._undone.clear()
        return made

    def _change(self, hand: Hand, press: Press, t: float, step: Step) -> _Made:
        """Do what a press says to a hand."""
        corrections = self._corrections
        match press.type:
            case "arrastre_called":
                if not hand.in_play:
                    raise PressError("The hand is over; arrastre can be said again in the next hand.", "call_too_late")
                self._pressed += 1
                hand.word.calls.append(Call(self._pressed, press.seat or 0, t))
            case "correct_card":
                corrections.correct(hand, press, self._hands.now, self._in_hands(hand))
            case "correct_seat":
                return _Made(swapped=corrections.correct_seat(hand, press, self._leader_due(hand, press)))
            case "swap_cards":
                return _Made(swapped=corrections.swap_cards(hand, press, self._hands.now))
            case "remove_play":
                return _Made(by_hand=frozenset({corrections.remove(hand, press)}))
            case "add_play":
                corrections.add(hand, press, self._hands.now, self._in_hands(hand))
            case "set_trump":
                corrections.set_trump(hand, press, self._exchanges(hand))
            case "set_leader":
                corrections.set_leader(hand, press)
            case "set_alcaide":
                corrections.set_alcaide(hand, press, self._told(hand))
            case "set_winner":
                corrections.set_winner(hand, press, t, self._told(hand))
            case "exchange":
                corrections.exchange(hand, press, t, self._exchanges(hand))
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
                self._hands.seats = swap_names(self.seats, press.seat or 0, press.other or 0)
            case "claim":
                if hand.all_out or not hand.started:
                    raise PressError("There is no hand in play to claim; undo its end first.", "nothing_to_claim")
                hand.word.claimed, hand.word.ended = press.seat, t
            case "end_hand":
                if hand.over or not hand.started:
                    raise PressError(
                        "There is no hand in play to end; the next one begins by itself with its cards.",
                        "nothing_to_end",
                    )
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
            raise PressError(
                "This hand is new already; it begins by itself with the trump or the first card.", "hand_is_new"
            )
        if hand.since is not None and not hand.started and all(face.gone is None for face in hand.faces.in_order()):
            hand.word.begun = True
            return False
        hand.word.ended = t if not hand.over else hand.word.ended
        self._hands.begin_next(pressed=True)
        return True

    def _hand_meant(self, press: Press) -> Hand:
        """The hand that a press is about: that of its play, the one it names, else the current one."""
        key = self._teller.key_of(press.play or press.before or "")
        number = int(key[1]) if key is not None else press.hand or len(self._hands)
        if number > len(self._hands):
            raise refusals.no_such_hand(number, len(self._hands))
        return self._hands.number(number)

    def _told(self, hand: Hand) -> GameState | None:
        """A hand as the ledger tells it; empty hands are not in it."""
        told = self._hands.started()
        index = told.index(hand) if hand in told else -1
        return self.state.hands[index] if 0 <= index < len(self.state.hands) else None

    def _exchanges(self, hand: Hand) -> tuple[Exchange, ...]:
        """The exchanges of a hand as the ledger tells them."""
        told = self._told(hand)
        return () if told is None else told.exchanges

    def _in_hands(self, hand: Hand) -> dict[Card, int]:
        """The cards that everybody knows to be in a hand: picked up from the table, and not played yet."""
        told = self._told(hand)
        return {} if told is None else {card: seat for seat, held in enumerate(told.known_held) for card in held}

    def _leader_due(self, hand: Hand, press: Press) -> int | None:
        """Who was to lead the trick of the play that is meant: who took the one before; None where nobody knows."""
        told = self._told(hand)
        for trick in () if told is None else told.tricks:
            if trick.n == self._corrections.trick_of(hand, press):
                return trick.winner
        return None

    def _take_back(self) -> _Made:
        if not self._done:
            raise PressError("There is nothing to undo; correct a card or remove a play instead.", "nothing_to_undo")
        step = self._done[-1]
        hand = self._hands.number(step.hand)
        popped: Hand | None = None
        adopted: tuple[int, ...] = ()
        if step.opened:
            if step.hand + 1 != len(self._hands):
                raise PressError("Another hand has begun since; what was pressed before it stays.", "next_hand_began")
            popped = self._hands.drop_last()
            adopted = hand.faces.adopt(popped.faces)
        self._done.pop()
        self._undone.append(
            Step(step.hand, hand.said(), self.seats, opened=step.opened, popped=popped, adopted=adopted)
        )
        self._restore(hand, step)
        entries = [self.ledger.append("person", Retract(entry, "undo"), self._hands.now) for entry in step.entries]
        self._undone[-1].entries = tuple(entry.id for entry in entries)
        return _Made(tuple(entries), "undo")

    def _again(self) -> _Made:
        if not self._undone:
            raise PressError("There is nothing to do again: nothing was undone just now.", "nothing_to_redo")
        step = self._undone.pop()
        hand = self._hands.number(step.hand)
        self._done.append(Step(step.hand, hand.said(), self.seats, opened=step.opened))
        self._restore(hand, step)
        if step.popped is not None:
            hand.faces.drop(step.adopted)
            self._hands.put_back(step.popped)
        entries = [self.ledger.append("person", Retract(entry, "redo"), self._hands.now) for entry in step.entries]
        # The retraction of a retraction: what it brought back can be undone by its own id again.
        self._done[-1].entries = tuple(entry.id for entry in entries)
        return _Made(tuple(entries), "redo")

    def _restore(self, hand: Hand, step: Step) -> None:
        hand.unsay(step.said)
        self._sit(step.seats)
        self._hands.close(hand)

    def _sit(self, seats: tuple[Seat, ...]) -> None:
        """Let everybody sit there; where that is elsewhere, all hands are told anew."""
        moved = [(seat.side, seat.at) for seat in seats] != [(seat.side, seat.at) for seat in self.seats]
        self._hands.seats = seats
        for hand in self._hands if moved else ():
            hand.sit(seats)
            self._hands.close(hand)

    def _turn_round(self) -> None:
        """Let everybody sit on the other side by the referee's own judgement, once; what was pressed before keeps."""
        self._sit(in_mirror(self.seats))
        self._turned = Turned(self._hands.last.number, self.seats)
        for step in (*self._done, *self._undone):
            step.seats = in_mirror(step.seats)

    def _resume(self) -> None:
        held, self._held = self._held or [], None
        for event in still_true(held):
            self._hands.take(event)

    def _confirm(self, hand: Hand, press: Press, t: float) -> list[LedgerEntry]:
        if press.violation is not None:
            return self._judged(press.violation, "", t)
        key = self._teller.last_key() if press.play is None else self._corrections.key_of(hand, press)
        event = None if key is None else self._teller.event_of(key)
        if key is None or not isinstance(event, CardPlayed):
            raise PressError("There is no card to confirm; press on a card that is shown.", "no_such_play")
        if event.card is None:
            raise refusals.card_unknown()
        if key[0] == "play":
            face = hand.faces.get(int(key[2]))
            face.card, face.must = event.card, True
        entry = self._teller.entry_of(key)
        return [] if entry is None else [self.ledger.append("person", Confirm(entry), t)]

    def _judged(self, violation: str, reason: str, t: float) -> list[LedgerEntry]:
        """Somebody has seen a violation, or the table has dismissed it."""
        if not any(violation == known.key for state in self.state.hands for known in state.violations):
            raise refusals.no_such_violation(violation)
        return [self.ledger.append("person", Confirm(violation, reason), t)]
