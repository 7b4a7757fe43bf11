"""Profiles: reads rules from TOML, the engine's own files or a user's house rules. Unknown keys are refused."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import Any, Final

from engine.cards import RANKS, Card
from engine.errors import AmbiguousError, RulesError
from engine.rules import ANY_RANK, AlcaideRule, MatchFormat, Rules, setup_problems

_FIELDS: Final = {field.name: field for field in fields(Rules)}
_KEYS: Final = ("base", "teams", *(name for name in _FIELDS if name != "team_lists"))
_BOOLS: Final = tuple(n for n, f in _FIELDS.items() if f.type is bool)
_INTS: Final = tuple(n for n, f in _FIELDS.items() if f.type is int)
_TEXTS: Final = tuple(n for n, f in _FIELDS.items() if f.type is str)


@cache
def profile_names() -> list[str]:
    """Names of the profiles that come with the engine, sorted."""
    folder = resources.files("engine") / "profiles"
    return sorted(item.name.removesuffix(".toml") for item in folder.iterdir() if item.name.endswith(".toml"))


@cache
def read_profile(name: str, players: int | None = None) -> Rules:
    """Rules of a named profile. Raises RulesError when there is none or the number of players cannot be played."""
    if name not in profile_names():
        fits = [known for known in profile_names() if name and known.startswith(name)]
        if len(fits) > 1:
            raise AmbiguousError(f"'{name}' may mean {' or '.join(fits)}: write the name in full.")
        raise RulesError(f"There is no profile '{name}': choose one of {', '.join(profile_names())}.")
    text = (resources.files("engine") / "profiles" / f"{name}.toml").read_text(encoding="utf-8")
    return rules_from_toml(text, name=name, players=players)


def rules_from_toml(text: str, *, name: str = "house", players: int | None = None) -> Rules:
    """Rules from the text of a TOML file. ``base = "arrastro"`` starts from that profile. Raises RulesError."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"The rules are not valid TOML ({error}): correct that line.") from None
    return rules_from_mapping({"name": name, **data}, players=players)


def rules_from_mapping(
    data: Mapping[str, Any], *, base: Rules | None = None, players: int | None = None, check: bool = True
) -> Rules:
    """Rules from the keys of a profile file, over ``base``. ``check`` also demands that they can be played."""
    given = dict(data)
    base_name = given.pop("base", None)
    if base_name is not None:
        base = read_profile(str(base_name))
    start = base or Rules()
    values: dict[str, Any] = {}
    for key, value in given.items():
        target = "team_lists" if key == "teams" else key
        if key not in _KEYS:
            near = get_close_matches(key, _KEYS, 1)
            meant = f"did you mean {near[0]}?" if near else "see docs/rules.md for those they have."
            raise RulesError(f"The rules have no parameter '{key}': {meant}")
        values[target] = _value(key, value)
    if isinstance(given.get("players"), Sequence):
        values["players_allowed"] = tuple(given["players"])
        values["players"] = given["players"][0]
    elif "players" in values:
        values.setdefault("players_allowed", (values["players"],))
    if "exchange_min_draw_rounds" in values:
        values.setdefault("exchange_deadline_disputed", False)  # who names a deadline has settled the dispute
    if values.get("exchange") is False and "exchange_table" not in values:
        values["exchange_table"] = ()
    rules = replace(start, **values)
    if players is not None and players != rules.players:
        rules = replace(rules, players=players)
    if check:
        demand_playable(rules)
    return rules


def rules_to_mapping(rules: Rules) -> dict[str, Any]:
    """Every parameter under its name in a TOML file, as plain JSON values that rules_from_mapping reads back."""
    data: dict[str, Any] = {}
    for name in _FIELDS:
        value = getattr(rules, name)
        match name:
            case "team_lists":
                data["teams"] = value if isinstance(value, str) else [list(team) for team in value]
            case "removed":
                data["removed"] = [str(card) for card in value]
            case "exchange_table":
                data[name] = {str(give): list(takes) for give, takes in value}
            case "figure_numbers":
                data[name] = {str(number): figure for number, figure in value}
            case "match":
                data["match"] = {f.name: getattr(value, f.name) for f in fields(value) if getattr(value, f.name)}
            case "alcaide":
                data["alcaide"] = None if value is None else {"threshold": value.threshold, "next": value.next}
            case "cards_per_turn" | "players_allowed":
                data[name] = list(value)
            case _:
                data[name] = value
    return data


def demand_playable(rules: Rules) -> None:
    """Raise RulesError with the offered cures unless the rules can be played."""
    problems = setup_problems(rules)
    if problems:
        texts = [p.text + (f": {' or '.join(p.cures)}" if p.cures else "") for p in problems]
        raise RulesError(f"These rules ({rules.name}) cannot be played: {'; '.join(texts)}.")
    if rules.players not in rules.players_allowed:
        numbers = " or ".join(map(str, rules.players_allowed))
        raise RulesError(
            f"The profile {rules.name} is for {numbers} players, not {rules.players}: choose another profile, "
            f"or write your own rules with players = {rules.players}."
        )


def _value(key: str, value: Any) -> Any:
    """One TOML value turned into the field's type, or RulesError."""
    match key:
        case "deck":
            return str(value)
        case "players":
            numbers = value if isinstance(value, list | tuple) else [value]
            if not numbers or not all(_is_int(number) for number in numbers):
                raise RulesError(f"players = {value!r} must be a number or a list of numbers, as in [2, 4].")
            return value if _is_int(value) else numbers[0]
        case "players_allowed":
            return _ints(key, value)
        case "removed":
            return tuple(Card.parse(str(item)) for item in _list(key, value))
        case "teams":
            if value in ("auto", "none"):
                return value
            return tuple(_ints(key, team) for team in _list(key, value))
        case "cards_per_turn":
            numbers = _ints(key, value)
            if not numbers or min(numbers) < 1:
                raise RulesError("cards_per_turn must list at least one number, each 1 or more.")
            return numbers
        case "figure_numbers":
            pairs = tuple((_rank(key, number), str(figure)) for number, figure in _table(key, value).items())
            if sorted(figure for _, figure in pairs) != ["caballo", "rey", "sota"]:
                raise RulesError(f'{key} must give a number to each of sota, caballo and rey, as in 10 = "sota".')
            return pairs
        case "exchange_table":
            return _exchange_table(key, _table(key, value))
        case "match":
            match_format = _record(key, _table(key, value), MatchFormat)
            for name in ("n", "limit", "stake"):
                _positive(f"{key}.{name}", getattr(match_format, name))
            return match_format
        case "alcaide":
            return None if value in (None, "none") else _alcaide(key, value)
        case "partner_show" if isinstance(value, bool):
            return "allowed" if value else "forbidden"
        case "hand_target" if value in (None, "none"):
            return None
        case "noncompliance_prior" if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        case "noncompliance_prior":
            raise RulesError(f"{key} = {value!r} must be a number between 0 and 1.")
    if key in _BOOLS and not isinstance(value, bool):
        raise RulesError(f"{key} = {value!r} must be true or false.")
    if key in (*_INTS, "hand_target") and not _is_int(value):
        raise RulesError(f"{key} = {value!r} must be a whole number.")
    if key in _TEXTS and not isinstance(value, str):
        raise RulesError(f"{key} = {value!r} must be a text.")
    if key == "name" and not value.strip():
        raise RulesError(f"{key} = {value!r} is empty: give the rules a name.")
    return value


def _ints(key: str, value: Any) -> tuple[int, ...]:
    numbers = _list(key, value)
    if not all(_is_int(number) for number in numbers):
        raise RulesError(f"{key} = {value!r} must list whole numbers.")
    return tuple(numbers)


def _rank(key: str, value: Any) -> int:
    """A rank; the keys of a TOML table are texts."""
    rank = int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 3 else value
    if not _is_int(rank) or rank not in RANKS:
        raise RulesError(f"{key} knows no rank {value!r}: write a number from 1 to 12.")
    return int(rank)


def _positive(name: str, value: Any) -> None:
    if value is not None and (not _is_int(value) or value < 1):
        raise RulesError(f"{name} = {value!r} must be a whole number, 1 or more.")


def _exchange_table(key: str, table: Mapping[str, Any]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    pairs = []
    for give, takes in table.items():
        given = _rank("exchange_table", give)
        ranks = ANY_RANK if takes == "any" else [_rank("exchange_table", rank) for rank in _list(key, takes)]
        pairs.append((given, tuple(rank for rank in ranks if rank != given)))
    return tuple(pairs)


def _alcaide(key: str, value: Any) -> AlcaideRule:
    rule: AlcaideRule = _record(key, _table(key, value), AlcaideRule)
    _positive(f"{key}.threshold", rule.threshold)
    if rule.next not in ("lot_among_rivals", "right"):
        raise RulesError(f"{key}.next = {rule.next!r} is unknown: choose lot_among_rivals or right.")
    return rule


def _record(key: str, table: Mapping[str, Any], kind: type[Any]) -> Any:
    known = {field.name for field in fields(kind)}
    unknown = set(table) - known
    if unknown:
        raise RulesError(f"{key} has no parameter '{sorted(unknown)[0]}': it knows {', '.join(sorted(known))}.")
    try:
        return kind(**table)
    except TypeError:
        raise RulesError(f"{key} must give {', '.join(sorted(known))}.") from None


def _list(key: str, value: Any) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise RulesError(f"{key} = {value!r} must be a list.")
    return value


def _table(key: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise RulesError(f"{key} = {value!r} must be a table.")
    return value


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
