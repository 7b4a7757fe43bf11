"""What the referee asks people: whether it has lost the thread of a hand, and which cards it is in doubt about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.events import CardPlayed
from engine.state import GameState, MatchState
from server.messages import QuestionData
from server.referee.hand import Hand
from server.referee.order import out_of_order, ways_into_order
from server.referee.story import Teller

LOST: Final = 12.5
"""Price in nats of the last two tricks' story from which the thread counts as lost."""

WORTH_OFFERING: Final = 0.05
"""Chance from which a card is offered as an answer: of a play that nobody saw any card may be meant."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that a person can settle with one press: what about, and the presses that answer it.

    ``options`` are presses as JSON objects, each with ``p`` (probability) where it is known.
    """

    id: str
    kind: str
    text_key: str
    options: tuple[Mapping[str, Any], ...]

    def to_json(self) -> QuestionData:
        """The question as plain JSON values."""
        return {
            "id": self.id,
            "kind": self.kind,
            "text_key": self.text_key,
            "options": [dict(option) for option in self.options],
        }


@dataclass(frozen=True, slots=True)
class RefereeStatus:
    """How sure the referee is: whether it has lost the thread, and what it would like to know."""

    lost: bool
    questions: tuple[Question, ...]


def is_lost(hand: Hand) -> bool:
    """Whether the story cannot be believed, and nobody said since that it is right.

    That of the last tricks is too dear, or that of the hand breaks the order of play again and again.
    """
    telling = hand.telling
    if telling is None or hand.over:
        return False
    last = max([face.t for face in hand.faces.in_order()], default=0.0)
    return (telling.muddled or telling.arrangement.price_recent > LOST) and hand.word.found_at < last


def lost_questions(hand: Hand, teller: Teller) -> list[Question]:
    """The ways back in when the thread is lost: it is right as shown, the last card was none, the hand is over."""
    options: list[Mapping[str, Any]] = [{"type": "found"}]
    plays = hand.telling.plays if hand.telling else []
    seen = [key for key, _, _, uid in plays if uid is not None]
    if seen:
        options.append({"type": "remove_play", "play": teller.entry_of(seen[-1])})
    options.append({"type": "end_hand"})
    return [Question(f"lost:{hand.number}", "lost", "question.lost", tuple(options))]


def order_questions(hand: Hand, state: GameState | None, *, lost: bool) -> list[Question]:
    """What may have gone wrong where a hand kept by hand breaks the order of play for the first time.

    An option without the card that it needs: which card it was is asked next. ``lost``: what was entered cannot be
    followed any more.
    """
    wrong = None if state is None or not hand.by_hand else out_of_order(state)
    if state is None or wrong is None:
        return []
    kind, id = ("lost", f"lost:{hand.number}") if lost else ("order", f"order:{wrong.key}")
    return [Question(id, kind, "question.order", ways_into_order(state, wrong))]


def alcaide_questions(state: MatchState, hands: Sequence[Hand]) -> list[Question]:
    """Who the Alcaide is, for each of the ``hands`` told in ``state`` where nobody has said it, the newest first.

    After a lost title it is one of the rivals, else anybody; a title that was kept, or passed on, is known.
    """
    asked: list[Question] = []
    lost: int | None = None
    for hand, told in zip(hands, state.hands, strict=False):
        if state.rules.alcaide is not None and told.alcaide is None:
            options = tuple(
                {"type": "set_alcaide", "seat": seat, "hand": hand.number}
                for seat in range(state.rules.players)
                if seat != lost
            )
            asked.insert(0, Question(f"alcaide:{hand.number}", "alcaide", "question.alcaide", options))
        defeated = told.result is not None and told.result.alcaide_keeps is False
        lost = told.alcaide if defeated else None
    return asked


def doubts(hand: Hand, teller: Teller) -> list[Question]:
    """One question for each play whose card is not known, with the cards that it may be."""
    questions: list[Question] = []
    for key, _, _, _ in hand.telling.plays if hand.telling else ():
        event = teller.event_of(key)
        entry = teller.entry_of(key)
        if not isinstance(event, CardPlayed) or event.card is not None or entry is None:
            continue
        if key[0] == "unseen" and int(key[2]) < hand.missed:
            continue  # nobody watched yet: that is asked about as a whole
        options = tuple(
            {"type": "correct_card", "play": entry, "card": card, "p": share}
            for card, share in event.candidates
            if share >= WORTH_OFFERING
        )
        questions.append(Question(f"card:{entry}", "card", "question.card", options))
    return questions


def mirror_question(hand: Hand) -> Question:
    """Whether everybody sits right now that the picture counts as mirrored, or is to sit as before."""
    return Question(f"mirror:{hand.number}", "mirror", "question.mirror", ({"type": "found"}, {"type": "mirror"}))


def late_questions(hand: Hand) -> list[Question]:
    """What was taken before the program began to watch, where it came in upon a hand in progress."""
    if not hand.missed or hand.word.points_before is not None:
        return []
    return [Question(f"late:{hand.number}", "late", "question.late", ({"type": "late", "tricks": 0},))]
