"""``brisca films`` with the real weights on a real, very short film: made, read, scored, and not done twice."""

import json
from pathlib import Path

import cv2
import pytest

from engine.cards import Card
from engine.codec import entry_to_json
from engine.events import CardPlayed, HandStarted
from engine.ledger import Amend, Ledger
from engine.rules import load_profile
from server.cli import main
from server.films.doubt import seconds_of_doubt
from server.films.pictures import draw_failures
from server.films.score import CardError
from server.sessions.recording import Recorder, read_recording

SUITE = """
title = "Short"
film = [
  { name = "short", seed = 71, incidents = ["two_cards@1"], camera = ["lost_frames@1"] },
  { name = "never", seats = "southeast,west", group = "impossible" },
]
[defaults]
size = "640x360"
fps = 8
tricks = 1
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("films")
    (folder / "suite.toml").write_text(SUITE, encoding="utf-8")
    return folder


def films(place: Path, *words: str) -> int:
    return main(["films", "--suite", str(place / "suite.toml"), "--cache", str(place / "cache"), *words])


@pytest.fixture(scope="module")
def made(place: Path) -> Path:
    page = place / "page.md"
    page.write_text("<!-- films: begin -->\n<!-- films: end -->\n", encoding="utf-8")
    assert films(place, "--page", str(page)) == 1, "one of the two films cannot be made"
    return place / "cache"


def results(made: Path) -> dict[str, dict[str, object]]:
    data = json.loads((made / "report-suite/results.json").read_text(encoding="utf-8"))
    return {film["name"]: film for film in data["films"]}


def test_a_film_is_made_read_and_scored_and_one_that_cannot_be_is_told(made: Path) -> None:
    told = results(made)
    short = told["short"]
    score = short["score"]
    assert isinstance(score, dict)
    assert (score["cards_all"], score["tricks_all"]) == (2, 1)
    assert len(score["found"]) + len(score["missed"]) == 1
    assert short["failure"] is None
    assert told["never"]["score"] is None
    assert "sit" in str(told["never"]["failure"])
    page = (made.parent / "page.md").read_text(encoding="utf-8")
    assert "| easy | 1 |" in page
    assert "**failed**" in page
    truth = json.loads((made / "short/film/truth.json").read_text(encoding="utf-8"))
    assert truth["film"]["incidents"] == [
        {"name": "two_cards", "kind": "two_cards", "trick": 1, "seat": truth["violations"][0]["seat"]}
    ]


def test_what_is_done_is_not_done_again(made: Path, place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [made / "short" / name for name in ("film/game.mp4", "reading/log.jsonl", "result.json", "watch.log")]
    before = [file.stat().st_mtime_ns for file in files]
    assert films(place, "--only", "short") == 0
    assert [file.stat().st_mtime_ns for file in files] == before
    assert "short: " in capsys.readouterr().err


def test_another_referee_reads_the_recording_and_not_the_film(made: Path, place: Path) -> None:
    folder = made / "short"
    noted = json.loads((folder / "made.json").read_text(encoding="utf-8"))
    log, result = folder / "reading/log.jsonl", (folder / "result.json").read_text(encoding="utf-8")
    before = log.stat().st_mtime_ns
    (folder / "made.json").write_text(json.dumps(noted | {"mind": "another"}), encoding="utf-8")
    assert films(place, "--only", "short") == 0
    assert log.stat().st_mtime_ns == before
    assert "--source " + str(folder / "reading") in (folder / "watch.log").read_text(encoding="utf-8")
    assert (folder / "result.json").read_text(encoding="utf-8") == result, "the recording gives the same game"
    assert json.loads((folder / "made.json").read_text(encoding="utf-8"))["mind"] == noted["mind"]


def test_a_reading_that_crashes_is_told_with_its_last_words(made: Path, place: Path) -> None:
    folder = made / "short"
    noted = json.loads((folder / "made.json").read_text(encoding="utf-8"))
    film = folder / "film/game.mp4"
    whole = film.read_bytes()
    film.write_bytes(b"no film")
    (folder / "made.json").write_text(json.dumps(noted | {"eyes": "another"}), encoding="utf-8")
    try:
        assert films(place, "--only", "short") == 1
        failure = str(results(made)["short"]["failure"])
        assert "ended with 1" in failure
        assert "brisca watch" in failure
    finally:
        film.write_bytes(whole)


def test_unknown_films_and_no_jobs(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert films(place, "--only", "shrot") == 2
    assert "no film or group 'shrot'" in capsys.readouterr().err
    assert films(place, "--jobs", "0") == 2


def test_a_picture_of_a_misread_card_shows_the_frame_its_outline_and_the_words(made: Path, tmp_path: Path) -> None:
    truth = json.loads((made / "short/film/truth.json").read_text(encoding="utf-8"))
    play = truth["tricks"][0]["plays"][0]
    error = CardError("card", 1, (play["seat"], play["seat"]), play["card"], "4O", 0.93, play["t"], True)
    lost = CardError("unread", 1, (0, 0), "4O", None, None, None, False)
    (name,) = draw_failures(made / "short", [error, lost], tmp_path / "out")
    picture = cv2.imread(str(tmp_path / "out" / name))
    assert picture is not None
    assert picture.shape[1] == 640
    assert picture.shape[0] > 360
    assert draw_failures(made / "short", [], tmp_path / "out") == []
    assert not list((tmp_path / "out").iterdir()), "pictures of a film that is right now are gone"


def test_seconds_of_doubt_are_those_with_any_doubtful_play(tmp_path: Path) -> None:
    ledger = Ledger(load_profile("arrastro", 2))
    ledger.append("vision", HandStarted(), 0.0)
    unread = ledger.append("vision", CardPlayed(0, None, t=1.0), 1.5)
    ledger.append("vision", CardPlayed(1, Card(4, "O"), t=3.0, confidence=0.95), 3.2)
    unsure = ledger.append("vision", CardPlayed(0, Card(5, "O"), t=4.0, confidence=0.7), 4.0)
    ledger.append("vision", Amend(unread.id, CardPlayed(0, Card(7, "O"), t=1.0, confidence=0.99)), 6.0)
    ledger.append("vision", Amend(unsure.id, CardPlayed(0, Card(5, "O"), t=4.0, confidence=0.99)), 6.5)
    ledger.append("vision", CardPlayed(1, None, t=8.0), 8.0)
    folder = tmp_path / "session"
    with Recorder(folder, {}) as recorder:
        for entry in ledger.entries:
            recorder.line("entry", entry_to_json(entry))
        recorder.line("finish", {"t": 9.25})
    assert seconds_of_doubt(read_recording(folder)) == pytest.approx(5.0 + 1.25)
