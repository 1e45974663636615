// A select: a button that opens a list, for one value or several.

import { el, fresh } from "./dom.js";

/**
 * Make a select.
 *
 * `options` are `{ value, label, description, emoji, default }`; `done(values)` is called when a choice is made. With
 * `live` that is on every change (a form), else a list for several is sent when it shuts, as on Discord, by its own
 * button or by going elsewhere. Escape leaves everything as it was. When the list shuts, a "shut" event rises from it.
 */
export function chooser({ options, least = 1, most = 1, placeholder, disabled, label, customId, live = false, done }) {
  const listId = fresh("list");
  const several = most > 1;
  const chosen = new Set(options.filter((option) => option.default).map((option) => option.value));
  const caption = el("span", { class: "caption" });
  const button = el(
    "button",
    { type: "button", class: "select", disabled, dataset: customId ? { customId } : {}, "aria-haspopup": "listbox", "aria-expanded": "false", "aria-controls": listId, "aria-label": label },
    caption,
    el("span", { class: "arrow", "aria-hidden": "true", textContent: "▾" }),
  );
  const list = el("div", { class: "options", id: listId, role: "listbox", tabIndex: -1, "aria-multiselectable": several ? "true" : undefined });
  const pop = el("div", { class: "pop", hidden: true }, list);
  const whole = el("div", { class: "chooser" }, button, pop);
  const rows = options.map((option, index) => row(option, index));
  let at = 0;
  let before = [...chosen]; // what was chosen when the list opened

  function row(option, index) {
    const id = fresh("option");
    const text = el("span", { class: "text" }, el("span", { textContent: (option.emoji ? `${option.emoji} ` : "") + option.label }));
    if (option.description) text.append(el("small", { textContent: option.description }));
    const node = el("div", { class: "option", id, role: "option", dataset: { value: option.value } }, text, el("span", { class: "tick", "aria-hidden": "true", textContent: "✓" }));
    node.addEventListener("mousemove", () => move(index));
    node.addEventListener("click", () => pick(index));
    list.append(node);
    return node;
  }

  function show() {
    const names = options.filter((option) => chosen.has(option.value)).map((option) => option.label);
    caption.textContent = names.join(", ") || placeholder || "Choose";
    caption.classList.toggle("empty", !names.length);
    rows.forEach((node, index) => node.setAttribute("aria-selected", String(chosen.has(options[index].value))));
  }

  function move(index) {
    if (!rows.length) return;
    at = Math.max(0, Math.min(rows.length - 1, index));
    rows.forEach((node, place) => node.classList.toggle("at", place === at));
    list.setAttribute("aria-activedescendant", rows[at].id);
    rows[at].scrollIntoView({ block: "nearest" });
  }

  function open() {
    before = inOrder();
    pop.hidden = false;
    cutLastRow();
    button.setAttribute("aria-expanded", "true");
    move(Math.max(0, options.findIndex((option) => chosen.has(option.value))));
    list.focus({ preventScroll: true });
    pop.scrollIntoView({ block: "nearest" });
  }

  /** A list that goes on beyond its edge shows half a row there, so that one sees that it does. */
  function cutLastRow() {
    list.style.maxHeight = "";
    if (list.scrollHeight <= list.clientHeight) return;
    const edge = list.getBoundingClientRect();
    const middles = rows.map((node) => node.getBoundingClientRect()).map((box) => (box.top + box.bottom) / 2);
    list.style.maxHeight = `${Math.max(...middles.filter((middle) => middle <= edge.bottom)) - edge.top}px`;
  }

  function close(back = true) {
    if (pop.hidden) return;
    pop.hidden = true;
    button.setAttribute("aria-expanded", "false");
    if (back) button.focus();
    whole.dispatchEvent(new Event("shut", { bubbles: true }));
  }

  /** Shut the list and send what was chosen; when that is nothing new, or too little, all is as before. */
  function leave(back) {
    if (pop.hidden) return;
    close(back);
    const now = inOrder();
    if (!several || live || String(now) === String(before)) return;
    if (now.length < least) restore();
    else done(now);
  }

  /** Choose what was chosen when the list opened. */
  function restore() {
    chosen.clear();
    for (const value of before) chosen.add(value);
    show();
    send.disabled = chosen.size < least;
    if (several && live) done(inOrder());
  }

  function pick(index) {
    const value = options[index].value;
    if (!several) {
      const again = chosen.has(value) && least === 0;
      chosen.clear();
      if (!again) chosen.add(value);
      show();
      close();
      done([...chosen]);
      return;
    }
    if (chosen.has(value)) chosen.delete(value);
    else if (chosen.size < most) chosen.add(value);
    show();
    send.disabled = chosen.size < least;
    if (live) done(inOrder());
  }

  function inOrder() {
    return options.map((option) => option.value).filter((value) => chosen.has(value));
  }

  const send = el("button", { type: "button", class: "primary send", textContent: "Done", disabled: chosen.size < least });
  send.addEventListener("click", () => {
    close();
    if (!live) done(inOrder());
  });
  if (several) pop.append(send);

  button.addEventListener("click", () => (pop.hidden ? open() : leave(true)));
  button.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      open();
    }
  });
  list.addEventListener("keydown", (event) => {
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 };
    if (event.key in steps) {
      event.preventDefault();
      move(steps[event.key]);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (rows.length) pick(at);
    } else if (event.key.length === 1) {
      const found = options.findIndex((option) => option.label.toLowerCase().startsWith(event.key.toLowerCase()));
      if (found >= 0) move(found);
    }
  });
  pop.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    restore();
    close();
  });
  whole.addEventListener("focusout", (event) => {
    if (document.hasFocus() && !whole.contains(event.relatedTarget)) leave(false); // another window is not elsewhere
  });
  show();
  return whole;
}
