// The buttons for what a camera cannot see, and the short note that says whether it was taken down.

import { el, Panel, setText } from "./dom.js";
import { icon, sideShape } from "./icons.js";
import { seatName, sideOf } from "./players.js";

const NOTE_MS = 5000;

export class Actions {
  #panel;
  #press;

  constructor(node, press) {
    this.#panel = new Panel(node);
    this.#press = press;
  }

  render({ snapshot }, texts) {
    const { rules, seats } = snapshot;
    this.#panel.show([rules.arrastre, seats, snapshot.scores.map((score) => score.seats), texts.language], () => [
      el("h2", { class: "visually-hidden" }, texts.t("action.title")),
      rules.arrastre && el("div", { class: "arrastre-buttons", "data-count": seats.length }, seats.map((seat) => this.#arrastre(snapshot, seat.seat, texts))),
      el(
        "button",
        {
          type: "button", class: "button button-undo", "data-testid": "undo",
          onclick: () => this.#press({ type: "undo" }, texts.t("action.undo")),
        },
        icon("undo"),
        el("span", {}, texts.t("action.undo")),
      ),
    ]);
  }

  #arrastre(snapshot, seat, texts) {
    const name = seatName(snapshot, seat, texts);
    const said = texts.t("action.arrastre_of", { name });
    return el(
      "button",
      {
        type: "button", class: "button button-arrastre", "data-testid": `arrastre-${seat}`,
        onclick: () => this.#press({ type: "arrastre_called", seat }, said),
      },
      el("span", { class: "arrastre-word" }, texts.t("action.arrastre")),
      el("span", { class: "arrastre-name" }, sideShape(Math.max(0, sideOf(snapshot, seat))), el("span", {}, name)),
    );
  }
}

/** The short note at the lower edge; the newest replaces the one before. */
export class Toast {
  #node;
  #timer = 0;

  constructor(node) {
    this.#node = node;
  }

  show(text, bad = false) {
    clearTimeout(this.#timer);
    this.#node.dataset.bad = String(bad);
    this.#node.hidden = false;
    setText(this.#node, text);
    this.#timer = setTimeout(() => {
      this.#node.hidden = true;
    }, NOTE_MS);
  }
}

/** Why a press was not taken down, in the reader's language where we know the code. */
export function refusal(error, texts) {
  if (error.code === "offline") return texts.t("action.retry");
  return error.message || texts.t("action.too_late");
}
