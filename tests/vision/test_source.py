"""Opening every kind of source, with real files, and the sentence that each kind of bad input gets."""

import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import video
from vision.camera import FreezeWatch, probe_cameras
from vision.errors import PictureError, SourceError, VisionError
from vision.facts import Frame
from vision.feed import SourceState
from vision.source import open_source
from vision.stills import Stills, read_picture
from vision.video import plausible_fps

SIZE = (96, 64)


def numbered(index: int) -> np.ndarray:
    """A picture whose grey tells its number."""
    return np.full((SIZE[1], SIZE[0], 3), 20 + 7 * index, np.uint8)


def number_of(frame: Frame) -> int:
    return round((float(frame.image.mean()) - 20) / 7)


def write_film(path: Path, count: int = 12, fps: float = 12.5, fourcc: str = "mp4v") -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*fourcc), fps, SIZE)
    assert writer.isOpened()
    for index in range(count):
        writer.write(numbered(index))
    writer.release()
    return path


@pytest.mark.parametrize(("name", "fourcc"), [("a.mp4", "mp4v"), ("b.avi", "MJPG")])
def test_a_film_gives_every_frame_with_its_time(tmp_path: Path, name: str, fourcc: str) -> None:
    states: list[SourceState] = []
    with open_source(str(write_film(tmp_path / name, fourcc=fourcc)), on_state=lambda s, _: states.append(s)) as source:
        assert (source.info.kind, source.info.width, source.info.height) == ("video", *SIZE)
        assert source.info.fps == pytest.approx(12.5)
        assert source.info.frames == 12
        assert not source.info.live
        frames = list(source)
    assert [frame.index for frame in frames] == list(range(12))
    assert [number_of(frame) for frame in frames] == list(range(12))
    assert frames[5].t == pytest.approx(0.4)
    assert source.dropped == 0
    assert states == [SourceState.RUNNING, SourceState.ENDED]


def test_a_film_can_be_left_early(tmp_path: Path) -> None:
    source = open_source(str(write_film(tmp_path / "a.mp4")))
    for frame in source:
        if frame.index == 3:
            source.close()
    assert frame.index == 3
    assert source.state is SourceState.ENDED


def test_a_film_played_live_keeps_its_pace_and_drops_what_nobody_fetched(tmp_path: Path) -> None:
    path = write_film(tmp_path / "a.mp4", count=10, fps=20)
    began = time.monotonic()
    with open_source(str(path), live=True) as source:
        assert source.info.live
        frames = []
        for frame in source:
            frames.append(frame)
            if frame.index == 0:
                time.sleep(0.26)
    assert time.monotonic() - began > 0.4
    assert all(frame.t == pytest.approx(frame.index / 20) for frame in frames)
    assert all(number_of(frame) == frame.index for frame in frames)
    assert frames[-1].index == 9
    assert source.dropped >= 2
    assert len(frames) + source.dropped == 10
    assert source.state is SourceState.ENDED


@pytest.mark.parametrize("fps", [0.0, float("nan"), float("inf"), 90_000.0, -1.0])
def test_an_absurd_frame_rate_becomes_25(fps: float) -> None:
    assert plausible_fps(fps) == 25.0


def test_a_plausible_frame_rate_stays() -> None:
    assert plausible_fps(29.97) == pytest.approx(29.97)


def test_a_folder_gives_its_pictures_in_natural_order_and_skips_what_is_broken(tmp_path: Path) -> None:
    for index in (10, 2, 1):
        cv2.imwrite(str(tmp_path / f"p{index}.png"), numbered(index))
    (tmp_path / "p3.jpg").write_bytes(b"no picture")
    (tmp_path / "notes.txt").write_text("not looked at")
    with open_source(str(tmp_path)) as source:
        assert isinstance(source, Stills)
        assert source.info.kind == "folder"
        seen = [(number_of(frame), source.path.name, frame.t) for frame in source]
    assert seen == [(1, "p1.png", 0.0), (2, "p2.png", 1.0), (10, "p10.png", 2.0)]
    assert [path.name for path, _ in source.skipped] == ["p3.jpg"]
    assert source.state is SourceState.ENDED


def test_one_picture_is_one_frame_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "Übersicht ñ.JPG"
    path.write_bytes(cv2.imencode(".jpg", numbered(7))[1].tobytes())
    with open_source(str(path)) as source:
        assert source.info.kind == "picture"
        frames = list(source)
    assert [number_of(frame) for frame in frames] == [7]


def test_a_grey_picture_becomes_colour(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "g.png"), np.full((5, 4), 9, np.uint8))
    assert read_picture(tmp_path / "g.png").shape == (5, 4, 3)


def bad_input(folder: Path) -> dict[str, tuple[str, str]]:
    """Name of a case -> what is opened, and a part of the sentence."""
    (folder / "empty.mp4").touch()
    (folder / "empty.png").touch()
    (folder / "text.mp4").write_text("hello " * 500)
    (folder / "text.png").write_text("hello")
    (folder / "void").mkdir()
    (folder / "broken").mkdir()
    (folder / "broken" / "a.png").write_text("hello")
    film = write_film(folder / "whole.mp4", count=30).read_bytes()
    (folder / "cut.mp4").write_bytes(film[: len(film) // 2])
    unknown = write_film(folder / "whole.avi", fourcc="MJPG").read_bytes()
    (folder / "codec.avi").write_bytes(unknown.replace(b"MJPG", b"QQQQ"))
    return {
        "missing": (str(folder / "nothing.mp4"), "check the path"),
        "empty film": (str(folder / "empty.mp4"), "is empty"),
        "empty picture": (str(folder / "empty.png"), "is empty"),
        "no film": (str(folder / "text.mp4"), "ffmpeg -i"),
        "no picture": (str(folder / "text.png"), "save it as JPEG or PNG"),
        "empty folder": (str(folder / "void"), "holds no picture"),
        "folder of broken pictures": (str(folder / "broken"), "None of the pictures"),
        "cut off": (str(folder / "cut.mp4"), "ffmpeg -i"),
        "codec": (str(folder / "codec.avi"), "ffmpeg -i"),
        "no camera": ("87", "no camera 87"),
        "device": ("/dev/video87", "no camera 87"),
        "nothing": ("  ", "No source"),
        "scheme": ("gopher://cam/x", "no address for pictures"),
    }


def test_bad_input_gets_one_sentence_with_a_way_out(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name, (spec, part) in bad_input(tmp_path).items():
        with pytest.raises(VisionError) as caught:
            open_source(spec)
        assert part in str(caught.value), name
        assert "\n" not in str(caught.value), name
        assert isinstance(caught.value, SourceError), name
    assert capfd.readouterr().err == ""


def test_reading_a_picture_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="is a folder"):
        read_picture(tmp_path)
    with pytest.raises(PictureError, match="no file"):
        read_picture(tmp_path / "a.png")


def test_listing_cameras_is_quiet_and_quick(capfd: pytest.CaptureFixture[str]) -> None:
    began = time.monotonic()
    cameras = probe_cameras()
    assert [camera.index for camera in cameras] == sorted({camera.index for camera in cameras})
    assert time.monotonic() - began < 10
    captured = capfd.readouterr()
    assert captured.err == ""
    assert captured.out == ""


def test_a_camera_that_repeats_one_picture_is_frozen() -> None:
    now = [0.0]
    watch = FreezeWatch(5.0, lambda: now[0])
    rng = np.random.default_rng(1)
    picture = rng.integers(0, 255, (64, 64, 3), dtype=np.uint8)
    assert not watch.is_frozen(picture)
    now[0] = 4.9
    assert not watch.is_frozen(picture)
    now[0] = 5.0
    assert watch.is_frozen(picture)
    assert not watch.is_frozen(picture + np.uint8(1))


def test_the_demo_says_when_its_film_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.demo.resources.files", lambda _: tmp_path)
    with pytest.raises(SourceError, match="demo film is missing"):
        open_source("demo")
    (tmp_path / "demo").mkdir()
    write_film(tmp_path / "demo" / "demo.mp4", count=3, fps=50)
    with open_source("demo", live=False) as source:
        assert source.info.kind == "demo"
        assert len(list(source)) == 3
    with open_source("demo") as source:
        assert source.info.live
        assert [frame.index for frame in source][-1] == 2


def test_film_is_released(tmp_path: Path) -> None:
    film = video.Film(write_film(tmp_path / "a.mp4"))
    film.close()
    film.close()
    assert film.read() is None
