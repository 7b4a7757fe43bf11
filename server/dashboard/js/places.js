// Who sits where in the picture, put right by hand: names are dragged, or moved with the arrow keys, to their owners.

import { el } from "./dom.js";
import { openFrame } from "./frame.js";
import { shownName } from "./players.js";
import { get, send } from "./requests.js";
import { troubleDetail, troubleWords } from "./troubles.js";

const LOOK_MS = 1500;
const STEP = 0.02;
const OUT = 0.46; // from the middle to the edge, as a share of the picture
const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

const byId = (id) => document.getElementById(id);
const within = (share) => Math.round(1000 * Math.min(1, Math.max(0, share))) / 1000;

/** The middle of a side of the picture. */
function sideOf(side) {
  const east = Number(side.includes("east")) - Number(side.includes("west"));
  const south = Number(side.includes("south")) - Number(side.includes("north"));
  return [0.5 + OUT * east, 0.5 + OUT * south];
}

class PlacesPage {
  #texts = null;
  #state;
  #places;

  constructor(state) {
    this.#take(state);
    setInterval(() => this.#look(), LOOK_MS);
  }

  #take(state) {
    this.#state = state;
    this.#places = state.seats.map((seat) => seat.at ?? sideOf(seat.side));
  }

  render(texts) {
    this.#texts = texts;
    if (this.#state.session.idle) {
      byId("places").replaceChildren(
        el("h2", {}, texts.t("places.title")),
        el("p", {}, texts.t("places.idle")),
        el("a", { class: "button", href: "/start" }, texts.t("pages.start")),
      );
      return;
    }
    const automatic = this.#state.seats.every((seat) => seat.at === null);
    this.picture = el("img", { alt: "", draggable: "false", src: this.#source(), "data-testid": "places-picture" });
    byId("places").replaceChildren(
      el("h2", {}, texts.t("places.title")),
      el("p", { id: "places-how" }, texts.t("places.how")),
      el("div", { class: "places-picture" }, this.picture, this.#state.seats.map((seat) => this.#seat(seat))),
      el("p", { "data-testid": "places-now" }, texts.t(automatic ? "places.automatic" : "places.by_hand")),
      el(
        "div",
        { class: "places-buttons" },
        el("button", { type: "button", class: "button button-go", "data-testid": "places-save", onclick: () => this.#save(this.#places) }, texts.t("places.save")),
        el("button", { type: "button", class: "button", "data-testid": "places-reset", disabled: automatic, onclick: () => this.#save(null) }, texts.t("places.reset")),
        el("a", { class: "button", href: "/" }, texts.t("start.to_board")),
      ),
    );
  }

  #seat(seat) {
    const name = shownName(seat, this.#texts);
    const node = el("button", { type: "button", class: "button places-seat", "data-testid": `place-${seat.seat}`, "aria-describedby": "places-how" }, name);
    const move = (x, y) => {
      this.#places[seat.seat] = [within(x), within(y)];
      this.#show(node, seat.seat, name);
    };
    node.addEventListener("keydown", (event) => {
      const way = ARROWS[event.key];
      if (!way) return;
      event.preventDefault();
      const [x, y] = this.#places[seat.seat];
      move(x + way[0], y + way[1]);
    });
    let from = null; // where it was taken hold of; a mere click moves nothing
    const drag = (event) => {
      if (from === null || (from.x === event.clientX && from.y === event.clientY)) return;
      const box = node.parentElement.getBoundingClientRect();
      move((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    };
    node.addEventListener("pointerdown", (event) => {
      event.preventDefault(); // else the browser begins a drag of its own, and takes the pointer away
      node.focus();
      from = { x: event.clientX, y: event.clientY };
      node.setPointerCapture(event.pointerId);
    });
    node.addEventListener("pointermove", drag);
    node.addEventListener("pointerup", (event) => {
      drag(event); // moves just before it may have been left out by a slow machine
      from = null;
    });
    node.addEventListener("dragstart", (event) => event.preventDefault());
    node.addEventListener("pointercancel", () => {
      from = null;
    });
    this.#show(node, seat.seat, name);
    return node;
  }

  #show(node, seat, name) {
    const [x, y] = this.#places[seat];
    node.style.setProperty("--x", String(x));
    node.style.setProperty("--y", String(y));
    node.setAttribute("aria-label", this.#texts.t("places.at", { name, x: Math.round(100 * x), y: Math.round(100 * y) }));
  }

  async #save(places) {
    try {
      await send("/api/press", places === null ? { type: "places" } : { type: "places", places });
      this.#take(await get("/api/state"));
      this.render(this.#texts);
      this.#say(this.#texts.t(places === null ? "places.reset_done" : "places.saved"));
    } catch (error) {
      this.#say(troubleWords(error, this.#texts), troubleDetail(error, this.#texts));
    }
  }

  #say(words, detail = "") {
    byId("trouble").hidden = false;
    byId("trouble").replaceChildren(...[words, detail && el("small", { lang: "en" }, detail)].filter(Boolean));
  }

  #source() {
    return `/snapshot.jpg?t=${Date.now()}`;
  }

  /** A new picture now and then, while somebody looks. */
  #look() {
    if (this.picture && document.visibilityState === "visible") this.picture.src = this.#source();
  }
}

const page = new PlacesPage(await get("/api/state"));
await openFrame("places", "places.title", (texts) => page.render(texts));
