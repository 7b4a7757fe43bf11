"""What happened at the table, as game facts. Frozen and slotted; unknown stays None.

``t`` is in seconds on the source's own clock, ``confidence`` is the probability that the fact was read rightly (None:
nobody said). Seats are 0..players-1 in playing order.
"""

from dataclasses import dataclass

from engine.cards import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fact:
    t: float | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class HandStarted(_Fact):
    """A hand was dealt. Without ``leader`` the seat after the dealer leads; without both, whoever plays first leads.

    ``alcaide`` names the title holder in the three-player forms; None keeps what the last hand decided, and in the
    first hand leaves it open. ``missed``: so many tricks had been played before anybody watched; they are told as
    unread plays. ``points_before`` are the points that each scoring side had taken in them, as the table says; None:
    nobody has said.
    """

    dealer: int | None = None
    leader: int | None = None
    alcaide: int | None = None
    missed: int | None = None
    points_before: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class TrumpShown(_Fact):
    """The face-up card, or only its suit where its rank stays hidden."""

    card: Card | None = None
    suit: str | None = None


@dataclass(frozen=True, slots=True)
class CardPlayed(_Fact):
    """A card came to rest in the trick. ``card`` None: unread, with ``candidates`` (card text, probability).

    ``seat`` None: nobody saw who played it; the seat whose turn it is gets it.
    """

    seat: int | None
    card: Card | None
    candidates: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class TrumpExchanged(_Fact):
    """``seat`` laid ``given`` on the table and took ``taken``, the face-up card."""

    seat: int | None
    given: Card | None = None
    taken: Card | None = None


@dataclass(frozen=True, slots=True)
class TrickSwept(_Fact):
    """The cards of the trick were gathered by ``seat`` (None: not seen).

    ``winner`` is the table's own decision about who takes the trick; it stands above the cards. None: the cards decide.
    """

    seat: int | None = None
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class CardDrawn(_Fact):
    """A draw that was seen. Draws are implied by the rules: this only adds knowledge, it never changes a count."""

    seat: int
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class CardTakenBack(_Fact):
    """``seat`` laid ``card`` (None: unread) on the table and took it back into its hand: it is no play of the trick."""

    seat: int
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class TrumpTaken(_Fact):
    """The face-up card was lifted from the table for good."""

    seat: int | None = None


@dataclass(frozen=True, slots=True)
class ArrastreCalled(_Fact):
    """``seat`` said "arrastro" with the trump ace that it just played, or is about to play."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandEnded(_Fact):
    """No more cards will be played in this hand.

    ``claimed_by``: everybody agreed that this seat takes all the tricks that were not played.
    """

    claimed_by: int | None = None


GameEvent = (
    HandStarted
    | TrumpShown
    | CardPlayed
    | TrumpExchanged
    | TrickSwept
    | CardDrawn
    | CardTakenBack
    | TrumpTaken
    | ArrastreCalled
    | HandEnded
)

EVENT_TYPES: tuple[type, ...] = (
    HandStarted,
    TrumpShown,
    CardPlayed,
    TrumpExchanged,
    TrickSwept,
    CardDrawn,
    CardTakenBack,
    TrumpTaken,
    ArrastreCalled,
    HandEnded,
)
