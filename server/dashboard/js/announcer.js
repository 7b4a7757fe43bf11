// Says what has happened: for screen readers always, aloud when somebody asked for it.
// It compares two snapshots; what was already there when the page opened is not news.

import { cameraWords } from "./camera.js";
import { setText } from "./dom.js";
import { countedTricks } from "./hand.js";
import { decidedWords } from "./known.js";
import { verdictWords } from "./match.js";
import { scoreLine, seatName } from "./players.js";
import { resultTitle } from "./result.js";
import { trickWhy } from "./table.js";
import { violationTitle } from "./violations.js";

const VOICES = { es: "es-ES", en: "en-GB", it: "it-IT", pt: "pt-PT" };

/** The news between two snapshots: a list of {text, urgent}. */
export function news(before, now, texts) {
  if (!before || before.session.id !== now.session.id) return [];
  const said = [];
  if (now.lost && !before.lost) {
    const entered = now.questions.some((one) => one.kind === "lost" && one.text_key === "question.order");
    said.push({ text: entered ? `${texts.t("lost.entered")}.` : texts.t("say.lost"), urgent: true });
  }
  const sameHand = before.hand?.n === now.hand?.n;
  const had = sameHand ? countedTricks(before.hand) : [];
  const has = countedTricks(now.hand);
  const last = has.at(-1);
  const scores = scoreLine(now, texts);
  if (has.length > had.length && Number.isInteger(last.winner)) {
    const name = seatName(now, last.winner, texts);
    const points = texts.t("score.points", { n: last.points });
    said.push({
      text: last.why
        ? texts.t("say.trick", { name, points, why: trickWhy(last, texts), scores })
        : `${texts.t("table.last_line", { name, points })}. ${scores}.`,
      urgent: false,
    });
    const decided = decidedWords(now, texts);
    if (decided && decided !== decidedWords(before, texts)) said.push({ text: `${decided}.`, urgent: false });
  } else if (sameHand && scoreLine(before, texts) !== scores) {
    said.push({ text: texts.t("say.correction", { scores }), urgent: false });
  }
  const open = new Set(before.questions.map((one) => one.id));
  if (now.questions.some((one) => one.kind !== "lost" && !open.has(one.id))) said.push({ text: texts.t("say.question"), urgent: false });
  const known = new Set(before.violations.filter((one) => one.certainty === "certain").map((one) => one.key));
  for (const one of now.violations) {
    if (one.certainty !== "certain" || known.has(one.key)) continue; // a suspicion is shown, never proclaimed
    const name = Number.isInteger(one.seat) ? seatName(now, one.seat, texts) : "";
    said.push({ text: texts.t("say.violation", { what: violationTitle(one, texts), name }), urgent: true });
  }
  if (now.hand?.result && !(sameHand && before.hand?.result)) {
    said.push({ text: texts.t("say.result", { result: resultTitle(now, now.hand.result, texts), scores }), urgent: false });
  }
  const verdict = verdictWords(now, texts);
  if (verdict && verdict !== verdictWords(before, texts)) said.push({ text: `${verdict}.`, urgent: false });
  return said;
}

export class Announcer {
  #polite;
  #assertive;
  #preferences;
  #before = null;
  #camera = null;

  constructor(polite, assertive, preferences) {
    this.#polite = polite;
    this.#assertive = assertive;
    this.#preferences = preferences;
  }

  static get canSpeak() {
    return "speechSynthesis" in window && "SpeechSynthesisUtterance" in window;
  }

  render({ snapshot, status }, texts) {
    const said = news(this.#before, snapshot, texts);
    this.#sayCamera(snapshot, status, texts);
    this.#before = snapshot;
    const polite = said.filter((one) => !one.urgent).map((one) => one.text);
    const urgent = said.filter((one) => one.urgent).map((one) => one.text);
    if (polite.length) setText(this.#polite, polite.join(" "));
    if (urgent.length) setText(this.#assertive, urgent.join(" "));
    for (const one of said) this.speak(one.text, texts.language);
  }

  /** Trouble with the camera and its end, aloud only: the notice on the page is an alert of its own. */
  #sayCamera(snapshot, status, texts) {
    if (!status) return;
    const scene = status.scene !== "ok" && status.camera === "RUNNING" ? `scene.${status.scene}` : null;
    const now = scene ?? cameraWords(status.camera, status, snapshot);
    if (this.#camera !== null && now !== this.#camera && texts.has(now)) this.speak(texts.t(now), texts.language);
    this.#camera = now;
  }

  /** Speaks when the voice is on; nothing otherwise. */
  speak(text, language) {
    if (!this.#preferences.get("speech") || !Announcer.canSpeak) return;
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = VOICES[language];
    utterance.rate = 0.95;
    speechSynthesis.speak(utterance);
  }

  /** Cuts the voice short, for instance when it was switched off. */
  hush() {
    if (Announcer.canSpeak) speechSynthesis.cancel();
  }
}
