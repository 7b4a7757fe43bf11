"""The points of the rules that tables argue about, as few plain choices over a profile.

A profile has them all; a table may decide some of them otherwise. Which parameter of the engine each one stands for is
told in docs/rules.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, get_args

from engine.profile import demand_playable, rules_to_mapping
from engine.rules import MatchFormat, Rules, load_profile, setup_problems

Exchange = Literal["none", "before_last", "to_the_last"]
Tie = Literal["draw", "void"]
Match = Literal["single", "first_2", "first_3", "first_5", "first_8", "best_3", "sum_5", "limit_150", "own"]

MATCHES: Final[dict[str, MatchFormat]] = {
    "single": MatchFormat("single"),
    "first_2": MatchFormat("first_to", n=2),
    "first_3": MatchFormat("first_to", n=3),
    "first_5": MatchFormat("first_to", n=5),
    "first_8": MatchFormat("first_to", n=8),
    "best_3": MatchFormat("best_of", n=3),
    "sum_5": MatchFormat("fixed_hands_sum", n=5),
    "limit_150": MatchFormat("points_limit", limit=150),
}
"""The usual matches. ``own`` means one that only the profile has, such as a stake for each hand."""

_ROUNDS: Final = {"before_last": 2, "to_the_last": 1}


@dataclass(frozen=True, slots=True)
class Terms:
    """What a table has agreed on.

    ``exchange``: the 7 (and the 2) may be changed for the face-up card never, as long as one more draw follows, or up
    to the last draw. ``tie``: 60-60 is recorded as a draw, or void as if never played. ``match`` see :data:`MATCHES`.
    """

    arrastre: bool
    exchange: Exchange
    tie: Tie
    match: Match

    def as_json(self) -> dict[str, Any]:
        """The terms as plain JSON values."""
        return {"arrastre": self.arrastre, "exchange": self.exchange, "tie": self.tie, "match": self.match}


def terms_of(rules: Rules) -> Terms:
    """The terms that rules hold."""
    exchange: Exchange = "none"
    if rules.exchange:
        exchange = "before_last" if rules.exchange_min_draw_rounds >= _ROUNDS["before_last"] else "to_the_last"
    known = next((name for name, match in MATCHES.items() if match == rules.match), "own")
    tie = next(one for one in get_args(Tie) if one == rules.tie)
    return Terms(rules.arrastre, exchange, tie, next(one for one in get_args(Match) if one == known))


def rules_on_terms(profile: str, players: int, wanted: Mapping[str, Any]) -> Rules:
    """The rules of a profile with those terms of ``wanted`` (names as in :class:`Terms`) that differ from its own.

    What agrees with the profile stays exactly as the profile has it. Raises :class:`~engine.errors.RulesError` for an
    unknown profile, a number of players it is not for, or terms that cannot be played together.
    """
    rules = load_profile(profile, players)
    own = terms_of(rules).as_json()
    asked = {name: value for name, value in wanted.items() if value is not None and value != own[name]}
    changes: dict[str, Any] = {name: asked[name] for name in ("arrastre", "tie") if name in asked}
    if "match" in asked and asked["match"] in MATCHES:
        match = MATCHES[asked["match"]]
        changes["match"] = {"type": match.type, **({"n": match.n} if match.n else {})}
        if match.limit:
            changes["match"]["limit"] = match.limit
    if asked.get("exchange") == "none":
        changes["exchange"] = False
    elif "exchange" in asked:
        # The table has decided what its source leaves open.
        changes |= {"exchange": True, "exchange_deadline_disputed": False}
        changes["exchange_min_draw_rounds"] = _ROUNDS[asked["exchange"]]
        if not rules.exchange_table:
            changes["exchange_table"] = rules_to_mapping(load_profile("arrastro"))["exchange_table"]
    if not changes:
        return rules
    changed = rules.changed(**changes)
    demand_playable(changed)
    return changed


def playable_numbers(rules: Rules) -> list[int]:
    """Numbers of players for which the deck of these rules can be dealt evenly."""
    return sorted(n for n in rules.players_allowed if not setup_problems(replace(rules, players=n)))
