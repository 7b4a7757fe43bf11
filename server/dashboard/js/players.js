// Who is who in a snapshot: names of seats and sides, and the score in one line.

import { countedTricks } from "./hand.js";

/** Nobody was named: the program calls the seat by its side of the picture, in English. */
function unnamed({ name, side }) {
  return name.toLowerCase() === side;
}

/** The name of a seat as it is shown: its side in the reader's language, or a number, when nobody gave one. */
export function shownName(seat, texts) {
  if (unnamed(seat)) return texts.t(`compass.${seat.side}`);
  return seat.name || texts.t("seat.player", { n: seat.seat + 1 });
}

/** The name shown for a seat of a snapshot. */
export function seatName(snapshot, seat, texts) {
  const found = snapshot.seats.find((one) => one.seat === seat);
  return found ? shownName(found, texts) : texts.t("seat.player", { n: seat + 1 });
}

/** The place in `scores` (team, or player in singles) that a seat plays for; -1 if none. */
export function sideOf(snapshot, seat) {
  return snapshot.scores.findIndex((score) => score.seats.includes(seat));
}

/** The name of a side: the team's, or those of its players. */
export function sideName(snapshot, side, texts) {
  const score = snapshot.scores[side];
  if (!score) return "";
  if (snapshot.seats.some((seat) => score.seats.includes(seat.seat) && unnamed(seat))) {
    return score.seats.map((seat) => seatName(snapshot, seat, texts)).join(" + ");
  }
  return score.name || texts.join(score.seats.map((seat) => seatName(snapshot, seat, texts)));
}

/** "Ana 41, Luis 20" */
export function scoreLine(snapshot, texts) {
  return snapshot.scores.map((score, side) => `${sideName(snapshot, side, texts)} ${score.points}`).join(", ");
}

/** Tricks of the current hand won by a side. */
export function tricksOf(snapshot, side) {
  return countedTricks(snapshot.hand).filter((trick) => trick.winner !== null && sideOf(snapshot, trick.winner) === side).length;
}
