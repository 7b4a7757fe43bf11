// The picture of a result, to send to whoever was not there: drawn by the page, as SVG and as PNG.

import { el, svg } from "./dom.js";
import { icon } from "./icons.js";
import { pip, suitSymbols } from "./suits.js";

const WIDTH = 1200;
const HEIGHT = 630;
const SERIF = "Georgia, 'DejaVu Serif', serif";
const SANS = "'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif";
const CREAM = "#fdf8ea";
const GOLD = "#f5c04a";
const SIDES = ["#f2b632", "#6cb4f2", "#f58a74", "#bd9ff5", "#74d39d", "#d3a583"];

function words(x, y, size, text, more = {}) {
  return svg("text", { x, y, "font-size": size, "font-family": SANS, fill: CREAM, ...more }, text);
}

/** As large as fits into `room`; letters are some 0.56 of their size wide, those of the title 0.68. */
function fitting(text, size, room, wide = 0.56) {
  return Math.min(size, room / (wide * Math.max(1, text.length)));
}

/** The drawing. `told` is {title, line, foot, sides: [{name, points, winner}], suit, trump}. */
export function resultPicture(told) {
  const height = Math.min(116, 320 / told.sides.length);
  const top = 206;
  return svg(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: "img", "aria-label": told.title },
    svg("defs", {}, suitSymbols()),
    svg("rect", { width: WIDTH, height: HEIGHT, fill: "#1d4a38" }),
    svg("rect", { x: 24, y: 24, width: WIDTH - 48, height: HEIGHT - 48, rx: 28, fill: "#2a6a4d", stroke: GOLD, "stroke-width": 3 }),
    words(72, 116, fitting(told.title, 62, told.suit ? 900 : 1050, 0.68), told.title, { "font-family": SERIF, "font-weight": 700 }),
    words(72, 166, 30, told.line, { fill: "#d5e6d8" }),
    told.suit && [
      svg("rect", { x: 1010, y: 56, width: 118, height: 118, rx: 18, fill: "#fffaf0" }),
      pip(told.suit, 1069, 115, 92),
      words(1069, 200, 22, told.trump, { "text-anchor": "middle", fill: "#d5e6d8" }),
    ],
    told.sides.map((side, i) => {
      const y = top + i * height;
      const size = Math.min(52, height * 0.5);
      return [
        svg("rect", { x: 72, y: y + 8, width: 1056, height: height - 14, rx: 16, fill: side.winner ? "#1b4d38" : "#24593f", stroke: side.winner ? GOLD : "none", "stroke-width": 4 }),
        svg("rect", { x: 72, y: y + 8, width: 18, height: height - 14, rx: 9, fill: SIDES[i % SIDES.length] }),
        words(116, y + height / 2 + size * 0.36, fitting(side.name, size, 760), side.name, { "font-weight": side.winner ? 700 : 400 }),
        words(1100, y + height / 2 + size * 0.42, size * 1.25, side.points, { "font-weight": 800, "text-anchor": "end", fill: side.winner ? GOLD : CREAM }),
      ];
    }),
    words(72, 584, 24, told.foot, { fill: "#d5e6d8" }),
    words(1128, 584, 24, "brisca", { "font-family": SERIF, "font-style": "italic", "text-anchor": "end", fill: GOLD }),
  );
}

function asFile(picture) {
  return new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
}

/** The drawing as a PNG of its own size. */
export async function asPng(picture) {
  const address = URL.createObjectURL(asFile(picture));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = el("canvas", { width: WIDTH, height: HEIGHT });
    canvas.getContext("2d").drawImage(image, 0, 0, WIDTH, HEIGHT);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = el("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The picture with its buttons: PNG, SVG, and the device's own way of sending where it has one. */
export function shareSection(told, name, texts) {
  const picture = resultPicture(told);
  const buttons = [
    el("button", { type: "button", class: "button", "data-testid": "share-png", onclick: async () => save(await asPng(picture), `${name}.png`) }, icon("save"), el("span", {}, "PNG")),
    el("button", { type: "button", class: "button", "data-testid": "share-svg", onclick: () => save(asFile(picture), `${name}.svg`) }, icon("save"), el("span", {}, "SVG")),
  ];
  if (navigator.canShare?.({ files: [new File([""], `${name}.png`, { type: "image/png" })] })) {
    const send = async () => {
      const file = new File([await asPng(picture)], `${name}.png`, { type: "image/png" });
      await navigator.share({ files: [file], title: told.title }).catch(() => {}); // put away again: no harm
    };
    buttons.unshift(el("button", { type: "button", class: "button", onclick: send }, icon("share"), el("span", {}, texts.t("game.send"))));
  }
  return [el("h3", {}, texts.t("game.picture")), el("div", { class: "share-picture", "data-testid": "picture" }, picture), el("div", { class: "sheet-buttons" }, buttons)];
}
