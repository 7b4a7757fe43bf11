"""What is said: aloud, by the browser's own voice in each language, and to screen readers, politely or at once.

The voice is the browser's ``speechSynthesis``; what the page hands to it is recorded in the page.
"""

import copy
from typing import Any

import pytest

pytestmark = pytest.mark.browser

RECORD = """() => {
  window.spoken = [];
  window.hushed = 0;
  speechSynthesis.speak = (utterance) => window.spoken.push([utterance.lang, utterance.text]);
  speechSynthesis.cancel = () => { window.hushed += 1; };
}"""

# Of each language: its voice, the switch, a trick, a correction, a fault, a lost camera, its return, the end.
SAID = {
    "es": (
        "es-ES",
        "Cantar las bazas en voz alta",
        "Baza para Luis, 11 puntos. Lo decidió la mesa. Ana 40, Luis 55.",
        "Corrección. Ana 40, Luis 44.",
        "Aviso: No echó su mejor carta en el arrastre, Luis.",
        "Buscando la cámara",
        "Cámara en marcha",
        "Gana Luis. Ana 40, Luis 80.",
    ),
    "en": (
        "en-GB",
        "Call the tricks aloud",
        "Trick to Luis, 11 points. The table decided it. Ana 40, Luis 55.",
        "Correction. Ana 40, Luis 44.",
        "Notice: Did not play their best card to the arrastre, Luis.",
        "Looking for the camera",
        "Camera on",
        "Luis wins. Ana 40, Luis 80.",
    ),
    "it": (
        "it-IT",
        "Annuncia le prese a voce",
        "Prende Luis, 11 punti. Lo ha deciso il tavolo. Ana 40, Luis 55.",
        "Correzione. Ana 40, Luis 44.",
        "Avviso: Non ha giocato la carta migliore sull'arrastre, Luis.",
        "Si cerca la telecamera",
        "Telecamera accesa",
        "Vince Luis. Ana 40, Luis 80.",
    ),
    "pt": (
        "pt-PT",
        "Dizer as vazas em voz alta",
        "Vaza para Luis, 11 pontos. Foi a mesa que decidiu. Ana 40, Luis 55.",
        "Correção. Ana 40, Luis 44.",
        "Aviso: Não jogou a melhor carta no arrastre, Luis.",
        "À procura da câmara",
        "Câmara ligada",
        "Ganha Luis. Ana 40, Luis 80.",
    ),
}


def course(state: dict[str, Any]) -> list[dict[str, Any]]:
    """The states of a game: a trick is taken, the points are put right, a fault is proven, the hand ends."""
    state["scores"][0]["points"] = 40
    trick = copy.deepcopy(state)
    trick["hand"]["tricks"].append(
        {"n": 3, "plays": state["hand"]["trick"]["plays"], "winner": 1, "why": "awarded", "points": 11}
    )
    trick["scores"][1]["points"] = 55
    corrected = copy.deepcopy(trick)
    corrected["scores"][1]["points"] = 44
    fault = copy.deepcopy(corrected)
    fault["violations"] = [
        {"key": "k1", "kind": "missed_arrastre", "hand": 1, "seat": 1, "trick": 2, "certainty": "certain", "p": None,
         "evidence": ["3C"], "pictures": [], "acknowledged": False, "dismissed": False}
    ]  # fmt: skip
    over = copy.deepcopy(fault)
    over["scores"][1]["points"] = 80
    over["hand"].update(
        phase="result", turn=None, result={"status": "won", "points": [40, 80], "winners": [1]},
        tricks=[*fault["hand"]["tricks"]],
    )  # fmt: skip
    return [state, trick, corrected, fault, over]


def wait_spoken(page: Any, words: str) -> None:
    page.wait_for_function("(words) => window.spoken.some(([, text]) => text === words)", arg=words)


@pytest.mark.parametrize("language", SAID)
def test_each_language_speaks_with_its_own_voice_and_a_muted_one_says_nothing(
    served: Any, opened: Any, played: Any, language: str
) -> None:
    voice, switch, trick, correction, fault, lost, back, end = SAID[language]
    states = course(played(2))
    server = served(states[0])
    page = opened(server, f"/?lang={language}", 820, 1180)
    page.evaluate(RECORD)
    muted = opened(server, f"/?lang={language}", 360, 740)
    muted.evaluate(RECORD)
    server.tell(camera="RUNNING", scene="ok")
    page.wait_for_selector("[data-testid=camera-state][data-state=RUNNING]")
    page.keyboard.press("v")
    wait_spoken(page, switch)
    for state, words in zip(states[1:4], (trick, correction, fault), strict=True):
        server.post(state)
        wait_spoken(page, words)
    server.tell(camera="RECONNECTING")
    wait_spoken(page, lost)
    server.tell(camera="RUNNING")
    wait_spoken(page, back)
    server.post(states[4])
    wait_spoken(page, end)
    assert {lang for lang, _ in page.evaluate("window.spoken")} == {voice}
    said = page.evaluate("window.spoken.length")
    assert muted.evaluate("window.spoken") == [], "the voice is off until somebody asks for it"
    page.keyboard.press("v")
    page.wait_for_function("() => window.hushed > 0")
    server.tell(camera="STALLED")
    page.get_by_test_id("camera-trouble").wait_for()
    assert page.evaluate("window.spoken.length") == said, "muted, nothing more is said"


@pytest.mark.parametrize("language", ["es", "it"])
def test_screen_readers_hear_the_score_politely_and_a_proven_fault_at_once(
    served: Any, opened: Any, played: Any, language: str
) -> None:
    _, _, trick, correction, fault, _, _, end = SAID[language]
    states = course(played(2))
    server = served(states[0])
    page = opened(server, f"/?lang={language}", 360, 740)
    polite, assertive = page.locator("#polite"), page.locator("#assertive")
    assert (polite.get_attribute("role"), polite.get_attribute("aria-live")) == ("status", "polite")
    assert (assertive.get_attribute("role"), assertive.get_attribute("aria-live")) == ("alert", "assertive")
    for part, role in (("lost", "alert"), ("camera-trouble", "alert"), ("questions", "status"), ("paused", "status")):
        assert page.get_by_test_id(part).get_attribute("role") == role

    def heard(place: Any, words: str) -> None:
        page.wait_for_function("([id, words]) => document.getElementById(id).textContent === words", arg=[place, words])

    server.post(states[1])
    heard("polite", trick)
    server.post(states[2])
    heard("polite", correction)
    assert assertive.inner_text() == ""
    server.post(states[3])
    heard("assertive", fault)
    assert polite.inner_text() == correction, "the fault is not said twice"
    lost = copy.deepcopy(states[3])
    lost["lost"] = True
    server.post(lost)
    page.get_by_test_id("lost").wait_for()
    assert assertive.inner_text() != fault
    server.post(states[4])
    page.wait_for_function("(words) => document.getElementById('polite').textContent.endsWith(words)", arg=end)


def test_a_trick_is_called_when_it_is_full_and_is_no_correction(served: Any, opened: Any, played: Any) -> None:
    state = played(2)
    first = state["hand"]["trick"]["plays"][0]
    second = {**first, "id": "e99", "seat": 1 - first["seat"], "card": "1C"}
    state["hand"]["trick"].update(plays=[{**first, "card": "3C"}], winning=None, points=None)
    before = [score["points"] for score in state["scores"]]
    full = copy.deepcopy(state)
    full["hand"].update(phase="trick_full", turn=None)
    full["hand"]["trick"].update(
        plays=[{**first, "card": "3C"}, second],
        winning={"seat": second["seat"], "play": "e99", "why": "highest_of_suit"},
        points=21,
    )
    full["scores"][second["seat"]]["points"] = before[second["seat"]] + 21
    gathered = copy.deepcopy(full)
    trick = full["hand"]["trick"]
    gathered["hand"]["tricks"].append(
        {"n": trick["n"], "plays": trick["plays"], "winner": second["seat"], "why": "highest_of_suit", "points": 21}
    )
    gathered["hand"].update(phase="swept", trick={"n": trick["n"] + 1, "plays": [], "winning": None, "points": None})
    server = served(state)
    page = opened(server)
    server.post(full)
    page.wait_for_function("() => document.getElementById('polite').textContent !== ''")
    assert "Baza para" in page.locator("#polite").inner_text()
    assert "21 puntos. As de copas: la más alta de copas." in page.locator("#polite").inner_text()
    page.evaluate("() => { document.getElementById('polite').textContent = ''; }")
    server.post(gathered)
    page.wait_for_function("() => document.querySelector('#last .last-cards') !== null")
    page.wait_for_function("() => document.getElementById('phase').textContent === 'Baza recogida'")
    assert page.locator("#polite").inner_text() == "", "it was called already"
