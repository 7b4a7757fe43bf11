// The running list of tricks, newest first, with the exchanges of the trump card where they happened.

import { cardChip } from "./cards.js";
import { el, Panel } from "./dom.js";
import { countedTricks, openTrick } from "./hand.js";
import { icon } from "./icons.js";
import { seatName } from "./players.js";
import { trickWhy } from "./table.js";

export class TrickList {
  #panel;
  #correct;
  #winner;

  /** `correct(play, snapshot)` is called for a tap on a card, `winner(n, snapshot)` for one on who took trick `n`. */
  constructor(node, correct, winner) {
    this.#panel = new Panel(node);
    this.#correct = correct;
    this.#winner = winner;
  }

  render({ snapshot }, texts) {
    const tricks = countedTricks(snapshot.hand);
    const exchanges = snapshot.hand?.exchanges ?? [];
    const claim = snapshot.hand?.claim ?? null;
    this.#panel.show([tricks, exchanges, claim, snapshot.seats, texts.language], () => {
      const title = el("h2", {}, texts.t("tricks.title"));
      if (!tricks.length && !exchanges.length && !claim) return [title, el("p", { class: "nothing" }, texts.t("tricks.none"))];
      return [title, el("ul", { class: "trick-rows" }, trickRows(snapshot, texts, this.#correct, this.#winner))];
    });
  }
}

/** The tricks that count, the exchanges between them and who claimed the rest as rows, newest first; `open`: the one being played too. */
export function trickRows(snapshot, texts, correct, winner, open = false) {
  const { tricks, exchanges } = snapshot.hand;
  const shown = open ? [...tricks, openTrick(snapshot.hand)].filter(Boolean) : countedTricks(snapshot.hand);
  const rows = shown.map((trick) => ({ at: trick.n, row: trickRow(trick, snapshot, texts, correct, winner) }));
  for (const exchange of exchanges) {
    rows.push({ at: (exchange.after_trick ?? 0) + 0.5, row: exchangeRow(exchange, snapshot, texts) });
  }
  if (snapshot.hand.claim) rows.push({ at: Infinity, row: claimRow(snapshot, texts) });
  return rows.sort((a, b) => b.at - a.at).map(({ row }) => row);
}

function trickRow(trick, snapshot, texts, correct, winner) {
  const known = trick.winner !== null && trick.winner !== undefined;
  return el(
    "li",
    { class: "trick-row", "data-trick": trick.n, "data-winner": known ? trick.winner : "" },
    spoken("trick-number", String(trick.n), texts.t("trick.n", { n: trick.n })),
    el(
      "span",
      { class: "trick-body" },
      el("span", { class: "trick-cards", "data-seats": snapshot.seats.length }, trick.plays.map((play) => playChip(play, trick, snapshot, texts, correct))),
      el(
        "button",
        {
          type: "button", class: "trick-winner", "data-place": `${trick.n}/winner`, onclick: () => winner(trick.n, snapshot),
          title: known && trick.why ? trickWhy(trick, texts) : null,
        },
        known ? texts.t("tricks.winner", { name: seatName(snapshot, trick.winner, texts) }) : texts.t("tricks.no_winner"),
      ),
    ),
    known && trick.points !== null
      ? spoken("trick-points", `+${trick.points}`, texts.t("score.points", { n: trick.points }))
      : el("span", { class: "trick-points" }, known ? "" : "?"),
  );
}

function playChip(play, trick, snapshot, texts, correct) {
  const name = play.card ? texts.card(play.card) : texts.t("tricks.unseen");
  return el(
    "button",
    {
      type: "button", class: "trick-card", "data-winner": play.seat === trick.winner,
      "data-play": play.id, "data-place": `${trick.n}/${play.seat}`,
      "aria-label": `${seatName(snapshot, play.seat, texts)}. ${texts.t("correct.open", { card: name })}`,
      onclick: () => correct(play, snapshot),
    },
    cardChip(play.card, ""),
  );
}

/** Short for the eye, whole words for a screen reader. */
function spoken(className, shown, said) {
  return el(
    "span",
    { class: className },
    el("span", { "aria-hidden": "true" }, shown),
    el("span", { class: "visually-hidden" }, said),
  );
}

function exchangeRow(exchange, snapshot, texts) {
  const card = (text) => (text ? texts.card(text) : texts.t("exchange.unknown"));
  return el(
    "li",
    { class: "exchange-row" },
    icon("arrow"),
    el(
      "span",
      {},
      texts.t("exchange.line", {
        name: seatName(snapshot, exchange.seat, texts),
        given: card(exchange.given),
        taken: card(exchange.taken),
      }),
    ),
  );
}

/** Who took, by everybody's consent, what was not played, and what it brought. */
export function claimRow(snapshot, texts) {
  const { seat, points } = snapshot.hand.claim;
  const words = texts.t("claim.line", { name: seatName(snapshot, seat, texts), n: points });
  return el("li", { class: "exchange-row", "data-testid": "claim-row" }, icon("cup"), el("span", {}, words));
}
