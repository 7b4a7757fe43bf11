"""Rules by the name of a profile or from a TOML file of the user, as commands take them."""

from pathlib import Path

from engine.errors import ParseError
from engine.profile import rules_from_toml
from engine.rules import Rules, load_profile


def load_rules(name: str, players: int | None = None) -> Rules:
    """Rules by the name of a profile, or from a TOML file of the user. Raises RulesError, ParseError."""
    if name.endswith(".toml") or "/" in name:
        path = Path(name)
        return rules_from_toml(read_text(path), name=path.stem, players=players)
    return load_profile(name, players)


def read_text(path: Path) -> str:
    """Text of a file. Raises ParseError with what to do when it cannot be read."""
    try:
        return path.read_text(encoding="utf-8-sig")  # editors on Windows put a mark in front
    except OSError as error:
        raise ParseError(f"Cannot read {path} ({error.strerror}): give a file that exists and may be read.") from None
    except UnicodeDecodeError:
        raise ParseError(f"{path} is not text in UTF-8: give a text file.") from None
