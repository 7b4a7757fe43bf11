// Line icons of the buttons and notices; always beside a text, so hidden from screen readers.

import { draw, svg } from "./dom.js";

const PATHS = {
  settings: "M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5v5M8 14.5v5",
  undo: "M8 5L3.5 9.5 8 14M4 9.5h10a6 6 0 0 1 0 12h-3",
  arrow: "M4 12h15M13 6l6 6-6 6",
  check: "M4 12.5l5.5 5.5L20 6.5",
  warning: "M12 3.5L2 20.5h20zM12 10v5M12 17.6v.4",
  question: "M8.5 9a3.6 3.6 0 1 1 5.2 3.2c-1.2.7-1.7 1.4-1.7 2.8M12 18.6v.4",
  camera: "M3 7.5h12v9.5H3zM15 11l6-3.5v9.5L15 13.5z",
  cup: "M7 4h10v5a5 5 0 0 1-10 0zM7 5.5H3.5V7A3.5 3.5 0 0 0 7 10.5M17 5.5h3.5V7A3.5 3.5 0 0 1 17 10.5M12 14v3.5M8 20.5h8M9.5 20.5l.7-3h3.6l.7 3",
  link: "M4 4l16 16M2.5 9.5C5 7.3 8 6 11 5.8M21.5 9.5c-1.5-1.4-3.3-2.4-5.2-3M6 13.4c1.5-1.3 3.2-2.1 5-2.4M12 19.2v.3",
  close: "M5 5l14 14M19 5L5 19",
  list: "M4 6h.5M9 6h11M4 12h.5M9 12h11M4 18h.5M9 18h11",
  share: "M12 15V4M8 7.5L12 3.5l4 4M5 12v8h14v-8",
  save: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 19.5h14",
  bin: "M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13",
  redo: "M16 5l4.5 4.5L16 14M20.5 9.5h-10a6 6 0 0 0 0 12h3",
  add: "M12 5v14M5 12h14",
  pencil: "M4 20l1-4.5L16.5 4 20 7.5 8.5 19zM14 6.5l3.5 3.5",
  pause: "M8 5v14M16 5v14",
  play: "M7 4.5l12 7.5-12 7.5z",
  swap: "M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4",
  keys: "M3 6h18v12H3zM7 10h.2M12 10h.2M17 10h.2M8 14h8",
  hand: "M8 12V5.5a1.5 1.5 0 0 1 3 0V11M11 10.5V4.5a1.5 1.5 0 0 1 3 0V11M14 11V6.5a1.5 1.5 0 0 1 3 0V14c0 4-2 6.5-5.5 6.5S6.500 18 5 14.500c-.6-1.300 1-2.500 2-1.200L8 15",
  sun: "M12 7.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.400 1.400M17.600 17.600L19 19M5 19l1.400-1.400M17.600 6.400L19 5",
  eye: "M2 12c3-5 6.5-7.5 10-7.5S19 7 22 12c-3 5-6.5 7.5-10 7.5S5 17 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
};

export function icon(name) {
  return svg(
    "svg",
    { class: `icon icon-${name}`, viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: PATHS[name] }),
  );
}

const SHAPES = [
  [["circle", { cx: 12, cy: 12, r: 10 }]],
  [["rect", { x: 2.5, y: 2.5, width: 19, height: 19, rx: 2 }]],
  [["path", { d: "M12 2l11 20H1z" }]],
  [["path", { d: "M12 0l11 12-11 12L1 12z" }]],
  [["path", { d: "M9 1h6v8h8v6h-8v8H9v-8H1V9h8z" }]],
  [["path", { d: "M12 1l3.2 7.4 8 .7-6.1 5.3 1.9 7.9-7-4.2-7 4.2 1.9-7.9L.8 9.1l8-.7z" }]],
];

/** The shape that goes with a side's colour, for those who do not see the colour. */
export function sideShape(side) {
  return svg(
    "svg",
    { class: "side-shape", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    draw(SHAPES[side % SHAPES.length]),
  );
}
