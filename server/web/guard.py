"""What stands before the app: who may talk to it, how much may be said, and the headers that every answer bears.

The page is for the people in the room. Another web site that somebody has open must not be able to press buttons
(origin check) or to read the game by pointing a name of its own at this machine (host check).
"""

import ipaddress
import json
import socket
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_LIMIT: Final = 64 * 1024
"""Bytes that a request or a WebSocket message may have."""

_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def content_policy(host: str) -> str:
    """The Content-Security-Policy: nothing but our own files; the WebSocket of this host (Safari wants it named)."""
    sockets = f" ws://{host} wss://{host}" if host else ""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
        f"media-src 'self'; manifest-src 'self'; connect-src 'self'{sockets}; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'self'"
    )


def error_body(code: str, message: str, reason: str = "", values: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The one shape of a JSON error; ``reason`` and ``values`` are what a screen says in its own language."""
    return {"error": {"code": code, "message": message, "reason": reason, "values": dict(values or {})}}


class Guard:
    """ASGI middleware with the checks above. ``names`` are host names allowed besides those of this machine."""

    def __init__(self, app: ASGIApp, names: Iterable[str] = ()) -> None:
        self.app = app
        own = socket.gethostname().lower()
        self.names = {"localhost", own, f"{own}.local", f"{own}.lan", f"{own}.home", *names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one connection and hand it on, or answer it here."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, receive, send, *refusal)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
            return
        await self._limited(scope, headers, receive, send)

    def allows_host(self, host: str) -> bool:
        """Whether the page may be asked for under this Host header: an address, or a name of this machine."""
        name = host_name(host)
        if not name:
            return False
        try:
            ipaddress.ip_address(name.split("%")[0])
        except ValueError:
            return name in self.names
        return True

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str, str] | None:
        host = headers.get("host", "")
        if not self.allows_host(host):
            return (
                403,
                "bad_host",
                "This page is not served under that name; open it by the address that brisca prints.",
            )
        origin = headers.get("origin")
        changes = scope["type"] == "websocket" or scope["method"] not in _SAFE_METHODS
        if changes and origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return 403, "bad_origin", "Another web site may not press buttons here; open the scoreboard itself."
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit():
            return 400, "bad_length", "The Content-Length of the request is no number."
        if int(length) > BODY_LIMIT:
            return 413, "too_large", f"A request may have at most {BODY_LIMIT} bytes."
        return None

    async def _limited(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        host = headers.get("host", "")
        received = 0
        started = False
        refused = False

        async def counted() -> Message:
            nonlocal received, refused
            message = await receive()
            if message["type"] == "http.request":
                received += len(message.get("body", b""))
                if received > BODY_LIMIT and not started:
                    refused = True
                    await _refuse(scope, receive, send, 413, "too_large", f"At most {BODY_LIMIT} bytes, please.")
                    return {"type": "http.disconnect"}
            return message

        async def dressed(message: Message) -> None:
            nonlocal started
            if refused:
                return
            if message["type"] == "http.response.start":
                started = True
                dress(MutableHeaders(scope=message), host)
            await send(message)

        await self.app(scope, counted, dressed)


def dress(headers: MutableHeaders, host: str) -> None:
    """Add the headers that every answer bears."""
    headers["Content-Security-Policy"] = content_policy(host)
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "no-referrer"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    headers.setdefault("Cache-Control", "no-cache")


def host_name(host: str) -> str:
    """The name or address of a Host header without its port, lower case; empty when it is malformed."""
    if any(character in host for character in "/\\@?# \t;,'\""):
        return ""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, code: str, message: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": code})
        return
    body = json.dumps(error_body(code, message)).encode("utf-8")
    headers = MutableHeaders({"content-type": "application/json", "content-length": str(len(body))})
    dress(headers, "")
    # The body of a refused request is not read: the connection cannot be used again.
    headers["Connection"] = "close"
    await send({"type": "http.response.start", "status": status, "headers": headers.raw})
    await send({"type": "http.response.body", "body": body})
