// The four suit symbols of the Spanish pack, drawn as plain shapes, and the sprite that cards refer to.

import { draw, svg } from "./dom.js";

const INK = "#2b2118";
const GOLD = "#f0b323";
const DARK_GOLD = "#8a5a00";
const RED = "#c62f2b";
const BLUE = "#2f6db5";
const STEEL = "#a9d3ef";
const GREEN = "#3f9142";
const DARK_GREEN = "#1d5426";
const CREAM = "#fff4d6";

/** Suit letter -> size of its symbol's box and its main colour on paper. */
export const SUITS = {
  O: { width: 100, height: 100, ink: "#9a6400" },
  C: { width: 100, height: 100, ink: "#b3261e" },
  E: { width: 34, height: 100, ink: "#1f5a9e" },
  B: { width: 36, height: 100, ink: "#22702d" },
};

function petals(count) {
  return Array.from({ length: count }, (_, i) => [
    "ellipse",
    { cx: 50, cy: 33, rx: 5.5, ry: 11, fill: i % 2 ? GOLD : CREAM, transform: `rotate(${(360 / count) * i} 50 50)` },
  ]);
}

const COIN = [
  ["circle", { cx: 50, cy: 50, r: 47, fill: GOLD, stroke: DARK_GOLD, "stroke-width": 4 }],
  ["circle", { cx: 50, cy: 50, r: 40.5, fill: "none", stroke: DARK_GOLD, "stroke-width": 3, "stroke-dasharray": "3 5.5" }],
  ["circle", { cx: 50, cy: 50, r: 33, fill: RED, stroke: DARK_GOLD, "stroke-width": 2.5 }],
  ...petals(8),
  ["circle", { cx: 50, cy: 50, r: 10, fill: GOLD, stroke: DARK_GOLD, "stroke-width": 2.5 }],
];

const CUP = [
  ["path", { d: "M30 95h40v-9H58l-4-14h-8l-4 14H30z", fill: GOLD, stroke: INK, "stroke-width": 3, "stroke-linejoin": "round" }],
  ["path", { d: "M14 26c0 31 15 49 36 49s36-18 36-49z", fill: RED, stroke: INK, "stroke-width": 3, "stroke-linejoin": "round" }],
  ["path", { d: "M18 42c1.6 7 4 13 7.4 18 15 6 34 6 49.2 0 3.4-5 5.8-11 7.4-18-19 7-45 7-64 0z", fill: GOLD }],
  ["path", { d: "M50 45l6 9-6 9-6-9z", fill: BLUE, stroke: INK, "stroke-width": 1.5 }],
  ["circle", { cx: 30, cy: 53, r: 4, fill: RED }],
  ["circle", { cx: 70, cy: 53, r: 4, fill: RED }],
  ["ellipse", { cx: 50, cy: 25, rx: 38, ry: 11, fill: GOLD, stroke: INK, "stroke-width": 3 }],
  ["ellipse", { cx: 50, cy: 25, rx: 29, ry: 6.5, fill: BLUE, stroke: INK, "stroke-width": 2 }],
  ["ellipse", { cx: 50, cy: 78, rx: 9, ry: 4.5, fill: BLUE, stroke: INK, "stroke-width": 2 }],
];

const SWORD = [
  ["path", { d: "M17 1l7 13v52H10V14z", fill: STEEL, stroke: BLUE, "stroke-width": 2.5, "stroke-linejoin": "round" }],
  ["path", { d: "M17 8v56", stroke: BLUE, "stroke-width": 2.5 }],
  ["path", { d: "M13.5 72h7v17h-7z", fill: RED, stroke: INK, "stroke-width": 2 }],
  ["path", { d: "M13.5 78l7-4M13.5 84l7-4M13.5 89l7-4", stroke: GOLD, "stroke-width": 2 }],
  ["path", { d: "M2 62c5 3 25 3 30 0v8c-5 4-25 4-30 0z", fill: GOLD, stroke: INK, "stroke-width": 2, "stroke-linejoin": "round" }],
  ["circle", { cx: 17, cy: 93, r: 5.5, fill: GOLD, stroke: INK, "stroke-width": 2 }],
];

const CLUB = [
  [
    "path",
    {
      d: "M13 97C11 76 3 56 4 31 4 12 10 3 18 3s14 9 14 28c1 25-7 45-9 66z",
      fill: GREEN, stroke: DARK_GREEN, "stroke-width": 2.5, "stroke-linejoin": "round",
    },
  ],
  ["path", { d: "M14 13c-4 18 0 44 4 62", fill: "none", stroke: "#b9dc62", "stroke-width": 4.5, "stroke-linecap": "round" }],
  ["path", { d: "M4 30l-3-7 7 2zM32 42l4-7-8 1zM7 56l-6-4 1 8zM29 62l6-1-4-6z", fill: DARK_GREEN }],
  ["ellipse", { cx: 24, cy: 24, rx: 4, ry: 5, fill: RED, stroke: DARK_GREEN, "stroke-width": 1.5 }],
  ["ellipse", { cx: 22, cy: 50, rx: 3.4, ry: 4.5, fill: RED, stroke: DARK_GREEN, "stroke-width": 1.5 }],
  ["ellipse", { cx: 18, cy: 96, rx: 5.4, ry: 2.8, fill: GOLD, stroke: DARK_GREEN, "stroke-width": 1.5 }],
];

const SHAPES = { O: COIN, C: CUP, E: SWORD, B: CLUB };

/** The hidden drawing that holds each suit once; put it into the document before any card. */
export function suitSymbols() {
  return Object.entries(SHAPES).map(([suit, shapes]) =>
    svg("symbol", { id: `suit-${suit}`, viewBox: `0 0 ${SUITS[suit].width} ${SUITS[suit].height}` }, ...draw(shapes)),
  );
}

/** One suit symbol inside a drawing: centred on (x, y), `height` high, turned by `turn` degrees. */
export function pip(suit, x, y, height, turn = 0) {
  const box = SUITS[suit];
  const width = (height * box.width) / box.height;
  return svg("use", {
    href: `#suit-${suit}`,
    x: x - width / 2, y: y - height / 2, width, height,
    transform: turn ? `rotate(${turn} ${x} ${y})` : null,
  });
}

/** A suit symbol as a picture of its own; hidden from screen readers, the text beside it says the name. */
export function suitIcon(suit, className = "suit-icon") {
  const box = SUITS[suit];
  return svg(
    "svg",
    { class: className, viewBox: `0 0 ${box.width} ${box.height}`, "aria-hidden": "true", focusable: "false" },
    svg("use", { href: `#suit-${suit}` }),
  );
}
