// What the camera is doing, and its picture for those who want to see it. The server draws the picture only while
// somebody looks, so a hidden picture, a hidden tab and a cut wire all let go of it.

import { el, Panel, setText } from "./dom.js";
import { icon } from "./icons.js";

const STATES = ["INIT", "RUNNING", "STALLED", "RECONNECTING", "ENDED", "FAILED", "NONE"];
const SOURCE = "/live.mjpg";

/** Whether people note the cards: there is no camera, or it has failed. */
export function keptByHand({ snapshot, status }) {
  return ["NONE", "FAILED"].includes(status?.camera ?? firstState(snapshot));
}

/**
 * The key of the words for what the source is doing, `state` in one word. At the end they fit what was watched: a film
 * has come to its end, a game before a camera or kept by hand was ended.
 */
export function cameraWords(state, status, snapshot) {
  if (state !== "ENDED" && !(snapshot?.session.ended && state !== "UNKNOWN")) return `camera.state.${state}`;
  return status?.progress === 1 ? "camera.state.ENDED" : "camera.state.over";
}

/** What the header says and with which sign: without a link nothing is known of a camera, nor whether there is one. */
function chipWords(state, { link, status, snapshot }, texts) {
  return link === "lost" ? ["link", texts.t("link.chip")] : ["camera", texts.t(cameraWords(state, status, snapshot))];
}

/** What is known before the first word about the camera: that there is none. */
function firstState(snapshot) {
  return snapshot?.session.source === "none" ? "NONE" : null;
}

export class Camera {
  #chip;
  #details;
  #root;
  #button;
  #figure;
  #picture;
  #missing;
  #preferences;
  #last = null;

  constructor(chip, root, preferences) {
    this.#chip = new Panel(chip);
    this.#root = root;
    this.#preferences = preferences;
    const part = (name) => root.querySelector(`[data-part=${name}]`);
    this.#details = part("details");
    this.#button = part("toggle");
    this.#figure = part("figure");
    this.#picture = part("picture");
    this.#missing = part("missing");
    this.#button.addEventListener("click", () => {
      preferences.set("camera", !this.#wanted());
      this.#again();
    });
    this.#picture.addEventListener("error", () => this.#broken(true));
    this.#picture.addEventListener("load", () => this.#broken(false));
    document.addEventListener("visibilitychange", () => this.#again());
  }

  render(view, texts) {
    this.#last = [view, texts];
    const { snapshot, status, link } = view;
    const told = status?.camera ?? firstState(snapshot);
    const state = link === "lost" || !STATES.includes(told) ? "UNKNOWN" : told;
    const [sign, words] = chipWords(state, view, texts);
    this.#chip.node.dataset.state = state;
    this.#chip.node.hidden = link !== "lost" && told === null; // no word yet is no trouble
    this.#chip.show([words], () => [icon(sign), el("span", { "data-testid": "camera-state", "data-state": state }, words)]);
    setText(this.#details, detailWords(state === "UNKNOWN" ? null : status, texts));
    this.#root.hidden = state === "NONE";
    const shown = this.#wanted();
    setText(this.#button, texts.t(shown ? "camera.hide" : "camera.show"));
    this.#button.setAttribute("aria-expanded", String(shown));
    setText(this.#root.querySelector("h2"), texts.t("camera.title"));
    setText(this.#missing, texts.t("camera.no_picture"));
    this.#picture.alt = texts.t("camera.alt");
    this.#figure.hidden = !shown;
    this.#look(shown && link === "live" && document.visibilityState === "visible");
  }

  #again() {
    if (this.#last) this.render(...this.#last);
  }

  #wanted() {
    if (this.#preferences.view !== "normal") return false;
    return this.#preferences.get("camera") ?? matchMedia("(min-width: 60rem)").matches;
  }

  #look(wanted) {
    const looking = this.#picture.hasAttribute("src");
    if (wanted && !looking) {
      this.#picture.src = SOURCE;
    } else if (!wanted && looking) {
      this.#picture.removeAttribute("src"); // ends the request, so the server stops encoding
      this.#broken(false);
    }
  }

  #broken(broken) {
    this.#missing.hidden = !broken;
    this.#picture.hidden = broken;
  }
}

function detailWords(status, texts) {
  if (!status) return "";
  const words = [];
  if (typeof status.fps === "number") words.push(texts.t("camera.fps", { n: Math.round(status.fps) }));
  if (status.dropped > 0) words.push(texts.t("camera.dropped", { n: status.dropped }));
  if (typeof status.progress === "number") words.push(texts.t("camera.progress", { p: Math.round(status.progress * 100) }));
  return words.join(" · ");
}
