"""``brisca rules``: the rule profiles, a check of a user's own rules, and the runner of test vectors."""

import argparse
import json
from pathlib import Path
from typing import Any

from engine.errors import ParseError
from engine.profile import rules_to_mapping
from engine.rules import list_profiles, load_profile
from engine.vectors import VectorOutcome, check_lines
from server.house_rules import load_rules, read_text
from server.terms import playable_numbers


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``rules`` and its commands."""
    group = subparsers.add_parser(
        "rules", help="the rules that can be played", description="List, show and check the rules of the game."
    )
    commands = group.add_subparsers(title="commands", metavar="COMMAND", dest="rules_command", required=True)
    listing = commands.add_parser("list", help="list the profiles", description="List the profiles, one a line.")
    listing.add_argument("--json", action="store_true", help="print JSON")
    listing.set_defaults(run=run_list)
    show = commands.add_parser("show", help="show the parameters of a profile", description="Show a profile.")
    show.add_argument("name", help="name of the profile, or a TOML file of your own")
    show.add_argument("--players", type=int, default=None, help="number of players (default: the profile's usual)")
    show.add_argument("--json", action="store_true", help="print JSON")
    show.set_defaults(run=run_show)
    check = commands.add_parser(
        "check", help="check a TOML file of house rules", description="Say whether house rules can be played."
    )
    check.add_argument("file", type=Path, help='TOML file; base = "arrastro" in it starts from a profile')
    check.add_argument("--players", type=int, default=None, help="number of players (default: the file's)")
    check.set_defaults(run=run_check)
    vectors = commands.add_parser(
        "check-vectors",
        help="run test vectors of the rules",
        description="Run test vectors, one JSON object a line: one line per failure, then how many passed and failed.",
    )
    vectors.add_argument("file", type=Path, help="JSONL file")
    vectors.add_argument("--json", action="store_true", help="print JSON")
    vectors.set_defaults(run=run_check_vectors)


def run_list(args: argparse.Namespace) -> int:
    """Print the profiles."""
    profiles = [load_profile(name) for name in list_profiles()]
    if args.json:
        rows = [{"name": p.name, "title": p.title, "players": playable_numbers(p)} for p in profiles]
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return 0
    width = max(len(profile.name) for profile in profiles)
    for profile in profiles:
        numbers = ", ".join(map(str, playable_numbers(profile)))
        print(f"{profile.name:<{width}}  {profile.title} ({numbers} players)")
    return 0


def run_show(args: argparse.Namespace) -> int:
    """Print every parameter of a profile or of a file."""
    rules = load_rules(args.name, args.players)
    data = rules_to_mapping(rules)
    if args.json:
        print(json.dumps(data, ensure_ascii=False, indent=2))
        return 0
    width = max(len(key) for key in data)
    for key, value in data.items():
        print(f"{key:<{width}}  {json.dumps(value, ensure_ascii=False)}")
    print(f"{'tricks':<{width}}  {rules.tricks} (a draw follows the first {rules.draw_rounds})")
    return 0


def run_check(args: argparse.Namespace) -> int:
    """Check a file; a complaint goes to stderr and gives 1."""
    rules = load_rules(str(args.file), args.players)
    print(f"{args.file}: can be played ({rules.players} players, {len(rules.cards)} cards, {rules.tricks} tricks).")
    return 0


def run_check_vectors(args: argparse.Namespace) -> int:
    """Run vectors; 1 when one fails."""
    outcomes = check_lines(read_text(args.file).split("\n"))
    if not outcomes:
        raise ParseError(f"{args.file} holds no vectors: give a file with one JSON object a line.")
    failed = [outcome for outcome in outcomes if not outcome.passed]
    if args.json:
        print(json.dumps(_vectors_as_data(outcomes), ensure_ascii=False, indent=2))
    else:
        for outcome in failed:
            print(f"{outcome.id} ({outcome.rule}): {'; '.join(outcome.problems)}")
        print(f"{len(outcomes) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


def _vectors_as_data(outcomes: list[VectorOutcome]) -> dict[str, Any]:
    failures = [
        {"id": outcome.id, "rule": outcome.rule, "problems": list(outcome.problems)}
        for outcome in outcomes
        if not outcome.passed
    ]
    return {"passed": len(outcomes) - len(failures), "failed": len(failures), "failures": failures}
