// One shape for each kind of verdict, so that none is told by colour alone.

import { svg } from "./dom.js";

const WAYS = {
  ready: ["M4 12.5l5.2 5.2L20 7"],
  alarm: ["M12 3L22 20H2Z", "M12 9.5v5", "M12 17.3v.2"],
  unsure: ["M12 2.5a9.5 9.5 0 1 0 0 19a9.5 9.5 0 1 0 0-19", "M9 9.5a3 3 0 1 1 4.4 2.6c-.9.5-1.4 1-1.4 2", "M12 17v.2"],
  over: ["M6 21V4h11l-2.5 4L17 12H6"],
  idle: ["M12 2.5a9.5 9.5 0 1 0 0 19a9.5 9.5 0 1 0 0-19", "M12 7v5.5l3.5 2"],
};

export function sign(target, kind) {
  if (target.dataset.kind === kind) return;
  target.dataset.kind = kind;
  target.replaceChildren(...WAYS[kind].map((d) => svg("path", { d })));
}
