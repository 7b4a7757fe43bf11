// Builds elements. Every text goes in as a text node, so a name like "<b>" stays a name.

import { keepFocus } from "./focus.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name.startsWith("data-")) node.setAttribute(name, String(value)); // "true" and "false" are both said
    else if (value === false) continue;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

/** An HTML element: `el("p", {class: "x"}, "text", otherNode)`. Empty children and attributes are left out. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element, same arguments as `el`. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** A drawing from plain data: `["path", {d: "..."}, [children]]`, or a list of such. */
export function draw(shapes) {
  return shapes.map(([tag, attributes, children = []]) => svg(tag, attributes, ...draw(children)));
}

/** Sets the text of a node only when it differs, so that screen readers do not hear it again. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** A panel that is drawn again only when what it shows has changed: focus and animations survive. */
export class Panel {
  #node;
  #key = null;

  constructor(node) {
    this.#node = node;
    node.dataset.panel = "";
  }

  get node() {
    return this.#node;
  }

  /** Draws `build()` (a node or a list) when `shown` (any JSON value) differs from the last time. */
  show(shown, build) {
    const key = JSON.stringify(shown);
    if (key === this.#key) return false;
    this.#key = key;
    const back = keepFocus(this.#node);
    this.#node.replaceChildren(...[build()].flat(Infinity).filter(Boolean));
    back();
    return true;
  }
}
