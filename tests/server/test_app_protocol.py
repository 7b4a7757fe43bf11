"""docs/protocol.md tells what is really sent."""

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi.routing import APIRoute

from server.presses import FIELDS
from server.sessions.headless import run_steps
from server.sessions.intake import Seen
from server.sessions.session import Session, make_table
from server.sessions.sitting import SessionFacts
from server.web.app import create_app
from server.web.live import LiveTable

DOC = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")


def example(name: str) -> Any:
    match = re.search(rf"<!-- example: {name} -->\n```json\n(.*?)```", DOC, re.DOTALL)
    assert match is not None
    return json.loads(match[1])


def same_shape(told: Any, real: Any, path: str = "") -> None:
    """Every object that both show has the same keys; what is null or empty in one of them is not compared."""
    if isinstance(told, dict) and isinstance(real, dict):
        assert list(told) == list(real), path
        for key in told:
            same_shape(told[key], real[key], f"{path}.{key}")
    elif isinstance(told, list) and isinstance(real, list):
        if told and real:
            same_shape(told[0], real[0], f"{path}[0]")
    elif told is not None and real is not None and not isinstance(real, str | int | float):
        raise AssertionError(path)


def played(game: Any) -> LiveTable:
    table = make_table("arrastro", "south=Ana,north=Luis")
    session = Session(table)
    live = LiveTable(session, SessionFacts.begin("x"), iter(()), threading.Event(), version="1")
    run_steps(session, (Seen(observation) for observation in game.observations))
    return live


def test_the_examples_have_the_shape_of_what_is_sent(witnessed: Callable[..., Any]) -> None:
    live = played(witnessed(1, tricks=2))
    snapshot = json.loads(json.dumps(live.snapshot()))
    assert len(snapshot["hand"]["tricks"]) == 2
    same_shape(example("snapshot"), snapshot)
    same_shape(example("status"), live.status())


def test_violations_questions_and_results_have_their_shape_too(witnessed: Callable[..., Any]) -> None:
    live = played(witnessed(1, tricks=1))
    told = example("snapshot")
    first = live.session.state.hands[0].tricks[0].plays[0]
    live.session.press({"type": "end_hand"})
    live.session.press({"type": "correct_seat", "play": first.event_id, "seat": 1 - first.seat})
    snapshot = json.loads(json.dumps(live.snapshot()))
    assert snapshot["hands"]
    for key in ("violations", "questions", "hands"):
        same_shape(told[key], snapshot[key], key)
    same_shape(told["hand"]["result"], snapshot["hand"]["result"], "result")
    same_shape(told["match"], snapshot["match"], "match")


def test_every_press_and_every_route_is_told() -> None:
    presses = DOC.split("### Presses")[1].split("## HTTP")[0]
    assert set(FIELDS) <= set(re.findall(r"`(\w+)`", presses))
    live = LiveTable(Session(make_table()), SessionFacts.begin("x"), iter(()), threading.Event(), version="1")
    http = DOC.split("## HTTP")[1]
    routes = [route for route in create_app(live).routes if isinstance(route, APIRoute)]
    assert len(routes) >= 9
    for route in routes:
        path = re.sub(r"\{(\w+)\}", lambda name: name[1].upper().replace("SESSION", "ID"), route.path)
        for method in route.methods:
            assert f"{method} {path}`" in http, (method, path)
