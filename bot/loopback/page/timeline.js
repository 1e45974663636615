// The messages of the open channel: drawn, followed to the newest, marked where the unread ones begin.

import { el, older } from "./dom.js";
import { isFollowed, letGo, pursue, underHand } from "./follow.js";
import { article, avatar, isEphemeral, usedLine } from "./message.js";
import { isUnread, markRead, nameOf, readUpTo, store } from "./store.js";
import { welcome } from "./welcome.js";

const NEAR = 80; // px from the end that still count as being there

const faults = new Map(); // message id -> what went wrong with it
const notices = []; // what this page alone shows: { channel, after, node }
const drawn = new Map(); // message id -> { key, node }: what stands in the list

let doing = null;
let changed = () => {};
let divider = null; // { channel, after }: where the unread messages began when the player came
let held = null; // the channel that the player wants to stay unread
let following = true; // whether the player is at the end, and wants to stay there when the list gets smaller

const box = () => document.getElementById("messages");
const jump = () => document.getElementById("jump");

/** Begin; `actions` are what messages can do, `read()` is called when something was read. */
export function startTimeline(actions, read) {
  doing = actions;
  changed = read;
  box().addEventListener("shut", () => drawMessages());
  box().addEventListener("scroll", look, { passive: true });
  box().addEventListener("keydown", keyed);
  new ResizeObserver(() => following && toTheEnd()).observe(box());
  jump().addEventListener("click", () => {
    toTheEnd();
    look();
  });
}

/** Another channel was opened. */
export function turnTo(channel) {
  held = null;
  const place = store.channels.get(channel);
  const after = readUpTo(channel);
  divider = place && isUnread(place) && after !== "0" ? { channel, after } : null;
  box().replaceChildren();
}

/** What the player said ends the wait: nothing above it is new any more. */
export function caughtUp() {
  held = null;
  divider = null;
}

/** Let a message and what follows it be unread again. */
export function markUnread(message) {
  const ids = inOrder().map((one) => one.id);
  const before = ids[ids.indexOf(message.id) - 1] || "0";
  held = message.channel_id;
  divider = { channel: message.channel_id, after: before };
  markRead(message.channel_id, before);
  drawMessages();
}

/** Set or, with null, take away what is said to have gone wrong with a message. */
export function setFault(id, text) {
  if (text === null) faults.delete(id);
  else faults.set(id, text);
}

/** Show that a control of a message was used and is not answered yet. */
export function busy(id, customId, on) {
  const whole = box().querySelector(`[data-id="${id}"]`);
  const control = [...(whole?.querySelectorAll("[data-custom-id]") || [])].find((node) => node.dataset.customId === customId);
  control?.setAttribute("aria-busy", String(on));
  control?.classList.toggle("busy", on);
}

/** Put something at the end that this page alone shows; returns what `forget` takes away. */
export function notice(command, text, kind) {
  const known = inOrder();
  const one = { channel: store.current, after: known.length ? known[known.length - 1].id : "0" };
  const away = el("button", { type: "button", class: "plain", textContent: "Dismiss", onclick: () => forget(one) });
  one.node = el(
    "article",
    { class: "message private", tabIndex: -1 },
    usedLine(store.me, command),
    avatar(store.bot),
    el("header", {}, el("b", { class: "author", textContent: nameOf(store.bot) }), el("span", { class: "tag", textContent: "BOT" })),
    el("div", { class: "body" }, el("p", { class: kind, role: kind === "fault" ? "alert" : undefined, textContent: text })),
    kind === "fault" && el("p", { class: "eyes" }, "Only you can see this · ", away),
  );
  notices.push(one);
  drawMessages({ toEnd: true });
  return one;
}

/** Take a notice away. */
export function forget(one) {
  const index = notices.indexOf(one);
  if (index >= 0) notices.splice(index, 1);
  drawMessages();
}

/** The messages of the open channel that only the player sees. */
export function privateMessages() {
  return inOrder().filter(isEphemeral);
}

/** Put the focus on the newest message; its first button is one Tab away. */
export function focusNewest() {
  const all = articles();
  (all[all.length - 1] || box()).focus();
}

/** Bring the list up to date, touching only what changed, and stay at the end if the player was there. */
export function drawMessages({ toEnd = false, again = null } = {}) {
  if (!store.messages.has(store.current)) return;
  const messages = inOrder();
  // What the player said, what answers them alone and what came of their press is what they wait for.
  const awaited = messages.some((one) => !drawn.has(one.id) && (isEphemeral(one) || one.author.id === store.me.id || isFollowed(one)));
  if (awaited) letGo();
  const grip = toEnd ? null : inHand(messages);
  const stay = toEnd || awaited || atEnd();
  if (!divider && isUnread(store.channels.get(store.current)) && !(stay && isLooking()) && readUpTo(store.current) !== "0") {
    divider = { channel: store.current, after: readUpTo(store.current) };
  }
  const nodes = [];
  const kept = new Set();
  const waiting = notices.filter((one) => one.channel === store.current);
  let before = null;
  let day = "";
  let divided = divider?.channel !== store.current;
  const release = (upTo) => {
    while (waiting.length && (upTo === null || older(waiting[0].after, upTo))) {
      nodes.push(waiting.shift().node);
      before = null;
    }
  };
  for (const message of messages) {
    release(message.id);
    const date = new Date(message.timestamp).toDateString();
    if (date !== day) {
      if (day || date !== new Date().toDateString()) nodes.push(line("day", new Date(message.timestamp).toLocaleDateString("en", { dateStyle: "long" })));
      if (day) before = null;
      day = date;
    }
    if (!divided && older(divider.after, message.id) && message.author.id !== store.me.id && !isEphemeral(message)) {
      nodes.push(line("new", "New messages"));
      before = null;
      divided = true;
    }
    nodes.push(place(message, before, again));
    kept.add(message.id);
    before = message;
  }
  release(null);
  for (const id of drawn.keys()) if (!kept.has(id)) drawn.delete(id);
  const card = welcome(store.channels.get(store.current));
  if (card) nodes.push(card);
  if (!nodes.length) nodes.push(el("p", { class: "nothing", textContent: "Nothing was said here yet. Type / for the bot's commands." }));
  replace(nodes);
  if (grip) keepInHand(grip);
  else if (stay) toTheEnd();
  pursue(messages);
  look();
  if (grip) keepInHand(grip); // the way to the newest, shown by now, takes room
}

function inOrder() {
  return [...(store.messages.get(store.current)?.values() || [])].sort((one, other) => (older(one.id, other.id) ? -1 : 1));
}

function place(message, before, again) {
  const fault = faults.get(message.id);
  const key = JSON.stringify([message, before?.id, fault]);
  const old = drawn.get(message.id);
  const choosing = old?.node.querySelector(".pop:not([hidden])"); // not to be taken from under the player's hand
  const same = old && (choosing || (old.key === key && again !== message.id));
  const node = same ? old.node : article(message, { before, fault, doing });
  drawn.set(message.id, { key: same ? old.key : key, node });
  return node;
}

/** Make these the list. What stays is not moved, which would cost it the focus; the old goes last, which keeps the place. */
function replace(nodes) {
  const list = box();
  const wanted = new Set(nodes);
  const old = [...list.children].filter((node) => !wanted.has(node));
  let at = list.firstElementChild;
  for (const node of nodes) {
    while (at && at !== node && old.includes(at) && node.parentNode === list) at = at.nextElementSibling;
    if (at === node) at = node.nextElementSibling;
    else list.insertBefore(node, at);
  }
  for (const node of old) node.remove();
}

function line(kind, text) {
  return el("div", { class: `day ${kind}`, role: "separator", "aria-label": text }, el("span", { textContent: text }));
}

// Following and reading

function atEnd() {
  const list = box();
  return list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
}

/** The message whose button was pressed, if there are newer ones to be carried off to, and where it is. */
function inHand(messages) {
  const id = underHand();
  const node = drawn.get(id)?.node;
  if (!node?.isConnected || messages[messages.length - 1]?.id === id) return null;
  return { id, top: node.getBoundingClientRect().top };
}

/** Let a message be where it was; what it has grown by is to be seen. */
function keepInHand({ id, top }) {
  const node = drawn.get(id)?.node;
  if (!node) return;
  box().scrollTop += node.getBoundingClientRect().top - top;
  node.scrollIntoView({ block: "nearest" });
}

function isLooking() {
  return document.visibilityState === "visible";
}

function toTheEnd() {
  const list = box();
  following = true;
  list.scrollTop = list.scrollHeight;
  for (const image of list.querySelectorAll("img")) {
    if (!image.complete) image.addEventListener("load", () => following && (list.scrollTop = list.scrollHeight), { once: true });
  }
}

/** Note what the player sees now: what is read, and whether there is more below. */
export function look() {
  const channel = store.channels.get(store.current);
  const messages = inOrder();
  if (!channel) return;
  const below = !atEnd();
  following = !below;
  const seen = readUpTo(channel.id);
  const fresh = messages.filter((one) => older(seen, one.id) && one.author.id !== store.me.id && !isEphemeral(one)).length;
  jump().hidden = !below;
  jump().textContent = fresh && held !== channel.id ? `${fresh} new ${fresh === 1 ? "message" : "messages"} ↓` : "To the newest ↓";
  jump().classList.toggle("news", fresh > 0);
  if (below || !isLooking() || held === channel.id || !messages.length) return;
  const newest = messages[messages.length - 1].id;
  if (!older(seen, newest)) return;
  markRead(channel.id, newest);
  changed();
}

// The keyboard

function articles() {
  return [...box().querySelectorAll("article")];
}

function keyed(event) {
  if (event.defaultPrevented || event.altKey || event.ctrlKey) return;
  const control = event.target.closest("button, a, input, .chooser");
  if (event.key === "Escape") {
    event.preventDefault();
    doing.write();
  } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    if (control?.closest(".chooser")) return;
    event.preventDefault();
    step(event.key === "ArrowUp" ? -1 : 1);
  } else if (event.key === "Enter" && event.target.matches("article")) {
    event.preventDefault();
    const body = event.target.querySelector(".body");
    (controlsOf(event.target)[0] || body?.querySelector("a[href]") || body?.querySelector(".picture"))?.focus();
  } else if ((event.key === "ArrowLeft" || event.key === "ArrowRight") && event.target.matches("#messages .body button")) {
    const all = controlsOf(event.target.closest("article"));
    const next = all[all.indexOf(event.target) + (event.key === "ArrowLeft" ? -1 : 1)];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
}

/** The buttons and menus of a message; its pictures and links are no more than read. */
function controlsOf(article) {
  return [...article.querySelectorAll(".body button:not(:disabled, .picture, .send)")];
}

function step(by) {
  const all = articles();
  const at = all.indexOf(document.activeElement.closest("article"));
  const next = at < 0 ? all[by < 0 ? all.length - 1 : 0] : all[at + by];
  if (!next) return;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: next.offsetHeight > box().clientHeight ? "start" : "nearest" });
}
