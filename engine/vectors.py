"""Test vectors: small questions about the rules with the expected answers, one JSON object a line.

A vector names a ``rule`` (the kind of question), a ``profile`` ("*": any), its inputs, and ``expect``. ``override``
changes parameters of the profile. Every key of ``expect`` must come out as written ("note" is free text); lists that
are sets (who must answer, what may be played, the partners of a team) compare in any order.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from engine.answers import answer_vector
from engine.errors import EngineError

_SETS: Final = frozenset({"must", "legal", "obliged", "redraw", "discard", "missing_ranks"})
_SETS_OF_SETS: Final = frozenset({"teams", "teams_by_draw"})


@dataclass(frozen=True, slots=True)
class VectorOutcome:
    """``problems`` is empty when the vector passed."""

    id: str
    rule: str
    problems: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether every expected value came out."""
        return not self.problems


def check_lines(lines: Iterable[str]) -> list[VectorOutcome]:
    """Run the vectors of a JSONL file; a line that is no JSON object counts as a failure."""
    outcomes = []
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix("\ufeff") if number == 1 else line
        if not text.strip():
            continue
        try:
            data = json.loads(text)
        except (RecursionError, ValueError) as error:
            outcomes.append(VectorOutcome(f"line {number}", "?", (f"is not JSON: {error}",)))
            continue
        if not isinstance(data, dict):
            outcomes.append(VectorOutcome(f"line {number}", "?", ("is not a JSON object",)))
            continue
        outcomes.append(check_vector({"id": f"line {number}", **data}))
    return outcomes


def check_vector(vector: Mapping[str, Any]) -> VectorOutcome:
    """Run one vector."""
    name, rule = _line(vector.get("id", "?")), _line(vector.get("rule", "?"))
    expected = vector.get("expect")
    if not isinstance(expected, Mapping) or not set(expected) - {"note"}:
        return VectorOutcome(name, rule, ("has no 'expect' object that expects anything",))
    try:
        answer = answer_vector(vector)
    except EngineError as error:
        return VectorOutcome(name, rule, (_line(error),))
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        RecursionError,
        StopIteration,
        TypeError,
        ValueError,
    ) as error:
        # A last net, so that one vector never takes the others with it; what is known is told above in a sentence.
        return VectorOutcome(name, rule, (_line(f"miswrites an input ({type(error).__name__}: {error})"),))
    problems = []
    for key, value in expected.items():
        if key == "note":
            continue
        if key not in answer:
            problems.append(f"{key}: expected {json.dumps(value)}, but the engine has no answer of that name")
        elif not _same(key, value, answer[key]):
            problems.append(f"{key}: expected {json.dumps(value)}, got {json.dumps(answer[key])}")
    return VectorOutcome(name, rule, tuple(problems))


def _line(value: object) -> str:
    """Any text on one line: a failure is told on one."""
    return " ".join(str(value).split())[:300]


def _same(key: str, expected: Any, got: Any) -> bool:
    if isinstance(expected, list) and isinstance(got, list):
        if key in _SETS_OF_SETS and all(isinstance(item, list) for item in (*expected, *got)):
            return len(expected) == len(got) and all(map(_same_set, expected, got))
        if key in _SETS:
            return sorted(map(str, expected)) == sorted(map(str, got))
        return len(expected) == len(got) and all(_same("", a, b) for a, b in zip(expected, got, strict=True))
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        return all(name in got and _same(name, value, got[name]) for name, value in expected.items())
    if isinstance(expected, bool) or isinstance(got, bool):
        return expected is got
    if isinstance(expected, str) and isinstance(got, str) and expected != got:
        return key in ("p", "p_post") and _same_fraction(expected, got)
    return bool(expected == got)


def _same_set(expected: list[Any], got: list[Any]) -> bool:
    return sorted(map(str, expected)) == sorted(map(str, got))


def _same_fraction(expected: str, got: str) -> bool:
    try:
        return Fraction(expected) == Fraction(got)
    except (ValueError, ZeroDivisionError):
        return False
