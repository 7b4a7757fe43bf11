// Second question of the start page: how many play, their names, where they sit, who deals.

import { choice, field, select } from "./choice.js";
import { el } from "./dom.js";
import { sideShape } from "./icons.js";

const NUMBERS = [2, 3, 4, 6];
const NAME_LENGTH = 40;

/** The name as it is shown; "Player 2" for whoever gave none. */
export function seatName(person, seat, texts) {
  return person.name.trim() || texts.t("seat.player", { n: seat + 1 });
}

export class People {
  #node;
  #sides;
  #usual;
  #texts = null;
  #rows = null;
  #dealer = null;

  constructor(node, offers, before) {
    this.#node = node;
    this.#sides = offers.sides;
    this.#usual = offers.usual_sides;
    this.changed = () => {};
    const people = before?.people ?? [];
    this.people = NUMBERS.includes(people.length) ? people.map((one) => ({ ...one })) : this.#usual[2].map((side) => ({ side, name: "" }));
    this.#dealer = this.people.some((one) => one.side === before?.dealer) ? before.dealer : null;
  }

  get count() {
    return this.people.length;
  }

  get value() {
    const people = this.people.map((person, seat) => ({ side: person.side, name: seatName(person, seat, this.#texts) }));
    return { people, dealer: this.#dealer };
  }

  trouble() {
    const names = new Set();
    const sides = new Set();
    for (const [seat, person] of this.people.entries()) {
      const name = seatName(person, seat, this.#texts);
      if (names.has(name.toLocaleLowerCase())) return { key: "start.same_name", values: { name }, node: document.getElementById(`name-${seat}`) };
      if (sides.has(person.side)) return { key: "start.same_side", node: document.getElementById(`side-${seat}`) };
      names.add(name.toLocaleLowerCase());
      sides.add(person.side);
    }
    return null;
  }

  render(texts) {
    this.#texts = texts;
    this.#rows = el("div", { class: "people" });
    this.#node.replaceChildren(
      el("h2", {}, texts.t("start.people")),
      choice("players", texts.t("start.how_many"), NUMBERS.map((n) => [n, String(n)]), this.count, (n) => this.#resize(n)),
      this.#rows,
    );
    this.#draw();
  }

  #resize(count) {
    const names = this.people.map((person) => person.name);
    this.people = this.#usual[count].map((side, seat) => ({ side, name: names[seat] ?? "" }));
    this.#dealer = null;
    this.#draw();
    this.changed();
  }

  #draw() {
    const texts = this.#texts;
    const teams = this.count > 3;
    const sides = this.#sides.map((side) => [side, texts.t(`side.${side}`)]);
    this.#rows.replaceChildren(
      el("p", {}, texts.t(teams ? "start.people_teams" : "start.people_how")),
      el(
        "ol",
        { class: "person-list" },
        this.people.map((person, seat) =>
          el(
            "li",
            { class: "person", "data-side": this.#team(seat) },
            sideShape(this.#team(seat)),
            field(`name-${seat}`, texts.t("start.name", { n: seat + 1 }), person.name, (name) => this.#named(seat, name), { maxlength: NAME_LENGTH, placeholder: texts.t("seat.player", { n: seat + 1 }) }),
            select(`side-${seat}`, texts.t("start.side"), sides, person.side, (side) => this.#moved(seat, side)),
          ),
        ),
      ),
      this.#dealers(),
    );
  }

  /** The team of a person: those who sit across; the order at the table counts, not that of the list. */
  #team(seat) {
    if (this.count < 4) return seat;
    const first = this.#sides.indexOf(this.people[0].side);
    const turn = (side) => (this.#sides.indexOf(side) - first + this.#sides.length) % this.#sides.length;
    const order = this.people.map((person) => person.side).sort((a, b) => turn(a) - turn(b));
    return order.indexOf(this.people[seat].side) % 2;
  }

  #dealers() {
    const texts = this.#texts;
    const options = [[null, texts.t("start.dealer_any")], ...this.people.map((person, seat) => [person.side, seatName(person, seat, texts)])];
    return choice("dealer", texts.t("start.dealer"), options, this.#dealer, (side) => {
      this.#dealer = side;
    });
  }

  #named(seat, name) {
    this.people[seat].name = name;
    this.#node.querySelector("[data-choice=dealer]").replaceWith(this.#dealers());
    this.changed();
  }

  #moved(seat, side) {
    const before = this.people[seat].side;
    const other = this.people.find((person) => person.side === side);
    if (other) other.side = before; // two who change places
    this.people[seat].side = side;
    if (this.#dealer !== null && !this.people.some((person) => person.side === this.#dealer)) this.#dealer = null;
    this.#draw();
    document.getElementById(`side-${seat}`).focus();
    this.changed();
  }
}
