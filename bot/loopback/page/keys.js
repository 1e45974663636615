// The keys of the page, and the help that lists them.

import { el } from "./dom.js";

const HELP = [
  ["Tab, Shift + Tab", "To the next or the previous thing that can be used."],
  ["Alt + ↑, Alt + ↓", "The channel above or below. With Shift, the next unread one."],
  ["Alt + M, or ↑ in an empty message field", "To the newest message."],
  ["↑, ↓ among the messages", "From message to message. Enter goes to the first button of one, ← and → to its others."],
  ["Escape", "From the messages back to the message field; closes menus, lists and dialogs."],
  ["Alt + P", "To the other players: Enter plays on as one, Ctrl + Enter opens a new tab."],
  ["/ in the message field", "The bot's commands: ↑ and ↓ choose, Enter or Tab takes one, Escape puts it away."],
  ["In an enlarged picture", "+ and − change its size, Enter fits it or shows it in full, arrows move it."],
  ["? or Ctrl + /", "This list."],
];

/** Open the help. */
export function openHelp() {
  const box = document.getElementById("help");
  const shut = el("button", { type: "button", class: "shut", textContent: "✕", "aria-label": "Close", onclick: () => box.close() });
  const rows = HELP.flatMap(([keys, does]) => [el("dt", { textContent: keys }), el("dd", { textContent: does })]);
  box.replaceChildren(
    el("header", {}, el("h2", { id: "help-title", textContent: "Keys and help" }), shut),
    el("p", { class: "hint", textContent: "Each player has a link above the messages: a click plays on as that player, a middle click opens a tab for them. A message's options are behind its ⋯ button." }),
    el("dl", {}, ...rows),
  );
  if (!box.open) box.showModal();
  shut.focus();
}

/** Listen to the keys: `does` has `step(steps, unread)`, `newest()`, `players()` and `help()`. */
export function listenToKeys(does) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const action = actionOf(event, does);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function actionOf(event, does) {
  if (event.altKey && !event.ctrlKey && !event.metaKey) {
    if (event.key === "ArrowUp") return () => does.step(-1, event.shiftKey);
    if (event.key === "ArrowDown") return () => does.step(1, event.shiftKey);
    if (event.code === "KeyM") return does.newest;
    if (event.code === "KeyP") return does.players;
    return null;
  }
  if (event.key === "/" && event.ctrlKey) return does.help;
  if (event.key === "?" && !event.target.matches("input, textarea")) return does.help;
  return null;
}
