"""How moments of the real world are written: when a game began, when a deck was enrolled."""

from datetime import UTC, datetime


def now_text(now: datetime | None = None) -> str:
    """A moment (None: this one) in ISO 8601, UTC, to the second."""
    return f"{now or datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
