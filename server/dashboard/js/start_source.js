// First question of the start page: where the pictures come from; with a look through the camera.

import { choice, field } from "./choice.js";
import { el, setText } from "./dom.js";
import { icon } from "./icons.js";
import { seatName } from "./start_people.js";
import { picture, send } from "./requests.js";
import { troubleDetail, troubleWords } from "./troubles.js";

const KINDS = ["camera", "stream", "film", "demo", "none"];
const UNASKED = ["demo", "none"]; // kinds with nothing to choose and nothing to look through
const LOOK_MS = 1200;
const TYPING_MS = 900;

export class Source {
  #node;
  #people;
  #kind;
  #values = { camera: "", stream: "", film: "", demo: "", none: "" };
  #cameras = null; // null: not looked for yet
  #texts = null;
  #parts = {};
  #timer = 0;
  #looked = 0; // counts the looks: an answer to an old one is thrown away
  #address = null;
  #resting = false;

  constructor(node, before, people) {
    this.#node = node;
    this.#people = people;
    this.#kind = KINDS.includes(before?.kind) ? before.kind : "camera";
    if (before?.value) this.#values[this.#kind] = before.value;
    document.addEventListener("visibilitychange", () => this.#look());
  }

  get value() {
    return { kind: this.#kind, value: this.#values[this.#kind].trim() };
  }

  /** What keeps a game from beginning: {key, node}, null if nothing does. */
  trouble() {
    if (UNASKED.includes(this.#kind) || this.value.value) return null;
    return { key: `start.missing.${this.#kind}`, node: this.#node.querySelector(".source-detail input, .source-detail button") };
  }

  rest() {
    this.#resting = true;
    clearTimeout(this.#timer);
  }

  wake() {
    this.#resting = false;
    this.#look();
  }

  render(texts) {
    this.#texts = texts;
    const kinds = KINDS.map((kind) => [kind, texts.t(`start.kind.${kind}`), { hint: texts.t(`start.kind.${kind}.hint`) }]);
    const picked = (kind) => {
      this.#kind = kind;
      this.#detail();
    };
    this.#parts = {
      detail: el("div", { class: "source-detail" }),
      plan: el("div", { class: "plan", "aria-hidden": "true" }),
      said: el("p", { class: "nothing", role: "status", "data-testid": "preview-said" }),
    };
    this.#node.replaceChildren(
      el("h2", {}, texts.t("start.source")),
      choice("kind", texts.t("start.source_ask"), kinds, this.#kind, picked),
      el("div", { class: "source-look" }, this.#parts.detail, el("figure", {}, this.#parts.plan, this.#parts.said)),
    );
    this.#detail();
  }

  /** The names around the picture, where their owners sit. */
  drawPlan() {
    const { plan } = this.#parts;
    if (!plan || !this.#texts) return;
    for (const old of plan.querySelectorAll(".plan-name")) old.remove();
    this.#people.people.forEach((person, seat) => {
      plan.append(el("span", { class: "plan-name", "data-place": person.side }, seatName(person, seat, this.#texts)));
    });
  }

  #detail() {
    const texts = this.#texts;
    const { detail, plan } = this.#parts;
    detail.replaceChildren(...this.#questions(texts).filter(Boolean));
    plan.replaceChildren(el("img", { class: "plan-picture", alt: "", "data-testid": "preview", hidden: true }), el("span", { class: "plan-empty" }));
    this.drawPlan();
    this.#say("");
    if (this.#kind === "camera" && this.#cameras === null) this.#find();
    this.#look();
  }

  #questions(texts) {
    if (this.#kind === "camera") {
      const cameras = this.#cameras ?? [];
      const found = cameras.map((camera) => [
        String(camera.index),
        camera.label || texts.t("start.camera_n", { n: camera.index }),
        { hint: `${camera.width} × ${camera.height}${camera.in_use ? ` · ${texts.t("start.camera_used")}` : ""}` },
      ]);
      const picked = (index) => {
        this.#values.camera = index;
        this.#look();
      };
      return [
        cameras.length > 0 && choice("camera", texts.t("start.cameras"), found, this.#values.camera, picked),
        el("button", { type: "button", class: "button", "data-testid": "find", onclick: () => this.#find() }, icon("camera"), el("span", {}, texts.t("start.find"))),
      ];
    }
    if (UNASKED.includes(this.#kind)) return [el("p", {}, texts.t(`start.${this.#kind}`))];
    const typed = (text) => {
      this.#values[this.#kind] = text;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#look(), TYPING_MS);
    };
    const more =
      this.#kind === "stream" ? { type: "url", inputmode: "url", placeholder: texts.t("start.stream_example"), maxlength: 2000 } : { maxlength: 2000, placeholder: texts.t("start.film_example") };
    return [field(`source-${this.#kind}`, texts.t(`start.${this.#kind}`), this.#values[this.#kind], typed, more), el("p", {}, texts.t(`start.${this.#kind}_how`))];
  }

  async #find() {
    const texts = this.#texts;
    this.#say(texts.t("start.finding"));
    clearTimeout(this.#timer);
    this.#looked += 1;
    let words = "";
    try {
      const { cameras } = await send("/api/cameras");
      this.#cameras = cameras;
      if (!cameras.some((one) => String(one.index) === this.#values.camera)) this.#values.camera = cameras.length ? String(cameras[0].index) : "";
      words = cameras.length ? "" : this.#texts.t("start.no_camera");
    } catch (error) {
      this.#cameras ??= [];
      words = troubleWords(error, this.#texts);
    }
    if (this.#kind !== "camera") return;
    const had = document.activeElement?.dataset.testid === "find";
    this.#detail();
    if (had) this.#node.querySelector("[data-testid=find]")?.focus();
    if (words) this.#say(words);
  }

  /** Fetches the picture, again and again from what is live. */
  async #look() {
    clearTimeout(this.#timer);
    const asked = ++this.#looked;
    const source = this.value;
    if (UNASKED.includes(source.kind) || !source.value || this.#resting || document.visibilityState !== "visible") return;
    if (this.#shown() === null) this.#say(this.#texts.t("start.looking"));
    let again = source.kind !== "film";
    try {
      const blob = await picture("/api/preview", source);
      if (asked !== this.#looked) return;
      this.#show(URL.createObjectURL(blob));
      this.#say("");
    } catch (error) {
      if (asked !== this.#looked) return;
      again = false;
      this.#show(null);
      this.#say(troubleWords(error, this.#texts), troubleDetail(error, this.#texts));
    }
    if (again) this.#timer = setTimeout(() => this.#look(), LOOK_MS);
  }

  #shown() {
    return this.#address;
  }

  #show(address) {
    const image = this.#parts.plan.querySelector("img");
    if (this.#address) URL.revokeObjectURL(this.#address);
    this.#address = address;
    image.hidden = address === null;
    if (address) image.src = address;
  }

  #say(words, detail = "") {
    const { said } = this.#parts;
    if (detail) said.replaceChildren(el("span", {}, words), el("small", { lang: "en" }, detail));
    else setText(said, words);
  }
}
