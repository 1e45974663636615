// The card for a newcomer: one press opens a table, seats automata and starts, by the very things a person would do.

import { el } from "./dom.js";
import { act, commandsHere, isDirect, keepStored, nameOf, store, stored } from "./store.js";

/** What can be offered: a game's command, what it is about, how many automata make a good first game, what the button says. */
const STARTERS = [
  { command: "play defenders", options: { referee: "guarded" }, title: "Defenders of the Dictionary", about: "Save a city together, one word at a time.", automata: 2, begin: "Play with two automata" },
  { command: "play dungeon", options: { dungeon: "cellar-steps" }, title: "Word Dungeon", about: "Lay words from the entrance to the exit, in five minutes.", automata: 1, begin: "Race an automaton" },
];

const EPHEMERAL = 1 << 6;
const BUTTON = 2;
const GALLERY = 12;
const DISMISSED = "wordmoot.welcome";
const PATIENCE = 15000; // ms in which the bot has to do its next step
const SHORT_PATIENCE = 5000; // ms, once it has answered in private: that may be a refusal

let run = null; // what is under way or went wrong: { before, lobby, state, fault }
let page = null;
let wake = () => {};

/** Begin; `actions` are `draw()` the messages, `go(channel)` to where the table is, `begun()` when it was started. */
export function startWelcome(actions) {
  page = actions;
}

/** Hear of a message, new or edited: the lobby that is waited for may be in it. */
export function saw(message) {
  if (message.author.id !== store.bot.id || !message.components.length) return;
  const alone = Boolean(message.flags & EPHEMERAL);
  if (message.guild_id && !store.played && (!alone || isBoard(message))) {
    store.played = true;
    if (alone) keepStored(DISMISSED, true); // of which the server knows nothing after it was started again
    page.draw();
  }
  if (!run || alone) return;
  if (run.lobby?.id === message.id || (!run.lobby && !run.before.has(message.id) && startOf(message))) run.lobby = message;
  wake();
}

/** Hear that a message is gone. */
export function vanished() {
  wake();
}

/** The card for a channel, or null where none is to be shown. */
export function welcome(channel) {
  if (!channel || isDirect(channel)) return null;
  if (!run && (store.played || stored(DISMISSED))) return null;
  const offered = STARTERS.filter((one) => has(one.command));
  if (!run && !offered.length) return null;
  const away = el("button", { type: "button", class: "plain", textContent: run?.fault ? "Dismiss" : "No, thanks", onclick: dismiss });
  const card = el("section", { class: "welcome", tabIndex: -1, "aria-label": "New here?" }, el("h2", { textContent: "New here?" }));
  if (run && !run.fault) card.append(el("p", { role: "status", textContent: run.state }));
  else {
    if (run) card.append(el("p", { class: "fault", role: "alert", textContent: run.fault }));
    else for (const one of offered) card.append(offer(one));
    card.append(el("div", { class: "row" }, away));
  }
  return card;
}

function has(command) {
  const [first, second] = command.split(" ");
  return commandsHere().some((one) => one.name === first && (!second || one.options?.some((option) => option.name === second)));
}

function offer(one) {
  const begin = el("button", { type: "button", class: "primary", textContent: one.begin, onclick: () => start(one) });
  return el("div", { class: "starter" }, el("p", {}, el("b", { textContent: one.title }), el("br"), one.about), begin);
}

function dismiss() {
  run = null;
  keepStored(DISMISSED, true);
  page.draw();
}

async function start(starter) {
  run = { before: known(), lobby: null, state: "", fault: null };
  try {
    await play(starter);
    run = null;
    keepStored(DISMISSED, true);
    page.draw();
    page.begun();
  } catch (error) {
    run.fault = error.message;
    draw();
  }
}

async function play(starter) {
  say("Opening a table…");
  const opened = await done(act("slash", { channel: store.current, command: starter.command, options: starter.options }));
  await until(() => run.lobby, () => `The table did not open. ${said(opened)}`, opened);
  if (run.lobby.channel_id !== store.current) await page.go(run.lobby.channel_id);
  for (let seated = 0; seated < starter.automata; seated += 1) {
    say(`Seating automaton ${seated + 1} of ${starter.automata}…`);
    const menu = menuOf(run.lobby);
    if (!menu) throw new Error("The table takes no more automata. You can start it as it is.");
    const before = JSON.stringify(run.lobby.components);
    const level = menu.options[Math.min(1, menu.options.length - 1)];
    const answer = await done(act("select", { ...on(run.lobby), custom_id: menu.custom_id, values: [level.value] }));
    await until(() => JSON.stringify(run.lobby.components) !== before, () => `The automaton could not be seated. ${said(answer)}`, answer);
  }
  say("Starting…");
  const button = startOf(run.lobby);
  if (!button || button.disabled) throw new Error("The table cannot start yet. Its message says why.");
  const answer = await done(act("click", { ...on(run.lobby), custom_id: button.custom_id }));
  await until(() => !startOf(run.lobby) || gone(run.lobby), () => `The game could not start. ${said(answer)}`, answer);
}

function say(text) {
  run.state = text;
  draw();
}

/** Draw the card anew and keep the keyboard on it. */
function draw() {
  page.draw();
  document.querySelector(".welcome")?.focus({ preventScroll: true });
}

/** The answer to what was done, unless the bot gave none. */
async function done(asked) {
  const answer = await asked;
  if (answer.failed) throw new Error(`${nameOf(store.bot)} did not answer. Try again when it is online.`);
  return answer;
}

/** Wait until it holds; after a while it fails with a sentence. The wait is short when the `answer` was private. */
function until(holds, sentence, answer) {
  const alone = store.messages.get(store.current)?.get(answer.message)?.flags & EPHEMERAL;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(sentence().trim())), alone ? SHORT_PATIENCE : PATIENCE);
    wake = () => {
      if (!holds()) return;
      clearTimeout(timer);
      wake = () => {};
      resolve();
    };
    wake();
  });
}

/** What the bot said in an answer, if that can be seen here. */
function said(answer) {
  const message = store.messages.get(store.current)?.get(answer.message);
  return message?.content || parts(message?.components || []).find((part) => part.type === 10)?.content || "";
}

function on(message) {
  return { channel: message.channel_id, message: message.id };
}

function gone(message) {
  const known = store.messages.get(message.channel_id);
  return Boolean(known) && !known.has(message.id);
}

function known() {
  return new Set([...store.messages.values()].flatMap((messages) => [...messages.keys()]));
}

/** Whether it shows a picture with buttons, as a table for one does; help and settings show none. */
function isBoard(message) {
  const kinds = new Set(parts(message.components).map((part) => part.type));
  return kinds.has(GALLERY) && kinds.has(BUTTON);
}

function startOf(message) {
  return parts(message.components).find((part) => part.type === 2 && part.label === "Start");
}

function menuOf(message) {
  const menus = parts(message.components).filter((part) => part.type === 3 && !part.disabled);
  return menus.find((menu) => menu.custom_id.includes("automaton")) || menus[0];
}

function parts(components) {
  return components.flatMap((part) => [part, ...parts(part.components || [])]);
}
