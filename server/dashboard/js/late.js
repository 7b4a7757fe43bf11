// The program came in upon a hand in progress: what was taken before is not known until somebody says it.

import { field } from "./choice.js";
import { el } from "./dom.js";
import { sideName } from "./players.js";

const ALL_POINTS = 120;

/** Whether points were taken in this hand that nobody has told. */
export function isPartial(hand) {
  return Boolean(hand?.missed) && hand.points_before === null;
}

/** The numbers to fill in, and "it has only just begun"; `press(press, words)` tells them. */
export class LateForm {
  #typed = {}; // what was typed outlives a new snapshot

  render(snapshot, press, texts) {
    const { hand, scores } = snapshot;
    const number = (name, value) => Math.min(ALL_POINTS, Number.parseInt(this.#typed[name] ?? String(value), 10) || 0);
    const ask = (name, words, value, most) =>
      field(`late-${name}`, words, this.#typed[name] ?? String(value), (text) => (this.#typed[name] = text), {
        type: "number", inputmode: "numeric", min: 0, max: most, "data-testid": `late-${name}`,
      });
    const tell = (event) => {
      event.preventDefault();
      const tricks = number("tricks", hand.missed);
      const points = scores.map((_, side) => number(`side-${side}`, 0));
      const said = { type: "late", points, ...(tricks === hand.missed ? {} : { tricks }) };
      press(said, texts.t("late.tell"));
    };
    const none = texts.t("late.none");
    return el(
      "form",
      { class: "late-form", novalidate: true, onsubmit: tell, "data-testid": "late" },
      ask("tricks", texts.t("late.tricks"), hand.missed, 99),
      scores.map((_, side) => ask(`side-${side}`, texts.t("late.points", { name: sideName(snapshot, side, texts) }), "", ALL_POINTS)),
      el(
        "div",
        { class: "notice-buttons" },
        el("button", { type: "submit", class: "button", "data-testid": "late-tell" }, texts.t("late.tell")),
        el("button", { type: "button", class: "button", "data-testid": "late-none", onclick: () => press({ type: "late", tricks: 0 }, none) }, none),
      ),
    );
  }
}
