"""The demo film without a screen: pictures in, the right result out, and the same again from the recording."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from server.cli import main
from vision.demo import demo_path
from vision.errors import VisionError
from vision.labels import LABELS
from vision.reader import TableReader
from vision.weights import find_weights


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    """What really happens in the demo film."""
    try:
        find_weights("locate")
        find_weights("identify")
        path = demo_path().with_name("truth.json")
    except VisionError as error:
        pytest.skip(str(error))
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def plays(result: dict[str, Any]) -> list[list[tuple[int, str]]]:
    return [[(play["seat"], play["card"]) for play in trick["plays"]] for trick in result["tricks"]]


@pytest.mark.slow
def test_the_whole_demo_game_is_right_and_replays_to_the_byte(
    truth: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, record = tmp_path / "result.json", tmp_path / "session"
    assert main(["watch", "--source", "demo", "--headless", "--out", str(out), "--record", str(record)]) == 0
    assert main(["replay", str(record), "--check"]) == 0
    assert "the same, byte for byte" in capsys.readouterr().out
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["complete"]
    assert result["trump"] == truth["trump"]
    assert plays(result) == plays(truth)
    assert result["totals"] == truth["totals"]
    assert result["winner"] == truth["winner"]
    assert [(e["seat"], e["given"], e["taken"], e["after_trick"]) for e in result["exchanges"]] == [
        (e["seat"], e["given"], e["taken"], e["after_trick"]) for e in truth["exchanges"]
    ]


def test_a_mirrored_picture_is_read_alike(truth: dict[str, Any]) -> None:
    film = cv2.VideoCapture(str(demo_path()))
    reader = TableReader.packaged()
    for trick in truth["tricks"][:8:4]:
        film.set(cv2.CAP_PROP_POS_MSEC, 1000 * (trick["t_full"] + 0.7))
        ok, image = film.read()
        assert ok
        seen, mirrored = (
            {
                LABELS[one.probs.argmax()]: float(one.probs.max())
                for one in reader.read(picture)
                if one.probs is not None
            }
            for picture in (image, np.ascontiguousarray(image[:, ::-1]))
        )
        assert {play["card"] for play in trick["plays"]} <= set(seen)
        assert set(mirrored) == set(seen)
        assert min(mirrored.values()) > 0.9
    film.release()


def test_detect_reads_a_picture_of_the_demo(
    truth: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = cv2.VideoCapture(str(demo_path()))
    film.set(cv2.CAP_PROP_POS_MSEC, 1000 * (truth["tricks"][0]["plays"][0]["t"] - 0.9))
    ok, image = film.read()
    film.release()
    assert ok
    folder = tmp_path / "pictures"
    folder.mkdir()
    assert cv2.imwrite(str(folder / "trump.png"), image)
    (folder / "torn.jpg").write_bytes(b"\xff\xd8\xff no picture")
    assert main(["detect", str(folder), "--json", "--save", str(tmp_path / "saved")]) == 1
    captured = capsys.readouterr()
    assert "torn.jpg" in captured.err
    assert "Traceback" not in captured.err
    (line,) = captured.out.splitlines()
    read = json.loads(line)
    assert list(read) == ["image", "size", "cards", "backs"]
    assert read["size"] == [image.shape[1], image.shape[0]]
    assert all(list(card) == ["card", "confidence", "quad", "visible"] for card in read["cards"])
    assert all(list(back) == ["quad", "confidence"] for back in read["backs"])
    assert [card["card"] for card in read["cards"]] == [truth["trump"]]
    assert read["backs"]
    width, height = read["size"]
    for x, y in read["cards"][0]["quad"]:
        assert 0 <= x <= width
        assert 0 <= y <= height
    assert cv2.imread(str(tmp_path / "saved" / "trump.jpg")).shape == image.shape
    assert main(["detect", str(folder / "trump.png")]) == 0
    assert truth["trump"] in capsys.readouterr().out
