// The markdown of messages, as nodes: blocks first, then what stands in a line.

import { el } from "./dom.js";
import { nameOf, store } from "./store.js";
import { timestamp } from "./time.js";

const FENCE = /```(?:([\w+-]+)\n)?\n?([\s\S]*?)\n?```/g;
const ITEM = /^(\s*)([-*]|\d+\.)\s+(.*)$/;

/** Text as a fragment of blocks. */
export function markdown(text) {
  const whole = document.createDocumentFragment();
  let done = 0;
  for (const match of text.matchAll(FENCE)) {
    whole.append(blocks(text.slice(done, match.index).replace(/\n$/, "")));
    whole.append(el("pre", {}, el("code", { textContent: match[2] })));
    done = match.index + match[0].length;
    if (text[done] === "\n") done += 1;
  }
  whole.append(blocks(text.slice(done)));
  return whole;
}

function blocks(text) {
  const whole = document.createDocumentFragment();
  if (!text) return whole;
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    const heading = /^(#{1,3})\s+(.*)$/.exec(line);
    if (heading) {
      whole.append(el("div", { class: `h h${heading[1].length}`, role: "heading", "aria-level": heading[1].length + 1 }, inline(heading[2])));
      at += 1;
    } else if (line.startsWith("-# ")) {
      whole.append(el("div", { class: "subtext" }, inline(line.slice(3))));
      at += 1;
    } else if (line.startsWith(">>> ")) {
      whole.append(el("blockquote", {}, blocks([line.slice(4), ...lines.slice(at + 1)].join("\n"))));
      at = lines.length;
    } else if (line.startsWith("> ") || line === ">") {
      const quoted = take(lines, at, (one) => one.startsWith("> ") || one === ">");
      whole.append(el("blockquote", {}, blocks(quoted.map((one) => one.slice(2)).join("\n"))));
      at += quoted.length;
    } else if (ITEM.test(line)) {
      const items = take(lines, at, (one) => ITEM.test(one));
      whole.append(list(items.map((one) => ITEM.exec(one))));
      at += items.length;
    } else {
      const plain = take(lines, at, (one) => !starts(one));
      whole.append(paragraph(plain));
      at += plain.length;
    }
  }
  return whole;
}

function starts(line) {
  return /^#{1,3}\s+\S/.test(line) || line.startsWith("-# ") || line.startsWith(">>> ") || line.startsWith("> ") || ITEM.test(line);
}

function take(lines, from, fits) {
  let to = from;
  while (to < lines.length && fits(lines[to])) to += 1;
  return lines.slice(from, Math.max(to, from + 1));
}

function paragraph(lines) {
  const node = el("div", { class: "p" });
  lines.forEach((line, index) => {
    if (index) node.append(el("br"));
    node.append(inline(line));
  });
  return node;
}

function list(items) {
  const root = el(items[0][2].length > 1 ? "ol" : "ul");
  if (root.tagName === "OL") root.start = parseInt(items[0][2], 10);
  const open = [{ node: root, indent: items[0][1].length }];
  for (const [, space, mark, text] of items) {
    while (open.length > 1 && space.length < open[open.length - 1].indent) open.pop();
    const top = open[open.length - 1];
    if (space.length > top.indent && top.node.lastElementChild) {
      const inner = el(mark.length > 1 ? "ol" : "ul");
      top.node.lastElementChild.append(inner);
      open.push({ node: inner, indent: space.length });
    }
    open[open.length - 1].node.append(el("li", {}, inline(text)));
  }
  return root;
}

const RULES = [
  [/\\([^A-Za-z0-9\s])/, (m) => m[1]],
  [/(`+)([^`](?:.*?[^`])??)\1(?!`)/, (m) => el("code", { textContent: m[2].trim() || m[2] })],
  [/\|\|(.+?)\|\|/, (m) => spoiler(m[1])],
  [/\*\*\*(.+?)\*\*\*/, (m) => el("em", {}, el("strong", {}, inline(m[1])))],
  [/\*\*(.+?)\*\*(?!\*)/, (m) => el("strong", {}, inline(m[1]))],
  [/__(.+?)__/, (m) => el("u", {}, inline(m[1]))],
  [/~~(.+?)~~/, (m) => el("s", {}, inline(m[1]))],
  [/\*(?![\s*])(.+?)\*/, (m) => el("em", {}, inline(m[1]))],
  [/(?<!\w)_(?!\s)(.+?)_(?!\w)/, (m) => el("em", {}, inline(m[1]))],
  [/<@!?(\d+)>/, (m) => mention("@", store.users.get(m[1]), m[1])],
  [/<@&(\d+)>/, (m) => el("span", { class: "mention", textContent: `@${store.roles.get(m[1]) || "role"}` })],
  [/<#(\d+)>/, (m) => place(m[1])],
  [/<t:(-?\d+)(?::([tTdDfFR]))?>/, (m) => timestamp(Number(m[1]), m[2])],
  [/<\/([^:>]+):\d+>/, (m) => el("span", { class: "mention", textContent: `/${m[1]}` })],
  [/<a?:(\w+):\d+>/, (m) => `:${m[1]}:`],
  [/\[([^\]]+)\]\((https?:\/\/[^\s)]+)\)/, (m) => link(m[2], inline(m[1]))],
  [/<?(https?:\/\/[^\s<>]+[^\s<>.,:;"')\]])>?/, (m) => link(m[1], m[1])],
];

/** The text of one line as a fragment. */
export function inline(text) {
  const whole = document.createDocumentFragment();
  let rest = text;
  while (rest) {
    let best = null;
    for (const [pattern, make] of RULES) {
      const match = pattern.exec(rest);
      if (match && (best === null || match.index < best.match.index)) best = { match, make };
    }
    if (best === null) break;
    whole.append(rest.slice(0, best.match.index), best.make(best.match));
    rest = rest.slice(best.match.index + best.match[0].length);
  }
  whole.append(rest);
  return whole;
}

function mention(sign, user, key) {
  const mine = user && store.me && user.id === store.me.id;
  return el("span", { class: mine ? "mention me" : "mention", textContent: sign + (user ? nameOf(user) : key) });
}

function place(key) {
  const channel = store.channels.get(key);
  return el("a", { class: "mention", href: `#${key}`, textContent: `#${channel ? channel.name : "unknown"}` });
}

function link(url, ...children) {
  return el("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, ...children);
}

function spoiler(text) {
  const reveal = (event) => {
    const node = event.currentTarget;
    if (node.classList.contains("shown")) return;
    event.preventDefault();
    node.classList.add("shown");
    node.setAttribute("aria-label", "");
    node.removeAttribute("aria-label");
  };
  const node = el("span", { class: "spoiler", tabIndex: 0, role: "button", "aria-label": "Hidden text", onclick: reveal });
  node.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && reveal(event));
  node.append(el("span", {}, inline(text)));
  return node;
}
