// The end of a hand: who has won, and whether the points add up to the 120 of the pack.

import { el, Panel } from "./dom.js";
import { icon, sideShape } from "./icons.js";
import { seatName, sideName } from "./players.js";

const ALL_POINTS = 120;

export class Result {
  #panel;
  #press;

  constructor(node, press) {
    this.#panel = new Panel(node);
    this.#press = press;
  }

  render({ snapshot }, texts) {
    const result = snapshot.hand?.result ?? null;
    const node = this.#panel.node;
    node.hidden = result === null;
    if (result) node.dataset.status = result.status;
    this.#panel.show([result, snapshot.scores, snapshot.session.ended, texts.language], () => result && banner(snapshot, result, texts, this.#press));
  }
}

/** "Gana Ana", "Empate" ... for the banner and for the voice. */
export function resultTitle(snapshot, result, texts) {
  if (result.status !== "won") {
    const key = `result.${result.status}`;
    return texts.t(texts.has(key) ? key : "result.unfinished");
  }
  if (!result.winners?.length) return texts.t("result.title_lost", { name: seatName(snapshot, snapshot.hand.alcaide, texts) });
  const winners = result.winners.map((side) => ({
    name: sideName(snapshot, side, texts),
    players: snapshot.scores[side]?.seats.length ?? 1,
  }));
  const many = winners.length > 1 || winners.some((winner) => winner.players > 1);
  return texts.t(many ? "result.won_many" : "result.won", { name: texts.join(winners.map((winner) => winner.name)) });
}

function banner(snapshot, result, texts, press) {
  const points = result.points ?? snapshot.scores.map((score) => score.points);
  const total = points.reduce((sum, one) => sum + one, 0);
  const right = total === ALL_POINTS;
  const sum = points.join(" + ");
  return [
    el(
      "p",
      { class: "result-title" },
      icon("cup"),
      el("span", {}, resultTitle(snapshot, result, texts)),
    ),
    el(
      "ul",
      { class: "result-points" },
      points.map((one, side) =>
        el(
          "li",
          { "data-winner": (result.winners ?? []).includes(side) },
          sideShape(side),
          el("span", { class: "result-name" }, sideName(snapshot, side, texts)),
          el("strong", {}, one),
        ),
      ),
    ),
    result.status !== "unfinished" || right
      ? el(
          "p",
          { class: "result-check", "data-ok": right },
          icon(right ? "check" : "warning"),
          right ? texts.t("result.check_ok", { sum }) : texts.t("result.check_bad", { sum, total }),
        )
      : null,
    !snapshot.session.ended &&
      el(
        "button",
        { type: "button", class: "button result-next", onclick: () => press({ type: "next_hand" }, texts.t("action.next_hand")) },
        icon("arrow"),
        el("span", {}, texts.t("action.next_hand")),
      ),
  ];
}
