"""Pictures are kept of the moments in which cards fell, few of them, and found for the violations that rest on them."""

import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import cv2
import numpy as np

from server.scoreboard.proofs import LONG_SIDE, Proofs
from server.sessions.intake import Seen
from server.sessions.session import Session, make_table
from server.sessions.sitting import SessionFacts
from server.web.live import LiveTable
from vision.facts import TableEvent


def settled(t: float, face: str = "face") -> TableEvent:
    quad = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    return TableEvent(1, t, "settled", 1, face, (), quad, (0.5, 0.5), 1.0, (0, 0))  # type: ignore[arg-type]


def test_the_oldest_pictures_go_when_there_is_no_more_room() -> None:
    proofs = Proofs(most=5)
    for second in range(20):
        proofs.offer([settled(10.0 * second)], 10 * second + 0.4, None, (1280, 720), ())
    assert [second for second in range(20) if proofs.near(10.0 * second) is not None] == [15, 16, 17, 18, 19]
    picture = cv2.imdecode(np.frombuffer(proofs.jpeg(190400) or b"", np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape[:2] == (360, LONG_SIDE)


def test_a_picture_is_kept_only_when_a_face_came_to_rest() -> None:
    proofs = Proofs()
    proofs.offer([settled(1.0, "back")], 1.2, None, (1280, 720), ())
    proofs.offer([], 2.2, None, (1280, 720), ())
    assert proofs.near(1.0) is proofs.near(2.0) is None


def test_a_violation_brings_the_pictures_of_its_trick(witnessed: Callable[..., Any]) -> None:
    session = Session(make_table("arrastro", "south=Ana,north=Luis"))
    live = LiveTable(session, SessionFacts.begin("x"), iter(()), threading.Event(), version="1")
    for observation in witnessed(1, tricks=3).observations:
        events = session.track(observation)
        live._keep_picture(Seen(observation), events)
        session.take(observation, events)
    _, second, third = session.state.hands[0].tricks
    live.press({"type": "set_winner", "trick": 2, "seat": 1 - (second.winner or 0)})  # what follows contradicts that
    told = [one for one in live.snapshot()["violations"] if one["trick"] == 3]
    assert told
    for one in told:
        assert {picture["trick"] for picture in one["pictures"]} == {3}
        for picture in one["pictures"]:
            address = urlsplit(picture["url"])
            assert address.query == f"game={live.facts.id}", "a browser keeps pictures: those of each game apart"
            number = int(address.path.removeprefix("/evidence/").removesuffix(".jpg"))
            assert (live.proofs.jpeg(number) or b"")[:2] == b"\xff\xd8"
            assert 0 <= number / 1000 - picture["t"] < 3
    assert any(picture["card"] == str(third.plays[0].card) for one in told for picture in one["pictures"])
