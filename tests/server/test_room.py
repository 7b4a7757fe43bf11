"""The start page's requests with everything real: films, a phone camera, SQLite, a served room."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from rooms import TWO, ServedRoom, known_deck, phone_camera, serving_room, write_film
from websockets.sync.client import connect

from engine.record import rules_from_json, rules_to_json
from engine.rules import list_profiles, load_profile
from server.cli.watch import _print_code
from server.decks import Decks
from server.seats import SIDES
from server.sessions.recording import Recorder
from server.sessions.session import Session, make_table
from server.sessions.sitting import SessionFacts
from server.sessions.store import REMEMBERED
from server.terms import playable_numbers, rules_on_terms, terms_of
from server.web.qr import qr_svg, qr_text
from server.web.start import SourceBody, StartBody, plan_of, recall, source_spec
from vision.camera import probe_cameras


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ServedRoom]:
    with serving_room(tmp_path) as server:
        yield server


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_film(tmp_path_factory.mktemp("films") / "table.mp4")


def film_source(film: Path) -> dict[str, str]:
    return {"kind": "film", "value": str(film)}


def test_a_room_without_a_game_says_so_and_takes_no_presses(served: ServedRoom) -> None:
    _, state = served.ask("GET", "/api/state")
    assert state["session"]["idle"]
    assert state["hand"] is None
    assert served.ask("GET", "/api/result")[0] == 404
    assert served.ask("GET", "/api/health")[1]["status"] == "ok"
    status, body = served.ask("POST", "/api/press", {"type": "undo"})
    assert (status, body["error"]["code"]) == (400, "bad_press")
    assert served.ask("POST", "/api/game/end")[0] == 404


def test_what_can_be_chosen_is_told(served: ServedRoom) -> None:
    status, offers = served.ask("GET", "/api/start")
    assert status == 200
    assert [one["name"] for one in offers["profiles"]] == list_profiles()
    arrastro = next(one for one in offers["profiles"] if one["name"] == "arrastro")
    assert arrastro["players"] == [2, 4]
    assert arrastro["terms"] == {"arrastre": True, "exchange": "before_last", "tie": "draw", "match": "sum_5"}
    assert offers["usual_sides"]["2"] == ["south", "north"]
    assert offers["remembered"] is None
    assert offers["running"] is None


def test_a_game_begins_from_a_film_and_the_screens_stay_connected(served: ServedRoom, film: Path) -> None:
    with connect(f"ws://127.0.0.1:{served.port}/ws") as screen:
        json.loads(screen.recv(timeout=5))
        assert json.loads(screen.recv(timeout=5))["data"]["session"]["idle"]
        status, begun = served.start(source=film_source(film), terms={"arrastre": False, "tie": "void"}, dealer="north")
        assert status == 201, begun
        while (message := json.loads(screen.recv(timeout=10)))["type"] != "snapshot":
            pass
        shown = message["data"]
        assert shown["session"]["id"] == begun["session"]
        assert "idle" not in shown["session"]
        assert [seat["name"] for seat in shown["seats"]] == ["Ana", "Luis"]
        assert not shown["rules"]["arrastre"]
        ended = served.wait("/api/state", lambda state: state["session"]["ended"])
        assert ended["session"]["id"] == begun["session"]
        # The film is over: another game needs no permission, and the same wire tells of it.
        assert served.start(source=film_source(film), rules="fournier")[0] == 201
        while (message := json.loads(screen.recv(timeout=10)))["data"].get("session", {}).get("id") in (
            None,
            begun["session"],
        ):
            pass
    served.store.flush()
    row = served.store.session(begun["session"])
    assert row.terms == {"profile": "arrastro", "players": 2, "arrastre": False, "tie": "void"}
    assert [game.facts.id for game in served.over] == [begun["session"]]


def test_a_score_is_kept_by_hand_without_any_camera(served: ServedRoom, film: Path) -> None:
    status, begun = served.start(source={"kind": "none"})
    assert status == 201, begun
    served.wait("/api/status", lambda told: told["camera"] == "NONE")
    presses = (
        {"type": "set_trump", "card": "5C"},
        {"type": "add_play", "trick": 1, "seat": 0, "card": "1O"},
        {"type": "add_play", "trick": 1, "seat": 1, "card": "3O"},
    )
    for press in presses:
        assert served.ask("POST", "/api/press", press)[0] == 200
    state = served.ask("GET", "/api/state")[1]
    assert [play["card"] for play in state["hand"]["trick"]["plays"]] == ["1O", "3O"]
    assert state["hand"]["trick"]["winning"]["seat"] == 0
    assert served.ask("GET", "/api/start")[1]["remembered"]["source"] == {"kind": "none", "value": ""}
    assert served.ask("POST", "/api/preview", {"kind": "none"})[1]["error"]["code"] == "start"
    assert served.ask("POST", "/api/game/end")[0] == 200
    served.store.flush()
    told = served.ask("GET", f"/api/sessions/{begun['session']}/game")[1]
    assert told["session"]["source"] == "none"
    assert served.start(source=film_source(film))[0] == 201
    served.wait("/api/status", lambda told: told["camera"] in ("RUNNING", "ENDED"))


def test_a_game_going_on_is_not_lost_by_accident(served: ServedRoom, film: Path, tmp_path: Path) -> None:
    long = write_film(tmp_path / "long.mp4", 30)
    _, first = served.start(source=film_source(long))
    assert served.ask("GET", "/api/start")[1]["running"]["names"] == ["Ana", "Luis"]
    status, refused = served.start(source=film_source(film))
    assert (status, refused["error"]["code"]) == (409, "busy")
    # What is not there is told before anybody is asked for the game that goes on...
    for kind, value in (("film", str(tmp_path / "gone.mp4")), ("stream", "http://127.0.0.1:9/video")):
        status, refused = served.start(source={"kind": kind, "value": value})
        assert (status, refused["error"]["code"]) == (400, kind)
    # ...and what cannot be opened does not cost it either.
    gone = {"kind": "film", "value": str(tmp_path / "gone.mp4")}
    assert served.start(source=gone, replace=True)[1]["error"]["code"] == "film"
    assert served.ask("GET", "/api/state")[1]["session"] == {
        **served.ask("GET", "/api/state")[1]["session"],
        "id": first["session"],
        "ended": False,
    }
    status, second = served.start(source=film_source(film), replace=True)
    assert status == 201
    assert served.ask("GET", "/api/state")[1]["session"]["id"] == second["session"]
    served.store.flush()
    assert served.store.session(first["session"]).ended is not None


def test_a_game_can_be_ended_and_stays_on_the_screens(served: ServedRoom, tmp_path: Path) -> None:
    _, begun = served.start(source=film_source(write_film(tmp_path / "long.mp4", 30)))
    assert served.ask("POST", "/api/press", {"type": "set_trump", "card": "5C"})[0] == 200
    assert served.ask("POST", "/api/game/end") == (200, {"session": begun["session"]})
    state = served.ask("GET", "/api/state")[1]
    assert state["session"]["ended"]
    assert state["hand"]["trump"]["card"] == "5C"
    assert served.ask("GET", "/api/start")[1]["running"] is None
    # Putting a card right still works, and reaches the history.
    assert served.ask("POST", "/api/press", {"type": "set_trump", "card": "6C"})[0] == 200
    served.store.flush()
    row = served.store.session(begun["session"])
    assert row.result is not None
    assert row.result["trump"] == "6C"


def test_what_was_chosen_is_offered_the_next_time(tmp_path: Path, film: Path) -> None:
    chosen = {"source": film_source(film), "rules": "fournier", "terms": {"arrastre": True, "match": "first_2"}}
    with serving_room(tmp_path) as served:
        assert served.start(**chosen, dealer="south")[0] == 201
    with serving_room(tmp_path) as served:
        kept = served.ask("GET", "/api/start")[1]["remembered"]
        assert kept["people"] == TWO
        assert (kept["source"], kept["rules"], kept["dealer"]) == (chosen["source"], "fournier", "south")
        assert kept["terms"] == {"arrastre": True, "exchange": None, "tie": None, "match": "first_2"}


def test_a_password_in_an_address_is_remembered_and_not_shown(tmp_path: Path) -> None:
    with phone_camera() as phone, serving_room(tmp_path) as served:
        secret = phone.url.replace("http://", "http://ana:s3cret@")
        assert served.start(source={"kind": "stream", "value": secret})[0] == 201
        served.store.flush()  # it is written on a thread of its own
        shown = served.ask("GET", "/api/start")[1]["remembered"]["source"]["value"]
        assert "s3cret" not in shown
        assert served.ask("GET", "/api/state")[1]["session"]["source"].find("s3cret") == -1
        kept = recall(served.store, masked=False)
        assert kept is not None
        assert kept["source"]["value"] == secret
        # The masked address, sent back as it was shown, means the remembered one.
        before = phone.opened
        assert served.start(source={"kind": "stream", "value": shown}, replace=True)[0] == 201
        assert phone.opened > before
        kept = served.store.recall(REMEMBERED)
        assert kept["source"]["value"] == secret


def test_a_look_through_a_phone_and_a_film(served: ServedRoom, film: Path) -> None:
    with phone_camera() as phone:
        for _ in range(3):
            status, jpeg = served.ask("POST", "/api/preview", {"kind": "stream", "value": phone.url})
            assert status == 200
        image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        assert image.shape[:2] == (240, 320)
        assert phone.opened == 1, "it stays open between two looks"
        # A game takes the camera over: the preview lets go first.
        assert served.start(source={"kind": "stream", "value": phone.url})[0] == 201
        served.wait("/api/status", lambda status: status["camera"] == "RUNNING")
        assert phone.opened == 2
        assert served.ask("POST", "/api/preview", {"kind": "stream", "value": phone.url})[0] == 200
        assert phone.opened == 2, "the game's own picture is shown"
    status, jpeg = served.ask("POST", "/api/preview", film_source(film))
    assert status == 200
    assert cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).shape == (360, 640, 3)


def test_a_preview_that_nobody_looks_at_is_closed(served: ServedRoom) -> None:
    with phone_camera() as phone:
        served.ask("POST", "/api/preview", {"kind": "stream", "value": phone.url})
        assert phone.left == 0
        end = time.monotonic() + 15
        while not phone.left:
            assert time.monotonic() < end
            time.sleep(0.2)


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        ({"source": {"kind": "camera", "value": "77"}}, "camera", "camera 77"),
        ({"source": {"kind": "camera", "value": "front"}}, "camera", "Choose one"),
        ({"source": {"kind": "stream", "value": "192.168.1.2"}}, "stream", "begin with http://"),
        ({"source": {"kind": "stream", "value": "file:///etc/passwd"}}, "stream", "begin with http://"),
        ({"source": {"kind": "stream", "value": "http://127.0.0.1:9/video"}}, "stream", "."),
        ({"source": {"kind": "film", "value": "/no/such/film.mp4"}}, "film", "no file"),
        ({"source": {"kind": "film", "value": "/etc/passwd"}}, "film", "not the name of a film"),
        ({"source": {"kind": "film", "value": "README.mp4"}}, "film", "no file"),
        ({"source": {"kind": "film", "value": "~nobody-here/a.mp4"}}, "film", "no name that a file can have"),
        ({"source": {"kind": "film", "value": "a" * 300 + ".mp4"}}, "film", "no name that a file can have"),
        ({"source": {"kind": "film", "value": "a\0.mp4"}}, "film", "."),
        ({"source": {"kind": "stream", "value": "http://[::1/video"}}, "stream", "."),
        ({"source": {"kind": "stream", "value": "http://\u00e9\ud83d\udcf7/video"}}, "stream", "."),
        ({"source": {"kind": "film", "value": " "}}, "film", "where the film lies"),
        ({"source": {"kind": "tape"}}, "bad_request", "source.kind"),
        ({"people": TWO[:1]}, "bad_request", "people"),
        ({"people": [TWO[0], {"side": "north", "name": "  "}]}, "bad_seats", "needs a name"),
        ({"people": [TWO[0], {"side": "north", "name": "ana"}]}, "bad_seats", "called ana"),
        ({"people": [TWO[0], {"side": "south", "name": "Luis"}]}, "bad_seats", "same place"),
        ({"people": [TWO[0], {"side": "up", "name": "Luis"}]}, "bad_seats", "no side"),
        ({"people": [{"side": s, "name": s} for s in SIDES[:5]]}, "bad_seats", "two, three"),
        ({"rules": "whist"}, "start", "whist"),
        ({"rules": "tres_39"}, "start", "2 players"),
        ({"rules": "oculta", "terms": {"exchange": "to_the_last"}}, "start", "exchange"),
        ({"terms": {"tie": "sudden death"}}, "bad_request", "tie"),
        ({"dealer": "west"}, "bad_seats", "Nobody sits"),
        ({"wager": 5}, "bad_request", "wager"),
    ],
)  # fmt: skip
def test_what_cannot_be_begun_is_one_sentence(
    change: dict[str, Any], code: str, said: str, tmp_path: Path, one_room: ServedRoom
) -> None:
    status, body = one_room.start(**change)
    assert 400 <= status < 500
    assert body["error"]["code"] == code
    assert said in body["error"]["message"]
    assert body["error"]["message"].endswith(".") or ":" in body["error"]["message"]
    assert one_room.ask("GET", "/api/state")[1]["session"].get("idle"), "nothing was begun"


@pytest.fixture(scope="module")
def one_room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    with serving_room(tmp_path_factory.mktemp("room")) as server:
        yield server


def test_a_file_that_is_no_film_is_told_from_one(one_room: ServedRoom, tmp_path: Path) -> None:
    fake = tmp_path / "letter.mp4"
    fake.write_text("Dear Ana", encoding="utf-8")
    for path in ("/api/preview", "/api/game"):
        source = film_source(fake)
        body = source if path == "/api/preview" else {"source": source, "people": TWO}
        status, answer = one_room.ask("POST", path, body)
        assert (status, answer["error"]["code"]) == (400, "film")
        assert "cannot be read as a film" in answer["error"]["message"]


@pytest.mark.parametrize("quotes", ['""', "''", "“”"])
def test_a_path_pasted_in_quotes_is_the_film(one_room: ServedRoom, film: Path, quotes: str) -> None:
    pasted = {"kind": "film", "value": f"  {quotes[0]}{film}{quotes[1]} "}
    status, picture = one_room.ask("POST", "/api/preview", pasted)
    assert (status, picture[:2]) == (200, b"\xff\xd8")
    assert source_spec(SourceBody.model_validate(pasted)) == str(film)


def test_our_own_pages_are_told_what_is_refused_in_answers_like_any_other(one_room: ServedRoom) -> None:
    asked = [
        ("POST", "/api/game", {"source": {"kind": "film", "value": "/nowhere.mp4"}, "people": TWO}, 400),
        ("POST", "/api/preview", {"source": 7}, 400),
        ("GET", "/api/sessions/none/game", None, 404),
        ("GET", "/api/nothing", None, 404),
    ]
    for method, path, body, status in asked:
        plain, error = one_room.ask(method, path, body)
        told, same = one_room.ask(method, path, body, **{"Brisca-Refusals": "told"})
        assert (plain, told) == (status, 200), path
        assert same == error
        assert error["error"]["message"]


def test_other_sites_can_begin_end_and_look_at_nothing(one_room: ServedRoom) -> None:
    for path in ("/api/game", "/api/game/end", "/api/cameras", "/api/preview"):
        status, body = one_room.ask("POST", path, {"kind": "demo"}, Origin="http://evil.example")
        assert (status, body["error"]["code"]) == (403, "bad_origin")
        assert one_room.ask("GET", path)[0] in (404, 405)


def test_the_cameras_of_this_machine_are_listed(one_room: ServedRoom) -> None:
    listed = one_room.ask("POST", "/api/cameras")[1]["cameras"]
    assert [one["index"] for one in listed] == [one.index for one in probe_cameras()]


def test_a_recorded_session_is_played_as_a_film(served: ServedRoom, tmp_path: Path, witnessed: Any) -> None:
    folder = tmp_path / "evening"
    table = make_table("arrastro", "south=Ana,north=Luis")
    with Recorder(folder, SessionFacts.begin("film").header(table, None, {})) as recorder:
        session = Session(table, recorder)
        for observation in witnessed(1, tricks=1).observations:
            session.observe(observation)
        session.finish()
    assert served.ask("POST", "/api/preview", film_source(folder))[1]["error"]["code"] == "film"
    assert served.start(source=film_source(folder))[0] == 201
    state = served.wait("/api/state", lambda state: state["session"]["ended"], 60)
    assert len(state["hand"]["tricks"]) == 1


def test_the_code_for_phones_is_shown_only_where_they_can_come_in(one_room: ServedRoom, tmp_path: Path) -> None:
    status, body = one_room.ask("GET", "/qr.svg")
    assert status == 404
    assert "--host 0.0.0.0" in body["error"]["message"]
    assert one_room.ask("GET", "/api/address")[1]["room"] is None
    with serving_room(tmp_path, in_the_room=True) as served:
        url = served.ask("GET", "/api/address")[1]["room"]
        status, drawing = served.ask("GET", "/qr.svg")
        assert status == 200
        assert drawing.decode() == qr_svg(url)


def read_code(dark: np.ndarray) -> str:
    """What a real reader finds in a picture of modules."""
    image = np.kron(np.where(dark, 0, 255).astype(np.uint8), np.ones((8, 8), np.uint8))
    return str(cv2.QRCodeDetector().detectAndDecode(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR))[0])


def test_the_code_in_the_terminal_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    url = "http://192.168.1.20:8420/"
    _print_code(url)
    printed = capsys.readouterr().out
    assert url in printed.splitlines()[0]
    lines = qr_text(url).splitlines()
    assert printed.splitlines()[1:] == lines
    # Upper and lower half of each character; a filled half is a light module, as terminals are dark.
    light = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
    rows = [[light[c][half] for c in line] for line in lines for half in (0, 1)]
    dark = np.array(rows) == 0
    assert read_code(np.pad(dark[: dark.shape[1]], 2)) == url


def test_a_game_is_read_with_the_deck_that_was_chosen(served: ServedRoom, tmp_path: Path, film: Path) -> None:
    assert served.ask("GET", "/api/start")[1]["decks"] == []
    deck = known_deck(tmp_path, "Mi baraja")
    served.room.deck = "mi baraja"  # as 'brisca watch --deck' asks for
    offered = served.ask("GET", "/api/start")[1]
    assert (offered["decks"], offered["remembered"]["deck"]) == (["Mi baraja"], "mi baraja")
    body = {"source": film_source(film), "people": TWO, "deck": "Other"}
    status, answer = served.ask("POST", "/api/game", body)
    assert (status, answer["error"]["code"]) == (404, "not_found")
    assert "no deck called 'Other'" in answer["error"]["message"]
    for kind in ("none", "demo"):  # also where nothing is read with it: what was going on is not ended for a mistake
        by_hand = {"source": {"kind": kind}, "people": TWO, "deck": "../../x", "replace": True}
        assert served.ask("POST", "/api/game", by_hand)[0] == 404, kind
    assert served.ask("POST", "/api/game", {**body, "deck": "Mi baraja"})[0] == 201
    game = served.room.game
    assert game is not None
    assert game.plan.deck is not None
    assert game.plan.deck.name == deck.name
    assert (deck.folder / "references.npz").is_file(), "made when the game began"
    demo = StartBody.model_validate({"source": {"kind": "demo"}, "people": TWO, "deck": "Mi baraja"})
    assert plan_of(demo, "demo", decks=Decks(tmp_path)).deck is None, "the demo has its own"


def test_the_example_in_the_protocol_begins_a_game() -> None:
    text = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
    example = re.search(r"<!-- example: start -->\n```json\n(.*?)```", text, re.DOTALL)
    assert example is not None
    body = StartBody.model_validate_json(example[1])
    plan = plan_of(body, source_spec(body.source))
    assert (plan.source, plan.table.dealer, plan.table.rules.name) == ("0", 1, "arrastro")
    assert set(StartBody.model_fields) == set(json.loads(example[1]))


@pytest.mark.parametrize("name", list_profiles())
def test_terms_change_what_they_say_and_nothing_else(name: str) -> None:
    players = playable_numbers(load_profile(name))[0]
    rules = load_profile(name, players)
    own = terms_of(rules)
    assert rules_on_terms(name, players, own.as_json()) == rules
    other = "void" if own.tie == "draw" else "draw"
    changed = rules_on_terms(name, players, {"tie": other, "match": "limit_150", "arrastre": None})
    assert changed == rules.changed(tie=other, match={"type": "points_limit", "limit": 150})
    assert rules_from_json(rules_to_json(changed)) == changed, "a record knows it as well"
    if rules.trump_rank_visible and not rules.blind:
        for exchange in ("none", "before_last", "to_the_last"):
            assert terms_of(rules_on_terms(name, players, {"exchange": exchange})).exchange == exchange
