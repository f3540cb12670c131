// What the page knows. Whoever changes it calls `change`; views are drawn once for all changes made
// in one go.

export const state = {
  about: null, // GET /pipelines
  id: 0,
  view: "editor",
  text: "",
  doc: null, // POST /annotate
  fresh: false, // whether `doc` is of `text`
  hidden: new Set(), // components that are not shown
  selected: null, // { token, component?, span? }
  explanation: null,
  answers: null, // { component, rank, list, columns }
  staged: new Map(), // component -> { annotation, notes }
  outcome: null,
  headOf: null, // { token, target }: a head is being chosen by keyboard
};

const views = [];
let waiting = false;

export function draws(view) {
  views.push(view);
}

export function change(values = {}) {
  Object.assign(state, values);
  if (waiting) return;
  waiting = true;
  queueMicrotask(() => {
    waiting = false;
    for (const view of views) view(state);
  });
}

export const pipeline = (id = state.id) => state.about?.pipelines.find((one) => one.id === id);

export const component = (name, id = state.id) =>
  pipeline(id)?.components.find((one) => one.name === name);

export const can = (name, ability) => component(name)?.abilities.includes(ability) ?? false;

export const found = (name, doc = state.doc) => doc?.components.find((one) => one.name === name);

// The components of a kind, such as "heads", that have an ability.
export const ofKind = (kind, ability = null) =>
  (state.doc?.components ?? []).filter(
    (one) => one.kind === kind && (!ability || can(one.name, ability)),
  );

// What is remembered over a reload, in this tab alone.
const KEY = "playground";

export function remember(values) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...recall(), ...values }));
  } catch {
    // Without storage the page works, but forgets.
  }
}

export function recall() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

export function alertUser(message) {
  const box = document.getElementById("alert");
  box.textContent = message ?? "";
  box.hidden = !message;
}

// Run something that asks the server; its errors are shown.
export async function guard(work) {
  try {
    const result = await work();
    alertUser("");
    return result;
  } catch (error) {
    if (error.name !== "AbortError") alertUser(error.message);
    return undefined;
  }
}
