// A player's link: the token stands behind the #, which no server and no log is told.

import { byId, say } from "./dom.js";
import { post } from "./net.js";
import { _ } from "./words.js";

const token = decodeURIComponent(window.location.hash.slice(1));
window.history.replaceState(null, "", "/join");

try {
  const { side } = await post("/api/join", { token });
  say(byId("told"), side === "w" ? _("You play White.") : _("You play Black."));
  setTimeout(() => window.location.replace("/"), 700);
} catch (error) {
  say(byId("told"), error.message);
}
