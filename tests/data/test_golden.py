"""The golden recordings: replayed to the byte, their tricks those of the film; see tests/data/golden/README.md."""

import json
import lzma
import shutil
from pathlib import Path

import pytest

from server.films.golden import FOLDER, LIST_FILE, PACKED_FILE, TRUTH_FILE, faults, read_list, renew

GOLDEN = read_list(FOLDER / LIST_FILE)


@pytest.mark.parametrize("name", [golden.name for golden in GOLDEN])
def test_it_replays_to_the_byte_and_rightly(name: str, tmp_path: Path) -> None:
    assert faults(FOLDER / name, tmp_path / "session") == []
    assert json.loads((FOLDER / name / TRUTH_FILE).read_text(encoding="utf-8")), "some trick is compared"


def test_the_list_and_the_folder_are_one() -> None:
    assert {path.name for path in FOLDER.iterdir() if path.is_dir()} == {golden.name for golden in GOLDEN}
    assert len(GOLDEN) == 10
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 3_000_000


def test_what_is_wrong_is_found_and_renewing_keeps_what_was_seen(tmp_path: Path) -> None:
    name = "four-begin"
    folder = tmp_path / name
    shutil.copytree(FOLDER / name, folder)
    log = lzma.decompress((folder / PACKED_FILE).read_bytes()).decode()
    (folder / PACKED_FILE).write_bytes(
        lzma.compress(log.replace('"type":"card_played"', '"type":"trump_taken"', 1).encode())
    )
    true = json.loads((folder / TRUTH_FILE).read_text(encoding="utf-8"))
    true[0]["winner"] = (true[0]["winner"] + 1) % 4
    (folder / TRUTH_FILE).write_text(json.dumps(true), encoding="utf-8")
    found = faults(folder, tmp_path / "first")
    assert any(one.startswith("ledger differs") for one in found)
    assert any(one.startswith("trick 1 was") for one in found)
    renew(folder)
    assert lzma.decompress((folder / PACKED_FILE).read_bytes()).decode() == log
