// Starts the page: pipelines, views, keys.

import { ServerError, get } from "./api.js";
import { annotate, setText } from "./annotate.js";
import { $, fill, h, select } from "./dom.js";
import { choose } from "./inspector.js";
import { alertUser, change, draws, pipeline, recall, remember, state } from "./state.js";
import "./answers.js";
import "./compare.js";
import "./correct.js";
import "./corpus.js";
import "./interact.js";
import "./sentences.js";

const POLL = 500;
const WAIT_FOR_SERVER = 2000;

async function refresh() {
  let again = 0;
  try {
    const before = pipeline()?.status;
    const about = await get("/pipelines");
    if (!about.pipelines.some((one) => one.id === state.id)) state.id = about.pipelines[0]?.id ?? 0;
    change({ about });
    if (about.pipelines.some((one) => one.status === "loading")) again = POLL;
    if (before !== "ready" && pipeline()?.status === "ready") begin();
    if (!again) alertUser("");
  } catch (error) {
    alertUser(error instanceof ServerError ? error.message : String(error));
    again = WAIT_FOR_SERVER;
  }
  if (again) setTimeout(refresh, again);
}

// Another tab, or a program, may have corrected something meanwhile.
async function catchUp() {
  if (document.hidden || pipeline()?.status !== "ready") return;
  const before = { ...pipeline() };
  let about;
  try {
    about = await get("/pipelines");
  } catch {
    return;
  }
  const now = about.pipelines.find((one) => one.id === before.id);
  // If this tab has changed something itself, it knows already.
  if (!now || pipeline()?.n_changes !== before.n_changes || state.id !== before.id) return;
  change({ about });
  if (now.status === "ready" && now.n_changes !== before.n_changes && !state.staged.size) annotate();
}

addEventListener("focus", catchUp);
document.addEventListener("visibilitychange", catchUp);

const EXAMPLE = "She saw the man with the telescope.";

function begin() {
  if (recall().text === undefined && !state.text && pipeline().lang === "en") {
    setText(EXAMPLE, { now: true });
  } else annotate();
}

function take(id) {
  remember({ pipeline: id });
  change({ id, doc: null, answers: null, selected: null, staged: new Map(), outcome: null });
  annotate();
}

const VIEWS = { editor: "Editor", compare: "Compare", corpus: "Corpus" };

function views() {
  const n = state.about?.pipelines.length ?? 0;
  return Object.keys(VIEWS).filter(
    (view) => view === "editor" || (view === "compare" ? n > 1 : state.about?.has_corpus),
  );
}

function show(view) {
  remember({ view });
  change({ view });
}

draws(() => {
  const names = views();
  if (state.about && !names.includes(state.view)) state.view = "editor";
  const tabs = $("tabs");
  tabs.hidden = names.length < 2;
  const key = names.join();
  if (tabs.dataset.key !== key) {
    tabs.dataset.key = key;
    fill(
      tabs,
      names.map((view) =>
        h(
          "button",
          {
            type: "button",
            role: "tab",
            id: `tab-${view}`,
            "aria-controls": `view-${view}`,
            onclick: () => show(view),
          },
          VIEWS[view],
        ),
      ),
    );
  }
  for (const view of Object.keys(VIEWS)) {
    const on = view === state.view;
    $(`view-${view}`).hidden = !on;
    $(`tab-${view}`)?.setAttribute("aria-selected", String(on));
    if ($(`tab-${view}`)) $(`tab-${view}`).tabIndex = on ? 0 : -1;
  }
});

$("tabs").addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  const names = views();
  const view = names[(names.indexOf(state.view) + by + names.length) % names.length];
  show(view);
  setTimeout(() => $(`tab-${view}`).focus());
});

draws(() => {
  const box = $("pick");
  const pipelines = state.about?.pipelines ?? [];
  const one = pipeline();
  const key = JSON.stringify([pipelines.map((p) => [p.id, p.name, p.status, p.error]), state.id]);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  document.title = one ? `${one.name} – Playground` : "Playground";
  const options = pipelines.map((p) => ({
    value: p.id,
    text: p.status === "ready" ? p.name : `${p.name} (${p.status})`,
  }));
  const name = one ? h("span", { class: "name" }, one.name) : null;
  fill(
    box,
    pipelines.length > 1 ? select("Pipeline", options, state.id, (id) => take(Number(id))) : name,
    one?.status === "loading"
      ? h("span", { class: "loading", role: "status" }, h("i", { "aria-hidden": "true" }), "Loading …")
      : null,
    one?.status === "failed"
      ? h(
          "span",
          { class: "failed", role: "alert" },
          one.error,
          h("button", { type: "button", class: "quiet", onclick: refresh }, "Try again"),
        )
      : null,
  );
  if (one?.status === "ready") {
    $("text").dir = one.direction;
    $("text").lang = one.lang;
  }
});

draws(() => {
  const box = $("layers");
  const components = state.doc?.components ?? [];
  const key = JSON.stringify(components.map((one) => one.name));
  if (box.dataset.key === key || !components.length) return;
  box.dataset.key = key;
  fill(
    box,
    components.map(({ name }) => {
      const input = h("input", { type: "checkbox", checked: !state.hidden.has(name) });
      input.addEventListener("change", () => {
        const hidden = new Set(state.hidden);
        if (input.checked) hidden.delete(name);
        else hidden.add(name);
        remember({ hidden: [...hidden] });
        change({ hidden, answers: null });
      });
      return h("label", {}, input, h("span", {}, name));
    }),
  );
});

const KEYS = [
  ["Tab, arrows", "go to the words, from word to word"],
  ["Enter", "select a word: why, and corrections"],
  ["h", "find a new head for the word: arrows, Enter; r for the root"],
  ["t, e", "go to the menu of tags, of entities"],
  ["n, p", "next answer, previous answer"],
  ["Ctrl+Enter", "teach what is staged"],
  ["Ctrl+Z", "undo the last correction, outside the text box"],
  ["/", "go to the text box"],
  ["Escape", "end what has begun, close the selection"],
  ["Mouse", "drag a word of the tree onto its new head, or above the tree to make it the root"],
];

document.addEventListener("help", () => {
  const box = $("help");
  fill(
    box,
    h("h2", { id: "help-title" }, "Keys"),
    h("dl", {}, KEYS.map(([key, what]) => [h("dt", {}, key), h("dd", {}, what)])),
    h("button", { type: "button", class: "main", onclick: () => box.close() }, "Close"),
  );
  box.showModal();
});

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("textarea, input");
  const teaches = (event.ctrlKey || event.metaKey) && event.key === "Enter";
  if (teaches && state.view === "editor") $("teach")?.click();
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && !$("help").open) {
    for (const menu of document.querySelectorAll("details.menu[open]")) menu.open = false;
    if (state.selected && !typing) choose(null);
  }
  if (typing || event.target.closest("select")) return;
  if (event.key === "/") {
    event.preventDefault();
    $("text").focus();
  } else if (event.key === "?") document.dispatchEvent(new CustomEvent("help"));
});

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target) || event.target.closest("button")) menu.open = false;
  }
});

document.addEventListener("compare", () => change());

$("text").addEventListener("input", () => setText($("text").value));

function start() {
  const known = recall();
  const given = new URLSearchParams(location.hash.slice(1)).get("text");
  state.view = known.view ?? "editor";
  state.id = known.pipeline ?? 0;
  state.hidden = new Set(known.hidden ?? []);
  const text = given ?? known.text ?? "";
  $("text").value = text;
  change({ text });
  refresh();
}

start();
