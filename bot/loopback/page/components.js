// Components of messages, old and new, and pictures.

import { chooser } from "./chooser.js";
import { el } from "./dom.js";
import { enlarge } from "./lightbox.js";
import { markdown } from "./markdown.js";
import { isDirect, nameOf, store } from "./store.js";

const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "secondary" };

/** Components as nodes; `press(component, values?)` is called when one is used. */
export function components(list, press) {
  return list.map((one) => component(one, press)).filter(Boolean);
}

function component(one, press) {
  switch (one.type) {
    case 1:
      return el("div", { class: "row" }, ...components(one.components, press));
    case 2:
      return button(one, press);
    case 3:
    case 5:
    case 6:
    case 7:
    case 8:
      return chooser({
        options: optionsOf(one),
        least: one.min_values ?? 1,
        most: one.max_values ?? 1,
        placeholder: one.placeholder,
        label: one.placeholder || "Choose",
        disabled: one.disabled,
        customId: one.custom_id,
        done: (values) => press(one, values),
      });
    case 9:
      return el("div", { class: "section" }, el("div", { class: "texts" }, ...components(one.components, press)), component(one.accessory, press));
    case 10:
      return el("div", { class: "md" }, markdown(one.content));
    case 11:
      return picture(one.media, one.description, { small: true, spoiler: one.spoiler });
    case 12:
      return gallery(one.items);
    case 13:
      return fileCard(one.file.url, decodeURIComponent(one.file.url.split("/").pop()), null, one.spoiler);
    case 14:
      return el(one.divider === false ? "div" : "hr", { class: one.spacing === 2 ? "space wide" : "space" });
    case 17:
      return container(one, press);
    default:
      return el("p", { class: "fault", textContent: `A component of type ${one.type} cannot be shown.` });
  }
}

function button(one, press) {
  const emoji = one.emoji && (one.emoji.id ? `:${one.emoji.name}:` : one.emoji.name);
  const text = [emoji, one.label].filter(Boolean).join(" ");
  const given = { class: STYLES[one.style] || "secondary", disabled: one.disabled, textContent: text };
  if (one.style === 5) {
    return el("a", { class: "button secondary", href: one.url, target: "_blank", rel: "noopener noreferrer", textContent: `${text} ↗` });
  }
  return el("button", { ...given, type: "button", dataset: { customId: one.custom_id }, onclick: () => press(one) });
}

/** The options of any select: its own, or people, roles and channels. */
export function optionsOf(select) {
  const preset = new Set((select.default_values || []).map((value) => value.id));
  const people = () => [...store.users.values()].map((user) => ({ value: user.id, label: nameOf(user) }));
  const roles = () => [...store.roles].map(([value, label]) => ({ value, label: label.startsWith("@") ? label : `@${label}` }));
  const channels = () =>
    [...store.channels.values()]
      .filter((channel) => !isDirect(channel))
      .filter((channel) => !select.channel_types?.length || select.channel_types.includes(channel.type))
      .map((channel) => ({ value: channel.id, label: `#${channel.name}` }));
  const sources = { 5: people, 6: roles, 7: () => [...people(), ...roles()], 8: channels };
  if (sources[select.type]) return sources[select.type]().map((option) => ({ ...option, default: preset.has(option.value) }));
  return (select.options || []).map((option) => ({ ...option, emoji: option.emoji && !option.emoji.id ? option.emoji.name : "" }));
}

function container(one, press) {
  const node = el("div", { class: one.spoiler ? "container spoiled" : "container" }, ...components(one.components, press));
  if (one.accent_color !== null && one.accent_color !== undefined) {
    node.style.setProperty("--accent", colour(one.accent_color));
    node.classList.add("accented");
  }
  return one.spoiler ? veiled(node) : node;
}

function colour(number) {
  return `#${number.toString(16).padStart(6, "0")}`;
}

function gallery(items) {
  const node = el("div", { class: `gallery n${Math.min(items.length, 3)}` });
  node.append(...items.map((item) => picture(item.media, item.description, { spoiler: item.spoiler })));
  return node;
}

/** A picture that opens large; its alt text is shown with it there. */
export function picture(media, alt, { small = false, spoiler = false } = {}) {
  const image = el("img", { src: media.url, alt: alt || "", loading: "eager", decoding: "async" });
  if (media.width && !small) {
    image.width = media.width;
    image.height = media.height;
  }
  const whole = el(
    "button",
    { type: "button", class: small ? "picture small" : "picture", "aria-label": alt ? `Enlarge: ${alt}` : "Enlarge the picture", onclick: () => enlarge(media.url, alt) },
    image,
  );
  if (media.height) whole.style.setProperty("--ratio", String(media.width / media.height));
  return spoiler ? veiled(whole) : whole;
}

function veiled(node) {
  const veil = el("div", { class: "veiled" }, node);
  const lift = el("button", { type: "button", class: "lift", textContent: "Show the spoiler" });
  lift.addEventListener("click", () => {
    veil.classList.add("shown");
    lift.remove();
  });
  veil.append(lift);
  return veil;
}

/** An attachment of a message that is not made of components. */
export function attachment(file) {
  if ((file.content_type || "").startsWith("image/")) {
    return picture(file, file.description, { spoiler: file.filename.startsWith("SPOILER_") });
  }
  return fileCard(file.url, file.filename, file.size);
}

function fileCard(url, name, size, spoiler = false) {
  const card = el("a", { class: "file", href: url, download: name }, el("span", { textContent: name }));
  if (size) card.append(el("small", { textContent: size < 1024 ? `${size} bytes` : `${(size / 1024).toFixed(1)} KB` }));
  return spoiler ? veiled(card) : card;
}

/** An embed. */
export function embed(one) {
  const node = el("div", { class: "embed" });
  if (one.color) node.style.setProperty("--accent", colour(one.color));
  if (one.author) node.append(el("div", { class: "embed-author", textContent: one.author.name }));
  if (one.title) node.append(el("div", { class: "embed-title md" }, markdown(one.title)));
  if (one.description) node.append(el("div", { class: "md" }, markdown(one.description)));
  const fields = el("div", { class: "fields" });
  for (const field of one.fields || []) {
    const value = el("div", { class: "md" }, markdown(field.value));
    fields.append(el("div", { class: field.inline ? "field inline" : "field" }, el("div", { class: "field-name", textContent: field.name }), value));
  }
  if (fields.childElementCount) node.append(fields);
  if (one.thumbnail) node.append(picture(one.thumbnail, one.thumbnail.description, { small: true }));
  if (one.image) node.append(picture(one.image, one.image.description));
  if (one.footer) node.append(el("div", { class: "embed-footer", textContent: one.footer.text }));
  return node;
}
