// What every page has: language, the arbiter's way in and out, questions before what can't be undone.

import { byId, say } from "./dom.js";
import { post } from "./net.js";

byId("language")?.addEventListener("change", (event) => {
  const there = new URL(window.location.href);
  there.searchParams.set("lang", event.target.value);
  window.location.assign(there);
});

function enter() {
  say(byId("pin-problem"), "");
  byId("pin-text").value = "";
  byId("pin").showModal();
}
byId("enter")?.addEventListener("click", enter);
byId("enter-here")?.addEventListener("click", enter);

byId("pin-send").addEventListener("click", async (event) => {
  event.preventDefault();
  try {
    await post("/api/login", { pin: byId("pin-text").value });
    window.location.reload();
  } catch (error) {
    say(byId("pin-problem"), error.message);
  }
});

byId("leave")?.addEventListener("click", async () => {
  await post("/api/logout");
  window.location.reload();
});

/** Ask before something that can't be undone. */
export function ask(text, yes) {
  const dialog = byId("ask");
  say(byId("ask-text"), text);
  say(byId("ask-yes"), yes);
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}
