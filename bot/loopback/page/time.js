// Times: of messages, and those that messages name, which go on counting.

import { el } from "./dom.js";

const FORMATS = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};

const STEPS = [
  ["year", 31536000],
  ["month", 2592000],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

const words = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** A moment relative to now, such as "in 42 seconds". */
export function relative(seconds, now = Date.now()) {
  const away = Math.round(seconds - now / 1000);
  const [unit, size] = STEPS.find(([, step]) => Math.abs(away) >= step) || STEPS[STEPS.length - 1];
  return words.format(Math.trunc(away / size), unit);
}

/** A `<t:…>` as an element; a relative one is kept up to date. */
export function timestamp(seconds, style = "f") {
  const moment = new Date(seconds * 1000);
  const node = el("time", { class: "stamp", title: moment.toLocaleString("en", FORMATS.F), dateTime: moment.toISOString() });
  if (style === "R") {
    node.dataset.until = String(seconds);
    node.textContent = relative(seconds);
  } else {
    node.textContent = moment.toLocaleString("en", FORMATS[style] || FORMATS.f);
  }
  return node;
}

/** When a message was posted, short. */
export function timeOf(iso) {
  const moment = new Date(iso);
  const today = new Date().toDateString() === moment.toDateString();
  return moment.toLocaleString("en", today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
}

/** `timeOf` as an element. */
export function clock(iso) {
  return el("time", { class: "when", dateTime: iso, textContent: timeOf(iso) });
}

setInterval(() => {
  for (const node of document.querySelectorAll("time[data-until]")) {
    const text = relative(Number(node.dataset.until));
    if (node.textContent !== text) node.textContent = text;
  }
}, 500);
