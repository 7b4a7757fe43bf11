"""The history's pages and requests: games, one game, statistics, files, forgetting."""

import asyncio
import contextlib
from typing import Literal

from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from server.errors import BusyError, NotFoundError, StoreError
from server.history.archive import ALL, forget_player, game_json, games_with, revise, same_name, summary_json
from server.history.export import MEDIA, export
from server.history.statistics import player_records
from server.messages import PressBody
from server.sessions.journals import Journals
from server.sessions.store import Store
from server.web.pages import page
from server.web.room import Room


class ForgetBody(BaseModel):
    """Whom to forget; ``games`` true deletes the games as well, else they stay and only the name goes."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=200)
    games: bool = False


def add_archive(app: FastAPI, store: Store | None, room: Room | None) -> None:
    """Add the routes to the app. ``room`` is asked whether a game is going on before one is deleted."""

    revising = asyncio.Lock()

    @app.get("/history", include_in_schema=False)
    async def history_page() -> Response:
        return page("history")

    @app.get("/history/{session}", include_in_schema=False)
    def game_page(session: str) -> Response:
        try:
            _demand(store).session(session)
        except NotFoundError:
            return page("missing", 404)
        return page("game")

    @app.get("/api/history")
    def history() -> JSONResponse:
        """The games of the history in short, the newest first."""
        kept = _demand(store)
        games = []
        for row in kept.sessions(ALL):
            with contextlib.suppress(StoreError):  # one game of unknown rules must not hide the others
                games.append(summary_json(kept, row))
        return JSONResponse({"games": games})

    @app.get("/api/players")
    def players() -> JSONResponse:
        """What each player has done in the complete hands of the history."""
        return JSONResponse({"players": [record.as_json() for record in player_records(_demand(store))]})

    @app.get("/api/sessions/{session}/game")
    def game(session: str) -> JSONResponse:
        """A whole game of the history: hands, tricks, violations, match, corrections."""
        kept = _demand(store)
        return JSONResponse(game_json(kept, kept.session(session)))

    @app.get("/api/sessions/{session}/export/{form}", response_class=Response)
    def file(session: str, form: Literal["csv", "json", "txt"]) -> Response:
        """A game as a file: the plays as CSV, the record as JSON, the record as text."""
        kept = _demand(store)
        text = export(kept, kept.session(session), form)
        name = f'attachment; filename="brisca-{session}.{form}"'
        return Response(text, media_type=MEDIA[form], headers={"Content-Disposition": name})

    @app.post("/api/sessions/{session}/press")
    async def press(session: str, body: PressBody) -> JSONResponse:
        """Put a game of the history right by a press; the one on the screens takes it as from a screen.

        409 for a game that was left off and can still go on.
        """
        kept, pressed = _demand(store), body.model_dump()
        if room is not None and room.game is not None and room.game.facts.id == session:
            made = list(room.press(pressed))
            await asyncio.to_thread(kept.flush)  # whoever asks for the game next finds it there
            return JSONResponse({"entries": made})
        async with revising:  # of two phones the second one builds on what the first has said
            row = await asyncio.to_thread(kept.session, session)
            if row.ended is None and room is None:
                raise BusyError("This game is still being played: end it first.", "playing")
            if any(one.folder.name == session for one in Journals(kept.path.parent).unfinished()):
                raise BusyError(
                    "This game was left off and can still go on: decide on the start page what becomes of it, then put "
                    "it right.",
                    "left_off",
                )
            return JSONResponse({"entries": list(await asyncio.to_thread(revise, kept, row, pressed))})

    @app.delete("/api/sessions/{session}")
    async def delete(session: str) -> JSONResponse:
        """Delete a game. 409 while it is going on; a game that has ended also leaves the screens."""
        kept = _demand(store)
        kept.session(session)
        if room is not None and room.game is not None and room.game.facts.id == session:
            await _take_away(room)
        await asyncio.to_thread(kept.delete, session)
        Journals(kept.path.parent).forget(session)
        return JSONResponse({"deleted": session})

    @app.post("/api/players/forget")
    async def forget(body: ForgetBody) -> JSONResponse:
        """Forget a player everywhere in the history. 409 while the player is in the game going on."""
        kept = _demand(store)
        if room is not None and room.game is not None:
            seats = room.game.session.table.seats
            if any(same_name(seat.name, body.name) for seat in seats):
                await _take_away(room)
        if not await asyncio.to_thread(games_with, kept, body.name):
            raise NotFoundError(f"Nobody called {body.name} is in the history.", "nobody_of_that_name", name=body.name)
        Journals(kept.path.parent).forget_player(lambda name: same_name(name, body.name))
        return JSONResponse({"games": await asyncio.to_thread(forget_player, kept, body.name, body.games)})


async def _take_away(room: Room) -> None:
    if room.playing:
        raise BusyError("This game is still being played: end it first.", "playing")
    await room.put_away()


def _demand(store: Store | None) -> Store:
    if store is None:
        raise NotFoundError("This run keeps no history; start it with --data FOLDER to keep one.", "no_history")
    return store
