// The list of channels, threads and direct messages, and the bar that names the open one.

import { el, older } from "./dom.js";
import { isDirect, isThread, isUnread, nameOf, store, titleOf, unseenFor } from "./store.js";

const $ = (id) => document.getElementById(id);

/** The channels in the order of the list. Archived threads are left out, but for the open one. */
export function inOrder() {
  const all = [...store.channels.values()];
  const texts = all.filter((channel) => channel.type === 0).sort((one, other) => one.position - other.position);
  const threadsOf = (channel) =>
    all
      .filter((thread) => thread.parent_id === channel.id && (!thread.thread_metadata.archived || thread.id === store.current))
      .sort((one, other) => (older(one.id, other.id) ? -1 : 1));
  return [...texts.flatMap((channel) => [channel, ...threadsOf(channel)]), ...all.filter(isDirect)];
}

/** The channel that is opened at first. */
export function defaultChannel() {
  const texts = inOrder().filter((channel) => channel.type === 0);
  return (texts.find((channel) => channel.name === "games") || texts[0] || inOrder()[0])?.id;
}

/** The channel that many steps down the list from the open one, or null; with `unread` only what is unread counts. */
export function neighbour(steps, { unread = false } = {}) {
  const list = inOrder();
  const here = list.findIndex((channel) => channel.id === store.current);
  for (let moved = 1; moved <= list.length; moved += 1) {
    const channel = list[(here + moved * steps + list.length * list.length) % list.length];
    if (channel.id !== store.current && (!unread || isUnread(channel))) return channel.id;
  }
  return null;
}

/** Draw the list; `open(channel)` is called when one is chosen. */
export function drawChannels(open) {
  const list = inOrder();
  const lines = (channels) => el("ul", {}, ...channels.map((channel) => el("li", { class: isThread(channel) ? "thread" : "" }, entry(channel, open))));
  $("channels").replaceChildren(
    el("h2", { textContent: "Channels" }),
    lines(list.filter((channel) => !isDirect(channel))),
    el("h2", { textContent: "Direct messages" }),
    lines(list.filter(isDirect)),
  );
  const unseen = unseenFor(store.me);
  document.title = `${unseen ? `(${unseen}) ` : ""}Wordmoot – local play · ${nameOf(store.me)}`;
  const news = list.some((channel) => channel.id !== store.current && isUnread(channel));
  $("menu").classList.toggle("news", news);
  $("menu").setAttribute("aria-label", news ? "Channels, some unread" : "Channels");
}

function entry(channel, open) {
  const here = channel.id === store.current;
  const unread = !here && isUnread(channel);
  const count = here ? 0 : unseenFor(store.me, channel.id);
  return el(
    "button",
    {
      type: "button",
      class: ["entry", here && "here", unread && "unread"].filter(Boolean).join(" "),
      dataset: { channel: channel.id },
      "aria-current": here ? "page" : undefined,
      onclick: () => open(channel.id),
    },
    el("span", { class: "sign", "aria-hidden": "true", textContent: sign(channel) }),
    el("span", { class: "name", textContent: titleOf(channel) }),
    unread && el("span", { class: "hidden", textContent: " (unread)" }),
    count > 0 && el("span", { class: "badge", textContent: String(count), title: "Messages for you" }),
  );
}

function sign(channel) {
  if (isDirect(channel)) return "@";
  if (!isThread(channel)) return "#";
  return channel.type === 12 ? "🔒" : "›";
}

/** Name the open channel in the bar. */
export function drawBar() {
  const channel = store.channels.get(store.current);
  if (!channel) return;
  const parent = store.channels.get(channel.parent_id);
  const above = isThread(channel) && parent ? el("span", { class: "above", textContent: `#${parent.name} › ` }) : "";
  $("title").replaceChildren(above, isThread(channel) ? channel.name : isDirect(channel) ? titleOf(channel) : `#${channel.name}`);
  const archived = isThread(channel) && channel.thread_metadata.archived ? "Archived. Writing here reopens it." : "";
  $("topic").textContent = isDirect(channel) ? "Direct messages, seen by you and the bot." : archived || channel.topic || "";
}
