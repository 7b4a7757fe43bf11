"""The history in a browser: the list, one game, plots, files, the picture, forgetting."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from kept import AT_TABLE, keep_game
from rooms import ServedRoom

from engine.record import read_record

pytestmark = pytest.mark.browser


@pytest.fixture
def games(room: ServedRoom) -> list[str]:
    """Four games of Ana and others, oldest first."""
    return [
        keep_game(
            room.store, 3, hands=3, corrected=True, started="2026-01-01T20:00:00Z", profile="fournier",
            terms={"match": "first_2", "arrastre": True},
        )[0],
        keep_game(room.store, 13, hands=2, started="2026-01-02T20:00:00Z")[0],
        keep_game(room.store, 23, started="2026-01-03T20:00:00Z", seats=AT_TABLE[4])[0],
        keep_game(room.store, 33, started="2026-01-04T20:00:00Z", seats="south=Mercedes,north=<b>Luis</b>",
                  terms={"match": "single"})[0],
    ]  # fmt: skip


def test_an_empty_history_says_so(visit: Any, room: ServedRoom) -> None:
    page = visit(f"{room.url}/history")
    assert "Todavía no hay ninguna partida" in page.get_by_test_id("games").inner_text()
    assert page.get_by_test_id("players").is_hidden()


@pytest.mark.parametrize(
    ("path", "locale", "title", "body"),
    [
        ("/history/no-such-game", "es-ES", "Aquí no hay nada", "Esta partida no está en el historial."),
        ("/history/no-such-game", "it-IT", "Qui non c'è niente", "Questa partita non è nello storico."),
        ("/histroy", "pt-PT", "Aqui não há nada", "Neste endereço não há nenhuma página."),
        ("/tv/2", "en-GB", "Nothing here", "There is no page at this address."),
    ],
)
def test_an_address_that_leads_nowhere_says_so_and_leads_on(
    visit: Any, room: ServedRoom, faults: Any, path: str, locale: str, title: str, body: str
) -> None:
    page = visit(room.url + path, "phone", locale, forgive="404")
    assert title in page.title()
    said = page.get_by_test_id("missing").inner_text()
    assert title in said
    assert body in said
    assert faults(page) == []
    assert room.ask("GET", path, Accept="text/html,*/*")[0] == 404
    assert room.ask("GET", "/api/nothing")[1]["error"]["code"] == "not_found", "programs get JSON"
    page.locator("#missing a[href='/history']").click()
    page.wait_for_selector("[data-testid=games]")


def test_the_list_leads_to_each_game(visit: Any, room: ServedRoom, games: list[str]) -> None:
    page = visit(f"{room.url}/")
    page.locator("#settings-button").click()
    page.locator("#settings [data-testid=to-history]").click()
    page.wait_for_selector("[data-testid=game]")
    links = page.get_by_test_id("game")
    assert links.count() == 4
    told = {one["id"]: one for one in room.ask("GET", "/api/history")[1]["games"]}
    newest = told[games[3]]
    assert "<b>Luis</b>" in links.nth(0).inner_text(), "a name is shown and never run"
    assert [str(points) in links.nth(0).inner_text() for points in newest["points"]] == [True, True]
    winner = links.nth(0).locator(".game-side[data-winner=true]")
    assert str(newest["points"][newest["winner"]]) in winner.inner_text()
    match = told[games[0]]
    assert match["counts"] == "wins"
    assert sorted(match["wins"]) == [1, 2]
    links.nth(3).click()
    page.wait_for_selector("[data-testid=hand-3]")
    assert page.url.endswith(games[0]) or page.url.endswith(games[0].replace(":", "%3A"))
    assert "Partida para" in page.get_by_test_id("result").inner_text()


def test_a_game_shows_tricks_violations_and_corrections(visit: Any, room: ServedRoom, games: list[str]) -> None:
    told = room.ask("GET", f"/api/sessions/{games[0]}/game")[1]
    page = visit(f"{room.url}/history/{games[0]}")
    hand = page.get_by_test_id("hand-1")
    assert hand.locator(".trick-row").count() == 20
    hand.locator("summary").click()
    rows = hand.locator(".trick-row")
    first = told["hands"][0]["tricks"][0]
    names = [seat["name"] for seat in told["seats"]]
    assert f"Para {names[first['winner']]}" in rows.nth(0).inner_text()
    assert f"+{first['points']}" in rows.nth(0).inner_text()
    assert (
        rows.nth(0).locator("svg.chip").nth(0).get_attribute("aria-label").startswith(names[first["plays"][0]["seat"]])
    )
    shown = page.locator(".violation").count()
    assert shown == sum(len(one["violations"]) for one in told["hands"])
    assert page.locator("#corrections li[data-by=person]").count() == 1
    put_right = page.locator("#corrections li[data-by=person]").inner_text()
    assert f"A mano · corregido a mano · Mano 1 · {names[first['plays'][0]['seat']]}" in put_right
    assert page.get_by_test_id("match").is_visible()


def test_the_cup_is_given_for_a_decided_match_only(visit: Any, room: ServedRoom) -> None:
    open_game, _ = keep_game(room.store, 40, started="2026-01-05T20:00:00Z", terms={"match": "first_3"})
    demo, _ = keep_game(room.store, 41, started="2026-01-04T20:00:00Z", terms={"match": "single"})
    room.store.change([("UPDATE session SET demo = 1 WHERE id = ?", (demo,))])
    page = visit(f"{room.url}/history")
    undecided, shown = page.get_by_test_id("game").nth(0), page.get_by_test_id("game").nth(1)
    assert undecided.locator("[data-winner=true]").count() == 0
    assert sorted(undecided.locator(".game-side strong").all_inner_texts()) == ["0", "1"], "hands won, not points"
    assert "1 mano · sin decidir" in undecided.inner_text()
    assert shown.locator("[data-winner=true]").count() == 1
    assert shown.inner_text().split("\n")[-1].startswith("Demostración · ")
    assert page.locator("tr[data-player=Ana] td").first.inner_text() == "1", "the demo is nobody's game"
    page.goto(f"{room.url}/history/{open_game}")
    page.wait_for_selector("html[data-ready=true]")
    verdict = page.locator(".game-verdict")
    assert verdict.inner_text() == "La partida no está decidida todavía"
    assert verdict.locator("svg").count() == 0
    assert page.get_by_test_id("hand-1").locator("h2").inner_text().startswith("Mano 1 · Gana ")
    page.goto(f"{room.url}/history/{demo}")
    page.wait_for_selector("html[data-ready=true]")
    assert "no cuenta para ningún jugador" in page.get_by_test_id("result").inner_text()
    assert page.locator(".game-verdict svg").count() == 1


def test_players_have_figures_and_plots(visit: Any, room: ServedRoom, games: list[str]) -> None:
    page = visit(f"{room.url}/history")
    told = {one["name"]: one for one in room.ask("GET", "/api/players")[1]["players"]}
    ana = told["Ana"]
    cells = page.locator("tr[data-player=Ana] td").all_inner_texts()
    percent = round(100 * ana["won"] / ana["hands"])
    assert cells[:3] == [str(ana["games"]), str(ana["hands"]), f"{ana['won']} ({percent} %)"]
    assert cells[5:] == [str(ana[name]) for name in ("briscas", "exchanges", "arrastres", "missed")]
    page.locator("#plot-name").select_option("Luis")
    drawn = page.locator(".plot-player rect").evaluate_all("all => all.map((one) => Number(one.dataset.value))")
    assert drawn == [one["points"] for one in told["Luis"]["points"]]
    high = page.locator(".plot-player rect").evaluate_all("all => all.map((one) => one.height.baseVal.value)")
    assert high.index(max(high)) == drawn.index(max(drawn))
    assert page.evaluate("document.activeElement.id") == "plot-name"


@pytest.mark.parametrize("width", [320, 390, 768])
def test_on_a_narrow_screen_no_figure_of_a_player_lies_out_of_sight(
    visit: Any, room: ServedRoom, games: list[str], width: int
) -> None:
    page = visit(f"{room.url}/history", "phone")
    page.set_viewport_size({"width": width, "height": 844})
    assert page.locator(".table-frame").evaluate("(frame) => frame.scrollWidth <= frame.clientWidth")
    cells = page.locator("tr[data-player=Ana] td")
    assert cells.count() == 9
    for cell in cells.all():
        box = cell.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert cell.get_attribute("data-head") in cell.evaluate("(one) => getComputedStyle(one, '::before').content")
    letters = page.locator(".plot-rows .plot-name").first.evaluate(
        "(one) => parseFloat(getComputedStyle(one).fontSize)"
    )
    assert 16 <= letters <= 22, "letters of the page, not of a drawing that shrinks with it"


def downloaded(page: Any, name: str) -> tuple[str, bytes]:
    with page.expect_download() as waiting:
        page.get_by_test_id(name).click()
    download = waiting.value
    return download.suggested_filename, Path(download.path()).read_bytes()


def test_a_game_is_taken_along_as_files(visit: Any, room: ServedRoom, games: list[str]) -> None:
    page = visit(f"{room.url}/history/{games[1]}")
    name, content = downloaded(page, "export-csv")
    assert name.endswith(".csv")
    assert len(list(csv.DictReader(io.StringIO(content.decode())))) == 80
    for form in ("json", "txt"):
        name, content = downloaded(page, f"export-{form}")
        assert name.endswith(f".{form}")
        record = read_record(content.decode())
        assert len(record.state().hands) == 2
        assert record.problems == ()
    assert json.loads(downloaded(page, "export-json")[1])["format"] == "brisca-record"


def test_the_result_is_taken_along_as_a_picture(visit: Any, room: ServedRoom, games: list[str]) -> None:
    page = visit(f"{room.url}/history/{games[3]}", "phone")
    told = {one["id"]: one for one in room.ask("GET", "/api/history")[1]["games"]}[games[3]]
    drawing = page.get_by_test_id("picture")
    for words in ("Mercedes", "<b>Luis</b>", *(str(points) for points in told["points"])):
        assert words in drawing.inner_text() or words in (drawing.text_content() or "")
    name, png = downloaded(page, "share-png")
    assert name.endswith(".png")
    image = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    assert image.shape == (630, 1200, 3)
    assert tuple(image[300, 30]) != tuple(image[5, 5]), "something is drawn"
    assert len(np.unique(image.reshape(-1, 3), axis=0)) > 100
    _, svg = downloaded(page, "share-svg")
    text = svg.decode()
    assert text.startswith("<svg")
    assert "<b>" not in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_a_game_is_deleted_only_after_asking(visit: Any, room: ServedRoom, games: list[str]) -> None:
    page = visit(f"{room.url}/history/{games[3]}")
    page.get_by_test_id("delete").click()
    page.get_by_test_id("answer-no").click()
    assert room.ask("GET", f"/api/sessions/{games[3]}/game")[0] == 200
    page.get_by_test_id("delete").click()
    page.keyboard.press("Escape")
    assert room.ask("GET", f"/api/sessions/{games[3]}/game")[0] == 200
    page.get_by_test_id("delete").click()
    page.get_by_test_id("answer-yes").click()
    page.wait_for_url("**/history")
    page.wait_for_selector("[data-testid=game]")
    assert page.get_by_test_id("game").count() == 3


def test_a_player_is_forgotten_only_after_asking(visit: Any, room: ServedRoom, games: list[str]) -> None:
    page = visit(f"{room.url}/history", "phone")
    page.locator("#forget-name").select_option("Ana")
    page.get_by_test_id("forget-go").click()
    page.get_by_test_id("answer-no").click()
    assert page.locator("tr[data-player=Ana]").count() == 1
    page.get_by_test_id("forget-go").click()
    page.get_by_test_id("answer-name").click()
    page.wait_for_selector("tr[data-player=Ana]", state="detached")
    assert page.get_by_test_id("game").count() == 4
    assert "Jugador 1" in page.get_by_test_id("game").nth(3).inner_text()
    page.locator("#forget-name").select_option("Luis")
    page.get_by_test_id("forget-go").click()
    page.get_by_test_id("answer-games").click()
    page.wait_for_selector("tr[data-player=Luis]", state="detached")
    assert page.get_by_test_id("game").count() == 1


def test_the_game_on_the_screens_is_put_right_from_its_page(visit: Any, room: ServedRoom) -> None:
    _, begun = room.start(source={"kind": "none"})
    for press in (
        {"type": "set_trump", "card": "4O"},
        {"type": "add_play", "trick": 1, "seat": 0, "card": "3C"},
        {"type": "add_play", "trick": 1, "seat": 1, "card": "12C"},
        {"type": "sweep"},
        {"type": "end_hand"},
        {"type": "next_hand"},
        {"type": "set_trump", "card": "5B"},
    ):
        assert room.ask("POST", "/api/press", press)[0] == 200
    room.store.flush()
    page = visit(f"{room.url}/history/{begun['session']}", "phone")
    page.get_by_test_id("correct-1").click()
    page.get_by_test_id("earlier-tricks").wait_for()
    page.locator("#picker [data-trick='1'] .trick-card").nth(1).click()
    page.locator("#picker .picker-suits [data-suit=O]").click()
    page.locator("#picker .picker-ranks [data-card='2O']").click()
    page.get_by_test_id("toast-undo").wait_for()
    assert page.url.endswith(begun["session"]), "the correction is made where it was asked for"
    assert [li.split()[-1] for li in page.locator("[data-testid=hand-1] .hand-points li").all_inner_texts()[:2]] == [
        "0",
        "10",
    ]
    hands = room.ask("GET", "/api/state")[1]["hands"]
    assert (hands[0]["n"], hands[0]["points"]) == (1, [0, 10])
    page.get_by_test_id("toast-undo").click()
    page.wait_for_function(
        "() => document.querySelector('[data-testid=hand-1] .hand-points li').textContent.endsWith('14')"
    )
    page.get_by_test_id("correct-2").click()
    page.get_by_test_id("earlier-trump").wait_for()


@pytest.mark.parametrize("screen", ["phone", "tablet", "tv"])
def test_a_game_that_is_over_is_put_right_on_its_page(
    visit: Any, room: ServedRoom, faults: Any, games: list[str], screen: str
) -> None:
    page = visit(f"{room.url}/history/{games[1]}", screen)
    before = page.get_by_test_id("hand-1").locator(".hand-points").inner_text()
    players = room.ask("GET", "/api/players")[1]["players"]
    page.get_by_test_id("correct-1").click()
    page.get_by_test_id("earlier-tricks").wait_for()
    assert faults(page) == []
    assert page.evaluate(
        "document.querySelector('#picker').scrollWidth <= document.querySelector('#picker').clientWidth"
    )
    tricks = room.ask("GET", f"/api/sessions/{games[1]}/game")[1]["hands"][0]["tricks"]
    trick = next(one["n"] for one in tricks if one["points"] > 0)
    winner = winner_of(room, games[1], trick)
    page.locator(f"#picker [data-trick='{trick}'] button.trick-winner").click()
    page.locator("#picker button[data-seat]").filter(has_not_text=winner).click()
    page.get_by_test_id("moved").wait_for()
    assert faults(page) == []
    assert page.get_by_test_id("hand-1").locator(".hand-points").inner_text() != before
    assert winner_of(room, games[1], trick) != winner
    assert room.ask("GET", "/api/players")[1]["players"] != players
    page.reload()  # long afterwards, and on any phone
    page.get_by_test_id("undo").click()
    page.get_by_test_id("redo").wait_for()
    assert page.get_by_test_id("hand-1").locator(".hand-points").inner_text() == before
    assert room.ask("GET", "/api/players")[1]["players"] == players


def test_a_card_of_a_game_that_is_over_is_put_right_and_what_is_refused_is_said(
    visit: Any, room: ServedRoom, games: list[str]
) -> None:
    page = visit(f"{room.url}/history/{games[3]}", "phone", "en-GB")
    page.get_by_test_id("correct-1").click()
    page.locator("#picker [data-trick='3'] .trick-card").first.click()
    right = page.locator("#picker .picker-row").last.locator("[aria-pressed=false]").first
    card = str(right.get_attribute("data-card"))
    right.click()
    page.get_by_test_id("clash-swap").click()  # all cards are out in a hand that is over
    page.get_by_test_id("toast-undo").wait_for()
    page.wait_for_function("() => document.activeElement.dataset.testid === 'correct-1'")
    assert "by hand" in page.get_by_test_id("corrections").inner_text()
    csv_text = room.ask("GET", f"/api/sessions/{games[3]}/export/csv")[1].decode()
    assert any(row["trick"] == "3" and row["card"] == card for row in csv.DictReader(io.StringIO(csv_text)))
    # Another phone takes that play out while this one has its sheet open.
    page.get_by_test_id("correct-1").click()
    page.wait_for_timeout(500)  # longer than a shaky finger's second tap, which would be left out
    page.locator("#picker [data-trick='4'] .trick-card").first.click()
    plays = room.ask("GET", f"/api/sessions/{games[3]}/game")[1]["hands"][0]["tricks"][3]["plays"]
    room.ask("POST", f"/api/sessions/{games[3]}/press", {"type": "remove_play", "play": plays[0]["id"]})
    page.locator("#picker .picker-row").last.locator("[aria-pressed=false]").first.click()
    page.get_by_test_id("clash-only").click()
    page.wait_for_selector("#toast[data-bad=true]")
    assert "that card is no longer in the hand" in page.locator("#toast").inner_text()


def test_a_fault_of_a_game_that_is_over_is_let_go_on_its_page(visit: Any, room: ServedRoom, games: list[str]) -> None:
    first = room.ask("GET", f"/api/sessions/{games[3]}/game")[1]["hands"][0]["tricks"][3]["plays"][0]
    other = {"type": "correct_seat", "play": first["id"], "seat": 1 - first["seat"]}  # he led when it was not his turn
    assert room.ask("POST", f"/api/sessions/{games[3]}/press", other)[0] == 200
    page = visit(f"{room.url}/history/{games[3]}", "phone")
    fault = page.locator(".violation").first
    fault.locator("[data-answer=dismiss]").click()
    fault.get_by_text("La mesa lo dejó pasar").wait_for()
    assert room.ask("GET", f"/api/sessions/{games[3]}/game")[1]["hands"][0]["violations"][0]["dismissed"]
    page.get_by_test_id("toast-undo").click()
    fault.locator("[data-answer=dismiss]").wait_for()


def winner_of(room: ServedRoom, game: str, trick: int) -> str:
    told = room.ask("GET", f"/api/sessions/{game}/game")[1]
    return str(told["seats"][told["hands"][0]["tricks"][trick - 1]["winner"]]["name"])


def test_a_game_that_cannot_be_told_says_so(visit: Any, room: ServedRoom) -> None:
    strange, _ = keep_game(room.store, 2)
    room.store.change([('UPDATE session SET terms = \'{"profile": "whist"}\' WHERE id = ?', (strange,))])
    page = visit(f"{room.url}/history/{strange}", forgive="500", locale="en-GB")
    assert "whist" in page.get_by_test_id("trouble").inner_text()


def test_a_game_going_on_cannot_be_deleted(visit: Any, room: ServedRoom, film: Path) -> None:
    _, begun = room.start(source={"kind": "film", "value": str(film)})
    page = visit(f"{room.url}/history/{begun['session']}", forgive="409")
    page.get_by_test_id("delete").click()
    page.get_by_test_id("answer-yes").click()
    page.wait_for_selector("[data-testid=trouble]:not([hidden])")
    assert "primero hay que terminarla" in page.get_by_test_id("trouble").inner_text()


@pytest.mark.parametrize(
    ("locale", "words"), [("en-GB", "Hands won"), ("it-IT", "Mani vinte"), ("pt-PT", "Mãos ganhas")]
)
def test_the_history_speaks_all_languages(
    visit: Any, room: ServedRoom, games: list[str], locale: str, words: str
) -> None:
    page = visit(f"{room.url}/history", locale=locale)
    assert words in page.get_by_test_id("players").inner_text()
    page.locator("#settings-button").click()
    page.get_by_text("Español", exact=True).click()
    page.wait_for_function("() => document.querySelector('#players').textContent.includes('Manos ganadas')")


@pytest.mark.parametrize("screen", ["phone", "tablet", "tv"])
@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_the_pages_are_for_everyone(
    visit: Any, faults: Any, room: ServedRoom, games: list[str], screen: str, theme: str
) -> None:
    for path in ("/history", f"/history/{games[0]}"):
        page = visit(f"{room.url}{path}", screen, theme=theme)
        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
        small = page.locator("button:visible, .button:visible, summary:visible, select:visible").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect()).filter((box) => box.height < 40).length"
        )
        assert small == 0, "too small for a thumb"


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_the_questions_and_sheets_of_the_pages_are_for_everyone(
    visit: Any, faults: Any, room: ServedRoom, games: list[str], theme: str
) -> None:
    page = visit(f"{room.url}/history", "phone", theme=theme)
    page.get_by_test_id("forget-go").click()
    page.get_by_test_id("answer-no").wait_for()
    assert faults(page) == [], "whose data"
    page.get_by_test_id("answer-no").click()
    page.locator("#settings-button").click()
    page.locator("#settings[open]").wait_for()
    assert faults(page) == [], "settings"
    page = visit(f"{room.url}/history/{games[0]}", "phone", theme=theme)
    page.locator("details summary").first.click()
    page.get_by_test_id("correct-1").click()
    page.locator("#picker [data-trick='2'] .trick-card").first.click()
    page.locator("#picker .picker-ranks").wait_for()
    assert faults(page) == [], "which card"
    page.locator("#picker .picker-now button").click()
    page.get_by_test_id("toast-undo").wait_for()
    assert faults(page) == [], "noted"
    page.get_by_test_id("delete").click()
    page.get_by_test_id("answer-no").wait_for()
    assert faults(page) == [], "delete this game"
    room.start(source={"kind": "none"})
    page = visit(f"{room.url}/start", "phone", theme=theme)
    page.get_by_test_id("end").click()
    page.get_by_test_id("answer-no").wait_for()
    assert faults(page) == [], "end the game"
