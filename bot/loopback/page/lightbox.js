// A picture by itself, as large as wanted, with its whole alt text beneath.

import { el } from "./dom.js";

const STEP = 1.5;
const LARGEST = 6; // times the size at which it fits

/** Show a picture large. It fits the window at first; a tap, a key or a button makes it larger and smaller. */
export function enlarge(url, alt) {
  const box = document.getElementById("lightbox");
  const image = el("img", { src: url, alt: alt || "", draggable: false });
  const frame = el("div", { class: "frame", tabIndex: 0, role: "group", "aria-label": "Picture; plus and minus change its size, arrows move it" }, image);
  const button = (text, label, onclick) => el("button", { type: "button", class: "tool", textContent: text, "aria-label": label, onclick });
  const smaller = button("−", "Smaller", () => zoom(times / STEP));
  const larger = button("+", "Larger", () => zoom(times * STEP));
  const whole = button("Full size", "Full size", () => toggle());
  const tools = el("div", { class: "tools" }, smaller, larger, whole, button("✕", "Close", () => box.close()));
  const text = alt && el("div", { class: "alt", tabIndex: 0, role: "group", "aria-label": "Description" }, el("p", { textContent: alt }));
  let times = 1;

  function fit() {
    const scale = Math.min(frame.clientWidth / image.naturalWidth, Math.max(frame.clientHeight, 1) / image.naturalHeight);
    return image.naturalWidth * scale;
  }

  function full() {
    return Math.max(2.5, image.naturalWidth / fit());
  }

  /** Change the size and keep the point at (x, y) of the frame, by default its middle, where it is. */
  function zoom(wanted, x = frame.clientWidth / 2, y = frame.clientHeight / 2) {
    const area = image.getBoundingClientRect();
    const edge = frame.getBoundingClientRect();
    const across = (edge.left + x - area.left) / area.width;
    const down = (edge.top + y - area.top) / area.height;
    times = Math.max(1, Math.min(LARGEST, wanted));
    box.classList.toggle("zoomed", times > 1);
    image.style.width = `${fit() * times}px`;
    frame.scrollLeft = image.offsetLeft + across * image.offsetWidth - x;
    frame.scrollTop = image.offsetTop + down * image.offsetHeight - y;
    whole.textContent = times > 1 ? "Fit" : "Full size";
    whole.setAttribute("aria-label", times > 1 ? "Fit the window" : "Full size");
    smaller.disabled = times <= 1;
    larger.disabled = times >= LARGEST;
  }

  function toggle(x, y) {
    zoom(times > 1 ? 1 : full(), x, y);
  }

  image.addEventListener("load", () => zoom(1));
  image.addEventListener("click", (event) => {
    const edge = frame.getBoundingClientRect();
    toggle(event.clientX - edge.left, event.clientY - edge.top);
  });
  pinched(frame, (factor, x, y) => zoom(times * factor, x, y));
  frame.addEventListener("keydown", (event) => {
    const does = { "+": () => zoom(times * STEP), "=": () => zoom(times * STEP), "-": () => zoom(times / STEP), Enter: () => toggle(), " ": () => toggle(), 0: () => zoom(1) };
    if (!does[event.key] || event.ctrlKey) return;
    event.preventDefault();
    does[event.key]();
  });
  const resized = () => zoom(times);
  window.addEventListener("resize", resized);
  box.onclose = () => {
    window.removeEventListener("resize", resized);
    box.replaceChildren();
  };
  box.replaceChildren(tools, frame, text || "");
  box.classList.remove("zoomed");
  box.showModal();
  frame.focus();
}

/** Call `moved(factor, x, y)` as two fingers on an element spread or close around a point of it. */
function pinched(node, moved) {
  let apart = 0;
  const between = (touches) => Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
  node.addEventListener("touchstart", (event) => (apart = event.touches.length === 2 ? between(event.touches) : 0), { passive: true });
  node.addEventListener(
    "touchmove",
    (event) => {
      if (event.touches.length !== 2 || !apart) return;
      event.preventDefault();
      const now = between(event.touches);
      const edge = node.getBoundingClientRect();
      const middle = (axis) => (event.touches[0][axis] + event.touches[1][axis]) / 2;
      moved(now / apart, middle("clientX") - edge.left, middle("clientY") - edge.top);
      apart = now;
    },
    { passive: false },
  );
}
