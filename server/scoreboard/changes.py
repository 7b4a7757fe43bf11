"""What was changed in a game after it had been told: by whom, and why, as the screens show it."""

from collections.abc import Sequence
from typing import Any, Final, cast

from engine.codec import event_name
from engine.events import CardPlayed, GameEvent, HandEnded, TrumpExchanged, TrumpShown
from engine.ledger import Amend, Confirm, InsertAfter, LedgerEntry, Retract, voided
from engine.state import MatchState
from server.messages import Change, ChangeData
from server.referee.narrator import TAKEN_IS_PLAYED
from server.referee.steps import DISMISSED
from server.referee.story import FOLLOWS, SWAPPED, TURNED

MOST: Final = 30
"""Changes that a screen gets, the newest first."""

STEPS: Final = ("undo", "redo")
"""Reasons of the retractions by which a step is taken back, or done again."""

REORDERED: Final = "another fact came before it"
"""Reason of a retraction that only makes room: the same fact is told again at once."""

WHY: Final[dict[str, str]] = {
    "corrected by hand": "by_hand",
    "taken out by hand": "taken_out",
    "a clearer view": "clearer",
    "a clearer view of the trump card": "clearer",
    "a clearer view of the exchanged card": "clearer",
    TAKEN_IS_PLAYED: "taken_is_played",
    "the only card that fits the rest of the hand": "fits",
    "no longer sure": "unsure",
    "it belongs elsewhere": "order",
    "it was no fact of its own": "no_fact",
    "seen late": "late",
    FOLLOWS: "follows",
    TURNED: "turned",
    SWAPPED: "by_hand",
    "how it was gathered was seen later": "gathered",
    "the table gave the trick": "awarded",
    "the rest was claimed": "claimed",
    "undo": "undo",
    "redo": "redo",
    DISMISSED: "dismissed",
}
"""The reasons that the referee writes, as codes that a page has words for."""


def changes(state: MatchState, entries: Sequence[LedgerEntry], most: int = MOST) -> list[ChangeData]:
    """The newest changes first: corrections of all sources, and what only people can tell."""
    places = _places(state)
    void = voided(entries)
    facts: dict[str, GameEvent] = {}
    root: dict[str, str] = {}
    moved: list[GameEvent] = []
    twin: tuple[ChangeData, GameEvent | None, GameEvent] | None = None
    found: list[ChangeData] = []
    for entry in entries:
        body = entry.body
        match body:
            case Amend(target, event, reason):
                fact = root.get(target, target)
                root[entry.id] = fact
                made = _change(entry, "amended", reason, facts.get(fact), event, places.get(fact))
                change = (made, facts.get(fact), event)
                if twin is not None and reason in (SWAPPED, *STEPS) and _changed_places(twin, change):
                    twin[0].update({"change": "swapped", "after": made["before"]})  # both are told in one line
                    twin = None
                else:
                    found.append(made)
                    twin = change
                if entry.id not in void:
                    facts[fact] = event
            case InsertAfter(_, event, reason):
                root[entry.id] = entry.id
                facts[entry.id] = event
                if event in moved:
                    moved.remove(event)
                else:
                    found.append(_change(entry, "inserted", reason, None, event, places.get(entry.id)))
            case Retract(target, reason):
                gone = facts.get(root.get(target, target))
                if reason == REORDERED and gone is not None:
                    moved.append(gone)
                else:
                    found.append(_change(entry, "retracted", reason, gone, None, None))
            case Confirm(target, reason):
                word: Change = "dismissed" if reason == DISMISSED else "confirmed"
                fact = root.get(target, target)
                place = places.get(fact) or places.get(target.split(":")[1] if ":" in target else "")
                found.append(_change(entry, word, reason, None, facts.get(fact), place))
            case _:
                root[entry.id] = entry.id
                facts[entry.id] = body
                if entry.source == "person":
                    found.append(_change(entry, "told", "", None, body, places.get(entry.id)))
    return found[: -most - 1 : -1]


def dismissed(entries: Sequence[LedgerEntry], void: frozenset[str]) -> frozenset[str]:
    """Keys of the violations that the table has let go; ``void`` are the ids of entries taken back."""
    return frozenset(
        entry.body.target
        for entry in entries
        if isinstance(entry.body, Confirm) and entry.body.reason == DISMISSED and entry.id not in void
    )


def _changed_places(
    one: tuple[ChangeData, GameEvent | None, GameEvent], other: tuple[ChangeData, GameEvent | None, GameEvent]
) -> bool:
    """Whether two changes, each with the fact before and after it, made two plays exchange their cards or seats."""
    (first, before, after), (second, was, now) = one, other
    plays = [event for event in (before, after, was, now) if isinstance(event, CardPlayed)]
    if len(plays) < 4 or first["t"] != second["t"] or first["why"] != second["why"]:
        return False
    cards, seats = [play.card for play in plays], [play.seat for play in plays]
    changed, kept = (cards, seats) if cards[0] != cards[1] else (seats, cards)
    return changed[0] != changed[1] and changed[:2] == changed[:1:-1] and kept[0] == kept[1] and kept[2] == kept[3]


def _places(state: MatchState) -> dict[str, tuple[int, int]]:
    """Hand and trick of each play, by the id of its fact."""
    places: dict[str, tuple[int, int]] = {}
    for hand in state.hands:
        for n, plays in [(trick.n, trick.plays) for trick in hand.tricks] + [(hand.trick_number, hand.trick)]:
            places.update({play.event_id: (hand.number, n) for play in plays if play.event_id is not None})
    return places


def _change(
    entry: LedgerEntry,
    change: Change,
    reason: str,
    before: GameEvent | None,
    after: GameEvent | None,
    place: tuple[int, int] | None,
) -> ChangeData:
    event = after or before
    return {
        "id": entry.id,
        "t": None if entry.t is None else round(entry.t, 1),
        "by": cast(Any, entry.source),
        "change": change,
        "what": "violation" if event is None else event_name(event),
        "why": WHY.get(reason, "other") if reason else change,
        "hand": None if place is None else place[0],
        "trick": None if place is None else place[1],
        "seat": event.claimed_by if isinstance(event, HandEnded) else getattr(event, "seat", None),
        "before": _shown(before),
        "after": _shown(after),
    }


def _shown(event: GameEvent | None) -> str | None:
    """The card of a fact, or the suit of a trump of which no more is known."""
    match event:
        case TrumpShown(card=None, suit=suit):
            return suit
        case CardPlayed(card=card) | TrumpShown(card=card) | TrumpExchanged(given=card):
            return None if card is None else str(card)
    return None
