"""Ways in which the story of a game is told badly without a lie: whatever is wrong is told with doubt.

Each takes the facts as told so far and spoils them in place. They go further than misreading one fact: facts twice, in
the wrong order, much later, or not at all, calls before their card, the rest claimed.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from engine.events import (
    ArrastreCalled,
    CardDrawn,
    CardPlayed,
    GameEvent,
    HandEnded,
    HandStarted,
    TrickSwept,
    TrumpExchanged,
    TrumpShown,
    TrumpTaken,
)
from engine.random_game import RandomGame
from engine.rules import Rules

DOUBT = 0.3

Telling = list[GameEvent]
Spoiler = Callable[[Rules, Random, Telling], None]


def doubted(event: GameEvent) -> GameEvent:
    """The fact, told with doubt."""
    return replace(event, confidence=DOUBT)


def places(told: Telling, kind: type[GameEvent]) -> list[int]:
    """Where facts of a kind stand."""
    return [index for index, event in enumerate(told) if isinstance(event, kind)]


def told_twice(rules: Rules, rng: Random, told: Telling) -> None:
    """A fact comes once more a little later."""
    at = rng.randrange(1, len(told))
    told.insert(rng.randint(at + 1, min(len(told), at + 6)), doubted(told[at]))


def told_in_the_wrong_order(rules: Rules, rng: Random, told: Telling) -> None:
    """Two facts change places."""
    if len(told) > 2:
        at = rng.randrange(1, len(told) - 1)
        told[at : at + 2] = [doubted(told[at + 1]), doubted(told[at])]


def told_with_doubt(rules: Rules, rng: Random, told: Telling) -> None:
    """A fact is right, and doubted all the same."""
    at = rng.randrange(len(told))
    told[at] = doubted(told[at])


def trump_shown_late(rules: Rules, rng: Random, told: Telling) -> None:
    """Nobody sees the trump card for a while."""
    for at in places(told, TrumpShown)[:1]:
        event = told.pop(at)
        told.insert(rng.randint(at, len(told)), event)


def some_sweeps_unseen(rules: Rules, rng: Random, told: Telling) -> None:
    """Tricks vanish without anybody seeing who gathered them."""
    told[:] = [event for event in told if not isinstance(event, TrickSwept) or rng.random() < 0.6]


def call_heard_late(rules: Rules, rng: Random, told: Telling) -> None:
    """A call is noted some facts later, and that is known to be doubtful."""
    calls = places(told, ArrastreCalled)
    if calls:
        at = rng.choice(calls)
        event = told.pop(at)
        told.insert(rng.randint(at, min(len(told), at + 3)), doubted(event))


def call_said_early(rules: Rules, rng: Random, told: Telling) -> None:
    """The word is said before the ace falls, perhaps while the trick before it is still gathered."""
    calls = places(told, ArrastreCalled)
    if not calls:
        return
    at = rng.choice(calls)
    call, ace = told[at], told[at - 1]
    with_it = isinstance(ace, CardPlayed) and isinstance(call, ArrastreCalled) and ace.seat == call.seat
    later = [event.card for event in told[at : at + 8] if isinstance(event, CardPlayed)]
    if any(card is not None and card.rank == 1 for card in later):
        return  # the ace may come yet: the call was moved before
    if with_it and isinstance(ace, CardPlayed) and ace.card is not None and ace.card.rank == 1:
        told.pop(at)
        at -= 1
        while rng.random() < 0.5 and isinstance(told[at - 1], CardDrawn | TrickSwept | TrumpTaken):
            at -= 1
        told.insert(at, call)


def rest_claimed(rules: Rules, rng: Random, told: Telling) -> None:
    """After some trick everybody agrees who takes the rest."""
    gathered, end = places(told, TrickSwept), places(told, HandEnded)
    if gathered and end:
        at = rng.choice(gathered) + 1
        if at <= end[0]:
            told[at : end[0] + 1] = [HandEnded(rng.randrange(rules.players))]


SPOILERS: tuple[Spoiler, ...] = (
    told_twice,
    told_in_the_wrong_order,
    told_with_doubt,
    trump_shown_late,
    some_sweeps_unseen,
    call_heard_late,
    call_said_early,
    rest_claimed,
)


def met_halfway(rules: Rules, rng: Random, game: RandomGame) -> tuple[Telling, Telling]:
    """The game as told by one who came after some tricks: these as unread cards, and what he has seen since."""
    events = game.events(draws=rng.random() < 0.5)
    gathered = places(events, TrickSwept)
    missed = rng.randrange(1, len(gathered))
    before, since = events[: gathered[missed - 1] + 1], events[gathered[missed - 1] + 1 :]
    face_up = next(event.card for event in before if isinstance(event, TrumpShown))
    for event in before:
        if isinstance(event, TrumpExchanged):
            face_up = event.given
    hidden = face_up is None or bool(places(before, TrumpTaken)) or rng.random() < 0.3
    points = rng.choice([None, (0,) * len(rules.sides)])
    start = HandStarted(alcaide=game.alcaide, missed=missed, points_before=points)
    unread: Telling = []
    for _ in range(missed):
        for _ in range(rules.plays_per_trick):
            unread.append(CardPlayed(None, None, confidence=rng.choice([None, DOUBT])))
        unread.append(TrickSwept())
    shown = TrumpShown(None, game.trump.suit) if hidden else TrumpShown(face_up)
    return [start, shown, *unread], since
