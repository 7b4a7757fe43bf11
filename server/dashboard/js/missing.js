// There is nothing at this address: says so, and where the ways lead on.

import { el } from "./dom.js";
import { openFrame } from "./frame.js";
import { icon } from "./icons.js";

const node = document.getElementById("missing");
const game = location.pathname.startsWith("/history/");

await openFrame(game ? "history" : "", "missing.title", (texts) => {
  node.replaceChildren(
    el("h2", {}, texts.t("missing.title")),
    el("p", {}, texts.t(game ? "refused.no_such_game" : "missing.body")),
    el(
      "div",
      { class: "sheet-buttons" },
      el("a", { class: "button", href: "/" }, icon("arrow"), el("span", {}, texts.t("pages.board"))),
      el("a", { class: "button", href: "/history" }, icon("arrow"), el("span", {}, texts.t("pages.history"))),
    ),
  );
});
