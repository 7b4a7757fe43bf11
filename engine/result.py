"""The result of a hand, and of the match that the hands make."""

from collections.abc import Sequence

from engine.rules import Rules
from engine.state import HandResult, MatchScore

TOTAL = 120


def hand_result(
    rules: Rules, points: Sequence[int], *, alcaide: int | None = None, total: int | None = TOTAL
) -> HandResult:
    """Result of a hand that is over. ``points`` per side; ``total`` the points there should be (None: not checked).

    A sum that is short gives "points_missing": a card was not counted.
    """
    score = tuple(points)
    if total is not None and sum(score) != total:
        return HandResult("points_missing", None, score, total - sum(score))
    if rules.alcaide is not None and alcaide is not None:
        keeps = score[alcaide] >= rules.alcaide.threshold
        return HandResult("won", alcaide if keeps else None, score, alcaide_keeps=keeps)
    fewest = rules.objective == "fewest" or rules.hand_win == "fewest_points"
    best = min(score) if fewest else max(score)
    first = [side for side, value in enumerate(score) if value == best]
    if len(first) == len(score):
        return HandResult(rules.tie, None, score)
    if rules.hand_win in ("over", "at_least") and not fewest:
        return _by_target(rules, score, first)
    if len(first) > 1:
        return HandResult("tied_first", None, score)
    return HandResult("won", first[0], score)


def _by_target(rules: Rules, score: tuple[int, ...], first: Sequence[int]) -> HandResult:
    target = rules.hand_target or 0
    least = target if rules.hand_win == "at_least" else target + 1
    reached = [side for side in first if score[side] >= least]
    if len(reached) == 1:
        gap = rules.hand_win == "at_least" and score[reached[0]] == target == TOTAL // 2 + 1
        return HandResult("won", reached[0], score, warning="seed_literal_gap" if gap else None)
    if len(score) > 2:
        return HandResult("no_majority", None, score)
    return HandResult("no_winner_literal", None, score)


def decided(rules: Rules, points: Sequence[int], open_points: int, *, alcaide: int | None = None) -> int | None:
    """The side that nobody can deny the hand any more, with ``open_points`` still to be won; None while it is open.

    In the Alcaide's forms the Alcaide, once he has reached his threshold.
    """
    score = tuple(points)
    if rules.alcaide is not None and alcaide is not None:
        return alcaide if score[alcaide] >= rules.alcaide.threshold else None
    for side in range(len(score)):
        rivals = [other for other in range(len(score)) if other != side]
        if rules.objective == "fewest":
            sure = all(score[side] + open_points < score[other] for other in rivals)
        elif rules.hand_win in ("over", "at_least"):
            target = (rules.hand_target or 0) + (1 if rules.hand_win == "over" else 0)
            sure = score[side] >= target and all(score[other] + open_points < score[side] for other in rivals)
        else:
            sure = all(score[other] + open_points < score[side] for other in rivals)
        if sure:
            return side
    return None


def next_dealer(rules: Rules, dealer: int) -> int:
    """Who deals the next hand: the player at the dealer's right; with two players that is to alternate."""
    return (dealer + 1) % rules.players


def match_score(
    rules: Rules,
    results: Sequence[HandResult],
    *,
    last_dealer: int | None = None,
    last_alcaide: int | None = None,
) -> MatchScore:
    """Score of the match after these hands, unfinished ones left aside.

    Void hands count for nobody (S1). Drawn hands decide nothing unless ``tie_counts`` lets them use up a hand of a
    best-of (D13). Hands played after the match was decided do not change its winner.
    """
    form = rules.match
    sides = len(results[0].points) if results else len(rules.sides)
    totals, wins, stakes = [0] * sides, [0] * sides, [0] * sides
    ties = void = counted = 0
    winner: int | None = None
    status, after_hand = "running", None
    for number, result in enumerate(results, start=1):
        if result.status in ("unfinished", "points_missing", "title_open"):
            continue
        if result.status == "void":
            void += 1
        else:
            counted += 1
            totals = [a + b for a, b in zip(totals, result.points, strict=True)]
            if result.winner is not None:
                wins[result.winner] += 1
                stakes[result.winner] += form.stake or 0
            elif result.alcaide_keeps is None:
                ties += 1  # a lost title is no tie: it is the rivals' hand
        if status == "running":
            status, winner = _match_status(rules, totals, wins, ties, counted)
            after_hand = number if status != "running" else None
    dealer, dealer_open = _dealer_after(rules, results, last_dealer)
    return MatchScore(
        form.type, tuple(totals), tuple(wins), ties, void, tuple(stakes) if form.stake else (), winner, status,
        after_hand, dealer, dealer_open, _alcaide_after(rules, results, last_alcaide),
    )  # fmt: skip


def _match_status(
    rules: Rules, totals: Sequence[int], wins: Sequence[int], ties: int, counted: int
) -> tuple[str, int | None]:
    form = rules.match
    n = form.n or 1
    lead = _sole_best(wins)
    match form.type:
        case "single":
            return ("won", lead) if lead is not None else ("tied_match", None) if counted else ("running", None)
        case "first_to":
            return ("won", lead) if lead is not None and wins[lead] >= n else ("running", None)
        case "best_of":
            played = sum(wins) + (ties if rules.tie_counts else 0)
            if lead is not None and (wins[lead] > n // 2 or played >= n):
                return "won", lead
            return ("tied_match", None) if played >= n else ("running", None)
        case "points_limit":
            over = [side for side, value in enumerate(totals) if value >= (form.limit or 0)]
            best = _sole_best(totals, fewest=rules.objective == "fewest")
            return ("won", best) if over and best is not None else ("running", None)
        case "fixed_hands_sum":
            if counted < n:
                return "running", None
            best = _sole_best(totals, fewest=rules.objective == "fewest")
            return ("won", best) if best is not None else ("tied_match", None)
        case _:
            if counted < n:
                return "running", None
            return ("won", lead) if lead is not None else ("tied_match", None)


def _sole_best(values: Sequence[int], *, fewest: bool = False) -> int | None:
    best = min(values) if fewest else max(values)
    sides = [side for side, value in enumerate(values) if value == best]
    return sides[0] if len(sides) == 1 and (best > 0 or fewest) else None


def _dealer_after(rules: Rules, results: Sequence[HandResult], last: int | None) -> tuple[int | None, bool]:
    if last is None:
        return None, False
    if results and results[-1].status == "void":
        if rules.void_hand_dealer == "ask":
            return None, True
        return (last if rules.void_hand_dealer == "same" else next_dealer(rules, last)), False
    return next_dealer(rules, last), False


def _alcaide_after(rules: Rules, results: Sequence[HandResult], last: int | None) -> int | None:
    """Who holds the title next; None when the rivals draw lots for it."""
    if rules.alcaide is None or last is None:
        return None
    if not results or results[-1].alcaide_keeps is not False:
        return last
    return next_dealer(rules, last) if rules.alcaide.next == "right" else None
