// What this screen remembers: language, colours, voice, camera shown. An address parameter wins over the memory,
// because an OBS source or a TV has no way to press a button.

const KEY = "brisca.preferences";
const DEFAULTS = { language: null, theme: "auto", speech: false, camera: null, keys: true };
const VIEWS = ["tv", "overlay"];
export const THEMES = ["auto", "light", "dark", "contrast"];

function read() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { ...DEFAULTS, ...(stored && typeof stored === "object" ? stored : {}) };
  } catch {
    return { ...DEFAULTS }; // storage is off or damaged: the page works with the defaults
  }
}

export class Preferences {
  #values = read();
  #address = new URLSearchParams(location.search);

  /** "normal", "tv" or "overlay": by the address /tv or /overlay, or by ?view=. */
  get view() {
    return [location.pathname.slice(1), this.#address.get("view")].find((asked) => VIEWS.includes(asked)) ?? "normal";
  }

  get(name) {
    const asked = name === "language" ? this.#address.get("lang") : name === "theme" ? this.#address.get("theme") : null;
    return asked ?? this.#values[name];
  }

  set(name, value) {
    this.#values[name] = value;
    // A choice made by hand must not be undone by the address it was opened with.
    if (name === "language") this.#address.delete("lang");
    if (name === "theme") this.#address.delete("theme");
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#values));
    } catch {
      // private windows may refuse: the choice then lasts as long as the page
    }
  }

  /** Gives the page the chosen colours. */
  applyTheme() {
    const theme = this.get("theme");
    document.documentElement.dataset.theme = THEMES.includes(theme) ? theme : "auto";
  }

  /** Address of another view of this page, with language and colours carried along. */
  addressOf(view) {
    const query = new URLSearchParams();
    for (const name of ["lang", "theme"]) {
      if (this.#address.has(name)) query.set(name, this.#address.get(name));
    }
    const text = query.toString();
    return `/${view === "normal" ? "" : view}${text ? `?${text}` : ""}`;
  }
}
