"""Cards played and tricks gathered: turn, leader, duplicates, who gathers."""

from dataclasses import replace

from engine.calling import settle_call
from engine.cards import Card
from engine.events import (
    CardPlayed,
    CardTakenBack,
    HandEnded,
    TrickSwept,
)
from engine.state import Play
from engine.stock import close_trick, draw_before_play
from engine.table import Answer, Step, Table, is_sure, seen_surely


def card_played(table: Table, event_id: str, event: CardPlayed) -> None:
    """A card came to rest in the trick (a full trick before it counts as gathered)."""
    if sum(table.plays_by_seat) >= 2 * len(table.rules.cards):
        # Nothing more can be learnt from them, and each costs more time than the one before.
        told = "more cards are played than two packs hold: this one and all after it were passed over"
        if not any(told in problem for problem in table.problems):
            table.problems.append(f"{event_id}: {told}")
        return
    if table.full:
        close_trick(table, None, None)
    assumed = event.seat is None
    seat = event.seat if event.seat is not None else table.turn
    if seat is None:
        seat = next((s for s in range(table.rules.players) if table.played_in_trick(s) < table.quota(s)), 0)
    draw_before_play(table, seat)
    play = Play(seat, event.card, event.t, event.confidence, event_id, event.candidates, seat_assumed=assumed)
    sure = seen_surely(play)
    if table.ended:
        table.problems.append(f"{event_id}: a card is played after the hand was over")
    _check_turn(table, play, sure)
    known = event.card is not None and event.card in table.known[seat]
    if event.card is not None:
        _check_card(table, play, event.card)
        _locate(table, seat, event.card, event_id, sure)
    _note_answer(table, play)
    if event.card is None or not sure:
        table.perhaps_out.update(table.known[seat])  # any of them may have been the card just played
    table.history[seat].append(Step("play", table.trick_number, event.card, known))
    table.hands[seat] -= 1
    table.plays_by_seat[seat] += 1
    if event.card is not None:
        table.seen.setdefault(event.card, event_id)
    table.trick.append(play)
    settle_call(table, play)
    if table.full:
        table.t_full = event.t


def card_taken_back(table: Table, event_id: str, event: CardTakenBack) -> None:
    """A card went back into the hand that had laid it: beside a card of the same seat, it was one too many.

    It says nothing about that hand afterwards: proofs rest on cards that were played, not on a glimpse of others.
    """
    if table.played_in_trick(event.seat) < table.quota(event.seat):
        return
    sure = is_sure(event.confidence) and table.trick_start_sure
    sure = sure and all(seen_surely(play) for play in table.trick)
    table.violate("two_cards", event.seat, event_id, sure, () if event.card is None else (str(event.card),))


def trick_swept(table: Table, event_id: str, event: TrickSwept) -> None:
    """The trick was gathered; a side that had not won it is told."""
    if not table.trick:
        if table.tricks and table.tricks[-1].gathered_by is None and table.tricks[-1].t_swept is None:
            _gathered_late(table, event_id, event)
        else:
            table.problems.append(f"{event_id}: a trick is gathered, but none lies on the table")
        return
    whole = len(table.trick) == table.rules.plays_per_trick
    _fill_missing(table)
    close_trick(table, event.seat, event.t, _awarded(table, event), seen=is_sure(event.confidence), whole=whole)
    _check_gather(table, event_id, event)
    _check_short(table, event_id, is_sure(event.confidence))


def hand_ended(table: Table, event_id: str, event: HandEnded) -> None:
    """No card will come any more; a hand that ran short shows now."""
    if table.trick and (table.full or len(table.tricks) + 1 >= table.rules.tricks):
        close_trick(table, None, None)
    table.ended = True
    if event.claimed_by in range(table.rules.players):
        table.claimed_by = event.claimed_by
    _check_short(table, event_id, is_sure(event.confidence))


def _check_short(table: Table, event_id: str, sure: bool) -> None:
    """In trick T a seat that drew too few cards has none left."""
    if len(table.tricks) < table.rules.tricks or any(v.code == "hand_short" for v in table.violations):
        return
    sure = sure and table.counted_surely
    for seat in range(table.rules.players):
        due = table.rules.tricks * table.quota(seat)
        if table.plays_by_seat[seat] < due:
            table.violate("hand_short", seat, event_id, sure, (), trick=table.rules.tricks)


def _check_turn(table: Table, play: Play, sure: bool) -> None:
    expected = table.turn
    seat = play.seat
    over = table.plays_by_seat[seat] >= table.rules.tricks * table.quota(seat)
    if over:
        sure = sure and table.counted_surely
        table.violate("hand_long", seat, play.event_id, sure, table.text(play))
        return
    if expected is None or seat == expected:
        return
    if table.played_in_trick(seat) >= table.quota(seat):
        code = "two_cards"
    else:
        code = "out_of_turn" if table.trick else "wrong_leader"
        if code == "wrong_leader":
            told = table.winner_sure(len(table.tricks)) if table.tricks else is_sure(table.start.confidence)
            sure = sure and told
    sure = sure and table.trick_start_sure and all(seen_surely(played) for played in table.trick)
    table.violate(code, seat, play.event_id, sure, table.text(play))


def _check_card(table: Table, play: Play, card: Card) -> None:
    if card not in table.rules.card_set:
        table.doubtful.add(card)
        table.violate("foreign_card", play.seat, play.event_id, False, table.text(play), reason="misread?")
    elif card in table.seen or (card == table.trump_card and not table.trump_lifted):
        table.doubtful.add(card)
        table.violate("duplicate_card", play.seat, play.event_id, False, table.text(play), reason="misread?")


def _locate(table: Table, seat: int, card: Card, event_id: str, sure: bool) -> None:
    """Take the card out of the hand that was thought to hold it."""
    for holder, held in enumerate(table.known):
        if card not in held:
            continue
        held.remove(card)
        if holder == seat:
            if sure and card not in table.seen:
                table.perhaps_out.discard(card)  # he has shown that he held it
            continue
        sure_holder = sure and table.held_surely({card})
        table.doubtful.add(card)
        if table.trump_taker == holder and card == table.trump_final and not table.taker_seen:
            sure_holder = sure_holder and table.tricks_sure and table.winner_sure(table.rules.draw_rounds)
            table.violate("wrong_trump_taker", seat, event_id, sure_holder, (str(card),), reason="played_it")
        else:
            table.violate("duplicate_card", seat, event_id, False, (str(card),), reason="held_by_another")


def _gathered_late(table: Table, event_id: str, event: TrickSwept) -> None:
    table.tricks[-1] = replace(table.tricks[-1], gathered_by=event.seat, t_swept=event.t)
    awarded = _awarded(table, event)
    if awarded is not None:
        table.tricks[-1] = replace(table.tricks[-1], winner=awarded, awarded=True)
        table.last_winner = table.leader = awarded
    _check_gather(table, event_id, event)


def _awarded(table: Table, event: TrickSwept) -> int | None:
    """The seat that the table gave the trick to; None where the cards decide."""
    return event.winner if event.winner in range(table.rules.players) else None


def _check_gather(table: Table, event_id: str, event: TrickSwept) -> None:
    trick = table.tricks[-1]
    if event.seat is None or trick.winner is None or table.same_side(event.seat, trick.winner):
        return
    sure = table.winner_sure(trick.n) and is_sure(event.confidence)
    cards = tuple(str(play.card) for play in trick.plays if play.seat == trick.winner)
    table.violate("wrong_gather", event.seat, event_id, sure, cards, trick=trick.n)


def _fill_missing(table: Table) -> None:
    """A trick gathered before everybody was seen to play: the rest played cards that nobody read."""
    if table.full or len(table.tricks) + 1 >= table.rules.tricks:
        return
    for seat in table.rules.seats_from(table.trick[0].seat):
        while table.played_in_trick(seat) < table.quota(seat):
            table.history[seat].append(Step("play", table.trick_number, None, False))
            table.hands[seat] -= 1
            table.plays_by_seat[seat] += 1
            table.trick.append(Play(seat, None, seat_assumed=True))
            table.perhaps_out.update(table.known[seat])


def _note_answer(table: Table, play: Play) -> None:
    """Remember the hand at the moment of the play; duties are judged at the end, when calls are known too."""
    seat = play.seat
    held = tuple(card for card in table.known[seat] if card != play.card)
    others = max(0, table.hands[seat] - 1 - len(held))
    led = table.trick[0].card if table.trick and table.trick[0].seat != seat else None
    index = len(table.history[seat])
    unseen = table.unseen() - {play.card} if play.card is not None else table.unseen()
    table.answers.append(Answer(seat, table.trick_number, play, index, others, held, unseen, led))
