// The match that the hands make: its format in words and how it stands, on the scoreboard and in the history.

import { el, Panel } from "./dom.js";
import { icon, sideShape } from "./icons.js";
import { sideName } from "./players.js";

/** The formats in which points count and not hands won. */
const BY_POINTS = ["fixed_hands_sum", "points_limit"];

/** Nothing to say of a single hand. */
function worthSaying(match) {
  return match.format !== "single";
}

/** Who has won the match, or that nobody has; null while it is open, and of a single hand. */
export function verdictWords(snapshot, texts) {
  const { match } = snapshot;
  if (!worthSaying(match)) return null;
  if (match.status === "won" && Number.isInteger(match.winner)) return texts.t("match.won", { name: sideName(snapshot, match.winner, texts) });
  return match.status === "tied_match" ? texts.t("match.tied") : null;
}

/** The nodes that tell a snapshot's match. */
export function matchWords(snapshot, texts) {
  const { match } = snapshot;
  const verdict = verdictWords(snapshot, texts);
  return [
    el("h2", {}, texts.t("match.title"), " ", el("small", {}, texts.t(`match.${match.format}`, { n: match.n ?? "" }))),
    el(
      "ul",
      { class: "match-sides" },
      snapshot.scores.map((score, side) => {
        const counted = BY_POINTS.includes(match.format)
          ? texts.t("score.points", { n: match.totals[side] ?? 0 })
          : texts.t("match.wins", { n: match.wins[side] ?? 0 });
        return el("li", { "data-side": side % 6, "data-winner": side === match.winner, "data-testid": `match-${side}` }, sideShape(side), el("span", {}, sideName(snapshot, side, texts)), el("strong", {}, counted));
      }),
    ),
    verdict && el("p", { class: "match-verdict" }, icon("cup"), el("span", {}, verdict)),
  ];
}

export class Match {
  #panel;

  constructor(node) {
    this.#panel = new Panel(node);
  }

  render({ snapshot }, texts) {
    this.#panel.node.hidden = !worthSaying(snapshot.match);
    this.#panel.node.dataset.decided = String(verdictWords(snapshot, texts) !== null);
    this.#panel.show([snapshot.match, snapshot.scores.map((score) => score.name), texts.language], () =>
      worthSaying(snapshot.match) ? matchWords(snapshot, texts) : [],
    );
  }
}
