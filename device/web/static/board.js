// The board as a drawing: squares, men and kings of our own, marks, coordinates.

import { svg } from "./dom.js";
import { _ } from "./words.js";

const CELL = 100;
const EDGE = 34;

const PIECES = {
  w: () => _("white man"),
  W: () => _("white king"),
  b: () => _("black man"),
  B: () => _("black king"),
};

/** A piece in words. */
export const named = (letter) => (PIECES[letter] ? PIECES[letter]() : _("empty"));

/** Grid and marks of a square's name on the board: (row, column). */
export function cellOf(board, name) {
  return board.squares[name] || null;
}

/** A board in words, for those who listen: every piece by its square. */
export function inWords(board, grid) {
  const lists = { w: [], W: [], b: [], B: [] };
  for (const [name, [row, col]] of Object.entries(board.squares)) {
    const letter = grid[row][col];
    if (lists[letter]) lists[letter].push(name);
  }
  const parts = [];
  if (lists.w.length) parts.push(_("White men: {squares}.", { squares: lists.w.join(", ") }));
  if (lists.W.length) parts.push(_("White kings: {squares}.", { squares: lists.W.join(", ") }));
  if (lists.b.length) parts.push(_("Black men: {squares}.", { squares: lists.b.join(", ") }));
  if (lists.B.length) parts.push(_("Black kings: {squares}.", { squares: lists.B.join(", ") }));
  return parts.join(" ");
}

/**
 * Draw a board into an <svg>.
 *
 * @param target the <svg> element
 * @param board size and squares (name -> [row, column])
 * @param grid rows of letters, Black's edge first
 * @param options path: squares of the last move; taken: squares whose pieces it took;
 *   wrong: squares to look at; missing: [square, letter] that should stand there; extra: squares
 *   that should be empty; flipped: Black at the bottom; pick: called with a square's name
 */
export function draw(target, board, grid, options = {}) {
  const size = board.size;
  const whole = size * CELL + 2 * EDGE;
  target.setAttribute("viewBox", `0 0 ${whole} ${whole}`);
  const algebraic = Object.keys(board.squares).some((name) => /^[a-j]/.test(name));
  const place = (row, col) =>
    options.flipped
      ? [EDGE + (size - 1 - col) * CELL, EDGE + (size - 1 - row) * CELL]
      : [EDGE + col * CELL, EDGE + row * CELL];
  const middle = (name) => {
    const [x, y] = place(...board.squares[name]);
    return [x + CELL / 2, y + CELL / 2];
  };
  const children = [
    svg("rect", { class: "rim", x: 0, y: 0, width: whole, height: whole, rx: 18 }),
    svg("rect", { class: "light", x: EDGE, y: EDGE, width: size * CELL, height: size * CELL }),
  ];
  const path = (options.path || []).filter((name) => board.squares[name]);
  for (const [name, [row, col]] of Object.entries(board.squares)) {
    const [x, y] = place(row, col);
    const ends = name === path[0] || name === path[path.length - 1];
    children.push(
      svg("rect", { class: ends ? "dark moved" : "dark", x, y, width: CELL, height: CELL }),
    );
    if (!algebraic) children.push(svg("text", { class: "number", x: x + 6, y: y + 22 }, name));
  }
  if (algebraic) children.push(...coordinates(size, options.flipped));
  if (path.length > 1) children.push(arrow(path.map(middle)));
  grid.forEach((line, row) => {
    [...line].forEach((letter, col) => {
      if (letter !== ".") children.push(piece(letter, ...place(row, col)));
    });
  });
  const marks = { taken: options.taken, wrong: options.wrong, extra: options.extra };
  for (const [kind, names] of Object.entries(marks)) {
    for (const name of (names || []).filter((one) => board.squares[one])) {
      children.push(mark(kind, ...place(...board.squares[name])));
    }
  }
  for (const [name, letter] of options.missing || []) {
    const [x, y] = place(...board.squares[name]);
    children.push(svg("g", { class: "missing" }, piece(letter, x, y), mark("missing", x, y)));
  }
  if (options.pick) children.push(...targets(board, grid, place, options));
  target.replaceChildren(...children);
}

function coordinates(size, flipped) {
  const made = [];
  const files = "abcdefghij";
  for (let i = 0; i < size; i += 1) {
    const along = EDGE + i * CELL + CELL / 2;
    const file = files[flipped ? size - 1 - i : i];
    const rank = flipped ? i + 1 : size - i;
    made.push(svg("text", { class: "coordinate", x: along, y: EDGE + size * CELL + 25 }, file));
    made.push(svg("text", { class: "coordinate", x: EDGE / 2, y: along + 9 }, String(rank)));
  }
  return made;
}

/** A man is a turned disc; a king is two of them with a crown on top. */
function piece(letter, x, y) {
  const side = letter.toLowerCase() === "w" ? "white" : "black";
  const cx = x + CELL / 2;
  const cy = y + CELL / 2;
  if (letter === "?") {
    return svg("text", { class: "unknown", x: cx, y: cy + 18 }, "?");
  }
  if (letter === letter.toLowerCase()) {
    return svg("g", { class: `piece ${side}` }, ...disc(cx, cy, 39, true));
  }
  return svg(
    "g",
    { class: `piece king ${side}` },
    ...disc(cx, cy + 7, 38, false),
    ...disc(cx, cy - 7, 38, false),
    svg("path", {
      class: "crown",
      d: `M${cx - 22} ${cy + 8} L${cx - 25} ${cy - 18} L${cx - 11} ${cy - 6} L${cx} ${cy - 25}`
        + ` L${cx + 11} ${cy - 6} L${cx + 25} ${cy - 18} L${cx + 22} ${cy + 8} Z`,
    }),
  );
}

function disc(cx, cy, radius, rings) {
  const made = [
    svg("circle", { class: "shadow", cx, cy: cy + 5, r: radius }),
    svg("circle", { class: "body", cx, cy, r: radius }),
  ];
  if (rings) {
    made.push(svg("circle", { class: "ring", cx, cy, r: radius * 0.7 }));
    made.push(svg("circle", { class: "ring", cx, cy, r: radius * 0.4 }));
  }
  return made;
}

function arrow(points) {
  const line = points.map(([x, y]) => `${x},${y}`).join(" ");
  return svg("polyline", { class: "way", points: line });
}

/** A mark is a shape as well as a colour: ring for wrong, cross for too many and taken. */
function mark(kind, x, y) {
  if (kind === "wrong" || kind === "missing") {
    return svg("rect", {
      class: `mark ${kind}`, x: x + 5, y: y + 5, width: CELL - 10, height: CELL - 10, rx: 12,
    });
  }
  const [a, b] = kind === "taken" ? [36, 64] : [24, 76];
  const d = `M${x + a} ${y + a} L${x + b} ${y + b} M${x + b} ${y + a} L${x + a} ${y + b}`;
  return svg("path", { class: `mark ${kind}`, d });
}

function targets(board, grid, place, options) {
  return Object.entries(board.squares).map(([name, [row, col]]) => {
    const [x, y] = place(row, col);
    const label = `${name}: ${named(grid[row][col])}`;
    const pick = () => options.pick(name);
    return svg("rect", {
      class: "target", x, y, width: CELL, height: CELL, tabindex: 0, role: "button",
      "aria-label": label, "data-square": name,
      onclick: pick,
      onkeydown: (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          pick();
        }
      },
    });
  });
}
