// The side panel of what is selected: its labels in menus, and why they were chosen.

import { ask } from "./api.js";
import { $, fill, h, select } from "./dom.js";
import { draft, entityAt, findPhrase, setEntity, setHead, setPhrase, setValue } from "./edits.js";
import { can, change, component, draws, state } from "./state.js";

// Select a word, `{ token }`, or a phrase or entity, `{ span, component, label }`.
export function choose(selected) {
  change({ selected, explanation: null, headOf: null });
}

function sentenceOf(i) {
  return state.doc.sentences.find(([start, end]) => start <= i && i < end) ?? [0, 0];
}

function wordsFrom(start, end) {
  return state.doc.tokens
    .slice(start, end)
    .filter((token) => !token.is_space)
    .map((token) => ({ value: token.i, text: token.text }));
}

const TITLES = { tag: "Tag", pos: "Part of speech", dep: "Label", lemma: "Lemma" };
const title = (name) => TITLES[name] ?? name[0].toUpperCase() + name.slice(1);

const FIELDS = {
  tags: tagFields,
  lemmas: tagFields,
  heads: headFields,
  entities: entityFields,
  boundaries: boundaryFields,
};

function tagFields(name, i) {
  const said = draft(name);
  return component(name).names.map((attribute) => {
    const labels = component(name).labels[attribute];
    const props = { "data-key": `${name}-${attribute}`, class: `of-${attribute}` };
    const set = (value) => setValue(name, attribute, i, value);
    if (labels?.length) return select(title(attribute), labels, said[attribute][i], set, props);
    const input = h("input", { ...props, value: said[attribute][i] ?? "" });
    input.addEventListener("change", () => set(input.value));
    return h("label", { class: "field" }, h("span", {}, title(attribute)), input);
  });
}

function headFields(name, i) {
  const said = draft(name);
  const words = wordsFrom(...sentenceOf(i)).filter((word) => word.value !== i);
  const heads = [{ value: i, text: "(root)" }, ...words];
  const labels = component(name).labels.dep ?? [];
  const setDep = (value) => setValue(name, "dep", i, value);
  return [
    select("Head", heads, said.head[i], (value) => setHead(name, i, Number(value)), {
      "data-key": `${name}-head`,
      class: "of-head",
    }),
    select("Label", labels, said.dep[i], setDep, { "data-key": `${name}-dep`, class: "of-dep" }),
  ];
}

function entityFields(name, i) {
  const old = entityAt(draft(name).ent, i);
  const { start, end, label } = old ?? { start: i, end: i + 1, label: "" };
  const labels = [{ value: "", text: "(none)" }, ...(component(name).labels.ent ?? [])];
  const [first, last] = sentenceOf(i);
  const set = (from, to, value) => setEntity(name, from, to, value, old);
  const fields = [
    select("Entity", labels, label, (value) => set(start, end, value), {
      "data-key": `${name}-ent`,
      class: "of-ent",
    }),
  ];
  if (!old) return fields;
  return [
    ...fields,
    select("From", wordsFrom(first, i + 1), start, (value) => set(Number(value), end, label), {
      "data-key": `${name}-from`,
    }),
    select("To", wordsFrom(i, last), end - 1, (value) => set(start, Number(value) + 1, label), {
      "data-key": `${name}-to`,
    }),
  ];
}

function boundaryFields(name, i) {
  const attribute = component(name).names[0];
  const box = h("input", {
    type: "checkbox",
    checked: draft(name)[attribute][i] === "S",
    disabled: i === 0,
    "data-key": `${name}-start`,
  });
  box.addEventListener("change", () => setValue(name, attribute, i, box.checked ? "S" : "I"));
  return [h("label", { class: "field check" }, box, h("span", {}, "Begins a sentence"))];
}

function phraseFields({ component: name, span, label, key }) {
  const number = findPhrase(name, ...span, label);
  if (number < 0) return [h("p", { class: "soft" }, "Removed.")];
  const labels = component(name).labels.constituents ?? [];
  const relabel = (value) => {
    setPhrase(name, number, value);
    change({ selected: { component: name, span, label: value, key } });
  };
  return [
    select("Phrase", labels, label, relabel, { "data-key": `${name}-phrase` }),
    h(
      "button",
      { type: "button", class: "quiet", onclick: () => setPhrase(name, number, null) },
      "Remove phrase",
    ),
  ];
}

// What people look at first; boundaries of sentences are seldom in doubt.
const ORDER = ["tags", "lemmas", "heads", "constituents", "entities", "other", "boundaries"];

const inOrder = () =>
  [...state.doc.components].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));

function isPhrase(selected) {
  return Boolean(selected.span) && component(selected.component)?.drawing === "brackets";
}

function fieldsOf(selected) {
  if (isPhrase(selected)) {
    return can(selected.component, "correct") ? [group(selected.component, phraseFields(selected))] : [];
  }
  const i = selected.token ?? selected.span[0];
  return inOrder()
    .filter((one) => FIELDS[one.kind] && can(one.name, "correct") && !state.hidden.has(one.name))
    .map((one) => group(one.name, FIELDS[one.kind](one.name, i)));
}

function group(name, fields) {
  return h("fieldset", {}, h("legend", {}, name), fields);
}

draws(() => {
  const box = $("inspector");
  const { selected, doc } = state;
  const key = document.activeElement?.closest("#inspector")
    ? document.activeElement.dataset.key
    : null;
  box.classList.toggle("open", Boolean(selected && doc));
  if (!selected || !doc) {
    fill(
      box,
      h("h2", {}, "Selection"),
      h(
        "p",
        { class: "soft" },
        "Select a word, an arc, a phrase or an entity to see why it was chosen, and to correct it. ",
        "Drag a word of the tree onto its head.",
      ),
    );
    return;
  }
  const token = doc.tokens[selected.token ?? selected.span[0]];
  const words = selected.span
    ? doc.tokens.slice(...selected.span).map((one) => one.text + one.whitespace).join("").trim()
    : token.text;
  const facts = selected.span ? [] : [token.lemma, token.pos, token.morph].filter(Boolean);
  fill(
    box,
    h(
      "button",
      { type: "button", class: "quiet close", "aria-label": "Close", onclick: () => choose(null) },
      "×",
    ),
    h("h2", { dir: "auto" }, words.length > 60 ? `${words.slice(0, 59)}…` : words),
    facts.length ? h("p", { class: "soft facts" }, facts.join(" · ")) : null,
    h("div", { class: "fields" }, fieldsOf(selected)),
    why(selected),
  );
  if (key) box.querySelector(`[data-key="${key}"]`)?.focus();
});

function explainable(selected) {
  const names = isPhrase(selected) ? [selected.component] : inOrder().map((one) => one.name);
  return names.filter((name) => can(name, "explain") && !state.hidden.has(name));
}

function why(selected) {
  const names = explainable(selected);
  if (!names.length) return null;
  const current = names.includes(selected.component) ? selected.component : names[0];
  if (!state.explanation) load(selected, current);
  const { explanation } = state;
  return h(
    "section",
    { class: "why", "aria-label": "Explanation" },
    h("h3", {}, "Why?"),
    h(
      "div",
      { class: "chips", role: "group", "aria-label": "Component" },
      names.map((name) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(name === current),
            "data-key": `why-${name}`,
            onclick: () => change({ selected: { ...selected, component: name }, explanation: null }),
          },
          name,
        ),
      ),
    ),
    explanation?.rows ? weights(explanation) : h("p", { class: "soft" }, explanation?.error ?? "…"),
  );
}

let asked = 0;

async function load(selected, name) {
  const number = ++asked;
  state.explanation = {};
  const body = { pipeline: state.id, text: state.doc.text, component: name };
  if (isPhrase(selected)) body.span = selected.span;
  else body.token = selected.token ?? selected.span[0];
  let explanation;
  try {
    explanation = await ask("/explain", body);
  } catch (error) {
    explanation = { error: error.message };
  }
  if (number === asked) change({ explanation });
}

const figure = (value) => value.toFixed(2);

function weights({ rows, title: caption, chosen, runner_up: other, total }) {
  // The last row sums up the weights that are not listed: its bar can be cut.
  const listed = rows.filter((row) => row.value);
  const most = Math.max(...listed.map((row) => Math.abs(row.difference)), 1e-9);
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": "Weights" },
    h(
      "table",
      { class: "weights" },
      h("caption", {}, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "Feature"),
          h("th", { scope: "col", class: "n" }, "For, against"),
          h("th", { scope: "col", class: "n", title: chosen }, "Chosen"),
          h("th", { scope: "col", class: "n", title: other }, "Other"),
        ),
      ),
      h("tbody", {}, rows.map((row) => weight(row, most))),
      h(
        "tfoot",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "row" }, "Together"),
          h("td", { class: "n" }, signed(total.difference)),
          h("td", { class: "n" }, figure(total.chosen)),
          h("td", { class: "n" }, figure(total.runner_up)),
        ),
      ),
    ),
  );
}

const signed = (value) => (value > 0 ? "+" : "") + figure(value);

function weight(row, most) {
  const { template, value, runner_up_value: theirs, difference } = row;
  const seen = theirs && theirs !== value ? `${value} | ${theirs}` : value;
  const inner = h("i");
  inner.style.width = `${50 * Math.min(1, Math.abs(difference) / most)}%`;
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row", title: `${template} = ${seen}` },
      h("span", { class: "template" }, template),
      seen ? h("span", { class: "value" }, seen) : null,
    ),
    h(
      "td",
      { class: difference < 0 ? "against" : "for" },
      h(
        "div",
        { class: "share2" },
        h("span", { class: "bar2", "aria-hidden": "true" }, inner),
        h("span", { class: "n" }, signed(difference)),
      ),
    ),
    h("td", { class: "n" }, figure(row.chosen)),
    h("td", { class: "n" }, figure(row.runner_up)),
  );
}

