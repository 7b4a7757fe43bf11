// What the rules have to say, worded with care: a proof is called certain, a suspicion stays a suspicion.

import { cardChip } from "./cards.js";
import { el, Panel } from "./dom.js";
import { icon } from "./icons.js";
import { seatName } from "./players.js";

const ICONS = { certain: "warning", possible: "question", cleared: "check", unknowable: "eye" };
const ORDER = ["certain", "possible", "unknowable", "cleared"];

export class Violations {
  #panel;

  constructor(node) {
    this.#panel = new Panel(node);
  }

  render({ snapshot }, texts) {
    const list = [...snapshot.violations].sort((a, b) => ORDER.indexOf(a.certainty) - ORDER.indexOf(b.certainty));
    this.#panel.node.dataset.count = String(list.length);
    this.#panel.show([list, snapshot.seats, texts.language], () => [
      el("h2", {}, texts.t("violations.title"), list.length > 0 && el("span", { class: "count" }, list.length)),
      list.length
        ? el("ul", { class: "violation-list" }, list.map((one) => violationCard(one, snapshot, texts)))
        : el("p", { class: "nothing" }, icon("check"), texts.t("violations.none")),
    ]);
  }
}

/** "Played out of turn" in the reader's language; a general sentence for a kind this page does not know. */
export function violationTitle(violation, texts) {
  const key = `violation.${violation.kind}`;
  return texts.t(texts.has(key) ? key : "violation.other");
}

function certaintyWords({ certainty, p }, texts) {
  if (certainty === "possible" && typeof p === "number") {
    return texts.t("certainty.possible_p", { p: Math.round(p * 100) });
  }
  return texts.t(`certainty.${certainty}`);
}

function violationCard(violation, snapshot, texts) {
  const { certainty } = violation;
  const name = violation.seat === null || violation.seat === undefined ? null : seatName(snapshot, violation.seat, texts);
  const who =
    name && violation.trick ? texts.t("violations.who", { name, n: violation.trick })
    : name ?? (violation.trick ? texts.t("trick.n", { n: violation.trick }) : null);
  return el(
    "li",
    { class: "violation", "data-certainty": certainty, "data-kind": violation.kind },
    el("p", { class: "violation-certainty" }, icon(ICONS[certainty] ?? "question"), certaintyWords(violation, texts)),
    el("p", { class: "violation-title" }, violationTitle(violation, texts)),
    who && el("p", { class: "violation-who" }, who),
    el("p", { class: "violation-why" }, texts.t(`certainty.${certainty}.why`)),
    violation.evidence?.length > 0 &&
      el(
        "div",
        { class: "evidence" },
        el("span", { class: "evidence-title" }, texts.t("violations.evidence")),
        violation.evidence.map((card) => cardChip(card, texts.card(card))),
      ),
  );
}
