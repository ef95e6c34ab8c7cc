// Small helpers to make and change elements.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children; text is always text, never markup. */
export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same for drawings. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Put these children in place of all others. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}

/** Set a text only where it differs, so that screen readers aren't told twice. */
export function say(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

export const byId = (id) => document.getElementById(id);
