"""What each player has done in the games of the history: hands, points, briscas, arrastres, faults.

Only complete hands count, and none of the demo. A *brisca* is an ace or a three of a suit that is not trump
(Diccionario de la lengua española); it counts for whoever gathered the trick that it lay in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine.fold import fold
from engine.ledger import voided
from engine.state import GameState, Violation
from server.errors import StoreError
from server.history.archive import ALL, entries_of, hands_of, result_of, rules_of
from server.scoreboard.changes import dismissed
from server.sessions.store import Store

BRISCA_RANKS: Final = ("1", "3")


@dataclass(slots=True)
class PlayerRecord:
    """The sums of one player. ``points`` are those of the side in each hand, oldest first, with the game's id."""

    name: str
    games: int = 0
    hands: int = 0
    won: int = 0
    undecided: int = 0
    captured: int = 0
    briscas: int = 0
    exchanges: int = 0
    arrastres: int = 0
    missed: int = 0
    violations: int = 0
    points: list[dict[str, Any]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The record as plain JSON values; ``mean`` and ``best`` of the side's points, null without a hand."""
        values = [one["points"] for one in self.points]
        return {
            "name": self.name,
            "games": self.games,
            "hands": self.hands,
            "won": self.won,
            "undecided": self.undecided,
            "lost": self.hands - self.won - self.undecided,
            "mean": round(sum(values) / len(values), 1) if values else None,
            "best": max(values, default=None),
            "captured": self.captured,
            "briscas": self.briscas,
            "exchanges": self.exchanges,
            "arrastres": self.arrastres,
            "missed": self.missed,
            "violations": self.violations,
            "points": self.points,
        }


def player_records(store: Store) -> list[PlayerRecord]:
    """The record of each player that has a name, most hands first."""
    records: dict[str, PlayerRecord] = {}
    for row in reversed(store.sessions(ALL)):
        if row.demo:
            continue
        try:
            rules = rules_of(row)
            hands = hands_of(result_of(store, row))
            entries = entries_of(store, row.id)
        except StoreError:
            continue  # one game of unknown rules must not hide the others
        if not any(hand["complete"] for hand in hands):
            continue
        told, let_go = fold(rules, entries).hands, dismissed(entries, voided(entries))
        names = {int(one["seat"]): str(one["name"]).strip() for one in row.seats}
        for seat, name in names.items():
            if not name:
                continue
            record = records.setdefault(name.casefold(), PlayerRecord(name))
            record.name = name
            record.games += 1
            side = rules.side_of(seat)
            for number, hand in enumerate(hands):
                if hand["complete"]:
                    _count(record, hand, seat, side, rules.sides[side], row.id)
                    if number < len(told):  # a power cut may have kept the last of the ledger from the disk
                        _count_said(record, told[number], seat, let_go)
    return sorted(records.values(), key=lambda record: (-record.hands, record.name.casefold()))


def _count(
    record: PlayerRecord,
    hand: Mapping[str, Any],
    seat: int,
    side: int,
    partners: tuple[int, ...],
    session: str,
) -> None:
    by_seat = hand["totals"]["by_seat"]
    record.hands += 1
    record.won += hand["winner"] == side
    record.undecided += hand["winner"] is None
    record.points.append({"session": session, "points": sum(int(by_seat.get(str(one), 0)) for one in partners)})
    record.captured += int(by_seat.get(str(seat), 0))
    record.briscas += sum(briscas(trick, hand["trump"]) for trick in hand["tricks"] if trick["winner"] == seat)
    record.exchanges += sum(exchange["seat"] == seat for exchange in hand["exchanges"])


def _count_said(record: PlayerRecord, hand: GameState, seat: int, let_go: frozenset[str]) -> None:
    """Calls, and the rule breaks that the cards prove; ``let_go`` are the keys of those that the table dismissed."""
    certain = [one for one in hand.violations if one.seat == seat and stands(one, let_go)]
    record.arrastres += sum(call.seat == seat for call in hand.calls)
    record.violations += len(certain)
    record.missed += sum(one.code == "missed_arrastre" for one in certain)


def stands(violation: Violation, let_go: frozenset[str]) -> bool:
    """Whether a rule break is proven and the table did not let it go."""
    return violation.certainty == "certain" and violation.key not in let_go


def briscas(trick: Mapping[str, Any], trump: str | None) -> int:
    """Aces and threes in a trick that are no trumps."""
    cards = [play["card"] for play in trick["plays"] if play["card"] is not None]
    suit = trump[-1] if trump else None
    return sum(card[:-1] in BRISCA_RANKS and card[-1] != suit for card in cards)
