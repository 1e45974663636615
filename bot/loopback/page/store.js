// What the page knows, and how it asks the server.

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
  pings: new Map(), // channel id -> how often the player was addressed there and has not looked
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
export async function act(action, body) {
  let response;
  try {
    response = await fetch(`/local/${store.me.id}/${action}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
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

const READ = `wordmoot.read.${player}`;
let read = {};
try {
  read = JSON.parse(localStorage.getItem(READ)) || {};
} catch {
  read = {};
}

/** The newest message that the player has seen in a channel. */
export function readUpTo(channel) {
  return read[channel] || "0";
}

/** Note that the player has seen a channel up to this message. */
export function markRead(channel, message) {
  read[channel] = message;
  store.pings.delete(channel);
  try {
    localStorage.setItem(READ, JSON.stringify(read));
  } catch {
    // Without storage unread marks last as long as the page.
  }
}
