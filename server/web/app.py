"""The web app: the dashboard's files, the game as REST and WebSocket, the live picture.

It shows and asks; the game itself belongs to the :class:`Desk` that it is made for.
"""

import asyncio
import contextlib
import json
from collections.abc import Mapping
from typing import Any, Final, Protocol

from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from engine.errors import EngineError
from server.errors import NotFoundError, PressError, ServerError
from server.messages import PressBody
from server.scoreboard.picture import BOUNDARY, LivePicture
from server.scoreboard.proofs import Proofs
from server.sessions.store import Store
from server.web.archive_api import add_archive
from server.web.guard import Guard, error_body
from server.web.hub import Client, Hub
from server.web.pages import dashboard_folder, page, static_files
from server.web.room import Room
from server.web.start_api import add_start
from vision.errors import VisionError

__all__ = ["create_app", "dashboard_folder"]

SLOW_CLOSE: Final = 1013
AWAY_CLOSE: Final = 1001
REFUSALS: Final = "Brisca-Refusals"
"""The header by which a page asks to be told of refusals (``told``) in answers of status 200..."""

REFUSED: Final = "Brisca-Refused"
"""...and that of such an answer, with the status that a program gets."""

NOT_JSON: Final = "The body of a request is one JSON object as UTF-8 text."
_PATIENCE_S: Final = 2.0


class Desk(Protocol):
    """What the app needs of the running session. All of it is used on the event loop only."""

    hub: Hub
    picture: LivePicture
    store: Store | None
    version: str

    @property
    def proofs(self) -> Proofs:
        """The pictures of what the violations on the screens rest on."""
        ...

    def snapshot(self) -> Mapping[str, Any]:
        """The whole state for a screen."""
        ...

    def hand(self, number: int) -> Mapping[str, Any]:
        """One hand of the game on the screens. Raises NotFoundError where there is none of that number."""
        ...

    def result(self) -> dict[str, Any]:
        """The result as it stands."""
        ...

    def status(self) -> Mapping[str, Any]:
        """How the camera is doing."""
        ...

    def press(self, press: dict[str, Any]) -> tuple[str, ...]:
        """Somebody pressed something; the ids of the ledger entries it made. Raises PressError or EngineError."""
        ...


def create_app(desk: Desk, host_names: tuple[str, ...] = (), room: Room | None = None) -> FastAPI:
    """The app for one desk. ``host_names`` are further names under which the page may be opened.

    ``room`` is the desk itself where it can begin and end games.
    """
    app = FastAPI(
        title="brisca-table",
        version=desk.version,
        docs_url=None,  # its page would load scripts from another host
        redoc_url=None,
        openapi_url="/api/openapi.json",
        middleware=[Middleware(Guard, names=host_names)],
    )
    _add_errors(app)
    _add_pages(app)
    _add_api(app, desk)
    _add_picture(app, desk)
    add_start(app, room)
    add_archive(app, desk.store, room)

    @app.websocket("/ws")
    async def screen(socket: WebSocket) -> None:
        await serve_screen(socket, desk)

    return app


def refuse(
    request: Request, body: dict[str, Any], status: int, headers: Mapping[str, str] | None = None
) -> JSONResponse:
    """An error as JSON. Our own pages ask for refusals as answers like any other, as the WebSocket gives them: browsers
    write every other status to their console as a fault of the network.
    """
    if status < 500 and request.headers.get(REFUSALS) == "told":
        return JSONResponse(body, 200, {**(headers or {}), REFUSED: str(status)})
    return JSONResponse(body, status, dict(headers or {}))


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(ServerError)
    async def server_error(request: Request, error: ServerError) -> JSONResponse:
        return refuse(request, error_body(error.code, str(error), error.reason, error.values), error.status)

    @app.exception_handler(EngineError)
    async def engine_error(request: Request, error: EngineError) -> JSONResponse:
        return refuse(request, error_body("rules", str(error), "against_the_rules"), 400)

    @app.exception_handler(VisionError)
    async def vision_error(request: Request, error: VisionError) -> JSONResponse:
        return JSONResponse(error_body("vision", str(error)), 500)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        if first.get("type") == "json_invalid":
            return refuse(request, error_body("bad_request", NOT_JSON), 400)
        place = ".".join(str(step) for step in first.get("loc", ()) if step != "body") or "body"
        return refuse(request, error_body("bad_request", f"{place}: {first.get('msg', 'not valid')}."), 400)

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
            return page("missing", 404)  # somebody who mistyped an address, not a program
        code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "http")
        message = {
            400: NOT_JSON,  # the only one that the framework itself raises: bytes that are no text, endless brackets
            404: f"There is nothing at {request.url.path}; the scoreboard is at /.",
            405: f"{request.method} cannot be done at {request.url.path}.",
        }.get(error.status_code, str(error.detail))
        return refuse(request, error_body(code, message), error.status_code, error.headers)

    @app.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> JSONResponse:
        return JSONResponse(error_body("internal", "Something went wrong inside brisca; its log tells more."), 500)


def _add_pages(app: FastAPI) -> None:
    # The ways of looking have addresses of their own, which an OBS source or a TV can be given.
    @app.get("/", include_in_schema=False)
    @app.get("/tv", include_in_schema=False)
    @app.get("/overlay", include_in_schema=False)
    async def index() -> Response:
        return page("index")

    app.mount("/static", static_files(), name="static")


def _add_api(app: FastAPI, desk: Desk) -> None:
    @app.get("/api/state")
    async def state() -> JSONResponse:
        """The whole state, as in the WebSocket's snapshot."""
        return JSONResponse(dict(desk.snapshot()))

    @app.get("/api/status")
    async def status() -> JSONResponse:
        """How the camera is doing."""
        return JSONResponse(dict(desk.status()))

    @app.get("/api/hands/{number}")
    async def hand(number: int) -> JSONResponse:
        """A hand of the game on the screens, whole: ``hand``, ``scores`` and ``known`` as in the snapshot."""
        return JSONResponse(dict(desk.hand(number)))

    @app.get("/api/result")
    async def result() -> JSONResponse:
        """The result as it stands, in the format of the result file."""
        return JSONResponse(desk.result())

    @app.get("/api/sessions")
    def sessions() -> JSONResponse:
        """The sessions of the history, the newest first."""
        rows = desk.store.sessions() if desk.store is not None else ()
        return JSONResponse({"sessions": [row.as_json() for row in rows]})

    @app.get("/api/sessions/{session}")
    def session(session: str) -> JSONResponse:
        """One session of the history with its ledger."""
        if desk.store is None:
            raise NotFoundError("This run keeps no history; start it with --data FOLDER to keep one.", "no_history")
        row = desk.store.session(session)
        return JSONResponse({**row.as_json(), "entries": list(desk.store.entries(session))})

    @app.get("/api/health")
    async def health() -> JSONResponse:
        """Whether all is well, for monitors; 503 when the history cannot be written."""
        failure = desk.store.failure if desk.store is not None else None
        body = {
            "status": "ok" if failure is None else "degraded",
            "version": desk.version,
            "camera": desk.status().get("camera"),
            "screens": desk.hub.size,
            "problem": failure,
        }
        return JSONResponse(body, 200 if failure is None else 503)

    @app.post("/api/press")
    async def press(body: PressBody) -> JSONResponse:
        """Press something, as on a screen."""
        return JSONResponse({"entries": list(desk.press(body.model_dump()))})


def _add_picture(app: FastAPI, desk: Desk) -> None:
    @app.get("/live.mjpg")
    async def live() -> StreamingResponse:
        """The live picture with the cards outlined, as motion JPEG."""
        return StreamingResponse(
            desk.picture.stream(),
            media_type=f"multipart/x-mixed-replace; boundary={BOUNDARY}",
            headers={"Cache-Control": "no-store"},
        )

    @app.get("/snapshot.jpg")
    def still() -> Response:
        """The newest frame with the cards outlined."""
        return Response(desk.picture.jpeg(), media_type="image/jpeg", headers={"Cache-Control": "no-store"})

    @app.get("/evidence/{number}.jpg")
    def evidence(number: int) -> Response:
        """A picture of the moment in which a card fell, as named in a violation."""
        picture = desk.proofs.jpeg(number)
        if picture is None:
            raise NotFoundError("That picture is no longer kept; only those of the last hands are.", "picture_gone")
        return Response(picture, media_type="image/jpeg", headers={"Cache-Control": "private, max-age=3600"})


async def serve_screen(socket: WebSocket, desk: Desk) -> None:
    """Talk to one screen until it leaves, falls behind or the server stops."""
    await socket.accept()
    client = desk.hub.join()
    sender = asyncio.create_task(_send(socket, client))
    reader = asyncio.create_task(_receive(socket, client, desk))
    closed = asyncio.create_task(client.wait_closed())
    tasks = (sender, reader, closed)
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if closed.done() and not client.slow:
            await asyncio.wait({sender}, timeout=_PATIENCE_S)
    finally:
        desk.hub.leave(client)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    with contextlib.suppress(Exception):
        # The other side may be gone or stuck: closing is a courtesy that may fail.
        code = SLOW_CLOSE if client.slow else AWAY_CLOSE
        await asyncio.wait_for(socket.close(code), _PATIENCE_S)


async def _send(socket: WebSocket, client: Client) -> None:
    async for text in client:
        await socket.send_text(text)


async def _receive(socket: WebSocket, client: Client, desk: Desk) -> None:
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        reply = answer(message.get("text"), client, desk)
        if reply is not None:
            desk.hub.answer(client, reply)


def answer(text: str | None, client: Client, desk: Desk) -> dict[str, Any] | None:
    """Do what a screen asks; the reply for it, None where the hub has answered already."""
    try:
        message = json.loads(text) if text is not None else None
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        return _error(None, "not_json", "A message is one JSON object as text.")
    number = message.get("id")
    if not isinstance(number, int | str | None) or not str(number).isprintable():
        return _error(None, "bad_id", "The id of a message is a number or a text that can be read.")
    match message.get("type"):
        case "resync":
            desk.hub.resync(client)
            return None
        case "ping":
            return {"type": "pong", "id": number}
        case "press":
            return _press(number, message.get("press"), desk)
        case other:
            return _error(number, "unknown_type", f"There is no message type {json.dumps(other)[:60]}.")


def _press(number: int | str | None, press: object, desk: Desk) -> dict[str, Any]:
    try:
        if not isinstance(press, dict) or not isinstance(press.get("type"), str):
            raise PressError(
                'A press is an object with a \'type\', such as {"type": "arrastre_called", "seat": 1}.', "malformed"
            )
        entries = desk.press(press)
    except ServerError as error:
        return _error(number, error.code, str(error), error.reason, error.values)
    except EngineError as error:
        return _error(number, "rules", str(error), "against_the_rules")
    return {"type": "result", "id": number, "entries": list(entries)}


def _error(
    number: int | str | None, code: str, message: str, reason: str = "", values: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    return {
        "type": "error",
        "id": number,
        "code": code,
        "message": message,
        "reason": reason,
        "values": dict(values or {}),
    }
