// An earlier hand of the game on the screens: what was noticed too late is put right there as in the hand on the table.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { scoreLine } from "./players.js";
import { get } from "./requests.js";
import { trickRows } from "./tricks.js";

/** The hand that a press is about, where it is not the one on the table. */
export function ofHand(snapshot) {
  return snapshot.earlier ? { hand: snapshot.earlier } : {};
}

export class EarlierHand {
  #sheet;
  #picker;
  #corrections;

  constructor(sheet, picker, corrections) {
    this.#sheet = sheet;
    this.#picker = picker;
    this.#corrections = corrections;
  }

  /** Shows hand `n`; rejects with a Refusal where the server has none. */
  async open(n, snapshot, texts) {
    const told = await get(`/api/hands/${n}`);
    const then = { ...snapshot, ...told, earlier: n };
    const { hand, rules } = then;
    const way = (name, iconName, words, go, wanted = true) =>
      wanted && el("button", { type: "button", class: "button", "data-testid": `earlier-${name}`, onclick: go }, icon(iconName), el("span", {}, words));
    this.#sheet.show(
      texts.t("hand.n", { n }),
      [
        el("p", { class: "earlier-score", "data-testid": "earlier-score" }, scoreLine(then, texts)),
        el("p", {}, texts.t("earlier.how")),
        el(
          "div",
          { class: "picker-buttons" },
          way("trump", "pencil", texts.t("fix.trump"), () => this.#corrections.trump(then, texts)),
          way("exchange", "swap", texts.t("fix.exchange"), () => this.#corrections.exchange(then, texts), rules.exchange),
          way("add", "add", texts.t("action.add"), () => this.#picker.add(then, texts), hand.tricks.length < rules.tricks),
        ),
        el(
          "ul",
          { class: "trick-rows", "data-testid": "earlier-tricks" },
          trickRows(then, texts, (play) => this.#picker.open(play, then, texts), (trick) => this.#corrections.winner(then, texts, trick)),
        ),
      ],
      texts,
    );
  }
}
