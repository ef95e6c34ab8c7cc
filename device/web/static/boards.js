// Draws whatever board a game is played on.

import * as draughts from "./board.js";
import * as nardi from "./nardi.js";

/** Draw what stands; `at` is the ply that is looked at, null for now. */
export function draw(target, state, at) {
  const game = state.game;
  const ply = at === null ? game.plies[game.plies.length - 1] : game.plies[at];
  const wrong = at === null ? wrongNow(state) : [];
  if (game.family === "nardi") {
    const dice = at === null ? game.roll : ply.dice;
    nardi.draw(target, at === null ? game : ply, { wrong, dice, side: at === null ? game.side : ply.side });
    return;
  }
  const still = !ply || (at === null && game.pending);
  const marks = still ? { wrong } : { wrong, path: ply.path, taken: ply.taken };
  draughts.draw(target, game, at === null ? game.grid : ply.grid, marks);
}

/** The same in words. */
export function inWords(state, at) {
  const game = state.game;
  const stands = at === null ? game : game.plies[at];
  return game.family === "nardi" ? nardi.inWords(stands) : draughts.inWords(game, stands.grid);
}

function wrongNow(state) {
  if (state.game.pending) return state.game.pending.squares;
  return (state.unsure && state.unsure.squares) || [];
}
