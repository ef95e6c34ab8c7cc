// The nardi board: points, checkers, dice and what was borne off.

import { svg } from "./dom.js";
import { _ } from "./words.js";

const WIDTH = 1200;
const HEIGHT = 1000;
const RIM = 44;
const BAR = 56;
const STEP = (WIDTH - 2 * RIM - BAR) / 12;
const RADIUS = STEP / 2 - 3;
const SHOWN = 5; // checkers of a stack that are drawn apart; the rest is a number

/** Column 0..11 from the left and whether at the top, as White sits: 1..6 lie at the bottom right. */
function place(point) {
  return point <= 12 ? [12 - point, false] : [point - 13, true];
}

const left = (column) => RIM + column * STEP + (column >= 6 ? BAR : 0);

/** A board in words, for those who listen. */
export function inWords(board) {
  const of = (side) => board.points
    .map((counts, n) => [n + 1, counts[side]])
    .filter(([, count]) => count)
    .map(([point, count]) => (count > 1 ? `${point} × ${count}` : `${point}`))
    .join(", ");
  return [
    _("White: {points}; off {off}.", { points: of(0) || "–", off: board.off.w }),
    _("Black: {points}; off {off}.", { points: of(1) || "–", off: board.off.b }),
  ].join(" ");
}

/** Draw a board into an <svg>; wrong: names of points to look at; dice: the roll, of `side`. */
export function draw(target, board, { wrong = [], dice = null, side = "w" } = {}) {
  target.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  const children = [
    svg("rect", { class: "rim", x: 0, y: 0, width: WIDTH, height: HEIGHT, rx: 18 }),
    svg("rect", { class: "felt", x: RIM, y: RIM, width: 6 * STEP, height: HEIGHT - 2 * RIM }),
    svg("rect", { class: "felt", x: RIM + 6 * STEP + BAR, y: RIM, width: 6 * STEP, height: HEIGHT - 2 * RIM }),
  ];
  for (let point = 1; point <= 24; point += 1) children.push(...triangle(point));
  board.points.forEach((counts, index) => children.push(...stack(index + 1, counts)));
  for (const name of wrong) {
    const point = Number(name);
    if (point >= 1 && point <= 24) children.push(mark(point));
  }
  if (dice) dice.forEach((pips, n) => children.push(die(pips, n, side)));
  children.push(...tray(board));
  target.replaceChildren(...children);
}

function triangle(point) {
  const [column, top] = place(point);
  const x = left(column);
  const base = top ? RIM : HEIGHT - RIM;
  const tip = top ? RIM + 380 : HEIGHT - RIM - 380;
  const kind = column % 2 ? "dark" : "light";
  return [
    svg("path", { class: `point ${kind}`, d: `M${x + 3} ${base} L${x + STEP / 2} ${tip} L${x + STEP - 3} ${base} Z` }),
    svg("text", { class: "coordinate", x: x + STEP / 2, y: top ? RIM - 13 : HEIGHT - RIM + 32 }, String(point)),
  ];
}

function stack(point, [white, black]) {
  const [column, top] = place(point);
  const x = left(column) + STEP / 2;
  const made = [];
  let height = 0;
  for (const [count, side] of [[white, "white"], [black, "black"]]) {
    for (let n = 0; n < Math.min(count, SHOWN); n += 1) {
      const y = (height + 0.5) * 2 * RADIUS + 2;
      made.push(checker(x, top ? RIM + y : HEIGHT - RIM - y, side));
      height += 1;
    }
    if (count > SHOWN) {
      const y = (height - 0.5) * 2 * RADIUS + 2;
      made.push(svg("text", { class: `count ${side}`, x, y: (top ? RIM + y : HEIGHT - RIM - y) + 14 }, String(count)));
    }
  }
  return made;
}

function checker(cx, cy, side) {
  return svg("g", { class: `piece ${side}` },
    svg("circle", { class: "shadow", cx, cy: cy + 4, r: RADIUS }),
    svg("circle", { class: "body", cx, cy, r: RADIUS }),
    svg("circle", { class: "ring", cx, cy, r: RADIUS * 0.62 }));
}

function mark(point) {
  const [column, top] = place(point);
  return svg("rect", {
    class: "mark wrong", x: left(column) + 3, y: top ? RIM + 4 : HEIGHT - RIM - 404,
    width: STEP - 6, height: 400, rx: 12,
  });
}

const PIPS = {
  1: [[1, 1]], 2: [[0, 0], [2, 2]], 3: [[0, 0], [1, 1], [2, 2]], 4: [[0, 0], [0, 2], [2, 0], [2, 2]],
  5: [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]], 6: [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]],
};

function die(pips, n, side) {
  const x = side === "w" ? RIM + 6 * STEP + BAR + 150 + n * 110 : RIM + 150 + n * 110;
  const y = HEIGHT / 2 - 45;
  return svg("g", { class: `die ${side}` },
    svg("rect", { x, y, width: 90, height: 90, rx: 16 }),
    ...(PIPS[pips] || []).map(([col, row]) => svg("circle", { cx: x + 22 + col * 23, cy: y + 22 + row * 23, r: 9 })));
}

function tray(board) {
  const x = RIM + 6 * STEP + BAR / 2;
  const made = [];
  if (board.off.b) made.push(svg("text", { class: "off", x, y: RIM + 40 }, `●${board.off.b}`));
  if (board.off.w) made.push(svg("text", { class: "off", x, y: HEIGHT - RIM - 20 }, `○${board.off.w}`));
  return made;
}
