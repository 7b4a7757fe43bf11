"""Rules by the name of a profile or from a TOML file of the user, as commands take them."""

import tomllib
from pathlib import Path
from typing import Final

from engine.errors import ParseError
from engine.profile import rules_from_toml
from engine.rules import Rules, list_profiles, load_profile
from vision.pathname import as_meant

_EXAMPLE: Final = "the example at the top of docs/rules.md"


def load_rules(name: str, players: int | None = None) -> Rules:
    """Rules by the name of a profile, or from a TOML file of the user. Raises RulesError, ParseError."""
    path = Path(as_meant(name))
    if name not in list_profiles() and (path.suffix.lower() == ".toml" or len(path.parts) > 1 or path.is_file()):
        return _read_rules(path, players)
    return load_profile(name, players)


def _read_rules(path: Path, players: int | None) -> Rules:
    text = read_text(path, f"rules in TOML, such as {_EXAMPLE}")
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ParseError(
            f"{path} holds no rules in TOML ({error}): correct that line, or begin with {_EXAMPLE}."
        ) from None
    return rules_from_toml(text, name=path.stem, players=players)


def read_text(path: Path, wanted: str = "a text file") -> str:
    """Text of a file. Raises ParseError with what to do when it cannot be read: to give what is ``wanted``."""
    try:
        return path.read_text(encoding="utf-8-sig")  # editors on Windows put a mark in front
    except OSError as error:
        raise ParseError(f"Cannot read {path} ({error.strerror}): give a file that exists and may be read.") from None
    except UnicodeDecodeError:
        raise ParseError(f"{path} is not text in UTF-8: give {wanted}.") from None
