"""The inputs of a test vector, read strictly: what is missing or miswritten is told in one sentence, never guessed."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from engine.cards import SUITS, Card
from engine.errors import ParseError


class Question:
    """A vector, or a part of it. Each reader raises ParseError; ``default`` stands for a key that is not there."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data

    def has(self, key: str) -> bool:
        """Whether the key is there and not null."""
        return self._data.get(key) is not None

    def value(self, key: str) -> Any:
        """The bare JSON value."""
        if key not in self._data:
            raise ParseError(f"lacks the input '{key}'")
        return self._data[key]

    def whole(self, key: str, default: int | None = None, *, least: int = 0) -> int:
        """A whole number of at least ``least``: a seat, a count, the number of a trick."""
        if default is not None and not self.has(key):
            return default
        return _whole(key, self.value(key), least)

    def wholes(self, key: str) -> list[int]:
        """A list of whole numbers."""
        return [_whole(key, item, 0) for item in self.items(key)]

    def flag(self, key: str, default: bool | None = None) -> bool:
        """True or false."""
        if default is not None and not self.has(key):
            return default
        value = self.value(key)
        if not isinstance(value, bool):
            raise ParseError(f"{key} = {value!r} must be true or false")
        return value

    def word(self, key: str, choices: tuple[str, ...]) -> str:
        """One of a few words."""
        value = self.value(key)
        if value not in choices:
            raise ParseError(f"{key} = {value!r} must be one of {', '.join(choices)}")
        return str(value)

    def suit(self, key: str) -> str:
        """A suit, as in "C"."""
        return self.word(key, tuple(SUITS))

    def card(self, key: str) -> Card:
        """A card, as in "12C"."""
        return _card(key, self.value(key))

    def cards(self, key: str, default: tuple[Card, ...] | None = None) -> tuple[Card, ...]:
        """A list of cards."""
        if default is not None and not self.has(key):
            return default
        return tuple(_card(key, item) for item in self.items(key))

    def items(self, key: str) -> list[Any]:
        """A list of anything."""
        value = self.value(key)
        if not isinstance(value, list):
            raise ParseError(f"{key} = {value!r} must be a list")
        return value

    def table(self, key: str) -> Mapping[str, Any]:
        """A JSON object; empty where the key is not there."""
        value = self._data.get(key)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise ParseError(f"{key} = {value!r} must be an object")
        return value

    def rows(self, key: str) -> list["Question"]:
        """A list of objects, such as the steps of an inference."""
        rows = self.items(key)
        if not all(isinstance(row, Mapping) for row in rows):
            raise ParseError(f"{key} must be a list of objects")
        return [Question(row) for row in rows]

    def plays(self, key: str) -> tuple[tuple[int, Card], ...]:
        """A list of [trick, card]; empty where the key is not there."""
        pairs = self.items(key) if self.has(key) else []
        if not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
            raise ParseError(f"{key} must be a list of [trick, card]")
        return tuple((_whole(key, trick, 1), _card(key, card)) for trick, card in pairs)

    def draws(self, key: str) -> dict[int, Card]:
        """An object that gives each seat, as the text of a number, its card."""
        table = self.table(key)
        if not table:
            raise ParseError(f"lacks the input '{key}'")
        if not all(seat in ("0", "1", "2", "3", "4", "5") for seat in table):
            raise ParseError(f'{key} must give a card to each seat, as in {{"0": "3E"}}')
        return {int(seat): _card(key, card) for seat, card in table.items()}

    def fraction(self, key: str, default: Fraction | None = None) -> Fraction:
        """A probability, exact as text ("5/6") or as a number."""
        if default is not None and not self.has(key):
            return default
        value = self.value(key)
        try:
            chance = Fraction(str(value)) if isinstance(value, str | int | float) else None
        except (ValueError, ZeroDivisionError):
            chance = None
        if chance is None or isinstance(value, bool) or not 0 <= chance <= 1:
            raise ParseError(f'{key} = {value!r} must be a probability, as in "5/6"')
        return chance


def _whole(key: str, value: Any, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ParseError(f"{key} = {value!r} must be a whole number, {least} or more")
    return value


def _card(key: str, value: Any) -> Card:
    if not isinstance(value, str):
        raise ParseError(f"{key} = {value!r} must be a card in text, as in '12C'")
    return Card.parse(value)
