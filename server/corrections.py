"""What people correct in a hand by pressing: cards, plays, the trump, leaders, exchanges, gatherings."""

from engine.cards import Card
from engine.rules import Rules
from server.errors import PressError
from server.faces import Face
from server.hand import Hand
from server.presses import Press
from server.story import Key, Teller


class Corrections:
    """Puts presses down as people's word on a hand. Raises PressError where one cannot be meant.

    Holds no state of its own; ``teller`` says which ledger entry stands for which play. ``t`` and ``now`` are in
    seconds on the clock of the source.
    """

    def __init__(self, rules: Rules, teller: Teller) -> None:
        self._rules = rules
        self._teller = teller

    def _card(self, text: str | None) -> Card:
        card = Card.parse(text or "")
        if card not in self._rules.card_set:
            raise PressError(f"The {card} is not in the deck of {self._rules.name}; choose a card that is.")
        return card

    def key_of(self, hand: Hand, press: Press) -> Key:
        """The key of the play that a press means, by ledger id or by trick and seat; PressError if there is none."""
        if press.play is not None:
            key = self._teller.key_of(press.play)
            if key is None or key[0] not in ("play", "unseen") or key[1] != hand.number:
                raise PressError(f"There is no play {press.play!r} in this hand; press on a card that is shown.")
            return key
        for key, trick, seat, _ in hand.telling.plays if hand.telling else ():
            if trick + 1 == press.trick and seat == press.seat:
                return key
        raise PressError(f"Seat {press.seat} has no play in trick {press.trick}; add the play instead.")

    def face_of(self, hand: Hand, press: Press) -> Face:
        """The face whose play a press means; PressError where nobody saw it."""
        key = self.key_of(hand, press)
        if key[0] == "unseen":
            raise PressError("That play was not seen by the camera; say which card it was instead.")
        return hand.faces.get(int(key[2]))

    def correct(self, hand: Hand, press: Press, now: float) -> None:
        """Give the play that is meant another card."""
        card = self._card(press.card)
        key = self.key_of(hand, press)
        for face in hand.faces.in_order():
            if face.card == card and not face.banned and key != ("play", hand.number, face.uid):
                raise PressError(f"The {card} was already given to another play; correct that one first.")
        if key[0] == "play":
            face = hand.faces.get(int(key[2]))
            face.card, face.must = card, True
            return
        seat = next(seat for known, _, seat, _ in (hand.telling.plays if hand.telling else ()) if known == key)
        self._put(hand, int(key[2]), int(key[3]), seat, card, now)

    def add(self, hand: Hand, press: Press, now: float) -> None:
        """Put in a play that nobody saw, or say which card an unseen one was."""
        card = self._card(press.card)
        trick, seat = (press.trick or 1) - 1, press.seat or 0
        plays = hand.telling.plays if hand.telling else []
        for key, known_trick, known_seat, uid in plays:
            if known_trick == trick and known_seat == seat:
                if uid is not None:
                    raise PressError(f"Seat {seat} has a card in trick {trick + 1} already; correct that card instead.")
                self._put(hand, trick, int(key[3]), seat, card, now)
                return
        newest = plays[-1][1] + 1 if plays else 0
        if trick > newest:
            raise PressError(f"Trick {trick + 1} has not begun; add the play to trick {max(newest, 1)}.")
        self._put(hand, trick, sum(1 for _, number, _, _ in plays if number == trick), seat, card, now)

    def _put(self, hand: Hand, trick: int, position: int, seat: int, card: Card, now: float) -> None:
        """A play that nobody saw, on a person's word, at its place in the order of time."""
        plays = hand.telling.plays if hand.telling else []
        size = self._rules.plays_per_trick
        at = trick * size + position
        before = [hand.faces.get(uid) for _, _, _, uid in plays[:at] if uid is not None]
        after = [hand.faces.get(uid) for _, _, _, uid in plays[at:] if uid is not None]
        low = before[-1].t if before else (after[0].t - 1.0 if after else now)
        high = after[0].t if after else max(now, low)
        face = hand.faces.add((low + high) / 2.0, None)
        face.card, face.seat, face.must = card, seat, True
        mates = [hand.faces.get(uid) for _, number, _, uid in plays if number == trick and uid is not None]
        gone = [mate for mate in mates if mate.gone is not None]
        if gone:
            face.gone, face.how, face.group = gone[0].gone, gone[0].how, gone[0].group

    def set_trump(self, hand: Hand, press: Press) -> None:
        """Say which the face-up card, or the trump suit, is."""
        card = None if press.card is None else self._card(press.card)
        if card is not None and press.suit not in (None, card.suit):
            raise PressError(f"The {card} is not of the suit {press.suit}; give the card or the suit.")
        hand.word.trump_card = card
        hand.word.trump_suit = card.suit if card is not None else press.suit

    def set_leader(self, hand: Hand, press: Press) -> None:
        """Say who leads a trick: the one named, else the one that is open or comes next."""
        hand.word.leaders[self._trick_of_leader(hand, press)] = press.seat or 0

    def _trick_of_leader(self, hand: Hand, press: Press) -> int:
        if press.trick is not None:
            return press.trick - 1
        if hand.telling is None or not hand.telling.plays:
            return 0
        trick = hand.telling.plays[-1][1]
        open_trick = sum(1 for _, number, _, _ in hand.telling.plays if number == trick) < self._rules.plays_per_trick
        return trick if open_trick else trick + 1

    def exchange(self, hand: Hand, press: Press, t: float) -> None:
        """Say that a seat exchanged the face-up card at ``t``."""
        if not self._rules.exchange:
            raise PressError(f"The rules {self._rules.name} know no exchange of the trump card.")
        given = None if press.given is None else self._card(press.given)
        hand.word.exchanges.append((press.seat or 0, given, t))

    def sweep(self, hand: Hand, press: Press, t: float) -> None:
        """Say that the last full trick was gathered at ``t``."""
        if hand.telling is None or not hand.telling.full:
            raise PressError("No trick is full yet; a trick can be gathered once every seat has played.")
        trick = hand.telling.full - 1
        hand.word.gathered[trick] = (press.seat, t)
        for _, number, _, uid in hand.telling.plays:
            if number == trick and uid is not None:
                hand.word.taken_away[uid] = t
