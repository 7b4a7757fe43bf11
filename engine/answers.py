"""The engine's answers to the questions of test vectors, one function for each kind."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from engine.cards import (
    ENGLISH_DISCARD,
    ENGLISH_RANKS,
    ENGLISH_SUITS,
    FIGURES,
    FIGURES_IN_S0,
    STRENGTH_ORDER,
    SUITS,
    Card,
)
from engine.deck import draw_for_dealer, missing_ranks, total_points
from engine.errors import ParseError
from engine.exchange import ExchangeQuestion, judge_exchange
from engine.inference import (
    Evidence,
    Verdict,
    best_answers,
    better_than,
    judge,
    may_follow,
    must_follow,
    of_suit,
    suspicion,
)
from engine.observation import observe, seats_of_trick
from engine.profile import read_profile, rules_from_mapping
from engine.question import Question
from engine.result import decided, hand_result, match_score, next_dealer
from engine.rules import Rules, setup_problems
from engine.trick import trick_points, winning_index

Answer = dict[str, Any]

PRESENT: Final = ("trump_rank_visible", "exchange", "teams")
"""Parameters of the rules that a vector may set beside ``override``."""


def answer_vector(vector: Mapping[str, Any]) -> Answer:
    """The engine's answer to a vector's question. Raises EngineError when it is not understood."""
    q = Question(vector)
    handler = _HANDLERS.get(str(vector.get("rule")))
    if handler is None:
        raise ParseError(f"'{vector.get('rule')}' is no kind of vector: use one of {', '.join(_HANDLERS)}.")
    return handler(rules_of(q), q)


def rules_of(q: Question) -> Rules:
    """The rules that a vector asks about; they need not make a playable table."""
    profile = q.value("profile")
    if not isinstance(profile, str):
        raise ParseError(f"profile = {profile!r} must be the name of a profile, or '*' for any")
    rules = Rules(name="any", players=2) if profile == "*" else read_profile(profile)
    changes = {**q.table("override"), **{key: q.value(key) for key in PRESENT if q.has(key)}}
    if q.has("deck"):
        changes.update(_deck_change(rules, q.value("deck")))
    if changes:
        table = {"exchange_table": {str(k): list(v) for k, v in rules.exchange_table}} if "exchange" in changes else {}
        rules = rules_from_mapping({**table, **changes}, base=rules, check=False)
    return replace(rules, players=q.whole("players")) if q.has("players") else rules


def _deck_change(rules: Rules, deck: Any) -> dict[str, Any]:
    """Parameters for a deck told by its number of cards, or "english"."""
    if deck in ("english", "english40"):
        return {"deck": "english40"}
    whole: dict[Any, dict[str, Any]] = {
        40: {"deck": "40", "removed": []},
        48: {"deck": "48", "removed": []},
        39: {"deck": "40", "removed": ["2B"]},
        36: {"deck": "40", "removed": [f"2{suit}" for suit in SUITS]},
    }
    if isinstance(deck, bool) or not isinstance(deck, int) or deck not in whole:
        raise ParseError(f"deck = {deck!r} is none: use 36, 39, 40, 48 or english")
    return {} if len(rules.cards) == deck else whole[deck]


def _texts(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def _seat(rules: Rules, q: Question, key: str, default: int | None = None) -> int:
    seat = q.whole(key, default)
    if seat >= rules.players:
        raise ParseError(f"{key} = {seat} is no seat at a table of {rules.players}")
    return seat


def _trick_winner(rules: Rules, q: Question) -> Answer:
    cards = q.cards("cards")
    if not q.has("players") and rules.cards_per_turn == (1,) and 2 <= len(cards) <= 6:
        rules = replace(rules, players=len(cards))
    seats = seats_of_trick(rules, _seat(rules, q, "lead"), _seat(rules, q, "alcaide", 0))
    if len(seats) != len(cards):
        raise ParseError(f"{len(cards)} cards are no trick of {rules.players} players")
    return {"winner": seats[winning_index(cards, q.suit("trump"))], "points": trick_points(cards)}


def _points(rules: Rules, q: Question) -> Answer:
    return {"points": trick_points(q.cards("cards"))}


def _deck(rules: Rules, q: Question) -> Answer:
    return {
        "cards": len(rules.cards),
        "points": total_points(rules),
        "missing_ranks": list(missing_ranks(rules)),
        "removed": _texts(rules.removed),
    }


def _rank_order(rules: Rules, q: Question) -> Answer:
    ranks = {card.rank for card in rules.cards}
    order = [rank for rank in STRENGTH_ORDER if rank in ranks]
    return {"high_to_low": order, "low_to_high": order[::-1]}


def _english_map(rules: Rules, q: Question) -> Answer:
    plain = {str(rank): rank for rank in range(2, 8)}
    return {**ENGLISH_RANKS, **plain, "discard": list(ENGLISH_DISCARD), "cards": len(rules.cards)}


def _english_suits(rules: Rules, q: Question) -> Answer:
    return dict(ENGLISH_SUITS)


def _figure_numbers(rules: Rules, q: Question) -> Answer:
    literal = FIGURES_IN_S0 if rules.name == "arrastro" else FIGURES
    engine = dict(rules.figure_numbers)
    return {
        "seed_literal": {str(number): figure for number, figure in literal.items()},
        "engine": {str(number): figure for number, figure in engine.items()},
        "conflict": literal != engine,
    }


def _schedule(rules: Rules, q: Question) -> Answer:
    return {
        "tricks": rules.tricks,
        "hand_sizes": [rules.full_hand(seat) for seat in range(rules.players)],
        "draw_rounds": rules.draw_rounds,
        "facedown_stock": rules.stock_start - 1,
        "last_draw_after_trick": rules.draw_rounds,
        "leftover": len(rules.cards) % rules.plays_per_trick,
    }


def _setup_valid(rules: Rules, q: Question) -> Answer:
    problems = setup_problems(rules)
    if not problems:
        return {"valid": True, "reason": None, "leftover": 0, "cures": []}
    first = problems[0]
    return {"valid": False, "reason": first.reason, "leftover": first.leftover, "cures": list(first.cures)}


def _turn_order(rules: Rules, q: Question) -> Answer:
    known = q.has("last_winner")
    leader = _seat(rules, q, "last_winner") if known else (_seat(rules, q, "dealer") + 1) % rules.players
    return {"order": list(rules.seats_from(leader)), "leader": leader}


def _next_dealer(rules: Rules, q: Question) -> Answer:
    return {"dealer": next_dealer(rules, _seat(rules, q, "dealer"))}


def _partners(rules: Rules, q: Question) -> Answer:
    return {"teams": None if rules.teams is None else [list(team) for team in rules.teams]}


def _first_dealer(rules: Rules, q: Question) -> Answer:
    outcome = draw_for_dealer(q.draws("draws"))
    return {
        "dealer": outcome.dealer,
        "teams_by_draw": None if outcome.teams is None else [list(team) for team in outcome.teams],
        "right_of_dealer": outcome.right_of_dealer,
        "redraw": list(outcome.redraw),
    }


def _draw_order(rules: Rules, q: Question) -> Answer:
    trick, winner = q.whole("trick", least=1), _seat(rules, q, "winner")
    order = [] if trick > rules.draw_rounds else list(rules.seats_from(winner))
    return {"order": order, "trump_card_to": order[-1] if trick == rules.draw_rounds else None}


def _draw_timing(rules: Rules, q: Question) -> Answer:
    before = rules.draw_timing == "before_own_play"
    return {
        "draw_before_own_play_from_trick": 2 if before else None,
        "draw_after_trick": not before,
        "same_hand_sizes": True,
    }


def _hand_size(rules: Rules, q: Question) -> Answer:
    sizes = {str(trick): min(rules.hand_size, rules.tricks - trick + 1) for trick in range(1, rules.tricks + 1)}
    return {"before_tricks": sizes}


def _exchange(rules: Rules, q: Question) -> Answer:
    by, after = q.word("by", ("trick_winner", "trick_loser", "has_won_a_trick", "anyone")), q.whole("after_trick")
    won: bool | None = True if by in ("trick_winner", "has_won_a_trick") else None
    if by == "trick_loser" and after == 1:
        won = False  # there was no other trick to win
    verdict = judge_exchange(
        rules,
        ExchangeQuestion(
            trump_card=q.card("trump_card"),
            given=q.card("give"),
            after_trick=after,
            is_trick_winner=None if by == "anyone" else by == "trick_winner",
            has_won_a_trick=won,
            drawn=q.flag("drawn", False),
            own_cards_played=q.whole("own_cards_played", 0),
            seen=q.cards("seen", ()),
        ),
    )
    return {
        "allowed": verdict.allowed,
        "reason": verdict.reason,
        "trump_card_after": None if verdict.trump_card_after is None else str(verdict.trump_card_after),
        "warning": verdict.warning,
        "disputed": verdict.disputed,
    }


def _hand_result(rules: Rules, q: Question) -> Answer:
    points, alcaide = _points_per_side(q.wholes("points")), _title(q)
    result = hand_result(rules, points, alcaide=alcaide)
    winner: int | str | None = result.winner
    if result.alcaide_keeps is not None:
        winner = "alcaide" if result.alcaide_keeps else "rivals"
    return {
        "winner": winner,
        "status": result.status,
        "warning": result.warning,
        "missing_points": result.missing_points,
        "alcaide_keeps": result.alcaide_keeps,
        "next_alcaide": _next_title(rules, alcaide, result.alcaide_keeps),
        "teams": rules.teams is not None,
    }


def _points_per_side(points: list[int]) -> list[int]:
    if len(points) < 2:
        raise ParseError("points must be given for two sides or more")
    return points


def _title(q: Question, points: list[int] | None = None) -> int | None:
    """The seat of the Alcaide, None where there is none."""
    sides = len(points if points is not None else q.items("points"))
    title = q.whole("alcaide") if q.has("alcaide") else None
    if title is not None and title >= sides:
        raise ParseError(f"alcaide = {title} is none of {sides} sides")
    return title


def _next_title(rules: Rules, alcaide: int | None, keeps: bool | None) -> int | str | None:
    if rules.alcaide is None or alcaide is None or keeps is None:
        return None
    if keeps:
        return alcaide
    return next_dealer(rules, alcaide) if rules.alcaide.next == "right" else rules.alcaide.next


def _early_end(rules: Rules, q: Question) -> Answer:
    points = _points_per_side(q.wholes("points"))
    winner = decided(rules, points, max(0, total_points(rules) - sum(points)), alcaide=_title(q, points))
    return {"decided": winner is not None, "winner": winner, "stop_allowed": not rules.play_out}


def _match_result(rules: Rules, q: Question) -> Answer:
    form = dict(q.table("format"))
    if "tie_counts" in form:
        rules = rules_from_mapping({"tie_counts": form.pop("tie_counts")}, base=rules, check=False)
    if form:
        rules = rules_from_mapping({"match": form}, base=rules, check=False)
    hands = [_points_per_side(Question({"hands": hand}).wholes("hands")) for hand in q.items("hands")]
    if len({len(hand) for hand in hands}) > 1:
        raise ParseError("hands must all have the same number of sides")
    results = [hand_result(rules, hand, alcaide=_title(q, hand), total=None) for hand in hands]
    score = match_score(rules, results)
    return {
        "totals": list(score.totals),
        "wins": list(score.wins),
        "ties": score.ties,
        "void": score.void,
        "stakes": list(score.stakes),
        "winner": score.winner,
        "status": score.status,
        "after_hand": score.after_hand,
    }


def _arrastre_response(rules: Rules, q: Question) -> Answer:
    must = best_answers(rules, q.cards("hand"), q.suit("trump"))
    return {"ok": q.card("played") in must, "must": _texts(must)}


def _arrastre_call(rules: Rules, q: Question) -> Answer:
    seat, position, called = _seat(rules, q, "seat"), _seat(rules, q, "position"), q.flag("called")
    ace = q.card("card") == Card(1, q.suit("trump"))
    if called and not (rules.arrastre and ace):
        return {"obliged": [], "invalid": "not_ace_of_trumps" if rules.arrastre else "no_arrastre"}
    if not called and (rules.arrastre_call_required or not ace or not rules.arrastre):
        return {"obliged": [], "invalid": None}
    others = rules.seats_from(seat)[1:]
    left = others if rules.arrastre_obliged == "all" else others[: rules.players - 1 - position]
    return {"obliged": list(left), "invalid": None}


def _inference_steps(q: Question, verdict_of: Callable[[Evidence], Verdict]) -> Answer:
    steps = []
    for step in q.rows("steps"):
        evidence = Evidence(
            held=step.whole("held"),
            draws=tuple(step.wholes("unknown_draws")) if step.has("unknown_draws") else (),
            plays=step.plays("plays"),
            unseen=frozenset(step.cards("unseen")),
            known_held=step.cards("known_held", ()),
        )
        places = evidence.held + len(evidence.draws)
        if len(evidence.plays) > places:
            raise ParseError(f"a step shows {len(evidence.plays)} cards out of {places} places")
        if places - len(evidence.plays) > len(evidence.unseen):
            raise ParseError("a step has fewer unseen cards than places that they must fill")
        verdict = verdict_of(evidence)
        p = f"{verdict.p.numerator}/{verdict.p.denominator}"
        steps.append({"label": step.value("label") if step.has("label") else None, "status": verdict.status, "p": p})
    return {"steps": steps}


def _arrastre_inference(rules: Rules, q: Question) -> Answer:
    owed = better_than(rules, q.card("played"), q.suit("trump"))
    return _inference_steps(q, lambda evidence: judge(evidence, owed))


def _follow_inference(rules: Rules, q: Question) -> Answer:
    led = q.suit("led")
    if not must_follow(rules, q.whole("trick", least=1)) or q.card("played").suit == led:
        return _inference_steps(q, lambda evidence: Verdict("ok", Fraction(0)))
    return _inference_steps(q, lambda evidence: judge(evidence, of_suit(led)))


def _suspicion(rules: Rules, q: Question) -> Answer:
    prior = q.fraction("noncompliance_prior", Fraction(str(rules.noncompliance_prior)))
    value = suspicion(q.fraction("p"), prior)
    return {"p_post": f"{value.numerator}/{value.denominator}"}


def _follow_suit(rules: Rules, q: Question) -> Answer:
    hand = q.cards("hand")
    obliged = must_follow(rules, q.whole("trick", least=1))
    legal = may_follow(hand, q.suit("led")) if obliged else hand
    return {"obliged": obliged, "ok": q.card("played") in legal, "legal": _texts(legal)}


_HANDLERS: Final[dict[str, Callable[[Rules, Question], Answer]]] = {
    "trick_winner": _trick_winner,
    "points": _points,
    "deck": _deck,
    "rank_order": _rank_order,
    "english_map": _english_map,
    "english_suits": _english_suits,
    "figure_numbers": _figure_numbers,
    "schedule": _schedule,
    "setup_valid": _setup_valid,
    "turn_order": _turn_order,
    "next_dealer": _next_dealer,
    "partners": _partners,
    "first_dealer": _first_dealer,
    "draw_order": _draw_order,
    "draw_timing": _draw_timing,
    "hand_size": _hand_size,
    "exchange": _exchange,
    "hand_result": _hand_result,
    "early_end": _early_end,
    "match_result": _match_result,
    "arrastre_response": _arrastre_response,
    "arrastre_call": _arrastre_call,
    "arrastre_inference": _arrastre_inference,
    "follow_inference": _follow_inference,
    "suspicion": _suspicion,
    "follow_suit": _follow_suit,
    "observe": observe,
}
