// What an attentive onlooker knows: the cards that are out by suit, who can no longer be caught, who deals next.

import { cardChip } from "./cards.js";
import { el, Panel } from "./dom.js";
import { icon } from "./icons.js";
import { sideName, seatName } from "./players.js";
import { SUITS } from "./pad.js";
import { suitIcon } from "./suits.js";

export class Known {
  #panel;

  constructor(node) {
    this.#panel = new Panel(node);
  }

  render({ snapshot }, texts) {
    const { hand, known, match, scores, seats } = snapshot;
    const some = SUITS.some((suit) => known.out[suit]?.length);
    this.#panel.show([known, hand?.missed, match.next_dealer, seats, scores.map((score) => score.name), texts.language], () => [
      el("h2", {}, texts.t("known.title")),
      decidedLine(snapshot, texts),
      some
        ? el("ul", { class: "known-suits" }, SUITS.map((suit) => suitLine(suit, known, hand?.missed > 0, texts)))
        : el("p", { class: "nothing" }, texts.t("known.none")),
      Number.isInteger(match.next_dealer) &&
        el("p", { class: "known-dealer", "data-testid": "next-dealer" }, texts.t("known.dealer", { name: seatName(snapshot, match.next_dealer, texts) })),
    ]);
  }
}

/** "Ya ha ganado Ana": the side that nobody can catch any more. */
export function decidedWords(snapshot, texts) {
  const side = snapshot.known?.decided ?? null;
  if (side === null) return null;
  const many = (snapshot.scores[side]?.seats.length ?? 1) > 1;
  return texts.t(many ? "known.decided_many" : "known.decided", { name: sideName(snapshot, side, texts) });
}

function decidedLine(snapshot, texts) {
  const words = decidedWords(snapshot, texts);
  return words && el("p", { class: "known-decided", "data-testid": "decided" }, icon("cup"), el("span", {}, words));
}

function suitLine(suit, known, partial, texts) {
  const left = known.unseen[suit]?.length ?? 0;
  return el(
    "li",
    { class: "known-suit", "data-suit": suit },
    el("span", { class: "known-name" }, suitIcon(suit), el("span", {}, texts.suit(suit))),
    el("span", { class: "known-cards" }, (known.out[suit] ?? []).map((card) => cardChip(card, texts.card(card)))),
    partial ? null : el("span", { class: "known-left" }, texts.t("known.left", { n: left })),
  );
}
