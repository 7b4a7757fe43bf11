"""The cards of the Spanish pack: figures, points, order of strength, and the names of other packs.

A card is keyed by its *figure*, never by the number printed on it: one seed calls rey and caballo 11 and 12, Italian
packs print 8-9-10 on the figures; all agree on the figures' worth (docs/rules.md, D1).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from engine.errors import ParseError

SUITS: Final = "OCEB"
"""Oros, copas, espadas, bastos."""

RANKS: Final = tuple(range(1, 13))

STRENGTH_ORDER: Final = (1, 3, 12, 11, 10, 9, 8, 7, 6, 5, 4, 2)
"""Ranks from the strongest to the weakest within a suit; 9 and 8 exist in the 48-card pack only."""

POINTS: Final = {1: 11, 3: 10, 12: 4, 11: 3, 10: 2}
"""Points by rank; every other rank is worth nothing."""

_STRENGTH: Final = {rank: 12 - index for index, rank in enumerate(STRENGTH_ORDER)}

FIGURES: Final = {10: "sota", 11: "caballo", 12: "rey"}
FIGURES_IN_S0: Final = {10: "sota", 11: "rey", 12: "caballo"}
"""What seed S0 says literally; it contradicts every printed deck, so figures count and not their numbers (D1)."""

SUIT_NAMES: Final = {"O": "oros", "C": "copas", "E": "espadas", "B": "bastos"}

ENGLISH_RANKS: Final = {"A": 1, "K": 12, "Q": 11, "J": 10}
"""Figures of a French-suited pack: the queen takes the place of the caballo."""

ENGLISH_DISCARD: Final = ("8", "9", "10")
"""Ranks taken out of a 52-card pack to play brisca with it."""

ENGLISH_SUITS: Final = {"H": "C", "D": "O", "S": "E", "C": "B"}
"""Proposal by etymology; no source gives a mapping of the suits."""


@dataclass(frozen=True)
class Card:
    """One card: ``rank`` 1-12 (10 sota, 11 caballo, 12 rey) and ``suit`` O, C, E or B. ``str`` gives "12C"."""

    rank: int
    suit: str

    def __post_init__(self) -> None:
        if self.rank not in _STRENGTH or self.suit not in SUIT_NAMES:
            raise ParseError(f"There is no card {self.rank}{self.suit}: write a rank 1-12 and a suit O, C, E or B.")

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Read "12C" (case does not matter). Raises ParseError."""
        card = _BY_TEXT.get(text) or _BY_TEXT.get(text.strip().upper())
        if card is None:
            raise ParseError(f"'{text}' is not a card: write a rank 1-12 and a suit O, C, E or B, as in 12C.")
        return card

    @classmethod
    def parse_english(cls, text: str) -> "Card":
        """Read a card of a French-suited pack, rank then suit H, D, S, C: "QH" is the caballo de copas."""
        word = text.strip().upper()
        rank = ENGLISH_RANKS.get(word[:-1]) or (int(word[:-1]) if word[:-1] in {"2", "3", "4", "5", "6", "7"} else 0)
        suit = ENGLISH_SUITS.get(word[-1:])
        if not rank or suit is None:
            raise ParseError(f"'{text}' has no place in brisca: use A, 2-7, J, Q or K with H, D, S or C (8-10 go out).")
        return _BY_TEXT[f"{rank}{suit}"]

    @cached_property
    def points(self) -> int:
        """Points that the card brings to whoever wins it."""
        return POINTS.get(self.rank, 0)

    @cached_property
    def strength(self) -> int:
        """Order within the suit, 12 for the ace down to 1 for the two."""
        return _STRENGTH[self.rank]

    @cached_property
    def _hash(self) -> int:
        return self.rank * 4 + SUITS.index(self.suit)

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return f"{self.rank}{self.suit}"

    def __lt__(self, other: "Card") -> bool:
        """Order of printing: suit by suit (O, C, E, B), rank by rank; not an order of strength."""
        return (SUITS.index(self.suit), self.rank) < (SUITS.index(other.suit), other.rank)


_BY_TEXT: Final[dict[str, Card]] = {f"{rank}{suit}": Card(rank, suit) for suit in SUITS for rank in RANKS}

ALL_CARDS: Final[tuple[Card, ...]] = tuple(_BY_TEXT.values())
"""All 48 cards, suit by suit."""


def cards_from_text(text: str) -> tuple[Card, ...]:
    """Read cards separated by blanks or commas."""
    return tuple(Card.parse(word) for word in text.replace(",", " ").split())
