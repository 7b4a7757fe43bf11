// The ways between the pages, and the way in for phones: links and the QR code.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { get } from "./requests.js";

const PAGES = [
  ["board", "/", "cup"],
  ["start", "/start", "camera"],
  ["history", "/history", "list"],
];

/** Links to the pages; `current` is marked as the one being read. */
export function pageLinks(texts, current) {
  return PAGES.map(([name, href, sign]) =>
    el(
      "a",
      { class: "button page-link", href, "data-testid": `to-${name}`, "aria-current": name === current ? "page" : null },
      icon(sign),
      el("span", {}, texts.t(`pages.${name}`)),
    ),
  );
}

/** Shows how other devices come in: the code and the address, or what to do so that they can. */
export class Phones {
  #node;
  #texts = null;
  #address = null;
  #asked = false;

  constructor(node) {
    this.#node = node;
    node.hidden = true;
  }

  get node() {
    return this.#node;
  }

  /** Asks the server for the address, once. */
  async ask() {
    if (this.#asked) return;
    this.#asked = true;
    try {
      this.#address = await get("/api/address");
    } catch {
      return; // a run that begins no games has no address to offer
    }
    if (this.#texts) this.render(this.#texts);
  }

  render(texts) {
    this.#texts = texts;
    const address = this.#address;
    const known = Boolean(address?.own);
    this.#node.hidden = !known;
    if (!known) return;
    this.#node.replaceChildren(
      el("h3", {}, texts.t("pages.phones")),
      address.room
        ? el(
            "div",
            { class: "qr" },
            el("img", { src: "/qr.svg", alt: texts.t("pages.qr_alt", { url: address.room }), width: 220, height: 220, "data-testid": "qr" }),
            el("p", {}, texts.t("pages.phones_how"), " ", el("a", { href: address.room, class: "address" }, address.room)),
          )
        : el("p", {}, texts.t("pages.phones_not"), " ", el("code", {}, "brisca watch --host 0.0.0.0")),
    );
  }
}

/** The film or camera as it is called; a camera of this machine has a number, a game without one is kept by hand. */
export function sourceName(source, texts) {
  const number = /^camera (\d+)$/.exec(source)?.[1];
  if (number) return texts.t("start.camera_n", { n: number });
  return source === "none" ? texts.t("start.kind.none") : source;
}
