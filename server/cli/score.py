"""``brisca score``: score a written game, and prove its violations."""

import argparse
import json
import sys
from pathlib import Path

from engine.codec import state_to_json
from engine.errors import ParseError
from engine.record import Record, read_record
from engine.state import GameState, HandResult, MatchState, Play, Violation
from engine.views import public_view
from server.house_rules import read_text

_WANTED = "a game record, as docs/notation.md shows it"

_WHAT = {
    "out_of_turn": "played out of turn",
    "wrong_leader": "led out of turn",
    "two_cards": "played two cards",
    "wrong_gather": "gathered a trick of the other side",
    "illegal_exchange": "exchanged the trump card against the rules",
    "missed_arrastre": "did not answer the arrastre with the best card",
    "missed_follow": "did not follow suit",
    "duplicate_card": "played a card that was out already",
    "foreign_card": "played a card that is not in this deck",
    "trump_taken_early": "took the trump card too early",
    "wrong_trump_taker": "took the trump card that was another's",
    "hand_short": "ran short of cards",
    "hand_long": "had cards left over",
    "invalid_call": "called arrastre without cause",
}


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``score``."""
    parser = subparsers.add_parser(
        "score",
        help="score a written game",
        description="Score a game record (text or JSON, see docs/notation.md): tricks, points, violations with proof.",
    )
    parser.add_argument("file", type=Path, help="the record, or - for standard input")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the score; 1 when parts of the record could not be read or found no place in the game."""
    text = _standard_input() if str(args.file) == "-" else read_text(args.file, _WANTED)
    record = read_record(text, json_named=args.file.suffix.lower() == ".json")
    state = record.state()
    played = any(hand.all_plays for hand in state.hands)
    if not record.facts or (record.problems and not played):
        found = f" ({record.problems[0]})" if record.problems else ""
        raise ParseError(
            f"{args.file} holds no game{found}: write its cards as docs/notation.md shows, or give a file that the "
            "page of a game in the history has saved as text or JSON."
        )
    if args.json:
        print(json.dumps(as_data(record, state), ensure_ascii=False, indent=2))
    else:
        print("\n".join(as_lines(record, state)))
    return 1 if record.all_problems(state) else 0


def _standard_input() -> str:
    """What is piped in. Raises ParseError when it is no text."""
    try:
        text = sys.stdin.read()
        text.encode()  # bytes that are no UTF-8 come through as lone surrogates in some locales
    except UnicodeError:
        raise ParseError("The standard input is not text in UTF-8: pipe a game record in.") from None
    return text


def as_data(record: Record, state: MatchState) -> dict[str, object]:
    """The score as plain JSON values: the whole state, and what could not be read."""
    data: dict[str, object] = dict(state_to_json(state))
    return {**data, "unreadable": [{"line": p.line, "text": p.text} for p in record.all_problems(state)]}


def as_lines(record: Record, state: MatchState) -> list[str]:
    """The score as lines of text."""
    rules = record.rules
    lines = [f"{rules.title.strip() or rules.name}, {rules.players} players"]
    for hand in state.hands:
        lines += ["", *_hand_lines(hand)]
    if len(state.hands) > 1:
        wins = "-".join(map(str, state.match.wins))
        totals = "-".join(map(str, state.match.totals))
        over = f", won by {_side(state.hands[-1], state.match.winner)}" if state.match.winner is not None else ""
        lines += ["", f"Match: hands won {wins}, points {totals}{over}"]
    problems = [str(problem) for problem in record.all_problems(state)]
    if problems:
        lines += ["", "Not understood:", *(f"  {problem}" for problem in problems)]
    return lines


def _hand_lines(hand: GameState) -> list[str]:
    shown = f" (trump suit {hand.trump_suit})" if hand.trump_suit else ""
    lines = [f"Hand {hand.number}{shown}", *_swaps(hand, 0)]
    for trick in hand.tricks:
        lines.append(f"{trick.n:>3}. {_plays(trick.plays):<40} {_taken(trick.winner, trick.points)}")
        lines += _swaps(hand, trick.n)
    if hand.trick:
        lines.append(f"{hand.trick_number:>3}. {_plays(hand.trick)}")
    lines.append(f"Points: {_points(hand)}")
    if hand.points_open or hand.unread:
        lines.append(f"  open: {hand.points_open} points in tricks without a known winner, {hand.unread} unread cards")
    lines.append(_result(hand, hand.result))
    if hand.violations:
        lines.append("Violations:")
        lines += [f"  {_violation(violation)}" for violation in hand.violations]
    return lines


def _swaps(hand: GameState, after: int) -> list[str]:
    return [
        f"     seat {_n(swap.seat)} exchanges {swap.given or '?'} for {swap.taken or '?'}"
        for swap in hand.exchanges
        if swap.after_trick == after
    ]


def _plays(plays: tuple[Play, ...]) -> str:
    return "  ".join(f"{p.seat}:{p.card or '?'}{'=' if p.by_elimination else ''}" for p in plays)


def _taken(winner: int | None, points: int) -> str:
    return f"winner open, {points} points seen" if winner is None else f"seat {winner} wins {points}"


def _points(hand: GameState) -> str:
    if hand.points_by_team is None:
        return ", ".join(f"seat {seat} {points}" for seat, points in enumerate(hand.points_by_seat))
    return ", ".join(f"{_side(hand, side)} {points}" for side, points in enumerate(hand.points_by_team))


def _side(hand: GameState, side: int | None) -> str:
    if side is None:
        return "nobody"
    seats = hand.rules.sides[side]
    return f"seat {seats[0]}" if len(seats) == 1 else f"seats {'+'.join(map(str, seats))}"


def _result(hand: GameState, result: HandResult | None) -> str:
    if result is None:
        view = public_view(hand)
        sure = f"; {_side(hand, view.decided)} cannot be caught" if view.decided is not None else ""
        return f"Not over: {view.points_to_come} points still to come{sure}"
    if result.alcaide_keeps is not None:
        return f"Result: the Alcaide (seat {hand.alcaide}) {'keeps' if result.alcaide_keeps else 'loses'} the title"
    if result.winner is not None:
        return f"Result: won by {_side(hand, result.winner)}"
    texts = {
        "draw": "drawn",
        "void": "void, nobody scores",
        "unfinished": "not played to the end",
        "points_missing": f"open, {result.missing_points} points are not accounted for",
        "tied_first": "tied for the first place: the rules leave this to the table",
        "title_open": "open, nobody says who the Alcaide is: write the tag Alcaide",
        "no_majority": "nobody reached the points to win",
        "no_winner_literal": "nobody passed the target, to the letter of the rules",
    }
    return f"Result: {texts.get(result.status, result.status)}"


def _violation(violation: Violation) -> str:
    who = "somebody" if violation.seat is None else f"seat {violation.seat}"
    what = _WHAT.get(violation.code, violation.code)
    reason = f" ({violation.reason})" if violation.reason else ""
    proof = f"; proof: {', '.join(violation.evidence)}" if violation.evidence else ""
    odds = "" if violation.p is None or violation.certainty == "certain" else f", p = {violation.p}"
    return f"trick {violation.trick}: {who} {what}{reason} [{violation.certainty}{odds}]{proof}"


def _n(seat: int | None) -> str:
    return "?" if seat is None else str(seat)
