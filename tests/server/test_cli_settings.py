"""Settings: options over environment over defaults, and their documentation."""

from pathlib import Path

import pytest

from server.errors import SettingsError
from server.settings import PORT, SETTINGS, data_folder, load_settings

DOCS = Path(__file__).parents[2] / "docs"


def test_the_data_folder_is_that_of_the_platform() -> None:
    home = {"HOME": "/home/ana"}
    assert data_folder(home, "linux") == Path("/home/ana/.local/share/brisca-table")
    assert data_folder({**home, "XDG_DATA_HOME": "/data"}, "linux") == Path("/data/brisca-table")
    assert data_folder({**home, "XDG_DATA_HOME": "data"}, "linux") == Path("/home/ana/.local/share/brisca-table")
    assert data_folder(home, "darwin") == Path("/home/ana/Library/Application Support/brisca-table")
    assert data_folder({"LOCALAPPDATA": "C:/Local"}, "win32") == Path("C:/Local/brisca-table")


def test_an_option_wins_over_the_environment_and_that_over_the_default() -> None:
    env = {"HOME": "/home/ana", "BRISCA_DATA": "/env", "BRISCA_PORT": "99", "BRISCA_HOST": "0.0.0.0"}
    settings = load_settings(environ=env)
    assert (settings.data, settings.port, settings.host) == (Path("/env"), 99, "0.0.0.0")
    settings = load_settings(data="/option", host="::1", port="0", environ=env)
    assert (settings.data, settings.port, settings.host) == (Path("/option"), 0, "::1")
    settings = load_settings(environ={"HOME": "/home/ana", "BRISCA_HOST_NAMES": "Scores.local, tv"})
    assert (settings.port, settings.host, settings.host_names) == (PORT, "127.0.0.1", ("scores.local", "tv"))


@pytest.mark.parametrize("port", ["http", "-1", "65536", "8.0"])
def test_a_port_that_is_none_is_one_sentence(port: str) -> None:
    with pytest.raises(SettingsError, match="is no port; give a number from 0 to 65535"):
        load_settings(port=port, environ={"HOME": "/h"})


def test_a_host_that_is_none_is_one_sentence() -> None:
    with pytest.raises(SettingsError, match="is no address"):
        load_settings(host="http://x/", environ={"HOME": "/h"})


def test_every_setting_is_documented() -> None:
    text = (DOCS / "settings.md").read_text(encoding="utf-8")
    for setting in SETTINGS:
        line = next((line for line in text.splitlines() if line.startswith(f"| `{setting.variable}` |")), None)
        assert line is not None, f"docs/settings.md does not tell of {setting.variable}"
        assert (setting.option or "none") in line
        assert setting.default.split(";")[0] in line
