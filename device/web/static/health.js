// How the camera is, every few seconds.

import { byId, el, fill } from "./dom.js";
import { get } from "./net.js";
import { _ } from "./words.js";

const STATES = {
  found: () => _("sees the board"),
  covered: () => _("something covers a part of the board"),
  lost: () => _("doesn't see the board"),
  none: () => _("gives no picture"),
};

function light(value) {
  if (value < 0.12) return _("too dark");
  if (value < 0.22) return _("rather dark");
  if (value > 0.85) return _("too bright");
  return _("good");
}

async function look() {
  try {
    const told = await get("/api/health");
    const rows = [[_("Camera"), STATES[told.camera.state]()]];
    if (told.camera.reason) rows.push([_("Reason"), told.camera.reason]);
    for (const text of Object.values(told.trouble)) rows.push([_("Trouble"), text]);
    if (told.picture) {
      rows.push([_("Picture"), `${told.picture.width} × ${told.picture.height}`]);
      rows.push([_("Pictures a second"), String(told.rate)]);
      rows.push([_("Age of the picture"), _("{seconds} s", { seconds: told.picture.age })]);
      rows.push([_("Light"), light(told.picture.light)]);
      rows.push([_("Burnt out"), `${Math.round(told.picture.burnt * 100)} %`]);
    }
    rows.push([_("Browsers looking on"), String(told.looking)]);
    fill(byId("facts"), ...rows.flatMap(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]));
    const seen = ["found", "covered"].includes(told.camera.state);
    byId("noview").hidden = seen;
    byId("view").hidden = !seen;
    if (seen) byId("view").src = `/api/camera.jpg?t=${Date.now()}`;
  } catch {
    byId("offline").hidden = false;
    return;
  }
  byId("offline").hidden = true;
}

look();
setInterval(() => { if (!document.hidden) look(); }, 2000);
