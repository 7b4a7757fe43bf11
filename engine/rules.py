"""The rules of one table as data: every parameter that the sources disagree on, and what follows from them.

A profile is a TOML file in ``engine/profiles``; a house rule is a user's own TOML with the same keys. Seeds S0-S4 and
decisions D1-D24 are named in docs/rules.md.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

from engine.cards import ALL_CARDS, RANKS, Card
from engine.errors import RulesError

DeckName = Literal["40", "48", "english40"]

ANY_RANK: Final = RANKS
"""What "any" in an exchange table stands for."""


@dataclass(frozen=True, slots=True)
class MatchFormat:
    """How hands make a match.

    ``type``: single, first_to (n hands won), best_of (n hands), fixed_hands_sum (points of n hands), points_limit
    (``limit`` points), fixed_hands_stake (n hands, ``stake`` each).
    """

    type: str = "single"
    n: int | None = None
    limit: int | None = None
    stake: int | None = None


@dataclass(frozen=True, slots=True)
class AlcaideRule:
    """Three players, one against two: he keeps the title with ``threshold`` points.

    ``next``: lot_among_rivals (S4) or right (the player at his right, gamerules.com).
    """

    threshold: int
    next: str


@dataclass(frozen=True)
class Rules:
    """Parameters in docs/rules.md. Build them with :func:`load_profile`; change them with :meth:`changed`.

    The constructor checks each value alone; :func:`setup_problems` checks that the whole can be played.
    """

    name: str = "house"
    title: str = ""
    players: int = 4
    players_allowed: tuple[int, ...] = (2, 4)
    deck: str = "40"
    removed: tuple[Card, ...] = ()
    figure_numbers: tuple[tuple[int, str], ...] = ((10, "sota"), (11, "caballo"), (12, "rey"))
    team_lists: tuple[tuple[int, ...], ...] | str = "auto"
    hand_size: int = 3
    cards_per_turn: tuple[int, ...] = (1,)
    direction: str = "ccw"
    deal_mode: str = "any"
    cut_min: int = 0
    first_dealer: str = "lot"
    pairing_by_draw: bool = False
    next_dealer: str = "right"
    trump_placement: str = "under_half"
    trump_rank_visible: bool = True
    draw_timing: str = "after_trick"
    follow: str = "never"
    exchange: bool = False
    exchange_table: tuple[tuple[int, tuple[int, ...]], ...] = ()
    exchange_who: str = "trick_winner"
    exchange_when: str = "before_draw"
    exchange_min_draw_rounds: int = 1
    exchange_deadline_disputed: bool = False
    exchange_pointless: bool = False
    arrastre: bool = False
    arrastre_call_required: bool = True
    arrastre_obliged: str = "yet_to_play"
    arrastre_best: str = "trumps_first"
    partner_show: str = "forbidden"
    signals: bool = True
    objective: str = "most"
    hand_win: str = "most_points"
    hand_target: int | None = None
    tie: str = "draw"
    void_hand_dealer: str = "ask"
    tie_counts: bool = False
    play_out: bool = True
    match: MatchFormat = MatchFormat()
    blind: bool = False
    alcaide: AlcaideRule | None = None
    misdraw: str = "ask"
    noncompliance_prior: float = 0.05

    def __post_init__(self) -> None:
        if not 2 <= self.players <= 6:
            raise RulesError(f"Brisca is played by 2 to 6 players, not {self.players}: choose a number between them.")
        for key, allowed in CHOICES.items():
            value = getattr(self, key)
            if value not in allowed:
                raise RulesError(f"{key} = '{value}' is unknown: choose one of {', '.join(map(str, allowed))}.")
        if self.match.type not in MATCH_TYPES:
            raise RulesError(f"match type '{self.match.type}' is unknown: choose one of {', '.join(MATCH_TYPES)}.")
        if not 0.0 <= self.noncompliance_prior <= 1.0:
            raise RulesError(f"noncompliance_prior = {self.noncompliance_prior} must lie between 0 and 1.")
        if self.hand_size < 1:
            raise RulesError(f"hand_size = {self.hand_size} must be at least 1.")

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The deck, suit by suit."""
        out = set(self.removed)
        return tuple(c for c in ALL_CARDS if (self.deck == "48" or c.rank not in (8, 9)) and c not in out)

    @cached_property
    def card_set(self) -> frozenset[Card]:
        """The deck as a set."""
        return frozenset(self.cards)

    @cached_property
    def teams(self) -> tuple[tuple[int, ...], ...] | None:
        """Seats of each team, or None when everybody plays alone."""
        if isinstance(self.team_lists, tuple):
            return self.team_lists
        if self.team_lists == "auto" and self.players in (4, 6):
            return tuple(tuple(range(first, self.players, 2)) for first in (0, 1))
        return None

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The scoring sides: teams, or one seat each."""
        return self.teams or tuple((seat,) for seat in range(self.players))

    def side_of(self, seat: int) -> int:
        """Index into :attr:`sides` of the side that ``seat`` plays for."""
        return next(index for index, side in enumerate(self.sides) if seat in side)

    def quota(self, seat: int, alcaide: int = 0) -> int:
        """Cards that ``seat`` plays in each trick. ``cards_per_turn`` counts from the title holder's seat on."""
        return self.cards_per_turn[(seat - alcaide) % self.players % len(self.cards_per_turn)]

    def full_hand(self, seat: int, alcaide: int = 0) -> int:
        """Cards that ``seat`` holds while the stock lasts."""
        return self.hand_size * self.quota(seat, alcaide)

    @cached_property
    def plays_per_trick(self) -> int:
        """Cards in a full trick."""
        return sum(self.quota(seat) for seat in range(self.players))

    @cached_property
    def tricks(self) -> int:
        """Tricks in a hand (T)."""
        return len(self.cards) // self.plays_per_trick

    @cached_property
    def draw_rounds(self) -> int:
        """Rounds of draws (R); a round follows tricks 1..R."""
        return self.tricks - self.hand_size

    @cached_property
    def stock_start(self) -> int:
        """Cards in the stock after the deal, the trump card included."""
        return len(self.cards) - self.hand_size * self.plays_per_trick

    @cached_property
    def exchange_takes(self) -> dict[int, tuple[int, ...]]:
        """Rank given -> ranks that it may take."""
        return dict(self.exchange_table)

    def seats_from(self, first: int) -> tuple[int, ...]:
        """All seats in playing order, ``first`` leading."""
        return tuple((first + step) % self.players for step in range(self.players))

    def changed(self, **changes: object) -> "Rules":
        """Copy with other values; the keys are those of a profile file."""
        from engine.profile import rules_from_mapping  # the reader of mappings sits above this module

        return rules_from_mapping(changes, base=self, check=False)

    def replaced(self, **changes: object) -> "Rules":
        """Copy with other field values, already of the right types."""
        return replace(self, **changes)  # type: ignore[arg-type]


CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "deck": ("40", "48", "english40"),
    "direction": ("ccw", "cw"),
    "deal_mode": ("one_by_one", "block", "any"),
    "first_dealer": ("highest_draw", "lot"),
    "next_dealer": ("right", "alternate"),
    "trump_placement": ("beside", "under_half", "under_crossed", "under_hidden"),
    "draw_timing": ("after_trick", "before_own_play"),
    "follow": ("never", "after_stock", "always"),
    "exchange_who": ("trick_winner", "has_won_a_trick", "anyone"),
    "exchange_when": ("before_draw", "before_own_first_card", "any_time"),
    "arrastre_obliged": ("yet_to_play", "all"),
    "arrastre_best": ("trumps_first", "by_points"),
    "partner_show": ("forbidden", "option", "allowed"),
    "objective": ("most", "fewest"),
    "hand_win": ("most_points", "over", "at_least", "fewest_points"),
    "tie": ("draw", "void"),
    "void_hand_dealer": ("ask", "same", "next"),
    "misdraw": ("ask", "return_extra"),
}

MATCH_TYPES: Final = ("single", "first_to", "best_of", "fixed_hands_sum", "points_limit", "fixed_hands_stake")


@dataclass(frozen=True, slots=True)
class SetupProblem:
    """Why a table cannot be set up like this, and what would cure it."""

    reason: str
    text: str
    cures: tuple[str, ...] = ()
    leftover: int = 0


def setup_problems(rules: Rules) -> tuple[SetupProblem, ...]:
    """Everything that keeps these rules from being played; empty when they can be."""
    found: list[SetupProblem] = []
    cards, players = len(rules.cards), rules.players
    leftover = cards % rules.plays_per_trick
    dealt = rules.hand_size * rules.plays_per_trick
    if dealt >= cards:
        text = f"{cards} cards leave no stock for {players} players"
        found.append(SetupProblem("no_stock", text, ("deal fewer cards (hand_size)",)))
    elif leftover:
        number = "1 card" if leftover == 1 else f"{leftover} cards"
        cures = _CURES.get(players, (f"take out {number} without points (removed)",))
        text = f"{cards} cards cannot be dealt evenly to {players} players ({leftover} left over)"
        found.append(SetupProblem("deck_not_divisible", text, cures, leftover))
    if rules.exchange and not rules.trump_rank_visible:
        text = "the exchange depends on the trump card's rank, which these rules hide"
        cures = ("show the trump card (trump_rank_visible = true)", "play without exchange (exchange = false)")
        found.append(SetupProblem("exchange_needs_visible_rank", text, cures))
    if isinstance(rules.team_lists, tuple):
        seats = sorted(seat for team in rules.team_lists for seat in team)
        sizes = {len(team) for team in rules.team_lists}
        if seats != list(range(players)) or len(sizes) != 1 or len(rules.team_lists) < 2:
            text = f"the teams must share out the seats 0-{players - 1} evenly"
            found.append(SetupProblem("bad_teams", text, ('write teams = "auto"',)))
    if rules.alcaide is not None and players != 3:
        text = f"an Alcaide plays against two others, not with {players} players"
        found.append(SetupProblem("alcaide_needs_three", text, ("set players = 3",)))
    if rules.hand_win in ("over", "at_least") and rules.hand_target is None:
        text = f'hand_win = "{rules.hand_win}" needs the points to reach'
        found.append(SetupProblem("target_missing", text, ("set hand_target, e.g. 60",)))
    if rules.match.type == "points_limit" and not rules.match.limit:
        text = "a match to a limit of points needs the limit"
        found.append(SetupProblem("limit_missing", text, ("set match.limit, e.g. 150",)))
    if rules.match.type not in ("single", "points_limit") and not rules.match.n:
        text = f"a match of the type {rules.match.type} needs a number of hands"
        found.append(SetupProblem("match_n_missing", text, ("set match.n, e.g. 3",)))
    return (*found, *_contradictions(rules))


def _contradictions(rules: Rules) -> list[SetupProblem]:
    """Parameters that are well written each, and cannot hold together."""
    found: list[SetupProblem] = []
    whole = set(ALL_CARDS) if rules.deck == "48" else {card for card in ALL_CARDS if card.rank not in (8, 9)}
    odd = [str(card) for card in rules.removed if card not in whole or rules.removed.count(card) > 1]
    if odd:
        text = f"{odd[0]} is taken out, but it is not there to be taken out (again)"
        found.append(SetupProblem("removed_not_in_deck", text, ("correct the list removed",)))
    if rules.exchange and not any(takes for _, takes in rules.exchange_table):
        text = "the exchange is allowed, but no card may take any other"
        cures = ("fill exchange_table, e.g. {7 = [1, 3, 12, 11, 10]}", "set exchange = false")
        found.append(SetupProblem("exchange_table_missing", text, cures))
    if rules.exchange and not 1 <= rules.exchange_min_draw_rounds <= max(1, rules.draw_rounds):
        text = f"exchange_min_draw_rounds = {rules.exchange_min_draw_rounds} never fits: {rules.draw_rounds} draws come"
        cures = (f"choose a number from 1 to {max(1, rules.draw_rounds)}", "set exchange = false")
        found.append(SetupProblem("exchange_deadline_impossible", text, cures))
    points = sum(card.points for card in rules.cards)
    if rules.hand_win in ("over", "at_least") and rules.hand_target is not None:
        least = rules.hand_target + (1 if rules.hand_win == "over" else 0)
        if not 0 < least <= points:
            text = f"nobody can be held to hand_target = {rules.hand_target}: a hand has {points} points"
            found.append(SetupProblem("target_impossible", text, ("set hand_target, e.g. 60",)))
    if rules.alcaide is not None and rules.alcaide.threshold > points:
        text = f"the Alcaide can never reach {rules.alcaide.threshold} points: a hand has {points}"
        found.append(SetupProblem("threshold_impossible", text, ("set alcaide.threshold, e.g. 31",)))
    if (rules.objective == "fewest") != (rules.hand_win == "fewest_points") and rules.hand_win != "most_points":
        text = f'objective = "{rules.objective}" and hand_win = "{rules.hand_win}" contradict each other'
        cures = ('write objective = "fewest" with hand_win = "fewest_points"', 'objective = "most" with the others')
        found.append(SetupProblem("objective_contradicts", text, cures))
    if not 0 <= rules.cut_min <= len(rules.cards) // 2:
        text = f"nobody can take and leave {rules.cut_min} of {len(rules.cards)} cards when cutting"
        found.append(SetupProblem("cut_impossible", text, ("set cut_min, e.g. 4",)))
    if rules.blind and (rules.arrastre or rules.exchange or rules.follow != "never"):
        text = "who plays blind can neither answer a call, nor follow suit, nor exchange"
        cures = ("set blind = false", 'set arrastre = false, exchange = false and follow = "never"')
        found.append(SetupProblem("blind_cannot_oblige", text, cures))
    return found


_CURES: Final[dict[int, tuple[str, ...]]] = {
    3: ("take out one card without points, a 2 (profile tres_39) or a 4", "take out all four 2s (profile tres_36)"),
    6: ("play with 48 cards (profile seis_48)", "take out all four 2s (profile seis_36)"),
}


def load_profile(name: str, players: int | None = None, *, removed: tuple[str, ...] = ()) -> Rules:
    """Rules of a named profile for so many players (None: the profile's usual number). Raises RulesError.

    ``removed`` names cards to take out besides, so that three can play:
    ``load_profile("arrastro", 3, removed=("2B",))``.
    """
    from engine.profile import demand_playable, read_profile  # the TOML reader sits above this module

    if not removed:
        return read_profile(name, players)
    base = read_profile(name, None)
    cards = base.removed + tuple(Card.parse(text) for text in removed)
    number = players or base.players
    rules = replace(base, players=number, removed=cards, players_allowed=(*base.players_allowed, number))
    demand_playable(rules)
    return rules


def list_profiles() -> list[str]:
    """Names of the profiles that come with the engine, sorted."""
    from engine.profile import profile_names

    return profile_names()
