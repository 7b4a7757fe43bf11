"""What every source of pictures is: an explicit state machine that yields frames until it has ended or failed."""

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Literal, Self

from vision.facts import Frame

SourceKind = Literal["camera", "video", "picture", "folder", "stream", "demo"]


class SourceState(enum.Enum):
    """Where a source stands. ENDED and FAILED are final."""

    INIT = "INIT"  # opened, no frame delivered yet
    RUNNING = "RUNNING"  # frames come in
    STALLED = "STALLED"  # the connection stands, but no frame has come for a while
    RECONNECTING = "RECONNECTING"  # the connection is lost and is being tried again
    ENDED = "ENDED"  # the last frame was delivered, or the source was closed
    FAILED = "FAILED"  # it broke off and is not tried again


FINAL: Final = frozenset({SourceState.ENDED, SourceState.FAILED})

StateListener = Callable[[SourceState, str], None]
"""Called with the new state and one sentence about it, from whichever thread noticed the change."""


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What is known of a source when it is open.

    ``name`` is fit to be shown and logged (passwords are masked). ``fps`` is frames per second, for a live source what
    the driver claims. ``frames`` is the number of frames, None where it is unknown or endless. A ``live`` source drops
    the frames that nobody fetched in time; any other waits for its reader.
    """

    kind: SourceKind
    name: str
    width: int
    height: int
    fps: float
    frames: int | None
    live: bool


class Source(ABC):
    """A context manager that yields :class:`~vision.facts.Frame` objects, once, in the order of their time.

    ``state`` may be read from any thread, ``close`` may be called from any thread and more than once; iteration then
    ends. Errors: opening raises :class:`~vision.errors.SourceError`; so does iteration when the source fails for good.
    """

    def __init__(self, info: SourceInfo, on_state: StateListener | None = None) -> None:
        self.info = info
        self._state = SourceState.INIT
        self._on_state = on_state

    @property
    def state(self) -> SourceState:
        """The current state."""
        return self._state

    @property
    def dropped(self) -> int:
        """How many frames were captured and never delivered, because the reader was slower than a live source."""
        return 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Frame]:
        return self._frames()

    @abstractmethod
    def _frames(self) -> Iterator[Frame]:
        """Yield the frames."""

    @abstractmethod
    def close(self) -> None:
        """Release the device or file; the state becomes ENDED unless it is final already."""

    def _enter_state(self, state: SourceState, sentence: str = "") -> None:
        if self._state is state or self._state in FINAL:
            return
        self._state = state
        if self._on_state is not None:
            self._on_state(state, sentence)
