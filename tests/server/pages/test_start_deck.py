"""The start page asks which deck lies on the table, once there is one to choose."""

from pathlib import Path
from typing import Any

import pytest
from rooms import ServedRoom, known_deck

from server.decks import references_of
from vision.weights import find_weights

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("locale", "word"), [("es-ES", "Baraja"), ("it-IT", "Mazzo")])
def test_the_deck_is_chosen_and_remembered(
    visit: Any, room: ServedRoom, tmp_path: Path, film: Path, locale: str, word: str
) -> None:
    page = visit(f"{room.url}/start", "phone", locale)
    assert page.locator("#deck").count() == 0, "nobody is asked who has no deck"
    references_of(known_deck(tmp_path, "Mi baraja"), find_weights("identify"))
    page = visit(f"{room.url}/start", "phone", locale)
    assert page.locator("label[for=deck]").inner_text() == word
    page.locator("input[name=kind][data-value=film]").check()
    page.locator("#source-film").fill(str(film))
    page.locator("#name-0").fill("Ana")
    page.locator("#name-1").fill("Luis")
    page.locator("#deck").select_option("Mi baraja")
    page.get_by_test_id("go").click()
    page.wait_for_url(f"{room.url}/", wait_until="commit")
    game = room.room.game
    assert game is not None
    assert game.plan.deck is not None
    assert game.plan.deck.name == "Mi baraja"
    page = visit(f"{room.url}/start", "tablet", locale)
    assert page.locator("#deck").input_value() == "Mi baraja"
