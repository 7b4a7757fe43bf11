"""Crops of the cards that people put right: kept where it was asked for, with the right label, and only those."""

import asyncio
import json
import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from rooms import write_film

from server.referee.word import Worded
from server.sessions.headless import run_steps
from server.sessions.intake import Pressed, Seen, Step
from server.sessions.lessons import CROPS_FILE, MARGIN, Lessons
from server.sessions.session import Session, make_table
from server.sessions.sitting import SessionFacts
from server.settings import load_settings
from server.web.live import LiveTable
from server.web.opening import NONE, Plan, open_game
from server.web.room import Addresses, Room
from vision.facts import Observation
from vision.identifier import Identifier
from vision.labels import LABELS
from vision.synth.decks import own_deck
from vision.synth.laying import lay
from vision.weights import find_weights

TABLE = "south=Ana,north=Luis"


def pictured(observation: Observation) -> np.ndarray:
    """A real picture of what an observation shows: cards of our own deck on green cloth."""
    width, height = observation.size
    canvas = np.full((height, width, 3), (62, 92, 40), np.float32)
    deck = own_deck()
    for sighting in observation.sightings or ():
        face = deck.face(sighting.labels[0][0]) if sighting.labels else deck.back()
        face = cv2.resize(face, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
        lay(canvas, face, np.array(sighting.quad, np.float32))
    return np.clip(canvas, 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def filmed(witnessed: Callable[..., Any]) -> list[Seen]:
    """A trick as a camera gives it: pictures with what was read in them. One drawing per arrangement is enough."""
    steps: list[Seen] = []
    for observation in witnessed(1, tricks=1).observations:
        same = bool(steps) and steps[-1].observation.sightings == observation.sightings
        steps.append(Seen(observation, steps[-1].image if same else pictured(observation)))
    return steps


def misread(steps: list[Seen], truth: str, as_read: str) -> list[Seen]:
    """The same film read by eyes that take one card for another."""
    out = []
    for step in steps:
        sightings = tuple(
            replace(one, labels=((as_read, 0.93), (truth, 0.04))) if one.labels and one.labels[0][0] == truth else one
            for one in step.observation.sightings or ()
        )
        out.append(Seen(replace(step.observation, sightings=sightings), step.image))
    return out


def watched(steps: list[Seen], folder: Path) -> tuple[LiveTable, Session]:
    """A live table at the end of the film, as the vision worker and the event loop drive it."""
    session, facts = Session(make_table("arrastro", TABLE)), SessionFacts.begin("film")
    lessons = Lessons(folder, facts.id)
    session.on_word = lessons.heard
    live = LiveTable(session, facts, iter(()), threading.Event(), version="1", lessons=lessons)
    for step in steps:
        events = session.track(step.observation)
        live._keep_picture(step, events)
        session.take(step.observation, events)
    return live, session


def lines(live: LiveTable) -> list[dict[str, Any]]:
    assert live.lessons is not None
    file = live.lessons.folder / CROPS_FILE
    return [json.loads(line) for line in file.read_text().splitlines()] if file.is_file() else []


def plays(session: Session) -> list[tuple[int, str]]:
    hand = session.state.hands[0]
    cards = hand.tricks[0].plays if hand.tricks else hand.trick
    return [(play.seat, str(play.card)) for play in cards]


def test_a_correction_saves_the_crop_with_the_right_label(filmed: list[Seen], tmp_path: Path) -> None:
    _, right = watched(filmed, tmp_path / "other")
    seat, truth = plays(right)[0]
    wrong = next(
        label for label in LABELS if label not in {card for _, card in plays(right)} and label[-1] == truth[-1]
    )
    live, session = watched(misread(filmed, truth, wrong), tmp_path)
    assert (seat, wrong) in plays(session)
    assert not lines(live), "nothing is kept before a person has said something"

    live.press({"type": "correct_card", "trick": 1, "seat": seat, "card": truth})
    (line,) = lines(live)
    assert (line["label"], line["read"], line["confidence"]) == (truth, wrong, 0.93)
    assert line["file"] == f"{truth}-1.jpg"
    crop = cv2.imread(str(tmp_path / live.facts.id / line["file"]))
    height, width = crop.shape[:2]
    card = 1 / (1 + 2 * MARGIN)
    assert abs(height * card - np.linalg.norm(np.subtract(line["quad"][1], line["quad"][2]))) < 2, "in full resolution"
    inset = np.array([(1 - card) / 2 * width, (1 - card) / 2 * height])
    quad = np.array([inset, (width - inset[0], inset[1]), (width, height) - inset, (inset[0], height - inset[1])])
    probs, _ = Identifier(find_weights("identify").path).identify(crop, np.array([quad], np.float32))
    assert LABELS[int(probs[0].argmax())] == truth, "the crop shows the card that the label names"


def test_what_is_taken_back_or_put_right_again_leaves_no_wrong_label(filmed: list[Seen], tmp_path: Path) -> None:
    live, session = watched(filmed, tmp_path)
    seat, truth = plays(session)[0]
    other = next(label for label in LABELS if label not in {card for _, card in plays(session)} and label[0] in "123")
    live.press({"type": "correct_card", "trick": 1, "seat": seat, "card": other})
    assert [line["label"] for line in lines(live)] == [other]
    live.press({"type": "undo"})
    folder = tmp_path / live.facts.id
    assert lines(live) == []
    assert not list(folder.glob("*.jpg"))
    live.press({"type": "redo"})
    live.press({"type": "correct_card", "trick": 1, "seat": seat, "card": truth})
    assert [line["label"] for line in lines(live)] == [truth]
    assert [file.name for file in folder.glob("*.jpg")] == [f"{truth}-1.jpg"]


def test_the_trump_that_is_named_is_kept_too(filmed: list[Seen], tmp_path: Path) -> None:
    live, session = watched(filmed, tmp_path)
    trump = str(session.state.hands[0].trump_card)
    live.press({"type": "set_trump", "card": trump})
    (line,) = lines(live)
    assert (line["label"], line["read"]) == (trump, trump)
    assert line["visible"] < 0.7, "it lies half under the stock"


def test_a_doubtful_card_that_is_confirmed_is_kept(filmed: list[Seen], tmp_path: Path) -> None:
    live, session = watched(filmed, tmp_path)
    hand = session.state.hands[0]
    play = hand.tricks[0].plays[0] if hand.tricks else hand.trick[0]
    live.press({"type": "confirm", "play": play.event_id})
    assert [line["label"] for line in lines(live)] == [str(play.card)]


def test_presses_about_cards_that_no_camera_saw_write_nothing(filmed: list[Seen], tmp_path: Path) -> None:
    blind = [Seen(step.observation) for step in filmed]  # a recording: no pictures
    live, session = watched(blind, tmp_path / "recorded")
    seat, truth = plays(session)[0]
    live.press({"type": "correct_card", "trick": 1, "seat": seat, "card": truth})
    unseen = next(label for label in LABELS if label not in {card for _, card in plays(session)} and label[0] in "456")
    live.press({"type": "add_play", "trick": 2, "seat": 0, "card": unseen})
    assert lines(live) == []
    game = open_game(Plan(NONE, make_table("arrastro", TABLE)), learn=tmp_path / "hand")
    game.session.press({"type": "add_play", "trick": 1, "seat": 0, "card": "1O"})
    game.close()
    assert game.lessons is None
    assert not (tmp_path / "hand").exists()


def test_a_folder_that_cannot_be_written_is_told_once_and_the_game_goes_on(
    filmed: list[Seen], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    live, session = watched(filmed, tmp_path / "learn")
    seat, truth = plays(session)[0]
    assert live.lessons is not None
    live.lessons.folder.write_text("a file where the folder should be")
    with caplog.at_level(logging.WARNING):
        assert live.press({"type": "correct_card", "trick": 1, "seat": seat, "card": truth}) is not None
        live.press({"type": "set_trump", "card": str(session.state.hands[0].trump_card)})
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "the game goes on without them" in caplog.text
    assert "Traceback" not in caplog.text
    assert plays(session)[0] == (seat, truth)
    (tmp_path / "file").write_text("")
    caplog.clear()
    assert Lessons(tmp_path / "file", "s1").failure is not None
    assert len(caplog.records) == 1


def test_a_headless_run_learns_from_its_inputs(filmed: list[Seen], tmp_path: Path) -> None:
    _, right = watched(filmed, tmp_path / "other")
    seat, truth = plays(right)[0]
    steps: list[Step] = [*filmed, Pressed({"type": "correct_card", "trick": 1, "seat": seat, "card": truth})]
    session, lessons = Session(make_table("arrastro", TABLE)), Lessons(tmp_path, "s1")
    session.on_word = lessons.heard
    run_steps(session, steps, lessons=lessons)
    assert [file.name for file in (tmp_path / "s1").glob("*.jpg")] == [f"{truth}-1.jpg"]


def test_a_crop_of_another_card_on_the_same_track_is_not_taken(filmed: list[Seen], tmp_path: Path) -> None:
    live, _ = watched(filmed, tmp_path)
    assert live.lessons is not None
    tracks = {track for track, _ in live.lessons._crops}
    t = min(crop.t for crop in live.lessons._crops.values())
    live.lessons.heard([Worded(1, 1, "1O", frozenset(tracks), t - 20, t - 10)])
    assert lines(live) == []


def test_crops_are_kept_only_where_it_was_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, film = make_table("arrastro", TABLE), write_film(tmp_path / "film.mp4", seconds=0.5)
    game = open_game(Plan(str(film), table))
    game.close()
    assert game.lessons is None
    assert game.session.on_word is None
    game = open_game(Plan(str(film), table), learn=tmp_path / "learn")
    game.close()
    assert game.lessons is not None
    assert game.lessons.folder == tmp_path / "learn" / game.facts.id
    assert game.session.on_word == game.lessons.heard
    assert list((tmp_path / "learn").iterdir()) == [], "nothing is written before somebody says something"


def test_the_option_wins_over_the_environment() -> None:
    env = {"HOME": "/h", "BRISCA_LEARN": "/env"}
    assert load_settings(environ={"HOME": "/h"}).learn is None
    assert load_settings(environ=env).learn == Path("/env")
    assert load_settings(environ=env, learn="/option").learn == Path("/option")


def test_a_game_begun_on_the_start_page_learns_as_well(tmp_path: Path) -> None:
    film = write_film(tmp_path / "film.mp4", seconds=0.5)

    async def begun() -> Lessons | None:
        room = Room(make_table("arrastro", TABLE), "1", Addresses("http://x/", None), learn=tmp_path / "learn")
        game = await room.begin(Plan(str(film), make_table("arrastro", TABLE)))
        assert room._table is not None
        assert room._table.lessons is game.lessons
        await room.stop()
        return game.lessons

    lessons = asyncio.run(begun())
    assert lessons is not None
    assert lessons.folder.parent == tmp_path / "learn"
