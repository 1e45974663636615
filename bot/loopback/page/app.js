// The page: one player's view of the local world, kept up to date by a socket.

import { Composer } from "./composer.js";
import { el, older } from "./dom.js";
import { article, avatar, isEphemeral, usedLine } from "./message.js";
import { openModal } from "./modal.js";
import { act, isDirect, isThread, markRead, nameOf, player, readUpTo, store, titleOf } from "./store.js";

const $ = (id) => document.getElementById(id);
const faults = new Map(); // message id -> what went wrong with it
const notices = []; // what this page alone shows: { channel, after, node }
let composer = null;
let typingUntil = 0;
let refused = [];

// What the server tells

const hear = {
  HELLO(hello) {
    Object.assign(store, { me: hello.me, bot: hello.bot, guild: hello.guild, dm: hello.dm, online: hello.online, commands: hello.commands });
    store.users = new Map(hello.users.map((user) => [user.id, user]));
    store.roles = new Map(hello.roles.map((role) => [role.id, role.name]));
    store.messages.clear();
    document.title = `Wordmoot – local play · ${nameOf(store.me)}`;
    refused = hello.refusals;
    hear.CHANNELS(hello.channels);
    drawPlayers(hello.players);
    drawBot();
    drawRefusals();
    open(fromAddress() || store.current || defaultChannel());
  },
  CHANNELS(channels) {
    store.channels = new Map(channels.map((channel) => [channel.id, channel]));
    if (store.current && !store.channels.has(store.current)) open(defaultChannel());
    drawChannels();
    drawBar();
  },
  COMMANDS(commands) {
    store.commands = commands;
  },
  BOT({ online }) {
    store.online = online;
    drawBot();
  },
  MESSAGE_CREATE(message) {
    const channel = store.channels.get(message.channel_id);
    if (channel) channel.last_message_id = message.id;
    if (message.author.id === store.bot.id) showTyping(0);
    const seen = message.channel_id === store.current && document.visibilityState === "visible";
    if (!seen && message.author.id !== store.me.id && addresses(message, channel)) {
      store.pings.set(message.channel_id, (store.pings.get(message.channel_id) || 0) + 1);
    }
    keep(message);
    drawChannels();
  },
  MESSAGE_UPDATE(message) {
    keep(message);
  },
  MESSAGE_DELETE({ id, channel_id }) {
    store.messages.get(channel_id)?.delete(id);
    if (channel_id === store.current) drawMessages();
  },
  TYPING({ channel_id }) {
    if (channel_id === store.current) showTyping(Date.now() + 8000);
  },
  REFUSAL(refusal) {
    refused = [...refused, refusal].slice(-50);
    drawRefusals();
  },
};

function addresses(message, channel) {
  return (channel && isDirect(channel)) || message.mentions.some((user) => user.id === store.me.id);
}

function keep(message) {
  store.messages.get(message.channel_id)?.set(message.id, message);
  if (message.channel_id === store.current) drawMessages();
}

let pause = 250;
function connect() {
  const socket = new WebSocket(`ws://${location.host}/local/${encodeURIComponent(player)}/feed`);
  socket.onmessage = (event) => {
    const { t, d } = JSON.parse(event.data);
    pause = 250;
    hear[t]?.(d);
  };
  socket.onclose = () => {
    store.online = false;
    $("bot-state").textContent = "The local server is gone. Trying again…";
    $("bot-state").className = "off";
    setTimeout(connect, pause);
    pause = Math.min(pause * 2, 4000);
  };
}

// Channels

function defaultChannel() {
  const texts = [...store.channels.values()].filter((channel) => channel.type === 0);
  return (texts.find((channel) => channel.name === "games") || texts[0]).id;
}

function fromAddress() {
  const key = location.hash.slice(1);
  return store.channels.has(key) ? key : null;
}

async function open(key) {
  if (!store.channels.has(key)) return;
  const other = store.current !== key;
  store.current = key;
  if (location.hash.slice(1) !== key) history.replaceState(null, "", `#${key}`);
  drawBar();
  drawChannels();
  composer.rename();
  if (other) $("messages").replaceChildren();
  if (!store.messages.has(key)) {
    store.messages.set(key, new Map());
    const response = await fetch(`/local/${store.me.id}/messages/${key}`);
    const known = store.messages.get(key);
    for (const message of response.ok ? await response.json() : []) if (!known.has(message.id)) known.set(message.id, message);
  }
  if (store.current === key) drawMessages({ toEnd: true });
}

function drawBar() {
  const channel = store.channels.get(store.current);
  if (!channel) return;
  const parent = store.channels.get(channel.parent_id);
  $("title").textContent = isDirect(channel) ? titleOf(channel) : isThread(channel) ? `${parent ? `#${parent.name} › ` : ""}${channel.name}` : `#${channel.name}`;
  const state = isThread(channel) && channel.thread_metadata.archived ? "Archived. Writing here reopens it." : "";
  $("topic").textContent = isDirect(channel) ? "Direct messages, seen by you and the bot." : state || channel.topic || "";
}

function drawChannels() {
  const all = [...store.channels.values()];
  const texts = all.filter((channel) => channel.type === 0).sort((one, other) => one.position - other.position);
  const list = el("ul");
  for (const channel of texts) {
    list.append(el("li", {}, entry(channel, "#")));
    const threads = all.filter((thread) => thread.parent_id === channel.id && (!thread.thread_metadata.archived || thread.id === store.current));
    for (const thread of threads.sort((one, other) => (older(one.id, other.id) ? -1 : 1))) {
      list.append(el("li", { class: "thread" }, entry(thread, thread.type === 12 ? "🔒" : "›")));
    }
  }
  const direct = all.filter(isDirect).map((channel) => el("li", {}, entry(channel, "@")));
  const focused = document.activeElement?.closest?.("#channels button")?.dataset.channel;
  $("channels").replaceChildren(el("h2", { textContent: "Channels" }), list, el("h2", { textContent: "Direct messages" }), el("ul", {}, ...direct));
  if (focused) $("channels").querySelector(`[data-channel="${focused}"]`)?.focus();
  const pings = [...store.pings.values()].reduce((sum, count) => sum + count, 0);
  if (store.me) document.title = `${pings ? `(${pings}) ` : ""}Wordmoot – local play · ${nameOf(store.me)}`;
  $("menu").classList.toggle("news", all.some(isUnread));
}

function isUnread(channel) {
  return channel.id !== store.current && Boolean(channel.last_message_id) && older(readUpTo(channel.id), channel.last_message_id);
}

function entry(channel, sign) {
  const unread = isUnread(channel);
  const pings = store.pings.get(channel.id);
  const here = channel.id === store.current;
  const node = el(
    "button",
    { type: "button", class: ["entry", here && "here", unread && "unread"].filter(Boolean).join(" "), dataset: { channel: channel.id }, "aria-current": here ? "page" : undefined },
    el("span", { class: "sign", "aria-hidden": "true", textContent: sign }),
    el("span", { class: "name", textContent: titleOf(channel) }),
    unread && el("span", { class: "hidden", textContent: " (unread)" }),
    pings && el("span", { class: "badge", textContent: String(pings), title: "Messages for you" }),
  );
  node.addEventListener("click", () => {
    open(channel.id);
    drawer(false);
    composer.focus();
  });
  return node;
}

// Messages

const doing = {
  open: (key) => open(key),
  async press(message, component, values) {
    faults.delete(message.id);
    const body = { channel: message.channel_id, message: message.id, custom_id: component.custom_id };
    busy(message.id, component.custom_id, true);
    try {
      const answer = await act(values ? "select" : "click", values ? { ...body, values } : body);
      if (answer.failed) faults.set(message.id, "This interaction failed.");
      else answered(answer);
    } catch (error) {
      faults.set(message.id, error.message);
    }
    busy(message.id, component.custom_id, false);
    drawMessages({ again: message.id });
  },
  dismiss: (message) => act("dismiss", { channel: message.channel_id, message: message.id }).catch(() => {}),
};

function busy(id, customId, on) {
  const article = $("messages").querySelector(`[data-id="${id}"]`);
  const button = [...(article?.querySelectorAll("[data-custom-id]") || [])].find((node) => node.dataset.customId === customId);
  button?.setAttribute("aria-busy", String(on));
  button?.classList.toggle("busy", on);
}

function answered(answer) {
  if (answer.modal) openModal(answer, answered);
}

function lastId() {
  const known = store.messages.get(store.current);
  return known ? [...known.keys()].reduce((last, key) => (older(last, key) ? key : last), "0") : "0";
}

function notice(user, command, text, kind) {
  const after = lastId();
  const one = { channel: store.current, after };
  const away = el("button", { type: "button", class: "plain", textContent: "Dismiss", onclick: () => forget(one) });
  one.node = el(
    "article",
    { class: "message private" },
    usedLine(user, command),
    avatar(store.bot),
    el("header", {}, el("b", { class: "author", textContent: nameOf(store.bot) }), el("span", { class: "tag", textContent: "BOT" })),
    el("div", { class: "body" }, el("p", { class: kind, role: kind === "fault" ? "alert" : undefined, textContent: text })),
    kind === "fault" && el("p", { class: "eyes" }, "Only you can see this · ", away),
  );
  notices.push(one);
  drawMessages({ toEnd: true });
  return one;
}

function forget(one) {
  const index = notices.indexOf(one);
  if (index >= 0) notices.splice(index, 1);
  drawMessages();
}

/** Show that a command is on its way, if it takes longer than a blink; returns what takes that away. */
function asking(name) {
  let shown = null;
  const timer = setTimeout(() => (shown = notice(store.me, name, "Sending the command…", "sending")), 400);
  return () => {
    clearTimeout(timer);
    if (shown) forget(shown);
  };
}

function asked(name, answer) {
  if (answer.failed) notice(store.me, name, "The application did not respond.", "fault");
  else answered(answer);
}

const drawn = new Map(); // message id -> { key, node }: what stands in the list

/** Bring the list up to date, touching only what changed, and stay at the end if the player was there. */
function drawMessages({ toEnd = false, again = null } = {}) {
  const box = $("messages");
  const known = store.messages.get(store.current);
  if (!known) return;
  const messages = [...known.values()].sort((one, other) => (older(one.id, other.id) ? -1 : 1));
  // What the player said, and what answers them alone, is what they wait for.
  const awaited = messages.some((one) => !drawn.has(one.id) && (isEphemeral(one) || one.author.id === store.me.id));
  const atEnd = toEnd || awaited || box.scrollHeight - box.scrollTop - box.clientHeight < 80;
  const focus = focused(box);
  const nodes = [];
  if (!messages.length) nodes.push(el("p", { class: "nothing", textContent: "Nothing was said here yet. Type / for the bot's commands." }));
  let before = null;
  let day = "";
  const kept = new Set();
  const place = (one) => one.channel === store.current;
  const waiting = notices.filter(place);
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
      if (day || date !== new Date().toDateString()) nodes.push(dayLine(message.timestamp));
      if (day) before = null;
      day = date;
    }
    const key = JSON.stringify([message, before?.id, faults.get(message.id)]);
    const old = drawn.get(message.id);
    const choosing = old?.node.querySelector(".pop:not([hidden])"); // not to be taken from under the player's hand
    const same = old && (choosing || (old.key === key && again !== message.id));
    const node = same ? old.node : article(message, { before, fault: faults.get(message.id), doing });
    drawn.set(message.id, { key: same ? old.key : key, node });
    kept.add(message.id);
    nodes.push(node);
    before = message;
  }
  release(null);
  for (const id of drawn.keys()) if (!kept.has(id)) drawn.delete(id);
  replace(box, nodes);
  refocus(box, focus);
  if (atEnd) toTheEnd(box);
  if (messages.length && document.visibilityState === "visible") {
    markRead(store.current, messages[messages.length - 1].id);
    drawChannels();
  }
}

function replace(box, nodes) {
  nodes.forEach((node, index) => {
    if (box.children[index] !== node) box.insertBefore(node, box.children[index] || null);
  });
  while (box.children.length > nodes.length) box.lastElementChild.remove();
}

function toTheEnd(box) {
  box.scrollTop = box.scrollHeight;
  for (const image of box.querySelectorAll("img")) {
    if (!image.complete) image.addEventListener("load", () => (box.scrollTop = box.scrollHeight), { once: true });
  }
}

function focused(box) {
  const node = document.activeElement;
  if (!node || !box.contains(node)) return null;
  return { id: node.closest("[data-id]")?.dataset.id, customId: node.dataset.customId };
}

function refocus(box, focus) {
  if (!focus?.customId || (document.activeElement !== document.body && box.contains(document.activeElement))) return;
  const nodes = box.querySelectorAll(`[data-id="${focus.id}"] [data-custom-id]`);
  [...nodes].find((node) => node.dataset.customId === focus.customId)?.focus({ preventScroll: true });
}

function dayLine(iso) {
  const text = new Date(iso).toLocaleDateString("en", { dateStyle: "long" });
  return el("div", { class: "day", role: "separator" }, el("span", { textContent: text }));
}

function showTyping(until) {
  typingUntil = until;
  $("typing").textContent = until > Date.now() ? `${nameOf(store.bot)} is typing…` : "";
}
setInterval(() => typingUntil && typingUntil < Date.now() && showTyping(0), 1000);

// The sidebar's foot

function drawPlayers(players) {
  const links = players.map((user) => {
    const mine = user.id === store.me.id;
    return el("a", { class: mine ? "player mine" : "player", href: `/?player=${encodeURIComponent(nameOf(user))}`, title: `Play as ${nameOf(user)}`, "aria-current": mine ? "true" : undefined }, avatar(user), nameOf(user));
  });
  $("players").replaceChildren(...links);
}

function drawBot() {
  $("bot-state").textContent = store.online ? `${nameOf(store.bot)} is online.` : `${nameOf(store.bot)} is offline.`;
  $("bot-state").className = store.online ? "on" : "off";
}

function drawRefusals() {
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

function showRefusals(on) {
  $("refusals").hidden = !on;
  $("refusals-button").setAttribute("aria-expanded", String(on));
}

function drawer(on) {
  document.body.classList.toggle("drawer", on);
  $("veil").hidden = !on;
  $("menu").setAttribute("aria-expanded", String(on));
}

// Beginning

async function begin() {
  $("menu").addEventListener("click", () => drawer(!document.body.classList.contains("drawer")));
  $("veil").addEventListener("click", () => drawer(false));
  $("refusals-button").addEventListener("click", () => {
    showRefusals($("refusals").hidden);
    drawer(false);
  });
  $("refusals-close").addEventListener("click", () => showRefusals(false));
  document.addEventListener("keydown", (event) => event.key === "Escape" && drawer(false));
  $("messages").addEventListener("shut", () => drawMessages());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && store.current && drawMessages());
  window.addEventListener("hashchange", () => fromAddress() && open(fromAddress()));
  composer = new Composer($("composer"), { asking, asked });
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    composer.focus();
  });
  connect();
}

if (player) begin();
else {
  const players = await (await fetch("/local/players")).json();
  location.replace(`/?player=${encodeURIComponent(players[0])}${location.hash}`);
}
