// What a screen reader is told of by itself: new messages, and what changed in old ones.
//
// The list of messages is no live region: an edited board is put in anew as a whole, and would be read as a whole.

import { isDirect, nameOf, store } from "./store.js";

const LONGEST = 300; // characters
const WAIT = 400; // ms in which what comes together is told together

let waiting = [];
let timer = null;

/** Say a sentence. */
export function announce(text) {
  if (!text) return;
  waiting.push(text);
  timer ??= setTimeout(() => {
    document.getElementById("live").textContent = waiting.join(" ");
    waiting = [];
    timer = null;
  }, WAIT);
}

/** Say a new message, or that there is one elsewhere for the player. */
export function announceMessage(message) {
  if (message.author.id === store.me.id) return;
  if (message.channel_id === store.current) {
    announce(`${nameOf(message.author)}: ${short(linesOf(message).join(" "))}`);
  } else if (message.mentions.some((user) => user.id === store.me.id)) {
    const channel = store.channels.get(message.channel_id);
    if (channel) announce(`A message for you in ${isDirect(channel) ? "your direct messages" : channel.name}.`);
  }
}

/** Say what is new in a message of the open channel that was edited. */
export function announceEdit(old, message) {
  if (!old || message.channel_id !== store.current) return;
  const before = new Set(linesOf(old));
  announce(short(linesOf(message).filter((line) => !before.has(line)).join(" ")));
}

function short(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** The lines of text in a message, without marks of format; pictures have their alt text where they stand. */
export function linesOf(message) {
  const found = [message.content];
  const walk = (part) => {
    if (part.type === 10) found.push(part.content);
    for (const inner of part.components || []) walk(inner);
  };
  message.components.forEach(walk);
  return found
    .join("\n")
    .split("\n")
    .map(plain)
    .filter(Boolean);
}

function plain(line) {
  return line
    .replace(/<@!?(\d+)>/g, (_, key) => nameOf(store.users.get(key) || { username: "somebody" }))
    .replace(/<t:(-?\d+)[^>]*>/g, (_, seconds) => new Date(seconds * 1000).toLocaleTimeString("en", { timeStyle: "short" }))
    .replace(/<[#@/][^>]*>/g, "")
    .replace(/^(#{1,3}|-#|>) /, "")
    .replace(/[*_`~|]{1,3}/g, "")
    .trim();
}
