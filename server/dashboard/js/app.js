// The page: puts the panels together and keeps them fed with what the wire brings.

import { Actions, refusal, Toast } from "./actions.js";
import { Announcer } from "./announcer.js";
import { Camera, keptByHand } from "./camera.js";
import { installSprite } from "./cards.js";
import { Changes } from "./changes.js";
import { ask } from "./choice.js";
import { Connection } from "./connection.js";
import { confirmed, consequences } from "./consequences.js";
import { Corrections } from "./corrections.js";
import { setText } from "./dom.js";
import { EarlierHand } from "./earlier.js";
import { handOver } from "./hand.js";
import { icon } from "./icons.js";
import { preferredLanguage, Texts } from "./i18n.js";
import { Idle } from "./idle.js";
import { Keys } from "./keys.js";
import { Known } from "./known.js";
import { LastTrick } from "./last.js";
import { Match } from "./match.js";
import { Notices } from "./notices.js";
import { CardPicker } from "./picker.js";
import { Preferences } from "./preferences.js";
import { Result } from "./result.js";
import { Scoreboard } from "./scoreboard.js";
import { Settings } from "./settings.js";
import { Sheet } from "./sheet.js";
import { phaseWords, Table } from "./table.js";
import { TrickList } from "./tricks.js";
import { Violations } from "./violations.js";

const FINAL = ["undo", "redo", "pause", "resume"]; // presses that the note offers no undo for
const byId = (id) => document.getElementById(id);

class Page {
  constructor(preferences, texts) {
    this.preferences = preferences;
    this.texts = texts;
    this.view = { snapshot: null, status: null, link: "connecting", receivedAt: null };
    const press = (body, words) => this.press(body, words);
    this.toast = new Toast(byId("toast"));
    const sheet = new Sheet(byId("picker")); // one for all that is asked: only one thing is at a time
    this.picker = new CardPicker(sheet, press, {
      trump: (...about) => this.corrections.trump(...about),
      exchange: (...about) => this.corrections.exchange(...about),
    });
    const openHand = (n) => this.openHand(n);
    this.corrections = new Corrections(sheet, this.picker, press, openHand);
    this.earlier = new EarlierHand(sheet, this.picker, this.corrections);
    const correct = (play, snapshot) => this.picker.open(play, snapshot, this.texts);
    const sheets = this.sheets();
    const insert = (play, seat, snapshot) => this.picker.add(snapshot, this.texts, play, seat);
    this.notices = new Notices(byId("link"), byId("attention"), press, { correct, insert, add: sheets.add });
    this.camera = new Camera(byId("camera-chip"), byId("camera"), preferences);
    this.announcer = new Announcer(byId("polite"), byId("assertive"), preferences);
    this.settings = new Settings(byId("settings"), byId("settings-button"), preferences, (name) => this.preferenceChanged(name));
    this.panels = [
      new Idle(byId("idle")),
      new Match(byId("match")),
      new Scoreboard(byId("score"), openHand),
      new Table(byId("table"), correct, sheets.trump),
      new LastTrick(byId("last")),
      new Known(byId("known")),
      new TrickList(byId("tricks"), correct, (n, snapshot) => this.corrections.winner(snapshot, this.texts, n)),
      new Violations(byId("violations"), press),
      new Changes(byId("changes")),
      new Actions(byId("actions"), press, sheets),
      new Result(byId("result"), press),
      this.announcer,
    ];
    this.keys = new Keys(sheet, preferences, this.keyActions(sheets));
    this.panels.push(this.keys);
    byId("settings-button").prepend(icon("settings"));
    this.connection = new Connection(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.connection.addEventListener("snapshot", ({ detail }) => this.update({ snapshot: detail.snapshot, receivedAt: new Date() }));
    this.connection.addEventListener("status", ({ detail }) => this.update({ status: detail }));
    this.connection.addEventListener("link", ({ detail }) => this.update({ link: detail.link }));
  }

  /** What needs more than one tap. */
  sheets() {
    const open = (show) => () => this.view.snapshot?.hand && show(this.view.snapshot, this.texts);
    return {
      correct: open((snapshot, texts) => this.corrections.open(snapshot, texts)),
      add: open((snapshot, texts) => this.picker.add(snapshot, texts)),
      trump: open((snapshot, texts) => this.corrections.trump(snapshot, texts)),
      swap: open((snapshot, texts) => this.corrections.swap(snapshot, texts)),
      newHand: open((snapshot) => this.newHand(snapshot)),
      claim: open((snapshot, texts) => this.corrections.claim(snapshot, texts)),
      help: () => this.keys.help(),
    };
  }

  /** The keys of the buttons; arrastre has the numbers of the seats. */
  keyActions(sheets) {
    const tap = (type, key) => ({ words: (texts) => texts.t(key), run: (_, texts) => this.press({ type }, texts.t(key)) });
    const open = (run, key) => ({ words: (texts) => texts.t(key), run });
    const going = ({ words, run }) => ({ words, run: (snapshot, texts) => snapshot.session.ended || run(snapshot, texts) });
    return {
      z: tap("undo", "action.undo"),
      y: tap("redo", "action.redo"),
      c: open((snapshot, texts) => this.corrections.last(snapshot, texts), "action.correct"),
      m: open(sheets.correct, "fix.title"),
      a: open(sheets.add, "action.add"),
      p: going(open((snapshot, texts) => {
        const paused = snapshot.session.paused;
        this.press({ type: paused ? "resume" : "pause" }, texts.t(paused ? "action.resume" : "action.pause"));
      }, "action.pause")),
      n: going(open(sheets.newHand, "action.new_hand")),
      s: open(sheets.swap, "action.swap"),
      r: going(open(sheets.claim, "action.claim")),
      v: open(() => {
        this.preferences.set("speech", !this.preferences.get("speech"));
        this.preferenceChanged("speech");
      }, "keys.voice"),
      "?": open(sheets.help, "keys.help"),
    };
  }

  start() {
    this.preferences.applyTheme();
    this.render();
    this.connection.start();
  }

  update(change) {
    Object.assign(this.view, change);
    if (this.view.link === "live" && this.view.snapshot) this.view.receivedAt = new Date();
    this.render();
  }

  render() {
    const { view, texts } = this;
    this.renderFrame();
    this.notices.render(view, texts);
    this.camera.render(view, texts);
    this.settings.render(texts);
    document.documentElement.dataset.link = view.link;
    document.documentElement.dataset.ready = String(view.snapshot !== null);
    if (!view.snapshot) return;
    for (const panel of this.panels) panel.render(view, texts);
  }

  /** Opens a hand that is over, to put it right. */
  async openHand(n) {
    try {
      await this.earlier.open(n, this.view.snapshot, this.texts);
    } catch (error) {
      this.refuse(error);
    }
  }

  renderFrame() {
    const { texts, view } = this;
    const hand = view.snapshot?.hand ?? null;
    document.documentElement.lang = texts.language;
    document.title = texts.t("app.title");
    setText(byId("brand"), texts.t("app.title"));
    setText(byId("skip"), texts.t("app.skip"));
    setText(byId("settings-word"), texts.t("settings.title"));
    byId("score").setAttribute("aria-label", texts.t("score.title"));
    byId("table").setAttribute("aria-label", texts.t("table.title"));
    byId("phase").dataset.phase = hand?.phase ?? "none";
    setText(byId("phase"), texts.t(view.snapshot ? phaseWords(view.snapshot, keptByHand(view), texts) : "phase.none"));
    const place = hand ? [texts.t("hand.n", { n: hand.n })] : [];
    if (hand?.trick?.n && !handOver(hand)) place.push(trickPlace(hand.trick.n, view.snapshot.rules.tricks, texts));
    setText(byId("place"), place.join(" · "));
  }

  /** Begins a new hand; asks first where cards of this one are still to be entered. */
  async newHand(snapshot) {
    const { texts } = this;
    const words = texts.t("action.new_hand");
    const { hand } = snapshot;
    if (keptByHand(this.view) && hand.phase !== "setup" && !handOver(hand)) {
      const n = hand.stock + hand.hand_sizes.reduce((sum, cards) => sum + cards, 0);
      const body = texts.t("action.new_hand_body", { n });
      if ((await ask(byId("ask"), texts.t("action.new_hand_ask"), body, [["yes", words, true]], texts)) === null) return;
    }
    this.press({ type: "next_hand" }, words);
  }

  /** Sends a press and says what became of it. */
  async press(body, words) {
    try {
      const before = this.view.snapshot;
      const { entries } = await this.connection.press(body);
      const undo = FINAL.includes(body.type) ? null : [this.texts.t("action.undo"), () => this.press({ type: "undo" }, this.texts.t("action.undo"))];
      const moved = consequences(body, before, this.view.snapshot, entries, this.texts);
      this.toast.show(confirmed(body, words, this.texts), this.texts, { undo, moved });
    } catch (error) {
      this.refuse(error);
    }
  }

  refuse(error) {
    this.toast.show(this.texts.t("action.failed", { why: refusal(error, this.texts, this.view.snapshot) }), this.texts, { bad: true });
  }

  async preferenceChanged(name) {
    if (name === "theme") this.preferences.applyTheme();
    if (name === "speech") {
      this.announcer.hush();
      this.announcer.speak(this.texts.t("settings.speech"), this.texts.language); // some browsers want a tap first
    }
    if (name === "language") this.texts = await Texts.load(preferredLanguage(this.preferences.get("language")));
    this.render();
  }
}

function trickPlace(n, all, texts) {
  return all ? texts.t("trick.n_of", { n, all }) : texts.t("trick.n", { n });
}

const preferences = new Preferences();
document.documentElement.dataset.view = preferences.view;
installSprite();
const texts = await Texts.load(preferredLanguage(preferences.get("language")));
new Page(preferences, texts).start();
