"""How right a reading of a film is: the result file compared with the truth of the film.

A hand is *whole* when trump, every play (seat and card, in order), every winner and points of a trick, the totals and
the winner of the hand are exactly what was played. An error is *silent* when it was not marked: a play that is wrong
and was shown without doubt, a wrong winner or total over plays that were all shown without doubt. What is missing from
a hand that says of itself that it is not complete is no silent error.
"""

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from server.doubt import is_doubtful
from server.films.alignment import FlatPlay, Pair, align, flat_plays

ACCUSING: Final = ("certain", "possible")
"""Certainties of a violation that name somebody; the others only say that a question was looked at."""


@dataclass(frozen=True, slots=True)
class CardError:
    """A play that was not read as it was made; ``true`` or ``read`` (card texts) None: missed, invented, or unread.

    ``seats`` are the true and the read seat; ``t`` seconds of the film at which the card came to rest.
    """

    kind: str
    trick: int
    seats: tuple[int | None, int | None]
    true: str | None
    read: str | None
    confidence: float | None
    t: float | None
    silent: bool

    def __str__(self) -> str:
        sure = "" if self.confidence is None else f" {self.confidence:.2f}"
        mark = " SILENT" if self.silent else ""
        true, read = self.true or "nothing", self.read or ("nothing" if self.kind == "missed" else "unread")
        if self.kind == "seat":
            return f"{true} of seat {self.seats[0]}→seat {self.seats[1]}{sure} (trick {self.trick}){mark}"
        return f"{true}→{read}{sure} (trick {self.trick}){mark}"


@dataclass(frozen=True, slots=True)
class HandScore:
    """One film's reading in figures. Pairs ``x``, ``x_all`` are hits and tries; lists name what was wrong.

    ``trump_read`` is the true and the read trump card. ``ended``: whether the hand was held to be over, or not, as it
    was.
    """

    cards: int
    cards_all: int
    tricks: int
    tricks_all: int
    winners: int
    winners_all: int
    totals: bool
    hand_winner: bool
    trump_read: tuple[str | None, str | None]
    exchanges: int
    exchanges_all: int
    whole: bool
    ended: bool
    errors: list[CardError] = field(default_factory=list)
    silent: list[str] = field(default_factory=list)
    found: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    false: list[str] = field(default_factory=list)
    overstated: list[str] = field(default_factory=list)
    amendments: int = 0
    hands: int = 1

    def to_json(self) -> dict[str, Any]:
        """As plain JSON values."""
        data = asdict(self)
        data["errors"] = [asdict(error) | {"text": str(error)} for error in self.errors]
        return data


def score_hand(truth: dict[str, Any], result: dict[str, Any]) -> HandScore:
    """The reading ``result`` (a result file) scored against ``truth`` (the truth of a film of one hand)."""
    pairs = align(flat_plays(truth), flat_plays(result))
    errors = [error for pair in pairs if (error := _error(pair, bool(result["complete"]))) is not None]
    true_tricks = {trick["n"]: trick for trick in truth["tricks"]}
    read_tricks: dict[int | None, dict[str, Any]] = {trick["n"]: trick for trick in result["tricks"]}
    tricks = winners = 0
    silent = [f"card {error}" for error in errors if error.silent]
    for n, trick in true_tricks.items():
        # A trick that was invented must not make the winners of all later ones wrong.
        read = read_tricks.get(_answer(pairs, n))
        if read is None:
            continue
        right = read["winner"] == trick["winner"]
        winners += right
        tricks += right and _plays(read) == _plays(trick) and read["points"] == trick["points"]
        if not right and read["winner"] is not None and not _any_doubt([read]):
            silent.append(f"winner of trick {n}: seat {trick['winner']}→seat {read['winner']}")
    totals = result["totals"] == truth["totals"]
    # Without doubt in any trick, and said to be the whole hand: then the totals are stated.
    stated = bool(result["complete"]) and not _any_doubt(result["tricks"])
    if not totals and stated:
        silent.append(f"totals: {_totals(truth)}→{_totals(result)}")
    trump = result["trump"] == truth["trump"]
    if not trump and result["trump"] is not None:
        silent.append(f"trump: {truth['trump']}→{result['trump']}")
    swaps, swaps_all = _exchanges(truth, result)
    hands = len(result.get("hands", [result]))
    hand_winner = result["winner"] == truth["winner"]
    ended = result["complete"] == truth["complete"]
    whole = (
        trump and totals and hand_winner and not errors and swaps == swaps_all and hands == 1
        and tricks == len(true_tricks) == len(read_tricks) and ended
    )  # fmt: skip
    found, missed, false, overstated = _violations(truth, result)
    return HandScore(
        cards=sum(pair.right for pair in pairs),
        cards_all=sum(pair.true is not None for pair in pairs),
        tricks=tricks,
        tricks_all=len(true_tricks),
        winners=winners,
        winners_all=len(true_tricks),
        totals=totals,
        hand_winner=hand_winner,
        trump_read=(truth["trump"], result["trump"]),
        exchanges=swaps,
        exchanges_all=swaps_all,
        whole=whole,
        ended=ended,
        errors=errors,
        silent=silent,
        found=found,
        missed=missed,
        false=false,
        overstated=overstated,
        amendments=int(result["amendments"]),
        hands=hands,
    )


def _answer(pairs: list[Pair], trick: int) -> int | None:
    """The number of the read trick that most plays of a true one are in."""
    found = Counter(
        pair.read.trick
        for pair in pairs
        if pair.true is not None and pair.read is not None and pair.true.trick == trick
    )
    return found.most_common(1)[0][0] if found else None


def _plays(trick: dict[str, Any]) -> list[tuple[int, str | None]]:
    return [(play["seat"], play["card"]) for play in trick["plays"]]


def _any_doubt(tricks: list[dict[str, Any]]) -> bool:
    return any(is_doubtful(play["card"], play["confidence"]) for trick in tricks for play in trick["plays"])


def _error(pair: Pair, complete: bool) -> CardError | None:
    true, read = pair.true, pair.read
    if pair.right:
        return None
    if read is None:
        assert true is not None
        return _card_error("missed", true, None, silent=complete)
    doubtful = is_doubtful(read.card, read.confidence)
    if true is None:
        return _card_error("invented", None, read, silent=not doubtful)
    kind = "unread" if read.card is None else "card" if read.card != true.card else "seat"
    return _card_error(kind, true, read, silent=not doubtful)


def _card_error(kind: str, true: FlatPlay | None, read: FlatPlay | None, *, silent: bool) -> CardError:
    at = true or read
    assert at is not None
    return CardError(
        kind,
        at.trick,
        (None if true is None else true.seat, None if read is None else read.seat),
        None if true is None else true.card,
        None if read is None else read.card,
        None if read is None else read.confidence,
        at.t,
        silent,
    )


def _totals(hand: dict[str, Any]) -> str:
    return "-".join(str(points) for points in hand["totals"]["by_seat"].values())


def _exchanges(truth: dict[str, Any], result: dict[str, Any]) -> tuple[int, int]:
    """Exchanges read exactly, and how many there were or were said to be."""

    def key(row: dict[str, Any]) -> tuple[Any, ...]:
        return row["seat"], row["given"], row["taken"], row["after_trick"]

    true = Counter(key(row) for row in truth["exchanges"])
    read = Counter(key(row) for row in result["exchanges"])
    return (true & read).total(), (true | read).total()


def _violations(truth: dict[str, Any], result: dict[str, Any]) -> tuple[list[str], list[str], list[str], list[str]]:
    """(found, missed, false, overstated): what was flagged, by kind, seat and trick, of what could be known."""

    def of(hand: dict[str, Any]) -> dict[tuple[str, int | None, int], str]:
        rows = [row for row in hand["violations"] if row["certainty"] in ACCUSING]
        return {(row["kind"], row["seat"], row["trick"]): row["certainty"] for row in rows}

    def told(key: tuple[str, int | None, int], certainty: str) -> str:
        return f"{key[0]} of seat {key[1]} in trick {key[2]} ({certainty})"

    true, read = of(truth), of(result)
    found = [told(key, read[key]) for key in true if key in read]
    missed = [told(key, true[key]) for key in true if key not in read]
    false = [told(key, read[key]) for key in read if key not in true]
    overstated = [told(key, read[key]) for key in true if read.get(key) == "certain" != true[key]]
    return found, missed, false, overstated
