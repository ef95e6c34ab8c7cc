// The live board: what stands, what was said about it, and what may be done.

import { decisions } from "./actions.js";
import { arbiter, editing } from "./arbiter.js";
import { draw, inWords } from "./boards.js";
import { byId, el, fill, say } from "./dom.js";
import { list } from "./moves.js";
import { listen } from "./net.js";
import { pictures } from "./pictures.js";
import { Clocks, SIDES, nameOf } from "./players.js";
import { sign } from "./signs.js";
import { told, verdict } from "./telling.js";
import { _, boot } from "./words.js";

const clocks = new Clocks();
let state = boot.state;
let at = null; // the ply that is looked at; null for what stands now

function show() {
  const game = state.game;
  showVerdict();
  say(byId("notice"), state.trouble.power || "");
  for (const side of SIDES) showPlayer(side);
  decisions(state, byId("actions"), problem);
  arbiter(state, problem, show);
  showBoard();
  list(byId("moves"), game ? game.plies : [], at, (index) => {
    at = index === game.plies.length - 1 ? null : index;
    show();
  });
  showDownloads();
  showCounters();
  pictures(byId("evidence"), state.id, state.pictures, game && game.pending ? 2 : 6);
}

function showVerdict() {
  const is = verdict(state);
  byId("verdict").className = `verdict ${is.kind}`;
  sign(byId("sign"), is.kind);
  say(byId("verdict-head"), is.head);
  say(byId("verdict-text"), is.text);
  say(byId("verdict-more"), is.more);
  document.title = `${is.head} – Toreshi`;
}

function showPlayer(side) {
  const game = state.game;
  const turn = game && game.phase === "playing" && game.side === side;
  const lost = game ? game.taken[side] : 0;
  const buttons = decisions.ofSide(state, side, problem);
  fill(
    byId(`player-${side}`),
    el("span", { class: `chip ${side}`, "aria-hidden": "true" }),
    el("span", { class: "name" }, nameOf(state, side)),
    turn && !clocks.told ? el("span", { class: "turn" }, _("to move")) : null,
    lost ? el("span", { class: "taken" }, _("lost: {count}", { count: lost })) : null,
    clocks.element(side),
    buttons.length ? el("span", { class: "buttons" }, ...buttons) : null,
  );
}

function showBoard() {
  const game = state.game;
  byId("board").style.visibility = game ? "visible" : "hidden";
  if (!game) return;
  if (editing(state, byId("board"))) {
    byId("browse").hidden = true; // it would lie over squares that are to be touched
    return;
  }
  if (at !== null && at >= game.plies.length) at = null;
  draw(byId("board"), state, at);
  say(byId("position"), inWords(state, at));
  const ply = at === null ? null : game.plies[at];
  byId("browse").hidden = at === null;
  if (at !== null) {
    fill(
      byId("browse"),
      el("span", {}, _("After move {move}", { move: `${Math.floor(at / 2) + 1}. ${ply.text || ply.code}` })),
      el("button", { type: "button", onclick: () => { at = null; show(); } }, _("Back to now")),
    );
  }
}

function showDownloads() {
  const record = state.game && state.game.family === "nardi" ? { "game.txt": _("Text") } : { "game.pdn": "PDN" };
  const names = { ...record, "journal.jsonl": _("Journal"), "bundle.zip": _("Bundle") };
  const links = state.id
    ? Object.entries(names).map(([file, name]) =>
        el("a", { href: `/games/${state.id}/${file}`, download: true }, name))
    : [];
  fill(byId("downloads"), ...links);
}

function showCounters() {
  const running = state.game ? state.game.counters.filter((one) => one.shown > 1 || one.claimable) : [];
  byId("counters").hidden = !running.length;
  fill(
    byId("counters"),
    ...running.map((one) =>
      el("div", { class: "counter" },
        el("span", {}, `${one.text}: ${one.shown} / ${one.limit} `, el("small", {}, one.article)),
        el("meter", { min: 0, max: one.limit, value: Math.min(one.shown, one.limit), "aria-label": one.text }),
      )),
  );
}

function problem(text) {
  say(byId("problem"), text);
}

function heard(event) {
  const text = told(event);
  if (text) problem("");
}

show();
listen({
  state: (next) => {
    state = next;
    show();
  },
  told: heard,
  clock: (now) => {
    const first = !clocks.told;
    clocks.set(now);
    if (first) show();
  },
  link: (up) => {
    byId("offline").hidden = up;
  },
});
