"""From a ledger to the state of a session: pure, the same entries give the same state."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeGuard

from engine.cards import Card
from engine.duty import duty_violations
from engine.errors import ParseError
from engine.events import CardPlayed, GameEvent, HandStarted
from engine.hand import apply
from engine.ledger import LedgerEntry, acknowledged_keys, effective_events
from engine.result import hand_result, match_score, next_dealer
from engine.rules import Rules
from engine.state import GameState, HandResult, MatchState, Play, Trick
from engine.table import Table
from engine.trick import decided_index, trick_points

Facts = Sequence[tuple[str, GameEvent]]


def fold(rules: Rules, entries: Iterable[LedgerEntry]) -> MatchState:
    """State of the session after all entries and their corrections. Never raises on an odd but well-formed fact."""
    lines = tuple(entries)
    if any(not isinstance(line, LedgerEntry) for line in lines):
        raise ParseError("fold takes ledger entries; use fold_events for bare facts.")
    return fold_facts(rules, effective_events(lines), revision=len(lines), acknowledged=acknowledged_keys(lines))


def fold_events(rules: Rules, events: Iterable[GameEvent]) -> MatchState:
    """State after bare facts, named e1, e2, ... in their order."""
    facts = tuple((f"e{index}", event) for index, event in enumerate(events, start=1))
    return fold_facts(rules, facts, revision=len(facts))


def fold_facts(
    rules: Rules, facts: Facts, *, revision: int = 0, acknowledged: frozenset[str] = frozenset()
) -> MatchState:
    """State after facts that carry their ids."""
    hands: list[GameState] = []
    problems: list[str] = []
    dealer: int | None = None
    alcaide: int | None = None
    for chunk in _split(facts):
        if not hands and not isinstance(chunk[0][1], HandStarted):
            problems.append(f"{chunk[0][0]}: the session begins without hand_started")
        state = fold_hand(rules, chunk, number=len(hands) + 1, alcaide=alcaide)
        if acknowledged:
            marked = tuple(replace(v, acknowledged=True) if v.key in acknowledged else v for v in state.violations)
            state = replace(state, violations=marked)
        hands.append(replace(state, revision=revision))
        dealer = state.dealer if state.dealer is not None else (None if dealer is None else next_dealer(rules, dealer))
        if rules.alcaide is not None:
            score = match_score(rules, [state.result] if state.result else [], last_alcaide=state.alcaide)
            alcaide = score.alcaide
    results = [hand.result for hand in hands if hand.result is not None]
    last_title = None if not hands else hands[-1].alcaide
    match = match_score(rules, results, last_dealer=dealer, last_alcaide=last_title)
    return MatchState(rules, tuple(hands), match, revision, tuple(problems))


def fold_hand(rules: Rules, facts: Facts, *, number: int = 1, alcaide: int | None = None) -> GameState:
    """State of one hand. A last unread card is filled in by elimination once the hand is complete."""
    table = _play(rules, facts, number, alcaide)
    left = _left_unread(table)
    if left is None:
        return _freeze(table)
    event_id, card = left
    # It is as sure as the least sure of the readings that it was worked out from.
    told = [play.confidence for play in table.all_plays if play.confidence is not None]
    least = min(told, default=None)
    filled = [
        (fact, replace(event, card=card, confidence=least) if _is_play(event, fact, event_id) else event)
        for fact, event in facts
    ]
    table = _play(rules, filled, number, alcaide)
    table.filled = card
    return _freeze(table)


def _split(facts: Facts) -> list[list[tuple[str, GameEvent]]]:
    chunks: list[list[tuple[str, GameEvent]]] = []
    for fact in facts:
        if isinstance(fact[1], HandStarted) or not chunks:
            chunks.append([])
        chunks[-1].append(fact)
    return chunks


def _play(rules: Rules, facts: Facts, number: int, alcaide: int | None) -> Table:
    first_id, first = facts[0] if facts else (None, HandStarted())
    if isinstance(first, HandStarted):
        start, start_id, rest = first, first_id, facts[1:]
    else:
        start, start_id, rest = HandStarted(), None, facts
    table = Table.begin(rules, number, start, start_id, alcaide)
    for event_id, event in rest:
        apply(table, event_id, event)
    return table


def _is_play(event: GameEvent, fact: str, wanted: str) -> TypeGuard[CardPlayed]:
    return fact == wanted and isinstance(event, CardPlayed)


def _left_unread(table: Table) -> tuple[str, Card] | None:
    """The one unread card of a complete hand, with the fact that brought it, if all others were read once."""
    plays = [play for trick in table.tricks for play in trick.plays] + table.trick
    unread = [play for play in plays if play.card is None]
    if len(unread) != 1 or len(plays) != len(table.rules.cards) or unread[0].event_id is None:
        return None
    missing = table.rules.card_set - set(table.seen)
    if len(missing) != 1 or len(table.seen) != len(plays) - 1:
        return None
    return unread[0].event_id, next(iter(missing))


def _freeze(table: Table) -> GameState:
    rules = table.rules
    tricks = tuple(_settled(table, trick) for trick in table.tricks)
    if table.filled is not None:
        tricks = tuple(replace(t, plays=tuple(_mark(p, table.filled) for p in t.plays)) for t in tricks)
    on_table = tuple(_mark(play, table.filled) for play in table.trick)
    full_now = _full_trick(table)
    counted = tricks if full_now is None else (*tricks, full_now)
    points = [0] * rules.players
    open_points = 0
    for trick in counted:
        if trick.winner is None:
            open_points += trick.points
        else:
            points[trick.winner] += trick.points
    before = _points_before(table)
    claimed = 0
    if table.claimed_by is not None:
        rest = sum(card.points for card in rules.cards) - sum(points) - sum(before)
        claimed = 0 if _unknown_before(table) else max(0, rest)
        points[table.claimed_by] += claimed
        open_points = 0
    by_team = None
    if rules.teams is not None:
        by_team = tuple(
            sum(points[seat] for seat in team) + more for team, more in zip(rules.teams, before, strict=True)
        )
    else:
        points = [own + more for own, more in zip(points, before, strict=True)]
    unread = sum(1 for trick in table.tricks for play in trick.plays if play.card is None)
    unread += sum(1 for play in table.trick if play.card is None)
    result = _result(table, counted, tuple(points), by_team, open_points)
    violations = (*table.violations, *duty_violations(table, over=result is not None))
    hands, stock = _after_draws(table)
    return GameState(
        rules=rules,
        number=table.number,
        phase=_phase(table),
        dealer=table.start.dealer if table.start.dealer in range(rules.players) else None,
        leader=table.first_seat,
        turn=table.turn,
        alcaide=table.alcaide if rules.alcaide is not None and table.title_known else None,
        trump_suit=table.trump_suit,
        trump_card=None if table.trump_lifted else table.trump_card,
        stock_left=stock,
        hand_sizes=hands,
        trick_number=table.trick_number,
        trick=on_table,
        tricks=tricks,
        points_by_seat=tuple(points),
        points_by_team=by_team,
        points_open=open_points,
        unread=unread,
        exchanges=tuple(table.exchanges),
        calls=tuple(table.calls),
        violations=tuple(sorted(violations, key=lambda v: v.trick)),
        known_held=tuple(tuple(held) for held in table.known),
        trump_taker=table.trump_taker,
        trump_final=table.trump_final,
        claimed_by=table.claimed_by,
        claimed_points=claimed,
        result=result,
        problems=tuple(table.problems),
        missed=table.start.missed or 0,
        points_before=before if table.start.points_before == before else None,
    )


def _unknown_before(table: Table) -> bool:
    """Whether tricks were played before anybody watched, and nobody has said what they brought."""
    return bool(table.start.missed) and len(table.start.points_before or ()) != len(table.rules.sides)


def _points_before(table: Table) -> tuple[int, ...]:
    """What each side had taken before anybody watched, 0 where nobody has said."""
    said = table.start.points_before
    sides = len(table.rules.sides)
    return said if said is not None and len(said) == sides else (0,) * sides


def _mark(play: Play, filled: Card | None) -> Play:
    if filled is None or play.card != filled:
        return play
    return replace(play, by_elimination=True, confidence=None)


def _settled(table: Table, trick: Trick) -> Trick:
    """A trick whose unread card can no longer matter, now that more cards were seen."""
    if trick.winner is not None or not _complete(table, trick.plays):
        return trick
    index = decided_index([play.card for play in trick.plays], table.trump_suit, table.rules.card_set - set(table.seen))
    return trick if index is None else replace(trick, winner=trick.plays[index].seat)


def _complete(table: Table, plays: Sequence[Play]) -> bool:
    seats = [play.seat for play in plays]
    return all(seats.count(seat) >= table.quota(seat) for seat in range(table.rules.players))


def _full_trick(table: Table) -> Trick | None:
    """The trick on the table once it is full: its points count already."""
    if not table.full:
        return None
    index = table.winner_index(table.trick)
    winner = None if index is None else table.trick[index].seat
    points = trick_points(play.card for play in table.trick)
    return Trick(table.trick_number, tuple(table.trick), winner, points, table.t_full)


def _after_draws(table: Table) -> tuple[tuple[int, ...], int]:
    """Hand sizes and stock, with the draws that follow a gathered trick shown as done."""
    hands = list(table.hands)
    stock = table.stock
    if table.rules.draw_timing == "after_trick":
        for seat in table.pending:
            hands[seat] += 1
        stock -= len(table.pending)
    return tuple(max(0, size) for size in hands), max(0, stock)


def _phase(table: Table) -> str:
    if table.ended or (len(table.tricks) >= table.rules.tricks and not table.trick):
        return "result"
    if table.full:
        return "trick_full"
    if table.trick:
        return "trick"
    if not table.tricks:
        return "setup" if table.trump_suit is None else "trump_shown"
    return "last_three" if len(table.tricks) >= table.rules.draw_rounds else "swept"


def _result(
    table: Table,
    counted: Sequence[Trick],
    by_seat: tuple[int, ...],
    by_team: tuple[int, ...] | None,
    open_points: int,
) -> HandResult | None:
    rules = table.rules
    points = by_team if by_team is not None else by_seat
    if len(counted) < rules.tricks and table.claimed_by is None:
        return HandResult("unfinished", None, points) if table.ended else None
    if not table.title_known:
        return HandResult("title_open", None, points)
    total = sum(card.points for card in rules.cards)
    title = table.alcaide if rules.alcaide is not None else None
    missing = total - sum(points)
    if _unknown_before(table) or (missing < 0 and table.start.points_before is not None):
        return HandResult("points_missing", None, points, missing)  # nobody has said, or more than there is
    if missing <= 0:
        return hand_result(rules, points, alcaide=title, total=None)
    outcomes = []
    for side in range(len(points)):
        given = tuple(value + (missing if index == side else 0) for index, value in enumerate(points))
        outcomes.append(hand_result(rules, given, alcaide=title, total=None))
    if len({(o.status, o.winner, o.alcaide_keeps) for o in outcomes}) == 1 and outcomes[0].status == "won":
        return replace(outcomes[0], points=points, missing_points=missing)
    return HandResult("points_missing", None, points, missing)
