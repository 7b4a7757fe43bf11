// Spanish cards as SVG: the face, the back, and the small chip used in lists.
// The frame has the gaps (pinta) of the real pack: none for oros, one for copas, two for espadas, three for bastos.

import { svg } from "./dom.js";
import { court, courtSymbols } from "./courts.js";
import { pip, SUITS, suitSymbols } from "./suits.js";

const WIDTH = 123; // half millimetres: 61.5 x 95 mm
const HEIGHT = 190;
const EDGE = 7.5;
const INK = "#2b2118";
const PLAIN = "'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif";
const GAPS = { O: 0, C: 1, E: 2, B: 3 };
const GAP = 9;
const MIDDLE = WIDTH / 2;

/** "12C" -> {rank: 12, suit: "C"}; null for anything that is not a card. */
export function parseCard(text) {
  const match = /^(1[0-2]|[1-9])([OCEB])$/.exec(text ?? "");
  return match ? { rank: Number(match[1]), suit: match[2] } : null;
}

/** Puts the shared symbols into the document, once. */
export function installSprite() {
  if (document.getElementById("sprite")) return;
  document.body.prepend(
    svg("svg", { id: "sprite", class: "sprite", "aria-hidden": "true", focusable: "false" }, suitSymbols(), courtSymbols(), numbers()),
  );
}

/** The numbers as symbols: on a card they are part of its picture, its name is said in words. */
function numbers() {
  const text = (id, rank, attributes) => svg("text", { id: `${id}-${rank}`, "font-weight": 700, ...attributes }, rank);
  const all = Array.from({ length: 12 }, (_, index) => index + 1);
  return svg(
    "defs",
    {},
    all.map((rank) => [
      text("index", rank, { "font-size": 29, "font-family": "Georgia, 'Times New Roman', serif", "letter-spacing": -1.5 }),
      text("number", rank, { "font-size": rank > 9 ? 28 : 32, "font-weight": 800, "font-family": PLAIN, "text-anchor": "middle" }),
    ]),
  );
}

function frame(suit) {
  const gaps = GAPS[suit];
  const left = EDGE;
  const right = WIDTH - EDGE;
  const part = (right - left - gaps * GAP) / (gaps + 1);
  let d = "";
  for (const y of [EDGE, HEIGHT - EDGE]) {
    for (let i = 0; i <= gaps; i += 1) d += `M${left + i * (part + GAP)} ${y}h${part}`;
  }
  d += `M${left} ${EDGE}V${HEIGHT - EDGE}M${right} ${EDGE}V${HEIGHT - EDGE}`;
  return svg("path", { d, fill: "none", stroke: INK, "stroke-width": 2.2, "stroke-linecap": "square" });
}

function index(rank, suit) {
  const number = (turn) =>
    svg("use", {
      href: `#index-${rank}`, x: 12.5, y: 35, fill: SUITS[suit].ink, stroke: "#fffaf0", "stroke-width": 5, "paint-order": "stroke",
      transform: turn ? `rotate(180 ${MIDDLE} ${HEIGHT / 2})` : null,
    });
  return [number(false), number(true)];
}

const TWO = [39, 84];
const ROUND = {
  1: [[MIDDLE, 95, 88]],
  2: [[MIDDLE, 58, 60], [MIDDLE, 132, 60]],
  3: [[MIDDLE, 47, 45], [MIDDLE, 95, 45], [MIDDLE, 143, 45]],
  4: grid(TWO, [62, 128], 44),
  5: [...grid(TWO, [57, 133], 40), [MIDDLE, 95, 40]],
  6: grid(TWO, [53, 95, 137], 36),
  7: [...grid([35, 88], [56, 97, 138], 34), [MIDDLE, 76.5, 34]],
  8: grid([40, 83], [50, 80, 110, 140], 28),
  9: grid([30, MIDDLE, 93], [55, 95, 135], 29),
};

function grid(columns, rows, height) {
  return rows.flatMap((y) => columns.map((x) => [x, y, height]));
}

// Long pips (swords and clubs) stand in two rows, points to the middle; the odd one lies across.
function rows(columns, height, across) {
  const top = across ? 57 : 63;
  const standing = columns.flatMap((x) => [[x, top, height, 180], [x, HEIGHT - top, height, 0]]);
  return across ? [...standing, [MIDDLE, 95, across, 90]] : standing;
}

const LONG = {
  1: [[MIDDLE, 95, 128]],
  2: [[44, 95, 108, 180], [79, 95, 108, 0]],
  3: [[32, 95, 90, 0], [MIDDLE, 95, 90, 180], [91, 95, 90, 0]],
  4: rows([43, 80], 56),
  5: rows([43, 80], 47, 62),
  6: rows([35, MIDDLE, 88], 56),
  7: rows([35, MIDDLE, 88], 47, 62),
  8: rows([29, 51, 72, 94], 54),
  9: rows([29, 51, 72, 94], 47, 62),
};

function inside({ rank, suit }) {
  if (rank >= 10) {
    const round = suit === "O" || suit === "C";
    return [court(rank, suit, 25, 25, 86, 129), pip(suit, 30, round ? 58 : 66, round ? 30 : 50)];
  }
  const places = suit === "O" || suit === "C" ? ROUND[rank] : LONG[rank];
  return places.map(([x, y, height, turn]) => pip(suit, x, y, height, turn));
}

function picture(className, label, children, box = [WIDTH, HEIGHT]) {
  return svg(
    "svg",
    {
      class: className, viewBox: `0 0 ${box[0]} ${box[1]}`, focusable: "false",
      ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }), // the button around it has the name
    },
    children,
  );
}

function paper(fill) {
  return svg("rect", { x: 0.75, y: 0.75, width: WIDTH - 1.5, height: HEIGHT - 1.5, rx: 9, fill, stroke: "#b9a98c", "stroke-width": 1.5 });
}

/** A card face; `card` is its text ("12C"), `label` its name in the reader's language. */
export function cardFace(card, label) {
  const parsed = parseCard(card);
  if (!parsed) return cardBack(label);
  const { rank, suit } = parsed;
  return picture("card", label, [paper("#fffaf0"), frame(suit), inside(parsed), index(rank, suit)]);
}

/** A card that is not known: the lattice back with a question mark. */
export function cardBack(label, mark = "?") {
  const lattice = [];
  for (let i = -190; i < 123; i += 12) {
    lattice.push(svg("path", { d: `M${i} 190L${i + 190} 0M${i} 0L${i + 190} 190`, stroke: "#e7d3a1", "stroke-width": 1.4, opacity: 0.55 }));
  }
  const inner = svg("svg", { x: 9, y: 9, width: WIDTH - 18, height: HEIGHT - 18, viewBox: `9 9 ${WIDTH - 18} ${HEIGHT - 18}` }, lattice);
  return picture("card card-back", label, [
    paper("#fffaf0"),
    svg("rect", { x: 8, y: 8, width: WIDTH - 16, height: HEIGHT - 16, rx: 4, fill: "#7b2436" }),
    inner,
    mark && svg("circle", { cx: MIDDLE, cy: 95, r: 33, fill: "#fffaf0" }),
    mark && svg("text", { x: MIDDLE, y: 113, "text-anchor": "middle", "font-size": 52, "font-weight": 800, "font-family": PLAIN, fill: "#7b2436" }, mark),
  ]);
}

/** The small form for lists: number and suit side by side, readable at 2 cm from a phone and across a room. */
export function cardChip(card, label) {
  const parsed = parseCard(card);
  const border = { x: 1, y: 1, width: 78, height: 46, rx: 8, fill: "#fffaf0", stroke: "#b9a98c", "stroke-width": 1.5 };
  const unknown = { x: 40, y: 35, "text-anchor": "middle", "font-size": 32, "font-weight": 800, "font-family": PLAIN, fill: "#7b2436" };
  if (!parsed) return picture("chip", label, [svg("rect", border), svg("text", unknown, "?")], [80, 48]);
  return picture(
    "chip",
    label,
    [svg("rect", border), svg("use", { href: `#number-${parsed.rank}`, x: 23, y: 35, fill: SUITS[parsed.suit].ink }), pip(parsed.suit, 59, 24, 33)],
    [80, 48],
  );
}
