// Asking the server, and being told by it.

import { _, boot } from "./words.js";

/** Ask for a change; throws an Error with a sentence for a person. */
export async function post(path, body = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Error(_("No connection to the referee."));
  }
  let told = {};
  try {
    told = await answer.json();
  } catch {
    // a refusal without JSON
  }
  if (!answer.ok) {
    const parts = [told.error || _("That can't be done now.")];
    if (told.article) parts.push(`(${told.article})`);
    if (told.expected) parts.push(_("Expected: {what}.", { what: told.expected }));
    throw new Error(parts.join(" "));
  }
  return told;
}

export async function get(path) {
  const answer = await fetch(path, { headers: { Accept: "application/json" } });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error || answer.statusText);
  return told;
}

/**
 * Be told of everything from what the page was made with onwards.
 *
 * The browser comes back by itself after a loss and says the last id that it had; where it gives
 * up, we come back with the same id.
 */
export function listen({ told = () => {}, state = () => {}, clock = () => {}, link = () => {} }) {
  let last = boot.since || "";
  let source = null;
  let timer = 0;

  function open() {
    source = new EventSource(`/api/events?since=${encodeURIComponent(last)}&lang=${boot.lang}`);
    source.onopen = () => link(true);
    source.onerror = () => {
      link(false);
      if (source.readyState === EventSource.CLOSED) {
        clearTimeout(timer);
        timer = setTimeout(open, 3000);
      }
    };
    source.addEventListener("told", (event) => {
      last = event.lastEventId;
      told(JSON.parse(event.data));
    });
    source.addEventListener("state", (event) => {
      last = event.lastEventId;
      state(JSON.parse(event.data));
    });
    source.addEventListener("clock", (event) => clock(JSON.parse(event.data)));
  }
  open();
  // pages that sleep in a pocket lose their connection without being told
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && source.readyState === EventSource.CLOSED) open();
  });
}
