"""Speed of the engine: folding a whole recorded game, and the worst inference.

Each piece of work is timed several times and its best time counts: the rest is what other programs took. A figure for
folding is the median over ten games. Each figure is also given as a ratio to a fixed piece of work measured in the same
run, so that figures of two machines (or of one machine under load) can be compared.
"""

from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter

from engine.cards import Card
from engine.fold import fold
from engine.inference import Evidence, better_than, judge, placement_odds
from engine.ledger import Ledger, LedgerEntry
from engine.random_game import random_game
from engine.rules import Rules, load_profile

GAME_MS = 10.0
INFERENCE_MS = 50.0
"""What the engine must keep below."""


def reference() -> None:
    """A fixed piece of work in plain Python."""
    total = 0
    for number in range(20_000):
        total += number * number % 7


def recorded(rules: Rules, seed: int) -> tuple[LedgerEntry, ...]:
    """The ledger of a whole game with calls and neglected duties."""
    ledger = Ledger(rules)
    for event in random_game(rules, Random(seed), fault_chance=0.5, call_chance=1.0).events(start=0.0):
        ledger.append("vision", event)
    return ledger.entries


def milliseconds(work: Callable[[], object], times: int) -> list[float]:
    """How long each of several runs took."""
    took = []
    for _ in range(times):
        start = perf_counter()
        work()
        took.append((perf_counter() - start) * 1000)
    return took


def worst_evidence(rules: Rules) -> tuple[Evidence, Card]:
    """An answer in the first trick, and every later card of the suspect: the longest walk there is."""
    rng = Random(1)
    cards = list(rules.cards)
    rng.shuffle(cards)
    own = [card for card in cards if card != Card(1, "C")][: rules.tricks]
    draws = tuple(range(1, rules.draw_rounds + 1))
    plays = tuple(zip(range(2, rules.tricks), own[1:], strict=False))
    unseen = frozenset(card for card in cards if card not in own)
    return Evidence(2, draws, plays, unseen), own[0]


def figures() -> dict[str, float]:
    """All figures: milliseconds, and ratios to the reference."""
    base = min(milliseconds(reference, 15))
    rows = {"reference_ms": base}
    for name, players in (("arrastro", 2), ("arrastro", 4), ("seis_48", 6)):
        rules = load_profile(name, players)
        games = [recorded(rules, seed) for seed in range(10)]
        times = [min(milliseconds(lambda e=entries, r=rules: fold(r, e), 5)) for entries in games]
        rows[f"fold_{name}_{players}_ms"] = median(times)
    rules = load_profile("arrastro", 2)
    evidence, played = worst_evidence(rules)
    owed = better_than(rules, played, "C")

    def infer() -> None:
        placement_odds.cache_clear()
        judge(evidence, owed)

    rows["worst_inference_ms"] = min(milliseconds(infer, 15))
    ratios = {key.replace("_ms", "_ratio"): value / base for key, value in rows.items() if key != "reference_ms"}
    return {**rows, **ratios}


def main() -> int:
    """Print the figures; 1 when one is over its limit."""
    rows = figures()
    for key, value in rows.items():
        print(f"{key:28} {value:8.3f}")
    slow = [k for k, v in rows.items() if k.startswith("fold") and k.endswith("_ms") and v > GAME_MS]
    slow += ["worst_inference_ms"] if rows["worst_inference_ms"] > INFERENCE_MS else []
    for key in slow:
        print(f"too slow: {key}")
    return 1 if slow else 0


if __name__ == "__main__":
    raise SystemExit(main())
