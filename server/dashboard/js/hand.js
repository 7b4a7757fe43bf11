// A hand of a snapshot: which of its tricks count, and whether anything is still to be played.

/** The trick that still lies on the table in the form of a gathered one; null without a card in it. */
export function openTrick({ phase, trick }) {
  if (!trick?.plays.length) return null;
  const full = phase === "trick_full";
  return { ...trick, winner: full ? (trick.winning?.seat ?? null) : null, why: full ? (trick.winning?.why ?? null) : null };
}

/** The tricks whose points are in the score: those gathered, and the one on the table once it is full. */
export function countedTricks(hand) {
  if (!hand) return [];
  return hand.phase === "trick_full" ? [...hand.tricks, openTrick(hand)] : hand.tricks;
}

/** Every play of the hand in order, with the number of its trick; those of tricks that nobody watched have no `id`. */
export function allPlays(hand) {
  return [...(hand?.tricks ?? []), ...(hand?.trick ? [hand.trick] : [])].flatMap(({ n, plays }) => plays.map((play) => ({ ...play, trick: n })));
}

/** Whether `card` lies face up under the stock. */
export function liesFaceUp({ hand }, card) {
  return Boolean(hand?.trump?.on_table && hand.trump.card === card);
}

/** Whether every card of the hand has been played: the last trick need not be gathered for that. */
export function handOver(hand) {
  return hand?.phase === "result" || Boolean(hand?.phase === "trick_full" && hand.result);
}
