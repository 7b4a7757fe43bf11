"""What a break in watching leaves open: the table changed while nobody looked, so people are asked whether it fits."""

from typing import Final

from server.referee.hand import Hand
from server.referee.questions import Question
from vision.facts import TableEvent

LOOK_SECONDS: Final = 6.0
"""Seconds after the break within which a change is one that happened during it."""


class Break:
    """One break that ended at ``t``: notes what was found changed in the first look at the table."""

    def __init__(self, t: float) -> None:
        self.t = t
        self.hand: int | None = None
        """Number of the hand that was found changed; None while nothing was."""

    def note(self, event: TableEvent, hand: Hand) -> None:
        """Take in a fact about the table, before the referee does. Backs say little: they come and go."""
        if event.face == "back" or event.t - self.t > LOOK_SECONDS or not hand.started or hand.over:
            return
        left = event.kind in ("vanished", "swept")
        if left or (event.kind == "settled" and hand.faces.of_track(event.track) is None):
            self.hand = hand.number

    def questions(self, hand: Hand) -> list[Question]:
        """Whether what is shown fits, until somebody says so or the hand is over."""
        if self.hand != hand.number or hand.over or hand.word.found_at >= self.t:
            return []
        return [Question(f"away:{hand.number}:{self.t:g}", "away", "question.away", ({"type": "found"},))]
