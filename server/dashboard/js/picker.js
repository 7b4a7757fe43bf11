// The sheet for putting a play right: the likely cards first, then the whole pack; who played it; what is missing
// before it; "no card was played".

import { Clash } from "./clash.js";
import { el } from "./dom.js";
import { ofHand } from "./earlier.js";
import { icon } from "./icons.js";
import { cardPad } from "./pad.js";
import { seatName } from "./players.js";

const LIKELY = 0.05; // of a play that nobody saw any card may be meant: none of them is likely

export class CardPicker {
  #sheet;
  #press;
  #clash;

  /** `press(body, words)` sends what was chosen; `ways` open the sheets for the `trump` and the `exchange`. */
  constructor(sheet, press, ways) {
    this.#sheet = sheet;
    this.#press = press;
    this.#clash = new Clash(sheet, press, { ...ways, play: (play, snapshot, texts) => this.open(play, snapshot, texts) });
  }

  /** Asks what is wrong with `play`, a play of a snapshot with its `id`. */
  open(play, snapshot, texts) {
    const name = seatName(snapshot, play.seat, texts);
    const likely = (play.candidates ?? []).filter(([, p]) => p >= LIKELY).map(([card]) => card).filter((card) => card !== play.card);
    const say = (body, words) => {
      this.#sheet.close();
      this.#press(body, words);
    };
    const choose = (card) => {
      const only = (sure = {}) => say({ type: "correct_card", play: play.id, card, ...sure }, texts.card(card));
      const ways = { seat: play.seat, only, back: () => this.open(play, snapshot, texts) };
      if (card === play.card || !this.#clash.ask(card, play, snapshot, texts, ways)) only();
    };
    const others = snapshot.seats.filter((seat) => seat.seat !== play.seat);
    const button = (iconName, words, onclick) =>
      el("button", { type: "button", class: "button", onclick }, icon(iconName), el("span", {}, words));
    this.#sheet.show(
      texts.t("correct.title", { name }),
      [
        play.card &&
          el(
            "div",
            { class: "picker-now" },
            el("p", {}, texts.t("correct.now", { card: texts.card(play.card) })),
            button("check", texts.t("fix.confirm"), () => say({ type: "confirm", play: play.id }, texts.card(play.card))),
          ),
        cardPad({ snapshot, texts, likely, current: play.card, choose }),
        el(
          "section",
          { class: "picker-more" },
          el("h3", {}, texts.t("fix.seat")),
          el(
            "div",
            { class: "picker-buttons" },
            others.map((seat) => {
              const other = seatName(snapshot, seat.seat, texts);
              return button("arrow", other, () =>
                say({ type: "correct_seat", play: play.id, seat: seat.seat }, texts.t("fix.seat_done", { name: other })));
            }),
          ),
          el(
            "div",
            { class: "picker-buttons" },
            button("add", texts.t("fix.insert"), () => this.add(snapshot, texts, play)),
            button("close", texts.t("correct.remove"), () => say({ type: "remove_play", play: play.id }, texts.t("correct.remove"))),
          ),
        ),
      ],
      texts,
    );
  }

  /**
   * Asks for a play that nobody saw: in the open trick, or just before the play `before`; `chosen` is who laid it. Nobody
   * is taken to have laid it where anybody may lead: then the card waits until somebody is named.
   */
  add(snapshot, texts, before = null, chosen = null) {
    const { hand, seats } = snapshot;
    let seat = chosen ?? (before ? before.seat : seatDue(snapshot));
    let waiting = null;
    const full = hand.phase === "trick_full";
    const trick = full ? hand.trick.n + 1 : hand.trick.n;
    const seatRow = el("div", { class: "picker-buttons picker-seats", role: "group", "aria-label": texts.t("fix.seat") });
    const who = el("p", { class: "picker-who", role: "status", "data-testid": "who" });
    const mark = () => {
      for (const one of seatRow.children) one.setAttribute("aria-pressed", String(Number(one.dataset.seat) === seat));
    };
    const send = (card, sure = {}) => {
      this.#sheet.close();
      const where = before ? { before: before.id } : { trick, ...ofHand(snapshot) };
      this.#press({ type: "add_play", seat, card, ...where, ...sure }, `${seatName(snapshot, seat, texts)}: ${texts.card(card)}`);
    };
    const choose = (card) => {
      if (seat === null) {
        waiting = card;
        who.textContent = texts.t("fix.who_led", { card: texts.cardTitle(card) });
        seatRow.firstChild.focus();
        seatRow.scrollIntoView({ block: "nearest" });
        return;
      }
      const ways = { seat, only: (sure) => send(card, sure), back: () => this.add(snapshot, texts, before, seat) };
      if (!this.#clash.ask(card, null, snapshot, texts, ways)) send(card);
    };
    seatRow.append(
      ...seats.map((one) =>
        el(
          "button",
          {
            type: "button", class: "button", "data-seat": one.seat,
            onclick: () => {
              seat = one.seat;
              mark();
              if (waiting) choose(waiting);
            },
          },
          seatName(snapshot, one.seat, texts),
        ),
      ),
    );
    mark();
    const title = before ? texts.t("fix.insert") : texts.t("fix.add_title");
    this.#sheet.show(
      title,
      [el("section", {}, el("h3", {}, texts.t("fix.seat")), seatRow, who), cardPad({ snapshot, texts, choose })],
      texts,
    );
  }
}

/** Whose card comes next, also where nobody is to play any more; null before the first card of a hand that anybody may lead. */
function seatDue({ hand, seats }) {
  const next = hand.turn ?? hand.next_leader ?? null;
  if (next !== null || !Number.isInteger(hand.leader)) return next;
  return (hand.leader + (hand.trick?.plays.length ?? 0)) % seats.length;
}
