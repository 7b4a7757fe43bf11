// The last trick as a picture: its cards as they fell, one after the other, and why it went where it went.

import { cardFace } from "./cards.js";
import { el, Panel } from "./dom.js";
import { countedTricks, handOver } from "./hand.js";
import { icon } from "./icons.js";
import { seatName } from "./players.js";
import { trickWhy } from "./table.js";

export class LastTrick {
  #panel;

  constructor(node) {
    this.#panel = new Panel(node);
  }

  render({ snapshot }, texts) {
    // The full trick on the table is the last one only where no other follows it.
    const { hand } = snapshot;
    const trick = (handOver(hand) ? countedTricks(hand) : (hand?.tricks ?? [])).at(-1) ?? null;
    this.#panel.node.hidden = trick === null;
    this.#panel.show([trick, snapshot.seats, texts.language], () => trick && this.#picture(snapshot, trick, texts));
  }

  #picture(snapshot, trick, texts) {
    const known = trick.winner !== null && trick.winner !== undefined;
    const cards = el(
      "ol",
      { class: "last-cards", "data-many": trick.plays.length > 2, "data-count": trick.plays.length },
      trick.plays.map((play, index) => {
        const item = el(
          "li",
          { "data-winner": play.seat === trick.winner },
          cardFace(play.card, play.card ? texts.cardTitle(play.card) : texts.t("table.unknown")),
          el("span", { class: "last-name" }, play.seat === trick.winner && icon("check"), seatName(snapshot, play.seat, texts)),
        );
        item.style.setProperty("--turn", String(index));
        return item;
      }),
    );
    const again = () => {
      cards.classList.remove("replay");
      void cards.offsetWidth; // the browser has to notice that it is gone before it comes again
      cards.classList.add("replay");
    };
    return [
      el(
        "div",
        { class: "last-head" },
        el("h2", {}, texts.t("table.last")),
        el("button", { type: "button", class: "button last-again", "data-testid": "replay", onclick: again }, icon("redo"), el("span", {}, texts.t("last.replay"))),
      ),
      el(
        "p",
        { class: "last-line" },
        known
          ? texts.t("table.last_line", { name: seatName(snapshot, trick.winner, texts), points: texts.t("score.points", { n: trick.points }) })
          : texts.t("tricks.no_winner"),
      ),
      known && trick.why && el("p", { class: "last-why", "data-testid": "last-why", "data-why": trick.why }, trickWhy(trick, texts)),
      cards,
    ];
  }
}
