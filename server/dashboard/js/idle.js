// What the scoreboard shows while no game is being played: the way to the start page, and the way in for phones.

import { el, Panel } from "./dom.js";
import { icon } from "./icons.js";
import { Phones } from "./pages.js";

export class Idle {
  #panel;

  constructor(node) {
    this.#panel = new Panel(node);
  }

  render({ snapshot }, texts) {
    const idle = Boolean(snapshot.session.idle);
    const root = document.documentElement;
    root.dataset.idle = String(idle);
    // Hidden as such, not by a rule: every view lays out the scoreboard in its own way, and none may bring it back.
    document.querySelector("main").hidden = idle;
    this.#panel.node.hidden = !idle || root.dataset.view === "overlay"; // over a film there is nothing to invite to
    this.#panel.show([idle, texts.language], () => {
      if (!idle) return [];
      const phones = new Phones(el("div"));
      phones.ask();
      phones.render(texts);
      return [
        el("h2", {}, texts.t("idle.title")),
        el("p", {}, texts.t("idle.body")),
        el("a", { class: "button button-go", href: "/start", "data-testid": "idle-start" }, icon("arrow"), el("span", {}, texts.t("idle.start"))),
        phones.node,
      ];
    });
  }
}
