// Why something was not done, in the reader's language: the server names a reason and its values, we have the words.

import { seatName } from "./players.js";

const KNOWN = ["camera", "stream", "film", "bad_seats", "offline"];
const SAID_WHOLE = ["bad_seats", "offline"]; // nothing to add to our own words

/** The words for the reason of a refusal; null where this page has none. `snapshot` knows the names of the seats. */
export function reasonWords(error, texts, snapshot = null) {
  const key = `refused.${error.reason}`;
  if (!error.reason || !texts.has(key)) return null;
  const { values = {} } = error;
  const worded = { ...values };
  if (values.card) worded.card = texts.card(values.card);
  if (values.suit) worded.suit = texts.suit(values.suit);
  if (Number.isInteger(values.seat)) worded.seat = snapshot ? seatName(snapshot, values.seat, texts) : texts.t("seat.player", { n: values.seat + 1 });
  return texts.t(key, worded);
}

/** The words for any refusal. */
export function troubleWords(error, texts, snapshot = null) {
  return reasonWords(error, texts, snapshot) ?? texts.t(KNOWN.includes(error.code) ? `trouble.${error.code}` : "trouble.other");
}

/** The program's own sentence, where we have no words for the reason. */
export function troubleDetail(error, texts) {
  return SAID_WHOLE.includes(error.code) || reasonWords(error, texts) ? "" : error.message;
}
