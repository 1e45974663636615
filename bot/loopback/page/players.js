// Who plays: one person can play several, and sees at a glance whose turn came.

import { el } from "./dom.js";
import { avatar } from "./message.js";
import { isDirect, nameOf, post, store, unseenFor } from "./store.js";

/** Draw the switcher: a link for each player, which opens in a new tab like any link. */
export function drawPlayers() {
  const channel = store.channels.get(store.current);
  const place = channel && isDirect(channel) ? "dm" : store.current || "";
  const links = store.players.map((user) => link(user, place));
  const add = el("button", { type: "button", class: "player add", textContent: "+", "aria-label": "Add a player", title: "Add a player", onclick: ask });
  const box = document.getElementById("players");
  const old = [...box.querySelectorAll("a")];
  if (old.length === links.length && old.every((node, at) => node.isEqualNode(links[at]))) return;
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.player : null;
  box.replaceChildren(...links, add);
  if (focused) focusPlayer(focused);
}

function link(user, place) {
  const mine = user.id === store.me.id;
  const waiting = mine ? 0 : unseenFor(user);
  const title = mine ? `You play ${nameOf(user)}` : `Play as ${nameOf(user)}. A middle click opens a new tab.`;
  return el(
    "a",
    {
      class: mine ? "player mine" : "player",
      href: `/?player=${encodeURIComponent(nameOf(user))}#${place}`,
      title: user.manages ? `${title.replace(/\.?$/, ".")} ${nameOf(user)} manages the server.` : title,
      dataset: { player: user.id },
      "aria-current": mine ? "true" : undefined,
    },
    avatar(user),
    el("span", { class: "name" }, nameOf(user), user.manages && el("small", { textContent: " manages the server" })),
    waiting > 0 && el("span", { class: "badge", "aria-hidden": "true", textContent: waiting > 9 ? "9+" : String(waiting) }),
    waiting > 0 && el("span", { class: "hidden", textContent: ` (${waiting} unread)` }),
  );
}

/** Put the focus on a player of the switcher, by default the next one after this tab's own. */
export function focusPlayer(id = null) {
  const links = [...document.querySelectorAll("#players a")];
  const mine = links.findIndex((node) => node.getAttribute("aria-current"));
  (id ? links.find((node) => node.dataset.player === id) : links[(mine + 1) % links.length])?.focus();
}

function added(user) {
  store.users.set(user.id, user);
  if (!store.players.some((one) => one.id === user.id)) store.players = [...store.players, user];
  drawPlayers();
}

/** Ask for the name of another player, and add them. */
function ask() {
  const box = document.getElementById("modal");
  const name = el("input", { id: "new-player", required: true, maxLength: 32 });
  const problem = el("p", { class: "fault", role: "alert" });
  const form = el(
    "form",
    { method: "dialog" },
    el("h2", { id: "new-player-title", textContent: "Add a player" }),
    el("div", { class: "field-row" }, el("label", { htmlFor: "new-player", textContent: "Name" }), name),
    problem,
    el("div", { class: "row end" }, el("button", { type: "button", class: "secondary", textContent: "Cancel", onclick: () => box.close() }), el("button", { type: "submit", class: "primary", textContent: "Add" })),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const user = await post("/local/players", { name: name.value });
      box.close();
      added(user); // the feed tells of it too, but may be slower
      focusPlayer(user.id);
    } catch (error) {
      problem.textContent = error.message;
    }
  });
  box.setAttribute("aria-labelledby", "new-player-title");
  box.replaceChildren(form);
  box.showModal();
  name.focus();
}
