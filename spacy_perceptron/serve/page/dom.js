// Elements from data. Texts go in as text nodes; markup comes from the server's drawings alone.

export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in PROPERTIES) element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== false));
  return element;
}

const PROPERTIES = { value: 1, checked: 1, selected: 1, disabled: 1, hidden: 1, indeterminate: 1 };
const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

export const $ = (id) => document.getElementById(id);

export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== false));
}

// A drawing of the server, with wider lines that can be hit.
export function drawing(html) {
  const box = h("div", { class: "drawing" });
  box.innerHTML = html;
  for (const scroller of box.querySelectorAll(".tree")) {
    const name = scroller.querySelector("svg")?.getAttribute("aria-label")?.split(":")[0];
    scroller.tabIndex = 0;
    scroller.setAttribute("role", "group");
    scroller.setAttribute("aria-label", `${name ?? "Tree"}, scrolls sideways`);
  }
  for (const path of box.querySelectorAll(".displacy-arc")) {
    path.before(svg("path", { class: "hit", d: path.getAttribute("d") }));
  }
  return box;
}

export const doubtClass = (confidence) =>
  typeof confidence === "number"
    ? `doubt-${Math.round(Math.min(1, Math.max(0, 1 - confidence) / 0.6) * 20)}`
    : "";

export const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`;

export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

export function bar(share, className = "bar") {
  const inner = h("i");
  inner.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return h("span", { class: className, "aria-hidden": "true" }, inner);
}

export function select(label, options, value, onchange, props = {}) {
  const known = options.some((option) => (option.value ?? option) === value);
  const all = known || value === "" || value === undefined ? options : [value, ...options];
  const control = h(
    "select",
    { ...props, onchange: (event) => onchange(event.target.value) },
    all.map((option) =>
      h("option", { value: String(option.value ?? option) }, String(option.text ?? option)),
    ),
  );
  if (value !== undefined) control.value = String(value);
  return h("label", { class: "field" }, h("span", {}, label), control);
}
