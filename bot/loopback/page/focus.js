// Where the keyboard is. It never falls to the page as a whole: when what had the focus is edited, replaced, disabled
// or taken away, the focus goes to what stands in its place, else to the message, else to where one writes.

const FIELDS = "button:not(:disabled), a[href], input:not(:disabled), textarea, [tabindex]";

const SHOWN_WITHIN = ".more-button"; // what is to be seen only while the focus is in its message

const DANGER = ".danger"; // where a second press of Enter may do what cannot be undone

let last = null; // what had the focus, as a description that outlives its element
let before = null; // what had it before the open dialog
const origins = new Map(); // message id -> the description of what was pressed for it

/** Keep the focus from now on; `home()` gives the element to go to when nothing else is left. */
export function keepFocus(home) {
  document.addEventListener("focusin", (event) => {
    const now = describe(event.target);
    if (!now.dialog) before = now;
    last = now;
  });
  // Who clicks on nothing wants to be nowhere.
  document.addEventListener("click", () => isLost() && (last = null));
  const mend = () => last && isLost() && restore(home);
  const look = new MutationObserver(mend);
  look.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "disabled", "open", "class"] });
}

/** What has the focus. */
export function here() {
  return last;
}

/** Remember what was pressed for a message, so that the focus can go back there when it is put away. The first counts. */
export function cameFrom(message, description) {
  if (message && description && !origins.has(message)) origins.set(message, { ...description, node: null });
}

/** When a message goes, the focus goes on to that one, if there is one, and not back to what was pressed. */
export function leadOn(message, next) {
  if (next) origins.set(message, { message: next, node: null });
}

/** Go back to what was described, or to what stands in its place; returns whether there is something. */
function returnTo(description) {
  const node = description && find(description);
  if (node?.matches(SHOWN_WITHIN)) node.closest("article").focus({ preventScroll: true });
  if (node) node.focus({ preventScroll: true });
  return Boolean(node);
}

function isLost() {
  const node = document.activeElement;
  if (!node || node === document.body || node.disabled) return true;
  return !node.checkVisibility({ visibilityProperty: true });
}

function restore(home) {
  if (document.querySelector("dialog[open]")) {
    (document.querySelector("dialog[open] :is(input, textarea, button)") || home()).focus();
    return;
  }
  if (returnTo(last.dialog ? before : last)) return;
  home()?.focus({ preventScroll: true });
}

function describe(node) {
  const article = node.closest("[data-id]");
  const peers = article ? [...article.querySelectorAll(FIELDS)] : [];
  return {
    node,
    dialog: node.closest("dialog") !== null,
    message: article?.dataset.id,
    customId: node.dataset.customId,
    label: labelOf(node),
    danger: node.matches(DANGER),
    place: peers.indexOf(node),
    channel: node.dataset.channel,
    composer: node.closest("#composer") !== null,
  };
}

function find(description, seen = new Set()) {
  if (usable(description.node)) return description.node;
  if (description.channel) return document.querySelector(`#channels [data-channel="${description.channel}"]`);
  if (!description.message || seen.has(description.message)) return null;
  seen.add(description.message);
  const article = document.querySelector(`#messages [data-id="${description.message}"]`);
  if (!article) {
    const origin = origins.get(description.message);
    return origin ? find(origin, seen) : null;
  }
  const controls = [...article.querySelectorAll(FIELDS)].filter((node) => usable(node) || node.matches(SHOWN_WITHIN));
  return (
    controls.find((node) => description.customId && node.dataset.customId === description.customId) ||
    controls.find((node) => description.label && labelOf(node) === description.label && (description.danger || !node.matches(DANGER))) ||
    article
  );
}

function usable(node) {
  return node !== null && node.isConnected && !node.disabled && node.checkVisibility({ visibilityProperty: true });
}

function labelOf(node) {
  return node.getAttribute("aria-label") || node.textContent.trim().slice(0, 100);
}
