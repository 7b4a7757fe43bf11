"""What people correct in a hand by pressing: cards, plays, the trump, leaders, exchanges, winners."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.cards import Card
from engine.events import CardPlayed, TrumpShown
from engine.rules import Rules
from engine.state import Exchange, GameState
from engine.views import winning_view
from server import refusals
from server.doubt import is_doubtful
from server.errors import PressError
from server.presses import Press, deck_card, trump_told
from server.referee.faces import Face
from server.referee.hand import Hand
from server.referee.story import Key, Teller
from server.referee.word import Swap

Held = Mapping[Card, int]
"""Cards that everybody knows to be in a hand, with the seat of that hand."""


def in_turn(rules: Rules, seats: Sequence[int], due: int | None) -> bool:
    """Whether seats have played a trick in their order; ``due`` was to lead it, None where nobody knows."""
    order = rules.seats_from(seats[0] if due is None else due)
    return all(seat == turn for seat, turn in zip(seats, order, strict=False))


def counts_for(state: GameState | None, number: int, seat: int, *, on_table: bool) -> bool:
    """Whether trick ``number`` of a hand counts for a seat already, and nothing that is known speaks against it.

    A card that was not read, or not surely, leaves it open, as does another seat that gathered it or led the next one:
    then people may want to say whose it is although it is shown so. ``on_table``: a full trick that still lies on the
    table counts, too.
    """
    if state is None:
        return False
    tricks = [(trick.plays, trick.winner) for trick in state.tricks if trick.n == number]
    led_next = next((trick.plays[0].seat for trick in state.tricks if trick.n > number), None)
    if led_next is None and state.trick and state.trick_number > number:
        led_next = state.trick[0].seat
    if on_table and state.phase == "trick_full" and state.trick_number == number:
        winning = winning_view(state.trick, state.trump_suit)
        tricks.append((state.trick, None if winning is None else state.trick[winning.index].seat))
    if not tricks or tricks[0][1] != seat:
        return False
    told = next((trick for trick in state.tricks if trick.n == number), None)
    if told is not None and told.awarded:
        return True
    if led_next not in (None, seat) or (told is not None and told.gathered_by not in (None, seat)):
        return False
    return not any(is_doubtful(play.card, play.confidence) for play in tricks[0][0])


class Corrections:
    """Puts presses down as people's word on a hand. Raises PressError where one cannot be meant.

    Holds no state of its own; ``teller`` says which ledger entry stands for which play. ``t`` and ``now`` are in
    seconds on the clock of the source.
    """

    def __init__(self, rules: Rules, teller: Teller) -> None:
        self._rules = rules
        self._teller = teller

    def key_of(self, hand: Hand, press: Press) -> Key:
        """The key of the play that a press means, by ledger id or by trick and seat; PressError if there is none."""
        if press.play is not None:
            key = self._teller.key_of(press.play)
            if key is None or key[0] not in ("play", "unseen") or key[1] != hand.number:
                raise refusals.no_such_play(press.play)
            return key
        for key, trick, seat, _ in hand.telling.plays if hand.telling else ():
            if trick + 1 == press.trick and seat == press.seat:
                return key
        raise refusals.no_play_there(press.seat, press.trick)

    def face_of(self, hand: Hand, press: Press) -> Face:
        """The face whose play a press means; PressError where nobody saw it."""
        key = self.key_of(hand, press)
        if key[0] == "unseen":
            raise PressError("That play was not seen by the camera; say which card it was instead.", "play_unseen")
        return hand.faces.get(int(key[2]))

    def trick_of(self, hand: Hand, press: Press) -> int:
        """The trick, from 0, of the play that a press means."""
        key = self.key_of(hand, press)
        return next(trick for known, trick, _, _ in (hand.telling.plays if hand.telling else ()) if known == key)

    def correct(self, hand: Hand, press: Press, now: float, held: Held) -> None:
        """Give the play that is meant another card; ``held`` are the cards that everybody knows to be in a hand."""
        card = deck_card(self._rules, press.card)
        key = self.key_of(hand, press)
        self._demand_free(hand, card, key)
        plays = hand.telling.plays if hand.telling else ()
        self._demand_not_held(hand, press, card, next(seat for known, _, seat, _ in plays if known == key), held)
        self._demand_playable(hand, card, self.trick_of(hand, press))
        self._give(hand, key, card, now)

    def _give(self, hand: Hand, key: Key, card: Card, now: float) -> None:
        """The play told under ``key`` was that card."""
        if key[0] == "play":
            face = hand.faces.get(int(key[2]))
            face.card, face.must = card, True
            return
        seat = next(seat for known, _, seat, _ in (hand.telling.plays if hand.telling else ()) if known == key)
        self._put(hand, int(key[2]), int(key[2]) * self._rules.plays_per_trick + int(key[3]), seat, card, now)

    def swap_cards(self, hand: Hand, press: Press, now: float) -> frozenset[Key]:
        """Let two plays exchange their cards; the keys of both. PressError where one of them cannot be the other's."""
        presses = [press, replace(press, play=press.other_play)]
        keys = [self.key_of(hand, one) for one in presses]
        if keys[0] == keys[1]:
            raise refusals.same_play()
        cards = [event.card for key in keys if isinstance(event := self._teller.event_of(key), CardPlayed)]
        if None in cards:
            raise refusals.card_unknown()
        for one, card in zip(presses, reversed(cards), strict=True):
            self._demand_playable(hand, card, self.trick_of(hand, one))
        for key, card in zip(keys, reversed(cards), strict=True):
            if card is not None:
                self._give(hand, key, card, now)
        return frozenset(keys)

    def correct_seat(self, hand: Hand, press: Press, due: int | None) -> frozenset[Key]:
        """Say who laid the play that is meant. Where that seat has a card in the trick already, the two change places:
        the keys of both, else none. ``due`` is who was to lead the trick, None where nobody knows.
        """
        face, key, seat = self.face_of(hand, press), self.key_of(hand, press), press.seat or 0
        plays, trick = hand.telling.plays if hand.telling else (), self.trick_of(hand, press)
        mates = [(known, whose, uid) for known, number, whose, uid in plays if number == trick]
        mine = next(whose for known, whose, _ in mates if known == key)
        theirs = [(known, uid) for known, whose, uid in mates if whose == seat and known != key and uid is not None]
        one_each = self._rules.plays_per_trick == self._rules.players
        if not theirs or mine == seat or not one_each:
            face.seat = seat
            return frozenset()
        other_key, uid = theirs[0]
        other = hand.faces.get(uid)
        swapped = [{mine: seat, seat: mine}.get(whose, whose) for _, whose, _ in mates]
        if face.spot is None and other.spot is None and not in_turn(self._rules, swapped, due):
            # Entered by hand, nobody saw in which order they fell: each seat keeps its turn, and gets the other's card.
            face.card, other.card = other.card, face.card
        else:
            face.seat, other.seat = seat, mine
        return frozenset((key, other_key))

    def remove(self, hand: Hand, press: Press) -> Key:
        """Say that what is meant was no play; its key."""
        face, key, trick = self.face_of(hand, press), self.key_of(hand, press), self.trick_of(hand, press)
        seats = [seat for _, number, seat, _ in (hand.telling.plays if hand.telling else ()) if number == trick]
        if face.spot is None and len(seats) > 1:  # entered by hand: who led that trick is known without this card, too
            hand.word.leaders.setdefault(trick, seats[0])
        face.banned, face.must = True, False
        return key

    def add(self, hand: Hand, press: Press, now: float, held: Held) -> None:
        """Put in a play that nobody saw, at its place or before another play, or say which card an unseen one was.

        ``held`` are the cards that everybody knows to be in a hand. A hand that somebody has ended goes on only where
        it is named: what is played next belongs to another one.
        """
        card = deck_card(self._rules, press.card)
        seat = press.seat or 0
        self._demand_free(hand, card)
        self._demand_not_held(hand, press, card, seat, held)
        plays = hand.telling.plays if hand.telling else []
        if press.before is not None:
            at = self._place(hand, press.before)
            self._demand_playable(hand, card, plays[at][1])
            for place, (_, _, _, uid) in enumerate(plays[at:], start=at + 1):  # all that follow move on by one
                if uid is not None:
                    hand.faces.get(uid).trick = place // self._rules.plays_per_trick - hand.missed
            self._put(hand, plays[at][1], at, seat, card, now)
            return
        trick = (press.trick or 1) - 1
        size = self._rules.plays_per_trick
        due = hand.telling.full + 1 if hand.telling else 1
        refusals.demand_place(self._rules, trick + 1, due, hand.missed)
        self._demand_playable(hand, card, trick)
        for key, known_trick, known_seat, uid in plays:
            if known_trick == trick and known_seat == seat:
                if uid is not None:
                    raise refusals.seat_has_card(seat, trick + 1)
                self._put(hand, trick, trick * size + int(key[3]), seat, card, now)
                return
        if hand.word.ended is not None and press.hand is None:
            raise refusals.hand_ended()
        self._put(hand, trick, sum(1 for _, number, _, _ in plays if number <= trick), seat, card, now)

    @staticmethod
    def _demand_free(hand: Hand, card: Card, keeper: Key | None = None) -> None:
        """PressError where a person has given the card to another play than ``keeper``."""
        for key, trick, seat, uid in hand.telling.plays if hand.telling else ():
            face = None if uid is None or key == keeper else hand.faces.get(uid)
            if face is not None and face.card == card and not face.banned:
                raise refusals.card_taken(card, seat, trick + 1)

    @staticmethod
    def _demand_not_held(hand: Hand, press: Press, card: Card, seat: int, held: Held) -> None:
        """PressError where another seat has the card in its hand, unless people are sure. A camera may err in that."""
        holder = held.get(card, seat)
        if holder != seat and hand.by_hand and not press.sure:
            raise refusals.in_other_hand(card, holder)

    @staticmethod
    def _demand_playable(hand: Hand, card: Card | None, trick: int) -> None:
        """PressError where, by people's word, a card lay face up in that trick (from 0), or was laid so after it."""
        for up in hand.face_up:
            if up.card == card and trick < up.until:
                raise refusals.laid_later(card, up.after) if trick < up.after else refusals.lies_face_up(card)

    @staticmethod
    def _demand_unplayed(hand: Hand, card: Card | None, until: int) -> None:
        """PressError where a person has given the card, which lies there, to a play of the tricks before ``until``."""
        for _, trick, seat, uid in hand.telling.plays if hand.telling else ():
            face = None if uid is None or trick >= until else hand.faces.get(uid)
            if face is not None and card is not None and face.card == card and not face.banned:
                raise refusals.card_taken(card, seat, trick + 1)

    def _lies_until(self, exchanges: Sequence[Exchange], after: int) -> int:
        """How many tricks are gathered before a card laid after ``after`` of them can be picked up."""
        later = (one.after_trick for one in exchanges if one.after_trick > after)
        return min(later, default=self._rules.draw_rounds)

    def _place(self, hand: Hand, entry: str) -> int:
        """The place in the order of plays of the one told by ``entry``."""
        key = self._teller.key_of(entry)
        plays = hand.telling.plays if hand.telling else []
        place = next((index for index, (known, _, _, _) in enumerate(plays) if known == key), None)
        if place is None:
            raise refusals.no_such_play(entry)
        return place

    def _put(self, hand: Hand, trick: int, at: int, seat: int, card: Card, now: float) -> None:
        """A play that nobody saw, on a person's word, at place ``at`` in the order of time."""
        refusals.demand_place(self._rules, trick + 1, trick + 1, hand.missed)
        plays = hand.telling.plays if hand.telling else []
        before = [hand.faces.get(uid) for _, _, _, uid in plays[:at] if uid is not None]
        after = [hand.faces.get(uid) for _, _, _, uid in plays[at:] if uid is not None]
        low = before[-1].t if before else (after[0].t - 1.0 if after else now)
        high = after[0].t if after else max(now, low)
        face = hand.faces.add((low + high) / 2.0, None)
        if after and low == high:  # entered by hand in one moment: the order of entering stands for time
            face.rank = (before[-1].rank + after[0].rank) / 2.0 if before else after[0].rank - 1.0
        face.card, face.seat, face.trick, face.must = card, seat, trick - hand.missed, True
        mates = [hand.faces.get(uid) for _, number, _, uid in plays if number == trick and uid is not None]
        gone = [mate for mate in mates if mate.gone is not None]
        if gone:
            face.gone, face.how, face.group = gone[0].gone, gone[0].how, gone[0].group

    def late(self, hand: Hand, press: Press) -> None:
        """Say how many tricks had been played before the program watched, and what each side had taken in them."""
        missed = hand.missed if press.tricks is None else press.tricks
        if press.points is not None:
            if not missed:
                raise PressError(
                    "The hand began with the first card that was seen; say how many tricks came before it.",
                    "nothing_before",
                )
            if len(press.points) != len(self._rules.sides):
                raise PressError(
                    f"{len(self._rules.sides)} sides play: give the points of each of them.", "points_of_each_side"
                )
            if sum(press.points) > sum(card.points for card in self._rules.cards):
                raise PressError(
                    "A hand has no more than 120 points; give what each side had taken before.", "too_many_points"
                )
        seen = sum(1 for _ in hand.telling.arrangement.tricks) - hand.missed if hand.telling else 0
        if press.tricks is not None and press.tricks + seen > self._rules.tricks:
            raise PressError(
                f"{seen} tricks were seen of {self._rules.tricks}; no more than the rest came before them.",
                "too_many_before",
                n=self._rules.tricks,
                seen=seen,
            )
        if press.tricks is not None:
            hand.word.missed = press.tricks
        hand.word.points_before = press.points if missed else None

    def set_trump(self, hand: Hand, press: Press, exchanges: Sequence[Exchange]) -> None:
        """Say which the face-up card, or the trump suit, is; ``exchanges`` are those of the hand now."""
        card, suit = trump_told(self._rules, press)
        self._demand_unplayed(hand, card, self._lies_until(exchanges, -1))
        for swap in hand.word.exchanges:
            refusals.demand_suit(swap.given, suit)
        hand.word.trump_card, hand.word.trump_suit = card, suit

    def _trump_suit(self, hand: Hand) -> str | None:
        """The trump suit as the game tells it, by a person's word or by the camera's."""
        told = self._teller.event_of(("trump", hand.number))
        if not isinstance(told, TrumpShown):
            return hand.word.trump_suit
        return told.suit or (None if told.card is None else told.card.suit)

    def set_leader(self, hand: Hand, press: Press) -> None:
        """Say who leads a trick: the one named, else the one that is open or comes next."""
        hand.word.leaders[self._trick_of_leader(hand, press)] = press.seat or 0

    def set_alcaide(self, hand: Hand, press: Press, told: GameState | None) -> None:
        """Say who the Alcaide is; ``told`` is the hand as the ledger tells it, None before its first card."""
        refusals.demand_alcaide(self._rules)
        if told is not None and told.alcaide == press.seat:  # the hand before may have told it already
            raise refusals.nothing_changes()
        hand.word.alcaide = press.seat

    def _trick_of_leader(self, hand: Hand, press: Press) -> int:
        if press.trick is not None:
            return press.trick - 1
        if hand.telling is None or not hand.telling.plays:
            return 0
        trick = hand.telling.plays[-1][1]
        open_trick = sum(1 for _, number, _, _ in hand.telling.plays if number == trick) < self._rules.plays_per_trick
        return trick if open_trick else trick + 1

    def exchange(self, hand: Hand, press: Press, t: float, exchanges: Sequence[Exchange]) -> None:
        """Say that a seat exchanged the face-up card at ``t``; ``exchanges`` are those of the hand now."""
        refusals.demand_exchange(self._rules)
        given = None if press.given is None else deck_card(self._rules, press.given)
        refusals.demand_suit(given, self._trump_suit(hand))
        after = press.after_trick
        if after is not None:
            self._full(hand, after)
            self._demand_unplayed(hand, given, self._lies_until(exchanges, after))
            if given is not None and any(up.card == given and up.after != after for up in hand.face_up):
                raise refusals.lies_face_up(given)
            hand.word.no_exchanges.discard(after)
            hand.word.exchanges = [swap for swap in hand.word.exchanges if swap.after != after]
        hand.word.exchanges.append(Swap(press.seat or 0, given, t, after))

    def remove_exchange(self, hand: Hand, press: Press, exchanges: Sequence[Exchange]) -> None:
        """Say that nobody exchanged the face-up card after that trick; ``exchanges`` are those of the hand now."""
        after = press.after_trick or 0
        mine = [swap for swap in exchanges if swap.after_trick == after]
        if not mine:
            raise refusals.no_exchange_then(after)
        for swap in mine:  # what was taken lies there on
            self._demand_unplayed(hand, swap.taken, self._lies_until(exchanges, after))
        times = {swap.t for swap in mine}
        hand.word.exchanges = [
            swap for swap in hand.word.exchanges if swap.after != after and round(swap.t, 3) not in times
        ]
        hand.word.no_exchanges.add(after)

    def set_winner(self, hand: Hand, press: Press, t: float, state: GameState | None) -> None:
        """Give a full trick to a seat, whatever its cards say; that seat leads the next one.

        ``state`` is the hand as it is told: PressError where the trick counts for that seat without any doubt. Kept by
        hand, the one that still lies there counts as well; a camera is told that it was gathered.
        """
        number = press.trick or 1
        self._full(hand, number)
        if counts_for(state, number, press.seat or 0, on_table=hand.by_hand):
            raise refusals.nothing_changes()
        hand.word.winners[number - 1] = press.seat or 0
        if hand.telling is not None and number == hand.telling.full and number - 1 not in hand.word.gathered:
            self.gather(hand, number - 1, None, t)

    def _full(self, hand: Hand, tricks: int) -> None:
        """PressError unless so many tricks are full."""
        full = hand.telling.full if hand.telling else 0
        if tricks > full:
            raise refusals.trick_not_full(tricks)

    def sweep(self, hand: Hand, press: Press, t: float) -> None:
        """Say that the last full trick was gathered at ``t``."""
        if hand.telling is None or not hand.telling.full:
            raise PressError(
                "No trick is full yet; a trick can be gathered once every seat has played.", "no_full_trick"
            )
        self.gather(hand, hand.telling.full - 1, press.seat, t)

    @staticmethod
    def gather(hand: Hand, trick: int, seat: int | None, t: float) -> None:
        """The cards of a full trick (from 0) left the table at ``t``, gathered by ``seat`` if that is known."""
        hand.word.gathered[trick] = (seat, t)
        for _, number, _, uid in hand.telling.plays if hand.telling else ():
            if number == trick and uid is not None:
                hand.word.taken_away[uid] = t
