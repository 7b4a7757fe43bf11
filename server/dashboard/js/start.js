// The start page: what is watched, who plays, by which rules; then the game begins.

import { ask } from "./choice.js";
import { el, setText } from "./dom.js";
import { openFrame } from "./frame.js";
import { icon } from "./icons.js";
import { ELSEWHERE, gameNotice } from "./left.js";
import { Phones } from "./pages.js";
import { People } from "./start_people.js";
import { Rules } from "./start_rules.js";
import { Source } from "./start_source.js";
import { get, send } from "./requests.js";
import { troubleDetail, troubleWords } from "./troubles.js";

const byId = (id) => document.getElementById(id);

class StartPage {
  constructor(offers) {
    this.running = offers.running;
    this.sourceGone = location.hash === ELSEWHERE; // what was watched has been tried on the scoreboard
    this.left = offers.running === null ? offers.unfinished : null;
    const before = offers.remembered;
    this.people = new People(byId("people"), offers, before);
    this.rules = new Rules(byId("rules"), offers, before);
    this.source = new Source(byId("source"), before?.source, this.people);
    this.people.changed = () => {
      this.rules.players = this.people.count;
      this.source.drawPlan();
    };
    this.rules.players = this.people.count;
    this.phones = new Phones(byId("phones"));
    this.phones.ask();
    byId("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
  }

  render(texts) {
    this.texts = texts;
    this.renderRunning();
    this.renderLeft();
    this.source.render(texts);
    this.people.render(texts);
    this.rules.render(texts);
    this.phones.render(texts);
    byId("go").replaceChildren(icon("arrow"), el("span", {}, texts.t("start.go")));
    this.say(null);
  }

  /** Shows a game that is there already; `buttons()` makes what can be done with it. */
  showGame(node, game, key, buttons) {
    node.hidden = game === null;
    if (game !== null) node.replaceChildren(gameNotice(game, key, this.texts, buttons()));
  }

  renderRunning() {
    const { texts, running } = this;
    this.showGame(byId("running"), running, "start.running", () => [
      el("a", { class: "button", href: "/" }, texts.t("start.to_board")),
      el("a", { class: "button", href: "/places" }, texts.t("start.places")),
      el("button", { type: "button", class: "button", "data-testid": "end", onclick: () => this.end() }, texts.t("start.end")),
    ]);
  }

  /** A game that was left off: the program was closed, or the power cut. */
  renderLeft() {
    const { texts, left } = this;
    this.showGame(byId("left"), left, "start.left", () => [
      el("button", { type: "button", class: "button button-go", "data-testid": "resume", onclick: () => this.resume() }, texts.t("start.resume")),
      this.sourceGone && el("button", { type: "button", class: "button", "data-testid": "resume-here", onclick: () => this.resume(this.source.value) }, texts.t("start.resume_here")),
      el("button", { type: "button", class: "button", "data-testid": "discard", onclick: () => this.discard() }, texts.t("start.discard")),
    ]);
  }

  /** `source` instead of the one that was watched: the camera may have another number by now. */
  async resume(source = null) {
    const trouble = source && this.source.trouble();
    if (trouble) {
      this.say(this.texts.t(trouble.key, trouble.values));
      trouble.node?.focus();
      return;
    }
    this.say(null);
    this.source.rest();
    try {
      await send("/api/game/resume", { session: this.left.id, source });
      location.assign("/");
    } catch (error) {
      this.source.wake();
      this.sourceGone = true;
      this.renderLeft();
      this.say(troubleWords(error, this.texts), troubleDetail(error, this.texts));
    }
  }

  async discard() {
    const { texts } = this;
    const answer = await ask(byId("ask"), texts.t("start.discard_title"), texts.t("start.discard_body"), [["yes", texts.t("start.discard"), true]], texts);
    if (answer !== "yes") return;
    try {
      await send("/api/game/discard", { session: this.left.id });
    } catch (error) {
      this.say(troubleWords(error, texts), troubleDetail(error, texts));
      return;
    }
    this.left = null;
    this.renderLeft();
    byId("content").focus();
  }

  say(words, detail = "") {
    const trouble = byId("trouble");
    trouble.hidden = words === null;
    trouble.replaceChildren(...(words === null ? [] : [words, detail && el("small", { lang: "en" }, detail)].filter(Boolean)));
  }

  async end() {
    const { texts } = this;
    const answer = await ask(byId("ask"), texts.t("start.end_title"), texts.t("start.end_body"), [["yes", texts.t("start.end"), true]], texts);
    if (answer !== "yes") return;
    try {
      await send("/api/game/end");
    } catch (error) {
      if (error.code !== "not_found") return this.say(troubleWords(error, texts), troubleDetail(error, texts));
    }
    this.running = null;
    this.renderRunning();
    byId("content").focus();
    return undefined;
  }

  async begin(replace = false) {
    const { texts } = this;
    const trouble = this.source.trouble() ?? this.people.trouble();
    if (trouble) {
      this.say(texts.t(trouble.key, trouble.values));
      trouble.node?.focus();
      return;
    }
    this.say(null);
    this.source.rest(); // the game wants the camera for itself
    byId("go").disabled = true;
    setText(byId("go").querySelector("span"), texts.t("start.beginning"));
    try {
      await send("/api/game", { source: this.source.value, ...this.people.value, ...this.rules.value, replace });
      location.assign("/");
      return;
    } catch (error) {
      byId("go").disabled = false;
      setText(byId("go").querySelector("span"), texts.t("start.go"));
      this.source.wake();
      if (error.code === "busy") {
        const answer = await ask(byId("ask"), texts.t("start.replace_title"), texts.t("start.replace_body"), [["yes", texts.t("start.replace"), true]], texts);
        if (answer === "yes") this.begin(true);
        return;
      }
      this.say(troubleWords(error, texts), troubleDetail(error, texts));
    }
  }
}

const page = new StartPage(await get("/api/start"));
await openFrame("start", "start.title", (texts) => page.render(texts));
