// The wire to the server: one WebSocket, numbered messages, and an honest account of how fresh they are.
//
// Links: "connecting" (never had data), "live", "catching_up" (a number was missing: asked for everything again),
// "lost" (no wire, or silence that a question did not break). The page marks the score unless the link is "live".

import { Refusal } from "./requests.js";

const QUIET_MS = 8000; // after so long without a word, ask
const ANSWER_MS = 5000; // and wait so long for the answer
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15000;
const PRESS_MS = 8000;

export class Connection extends EventTarget {
  #address;
  #socket = null;
  #seq = null;
  #asked = 0;
  #link = "connecting";
  #retry = FIRST_RETRY_MS;
  #retryTimer = 0;
  #quietTimer = 0;
  #presses = new Map();
  #nextPress = 1;
  #version = null;
  #hadData = false;
  #stopped = false;

  constructor(address) {
    super();
    this.#address = address;
    addEventListener("online", () => this.#retryNow());
    document.addEventListener("visibilitychange", () => {
      // A phone that slept has a dead wire that looks alive.
      if (document.visibilityState !== "visible") return;
      if (this.#socket?.readyState === WebSocket.OPEN) this.#check();
      else this.#retryNow();
    });
  }

  get link() {
    return this.#link;
  }

  start() {
    this.#stopped = false;
    this.#open();
  }

  stop() {
    this.#stopped = true;
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#quietTimer);
    this.#socket?.close();
  }

  /** Sends what a person pressed; resolves when the server has noted it, rejects with a Refusal. */
  press(press) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Refusal("offline"));
    const id = this.#nextPress++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(id, "reject", new Refusal("offline")), PRESS_MS);
      this.#presses.set(id, { resolve, reject, timer });
      this.#send({ type: "press", id, press });
    });
  }

  #open() {
    clearTimeout(this.#retryTimer);
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    this.#seq = null;
    this.#asked = 0;
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#receive(event.data);
    });
    socket.addEventListener("close", () => {
      if (socket === this.#socket) this.#closed();
    });
    this.#watch();
  }

  #closed() {
    clearTimeout(this.#quietTimer);
    this.#socket = null;
    for (const id of [...this.#presses.keys()]) this.#settle(id, "reject", new Refusal("offline"));
    this.#setLink("lost");
    if (this.#stopped) return;
    // A little chance keeps all screens of a room from knocking at the same moment.
    const wait = this.#retry * (0.75 + Math.random() / 2);
    this.#retry = Math.min(this.#retry * 2, LAST_RETRY_MS);
    this.#retryTimer = setTimeout(() => this.#open(), wait);
  }

  #retryNow() {
    if (this.#stopped || this.#socket) return;
    this.#retry = FIRST_RETRY_MS;
    this.#open();
  }

  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Something is missing: asks for everything, once in a while until it comes. */
  #resync() {
    this.#setLink("catching_up");
    if (Date.now() - this.#asked < ANSWER_MS) return;
    this.#asked = Date.now();
    this.#send({ type: "resync" });
  }

  /** Asks whether the server still hears us. */
  #check() {
    this.#send({ type: "ping" });
    this.#watch(ANSWER_MS);
  }

  /** Calls for an answer after `wait` of silence, and gives the wire up when none comes. */
  #watch(wait = QUIET_MS) {
    clearTimeout(this.#quietTimer);
    const socket = this.#socket;
    this.#quietTimer = setTimeout(() => {
      if (socket !== this.#socket || !socket) return;
      if (wait === QUIET_MS && socket.readyState === WebSocket.OPEN) {
        this.#check();
        return;
      }
      socket.close();
      this.#closed(); // a dead wire may take minutes to report its close
    }, wait);
  }

  #receive(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      this.#resync();
      return;
    }
    this.#watch();
    if (message.type === "result") return this.#settle(message.id, "resolve", message);
    if (message.type === "error") {
      return this.#settle(message.id, "reject", new Refusal(message.code, message));
    }
    if (message.type === "hello") return this.#greet(message);
    if (!Number.isInteger(message.seq)) return undefined;
    if (message.type === "snapshot") return this.#whole(message, null);
    if (this.#seq === null || message.seq <= this.#seq) return undefined; // before the first snapshot, or seen
    if (message.type === "status") this.#tell("status", message.data); // whole in itself, gap or no gap
    if (message.seq !== this.#seq + 1) {
      this.#resync();
      return undefined;
    }
    if (message.type === "event") return this.#whole(message, message.event);
    this.#seq = message.seq;
    return undefined;
  }

  #greet(message) {
    if (this.#version !== null && this.#version !== message.version) location.reload(); // the server was updated
    this.#version = message.version;
  }

  #whole(message, event) {
    this.#seq = message.seq;
    this.#asked = 0;
    this.#hadData = true;
    this.#retry = FIRST_RETRY_MS;
    this.#tell("snapshot", { snapshot: message.data, event });
    this.#setLink("live");
  }

  #settle(id, how, value) {
    const waiting = this.#presses.get(id);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    this.#presses.delete(id);
    waiting[how](value);
  }

  #setLink(link) {
    if (link === this.#link) return;
    this.#link = link;
    this.#tell("link", { link, hadData: this.#hadData });
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
