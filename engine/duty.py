"""Judges every card that was played under a duty: the answer to an arrastre, and following suit."""

from engine.cards import Card
from engine.inference import BadCard, Evidence, Verdict, better_than, judge, must_follow, of_suit
from engine.state import Violation
from engine.table import Answer, Table, is_sure, violation_key


def duty_violations(table: Table, *, over: bool) -> tuple[Violation, ...]:
    """Violations of arrastre and of following suit, as far as public facts go. ``over``: the hand is finished.

    An answer that was beyond doubt when it was played leaves no trace; one that was open is possible, then certain or
    cleared, and unknowable if the hand ends without proof. Nothing is inferred where cards are played blind.
    """
    if table.rules.blind or table.trump_suit is None:
        return ()
    found: list[Violation] = []
    for answer, code, owed, basis in _answers_due(table):
        violation = _judged(table, answer, code, owed, basis, over=over)
        if violation is not None:
            found.append(violation)
    return tuple(found)


def _answers_due(table: Table) -> list[tuple[Answer, str, BadCard, bool]]:
    """Each answer under a duty, with its code, the cards owed instead, and whether the duty itself is sure.

    Who answers a call owes the best card, whatever was led: no source has both duties, and nobody can meet both.
    """
    due: list[tuple[Answer, str, BadCard, bool]] = []
    trump = table.trump_suit or ""
    ace = Card(1, trump)
    called: dict[tuple[int, int], bool] = {}
    for call in table.calls:
        if not call.valid:
            continue
        in_trick = [answer for answer in table.answers if answer.trick == call.trick]
        at = next((i for i, answer in enumerate(in_trick) if answer.play.card == ace), len(in_trick))
        for answer in in_trick[at + 1 :]:
            if answer.seat in call.obliged and answer.play.card is not None:
                sure = is_sure(call.confidence) and table.read_surely(in_trick[at].play)
                called[answer.step_index, answer.seat] = sure
                due.append((answer, "missed_arrastre", better_than(table.rules, answer.play.card, trump), sure))
    for answer in table.answers:
        led = answer.led
        if led is None or answer.play.card is None or not must_follow(table.rules, answer.trick):
            continue
        bound = called.get((answer.step_index, answer.seat))
        if answer.play.card.suit != led.suit and not bound:
            sure = table.read_surely(table.plays_of(answer.trick)[0]) and bound is None
            sure = sure and (table.tricks_sure or table.rules.follow == "always")
            sure = sure and not _perhaps_called(table, answer, ace)
            due.append((answer, "missed_follow", of_suit(led.suit), sure))
    return due


def _perhaps_called(table: Table, answer: Answer, ace: Card) -> bool:
    """Whether the card may have answered a call that was heard with doubt, or an ace that was not read."""
    rules = table.rules
    if not rules.arrastre:
        return False
    unsure = {
        call.seat
        for index, call in enumerate(table.calls)
        if not is_sure(call.confidence) or call.valid is None or index in table.unsure_calls
    }
    plays = table.plays_of(answer.trick)
    return any(
        (play.card == ace or play.card is None or not table.read_surely(play))
        and (play.seat in unsure or play.seat_assumed or not rules.arrastre_call_required)
        for play in plays[: plays.index(answer.play)]
    )


def _judged(table: Table, answer: Answer, code: str, owed: BadCard, basis: bool, *, over: bool) -> Violation | None:
    evidence = evidence_since(table, answer)
    late = answer.trick > table.rules.draw_rounds
    verdict = judge(evidence, owed, table.hidden_trump(answer.seat) if late else None)
    if verdict.status == "ok" and not _was_open(table, answer, owed):
        return None
    sure = basis and table.read_surely(answer.play) and _proof_is_sure(table, answer, verdict, len(evidence.draws))
    certainty = {"violated": "certain" if sure else "possible", "ok": "cleared"}.get(
        verdict.status, "unknowable" if over else "possible"
    )
    return Violation(
        violation_key(code, answer.play.event_id, answer.seat),
        code,
        answer.seat,
        answer.trick,
        certainty,
        verdict.p,
        tuple(str(card) for card in verdict.proof),
        "" if sure or verdict.status != "violated" else "doubtful_reading",
        table.number,
        answer.play.event_id,
    )


def evidence_since(table: Table, answer: Answer) -> Evidence:
    """What everybody saw of the seat since it gave the answer."""
    draws: list[int] = []
    plays: list[tuple[int, Card | None]] = []
    for step in table.history[answer.seat][answer.step_index + 1 :]:
        if step.kind == "draw":
            if not step.known:
                draws.append(step.trick)
        elif not step.known:
            plays.append((step.trick, step.card))
    return Evidence(answer.held_unknown, tuple(draws), tuple(plays), table.unseen(), answer.held_known)


def _was_open(table: Table, answer: Answer, owed: BadCard) -> bool:
    """Whether the answer could have been wrong when it was given."""
    if any(owed(card) for card in answer.held_known):
        return True
    return answer.held_unknown > 0 and any(owed(card) for card in answer.unseen_then)


def _proof_is_sure(table: Table, answer: Answer, verdict: Verdict, draws: int) -> bool:
    """Whether the readings that prove the fault are beyond doubt.

    A known card proves it by itself, and so do more owed cards shown since than were drawn since; any other proof
    counts cards, and then every card seen counts. What was known of this hand must be beyond doubt in any case.
    """
    steps = table.history[answer.seat][answer.step_index :]
    known = {*answer.held_known, *(step.card for step in steps if step.known and step.card is not None)}
    if not table.trump_sure or not table.held_surely(known):
        return False
    proof = set(verdict.proof)
    taken = {swap.taken for swap in table.exchanges}
    if proof & set(answer.held_known) and (table.tricks_sure or proof & taken):
        return True
    shown = [p for p in table.all_plays if p.card in proof and p.seat == answer.seat and table.read_surely(p)]
    if not table.tricks_sure:
        return False  # nor how many cards were drawn since
    return len(shown) > draws or (
        not table.doubted and not table.perhaps_out and all(table.read_surely(play) for play in table.all_plays)
    )
