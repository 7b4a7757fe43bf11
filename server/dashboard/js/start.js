// The start page: what is watched, who plays, by which rules; then the game begins.

import { ask } from "./choice.js";
import { el, setText } from "./dom.js";
import { openFrame } from "./frame.js";
import { icon } from "./icons.js";
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
    this.source.render(texts);
    this.people.render(texts);
    this.rules.render(texts);
    this.phones.render(texts);
    byId("go").replaceChildren(icon("arrow"), el("span", {}, texts.t("start.go")));
    this.say(null);
  }

  renderRunning() {
    const { texts, running } = this;
    byId("running").hidden = running === null;
    if (running === null) return;
    byId("running").replaceChildren(
      el(
        "div",
        { class: "notice", "data-kind": "question" },
        icon("cup"),
        el(
          "div",
          { class: "notice-text" },
          el("h2", { class: "notice-title" }, texts.t("start.running", { names: texts.join(running.names) })),
          el("p", {}, running.source),
        ),
        el(
          "div",
          { class: "notice-buttons" },
          el("a", { class: "button", href: "/" }, texts.t("start.to_board")),
          el("button", { type: "button", class: "button", "data-testid": "end", onclick: () => this.end() }, texts.t("start.end")),
        ),
      ),
    );
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
