"""How long a recorded session was in doubt about a card that had been played."""

from collections.abc import Sequence

from engine.codec import entry_from_json
from engine.events import CardPlayed
from engine.ledger import LedgerEntry, effective_events
from server.doubt import is_doubtful
from server.sessions.recording import Recording


def seconds_of_doubt(recording: Recording) -> float:
    """Seconds of the session during which at least one play of the game was marked as doubtful."""
    entries = [entry_from_json(line.data) for line in recording.of("entry")]
    end = max((float(line.data["t"]) for line in recording.of("finish")), default=0.0)
    return round(_seconds(entries, end), 3)


def _seconds(entries: list[LedgerEntry], end: float) -> float:
    total = 0.0
    since: float | None = None
    for index, entry in enumerate(entries):
        now = entry.t if entry.t is not None else since or 0.0
        if index + 1 < len(entries) and entries[index + 1].t == entry.t:
            continue
        doubtful = _in_doubt(entries[: index + 1])
        if since is not None and not doubtful:
            total, since = total + max(0.0, now - since), None
        elif since is None and doubtful:
            since = now
    return total if since is None else total + max(0.0, end - since)


def _in_doubt(entries: Sequence[LedgerEntry]) -> bool:
    return any(
        isinstance(event, CardPlayed) and is_doubtful(event.card, event.confidence)
        for _, event in effective_events(entries)
    )
