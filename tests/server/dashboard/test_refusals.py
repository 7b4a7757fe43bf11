"""What a screen can be refused comes as a reason and its values, and every language has words for each of them."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.errors import PressError
from server.web.app import answer, dashboard_folder
from server.web.hub import LANGUAGES, Hub

ROOT = Path(__file__).parents[3]
SHOWN = {"PressError", "BusyError", "NotFoundError", "StartError", "CameraError", "StreamError", "FilmError"}
SOURCES = ("camera", "stream", "video")
# Errors of the command line and of a broken installation, which no screen comes to see.
UNSEEN = {("presses", "parse_inputs"), ("referee", "__init__"), ("pages", "_file")}


def raised(path: Path, kinds: set[str]) -> Iterator[tuple[str, ast.Call]]:
    """Each error of these kinds that a module raises, or makes for others to raise, with the function that does."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for node in ast.walk(tree):
        made = node.exc if isinstance(node, ast.Raise) else node.value if isinstance(node, ast.Return) else None
        if isinstance(made, ast.Call) and isinstance(made.func, ast.Name) and made.func.id in kinds:
            around = [one for one in functions if one.lineno <= node.lineno <= (one.end_lineno or 0)]
            yield max(around, key=lambda one: one.lineno).name, made


def refusals() -> dict[str, set[str]]:
    """All reasons that the code gives, with the values that go with each of them at every place."""
    found: dict[str, set[str]] = {"against_the_rules": set()}
    heard = [path for path in sorted((ROOT / "server").rglob("*.py")) if path.parent.name not in ("cli", "films")]
    files = [(path, SHOWN | {"SeatsError"}) for path in heard]
    files.append((ROOT / "server" / "sessions" / "recording.py", {"RecordingError"}))
    files += [(ROOT / "vision" / f"{name}.py", {"SourceError"}) for name in SOURCES]
    for path, kinds in files:
        for function, call in raised(path, kinds):
            given = call.args[1] if len(call.args) > 1 else None
            if (path.stem, function) in UNSEEN or (path.stem == "seats" and given is None):
                continue  # the sides of --seats
            if path.stem == "recording" and function != "read_recording":
                continue
            assert isinstance(given, ast.Constant), f"{path.name}, line {call.lineno}: no reason for the screens"
            values = {str(keyword.arg) for keyword in call.keywords}
            found[str(given.value)] = found.get(str(given.value), values) & values
    return found


def texts(language: str) -> dict[str, Any]:
    folder = dashboard_folder() / "i18n"
    return {
        key: entry
        for path in (folder / f"{language}.json", folder / "pages" / f"{language}.json")
        for key, entry in json.loads(path.read_text(encoding="utf-8")).items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_words_in_every_language_and_no_words_are_left_over(language: str) -> None:
    words = {key: entry for key, entry in texts(language).items() if key.startswith("refused.")}
    reasons = refusals()
    assert {f"refused.{reason}" for reason in reasons} == set(words)
    for reason, values in reasons.items():
        assert set(re.findall(r"\{(\w+)\}", words[f"refused.{reason}"])) <= values, reason


def test_what_the_scoreboard_can_be_refused_is_among_its_own_texts() -> None:
    own = json.loads((dashboard_folder() / "i18n" / "es.json").read_text(encoding="utf-8"))
    for path in (
        *sorted((ROOT / "server" / "referee").glob("*.py")),
        ROOT / "server" / "presses.py",
        ROOT / "server" / "refusals.py",
    ):
        for function, call in raised(path, {"PressError"}):
            if (path.stem, function) not in UNSEEN:
                assert f"refused.{call.args[1].value}" in own  # type: ignore[attr-defined]


def test_a_refused_press_is_answered_with_its_reason_and_values() -> None:
    class Refusing:
        hub = Hub(dict, "1")

        def press(self, press: dict[str, Any]) -> tuple[str, ...]:
            raise PressError("The 3C was already given to another play.", "card_taken", card="3C")

    desk: Any = Refusing()
    told = answer('{"type": "press", "id": 4, "press": {"type": "undo"}}', desk.hub.join(), desk)
    assert told is not None
    assert (told["code"], told["reason"], told["values"]) == ("bad_press", "card_taken", {"card": "3C"})
