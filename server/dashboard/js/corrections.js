// "What has to be put right?": the way to every correction that is not a tap on a card.

import { el } from "./dom.js";
import { ofHand } from "./earlier.js";
import { allPlays } from "./hand.js";
import { icon } from "./icons.js";
import { cardButton, cardPad, SUITS } from "./pad.js";
import { seatName } from "./players.js";
import { suitIcon } from "./suits.js";

const LAST_CARDS = 6;

export class Corrections {
  #sheet;
  #picker;
  #press;
  #earlier;

  /** `picker` puts single plays right; `press(body, words)` sends what was chosen; `earlier(n)` opens an earlier hand. */
  constructor(sheet, picker, press, earlier) {
    this.#earlier = earlier;
    this.#sheet = sheet;
    this.#picker = picker;
    this.#press = press;
  }

  /** The list of what can be put right. */
  open(snapshot, texts) {
    const plays = shownPlays(snapshot).slice(-LAST_CARDS).reverse();
    const { hand, rules } = snapshot;
    const full = hand.phase === "trick_full";
    const way = (name, words, go, wanted = true) =>
      wanted && el("button", { type: "button", class: "button", "data-testid": `fix-${name}`, onclick: go }, el("span", {}, words), icon("arrow"));
    this.#sheet.show(
      texts.t("fix.title"),
      [
        el(
          "section",
          {},
          el("h3", {}, texts.t("fix.cards")),
          plays.length
            ? el("div", { class: "picker-row" }, plays.map((play) => this.#playButton(play, snapshot, texts)))
            : el("p", { class: "nothing" }, texts.t("fix.none")),
        ),
        el(
          "div",
          { class: "fix-ways" },
          way("add", texts.t("action.add"), () => this.#picker.add(snapshot, texts)),
          way("sweep", texts.t("fix.sweep"), () => this.#send({ type: "sweep" }, texts.t("fix.sweep")), full),
          way("trump", texts.t("fix.trump"), () => this.trump(snapshot, texts)),
          way("exchange", texts.t("fix.exchange"), () => this.exchange(snapshot, texts), rules.exchange),
          way("alcaide", texts.t("fix.alcaide"), () => this.alcaide(snapshot, texts), rules.alcaide),
          way("winner", texts.t("fix.winner"), () => this.winner(snapshot, texts), hand.tricks.length > 0 || full),
          way("swap", texts.t("action.swap"), () => this.swap(snapshot, texts)),
          snapshot.hands
            .filter((one) => one.n !== hand.n)
            .reverse()
            .map((one) => way(`hand-${one.n}`, texts.t("hand.n", { n: one.n }), () => this.#earlier(one.n))),
        ),
      ],
      texts,
    );
  }

  /** The newest card, for the key and the button "put right". */
  last(snapshot, texts) {
    const play = shownPlays(snapshot).at(-1);
    if (play) this.#picker.open(play, snapshot, texts);
    else this.open(snapshot, texts);
  }

  trump(snapshot, texts) {
    const suits = SUITS.map((suit) =>
      el(
        "button",
        { type: "button", class: "button picker-suit", "data-suit": suit, onclick: () => this.#send({ type: "set_trump", suit, ...ofHand(snapshot) }, texts.suit(suit)) },
        suitIcon(suit),
        el("span", {}, texts.suit(suit)),
      ),
    );
    const choose = (card) => this.#send({ type: "set_trump", card, ...ofHand(snapshot) }, texts.card(card));
    this.#sheet.show(
      texts.t("fix.trump_title"),
      [
        cardPad({ snapshot, texts, choose, current: snapshot.hand.trump?.card ?? null }),
        el("section", {}, el("h3", {}, texts.t("fix.trump_suit")), el("div", { class: "picker-suits" }, suits)),
      ],
      texts,
    );
  }

  /** Asks who exchanged, and which card was laid down: those that the rules let be exchanged after so many tricks. */
  exchange(snapshot, texts, chosen = null) {
    const { hand } = snapshot;
    const done = hand.exchanges.map((one) => {
      const card = (text) => (text ? texts.card(text) : texts.t("exchange.unknown"));
      const line = texts.t("exchange.line", { name: seatName(snapshot, one.seat, texts), given: card(one.given), taken: card(one.taken) });
      return el(
        "button",
        { type: "button", class: "button", "data-testid": "exchange-remove", onclick: () => this.#send({ type: "remove_exchange", after_trick: one.after_trick, ...ofHand(snapshot) }, line) },
        icon("close"),
        el("span", {}, texts.t("fix.exchange_remove", { line })),
      );
    });
    const offers = [...hand.exchange_offers].reverse();
    const offer = offers.find((one) => one.after_trick === chosen) ?? offers[0];
    const after = el("select", { class: "select", id: "exchange-after", onchange: () => this.exchange(snapshot, texts, Number(after.value)) });
    for (const { after_trick: n } of offers) after.append(el("option", { value: n, selected: n === offer.after_trick }, n));
    const given = (seat) =>
      offer.given.map((card) => {
        const name = seatName(snapshot, seat.seat, texts);
        const send = () =>
          this.#send({ type: "exchange", seat: seat.seat, given: card, after_trick: offer.after_trick, ...ofHand(snapshot) }, texts.t("fix.exchange_done", { name }));
        return cardButton(card, `${name}: ${texts.card(card)}`, send);
      });
    const line = (seat) =>
      el("div", { class: "fix-line" }, el("span", {}, seatName(snapshot, seat.seat, texts)), el("div", { class: "picker-row" }, given(seat)));
    const [may, others] = [true, false].map((wanted) => snapshot.seats.filter(({ seat }) => offer?.seats.includes(seat) === wanted));
    const nothing = hand.trump?.suit ? "fix.exchange_none" : "trump.none";
    this.#sheet.show(
      texts.t("fix.exchange"),
      [
        done.length > 0 && el("div", { class: "fix-ways" }, done),
        offer
          ? el(
              "section",
              { class: "fix-exchange" },
              el("h3", {}, texts.t("fix.exchange_title")),
              el("p", {}, el("label", { for: "exchange-after" }, texts.t("fix.exchange_after")), " ", after),
              offer.card && el("p", { "data-testid": "exchange-for" }, texts.t("fix.exchange_for", { card: texts.card(offer.card) })),
              may.map(line),
              others.length > 0 && el("details", {}, el("summary", {}, texts.t("fix.exchange_others")), others.map(line)),
            )
          : el("p", { class: "nothing", "data-testid": "exchange-none" }, texts.t(nothing)),
      ],
      texts,
    );
  }

  /** Asks for whom trick `n` is; the last one unless another is chosen. */
  winner(snapshot, texts, n = null) {
    const { hand } = snapshot;
    const last = hand.tricks.length + Number(hand.phase === "trick_full");
    const asked = n ?? last;
    const choice = el("select", { class: "select", "aria-label": texts.t("fix.winner"), onchange: () => this.winner(snapshot, texts, Number(choice.value)) });
    for (let k = last; k >= 1; k -= 1) choice.append(el("option", { value: k, selected: k === asked }, texts.t("trick.n", { n: k })));
    this.#sheet.show(
      texts.t("fix.winner_title", { n: asked }),
      [choice, this.#seats(snapshot, texts, (seat, name) => this.#send({ type: "set_winner", trick: asked, seat, ...ofHand(snapshot) }, texts.t("fix.winner_done", { n: asked, name })))],
      texts,
    );
  }

  /** Asks who plays alone against the two others. */
  alcaide(snapshot, texts) {
    const said = (seat, name) => this.#send({ type: "set_alcaide", seat, ...ofHand(snapshot) }, texts.t("fix.alcaide_done", { name }));
    this.#sheet.show(texts.t("question.alcaide", { n: snapshot.hand.n }), this.#seats(snapshot, texts, said), texts);
  }

  swap(snapshot, texts) {
    const { seats } = snapshot;
    const pairs = seats.flatMap((one, index) => seats.slice(index + 1).map((other) => [one.seat, other.seat]));
    this.#sheet.show(
      texts.t("fix.swap_title"),
      el(
        "div",
        { class: "fix-ways" },
        pairs.map(([seat, other]) => {
          const words = texts.join([seat, other].map((one) => seatName(snapshot, one, texts)));
          return el("button", { type: "button", class: "button", onclick: () => this.#send({ type: "swap_seats", seat, other }, words) }, words);
        }),
      ),
      texts,
    );
  }

  claim(snapshot, texts) {
    this.#sheet.show(
      texts.t("fix.claim_title"),
      [
        el("p", {}, texts.t("fix.claim_body")),
        this.#seats(snapshot, texts, (seat, name) => this.#send({ type: "claim", seat }, texts.t("fix.claim_done", { name }))),
      ],
      texts,
    );
  }

  #seats(snapshot, texts, choose) {
    return el(
      "div",
      { class: "fix-ways" },
      snapshot.seats.map(({ seat }) => {
        const name = seatName(snapshot, seat, texts);
        return el("button", { type: "button", class: "button", "data-seat": seat, onclick: () => choose(seat, name) }, name);
      }),
    );
  }

  #playButton(play, snapshot, texts) {
    const card = play.card ? texts.card(play.card) : texts.t("table.unknown");
    const label = `${seatName(snapshot, play.seat, texts)}. ${texts.t("correct.open", { card })}`;
    return cardButton(play.card ?? "", label, () => this.#picker.open(play, snapshot, texts));
  }

  #send(body, words) {
    this.#sheet.close();
    this.#press(body, words);
  }
}

/** The plays that can be put right. */
function shownPlays({ hand }) {
  return allPlays(hand).filter((play) => play.id);
}
