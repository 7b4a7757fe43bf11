from pathlib import Path

import pytest

from vision.train.dataset import SCHEMES
from vision.train.truth import class_names

DATASETS = Path(__file__).parents[2] / "datasets"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_listed_classes_are_those_that_are_written(scheme: str, tmp_path: Path) -> None:
    text = (DATASETS / f"{scheme}.yaml").read_text(encoding="utf-8")
    (tmp_path / "data.yaml").write_text(text, encoding="utf-8")
    assert tuple(class_names(tmp_path)) == SCHEMES[scheme]  # type: ignore[index]
    assert f"path: cache/{scheme}\n" in text


def test_no_picture_is_kept_with_the_recipes() -> None:
    kinds = {path.suffix for path in DATASETS.rglob("*") if path.is_file()}
    assert kinds <= {".md", ".yaml", ".toml", ".json"}
