"""Suites of films: the files in the repository can be made, and what is wrong with a file is said."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from server.films.identity import eyes_identity, film_identity, mind_identity
from server.films.report import BEGIN, END, ReportError, put_into
from server.films.suite import FilmSpec, SuiteError, read_suite
from server.simulator.simulate import Simulation, script_game

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", ["films.toml", "films-basic.toml"])
def test_every_film_of_the_suites_can_be_scripted(name: str) -> None:
    suite = read_suite(ROOT / "datasets" / name)
    identities = set()
    for film in suite.films:
        made = script_game(film.what)
        assert len(made.staged.incidents) == len(film.what.incidents)
        identities.add(film_identity(made))
    assert len(identities) == len(suite.films), "two films are the same"


def test_the_suite_is_large_wide_and_apart_from_what_others_use() -> None:
    films = read_suite(ROOT / "datasets/films.toml").films
    assert len(films) >= 40
    assert {film.what.level for film in films} == {"easy", "medium", "hard"}
    assert {film.what.players for film in films} == {2, 3, 4, 6}
    assert len({film.what.rules for film in films}) >= 8
    basic = {film.what.seed for film in read_suite(ROOT / "datasets/films-basic.toml").films}
    assert not basic & {film.what.seed for film in films}
    assert min(film.what.seed for film in films) > 100, "smaller seeds are used while working"


def write(folder: Path, text: str) -> Path:
    path = folder / "suite.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_film_takes_the_defaults_and_its_own_fields(tmp_path: Path) -> None:
    suite = read_suite(
        write(
            tmp_path,
            """
            title = "Two"
            film = [
              { name = "a", seed = 3, camera = ["bumped@2"] },
              { name = "b", level = "hard", fps = 30, size = "640x480", inputs = false, group = "odd" },
            ]
            [defaults]
            level = "medium"
            tricks = 4
            """,
        )
    )
    assert suite.title == "Two"
    first, second = suite.films
    assert first == FilmSpec("a", "medium", Simulation(level="medium", tricks=4, seed=3, camera=("bumped@2",)))
    assert second.what == Simulation(level="hard", tricks=4, fps=30.0, size=(640, 480))
    assert (second.group, second.inputs) == ("odd", False)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("film = [", "no TOML"),
        ("title = 'x'", "lists no films"),
        ("film = [{ seed = 3 }]", "has the name None"),
        ("film = [{ name = 'a/b' }]", "use small letters"),
        ("film = [{ name = 'a', colour = 3 }]", "a field 'colour'"),
        ("film = [{ name = 'a', seed = '3' }]", "seed = '3'"),
        ("film = [{ name = 'a', size = '1280' }]", "no size"),
        ("film = [{ name = 'a' }, { name = 'a' }]", "two films called a"),
        ("films = []", "a part 'films'"),
    ],
)
def test_a_suite_that_cannot_be_meant_says_what_is_wrong(tmp_path: Path, text: str, part: str) -> None:
    with pytest.raises(ValueError, match=re.escape(part)):
        read_suite(write(tmp_path, text))


def test_no_suite_file(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="name a TOML file"):
        read_suite(tmp_path / "none.toml")


def test_what_a_film_was_made_by_decides_whether_it_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = FilmSpec("a", "easy", Simulation(seed=3))
    film = film_identity(script_game(spec.what))
    assert film == film_identity(script_game(Simulation(seed=3)))
    changes: list[dict[str, Any]] = [{"seed": 4}, {"level": "medium"}, {"camera": ("mirrored",)}, {"turn": 20.0}]
    for change in changes:
        assert film_identity(script_game(Simulation(**({"seed": 3} | change)))) != film
    titled = script_game(Simulation(rules="alcaide", players=3))
    rival = replace(titled.game, alcaide=((titled.game.alcaide or 0) + 1) % 3)
    pressed = replace(titled, staged=replace(titled.staged, game=rival))
    assert film_identity(pressed) != film_identity(titled), "the Alcaide is pressed, not seen"
    eyes = eyes_identity(film, spec)
    mind = mind_identity(eyes, spec)
    from server.films import identity

    before = identity._file_of
    tracker = ROOT / "vision/tracker.py"
    other = ROOT / "vision/quiet.py"

    def changed(name: str) -> Path | None:
        path = before(name)
        return other if path == tracker else path

    # As if the tracker had been edited: neither the film nor what is seen in it, but the game read out of that.
    identity._sources.cache_clear()
    monkeypatch.setattr(identity, "_file_of", changed)
    assert film_identity(script_game(spec.what)) == film
    assert eyes_identity(film, spec) == eyes
    assert mind_identity(eyes, spec) != mind
    identity._sources.cache_clear()


def test_the_tables_go_between_the_marks_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n\n{BEGIN}\nold\n{END}\n\nafter\n", encoding="utf-8")
    put_into(page, "new\n")
    assert page.read_text(encoding="utf-8") == f"before\n\n{BEGIN}\n\nnew\n\n{END}\n\nafter\n"
    page.write_text("nothing", encoding="utf-8")
    with pytest.raises(ReportError, match="has no lines"):
        put_into(page, "new\n")


def test_the_page_of_the_repository_has_the_marks() -> None:
    text = (ROOT / "docs/accuracy.md").read_text(encoding="utf-8")
    assert text.index(BEGIN) < text.index(END)
