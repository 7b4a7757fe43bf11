// The page: puts the panels together and keeps them fed with what the wire brings.

import { Actions, refusal, Toast } from "./actions.js";
import { Announcer } from "./announcer.js";
import { Camera } from "./camera.js";
import { installSprite } from "./cards.js";
import { Connection } from "./connection.js";
import { setText } from "./dom.js";
import { icon } from "./icons.js";
import { Idle } from "./idle.js";
import { Match } from "./match.js";
import { preferredLanguage, Texts } from "./i18n.js";
import { Notices } from "./notices.js";
import { CardPicker } from "./picker.js";
import { Preferences } from "./preferences.js";
import { Result } from "./result.js";
import { Scoreboard } from "./scoreboard.js";
import { Settings } from "./settings.js";
import { Table } from "./table.js";
import { TrickList } from "./tricks.js";
import { Violations } from "./violations.js";

const byId = (id) => document.getElementById(id);

class Page {
  constructor(preferences, texts) {
    this.preferences = preferences;
    this.texts = texts;
    this.view = { snapshot: null, status: null, link: "connecting", receivedAt: null };
    const press = (body, words) => this.press(body, words);
    this.toast = new Toast(byId("toast"));
    this.picker = new CardPicker(byId("picker"), press);
    const correct = (play, snapshot) => this.picker.open(play, snapshot, this.texts);
    this.notices = new Notices(byId("link"), byId("attention"), press, correct);
    this.camera = new Camera(byId("camera-chip"), byId("camera"), preferences);
    this.announcer = new Announcer(byId("polite"), byId("assertive"), preferences);
    this.settings = new Settings(byId("settings"), byId("settings-button"), preferences, (name) => this.preferenceChanged(name));
    this.panels = [
      new Idle(byId("idle")),
      new Match(byId("match")),
      new Scoreboard(byId("score")),
      new Table(byId("table"), byId("last"), correct),
      new TrickList(byId("tricks"), correct),
      new Violations(byId("violations"), press),
      new Actions(byId("actions"), press),
      new Result(byId("result"), press),
      this.announcer,
    ];
    byId("settings-button").prepend(icon("settings"));
    this.connection = new Connection(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    this.connection.addEventListener("snapshot", ({ detail }) => this.update({ snapshot: detail.snapshot, receivedAt: new Date() }));
    this.connection.addEventListener("status", ({ detail }) => this.update({ status: detail }));
    this.connection.addEventListener("link", ({ detail }) => this.update({ link: detail.link }));
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
    const phase = hand?.phase ?? "none";
    const key = `phase.${phase}`;
    byId("phase").dataset.phase = phase;
    setText(byId("phase"), texts.t(texts.has(key) ? key : "phase.none"));
    const place = hand ? [texts.t("hand.n", { n: hand.n })] : [];
    if (hand?.trick?.n && phase !== "result") place.push(trickPlace(hand.trick.n, view.snapshot.rules.tricks, texts));
    setText(byId("place"), place.join(" · "));
  }

  /** Sends a press and says what became of it. */
  async press(body, words) {
    try {
      await this.connection.press(body);
      this.toast.show(this.texts.t("action.sent", { what: words }));
    } catch (error) {
      this.toast.show(this.texts.t("action.failed", { why: refusal(error, this.texts) }), true);
    }
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
