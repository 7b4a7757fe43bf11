"""Games that go on after the program was killed: the same game as if nothing had happened, or what the table shows."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rooms import serving_room, write_film

from server.errors import NotFoundError, RecordingError
from server.sessions.headless import take_step
from server.sessions.intake import Seen
from server.sessions.journals import Journals
from server.sessions.recording import LOG_FILE, Recorder, read_recording
from server.sessions.replay import differences, replay
from server.sessions.resumption import FIRST_LOOK_SECONDS, Resumption
from server.sessions.session import Session, make_table
from server.sessions.sitting import SessionFacts
from server.sessions.store import Store
from server.web.opening import Plan, open_game
from server.web.unfinished import find_unfinished, offer, plan_again
from vision.facts import Observation

SEATS = "south=Ana,north=Luis"


def record(folder: Path, observations: Sequence[Observation], opened: str = "game.mp4") -> Path:
    """A recording that breaks off after these observations, as a killed program leaves it."""
    table = make_table("arrastro", SEATS)
    with Recorder(folder, SessionFacts.begin("film").header(table, None, {}, opened)) as recorder:
        session = Session(table, recorder)
        for observation in observations:
            take_step(session, Seen(observation))
    return folder


def go_on(folder: Path, observations: Sequence[Observation], same: bool = True) -> Session:
    """Take the recording up and watch these observations to their end."""
    resume = Resumption(read_recording(folder), same)
    with Recorder.going_on(resume.recording) as recorder:
        session = resume.session(recorder, live=False)
        start = observations[0].t
        for observation in observations:
            t = observation.t if same else session_clock(resume) + observation.t - start
            take_step(session, Seen(replace(observation, t=round(t, 4))))
        session.finish()
        recorder.result(session.result())
    return session


def session_clock(resume: Resumption) -> float:
    last = [line.data["t"] for line in resume.recording.of("observation")][-1]
    return float(last) + 10.0 + FIRST_LOOK_SECONDS


def plays(result: dict[str, Any]) -> list[list[tuple[int, str]]]:
    return [[(play["seat"], play["card"]) for play in trick["plays"]] for trick in result["tricks"]]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, witnessed: Callable[..., Any]) -> tuple[Any, Session]:
    game = witnessed(1, tricks=3)
    session = Session(make_table("arrastro", SEATS))
    for observation in game.observations:
        take_step(session, Seen(observation))
    session.finish()
    return game, session


@pytest.mark.parametrize("share", [0.05, 0.3, 0.62])
def test_a_film_that_was_broken_off_goes_on_as_if_nothing_had_happened(
    share: float, whole: tuple[Any, Session], tmp_path: Path
) -> None:
    game, uninterrupted = whole
    cut = round(share * len(game.observations))
    folder = record(tmp_path / "session", game.observations[:cut])
    session = go_on(folder, game.observations[cut:])
    assert session.result() == uninterrupted.result()
    assert len(session.result()["tricks"]) == 3
    recording = read_recording(folder)
    assert list(differences(recording, replay(recording))) == [], "and replays to the byte"
    assert sum(1 for _ in recording.of("resume")) == 1


def test_a_torn_last_line_and_lost_conclusions_are_made_good(whole: tuple[Any, Session], tmp_path: Path) -> None:
    game, uninterrupted = whole
    cut = len(game.observations) // 2
    folder = record(tmp_path / "session", game.observations[:cut])
    log = folder / LOG_FILE
    lines = log.read_bytes().splitlines(keepends=True)
    last = max(number for number, line in enumerate(lines) if line.startswith(b'{"type":"entry"'))
    log.write_bytes(b"".join(lines[: last - 1]) + lines[last][:20])  # the power went in the middle of an entry
    kept = [line.data["frame"] for line in read_recording(folder).of("observation")]
    session = go_on(folder, game.observations[kept[-1] + 1 :])
    assert session.result() == uninterrupted.result()
    recording = read_recording(folder)
    assert not recording.problems
    assert list(differences(recording, replay(recording))) == []


def test_a_recording_that_was_ended_with_ctrl_c_goes_on_too(whole: tuple[Any, Session], tmp_path: Path) -> None:
    game, uninterrupted = whole
    cut = round(0.62 * len(game.observations))
    folder = tmp_path / "session"
    table = make_table("arrastro", SEATS)
    with Recorder(folder, SessionFacts.begin("film").header(table, None, {}, "game.mp4")) as recorder:
        session = Session(table, recorder)
        for observation in game.observations[:cut]:
            take_step(session, Seen(observation))
        session.finish()
        recorder.result(session.result())
    again = go_on(folder, game.observations[cut:])
    # What was concluded at the first end was taken back.
    assert {**again.result(), "amendments": 0} == uninterrupted.result()
    assert list(differences(read_recording(folder), replay(read_recording(folder)))) == []


def come_back(folder: Path, observations: Sequence[Observation]) -> tuple[Session, set[str]]:
    """Take the recording up before another picture, which stands still for two seconds; what was asked then.

    Whether all fits is answered with yes when it has been asked for a while.
    """
    resume = Resumption(read_recording(folder), False)
    asked: list[str] = []
    with Recorder.going_on(resume.recording) as recorder:
        session = resume.session(recorder, live=False)
        t = session_clock(resume)
        for number in range(20):
            take_step(session, Seen(replace(observations[0], t=round(t + number / 10, 4))))
        for observation in observations:
            seen = replace(observation, t=round(t + 2.0 + observation.t - observations[0].t, 4))
            take_step(session, Seen(seen))
            asked += [question.kind for question in session.referee.status.questions]
            if asked.count("away") == 20:
                session.press({"type": "found"})
                assert "away" not in [question.kind for question in session.referee.status.questions]
        session.finish()
    assert asked.count("away") <= 20, "not again once it was answered"
    return session, set(asked)


def sightings_change(game: Any, t: float) -> int:
    """Number of the first observation at or after ``t``."""
    return next(number for number, observation in enumerate(game.observations) if observation.t >= t)


def after_plays(game: Any, count: int) -> float:
    """A moment shortly after the card number ``count`` was laid."""
    from vision.synth.film_actions import Play, action_end

    falls = [action_end(action) for action in game.script.actions if isinstance(action, Play)]
    return float(falls[count - 1]) + 0.4


@pytest.mark.parametrize("lying", [1, 3, 5])
def test_what_lay_on_the_table_is_no_new_play_after_a_break(
    lying: int, whole: tuple[Any, Session], tmp_path: Path
) -> None:
    game, uninterrupted = whole
    cut = sightings_change(game, after_plays(game, lying))
    folder = record(tmp_path / "session", game.observations[:cut])
    session = go_on(folder, game.observations[cut:], same=False)
    assert plays(session.result()) == plays(uninterrupted.result())
    assert session.result()["totals"] == uninterrupted.result()["totals"]
    assert not session.state.violations
    assert session.result()["trump"] == uninterrupted.result()["trump"]
    assert list(differences(read_recording(folder), replay(read_recording(folder)))) == []


def test_a_card_played_during_the_break_is_picked_up_and_asked_about(
    whole: tuple[Any, Session], tmp_path: Path
) -> None:
    game, uninterrupted = whole
    folder = record(tmp_path / "session", game.observations[: sightings_change(game, after_plays(game, 1))])
    back = sightings_change(game, after_plays(game, 2))
    session, asked = come_back(folder, game.observations[back:])
    assert "away" in asked
    assert plays(session.result()) == plays(uninterrupted.result())
    assert not session.state.violations


def test_a_trick_gathered_during_the_break_is_counted_and_asked_about(
    whole: tuple[Any, Session], tmp_path: Path
) -> None:
    game, uninterrupted = whole
    folder = record(tmp_path / "session", game.observations[: sightings_change(game, after_plays(game, 2))])
    back = sightings_change(game, after_plays(game, 3))  # the first trick is gone, the second begun
    session, asked = come_back(folder, game.observations[back:])
    assert "away" in asked
    assert plays(session.result()) == plays(uninterrupted.result())
    assert not session.state.violations


def test_a_score_kept_by_hand_outlives_the_program(tmp_path: Path) -> None:
    journals = Journals(tmp_path)
    with Store(tmp_path / "history.sqlite") as store:
        game = open_game(Plan("none", make_table("arrastro", SEATS)), store, journals)
        game.begin()
        game.session.press({"type": "set_trump", "card": "3O", "t": 4.0})
        game.session.press({"type": "add_play", "card": "1C", "seat": 0, "trick": 1, "t": 9.0})
        game.recorder.close()  # type: ignore[union-attr]  # and nothing else: the power is gone
        left = offer(journals, None)
        assert left is not None
        assert left["names"] == ["Ana", "Luis"]
        assert left["source"] == "none"
        assert offer(journals, left["id"]) is None, "the game that is going on is not offered"
        again = open_game(plan_again(find_unfinished("", journals, store)), store, journals)
        again.begin()
        assert again.facts.id == game.facts.id
        assert again.session.t == 9.0, "its clock goes on"
        assert again.session.state.hand is not None
        assert [str(play.card) for play in again.session.state.hand.all_plays] == ["1C"]
        again.session.press({"type": "undo"})
        assert again.session.state.hand.all_plays == (), "what was pressed before can still be taken back"
        store.flush()
        row = store.session(game.facts.id)
        assert row.ended is None
        assert len(store.entries(row.id)) >= 2
        again.settle()
        again.close()
        assert offer(journals, None) is None
        assert not any(journals.folder.iterdir()), "nothing is left of a game that is over"


def test_a_game_goes_on_in_the_room_until_somebody_ends_it(tmp_path: Path) -> None:
    with serving_room(tmp_path) as room:
        assert room.ask("GET", "/api/start")[1]["unfinished"] is None
        name = room.start(source={"kind": "none"})[1]["session"]
        assert room.ask("POST", "/api/press", {"type": "set_trump", "suit": "O"})[0] == 200
        assert room.ask("GET", "/api/start")[1]["unfinished"] is None, "it is going on"
        assert room.ask("POST", "/api/game/discard", {"session": name})[0] == 409
    with serving_room(tmp_path) as room:  # the program was closed and is there again
        left = room.ask("GET", "/api/start")[1]["unfinished"]
        assert (left["id"], left["names"]) == (name, ["Ana", "Luis"])
        assert room.ask("POST", "/api/game/resume", {"session": "../secret"})[0] == 400
        assert room.ask("POST", "/api/game/resume", {"session": "nothing"})[0] == 404
        assert room.ask("POST", "/api/game/resume", {"session": name}) == (201, {"session": name})
        state = room.ask("GET", "/api/state")[1]
        assert state["session"]["id"] == name
        assert state["hand"]["trump"]["suit"] == "O"
        assert room.ask("POST", "/api/game/resume", {"session": name})[0] == 409
        assert room.ask("POST", "/api/press", {"type": "add_play", "card": "1C", "seat": 0, "trick": 1})[0] == 200
        assert room.ask("POST", "/api/game/end")[0] == 200
        assert room.ask("GET", "/api/start")[1]["unfinished"] is None, "it was ended"
        again = room.start(source={"kind": "none"})[1]["session"]
        assert room.ask("POST", "/api/press", {"type": "set_trump", "suit": "C"})[0] == 200
        room.store.flush()  # the history is written behind the game
        rows = {row["id"]: row for row in room.ask("GET", "/api/sessions")[1]["sessions"]}
        assert len(rows) == 2, "a game that goes on is one game in the history"
    with serving_room(tmp_path) as room:
        assert room.ask("GET", "/api/start")[1]["unfinished"]["id"] == again
        assert room.ask("POST", "/api/players/forget", {"name": "ANA"})[0] == 200
        assert room.ask("GET", "/api/start")[1]["unfinished"] is None, "nothing that bears the name is left"
    assert not any(Journals(tmp_path).folder.iterdir())


def test_a_film_is_found_again_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there, elsewhere = tmp_path / "there", tmp_path / "elsewhere"
    there.mkdir()
    elsewhere.mkdir()
    write_film(there / "game.mp4")
    monkeypatch.chdir(there)
    with Store(tmp_path / "history.sqlite") as store:
        game = open_game(Plan("game.mp4", make_table("arrastro", SEATS), record=Path("kept")), store)
        game.begin()
        game.close()
        store.flush()
        monkeypatch.chdir(elsewhere)
        assert store.session(game.facts.id).folder == str(there / "kept")
        recording = find_unfinished(game.facts.id, Journals(tmp_path), store)
        plan = plan_again(recording)
        assert plan.source == str(there / "game.mp4")
        open_game(plan).close()
        (there / "game.mp4").unlink()
        with pytest.raises(RecordingError, match=r"game\.mp4, which was watched, is not to be found .* --source"):
            plan_again(recording)


def test_closing_the_program_ends_no_game_and_old_ones_make_way(tmp_path: Path) -> None:
    journals = Journals(tmp_path)
    names = []
    for number in range(5):
        game = open_game(Plan("none", make_table("arrastro", SEATS)), None, journals)
        journal = game.journal
        assert journal is not None
        journal.folder.rename(journals.folder / f"2026-{number}")
        game.close()
        names = [one.folder.name for one in journals.unfinished()]
    assert names == ["2026-4", "2026-3", "2026-2"]
    assert offer(journals, None) is None, "a game in which nothing has happened is not offered"


def test_what_is_not_known_is_said_in_one_sentence(tmp_path: Path, witnessed: Callable[..., Any]) -> None:
    journals = Journals(tmp_path)
    with pytest.raises(NotFoundError, match="no unfinished game"):
        find_unfinished("", journals)
    with pytest.raises(NotFoundError, match="neither a recorded session"):
        find_unfinished("nothing", journals)
    some = witnessed(1, tricks=1).observations[:5]
    secret = record(tmp_path / "secret", some, "rtsp://me:word@camera/1")
    assert "word" not in (secret / "session.json").read_text()
    with pytest.raises(RecordingError, match="without its password"):
        plan_again(read_recording(secret))
    known = {"source": {"kind": "stream", "value": "rtsp://me:word@camera/1"}}
    assert plan_again(read_recording(secret), None, known).source == "rtsp://me:word@camera/1"
    assert plan_again(read_recording(secret), "2").resume == Resumption(read_recording(secret), False)
    old = record(tmp_path / "old", some)
    header = (old / "session.json").read_text()
    (old / "session.json").write_text(header.replace('"open": "game.mp4"', '"opened": 1'))
    with pytest.raises(RecordingError, match="--source"):
        plan_again(read_recording(old))
