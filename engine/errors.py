"""What the engine raises. Odd events never raise: only malformed input does, and the three kinds are kept apart."""


class EngineError(ValueError):
    """Any complaint of the engine; the text is one clear sentence with a way out."""


class ParseError(EngineError):
    """The text or JSON cannot be read at all."""


class RulesError(EngineError):
    """The rules contradict themselves, or cannot be played with these cards and players."""


class ImpossibleHereError(EngineError):
    """Well written, but it refers to something that does not exist in this game (a seat, an entry of the ledger)."""


class AmbiguousError(EngineError):
    """Well written, but it fits more than one thing; the text names the choices."""
