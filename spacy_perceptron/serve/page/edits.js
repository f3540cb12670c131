// Corrections before they are taught: changed copies of what components say of the whole text.
// Edits of a tree keep it a tree.

import { change, found, state } from "./state.js";

const text = (i) => state.doc.tokens[i].text;

// What a component says, with staged edits, or what the answer in sight says.
export function draft(name) {
  const { answers, staged } = state;
  if (staged.has(name)) return structuredClone(staged.get(name).annotation);
  if (answers?.component === name && answers.rank) {
    return structuredClone(answers.list[answers.rank].annotation);
  }
  return structuredClone(found(name).annotation);
}

// Edits of an answer in sight begin with that answer.
function origin(name) {
  const { answers } = state;
  if (answers?.component !== name || !answers.rank) return {};
  return { answer: `Answer ${answers.rank + 1} of ${name}` };
}

function stage(name, annotation, notes) {
  const staged = new Map(state.staged);
  if (JSON.stringify(annotation) === JSON.stringify(found(name).annotation)) staged.delete(name);
  else {
    const all = Object.entries({ ...(staged.get(name)?.notes ?? origin(name)), ...notes });
    // What was edited and is as predicted again has no note.
    const kept = Object.fromEntries(all.filter(([, note]) => note));
    staged.set(name, { annotation, notes: kept });
  }
  change({ staged });
}

export function stageAnswer(name, candidate, rank) {
  const staged = new Map(state.staged);
  staged.set(name, {
    annotation: structuredClone(candidate.annotation),
    notes: { answer: `Answer ${rank + 1} of ${name} is right` },
  });
  change({ staged });
}

export function setValue(name, attribute, i, value) {
  const annotation = draft(name);
  const before = found(name).annotation[attribute][i];
  annotation[attribute][i] = value;
  const note = value === before ? null : `${text(i)}: ${before} → ${value}`;
  stage(name, annotation, { [`${attribute}-${i}`]: note });
}

export function setHead(name, i, head) {
  const annotation = draft(name);
  const { head: heads, dep } = annotation;
  const old = heads[i];
  if (old === head) return;
  const predicted = found(name).annotation.head;
  const notes = {};
  const note = (j) => {
    const said = `${text(j)} hangs on ${heads[j] === j ? "the root" : text(heads[j])}`;
    notes[`head-${j}`] = heads[j] === predicted[j] ? null : said;
  };
  if (head === i) {
    // The old root of the sentence hangs on the new one.
    const root = rootOf(heads, i);
    [dep[root], dep[i]] = [dep[i], dep[root]];
    heads[root] = heads[i] = i;
    note(root);
  } else if (hangsBelow(heads, head, i)) {
    // The new head takes the place of the word, which would hang on itself otherwise.
    heads[head] = old === i ? head : old;
    [dep[head], dep[i]] = [dep[i], dep[head]];
    heads[i] = head;
    note(head);
  } else heads[i] = head;
  note(i);
  stage(name, annotation, notes);
}

function rootOf(heads, i) {
  for (let steps = heads.length; heads[i] !== i && steps; steps -= 1) i = heads[i];
  return i;
}

function hangsBelow(heads, i, above) {
  for (let steps = heads.length; heads[i] !== i && steps; steps -= 1) {
    i = heads[i];
    if (i === above) return true;
  }
  return false;
}

// The entity around a token: start, end (exclusive) and label.
export function entityAt(tags, i) {
  if (tags[i] === "O" || !tags[i]) return null;
  let start = i;
  while (start > 0 && tags[start][0] !== "B") start -= 1;
  let end = start + 1;
  while (end < tags.length && tags[end][0] === "I") end += 1;
  return { start, end, label: tags[start].slice(2) };
}

// Make a span an entity; without a label, what is there becomes none.
export function setEntity(name, start, end, label, old = null) {
  const annotation = draft(name);
  const { ent } = annotation;
  const cleared = old ? [[old.start, old.end]] : [];
  for (let i = start; i < end; i += 1) {
    const one = entityAt(ent, i);
    if (one) cleared.push([one.start, one.end]);
  }
  for (const [from, to] of cleared) ent.fill("O", from, to);
  if (label) {
    ent.fill(`I-${label}`, start, end);
    ent[start] = `B-${label}`;
  }
  const words = state.doc.tokens.slice(start, end).map((token) => token.text);
  const note = `${words.join(" ")}: ${label || "no entity"}`;
  stage(name, annotation, { [`ent-${old?.start ?? start}`]: note });
}

// Give a phrase another label; without one, it is removed.
export function setPhrase(name, number, label) {
  const annotation = draft(name);
  const rows = annotation.constituents;
  const [start, end, before] = rows[number];
  if (label) rows[number] = [start, end, label];
  else rows.splice(number, 1);
  const words = state.doc.tokens.slice(start, end).map((token) => token.text);
  const what = words.length > 5 ? [...words.slice(0, 4), "…"] : words;
  const note = `${before} ${what.join(" ")}: ${label || "no phrase"}`;
  stage(name, annotation, { [`phrase-${start}-${end}-${before}`]: note });
}

export function findPhrase(name, start, end, label) {
  return draft(name).constituents.findIndex(
    (row) => row[0] === start && row[1] === end && row[2] === label,
  );
}

export function dropEdits() {
  change({ staged: new Map() });
}
