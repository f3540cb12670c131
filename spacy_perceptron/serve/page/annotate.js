// The text as it is typed: asked for after a pause, and answers that are out of date are dropped.

import { ask } from "./api.js";
import { $, count } from "./dom.js";
import { alertUser, change, pipeline, remember, state } from "./state.js";

const PAUSE = 150;
let timer = 0;
let latest = 0;
let running = null;
let waiting = false;

export function setText(text, { now = false } = {}) {
  if ($("text").value !== text) $("text").value = text;
  remember({ text });
  change({ text, fresh: false });
  clearTimeout(timer);
  waiting = true;
  timer = setTimeout(annotate, now ? 0 : PAUSE);
}

export async function annotate() {
  clearTimeout(timer);
  waiting = false;
  running?.abort();
  const number = ++latest;
  if (pipeline()?.status !== "ready") return;
  if (!state.text.trim()) {
    say("");
    showDoc(null);
    return;
  }
  const limit = state.about.max_chars;
  if ([...state.text].length > limit) {
    say("");
    alertUser(`The text is longer than ${limit} characters. What is shown is of a shorter one.`);
    return;
  }
  running = new AbortController();
  const slow = setTimeout(() => say("Annotating …"), 400);
  try {
    const doc = await ask("/annotate", { pipeline: state.id, text: state.text }, running.signal);
    if (number !== latest) return;
    alertUser("");
    say(describe(doc));
    showDoc(doc);
  } catch (error) {
    if (error.name === "AbortError" || number !== latest) return;
    say("");
    alertUser(error.message);
  } finally {
    clearTimeout(slow);
  }
}

// Show what the server says of the text, after typing or after a correction.
export function showDoc(doc) {
  const same = doc && state.doc && doc.text === state.doc.text;
  change({
    doc,
    // While something newer is about to be asked, this is of the text before.
    fresh: !waiting,
    answers: null,
    headOf: null,
    staged: new Map(),
    ...(same ? {} : { selected: null, explanation: null, outcome: null }),
  });
  if (same && state.selected) change({ explanation: null });
}

// Drop answers that are under way: one of a correction is newer.
export function supersede() {
  clearTimeout(timer);
  waiting = false;
  running?.abort();
  latest += 1;
}

export function describe(doc) {
  const words = doc.tokens.filter((token) => !token.is_space).length;
  const parts = [count(words, "word"), count(doc.sentences.length, "sentence")];
  // What is shown after a correction was not timed.
  if (doc.ms) parts.push(`${doc.ms.toFixed(doc.ms < 10 ? 1 : 0)} ms`);
  return parts.join(", ");
}

function say(message) {
  if ($("status").textContent !== message) $("status").textContent = message;
}
