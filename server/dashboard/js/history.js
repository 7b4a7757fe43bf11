// The history: all games in short, what each player has done, and forgetting a player.

import { ask, select } from "./choice.js";
import { el } from "./dom.js";
import { openFrame } from "./frame.js";
import { icon, sideShape } from "./icons.js";
import { bars, columns } from "./plots.js";
import { seatName } from "./players.js";
import { get, send } from "./requests.js";
import { troubleDetail, troubleWords } from "./troubles.js";

const byId = (id) => document.getElementById(id);
const SHOWN = 30; // games at first; the rest on demand

/** Day and time as the reader writes them. */
export function when(text, texts) {
  return new Date(text).toLocaleString(texts.locale, { dateStyle: "medium", timeStyle: "short" });
}

/** The name of a side of a game in the list. */
function gameSide(game, side, texts) {
  return texts.join(game.sides[side].map((seat) => seatName(game, seat, texts)));
}

class HistoryPage {
  constructor(games, players) {
    this.games = games;
    this.players = players;
    this.shown = SHOWN;
    this.chosen = players[0]?.name ?? null;
  }

  render(texts) {
    this.texts = texts;
    this.renderGames();
    this.renderPlayers();
    this.renderForget();
  }

  renderGames() {
    const { texts, games } = this;
    byId("games").replaceChildren(
      el("h2", {}, texts.t("history.games"), games.length > 0 && el("span", { class: "count" }, games.length)),
      games.length
        ? el("ul", { class: "game-list" }, games.slice(0, this.shown).map((game) => this.#game(game)))
        : el("p", { class: "nothing" }, texts.t("history.none")),
      ...(games.length > this.shown
        ? [el("button", { type: "button", class: "button", onclick: () => this.#more() }, texts.t("history.more", { n: games.length - this.shown }))]
        : []),
    );
  }

  #more() {
    const first = this.shown;
    this.shown = this.games.length;
    this.renderGames();
    byId("games").querySelectorAll(".game-link")[first]?.focus();
  }

  #game(game) {
    const { texts } = this;
    const counted = game.counts === "wins" ? game.wins : game.points;
    return el(
      "li",
      {},
      el(
        "a",
        { class: "game-link", href: `/history/${encodeURIComponent(game.id)}`, "data-testid": "game" },
        el("span", { class: "game-when" }, when(game.started, texts)),
        el(
          "span",
          { class: "game-sides" },
          game.sides.map((_, side) =>
            el(
              "span",
              { class: "game-side", "data-winner": side === game.winner, "data-side": side % 6 },
              sideShape(side),
              el("span", { class: "game-name" }, gameSide(game, side, texts)),
              el("strong", {}, counted[side]),
              side === game.winner && [icon("cup"), el("span", { class: "visually-hidden" }, texts.t("history.winner"))],
            ),
          ),
        ),
        el("span", { class: "game-rules" }, this.#about(game).join(" · ")),
      ),
    );
  }

  /** Rules, hands, how far it came; the demo is marked, as it does not count for anybody. */
  #about(game) {
    const { texts } = this;
    const open = game.hands > 0 && game.status === "running";
    return [
      game.demo && texts.t("history.demo"),
      texts.t(`profile.${game.rules}`),
      game.hands ? texts.t("match.wins", { n: game.hands }) : texts.t("history.unfinished"),
      open && texts.t("history.open"),
    ].filter(Boolean);
  }

  renderPlayers() {
    const { texts, players } = this;
    byId("players").hidden = players.length === 0;
    if (!players.length) return;
    const mean = (value) => (value === null ? "–" : value.toLocaleString(texts.locale, { maximumFractionDigits: 1 }));
    const percent = (player) => (player.hands ? Math.round((100 * player.won) / player.hands) : 0);
    const heads = ["player", "games", "hands", "won", "mean", "best", "briscas", "exchanges", "arrastres", "missed"];
    const cells = (player) => [
      player.games, player.hands, `${player.won} (${percent(player)} %)`, mean(player.mean), player.best ?? "–",
      player.briscas, player.exchanges, player.arrastres, player.missed,
    ];
    // On a narrow screen the lines of the table stand below each other: no figure may lie beside the screen, unseen. The
    // roles are said because a table that is laid out otherwise is none for some screen readers.
    const said = (head) => texts.t(`statistics.${head}`);
    const figures = (player) => cells(player).map((cell, i) => el("td", { role: "cell", "data-head": said(heads[i + 1]) }, cell));
    byId("players").replaceChildren(
      el("h2", {}, texts.t("statistics.title")),
      el(
        "div",
        { class: "table-frame", role: "region", tabindex: 0, "aria-label": texts.t("statistics.title") },
        el(
          "table",
          { role: "table" },
          el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, heads.map((head) => el("th", { scope: "col", role: "columnheader" }, said(head))))),
          el("tbody", { role: "rowgroup" }, players.map((player) => el("tr", { role: "row", "data-player": player.name }, el("th", { scope: "row", role: "rowheader" }, player.name), figures(player)))),
        ),
      ),
      el("p", { class: "nothing" }, texts.t("statistics.brisca")),
      el(
        "div",
        { class: "plots" },
        bars(texts.t("statistics.plot_won"), players.map((player) => ({ label: player.name, value: percent(player), words: `${percent(player)} %` })), 100),
        bars(texts.t("statistics.plot_mean"), players.map((player) => ({ label: player.name, value: player.mean ?? 0, words: mean(player.mean) })), 120),
        el("div", { class: "plot-player" }),
      ),
    );
    this.#course();
  }

  /** The points of one player, hand by hand. */
  #course() {
    const { texts, players } = this;
    const player = players.find((one) => one.name === this.chosen) ?? players[0];
    byId("players").querySelector(".plot-player").replaceChildren(
      select("plot-name", texts.t("statistics.plot_player"), players.map((one) => [one.name, one.name]), player.name, (name) => {
        this.chosen = name;
        this.#course();
        byId("plot-name").focus();
      }),
      columns(texts.t("statistics.plot_points", { name: player.name }), player.points.map((one) => one.points), Math.max(90, player.best ?? 0), 60),
    );
  }

  renderForget() {
    const { texts, players } = this;
    byId("forget").hidden = players.length === 0;
    if (!players.length) return;
    let name = players[0].name;
    byId("forget").replaceChildren(
      el("h2", {}, texts.t("forget.title")),
      el("p", {}, texts.t("forget.how")),
      el(
        "div",
        { class: "forget-row" },
        select("forget-name", texts.t("forget.who"), players.map((one) => [one.name, one.name]), name, (chosen) => {
          name = chosen;
        }),
        el("button", { type: "button", class: "button button-grave", "data-testid": "forget-go", onclick: () => this.#forget(name) }, icon("bin"), el("span", {}, texts.t("forget.go"))),
      ),
    );
  }

  async #forget(name) {
    const { texts } = this;
    const answers = [["name", texts.t("forget.name_only"), true], ["games", texts.t("forget.with_games"), true]];
    const answer = await ask(byId("ask"), texts.t("forget.ask", { name }), texts.t("forget.ask_body"), answers, texts);
    if (answer === null) return;
    const trouble = byId("trouble");
    trouble.hidden = true;
    try {
      await send("/api/players/forget", { name, games: answer === "games" });
      [this.games, this.players] = await load();
      this.render(texts);
      byId("content").focus();
    } catch (error) {
      trouble.hidden = false;
      trouble.replaceChildren(troubleWords(error, texts), el("small", { lang: "en" }, troubleDetail(error, texts)));
    }
  }
}

async function load() {
  const [history, statistics] = await Promise.all([get("/api/history"), get("/api/players")]);
  return [history.games, statistics.players];
}

const page = new HistoryPage(...(await load()));
await openFrame("history", "history.title", (texts) => page.render(texts));
