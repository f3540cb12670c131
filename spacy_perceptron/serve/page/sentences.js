// The sentences of a text: words with labels, and drawings. Cards are filled when they come into
// sight, and kept as long as nothing in them changes.

import { $, doubtClass, drawing, fill, h, percent } from "./dom.js";
import { draws, found, state } from "./state.js";

export function shownComponents(doc = state.doc, hidden = state.hidden) {
  return (doc?.components ?? []).filter((one) => !hidden.has(one.name));
}

const sight = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      sight.unobserve(entry.target);
      entry.target.build?.();
    }
  },
  { rootMargin: "600px" },
);

// What of an answer is shown in place of the prediction.
function shownAnswer() {
  const { answers, doc } = state;
  if (!answers || !doc || !answers.rank) return null;
  return { ...answers.list[answers.rank], component: answers.component };
}

draws(() => {
  const box = $("sentences");
  const { doc } = state;
  if (!doc) {
    fill(box);
    return;
  }
  const answer = shownAnswer();
  const cards = doc.sentences.map(([start, end], place) => {
    const content = sentenceContent(doc, start, end, { answer, hidden: state.hidden });
    const old = box.children[place];
    if (old && old.key === content.key) return old;
    return lazyCard(doc, content, place, old);
  });
  box.dir = doc.direction;
  const focused = box.contains(document.activeElement) ? document.activeElement.dataset.token : null;
  cards.forEach((card, place) => {
    if (box.children[place] !== card) {
      if (box.children[place]) box.children[place].replaceWith(card);
      else box.append(card);
    }
  });
  while (box.children.length > cards.length) box.lastChild.remove();
  box.classList.toggle("stale", !state.fresh);
  // A word that is drawn anew keeps the focus.
  const word = focused && box.querySelector(`.word[data-token="${focused}"]`);
  if (word && word !== document.activeElement) {
    word.tabIndex = 0;
    word.focus({ preventScroll: true });
  }
});

function lazyCard(doc, content, place, old) {
  const card = h("section", { class: "card sentence", "aria-label": `Sentence ${place + 1}` });
  card.key = content.key;
  card.build = () => {
    card.build = null;
    fill(card, renderSentence(content));
    document.dispatchEvent(new CustomEvent("sentence", { detail: card }));
  };
  // What is in sight already is replaced at once, so that nothing flickers while typing.
  if (place < 2 || (old && !old.build)) card.build();
  else {
    card.append(h("p", { class: "plain" }, content.words.map((w) => w.text + w.space).join("")));
    sight.observe(card);
  }
  return card;
}

// All that a card shows, as plain data.
export function sentenceContent(doc, start, end, { answer = null, hidden, differs = null } = {}) {
  const shown = shownComponents(doc, hidden);
  const kinds = new Set(shown.map((one) => one.kind));
  const answerKind = answer && found(answer.component, doc)?.kind;
  const words = doc.tokens.slice(start, end).map((token) => {
    const marked = Boolean(answer?.differs[token.i] || differs?.[token.i]);
    const label = kinds.has("tags") || !kinds.size ? token.tag || token.pos : "";
    return {
      i: token.i,
      text: token.text,
      space: token.whitespace ?? "",
      blank: token.is_space,
      label: answer && marked && answerKind !== "heads" ? answer.labels[token.i] : label,
      coarse: kinds.has("tags") && token.tag && token.pos !== token.tag ? token.pos : "",
      lemma: kinds.has("lemmas") || !kinds.has("tags") ? token.lemma : "",
      marked,
      confidence: token.confidence?.tag ?? token.confidence?.ent ?? null,
    };
  });
  const ents = kinds.has("entities")
    ? doc.ents.filter((ent) => ent.start >= start && ent.end <= end)
    : [];
  const drawings = shown.flatMap((one) => {
    const own = answer?.component === one.name ? answer.drawings : [];
    return within(one.drawings, start, end).map((predicted) => {
      const other = own.find((d) => d.html && d.start < predicted.end && predicted.start < d.end);
      return { component: one.name, kind: one.kind, html: (other ?? predicted).html };
    });
  });
  return { start, words, ents, drawings, key: JSON.stringify([start, words, ents, drawings]) };
}

function within(drawings, start, end) {
  return drawings.filter((one) => one.html && one.start >= start && one.start < end);
}

export function renderSentence({ words, ents, drawings }) {
  const row = h("div", { class: "words", role: "group", "aria-label": "Words" });
  let group = null;
  for (const word of words) {
    const ent = ents.find((one) => one.start === word.i);
    if (ent) {
      group = { end: ent.end, box: h("span", { class: "ent" }) };
      const sure = typeof ent.confidence === "number" ? `, ${percent(ent.confidence)}` : "";
      row.append(group.box);
      group.label = h(
        "button",
        {
          class: `ent-label ${doubtClass(ent.confidence)}`,
          type: "button",
          tabindex: "-1",
          title: `Entity ${ent.label}${sure}`,
          "data-ent-start": ent.start,
          "data-ent-end": ent.end,
          "data-ent-label": ent.label,
        },
        ent.label,
      );
    }
    if (!word.blank) (group?.box ?? row).append(renderWord(word));
    if (group && word.i === group.end - 1) {
      group.box.append(group.label);
      group = null;
    }
  }
  return [
    row,
    drawings.map(({ component, kind, html }) => {
      const box = drawing(html);
      box.dataset.component = component;
      box.dataset.kind = kind;
      return box;
    }),
  ];
}

function renderWord(word) {
  const doubt = typeof word.confidence === "number" && word.confidence < 0.95;
  const described = [
    word.text,
    word.label,
    word.lemma && word.lemma !== word.text ? `lemma ${word.lemma}` : "",
    doubt ? `sure by ${percent(word.confidence)}` : "",
    word.marked ? "differs" : "",
  ];
  return h(
    "button",
    {
      class: `word ${doubtClass(word.confidence)}${word.marked ? " differs" : ""}`,
      type: "button",
      tabindex: "-1",
      "data-token": word.i,
      "aria-pressed": "false",
      "aria-label": described.filter(Boolean).join(", "),
    },
    h("span", { class: "text", dir: "auto" }, word.text),
    word.label ? h("span", { class: "label" }, word.label) : null,
    word.coarse ? h("span", { class: "coarse" }, word.coarse) : null,
    word.lemma && word.lemma !== word.text ? h("span", { class: "lemma" }, word.lemma) : null,
    doubt ? h("span", { class: "sure" }, percent(word.confidence)) : null,
  );
}
