// Two pipelines on the same text, side by side.

import { ask } from "./api.js";
import { $, count, fill, h, percent, select } from "./dom.js";
import { renderSentence, sentenceContent } from "./sentences.js";
import { alertUser, draws, state } from "./state.js";

const chosen = [0, 1];
let shown = "";
let results = null;
let asked = 0;

const ready = () => state.about.pipelines.filter((one) => one.status === "ready");

async function load() {
  const number = ++asked;
  const { text } = state;
  results = null;
  try {
    const bodies = chosen.map((pipeline) => ({ pipeline, text }));
    const both = text.trim() ? await Promise.all(bodies.map((body) => ask("/annotate", body))) : [];
    if (number !== asked) return;
    results = both;
    alertUser("");
    render();
  } catch (error) {
    if (number === asked) alertUser(error.message);
  }
}

draws(() => {
  if (state.view !== "compare" || !state.about) return;
  const ids = ready().map((one) => one.id);
  chosen.forEach((id, side) => {
    if (!ids.includes(id)) chosen[side] = ids[Math.min(side, ids.length - 1)];
  });
  const corrections = ready().map((one) => one.n_corrections);
  const key = JSON.stringify([state.text, chosen, corrections]);
  if (key === shown) return;
  shown = key;
  render();
  load();
});

// Where tokens stand in the text: those of both sides at the same characters are compared.
function places(doc) {
  let offset = 0;
  return doc.tokens.map((token) => {
    const start = offset;
    offset += token.text.length + token.whitespace.length;
    return `${start}-${token.text.length}`;
  });
}

const labelOf = (token) => [token.tag, token.pos];
const arcOf = (token, at, i) => [token.dep, token.head === i ? "" : at[token.head]];

function entitiesOf(doc, at) {
  const ents = doc.tokens.map(() => "");
  for (const ent of doc.ents) ents.fill(`${at[ent.start]} ${ent.label}`, ent.start, ent.end);
  return ents;
}

// The tokens of one side about which the other says something else: anything, and their arcs.
function differing(doc, other) {
  const says = (one) => {
    const at = places(one);
    const ents = entitiesOf(one, at);
    return new Map(
      one.tokens.map((token, i) => [
        at[i],
        [[...labelOf(token), ents[i]].join("\t"), arcOf(token, at, i).join("\t")],
      ]),
    );
  };
  const [ours, theirs] = [says(doc), says(other)];
  const differs = (part) =>
    places(doc).map(
      (place, i) =>
        !doc.tokens[i].is_space && ours.get(place)[part] !== theirs.get(place)?.[part],
    );
  const [labels, arcs] = [differs(0), differs(1)];
  return { arcs, all: labels.map((one, i) => one || arcs[i]) };
}

function render() {
  const view = $("view-compare");
  const key = view.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const options = ready().map((one) => ({ value: one.id, text: one.name }));
  const pick = (side) =>
    select(
      ["First pipeline", "Second pipeline"][side],
      options,
      chosen[side],
      (value) => {
        chosen[side] = Number(value);
        document.dispatchEvent(new CustomEvent("compare"));
      },
      { "data-key": `side-${side}` },
    );
  fill(
    view,
    h("p", { class: "quote", dir: "auto" }, state.text || "Type a text in the editor first."),
    h("div", { class: "pair" }, [0, 1].map((side) => h("div", {}, pick(side), column(side)))),
  );
  if (key) view.querySelector(`[data-key="${key}"]`)?.focus();
}

function column(side) {
  if (!results?.length) return null;
  const [doc, other] = [results[side], results[1 - side]];
  const { arcs, all: differs } = differing(doc, other);
  const n = differs.filter(Boolean).length;
  const words = doc.tokens.filter((token) => !token.is_space).length;
  return [
    h("p", { class: "soft" }, `${count(n, "word")} of ${words} (${percent(n / words)}) differ, ${doc.ms.toFixed(1)} ms`),
    doc.sentences.map(([start, end]) => {
      const content = sentenceContent(doc, start, end, { hidden: new Set(), differs });
      const card = h("section", { class: "card sentence", dir: doc.direction }, renderSentence(content));
      for (const arc of card.querySelectorAll(".displacy-arrow")) {
        arc.classList.toggle("differs", arcs[Number(arc.dataset.dependent)]);
      }
      return card;
    }),
  ];
}
