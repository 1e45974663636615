// The page: one player's view of the local world, kept up to date by a socket.

import { announceEdit, announceMessage } from "./announce.js";
import { defaultChannel, drawBar, drawChannels, neighbour } from "./channels.js";
import { Composer } from "./composer.js";
import { older } from "./dom.js";
import { listen } from "./feed.js";
import { cameFrom, here, keepFocus, leadOn } from "./focus.js";
import { acted, answeredForm, startFollowing } from "./follow.js";
import { listenToKeys, openHelp } from "./keys.js";
import { openLuck } from "./luck.js";
import { isEphemeral } from "./message.js";
import { openModal } from "./modal.js";
import { drawPlayers, focusPlayer } from "./players.js";
import { addRefusal, setRefusals, showRefusals } from "./refusals.js";
import { act, get, nameOf, onReadElsewhere, player, store } from "./store.js";
import { busy, caughtUp, drawMessages, focusNewest, forget, look, markUnread, notice, privateMessages, setFault, startTimeline, turnTo } from "./timeline.js";
import { saw, startWelcome, vanished } from "./welcome.js";

const $ = (id) => document.getElementById(id);
const NARROW = matchMedia("(max-width: 760px)");
const TOUCH = matchMedia("(pointer: coarse)");
let composer = null;
let typingUntil = 0;
const dismissing = new Set(); // ids of the messages that the player, not the bot, takes away

// What the server tells

const hear = {
  HELLO(hello) {
    Object.assign(store, { me: hello.me, bot: hello.bot, guild: hello.guild, dm: hello.dm, online: hello.online, commands: hello.commands, played: hello.played });
    store.users = new Map(hello.users.map((user) => [user.id, user]));
    store.roles = new Map(hello.roles.map((role) => [role.id, role.name]));
    store.addressed = new Map(Object.entries(hello.addressed).map(([user, channels]) => [user, new Map(Object.entries(channels))]));
    store.messages.clear();
    setRefusals(hello.refusals);
    store.channels = new Map(hello.channels.map((channel) => [channel.id, channel]));
    hear.PLAYERS(hello.players);
    drawBot();
    open(fromAddress() || store.current || defaultChannel());
    if (document.activeElement === document.body && !TOUCH.matches) settle();
  },
  PLAYERS(players) {
    store.players = players;
    for (const user of players) store.users.set(user.id, user);
    drawPlayers();
    drawManagers();
  },
  CHANNELS(channels) {
    store.channels = new Map(channels.map((channel) => [channel.id, channel]));
    if (!store.channels.has(store.current)) open(defaultChannel());
    drawLists();
    drawBar();
  },
  COMMANDS(commands) {
    store.commands = commands;
    drawMessages();
  },
  BOT({ online }) {
    store.online = online;
    drawBot();
  },
  ADDRESSED({ channel, message, players }) {
    for (const [user, channels] of store.addressed) {
      if (message === null) channels.delete(channel);
      else channels.set(channel, (channels.get(channel) || []).filter((id) => id !== message));
      if (players.includes(user)) channels.get(channel).push(message);
    }
    for (const user of players) if (!store.addressed.has(user)) store.addressed.set(user, new Map([[channel, [message]]]));
    drawLists();
  },
  MESSAGE_CREATE(message) {
    const channel = store.channels.get(message.channel_id);
    if (channel) channel.last_message_id = message.id;
    if (message.author.id === store.bot.id) showTyping(0);
    if (message.author.id === store.me.id && message.channel_id === store.current) caughtUp();
    saw(message);
    announceMessage(message);
    keep(message);
    drawLists();
  },
  MESSAGE_UPDATE(message) {
    saw(message);
    announceEdit(store.messages.get(message.channel_id)?.get(message.id), message);
    keep(message);
  },
  MESSAGE_DELETE({ id, channel_id }) {
    const gone = store.messages.get(channel_id)?.get(id);
    store.messages.get(channel_id)?.delete(id);
    if (gone && isEphemeral(gone) && !dismissing.delete(id)) leadOn(id, heirOf(channel_id)?.id);
    vanished();
    if (channel_id === store.current) drawMessages();
  },
  TYPING({ channel_id }) {
    if (channel_id === store.current) showTyping(Date.now() + 8000);
  },
  REFUSAL: addRefusal,
};

function keep(message) {
  store.messages.get(message.channel_id)?.set(message.id, message);
  if (message.channel_id === store.current) drawMessages();
}

/** Where the keyboard goes when the bot takes a private message away: to the newest other one, else to the board. */
function heirOf(channel) {
  const all = [...store.messages.get(channel).values()].sort((one, other) => (older(one.id, other.id) ? 1 : -1));
  return all.find(isEphemeral) || all.find((one) => one.author.id === store.bot.id && one.components.length > 0);
}

function lost() {
  store.online = false;
  $("bot-state").textContent = "The local server is gone. Trying again…";
  $("bot-state").className = "off";
  $("offline").textContent = $("bot-state").textContent;
  $("offline").hidden = false;
}

// Channels

function fromAddress() {
  const key = location.hash.slice(1);
  if (key === "dm") return store.dm;
  return store.channels.has(key) ? key : null;
}

async function open(key) {
  if (!store.channels.has(key)) return;
  if (store.current !== key || !store.messages.has(key)) turnTo(key);
  store.current = key;
  if (location.hash.slice(1) !== key) history.replaceState(null, "", `#${key}`);
  drawBar();
  drawLists();
  composer.rename();
  if (!store.messages.has(key)) {
    store.messages.set(key, new Map());
    const known = store.messages.get(key);
    for (const message of await get(`/local/${store.me.id}/messages/${key}`).catch(() => [])) if (!known.has(message.id)) known.set(message.id, message);
  }
  if (store.current === key) drawMessages({ toEnd: true });
}

/** Open a channel that the player chose, and put the keyboard where they go on. */
function choose(key) {
  const opened = open(key);
  drawer(false);
  settle();
  return opened;
}

function drawLists() {
  if (!store.me) return;
  drawChannels(choose);
  drawPlayers();
}

// What the player does

const doing = {
  open: choose,
  write: settle,
  markUnread(message) {
    markUnread(message);
    drawLists();
  },
  press(message, component, values) {
    const body = { channel: message.channel_id, message: message.id, custom_id: component.custom_id };
    return use(message, component.custom_id, () => act(values ? "select" : "click", values ? { ...body, values } : body));
  },
  command(message, name, of) {
    return use(message, null, () => act("menu", { channel: message.channel_id, command: name, ...of }));
  },
  async dismiss(message) {
    const all = [...document.querySelectorAll("#messages [data-id]")];
    const above = all[all.findIndex((node) => node.dataset.id === message.id) - 1];
    if (above) cameFrom(message.id, { message: above.dataset.id });
    await dismissed(message);
  },
  privates: () => privateMessages().length,
  dismissAll: () => Promise.all(privateMessages().map(dismissed)),
};

function dismissed(message) {
  dismissing.add(message.id);
  return act("dismiss", { channel: message.channel_id, message: message.id }).catch(() => {});
}

async function use(message, customId, ask) {
  const from = here();
  const answeredNow = acted(message.channel_id, { keyboard: true, pressed: message.id });
  setFault(message.id, null);
  if (customId) busy(message.id, customId, true);
  try {
    const answer = await ask();
    if (answer.failed) setFault(message.id, "This interaction failed.");
    else answered(answer, from);
  } catch (error) {
    setFault(message.id, error.message);
  }
  answeredNow();
  if (customId) busy(message.id, customId, false);
  drawMessages({ again: message.id });
}

function answered(answer, from = null) {
  if (answer.message && answer.message !== from?.message) cameFrom(answer.message, from);
  if (!answer.modal) return;
  const sending = () => acted(store.current, { keyboard: from !== null, pressed: from?.message });
  const sent = (next) => {
    answered(next, from);
    answeredForm(next.message);
    drawMessages();
  };
  openModal(answer, { sending, sent });
}

/** Show that a command is on its way, if it takes longer than a blink; returns what takes that away. */
function asking(name) {
  const answeredNow = acted(store.current, { keyboard: false });
  let shown = null;
  const timer = setTimeout(() => (shown = notice(name, "Sending the command…", "sending")), 400);
  return () => {
    answeredNow();
    clearTimeout(timer);
    if (shown) forget(shown);
  };
}

function asked(name, answer) {
  if (answer.failed) notice(name, "The application did not respond.", "fault");
  else answered(answer);
}

// The keyboard's home

/** Where the keyboard goes when nothing nearer is left. By touch it is no field, or a keyboard would cover the page. */
function home() {
  return TOUCH.matches ? $("messages") : composer.place;
}

function settle() {
  if (document.body.classList.contains("drawer")) return;
  home().focus({ preventScroll: true });
}

function drawer(on) {
  if (on === document.body.classList.contains("drawer")) return;
  document.body.classList.toggle("drawer", on);
  $("veil").hidden = !on;
  $("menu").setAttribute("aria-expanded", String(on));
  document.querySelector("main").inert = on;
  if (on) $("channels").querySelector(".here")?.focus();
  else $("menu").focus();
}

function escaped(event) {
  if (event.key !== "Escape" || event.defaultPrevented || document.querySelector("dialog[open]")) return;
  drawer(false);
  if (!$("refusals").hidden) hideRefusals();
}

function hideRefusals() {
  showRefusals(false);
  settle();
}

// The rest of the page

function drawBot() {
  $("bot-state").textContent = store.online ? `${nameOf(store.bot)} is online.` : `${nameOf(store.bot)} is offline.`;
  $("bot-state").className = store.online ? "on" : "off";
  $("offline").textContent = store.online ? "" : `${nameOf(store.bot)} is offline. What you do now may fail.`;
  $("offline").hidden = store.online;
}

function drawManagers() {
  const names = store.players.filter((user) => user.manages).map(nameOf);
  $("managers").textContent = names.length ? `Who may manage the server: ${names.join(", ")}.` : "";
}

function showTyping(until) {
  typingUntil = until;
  $("typing").textContent = until > Date.now() ? `${nameOf(store.bot)} is typing…` : "";
}
setInterval(() => typingUntil && typingUntil < Date.now() && showTyping(0), 1000);

function begin() {
  $("menu").addEventListener("click", () => drawer(!document.body.classList.contains("drawer")));
  for (const id of ["veil", "drawer-close"]) $(id).addEventListener("click", () => drawer(false));
  NARROW.addEventListener("change", () => drawer(false));
  $("luck-button").addEventListener("click", () => {
    drawer(false);
    openLuck();
  });
  $("help-button").addEventListener("click", () => {
    drawer(false);
    openHelp();
  });
  $("refusals-button").addEventListener("click", () => {
    drawer(false);
    showRefusals($("refusals").hidden);
  });
  $("refusals-close").addEventListener("click", hideRefusals);
  document.addEventListener("keydown", escaped);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && store.current && look());
  window.addEventListener("hashchange", () => fromAddress() && open(fromAddress()));
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    composer.focus();
  });
  composer = new Composer($("composer"), { asking, asked, settle, look: focusNewest });
  startFollowing();
  startTimeline(doing, drawLists);
  startWelcome({ draw: drawMessages, go: open, begun: focusNewest });
  onReadElsewhere(drawLists);
  keepFocus(home);
  listenToKeys({
    step(by, unread) {
      const key = neighbour(by, { unread });
      if (key) choose(key);
    },
    newest: focusNewest,
    players: () => focusPlayer(),
    help: openHelp,
  });
  listen(player, { hear: (name, data) => hear[name]?.(data), lost });
}

if (player) begin();
else location.replace(`/?player=${encodeURIComponent((await get("/local/players"))[0])}${location.hash}`);
