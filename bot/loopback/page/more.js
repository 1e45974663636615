// The menu of a message: the application's commands for it and its author, and what the page itself can do.

import { el } from "./dom.js";
import { commandsHere, nameOf } from "./store.js";

const USER = 2;
const MESSAGE = 3;

let open = null; // { menu, button }

/**
 * The button that opens a message's menu.
 *
 * `doing` has `command(message, name, of)`, `markUnread(message)`, `privates()`, how many messages only the player
 * sees, and `dismissAll()`, which puts them away.
 */
export function moreButton(message, doing) {
  const button = el("button", { type: "button", class: "more-button", textContent: "⋯", "aria-label": "Message options", "aria-haspopup": "menu", "aria-expanded": "false" });
  button.addEventListener("click", () => (open?.button === button ? shut() : show(button, message, doing)));
  return button;
}

function items(message, doing) {
  const every = commandsHere();
  const run = (command, label, of) => ({ label, does: () => doing.command(message, command.name, of) });
  return [
    ...every.filter((one) => one.type === MESSAGE).map((one) => run(one, one.name, { message: message.id })),
    ...every.filter((one) => one.type === USER).map((one) => run(one, `${one.name}: ${nameOf(message.author)}`, { user: message.author.id })),
    { label: "Mark unread from here", does: () => doing.markUnread(message) },
    ...(doing.privates() ? [{ label: "Dismiss all private messages", does: doing.dismissAll }] : []),
  ];
}

function show(button, message, doing) {
  shut(false);
  const menu = el("div", { class: "menu", role: "menu", "aria-label": "Message options" });
  for (const item of items(message, doing)) {
    const choose = () => {
      shut();
      item.does();
    };
    menu.append(el("button", { type: "button", role: "menuitem", tabIndex: -1, textContent: item.label, onclick: choose }));
  }
  menu.addEventListener("keydown", keyed);
  menu.addEventListener("focusout", (event) => event.relatedTarget && !menu.contains(event.relatedTarget) && event.relatedTarget !== button && shut(false));
  document.querySelector("main").append(menu);
  open = { menu, button };
  button.setAttribute("aria-expanded", "true");
  lay(menu, button.getBoundingClientRect());
  menu.firstElementChild.focus();
  document.addEventListener("pointerdown", outside, true);
  document.getElementById("messages").addEventListener("scroll", scrolled, { once: true });
}

function lay(menu, at) {
  const below = at.bottom + menu.offsetHeight + 8 < window.innerHeight;
  menu.style.top = `${below ? at.bottom + 4 : Math.max(8, at.top - menu.offsetHeight - 4)}px`;
  menu.style.left = `${Math.max(8, at.right - menu.offsetWidth)}px`;
}

function keyed(event) {
  const rows = [...open.menu.children];
  const at = rows.indexOf(document.activeElement);
  const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 };
  if (event.key in steps) {
    event.preventDefault();
    rows[(steps[event.key] + rows.length) % rows.length].focus();
  } else if (event.key === "Escape" || event.key === "Tab") {
    event.preventDefault();
    event.stopPropagation();
    shut();
  }
}

function outside(event) {
  if (!open.menu.contains(event.target) && event.target !== open.button) shut(false);
}

function scrolled() {
  shut();
}

function shut(back = true) {
  if (!open) return;
  const { menu, button } = open;
  open = null;
  document.removeEventListener("pointerdown", outside, true);
  document.getElementById("messages").removeEventListener("scroll", scrolled);
  if (back) button.focus({ preventScroll: true }); // while it is still to be seen
  button.setAttribute("aria-expanded", "false");
  menu.remove();
}
