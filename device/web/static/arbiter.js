// What the arbiter may do, or at home everybody: correct, take back, decide, hand out links.

import { asWhom, give } from "./actions.js";
import { draw, inWords, named } from "./board.js";
import { byId, el, fill, say } from "./dom.js";
import { ask } from "./menu.js";
import { post } from "./net.js";
import { _, boot } from "./words.js";

const role = boot.role;
const LETTERS = [".", "w", "W", "b", "B"];
const MEASURES = () => ({
  none: _("no measure"),
  warning: _("warning"),
  "repeated-warning": _("repeated warning"),
  reprimand: _("reprimand"),
  loss: _("loss of the game"),
});

let draft = null; // the grid that is being corrected, and who is to move
let chosen = ".";
let linked = false;
let game = null; // as it is now
let drawn = ""; // what the board shows while it is corrected

/** Show the arbiter's part of the page. */
export function arbiter(state, problem, show) {
  game = state.game;
  const box = byId("arbiter");
  box.hidden = !role.arbiter || !state.game;
  if (box.hidden) return;
  const again = () => show();
  fill(byId("arbiter-buttons"), ...(draft ? [] : buttons(state, problem, again)));
  editor(state, problem, again);
  const links = byId("links");
  links.hidden = !linked;
  if (!linked || links.children.length) return;
  fill(links, ...["w", "b"].map((side) =>
    el("figure", {},
      el("img", { src: `/api/qr/${side}`, alt: side === "w" ? _("Link of White") : _("Link of Black") }),
      el("figcaption", {}, side === "w" ? _("White") : _("Black")))));
}

function buttons(state, problem, again) {
  const made = (text, name, value = "", before = "") => {
    const by = asWhom(state, name, []);
    if (!by) return null;
    const press = async () => {
      if (!before || (await ask(before, text))) await give(name, by, value, problem);
    };
    return el("button", { type: "button", class: "quiet", "data-command": name, "data-value": value, "data-by": by, onclick: press }, text);
  };
  const correct = () => {
    draft = { grid: game.grid.slice(), side: game.side };
    drawn = "";
    again();
  };
  const can = game.family === "draughts" && (game.may.arbiter || []).includes("correct");
  return [
    can ? el("button", { type: "button", class: "quiet", id: "correct", onclick: correct }, _("Correct a square")) : null,
    made(_("Take back the last move"), "takeback"),
    made(_("Pause"), "pause"),
    made(_("Go on"), "resume"),
    made(_("White wins"), "result", "w", _("Does the game end with a win of White?")),
    game.family === "draughts" ? made(_("Draw"), "result", "draw", _("Does the game end in a draw?")) : null,
    made(_("Black wins"), "result", "b", _("Does the game end with a win of Black?")),
    made(_("Let the game go on"), "reopen"),
    made(_("White's time is over"), "flag", "w", _("Does White lose on time?")),
    made(_("Black's time is over"), "flag", "b", _("Does Black lose on time?")),
    can && game.plies.length ? line(_("The last move was"), "correct", problem) : null,
    (game.may.arbiter || []).includes("roll") ? line(_("The dice show"), "roll", problem) : null,
    (game.may.arbiter || []).includes("clock") ? clockLine(problem) : null,
    ...rulings(state, problem),
    role.access === "club" && !linked
      ? el("button", { type: "button", class: "quiet", onclick: () => { linked = true; again(); } }, _("Links for the players"))
      : null,
  ];
}

/** A line to type in, sent as the command's value. */
function line(text, name, problem) {
  const input = el("input", { name, maxlength: 40, autocomplete: "off", spellcheck: "false", size: 8 });
  const send = (event) => {
    event.preventDefault();
    give(name, "arbiter", input.value.trim(), problem);
  };
  return el("form", { class: "row line", onsubmit: send },
    el("label", {}, text, " ", input), el("button", { class: "quiet" }, _("Correct")));
}

/** Both clocks in minutes and seconds. */
function clockLine(problem) {
  const inputs = ["w", "b"].map((side) =>
    el("input", { name: `clock-${side}`, size: 6, pattern: "\\d{1,3}:[0-5]\\d", placeholder: "5:00", required: true,
      "aria-label": side === "w" ? _("White") : _("Black") }));
  const send = (event) => {
    event.preventDefault();
    const [w, b] = inputs.map((input) => {
      const [minutes, seconds] = input.value.split(":").map(Number);
      return minutes * 60 + seconds;
    });
    give("clock", "arbiter", `w ${w} b ${b}`, problem);
  };
  return el("form", { class: "row line", onsubmit: send }, _("Clock"), ...inputs,
    el("button", { class: "quiet" }, _("Set the clocks")));
}

function rulings(state, problem) {
  const open = game.sanctions.map((one, index) => [one, index]).filter(([one]) => !one.decided);
  if (!open.length || !asWhom(state, "rule", [])) return [];
  const [breach, index] = open[open.length - 1];
  const who = breach.side === "w" ? _("White") : _("Black");
  const measures = MEASURES();
  const select = el("select", { "aria-label": _("Measure") },
    ...Object.entries(measures).map(([value, text]) => el("option", { value, selected: value === breach.proposed }, text)));
  return [el("label", { class: "row", "data-breach": index }, `${who}, ${breach.code} (${breach.article}): `, select,
    el("button", { type: "button", class: "quiet", onclick: () => give("rule", "arbiter", `${index} ${select.value}`, problem) }, _("Decide")))];
}

/** Draw the board that is being corrected; false when none is. */
export function editing(state, target) {
  if (!draft) return false;
  if (drawn === draft.grid.join()) return true;
  drawn = draft.grid.join();
  draw(target, game, draft.grid, {
    pick: (name) => {
      const [row, col] = game.squares[name];
      const line = draft.grid[row];
      draft.grid[row] = line.slice(0, col) + chosen + line.slice(col + 1);
      editing(state, target);
      target.querySelector(`[data-square="${name}"]`)?.focus();
    },
  });
  say(byId("position"), inWords(game, draft.grid));
  target.removeAttribute("role");
  return true;
}

function editor(state, problem, again) {
  const box = byId("editor");
  box.hidden = !draft;
  if (!draft) {
    fill(box);
    return;
  }
  const choose = (letter) => {
    chosen = letter;
    editor(state, problem, again);
    box.querySelector(`[data-letter="${letter}"]`)?.focus();
  };
  const side = el("select", { "aria-label": _("To move"), onchange: (event) => { draft.side = event.target.value; } },
    el("option", { value: "w", selected: draft.side === "w" }, _("White to move")),
    el("option", { value: "b", selected: draft.side === "b" }, _("Black to move")));
  const done = () => {
    draft = null;
    byId("board").setAttribute("role", "img");
    again();
  };
  const send = async () => {
    problem("");
    try {
      await post("/api/correct", draft);
      done();
    } catch (error) {
      problem(error.message);
    }
  };
  box.className = "editor";
  fill(
    box,
    el("p", {}, _("Choose what stands there, then touch the square.")),
    el("div", { class: "choices", role: "group", "aria-label": _("Piece") },
      ...LETTERS.map((letter) =>
        el("button", { type: "button", class: "quiet", "data-letter": letter, "aria-pressed": String(letter === chosen), onclick: () => choose(letter) }, named(letter)))),
    side,
    el("div", { class: "row" },
      el("button", { type: "button", id: "correct-send", onclick: send }, _("So it stands")),
      el("button", { type: "button", class: "quiet", onclick: done }, _("Cancel"))),
  );
}
