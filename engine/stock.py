"""The stock: implied draws, the face-up card, and closing a trick, after which the draws are due.

What a camera cannot see is implied: each seat draws as many cards as it plays to a trick, after tricks 1..R, winner
first; the seat before him gets the face-up card in round R. Between tricks the draws wait (so that an exchange can
still come before them); they are done when the next card is played or the face-up card is lifted.
"""

from dataclasses import replace

from engine.calling import settle_waiting
from engine.cards import Card
from engine.events import (
    CardDrawn,
    TrumpShown,
    TrumpTaken,
)
from engine.state import Play, Trick
from engine.table import Step, Table, is_sure, seen_surely
from engine.trick import trick_points


def close_trick(
    table: Table,
    gathered_by: int | None,
    t: float | None,
    awarded: int | None = None,
    *,
    seen: bool = False,
    whole: bool = False,
) -> None:
    """The trick leaves the table: find its winner, who leads next; the draws are due.

    ``awarded`` is the seat that the table gives it to, whatever the cards say. ``seen``: it was surely seen to be
    gathered; else its end is implied by the cards. ``whole``: as many cards as make a trick were seen before.
    """
    if table.pending:
        draw_all(table)
    complete, winner = table.full, _winner(table, table.trick)
    if awarded is not None:
        winner = awarded
    points = trick_points(play.card for play in table.trick)
    n = table.trick_number
    table.tricks.append(Trick(n, tuple(table.trick), winner, points, table.t_full, t, gathered_by, awarded is not None))
    table.bounds_sure.append(table.trick_start_sure and complete and len(table.trick) == table.rules.plays_per_trick)
    by_cards = table.trick_start_sure and complete and all(seen_surely(play) for play in table.trick)
    table.tricks_sure = table.tricks_sure and (by_cards or (seen and whole))
    table.trick_start_sure = by_cards or seen
    table.trick, table.t_full = [], None
    table.last_winner = table.leader = winner
    table.seen_draw = set()
    if n <= table.rules.draw_rounds:
        first = winner if winner is not None else 0
        table.pending = [s for s in table.rules.seats_from(first) for _ in range(table.quota(s))]
        table.pending_round = n


def draw_before_play(table: Table, seat: int) -> None:
    """Do the draws that must have come before this seat plays."""
    if not table.pending:
        return
    if table.rules.draw_timing == "before_own_play":
        if seat in table.pending and table.played_in_trick(seat) == 0:
            _draw(table, [s for s in table.pending if s == seat])
            table.pending = [s for s in table.pending if s != seat]
        return
    draw_all(table)


def draw_all(table: Table) -> None:
    """Do all draws that are due."""
    _draw(table, table.pending)
    table.pending = []


def card_drawn(table: Table, event: CardDrawn) -> None:
    """A draw was seen: it adds knowledge, it changes no count."""
    table.seen_draw.add(event.seat)
    if event.card is None or event.card in table.seen:
        return
    face_up = event.card == table.trump_card and not table.trump_lifted
    sure = is_sure(event.confidence)
    if face_up and table.face_up_sure and not sure:
        return  # a glimpse of a card that surely lies on the table
    if face_up or not sure:
        table.doubtful.add(event.card)
    lay = not table.trump_lifted
    if table.rules.draw_timing == "after_trick" and table.pending:
        draw_all(table)
    elif event.seat in table.pending:
        draw_before_play(table, event.seat)
    if lay and not sure:
        _doubt_the_lift(table)
    if not face_up and event.card not in table.known[event.seat]:
        table.found_elsewhere(event.card)
        _reveal(table, event.seat, event.card, None)


def trump_taken(table: Table, event_id: str, event: TrumpTaken) -> None:
    """The face-up card was lifted: too early, by the wrong seat, or as it should be."""
    if table.full and table.trick_number == table.rules.draw_rounds:
        close_trick(table, None, None)
    sure, seat = is_sure(event.confidence), event.seat
    if len(table.tricks) < table.rules.draw_rounds:
        if not table.trump_lifted:
            card = table.trump_card
            told = sure and table.trick_is_sure
            table.violate("trump_taken_early", seat, event_id, told, (str(card),) if card is not None else ())
            if seat is not None:
                _give_trump_to(table, seat)
                table.taker_seen = True
            table.trump_card, table.trump_lifted, table.lift_sure = None, True, told
            if card is not None and not told:
                table.doubtful.add(card)
        return
    lay = not table.trump_lifted
    if table.rules.draw_timing == "after_trick":
        draw_all(table)
    elif seat is not None and lay:
        _lift(table, seat)
    if lay and not sure:
        _doubt_the_lift(table)
    expected = table.expected_taker()
    if seat is None or (table.taker_seen and table.trump_taker == seat):
        return
    lifted = table.trump_final
    if table.trump_taker not in (None, seat):
        _move_trump(table, table.trump_taker, seat, lifted)
    elif table.trump_taker is None and lifted is not None:
        _reveal(table, seat, lifted, table.rules.draw_rounds)
    if lifted is not None:
        beyond = sure and table.face_up_sure and not table.taker_seen  # seen lifted twice: one of them is wrong
        if beyond:
            table.taker_implied.discard(lifted)
        else:
            table.doubtful.add(lifted)
    table.trump_taker, table.taker_seen = seat, True
    if expected not in (None, seat):
        told = sure and table.trick_is_sure and table.winner_sure(table.rules.draw_rounds)
        table.violate("wrong_trump_taker", seat, event_id, told, (str(lifted),) if lifted is not None else ())


def trump_shown(table: Table, event: TrumpShown) -> None:
    """The trump card, or its suit, became known; after the last draw, what its taker holds."""
    suit = event.card.suit if event.card is not None else event.suit
    trump_known(table, suit, is_sure(event.confidence))
    if event.card is None:
        return
    if table.trump_lifted or table.stock == 0:
        # The hidden card is turned over when it is drawn (S3): the taker holds it.
        if table.trump_taker is not None and table.trump_final is None:
            table.trump_final = event.card
            _reveal(table, table.trump_taker, event.card, table.rules.draw_rounds)
            _doubt_the_taker(table)
        return
    table.found_elsewhere(event.card)
    if event.card in table.seen:
        table.doubtful.add(event.card)
    table.trump_card = event.card
    table.face_up_sure = table.trump_sure


def trump_known(table: Table, suit: str | None, sure: bool) -> None:
    """The trump suit became known (None: not yet), or another than was thought: tricks gathered before may turn."""
    before, table.trump_suit = table.trump_suit, suit or table.trump_suit
    table.trump_sure = sure
    if table.trump_suit != before:
        for at, trick in enumerate(table.tricks):
            if not trick.awarded:
                table.tricks[at] = replace(trick, winner=_winner(table, list(trick.plays)))
        if table.tricks:
            table.last_winner = table.tricks[-1].winner
            if not table.trick:
                table.leader = table.last_winner
    settle_waiting(table)


def _winner(table: Table, plays: list[Play]) -> int | None:
    """Who takes a trick by its cards; None while it is not whole, or an unread card could change it."""
    seats = [play.seat for play in plays]
    if any(seats.count(seat) < table.quota(seat) for seat in range(table.rules.players)):
        return None
    index = table.winner_index(plays)
    return None if index is None else plays[index].seat


def _draw(table: Table, seats: list[int]) -> None:
    last_round = table.pending_round == table.rules.draw_rounds
    taker = table.expected_taker() if last_round else None
    for index, seat in enumerate(seats):
        table.stock = max(0, table.stock - 1)
        table.hands[seat] += 1
        card = None
        if last_round and seat == taker and not table.trump_lifted and seat not in seats[index + 1 :]:
            card = _give_trump_to(table, seat)
            _doubt_the_taker(table)
        table.history[seat].append(Step("draw", table.pending_round, card, card is not None))
    if last_round and taker is None and table.stock == 0 and not table.trump_lifted:
        table.trump_final, table.trump_card, table.trump_lifted = table.trump_card, None, True


def _lift(table: Table, seat: int) -> None:
    """A seat lifts the face-up card itself, where everybody draws just before playing."""
    if seat in table.pending:
        own = [s for s in table.pending if s == seat]
        table.pending = [s for s in table.pending if s != seat]
        if seat != table.expected_taker():
            _draw(table, own[1:])
            table.stock = max(0, table.stock - 1)
            table.hands[seat] += 1
            table.history[seat].append(
                Step("draw", table.pending_round, table.trump_card, table.trump_card is not None)
            )
            _give_trump_to(table, seat)
        else:
            _draw(table, own)
    else:
        table.trump_final = table.trump_card
        table.trump_card, table.trump_lifted = None, True


def _doubt_the_taker(table: Table) -> None:
    """The taker is known by the rules alone: as surely as the winner of trick R and the card itself."""
    card = table.trump_final
    told = table.face_up_sure and table.tricks_sure and table.winner_sure(table.rules.draw_rounds)
    if card is not None and not told:
        table.taker_implied.add(card)


def _doubt_the_lift(table: Table) -> None:
    """The last draws, if they were done, were done on a doubtful word: the face-up card may lie there still."""
    if table.trump_lifted:
        table.lift_sure = False
        if table.trump_final is not None:
            table.taker_implied.add(table.trump_final)


def _give_trump_to(table: Table, seat: int) -> Card | None:
    card = table.trump_card
    table.trump_taker, table.trump_card, table.trump_lifted = seat, None, True
    table.trump_final = card
    if card is not None and card not in table.seen:
        table.found_elsewhere(card)
        table.known[seat].append(card)
    return card


def _reveal(table: Table, seat: int, card: Card, after_trick: int | None) -> None:
    """A draw becomes known (the last unknown one, or that after a certain trick), and what the hand held since."""
    steps = table.history[seat]
    drawn = [
        index
        for index, step in enumerate(steps)
        if step.kind == "draw" and not step.known and after_trick in (None, step.trick)
    ]
    if not drawn:
        return
    at = drawn[-1]
    steps[at] = replace(steps[at], card=card, known=True)
    gone = next((i for i in range(at, len(steps)) if steps[i].kind != "draw" and steps[i].card == card), None)
    if gone is None:
        if card not in table.seen:
            table.known[seat].append(card)
    else:
        steps[gone] = replace(steps[gone], known=True)
    for answer in table.answers:
        if answer.seat == seat and at < answer.step_index < (len(steps) if gone is None else gone):
            answer.held_unknown = max(0, answer.held_unknown - 1)
            answer.held_known = (*answer.held_known, card)


def _move_trump(table: Table, wrong: int, right: int, card: Card | None) -> None:
    """The face-up card came to another seat than it should: each of the two drew the other's card."""
    if card is None or card not in table.known[wrong]:
        return
    table.known[wrong].remove(card)
    table.known[right].append(card)
    for seat, drawn in ((wrong, None), (right, card)):
        steps = table.history[seat]
        last = table.rules.draw_rounds
        at = next((i for i in reversed(range(len(steps))) if steps[i].kind == "draw" and steps[i].trick == last), None)
        if at is not None:
            steps[at] = replace(steps[at], card=drawn, known=drawn is not None)
        for answer in (answer for answer in table.answers if answer.seat == seat):
            if drawn is None and card in answer.held_known:
                answer.held_known = tuple(held for held in answer.held_known if held != card)
                answer.held_unknown += 1
            elif drawn is not None and at is not None and answer.step_index > at:
                answer.held_known = (*answer.held_known, card)
                answer.held_unknown = max(0, answer.held_unknown - 1)
