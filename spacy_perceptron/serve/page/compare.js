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

// The tokens of one side about which the other says something else: those at the same characters.
function differing(doc, other) {
  const places = (one) => {
    let offset = 0;
    return one.tokens.map((token) => {
      const start = offset;
      offset += token.text.length + token.whitespace.length;
      return `${start}-${token.text.length}`;
    });
  };
  const says = (one) => {
    const at = places(one);
    const ents = one.tokens.map(() => "");
    for (const ent of one.ents) {
      for (let i = ent.start; i < ent.end; i += 1) ents[i] = `${at[ent.start]} ${ent.label}`;
    }
    return new Map(
      one.tokens.map((t, i) => [at[i], [t.tag, t.pos, t.dep, t.head === i ? "" : at[t.head], ents[i]].join("\t")]),
    );
  };
  const [ours, theirs] = [says(doc), says(other)];
  return places(doc).map((place, i) => !doc.tokens[i].is_space && ours.get(place) !== theirs.get(place));
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
  const differs = differing(doc, other);
  const n = differs.filter(Boolean).length;
  const words = doc.tokens.filter((token) => !token.is_space).length;
  return [
    h("p", { class: "soft" }, `${count(n, "word")} of ${words} (${percent(n / words)}) differ, ${doc.ms.toFixed(1)} ms`),
    doc.sentences.map(([start, end]) => {
      const content = sentenceContent(doc, start, end, { hidden: new Set(), differs });
      const card = h("section", { class: "card sentence", dir: doc.direction }, renderSentence(content));
      for (const arc of card.querySelectorAll(".displacy-arrow")) {
        arc.classList.toggle("differs", differs[Number(arc.dataset.dependent)]);
      }
      return card;
    }),
  ];
}
