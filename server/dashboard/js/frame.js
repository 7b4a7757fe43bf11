// What all pages besides the scoreboard have in common: language, colours, the links at the top, the settings sheet.

import { setText } from "./dom.js";
import { icon } from "./icons.js";
import { preferredLanguage, Texts } from "./i18n.js";
import { pageLinks } from "./pages.js";
import { Preferences } from "./preferences.js";
import { Settings } from "./settings.js";

const byId = (id) => document.getElementById(id);

/** Sets the frame up and calls `render(texts)` now and whenever the language changes. `title` is the key of a text. */
export async function openFrame(current, title, render) {
  const preferences = new Preferences();
  preferences.applyTheme();
  let texts = await load(preferences);
  const settings = new Settings(byId("settings"), byId("settings-button"), preferences, async (name) => {
    if (name === "theme") preferences.applyTheme();
    if (name === "language") texts = await load(preferences);
    draw();
  });
  byId("settings-button").prepend(icon("settings"));

  function draw() {
    document.documentElement.lang = texts.language;
    document.title = `${texts.t(title)} · ${texts.t("app.title")}`;
    setText(byId("brand"), texts.t("app.title"));
    setText(byId("skip"), texts.t("pages.skip"));
    setText(byId("settings-word"), texts.t("settings.title"));
    byId("pages").setAttribute("aria-label", texts.t("pages.title"));
    byId("pages").replaceChildren(...pageLinks(texts, current));
    settings.render(texts);
    render(texts);
    document.documentElement.dataset.ready = "true";
  }
  draw();
}

function load(preferences) {
  return Texts.load(preferredLanguage(preferences.get("language")), "pages");
}
