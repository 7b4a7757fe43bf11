// The sheet for putting a card right: the likely ones first, then the whole pack, then "no card was played".

import { cardChip } from "./cards.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { seatName } from "./players.js";
import { suitIcon } from "./suits.js";

const SUITS = ["O", "C", "E", "B"];

/** The ranks of a pack by its name: 48 cards have the 8 and the 9. */
function ranks(deck) {
  return deck === "48" ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] : [1, 2, 3, 4, 5, 6, 7, 10, 11, 12];
}

export class CardPicker {
  #dialog;
  #press;

  /** `press(body, words)` sends what was chosen. */
  constructor(dialog, press) {
    this.#dialog = dialog;
    this.#press = press;
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }

  /** Asks for the right card of `play`, a play of a snapshot with its `id`. */
  open(play, snapshot, texts) {
    const name = seatName(snapshot, play.seat, texts);
    const likely = (play.candidates ?? []).map(([card]) => card).filter((card) => card !== play.card);
    const choose = (card) => {
      this.#dialog.close();
      this.#press({ type: "correct_card", play: play.id, card }, texts.card(card));
    };
    const remove = () => {
      this.#dialog.close();
      this.#press({ type: "remove_play", play: play.id }, texts.t("correct.remove"));
    };
    const button = (card, className) =>
      el(
        "button",
        {
          type: "button", class: className, "data-card": card, "aria-pressed": String(card === play.card),
          "aria-label": texts.card(card), onclick: () => choose(card),
        },
        cardChip(card, ""),
      );
    this.#dialog.replaceChildren(
      el(
        "div",
        { class: "sheet" },
        el(
          "div",
          { class: "sheet-head" },
          el("h2", { id: "picker-title" }, texts.t("correct.title", { name })),
          el(
            "button",
            { type: "button", class: "button", onclick: () => this.#dialog.close() },
            icon("close"),
            el("span", {}, texts.t("settings.close")),
          ),
        ),
        play.card && el("p", {}, texts.t("correct.now", { card: texts.card(play.card) })),
        likely.length > 0 && el("h3", {}, texts.t("correct.likely")),
        likely.length > 0 && el("div", { class: "picker-row" }, likely.map((card) => button(card, "picker-card"))),
        SUITS.map((suit) =>
          el(
            "section",
            { class: "picker-suit" },
            el("h3", {}, suitIcon(suit), el("span", {}, texts.suit(suit))),
            el("div", { class: "picker-row" }, ranks(snapshot.rules.deck).map((rank) => button(`${rank}${suit}`, "picker-card"))),
          ),
        ),
        el("button", { type: "button", class: "button", onclick: remove }, icon("close"), el("span", {}, texts.t("correct.remove"))),
      ),
    );
    this.#dialog.showModal();
  }
}
