// What the server handed over, and sentences in the page's language.

const element = document.getElementById("boot");
export const boot = element ? JSON.parse(element.textContent) : {};

/** A sentence in the page's language; what stands in braces is filled in. */
export function _(text, fields = {}) {
  const said = (boot.words || {})[text] || text;
  return said.replace(/\{(\w+)\}/g, (whole, name) => (name in fields ? String(fields[name]) : whole));
}
