"""The shapes of everything that is said over the WebSocket, as types that the code is checked against.

The JSON Schema in docs/schema/messages.json is made from these (:mod:`server.schema`). Cards are texts such as ``12C``,
seats count from 0 in playing order, tricks and hands from 1, sides are places in ``scores``, times are in seconds.
"""

from typing import (
    Any,
    Literal,
    NotRequired,  # pydantic reads these on every Python that we support
)

from pydantic import BaseModel, ConfigDict
from typing_extensions import TypedDict

Change = Literal["told", "amended", "inserted", "retracted", "swapped", "confirmed", "dismissed"]
Scene = Literal["ok", "dark", "moved"]


class PressBody(BaseModel):
    """What was pressed: ``type`` and whatever belongs to that type."""

    model_config = ConfigDict(extra="allow")

    type: str


class SessionData(TypedDict):
    """Which session this is; ``paused``: what the camera sees does not count for now.

    ``idle`` is there, and true, while no game has begun.
    """

    id: str
    source: str
    started: str
    ended: bool
    paused: bool
    idle: NotRequired[bool]


class RulesData(TypedDict):
    """What a screen needs to know of the rules."""

    name: str
    players: int
    deck: str
    arrastre: bool
    exchange: bool
    alcaide: bool
    tricks: int


class SeatData(TypedDict):
    """A seat; ``team`` is the side of the score that it plays for.

    ``at`` is where the player sits in the picture (shares of its width and height), null while nobody has said it.
    """

    seat: int
    side: str
    name: str
    team: int
    at: list[float] | None


class ScoreData(TypedDict):
    """A side of the score: points of full tricks, and the cards in them."""

    seats: list[int]
    name: str
    points: int
    captured: int


class TrumpData(TypedDict):
    """The trump and its card."""

    suit: str | None
    card: str | None
    on_table: bool


class PlayData(TypedDict):
    """A card in a trick; ``card`` is null where nobody could read it, ``id`` names it in a press."""

    id: str | None
    seat: int
    card: str | None
    confidence: float | None
    doubtful: bool
    candidates: list[tuple[str, float]]


class WinningData(TypedDict):
    """Which play wins the trick so far, and why."""

    seat: int
    play: str | None
    why: str


class OpenTrickData(TypedDict):
    """The trick on the table; ``points`` once it is full: they count already."""

    n: int
    plays: list[PlayData]
    points: int | None
    winning: WinningData | None


class TrickData(TypedDict):
    """A gathered trick; ``why`` tells why its winner won it."""

    n: int
    plays: list[PlayData]
    winner: int | None
    why: str | None
    points: int


class ExchangeData(TypedDict):
    """An exchange of the face-up card."""

    seat: int | None
    given: str | None
    taken: str | None
    after_trick: int
    t: float | None


class ExchangeOfferData(TypedDict):
    """What the rules let be laid down for the face-up ``card`` (null: not known) after so many tricks, and by whom."""

    after_trick: int
    card: str | None
    given: list[str]
    seats: list[int]


class ClaimData(TypedDict):
    """Who took, by everybody's consent, what was not played, and the points of it."""

    seat: int
    points: int


class CallData(TypedDict):
    """An arrastre call."""

    seat: int
    trick: int
    valid: bool | None


class ResultData(TypedDict):
    """How a hand ended."""

    status: str
    points: list[int]
    winners: list[int]


class HandData(TypedDict):
    """The hand on the table. ``next_leader`` is known once its trick is full, and before its
    first card where the hand before tells who dealt.

    ``alcaide`` is who plays alone against the two others, in the rules that know one; null while nobody has said.
    ``missed`` tricks were played before the program watched; ``points_before`` are the points of each side in them,
    null while nobody has said.
    """

    n: int
    phase: str
    turn: int | None
    leader: int | None
    next_leader: int | None
    dealer: int | None
    alcaide: int | None
    trump: TrumpData | None
    stock: int
    hand_sizes: list[int]
    trick: OpenTrickData
    tricks: list[TrickData]
    exchanges: list[ExchangeData]
    exchange_offers: list[ExchangeOfferData]
    calls: list[CallData]
    missed: int
    points_before: list[int] | None
    claim: ClaimData | None
    result: ResultData | None


class KnownData(TypedDict):
    """What an attentive onlooker knows: cards that are out and that are not, by suit, strongest first.

    ``held`` are the cards picked up from the table and not played yet, by seat.
    """

    out: dict[str, list[str]]
    unseen: dict[str, list[str]]
    held: list[list[str]]
    points_to_come: int
    decided: int | None


class PictureData(TypedDict):
    """A picture of the moment in which a card fell."""

    url: str
    t: float
    trick: int | None
    seat: int | None
    card: str | None


class ViolationData(TypedDict):
    """A rule broken, or perhaps broken; ``dismissed``: the table lets it go."""

    key: str
    kind: str
    hand: int
    seat: int | None
    trick: int
    certainty: Literal["certain", "possible", "cleared", "unknowable"]
    p: float | None
    evidence: list[str]
    pictures: list[PictureData]
    acknowledged: bool
    dismissed: bool


class QuestionData(TypedDict):
    """A doubt; each option is a press with its probability ``p`` beside it."""

    id: str
    kind: str
    text_key: str
    options: list[dict[str, Any]]


class EarlierHandData(TypedDict):
    """A hand of the game on the screens, whole; for putting right what was noticed too late."""

    hand: HandData
    scores: list[ScoreData]
    known: KnownData


class DoneHandData(TypedDict):
    """A hand that is over."""

    n: int
    points: list[int]
    winners: list[int]


class MatchData(TypedDict):
    """The match that the hands make; ``n``: the hands or points that its format counts to."""

    format: str
    n: int | None
    totals: list[int]
    wins: list[int]
    status: str
    winner: int | None
    next_dealer: int | None


class ChangeData(TypedDict):
    """Something that was changed after it had been told, or that a person told: what, by whom, why.

    ``before`` and ``after`` are cards, or the suit (O, C, E, B) of a trump of which no more is known; of ``swapped``
    they are the two cards that changed places.
    """

    id: str
    t: float | None
    by: Literal["vision", "person", "rule"]
    change: Change
    what: str
    why: str
    hand: int | None
    trick: int | None
    seat: int | None
    before: str | None
    after: str | None


class StepsData(TypedDict):
    """Whether there is a press to take back, or to do again."""

    undo: bool
    redo: bool


class SnapshotData(TypedDict):
    """The whole state for a screen."""

    session: SessionData
    rules: RulesData
    seats: list[SeatData]
    scores: list[ScoreData]
    hand: HandData | None
    known: KnownData
    violations: list[ViolationData]
    questions: list[QuestionData]
    lost: bool
    steps: StepsData
    changes: list[ChangeData]
    hands: list[DoneHandData]
    match: MatchData


class StatusData(TypedDict):
    """How the camera is doing."""

    camera: Literal["INIT", "RUNNING", "STALLED", "RECONNECTING", "ENDED", "FAILED", "NONE"]
    scene: Scene
    fps: float
    dropped: int
    t: float
    progress: float | None
    detector_ms: int | None
    message: str | None
    reason: str | None


class HelloMessage(TypedDict):
    """First word of the server."""

    type: Literal["hello"]
    seq: Literal[0]
    version: str
    languages: list[str]


class SnapshotMessage(TypedDict):
    """Everything: on connecting, after ``resync``, when something other than the ledger has changed."""

    type: Literal["snapshot"]
    seq: int
    data: SnapshotData


class EntryData(TypedDict):
    """An entry of the ledger; its body is told in docs/notation.md."""

    seq: int
    id: str
    source: Literal["vision", "person", "rule"]
    t: float | None
    body: dict[str, Any]


class EventMessage(TypedDict):
    """One new entry of the ledger, and the state after it."""

    type: Literal["event"]
    seq: int
    event: EntryData
    data: SnapshotData


class StatusMessage(TypedDict):
    """How the camera is doing; at least every five seconds."""

    type: Literal["status"]
    seq: int
    data: StatusData


class ResultMessage(TypedDict):
    """The answer to a press that was taken down: the entries that it made."""

    type: Literal["result"]
    id: int | str | None
    entries: list[str]


class ErrorMessage(TypedDict):
    """The answer to something that makes no sense, or that cannot be done now.

    ``message`` is one English sentence. ``reason``, where a screen can come to see it, is the name of a text that
    the screen has in its own language, and ``values`` go into that text: a ``card``, a ``seat``, a ``trick`` ...
    """

    type: Literal["error"]
    id: int | str | None
    code: str
    message: str
    reason: str
    values: dict[str, int | str]


class PongMessage(TypedDict):
    """The answer to ``ping``."""

    type: Literal["pong"]
    id: int | str | None


class ResyncMessage(TypedDict):
    """Send the whole state again."""

    type: Literal["resync"]
    id: NotRequired[int | str | None]


class PingMessage(TypedDict):
    """Are you there?"""

    type: Literal["ping"]
    id: NotRequired[int | str | None]


ServerMessage = (
    HelloMessage | SnapshotMessage | EventMessage | StatusMessage | ResultMessage | ErrorMessage | PongMessage
)
