// What needs attention: the wire is cut, the thread is lost, the camera is in trouble, a question is open.

import { cardChip } from "./cards.js";
import { el, Panel } from "./dom.js";
import { allPlays } from "./hand.js";
import { icon } from "./icons.js";
import { LateForm } from "./late.js";
import { seatName } from "./players.js";

const CAMERA_TROUBLE = ["STALLED", "RECONNECTING", "FAILED"];
const SCENE_TROUBLE = ["dark", "moved"];
const MOST_QUESTIONS = 2; // more at once only frighten; the rest comes when these are answered
const WAYS = {
  found: "lost.found",
  remove_play: "lost.remove_play",
  end_hand: "lost.end_hand",
  undo: "lost.undo",
  next_hand: "lost.new_hand",
  mirror: "mirror.back",
};

const ORDER_WAYS = ["add_play", "correct_seat", "confirm"];

/** What "it is right as shown" is called where the question is not about a lost thread. */
const RIGHT = { mirror: "mirror.right" };

const ASKED = { away: "question.away", mirror: "question.mirror", alcaide: "question.alcaide" };

export class Notices {
  #link;
  #lost;
  #questions;
  #camera;
  #paused;
  #press;
  #sheets;
  #late = new LateForm();

  /**
   * `link` is the place for the wire's troubles, `root` for all others (below the score, which must stay in sight);
   * `sheets`: `correct(play, snapshot)` puts a card right, `insert(play, seat, snapshot)` asks for the one that `seat`
   * laid before it, `add()` for one that the camera cannot see.
   */
  constructor(link, root, press, sheets) {
    const part = (name) => new Panel(root.querySelector(`[data-part=${name}]`));
    this.#link = new Panel(link);
    this.#lost = part("lost");
    this.#questions = part("questions");
    this.#camera = part("camera");
    this.#paused = part("paused");
    this.#sheets = sheets;
    this.#press = press;
  }

  /** Works before the first snapshot as well. */
  render({ snapshot, status, link, receivedAt }, texts) {
    const linkText = linkWords(link, receivedAt, texts);
    this.#link.node.hidden = linkText === null;
    this.#link.show([linkText], () => linkText && notice("link", "link", linkText.title, linkText.body));

    const lost = Boolean(snapshot?.lost);
    const asked = snapshot?.questions ?? [];
    const ways = lost ? waysBack(asked) : [];
    const entered = enteredWrong(ways, snapshot);
    this.#lost.node.hidden = !lost;
    const plays = (entered || asked.some((question) => question.kind === "order")) && allPlays(snapshot.hand); // named in the ways
    this.#lost.show([lost, ways, entered, entered && plays, snapshot?.seats, texts.language], () => lost && this.#lostNotice(ways, entered, snapshot, texts));

    const questions = asked.filter((question) => question.kind !== "lost").slice(0, MOST_QUESTIONS);
    this.#questions.node.hidden = questions.length === 0;
    const late = questions.some((question) => question.kind === "late") && [snapshot.hand.missed, snapshot.scores.length];
    this.#questions.show([questions, late, plays, snapshot?.seats, texts.language], () =>
      questions.map((question) => this.#question(question, snapshot, texts)),
    );

    const paused = Boolean(snapshot?.session.paused && !snapshot.session.ended);
    this.#paused.node.hidden = !paused;
    this.#paused.show([paused, texts.language], () => {
      const words = texts.t("action.resume");
      const go = el("button", { type: "button", class: "button", onclick: () => this.#press({ type: "resume" }, words) }, icon("play"), el("span", {}, words));
      return paused && notice("paused", "pause", texts.t("paused.title"), texts.t("paused.body"), [go]);
    });

    // While it is looked for, the title says it all.
    const why = status?.camera === "FAILED" ? failureWords(status.reason, texts) : "";
    const ended = Boolean(snapshot?.session.ended); // nobody waits for a picture any more
    const camera = !ended && CAMERA_TROUBLE.includes(status?.camera) ? status.camera : null;
    const scene = !ended && camera === null && SCENE_TROUBLE.includes(status?.scene) ? status.scene : null;
    this.#camera.node.hidden = camera === null && scene === null;
    this.#camera.show([camera, scene, why, texts.language, Boolean(snapshot)], () => this.#cameraNotice(camera, scene, why, snapshot, texts));
  }

  #cameraNotice(camera, scene, why, snapshot, texts) {
    if (camera === null && scene === null) return null;
    const buttons = snapshot
      ? [el("button", { type: "button", class: "button", "data-testid": "by-hand", onclick: () => this.#sheets.add() }, icon("add"), el("span", {}, texts.t("camera.by_hand")))]
      : [];
    if (scene !== null) return notice("camera", scene === "dark" ? "sun" : "camera", texts.t(`scene.${scene}`), texts.t(`scene.${scene}.body`), buttons);
    return notice("camera", "camera", texts.t(`camera.state.${camera}`), why || texts.t("camera.trouble"), buttons);
  }

  /** `entered`: the violation by which cards that people noted do not go together; null where a camera lost its way. */
  #lostNotice(ways, entered, snapshot, texts) {
    const buttons = ways.map((press) => this.#way(press, snapshot, texts));
    if (entered) return notice("lost", "warning", texts.t("lost.entered"), orderWords(entered, snapshot, texts), buttons);
    return notice("lost", "warning", texts.t("lost.title"), texts.t("lost.body"), buttons);
  }

  /** A way out as a button: it sends the press, or asks first for the card that it lacks. */
  #way(press, snapshot, texts) {
    const words = wayWords(press, snapshot, texts);
    const go = () => {
      if (press.type !== "add_play") return this.#press(press, words);
      const play = allPlays(snapshot.hand).find((one) => one.id === press.before);
      return play && this.#sheets.insert(play, press.seat, snapshot);
    };
    return el("button", { type: "button", class: "button", "data-way": press.type, onclick: go }, words);
  }

  #question(question, snapshot, texts) {
    if (question.kind === "late") {
      const form = this.#late.render(snapshot, this.#press, texts);
      return notice("question", "question", texts.t("late.title"), texts.t("late.body"), [form]);
    }
    const presses = (question.options ?? []).map(bare);
    if (question.kind === "order") {
      const wrong = enteredWrong(presses, snapshot);
      const ways = presses.map((press) => this.#way(press, snapshot, texts));
      return notice("question", "question", texts.t("questions.title"), wrong && orderWords(wrong, snapshot, texts), ways);
    }
    const asked = presses.find((press) => press.play)?.play ?? question.id.replace(/^card:/, "");
    const play = allPlays(snapshot.hand).find((one) => one.id === asked);
    const words =
      question.kind !== "card" ? texts.t(ASKED[question.kind] ?? "question.default", { n: presses[0]?.hand ?? "" })
      : play ? texts.t("question.card", { name: seatName(snapshot, play.seat, texts), trick: play.trick })
      : texts.t("question.card_short");
    const buttons = presses.map((press) => {
      const way = (press.type === "found" && RIGHT[question.kind]) || WAYS[press.type];
      const name = press.type === "set_alcaide" ? seatName(snapshot, press.seat, texts) : null;
      const label = name ?? (press.card ? texts.card(press.card) : texts.t(way ?? "question.other"));
      const said = name ? texts.t("fix.alcaide_done", { name }) : label;
      return el(
        "button",
        { type: "button", class: "button button-option", "data-seat": press.seat, onclick: () => this.#press(press, said) },
        press.card && cardChip(press.card, ""),
        el("span", {}, label),
      );
    });
    if (play) {
      const who = { name: seatName(snapshot, play.seat, texts), n: play.trick };
      const label = buttons.length ? texts.t("question.pick") : texts.t("clash.other", who);
      const pick = () => this.#sheets.correct(play, snapshot);
      buttons.push(el("button", { type: "button", class: "button", onclick: pick }, label));
    }
    return notice("question", "question", texts.t("questions.title"), words, buttons);
  }
}

/** The presses that lead back: those the referee offers; by default "it fits", undo, new hand. */
function waysBack(questions) {
  const offered = questions.find((question) => question.kind === "lost")?.options.map(bare) ?? [];
  const known = offered.filter((press) => press.type in WAYS || ORDER_WAYS.includes(press.type));
  if (!known.length) return [{ type: "found" }, { type: "undo" }, { type: "next_hand" }];
  return known.some((press) => press.type === "undo") ? known : [...known, { type: "undo" }];
}

/** The violation that the ways out of what was entered are about: one of them says that it was so. */
function enteredWrong(ways, snapshot) {
  const so = ways.find((press) => press.type === "confirm" && press.violation);
  return (so && snapshot?.violations.find((one) => one.key === so.violation)) ?? null;
}

function orderWords({ seat, trick }, snapshot, texts) {
  return texts.t("question.order", { name: seatName(snapshot, seat, texts), n: trick });
}

function wayWords(press, snapshot, texts) {
  const plays = allPlays(snapshot.hand);
  const card = (id) => {
    const play = plays.find((one) => one.id === id);
    return { card: play?.card ? texts.card(play.card) : texts.t("table.unknown"), n: play?.trick ?? "" };
  };
  const name = Number.isInteger(press.seat) ? seatName(snapshot, press.seat, texts) : "";
  switch (press.type) {
    case "add_play":
      return texts.t("order.missing", { name, ...card(press.before) });
    case "correct_seat":
      return texts.t("order.other_led", { name, ...card(press.play) });
    case "confirm":
      return texts.t("order.was_so");
    default:
      return texts.t(WAYS[press.type] ?? "question.other");
  }
}

/** An option as the press it is: its probability is for the eye only. */
function bare({ p, ...press }) {
  return press;
}

/** Why the camera will not come back by itself, and what can be done: `reason` is the server's word for it. */
function failureWords(reason, texts) {
  const kind = /^(camera|stream)_/.exec(reason ?? "")?.[1] ?? "other";
  return `${texts.t(`camera.failed.${kind}`)} ${texts.t("camera.failed")}`;
}

function notice(kind, iconName, title, body, buttons = []) {
  return el(
    "div",
    { class: "notice", "data-kind": kind },
    icon(iconName),
    el(
      "div",
      { class: "notice-text" },
      el("p", { class: "notice-title" }, title),
      body && el("p", {}, body),
    ),
    buttons.length > 0 && el("div", { class: "notice-buttons" }, buttons),
  );
}

function linkWords(link, receivedAt, texts) {
  if (link === "live") return null;
  if (link === "connecting") return { title: texts.t("link.connecting"), body: "" };
  if (link === "catching_up") return { title: texts.t("link.catching_up"), body: "" };
  const title = receivedAt ? texts.t("link.lost", { time: texts.time(receivedAt) }) : texts.t("link.lost_empty");
  return { title, body: texts.t("link.retrying") };
}
