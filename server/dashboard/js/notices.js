// What needs attention, in order of weight: the wire is cut, the thread is lost, a question, the camera is in trouble.

import { cardChip } from "./cards.js";
import { el, Panel } from "./dom.js";
import { icon } from "./icons.js";
import { seatName } from "./players.js";

const CAMERA_TROUBLE = ["STALLED", "RECONNECTING", "FAILED"];

export class Notices {
  #link;
  #lost;
  #questions;
  #camera;
  #press;

  constructor(root, press) {
    const part = (name) => new Panel(root.querySelector(`[data-part=${name}]`));
    this.#link = part("link");
    this.#lost = part("lost");
    this.#questions = part("questions");
    this.#camera = part("camera");
    this.#press = press;
  }

  /** Works before the first snapshot as well. */
  render({ snapshot, status, link, receivedAt }, texts) {
    const linkText = linkWords(link, receivedAt, texts);
    this.#link.node.hidden = linkText === null;
    this.#link.show([linkText], () => linkText && notice("link", "link", linkText.title, linkText.body));

    const lost = Boolean(snapshot?.lost);
    this.#lost.node.hidden = !lost;
    this.#lost.show([lost, texts.language], () => lost && this.#lostNotice(texts));

    const questions = snapshot?.questions ?? [];
    this.#questions.node.hidden = questions.length === 0;
    this.#questions.show([questions, snapshot?.seats, texts.language], () =>
      questions.map((question) => this.#question(question, snapshot, texts)),
    );

    const camera = CAMERA_TROUBLE.includes(status?.camera) ? status.camera : null;
    this.#camera.node.hidden = camera === null;
    this.#camera.show([camera, texts.language], () =>
      camera && notice("camera", "camera", texts.t(`camera.state.${camera}`), texts.t("camera.trouble")),
    );
  }

  #lostNotice(texts) {
    const way = (type, key) =>
      el("button", { type: "button", class: "button", onclick: () => this.#press({ type }, texts.t(key)) }, texts.t(key));
    return notice("lost", "warning", texts.t("lost.title"), texts.t("lost.body"), [
      way("found", "lost.found"),
      way("undo", "lost.undo"),
      way("next_hand", "lost.new_hand"),
    ]);
  }

  #question(question, snapshot, texts) {
    const key = `question.${question.text_key ?? question.kind}`;
    const words = texts.t(texts.has(key) ? key : "question.default", questionValues(question, snapshot, texts));
    const buttons = (question.options ?? []).map((option) => {
      const { label, card, press } = optionParts(option, question, snapshot, texts);
      return el(
        "button",
        { type: "button", class: "button button-option", onclick: () => this.#press(press, label) },
        card && cardChip(card, ""),
        el("span", {}, label),
      );
    });
    return notice("question", "question", texts.t("questions.title"), words, buttons);
  }
}

function notice(kind, iconName, title, body, buttons = []) {
  return el(
    "div",
    { class: "notice", "data-kind": kind },
    icon(iconName),
    el("div", { class: "notice-text" }, el("p", { class: "notice-title" }, title), body && el("p", {}, body)),
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

function questionValues(question, snapshot, texts) {
  const values = { ...(question.values ?? {}) };
  if (Number.isInteger(question.seat)) values.name = seatName(snapshot, question.seat, texts);
  if (Number.isInteger(question.trick)) values.trick = question.trick;
  if (question.card) values.card = texts.card(question.card);
  return values;
}

function optionParts(option, question, snapshot, texts) {
  return { label: String(option.label ?? option), card: option.card ?? null, press: option.press ?? option };
}
