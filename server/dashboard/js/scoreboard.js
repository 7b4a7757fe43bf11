// The big numbers, one tile per team or player, and the bar that shows how the 120 points are shared so far.

import { el, Panel } from "./dom.js";
import { icon, sideShape } from "./icons.js";
import { decidedWords } from "./known.js";
import { isPartial } from "./late.js";
import { sideName, tricksOf } from "./players.js";

const ALL_POINTS = 120;

export class Scoreboard {
  #tiles;
  #bar;
  #hands;
  #earlier;

  /** `earlier(n)` is called when somebody taps a hand that is over, to see it and put it right. */
  constructor(root, earlier) {
    this.#earlier = earlier;
    this.#tiles = new Panel(root.querySelector("[data-part=tiles]"));
    this.#bar = new Panel(root.querySelector("[data-part=bar]"));
    this.#hands = new Panel(root.querySelector("[data-part=hands]"));
  }

  render({ snapshot, link }, texts) {
    const { scores, hand } = snapshot;
    const turn = hand?.turn ?? null;
    const stale = link !== "live";
    const sides = scores.map((score, side) => ({
      name: sideName(snapshot, side, texts),
      names: score.seats.length,
      points: score.points,
      tricks: tricksOf(snapshot, side),
      turn: turn !== null && score.seats.includes(turn),
      alcaide: score.seats.includes(hand?.alcaide),
      decided: snapshot.known?.decided === side,
    }));
    this.#tiles.node.dataset.count = String(sides.length);
    const decided = decidedWords(snapshot, texts);
    this.#tiles.show([sides, stale, texts.language], () => sides.map((side, index) => tile(side, index, stale, decided, texts)));
    const partial = isPartial(hand);
    this.#bar.show([scores.map((score) => score.points), partial, texts.language], () => bar(scores, partial, texts));
    const done = snapshot.hands.filter((one) => one.n !== hand?.n); // the current one stands above in big
    this.#hands.node.hidden = done.length === 0;
    this.#hands.show([done, sides.map((side) => side.name), texts.language], () => handList(done, sides, texts, this.#earlier));
  }
}

function tile(side, index, stale, decided, texts) {
  return el(
    "div",
    { class: "tile", "data-side": index % 6, "data-names": side.names, "data-turn": side.turn, "data-stale": stale },
    el(
      "div",
      { class: "tile-body" },
      el("p", { class: "tile-name" }, sideShape(index), el("span", {}, side.name)),
      el(
        "p",
        { class: "tile-points" },
        el("span", { class: "tile-number", "data-testid": `score-${index}` }, side.points),
        stale && el("span", { class: "tile-stale" }, icon("warning"), el("span", {}, texts.t("score.stale"))),
      ),
      el(
        "p",
        { class: "tile-foot" },
        side.decided
          ? el("strong", { class: "tile-decided" }, icon("cup"), el("span", {}, decided))
          : el("span", {}, texts.t("score.tricks", { n: side.tricks })),
        side.alcaide && el("strong", { "data-testid": `alcaide-${index}` }, texts.t("score.alcaide")),
        el("strong", { class: "tile-turn" }, icon("arrow"), texts.t("score.turn")),
      ),
    ),
  );
}

function bar(scores, partial, texts) {
  const left = Math.max(0, ALL_POINTS - scores.reduce((sum, score) => sum + score.points, 0));
  const part = (points, side) => {
    const node = el("span", { class: "bar-part", "data-side": side });
    node.style.setProperty("--share", String(points / ALL_POINTS));
    return node;
  };
  // Two sides face each other with what is left between them; with more, what is left comes last.
  const parts = scores.map((score, side) => part(score.points, side % 6));
  parts.splice(scores.length === 2 ? 1 : scores.length, 0, part(left, "left"));
  return [
    el("div", { class: "bar-track", "aria-hidden": "true" }, parts),
    el("p", { class: "bar-text", "data-testid": "left" }, partial ? texts.t("late.partial") : left ? texts.t("score.left", { n: left }) : texts.t("score.left_none")),
  ];
}

function handList(done, sides, texts, earlier) {
  return [
    el("h3", {}, texts.t("score.hands")),
    el(
      "ol",
      { class: "hand-list" },
      done.map((hand) =>
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", class: "button hand-open", "data-testid": `open-hand-${hand.n}`, onclick: () => earlier(hand.n) },
            el(
              "span",
              {},
              texts.t("score.hand_line", {
                n: hand.n,
                points: sides.map((side, index) => `${side.name} ${hand.points?.[index] ?? "–"}`).join(", "),
              }),
            ),
            icon("pencil"),
          ),
        ),
      ),
    ),
  ];
}
