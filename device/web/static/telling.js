// What is going on, in one sentence; the same on the page and on the big screen.

import { _ } from "./words.js";

/** Kind (ready, legal, alarm, unsure, over), headline, and what else there is to say. */
export function verdict(state) {
  const game = state && state.game;
  const trouble = (state && state.trouble) || {};
  if (trouble.disk || trouble.game || trouble.camera) {
    const text = trouble.disk || trouble.game || trouble.camera;
    return { kind: "unsure", head: _("I can't watch now."), text, more: "" };
  }
  if (!game) {
    return { kind: "idle", head: _("No game is being watched."), text: "", more: "" };
  }
  if (game.pending) return offence(game.pending);
  if (game.phase === "over") return over(game.outcome);
  if (game.paused) {
    const text = _("Nothing is judged until the game goes on.");
    return { kind: "idle", head: _("The game is paused."), text, more: "" };
  }
  if (state.camera.state === "lost" || game.lost) {
    return { kind: "unsure", head: _("I can't see the board."), text: state.camera.reason, more: "" };
  }
  if (state.unsure) {
    return { kind: "unsure", head: _("I'm not sure."), text: state.unsure.message, more: "" };
  }
  if (game.phase === "waiting") {
    const text = _("The game begins by itself when the first position stands.");
    return { kind: "idle", head: _("Set up the board."), text, more: "" };
  }
  return going(game);
}

function turn(game) {
  if (game.family !== "nardi") return game.side === "w" ? _("White to move") : _("Black to move");
  if (game.roll) {
    const dice = game.roll.join("-");
    return game.side === "w" ? _("White plays {dice}", { dice }) : _("Black plays {dice}", { dice });
  }
  return game.side === "w" ? _("White throws") : _("Black throws");
}

function offence(pending) {
  const head = pending.side === "w" ? _("Offence by White") : _("Offence by Black");
  const due = pending.due.length ? _("Due: {moves}", { moves: pending.due.join(", ") }) : "";
  const text = pending.message;
  const more = [pending.article, due].filter(Boolean);
  return { kind: "alarm", head, text, more: more.join(" · ") };
}

function over(outcome) {
  const heads = {
    w: _("White has won."),
    b: _("Black has won."),
    draw: _("The game is a draw."),
    "both-lost": _("Both have lost."),
    annulled: _("The game is annulled."),
  };
  const head = (outcome && heads[outcome.ending]) || _("The game has ended.");
  const text = outcome ? outcome.text : "";
  return { kind: "over", head, text, more: outcome ? outcome.article : "" };
}

function going(game) {
  const head = turn(game);
  const last = game.plies[game.plies.length - 1];
  if (!last) return { kind: "ready", head, text: _("I see the board. Play."), more: "" };
  const text = last.text
    ? _("{move} is legal.", { move: last.text })
    : _("The position stands as it is.");
  return { kind: "ready", head, text, more: "" };
}

/** An event of the stream in one line, for those who listen; empty for what isn't worth a word. */
export function told(event) {
  const names = { w: _("White"), b: _("Black") };
  const who = names[event.side] || "";
  if (event.event === "move") return `${who}: ${event.text}`;
  if (event.event === "offence") return `${who}: ${event.message}`;
  if (event.event === "resolved") {
    return event.how === "accepted" ? _("The offence was accepted.") : _("It was put right.");
  }
  if (event.event === "takeback") return _("Taken back.");
  if (event.event === "unsure") return event.message;
  if (event.event === "board-lost") return _("I can't see the board.");
  if (event.event === "board-found") return _("I see the board again.");
  if (event.event === "start-position") return _("The first position stands. Play.");
  return "";
}

/** Seconds as people read a clock. */
export function clock(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const rest = String(whole % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** A result as it stands on a score sheet. */
export function score(result) {
  return { w: "1–0", b: "0–1", draw: "½–½", "both-lost": "0–0" }[result] || "*";
}
