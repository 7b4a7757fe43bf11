// Taps of a shaky finger: the second of two at one place must not hit what the first one has brought there.

const TWICE_MS = 450; // so long after a tap...
const TWICE_PX = 30; // ...and so near to it a second one is a shaky finger's, and not meant for what has come there since
const NONE = { t: -Infinity, x: 0, y: 0 };
let last = NONE;
let changed = -Infinity;

document.addEventListener(
  "click",
  (event) => {
    const t = performance.now();
    const near = Math.hypot(event.clientX - last.x, event.clientY - last.y) <= TWICE_PX;
    if (event.detail > 0 && near && changed >= last.t && t - last.t < TWICE_MS) {
      event.stopImmediatePropagation();
      event.preventDefault();
      return;
    }
    last = { t, x: event.clientX, y: event.clientY };
  },
  { capture: true },
);

// What was closed with a key was not closed by the finger that taps next.
document.addEventListener("keydown", () => (last = NONE), { capture: true });

/** To be called when a sheet was opened, closed, or turned to another page. */
export function turned() {
  changed = performance.now();
}
