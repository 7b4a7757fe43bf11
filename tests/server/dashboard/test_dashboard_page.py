"""What the page shows of a state, on every screen and in every language."""

import json
from itertools import combinations, pairwise
from random import Random
from typing import Any

import pytest

from engine.random_game import random_game
from server.scoreboard.snapshot import snapshot_json
from server.sessions.session import Session, make_table
from server.sessions.sitting import SessionFacts
from server.web.pages import dashboard_folder

pytestmark = pytest.mark.browser


def text(page: Any, name: str) -> str:
    return str(page.get_by_test_id(name).inner_text()).strip()


def wait_text(page: Any, selector: str, wanted: str) -> None:
    page.wait_for_function(
        "([where, words]) => document.querySelector(where)?.textContent.includes(words)", arg=[selector, wanted]
    )


def violation(certainty: str, p: float | None = None) -> dict[str, Any]:
    return {
        "key": f"k-{certainty}", "kind": "missed_arrastre", "hand": 1, "seat": 1, "trick": 2, "certainty": certainty,
        "p": p, "evidence": ["3C"], "pictures": [], "acknowledged": False, "dismissed": False,
    }  # fmt: skip


def test_a_snapshot_is_shown_whole(served: Any, opened: Any, played: Any) -> None:
    state = played(2)
    hand = state["hand"]
    server = served(state)
    page = opened(server)
    server.tell(camera="RUNNING")
    page.wait_for_selector("[data-testid=camera-state][data-state=RUNNING]")
    assert [text(page, "score-0"), text(page, "score-1")] == [str(score["points"]) for score in state["scores"]]
    assert page.get_by_test_id("trump").get_attribute("data-card") == hand["trump"]["card"]
    assert text(page, "stock") == str(hand["stock"])
    names = [seat["name"] for seat in state["seats"]]
    assert names[hand["turn"]] in text(page, "turn")
    shown = page.locator("[data-testid=trick] .played").evaluate_all("all => all.map((one) => one.dataset.card)")
    assert shown == [play["card"] for play in sorted(hand["trick"]["plays"], key=lambda play: play["seat"])]
    rows = page.locator("[data-testid=trick-list] .trick-row")
    assert rows.count() == 2
    assert f"+{hand['tricks'][-1]['points']}" in rows.first.inner_text()
    assert names[hand["tricks"][-1]["winner"]] in rows.first.inner_text()
    assert page.get_by_test_id("phase").get_attribute("data-phase") == hand["phase"]
    assert not page.get_by_test_id("result").is_visible()
    assert "Ninguna falta" in text(page, "violations")
    assert page.title() == "Brisca"


@pytest.mark.parametrize("name", ["Maximiliano Fernández de la Vega", "W" * 40])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_runs_over_the_edge_of_any_screen(
    served: Any, opened: Any, played: Any, players: int, name: str
) -> None:
    state = played(players)
    state["seats"][1]["name"] = name
    for score in state["scores"]:
        score["name"] = name
    state["violations"] = [violation("certain"), violation("possible", p=0.7), violation("cleared")]
    state["lost"] = True
    page = opened(served(state), width=360, height=740)
    for width, height in ((360, 740), (768, 1024), (1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 360, "height": 740})
    small = page.locator("button:visible").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).filter((box) => box.height < 40 || box.width < 40).length"
    )
    assert small == 0, "buttons too small for a thumb"


def test_the_tv_shows_everything_at_once_and_in_big(served: Any, opened: Any, played: Any) -> None:
    page = opened(served(played(2)), "/?view=tv", 1920, 1080)
    assert page.evaluate("document.documentElement.scrollHeight") <= 1080
    for name in ("score-0", "score-1", "trump", "stock", "turn", "trick"):
        box = page.get_by_test_id(name).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 1080
    size = "(node) => parseFloat(getComputedStyle(node).fontSize)"
    assert page.get_by_test_id("score-0").evaluate(size) >= 150
    assert page.get_by_test_id("turn").evaluate(size) >= 48
    assert not page.locator("#actions").is_visible()


def test_the_overlay_is_clear_except_for_its_strip(served: Any, opened: Any, played: Any) -> None:
    page = opened(served(played(2)), "/?view=overlay", 1920, 1080)
    for node in ("document.documentElement", "document.body"):
        assert page.evaluate(f"getComputedStyle({node}).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert page.get_by_test_id("score-0").bounding_box()["y"] > 800
    assert not page.locator("header").is_visible()


SIX = "south=Ana,southeast=Luis,northeast=Mercedes,north=José Antonio,northwest=Concepción,southwest=Bartolomé"
INSIDE = """(all) => all.map((one) => one.getBoundingClientRect())
  .map((box) => [box.left, box.top, box.right, box.bottom].map(Math.round))"""


def begun(players: int, played: Any) -> dict[str, Any]:
    """A game of so many; six sit around the table with their real names."""
    if players != 6:
        return dict(played(players))
    session = Session(make_table("seis_48", SIX))
    for event in list(random_game(session.table.rules, Random(1), exchange_chance=0.0).events())[:24]:
        session.referee.ledger.append("vision", event)
    return dict(snapshot_json(SessionFacts("s1", "a film", "2025-01-01T10:00:00Z"), session, False))


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_cards_names_and_trump_stand_clear_of_each_other_on_every_screen(
    served: Any, opened: Any, played: Any, players: int
) -> None:
    page = opened(served(begun(players, played)), width=390, height=844)
    for width, height in ((390, 844), (768, 1024), (820, 1180), (1024, 768), (1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        felt = page.locator(".felt").evaluate_all(INSIDE)[0]
        pile = page.locator(".pile").evaluate_all(INSIDE)[0]
        parts = page.locator(".slot-name, .slot .played, .slot .slot-empty").evaluate_all(INSIDE)
        assert len(parts) >= 2 * players
        for left, top, right, bottom in parts:
            assert felt[0] <= left, (width, "cut off at the left")
            assert right <= felt[2], (width, "cut off at the right")
            beside = right <= pile[0] or left >= pile[2] or bottom <= pile[1] or top >= pile[3]
            assert beside, (width, "under the trump")
        for one, other in combinations(page.locator(".slot").evaluate_all(INSIDE), 2):
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, (width, one, other)


@pytest.mark.parametrize(("path", "size"), [("/", (390, 844)), ("/", (1024, 768)), ("/tv", (1920, 1080)),
                                            ("/overlay", (1920, 1080))])  # fmt: skip
def test_six_names_are_whole(served: Any, opened: Any, played: Any, path: str, size: tuple[int, int]) -> None:
    page = opened(served(begun(6, played)), path, *size)
    # Each word stands on one line: a name is broken between its words only.
    broken = page.locator(".slot-name > span:not(.slot-lead)").evaluate_all("""(all) => all.filter((one) => {
      const node = one.firstChild;
      let at = 0;
      return node.data.split(" ").some((word) => {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        at += word.length + 1;
        return range.getClientRects().length !== 1;
      });
    }).map((one) => one.textContent)""")
    assert broken == []
    if path != "/overlay":
        cut = "(all) => all.filter((one) => one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent)"
        assert page.locator(".tile-name span").evaluate_all(cut) == []


LONG_NAMES = ["María del Carmen Fernández", "Bartolomé", "Guadalupe Montesinos", "Paco"]


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize("view", ["tv", "overlay"])
@pytest.mark.parametrize("names", [LONG_NAMES, ["Jugador 1", "Jugador 2", "Jugador 3", "Jugador 4"]])
def test_four_names_stand_side_by_side_and_clear_of_the_trump(
    served: Any, opened: Any, played: Any, names: list[str], view: str, size: tuple[int, int]
) -> None:
    state = played(4)
    for seat, name in zip(state["seats"], names, strict=True):
        seat["name"] = name
    for score in state["scores"]:
        score["name"] = " + ".join(names[seat] for seat in score["seats"])
    page = opened(served(state), f"/?view={view}", *size)
    box = "(all) => all.map((one) => one.getBoundingClientRect()).map((box) => [box.left, box.right])"
    left, right = page.locator(".felt").evaluate_all(box)[0]
    pile = page.locator(".pile").evaluate_all(box)[0]
    parts = page.locator(".slot-name, .slot .played:visible, .slot .slot-empty:visible").evaluate_all(box)
    assert len(parts) >= 4
    assert all(left <= one and other <= pile[0] for one, other in parts)
    assert pile[1] <= right <= size[0]
    slots = page.locator(".slot").evaluate_all(box)
    assert all(one[1] <= following[0] for one, following in pairwise(slots))
    tiles = page.locator(".tile").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().top)")
    assert len(set(tiles)) == 1, "the tiles stand in one row"
    if view == "overlay":
        score = page.locator(".tiles").bounding_box()
        felt = page.locator(".felt").bounding_box()
        assert score["x"] + score["width"] <= felt["x"], "one strip, not two rows"
    if "Jugador 1" in names:
        cut = "(one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1"
        names_cut = page.locator(".slot-name > span:not(.slot-lead)").evaluate_all(f"(all) => all.filter({cut}).length")
        assert names_cut == 0, "short names are never cut"


def test_the_language_follows_the_browser_and_can_be_changed_for_good(served: Any, opened: Any, played: Any) -> None:
    page = opened(served(played(2)), locale="it-IT")
    assert page.title() == "Briscola"
    assert "Tocca a" in text(page, "turn")
    page.locator("#settings-button").click()
    page.get_by_text("Português").click()
    wait_text(page, "[data-testid=turn]", "É a vez de")
    page.reload()
    wait_text(page, "[data-testid=turn]", "É a vez de")
    assert page.evaluate("document.documentElement.lang") == "pt"


@pytest.mark.parametrize(
    ("language", "south", "north"),
    [("es", "Sur", "Norte"), ("it", "Sud", "Nord"), ("pt", "Sul", "Norte"), ("en", "South", "North")],
)
def test_seats_that_nobody_named_are_called_in_the_language_of_the_reader(
    served: Any, opened: Any, played: Any, language: str, south: str, north: str
) -> None:
    state = played(2)
    for seat, score in zip(state["seats"], state["scores"], strict=True):
        seat["name"] = score["name"] = seat["side"].capitalize()
    page = opened(served(state), f"/?lang={language}")
    assert page.locator(".tile-name").all_inner_texts() == [south, north]
    assert [name.strip() for name in page.locator(".slot-name").all_inner_texts()] == [south, north]


def test_a_name_is_shown_and_never_run(served: Any, opened: Any, played: Any) -> None:
    state = played(2)
    name = '<img src=x onerror="window.hit=1"><b>Ana'
    state["seats"][0]["name"] = state["scores"][0]["name"] = name
    page = opened(served(state))
    assert page.locator(".tile-name").first.inner_text().strip() == name
    assert page.evaluate("window.hit") is None
    assert page.locator(".tile b").count() == 0


def test_a_suspicion_is_not_called_a_fault(served: Any, opened: Any, played: Any) -> None:
    state = played(2)
    state["violations"] = [violation(kind, 0.7 if kind == "possible" else None)
                           for kind in ("possible", "unknowable", "cleared", "certain")]  # fmt: skip
    server = served(state)
    page = opened(server)
    cards = page.get_by_test_id("violations").locator(".violation")
    assert [cards.nth(i).get_attribute("data-certainty") for i in range(4)] == [
        "certain", "possible", "unknowable", "cleared",
    ]  # fmt: skip
    assert "Seguro" in cards.nth(0).inner_text()
    assert "Posible (70 %)" in cards.nth(1).inner_text()
    assert "sospecha" in cards.nth(1).inner_text()
    assert "No se puede saber" in cards.nth(2).inner_text()
    assert "no hubo falta" in cards.nth(3).inner_text()
    assert "Luis · baza 2" in cards.nth(0).inner_text()
    assert cards.nth(0).locator("[aria-label='tres de copas']").count() == 1
    count = page.locator("#violations h2 .count")
    assert count.inner_text() == "1", "only what is proven counts"
    state["violations"][3].update(acknowledged=True, dismissed=True)
    server.post(state)
    count.wait_for(state="detached")
    assert cards.count() == 4


@pytest.mark.parametrize(
    ("points", "status", "winners", "title", "check"),
    [
        ([71, 49], "won", [0], "Gana Ana", "71 + 49 = 120"),
        ([60, 60], "draw", [], "Empate", "60 + 60 = 120"),
        ([60, 60], "void", [], "Mano nula", "60 + 60 = 120"),
        ([71, 38], "won", [0], "Gana Ana", "no cuadran: 71 + 38 = 109"),
    ],
)
def test_the_result_is_told_with_its_sum(
    served: Any, opened: Any, played: Any, points: list[int], status: str, winners: list[int], title: str, check: str
) -> None:
    state = played(2)
    state["hand"].update(phase="result", turn=None, result={"status": status, "points": points, "winners": winners})
    server = served(state)
    page = opened(server)
    assert title in text(page, "result")
    assert check in text(page, "result")


@pytest.mark.parametrize(("state", "words"), [("STALLED", "se ha parado"), ("RECONNECTING", "Buscando la cámara"),
                                              ("FAILED", "no funciona"), ("ENDED", "terminada")])  # fmt: skip
def test_the_camera_says_how_it_is(served: Any, opened: Any, played: Any, state: str, words: str) -> None:
    server = served(played(2))
    page = opened(server)
    server.tell(camera=state)
    page.wait_for_selector(f"[data-testid=camera-state][data-state={state}]")
    assert words in text(page, "camera-state")
    assert page.get_by_test_id("camera-trouble").is_visible() == (state != "ENDED")


@pytest.mark.parametrize("language", ["es", "en", "it", "pt"])
def test_a_camera_that_has_failed_says_why_in_the_language_of_the_reader(
    served: Any, opened: Any, played: Any, language: str
) -> None:
    texts = json.loads((dashboard_folder() / "i18n" / f"{language}.json").read_text(encoding="utf-8"))
    server = served(played(2))
    page = opened(server, f"/?lang={language}", 390, 844)
    for reason, kind in (("camera_taken", "camera"), ("stream_unreachable", "stream"), ("broken_off", "other")):
        server.tell(camera="FAILED", message="The program's own sentence.", reason=reason)
        words = f"{texts[f'camera.failed.{kind}']} {texts['camera.failed']}"
        page.get_by_test_id("camera-trouble").get_by_text(words, exact=True).wait_for()
        assert "own sentence" not in page.inner_text("body")
        assert page.get_by_test_id("by-hand").is_visible()


# Every text of the page with its contrast to the ground behind it (WCAG 2.2: 4.5, or 3 for large text).
CONTRAST = """() => {
  const parse = (colour) => {
    const parts = colour.match(/[\\d.]+/g).map(Number);
    return {rgb: parts.slice(0, 3), alpha: parts.length > 3 ? parts[3] : 1};
  };
  const over = (top, below) => top.rgb.map((one, i) => one * top.alpha + below[i] * (1 - top.alpha));
  const light = (rgb) => rgb.map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, i) => sum + one * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (node) => {
    const layers = [];
    for (let at = node; at; at = at.parentElement) layers.unshift(parse(getComputedStyle(at).backgroundColor));
    return layers.reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || node.closest("svg, noscript, .visually-hidden, .skip")) continue;
    if (!node.checkVisibility({visibilityProperty: true})) continue;
    const style = getComputedStyle(node);
    const below = ground(node);
    const [a, b] = [light(over(parse(style.color), below)), light(below)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < (large ? 3 : 4.5)) poor.push(`${node.className} "${node.textContent}" ${ratio.toFixed(2)}`);
  }
  return poor;
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(served: Any, opened: Any, played: Any, theme: str) -> None:
    state = played(2)
    state["violations"] = [violation(kind) for kind in ("possible", "unknowable", "cleared", "certain")]
    state["lost"] = True
    state["questions"] = [{"id": "card:x", "kind": "card", "text_key": "question.card", "options": []}]
    state["hand"]["result"] = {"status": "won", "points": [71, 49], "winners": [0]}
    server = served(state)
    page = opened(server, f"/?theme={theme}")
    server.tell(camera="STALLED")
    page.get_by_test_id("camera-trouble").wait_for()
    page.emulate_media(reduced_motion="reduce")  # a colour halfway through a fade has no contrast of its own
    page.evaluate("() => Promise.allSettled(document.getAnimations().map((one) => one.finished))")
    assert page.evaluate(CONTRAST) == []


def test_the_keyboard_reaches_every_button_and_says_where_it_is(served: Any, opened: Any, played: Any) -> None:
    page = opened(served(played(2)))
    reached = []
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.dataset.testid ?? document.activeElement.id"))
        if reached[-1] == "undo":
            break
    assert reached[0] == "skip"
    assert reached.index("settings-button") < reached.index("arrastre-0") < reached.index("arrastre-1")
    outline = page.evaluate("parseFloat(getComputedStyle(document.activeElement).outlineWidth)")
    assert outline >= 2
    nameless = page.locator("button:visible").evaluate_all(
        "all => all.filter((one) => !(one.getAttribute('aria-label') ?? one.innerText).trim()).length"
    )
    assert nameless == 0
