"""The manual of the command line, made from the parsers: ``python -m server.cli.document > docs/cli.md``."""

import argparse
import sys
from collections.abc import Iterator

from server.cli import build_parser

_HEAD = """# The command `brisca`

<!-- Generated from the parsers by `python -m server.cli.document`; a test compares it. Do not edit. -->

{description}

Exit codes: 0 done; 1 it could not be done, and one sentence on stderr says why and what to do; 2 the command was not
understood; 130 broken off with Ctrl-C (the result so far is kept).
"""


def manual(parser: argparse.ArgumentParser | None = None) -> str:
    """The whole manual as Markdown."""
    top = parser if parser is not None else build_parser()
    parts = [_HEAD.format(description=top.description)]
    for name, command in _commands(top):
        parts.append(_section(name, command, 2))
        parts += [_section(f"{name} {action}", sub, 3) for action, sub in _commands(command)]
    return "\n".join(parts)


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _section(name: str, parser: argparse.ArgumentParser, level: int) -> str:
    lines = [f"{'#' * level} brisca {name}", "", parser.description or "", ""]
    actions = [action for action in parser._actions if not isinstance(action, argparse._HelpAction)]
    plain = [action for action in actions if not isinstance(action, argparse._SubParsersAction)]
    if plain:
        lines += ["| | |", "|---|---|"]
        lines += [f"| {_names(action)} | {_help(parser, action)} |" for action in plain]
        lines.append("")
    return "\n".join(lines)


def _names(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else _value(action)
    if not action.option_strings:
        return f"`{value}`" + (" ..." if action.nargs in ("+", "*") else "")
    return f"`{', '.join(action.option_strings)}{' ' + value if value else ''}`".replace("|", "\\|")


def _value(action: argparse.Action) -> str:
    if isinstance(action.metavar, tuple):
        text = " ".join(action.metavar)
    elif action.metavar:
        text = action.metavar
    elif action.choices is not None:
        text = "{" + ",".join(str(choice) for choice in action.choices) + "}"
    else:
        text = action.dest.upper()
    return text.replace("|", "\\|")


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    text = parser._get_formatter()._expand_help(action) if action.help else ""
    if action.required and action.option_strings:
        text += " (required)"
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(manual())
