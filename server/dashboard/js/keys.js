// Single keys for the buttons, and the sheet that lists them. They can be switched off in the settings, and rest while
// a sheet is open or something is typed.

import { el } from "./dom.js";
import { seatName } from "./players.js";

export class Keys {
  #sheet;
  #preferences;
  #actions;
  #view = null;

  /** `actions` does what a key means: `{key: {words: (texts) => text, run: () => void}}`. */
  constructor(sheet, preferences, actions) {
    this.#sheet = sheet;
    this.#preferences = preferences;
    this.#actions = actions;
    addEventListener("keydown", (event) => this.#pressed(event));
  }

  render(view, texts) {
    this.#view = [view, texts];
  }

  /** Shows which key does what. */
  help() {
    if (!this.#view) return;
    const [{ snapshot }, texts] = this.#view;
    const row = (key, words) => [el("dt", {}, key.map((one) => el("kbd", {}, one))), el("dd", {}, words)];
    const seats = snapshot?.rules.arrastre ? snapshot.seats : [];
    this.#sheet.show(
      texts.t("action.help"),
      el(
        "dl",
        { class: "keys" },
        seats.length > 0 && row(seats.map((seat) => String(seat.seat + 1)), `${texts.t("keys.arrastre")}: ${texts.join(seats.map((seat) => seatName(snapshot, seat.seat, texts)))}`),
        Object.entries(this.#actions).map(([key, action]) => row([key.toUpperCase()], action.words(texts))),
      ),
      texts,
    );
  }

  #pressed(event) {
    if (!this.#view?.[0].snapshot?.hand || this.#preferences.get("keys") === false || this.#preferences.view !== "normal") return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
    if (event.target.closest?.("input, select, textarea, dialog[open]") || document.querySelector("dialog[open]")) return;
    const [{ snapshot }, texts] = this.#view;
    const seat = /^[1-8]$/.test(event.key) ? Number(event.key) - 1 : null;
    const button = seat === null ? null : document.querySelector(`[data-testid=arrastre-${seat}]`);
    const action = this.#actions[event.key.toLowerCase()];
    if (!button && !action) return;
    event.preventDefault();
    if (button) button.click();
    else action.run(snapshot, texts);
  }
}
