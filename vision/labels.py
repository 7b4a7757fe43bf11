"""The vision room's names for the faces it can read.

A label is the text of a card, ``<rank><suit>``: rank 1-7, 8, 9, 10 sota, 11 caballo, 12 rey; suit O oros, C copas,
E espadas, B bastos. The order of :data:`LABELS` is the class order of every model and of every probability vector.
"""

from typing import Final

SUITS: Final = "OCEB"
RANKS: Final = tuple(range(1, 13))

LABELS: Final[tuple[str, ...]] = tuple(f"{rank}{suit}" for suit in SUITS for rank in RANKS)
"""All 48 face labels, suit by suit in the order oros, copas, espadas, bastos."""

INDEX: Final[dict[str, int]] = {label: index for index, label in enumerate(LABELS)}

SUIT_NAMES: Final = {"O": "oros", "C": "copas", "E": "espadas", "B": "bastos"}
"""Spanish suit names, as used in the file names of deck folders (``oros_01.jpg``)."""

CARD_MM: Final = (61.5, 95.0)
"""Width and height of a Spanish card in millimetres."""
