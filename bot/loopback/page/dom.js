// Makes elements. No text ever goes through innerHTML.

/** Make an element: `class`, `dataset`, `on…` and ARIA attributes are understood, the rest are properties. */
export function el(tag, given = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") node.className = value;
    else if (key === "dataset") Object.assign(node.dataset, value);
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key.startsWith("aria-") || key === "role") node.setAttribute(key, value === true ? "true" : String(value));
    else node[key] = value;
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Whether one snowflake is older than another. They are strings: numbers would lose their last digits. */
export function older(one, other) {
  return one.length === other.length ? one < other : one.length < other.length;
}

let last = 0;
/** An id for an element, unique in the page. */
export function fresh(prefix) {
  last += 1;
  return `${prefix}-${last}`;
}
