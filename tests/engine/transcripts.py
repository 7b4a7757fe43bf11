"""Readable transcripts of a fixed game under each profile. Run this file to write them anew:

    python tests/engine/transcripts.py

Then read the diff: a change of the rules shows there.
"""

import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.events import CardPlayed, GameEvent, HandStarted
from engine.fold import fold_events
from engine.notation import render_text
from engine.random_game import random_game
from engine.record import Record
from engine.rules import Rules, list_profiles, load_profile
from engine.state import GameState
from engine.views import public_view

FOLDER = Path(__file__).parent / "data" / "transcripts"
HANDS = 2


def profiles() -> list[str]:
    """Every profile that needs a transcript."""
    return list_profiles()


def path_of(name: str) -> Path:
    """Where the transcript of a profile lies."""
    return FOLDER / f"{name}.txt"


def transcript(name: str) -> str:
    """The game of a profile, as it is written down, and what the engine makes of each fact."""
    rules = load_profile(name)
    facts = game_facts(rules, name)
    lines = [render_text(Record(rules, (), facts)), "== what the engine says after each fact =="]
    told: set[str] = set()
    for count in range(1, len(facts) + 1):
        state = fold_events(rules, facts[:count])
        hand = state.hand
        assert hand is not None
        if isinstance(facts[count - 1], HandStarted):
            told = set()
            lines.append(f"-- hand {hand.number}, dealer {hand.dealer}, leader {hand.leader}, alcaide {hand.alcaide}")
        lines.append(_state_line(hand, facts[count - 1]))
        for violation in hand.violations:
            said = f"   ! {violation.code} seat {violation.seat} trick {violation.trick} {violation.certainty}"
            said += f" p={violation.p}" if violation.p is not None else ""
            said += f" proof {' '.join(violation.evidence)}" if violation.evidence else ""
            said += f" ({violation.reason})" if violation.reason else ""
            if said not in told:
                told.add(said)
                lines.append(said)
        if hand.result is not None and hand.phase == "result":
            lines.append(f"   result {hand.result.status} winner {hand.result.winner} points {hand.result.points}")
    score = fold_events(rules, facts).match
    lines.append(
        f"match {score.format}: wins {score.wins} totals {score.totals} ties {score.ties} void {score.void} "
        f"status {score.status} winner {score.winner} next dealer {score.next_dealer} alcaide {score.alcaide}"
    )
    return "\n".join(lines) + "\n"


def game_facts(rules: Rules, name: str) -> tuple[GameEvent, ...]:
    """Two hands with neglected duties, and one card that nobody could read."""
    rng = Random(f"transcript {name}")
    facts: list[GameEvent] = []
    for hand in range(HANDS):
        game = random_game(rules, rng, dealer=hand % rules.players, fault_chance=0.4, call_chance=1.0)
        part = game.events()
        plays = [index for index, fact in enumerate(part) if isinstance(fact, CardPlayed)]
        hidden = plays[rng.randrange(len(plays) // 2)]
        fact = part[hidden]
        assert isinstance(fact, CardPlayed)
        part[hidden] = CardPlayed(fact.seat, None, ((str(fact.card), 0.5),))
        facts += part
    return tuple(facts)


def _state_line(hand: GameState, fact: GameEvent) -> str:
    view = public_view(hand)
    table = " ".join(f"{play.seat}:{play.card or '?'}" for play in hand.trick)
    known = " ".join(f"{seat}:{','.join(map(str, held))}" for seat, held in enumerate(hand.known_held) if held)
    return (
        f"{type(fact).__name__:<15} {hand.phase:<11} trick {hand.trick_number:<2} turn {hand.turn} "
        f"hands {''.join(map(str, hand.hand_sizes))} stock {hand.stock_left:<2} trump {hand.trump_suit}"
        f"/{hand.trump_card} points {'-'.join(map(str, hand.points))}+{hand.points_open} left {view.points_to_come}"
        + (f" decided {view.decided}" if view.decided is not None else "")
        + (f" [{table}]" if table else "")
        + (f" known {known}" if known else "")
    )


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for profile in profiles():
        path_of(profile).write_text(transcript(profile), encoding="utf-8")
        print(path_of(profile).name)
