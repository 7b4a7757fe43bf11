"""Reading MODELS.toml and checking files against it."""

import hashlib
from pathlib import Path

import pytest

from vision.errors import ModelError, WeightsError
from vision.network import Network
from vision.weights import find_weights, list_weights, models_folder, verify

BODY = b"weights"
ENTRY = """
[[model]]
name = "one"
file = "one.onnx"
task = "locate"
sha256 = "{digest}"
classes = ["face", "back"]
input = [384, 640]
licence = "AGPL-3.0-or-later"
metrics = {{ map50 = 0.9 }}
"""


def folder_with(path: Path, text: str | None = None) -> Path:
    (path / "one.onnx").write_bytes(BODY)
    listing = ENTRY.format(digest=hashlib.sha256(BODY).hexdigest()) if text is None else text
    (path / "MODELS.toml").write_text(listing, encoding="utf-8")
    return path


def test_listed_and_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder_with(tmp_path)
    monkeypatch.setenv("BRISCA_MODELS", str(tmp_path))
    assert models_folder() == tmp_path
    weights = find_weights("locate")
    assert (weights.name, weights.classes, weights.input) == ("one", ("face", "back"), (384, 640))
    assert weights.path == tmp_path / "one.onnx"
    assert weights.metrics == {"map50": 0.9}
    assert find_weights("locate", "one") == weights


def test_a_changed_byte_is_noticed(tmp_path: Path) -> None:
    folder = folder_with(tmp_path)
    (folder / "one.onnx").write_bytes(b"Weights")
    with pytest.raises(WeightsError, match="damaged or not the file"):
        find_weights("locate", folder=folder)


def test_missing_things_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_with(tmp_path)
    with pytest.raises(WeightsError, match="no weights to identify"):
        find_weights("identify", folder=folder)
    with pytest.raises(WeightsError, match=r"called two to locate cards \(there: one\)"):
        find_weights("locate", "two", folder=folder)
    (weights,) = list_weights(folder)
    (folder / "one.onnx").unlink()
    with pytest.raises(WeightsError, match=r"one\.onnx are missing"):
        verify(weights)
    monkeypatch.setenv("BRISCA_MODELS", str(tmp_path / "nowhere"))
    with pytest.raises(WeightsError, match="correct it"):
        models_folder()
    with pytest.raises(WeightsError, match="cannot be read"):
        list_weights(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (("[[model]]", "[model"), "no TOML"),
        (("[[model]]", "[model]"), r"no \[\[model\]\] tables"),
        (('name = "one"', ""), "`name` is missing"),
        (('"one.onnx"', '"../one.onnx"'), "`file` must be"),
        (('"locate"', '"dance"'), "`task` must be"),
        (('sha256 = "', 'sha256 = "zz'), "`sha256` must be"),
        (('["face", "back"]', "3"), "`classes` must be"),
        (("[384, 640]", "[384]"), "`input` must be"),
        (('"AGPL-3.0-or-later"', "3"), "`licence` must be"),
    ],
)
def test_a_broken_list_gets_one_sentence(tmp_path: Path, change: tuple[str, str], part: str) -> None:
    good = ENTRY.format(digest=hashlib.sha256(BODY).hexdigest())
    assert change[0] in good
    folder = folder_with(tmp_path, good.replace(*change))
    with pytest.raises(WeightsError, match=part) as caught:
        list_weights(folder)
    assert "\n" not in str(caught.value)


def test_names_must_differ(tmp_path: Path) -> None:
    good = ENTRY.format(digest="0" * 64)
    with pytest.raises(WeightsError, match="lists one twice"):
        list_weights(folder_with(tmp_path, good + good))


def test_what_is_no_model_is_said_so(tmp_path: Path) -> None:
    folder_with(tmp_path)
    with pytest.raises(WeightsError, match="cannot be loaded"):
        Network(tmp_path / "one.onnx")
    with pytest.raises(WeightsError, match="missing"):
        Network(tmp_path / "two.onnx")
    assert issubclass(ModelError, Exception)
