// One game of the history: result, match, every trick, violations, what was put right; files, picture, deleting.

import { cardChip, installSprite } from "./cards.js";
import { changeLine } from "./changes.js";
import { ask } from "./choice.js";
import { el } from "./dom.js";
import { keepFocus } from "./focus.js";
import { openFrame } from "./frame.js";
import { countedTricks, openTrick } from "./hand.js";
import { icon, sideShape } from "./icons.js";
import { KeptGame } from "./kept.js";
import { matchWords } from "./match.js";
import { sourceName } from "./pages.js";
import { seatName, sideName } from "./players.js";
import { get, send } from "./requests.js";
import { resultTitle } from "./result.js";
import { shareSection } from "./share.js";
import { suitIcon } from "./suits.js";
import { claimRow } from "./tricks.js";
import { troubleDetail, troubleWords } from "./troubles.js";
import { answer, violationTitle } from "./violations.js";

const byId = (id) => document.getElementById(id);
const FORMS = ["csv", "json", "txt"];
const id = decodeURIComponent(location.pathname.split("/").filter(Boolean).at(-1));

function when(text, texts) {
  return new Date(text).toLocaleString(texts.locale, { dateStyle: "long", timeStyle: "short" });
}

/** A hand as a snapshot of its end, which is what the scoreboard's words are made for. */
function asSnapshot(game, hand) {
  return { seats: game.seats, scores: hand?.scores ?? game.seats.map((seat) => ({ seats: [seat.seat], name: seat.name, points: 0 })), hand, match: game.match };
}

class GamePage {
  /** `onScreen`: it is the game that the scoreboard shows; what is undone there is no affair of this page. */
  constructor(game, onScreen) {
    this.game = game;
    this.onScreen = onScreen;
    byId("content").dataset.panel = "";
    this.kept = new KeptGame(game, (told) => this.#revised(told));
  }

  /** What was told anew after something was put right. */
  #revised(game) {
    const back = keepFocus(byId("content"));
    const open = new Set([...document.querySelectorAll("details[open]")].map((one) => one.dataset.key));
    this.game = game;
    this.render(this.texts);
    for (const one of document.querySelectorAll("details[data-key]")) one.open = open.has(one.dataset.key);
    back();
  }

  render(texts) {
    this.texts = this.kept.texts = texts;
    const { game } = this;
    const last = asSnapshot(game, game.hands.at(-1));
    this.renderResult(last);
    byId("match").hidden = game.match.format === "single" || game.hands.length < 1;
    if (!byId("match").hidden) byId("match").replaceChildren(...matchWords(last, texts).filter(Boolean));
    byId("hands").replaceChildren(...game.hands.map((hand) => this.#hand(hand)));
    this.renderCorrections();
    this.renderTake(last);
  }

  get title() {
    const { game, texts } = this;
    const hand = game.hands.at(-1);
    const snapshot = asSnapshot(game, hand);
    if (this.#isMatch) {
      if (Number.isInteger(game.winner)) return texts.t("match.won", { name: sideName(snapshot, game.winner, texts) });
      return texts.t(game.status === "tied_match" ? "match.tied" : "game.open");
    }
    return hand?.result ? resultTitle(snapshot, hand.result, texts) : texts.t("history.unfinished");
  }

  /** Whether more than one hand decides, so that one of them alone does not. */
  get #isMatch() {
    return this.game.hands.length > 1 || (this.game.hands.length > 0 && this.game.match.format !== "single");
  }

  renderResult(snapshot) {
    const { game, texts } = this;
    byId("result").hidden = false;
    byId("result").replaceChildren(
      el("h2", {}, snapshot.scores.map((_, side) => sideName(snapshot, side, texts)).join(" – ")),
      el("p", {}, `${when(game.session.started, texts)} · ${texts.t(`profile.${game.rules.name}`)} · ${game.session.demo ? texts.t("start.kind.demo") : sourceName(game.session.source, texts)}`),
      ...[
        el("p", { class: "game-verdict" }, Number.isInteger(game.winner) && icon("cup"), el("span", {}, this.title)),
        game.session.demo && el("p", { class: "nothing" }, texts.t("game.demo")),
      ].filter(Boolean),
    );
  }

  #hand(hand) {
    const { game, texts } = this;
    const snapshot = asSnapshot(game, hand);
    const title = [texts.t("hand.n", { n: hand.n })];
    if (hand.result && this.#isMatch) title.push(resultTitle(snapshot, hand.result, texts));
    const rows = hand.tricks.map((trick) => ({ at: trick.n, row: this.#trick(trick, snapshot) }));
    const open = openTrick(hand);
    if (open) rows.push({ at: open.n, row: this.#trick(open, snapshot) });
    for (const one of hand.exchanges) rows.push({ at: one.after_trick + 0.5, row: this.#exchange(one, snapshot) });
    if (hand.claim) rows.push({ at: Infinity, row: claimRow(snapshot, texts) });
    for (const one of hand.calls) rows.push({ at: one.trick - 0.2, row: el("li", { class: "exchange-row" }, icon("warning"), el("span", {}, texts.t("action.arrastre_of", { name: seatName(snapshot, one.seat, texts) }))) });
    rows.sort((a, b) => a.at - b.at);
    return el(
      "section",
      { class: "panel hand-told", "data-testid": `hand-${hand.n}` },
      el("h2", {}, title.join(" · ")),
      el(
        "ul",
        { class: "hand-points" },
        hand.scores.map((score, side) => el("li", { "data-side": side % 6 }, sideShape(side), el("span", {}, sideName(snapshot, side, texts)), el("strong", {}, score.points))),
        hand.trump && el("li", {}, suitIcon(hand.trump.suit), el("span", {}, texts.t("trump.suit_only", { suit: texts.suit(hand.trump.suit) }))),
      ),
      el("p", {}, this.#correct(hand.n)),
      hand.violations.length > 0 && this.#violations(hand, snapshot),
      el("details", { open: game.hands.length === 1, "data-key": `hand-${hand.n}` }, el("summary", {}, texts.t("tricks.title"), " ", el("span", { class: "count" }, countedTricks(hand).length)), el("ol", { class: "trick-rows" }, rows.map(({ row }) => row))),
    );
  }

  /** The way to put a hand right, here on this page. */
  #correct(n) {
    return el(
      "button",
      { type: "button", class: "button", "data-testid": `correct-${n}`, "aria-haspopup": "dialog", onclick: () => this.kept.open(n) },
      icon("pencil"),
      el("span", {}, this.texts.t("action.correct")),
    );
  }

  #trick(trick, snapshot) {
    const { texts } = this;
    const known = Number.isInteger(trick.winner);
    return el(
      "li",
      { class: "trick-row" },
      el("span", { class: "trick-number" }, trick.n),
      el(
        "span",
        { class: "trick-body" },
        el(
          "span",
          { class: "trick-cards" },
          trick.plays.map((play) => {
            const name = play.card ? texts.card(play.card) : texts.t("tricks.unseen");
            return el("span", { class: "trick-card", "data-winner": play.seat === trick.winner }, cardChip(play.card, `${seatName(snapshot, play.seat, texts)}: ${name}`));
          }),
        ),
        el("span", { class: "trick-winner" }, known ? texts.t("tricks.winner", { name: seatName(snapshot, trick.winner, texts) }) : texts.t("tricks.no_winner")),
      ),
      el("span", { class: "trick-points" }, trick.points === null ? "" : `+${trick.points}`),
    );
  }

  #exchange(one, snapshot) {
    const { texts } = this;
    const card = (text) => (text ? texts.card(text) : texts.t("exchange.unknown"));
    const name = Number.isInteger(one.seat) ? seatName(snapshot, one.seat, texts) : texts.t("exchange.unknown");
    return el("li", { class: "exchange-row" }, icon("arrow"), el("span", {}, texts.t("exchange.line", { name, given: card(one.given), taken: card(one.taken) })));
  }

  #violations(hand, snapshot) {
    const { texts } = this;
    return el(
      "div",
      {},
      el("h3", {}, texts.t("violations.title")),
      el(
        "ul",
        { class: "violation-list" },
        hand.violations.map((one) =>
          el(
            "li",
            { class: "violation", "data-certainty": one.certainty },
            el("p", { class: "violation-certainty" }, texts.t(`certainty.${one.certainty}`)),
            el("p", { class: "violation-title" }, violationTitle(one, texts)),
            el("p", { class: "violation-who" }, texts.t("violations.who", { name: Number.isInteger(one.seat) ? seatName(snapshot, one.seat, texts) : "?", n: one.trick })),
            one.dismissed && el("p", { class: "violation-seen" }, icon("check"), texts.t("violations.dismissed")),
            one.evidence.length > 0 && el("p", { class: "evidence" }, one.evidence.map((card) => cardChip(card, texts.card(card)))),
            !one.dismissed && el("div", { class: "violation-buttons" }, this.#letGo(one, hand.n)),
          ),
        ),
      ),
    );
  }

  /** The button by which the table lets a violation of hand `n` go. */
  #letGo(one, n) {
    return answer("dismiss", "close", this.texts.t("violations.dismiss"), one, this.texts, (body, words) => this.kept.press(body, words, n));
  }

  renderCorrections() {
    const { game, texts } = this;
    const section = byId("corrections");
    const { undo, redo } = game.steps;
    section.hidden = game.corrections.length === 0 && !redo;
    if (section.hidden) return;
    const last = asSnapshot(game, game.hands.at(-1));
    const parts = [
      el("h2", {}, texts.t("changes.title"), " ", el("span", { class: "count" }, game.corrections.length)),
      !this.onScreen && (undo || redo) && el("div", { class: "sheet-buttons" }, undo && this.#step("undo"), redo && this.#step("redo")),
      el("ol", { class: "change-list" }, game.corrections.map((change) => changeLine(change, last, texts, game.hands.length > 1))),
    ];
    section.replaceChildren(...parts.filter(Boolean));
  }

  #step(type) {
    const words = this.texts.t(`action.${type}`);
    return el("button", { type: "button", class: "button", "data-testid": type, onclick: () => this.kept.press({ type }, words) }, icon(type), el("span", {}, words));
  }

  renderTake(snapshot) {
    const { game, texts } = this;
    const counted = game.counts === "wins" ? game.match.wins : game.match.totals;
    const points = snapshot.scores.map((score, side) => (this.#isMatch ? counted[side] : score.points));
    const trump = game.hands.length === 1 ? snapshot.hand?.trump : null;
    const told = {
      title: this.title,
      line: [texts.t(`profile.${game.rules.name}`), game.hands.length > 1 && texts.t("match.wins", { n: game.hands.length })].filter(Boolean).join(" · "),
      foot: when(game.session.started, texts),
      sides: snapshot.scores.map((_, side) => ({ name: sideName(snapshot, side, texts), points: points[side] ?? 0, winner: side === game.winner })),
      suit: trump?.suit ?? null,
      trump: trump ? texts.t("trump.title") : "",
    };
    byId("take").hidden = false;
    byId("take").replaceChildren(
      el("h2", {}, texts.t("game.take")),
      ...shareSection(told, `brisca-${game.session.id}`, texts),
      el("h3", {}, texts.t("game.files")),
      el(
        "div",
        { class: "sheet-buttons" },
        FORMS.map((form) => el("a", { class: "button", href: `/api/sessions/${encodeURIComponent(game.session.id)}/export/${form}`, download: "", "data-testid": `export-${form}` }, icon("save"), el("span", {}, texts.t(`game.file.${form}`)))),
      ),
      el("button", { type: "button", class: "button button-grave", "data-testid": "delete", onclick: () => this.#delete() }, icon("bin"), el("span", {}, texts.t("game.delete"))),
    );
  }

  async #delete() {
    const { game, texts } = this;
    const answer = await ask(byId("ask"), texts.t("game.delete_ask"), texts.t("game.delete_body"), [["yes", texts.t("game.delete"), true]], texts);
    if (answer === null) return;
    try {
      await send(`/api/sessions/${encodeURIComponent(game.session.id)}`, undefined, "DELETE");
      location.assign("/history");
    } catch (error) {
      showTrouble(error, texts);
    }
  }
}

function showTrouble(error, texts) {
  const trouble = byId("trouble");
  trouble.hidden = false;
  trouble.replaceChildren(troubleWords(error, texts), el("small", { lang: "en" }, troubleDetail(error, texts)));
  trouble.scrollIntoView();
}

installSprite();
let page = null;
let refused = null;
try {
  const [game, shown] = await Promise.all([get(`/api/sessions/${encodeURIComponent(id)}/game`), get("/api/state")]);
  page = new GamePage(game, shown.session.id === game.session.id);
} catch (error) {
  refused = error;
}
await openFrame("history", "game.title", (texts) => (page ? page.render(texts) : showTrouble(refused, texts)));
