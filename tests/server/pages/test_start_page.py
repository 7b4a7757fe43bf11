"""The start page: everything that a table has to say before it plays, on a phone, a tablet and a TV."""

from pathlib import Path
from typing import Any

import pytest
from fitting import cut_off, set_letters
from rooms import ServedRoom, phone_camera, serving_room

pytestmark = pytest.mark.browser


def pick(page: Any, name: str, value: str) -> None:
    page.locator(f"input[name={name}][data-value='{value}']").check()


def begin(page: Any) -> None:
    page.get_by_test_id("go").click()


def fill_film(page: Any, film: Path) -> None:
    pick(page, "kind", "film")
    page.locator("#source-film").fill(str(film))


def state_of(room: ServedRoom) -> Any:
    return room.ask("GET", "/api/state")[1]


def test_a_table_of_two_starts_from_a_film(visit: Any, room: ServedRoom, film: Path) -> None:
    page = visit(f"{room.url}/", forgive="404")
    page.get_by_test_id("idle-start").click()
    page.wait_for_selector("html[data-ready=true] #source h2")
    fill_film(page, film)
    page.wait_for_selector("[data-testid=preview]:not([hidden])")
    assert page.get_by_test_id("preview").evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 640
    page.locator("#name-0").fill("Ana")
    page.locator("#name-1").fill("Luis")
    assert page.locator(".plan-name[data-place=north]").inner_text() == "Luis"
    page.locator("#profile").select_option("fournier")
    assert page.locator("input[name=tie][data-value=void]").is_checked(), "as the profile has it"
    pick(page, "tie", "draw")
    pick(page, "arrastre", "true")
    pick(page, "dealer", "north")
    begin(page)
    page.wait_for_selector("html[data-link=live]")
    state = state_of(room)
    assert [seat["name"] for seat in state["seats"]] == ["Ana", "Luis"]
    assert state["rules"]["name"] == "fournier"
    assert state["rules"]["arrastre"]
    page.wait_for_selector("[data-testid=arrastre-1]")
    room.store.flush()
    terms = room.store.session(state["session"]["id"]).terms
    assert terms == {"profile": "fournier", "players": 2, "tie": "draw", "arrastre": True}


def test_a_score_kept_by_hand_starts_without_any_camera(visit: Any, room: ServedRoom) -> None:
    page = visit(f"{room.url}/start", "phone")
    pick(page, "kind", "none")
    page.locator("#name-0").fill("Ana")
    page.locator("#name-1").fill("Luis")
    begin(page)
    page.wait_for_selector("[data-testid=camera-state][data-state=NONE]")
    assert page.locator("#camera").is_hidden()
    assert page.get_by_test_id("turn").inner_text() == "Primero, el triunfo"
    assert page.get_by_test_id("stock").inner_text() == "–", "nothing is dealt yet: the stock is not empty"
    page.get_by_test_id("set-trump").click()
    page.locator("#picker [data-card='3O'], #picker [data-suit=O]").first.click()
    page.get_by_test_id("set-trump").wait_for(state="detached")
    assert page.get_by_test_id("stock").inner_text() not in ("–", "0")
    page.keyboard.press("a")
    page.wait_for_selector("#picker[open]")
    page.locator("#picker [data-suit=O]").first.click()


def test_no_key_does_anything_before_the_first_game(visit: Any, room: ServedRoom) -> None:
    page = visit(f"{room.url}/", forgive="404")
    page.wait_for_selector("[data-testid=idle]:not([hidden])")
    for key in "acmnprszy?":
        page.keyboard.press(key)
    assert page.locator("dialog[open]").count() == 0
    assert page.locator("#toast").is_hidden()


def test_what_was_chosen_stands_there_the_next_time_on_any_screen(visit: Any, tmp_path: Path, film: Path) -> None:
    with serving_room(tmp_path) as room:
        page = visit(f"{room.url}/start")
        pick(page, "players", "4")
        fill_film(page, film)
        for seat, name in enumerate(("Ana", "Luis", "Eva", "Blas")):
            page.locator(f"#name-{seat}").fill(name)
        page.locator("#side-0").select_option("north")
        assert page.locator("#side-2").input_value() == "south", "those two change places"
        pick(page, "match", "first_3")
        begin(page)
        page.wait_for_selector("html[data-link=live]")
    with serving_room(tmp_path) as room:
        page = visit(f"{room.url}/start", "phone", "pt-PT")
        assert page.locator("input[name=kind][data-value=film]").is_checked()
        assert page.locator("#source-film").input_value() == str(film)
        assert [page.locator(f"#name-{seat}").input_value() for seat in range(4)] == ["Ana", "Luis", "Eva", "Blas"]
        assert page.locator("#side-0").input_value() == "north"
        assert page.locator("input[name=match][data-value=first_3]").is_checked()
        shapes = page.locator(".person").evaluate_all("all => all.map((one) => one.dataset.side)")
        assert shapes == ["0", "1", "0", "1"]


def test_a_phone_is_looked_through_while_it_is_chosen(visit: Any, room: ServedRoom) -> None:
    with phone_camera() as phone:
        page = visit(f"{room.url}/start", "phone")
        pick(page, "kind", "stream")
        page.locator("#source-stream").fill(phone.url)
        page.wait_for_selector("[data-testid=preview]:not([hidden])")
        first = page.get_by_test_id("preview").get_attribute("src")
        page.wait_for_function("(before) => document.querySelector('[data-testid=preview]').src !== before", arg=first)
        begin(page)
        page.wait_for_selector("html[data-link=live]")
        page.wait_for_selector("[data-testid=camera-state][data-state=RUNNING]")


@pytest.mark.parametrize(
    ("locale", "words"), [("es-ES", "No se llega a esa dirección"), ("it-IT", "Quell'indirizzo non si raggiunge")]
)
def test_a_dead_address_is_said_in_the_language_of_the_reader(
    visit: Any, room: ServedRoom, locale: str, words: str
) -> None:
    page = visit(f"{room.url}/start", locale=locale)
    pick(page, "kind", "stream")
    page.locator("#source-stream").fill("http://127.0.0.1:9/video")
    page.wait_for_function("(words) => document.querySelector('#source figure').textContent.includes(words)", arg=words)
    begin(page)
    page.wait_for_selector("[data-testid=trouble]:not([hidden])")
    assert words in page.get_by_test_id("trouble").inner_text()
    assert state_of(room)["session"]["idle"]
    assert page.get_by_test_id("go").is_enabled()


def test_what_is_missing_or_double_is_said_at_once(visit: Any, room: ServedRoom, tmp_path: Path) -> None:
    page = visit(f"{room.url}/start")
    trouble = page.get_by_test_id("trouble")
    pick(page, "kind", "film")
    begin(page)
    assert "dónde está el vídeo" in trouble.inner_text()
    assert page.evaluate("document.activeElement.id") == "source-film"
    fake = tmp_path / "letter.mp4"
    fake.write_text("Dear Ana", encoding="utf-8")
    page.locator("#source-film").fill(str(fake))
    page.locator("#name-0").fill("Ana")
    page.locator("#name-1").fill("ana")
    begin(page)
    assert "se llaman ana" in trouble.inner_text()
    assert page.evaluate("document.activeElement.id") == "name-1"
    page.locator("#name-1").fill("Luis")
    begin(page)
    page.wait_for_function(
        "() => document.querySelector('#trouble').textContent.includes('no se puede leer como vídeo')"
    )


def test_a_game_going_on_is_shown_and_replaced_only_when_asked(visit: Any, room: ServedRoom, film: Path) -> None:
    _, first = room.start(source={"kind": "film", "value": str(film)})
    page = visit(f"{room.url}/start", forgive="409")
    assert "Ana y Luis" in page.get_by_test_id("running").inner_text()
    begin(page)
    page.get_by_test_id("answer-no").click()
    assert state_of(room)["session"]["id"] == first["session"]
    begin(page)
    page.get_by_test_id("answer-yes").click()
    page.wait_for_selector("html[data-link=live]")
    second = state_of(room)["session"]["id"]
    assert second != first["session"]
    page.goto(f"{room.url}/start")
    page.get_by_test_id("end").click()
    page.get_by_test_id("answer-yes").click()
    page.wait_for_selector("[data-testid=running]", state="hidden")
    assert state_of(room)["session"]["ended"]


def test_a_film_that_is_not_there_is_told_before_the_game_going_on_is_asked_for(
    visit: Any, room: ServedRoom, film: Path
) -> None:
    _, first = room.start(source={"kind": "film", "value": str(film)})
    page = visit(f"{room.url}/start", forgive="409")
    page.locator("#source-film").fill(str(film.with_name("gone.mp4")))
    begin(page)
    page.locator("#trouble").get_by_text("No hay ningún archivo").wait_for()
    assert not page.locator("#ask").is_visible()
    assert state_of(room)["session"] == {**state_of(room)["session"], "id": first["session"], "ended": False}


@pytest.mark.parametrize("size", [24, 32])
def test_letters_follow_the_browsers_own_size_on_every_page(visit: Any, room: ServedRoom, size: int) -> None:
    names = ("Concepción", "Bartolomé", "Maximiliano", "José Antonio")
    people = [
        {"side": side, "name": name} for side, name in zip(("south", "east", "north", "west"), names, strict=True)
    ]
    _, begun = room.start(source={"kind": "none"}, people=people)
    presses = [{"type": "set_trump", "card": "4E"}]
    presses += [{"type": "add_play", "seat": n, "card": f"{n + 4}C", "trick": 1} for n in range(4)]
    for press in presses:
        assert room.ask("POST", "/api/press", press)[0] == 200
    page = visit(f"{room.url}/start", "phone")
    for path in ("/start", "/history", f"/history/{begun['session']}"):
        page.goto(f"{room.url}{path}")
        page.wait_for_selector("html[data-ready=true]")
        set_letters(page, size)
        assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") >= 1.06 * size
        assert cut_off(page) == [], path


def test_the_number_of_players_chooses_the_rules_that_fit(visit: Any, room: ServedRoom) -> None:
    page = visit(f"{room.url}/start")
    offered = page.locator("#profile option")
    assert "arrastro" in offered.evaluate_all("all => all.map((one) => one.value)")
    pick(page, "players", "3")
    values = offered.evaluate_all("all => all.map((one) => one.value)")
    assert "arrastro" not in values
    assert page.locator("#profile").input_value() == "tres_39"
    pick(page, "players", "2")
    page.locator("#profile").select_option("oculta")
    assert page.locator("input[name=exchange][data-value=to_the_last]").is_disabled(), "nobody knows the trump card"


def test_the_code_is_there_for_phones_or_says_how(visit: Any, room: ServedRoom, tmp_path: Path) -> None:
    page = visit(f"{room.url}/start")
    page.wait_for_selector("[data-testid=phones] code")
    assert "--host 0.0.0.0" in page.get_by_test_id("phones").inner_text()
    with serving_room(tmp_path / "open", in_the_room=True) as served:
        page = visit(f"{served.url}/start")
        image = page.get_by_test_id("qr")
        assert image.evaluate("(image) => image.decode().then(() => image.naturalWidth > 0)")
        page = visit(f"{served.url}/")
        page.locator("#settings-button").click()
        page.wait_for_selector("#settings [data-testid=qr]")
        assert page.locator("#settings [data-testid=to-start]").get_attribute("href") == "/start"


def test_a_tv_that_waits_shows_the_game_when_it_begins(visit: Any, room: ServedRoom, film: Path) -> None:
    page = visit(f"{room.url}/", "tv")
    page.wait_for_selector("[data-testid=idle]:not([hidden])")
    assert not page.get_by_test_id("turn").is_visible()
    room.start(source={"kind": "film", "value": str(film)})
    page.wait_for_selector("[data-testid=score-0]")
    assert page.get_by_test_id("idle").is_hidden()
    assert page.get_by_test_id("match").is_visible()
    assert "Ana" in page.locator(".tile-name").first.inner_text()


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_before_a_game_the_tv_shows_the_code_and_the_overlay_nothing(
    visit: Any, tmp_path: Path, size: tuple[int, int]
) -> None:
    with serving_room(tmp_path / "open", in_the_room=True) as served:
        page = visit(f"{served.url}/tv", "tv")
        page.set_viewport_size({"width": size[0], "height": size[1]})
        code = page.get_by_test_id("qr")
        code.evaluate("(image) => image.decode()")
        box = code.bounding_box()
        assert box["height"] >= size[1] / 3
        assert box["y"] + box["height"] <= size[1]
        top = "(image, [x, y]) => document.elementFromPoint(x, y) === image"
        assert all(code.evaluate(top, [box["x"] + box["width"] / 2, box["y"] + box["height"] * y]) for y in (0.1, 0.9))
        assert page.locator("main").is_hidden()
        page = visit(f"{served.url}/overlay", "tv")
        page.wait_for_selector("html[data-idle=true]", state="attached")
        assert page.locator("body *:not(.visually-hidden):visible").count() == 0


def test_everything_is_done_by_keyboard(visit: Any, room: ServedRoom, film: Path) -> None:
    page = visit(f"{room.url}/start")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "skip"
    page.locator("input[name=kind]:checked").focus()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    assert page.locator("input[name=kind][data-value=film]").is_checked()
    page.keyboard.press("Tab")
    page.keyboard.type(str(film))
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("Ana")
    page.keyboard.press("Enter")
    page.wait_for_selector("html[data-link=live]")
    assert state_of(room)["seats"][0]["name"] == "Ana"


@pytest.mark.parametrize("screen", ["phone", "tablet", "tv"])
@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_the_page_is_for_everyone(visit: Any, faults: Any, room: ServedRoom, screen: str, theme: str) -> None:
    page = visit(f"{room.url}/start", screen, theme=theme)
    pick(page, "players", "6")
    assert faults(page) == []
    width = page.viewport_size["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.locator("button:visible, a:visible, label.choice-option:visible, select:visible").evaluate_all(
        "all => all.filter((one) => !one.closest('p')).map((one) => one.getBoundingClientRect())"
        ".filter((box) => box.height < 40).length"
    )
    assert small == 0, "too small for a thumb"


def test_the_language_of_the_address_goes_along_to_every_page(visit: Any, room: ServedRoom) -> None:
    page = visit(f"{room.url}/start?lang=it&theme=dark", locale="es-ES")
    assert "Inizia una partita" in page.title()

    def arrived(selector: str) -> Any:
        page.wait_for_selector(selector)
        page.wait_for_selector("html[data-ready=true]")
        return page.evaluate("[document.documentElement.lang, document.documentElement.dataset.theme]")

    pick(page, "kind", "none")
    page.get_by_test_id("go").click()
    assert arrived("#score .tile") == ["it", "dark"]
    assert page.get_by_test_id("turn").inner_text() == "Prima la briscola"
    assert "lang" not in page.url
    page.locator("#settings-button").click()
    page.locator("#settings [data-testid=to-history]").click()
    assert arrived("[data-testid=game]") == ["it", "dark"]
    page.get_by_test_id("game").first.click()
    assert arrived("[data-testid=delete]") == ["it", "dark"]
    page.locator("#pages [data-testid=to-start]").click()
    assert arrived("[data-testid=go]") == ["it", "dark"]
    page.go_back()
    page.go_back()
    assert arrived("[data-testid=game]") == ["it", "dark"]
    assert visit(f"{room.url}/history").evaluate("document.documentElement.lang") == "es", "another screen has its own"


def test_a_language_chosen_by_hand_outlasts_the_one_of_the_address(visit: Any, room: ServedRoom) -> None:
    page = visit(f"{room.url}/history?lang=it", locale="es-ES")
    page.locator("#settings-button").click()
    page.locator("#settings input[name=language][value=pt]").check()
    page.wait_for_selector("html[lang=pt]")
    page.reload()
    page.wait_for_selector("html[data-ready=true]")
    assert page.evaluate("document.documentElement.lang") == "pt"
    page.goto(f"{room.url}/")
    page.wait_for_selector("html[data-ready=true]")
    assert page.evaluate("document.documentElement.lang") == "pt"


@pytest.mark.parametrize("locale", ["es-ES", "en-GB", "it-IT", "pt-PT"])
def test_on_a_small_phone_the_names_of_the_pages_stay_in_their_frames(
    visit: Any, room: ServedRoom, locale: str
) -> None:
    page = visit(f"{room.url}/start", "phone", locale)
    for path in ("/start", "/history"):
        page.goto(room.url + path)
        page.wait_for_selector("html[data-ready=true]")
        for width in (320, 344, 360, 390, 430):
            page.set_viewport_size({"width": width, "height": 568})
            found = page.locator(".top .page-link").evaluate_all(
                """all => all.map((link) => {
                  const range = document.createRange();
                  range.selectNodeContents(link.querySelector('span'));
                  const [frame, words] = [link.getBoundingClientRect(), range.getBoundingClientRect()];
                  return [frame.left, words.left, words.right, frame.right];
                })"""
            )
            assert len(found) == 3
            edges = [edge for link in found for edge in link]
            assert edges == sorted(edges), (path, width, edges)
            assert min(words - frame for frame, words, _, _ in found) >= 3, (path, width, edges)
            settings = page.locator("#settings-button").bounding_box()
            assert edges[-1] <= settings["x"], (path, width)
            assert settings["x"] + settings["width"] <= width
