// Where the player writes: messages, and slash commands with their options.

import { el, fresh } from "./dom.js";
import { packed } from "./modal.js";
import { act, commandsHere, isDirect, keepStored, nameOf, store, stored, titleOf } from "./store.js";

const SUBCOMMANDS = new Set([1, 2]);
const FILE = 11;
const NARROW = matchMedia("(max-width: 760px)");
const USES = "wordmoot.uses";
const BLUR = 150; // ms until the list of a field that was left goes

/**
 * Each command that can be sent, with its whole name, as one looks for them: help, to open a table, those of the games,
 * to live at a table, the others; among these by how often they were sent from here, then as the bot has them.
 */
export function leaves(commands, uses = stored(USES) || {}) {
  const found = [];
  const walk = (command, path, top) => {
    const inner = (command.options || []).filter((option) => SUBCOMMANDS.has(option.type) && !("value" in option));
    if (inner.length) for (const one of inner) walk(one, `${path} ${one.name}`, false);
    else found.push({ name: path, description: command.description, options: top && command.type !== 1 ? [] : command.options || [] });
  };
  for (const command of commands.filter((one) => one.type === 1)) walk(command, command.name, true);
  const words = found.map((one) => one.name.split(" "));
  const games = words.filter(([first]) => first === "play").map(([, game]) => game);
  const groups = [["help"], ["play"], games, ["table"]];
  const rank = ({ name }) => (groups.findIndex((group) => group.includes(name.split(" ")[0])) + groups.length + 1) % (groups.length + 1); // others last
  return found.sort((one, other) => rank(one) - rank(other) || (uses[other.name] || 0) - (uses[one.name] || 0));
}

/** Count that a command was sent. */
function used(name) {
  const uses = stored(USES) || {};
  keepStored(USES, { ...uses, [name]: (uses[name] || 0) + 1 });
}

/**
 * The composer of the open channel.
 *
 * `asking(name)` is called when a command is sent and returns what to call when it is answered, `asked(name, answer)`
 * with what came of it, `settle()` to say where the keyboard goes then, `look()` to go up to the messages.
 */
export class Composer {
  constructor(form, { asking, asked, settle, look }) {
    this.form = form;
    this.asking = asking;
    this.asked = asked;
    this.settle = settle;
    this.look = look;
    NARROW.addEventListener("change", () => this.rename());
    this.problem = el("p", { class: "fault", role: "alert" });
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.write();
  }

  /** Go back to plain writing. */
  write(text = "") {
    this.command = null;
    this.problem.textContent = "";
    const listId = fresh("commands");
    this.list = el("div", { class: "suggestions", id: listId, role: "listbox", "aria-label": "Commands", hidden: true });
    this.field = el("textarea", { rows: 1, value: text, maxLength: 2000, role: "combobox", "aria-label": "Message", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": listId });
    this.field.addEventListener("input", () => {
      this.problem.textContent = "";
      this.typed();
    });
    this.field.addEventListener("keydown", (event) => this.keyed(event));
    this.field.addEventListener("click", () => this.list.hidden && this.typed());
    const { field } = this;
    afterLeaving(field, () => this.field === field && this.suggest([])); // not the list of the field that has come after it
    const slash = el("button", { type: "button", class: "slash", textContent: "/", title: "Commands", "aria-label": "Commands" });
    slash.addEventListener("click", () => {
      this.field.value = "/";
      this.field.focus();
      this.typed();
    });
    this.form.replaceChildren(this.problem, this.list, el("div", { class: "line" }, slash, this.field));
    this.rename();
    this.options = [];
  }

  /** Name the channel that is written to. */
  rename() {
    const channel = store.channels.get(store.current);
    if (!channel || !this.field) return;
    const where = isDirect(channel) ? titleOf(channel) : `#${channel.name}`;
    this.field.placeholder = NARROW.matches ? "Message, or / for commands" : `Message ${where}, or / for a command`;
  }

  /** The element that one writes in. */
  get place() {
    return this.form.querySelector(".command input") || this.form.querySelector(".command .primary") || this.field;
  }

  focus() {
    this.place.focus();
  }

  typed() {
    this.field.style.height = "auto";
    this.field.style.height = `${Math.min(this.field.scrollHeight, 160)}px`;
    const text = this.field.value;
    if (!/^\/[^\n]*$/.test(text)) return this.suggest([]);
    const all = leaves(commandsHere());
    const wanted = text.slice(1).toLowerCase().trim();
    const taken = all.find((one) => text.slice(1).toLowerCase().startsWith(`${one.name} `));
    const rest = taken ? text.slice(taken.name.length + 2).trim() : "";
    if (taken?.options.some((option) => rest || option.required)) return this.fill(taken, rest);
    const begins = all.filter((one) => one.name.startsWith(wanted));
    return this.suggest([...begins, ...all.filter((one) => !begins.includes(one) && one.name.includes(wanted))]);
  }

  suggest(commands) {
    this.options = commands;
    this.list.hidden = !commands.length;
    this.field.setAttribute("aria-expanded", String(commands.length > 0));
    this.list.replaceChildren(
      ...commands.map((command, index) => {
        const given = { class: "option", id: fresh("command"), role: "option" };
        const name = el("b", { textContent: `/${command.name}` });
        const wants = command.options.filter((option) => option.required).map((option) => el("span", { class: "wants", textContent: option.name }));
        const node = el("div", given, el("span", { class: "text" }, el("span", {}, name, ...wants), el("small", { textContent: command.description })));
        node.addEventListener("mousedown", (event) => {
          event.preventDefault();
          this.choose(index);
        });
        return node;
      }),
    );
    this.move(0);
  }

  move(index) {
    if (!this.options.length) return this.field.removeAttribute("aria-activedescendant");
    this.at = (index + this.options.length) % this.options.length;
    [...this.list.children].forEach((node, place) => {
      node.classList.toggle("at", place === this.at);
      node.setAttribute("aria-selected", String(place === this.at));
    });
    const node = this.list.children[this.at];
    node.scrollIntoView({ block: "nearest" });
    return this.field.setAttribute("aria-activedescendant", node.id);
  }

  keyed(event) {
    const open = this.options.length > 0;
    if (open && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      this.move(this.at + (event.key === "ArrowDown" ? 1 : -1));
    } else if (open && (event.key === "Tab" || event.key === "Enter") && !event.shiftKey) {
      event.preventDefault();
      this.choose(this.at);
    } else if (open && event.key === "Escape") {
      event.preventDefault();
      this.suggest([]);
    } else if (event.key === "ArrowUp" && !event.altKey && !this.field.value) {
      event.preventDefault();
      this.look();
    } else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.say();
    }
  }

  async say() {
    const text = this.field.value.trim();
    if (!text) return;
    if (text.startsWith("/")) {
      this.typed(); // the list may have been put away
      if (!this.command && !this.options.length) this.problem.textContent = this.refusal(text);
      return;
    }
    this.field.value = "";
    this.typed();
    try {
      await act("say", { channel: store.current, text });
      this.problem.textContent = "";
    } catch (error) {
      this.field.value = text;
      this.problem.textContent = error.message;
    }
  }

  /** Why a text is no command. */
  refusal(text) {
    const known = leaves(commandsHere()).find((one) => !one.options.length && text.slice(1).toLowerCase().startsWith(`${one.name} `));
    return known ? `/${known.name} takes nothing more.` : "There is no such command here.";
  }

  /** Take a command and ask for its options; one without any is sent at once. */
  choose(index) {
    const command = this.options[index];
    if (!command.options.length) {
      this.write();
      this.send(command.name, {});
      return;
    }
    this.fill(command);
  }

  /** Ask for the options of a command; what was typed behind its name goes into the first. */
  fill(command, text = "") {
    this.command = command;
    this.problem.textContent = "";
    this.fields = new Map();
    this.slots = el("div", { class: "slots" });
    this.more = el("div", { class: "more" });
    const away = el("button", { type: "button", class: "plain", textContent: "✕", "aria-label": "Put the command away", onclick: () => this.cancel() });
    const send = el("button", { type: "button", class: "primary", textContent: "Send", onclick: () => this.submit() });
    const top = el("div", { class: "command-head" }, el("b", { class: "chip", textContent: `/${command.name}` }), el("span", { textContent: command.description }), away);
    const box = el("div", { class: "command", role: "group", "aria-label": `/${command.name}` }, top, this.slots, el("div", { class: "row between" }, this.more, send));
    box.addEventListener("keydown", (event) => {
      if (event.defaultPrevented) return;
      const empty = event.target.tagName === "INPUT" && !event.target.value;
      if (event.key === "Escape") this.cancel();
      else if (event.key === "Backspace" && empty && event.target === this.slots.querySelector("input")) {
        event.preventDefault();
        this.cancel(`/${command.name}`);
      } else if (event.key === "Enter" && event.target.tagName === "INPUT") {
        event.preventDefault();
        this.submit();
      }
    });
    this.form.replaceChildren(this.problem, box);
    const first = command.options.find((option) => option.required) || (text ? command.options[0] : null);
    for (const option of command.options) {
      if (option.required || option === first) this.add(option);
      else this.offer(option);
    }
    const field = first ? this.fields.get(first.name) : send; // with nothing to fill in, Enter sends
    if (text) field.write?.(text);
    field.focus();
  }

  offer(option) {
    const button = el("button", { type: "button", class: "plain", textContent: `+ ${option.name}`, title: option.description });
    button.addEventListener("click", () => {
      button.remove();
      this.add(option).focus();
    });
    this.more.append(button);
  }

  add(option) {
    const field = option.type === FILE ? new FileField(option) : new OptionField(option, (typed) => this.ask(option, typed));
    this.fields.set(option.name, field);
    this.slots.append(field.whole);
    return field;
  }

  async ask(option, typed) {
    const options = { [option.name]: typed };
    for (const [name, field] of this.fields) {
      if (name !== option.name && field instanceof OptionField && !field.empty) options[name] = field.soFar();
    }
    const answer = await act("autocomplete", { channel: store.current, command: this.command.name, focused: option.name, options });
    if (answer.failed) throw new Error("Loading the suggestions failed.");
    return answer.choices;
  }

  /** Put the command away, and leave this text to go on with. */
  cancel(text = "") {
    this.write(text);
    this.field.focus();
    this.typed();
  }

  async submit() {
    const options = {};
    this.problem.textContent = "";
    for (const option of this.command.options) {
      const field = this.fields.get(option.name);
      if (!field || field.empty) {
        if (!option.required) continue;
        this.problem.textContent = `${option.name} is needed.`;
        field?.focus();
        return;
      }
      try {
        options[option.name] = await field.read();
      } catch (error) {
        this.problem.textContent = error.message;
        field.focus();
        return;
      }
    }
    await this.send(this.command.name, options);
  }

  async send(name, options) {
    const before = this.command;
    const pending = this.asking(name);
    try {
      const answer = await act("slash", { channel: store.current, command: name, options });
      used(name);
      const waiting = before && this.command === before;
      if (waiting) this.write();
      this.asked(name, answer);
      // Whoever has begun to write meanwhile goes on.
      if (!document.querySelector("dialog[open]") && (waiting || !this.field.value)) this.settle();
    } catch (error) {
      this.problem.textContent = error.message;
    } finally {
      pending();
    }
  }
}

/** An option that takes text, from a list where it has one. */
class OptionField {
  constructor(option, ask) {
    this.option = option;
    this.ask = ask;
    this.choices = fixedChoices(option);
    this.shown = [];
    this.at = -1;
    this.asked = 0;
    const id = fresh("option");
    const listId = fresh("choices");
    this.list = el("div", { class: "suggestions", id: listId, role: "listbox", "aria-label": option.name, hidden: true });
    this.input = el("input", { id, type: "text", inputMode: [4, 10].includes(option.type) ? "decimal" : "text", role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": listId, placeholder: hint(option) });
    if (option.max_length) this.input.maxLength = option.max_length;
    const label = el("label", { htmlFor: id, title: option.description }, option.name, option.required && el("span", { class: "must", textContent: " *" }));
    this.whole = el("div", { class: "slot" }, label, el("div", { class: "combo" }, this.input, this.list));
    if (option.description && option.description !== "…") this.whole.append(el("small", { textContent: option.description }));
    this.input.addEventListener("focus", () => this.refresh());
    this.input.addEventListener("click", () => this.list.hidden && this.refresh());
    this.input.addEventListener("input", () => {
      this.picked = null;
      this.refresh();
    });
    this.input.addEventListener("keydown", (event) => this.keyed(event));
    afterLeaving(this.input, () => this.show([]));
  }

  get empty() {
    return this.input.value.trim() === "";
  }

  focus() {
    this.input.focus();
    if (this.list.hidden) this.refresh(); // it may have had the focus already
  }

  /** Put a text in, as if it had been typed. */
  write(text) {
    this.input.value = this.input.maxLength > 0 ? text.slice(0, this.input.maxLength) : text;
  }

  /** The value as the command takes it; throws an Error with a sentence when it is none. */
  read() {
    const text = this.input.value.trim();
    if (this.picked) return this.picked.value;
    if (this.choices) {
      const found = this.choices.find((choice) => choice.name.toLowerCase() === text.toLowerCase());
      if (!found) throw new Error(`${this.option.name}: choose one from the list.`);
      return found.value;
    }
    if (this.option.type === 4 || this.option.type === 10) {
      const number = Number(text.replace(",", "."));
      if (Number.isNaN(number) || (this.option.type === 4 && !Number.isInteger(number))) throw new Error(`${this.option.name} is a number.`);
      return number;
    }
    return text;
  }

  /** The value if it is one already, else the text. */
  soFar() {
    try {
      return this.read();
    } catch {
      return this.input.value;
    }
  }

  refresh() {
    const typed = this.input.value.trim().toLowerCase();
    if (this.option.autocomplete) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.load(), 120);
    } else if (this.choices) {
      const whole = this.picked && this.picked.name.toLowerCase() === typed;
      this.show(this.choices.filter((choice) => whole || choice.name.toLowerCase().includes(typed)).slice(0, 25));
    }
  }

  async load() {
    const turn = (this.asked += 1);
    let found = [];
    try {
      found = (await this.ask(this.input.value)).map((choice) => ({ name: String(choice.name), value: choice.value }));
    } catch (error) {
      found = [{ name: error.message, value: null, fault: true }];
    }
    if (turn === this.asked && document.activeElement === this.input) this.show(found);
  }

  show(choices) {
    this.shown = choices.filter((choice) => !choice.fault);
    this.list.hidden = !choices.length;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.list.replaceChildren(
      ...choices.map((choice, index) => {
        const node = el("div", { class: choice.fault ? "option faulty" : "option", id: fresh("choice"), role: "option", textContent: choice.name });
        node.addEventListener("mousedown", (event) => {
          event.preventDefault();
          if (!choice.fault) this.pick(index);
        });
        return node;
      }),
    );
    this.move(this.choices && this.shown.length && this.input.value ? 0 : -1);
  }

  move(index) {
    this.at = index;
    [...this.list.children].forEach((node, place) => {
      node.classList.toggle("at", place === index);
      node.setAttribute("aria-selected", String(place === index));
    });
    const node = this.list.children[index];
    node?.scrollIntoView({ block: "nearest" });
    if (node) this.input.setAttribute("aria-activedescendant", node.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  exact(choice) {
    return this.input.value.trim().toLowerCase() === choice.name.toLowerCase();
  }

  pick(index) {
    this.picked = this.shown[index];
    this.input.value = this.picked.name;
    this.show([]);
  }

  keyed(event) {
    const count = this.shown.length;
    if (count && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const next = event.key === "ArrowDown" ? this.at + 1 : this.at < 0 ? count - 1 : this.at - 1;
      this.move((next + count) % count);
    } else if (count && event.key === "Enter" && this.at >= 0) {
      if (!this.exact(this.shown[this.at])) event.preventDefault(); // else there is nothing left to pick: it sends
      this.pick(this.at);
    } else if (count && event.key === "Tab" && this.at >= 0) {
      this.pick(this.at);
    } else if (event.key === "Escape" && !this.list.hidden) {
      event.preventDefault();
      this.show([]);
    }
  }
}

/** An option that takes a file. */
class FileField {
  constructor(option) {
    const id = fresh("option");
    this.input = el("input", { id, type: "file" });
    this.whole = el("div", { class: "slot" }, el("label", { htmlFor: id, textContent: option.name }), this.input);
  }

  get empty() {
    return !this.input.files.length;
  }

  focus() {
    this.input.focus();
  }

  read() {
    return packed(this.input.files[0]);
  }
}

/** Do something a moment after a field was left, unless one has come back to it: a press on the way may need its list. */
function afterLeaving(field, does) {
  field.addEventListener("blur", () => setTimeout(() => document.activeElement !== field && does(), BLUR));
}

function fixedChoices(option) {
  const users = () => [...store.users.values()].map((user) => ({ name: nameOf(user), value: user.id }));
  const roles = () => [...store.roles].map(([value, name]) => ({ name, value }));
  const channels = () =>
    [...store.channels.values()]
      .filter((channel) => !isDirect(channel) && (!option.channel_types || option.channel_types.includes(channel.type)))
      .map((channel) => ({ name: `#${channel.name}`, value: channel.id }));
  const truths = [
    { name: "True", value: true },
    { name: "False", value: false },
  ];
  const sources = { 5: () => truths, 6: users, 7: channels, 8: roles, 9: () => [...users(), ...roles()] };
  if (option.choices?.length) return option.choices.map((choice) => ({ name: String(choice.name), value: choice.value }));
  return sources[option.type] ? sources[option.type]() : null;
}

function hint(option) {
  if (option.min_value !== undefined && option.max_value !== undefined) return `${option.min_value} to ${option.max_value}`;
  return "";
}
