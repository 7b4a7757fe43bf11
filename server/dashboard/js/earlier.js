// A hand that is over, of the game on the screens or of one of the history: what was noticed too late is put right there
// as in the hand on the table.

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
  #told;

  /** `told(n)` resolves to hand `n` with its scores and what is known of it; rejects with a Refusal where there is none. */
  constructor(sheet, picker, corrections, told = (n) => get(`/api/hands/${n}`)) {
    this.#told = told;
    this.#sheet = sheet;
    this.#picker = picker;
    this.#corrections = corrections;
  }

  /** Shows hand `n`; rejects where there is none. */
  async open(n, snapshot, texts) {
    const told = await this.#told(n);
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
          way("alcaide", "hand", texts.t("fix.alcaide"), () => this.#corrections.alcaide(then, texts), rules.alcaide),
          way("add", "add", texts.t("action.add"), () => this.#picker.add(then, texts), hand.tricks.length < rules.tricks),
          way("swap", "swap", texts.t("action.swap"), () => this.#corrections.swap(then, texts)),
        ),
        el(
          "ul",
          { class: "trick-rows", "data-testid": "earlier-tricks" },
          trickRows(then, texts, (play) => this.#picker.open(play, then, texts), (trick) => this.#corrections.winner(then, texts, trick), true),
        ),
      ],
      texts,
    );
  }
}
