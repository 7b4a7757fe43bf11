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
from engine.observation import observe
from engine.profile import read_profile, rules_from_mapping
from engine.result import decided, hand_result, match_score, next_dealer
from engine.rules import Rules, setup_problems
from engine.trick import trick_points, winning_index

Vector = Mapping[str, Any]
Answer = dict[str, Any]


def answer_vector(vector: Vector) -> Answer:
    """The engine's answer to a vector's question. Raises EngineError when it is not understood."""
    handler = _HANDLERS.get(str(vector.get("rule")))
    if handler is None:
        raise ParseError(f"'{vector.get('rule')}' is no kind of vector: use one of {', '.join(_HANDLERS)}.")
    return handler(rules_of(vector), vector)


def rules_of(vector: Vector) -> Rules:
    """The rules that a vector asks about; they need not make a playable table."""
    profile = str(vector.get("profile", "*"))
    rules = Rules(name="any", players=2) if profile == "*" else read_profile(profile)
    changes = dict(vector.get("override") or {})
    for key in ("trump_rank_visible", "exchange", "teams", "cards_per_turn"):
        if key in vector and not (key == "exchange" and not isinstance(vector[key], bool)):
            changes[key] = vector[key]
    if vector.get("deck") is not None:
        changes.update(_deck_change(rules, vector["deck"]))
    if changes:
        table = {"exchange_table": {str(k): list(v) for k, v in rules.exchange_table}} if "exchange" in changes else {}
        rules = rules_from_mapping({**table, **changes}, base=rules, check=False)
    if vector.get("players") is not None:
        rules = replace(rules, players=int(vector["players"]))
    elif rules.cards_per_turn == (1,) and ("lead" in vector or "swept_by" in vector):
        cards = vector.get("cards")
        if isinstance(cards, list) and 2 <= len(cards) <= 6:
            rules = replace(rules, players=len(cards))
    return rules


def _deck_change(rules: Rules, deck: int | str) -> dict[str, Any]:
    if isinstance(deck, str) and not deck.isdigit():
        return {"deck": "english40"} if deck.startswith("english") else {"deck": deck}
    number = int(deck)
    if number in (40, 48):
        return {} if len(rules.cards) == number else {"deck": str(number), "removed": []}
    if len(rules.cards) == number:
        return {}
    for base in ("40", "48"):
        whole = replace(rules, deck=base, removed=())
        lacking = len(whole.cards) - number
        if 0 < lacking <= 4:
            return {"deck": base, "removed": [f"2{suit}" for suit in "BECO"[:lacking]]}
    raise ParseError(f"There is no deck of {number} cards: use 36, 39, 40 or 48.")


def _cards(texts: Iterable[str]) -> list[Card]:
    return [Card.parse(text) for text in texts]


def _texts(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def _trick_winner(rules: Rules, v: Vector) -> Answer:
    cards = _cards(v["cards"])
    seats = v.get("seats") or _seats_of_trick(rules, int(v.get("lead") or 0), int(v.get("alcaide") or 0))
    if len(seats) != len(cards):
        raise ParseError(f"{len(cards)} cards are no trick of {rules.players} players: give players.")
    return {"winner": seats[winning_index(cards, v["trump"])], "points": trick_points(cards)}


def _seats_of_trick(rules: Rules, lead: int, alcaide: int) -> list[int]:
    return [seat for seat in rules.seats_from(lead) for _ in range(rules.quota(seat, alcaide))]


def _points(rules: Rules, v: Vector) -> Answer:
    return {"points": trick_points(_cards(v["cards"]))}


def _deck(rules: Rules, v: Vector) -> Answer:
    return {
        "cards": len(rules.cards),
        "points": total_points(rules),
        "missing_ranks": list(missing_ranks(rules)),
        "removed": _texts(rules.removed),
    }


def _rank_order(rules: Rules, v: Vector) -> Answer:
    ranks = {card.rank for card in rules.cards}
    order = [rank for rank in STRENGTH_ORDER if rank in ranks]
    return {"high_to_low": order, "low_to_high": order[::-1]}


def _english_map(rules: Rules, v: Vector) -> Answer:
    plain = {str(rank): rank for rank in range(2, 8)}
    return {**ENGLISH_RANKS, **plain, "discard": list(ENGLISH_DISCARD), "cards": len(rules.cards)}


def _english_suits(rules: Rules, v: Vector) -> Answer:
    return dict(ENGLISH_SUITS)


def _figure_numbers(rules: Rules, v: Vector) -> Answer:
    literal = FIGURES_IN_S0 if rules.name == "arrastro" else FIGURES
    engine = dict(rules.figure_numbers)
    return {
        "seed_literal": {str(number): figure for number, figure in literal.items()},
        "engine": {str(number): figure for number, figure in engine.items()},
        "conflict": literal != engine,
    }


def _schedule(rules: Rules, v: Vector) -> Answer:
    return {
        "tricks": rules.tricks,
        "hand_sizes": [rules.full_hand(seat) for seat in range(rules.players)],
        "draw_rounds": rules.draw_rounds,
        "facedown_stock": rules.stock_start - 1,
        "last_draw_after_trick": rules.draw_rounds,
        "leftover": len(rules.cards) % rules.plays_per_trick,
    }


def _setup_valid(rules: Rules, v: Vector) -> Answer:
    problems = setup_problems(rules)
    if not problems:
        return {"valid": True, "reason": None, "leftover": 0, "cures": []}
    first = problems[0]
    return {"valid": False, "reason": first.reason, "leftover": first.leftover, "cures": list(first.cures)}


def _turn_order(rules: Rules, v: Vector) -> Answer:
    leader = v["last_winner"] if v.get("last_winner") is not None else (v["dealer"] + 1) % rules.players
    return {"order": list(rules.seats_from(leader)), "leader": leader}


def _next_dealer(rules: Rules, v: Vector) -> Answer:
    return {"dealer": next_dealer(rules, v["dealer"])}


def _partners(rules: Rules, v: Vector) -> Answer:
    return {"teams": None if rules.teams is None else [list(team) for team in rules.teams]}


def _first_dealer(rules: Rules, v: Vector) -> Answer:
    outcome = draw_for_dealer({int(seat): Card.parse(text) for seat, text in v["draws"].items()})
    return {
        "dealer": outcome.dealer,
        "teams_by_draw": None if outcome.teams is None else [list(team) for team in outcome.teams],
        "right_of_dealer": outcome.right_of_dealer,
        "redraw": list(outcome.redraw),
    }


def _draw_order(rules: Rules, v: Vector) -> Answer:
    trick, winner = int(v["trick"]), int(v["winner"])
    order = [] if trick > rules.draw_rounds else list(rules.seats_from(winner))
    return {"order": order, "trump_card_to": order[-1] if trick == rules.draw_rounds else None}


def _draw_timing(rules: Rules, v: Vector) -> Answer:
    before = rules.draw_timing == "before_own_play"
    return {
        "draw_before_own_play_from_trick": 2 if before else None,
        "draw_after_trick": not before,
        "same_hand_sizes": True,
    }


def _hand_size(rules: Rules, v: Vector) -> Answer:
    sizes = {str(trick): min(rules.hand_size, rules.tricks - trick + 1) for trick in range(1, rules.tricks + 1)}
    return {"before_tricks": sizes}


def _exchange(rules: Rules, v: Vector) -> Answer:
    by = str(v.get("by", "trick_winner"))
    verdict = judge_exchange(
        rules,
        ExchangeQuestion(
            trump_card=None if v.get("trump_card") is None else Card.parse(v["trump_card"]),
            given=None if v.get("give") is None else Card.parse(v["give"]),
            after_trick=int(v.get("after_trick", 0)),
            is_trick_winner=True if by == "trick_winner" else None if by == "anyone" else False,
            has_won_a_trick=None if by in ("anyone", "trick_loser") else by != "never_won",
            drawn=bool(v.get("drawn", False)),
            own_cards_played=int(v.get("own_cards_played", 0)),
            seen=_cards(v.get("seen", ())),
            swapped=_cards(v.get("swapped", ())),
        ),
    )
    return {
        "allowed": verdict.allowed,
        "reason": verdict.reason,
        "trump_card_after": None if verdict.trump_card_after is None else str(verdict.trump_card_after),
        "warning": verdict.warning,
        "disputed": verdict.disputed,
    }


def _hand_result(rules: Rules, v: Vector) -> Answer:
    points = [int(value) for value in v["points"]]
    alcaide = v.get("alcaide")
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


def _next_title(rules: Rules, alcaide: int | None, keeps: bool | None) -> int | str | None:
    if rules.alcaide is None or alcaide is None or keeps is None:
        return None
    if keeps:
        return alcaide
    return next_dealer(rules, alcaide) if rules.alcaide.next == "right" else rules.alcaide.next


def _early_end(rules: Rules, v: Vector) -> Answer:
    points = [int(value) for value in v["points"]]
    winner = decided(rules, points, 120 - sum(points), alcaide=v.get("alcaide"))
    return {"decided": winner is not None, "winner": winner, "stop_allowed": not rules.play_out}


def _match_result(rules: Rules, v: Vector) -> Answer:
    form = dict(v.get("format") or {})
    if "tie_counts" in form:
        rules = replace(rules, tie_counts=bool(form.pop("tie_counts")))
    if form:
        rules = rules_from_mapping({"match": form}, base=rules, check=False)
    results = [hand_result(rules, points, alcaide=v.get("alcaide"), total=None) for points in v["hands"]]
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


def _arrastre_response(rules: Rules, v: Vector) -> Answer:
    must = best_answers(rules, _cards(v["hand"]), v["trump"])
    return {"ok": Card.parse(v["played"]) in must, "must": _texts(must)}


def _arrastre_call(rules: Rules, v: Vector) -> Answer:
    card, seat, position = Card.parse(v["card"]), int(v["seat"]), int(v.get("position", 0))
    called = bool(v.get("called", True))
    ace = card == Card(1, v["trump"])
    if called and not (rules.arrastre and ace):
        return {"obliged": [], "invalid": "not_ace_of_trumps" if rules.arrastre else "no_arrastre"}
    if not called and (rules.arrastre_call_required or not ace or not rules.arrastre):
        return {"obliged": [], "invalid": None}
    others = rules.seats_from(seat)[1:]
    left = others if rules.arrastre_obliged == "all" else others[: rules.players - 1 - position]
    return {"obliged": list(left), "invalid": None}


def _inference_steps(v: Vector, verdict_of: Callable[[Evidence], Verdict]) -> Answer:
    steps = []
    for step in v["steps"]:
        evidence = Evidence(
            held=int(step["held"]),
            draws=tuple(step.get("unknown_draws", ())),
            plays=tuple((int(trick), Card.parse(text)) for trick, text in step.get("plays", ())),
            unseen=frozenset(_cards(step["unseen"])),
            known_held=tuple(_cards(step.get("known_held", ()))),
        )
        verdict = verdict_of(evidence)
        p = f"{verdict.p.numerator}/{verdict.p.denominator}"
        steps.append({"label": step.get("label"), "status": verdict.status, "p": p})
    return {"steps": steps}


def _arrastre_inference(rules: Rules, v: Vector) -> Answer:
    owed = better_than(rules, Card.parse(v["played"]), v["trump"])
    return _inference_steps(v, lambda evidence: judge(evidence, owed))


def _follow_inference(rules: Rules, v: Vector) -> Answer:
    if not must_follow(rules, int(v["trick"])) or Card.parse(v["played"]).suit == v["led"]:
        return _inference_steps(v, lambda evidence: Verdict("ok", Fraction(0)))
    return _inference_steps(v, lambda evidence: judge(evidence, of_suit(v["led"])))


def _suspicion(rules: Rules, v: Vector) -> Answer:
    prior = v.get("noncompliance_prior", str(rules.noncompliance_prior))
    value = suspicion(Fraction(v["p"]), Fraction(str(prior)))
    return {"p_post": f"{value.numerator}/{value.denominator}"}


def _follow_suit(rules: Rules, v: Vector) -> Answer:
    hand = _cards(v["hand"])
    obliged = must_follow(rules, int(v["trick"]))
    legal = may_follow(hand, v["led"]) if obliged else tuple(hand)
    return {"obliged": obliged, "ok": Card.parse(v["played"]) in legal, "legal": _texts(legal)}


_HANDLERS: Final[dict[str, Callable[[Rules, Vector], Answer]]] = {
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
