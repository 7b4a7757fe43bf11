"""The dashboard's files without a browser: four whole languages, no foreign host, nothing inline, small enough."""

import json
import re
from typing import Any

import pytest

from engine.state import CERTAINTIES, PHASES, VIOLATION_CODES, HandResult
from server.web.app import dashboard_folder
from server.web.hub import LANGUAGES
from server.web.pages import page_text

FOLDER = dashboard_folder()
SCRIPTS = sorted((FOLDER / "js").glob("*.js"))
SHEETS = sorted((FOLDER / "css").glob("*.css"))
PARTS = ("head", "frame")
PAGES = {path.stem: page_text(path.stem) for path in sorted(FOLDER.glob("*.html")) if path.stem not in PARTS}
ENTRIES = {"app.js", "start.js", "history.js", "game.js", "missing.js", "places.js"}
TEXTS: dict[str, dict[str, Any]] = {
    language: {
        key: entry
        for folder in (FOLDER / "i18n", FOLDER / "i18n" / "pages")
        for key, entry in json.loads((folder / f"{language}.json").read_text(encoding="utf-8")).items()
    }
    for language in LANGUAGES
}
SOURCE = "\n".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
# Texts that may read alike in two languages, because the word is the same there.
COMMON = {"app.title", "list.and", "card.name", "action.arrastre"}


def forms(entry: Any) -> list[str]:
    return list(entry.values()) if isinstance(entry, dict) else [entry]


def fields(entry: Any) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", " ".join(forms(entry))))


def test_the_folder_holds_a_file_for_every_language_and_no_other() -> None:
    for folder in (FOLDER / "i18n", FOLDER / "i18n" / "pages"):
        assert {path.stem for path in folder.iterdir() if path.is_file()} == set(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_texts_in_the_same_form(language: str) -> None:
    spanish, texts = TEXTS["es"], TEXTS[language]
    assert set(texts) == set(spanish)
    for key, entry in texts.items():
        assert all(isinstance(form, str) and form.strip() == form and form for form in forms(entry)), key
        assert fields(entry) == fields(spanish[key]), key
        assert isinstance(entry, dict) == isinstance(spanish[key], dict), key
        if isinstance(entry, dict):
            assert set(entry) == {"one", "other"}, key


@pytest.mark.parametrize("language", ["en", "it", "pt"])
def test_no_sentence_was_left_in_spanish(language: str) -> None:
    for key, entry in TEXTS[language].items():
        for form, spanish in zip(forms(entry), forms(TEXTS["es"][key]), strict=True):
            # A single word may be the same word ("copas"); a sentence of four is not the same by chance.
            if len(re.findall(r"\w+", re.sub(r"\{\w+\}", "", form))) >= 4:
                assert form != spanish, key
    same = {key for key, entry in TEXTS[language].items() if entry == TEXTS["es"][key]} - COMMON
    assert len(same) < len(TEXTS[language]) / 4


def test_every_language_writes_its_own_alphabet() -> None:
    for language, letters in {"es": "¿áú", "it": "è", "pt": "ãç"}.items():
        text = json.dumps(TEXTS[language], ensure_ascii=False)
        assert all(letter in text for letter in letters), language


def test_the_scripts_use_only_texts_that_exist_and_all_of_them() -> None:
    spanish = set(TEXTS["es"])
    used = set(re.findall(r"""["'`]([a-z_]+(?:\.[A-Za-z_]+)+)["'`]""", SOURCE))
    asked = {key for key in used if key.split(".")[0] in {name.split(".")[0] for name in spanish}}
    files = {key for key in asked if key.endswith((".js", ".json"))}
    stored = {"brisca.preferences"}
    assert asked - files - stored <= spanish
    patterns = [
        re.compile(re.escape(pattern).replace(r"\$\{\}", r".+"))
        for pattern in (re.sub(r"\$\{[^}]*\}", "${}", found) for found in re.findall(r"`([a-z_]+\.[^`\s]*)`", SOURCE))
    ]
    dead = {key for key in spanish - asked if not any(pattern.fullmatch(key) for pattern in patterns)}
    assert not dead


def test_every_kind_of_violation_and_certainty_has_words() -> None:
    for code in VIOLATION_CODES:
        assert f"violation.{code}" in TEXTS["es"]
    for certainty in CERTAINTIES:
        assert {f"certainty.{certainty}", f"certainty.{certainty}.why"} <= set(TEXTS["es"])


def test_every_end_of_a_hand_and_every_phase_has_words() -> None:
    told = re.search(r"status: ([^.]+)\.", HandResult.__doc__ or "")
    assert told is not None
    statuses = set(re.sub(r"\(.*?\)", "", told[1]).replace(" ", "").split(","))
    assert {"won", "draw", "void", "unfinished", "points_missing"} <= statuses
    for status in statuses:
        assert f"result.{status}" in TEXTS["es"]
    for phase in PHASES:
        assert f"phase.{phase}" in TEXTS["es"]


def test_nothing_is_inline_and_nothing_is_made_from_markup() -> None:
    for page, text in PAGES.items():
        assert not re.search(r"<script(?![^>]*\bsrc=)", text), page
        assert not re.search(r"<style|\sstyle=|\son\w+=", text), page
    for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
        assert forbidden not in SOURCE
    assert not re.search(r"""setAttribute\(["']style["']""", SOURCE)


def test_no_other_host_is_named() -> None:
    for path in [*SCRIPTS, *SHEETS, *FOLDER.glob("*.html"), *(FOLDER / "icons").iterdir()]:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://", text), path.name
        assert "@import" not in text, path.name


def test_every_module_and_sheet_that_is_named_exists() -> None:
    for page, text in PAGES.items():
        assert re.search(r"(?s)^<!doctype html>.*<main.*</main>.*</html>\s*$", text), page
        assert not re.search(r"\{\w+\}|<!--", text), page
        for named in re.findall(r'(?:href|src)="/static/([^"]+)"', text):
            assert (FOLDER / named).is_file(), named
    for script in SCRIPTS:
        for named in re.findall(r'from "\./([^"]+)"', script.read_text(encoding="utf-8")):
            assert (script.parent / named).is_file(), (script.name, named)
    imported = set(re.findall(r'from "\./([^"]+)"', SOURCE)) | ENTRIES
    assert imported == {script.name for script in SCRIPTS}
