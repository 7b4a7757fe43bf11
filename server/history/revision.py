"""A game of the history put right after its end: corrections are written into its ledger, and all follows from it.

Nobody watches any more: there is no camera to ask, only what the ledger tells. So a press becomes the entries that it
means, and everything else (tricks, points, violations, result, files) is told anew from the ledger. These entries bear
no time, as the clock of the source has stopped; that is how they are known from what was pressed during the game.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from engine.cards import Card
from engine.events import CardPlayed, GameEvent, HandEnded, HandStarted, TrickSwept, TrumpExchanged, TrumpShown
from engine.fold import fold
from engine.ledger import Amend, Body, Confirm, Correction, InsertAfter, Ledger, LedgerEntry, Retract, voided
from engine.rules import Rules
from engine.state import GameState, MatchState, Play
from server import refusals
from server.errors import PressError
from server.presses import Press, deck_card, trump_told
from server.referee.corrections import counts_for, in_turn
from server.referee.steps import DISMISSED
from server.referee.story import FOLLOWS, SWAPPED
from server.scoreboard.changes import REORDERED, STEPS

BY_HAND: Final = "corrected by hand"
TAKEN_OUT: Final = "taken out by hand"


def steps_of(entries: Sequence[LedgerEntry]) -> dict[str, bool]:
    """Whether there is a correction after the end to take back, and one to do again."""
    return {"undo": _standing(entries) is not None, "redo": _taken_back(entries) is not None}


class Revision:
    """The ledger of a kept game, written on. Each press is one entry of a person, followed by those that follow from it
    (of the source ``rule``), so that undo and redo find all of them.
    """

    def __init__(self, rules: Rules, entries: Sequence[LedgerEntry]) -> None:
        self.ledger = Ledger(rules, entries)
        self._rules = rules
        self._facts: tuple[tuple[str, GameEvent], ...] = self.ledger.effective()
        self._state: MatchState = fold(rules, entries)

    def press(self, press: Press) -> None:
        """Write what a press means; PressError where it means nothing in a game that is over."""
        match press.type:
            case "correct_card":
                self._correct_card(press)
            case "correct_seat":
                self._correct_seat(press)
            case "swap_cards":
                self._swap_cards(press)
            case "remove_play":
                self._write(Retract(self._play(press)[0], TAKEN_OUT))
            case "add_play":
                self._add_play(press)
            case "set_trump":
                self._set_trump(press)
            case "set_alcaide":
                self._set_alcaide(press)
            case "set_winner":
                self._set_winner(press)
            case "exchange":
                self._exchange(press)
            case "remove_exchange":
                exchange = self._exchange_after(self._hand(press), press.after_trick or 0)
                self._write(Retract(exchange, TAKEN_OUT))
            case "confirm" | "dismiss":
                self._judge(press)
            case "undo" | "redo":
                self._step(press.type)
            case _:
                raise PressError(
                    f"{press.type} is for a game that is being played; this one is over, and only put right.",
                    "game_is_over",
                )

    # -- what a press means ------------------------------------------------------------------------------------

    def _correct_card(self, press: Press) -> None:
        card = deck_card(self._rules, press.card)
        fact, event, hand = self._play(press)
        self._give(fact, replace(event, card=card, candidates=(), confidence=1.0))
        self._take_from_others(card, fact, hand)

    def _correct_seat(self, press: Press) -> None:
        fact, event, hand = self._play(press)
        seat = press.seat or 0
        trick = next(plays for plays in _tricks(hand).values() if any(play.event_id == fact for play in plays))
        mine = next(play.seat for play in trick if play.event_id == fact)
        others = [play for play in trick if play.seat == seat and play.event_id not in (fact, None)]
        if others and mine != seat:  # two cards of one seat: each has the other's place
            other = others[0].event_id or ""
            swapped = [{mine: seat, seat: mine}.get(play.seat, play.seat) for play in trick]
            entered = self._entered(fact) and self._entered(other)
            theirs = self._played(other)
            if entered and not in_turn(self._rules, swapped, self._due(hand, fact)):  # as Corrections.correct_seat does
                self._swap(fact, replace(event, card=theirs.card), other, replace(theirs, card=event.card))
            else:
                self._swap(fact, replace(event, seat=seat), other, replace(theirs, seat=mine))
        else:
            self._give(fact, replace(event, seat=seat))

    def _swap_cards(self, press: Press) -> None:
        (one, first, hand), (other, second, of) = self._play(press), self._play(replace(press, play=press.other_play))
        if one == other:
            raise refusals.same_play()
        if hand.number != of.number:
            raise refusals.no_such_play(press.other_play or "")
        shown = {play.event_id: play.card for play in hand.all_plays}  # also what the others leave for one of them
        if shown[one] is None or shown[other] is None:
            raise refusals.card_unknown()
        given = [
            replace(event, card=shown[fact], candidates=(), confidence=1.0)
            for event, fact in ((first, other), (second, one))
        ]
        self._swap(one, given[0], other, given[1])

    def _swap(self, one: str, first: CardPlayed, other: str, second: CardPlayed) -> None:
        """Two plays exchanged something: told as one change."""
        self._write(Amend(one, first, SWAPPED))
        self._write(Amend(other, second, SWAPPED), "rule")

    def _add_play(self, press: Press) -> None:
        card, seat = deck_card(self._rules, press.card), press.seat or 0
        if press.before is not None:
            fact, _, hand = self._play(replace(press, play=press.before))
            after = self._facts[self._at(fact) - 1][0] if self._at(fact) else None
        else:
            hand = self._hand(press)
            after = self._end_of(hand, press.trick or 1, seat)
        made = self._insert(after, CardPlayed(seat, card, confidence=1.0))
        self._take_from_others(card, made, hand)

    def _end_of(self, hand: GameState, number: int, seat: int) -> str | None:
        """The fact that a play added to that trick comes after."""
        tricks, size = _tricks(hand), self._rules.plays_per_trick
        due = max((trick for trick, plays in tricks.items() if len(plays) >= size), default=hand.missed) + 1
        refusals.demand_place(self._rules, number, due, hand.missed)
        plays = tricks.get(number, ())
        told = [play.event_id for play in plays if play.event_id is not None]
        one_each = size == self._rules.players
        if len(told) >= size or (one_each and any(play.seat == seat and play.event_id in told for play in plays)):
            raise refusals.seat_has_card(seat, number)
        if told:
            return told[-1]
        facts = self._chunk(hand)
        return [fact for fact, event in facts if not isinstance(event, HandEnded)][-1]

    def _set_trump(self, press: Press) -> None:
        hand = self._hand(press)
        card, suit = trump_told(self._rules, press)
        for one in hand.exchanges:
            if one.event_id is not None and self._said(one.event_id):
                refusals.demand_suit(one.given, suit)
        shown = TrumpShown(card, None if card is not None else suit, confidence=1.0)
        facts = self._chunk(hand)
        told = next(((fact, event) for fact, event in facts if isinstance(event, TrumpShown)), None)
        if told is not None:
            self._give(told[0], replace(shown, t=told[1].t))
        else:
            self._insert(facts[0][0], shown)

    def _set_alcaide(self, press: Press) -> None:
        refusals.demand_alcaide(self._rules)
        hand = self._hand(press)
        if hand.alcaide == press.seat:
            raise refusals.nothing_changes()
        fact, event = self._chunk(hand)[0]
        if isinstance(event, HandStarted):
            self._give(fact, replace(event, alcaide=press.seat))
        else:
            self._insert(None, HandStarted(alcaide=press.seat))

    def _set_winner(self, press: Press) -> None:
        hand, number, seat = self._hand(press), press.trick or 1, press.seat or 0
        last = self._last_of(hand, number)
        if counts_for(hand, number, seat, on_table=True):
            raise refusals.nothing_changes()
        swept = self._sweep_after(last)
        if swept is not None:  # who was seen to gather it no longer speaks against anybody
            self._give(swept, replace(self._fact(swept), seat=None, winner=seat), "the table gave the trick")
        else:
            self._insert(last, TrickSwept(winner=seat), "the table gave the trick")

    def _exchange(self, press: Press) -> None:
        refusals.demand_exchange(self._rules)
        hand = self._hand(press)
        after = len(hand.tricks) if press.after_trick is None else press.after_trick
        given = None if press.given is None else deck_card(self._rules, press.given)
        refusals.demand_suit(given, hand.trump_suit)
        before = next((one.event_id for one in hand.exchanges if one.after_trick == after), None)
        if before is not None:
            self._give(before, replace(self._fact(before), seat=press.seat, given=given, taken=None, confidence=1.0))
            return
        place: str | None
        if after:
            last = self._last_of(hand, after)
            place = self._sweep_after(last) or last
        else:
            facts = self._chunk(hand)
            place = next((fact for fact, event in facts if isinstance(event, TrumpShown)), facts[0][0])
        self._insert(place, TrumpExchanged(press.seat, given, confidence=1.0))

    def _judge(self, press: Press) -> None:
        if press.violation is not None:
            keys = {violation.key for hand in self._state.hands for violation in hand.violations}
            if press.violation not in keys:
                raise refusals.no_such_violation(press.violation)
            self._write(Confirm(press.violation, DISMISSED if press.type == "dismiss" else ""))
            return
        fact, event, _ = self._play(press)
        if event.card is None:
            raise refusals.card_unknown()
        self._write(Confirm(fact))

    def _step(self, kind: str) -> None:
        entries = self.ledger.entries
        at = _standing(entries) if kind == "undo" else _taken_back(entries)
        if at is None:
            if kind == "undo":
                raise PressError("Nothing was put right after the game; there is nothing to undo.", "nothing_to_undo")
            raise PressError("There is nothing to do again: nothing was undone just now.", "nothing_to_redo")
        for number, entry in enumerate(_group(entries, at)):
            self._write(Retract(entry.id, kind), "rule" if number else "person")

    # -- how it is written ---------------------------------------------------------------------------------------

    def _give(self, fact: str, event: GameEvent, reason: str = BY_HAND) -> None:
        """The fact was really this; saying what is told already vouches for it."""
        if replace(event, confidence=None) == replace(self._fact(fact), confidence=None):
            self._write(Confirm(fact))
        else:
            self._write(Amend(fact, event, reason))

    def _take_from_others(self, card: Card, keeper: str, hand: GameState) -> None:
        """Each card is played once: who else had it played a card that nobody knows now."""
        for fact, event in self._chunk(hand):
            if fact != keeper and isinstance(event, CardPlayed) and event.card == card:
                self._write(Amend(fact, replace(event, card=None, candidates=(), confidence=None), FOLLOWS), "rule")

    def _insert(self, after: str | None, event: GameEvent, reason: str = BY_HAND) -> str:
        """Put a fact right after another; what was inserted there before is written again behind it."""
        behind = [(fact, told) for fact, told in self._facts if self._hangs_on(fact, after)]
        made = self._write(InsertAfter(after, event, reason))
        for fact, _ in behind:
            self._write(Retract(fact, REORDERED), "rule")
        for _, told in behind:
            self._write(InsertAfter(after, told, "seen late"), "rule")
        return made

    def _hangs_on(self, fact: str, parent: str | None) -> bool:
        """Whether a fact was inserted after ``parent``, or after something that was."""
        hung = {entry.id: entry.body.target for entry in self.ledger.entries if isinstance(entry.body, InsertAfter)}
        at: str | None = fact
        while at in hung:
            at = hung[at]
            if at == parent:
                return True
        return False

    def _write(self, body: Body, source: str = "person") -> str:
        return self.ledger.append(source, body).id

    # -- what is there -------------------------------------------------------------------------------------------

    def _hand(self, press: Press) -> GameState:
        number = press.hand or len(self._state.hands)
        found = next((hand for hand in self._state.hands if hand.number == number), None)
        if found is None:
            raise refusals.no_such_hand(number, len(self._state.hands))
        return found

    def _play(self, press: Press) -> tuple[str, CardPlayed, GameState]:
        """The fact of the play that a press means, by its id or by trick and seat, and its hand."""
        if press.play is not None:
            for hand in self._state.hands:
                if any(play.event_id == press.play for play in hand.all_plays):
                    return press.play, self._played(press.play), hand
            raise refusals.no_such_play(press.play)
        hand = self._hand(press)
        for play in _tricks(hand).get(press.trick or 1, ()):
            if play.seat == press.seat and play.event_id is not None:
                return play.event_id, self._played(play.event_id), hand
        raise refusals.no_play_there(press.seat, press.trick)

    def _played(self, fact: str) -> CardPlayed:
        event = self._fact(fact)
        assert isinstance(event, CardPlayed)
        return event

    def _said(self, fact: str) -> bool:
        """Whether a person has told that fact, or put it right."""
        void = voided(self.ledger.entries)
        return any(
            entry.source == "person" and fact in (entry.id, getattr(entry.body, "target", None))
            for entry in self.ledger.entries
            if entry.id not in void and not isinstance(entry.body, Confirm | Retract)
        )

    def _entered(self, fact: str) -> bool:
        """Whether a play was told by a person, so that nobody saw when it fell."""
        return any(entry.id == fact and entry.source == "person" for entry in self.ledger.entries)

    @staticmethod
    def _due(hand: GameState, fact: str) -> int | None:
        """Who was to lead the trick of a play, None where nobody knows."""
        tricks = _tricks(hand)
        number = next(n for n, plays in tricks.items() if any(play.event_id == fact for play in plays))
        return next((trick.winner for trick in hand.tricks if trick.n == number - 1), None)

    def _at(self, fact: str) -> int:
        return next(index for index, (known, _) in enumerate(self._facts) if known == fact)

    def _fact(self, fact: str) -> Any:
        return self._facts[self._at(fact)][1]

    def _chunk(self, hand: GameState) -> list[tuple[str, GameEvent]]:
        """The facts of a hand."""
        chunks: list[list[tuple[str, GameEvent]]] = []
        for fact, event in self._facts:
            if isinstance(event, HandStarted) or not chunks:
                chunks.append([])
            chunks[-1].append((fact, event))
        return chunks[hand.number - 1]

    def _last_of(self, hand: GameState, number: int) -> str:
        """The last play of a trick that is full."""
        plays = _tricks(hand).get(number, ())
        told = [play.event_id for play in plays if play.event_id is not None]
        if len(plays) < self._rules.plays_per_trick or not told:
            raise refusals.trick_not_full(number)
        return told[-1]

    def _sweep_after(self, fact: str) -> str | None:
        """The gathering of the trick whose last play is ``fact``, None where nobody saw it."""
        for known, event in self._facts[self._at(fact) + 1 :]:
            if isinstance(event, TrickSwept):
                return known
            if isinstance(event, CardPlayed | HandStarted):
                return None
        return None

    def _exchange_after(self, hand: GameState, after: int) -> str:
        for one in hand.exchanges:
            if one.after_trick == after and one.event_id is not None:
                return one.event_id
        raise refusals.no_exchange_then(after)


def _tricks(hand: GameState) -> dict[int, tuple[Play, ...]]:
    """The plays of each trick by its number, the one on the table too."""
    tricks = {trick.n: trick.plays for trick in hand.tricks}
    return {**tricks, hand.trick_number: hand.trick} if hand.trick else tricks


def _head(entry: LedgerEntry) -> bool:
    """Whether an entry begins what one press after the end of the game wrote."""
    return entry.source == "person" and entry.t is None and isinstance(entry.body, Correction)


def _kind(entry: LedgerEntry) -> str:
    return entry.body.reason if isinstance(entry.body, Retract) and entry.body.reason in STEPS else ""


def _group(entries: Sequence[LedgerEntry], at: int) -> list[LedgerEntry]:
    """What one press wrote: the entry at ``at`` and those that follow from it."""
    group = [entries[at]]
    for entry in entries[at + 1 :]:
        if entry.source != "rule":
            break
        group.append(entry)
    return group


def _standing(entries: Sequence[LedgerEntry]) -> int | None:
    """Where the newest press is that can be taken back."""
    void = voided(entries)
    for at in range(len(entries) - 1, -1, -1):
        if _head(entries[at]) and not _kind(entries[at]) and entries[at].id not in void:
            return at
    return None


def _taken_back(entries: Sequence[LedgerEntry]) -> int | None:
    """Where the newest undo is that can be done again: nothing else was pressed since."""
    void = voided(entries)
    for at in range(len(entries) - 1, -1, -1):
        if not _head(entries[at]):
            if entries[at].source == "rule" and entries[at].t is None:
                continue
            return None
        if not _kind(entries[at]) and entries[at].id not in void:
            return None
        if _kind(entries[at]) == "undo" and entries[at].id not in void:
            return at
    return None
