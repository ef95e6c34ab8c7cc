// What players may do now: buttons for those who may, nothing for others.

import { el, fill } from "./dom.js";
import { ask } from "./menu.js";
import { post } from "./net.js";
import { _, boot } from "./words.js";

const role = boot.role;
const other = (side) => (side === "w" ? "b" : "w");

/** Give a command, and say what went wrong, if something did. */
export async function give(name, by, value, problem) {
  problem("");
  try {
    await post("/api/command", { name, by, value: value || "" });
  } catch (error) {
    problem(error.message);
  }
}

/** By whom this browser may give a command now; empty if not at all. */
export function asWhom(state, name, sides) {
  const may = state.game ? state.game.may : {};
  for (const side of sides) {
    if (role.sides.includes(side) && (may[side] || []).includes(name)) return side;
  }
  return role.arbiter && (may.arbiter || []).includes(name) ? "arbiter" : "";
}

function button(state, text, name, sides, problem, { value = "", kind = "", before = "" } = {}) {
  const by = asWhom(state, name, sides);
  if (!by) return null;
  const press = async () => {
    if (!before || (await ask(before, text))) await give(name, by, value, problem);
  };
  return el("button", { type: "button", class: kind || null, "data-command": name, "data-by": by, "data-value": value || null, onclick: press }, text);
}

/** The decisions that are asked for now. */
export function decisions(state, box, problem) {
  const made = state.game ? asked(state, problem) : [];
  const buttons = made.filter((one) => one && one.tagName === "BUTTON");
  fill(box, ...(buttons.length ? made : []));
}

function asked(state, problem) {
  const game = state.game;
  if (game.pending) {
    const sides = [other(game.pending.side)];
    return [
      el("span", { class: "question" }, game.pending.demanded
        ? _("It is demanded that it is put right.")
        : _("Shall it be put right?")),
      game.pending.demanded ? null : button(state, _("Put it right"), "demand", sides, problem),
      button(state, _("Let it stand"), "accept", sides, problem, { kind: "quiet" }),
    ];
  }
  if (game.offer) {
    const sides = [other(game.offer)];
    return [
      el("span", { class: "question" }, game.offer === "w" ? _("White offers a draw.") : _("Black offers a draw.")),
      button(state, _("Agree"), "agree-draw", sides, problem),
      button(state, _("Decline"), "decline-draw", sides, problem, { kind: "quiet" }),
    ];
  }
  if (game.claim) {
    const sides = [other(game.claim.side)];
    return [
      el("span", { class: "question" }, game.claim.side === "w" ? _("White claims a draw.") : _("Black claims a draw.")),
      button(state, _("Confirm"), "agree-draw", sides, problem),
      button(state, _("Reject"), "decline-draw", sides, problem, { kind: "quiet" }),
    ];
  }
  if (game.phase === "swept") {
    return [
      el("span", { class: "question" }, _("The board was cleared.")),
      button(state, _("The game has ended"), "swept", ["w", "b"], problem, { value: "ended" }),
      button(state, _("It will be put back"), "swept", ["w", "b"], problem, { value: "put-back", kind: "quiet" }),
    ];
  }
  if (game.ask) return counts(state, problem);
  if (game.phase === "waiting") return waiting(state, problem);
  return [];
}

/** How many checkers stand on a point that can't be counted from the picture. */
function counts(state, problem) {
  const { text, point } = state.game.ask;
  const made = Array.from({ length: 16 }, (unused, count) =>
    button(state, String(count), "count", ["w", "b"], problem, { value: `${point} ${count}`, kind: "quiet" }));
  return [el("span", { class: "question" }, text), ...made];
}

function waiting(state, problem) {
  if (asWhom(state, "to-move", ["w", "b"])) {
    return [
      el("span", { class: "question" }, _("Who is to move?")),
      button(state, _("White"), "to-move", ["w", "b"], problem, { value: "w" }),
      button(state, _("Black"), "to-move", ["w", "b"], problem, { value: "b" }),
    ];
  }
  const text = _("Begin from the board as it stands");
  return [button(state, text, "join", ["w", "b"], problem, { kind: "quiet" })];
}

/** What one side may do at any time, beside its name. */
decisions.ofSide = (state, side, problem) => {
  const game = state.game;
  if (!game || !role.sides.includes(side) || game.phase === "over" || game.phase === "waiting") return [];
  const may = game.may[side] || [];
  const made = (text, name, more = {}) => {
    if (!may.includes(name)) return null;
    const before = more.before || "";
    const press = async () => {
      if (!before || (await ask(before, text))) await give(name, side, more.value, problem);
    };
    const marks = { type: "button", class: "quiet", "data-command": name, "data-side": side, "data-value": more.value || null, onclick: press };
    return el("button", marks, text);
  };
  const due = game.counters.find((one) => one.claimable);
  return [
    made(_("Done"), "press"),
    game.mode === "home" ? null : made(_("I adjust"), "adjust"),
    due ? made(_("Claim a draw"), "claim", { value: due.id }) : null,
    game.offer ? null : made(_("Offer a draw"), "offer-draw"),
    role.arbiter ? null : made(_("Take back the last move"), "takeback"),
    made(_("Resign"), "resign", {
      before: side === "w" ? _("White resigns and loses the game?") : _("Black resigns and loses the game?"),
    }),
  ].filter(Boolean);
};
