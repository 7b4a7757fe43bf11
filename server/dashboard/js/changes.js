// What was changed after it had been told: by whom, and why. The newest first.

import { el, Panel } from "./dom.js";
import { icon } from "./icons.js";
import { seatName } from "./players.js";

const ICONS = { vision: "camera", person: "hand", rule: "check" };

export class Changes {
  #panel;

  constructor(node) {
    this.#panel = new Panel(node);
  }

  render({ snapshot }, texts) {
    const list = snapshot.changes ?? [];
    this.#panel.show([list, snapshot.seats, texts.language], () => [
      el(
        "details",
        { class: "changes-details", open: this.#panel.node.querySelector("details")?.open ?? false },
        el("summary", {}, el("h2", {}, texts.t("changes.title")), el("span", { class: "count" }, list.length)),
        list.length
          ? el("ol", { class: "change-list" }, list.map((change) => changeLine(change, snapshot, texts, change.hand !== snapshot.hand?.n)))
          : el("p", { class: "nothing" }, texts.t("changes.none")),
      ),
    ]);
  }
}

/** One change as a line of a list; `named`: with the hand that it belongs to. */
export function changeLine(change, snapshot, texts, named) {
  const hand = named && change.hand ? texts.t("hand.n", { n: change.hand }) : null;
  const { name, where } = place(change, snapshot, texts);
  return el(
    "li",
    { class: "change-line", "data-by": change.by, "data-change": change.change, "data-why": change.why },
    icon(ICONS[change.by]),
    el(
      "div",
      {},
      el("p", { class: "change-what" }, what(change, name, texts)),
      el("p", { class: "change-why" }, [texts.t(`changes.by.${change.by}`), texts.t(`changes.why.${change.why}`), hand, where].filter(Boolean).join(" · ")),
    ),
  );
}

/** One change in one line: "Ana, baza 3: 4 de copas → 5 de copas". */
export function changeWords(change, snapshot, texts) {
  const { name, where } = place(change, snapshot, texts);
  return [where, what(change, name, texts)].filter(Boolean).join(": ");
}

function place(change, snapshot, texts) {
  const name = Number.isInteger(change.seat) ? seatName(snapshot, change.seat, texts) : null;
  const where =
    change.trick && name ? texts.t("violations.who", { name, n: change.trick }) : change.trick ? texts.t("trick.n", { n: change.trick }) : name;
  return { name, where };
}

function what(change, name, texts) {
  const thing = texts.t(`changes.what.${change.what}`);
  const card = (text) => (text?.length === 1 ? texts.t("trump.suit_only", { suit: texts.suit(text) }) : texts.card(text));
  if (change.change === "swapped") return texts.t("changes.swapped", { a: card(change.before), b: card(change.after) });
  if (change.what === "hand_ended" && change.change === "told" && name) return texts.t("fix.claim_done", { name });
  if (change.what !== "card_played" && change.what !== "trump_shown") {
    if (change.change === "retracted") return texts.t("changes.removed", { what: thing });
    return thing.charAt(0).toLocaleUpperCase(texts.language) + thing.slice(1);
  }
  if (change.change === "retracted") return texts.t("changes.removed", { what: card(change.before) });
  if (change.change === "inserted") return texts.t("changes.added", { what: card(change.after) });
  if (change.before !== change.after && change.change === "amended") {
    return texts.t("changes.card", { before: card(change.before), after: card(change.after) });
  }
  const words = card(change.after ?? change.before);
  const title = words.charAt(0).toLocaleUpperCase(texts.language) + words.slice(1);
  return change.change === "amended" && name ? `${title} · ${texts.t("fix.seat_done", { name })}` : title;
}
