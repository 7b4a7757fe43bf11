// The texts of the page. One flat JSON file per language; a plural is {"one": ..., "other": ...}.

export const LANGUAGES = ["es", "en", "it", "pt"];

// Portuguese as in Portugal: "0 pontos", and its dates.
const LOCALES = { pt: "pt-PT" };

/** The first of the reader's languages that we speak; Spanish otherwise, as the game is. */
export function preferredLanguage(asked, browser = navigator.languages ?? []) {
  for (const tag of [asked, ...browser]) {
    const base = (tag ?? "").toLowerCase().split("-")[0];
    if (LANGUAGES.includes(base)) return base;
  }
  return "es";
}

export class Texts {
  constructor(language, entries) {
    this.language = language;
    this.entries = entries;
    this.locale = LOCALES[language] ?? language; // for numbers, dates and plurals
    this.plurals = new Intl.PluralRules(this.locale);
  }

  /** The texts of a language: those of the scoreboard, and those of `more` folders (other pages) over them. */
  static async load(language, ...more) {
    const parts = await Promise.all(
      ["", ...more.map((folder) => `${folder}/`)].map(async (folder) => {
        const response = await fetch(`/static/i18n/${folder}${language}.json`);
        if (!response.ok) throw new Error(`texts of ${language}: ${response.status}`);
        return response.json();
      }),
    );
    return new Texts(language, Object.assign({}, ...parts));
  }

  has(key) {
    return Object.hasOwn(this.entries, key);
  }

  /** The text of `key` with `{name}` filled from `values`; `values.n` chooses the plural. */
  t(key, values = {}) {
    let entry = this.entries[key];
    if (entry && typeof entry === "object") entry = entry[this.plurals.select(values.n)] ?? entry.other;
    if (entry === undefined) return key;
    return entry.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
  }

  suit(letter) {
    return this.t(`suit.${letter}`);
  }

  /** "12C" -> "rey de copas"; an unknown card -> the words for a card not seen. */
  card(text) {
    const match = /^(\d+)([OCEB])$/.exec(text ?? "");
    if (!match) return this.t("table.unknown");
    return this.t("card.name", { rank: this.t(`rank.${match[1]}`), suit: this.suit(match[2]) });
  }

  /** The same with a capital, for a line of its own. */
  cardTitle(text) {
    const name = this.card(text);
    return name.charAt(0).toLocaleUpperCase(this.language) + name.slice(1);
  }

  /** "Ana", "Ana y Luis", "Ana, Luis y Eva". */
  join(names) {
    if (names.length < 2) return names[0] ?? "";
    return this.t("list.and", { a: names.slice(0, -1).join(", "), b: names.at(-1) });
  }

  time(date) {
    return date.toLocaleTimeString(this.locale, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  }
}
