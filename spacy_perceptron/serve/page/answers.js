// The best answers of a component: a list with probabilities, and steps through them. What differs
// is marked in the text and its drawings.

import { ask } from "./api.js";
import { $, bar, fill, h, percent, select } from "./dom.js";
import { stageAnswer } from "./edits.js";
import { can, change, component, draws, pipeline, recall, remember, state } from "./state.js";

const PAUSE = 250;
const NUMBERS = [5, 10, 20];
let wanted = recall().answersOf ?? null;
let k = recall().k ?? NUMBERS[0];
let asked = null;
let timer = 0;
let problem = "";

function candidates() {
  return (state.doc?.components ?? [])
    .map((one) => one.name)
    .filter((name) => can(name, "nbest") && !state.hidden.has(name));
}

// Trees first: most is in doubt there.
function current() {
  const names = candidates();
  if (names.includes(wanted)) return wanted;
  return names.find((name) => component(name)?.drawing) ?? names[0] ?? null;
}

async function load(name) {
  const { doc, id } = state;
  const key = doc;
  if (asked?.doc === key && asked.name === name && asked.k === k) return;
  asked = { doc: key, name, k };
  const request = asked;
  clearTimeout(timer);
  timer = setTimeout(async () => {
    try {
      const body = { pipeline: id, text: doc.text, component: name, k };
      const result = await ask("/nbest", body);
      if (asked !== request || state.doc !== doc) return;
      problem = "";
      change({ answers: { component: name, rank: 0, list: result.candidates } });
    } catch (error) {
      if (asked !== request) return;
      problem = error.message;
      change();
    }
  }, PAUSE);
}

export function step(by) {
  const { answers } = state;
  if (!answers) return;
  const rank = Math.max(0, Math.min(answers.list.length - 1, answers.rank + by));
  if (rank !== answers.rank) show(rank);
}

function show(rank) {
  const { answers } = state;
  change({ answers: { ...answers, rank } });
  const { probability } = answers.list[rank];
  $("status").textContent = `Answer ${rank + 1} of ${answers.list.length}, ${percent(probability, 1)}`;
  setTimeout(() => showDifference(answers.list[rank].differs.indexOf(true)));
}

// Bring the first sentence that differs into sight.
function showDifference(i) {
  const place = state.doc?.sentences.findIndex(([start, end]) => start <= i && i < end) ?? -1;
  const card = $("sentences").children[place];
  if (!card) return;
  const { top, bottom } = card.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) card.scrollIntoView({ block: "start" });
}

function want(name) {
  wanted = name;
  remember({ answersOf: name });
  change({ answers: null });
}

draws(() => {
  const box = $("answers");
  const key = box.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const name = state.doc && current();
  box.hidden = !name;
  if (!name) return;
  const { answers } = state;
  if (answers?.component !== name) load(name);
  const numbers = NUMBERS.filter((n) => n <= (state.about.max_k ?? 50));
  fill(
    box,
    h("h2", {}, "Best answers"),
    h(
      "div",
      { class: "chips", role: "group", "aria-label": "Component" },
      candidates().map((one) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(one === name),
            "data-key": `of-${one}`,
            onclick: () => want(one),
          },
          one,
        ),
      ),
      select(
        "How many",
        numbers,
        k,
        (value) => {
          k = Number(value);
          remember({ k });
          change({ answers: null });
        },
        { "data-key": "k" },
      ),
    ),
    answers?.component === name ? list(answers) : h("p", { class: "soft" }, problem || "…"),
  );
  if (key) box.querySelector(`[data-key="${key}"]`)?.focus();
});

function list(answers) {
  const { list: all, rank } = answers;
  return [
    all.length === 1 ? h("p", { class: "soft" }, "One answer only.") : null,
    h("ol", { class: "answers" }, all.map((one, i) => h("li", {}, entry(one, i, rank)))),
    h(
      "div",
      { class: "row" },
      stepButton("Previous", "‹", -1, rank === 0),
      stepButton("Next", "›", 1, rank === all.length - 1),
      can(answers.component, "correct")
        ? h(
            "button",
            {
              type: "button",
              "data-key": "right",
              class: "quiet",
              onclick: () => stageAnswer(answers.component, all[rank], rank),
            },
            "This one is right",
          )
        : null,
    ),
  ];
}

function stepButton(name, sign, by, disabled) {
  return h(
    "button",
    {
      type: "button",
      class: "quiet step",
      "aria-label": `${name} answer`,
      title: `${name} answer (${by > 0 ? "n" : "p"})`,
      "data-key": name,
      "aria-disabled": String(disabled),
      onclick: () => step(by),
    },
    sign,
  );
}

const SHOWN = 3;

function entry(one, i, rank) {
  const { tokens } = state.doc;
  const places = tokens.map((token) => token.i).filter((j) => one.differs[j]);
  const told = places.slice(0, SHOWN).map((j) =>
    h("span", { class: "difference" }, h("b", {}, tokens[j].text), " ", one.labels[j] || "–"),
  );
  const more = places.length > SHOWN ? h("span", { class: "soft" }, `+${places.length - SHOWN}`) : null;
  return h(
    "button",
    {
      type: "button",
      class: "answer",
      "aria-current": i === rank ? "true" : null,
      "data-key": `answer-${i}`,
      title: `Score ${one.score.toFixed(2)}`,
      onclick: () => show(i),
    },
    h("span", { class: "rank" }, `${i + 1}`),
    bar(one.probability),
    h("span", { class: "share" }, percent(one.probability, 1)),
    h("span", { class: "differences" }, told.length ? told : h("span", { class: "soft" }, "as predicted"), more),
  );
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest("textarea, input, select") || event.ctrlKey || event.metaKey) return;
  if (state.view !== "editor" || event.altKey || state.headOf || !pipeline()) return;
  if (event.key === "n") step(1);
  else if (event.key === "p") step(-1);
});
