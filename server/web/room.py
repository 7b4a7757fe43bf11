"""The room: its screens stay connected while one game ends and the next begins.

At most one game is watched at a time. The room is the desk of the web app; what it is asked about the game it asks the
running table, and without one it says that none is being played.
"""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from server.decks import Decks
from server.errors import BusyError, NotFoundError, PressError
from server.messages import EarlierHandData, SnapshotData, StatusData
from server.scoreboard.picture import LivePicture
from server.scoreboard.proofs import Proofs
from server.scoreboard.snapshot import snapshot_json
from server.sessions.journals import Journals
from server.sessions.session import Session, Table
from server.sessions.sitting import SessionFacts
from server.sessions.store import Store
from server.web.hub import Hub
from server.web.live import LiveTable, keep_telling
from server.web.opening import NONE, Game, Plan, open_game
from server.web.preview import Preview
from vision.errors import SourceError
from vision.source import open_source

T = TypeVar("T")

_TRIES: Final = 3
_TRY_SECONDS: Final = 0.7


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the page is: on this machine, and for other devices in the room (None: only this machine can reach it)."""

    own: str
    room: str | None


class Room:
    """Begins, shows and ends games. All methods are called on the event loop.

    ``usual`` is the table shown before the first game; ``preset`` says that it was asked for on the command line and
    goes before what was remembered. ``decks`` are those that somebody has enrolled (None: not offered), and ``deck``
    is the name of the one that was asked for on the command line. ``on_over`` hears of each game that has made way for
    another or for the end of the program. ``learn`` is the folder for crops of the cards that people put right.
    """

    def __init__(
        self,
        usual: Table,
        version: str,
        addresses: Addresses,
        store: Store | None = None,
        on_over: Callable[[Game], None] | None = None,
        learn: Path | None = None,
    ) -> None:
        self.version = version
        self.addresses = addresses
        self.store = store
        self.journals = None if store is None else Journals(store.path.parent)
        self.picture = LivePicture()
        self.hub = Hub(self.snapshot, version)
        self.preview = Preview()
        self.game: Game | None = None
        self.usual = usual
        self.preset = False
        self.decks: Decks | None = None
        self.deck: str | None = None
        self._on_over = on_over
        self._learn = learn
        self._table: LiveTable | None = None
        self._waiting: Game | None = None
        self._changing = asyncio.Lock()

    # Start and stop ------------------------------------------------------------------------------------------------

    def open_with(self, game: Game) -> None:
        """Have a game ready that begins with :meth:`start`."""
        self._waiting = game

    def start(self) -> None:
        """Begin the game that is ready, if there is one."""
        if self._waiting is not None:
            self._seat(self._waiting)
            self._waiting = None

    async def tell_status(self) -> None:
        """Publish the status until cancelled."""
        await keep_telling(self.hub, self.status)

    async def stop(self) -> None:
        """End the game and let the screens go."""
        await asyncio.to_thread(self.preview.close)
        await self._clear()
        self.picture.close()
        self.hub.close()

    # Games ---------------------------------------------------------------------------------------------------------

    @property
    def playing(self) -> bool:
        """Whether a game is going on."""
        return self._table is not None and not self._table.ended

    async def begin(self, plan: Plan, replace: bool = False) -> Game:
        """Begin a game; ``replace`` ends the one that is going on, else that raises :class:`BusyError`.

        Nobody is asked for a game that could not begin: where the source is not there, that is told first. The old game
        goes on if the new one cannot be opened, unless both need the same camera. Raises what
        :func:`~server.web.opening.open_game` raises.
        """
        async with self._changing:
            if self.playing and not replace:
                await self._look_for(plan)
                raise BusyError("A game is being played: end it first, or ask for it to be replaced.", "playing")
            await asyncio.to_thread(self.preview.close)
            if self.game is not None and self.game.live and self.game.plan.source == plan.source:
                self._settle()
                await self._clear()
            game = await self._open(plan)
            self._settle()
            await self._clear()
            self._seat(game)
            return game

    async def end(self) -> str:
        """End the game going on and give its id; its result stays on the screens. Without one: NotFoundError."""
        async with self._changing:
            table = self._table
            if table is None or table.ended:
                raise NotFoundError("No game is being played.", "no_game")
            await table.stop()
            self._settle()
            if self.game is not None:
                self.game.stop.set()
                if self.game.source is not None:
                    await asyncio.to_thread(self.game.source.close)
            self.hub.status(self.status())
            return table.facts.id

    async def put_away(self) -> None:
        """Take a game that has ended off the screens. Raises :class:`BusyError` while it is going on."""
        async with self._changing:
            if self.playing:
                raise BusyError("A game is being played: end it first.", "playing")
            await self._clear()
            self.hub.snapshot()
            self.hub.status(self.status())

    async def _look_for(self, plan: Plan) -> None:
        """Open what is to be watched for a moment; raises :class:`~vision.errors.SourceError` where it is not there."""
        if plan.recording is not None or plan.source == NONE:
            return
        if self.game is not None and self.game.live and self.game.plan.source == plan.source:
            return  # it is being watched, and may serve one at a time
        await asyncio.to_thread(self.preview.close)
        stop = threading.Event()

        def look() -> None:
            with open_source(plan.source, live=False, stop=stop):
                stop.set()

        await self._opening(plan, look)

    async def _open(self, plan: Plan) -> Game:
        return await self._opening(plan, lambda: open_game(plan, self.store, self.journals, self._learn))

    @staticmethod
    async def _opening(plan: Plan, call: Callable[[], T]) -> T:
        for tried in range(1, _TRIES + 1):
            try:
                return await asyncio.to_thread(call)
            except SourceError:
                # Some drivers need a moment before a camera that was just released can be had again.
                if tried == _TRIES or not plan.source.isdecimal():
                    raise
                await asyncio.sleep(_TRY_SECONDS)
        raise AssertionError("the last try returns or raises")

    def _seat(self, game: Game) -> None:
        self.picture.offer(None, (1280, 720), ())
        table = LiveTable(
            game.session,
            game.facts,
            game.steps(),
            game.stop,
            version=self.version,
            store=self.store,
            on_end=game.keep,
            screens=(self.hub, self.picture),
            lessons=game.lessons,
        )
        table.frames = game.frames
        if game.by_hand:
            table.camera = "NONE"
        table.source_over = game.settle
        if game.source is not None:
            source = game.source
            table.dropped = lambda: source.dropped
            game.relay.target = table.note_camera
        self.game, self._table = game, table
        game.begin()
        table.start()
        self.hub.snapshot()
        self.hub.status(self.status())

    def _settle(self) -> None:
        """The game is over for good; closing the program alone does not end it."""
        if self.game is not None:
            self.game.settle()

    async def _clear(self) -> None:
        table, game = self._table, self.game or self._waiting
        if table is not None:
            await table.stop()
        if game is not None:
            await asyncio.to_thread(game.close)
            if self._on_over is not None:
                self._on_over(game)
        self.game = self._table = self._waiting = None

    # The desk of the web app ---------------------------------------------------------------------------------------

    @property
    def proofs(self) -> Proofs:
        """The pictures of the game on the screens; none without a game."""
        return self._table.proofs if self._table is not None else Proofs()

    def snapshot(self) -> SnapshotData:
        """The whole state for a screen; without a game ``session.idle`` is true and ``hand`` is null."""
        if self._table is not None:
            return self._table.snapshot()
        shown = snapshot_json(SessionFacts("", "", ""), Session(self.usual), False)
        shown["hand"], shown["session"]["idle"] = None, True
        return shown

    def hand(self, number: int) -> EarlierHandData:
        """One hand of the game on the screens; :class:`NotFoundError` without it."""
        if self._table is None:
            raise NotFoundError("No game has been played yet.", "no_game")
        return self._table.hand(number)

    def result(self) -> dict[str, Any]:
        """The result as it stands; :class:`NotFoundError` without a game."""
        if self._table is None:
            raise NotFoundError("No game has been played yet.", "no_game")
        return self._table.result()

    def status(self) -> StatusData:
        """How the camera is doing."""
        if self._table is not None:
            return self._table.status()
        return {
            "camera": "INIT",
            "scene": "ok",
            "fps": 0.0,
            "dropped": 0,
            "t": 0.0,
            "progress": None,
            "detector_ms": None,
            "message": None,
            "reason": None,
        }

    def press(self, press: dict[str, Any]) -> tuple[str, ...]:
        """Somebody pressed something; the ids of the ledger entries it made."""
        if self._table is None:
            raise PressError("No game is being played; begin one on the start page.", "no_game")
        return self._table.press(press)
