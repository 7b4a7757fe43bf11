"""What is refused in a game that is being played and in one of the history alike, each in one sentence of its own.

Each function gives the error to raise; those called ``demand_...`` raise it, where something is wrong.
"""

from engine.cards import Card
from engine.rules import Rules
from server.errors import PressError


def no_such_hand(number: int, last: int) -> PressError:
    """A hand that the game does not have; ``last`` is the newest one."""
    return PressError(f"There is no hand {number} yet; this is hand {last}.", "no_such_hand", hand=number)


def no_such_play(play: str) -> PressError:
    """A ledger id that is not one of a play of the hand."""
    return PressError(f"There is no play {play!r} in this hand; press on a card that is shown.", "no_such_play")


def no_play_there(seat: int | None, trick: int | None) -> PressError:
    """A place of the hand where no card was played."""
    return PressError(
        f"Seat {seat} has no play in trick {trick}; add the play instead.",
        "no_play_there",
        seat=seat or 0,
        trick=trick or 1,
    )


def seat_has_card(seat: int, trick: int) -> PressError:
    """A second card of a seat in one trick."""
    return PressError(
        f"Seat {seat} has a card in trick {trick} already; correct that card instead.",
        "seat_has_card",
        seat=seat,
        trick=trick,
    )


def card_taken(card: Card, seat: int, trick: int) -> PressError:
    """A card that a person has given to another play of the hand: that of ``seat`` in ``trick``."""
    return PressError(
        f"The {card} was already given to the play of seat {seat} in trick {trick}; correct that one first.",
        "card_taken",
        card=str(card),
        seat=seat,
        trick=trick,
    )


def same_play() -> PressError:
    """A card cannot change places with itself."""
    return PressError("A card cannot change places with itself; name two plays.", "same_play")


def lies_face_up(card: Card) -> PressError:
    """The face-up card, played or given in an exchange while it lay on the table."""
    return PressError(
        f"The {card} lies face up under the stock then: say first who exchanged it, or put the trump right.",
        "lies_face_up",
        card=str(card),
    )


def in_other_hand(card: Card, seat: int) -> PressError:
    """A card that ``seat`` is known to hold, played by another one."""
    return PressError(
        f"The {card} is in the hand of seat {seat}, which took it from the table: say it again with "
        '"sure": true if it was played all the same, or put the exchange right.',
        "in_other_hand",
        card=str(card),
        seat=seat,
    )


def laid_later(card: Card, trick: int) -> PressError:
    """A card, played in a trick before the one after which it was given in an exchange."""
    return PressError(
        f"The {card} was laid down in the exchange after trick {trick}: take that exchange out first.",
        "laid_later",
        card=str(card),
        trick=trick,
    )


def card_unknown() -> PressError:
    """A card that nobody knows cannot be confirmed."""
    return PressError("That card is not known yet; say which card it was instead.", "card_unknown")


def demand_place(rules: Rules, trick: int, due: int, missed: int) -> None:
    """A card can be added to the tricks from the first that was watched up to ``due``, where the next one belongs."""
    if trick <= missed:
        raise PressError(
            f"Trick {trick} was played before the program watched; say how many points it brought.",
            "trick_before_watch",
            trick=trick,
        )
    if trick > rules.tricks:
        raise PressError(
            f"A hand has {rules.tricks} tricks; name one of them, or begin the next hand.",
            "no_more_tricks",
            n=rules.tricks,
        )
    if trick > due:
        raise PressError(
            f"Trick {trick} has not begun: the next card belongs to trick {due}; add it there.",
            "trick_not_begun",
            trick=trick,
            next=due,
        )


def hand_ended() -> PressError:
    """A card played in a hand that somebody has ended, or of which the rest was claimed."""
    return PressError("The hand is over: begin a new hand for this card, or undo the end of this one.", "hand_ended")


def trick_not_full(trick: int) -> PressError:
    """A trick that nobody can have won, or gathered, yet."""
    return PressError(
        f"Trick {trick} is not full yet; add the plays that are missing first.", "trick_not_full", trick=trick
    )


def demand_exchange(rules: Rules) -> None:
    """The rules know the exchange of the face-up card."""
    if not rules.exchange:
        raise PressError(f"The rules {rules.name} know no exchange of the trump card.", "no_exchange_here")


def demand_suit(given: Card | None, trump: str | None) -> None:
    """The card given in an exchange is of the trump suit, where both are known."""
    if given is not None and trump is not None and given.suit != trump:
        raise PressError(
            f"The {given}, given in an exchange, is not of the trump suit {trump}; put one of them right first.",
            "exchange_of_other_suit",
            card=str(given),
            suit=trump,
        )


def demand_alcaide(rules: Rules) -> None:
    """The rules must know an Alcaide, who plays alone against two."""
    if rules.alcaide is None:
        raise PressError(f"In {rules.name} there is no Alcaide; everybody plays for his own side.", "no_alcaide_here")


def no_exchange_then(after_trick: int) -> PressError:
    """An exchange that was not told."""
    return PressError(
        f"There is no exchange after trick {after_trick}; press on one that is shown.",
        "no_exchange_then",
        trick=after_trick,
    )


def nothing_changes() -> PressError:
    """What was pressed is said already, word for word."""
    return PressError("That is noted already: nothing changes; press what is different.", "nothing_changes")


def no_such_violation(key: str) -> PressError:
    """The key of no violation of the game."""
    return PressError(f"There is no violation {key!r} in this game; press on one that is shown.", "no_such_violation")
