// What the page knows, and how it asks the server.

import { older } from "./dom.js";

export const store = {
  me: null,
  bot: null,
  guild: null,
  dm: null,
  online: false,
  users: new Map(),
  roles: new Map(),
  channels: new Map(),
  messages: new Map(), // channel id -> Map of message id -> message, for the channels that were opened
  commands: { guild: [], dm: [] },
  current: null,
  players: [],
  addressed: new Map(), // player id -> Map of channel id -> ids of the messages for that player
  played: true, // whether a table was ever opened in this world
};

/** The player's name, from the address. */
export const player = new URLSearchParams(location.search).get("player") || "";

/** A user's name as shown. */
export function nameOf(user) {
  return user.global_name || user.username;
}

/** Whether a channel is the direct messages with the bot. */
export function isDirect(channel) {
  return channel.type === 1;
}

/** Whether a channel is a thread. */
export function isThread(channel) {
  return channel.type === 11 || channel.type === 12;
}

/** What a channel is called. */
export function titleOf(channel) {
  return isDirect(channel) ? nameOf(store.bot) : channel.name;
}

/** The commands offered in the open channel. */
export function commandsHere() {
  const channel = store.channels.get(store.current);
  return channel && isDirect(channel) ? store.commands.dm : store.commands.guild;
}

/** Ask the server to do something as this player. Throws an Error with a sentence when it cannot be done. */
export function act(action, body) {
  return post(`/local/${store.me.id}/${action}`, body);
}

/** Send JSON to the server and read its answer. Throws an Error with a sentence when it is refused. */
export function post(path, body) {
  return answerOf(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

/** Read JSON from the server. Throws an Error with a sentence when it is refused. */
export function get(path) {
  return answerOf(path, {});
}

async function answerOf(path, request) {
  let response;
  try {
    response = await fetch(path, request);
  } catch {
    throw new Error("The local server does not answer.");
  }
  const text = await response.text();
  if (!response.ok) throw new Error(sentence(text) || `The local server answered ${response.status}.`);
  return JSON.parse(text);
}

function sentence(text) {
  try {
    return JSON.parse(text).error;
  } catch {
    return "";
  }
}

// How far each player has read. All tabs of this browser share it.

const read = new Map(); // a player's name -> { channel id: message id }

function readBy(name) {
  if (!read.has(name)) read.set(name, stored(`wordmoot.read.${name}`) || {});
  return read.get(name);
}

/** The newest message that the player has seen in a channel. */
export function readUpTo(channel, name = nameOf(store.me)) {
  return readBy(name)[channel] || "0";
}

/** Note that the player has seen a channel up to this message; with an older one, that the rest is unread. */
export function markRead(channel, message) {
  const name = nameOf(store.me);
  if (readBy(name)[channel] === message) return;
  readBy(name)[channel] = message;
  keepStored(`wordmoot.read.${name}`, readBy(name));
}

/** Call `changed` when another tab has read something. */
export function onReadElsewhere(changed) {
  window.addEventListener("storage", (event) => {
    if (!event.key?.startsWith("wordmoot.read.")) return;
    read.delete(event.key.slice("wordmoot.read.".length));
    changed();
  });
}

/** Whether there is something in a channel that the player has not seen. */
export function isUnread(channel) {
  return Boolean(channel.last_message_id) && older(readUpTo(channel.id), channel.last_message_id);
}

/** How many messages for a player that player has not seen, in one channel or, without one, in all. */
export function unseenFor(user, channel = null) {
  let count = 0;
  for (const [key, ids] of store.addressed.get(user.id) || []) {
    if (channel !== null && key !== channel) continue;
    const seen = readUpTo(key, nameOf(user));
    count += ids.filter((id) => older(seen, id)).length;
  }
  return count;
}

/** A value kept in this browser, or null. */
export function stored(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Keep a value in this browser. */
export function keepStored(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage marks last as long as the page.
  }
}
