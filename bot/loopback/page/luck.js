// Bad luck on request: what can go wrong, tried by a press; and the sentence that says what was tried.

import { announce } from "./announce.js";
import { el, fresh } from "./dom.js";
import { act, get, store } from "./store.js";

const NUMBERS = {
  requests: { label: "How many", value: 3, min: 1, max: 50, step: 1 },
  seconds: { label: "Seconds", value: 4, min: 0.5, max: 10, step: 0.5 },
};

/** Open the panel for the open channel. */
export async function openLuck() {
  const box = document.getElementById("luck");
  let offered = [];
  let problem = "";
  try {
    offered = await get(`/local/${store.me.id}/luck/${store.current}`);
    if (!offered.length) problem = "This server was started without bad luck.";
  } catch (error) {
    problem = error.message;
  }
  const shut = el("button", { type: "button", class: "shut", textContent: "✕", "aria-label": "Close", onclick: () => box.close() });
  const fault = el("p", { class: "fault", role: "alert", textContent: problem });
  box.replaceChildren(
    el("header", {}, el("h2", { id: "luck-title", textContent: "Try bad luck" }), shut),
    el("p", { class: "hint", textContent: "What Discord does to a bot on a bad day. Nothing here leaves this machine." }),
    fault,
    el("ul", { class: "strokes" }, ...offered.map((stroke) => line(stroke, box, fault))),
  );
  if (!box.open) box.showModal();
  (box.querySelector(".strokes button") || shut).focus();
}

function line(stroke, box, fault) {
  const does = fresh("does");
  const fields = new Map(stroke.asks.map((name) => [name, field(NUMBERS[name])]));
  const strike = async () => {
    const given = Object.fromEntries([...fields].map(([name, one]) => [name, Number(one.input.value)]));
    try {
      const told = await act("luck", { channel: store.current, key: stroke.key, ...given });
      box.close();
      tell(told);
    } catch (error) {
      fault.textContent = error.message;
      fault.scrollIntoView({ block: "nearest" });
    }
  };
  const button = el("button", { type: "button", class: "secondary", textContent: stroke.title, "aria-describedby": does, onclick: strike });
  return el(
    "li",
    {},
    el("div", { class: "strike" }, button, ...[...fields.values()].map((one) => one.whole)),
    el("p", { id: does }, stroke.does, " ", el("span", { class: "see", textContent: stroke.see })),
  );
}

function field({ label, ...given }) {
  const input = el("input", { type: "number", inputMode: "decimal", ...given });
  return { input, whole: el("label", {}, label, input) };
}

/** Say below the messages what was tried and what to look for, until it is put away. */
function tell({ title, does, see }) {
  const box = document.getElementById("told");
  const away = el("button", { type: "button", class: "plain", textContent: "Dismiss", onclick: () => (box.hidden = true) });
  box.replaceChildren(el("p", {}, el("b", { textContent: `${title}. ` }), does, " ", el("span", { class: "see", textContent: see })), away);
  box.hidden = false;
  announce(`${title}. ${does} ${see}`);
}
