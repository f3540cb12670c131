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
    if (number !== asked) return;
    alertUser(error.message);
    render();
  }
}

draws(() => {
  if (state.view !== "compare" || !state.about) return;
  const ids = ready().map((one) => one.id);
  if (ids.length < 2) {
    wait();
    return;
  }
  chosen.forEach((id, side) => {
    if (!ids.includes(id)) chosen[side] = ids.find((one) => one !== chosen[1 - side]);
  });
  const changes = ready().map((one) => one.n_changes);
  const key = JSON.stringify([state.text, chosen, changes]);
  if (key === shown) return;
  shown = key;
  render();
  load();
});

function wait() {
  const isLoading = state.about.pipelines.some((one) => one.status === "loading");
  const said = isLoading ? "The pipelines are being loaded." : "There are no two pipelines to compare.";
  asked += 1;
  if (shown === said) return;
  shown = said;
  fill($("view-compare"), h("p", { class: "card", role: "status" }, said));
}

// Where tokens stand in the text: those of both sides at the same characters are compared.
function places(doc) {
  let offset = 0;
  return doc.tokens.map((token) => {
    const start = offset;
    offset += token.text.length + token.whitespace.length;
    return `${start}-${token.text.length}`;
  });
}

const ATTRIBUTES = ["tag", "pos", "lemma", "dep"];

// What both sides speak of: what one of them has no component for is no difference.
function sharedBy(docs) {
  const of = (says) => docs.every(says);
  const shared = Object.fromEntries(
    ATTRIBUTES.map((name) => [
      name,
      of((doc) => doc.tokens.some((token) => token[name] && !token.is_space)),
    ]),
  );
  const has = (kind) => (doc) => doc.components.some((one) => one.kind === kind);
  return {
    ...shared,
    ent: of((doc) => doc.ents.length || has("entities")(doc)),
    phrases: of(has("constituents")),
  };
}

const labelOf = (token, shared) =>
  ["tag", "pos", "lemma"].map((name) => (shared[name] ? token[name] : ""));
const arcOf = (token, at, i) => [token.dep, token.head === i ? "" : at[token.head]];

function entitiesOf(doc, at) {
  const ents = doc.tokens.map(() => "");
  for (const ent of doc.ents) ents.fill(`${at[ent.start]} ${ent.label}`, ent.start, ent.end);
  return ents;
}

// The tokens of one side about which the other says something else: anything, and their arcs.
function differing(doc, other, shared) {
  const says = (one) => {
    const at = places(one);
    const ents = entitiesOf(one, at);
    return new Map(
      one.tokens.map((token, i) => [
        at[i],
        [
          [...labelOf(token, shared), shared.ent ? ents[i] : ""].join("\t"),
          shared.dep ? arcOf(token, at, i).join("\t") : "",
        ],
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

// The phrases of one side, whitespace at their ends left out.
function phrasesOf(doc) {
  const at = places(doc);
  const { tokens } = doc;
  return doc.components
    .flatMap((one) => one.annotation.constituents ?? [])
    .map(([start, end, label]) => {
      while (start < end - 1 && tokens[start].is_space) start += 1;
      while (start < end - 1 && tokens[end - 1].is_space) end -= 1;
      return { key: `${start} ${end} ${label}`, place: `${at[start]} ${at[end - 1]} ${label}` };
    });
}

// Those that the other side does not have.
function differingPhrases(doc, other) {
  const theirs = new Set(phrasesOf(other).map((one) => one.place));
  return new Set(phrasesOf(doc).filter((one) => !theirs.has(one.place)).map((one) => one.key));
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
  const shared = sharedBy(results);
  const { arcs, all: differs } = differing(doc, other, shared);
  const phrases = shared.phrases ? differingPhrases(doc, other) : new Set();
  return [
    h("p", { class: "soft" }, `${summary(doc, differs, phrases, shared)}, ${doc.ms.toFixed(1)} ms`),
    doc.sentences.map(([start, end]) => {
      const content = sentenceContent(doc, start, end, { hidden: new Set(), differs });
      const card = h("section", { class: "card sentence", dir: doc.direction }, renderSentence(content));
      for (const arc of card.querySelectorAll(".displacy-arrow")) {
        arc.classList.toggle("differs", arcs[Number(arc.dataset.dependent)]);
      }
      for (const phrase of card.querySelectorAll(".constituents-phrase")) {
        const { start: from, end: to, label } = phrase.dataset;
        phrase.classList.toggle("differs", phrases.has(`${from} ${to} ${label}`));
      }
      return card;
    }),
  ];
}

function summary(doc, differs, phrases, shared) {
  if (!Object.values(shared).some(Boolean)) return "These two say nothing of the same kind";
  const n = differs.filter(Boolean).length;
  const words = doc.tokens.filter((token) => !token.is_space).length;
  const said = `${count(n, "word")} of ${words} (${percent(n / Math.max(words, 1))})`;
  const more = shared.phrases ? ` and ${count(phrases.size, "phrase")} of ${phrasesOf(doc).length}` : "";
  return `${said}${more} differ`;
}
