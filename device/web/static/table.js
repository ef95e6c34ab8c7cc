// The big screen: the board, whose turn it is, and one sentence.

import { draw, inWords } from "./boards.js";
import { byId, el, fill, say } from "./dom.js";
import { listen } from "./net.js";
import { Clocks, SIDES, nameOf } from "./players.js";
import { sign } from "./signs.js";
import { verdict } from "./telling.js";
import { _, boot } from "./words.js";

const clocks = new Clocks();

function show(state) {
  const game = state.game;
  const told = verdict(state);
  byId("verdict").className = `bigverdict ${told.kind}`;
  sign(byId("sign"), told.kind);
  say(byId("verdict-head"), told.head);
  say(byId("verdict-text"), told.text);
  say(byId("verdict-more"), told.more);
  for (const side of SIDES) {
    const box = byId(`player-${side}`);
    box.className = `bigplayer${game && game.phase === "playing" && game.side === side ? " turn" : ""}`;
    fill(box, el("span", { class: `chip ${side}` }), el("span", {}, nameOf(state, side)), clocks.element(side));
  }
  if (!game) return;
  draw(byId("board"), state, null);
  say(byId("position"), inWords(state, null));
}

byId("full").addEventListener("click", () => document.documentElement.requestFullscreen?.());
show(boot.state);
listen({
  state: show,
  clock: (told) => clocks.set(told),
  link: (up) => { byId("offline").hidden = up; },
});
document.title = `Toreshi – ${_("Big screen")}`;
