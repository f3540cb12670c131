// Teaching: staged edits go to the server, what changed is told. Undo, save and export.

import { ask, download } from "./api.js";
import { annotate, describe, showDoc, supersede } from "./annotate.js";
import { $, count, fill, h } from "./dom.js";
import { dropEdits } from "./edits.js";
import { alertUser, change, draws, guard, pipeline, state } from "./state.js";

let busy = false;

function noteCounts({ n_corrections, can_undo, n_changes }, id) {
  Object.assign(pipeline(id), { n_corrections, can_undo, n_changes });
}

// Show a text with the weights of now, unless another one was typed or chosen meanwhile.
function showAfter(doc, id) {
  if (!doc || state.text !== doc.text || state.id !== id) return annotate();
  supersede();
  return showDoc(doc);
}

export async function teach() {
  if (busy || !state.staged.size) return;
  busy = true;
  const { id } = state;
  // What is corrected is what is shown; the text box can be ahead of that.
  const { text } = state.doc;
  const results = [];
  const staged = [...state.staged];
  await guard(async () => {
    for (const [component, { annotation }] of staged) {
      const body = { pipeline: id, text, component, annotation };
      results.push({ component, ...(await ask("/correct", body)) });
      noteCounts(results.at(-1), id);
      if (state.staged.get(component)?.annotation === annotation) state.staged.delete(component);
    }
  });
  busy = false;
  if (!results.length) return change();
  const left = state.staged;
  showAfter(results.at(-1).after, id);
  if (state.id !== id) return undefined;
  if (state.doc?.text === text) $("status").textContent = describe(results.at(-1).after);
  change({ staged: left, outcome: { results }, selected: null });
  setTimeout(() => $("outcome").querySelector("h2")?.focus());
  return undefined;
}

export async function undo() {
  if (busy || !pipeline()?.can_undo) return;
  busy = true;
  const { id } = state;
  // Of what is shown: the text box can hold one that the server would refuse.
  const result = await guard(() => ask("/undo", { pipeline: id, text: state.doc?.text ?? null }));
  busy = false;
  if (!result) return;
  noteCounts(result, id);
  showAfter(result.after, id);
  if (state.id !== id) return;
  const { component, text: of } = result.undone;
  change({ outcome: { undone: `Undone: the correction of ${component} in “${short(of)}”.` } });
  // The button that was pressed can be gone.
  setTimeout(() => {
    if (document.activeElement === document.body) $("outcome").querySelector("h2")?.focus();
  });
}

const short = (text) => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

async function save() {
  const result = await guard(() => ask("/save", { pipeline: state.id }));
  if (result) change({ outcome: { saved: result } });
}

const FORMATS = { spacy: ".spacy", prodigy: "Prodigy (JSONL)", doccano: "Doccano (JSONL)" };

function exportAs(format) {
  const name = `corrections-${format}.${format === "spacy" ? "spacy" : "jsonl"}`;
  return guard(() => download("/export", { pipeline: state.id, format }, name));
}

draws(() => {
  const one = pipeline();
  const box = $("actions");
  if (!one || one.status !== "ready") {
    fill(box);
    return;
  }
  const n = one.n_corrections;
  const key = JSON.stringify([one.id, n, one.can_undo]);
  if (box.dataset.key === key) return;
  const active = document.activeElement?.dataset.key;
  box.dataset.key = key;
  fill(
    box,
    h("span", { class: "n", role: "status" }, n ? count(n, "correction") : "No corrections"),
    h(
      "button",
      { type: "button", class: "quiet", disabled: !one.can_undo, onclick: undo, "data-key": "undo" },
      "Undo",
    ),
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        onclick: save,
        "data-key": "save",
        title: `Save the pipeline to ${one.output}`,
      },
      "Save",
    ),
    h(
      "details",
      { class: "menu" },
      h("summary", { class: "quiet" }, "Export"),
      h(
        "div",
        {},
        Object.entries(FORMATS).map(([format, name]) =>
          h("button", { type: "button", disabled: !n, onclick: () => exportAs(format) }, name),
        ),
      ),
    ),
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        "aria-label": "Keys",
        title: "Keys (?)",
        onclick: () => document.dispatchEvent(new CustomEvent("help")),
      },
      "?",
    ),
  );
  if (active) box.querySelector(`[data-key="${active}"]`)?.focus();
});

draws(() => {
  const { staged } = state;
  const box = $("staged");
  // What is there already keeps the focus.
  const key = JSON.stringify([...staged].map(([name, { notes }]) => [name, notes]));
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  if (!staged.size) {
    fill(box);
    return;
  }
  const notes = [...staged].flatMap(([name, { notes: all }]) =>
    Object.values(all).map((note) => h("li", {}, note, h("small", {}, name))),
  );
  fill(
    box,
    h(
      "section",
      { class: "card staged", "aria-label": "Edits that are not taught yet" },
      h("ul", {}, notes),
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", class: "main", id: "teach", onclick: teach }, "Teach this"),
        h("button", { type: "button", class: "quiet", onclick: dropEdits }, "Cancel"),
      ),
    ),
  );
});

draws(() => {
  const { outcome } = state;
  const box = $("outcome");
  if (box.shown === outcome) return;
  box.shown = outcome;
  if (!outcome) {
    fill(box);
    return;
  }
  const close = h(
    "button",
    {
      type: "button",
      class: "quiet close",
      "aria-label": "Close",
      onclick: () => change({ outcome: null }),
    },
    "×",
  );
  fill(box, h("section", { class: "card outcome" }, close, told(outcome)));
});

function told(outcome) {
  if (outcome.undone) return h("h2", { tabindex: "-1", class: "undone" }, outcome.undone);
  if (outcome.saved) {
    const { path, corrections, n_corrections: n } = outcome.saved;
    return [
      h("p", {}, "Saved the pipeline: ", h("code", {}, path)),
      h("p", { class: "soft" }, `${count(n, "correction")} as a corpus: `, h("code", {}, corrections)),
    ];
  }
  const { results } = outcome;
  const learned = results.every((one) => one.learned);
  return [
    h(
      "h2",
      { tabindex: "-1", class: learned ? "good" : "bad" },
      learned ? "Learned" : "Not learned",
    ),
    results.map((one) => (one.message ? h("p", {}, one.message) : null)),
    changesTable(results[0].before, results.at(-1).after),
    results.map((one) => effects(one)),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "quiet", onclick: undo }, "Undo this"),
    ),
  ];
}

const ATTRIBUTES = [
  ["tag", "tag"],
  ["pos", "part of speech"],
  ["morph", "morphology"],
  ["head", "head"],
  ["dep", "label"],
  ["lemma", "lemma"],
];

function changesTable(before, after) {
  const rows = [];
  const add = (word, what, a, b) => rows.push([word, what, a, b]);
  const sameTokens = before.tokens.length === after.tokens.length;
  before.tokens.forEach((token, i) => {
    const other = after.tokens[i];
    if (!sameTokens) return;
    for (const [name, title] of ATTRIBUTES) {
      if (token[name] === other[name]) continue;
      const say = (doc, one) =>
        name !== "head" ? one[name] || "–" : one.head === i ? "root" : doc.tokens[one.head].text;
      add(token.text, title, say(before, token), say(after, other));
    }
  });
  const starts = (doc) => new Set(doc.sentences.map(([start]) => start));
  const [first, second] = [starts(before), starts(after)];
  before.tokens.forEach(({ text }, i) => {
    const say = (all) => (all.has(i) ? "begins one" : "inside");
    if (first.has(i) !== second.has(i)) add(text, "sentence", say(first), say(second));
  });
  const spans = (doc) =>
    new Map(doc.ents.map((ent) => [`${ent.start}-${ent.end}-${ent.label}`, ent]));
  const [old, now] = [spans(before), spans(after)];
  const words = (doc, ent) => doc.tokens.slice(ent.start, ent.end).map((t) => t.text).join(" ");
  for (const [key, ent] of old) if (!now.has(key)) add(words(before, ent), "entity", ent.label, "–");
  for (const [key, ent] of now) if (!old.has(key)) add(words(after, ent), "entity", "–", ent.label);
  for (const [name, a, b] of phraseChanges(before, after)) add(name, "phrase", a, b);
  if (!rows.length) return h("p", { class: "soft" }, "This text is annotated as before.");
  const head = ["Word", "What", "Before", "After"].map((title) => h("th", { scope: "col" }, title));
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": "Changes in this text" },
    h(
      "table",
      {},
      h("caption", {}, "In this text"),
      h("thead", {}, h("tr", {}, head)),
      h(
        "tbody",
        {},
        rows.map(([word, what, a, b]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, word),
            h("td", {}, what),
            h("td", {}, h("del", {}, a)),
            h("td", {}, h("ins", {}, b)),
          ),
        ),
      ),
    ),
  );
}

function phraseChanges(before, after) {
  const rows = (doc) =>
    new Map(
      doc.components
        .flatMap((one) => one.annotation.constituents ?? [])
        .map(([start, end, label]) => [
          `${start}-${end}-${label}`,
          [doc.tokens.slice(start, end).map((t) => t.text).join(" "), label],
        ]),
    );
  const [old, now] = [rows(before), rows(after)];
  const gone = [...old].filter(([key]) => !now.has(key)).map(([, [words, x]]) => [words, x, "–"]);
  const come = [...now].filter(([key]) => !old.has(key)).map(([, [words, x]]) => [words, "–", x]);
  return [...gone, ...come];
}

function effects({ component, check }) {
  const { n_texts: n, n_changed_texts: nTexts, n_changed_tokens: nTokens, changed } = check;
  if (!nTexts) {
    return h("p", { class: "soft" }, `${component}: nothing else changed in ${count(n, "check text")}.`);
  }
  return h(
    "details",
    { open: nTexts < 4 },
    h(
      "summary",
      {},
      `${component}: ${count(nTokens, "word")} in ${nTexts} of ${count(n, "check text")} changed`,
    ),
    h(
      "ul",
      { class: "effects" },
      changed.map((one) =>
        h(
          "li",
          {},
          h("span", {}, one.text),
          one.tokens.map((token) =>
            h(
              "span",
              { class: "effect" },
              h("b", {}, token.word),
              " ",
              h("del", {}, token.before || "–"),
              " → ",
              h("ins", {}, token.after || "–"),
            ),
          ),
        ),
      ),
    ),
  );
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("textarea, input");
  if (typing || event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey)) return;
  if (event.shiftKey || event.altKey || !pipeline()?.can_undo) return;
  event.preventDefault();
  alertUser("");
  undo();
});
