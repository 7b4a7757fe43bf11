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
    const weight = (one) => (Number(Boolean(one.acknowledged)) + Number(Boolean(one.dismissed))) * ORDER.length + ORDER.indexOf(one.certainty);
    const list = [...snapshot.violations].sort((a, b) => weight(a) - weight(b));
    const standing = list.filter(stands);
    this.#panel.show([list, snapshot.seats, snapshot.hand?.n, texts.language], () => [
      el("h2", {}, texts.t("violations.title"), standing.length > 0 && el("span", { class: "count" }, standing.length)),
      list.length
        ? el("ul", { class: "violation-list" }, list.map((one) => violationCard(one, snapshot, texts, this.#press)))
        : el("p", { class: "nothing" }, icon("check"), texts.t("violations.none")),
    ]);
  }
}

/** Whether it counts as a fault: it is proven, and the table did not let it go. All others are only shown. */
function stands(violation) {
  return violation.certainty === "certain" && !violation.dismissed;
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
    { class: "violation", "data-certainty": certainty, "data-kind": violation.kind, "data-seen": Boolean(violation.acknowledged), "data-dismissed": Boolean(violation.dismissed) },
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
    violation.pictures?.length > 0 && pictures(violation, snapshot, texts),
    violation.acknowledged
      ? el("p", { class: "violation-seen" }, icon("check"), texts.t(violation.dismissed ? "violations.dismissed" : "violations.was_seen"))
      : el(
          "div",
          { class: "violation-buttons" },
          answer("confirm", "check", texts.t("violations.seen"), violation, texts, press),
          answer("dismiss", "close", texts.t("violations.dismiss"), violation, texts, press),
        ),
  );
}

/** A button that answers a violation; `press(body, words)` sends it. */
export function answer(type, iconName, words, violation, texts, press) {
  return el(
    "button",
    {
      type: "button", class: "button", "data-answer": type, "aria-label": `${words}: ${violationTitle(violation, texts)}`,
      onclick: () => press({ type, violation: violation.key }, words),
    },
    icon(iconName),
    el("span", {}, words),
  );
}

/** The moments that it rests on, as the camera saw them; a tap shows one in full. */
function pictures(violation, snapshot, texts) {
  return el(
    "div",
    { class: "proofs" },
    el("p", { class: "evidence-title" }, texts.t("violations.pictures")),
    el(
      "ul",
      { class: "proof-list" },
      violation.pictures.map((picture) => {
        const name = Number.isInteger(picture.seat) ? seatName(snapshot, picture.seat, texts) : null;
        const where = name ? texts.t("violations.who", { name, n: picture.trick }) : texts.t("trick.n", { n: picture.trick });
        const words = picture.card ? `${where}: ${texts.card(picture.card)}` : where;
        return el(
          "li",
          {},
          el("a", { href: picture.url, target: "_blank", rel: "noopener" }, el("img", { src: picture.url, alt: words, loading: "lazy", width: 320, height: 180 })),
          el("span", { "aria-hidden": "true" }, words),
        );
      }),
    ),
  );
}
