"""What was seen of one hand, as the decoder weighs it: plays, tricks, face-up cards, each as likelihoods."""

from dataclasses import dataclass

from server.referee.readings import Floats


@dataclass(frozen=True, slots=True)
class PlayEvidence:
    """One play: ``shares`` (K,) is the belief over the deck; ``places`` (P,) the log likelihood of each seat.

    ``unseen`` is a play that the order of play demands but nobody saw: its shares are flat. ``said``: a person has told
    which card it was and who laid it, so that no reading of it can be wrong.
    """

    shares: Floats
    places: tuple[float, ...]
    unseen: bool = False
    said: bool = False


@dataclass(frozen=True, slots=True)
class TrickEvidence:
    """One trick in order of play; ``gathered`` (P,) is the log likelihood of each winner, ``led`` of each leader.

    ``won`` is the seat that the table gave the trick to, whatever the cards say.
    """

    plays: tuple[PlayEvidence, ...]
    gathered: tuple[float, ...]
    led: tuple[float, ...]
    won: int | None = None


@dataclass(frozen=True, slots=True)
class TrumpSight:
    """A face-up card: ``shares`` (K,) and the number of tricks gathered before it was laid (0: from the start).

    ``gone``: so many tricks had been gathered when it left the table for good; None while it lies there. ``said``: a
    person has told which card it is. ``arm`` is the seat whose arm was seen to lay it, in exchange for the one before.
    """

    shares: Floats
    after: int = 0
    gone: int | None = None
    said: bool = False
    arm: int | None = None


@dataclass(frozen=True, slots=True)
class HandEvidence:
    """Everything seen of one hand. ``suits`` weighs the trump suits (O, C, E, B) where no card is seen.

    ``suit_said``: a person has told the suit, or the card. ``named`` are the columns of cards that a person gave to a
    play, or called the trump, against what was seen: what else looks like one of them is another card.
    """

    tricks: tuple[TrickEvidence, ...]
    trumps: tuple[TrumpSight, ...] = ()
    suits: tuple[float, float, float, float] = (0.25, 0.25, 0.25, 0.25)
    named: frozenset[int] = frozenset()
    suit_said: bool = False
