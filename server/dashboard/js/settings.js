// The settings sheet: language, colours, voice, and the other views of this page.

import { Announcer } from "./announcer.js";
import { el, Panel } from "./dom.js";
import { LANGUAGES } from "./i18n.js";
import { pageLinks, Phones } from "./pages.js";
import { THEMES } from "./preferences.js";
import { closeBeside, sheetHead } from "./sheet.js";

const OWN_NAMES = { es: "Español", en: "English", it: "Italiano", pt: "Português" };

export class Settings {
  #dialog;
  #panel;
  #preferences;
  #changed;
  #phones;

  /** `changed(name)` is called after a choice was stored. */
  constructor(dialog, opener, preferences, changed) {
    this.#dialog = dialog;
    this.#panel = new Panel(dialog);
    this.#preferences = preferences;
    this.#changed = changed;
    this.#phones = new Phones(el("div", { class: "phones" }));
    opener.addEventListener("click", () => {
      this.#phones.ask();
      dialog.showModal();
    });
    closeBeside(dialog);
  }

  render(texts) {
    this.#phones.render(texts);
    const shown = [texts.language, this.#preferences.get("theme"), this.#preferences.get("speech"), this.#preferences.get("keys")];
    this.#panel.show(shown, () =>
      el(
        "div",
        { class: "sheet" },
        sheetHead(this.#dialog, texts.t("settings.title"), texts),
        el("nav", { class: "views", "aria-label": texts.t("pages.title") }, pageLinks(texts, null)),
        this.#choice("language", texts.t("settings.language"), LANGUAGES.map((code) => [code, OWN_NAMES[code]]), texts.language),
        this.#choice(
          "theme",
          texts.t("settings.theme"),
          THEMES.map((theme) => [theme, texts.t(`settings.theme.${theme}`)]),
          this.#preferences.get("theme"),
        ),
        Announcer.canSpeak
          ? this.#choice(
              "speech",
              texts.t("settings.speech"),
              [[false, texts.t("settings.off")], [true, texts.t("settings.on")]],
              Boolean(this.#preferences.get("speech")),
            )
          : el("p", { class: "nothing" }, texts.t("settings.speech_none")),
        this.#choice(
          "keys",
          texts.t("settings.keys"),
          [[false, texts.t("settings.off")], [true, texts.t("settings.on")]],
          this.#preferences.get("keys") !== false,
        ),
        this.#phones.node,
        el("h3", {}, texts.t("settings.views")),
        el(
          "nav",
          { class: "views", "aria-label": texts.t("settings.views") },
          ["normal", "tv", "overlay"].map((view) =>
            el("a", { class: "button", href: this.#preferences.addressOf(view) }, texts.t(`settings.view.${view}`)),
          ),
        ),
      ),
    );
  }

  #choice(name, title, options, chosen) {
    return el(
      "fieldset",
      { class: "choice" },
      el("legend", {}, title),
      options.map(([value, words]) => {
        const input = el("input", {
          type: "radio", name, value: String(value), checked: value === chosen,
          onchange: () => {
            this.#preferences.set(name, value);
            this.#changed(name);
            // The sheet is drawn anew; whoever came by keyboard stays where he was.
            this.#dialog.querySelector(`input[name=${name}][value="${value}"]`)?.focus();
          },
        });
        return el("label", { class: "choice-option", lang: name === "language" ? value : null }, input, el("span", {}, words));
      }),
    );
  }
}
