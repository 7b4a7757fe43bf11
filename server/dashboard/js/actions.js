// The buttons for what a camera cannot see and for what it got wrong, and the short note that says what became of it.

import { keptByHand } from "./camera.js";
import { el, Panel, setText } from "./dom.js";
import { icon, sideShape } from "./icons.js";
import { seatName, sideOf } from "./players.js";
import { reasonWords } from "./troubles.js";

const NOTE_MS = 7000;
const MOVED_MS = 20000; // what else has moved takes time to read

export class Actions {
  #panel;
  #press;
  #sheets;

  /** `press(body, words)` sends a press; `sheets` opens what needs more than one tap: correct, add, new hand, swap, claim, help. */
  constructor(node, press, sheets) {
    this.#panel = new Panel(node);
    this.#press = press;
    this.#sheets = sheets;
  }

  render({ snapshot, status }, texts) {
    const { rules, seats, steps, session } = snapshot;
    const byHand = keptByHand({ snapshot, status });
    const going = !session.ended; // after the end there is only something to put right
    const shown = [rules.arrastre, seats, snapshot.scores.map((score) => score.seats), steps, session.paused, going, byHand, texts.language];
    this.#panel.show(shown, () => [
      el("h2", { class: "visually-hidden" }, texts.t("action.title")),
      going && rules.arrastre && el("div", { class: "arrastre-buttons", "data-count": seats.length }, seats.map((seat) => this.#arrastre(snapshot, seat.seat, texts))),
      el(
        "div",
        { class: "action-grid" },
        this.#button("undo", "undo", texts.t("action.undo"), () => this.#say("undo", texts.t("action.undo")), { idle: !steps.undo }),
        this.#button("redo", "redo", texts.t("action.redo"), () => this.#say("redo", texts.t("action.redo")), { idle: !steps.redo }),
        this.#button("correct", "pencil", texts.t("action.correct"), this.#sheets.correct),
        this.#button("add", "add", texts.t("action.add"), this.#sheets.add, { main: byHand }),
        going &&
          (session.paused
            ? this.#button("pause", "play", texts.t("action.resume"), () => this.#say("resume", texts.t("action.resume")), { main: true })
            : this.#button("pause", "pause", texts.t("action.pause"), () => this.#say("pause", texts.t("action.pause")))),
        going && this.#button("new-hand", "arrow", texts.t("action.new_hand"), this.#sheets.newHand),
        this.#button("swap", "swap", texts.t("action.swap"), this.#sheets.swap),
        going && this.#button("claim", "cup", texts.t("action.claim"), this.#sheets.claim),
        this.#button("help", "keys", texts.t("action.help"), this.#sheets.help),
      ),
    ]);
  }

  #say(type, words) {
    this.#press({ type }, words);
  }

  /** `idle`: there is nothing for it to do now. It stays in the tab order, so that nobody loses his place. */
  #button(name, iconName, words, onclick, { idle = false, main = false } = {}) {
    return el(
      "button",
      { type: "button", class: "button button-action", "data-testid": name, "data-main": main, "aria-disabled": idle ? "true" : null, onclick: () => idle || onclick() },
      icon(iconName),
      el("span", {}, words),
    );
  }

  #arrastre(snapshot, seat, texts) {
    const name = seatName(snapshot, seat, texts);
    const said = texts.t("action.arrastre_of", { name });
    return el(
      "button",
      {
        type: "button", class: "button button-arrastre", "data-testid": `arrastre-${seat}`,
        onclick: () => this.#press({ type: "arrastre_called", seat }, said),
      },
      el("span", { class: "arrastre-word" }, texts.t("action.arrastre")),
      el("span", { class: "arrastre-name" }, sideShape(Math.max(0, sideOf(snapshot, seat))), el("span", {}, name)),
    );
  }
}

/** The short note at the lower edge; the newest replaces the one before. */
export class Toast {
  #node;
  #timer = 0;

  constructor(node) {
    this.#node = node;
  }

  /** Shows a text; `undo` = [words, action]: a button that takes it back; `moved`: lines that say what else has moved. */
  show(text, texts, { bad = false, undo = null, moved = [] } = {}) {
    clearTimeout(this.#timer);
    this.#node.dataset.bad = String(bad);
    this.#node.hidden = false;
    const words = el("span", {});
    const had = this.#node.contains(document.activeElement);
    const back =
      undo &&
      el("button", { type: "button", class: "button toast-undo", "data-testid": "toast-undo", onclick: undo[1] }, icon("undo"), el("span", {}, undo[0]));
    const list = moved.length > 0 && el("ul", { class: "toast-moved", "data-testid": "moved" }, moved.map((line) => el("li", {}, line)));
    const close = el(
      "button",
      { type: "button", class: "button toast-close", "data-testid": "toast-close", "aria-label": texts.t("settings.close"), onclick: () => this.#hide() },
      icon("close"),
    );
    this.#node.replaceChildren(...[words, list, back, close].filter(Boolean));
    setText(words, text);
    if (had) close.focus();
    this.#makeRoom(this.#node.offsetHeight);
    this.#timer = setTimeout(() => this.#hide(), moved.length ? MOVED_MS : NOTE_MS);
  }

  #hide() {
    clearTimeout(this.#timer);
    this.#node.hidden = true;
    this.#makeRoom(0);
  }

  /** The page can be scrolled clear of the note: nothing that is reached by tap or key stays under it. */
  #makeRoom(height) {
    document.documentElement.style.setProperty("--note", `${height}px`);
  }
}

/** Why a press was not taken down, in the reader's language. */
export function refusal(error, texts, snapshot) {
  if (error.code === "offline") return texts.t("action.retry");
  return reasonWords(error, texts, snapshot) ?? texts.t("action.too_late");
}
