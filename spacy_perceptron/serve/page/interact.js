// Words, arcs, phrases and entities under pointer and keys. A word of a tree is dragged onto its
// new head, or the head is found with the keys: h, arrows, Enter.

import { $, svg } from "./dom.js";
import { setHead } from "./edits.js";
import { choose } from "./inspector.js";
import { can, change, draws, ofKind, state } from "./state.js";

const box = $("sentences");
const number = (element, name) => Number(element.dataset[name]);
const componentOf = (element) => element.closest(".drawing")?.dataset.component;

// The parser whose heads are corrected: that of the drawing, or the first that can be.
function parser(element = null) {
  const name = element && componentOf(element);
  if (name && can(name, "correct")) return name;
  return ofKind("heads", "correct").find((one) => !state.hidden.has(one.name))?.name ?? null;
}

let dropped = false;

box.addEventListener("click", (event) => {
  if (dropped) {
    dropped = false;
    return;
  }
  const { target } = event;
  const arc = target.closest(".displacy-arrow");
  const phrase = target.closest(".constituents-phrase");
  const ent = target.closest(".ent-label");
  const token = target.closest("[data-token]");
  if (arc) choose({ token: number(arc, "dependent"), component: componentOf(arc) });
  else if (phrase) {
    const span = [number(phrase, "start"), number(phrase, "end")];
    choose({ span, component: componentOf(phrase), label: phrase.dataset.label });
  } else if (ent) {
    const component = ofKind("entities")[0]?.name;
    choose({ span: [number(ent, "entStart"), number(ent, "entEnd")], component });
  } else if (token) {
    const component = token.classList.contains("word") ? undefined : componentOf(token);
    const kept = component ?? state.selected?.component;
    if (state.headOf) finishHead(number(token, "token"));
    else choose({ token: number(token, "token"), component: kept });
  }
});

// On narrow screens the panel of the selection lies over the lower half.
draws(() => {
  if (!state.selected || state.headOf || !matchMedia("(max-width: 44rem)").matches) return;
  const word = box.querySelector(`.word[data-token="${state.selected.token ?? state.selected.span[0]}"]`);
  if (word?.getBoundingClientRect().bottom > innerHeight * 0.43) word.scrollIntoView({ block: "start" });
});

// Keys ---------------------------------------------------------------------------------------

const words = () => [...box.querySelectorAll(".word")];

function focusWord(i) {
  const word = box.querySelector(`.word[data-token="${i}"]`);
  if (!word) return;
  for (const other of box.querySelectorAll('.word[tabindex="0"]')) other.tabIndex = -1;
  word.tabIndex = 0;
  word.focus();
}

function neighbour(element, key) {
  const all = words();
  const forward = state.doc.direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const back = state.doc.direction === "rtl" ? "ArrowRight" : "ArrowLeft";
  const place = all.indexOf(element);
  const next = { [forward]: place + 1, [back]: place - 1, Home: 0, End: all.length - 1 }[key];
  return next === undefined ? null : all[Math.max(0, Math.min(all.length - 1, next))];
}

box.addEventListener("keydown", (event) => {
  const word = event.target.closest(".word");
  if (!word || event.ctrlKey || event.metaKey || event.altKey) return;
  const i = number(word, "token");
  const next = neighbour(word, event.key);
  if (next) {
    event.preventDefault();
    const other = number(next, "token");
    if (state.headOf && !sameSentence(state.headOf.token, other)) return;
    focusWord(other);
    if (state.headOf) change({ headOf: { ...state.headOf, target: other } });
  } else if (state.headOf) {
    headKey(event, i);
  } else if (event.key === "h" && parser()) {
    event.preventDefault();
    change({ headOf: { token: i, target: i }, selected: { token: i, component: parser() } });
    const { text } = state.doc.tokens[i];
    say(`Head of “${text}”: arrows move to it, Enter takes it, r makes “${text}” the root, Escape ends.`);
  } else if (event.key === "t" || event.key === "e") {
    event.preventDefault();
    choose({ token: i, component: state.selected?.component });
    const field = event.key === "t" ? ".of-tag, .of-pos" : ".of-ent";
    setTimeout(() => $("inspector").querySelector(field)?.focus());
  }
});

function headKey(event, i) {
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    finishHead(i);
  } else if (event.key === "r") {
    event.preventDefault();
    finishHead(state.headOf.token);
  } else if (event.key === "Escape") {
    event.preventDefault();
    event.stopPropagation();
    const { token } = state.headOf;
    change({ headOf: null });
    say("");
    setTimeout(() => focusWord(token));
  }
}

function sameSentence(a, b) {
  return state.doc.sentences.some(([start, end]) => start <= a && a < end && start <= b && b < end);
}

function finishHead(head) {
  const { token } = state.headOf;
  change({ headOf: null });
  if (!sameSentence(token, head)) return;
  setHead(parser(), token, head);
  say("The new head is staged. Teach it, or cancel.");
  setTimeout(() => ($("teach") ?? document.body).focus());
}

const say = (message) => {
  $("status").textContent = message;
};

// Dragging -----------------------------------------------------------------------------------

const NEAR = 5;
let drag = null;

box.addEventListener("pointerdown", (event) => {
  dropped = false;
  if (event.button !== 0 || event.pointerType === "touch" || drag) return;
  const group = event.target.closest(".displacy-token[data-token], .displacy-arrow");
  const name = group && parser(group);
  if (!name || componentOf(group) !== name) return;
  const picture = group.ownerSVGElement;
  const i = number(group, group.dataset.token === undefined ? "dependent" : "token");
  const from = picture.querySelector(`.displacy-token[data-token="${i}"]`);
  drag = { name, picture, i, from, start: [event.clientX, event.clientY], id: event.pointerId };
});

window.addEventListener("pointermove", (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  const { clientX: x, clientY: y } = event;
  if (!drag.line) {
    if (Math.hypot(x - drag.start[0], y - drag.start[1]) < NEAR) return;
    begin();
  }
  event.preventDefault();
  follow(x, y);
});

function begin() {
  drag.line = svg("path", { class: "dragged" });
  drag.picture.append(drag.line);
  drag.picture.classList.add("dragging");
  document.body.classList.add("dragging");
  getSelection()?.removeAllRanges();
  const { text } = state.doc.tokens[drag.i];
  say(`Drop “${text}” on its head, or above the tree to make it the root.`);
}

function place(group) {
  const text = group.querySelector(".displacy-word");
  return [Number(text.getAttribute("x")), Number(text.getAttribute("y"))];
}

function follow(clientX, clientY) {
  const { picture, from, i } = drag;
  const area = picture.getBoundingClientRect();
  const view = picture.viewBox.baseVal;
  const x = ((clientX - area.left) / area.width) * view.width;
  const y = ((clientY - area.top) / area.height) * view.height;
  const groups = [...picture.querySelectorAll(".displacy-token[data-token]")];
  let nearest = null;
  for (const group of groups) {
    const distance = Math.abs(place(group)[0] - x);
    if (!nearest || distance < nearest.distance) nearest = { group, distance };
  }
  const isRoot = y < -6;
  const far = y > view.height + 30;
  drag.head = isRoot ? i : far ? null : number(nearest.group, "token");
  const target = drag.head !== null && drag.head !== i ? nearest.group : null;
  for (const group of groups) group.classList.toggle("target", group === target);
  drag.picture.classList.toggle("to-root", isRoot);
  const [x0, y0] = place(from);
  const [x1, y1] = target ? place(target) : [x, y + 20];
  drag.line.setAttribute("d", bow(x0, y0 - 20, x1, target ? y1 - 20 : y));
}

function bow(x0, y0, x1, y1) {
  const top = Math.min(y0, y1) - Math.max(18, Math.min(90, Math.abs(x1 - x0) / 3));
  return `M${x0},${y0} C${x0},${top} ${x1},${top} ${x1},${y1}`;
}

function stop(take) {
  if (!drag) return;
  const { name, i, head, line, picture } = drag;
  drag = null;
  if (!line) return;
  line.remove();
  picture.classList.remove("dragging", "to-root");
  document.body.classList.remove("dragging");
  for (const group of picture.querySelectorAll(".target")) group.classList.remove("target");
  // A click follows a drop; it selects nothing.
  dropped = true;
  setTimeout(() => {
    dropped = false;
  });
  say("");
  // On itself, it is as it was; above the tree, it becomes the root.
  if (!take || typeof head !== "number" || (head === i && !take.root)) return;
  choose({ token: i, component: name });
  setHead(name, i, head);
}

window.addEventListener("pointerup", (event) => {
  if (!drag || event.pointerId !== drag.id) return;
  stop({ root: drag.picture.classList.contains("to-root") });
});
window.addEventListener("pointercancel", () => stop(null));
window.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && drag?.line) {
    event.stopPropagation();
    stop(null);
  }
});

// Marks --------------------------------------------------------------------------------------

draws(mark);
document.addEventListener("sentence", mark);

function mark() {
  if (!state.doc) return;
  const { selected, headOf, staged } = state;
  const [start, end] = selected?.span ?? [selected?.token ?? -1, (selected?.token ?? -2) + 1];
  for (const element of box.querySelectorAll("[data-token]")) {
    const i = number(element, "token");
    const on = start <= i && i < end;
    element.classList.toggle("selected", on);
    element.classList.toggle("target", headOf?.target === i && headOf.token !== i);
    if (element.classList.contains("word")) element.setAttribute("aria-pressed", String(on));
  }
  for (const arc of box.querySelectorAll(".displacy-arrow")) {
    arc.classList.toggle("selected", number(arc, "dependent") === selected?.token);
  }
  for (const phrase of box.querySelectorAll(".constituents-phrase")) {
    const same =
      selected?.span &&
      number(phrase, "start") === start &&
      number(phrase, "end") === end &&
      phrase.dataset.label === selected.label;
    phrase.classList.toggle("selected", Boolean(same));
  }
  if (!box.querySelector('.word[tabindex="0"]')) {
    const first = box.querySelector(".word");
    if (first) first.tabIndex = 0;
  }
  for (const picture of box.querySelectorAll(".drawing[data-kind='heads']")) {
    preview(picture, staged.get(picture.dataset.component)?.annotation);
  }
}

// Arcs that staged edits would make, over those that they would replace.
function preview(picture, annotation) {
  for (const path of picture.querySelectorAll(".staged-arc")) path.remove();
  for (const arc of picture.querySelectorAll(".displacy-arrow")) {
    const i = number(arc, "dependent");
    const gone = annotation && annotation.head[i] !== number(arc, "head");
    arc.classList.toggle("gone", Boolean(gone));
    const label = arc.querySelector(".displacy-label");
    const said = annotation && !gone ? annotation.dep[i] : arc.dataset.label;
    if (label && label.textContent !== said) label.textContent = said;
    arc.classList.toggle("relabelled", said !== arc.dataset.label);
  }
  if (!annotation) return;
  for (const group of picture.querySelectorAll(".displacy-token[data-token]")) {
    const i = number(group, "token");
    const head = annotation.head[i];
    const known = picture.querySelector(`.displacy-arrow[data-dependent="${i}"]`);
    if (head === i || (known && number(known, "head") === head)) continue;
    const to = picture.querySelector(`.displacy-token[data-token="${head}"]`);
    if (!to) continue;
    const [x0, y0] = place(group);
    const [x1, y1] = place(to);
    group.ownerSVGElement.append(svg("path", { class: "staged-arc", d: bow(x0, y0 - 20, x1, y1 - 20) }));
  }
}
