// The table: whose turn it is, the trick that lies there, who is winning it and why, the trump card, the stock.

import { keptByHand } from "./camera.js";
import { cardBack, cardFace, parseCard } from "./cards.js";
import { el, Panel } from "./dom.js";
import { handOver } from "./hand.js";
import { icon, sideShape } from "./icons.js";
import { seatName, sideOf } from "./players.js";
import { suitIcon } from "./suits.js";

const RING = ["south", "east", "north", "west"];

export class Table {
  #turn;
  #trick;
  #trump;
  #stock;
  #seen = new Set();
  #correct;
  #setTrump;

  /** `correct(play, snapshot)` is called when somebody taps a card to put it right, `setTrump()` to say the trump. */
  constructor(root, correct, setTrump) {
    this.#correct = correct;
    this.#setTrump = setTrump;
    const part = (name) => new Panel(root.querySelector(`[data-part=${name}]`));
    this.#turn = part("turn");
    this.#trick = part("trick");
    this.#trump = part("trump");
    this.#stock = part("stock");
  }

  render({ snapshot, status }, texts) {
    const { hand, seats } = snapshot;
    const turn = hand?.turn ?? null;
    const trick = hand?.trick;
    const { ended } = snapshot.session;
    const byHand = keptByHand({ snapshot, status });
    const trumpFirst = byHand && !ended && hand?.phase === "setup" && !hand.trump;
    const over = handOver(hand);
    this.#turn.show([hand?.turn, hand?.leader, hand?.next_leader, hand?.phase, trick, seats, trumpFirst, byHand, over, ended, texts.language], () =>
      trumpFirst ? this.#askTrump(texts) : turnLine(snapshot, byHand, texts),
    );
    this.#trick.node.dataset.layout = layout(seats);
    const plays = hand?.trick?.plays ?? [];
    this.#trick.show([hand?.n, hand?.trick, turn, seats, texts.language], () => this.#slots(snapshot, plays, turn, texts));
    this.#trump.show([hand?.trump, texts.language], () => trumpCard(hand?.trump, texts));
    const stock = hand?.phase === "setup" ? null : hand?.stock; // nothing is dealt yet: the stock is not empty
    this.#stock.show([stock, texts.language], () => stockPile(stock, texts));
  }

  /** Where the turn stands otherwise: by hand, a hand begins with its trump. */
  #askTrump(texts) {
    return [
      el("p", { class: "turn-main", "data-testid": "turn" }, texts.t("turn.trump_first")),
      el(
        "button",
        { type: "button", class: "button turn-trump", "data-testid": "set-trump", onclick: this.#setTrump },
        icon("add"),
        el("span", {}, texts.t("turn.set_trump")),
      ),
    ];
  }

  #slots(snapshot, plays, turn, texts) {
    const trick = `${snapshot.session.id}/${snapshot.hand?.n}/${snapshot.hand?.trick?.n}`;
    const winning = snapshot.hand?.trick?.winning ?? null;
    const slots = snapshot.seats.map((seat) => {
      // Two cards of one seat are a fault that the table must show, so every card of a seat gets its place.
      const own = plays.filter((play) => play.seat === seat.seat);
      const first = plays[0]?.seat === seat.seat;
      return el(
        "li",
        { class: "slot", "data-side": seat.side, "data-seat": seat.seat, "data-turn": turn === seat.seat, "data-winning": plays.length > 1 && winning?.seat === seat.seat },
        el(
          "span",
          { class: "slot-name" },
          sideShape(Math.max(0, sideOf(snapshot, seat.seat))),
          el("span", {}, seatName(snapshot, seat.seat, texts)),
          first && el("span", { class: "slot-lead" }, "1"),
        ),
        own.length
          ? own.map((play) => this.#played(`${trick}/${seat.seat}/${play.card}`, play, snapshot, texts))
          : el("span", { class: "slot-empty" }, el("span", { class: "visually-hidden" }, texts.t("table.waiting"))),
      );
    });
    return slots;
  }

  #played(key, play, snapshot, texts) {
    const fresh = !this.#seen.has(key);
    this.#seen.add(key);
    const unknown = play.card === null || play.card === undefined;
    const doubtful = unknown || play.doubtful;
    const candidates = (play.candidates ?? []).map(([card]) => card).filter((card) => card !== play.card);
    const name = unknown ? texts.t("table.unknown") : texts.cardTitle(play.card);
    const correct = texts.t("correct.open", { card: name });
    return el(
      "button",
      {
        type: "button", class: "played", "aria-label": doubtful && !unknown ? `${texts.t("table.doubtful")}. ${correct}` : correct,
        onclick: () => this.#correct(play, snapshot), "data-fresh": fresh, "data-doubtful": doubtful, "data-card": play.card ?? "",
        "data-play": play.id, "data-place": `${snapshot.hand.trick.n}/${play.seat}`,
      },
      cardFace(play.card, name),
      doubtful && el("span", { class: "played-mark" }, icon("question")),
      doubtful && el("span", { class: "played-doubt" }, unknown ? name : texts.t("table.doubtful")),
      doubtful &&
        candidates.length > 0 &&
        el(
          "span",
          { class: "played-candidates" },
          texts.t("table.candidates", { cards: candidates.slice(0, 3).map((card) => texts.card(card)).join(" / ") }),
        ),
    );
  }
}

/** How the seats are laid: side by side for two, around the table for three and four, in rows for six. */
function layout(seats) {
  if (seats.length === 2) return "pair";
  return seats.every((seat) => RING.includes(seat.side)) ? "ring" : "rows";
}

/** The key of the words for how far the game is. A trick kept by hand need not be gathered: the next card follows. */
export function phaseWords(snapshot, byHand, texts) {
  const { hand, session } = snapshot;
  if (session.ended) return "phase.ended";
  if (handOver(hand)) return "phase.result";
  if (byHand && hand?.phase === "trick_full") return "phase.trick_full_by_hand";
  const key = `phase.${hand?.phase}`;
  return texts.has(key) ? key : "phase.none";
}

function turnLine(snapshot, byHand, texts) {
  const { hand, session } = snapshot;
  const full = hand?.phase === "trick_full";
  const turn = hand?.turn ?? (full ? null : hand?.next_leader) ?? null;
  const over = session.ended || handOver(hand);
  const leader = over ? null : full ? hand.next_leader : hand?.leader ?? null;
  return [
    el(
      "p",
      { class: "turn-main", "data-testid": "turn", "data-seat": turn },
      over || full ? texts.t(phaseWords(snapshot, byHand, texts)) : turn === null ? texts.t(hand?.phase === "trump_shown" ? "turn.first_leads" : "turn.none") : texts.t("turn.seat", { name: seatName(snapshot, turn, texts) }),
    ),
    leader !== null && leader !== undefined &&
      el("p", { class: "turn-leader" }, texts.t(full ? "turn.next_leader" : "turn.leader", { name: seatName(snapshot, leader, texts) })),
    winningLine(snapshot, texts),
  ];
}

function winningLine(snapshot, texts) {
  const { hand } = snapshot;
  const winning = hand?.trick?.winning ?? null;
  if (!winning) return null;
  const play = hand.trick.plays.find((one) => one.id === winning.play);
  const why = whyWords(winning.why, play?.card, texts);
  const name = seatName(snapshot, winning.seat, texts);
  return el(
    "p",
    { class: "turn-winning", "data-testid": "winning", "data-seat": winning.seat, "data-why": winning.why },
    texts.t(hand.phase === "trick_full" ? "win.taken" : "win.line", { name, why }),
  );
}

/** "Tres de copas: triunfo más alto". */
export function whyWords(why, card, texts) {
  const suit = parseCard(card)?.suit;
  return texts.t(`why.${why}`, { card: texts.cardTitle(card), suit: suit ? texts.suit(suit) : "" });
}

/** Why a gathered trick went where it went. */
export function trickWhy(trick, texts) {
  return whyWords(trick.why, trick.plays.find((play) => play.seat === trick.winner)?.card, texts);
}

function trumpCard(trump, texts) {
  const suit = trump?.suit ?? null;
  const card = trump?.card ?? null;
  const taken = Boolean(trump) && card !== null && trump.on_table === false;
  const name = card ? texts.cardTitle(card) : suit ? texts.t("trump.suit_only", { suit: texts.suit(suit) }) : texts.t("trump.none");
  return [
    el(
      "div",
      { class: "trump-card", "data-taken": taken },
      card ? cardFace(card, name) : suit ? el("span", { class: "trump-suit" }, suitIcon(suit)) : cardBack(name),
    ),
    el(
      "div",
      { class: "trump-text" },
      el("h3", {}, texts.t("trump.title")),
      el("p", { class: "trump-name", "data-testid": "trump", "data-card": card, "data-suit": suit }, name),
      taken && el("p", { class: "trump-note" }, texts.t("trump.taken")),
    ),
  ];
}

function stockPile(stock, texts) {
  const left = stock ?? 0;
  const known = stock !== null && stock !== undefined;
  // As many backs as make the pile look right: it shrinks as the hand goes on.
  const backs = Array.from({ length: Math.min(4, Math.ceil(left / 8)) }, () => cardBack("", ""));
  for (const back of backs) back.setAttribute("aria-hidden", "true");
  return [
    el("div", { class: "stock-pile", "data-empty": known && left === 0 }, backs),
    el(
      "div",
      { class: "stock-text" },
      el("h3", {}, texts.t("stock.title")),
      el(
        "p",
        { class: "stock-count" },
        el("span", { class: "stock-number", "data-testid": "stock" }, known ? left : "–"),
        el("span", { class: "stock-unit" }, known ? texts.t("stock.cards", { n: left }) : ""),
      ),
      known && left === 0 && el("p", { class: "trump-note" }, texts.t("stock.empty")),
    ),
  ];
}
