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

/**
 * Make these the children, and leave those alone that are there already.
 *
 * What somebody is about to press, has the focus on, or has chosen in must not be taken away by a
 * message that changes something else.  So handlers may use what their element was made with, and
 * nothing that changes while it looks the same.
 */
export function fill(parent, ...children) {
  const old = [...parent.childNodes];
  const wanted = children
    .filter((child) => child !== null && child !== undefined)
    .map((child) => (child instanceof Node ? child : document.createTextNode(child)))
    .map((child) => {
      const at = old.findIndex((one) => one.isEqualNode(child));
      return at < 0 ? child : old.splice(at, 1)[0];
    });
  for (const gone of old) gone.remove();
  wanted.forEach((child, index) => {
    const there = parent.childNodes[index];
    if (there !== child) parent.insertBefore(child, there || null);
  });
}

/** Set a text only where it differs, so that screen readers aren't told twice. */
export function say(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

export const byId = (id) => document.getElementById(id);
