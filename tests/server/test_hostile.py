"""What nobody should send is answered with one sentence and loses nothing; nor do phones that disagree."""

import contextlib
import http.client
import json
import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rooms import ServedRoom, serving_room
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect


@pytest.fixture
def room(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Iterator[ServedRoom]:
    """A hand kept by hand: trick 1 is gathered, trick 2 lies there with one card."""
    with caplog.at_level(logging.ERROR), serving_room(tmp_path) as served:
        assert served.start(source={"kind": "none"})[0] == 201
        for press in (
            {"type": "set_trump", "card": "4O"},
            {"type": "add_play", "trick": 1, "seat": 0, "card": "3C"},
            {"type": "add_play", "trick": 1, "seat": 1, "card": "12C"},
            {"type": "sweep"},
            {"type": "add_play", "trick": 2, "seat": 0, "card": "1O"},
        ):
            assert served.ask("POST", "/api/press", press)[0] == 200
        yield served
    assert [record.message for record in caplog.records] == [], "no error reaches the log"


def raw(room: ServedRoom, method: str, path: str, body: bytes | None) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", room.port, timeout=20)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


BODIES = [
    b"{", b"[]", b"null", b"\xff\xfe\x00", b"", b'{"type": 1}', b'{"type": "undo", "x": NaN}', b"[" * 60_000,
    b'{"type": "undo", "a": ' + b"[" * 20_000 + b"]" * 20_000 + b"}", b"x" * 70_000,
    b'{"type": "add_play", "trick": 1e400, "seat": 0, "card": "3C"}',
    b'{"type": "add_play", "trick": 1, "seat": true, "card": "3C"}',
    b'{"type": "correct_card", "play": "e1\\u0000", "card": "3C"}',
    b'{"type": "confirm", "violation": "\\ud800"}',
    b'{"type": "places", "places": [[NaN, 0], [0, 0]]}',
    b'{"type": "set_trump", "card": "99999999999999999999C"}',
]  # fmt: skip


def test_no_body_does_harm(room: ServedRoom) -> None:
    before = room.ask("GET", "/api/state")[1]
    session = before["session"]["id"]
    for path in ("/api/press", f"/api/sessions/{session}/press", "/api/game", "/api/preview", "/api/players/forget"):
        for body in BODIES:
            status, answer = raw(room, "POST", path, body)
            assert 400 <= status < 500, (path, body[:60], answer)
            message = answer["error"]["message"]
            assert message.endswith("."), message
            assert "Traceback" not in message
    assert room.ask("GET", "/api/state")[1] == before


@pytest.mark.parametrize(
    "path",
    ["/history/../../etc/passwd", "/history/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/static/../app.py",
     "/static/%2e%2e/app.py", "/static/..%5capp.py", "/static//etc/passwd", "/static/css", "/api/sessions/%00",
     "/history/%00", "/history/%ff", "/api/sessions/..%2f..%2fx/game", "/api/hands/99999999999999999999",
     "/api/hands/-1", "/evidence/-1.jpg"],
)  # fmt: skip
def test_no_path_leads_out_of_the_house(room: ServedRoom, path: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", room.port, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    assert answer.status == 404, text
    assert "root:" not in text
    assert "import " not in text
    for method in ("DELETE", "POST"):
        assert 400 <= room.ask(method, path.replace("/history/", "/api/sessions/"))[0] < 500


@contextlib.contextmanager
def screen(room: ServedRoom) -> Iterator[ClientConnection]:
    with connect(f"ws://127.0.0.1:{room.port}/ws", open_timeout=20) as socket:
        assert json.loads(socket.recv(timeout=20))["type"] == "hello"
        assert json.loads(socket.recv(timeout=20))["type"] == "snapshot"
        yield socket


def answer(socket: ClientConnection) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=20))
        if message["type"] in ("result", "error", "pong"):
            return message


GARBAGE = [
    "", "{", "[]", "null", "7", b"\x00\x01", "[" * 60_000, '{"type": "x"}' * 3, '{"type": "\\ud800"}',
    '{"id": {}, "type": "ping"}', '{"id": 1e999, "type": "ping"}', '{"id": "\\ud800", "type": "ping"}',
    '{"type": "press"}', '{"type": "press", "press": []}', '{"type": "press", "id": NaN, "press": {}}',
    '{"type": "press", "id": 1, "press": {"type": "undo", "hand": {}}}',
]  # fmt: skip


def test_no_message_closes_a_screen(room: ServedRoom) -> None:
    with screen(room) as socket:
        for garbage in GARBAGE:
            socket.send(garbage)
            said = answer(socket)
            assert said["type"] == "error", garbage
            assert said["message"].endswith("."), garbage
        socket.send('{"type": "ping", "id": "still here"}')
        assert answer(socket) == {"type": "pong", "id": "still here"}


def test_another_site_gets_neither_screen_nor_answer(room: ServedRoom) -> None:
    address, site = f"ws://127.0.0.1:{room.port}/ws", "http://evil.example"
    with pytest.raises(InvalidStatus), connect(address, additional_headers={"Origin": site}):
        pass
    for headers in ({"Origin": "http://evil.example"}, {"Host": "evil.example"}):
        status, told = room.ask("POST", "/api/press", {"type": "undo"}, **headers)
        assert status == 403
        assert told["error"]["message"].endswith(".")
    assert room.ask("GET", "/api/state")[1]["hand"]["trick"]["plays"], "nothing was undone"


def test_two_phones_put_the_same_card_right_at_the_same_time(room: ServedRoom) -> None:
    play = room.ask("GET", "/api/state")[1]["hand"]["tricks"][0]["plays"][1]["id"]
    said: list[dict[str, Any]] = []

    def phone(card: str) -> None:
        with screen(room) as socket:
            for number in range(5):
                press = {"type": "correct_card", "play": play, "card": card}
                socket.send(json.dumps({"type": "press", "id": number, "press": press}))
                said.append(answer(socket))

    phones = [threading.Thread(target=phone, args=(card,)) for card in ("11C", "10C")]
    for one in phones:
        one.start()
    for one in phones:
        one.join()
    taken = [one for one in said if one["type"] == "result"]
    assert len(said) == 10
    assert len(taken) >= 2
    assert all("noted already" in json.dumps(one) for one in said if one not in taken)  # nothing to do, nothing to undo
    state = room.ask("GET", "/api/state")[1]
    (card,) = [one["card"] for one in state["hand"]["tricks"][0]["plays"] if one["seat"] == 1]
    assert card in ("11C", "10C"), "the one who came last"
    assert state["scores"][0]["points"] == 10 + {"11C": 3, "10C": 2}[card]
    for _ in taken:  # every press can be taken back, whoever it came from
        assert room.ask("POST", "/api/press", {"type": "undo"})[0] == 200
    state = room.ask("GET", "/api/state")[1]
    assert [one["card"] for one in state["hand"]["tricks"][0]["plays"]] == ["3C", "12C"]
    room.store.flush()
    seqs = [entry["seq"] for entry in room.store.entries(state["session"]["id"])]
    assert seqs == list(range(1, len(seqs) + 1))


def test_a_correction_while_a_new_hand_begins_goes_to_the_hand_that_was_meant(room: ServedRoom) -> None:
    plays = room.ask("GET", "/api/state")[1]["hand"]["tricks"][0]["plays"]
    assert room.ask("POST", "/api/press", {"type": "end_hand"})[0] == 200
    done: list[int] = []

    def press(**body: Any) -> None:
        done.append(room.ask("POST", "/api/press", body)[0])

    both = [
        threading.Thread(target=press, kwargs={"type": "next_hand"}),
        threading.Thread(target=press, kwargs={"type": "correct_card", "play": plays[1]["id"], "card": "11C"}),
    ]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert done == [200, 200]
    assert room.ask("POST", "/api/press", {"type": "set_trump", "card": "5B"})[0] == 200
    first = room.ask("GET", "/api/hands/1")[1]["hand"]
    assert [one["card"] for one in first["tricks"][0]["plays"]] == ["3C", "11C"]
    state = room.ask("GET", "/api/state")[1]
    assert (state["hand"]["n"], state["hand"]["trump"]["card"]) == (2, "5B")


def test_the_game_being_played_cannot_be_deleted_or_forgotten(room: ServedRoom) -> None:
    session = room.ask("GET", "/api/state")[1]["session"]["id"]
    for method, path, body in (
        ("DELETE", f"/api/sessions/{session}", None),
        ("POST", "/api/players/forget", {"name": "ana", "games": True}),
        ("POST", "/api/players/forget", {"name": "Luis"}),
    ):
        status, told = room.ask(method, path, body)
        assert (status, told["error"]["reason"]) == (409, "playing")
    room.store.flush()
    assert room.store.session(session).seats[0]["name"] == "Ana"
    assert room.ask("GET", "/api/state")[1]["hand"]["tricks"]
