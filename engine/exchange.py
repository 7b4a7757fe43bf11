"""The exchange of the face-up card: who may, when, what for what. Each refusal has a reason of its own."""

from collections.abc import Collection
from dataclasses import dataclass

from engine.cards import Card
from engine.rules import Rules

REASONS = (
    "ok",
    "no_exchange",
    "no_trump_card",
    "wrong_suit",
    "impossible_card_already_seen",
    "second_swap",
    "trump_card_is_two",
    "trump_card_not_ace_or_three",
    "give_not_in_table",
    "not_trick_winner",
    "no_trick_won",
    "already_drawn",
    "already_played_first_card",
    "last_draw_round",
)
"""Every verdict of :func:`judge_exchange`, "ok" first."""


@dataclass(frozen=True, slots=True)
class ExchangeQuestion:
    """A swap as seen at the table.

    ``after_trick`` is the number of the trick just gathered (0 before the first); ``is_trick_winner`` and
    ``has_won_a_trick`` are None when nobody can tell; ``drawn``: the seat has already drawn after that trick;
    ``own_cards_played`` by the seat in this hand; ``seen`` cards that are known to be elsewhere; ``swapped`` cards that
    were already given in an exchange of this hand.
    """

    trump_card: Card | None
    given: Card | None
    after_trick: int
    is_trick_winner: bool | None = True
    has_won_a_trick: bool | None = True
    drawn: bool = False
    own_cards_played: int = 0
    seen: Collection[Card] = ()
    swapped: Collection[Card] = ()


@dataclass(frozen=True, slots=True)
class ExchangeVerdict:
    """Answer: ``reason`` is one of :data:`REASONS`; ``disputed``: the sources allow two readings, so no fault.

    ``warning`` "pointless": the 7 went for a lower card, which S0 and S1 do not forbid (D9).
    """

    allowed: bool
    reason: str
    trump_card_after: Card | None
    disputed: bool = False
    warning: str | None = None


def judge_exchange(rules: Rules, question: ExchangeQuestion) -> ExchangeVerdict:
    """Whether the rules allow the swap; a card that nobody read is taken to fit."""
    reason, warning = _card_reason(rules, question)
    reason = reason or _person_reason(rules, question) or _time_reason(rules, question)
    if reason:
        disputed = reason == "last_draw_round" and rules.exchange_deadline_disputed and rounds_left(rules, question) > 0
        return ExchangeVerdict(False, reason, question.trump_card, disputed)
    return ExchangeVerdict(True, "ok", question.given, warning=warning)


def rounds_left(rules: Rules, question: ExchangeQuestion) -> int:
    """Rounds of draws still to come, the imminent one counted (docs/rules.md, D6)."""
    return rules.draw_rounds - max(question.after_trick, 1) + 1


def _card_reason(rules: Rules, question: ExchangeQuestion) -> tuple[str, str | None]:
    trump, given = question.trump_card, question.given
    if not rules.exchange:
        return "no_exchange", None
    if trump is None or given is None:
        return "", None
    if given.suit != trump.suit:
        return "wrong_suit", None
    if given in question.seen:
        return "impossible_card_already_seen", None
    if given in question.swapped:
        return "second_swap", None
    takes = rules.exchange_takes.get(given.rank, ())
    if trump.rank in takes:
        return "", None
    lower = {6, 5, 4, 2} if given.rank == 7 else set()
    if rules.exchange_pointless and trump.rank in lower:
        return "", "pointless"
    if trump.rank == 2:
        return "trump_card_is_two", None
    if given.rank == 7 and set(takes) == {1, 3}:
        return "trump_card_not_ace_or_three", None
    return "give_not_in_table", None


def _person_reason(rules: Rules, question: ExchangeQuestion) -> str:
    if rules.exchange_who == "trick_winner" and question.is_trick_winner is False:
        return "not_trick_winner"
    if rules.exchange_who == "has_won_a_trick" and question.has_won_a_trick is False:
        return "no_trick_won"
    return ""


def _time_reason(rules: Rules, question: ExchangeQuestion) -> str:
    if rules.exchange_who != "anyone" and question.after_trick == 0:
        return "not_trick_winner" if rules.exchange_who == "trick_winner" else "no_trick_won"
    if rules.exchange_when == "before_own_first_card" and question.own_cards_played:
        return "already_played_first_card"
    if rules.exchange_when == "before_draw" and question.drawn:
        return "already_drawn"
    if rounds_left(rules, question) < rules.exchange_min_draw_rounds:
        return "last_draw_round"
    return ""
