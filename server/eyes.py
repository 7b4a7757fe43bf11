"""The reader of tables, made from the weights that belong to this version and what is known of the deck."""

from server.decks import EnrolledDeck, references_of
from vision.locator import Locator
from vision.reader import TableReader
from vision.references import DeckIdentifier
from vision.weights import find_weights, list_weights


def open_eyes(deck: EnrolledDeck | None = None) -> tuple[TableReader, dict[str, str]]:
    """A table reader with the verified weights, and their sha256 by name; with an enrolled deck its faces are known.

    Raises a vision or server error with a way out.
    """
    digests = {weights.name: weights.sha256 for weights in list_weights()}
    if deck is None:
        return TableReader.packaged(), digests
    locating, identifying = find_weights("locate"), find_weights("identify")
    references = references_of(deck, identifying)
    return TableReader(Locator(locating.path), DeckIdentifier(identifying.path, references)), digests
