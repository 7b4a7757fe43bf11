// Where the focus is, so that it is found again once what had it was drawn anew: who uses keys goes on where he was.

const NAMES = ["id", "data-testid", "data-play", "data-place", "data-trick"]; // what stays the same, the surest first
const FOCUSABLE = "button, a[href], input, select, textarea, summary, [tabindex]";

/** The place of the focus in its panel, with the ways to find it there again; null where no panel has the focus. */
export function spot(panel = document.activeElement?.closest("[data-panel]")) {
  const node = document.activeElement;
  if (!panel?.contains(node)) return null;
  const ways = [];
  for (let one = node; one !== panel; one = one.parentElement) {
    for (const name of NAMES) if (one.hasAttribute(name)) ways.push(`[${name}="${CSS.escape(one.getAttribute(name))}"]`);
  }
  return { panel, ways };
}

/** Gives the focus to what stands at that place now: the same thing, what it was part of, else the head of its panel. */
export function refocus(place) {
  if (!place) return;
  const { panel, ways } = place;
  const found = ways.map((way) => panel.querySelector(way)).map((one) => (!one || one.matches(FOCUSABLE) ? one : one.querySelector(FOCUSABLE)));
  const heads = [panel.querySelector("h2"), panel.closest("section"), document.getElementById("score"), document.querySelector("main")];
  for (const node of [...found, ...heads].filter(Boolean)) if (take(node)) return;
}

/** To be called before `panel` is drawn anew; what it gives back is called afterwards. */
export function keepFocus(panel) {
  const place = spot(panel);
  return () => panel.contains(document.activeElement) || refocus(place);
}

function take(node) {
  const plain = !node.matches(FOCUSABLE);
  if (plain) node.setAttribute("tabindex", "-1");
  node.focus({ preventScroll: true }); // who has scrolled on meanwhile, with a finger, is not called back
  if (plain) node.addEventListener("blur", () => node.removeAttribute("tabindex"), { once: true });
  return document.activeElement === node;
}
