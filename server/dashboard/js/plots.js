// Plots as SVG, drawn by the page itself. Their numbers stand in the table beside them, or in their label.

import { el, svg } from "./dom.js";

const WIDTH = 400;
const ROW = 40;
const NAME = 122;
const LETTERS = 13;
const TALL = 200;
const EDGE = 34;

function figure(title, height, said, children) {
  return el(
    "figure",
    { class: "plot" },
    el("figcaption", {}, title),
    svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": `${title}. ${said}`, focusable: "false" }, children),
  );
}

function text(x, y, words, more = {}) {
  return svg("text", { x, y, class: "plot-text", ...more }, words);
}

function short(label) {
  return label.length > LETTERS ? `${label.slice(0, LETTERS - 1)}…` : label;
}

/** Lying bars, one for each of `rows`: {label, value, words}; `most` is the length of the whole width. */
export function bars(title, rows, most) {
  const room = WIDTH - NAME - 70;
  const said = rows.map((row) => `${row.label}: ${row.words}`).join(", ");
  return figure(title, rows.length * ROW, said, [
    rows.map((row, i) => {
      const y = i * ROW;
      return [
        text(0, y + 26, short(row.label)),
        svg("rect", { class: "plot-track", x: NAME, y: y + 8, width: room, height: ROW - 16, rx: 4 }),
        svg("rect", { class: "plot-bar", x: NAME, y: y + 8, width: Math.max(0, (room * row.value) / most), height: ROW - 16, rx: 4 }),
        text(NAME + room + 10, y + 26, row.words, { class: "plot-text plot-value" }),
      ];
    }),
  ]);
}

/** Standing columns, one for each value, with a line at `mark`; values above it are filled, those below are hollow. */
export function columns(title, values, most, mark) {
  const step = (WIDTH - EDGE) / Math.max(values.length, 8);
  const width = Math.max(1.5, Math.min(26, step * 0.72));
  const high = (value) => ((TALL - 24) * value) / most;
  const ground = TALL - 4;
  const line = ground - high(mark);
  return figure(title, TALL, values.join(", "), [
    values.map((value, i) =>
      svg("rect", {
        class: value > mark ? "plot-bar" : "plot-low",
        x: EDGE + i * step + (step - width) / 2, y: ground - high(value), width, height: Math.max(1, high(value)), rx: Math.min(4, width / 3),
        "data-value": value,
      }),
    ),
    svg("path", { class: "plot-mark", d: `M${EDGE} ${line}H${WIDTH}` }),
    svg("path", { class: "plot-line", d: `M${EDGE} ${ground}H${WIDTH}` }),
    text(EDGE - 6, line + 6, mark, { "text-anchor": "end" }),
    text(EDGE - 6, ground, 0, { "text-anchor": "end" }),
  ]);
}
