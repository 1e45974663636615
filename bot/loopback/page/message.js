// One message as it is read, with what the player can do to it.

import { attachment, components, embed } from "./components.js";
import { el } from "./dom.js";
import { markdown } from "./markdown.js";
import { moreButton } from "./more.js";
import { clock, timeOf } from "./time.js";
import { nameOf, store } from "./store.js";

const EPHEMERAL = 1 << 6;
const LOADING = 1 << 7;
const LAYOUT = 1 << 15;

/** Whether a message is for the player's eyes only. */
export function isEphemeral(message) {
  return Boolean(message.flags & EPHEMERAL);
}

/** Whether a message goes on from the one above it, without a head of its own. */
export function goesOn(message, before) {
  if (!before || before.author.id !== message.author.id || message.type !== 0 || before.type === 18) return false;
  if (message.interaction_metadata || isEphemeral(message) !== isEphemeral(before)) return false;
  return new Date(message.timestamp) - new Date(before.timestamp) < 420000;
}

/**
 * A message as an element.
 *
 * `doing` has `press(message, component, values)`, `dismiss(message)`, `open(channel)`, `command(message, name, of)`
 * `markUnread(message)`, `privates()` and `dismissAll()`; `fault` is a sentence to show beneath it.
 */
export function article(message, { before, fault, doing }) {
  if (message.type === 18) return threadNotice(message, doing);
  const on = goesOn(message, before);
  const mine = (message.mentions || []).some((user) => user.id === store.me.id);
  const kinds = ["message", on && "on", isEphemeral(message) && "private", mine && "pinged"].filter(Boolean);
  const node = el("article", { class: kinds.join(" "), dataset: { id: message.id }, tabIndex: -1, "aria-label": `${nameOf(message.author)}, ${timeOf(message.timestamp)}` });
  const above = context(message);
  if (above) node.append(above);
  if (!on) node.append(avatar(message.author), head(message));
  node.append(el("div", { class: "body" }, ...body(message, doing)));
  if (fault) node.append(el("p", { class: "fault", role: "alert", textContent: fault }));
  if (isEphemeral(message)) {
    const away = el("button", { type: "button", class: "plain", textContent: "Dismiss", onclick: () => doing.dismiss(message) });
    node.append(el("p", { class: "eyes" }, "Only you can see this · ", away));
  } else {
    node.append(moreButton(message, doing));
  }
  return node;
}

function body(message, doing) {
  if (message.flags & LOADING) return [thinking(message.author)];
  const parts = [];
  if (message.content) {
    const text = el("div", { class: "md" }, markdown(message.content));
    if (message.edited_timestamp) (text.lastElementChild || text).append(el("small", { class: "edited", textContent: "(edited)" }));
    parts.push(text);
  }
  parts.push(...message.embeds.map(embed));
  if (!(message.flags & LAYOUT)) parts.push(...message.attachments.map(attachment));
  parts.push(...components(message.components, (one, values) => doing.press(message, one, values)));
  if (message.thread) {
    const open = () => doing.open(message.thread.id);
    parts.push(el("button", { type: "button", class: "thread-link", textContent: `Thread: ${message.thread.name} ›`, onclick: open }));
  }
  return parts;
}

/** What stands while the bot thinks. */
export function thinking(author) {
  const dots = el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i"));
  return el("p", { class: "thinking" }, dots, `${nameOf(author)} is thinking…`);
}

/** The line that says which command was used. */
export function usedLine(user, command) {
  return el("p", { class: "context" }, el("b", { textContent: nameOf(user) }), " used ", el("b", { class: "used", textContent: `/${command}` }));
}

function context(message) {
  if (message.interaction && message.type === 20) return usedLine(message.interaction.user, message.interaction.name);
  if (message.type !== 19 || !message.message_reference) return null;
  const answered = store.messages.get(message.channel_id)?.get(message.message_reference.message_id);
  const who = answered ? nameOf(answered.author) : "a message";
  return el("p", { class: "context" }, "↱ in reply to ", el("b", { textContent: who }), answered?.content ? ` ${answered.content.slice(0, 80)}` : "");
}

function head(message) {
  const name = el("b", { class: "author", textContent: nameOf(message.author) });
  const tag = message.author.bot && el("span", { class: "tag", textContent: "BOT" });
  return el("header", {}, name, tag, clock(message.timestamp));
}

/** A user's round picture: a letter on a colour of their own. */
export function avatar(user) {
  const place = [...store.users.keys()].indexOf(user.id);
  const node = el("span", { class: user.bot ? "avatar bot" : "avatar", "aria-hidden": "true", textContent: nameOf(user)[0].toUpperCase() });
  if (!user.bot) node.style.setProperty("--hue", String((place * 137.5 + 200) % 360));
  return node;
}

function threadNotice(message, doing) {
  const key = message.message_reference?.message_id;
  const open = el("button", { type: "button", class: "plain", textContent: message.content, onclick: () => doing.open(key) });
  return el("article", { class: "message notice", dataset: { id: message.id }, tabIndex: -1 }, el("b", { textContent: nameOf(message.author) }), " started a thread: ", open);
}
