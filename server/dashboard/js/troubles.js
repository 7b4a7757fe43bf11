// What went wrong, in the reader's language where we know it.

const KNOWN = ["camera", "stream", "film", "bad_seats", "busy", "offline"];
const SAID_WHOLE = ["bad_seats", "busy", "offline"]; // nothing to add to our own words

export function troubleWords(error, texts) {
  return texts.t(KNOWN.includes(error.code) ? `trouble.${error.code}` : "trouble.other");
}

/** The program's own sentence, where it says more than our words. */
export function troubleDetail(error) {
  return SAID_WHOLE.includes(error.code) ? "" : error.message;
}
