"""Where a hand that people enter breaks the order of play, and what they may have forgotten or mixed up there.

Nobody looks but the people themselves: whoever plays out of turn on paper mostly did not at the table. A card that was
left out moves all those behind it on, so that the wrong seat seems to lead; each place where one more card brings the
entered cards into order again is a likely one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.cards import Card
from engine.rules import Rules
from engine.state import GameState, Violation
from engine.trick import winning_index
from server.referee.corrections import in_turn

OUT_OF_ORDER: Final = frozenset({"wrong_leader", "out_of_turn", "two_cards"})

MOST_PLACES: Final = 3
"""Places offered for a card that was left out, the latest ones: it is noticed soon."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A play in the order of entering; ``card`` None: one that was left out, or is not known."""

    seat: int
    card: Card | None
    id: str | None = None


def out_of_order(state: GameState) -> Violation | None:
    """The first proof that somebody played out of turn to which nobody has said anything."""
    known = (one for one in state.violations if one.code in OUT_OF_ORDER and not one.acknowledged)
    return next((one for one in known if one.certainty == "certain"), None)


def ways_into_order(state: GameState, wrong: Violation) -> tuple[Mapping[str, Any], ...]:
    """The likely ways to put right what ``wrong`` tells, as presses: a card is missing before another one (its card is
    still to be named), the trick was led by the seat that was due, it really was so."""
    ways = [] if state.missed else _Ways(state).found(wrong)
    return (*ways, {"type": "confirm", "violation": wrong.key})


class _Ways:
    """Tries out what brings the plays of one hand into order."""

    def __init__(self, state: GameState) -> None:
        self._rules: Rules = state.rules
        self._trump = state.trump_suit
        self._entries = [_Entry(play.seat, play.card, play.event_id) for play in state.all_plays]
        self._given = {trick.n - 1: trick.winner for trick in state.tricks if trick.awarded}
        seen = {entry.card for entry in self._entries} | {state.trump_card if state.stock_left else None}
        self._unseen = [card for card in state.rules.cards if card not in seen]

    def found(self, wrong: Violation) -> list[Mapping[str, Any]]:
        """The ways after which the fewest tricks are out of order, if fewer than now."""
        at = next((n for n, entry in enumerate(self._entries) if entry.id == wrong.event_id), None)
        if at is None or self._rules.plays_per_trick != self._rules.players:
            return []
        missing: list[tuple[int, Mapping[str, Any]]] = []
        for place in range(at, -1, -1):
            before = self._entries[place].id
            for seat in range(self._rules.players) if before is not None else ():
                left = self._out_of_order([*self._entries[:place], _Entry(seat, None), *self._entries[place:]])
                missing.append((left, {"type": "add_play", "before": before, "seat": seat}))
        turned = self._led_by_who_was_due(at)
        least = min([self._out_of_order(self._entries) - 1, *(left for left, _ in [*missing, *turned])])
        best = [press for left, press in missing if left == least][:MOST_PLACES]
        return [*best, *(press for left, press in turned if left == least)]

    def _led_by_who_was_due(self, at: int) -> list[tuple[int, Mapping[str, Any]]]:
        """The other way round, with what is out of order then: the card belongs to the seat whose turn it was, which
        has the one of this seat."""
        first = at - at % self._rules.plays_per_trick
        trick = self._entries[first : first + self._rules.plays_per_trick]
        due = self._leaders(self._entries[:first])
        if at != first or len(due) != 1:
            return []
        (leader,) = due
        seats = [{trick[0].seat: leader, leader: trick[0].seat}.get(entry.seat, entry.seat) for entry in trick]
        if leader == trick[0].seat or not in_turn(self._rules, seats, leader):
            return []
        turned = [_Entry(seat, entry.card) for seat, entry in zip(seats, trick, strict=True)]
        left = self._out_of_order([*self._entries[:first], *turned, *self._entries[first + len(trick) :]])
        return [(left, {"type": "correct_seat", "play": trick[0].id, "seat": leader})]

    def _out_of_order(self, entries: Sequence[_Entry]) -> int:
        """In how many tricks somebody leads who cannot have taken the one before, or plays out of turn."""
        size, count = self._rules.plays_per_trick, 0
        for first in range(0, len(entries), size):
            seats = [entry.seat for entry in entries[first : first + size]]
            count += seats[0] not in self._leaders(entries[:first]) or not in_turn(self._rules, seats, seats[0])
        return count

    def _leaders(self, before: Sequence[_Entry]) -> frozenset[int]:
        """Who may lead the trick that follows these full tricks."""
        size = self._rules.plays_per_trick
        if not before:
            return frozenset(range(self._rules.players))
        given = self._given.get(len(before) // size - 1)
        if given is not None:
            return frozenset({given})
        trick = before[-size:]
        cards = [entry.card for entry in trick]
        known = [card for card in cards if card is not None]
        if len(known) == size:
            return frozenset({trick[winning_index(known, self._trump)].seat})
        if len(known) < size - 1:
            return frozenset(entry.seat for entry in trick)
        return frozenset(
            trick[winning_index([card or other for card in cards], self._trump)].seat for other in self._unseen
        )
