// What the rules have to say, worded with care: a proof is called certain, a suspicion stays a suspicion.

import { cardChip } from "./cards.js";
import { el, Panel } from "./dom.js";
import { icon } from "./icons.js";
import { seatName } from "./players.js";

const ICONS = { certain: "warning", possible: "question", cleared: "check", unknowable: "eye" };
const ORDER = ["certain", "possible", "unknowable", "cleared"];

export class Violations {
  #panel;
  #press;

  /** `press(body, words)` sends that somebody has seen a violation. */
  constructor(node, press) {
    this.#panel = new Panel(node);
    this.#press = press;
  }

  render({ snapshot }, texts) {
    const weight = (one) => Number(Boolean(one.acknowledged)) * ORDER.length + ORDER.indexOf(one.certainty);
    const list = [...snapshot.violations].sort((a, b) => weight(a) - weight(b));
    this.#panel.node.dataset.count = String(list.length);
    this.#panel.show([list, snapshot.seats, snapshot.hand?.n, texts.language], () => [
      el("h2", {}, texts.t("violations.title"), list.length > 0 && el("span", { class: "count" }, list.length)),
      list.length
        ? el("ul", { class: "violation-list" }, list.map((one) => violationCard(one, snapshot, texts, this.#press)))
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

function violationCard(violation, snapshot, texts, press) {
  const { certainty } = violation;
  const name = violation.seat === null || violation.seat === undefined ? null : seatName(snapshot, violation.seat, texts);
  const who =
    name && violation.trick ? texts.t("violations.who", { name, n: violation.trick })
    : name ?? (violation.trick ? texts.t("trick.n", { n: violation.trick }) : null);
  const earlier = violation.hand && violation.hand !== snapshot.hand?.n ? texts.t("hand.n", { n: violation.hand }) : null;
  return el(
    "li",
    { class: "violation", "data-certainty": certainty, "data-kind": violation.kind, "data-seen": Boolean(violation.acknowledged) },
    el("p", { class: "violation-certainty" }, icon(ICONS[certainty] ?? "question"), certaintyWords(violation, texts)),
    el("p", { class: "violation-title" }, violationTitle(violation, texts)),
    (who || earlier) && el("p", { class: "violation-who" }, [earlier, who].filter(Boolean).join(" · ")),
    el("p", { class: "violation-why" }, texts.t(`certainty.${certainty}.why`)),
    violation.evidence?.length > 0 &&
      el(
        "div",
        { class: "evidence" },
        el("span", { class: "evidence-title" }, texts.t("violations.evidence")),
        violation.evidence.map((card) => cardChip(card, texts.card(card))),
      ),
    violation.acknowledged
      ? el("p", { class: "violation-seen" }, icon("check"), texts.t("violations.was_seen"))
      : el(
          "button",
          {
            type: "button", class: "button", "aria-label": `${texts.t("violations.seen")}: ${violationTitle(violation, texts)}`,
            onclick: () => press({ type: "confirm", violation: violation.key }, texts.t("violations.seen")),
          },
          icon("check"),
          el("span", {}, texts.t("violations.seen")),
        ),
  );
}
