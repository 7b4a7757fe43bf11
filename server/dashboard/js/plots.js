// Plots, drawn by the page itself. Their numbers stand in the table above them, or in their label.

import { el, svg } from "./dom.js";

const WIDTH = 400;
const TALL = 200;
const EDGE = 34;

function figure(title, drawing) {
  return el("figure", { class: "plot" }, el("figcaption", {}, title), drawing);
}

function text(x, y, words, more = {}) {
  return svg("text", { x, y, class: "plot-text", ...more }, words);
}

/**
 * Lying bars, one for each of `rows`: {label, value, words}; `most` is the length of the whole width. Names and numbers
 * are lines of the page and no part of a drawing, which would make them smaller with the screen.
 */
export function bars(title, rows, most) {
  const said = rows.map((row) => `${row.label}: ${row.words}`).join(", ");
  const line = (row) => {
    const bar = el("span", { class: "plot-bar" });
    bar.style.setProperty("--share", String(Math.min(1, row.value / most)));
    return [el("span", { class: "plot-name" }, row.label), el("span", { class: "plot-track" }, bar), el("span", { class: "plot-value" }, row.words)];
  };
  return figure(title, el("div", { class: "plot-rows", role: "img", "aria-label": `${title}. ${said}` }, rows.map(line)));
}

/** Standing columns, one for each value, with a line at `mark`; values above it are filled, those below are hollow. */
export function columns(title, values, most, mark) {
  const step = (WIDTH - EDGE) / Math.max(values.length, 8);
  const width = Math.max(1.5, Math.min(26, step * 0.72));
  const high = (value) => ((TALL - 24) * value) / most;
  const ground = TALL - 4;
  const line = ground - high(mark);
  const drawn = [
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
  ];
  const said = `${title}. ${values.join(", ")}`;
  return figure(title, svg("svg", { viewBox: `0 0 ${WIDTH} ${TALL}`, role: "img", "aria-label": said, focusable: "false" }, drawn));
}
