"""A result in words, for the terminal: who won, the points, what was odd."""

from typing import Any

from engine.rules import Rules


def summary_text(result: dict[str, Any], rules: Rules) -> str:
    """A few lines on a result (the content of a result file)."""
    names = {seat["seat"]: seat["name"] for seat in result["seats"]}
    points = _points(result, rules, names)
    lines = [" · ".join(f"{name} {value}" for name, value in points)]
    lines.append(_verdict(result, rules, names))
    lines.append(_facts(result))
    for violation in result["violations"]:
        who = names.get(violation["seat"], "somebody")
        proof = f" ({', '.join(violation['evidence'])})" if violation.get("evidence") else ""
        kind = violation["kind"].replace("_", " ")
        lines.append(f"  trick {violation['trick']}: {who}, {kind}, {violation['certainty']}{proof}")
    return "\n".join(lines)


def side_names(rules: Rules, names: dict[int, str]) -> list[str]:
    """The name of each side of the score."""
    return [" + ".join(names.get(seat, f"seat {seat}") for seat in seats) for seats in rules.sides]


def _points(result: dict[str, Any], rules: Rules, names: dict[int, str]) -> list[tuple[str, int]]:
    by_seat = {int(seat): int(value) for seat, value in result["totals"]["by_seat"].items()}
    sides = side_names(rules, names)
    return [(side, sum(by_seat.get(seat, 0) for seat in seats)) for side, seats in zip(sides, rules.sides, strict=True)]


def _verdict(result: dict[str, Any], rules: Rules, names: dict[int, str]) -> str:
    if not result["complete"]:
        return "The game is not complete."
    winner = result["winner"]
    return "Nobody wins." if winner is None else f"{side_names(rules, names)[winner]} wins."


def _facts(result: dict[str, Any]) -> str:
    counts = [(len(result["tricks"]), "trick"), (len(result["exchanges"]), "exchange")]
    counts += [(len(result["violations"]), "violation"), (int(result.get("amendments", 0)), "amendment")]
    parts = [f"{number} {word}{'' if number == 1 else 's'}" for number, word in counts if number or word == "trick"]
    return f"trump {result['trump'] or 'unknown'} · " + " · ".join(parts)
