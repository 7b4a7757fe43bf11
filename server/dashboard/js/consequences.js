// What else a press has moved: other cards, who took a trick, the points; told at the place where somebody pressed.

import { changeWords } from "./changes.js";
import { countedTricks } from "./hand.js";
import { scoreLine, seatName, sideName } from "./players.js";

const MOST = 4;
const CORRECTING = ["correct_card", "correct_seat", "swap_cards", "remove_play", "set_trump", "set_leader", "set_winner", "exchange", "remove_exchange"];

const STEPS = ["undo", "redo"];

/** The words by which a press that was taken down is confirmed: "Apuntado: 4 de copas", "Deshecho". */
export function confirmed(press, words, texts) {
  return STEPS.includes(press.type) ? texts.t(`action.${press.type}.done`) : texts.t("action.sent", { what: words });
}

/** Lines that say what followed from a correction that made `entries`, between two snapshots; a long tail is counted. */
export function consequences(press, before, after, entries, texts) {
  if (STEPS.includes(press.type)) return before?.hand && after?.hand ? short([...retold(after, entries, texts), ...points(before, after, texts)], texts) : [];
  const correcting = CORRECTING.includes(press.type) || (press.type === "add_play" && (press.before || press.hand));
  if (!correcting || !before?.hand || !after?.hand || before.session.id !== after.session.id) return [];
  return short([...cards(after, entries, texts), ...winners(press, before, after, texts), ...points(before, after, texts)], texts);
}

function short(lines, texts) {
  if (lines.length <= MOST + 1) return lines;
  return [...lines.slice(0, MOST), texts.t("moved.more", { n: lines.length - MOST })];
}

/** What a step back or forth has changed: only that says which one it was. */
function retold(after, entries, texts) {
  return after.changes.filter((one) => entries.includes(one.id)).map((one) => changeWords(one, after, texts));
}

/** Cards that the rules moved because of it; what the person said himself is no news to him. */
function cards(after, entries, texts) {
  return after.changes
    .filter((one) => entries.includes(one.id) && one.by === "rule" && one.what === "card_played" && one.before !== one.after)
    .map((one) => {
      const where = Number.isInteger(one.seat) && one.trick ? texts.t("violations.who", { name: seatName(after, one.seat, texts), n: one.trick }) : "";
      const card = (text) => texts.card(text);
      const what =
        one.before && one.after ? texts.t("moved.card", { before: card(one.before), after: card(one.after) })
        : one.after ? texts.t("moved.now", { card: card(one.after) })
        : one.change === "retracted" ? texts.t("changes.removed", { what: card(one.before) })
        : texts.t("moved.doubt", { card: card(one.before) });
      return where ? `${where}: ${what}` : what;
    });
}

function winners(press, before, after, texts) {
  if (before.hand.n !== after.hand.n) return [];
  const had = countedTricks(before.hand);
  return countedTricks(after.hand)
    .filter((trick) => Number.isInteger(trick.winner) && !(press.type === "set_winner" && press.trick === trick.n))
    .filter((trick) => had.some((one) => one.n === trick.n && one.winner !== null && one.winner !== trick.winner))
    .map((trick) => texts.t("fix.winner_done", { n: trick.n, name: seatName(after, trick.winner, texts) }));
}

function points(before, after, texts) {
  const lines = [];
  for (const hand of after.hands) {
    const was = before.hands.find((one) => one.n === hand.n);
    if (!was || hand.n === after.hand.n || String(was.points) === String(hand.points)) continue;
    const told = hand.points.map((one, side) => `${sideName(after, side, texts)} ${one}`).join(", ");
    lines.push(texts.t("score.hand_line", { n: hand.n, points: told }));
  }
  const line = scoreLine(after, texts);
  return before.hand.n === after.hand.n && line !== scoreLine(before, texts) ? [...lines, line] : lines;
}
