// What the scoreboard shows while no game is being played: the game that was left off, the way to the start page, and the
// way in for phones.

import { el, Panel } from "./dom.js";
import { icon } from "./icons.js";
import { LeftGame } from "./left.js";
import { Phones } from "./pages.js";

export class Idle {
  #panel;
  #left = new LeftGame(() => this.#again());
  #asked = null; // the language in which it was asked what was left off; anew whenever the link was away
  #last = null;

  constructor(node) {
    this.#panel = new Panel(node);
  }

  render(view, texts) {
    const { snapshot, link } = view;
    this.#last = [view, texts];
    const idle = Boolean(snapshot.session.idle);
    const root = document.documentElement;
    root.dataset.idle = String(idle);
    // Hidden as such, not by a rule: every view lays out the scoreboard in its own way, and none may bring it back.
    document.querySelector("main").hidden = idle;
    const node = this.#panel.node;
    node.hidden = !idle || root.dataset.view === "overlay"; // over a film there is nothing to invite to
    this.#ask(!node.hidden && link === "live", texts.language);
    this.#panel.show([idle, this.#left.shown, texts.language], () => (idle ? this.#content(texts, root.dataset.view === "tv") : []));
  }

  #again() {
    if (this.#last) this.render(...this.#last);
  }

  #ask(wanted, language) {
    const asked = wanted ? language : null;
    if (asked === this.#asked) return;
    this.#asked = asked;
    if (wanted) this.#left.ask(language);
  }

  #content(texts, onTv) {
    const left = this.#left.shown !== null;
    const phones = new Phones(el("div"));
    phones.ask();
    phones.render(texts);
    // A TV is looked at from across the room: nothing there is to be pressed, the code leads to where it is.
    return [
      ...(left ? this.#left.notice(!onTv) : [el("h2", {}, texts.t("idle.title")), el("p", {}, texts.t("idle.body"))]),
      !onTv && el(
        "a",
        { class: left ? "button" : "button button-go", href: "/start", "data-testid": "idle-start" },
        icon(left ? "add" : "arrow"),
        el("span", {}, texts.t(left ? "idle.another" : "idle.start")),
      ),
      phones.node,
    ];
  }
}
