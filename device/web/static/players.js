// Names, clocks and whose turn it is.

import { el } from "./dom.js";
import { clock } from "./telling.js";
import { _ } from "./words.js";

export const SIDES = ["w", "b"];

export function nameOf(state, side) {
  const given = state.plan && (side === "w" ? state.plan.white : state.plan.black);
  return given || (side === "w" ? _("White") : _("Black"));
}

/** Clocks that go on by themselves between two messages. */
export class Clocks {
  constructor() {
    this.told = null;
    this.since = 0;
    setInterval(() => this.show(), 200);
  }

  set(told) {
    this.told = told;
    this.since = performance.now();
    this.show();
  }

  element(side) {
    if (!this.told) return null;
    return el("span", { class: "clock", role: "timer", "data-clock": side }, this.text(side));
  }

  left(side) {
    const passed = (performance.now() - this.since) / 1000;
    const runs = this.told.running === side ? Math.max(0, passed - this.told.grace) : 0;
    return Math.max(0, this.told[side] - runs);
  }

  text(side) {
    return clock(this.left(side));
  }

  show() {
    if (!this.told) return;
    for (const shown of document.querySelectorAll("[data-clock]")) {
      const side = shown.dataset.clock;
      const text = this.text(side);
      if (shown.textContent !== text) shown.textContent = text;
      shown.classList.toggle("runs", this.told.running === side);
      shown.classList.toggle("low", this.told.running === side && this.left(side) < 20);
    }
  }
}
