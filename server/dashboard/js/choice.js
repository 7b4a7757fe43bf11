// A question with a few answers, as radio buttons big enough for a thumb.

import { el } from "./dom.js";
import { turned } from "./taps.js";

/**
 * A fieldset: `options` are [value, words] or [value, words, {hint, disabled}]; `changed(value)` is told of each choice.
 * `name` also names the inputs, which bear `data-value`.
 */
export function choice(name, legend, options, chosen, changed) {
  return el(
    "fieldset",
    { class: "choice", "data-choice": name },
    el("legend", {}, legend),
    options.map(([value, words, more = {}]) =>
      el(
        "label",
        { class: "choice-option", "data-disabled": Boolean(more.disabled) },
        el("input", {
          type: "radio", name, value: String(value), "data-value": String(value), checked: value === chosen,
          disabled: Boolean(more.disabled), onchange: () => changed(value),
        }),
        el("span", {}, words, more.hint && el("small", {}, more.hint)),
      ),
    ),
  );
}

/** A labelled box to write in; `changed(text)` is told of every letter. */
export function field(id, words, value, changed, more = {}) {
  return el(
    "div",
    { class: "field" },
    el("label", { for: id }, words),
    el("input", { type: "text", id, value, autocomplete: "off", spellcheck: "false", ...more, oninput: (event) => changed(event.target.value) }),
  );
}

/** A labelled list to choose from: `options` are [value, words]. */
export function select(id, words, options, chosen, changed, more = {}) {
  return el(
    "div",
    { class: "field" },
    el("label", { for: id, class: more.hidden ? "visually-hidden" : null }, words),
    el(
      "select",
      { id, onchange: (event) => changed(event.target.value) },
      options.map(([value, text]) => el("option", { value, selected: value === chosen }, text)),
    ),
  );
}

/** A sheet that asks before something is done: resolves to the chosen answer's value, null when it is put away. */
export function ask(dialog, title, body, answers, texts) {
  return new Promise((resolve) => {
    const close = (value) => {
      dialog.dataset.answer = value ?? "";
      dialog.close();
    };
    dialog.dataset.answer = "";
    dialog.replaceChildren(
      el(
        "div",
        { class: "sheet" },
        el("h2", { id: "ask-title" }, title),
        el("p", {}, body),
        el(
          "div",
          { class: "sheet-buttons" },
          answers.map(([value, words, grave]) =>
            el("button", { type: "button", class: grave ? "button button-grave" : "button", "data-testid": `answer-${value}`, onclick: () => close(value) }, words),
          ),
          el("button", { type: "button", class: "button", "data-testid": "answer-no", autofocus: true, onclick: () => close(null) }, texts.t("ask.no")),
        ),
      ),
    );
    dialog.addEventListener("close", turned, { once: true });
    dialog.addEventListener("close", () => resolve(dialog.dataset.answer || null), { once: true });
    turned();
    dialog.showModal();
  });
}
