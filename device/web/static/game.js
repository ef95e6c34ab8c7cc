// A past game, step by step.

import * as draughts from "./board.js";
import { byId, say } from "./dom.js";
import { list } from "./moves.js";
import * as nardi from "./nardi.js";
import { pictures } from "./pictures.js";
import { _, boot } from "./words.js";

const game = boot.game;
let at = game.plies.length;

function show() {
  const ply = at > 0 ? game.plies[at - 1] : null;
  if (game.family === "nardi") {
    const stands = ply || game.start;
    nardi.draw(byId("board"), stands, ply ? { dice: ply.dice, side: ply.side } : {});
    say(byId("position"), nardi.inWords(stands));
  } else {
    const grid = ply ? ply.grid : game.start;
    draughts.draw(byId("board"), game, grid, ply ? { path: ply.path, taken: ply.taken } : {});
    say(byId("position"), draughts.inWords(game, grid));
  }
  list(byId("moves"), game.plies, at - 1, (index) => go(index + 1));
  const where = ply ? `${at} / ${game.plies.length}: ${ply.text || ply.code}` : _("Start position");
  say(byId("where"), where);
  say(byId("remarks"), ply ? ply.remarks.join(" ") : "");
  byId("first").disabled = byId("back").disabled = at === 0;
  byId("last").disabled = byId("forth").disabled = at === game.plies.length;
}

function go(to) {
  at = Math.min(Math.max(to, 0), game.plies.length);
  show();
}

byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", () => go(at - 1));
byId("forth").addEventListener("click", () => go(at + 1));
byId("last").addEventListener("click", () => go(game.plies.length));
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, dialog")) return;
  if (event.key === "ArrowLeft") go(at - 1);
  if (event.key === "ArrowRight") go(at + 1);
});
pictures(byId("evidence"), game.name, game.pictures, 0);
show();
