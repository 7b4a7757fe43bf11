"""Small scenes at a table of two for tests of the referee: what the camera tells, said one by one."""

from engine.events import GameEvent
from engine.ledger import LedgerEntry
from engine.rules import load_profile
from engine.state import GameState
from server.referee.referee import Referee
from server.seats import default_seats
from vision.facts import EventKind, Kind, TableEvent

STOCK, TRUMP = (300.0, 360.0), (390.0, 360.0)
SOUTH, NORTH = (660.0, 460.0), (640.0, 260.0)


class Scene:
    """A table under a camera of 1280 x 720 in which a card is 100 x 150 pixels."""

    def __init__(self, profile: str = "arrastro", dealer: int | None = None) -> None:
        self.referee = Referee(load_profile(profile, 2), default_seats(2), dealer)
        self.t = 0.0
        self.id = 0
        self.track = 0
        self.entries: list[LedgerEntry] = []

    def say(
        self,
        kind: EventKind,
        at: tuple[float, float],
        labels: dict[str, float] | str = "",
        *,
        track: int | None = None,
        face: Kind = "face",
        side: str | None = None,
        tracks: tuple[int, ...] = (),
        visible: float = 1.0,
        after: float = 1.0,
        t: float | None = None,
    ) -> int:
        if track is None:
            self.track += 1
            track = self.track
        self.id += 1
        self.t = self.t + after if t is None else t
        x, y = at
        quad = ((x - 50, y - 75), (x + 50, y - 75), (x + 50, y + 75), (x - 50, y + 75))
        read = {labels: 0.98} if isinstance(labels, str) and labels else dict(labels or {})
        pairs = tuple(sorted(read.items(), key=lambda one: -one[1]))
        event = TableEvent(
            self.id, self.t, kind, track, face, pairs, quad, (x / 1280, y / 720), visible, (0, 0), None, side, tracks
        )
        self.entries.extend(self.referee.feed(event))
        return track

    def open(self, trump: dict[str, float] | str = "4O", stock: bool = True) -> int:
        if stock:
            self.say("settled", STOCK, face="back")
        return self.say("settled", TRUMP, trump, visible=0.6)

    def south(self, labels: dict[str, float] | str, **more: object) -> int:
        return self.say("settled", SOUTH, labels, side="south", **more)  # type: ignore[arg-type]

    def north(self, labels: dict[str, float] | str, **more: object) -> int:
        return self.say("settled", NORTH, labels, side="north", **more)  # type: ignore[arg-type]

    def sweep(self, *tracks: int, side: str | None = None) -> None:
        self.say("swept", SOUTH, track=tracks[0], tracks=tracks, side=side)

    def trick(self, south: str, north: str, side: str | None = None, *, north_leads: bool = False) -> None:
        order = (("n", north), ("s", south)) if north_leads else (("s", south), ("n", north))
        tracks = [self.south(card) if who == "s" else self.north(card) for who, card in order]
        self.sweep(*tracks, side=side)

    @property
    def facts(self) -> list[GameEvent]:
        return [event for _, event in self.referee.ledger.effective()]

    @property
    def hand(self) -> GameState:
        hand = self.referee.state.hand
        assert hand is not None
        return hand

    def plays(self) -> list[tuple[int, str | None]]:
        return [(play.seat, None if play.card is None else str(play.card)) for play in self.hand.all_plays]
