"""``brisca rules`` and ``brisca score`` from the command line."""

import json
from pathlib import Path
from random import Random

import pytest

from engine.notation import render_text
from engine.random_game import random_game
from engine.record import Record, record_to_json
from engine.rules import list_profiles, load_profile
from server.cli import main

VECTORS = Path(__file__).parents[1] / "engine" / "data" / "vectors.jsonl"


def test_list_and_show(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(list_profiles())
    assert main(["rules", "list", "--json"]) == 0
    rows = {row["name"]: row["players"] for row in json.loads(capsys.readouterr().out)}
    assert rows["oculta"] == [2, 4]
    assert main(["rules", "show", "alcaide", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["alcaide"] == {"threshold": 31, "next": "lot_among_rivals"}
    assert main(["rules", "show", "nothing"]) == 1
    assert "choose one of" in capsys.readouterr().err


def test_check_house_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text('base = "arrastro"\nplayers = 2\n', encoding="utf-8")
    bad.write_text("players = 3\n", encoding="utf-8")
    assert main(["rules", "check", str(good)]) == 0
    assert "can be played" in capsys.readouterr().out
    assert main(["rules", "check", str(bad)]) == 1
    assert "tres_39" in capsys.readouterr().err
    assert main(["rules", "check", str(tmp_path / "none.toml")]) == 1
    assert main(["rules", "show", str(good)]) == 0


def test_check_vectors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "check-vectors", str(VECTORS)]) == 0
    assert capsys.readouterr().out.strip().endswith("passed, 0 failed")
    lines = VECTORS.read_text(encoding="utf-8").splitlines()
    wrong = json.loads(lines[0])
    wrong["expect"]["winner"] = 1
    file = tmp_path / "v.jsonl"
    file.write_text("\n".join([json.dumps(wrong), lines[1], "nonsense"]), encoding="utf-8")
    assert main(["rules", "check-vectors", str(file)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[-1] == "1 passed, 2 failed"
    assert "expected 1, got 3" in out[0]
    assert main(["rules", "check-vectors", str(file), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["failed"] == 2


def test_score_both_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = load_profile("arrastro", 4)
    game = random_game(rules, Random(3))
    record = Record(rules, (), tuple(game.events()))
    text, data = tmp_path / "g.txt", tmp_path / "g.json"
    text.write_text(render_text(record), encoding="utf-8")
    data.write_text(json.dumps(record_to_json(record)), encoding="utf-8")
    assert main(["score", str(text)]) == 0
    printed = capsys.readouterr().out
    assert main(["score", str(data)]) == 0
    assert capsys.readouterr().out == printed
    teams = [sum(game.points_by_seat[seat] for seat in team) for team in ((0, 2), (1, 3))]
    assert f"Points: seats 0+2 {teams[0]}, seats 1+3 {teams[1]}" in printed
    assert main(["score", str(text), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hands"][0]["points_by_team"] == teams


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("x.json", "[1,2", "not valid JSON"),
        ("x.txt", "[1,2", "not valid JSON"),
        ("x.json", "1. 0:1O", "not valid JSON"),
        ("x.JSON", "", "not valid JSON"),
        ("x.json", '{"format": "brisca-record"', "not valid JSON"),
        ("x.json", "[1,2]", "no game record"),
    ],
)
def test_score_says_that_json_is_broken(
    name: str, text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["score", str(tmp_path / name)]) == 1
    told = capsys.readouterr()
    assert said in told.err
    assert told.out == ""


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"Dear all,\nthis is a letter about cards.\n", "(line 1: 'Dear' is not understood"),
        (b"# Shopping\nbread, milk\n", "(line 1: 'Shopping' is not understood"),
        (b"", "holds no game: write its cards as docs/notation.md shows"),
        (b"\x00\xff\xfe\x80", "give a game record, as docs/notation.md shows it"),
    ],
)
def test_what_is_no_record_is_told_in_one_sentence_with_a_way_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, said: str
) -> None:
    (tmp_path / "letter.txt").write_bytes(content)
    assert main(["score", str(tmp_path / "letter.txt")]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err
    assert "docs/notation.md" in told.err
    assert len(told.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x00\xff\xfe\x80", "is not text in UTF-8"),
        (b"Dear all,\nhello\n", "holds no rules in TOML (Expected"),
    ],
)
@pytest.mark.parametrize("command", ["check", "show"])
def test_a_file_that_holds_no_rules_is_told_from_a_profile(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    content: bytes,
    said: str,
    command: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rub.bin").write_bytes(content)
    assert main(["rules", command, "rub.bin"]) == 1
    told = capsys.readouterr().err
    assert said in told
    assert "the example at the top of docs/rules.md" in told
    assert "no profile" not in told
    assert main(["rules", command, "rub.bon"]) == 1
    assert "There is no profile 'rub.bon'" in capsys.readouterr().err


def test_rules_are_read_from_a_path_in_quotes(tmp_path: Path) -> None:
    mine = tmp_path / "my rules.toml"
    mine.write_text('base = "arrastro"\nplayers = 2\n', encoding="utf-8")
    assert main(["rules", "check", f"'{mine}'"]) == 0


def test_the_text_form_is_read_whatever_the_file_is_called(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.json").write_text('[Rules "arrastro"]\n[Players "2"]\n[Hand "1"]\n1. 0:3C\n', encoding="utf-8")
    assert main(["score", str(tmp_path / "x.json")]) == 0
    assert "0:3C" in capsys.readouterr().out


def test_score_tells_what_it_cannot_read_and_proves_violations(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "g.txt"
    file.write_text(
        '[Rules "arrastro"]\n[Players "2"]\n[Hand "1"]\n[Dealer "1"]\n[Trump "4O"]\n'
        "1. 1:3C 0:2C zzz >0\n2. 0:1O! 1:5B\n",
        encoding="utf-8",
    )
    assert main(["score", str(file)]) == 1
    out = capsys.readouterr().out
    assert "seat 1 led out of turn" in out
    assert "seat 0 gathered a trick of the other side" in out
    assert "did not answer the arrastre" in out
    assert "line 6: 'zzz' is not understood" in out
    assert "Not over: 99 points still to come" in out
    file.write_text('[Rules "arrastro"]\n[Players "2"]\n[Hand "1"]\n1. 0:3C\n5:2C >0\n', encoding="utf-8")
    assert main(["score", str(file)]) == 1
    assert "line 5: there is no seat 5 at a table of 2" in capsys.readouterr().out
    assert main(["score", str(file), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)["unreadable"]
    assert told == [{"line": 5, "text": "there is no seat 5 at a table of 2"}]
    file.write_text('[Rules "arrastro"]\n[Players "3"]\n1. 0:3C\n', encoding="utf-8")
    assert main(["score", str(file)]) == 1
    assert "line 2: These rules (arrastro) cannot be played" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("tags", "title", "told"),
    [
        ('[Rules "arrastro"]\n[Players "2"]\n[Set "hand_size = -5"]', "Brisca con arrastro, 2 players",
         "line 3: the tag Set was passed over: hand_size = -5 must be at least 1."),
        ('[Rules ""]\n[Players "2"]\n[Set "hand_size = -5"]', "house, 2 players",
         "line 1: the tag Rules is empty and was passed over: use one of abril,"),
        ('[Rules "arrastro"]\n[Players "2"]\n[Set "name = \\"\\""]', "Brisca con arrastro, 2 players",
         "line 3: the tag Set was passed over: name = '' is empty: give the rules a name."),
        ('[Rules "arrastro"]\n[Players "2"]\n[Set "title = \\" \\""]', "arrastro, 2 players", None),
    ],
)  # fmt: skip
def test_a_record_with_a_bad_tag_has_a_title_and_the_tag_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], tags: str, title: str, told: str | None
) -> None:
    record = tmp_path / "game.txt"
    record.write_text(f'{tags}\n[Hand "1"]\n[Trump "4O"]\n1. 0:3C 1:1C\n', encoding="utf-8")
    assert main(["score", str(record)]) == (0 if told is None else 1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == title
    assert told is None or any(line.strip().startswith(told) for line in lines)
