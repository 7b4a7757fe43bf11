"""The transcript of each profile: a profile without one fails, and so does any change of what the engine says."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from engine.rules import list_profiles


def load_script() -> ModuleType:
    path = Path(__file__).parent / "transcripts.py"
    spec = importlib.util.spec_from_file_location("transcripts", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = load_script()


@pytest.mark.parametrize("name", list_profiles())
def test_the_transcript_of_the_profile(name: str) -> None:
    path: Path = SCRIPT.path_of(name)
    assert path.is_file(), "this profile has no transcript: run python tests/engine/transcripts.py"
    assert path.read_text(encoding="utf-8") == SCRIPT.transcript(name)


def test_no_transcript_is_left_over() -> None:
    assert {path.stem for path in SCRIPT.FOLDER.glob("*.txt")} == set(list_profiles())
