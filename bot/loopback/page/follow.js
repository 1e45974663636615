// What comes of the player's own press is followed: it is scrolled to, and the keyboard goes there if something can be
// done there. It ends with whatever the player does next.

import { older } from "./dom.js";
import { isEphemeral } from "./message.js";
import { store } from "./store.js";

const LINGER = 3000; // ms after the bot's answer in which a message still counts as what came of it
const CONTROLS = "button[data-custom-id]:not(:disabled)";

let act = null; // { channel, pressed, after, until, keyboard, answer, at }

/** Begin: from now on the player's next key, press or scroll ends what is followed. */
export function startFollowing() {
  const end = (event) => !event.repeat && (act = null);
  for (const kind of ["keydown", "input", "pointerdown", "wheel", "touchmove"]) document.addEventListener(kind, end, { capture: true, passive: true });
}

/**
 * Note that the player did something in a channel; returns what is to be called when the bot has answered. With
 * `keyboard` the focus follows too: who writes a command goes on writing. `pressed` is the message that they did it in.
 */
export function acted(channel, { keyboard, pressed = null }) {
  const known = [...(store.messages.get(channel)?.keys() || [])];
  const newest = known.reduce((one, other) => (older(one, other) ? other : one), "0");
  const mine = { channel, pressed, after: newest, until: Infinity, keyboard, answer: null, at: null };
  act = mine;
  return () => (mine.until = Date.now() + LINGER);
}

/** Note which message answers a form: what one filled in a form for leads to a choice, if there is one. */
export function answeredForm(message) {
  if (act) act.answer = message;
}

/** The id of the message in which the player did something last, while what comes of it may be an edit of that; or null. */
export function underHand() {
  return act && Date.now() < act.until ? act.pressed : null;
}

/** Something new came of it: that is what the player waits for, and no longer an edit. */
export function letGo() {
  if (act) act.pressed = null;
}

/** Whether a message came of what the player did last. */
export function isFollowed(message) {
  return Boolean(act) && message.channel_id === act.channel && message.author.id === store.bot.id && Date.now() < act.until && older(act.after, message.id);
}

/** Take the keyboard to what came of the player's press, if that is among these messages and has something to press. */
export function pursue(messages) {
  if (!act?.keyboard) return;
  const goal = goalAmong(messages);
  if (!goal || act.at === goal.id) return;
  goal.node.focus({ preventScroll: true });
  if (document.activeElement !== goal.node) return; // a dialog is still open
  act.at = goal.id;
  if (goal.node.matches(CONTROLS)) goal.node.scrollIntoView({ block: "nearest" });
}

function goalAmong(messages) {
  const choice = act.answer && part(act.answer, ".select:not(:disabled)");
  if (choice) return { id: act.answer, node: choice };
  const able = messages.filter((one) => isFollowed(one) && part(one.id, CONTROLS)).reverse();
  const alone = able.find(isEphemeral);
  // Whoever presses Enter twice in a row must not have done what cannot be undone.
  if (alone) return { id: alone.id, node: part(alone.id, `${CONTROLS}:not(.danger)`) || whole(alone.id) };
  return able.length ? { id: able[0].id, node: whole(able[0].id) } : null;
}

function whole(id) {
  return document.querySelector(`#messages [data-id="${id}"]`);
}

function part(id, selector) {
  return whole(id)?.querySelector(`.body ${selector}`) || null;
}
