// The set-up wizard: camera and corners, the game, what stands on the board, learning, beginning.

import { draw, named } from "./board.js";
import { byId, el, fill, say, svg } from "./dom.js";
import { get, post } from "./net.js";
import { _, boot } from "./words.js";

const form = byId("plan");
let corners = null; // what a person dragged, in pixels of the picture; null to search
let dragging = -1;
let board = null; // the position that is wanted
let size = { width: 0, height: 0 };

function plan() {
  return Object.fromEntries([...new FormData(form)].map(([key, value]) => [key, String(value).trim()]));
}

async function prepare({ search = false } = {}) {
  say(byId("plan-problem"), "");
  if (search) say(byId("learned"), "");
  try {
    await post("/api/prepare", { plan: plan(), search, ...(corners ? { corners } : {}) });
    const nardi = plan().game === "nardi";
    byId("board").parentElement.hidden = nardi; // its set-up is the same each time: all on the heads
    board = null;
    if (nardi) return;
    const query = new URLSearchParams({ game: plan().game, fen: plan().fen });
    board = await get(`/api/position?${query}`);
    showBoard(null);
  } catch (error) {
    say(byId("plan-problem"), error.message);
  }
}

// ---- camera

async function look() {
  try {
    const told = await get("/api/look");
    byId("offline").hidden = true;
    if (!told.picture) {
      say(byId("camera-told"), _("The camera gives no picture yet."));
      return;
    }
    size = told.picture;
    byId("view").src = `/api/whole.jpg?t=${Date.now()}`;
    showCamera(told);
    showGrid(told);
    showBoard(told.guide);
  } catch {
    byId("offline").hidden = false;
  }
}

function showCamera(told) {
  let text = _("I see the board.");
  if (told.state === "lost") text = _("I can't find the board: {reason}", { reason: told.reason });
  else if (told.covered) text = _("Something covers {count} squares.", { count: told.covered });
  else if (told.picture.light < 0.12) text = _("I see the board, but it is too dark.");
  say(byId("camera-told"), text);
  byId("camera-told").className = told.state === "lost" ? "bad" : "good";
  fill(byId("mounting"), ...told.mounting.filter((one) => FIGURES[one.name]).map(figure));
}

/** How well the camera hangs, a line for each figure. */
const FIGURES = {
  whole: () => _("The whole board is in the picture"),
  angle: (value) => _("Angle from straight above: {degrees}°", { degrees: Math.round(value) }),
  size: (value) => _("Smallest square: {pixels} pixels", { pixels: Math.round(value) }),
  sharpness: () => _("Sharpness"),
  light: () => _("Light"),
  glare: () => _("Glare"),
};

function figure(one) {
  const text = FIGURES[one.name](one.value);
  return el("li", { class: one.ok ? "fine" : "bad" }, `${one.ok ? "✓" : "✗"} ${text}${one.ok ? "" : `: ${one.advice}`}`);
}

// ---- the grid and its corners

function showGrid(told) {
  const grid = byId("grid");
  grid.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
  if (dragging >= 0) return;
  const shown = corners || told.corners;
  if (!shown) {
    const w = size.width;
    const h = size.height;
    drawGrid([[w * 0.2, h * 0.2], [w * 0.8, h * 0.2], [w * 0.8, h * 0.8], [w * 0.2, h * 0.8]], told.size || 12, true);
    return;
  }
  drawGrid(shown, told.size || 12, false);
}

function drawGrid(shown, cells, guess) {
  const grid = byId("grid");
  const at = projection(shown);
  const lines = [];
  for (let i = 0; i <= cells && !guess; i += 1) {
    const t = i / cells;
    for (const [a, b] of [[[t, 0], [t, 1]], [[0, t], [1, t]]]) {
      const [x1, y1] = at(...a);
      const [x2, y2] = at(...b);
      lines.push(svg("line", { x1, y1, x2, y2 }));
    }
  }
  const focused = document.activeElement?.dataset?.corner;
  const handles = shown.map(([cx, cy], index) =>
    svg("circle", {
      class: "handle", cx, cy, r: Math.max(size.width / 45, 8), tabindex: 0, role: "button", "data-corner": index,
      "aria-label": _("Corner {number}", { number: index + 1 }),
      onpointerdown: (event) => take(event, index, shown, cells),
      onkeydown: (event) => nudge(event, index, shown, cells),
    }));
  grid.replaceChildren(...lines, ...handles);
  if (focused !== undefined) grid.querySelector(`[data-corner="${focused}"]`)?.focus();
}

/** Unit square to four corners, as a picture of a plane has it (P. Heckbert, 1989). */
function projection([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const sx = x0 - x1 + x2 - x3;
  const sy = y0 - y1 + y2 - y3;
  const dx1 = x1 - x2;
  const dx2 = x3 - x2;
  const dy1 = y1 - y2;
  const dy2 = y3 - y2;
  const whole = dx1 * dy2 - dx2 * dy1 || 1e-9;
  const g = (sx * dy2 - dx2 * sy) / whole;
  const h = (dx1 * sy - sx * dy1) / whole;
  return (u, v) => {
    const w = g * u + h * v + 1;
    return [
      ((x1 - x0 + g * x1) * u + (x3 - x0 + h * x3) * v + x0) / w,
      ((y1 - y0 + g * y1) * u + (y3 - y0 + h * y3) * v + y0) / w,
    ];
  };
}

function take(event, index, shown, cells) {
  dragging = index;
  const moved = shown.map((point) => [...point]);
  const grid = byId("grid");
  grid.setPointerCapture(event.pointerId);
  const move = (now) => {
    const box = grid.getBoundingClientRect();
    moved[index] = [
      ((now.clientX - box.left) / box.width) * size.width,
      ((now.clientY - box.top) / box.height) * size.height,
    ];
    drawGrid(moved, cells, false);
  };
  const drop = () => {
    grid.removeEventListener("pointermove", move);
    grid.removeEventListener("pointerup", drop);
    grid.removeEventListener("pointercancel", drop);
    dragging = -1;
    corners = moved;
    prepare({ search: true });
  };
  grid.addEventListener("pointermove", move);
  grid.addEventListener("pointerup", drop);
  grid.addEventListener("pointercancel", drop);
}

let later = 0;
function nudge(event, index, shown, cells) {
  const step = event.shiftKey ? 10 : 2;
  const ways = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
  const way = ways[event.key];
  if (!way) return;
  event.preventDefault();
  corners = (corners || shown).map((point, n) => (n === index ? [point[0] + way[0], point[1] + way[1]] : [...point]));
  drawGrid(corners, cells, false);
  clearTimeout(later);
  later = setTimeout(() => prepare({ search: true }), 500);
}

// ---- the board

function showBoard(guide) {
  if (!board) return;
  if (!guide) {
    draw(byId("board"), board, board.grid);
    say(byId("guide"), _("This position belongs on the board."));
    byId("guide").className = "";
    return;
  }
  draw(byId("board"), board, guide.grid, { missing: guide.missing, extra: guide.extra });
  const parts = [];
  if (guide.missing.length) {
    const names = guide.missing.map(([name, letter]) => `${name} (${named(letter)})`);
    parts.push(_("Missing: {squares}.", { squares: some(names) }));
  }
  if (guide.extra.length) parts.push(_("Too many: {squares}.", { squares: some(guide.extra) }));
  if (guide.unknown.length) parts.push(_("Can't tell: {squares}.", { squares: some(guide.unknown) }));
  say(byId("guide"), guide.done ? _("The position stands.") : parts.join(" "));
  byId("guide").className = guide.done ? "good" : "";
}

function some(names) {
  if (names.length <= 8) return names.join(", ");
  return _("{squares} and {count} more", { squares: names.slice(0, 7).join(", "), count: names.length - 7 });
}

// ---- learning and beginning

async function learn() {
  const told = byId("learned");
  say(told, _("One moment …"));
  told.className = "";
  try {
    const made = await post("/api/calibrate");
    if (made.done) {
      say(told, _("Learned. This set can be told apart."));
      told.className = "good";
    } else {
      say(told, `${made.reason} – ${made.remedy}`);
      told.className = "bad";
    }
  } catch (error) {
    say(told, error.message);
    told.className = "bad";
  }
}

async function begin() {
  say(byId("begin-problem"), "");
  try {
    await post("/api/begin", { plan: plan() });
    window.location.assign("/");
  } catch (error) {
    say(byId("begin-problem"), error.message);
  }
}

for (const [name, value] of Object.entries(boot.plan || {})) {
  if (form.elements[name] && value) form.elements[name].value = value;
}
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("change", () => prepare());
byId("search").addEventListener("click", () => { corners = null; prepare({ search: true }); });
byId("learn").addEventListener("click", learn);
byId("begin").addEventListener("click", begin);

async function start() {
  await prepare();
  look();
  setInterval(() => { if (!document.hidden && dragging < 0) look(); }, 1000);
}

const playing = boot.state && boot.state.game && ["playing", "offence", "swept"].includes(boot.state.game.phase);
if (playing) {
  byId("stop").showModal();
  byId("stop").addEventListener("close", () => {
    if (byId("stop").returnValue === "yes") start();
    else window.location.assign("/");
  });
} else {
  start();
}
