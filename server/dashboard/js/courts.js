// Sota, caballo and rey as simple standing figures. The cloth takes the suit's colour (currentColor).

import { draw, svg } from "./dom.js";

const INK = "#2b2118";
const SKIN = "#f3cfa6";
const HAIR = "#6b3f1d";
const GOLD = "#f0b323";
const WHITE = "#fffaf0";
const GROUND = "#b9cf86";
const HORSE = "#a9703f";
const MANE = "#5a3417";

/** Suit -> [main cloth, second cloth]. */
export const CLOTH = { O: ["#c2452d", "#e9b949"], C: ["#b3261e", "#3d8b4f"], E: ["#2a67ac", "#c2452d"], B: ["#2f7d3b", "#d9a321"] };

const line = { stroke: INK, "stroke-width": 1.8, "stroke-linejoin": "round", "stroke-linecap": "round" };
const cloth = { fill: "currentColor", ...line };
const second = { fill: "var(--second)", ...line };
const limb = (d, stroke, width) => [
  ["path", { d, fill: "none", stroke: INK, "stroke-width": width + 3.2, "stroke-linecap": "round", "stroke-linejoin": "round" }],
  ["path", { d, fill: "none", stroke, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" }],
];
const face = (x, y) => [
  ["circle", { cx: x, cy: y, r: 9.5, fill: SKIN, ...line }],
  ["circle", { cx: x - 4.2, cy: y - 0.5, r: 1.1, fill: INK }],
  ["circle", { cx: x + 2.6, cy: y - 0.5, r: 1.1, fill: INK }],
  ["path", { d: `M${x - 3} ${y + 4.8}q2.2 1.6 4.4 0`, fill: "none", ...line, "stroke-width": 1.3 }],
];
const feather = (x, y) => ["path", { d: `M${x} ${y}c4-10 14-13 21-9-3 8-12 12-21 9z`, ...second }];

const SOTA = [
  ["ellipse", { cx: 54, cy: 145, rx: 34, ry: 4.5, fill: GROUND }],
  ...limb("M47 98l-3 42h-5", "var(--second)", 8),
  ...limb("M62 98l4 42h5", "currentColor", 8),
  ["path", { d: "M35 82h38c6 8 6 16 3 20-8 4-15 2-22-2-7 4-14 6-22 2-3-4-3-12 3-20z", ...second }],
  ["path", { d: "M54 83v17M44 83l-3 18M64 83l3 18", fill: "none", ...line }],
  ["path", { d: "M40 46h28l6 37H34z", ...cloth }],
  ["path", { d: "M54 46v36", fill: "none", stroke: GOLD, "stroke-width": 4 }],
  ["path", { d: "M33 80h42v6H33z", fill: GOLD, ...line }],
  ...limb("M70 54l10 14-9 12", "currentColor", 8),
  ...limb("M39 54L25 66l-6-13", "currentColor", 8),
  ["circle", { cx: 18, cy: 48, r: 4.5, fill: SKIN, ...line }],
  ["ellipse", { cx: 39, cy: 54, rx: 7.5, ry: 8.5, ...second }],
  ["ellipse", { cx: 70, cy: 54, rx: 7.5, ry: 8.5, ...second }],
  ["path", { d: "M43 26c-3 8-3 16 1 22h21c4-6 4-14 1-22z", fill: HAIR, ...line }],
  ["path", { d: "M46 44q8 6 16 0l2 6H44z", fill: WHITE, ...line }],
  ...face(54, 33),
  ["path", { d: "M38 25c2-14 28-17 34-3 1 4-3 6-6 5-8-4-16-4-24 0-3 1-5 0-4-2z", ...cloth }],
  feather(62, 15),
];

const CABALLO = [
  ["ellipse", { cx: 52, cy: 145, rx: 42, ry: 4.5, fill: GROUND }],
  ["path", { d: "M80 92c15 1 15 26 8 40-5-9-9-20-12-28z", fill: MANE, ...line }],
  ...limb("M70 106l8 14-5 21", "#8d5a30", 6.5),
  ...limb("M38 108l-1 16-3 17", "#8d5a30", 6.5),
  ...limb("M64 108l2 15-5 18", HORSE, 6.5),
  ...limb("M33 106l-12 9 5 13", HORSE, 6.5),
  [
    "path",
    {
      d: "M45 88c-8-3-11-15-17-22-3-3-8-4-11-2L5 80c-2 4 2 8 6 6l9-4c4 10 4 22 13 28 13 7 33 6 43 1 9-6 9-19 3-23-10-5-24 0-34 0z",
      fill: HORSE, ...line,
    },
  ],
  ["path", { d: "M17 64l2-9 6 7c9 6 15 16 20 26-8-3-14-14-20-22z", fill: MANE, ...line }],
  ["circle", { cx: 16.5, cy: 73, r: 1.5, fill: INK }],
  ["path", { d: "M12 79l9-12M20 76c9 5 16 5 27-2", fill: "none", stroke: GOLD, "stroke-width": 2.4 }],
  ["path", { d: "M42 87c9 2 20 2 30-1l4 22-30 5z", ...second }],
  ["path", { d: "M46 113l-0-6 29-5 1 6z", fill: GOLD, ...line }],
  ...limb("M57 86l-8 16 1 13h-6", "currentColor", 8),
  ["path", { d: "M44 52h24c4 12 5 24 4 35-9 4-20 4-28 0z", ...cloth }],
  ["path", { d: "M43 82h29v6H43z", fill: GOLD, ...line }],
  ...limb("M66 57l6 14-24 5", "currentColor", 7.5),
  ...limb("M46 57l-14 2-6-10", "currentColor", 7.5),
  ["circle", { cx: 24.5, cy: 46, r: 4.3, fill: SKIN, ...line }],
  ["ellipse", { cx: 67, cy: 57, rx: 6.5, ry: 7.5, ...second }],
  ["ellipse", { cx: 46, cy: 57, rx: 6.5, ry: 7.5, ...second }],
  ["path", { d: "M46 34c-2 7-2 13 1 18h19c3-5 3-11 0-18z", fill: HAIR, ...line }],
  ...face(56, 40),
  ["path", { d: "M40 34c3-13 29-13 33 0-9-4-24-4-33 0z", ...cloth }],
  feather(60, 26),
];

const REY = [
  ["ellipse", { cx: 54, cy: 145, rx: 40, ry: 4.5, fill: GROUND }],
  ["path", { d: "M70 48c18 14 22 60 20 94H60z", ...second }],
  ["path", { d: "M38 50h32c6 24 10 56 11 92H27c1-36 5-68 11-92z", ...cloth }],
  ["path", { d: "M48 52h12v90H48z", fill: GOLD, ...line }],
  ["path", { d: "M54 62l3.5 5-3.5 5-3.5-5zM54 82l3.5 5-3.5 5-3.5-5zM54 102l3.5 5-3.5 5-3.5-5zM54 122l3.5 5-3.5 5-3.5-5z", fill: "currentColor" }],
  ["path", { d: "M27 133h54l1 9H26z", fill: WHITE, ...line }],
  ["path", { d: "M33 136v3M43 137v3M64 136v3M74 137v3", ...line, "stroke-width": 2.4 }],
  ...limb("M70 60l9 20-13 9", "currentColor", 10),
  ["circle", { cx: 64, cy: 89, r: 4.5, fill: SKIN, ...line }],
  ...limb("M39 59L26 70l-7-15", "currentColor", 10),
  ["circle", { cx: 18, cy: 49, r: 4.6, fill: SKIN, ...line }],
  ["path", { d: "M32 52c5-10 39-10 44 0l-3 10c-10-5-28-5-38 0z", fill: WHITE, ...line }],
  ["path", { d: "M40 54v3M48 52v3M61 52v3M68 54v3", ...line, "stroke-width": 2.2 }],
  ["path", { d: "M42 24c-4 12-2 20 1 26h22c3-6 5-14 1-26z", fill: "#8a8178", ...line }],
  ...face(54, 32),
  ["path", { d: "M44 34c0 18 5 25 10 25s10-7 10-25c-3 5-6 3-10 3s-7 2-10-3z", fill: "#a59c92", ...line }],
  ["path", { d: "M50.5 40q3.5 2.4 7 0", fill: "none", ...line, "stroke-width": 1.6 }],
  ["path", { d: "M40 25L37 7l9 8 8-11 8 11 9-8-3 18z", fill: GOLD, ...line }],
  ["circle", { cx: 54, cy: 19, r: 2.6, fill: "currentColor" }],
  ["circle", { cx: 45.5, cy: 20, r: 1.8, fill: WHITE }],
  ["circle", { cx: 62.5, cy: 20, r: 1.8, fill: WHITE }],
];

const FIGURES = { 10: SOTA, 11: CABALLO, 12: REY };

/** The three figures as symbols for the sprite. */
export function courtSymbols() {
  return Object.entries(FIGURES).map(([rank, shapes]) =>
    svg("symbol", { id: `court-${rank}`, viewBox: "0 0 100 150" }, ...draw(shapes)),
  );
}

/** The figure of `rank` (10, 11, 12) in the cloth of `suit`, in the box (x, y, width, height). */
export function court(rank, suit, x, y, width, height) {
  const use = svg("use", { href: `#court-${rank}`, x, y, width, height, color: CLOTH[suit][0] });
  use.style.setProperty("--second", CLOTH[suit][1]);
  return use;
}
