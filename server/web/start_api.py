"""The start page and its requests: cameras, a look through them, beginning and ending a game, the way in for phones.

Whatever opens a device is a POST, so that no other web site can set it off by an address alone (see
server/web/guard.py).
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse

from server.errors import BusyError, CameraError, FilmError, NotFoundError, StartError, StreamError
from server.sessions.journals import Journals
from server.sessions.recording import is_recording
from server.web.opening import DEMO, NONE
from server.web.pages import page
from server.web.qr import qr_svg
from server.web.room import Room
from server.web.start import (
    ResumeBody,
    SessionBody,
    SourceBody,
    StartBody,
    chosen,
    kind_of,
    offers,
    plan_of,
    recall,
    remember,
    source_spec,
)
from server.web.unfinished import find_unfinished, offer, plan_again
from vision.camera import CameraListing, probe_cameras
from vision.errors import SourceError

_KINDS = {"camera": CameraError, "stream": StreamError, "film": FilmError, "demo": StartError, "none": StartError}


def add_start(app: FastAPI, room: Room | None) -> None:
    """Add the routes to the app. Without a room they answer that this run cannot begin games."""
    probing = asyncio.Lock()

    @app.get("/start", include_in_schema=False)
    async def start_page() -> Response:
        return page("start")

    @app.get("/places", include_in_schema=False)
    async def places_page() -> Response:
        return page("places")

    @app.get("/api/start")
    def start() -> JSONResponse:
        """What can be played, what was chosen the last time, the game that is going on, and one that was left off."""
        own = _demand(room)
        running, playing = None, None
        if own.playing and own.game is not None:
            table, playing = own.game.plan.table, own.game.facts.id
            running = {
                "id": playing,
                "source": own.game.facts.source,
                "names": [seat.name for seat in table.seats],
            }
        remembered = recall(own.store)
        if own.preset:
            remembered = {**(remembered or {}), **chosen(own.usual)}
        left = None if own.journals is None else offer(own.journals, playing)
        if own.deck is not None:
            remembered = {**(remembered or {}), "deck": own.deck}
        decks = [] if own.decks is None else own.decks.names()
        told = {"decks": decks, "remembered": remembered, "running": running, "unfinished": left}
        return JSONResponse({**offers(), **told})

    @app.post("/api/cameras")
    async def cameras() -> JSONResponse:
        """Look for the cameras of this machine. Each is opened for a moment; the one being watched is in use."""
        own = _demand(room)
        async with probing:
            await asyncio.to_thread(own.preview.close)
            found = await asyncio.to_thread(probe_cameras)
        listed = [_camera(one, False) for one in found]
        game = own.game
        if own.playing and game is not None and game.source is not None and game.source.info.kind == "camera":
            info, index = game.source.info, int(game.plan.source.removeprefix("/dev/video"))
            busy = CameraListing(index, info.name, info.width, info.height, info.fps)
            listed = [one for one in listed if one["index"] != index] + [_camera(busy, True)]
        return JSONResponse({"cameras": sorted(listed, key=lambda one: int(one["index"]))})

    @app.post("/api/preview", response_class=Response, responses={200: {"content": {"image/jpeg": {}}}})
    async def preview(source: SourceBody) -> Response:
        """The newest picture of a source, as JPEG. The source stays open for some seconds for the next look."""
        own = _demand(room)
        if source.kind == "none":
            raise StartError("A score that is kept by hand needs no picture.", "no_picture_by_hand")
        spec = source_spec(source, recall(own.store, masked=False))
        if own.playing and own.game is not None and own.game.plan.source == spec:
            data = await asyncio.to_thread(own.picture.jpeg)
        elif source.kind == "film" and is_recording(Path(spec)):
            raise FilmError(
                "A recorded session has no pictures to show; it can be played all the same.", "no_picture_of_recording"
            )
        else:
            with _told(source.kind):
                data = await asyncio.to_thread(own.preview.still, spec)
        return Response(data, media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    @app.post("/api/game", status_code=201)
    async def begin(body: StartBody) -> JSONResponse:
        """Begin a game. 409 while one is going on, unless ``replace`` is true."""
        own = _demand(room)
        spec = source_spec(body.source, recall(own.store, masked=False))
        plan = plan_of(body, spec, decks=own.decks)
        with _told(body.source.kind):
            game = await own.begin(plan, body.replace)
        remember(own.store, body, spec)
        return JSONResponse({"session": game.facts.id}, 201)

    @app.post("/api/game/resume", status_code=201)
    async def resume(body: ResumeBody) -> JSONResponse:
        """Go on with a game that was left off. 409 while one is going on."""
        own, remembered = _demand(room), recall(_demand(room).store, masked=False)
        recording = await asyncio.to_thread(find_unfinished, body.session, _journals(own))
        spec = None if body.source is None else source_spec(body.source, remembered)
        plan = plan_again(recording, spec, remembered)
        deck = own.deck or (remembered or {}).get("deck")
        if deck is not None and own.decks is not None and deck in own.decks.names() and plan.source not in (DEMO, NONE):
            plan = replace(plan, deck=own.decks.load(deck))
        with _told(kind_of(plan.source)):
            game = await own.begin(plan)
        return JSONResponse({"session": game.facts.id}, 201)

    @app.post("/api/game/discard")
    async def discard(body: SessionBody) -> JSONResponse:
        """Offer a game that was left off no more; what the history has of it stays. 409 while it is going on."""
        own = _demand(room)
        if own.playing and own.game is not None and own.game.facts.id == body.session:
            raise BusyError("This game is being played: end it first.", "playing")
        await asyncio.to_thread(_journals(own).forget, body.session)
        return JSONResponse({"discarded": body.session})

    @app.post("/api/game/end")
    async def end() -> JSONResponse:
        """End the game that is going on; its result stays on the screens until the next one."""
        return JSONResponse({"session": await _demand(room).end()})

    @app.get("/api/address")
    async def address() -> JSONResponse:
        """Where the scoreboard is: ``own`` for this machine, ``room`` for other devices, null when they cannot."""
        addresses = None if room is None else room.addresses
        return JSONResponse(
            {"own": addresses and addresses.own, "room": addresses and addresses.room},
        )

    @app.get("/qr.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}})
    def qr() -> Response:
        """The address for other devices as a QR code; 404 when only this machine can reach the page."""
        url = _demand(room).addresses.room
        if url is None:
            raise NotFoundError(
                "Phones cannot reach this page yet: start brisca with --host 0.0.0.0.", "not_in_the_room"
            )
        return Response(qr_svg(url), media_type="image/svg+xml")


def _journals(room: Room) -> Journals:
    if room.journals is None:
        raise NotFoundError(
            "This run keeps no unfinished games; start it with --data FOLDER to keep them.", "no_history"
        )
    return room.journals


def _demand(room: Room | None) -> Room:
    if room is None:
        raise NotFoundError("This run shows one game and can begin no other; start 'brisca watch'.", "one_game_only")
    return room


def _camera(found: CameraListing, in_use: bool) -> dict[str, Any]:
    return {
        "index": found.index,
        "label": found.label,
        "width": found.width,
        "height": found.height,
        "fps": round(found.fps, 1),
        "in_use": in_use,
    }


@contextmanager
def _told(kind: str) -> Iterator[None]:
    """A source's trouble under the kind of the source, so that a page can say it in the reader's language."""
    try:
        yield
    except SourceError as error:
        raise _KINDS[kind](str(error), error.reason) from error
