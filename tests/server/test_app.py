"""The web app with everything real: uvicorn on a port, WebSocket clients, the game of a witnessed film."""

import contextlib
import http.client
import json
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from served import is_type, running, until
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.errors import RecordingError
from server.sessions.intake import Seen
from server.sessions.store import Store
from server.web.guard import BODY_LIMIT
from vision.errors import SourceError
from vision.source import open_source


def test_a_screen_follows_the_game_by_numbered_messages(tmp_path: Path, witnessed: Callable[..., Any]) -> None:
    game = witnessed(1, tricks=2)
    with running(tmp_path) as server, server.screen() as screen:
        hello = json.loads(screen.recv(timeout=5))
        assert hello == {"type": "hello", "seq": 0, "version": "1.2.3", "languages": ["es", "en", "it", "pt"]}
        first = json.loads(screen.recv(timeout=5))
        assert first["type"] == "snapshot"
        assert first["data"]["hand"]["phase"] == "setup"
        assert [seat["name"] for seat in first["data"]["seats"]] == ["Ana", "Luis"]
        server.feed(*(Seen(observation) for observation in game.observations))
        seqs, ids, last = [first["seq"]], [], first
        while (
            len(last["data"].get("hand", {}).get("tricks", ())) < 2
            or last["data"]["hand"]["tricks"][1]["winner"] is None
        ):
            message = json.loads(screen.recv(timeout=30))
            seqs.append(message["seq"])
            if message["type"] == "event":
                ids.append(message["event"]["id"])
                last = message
        assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))
        assert ids == [f"e{number}" for number in range(1, len(ids) + 1)]
        status, state = server.get("/api/state")
        assert status == 200
        assert state["hand"]["tricks"] == last["data"]["hand"]["tricks"]
        assert sum(score["points"] for score in state["scores"]) == sum(
            trick["points"] for trick in state["hand"]["tricks"]
        )
        assert sum(score["captured"] for score in state["scores"]) == 4


def test_the_end_of_the_source_is_told_and_the_result_kept(tmp_path: Path, witnessed: Callable[..., Any]) -> None:
    game = witnessed(1, tricks=1)
    with running(tmp_path) as server, server.screen() as screen:
        server.feed(*(Seen(observation) for observation in game.observations))
        server.steps.put(None)
        ended = until(screen, lambda message: message["type"] == "snapshot" and message["data"]["session"]["ended"])
        assert len(ended["data"]["hand"]["tricks"]) == 1
        assert server.get("/api/status")[1]["camera"] == "ENDED"
        assert server.results == [server.get("/api/result")[1]]
        store = server.table.store
        assert store is not None
        store.flush()
        status, kept = server.get(f"/api/sessions/{server.table.facts.id}")
        assert status == 200
        assert [entry["id"] for entry in kept["entries"]] == [
            f"e{number + 1}" for number in range(len(kept["entries"]))
        ]
        assert server.get("/api/sessions")[1]["sessions"][0]["id"] == server.table.facts.id


def test_presses_are_answered_and_reach_every_screen(tmp_path: Path, witnessed: Callable[..., Any]) -> None:
    with running(tmp_path) as server, server.screen() as one, server.screen() as other:
        one.send(json.dumps({"type": "press", "id": 7, "press": {"type": "set_trump", "card": "4O"}}))
        answer = until(one, is_type("result"))
        assert answer["id"] == 7
        assert answer["entries"]
        told = until(other, is_type("event"))
        assert told["data"]["hand"]["trump"] == {"suit": "O", "card": "4O", "on_table": True}
        status, body = server.ask("POST", "/api/press", b'{"type": "add_play", "trick": 1, "seat": 0, "card": "3C"}')
        assert (status, len(body["entries"])) == (200, 1)
        until(one, lambda message: message["type"] == "event" and bool(message["data"]["hand"]["trick"]["plays"]))


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("{", "not_json"),
        ("[1]", "not_json"),
        ('{"type": "dance", "id": 3}', "unknown_type"),
        ('{"id": 3}', "unknown_type"),
        ('{"type": "press", "id": 3}', "bad_press"),
        ('{"type": "press", "id": 3, "press": {"type": "arrastre_called", "seat": 9}}', "bad_press"),
        ('{"type": "press", "id": 3, "press": {"type": "no_such"}}', "bad_press"),
        ('{"type": "press", "id": [3], "press": {"type": "undo"}}', "bad_id"),
        (b"\x00\x01", "not_json"),
        ("[" * 20000, "not_json"),
    ],
)
def test_what_makes_no_sense_is_one_error_and_the_screen_stays(tmp_path: Path, sent: str | bytes, code: str) -> None:
    with running(tmp_path, store=False) as server, server.screen() as screen:
        screen.send(sent)
        answer = until(screen, is_type("error"))
        assert answer["code"] == code
        assert answer["message"].endswith(".")
        assert answer["id"] == (3 if '"id": 3' in str(sent) else None)
        screen.send('{"type": "ping", "id": 8}')
        assert until(screen, is_type("pong"))["id"] == 8


def test_a_gap_is_healed_by_asking_for_everything(tmp_path: Path) -> None:
    with running(tmp_path) as server, server.screen() as screen:
        server.ask("POST", "/api/press", b'{"type": "set_trump", "suit": "C"}')
        event = until(screen, is_type("event"))
        screen.send('{"type": "resync"}')
        snapshot = until(screen, is_type("snapshot"))
        assert snapshot["seq"] >= event["seq"]
        assert snapshot["data"]["hand"]["trump"]["suit"] == "C"


def test_a_message_that_is_too_long_closes_only_that_screen(tmp_path: Path) -> None:
    with running(tmp_path) as server, server.screen() as screen:
        screen.send("x" * (BODY_LIMIT + 1))
        with pytest.raises(ConnectionClosed):
            until(screen, is_type("error"))
        with server.screen() as again:
            until(again, is_type("snapshot"))


def test_a_page_of_another_site_cannot_open_the_socket(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        with pytest.raises(InvalidStatus):
            server.screen(origin="http://evil.example")
        with server.screen(origin=f"http://127.0.0.1:{server.port}") as screen:
            until(screen, is_type("snapshot"))


def test_a_stuck_screen_is_dropped_and_the_others_go_on(tmp_path: Path) -> None:
    with running(tmp_path) as server, server.screen() as lively:
        stuck = socket.create_connection(("127.0.0.1", server.port))
        stuck.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        key = "dGhlIHNhbXBsZSBub25jZQ=="
        head = "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        stuck.sendall(f"{head}Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        until(lively, is_type("snapshot"))
        end = time.monotonic() + 5
        while server.table.hub.size < 2 and time.monotonic() < end:
            time.sleep(0.01)
        loop = server.table._loop
        assert loop is not None
        got = 0
        for _ in range(1200):
            loop.call_soon_threadsafe(server.table.hub.event, {"id": "big"}, {"text": "x" * 8000})
            got += until(lively, is_type("event"))["event"]["id"] == "big"
            if server.table.hub.dropped:
                break
        assert server.table.hub.dropped == 1
        assert server.table.hub.size == 1
        stuck.close()


def test_errors_have_one_shape(tmp_path: Path) -> None:
    with running(tmp_path, store=False) as server:
        asked = [
            ("GET", "/nothing", None, 404, "not_found"),
            ("GET", "/static/no.js", None, 404, "not_found"),
            ("GET", "/static/../app.py", None, 404, "not_found"),
            ("DELETE", "/api/state", None, 405, "method_not_allowed"),
            ("GET", "/api/sessions/x", None, 404, "not_found"),
            ("POST", "/api/press", b"{", 400, "bad_request"),
            ("POST", "/api/press", b'{"seat": 1}', 400, "bad_request"),
            ("POST", "/api/press", b'{"type": "no_such"}', 400, "bad_press"),
            ("GET", "/docs", None, 404, "not_found"),
        ]
        for method, path, body, status, code in asked:
            answer, content = server.ask(method, path, body)
            assert (answer, content["error"]["code"]) == (status, code), path
            assert set(content) == {"error"}
            assert content["error"]["message"]
        assert server.get("/api/sessions") == (200, {"sessions": []})
        assert "/api/press" in server.get("/api/openapi.json")[1]["paths"]


def test_the_page_and_its_files_are_served_and_call_no_other_host(tmp_path: Path) -> None:
    with running(tmp_path, store=False) as server:
        status, page = server.get("/")
        assert status == 200
        text = page.decode()
        assert "<script>" not in text
        assert 'src="/static/' in text
        assert "http://" not in text.replace("http://www.w3.org", "")
        assert "https://" not in text


def test_the_live_picture_shows_the_cards_and_is_made_only_for_those_who_look(
    tmp_path: Path, witnessed: Callable[..., Any]
) -> None:
    observation = witnessed(1, tricks=1).observations[40]
    image = np.full((720, 1280, 3), 60, np.uint8)
    with running(tmp_path, store=False) as server:
        server.feed(Seen(observation, image))
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        connection.request("GET", "/live.mjpg")
        answer = connection.getresponse()
        assert answer.headers["content-type"].startswith("multipart/x-mixed-replace; boundary=")
        jpegs = []
        for _ in range(2):
            length = 0
            while (line := answer.readline().strip()) or not length:
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            jpegs.append(answer.read(length))
            answer.readline()
        assert server.table.picture.viewers == 1
        connection.close()
        end = time.monotonic() + 5
        while server.table.picture.viewers and time.monotonic() < end:
            time.sleep(0.02)
        assert server.table.picture.viewers == 0
        shown = cv2.imdecode(np.frombuffer(jpegs[-1], np.uint8), cv2.IMREAD_COLOR)
        assert shown is not None
        assert shown.shape == image.shape
        assert int(shown[:, :, 1].max()) > 150
        assert server.get("/snapshot.jpg")[1][:3] == b"\xff\xd8\xff"


def test_the_live_picture_can_be_watched_as_a_camera(tmp_path: Path, witnessed: Callable[..., Any]) -> None:
    observation = witnessed(1, tricks=1).observations[40]
    with running(tmp_path, store=False) as server:
        server.feed(Seen(observation, np.full((720, 1280, 3), 60, np.uint8)))
        with open_source(f"http://127.0.0.1:{server.port}/live.mjpg") as source:
            frame = next(iter(source))
        assert frame.image.shape == (720, 1280, 3)


def test_a_pause_and_swapped_names_reach_every_screen_and_the_history(tmp_path: Path) -> None:
    with running(tmp_path) as server, server.screen() as screen:
        until(screen, is_type("snapshot"))
        assert server.ask("POST", "/api/press", b'{"type": "pause"}') == (200, {"entries": []})
        assert until(screen, is_type("snapshot"))["data"]["session"]["paused"] is True
        assert server.ask("POST", "/api/press", b'{"type": "swap_seats", "seat": 0, "other": 1}')[0] == 200
        told = until(screen, lambda one: one["type"] == "snapshot" and one["data"]["seats"][0]["name"] == "Luis")
        assert [seat["name"] for seat in told["data"]["seats"]] == ["Luis", "Ana"]
        assert server.table.store is not None
        server.table.store.flush()
        assert [seat["name"] for seat in server.get("/api/sessions")[1]["sessions"][0]["seats"]] == ["Luis", "Ana"]


def test_a_picture_that_is_not_kept_is_not_found(tmp_path: Path) -> None:
    with running(tmp_path, store=False) as server:
        status, body = server.get("/evidence/12400.jpg")
        assert (status, body["error"]["code"]) == (404, "not_found")
        assert server.get("/tv")[0] == server.get("/overlay")[0] == 200


def test_the_clock_goes_on_without_a_camera(tmp_path: Path) -> None:
    with running(tmp_path, store=False) as server:
        time.sleep(1.2)
        server.ask("POST", "/api/press", b'{"type": "add_play", "trick": 1, "seat": 0, "card": "3C"}')
        time.sleep(0.1)
        server.ask("POST", "/api/press", b'{"type": "add_play", "trick": 1, "seat": 1, "card": "1C"}')
        first, second = server.table.session.state.hands[0].trick
        assert first.t is not None
        assert second.t is not None
        assert 1.0 < first.t < second.t


def test_a_camera_that_is_lost_leaves_the_score_and_the_buttons(tmp_path: Path, witnessed: Callable[..., Any]) -> None:
    with running(tmp_path, store=False) as server, server.screen() as screen:
        server.feed(*(Seen(observation) for observation in witnessed(1, tricks=1).observations[:30]))
        server.steps.put(SourceError("The camera is gone: plug it in again.", "camera_silent"))
        status = until(screen, lambda message: message["type"] == "status" and message["data"]["camera"] == "FAILED")
        assert status["data"]["message"] == "The camera is gone: plug it in again."
        assert status["data"]["reason"] == "camera_silent"
        assert not server.get("/api/state")[1]["session"]["ended"]
        assert server.ask("POST", "/api/press", b'{"type": "set_trump", "card": "5C"}')[0] == 200
        assert server.get("/api/state")[1]["hand"]["trump"]["card"] == "5C"
        assert server.get("/api/health")[1]["camera"] == "FAILED"


def test_closing_in_mid_game_keeps_the_result_and_says_goodbye(tmp_path: Path, witnessed: Callable[..., Any]) -> None:
    with contextlib.ExitStack() as outer:
        with running(tmp_path) as server:
            screen = outer.enter_context(server.screen())
            server.feed(*(Seen(observation) for observation in witnessed(1, tricks=1).observations[:60]))
            until(
                screen, lambda message: message["type"] == "event" and bool(message["data"]["hand"]["trick"]["plays"])
            )
            store, id = server.table.store, server.table.facts.id
        assert len(server.results) == 1
        assert not server.results[0]["complete"]
        assert store is not None
        with pytest.raises(ConnectionClosed) as closed:
            until(screen, lambda message: False)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code in (1001, 1012)
        with Store(tmp_path / "history.sqlite") as again:
            assert again.entries(id)


def test_a_result_that_cannot_be_written_leaves_the_game_on_the_screens(
    tmp_path: Path, witnessed: Callable[..., Any]
) -> None:
    def full(result: dict[str, Any]) -> None:
        raise RecordingError("The result cannot be written: free the disk.")

    with running(tmp_path, store=False) as server, server.screen() as screen:
        server.table._on_end = full
        server.feed(*(Seen(observation) for observation in witnessed(1, tricks=1).observations[:40]))
        server.steps.put(None)
        until(screen, lambda message: message["type"] == "snapshot" and message["data"]["session"]["ended"])
        assert server.get("/api/status")[1]["message"] == "The result cannot be written: free the disk."
        assert server.get("/api/state")[0] == 200
