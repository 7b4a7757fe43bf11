// A game put right on its page, also while it is being played: the sheets of the scoreboard, with presses for this game.

import { Toast } from "./actions.js";
import { confirmed, consequences } from "./consequences.js";
import { Corrections } from "./corrections.js";
import { EarlierHand } from "./earlier.js";
import { CardPicker } from "./picker.js";
import { get, send } from "./requests.js";
import { Sheet } from "./sheet.js";
import { troubleWords } from "./troubles.js";

const STEPS = ["undo", "redo"];

export class KeptGame {
  texts = null;
  #game;
  #changed;
  #address;
  #toast;
  #earlier;
  #n = 1; // the hand that is put right

  /** `changed(game)` is called with the game as it is told after something was put right. */
  constructor(game, changed) {
    this.#game = game;
    this.#changed = changed;
    this.#address = `/api/sessions/${encodeURIComponent(game.session.id)}`;
    this.#toast = new Toast(document.getElementById("toast"));
    const sheet = new Sheet(document.getElementById("picker"));
    const press = (body, words) => this.press(body, words);
    const picker = new CardPicker(sheet, press, {
      trump: (...about) => corrections.trump(...about),
      exchange: (...about) => corrections.exchange(...about),
    });
    const corrections = new Corrections(sheet, picker, press, (n) => this.open(n));
    this.#earlier = new EarlierHand(sheet, picker, corrections, async (n) => this.#then(n));
  }

  /** Opens the sheet of a hand. */
  open(n) {
    this.#n = n;
    return this.#earlier.open(n, this.#then(n), this.texts);
  }

  /** Hand `n` as the snapshot of a game on the screens tells it. */
  #then(n) {
    const { session, rules, seats, hands, match, corrections } = this.#game;
    const hand = hands.find((one) => one.n === n);
    const points = hands.map((one) => ({ n: one.n, points: one.scores.map((score) => score.points) }));
    return { session, rules, seats, match, hand, scores: hand.scores, known: hand.known, hands: points, changes: corrections };
  }

  /** Sends a press about hand `n`, shows the game as it is then, and says what became of it. */
  async press(body, words, n = this.#n) {
    this.#n = n;
    const { texts } = this;
    const before = this.#then(this.#n);
    try {
      const { entries } = await send(`${this.#address}/press`, body);
      await this.#renew();
      const back = body.type === "swap_seats" ? body : { type: "undo" }; // names are no part of the ledger
      const undo = STEPS.includes(body.type) ? null : [texts.t("action.undo"), () => this.press(back, texts.t("action.undo"))];
      const moved = consequences(body, before, this.#then(this.#n), entries, texts);
      this.#toast.show(confirmed(body, words, texts), texts, { undo, moved });
    } catch (error) {
      this.#toast.show(texts.t("action.failed", { why: troubleWords(error, texts, before) }), texts, { bad: true });
      await this.#renew().catch(() => null); // somebody else may have changed it meanwhile
    }
  }

  async #renew() {
    this.#game = await get(`${this.#address}/game`);
    this.#changed(this.#game);
  }
}
