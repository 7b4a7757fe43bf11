"""When a play counts as doubtful: on the screens, for what people may still say of it, and in the figures of films."""

from typing import Final

DOUBTFUL_BELOW: Final = 0.8
"""A card read with less confidence is shown as doubtful."""


def is_doubtful(card: object, confidence: float | None) -> bool:
    """Whether a screen shows a play as doubtful: no card is stated, or it is believed too little."""
    return card is None or (confidence is not None and confidence < DOUBTFUL_BELOW)
