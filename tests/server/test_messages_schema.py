"""The schema of the messages is that of the code, and what is sent has the shape that it tells."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ConfigDict, TypeAdapter

from server.messages import ServerMessage
from server.presses import FIELDS, Press
from server.schema import messages_schema, press_schema, schema_text
from server.sessions.headless import run_steps
from server.sessions.intake import Seen
from server.sessions.session import Session, make_table
from server.sessions.sitting import SessionFacts
from server.web.hub import Hub
from server.web.live import LiveTable
from server.web.room import Addresses, Room

ROOT = Path(__file__).parents[2]
MESSAGE: TypeAdapter[Any] = TypeAdapter(ServerMessage, config=ConfigDict(strict=True))


def test_the_schema_in_the_docs_is_that_of_the_code() -> None:
    stored = (ROOT / "docs" / "schema" / "messages.json").read_text(encoding="utf-8")
    assert stored == schema_text(), "stale: python -m server.schema > docs/schema/messages.json"


def test_every_part_that_is_named_exists() -> None:
    schema = messages_schema()
    named = json.dumps(schema).split('"$ref": "#/$defs/')[1:]
    assert {ref.split('"')[0] for ref in named} <= set(schema["$defs"])


@pytest.mark.parametrize("name", FIELDS)
def test_every_press_is_told_with_its_fields(name: str) -> None:
    schema = press_schema(name)
    assert set(schema["properties"]) <= set(Press.__slots__)
    assert set(schema["required"]) <= set(schema["properties"])
    assert {"type", "t"} <= set(schema["properties"])


def test_a_room_that_waits_for_its_first_game_has_the_shape_too() -> None:
    room = Room(make_table(), "1", Addresses("http://127.0.0.1/", None))
    for message in (
        {"type": "snapshot", "seq": 1, "data": room.snapshot()},
        {"type": "status", "seq": 2, "data": room.status()},
    ):
        assert json.loads(MESSAGE.dump_json(MESSAGE.validate_json(json.dumps(message)))) == message
    assert room.snapshot()["hand"] is None
    assert room.proofs.jpeg(1) is None


def test_what_a_whole_game_sends_has_the_shape_of_the_schema(witnessed: Callable[..., Any]) -> None:
    session = Session(make_table("arrastro", "south=Ana,north=Luis"))
    live = LiveTable(session, SessionFacts.begin("x"), iter(()), threading.Event(), version="1")
    hub: Hub = live.hub
    client = hub.join()
    game = witnessed(1, tricks=4)
    run_steps(session, (Seen(observation) for observation in game.observations))
    first = session.state.hands[0].tricks[0].plays[0]
    live.press({"type": "correct_card", "play": first.event_id, "card": str(first.card)})
    live.press({"type": "correct_seat", "play": first.event_id, "seat": 1 - first.seat})
    live.press({"type": "undo"})
    hub.status(live.status())
    hub.close()
    texts: list[str] = []
    while not client._queue.empty():
        text = client._queue.get_nowait()
        if text is not None:
            texts.append(text)
    types = set()
    for text in texts:
        message = json.loads(text)
        types.add(message["type"])
        read = MESSAGE.validate_json(text)
        # A field that the types do not know would be lost here; a wrong kind was refused above.
        assert json.loads(MESSAGE.dump_json(read)) == message
    assert types == {"hello", "snapshot", "event", "status"}
