// Evidence: small pictures that open large.

import { byId, el, fill, say } from "./dom.js";
import { _ } from "./words.js";

/** Show pictures of a game's folder; with `most` only the newest ones, the newest first. */
export function pictures(box, folder, names, most) {
  const shown = most ? names.slice(-most).reverse() : names;
  box.hidden = !shown.length;
  if (box.dataset.shown === shown.join()) return;
  box.dataset.shown = shown.join();
  fill(
    box,
    ...shown.map((name) => {
      const [ply, label] = words(name);
      const text = _("After {ply} plies: {label}", { ply, label });
      const src = `/games/${folder}/${name}`;
      return el("button", { type: "button", onclick: () => open(src, text) },
        el("img", { src, alt: text, loading: "lazy" }), el("span", {}, `${ply} · ${label}`));
    }),
  );
}

function words(name) {
  const found = /^(\d+)-(.*?)(-\d+)?\.jpg$/.exec(name);
  return found ? [Number(found[1]), found[2]] : [0, name];
}

function open(src, text) {
  byId("picture-image").src = src;
  byId("picture-image").alt = text;
  say(byId("picture-name"), text);
  byId("picture").showModal();
}
