// Forms that the bot opens.

import { chooser } from "./chooser.js";
import { optionsOf } from "./components.js";
import { el, fresh } from "./dom.js";
import { markdown } from "./markdown.js";
import { act, nameOf, store } from "./store.js";

/**
 * Open the modal of an answer. `sending()` is called when it goes to the bot and returns what to call when the bot has
 * answered, `sent(answer)` when it has taken it.
 */
export function openModal(answer, { sending, sent }) {
  const box = document.getElementById("modal");
  const values = {};
  const heading = fresh("heading");
  const form = el("form", { method: "dialog", noValidate: false });
  form.append(el("h2", { id: heading, textContent: answer.modal.title }));
  form.append(el("p", { class: "hint", textContent: `From ${nameOf(store.bot)}` }));
  for (const row of answer.modal.components) form.append(...rowOf(row, values));
  const problem = el("p", { class: "fault", role: "alert" });
  const cancel = el("button", { type: "button", class: "secondary", textContent: "Cancel", onclick: () => box.close() });
  const submit = el("button", { type: "submit", class: "primary", textContent: "Submit" });
  form.append(problem, el("div", { class: "row end" }, cancel, submit));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (submit.getAttribute("aria-busy")) return; // not disabled: that would take the keyboard away from it
    submit.setAttribute("aria-busy", "true");
    const answeredNow = sending();
    problem.textContent = "";
    try {
      const given = {};
      for (const [key, read] of Object.entries(values)) given[key] = await read();
      const next = await act("submit", { interaction: answer.interaction, values: given });
      if (next.failed) problem.textContent = "Something went wrong. Try again.";
      else {
        box.close();
        sent(next);
      }
    } catch (error) {
      problem.textContent = error.message;
    }
    answeredNow();
    submit.removeAttribute("aria-busy");
  });
  box.setAttribute("aria-labelledby", heading);
  box.replaceChildren(form);
  box.showModal();
  form.querySelector("input, textarea, .select")?.focus();
}

function rowOf(row, values) {
  if (row.type === 10) return [el("div", { class: "md" }, markdown(row.content))];
  if (row.type === 1) return row.components.map((field) => labelled(field.label, null, field, values));
  return [labelled(row.label, row.description, row.component, values)];
}

function labelled(text, description, field, values) {
  const id = fresh("field");
  const must = field.required !== false && field.type !== 23;
  const whole = el("div", { class: "field-row" });
  const label = el("label", { htmlFor: id }, text || "", must && el("span", { class: "must", textContent: " *", title: "Required" }));
  whole.append(label);
  if (description) whole.append(el("p", { class: "hint", textContent: description }));
  whole.append(input(field, id, text, must, values));
  return whole;
}

function input(field, id, text, must, values) {
  const key = field.custom_id;
  if (field.type === 4) return textInput(field, id, must, values);
  if (field.type === 19) {
    const picker = el("input", { id, type: "file", required: must, multiple: (field.max_values ?? 1) > 1 });
    values[key] = () => Promise.all([...picker.files].map(packed));
    return picker;
  }
  if (field.type === 23) {
    const box = el("input", { id, type: "checkbox", checked: Boolean(field.default) });
    values[key] = () => box.checked;
    return box;
  }
  if (field.type === 21 || field.type === 22) return boxes(field, id, must, values);
  const options = optionsOf(field);
  let chosen = options.filter((option) => option.default).map((option) => option.value);
  values[key] = () => chosen;
  const least = must ? (field.min_values ?? 1) : 0;
  const done = (given) => (chosen = given);
  return chooser({ options, least, most: field.max_values ?? 1, placeholder: field.placeholder, label: text, live: true, done });
}

function textInput(field, id, must, values) {
  const node = el(field.style === 2 ? "textarea" : "input", { id, required: must, value: field.value || "", placeholder: field.placeholder || "" });
  node.maxLength = field.max_length || 4000;
  if (field.min_length) node.minLength = field.min_length;
  if (field.style === 2) node.rows = 4;
  values[field.custom_id] = () => node.value;
  return node;
}

function boxes(field, id, must, values) {
  const radio = field.type === 21;
  const group = el("div", { id, class: "boxes", role: radio ? "radiogroup" : "group" });
  for (const option of field.options) {
    const box = el("input", { type: radio ? "radio" : "checkbox", name: id, value: option.value, checked: Boolean(option.default), required: radio && must });
    group.append(el("label", {}, box, ` ${option.label}`, option.description && el("small", { textContent: ` ${option.description}` })));
  }
  values[field.custom_id] = () => [...group.querySelectorAll("input:checked")].map((box) => box.value);
  return group;
}

/** A chosen file as the server takes it. */
export async function packed(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return { filename: file.name, base64: btoa(text) };
}
