// Third question of the start page: the rules, in plain words the points that tables argue about, and the deck.

import { choice, select } from "./choice.js";
import { el } from "./dom.js";

const EXCHANGES = ["none", "before_last", "to_the_last"];
const TIES = ["draw", "void"];
const MATCHES = ["single", "first_2", "first_3", "first_5", "first_8", "best_3", "sum_5", "limit_150"];
const FIRST_CHOICE = { 2: "arrastro", 3: "tres_39", 4: "arrastro", 6: "seis_48" };

export class Rules {
  #node;
  #profiles;
  #players = 2;
  #name;
  #terms;
  #decks;
  #deck;
  #texts = null;

  constructor(node, offers, before) {
    this.#node = node;
    this.#profiles = offers.profiles;
    this.#name = before?.rules ?? FIRST_CHOICE[2];
    this.#decks = offers.decks ?? [];
    // A deck that was forgotten since is not asked for again; upper and lower case are the same.
    this.#deck = this.#decks.find((name) => name.toLowerCase() === before?.deck?.toLowerCase()) ?? null;
    // Only what was decided otherwise than in the profile is kept apart from it.
    this.#terms = Object.fromEntries(Object.entries(before?.terms ?? {}).filter(([, value]) => value !== null));
  }

  set players(count) {
    this.#players = count;
    if (!this.#profile.players.includes(count)) {
      this.#name = FIRST_CHOICE[count];
      this.#terms = {};
    }
    if (this.#texts) this.render(this.#texts);
  }

  get value() {
    return { rules: this.#name, terms: this.#terms, deck: this.#deck };
  }

  get #profile() {
    return this.#profiles.find((one) => one.name === this.#name) ?? this.#profiles.find((one) => one.name === FIRST_CHOICE[this.#players]);
  }

  render(texts) {
    this.#texts = texts;
    const fitting = this.#profiles.filter((one) => one.players.includes(this.#players));
    this.#node.replaceChildren(
      el("h2", {}, texts.t("start.rules")),
      select("profile", texts.t("start.profile"), fitting.map((one) => [one.name, texts.t(`profile.${one.name}`)]), this.#name, (name) => {
        this.#name = name;
        this.#terms = {};
        this.#drawTerms();
      }),
      el("div", { class: "terms" }),
      ...this.#deckChoice(texts),
    );
    this.#drawTerms();
  }

  /** Which deck lies on the table: asked only of those who have enrolled one. */
  #deckChoice(texts) {
    if (this.#decks.length === 0) return [];
    const decks = [["", texts.t("start.deck_any")], ...this.#decks.map((name) => [name, name])];
    return [
      select("deck", texts.t("start.deck"), decks, this.#deck ?? "", (name) => {
        this.#deck = name || null;
      }),
    ];
  }

  #drawTerms() {
    const texts = this.#texts;
    const profile = this.#profile;
    const now = { ...profile.terms, ...this.#terms };
    const decide = (name) => (value) => {
      if (value === profile.terms[name]) delete this.#terms[name];
      else this.#terms[name] = value;
    };
    const hidden = !profile.trump_shown;
    const matches = profile.terms.match === "own" ? ["own", ...MATCHES] : MATCHES;
    const called = { yes: true, no: false };
    this.#node.querySelector(".terms").replaceChildren(
      choice("arrastre", texts.t("terms.arrastre"), Object.keys(called).map((word) => [called[word], texts.t(`terms.arrastre.${word}`)]), now.arrastre, decide("arrastre")),
      choice(
        "exchange",
        texts.t("terms.exchange"),
        EXCHANGES.map((one) => [one, texts.t(`terms.exchange.${one}`), { disabled: hidden && one !== "none" }]),
        now.exchange,
        decide("exchange"),
      ),
      choice("tie", texts.t("terms.tie"), TIES.map((one) => [one, texts.t(`terms.tie.${one}`)]), now.tie, decide("tie")),
      choice("match", texts.t("terms.match"), matches.map((one) => [one, texts.t(`terms.match.${one}`)]), now.match, decide("match")),
    );
  }
}
