// The requests of the bot that were refused, for who writes it.

import { el } from "./dom.js";

const MOST = 50;
const $ = (id) => document.getElementById(id);
let refused = [];

/** Start with these. */
export function setRefusals(list) {
  refused = list;
  draw();
}

/** Add one. */
export function addRefusal(refusal) {
  refused = [...refused, refusal].slice(-MOST);
  draw();
}

/** Show or hide the list; the focus goes with it. */
export function showRefusals(on) {
  $("refusals").hidden = !on;
  $("refusals-button").setAttribute("aria-expanded", String(on));
  if (on) $("refusals-close").focus();
}

function draw() {
  $("refusals-button").querySelector(".count").textContent = String(refused.length);
  $("refusals-button").hidden = !refused.length;
  const rows = refused.map((one) => {
    const what = el("code", { textContent: `${one.method} ${one.path.replace(/\/(local-)?\d{15,}/g, "/…")}` });
    const why = el("span", { textContent: ` ${one.status}${one.code ? ` (${one.code})` : ""} ${one.message}` });
    return el("li", {}, what, why, ...wrong(one.errors, []).map((line) => el("small", { textContent: line })));
  });
  $("refusals").querySelector("ol").replaceChildren(...rows.reverse());
}

function wrong(errors, path) {
  const found = [];
  for (const [key, value] of Object.entries(errors || {})) {
    if (key === "_errors") found.push(...value.map((one) => `${path.join(".") || "the form"}: ${one.message}`));
    else found.push(...wrong(value, [...path, key]));
  }
  return found;
}
