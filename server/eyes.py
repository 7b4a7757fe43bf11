"""The reader of tables, made from the weights that belong to this version."""

from vision.identifier import Identifier
from vision.locator import Locator
from vision.reader import TableReader
from vision.weights import find_weights


def open_eyes() -> tuple[TableReader, dict[str, str]]:
    """A table reader with the verified weights, and their sha256 by name. Raises a vision error with a way out."""
    locating, identifying = find_weights("locate"), find_weights("identify")
    reader = TableReader(Locator(locating.path), Identifier(identifying.path))
    return reader, {weights.name: weights.sha256 for weights in (locating, identifying)}
