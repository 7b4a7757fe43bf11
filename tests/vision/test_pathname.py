"""Paths pasted in quotes, with blanks around them."""

from pathlib import Path

import pytest

from vision.pathname import as_meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('"C:\\films\\game.mp4"', "C:\\films\\game.mp4"),
        ("'/tmp/my film.mp4'", "/tmp/my film.mp4"),
        ("  “/tmp/my film.mp4” ", "/tmp/my film.mp4"),
        ("' /tmp/film.mp4 '", "/tmp/film.mp4"),
        ("/tmp/film.mp4", "/tmp/film.mp4"),
        ("\"/tmp/film.mp4'", "\"/tmp/film.mp4'"),
        ("/tmp/Ana's 'best' game.mp4", "/tmp/Ana's 'best' game.mp4"),
        ("''", "''"),
        ("'" + "x" * 5000 + "'", "x" * 5000),
        ("demo", "demo"),
    ],
)
def test_a_path_is_taken_as_it_was_meant(written: str, meant: str) -> None:
    assert as_meant(written) == meant


def test_a_file_that_bears_quotes_in_its_name_is_that_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("'film.mp4'").write_bytes(b"")
    assert as_meant("'film.mp4'") == "'film.mp4'"
