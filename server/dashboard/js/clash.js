// A card that was tapped although it is somewhere else already: asked about before anything is sent, with the ways out.

import { el } from "./dom.js";
import { allPlays, liesFaceUp } from "./hand.js";
import { icon } from "./icons.js";
import { seatName } from "./players.js";

/** The seat that is known to hold `card`, picked up from the table; undefined where that is nobody but `seat`. */
export function inHandOf(snapshot, card, seat) {
  const holder = (snapshot.known?.held ?? []).findIndex((cards) => cards.includes(card));
  return holder >= 0 && holder !== seat ? holder : undefined;
}

/** The other play of the hand that is noted as `card`; undefined where there is none. */
export function holder(snapshot, card, play = null) {
  return allPlays(snapshot.hand).find((one) => one.card === card && one.id && one.id !== play?.id);
}

function trickOf(play, { hand }) {
  return allPlays(hand).find((one) => one.id === play.id)?.trick ?? "";
}

export class Clash {
  #sheet;
  #press;
  #ways;

  /** `ways` open what may have to be put right instead: `play(play, ...)`, `trump(...)`, `exchange(...)`. */
  constructor(sheet, press, ways) {
    this.#sheet = sheet;
    this.#press = press;
    this.#ways = ways;
  }

  /**
   * Asks about `card` where it is somewhere else, and tells whether it did. `play` was to become that card, without it
   * a card of `seat` was to be added; `back` leads back to the pad, `only(more)` sends it all the same.
   */
  ask(card, play, snapshot, texts, { seat, back, only }) {
    const other = holder(snapshot, card, play);
    const owner = inHandOf(snapshot, card, seat);
    if (other) this.#taken(card, play, other, snapshot, texts, { back, only });
    else if (liesFaceUp(snapshot, card)) this.#faceUp(card, snapshot, texts, back);
    else if (owner !== undefined) this.#held(card, owner, snapshot, texts, { back, only });
    else return false;
    return true;
  }

  #taken(card, play, other, snapshot, texts, { back, only }) {
    const name = seatName(snapshot, other.seat, texts);
    const swap = () => {
      const words = texts.t("changes.swapped", { a: texts.card(play.card), b: texts.card(card) });
      this.#sheet.close();
      this.#press({ type: "swap_cards", play: play.id, other_play: other.id }, words);
    };
    const words = { card: texts.cardTitle(card), name, n: other.trick };
    const mine = play?.card && { name: seatName(snapshot, play.seat, texts), n: trickOf(play, snapshot), card: texts.card(card), other: name, m: other.trick, mine: texts.card(play.card) };
    const seen = snapshot.session.source !== "none"; // else only people can have noted the other one: two of it cannot be
    this.#show(texts.t("clash.taken", words), mine ? texts.t("clash.swap_how", mine) : null, [
      mine && this.#way("swap", "swap", texts.t("clash.swap"), swap, true),
      this.#way("other", "pencil", texts.t("clash.other", words), () => this.#ways.play(other, snapshot, texts)),
      play && seen && this.#way("only", "check", texts.t("clash.only"), () => only()),
      this.#way("back", "undo", texts.t("clash.back"), back),
    ], texts);
  }

  #faceUp(card, snapshot, texts, back) {
    this.#show(texts.t("clash.face_up", { card: texts.cardTitle(card) }), texts.t("clash.face_up_how"), [
      snapshot.rules.exchange && this.#way("exchange", "swap", texts.t("clash.exchanged"), () => this.#ways.exchange(snapshot, texts)),
      this.#way("trump", "pencil", texts.t("clash.trump"), () => this.#ways.trump(snapshot, texts)),
      this.#way("back", "undo", texts.t("clash.back"), back),
    ], texts);
  }

  #held(card, owner, snapshot, texts, { back, only }) {
    const name = seatName(snapshot, owner, texts);
    this.#show(texts.t("clash.held", { card: texts.cardTitle(card), name }), texts.t("clash.held_how"), [
      snapshot.rules.exchange && this.#way("exchange", "swap", texts.t("clash.exchange_wrong"), () => this.#ways.exchange(snapshot, texts)),
      this.#way("sure", "check", texts.t("clash.sure"), () => only({ sure: true })),
      this.#way("back", "undo", texts.t("clash.back"), back),
    ], texts);
  }

  #show(title, body, ways, texts) {
    this.#sheet.show(title, [body && el("p", { "data-testid": "clash" }, body), el("div", { class: "fix-ways" }, ways)], texts);
  }

  #way(name, iconName, words, onclick, main = false) {
    return el(
      "button",
      { type: "button", class: "button button-action", "data-main": main, "data-testid": `clash-${name}`, onclick },
      icon(iconName),
      el("span", {}, words),
    );
  }
}
