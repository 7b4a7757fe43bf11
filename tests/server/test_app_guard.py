"""What stands before the app, tried with real requests over a real socket."""

import asyncio
import http.client
import json
import socket
import threading
from collections.abc import AsyncIterator, Iterator

import pytest
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import StreamingResponse
from starlette.middleware import Middleware

from server.web.guard import BODY_LIMIT, Guard, content_policy, host_name

PORT_OF: dict[str, int] = {}


def small_app() -> FastAPI:
    app = FastAPI(middleware=[Middleware(Guard, names=("scores.example",))])

    @app.get("/")
    async def index() -> dict[str, str]:
        return {"hello": "there"}

    @app.post("/echo")
    async def echo(request: Request) -> dict[str, int]:
        return {"bytes": len(await request.body())}

    @app.get("/stream")
    async def stream() -> StreamingResponse:
        async def parts() -> AsyncIterator[bytes]:
            yield b"part"

        return StreamingResponse(parts())

    return app


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(small_app(), log_level="error", lifespan="off", ws="none"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])), daemon=True)
    thread.start()
    yield listener.getsockname()[1]
    server.should_exit = True
    thread.join(5)


def ask(
    port: int,
    method: str,
    path: str,
    headers: dict[str, str] | None = None,
    body: bytes | Iterator[bytes] | None = None,
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request(method, path, body, headers or {}, encode_chunked=not isinstance(body, bytes | None))
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def test_every_answer_bears_the_headers(port: int) -> None:
    status, headers, _ = ask(port, "GET", "/")
    assert status == 200
    assert headers["content-security-policy"] == content_policy(f"127.0.0.1:{port}")
    assert "script-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert ask(port, "GET", "/nothing")[1]["x-content-type-options"] == "nosniff"
    assert ask(port, "GET", "/stream")[2] == b"part"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:{port}", 200),
        ("127.0.0.1:{port}", 200),
        ("192.168.1.20:{port}", 200),
        ("[::1]:{port}", 200),
        ("scores.example", 200),
        ("SCORES.example.:80", 200),
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("", 403),
        ("a@localhost", 403),
        ("localhost; script-src *", 403),
    ],
)
def test_other_names_than_this_machines_are_not_answered(port: int, host: str, status: int) -> None:
    answer, _, body = ask(port, "GET", "/", {"Host": host.format(port=port)})
    assert answer == status
    if status == 403:
        assert json.loads(body)["error"]["code"] == "bad_host"


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1"])
def test_other_sites_cannot_press(port: int, origin: str) -> None:
    status, _, body = ask(port, "POST", "/echo", {"Origin": origin}, b"x")
    assert (status, json.loads(body)["error"]["code"]) == (403, "bad_origin")
    assert ask(port, "GET", "/", {"Origin": origin})[0] == 200


def test_our_own_page_and_programs_without_origin_can_press(port: int) -> None:
    assert ask(port, "POST", "/echo", {"Origin": f"http://127.0.0.1:{port}"}, b"x")[0] == 200
    assert ask(port, "POST", "/echo", {}, b"x")[0] == 200


def test_a_body_has_a_limit_told_or_not(port: int) -> None:
    assert ask(port, "POST", "/echo", {}, b"x" * BODY_LIMIT)[0] == 200
    status, _, body = ask(port, "POST", "/echo", {"Content-Length": str(BODY_LIMIT + 1)}, b"")
    assert (status, json.loads(body)["error"]["code"]) == (413, "too_large")
    chunks = (b"x" * 8192 for _ in range(BODY_LIMIT // 8192 + 2))
    status, _, body = ask(port, "POST", "/echo", {"Transfer-Encoding": "chunked"}, chunks)
    assert (status, json.loads(body)["error"]["code"]) == (413, "too_large")
    assert ask(port, "GET", "/")[0] == 200


def test_host_names_are_taken_apart() -> None:
    assert host_name("[fe80::1%25eth0]:8420") == "fe80::1%25eth0"
    assert host_name("[broken") == ""
    assert host_name("A.Local.:80") == "a.local"
