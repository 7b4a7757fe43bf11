"""Makes the builders beside the tests importable (the test folders are no packages)."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from table_scene import Scene


@pytest.fixture
def scene() -> Scene:
    return Scene()
