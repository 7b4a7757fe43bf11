// A game that is there already: the notice about it, and the one that was left off, when the program was closed or the
// power cut, on the scoreboard that waits.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { Texts } from "./i18n.js";
import { sourceName } from "./pages.js";
import { get, send } from "./requests.js";
import { troubleDetail, troubleWords } from "./troubles.js";

/** Where the start page is told that the game that was left off is to go on from something else. */
export const ELSEWHERE = "#elsewhere";

/** A notice about a game: who plays it (`key` words that), where it comes from, and what to do. */
export function gameNotice(game, key, texts, buttons) {
  const begun = game.started && new Date(game.started).toLocaleString(texts.locale, { dateStyle: "medium", timeStyle: "short" });
  return el(
    "div",
    { class: "notice", "data-kind": "game" },
    icon("cup"),
    el(
      "div",
      { class: "notice-text" },
      el("h2", { class: "notice-title" }, texts.t(key, { names: texts.join(game.names) })),
      el("p", {}, [sourceName(game.source, texts), begun].filter(Boolean).join(" · ")),
    ),
    buttons.some(Boolean) && el("div", { class: "notice-buttons" }, buttons),
  );
}

/** Asks for the game that was left off and offers to go on with it; the scoreboard shows it as soon as it goes on. */
export class LeftGame {
  #game = null;
  #texts = null;
  #changed;
  #trouble = null;
  #going = false;

  /** `changed()` is called when there is something else to show. */
  constructor(changed) {
    this.#changed = changed;
  }

  /** What is shown, as a JSON value; null without a game that was left off. */
  get shown() {
    return this.#game && [this.#game, this.#texts.language, this.#trouble, this.#going];
  }

  /** Asks the server, with the words of the other pages in this language. */
  async ask(language) {
    try {
      const [{ unfinished }, texts] = await Promise.all([get("/api/start"), Texts.load(language, "pages")]);
      this.#game = unfinished;
      this.#texts = texts;
    } catch {
      this.#game = null; // a run that begins no games has none to go on with; without a link the page says so
    }
    this.#changed();
  }

  /** The notice; `pressed` says whether this screen has something to press. */
  notice(pressed) {
    const texts = this.#texts;
    const go = el(
      "button",
      { type: "button", class: "button button-go", "data-testid": "idle-resume", "aria-disabled": this.#going ? "true" : null, onclick: () => this.#going || this.#resume() },
      icon("arrow"),
      el("span", {}, texts.t(this.#going ? "start.beginning" : "start.resume")),
    );
    const other = this.#trouble && el("a", { class: "button", href: `/start${ELSEWHERE}`, "data-testid": "idle-elsewhere" }, texts.t("start.elsewhere"));
    const why = this.#trouble && el("p", { class: "trouble", role: "alert" }, this.#trouble.words, this.#trouble.detail && el("small", { lang: "en" }, this.#trouble.detail));
    return [gameNotice(this.#game, "start.left", texts, pressed ? [go, other] : []), why].filter(Boolean);
  }

  async #resume() {
    this.#going = true;
    this.#trouble = null;
    this.#changed();
    try {
      await send("/api/game/resume", { session: this.#game.id, source: null });
      this.#game = null;
    } catch (error) {
      if (error.code === "busy") return; // somebody else was first: the scoreboard shows it
      this.#trouble = { words: troubleWords(error, this.#texts), detail: troubleDetail(error, this.#texts) };
    } finally {
      this.#going = false;
      this.#changed();
    }
  }
}
