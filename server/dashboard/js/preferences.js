// What this screen remembers: language, colours, voice, camera shown. An address parameter wins over the memory,
// because an OBS source or a TV has no way to press a button; it holds for its tab, wherever the links lead from there.

const KEY = "brisca.preferences";
const IN_ADDRESS = { language: "lang", theme: "theme" }; // what an address can ask for, and by which name
const DEFAULTS = { language: null, theme: "auto", speech: false, camera: null, keys: true };
const VIEWS = ["tv", "overlay"];
export const THEMES = ["auto", "light", "dark", "contrast"];

/** What is kept in a storage of the browser; nothing where storage is off or damaged. */
function read(storage) {
  try {
    const stored = JSON.parse(storage().getItem(KEY) ?? "{}");
    return stored && typeof stored === "object" ? stored : {};
  } catch {
    return {};
  }
}

function keep(storage, values) {
  try {
    storage().setItem(KEY, JSON.stringify(values));
  } catch {
    // private windows may refuse: the choice then lasts as long as the page
  }
}

const local = () => localStorage;
const tab = () => sessionStorage;

export class Preferences {
  #values = { ...DEFAULTS, ...read(local) };
  #address = new URLSearchParams(location.search);
  #asked = read(tab); // by the address of this page, or of one before it in this tab

  constructor() {
    const asked = Object.entries(IN_ADDRESS).filter(([, parameter]) => this.#address.has(parameter));
    if (!asked.length) return;
    for (const [name, parameter] of asked) this.#asked[name] = this.#address.get(parameter);
    keep(tab, this.#asked);
  }

  /** "normal", "tv" or "overlay": by the address /tv or /overlay, or by ?view=. */
  get view() {
    return [location.pathname.slice(1), this.#address.get("view")].find((asked) => VIEWS.includes(asked)) ?? "normal";
  }

  get(name) {
    return this.#asked[name] ?? this.#values[name];
  }

  set(name, value) {
    this.#values[name] = value;
    keep(local, this.#values);
    if (!(name in this.#asked)) return;
    // A choice made by hand must not be undone by the address that the tab was opened with.
    delete this.#asked[name];
    keep(tab, this.#asked);
    this.#address.delete(IN_ADDRESS[name]);
    const query = this.#address.toString();
    history.replaceState(history.state, "", `${location.pathname}${query ? `?${query}` : ""}${location.hash}`);
  }

  /** Gives the page the chosen colours. */
  applyTheme() {
    const theme = this.get("theme");
    document.documentElement.dataset.theme = THEMES.includes(theme) ? theme : "auto";
  }

  /** Address of another view of this page, with language and colours carried along. */
  addressOf(view) {
    const query = new URLSearchParams();
    for (const [name, parameter] of Object.entries(IN_ADDRESS)) {
      if (this.#asked[name]) query.set(parameter, this.#asked[name]);
    }
    const text = query.toString();
    return `/${view === "normal" ? "" : view}${text ? `?${text}` : ""}`;
  }
}
