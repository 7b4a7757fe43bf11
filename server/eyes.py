"""The reader of tables, made from the weights that belong to this version."""

from vision.reader import TableReader
from vision.weights import list_weights


def open_eyes() -> tuple[TableReader, dict[str, str]]:
    """A table reader with the verified weights, and their sha256 by name. Raises a vision error with a way out."""
    reader = TableReader.packaged()
    return reader, {weights.name: weights.sha256 for weights in list_weights()}
