// Sheets: the dialogs of the page. One head for all of them; a tap on the darkened page closes.

import { el } from "./dom.js";
import { refocus, spot } from "./focus.js";
import { icon } from "./icons.js";
import { turned } from "./taps.js";

/** The head of a sheet: its title, and a button that closes it. */
export function sheetHead(dialog, title, texts) {
  return el(
    "div",
    { class: "sheet-head" },
    el("h2", { id: `${dialog.id}-title` }, title),
    el(
      "button",
      { type: "button", class: "button", onclick: () => dialog.close() },
      icon("close"),
      el("span", {}, texts.t("settings.close")),
    ),
  );
}

/** Closes a dialog when somebody taps beside it. */
export function closeBeside(dialog) {
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}

/** A sheet that is filled anew whenever it is opened. */
export class Sheet {
  #dialog;
  #opener = null;

  constructor(dialog) {
    this.#dialog = dialog;
    closeBeside(dialog);
    dialog.addEventListener("close", () => {
      turned();
      // The browser gives the focus back to what had it, unless that was drawn anew meanwhile.
      if (document.activeElement === document.body || dialog.contains(document.activeElement)) refocus(this.#opener);
    });
  }

  get open() {
    return this.#dialog.open;
  }

  /** Shows a title and what is below it; another page of the sheet when it is open already. */
  show(title, content, texts) {
    turned();
    if (!this.#dialog.open) this.#opener = spot();
    this.#dialog.replaceChildren(el("div", { class: "sheet" }, sheetHead(this.#dialog, title, texts), content));
    if (!this.#dialog.open) this.#dialog.showModal();
    else this.#dialog.querySelector(".sheet > :not(.sheet-head) button")?.focus();
    this.#dialog.scrollTop = 0;
  }

  close() {
    this.#dialog.close();
  }
}
