// The corpus: kinds of mistakes with counts, sentences, and each of them with gold beside predicted.

import { ask } from "./api.js";
import { setText } from "./annotate.js";
import { $, count, doubtClass, drawing, fill, h, percent, select } from "./dom.js";
import { change, draws, pipeline, state } from "./state.js";

const SORTS = [
  { value: "confidence", text: "Least sure first" },
  { value: "mistakes", text: "Most mistakes first" },
  { value: "order", text: "As in the corpus" },
];
const WAIT = 700;

let query = null;
let page = null;
let detail = null;
let problem = null;
let key = "";
let asked = 0;
let opened = 0;

draws(() => {
  if (state.view !== "corpus" || pipeline()?.status !== "ready") return;
  const names = pipeline().components.filter((one) => one.names.length).map((one) => one.name);
  if (!query || query.pipeline !== state.id) {
    const tree = pipeline().components.find((one) => one.drawing);
    query = {
      pipeline: state.id,
      component: tree?.name ?? names[0],
      mistake: null,
      sort: "confidence",
      page: 0,
    };
  }
  const now = JSON.stringify([query, pipeline().n_changes]);
  if (now === key) return;
  key = now;
  detail = null;
  opened += 1;
  load();
});

function look(values) {
  query = { ...query, page: 0, ...values };
  change();
}

async function load() {
  const number = ++asked;
  try {
    const result = await ask("/corpus", query);
    if (number !== asked) return;
    [page, problem] = [result, null];
  } catch (error) {
    if (number !== asked) return;
    [page, problem] = [null, error];
    if (error.status === 503) setTimeout(() => number === asked && load(), WAIT);
  }
  render();
}

async function open(id) {
  const number = ++opened;
  const { pipeline: of, component } = query;
  let [found, failure] = [null, null];
  try {
    found = { id, ...(await ask("/corpus/sentence", { pipeline: of, component, id })) };
  } catch (error) {
    failure = error;
  }
  if (number !== opened) return;
  [detail, problem] = [found, failure];
  render();
  $("view-corpus").querySelector(".detail h2")?.focus();
}

function render() {
  const view = $("view-corpus");
  const focused = view.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  fill(view, problem ? trouble() : null, page ? [controls(), h("div", { class: "browser" }, kinds(), sentences())] : null);
  if (focused) view.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function trouble() {
  const { done, n } = problem.data ?? {};
  return h(
    "div",
    { class: "card", role: "status" },
    h("p", {}, problem.message),
    n ? h("progress", { max: n, value: done, "aria-label": "Sentences analysed" }) : null,
  );
}

function controls() {
  const names = pipeline().components.filter((one) => one.names.length).map((one) => one.name);
  return h(
    "div",
    { class: "controls" },
    select("Component", names, query.component, (component) => look({ component, mistake: null }), {
      "data-key": "component",
    }),
    select("Order", SORTS, query.sort, (sort) => look({ sort }), { "data-key": "sort" }),
    h(
      "p",
      { class: "soft", role: "status" },
      `${page.n_wrong} of ${count(page.n_sentences, "sentence")} with mistakes`,
    ),
  );
}

const SAYS = {
  label: (one) => [one.gold, " taken for ", one.predicted],
  both: (one) => [one.gold, " taken for ", one.predicted, ", another head"],
  attachment: (one) => ["another head: ", one.gold || one.predicted],
  span: (one) => ["other words: ", one.gold || one.predicted],
  boundary: (one) => ["boundary ", one.gold || one.predicted || ""],
  missing: (one) => ["missing: ", one.gold],
  extra: (one) => ["too many: ", one.predicted],
};

function say(one) {
  const parts = (SAYS[one.type] ?? ((other) => [other.key]))(one);
  return parts.map((part) =>
    part && (part === one.gold || part === one.predicted) ? h("b", {}, part) : part || "",
  );
}

function kinds() {
  const most = Math.max(...page.mistakes.map((one) => one.n), 1);
  const entry = (mistake, n, content) => {
    const inner = h("i");
    inner.style.width = `${(100 * n) / most}%`;
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          "aria-pressed": String(query.mistake === mistake),
          "data-key": `kind-${mistake}`,
          onclick: () => look({ mistake }),
        },
        h("span", { class: "fill", "aria-hidden": "true" }, mistake === null ? null : inner),
        h("span", {}, content),
        h("span", { class: "n" }, n),
      ),
    );
  };
  return h(
    "nav",
    { class: "card kinds", "aria-label": "Kinds of mistakes" },
    h("h2", {}, "Mistakes"),
    h(
      "ul",
      {},
      entry(null, page.n_wrong, "All sentences"),
      page.mistakes.map((one) => entry(one.key, one.n, say(one))),
    ),
  );
}

function sentences() {
  // After a correction there can be fewer pages: the server gives the last one then.
  const { sentences: rows, n_pages: n, page: at } = page;
  return h(
    "div",
    {},
    h(
      "ul",
      { class: "card rows", "aria-label": "Sentences" },
      rows.length ? null : h("li", { class: "soft" }, "No sentences."),
      rows.map((one) => h("li", {}, sentence(one), detail?.id === one.id ? shown() : null)),
    ),
    n > 1
      ? h(
          "div",
          { class: "row pages" },
          turn("Previous page", "‹", at - 1, at === 0),
          h("span", {}, `Page ${at + 1} of ${n}`),
          turn("Next page", "›", at + 1, at >= n - 1),
        )
      : null,
  );
}

function turn(name, sign, to, disabled) {
  const onclick = () => look({ page: to });
  return h(
    "button",
    { type: "button", class: "quiet step", "aria-label": name, disabled, onclick, "data-key": name },
    sign,
  );
}

function sentence(one) {
  const isOpen = detail?.id === one.id;
  const toggle = () => {
    if (!isOpen) return open(one.id);
    detail = null;
    return render();
  };
  return h(
    "button",
    {
      type: "button",
      class: "sentence-row",
      "aria-expanded": String(isOpen),
      "data-key": `row-${one.id}`,
      onclick: toggle,
    },
    h(
      "span",
      { class: `sure ${doubtClass(one.confidence)}` },
      typeof one.confidence === "number" ? percent(one.confidence) : "–",
    ),
    h("span", { class: "text", dir: "auto" }, one.text),
    h("span", { class: one.n_mistakes ? "wrong" : "right" }, one.n_mistakes ? count(one.n_mistakes, "mistake") : "right"),
  );
}

function shown() {
  const { text, gold, predicted } = detail;
  const edit = () => {
    change({ view: "editor" });
    setText(text, { now: true });
    $("text").focus();
  };
  return h(
    "section",
    { class: "detail", "aria-label": "Gold and predicted" },
    h(
      "div",
      { class: "pair" },
      side("Gold", gold, []),
      side("Predicted", predicted, predicted.confidences ?? []),
    ),
    h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: edit }, "Open in the editor")),
  );
}

function side(name, said, confidences) {
  const { tokens, differs } = detail;
  const words = tokens.filter((token) => !token.is_space);
  const drawn = (said.drawings ?? []).filter((one) => one.html).map((one) => drawing(one.html));
  for (const box of drawn) {
    for (const arc of box.querySelectorAll(".displacy-arrow")) {
      arc.classList.toggle("differs", Boolean(differs[Number(arc.dataset.dependent)]));
    }
  }
  return h(
    "div",
    {},
    h("h2", { tabindex: "-1" }, name),
    h(
      "ol",
      { class: "words" },
      words.map((token) =>
        h(
          "li",
          { class: `word ${doubtClass(confidences[token.i])}${differs[token.i] ? " differs" : ""}` },
          h("span", { class: "text", dir: "auto" }, token.text),
          h("span", { class: "label" }, said.labels[token.i] || "–"),
        ),
      ),
    ),
    drawn,
  );
}
