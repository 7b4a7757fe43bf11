"""What happens on a table, in order and on a clock: the actions that a film shows.

An action knows sides, labels and times, and no rules of any game. ``t`` is when it begins (a hand starts to move),
``duration`` how long it takes until the hand has left, both in seconds of the film. The moments that a film's truth
quotes follow from them: :attr:`Play.rest` is when the card has come to rest, :attr:`Gather.swept` when no card of the
trick lies at its place any more.
"""

from dataclasses import dataclass
from typing import Final, Literal, get_args

Side = Literal["south", "east", "north", "west", "southeast", "northeast", "northwest", "southwest"]
SIDES: Final[tuple[Side, ...]] = get_args(Side)
"""The sides of the camera's picture, bottom, right, top, left, and then its corners, both counter-clockwise."""

REST_SHARE: Final = 0.55
"""Share of a laying action after which the card lies still."""


@dataclass(frozen=True, slots=True)
class PlaceStock:
    """``count`` cards lie face down as the stock from ``t`` on; nobody is seen to put them there."""

    t: float
    count: int
    duration: float = 0.0


@dataclass(frozen=True, slots=True)
class ShowTrump:
    """The player at ``side`` lays ``label`` face up at the stock."""

    t: float
    side: Side
    label: str
    duration: float = 1.5

    @property
    def rest(self) -> float:
        """When the card lies still."""
        return self.t + REST_SHARE * self.duration


@dataclass(frozen=True, slots=True)
class Play:
    """The player at ``side`` lays ``label`` face up in the middle, ``aside`` millimetres right of the usual place."""

    t: float
    side: Side
    label: str
    duration: float = 1.3
    aside: float = 0.0

    @property
    def rest(self) -> float:
        """When the card lies still."""
        return self.t + REST_SHARE * self.duration


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The player at ``side`` takes ``label``, which lies face up in the middle, back into the hand."""

    t: float
    side: Side
    label: str
    duration: float = 1.4

    @property
    def lift(self) -> float:
        """When the card leaves the table."""
        return self.t + 0.5 * self.duration


@dataclass(frozen=True, slots=True)
class Gather:
    """The player at ``side`` collects every card of the middle, turns them over and adds them to the own pile."""

    t: float
    side: Side
    duration: float = 2.2

    @property
    def swept(self) -> float:
        """When the last card of the middle has left its place and the bundle is lifted."""
        return self.t + 0.5 * self.duration

    @property
    def rest(self) -> float:
        """When the bundle lies face down on the pile."""
        return self.t + 0.8 * self.duration


@dataclass(frozen=True, slots=True)
class Draw:
    """The player at ``side`` takes the top card of the stock, unseen."""

    t: float
    side: Side
    duration: float = 1.2

    @property
    def lift(self) -> float:
        """When the card leaves the stock."""
        return self.t + 0.5 * self.duration


@dataclass(frozen=True, slots=True)
class TakeTrump:
    """The player at ``side`` takes the face-up card from the table."""

    t: float
    side: Side
    duration: float = 1.4

    @property
    def lift(self) -> float:
        """When the card leaves the table."""
        return self.t + 0.5 * self.duration


@dataclass(frozen=True, slots=True)
class Exchange:
    """The player at ``side`` takes the face-up card and lays ``label`` in its place."""

    t: float
    side: Side
    label: str
    duration: float = 3.2

    @property
    def lift(self) -> float:
        """When the old card leaves the table."""
        return self.t + 0.25 * self.duration

    @property
    def rest(self) -> float:
        """When the new card lies still."""
        return self.t + 0.8 * self.duration


@dataclass(frozen=True, slots=True)
class Hover:
    """A hand of the player at ``side`` reaches over the middle, touches nothing and leaves."""

    t: float
    side: Side
    duration: float = 2.4


@dataclass(frozen=True, slots=True)
class Bump:
    """Somebody knocks the camera: it shakes for ``duration`` and then looks from a slightly other place.

    With ``degrees`` it is turned by so much instead, clockwise, without a shake, and backs off a little so that all
    cards stay in the picture.
    """

    t: float
    duration: float = 0.6
    degrees: float | None = None


@dataclass(frozen=True, slots=True)
class LostFrames:
    """The camera delivers nothing new for ``duration``: its last picture comes again and again."""

    t: float
    duration: float = 1.0


@dataclass(frozen=True, slots=True)
class ExposureJump:
    """The exposure jumps by the factor ``gain`` and finds back to what it was within ``duration``."""

    t: float
    gain: float
    duration: float = 1.6


CameraAction = Bump | LostFrames | ExposureJump
TableAction = PlaceStock | ShowTrump | Play | TakeBack | Gather | Draw | TakeTrump | Exchange | Hover | CameraAction


def action_end(action: TableAction) -> float:
    """When the action is over and its hand has left, in seconds of the film."""
    return action.t + action.duration
