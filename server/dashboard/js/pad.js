// The pad that names a card with two taps: its suit, then its rank. Likely cards can be tapped at once.

import { cardChip, parseCard } from "./cards.js";
import { el } from "./dom.js";
import { liesFaceUp } from "./hand.js";
import { suitIcon } from "./suits.js";

export const SUITS = ["O", "C", "E", "B"];
const MOST_POSSIBLE = 6;

/** The ranks of a pack by its name: 48 cards have the 8 and the 9. */
export function ranks(deck) {
  return deck === "48" ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] : [1, 2, 3, 4, 5, 6, 7, 10, 11, 12];
}

/** A button with a card on it. */
export function cardButton(card, label, onclick, { pressed = null, out = false } = {}) {
  return el(
    "button",
    {
      type: "button", class: "picker-card", "data-card": card, "data-out": out, "aria-label": label,
      "aria-pressed": pressed === null ? null : String(pressed), onclick,
    },
    cardChip(card, ""),
  );
}

/** Cards that a play may be although nobody read them there: not out yet, nearest to the card `like` first. */
export function possible(snapshot, like) {
  const near = parseCard(like);
  const all = SUITS.flatMap((suit) => snapshot.known?.unseen?.[suit] ?? []);
  if (!near) return all.slice(0, MOST_POSSIBLE);
  const far = (text) => {
    const card = parseCard(text);
    const step = Math.abs(card.rank - near.rank);
    if (card.suit === near.suit) return step; // neighbours of its suit and its likes in the others are mixed up most
    return step === 0 ? 0.5 : 4 + step;
  };
  return [...all].sort((a, b) => far(a) - far(b)).slice(0, MOST_POSSIBLE);
}

/** Suggestions, suits and ranks; `choose(card)` is called with the card that was tapped. */
export function cardPad({ snapshot, texts, choose, current = null, likely = [], suits = SUITS }) {
  // Once all cards are out, in a hand that is over, it says nothing of any of them.
  const some = SUITS.some((suit) => snapshot.known?.unseen?.[suit]?.length);
  const out = new Set(some ? SUITS.flatMap((suit) => snapshot.known.out?.[suit] ?? []) : []);
  const away = (card) => card !== current && (out.has(card) ? "fix.out" : liesFaceUp(snapshot, card) ? "fix.face_up" : null);
  const label = (card) => (away(card) ? texts.t(away(card), { card: texts.card(card) }) : texts.card(card));
  const button = (card) => cardButton(card, label(card), () => choose(card), { pressed: card === current, out: Boolean(away(card)) });
  const row = (title, cards) =>
    cards.length > 0 && el("section", {}, el("h3", {}, title), el("div", { class: "picker-row picker-guesses" }, cards.map(button)));
  const guesses = possible(snapshot, current ?? likely[0]).filter((card) => card !== current && !likely.includes(card) && suits.includes(card.at(-1)));
  const rankRow = el("div", { class: "picker-row picker-ranks", role: "group", "aria-label": texts.t("fix.rank") });
  const suitRow = el("div", { class: "picker-suits", role: "group", "aria-label": texts.t("fix.suit") });
  const showSuit = (suit) => {
    for (const one of suitRow.children) one.setAttribute("aria-pressed", String(one.dataset.suit === suit));
    rankRow.replaceChildren(...ranks(snapshot.rules.deck).map((rank) => button(`${rank}${suit}`)));
  };
  suitRow.append(
    ...suits.map((suit) =>
      el(
        "button",
        { type: "button", class: "button picker-suit", "data-suit": suit, onclick: () => showSuit(suit) },
        suitIcon(suit),
        el("span", {}, texts.suit(suit)),
      ),
    ),
  );
  showSuit(parseCard(current ?? likely[0])?.suit ?? suits[0]);
  return [row(texts.t("correct.likely"), likely), row(texts.t("fix.unseen"), guesses), suitRow, rankRow];
}
