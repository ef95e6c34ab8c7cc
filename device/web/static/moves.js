// The list of moves, two to a row; each can be looked at.

import { el, fill } from "./dom.js";
import { _ } from "./words.js";

/**
 * @param list the <ol>
 * @param plies as the server tells them
 * @param at the ply that is looked at; null for the newest
 * @param look called with the index of a ply
 */
export function list(list, plies, at, look) {
  if (!plies.length) {
    fill(list, el("li", { class: "none" }, _("No move yet.")));
    return;
  }
  const rows = [];
  let row = null;
  plies.forEach((ply, index) => {
    if (ply.side === "w" || !row) {
      const number = rows.length + 1;
      row = el("li", {}, el("span", { class: "nr" }, `${number}.`));
      if (ply.side === "b" && number === 1) row.append(el("span", {}, "…"));
      rows.push(row);
    } else if (row.children.length > 2) {
      row = el("li", {}, el("span", { class: "nr" }, ""), el("span", {}, ""));
      rows.push(row);
    }
    const dice = ply.dice ? `${ply.dice.join("-")}: ` : "";
    const text = dice + (ply.text || `⚠ ${ply.code || "…"}`);
    row.append(
      el("button", {
        type: "button",
        class: ply.text ? null : "odd",
        "aria-current": index === (at ?? plies.length - 1) ? "true" : null,
        "data-ply": index,
        onclick: () => look(index),
      }, text),
    );
    if (ply.side === "b") row = row.children.length > 2 ? null : row;
  });
  const before = list.querySelector("[aria-current]")?.dataset.ply;
  fill(list, ...rows);
  const current = list.querySelector("[aria-current]");
  if (current && current.dataset.ply !== before) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}
