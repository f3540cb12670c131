"""The JSONL of Prodigy: `tokens`, `spans`, `relations` and `answer`.

`spans` are entities, or tags of words in the records of `pos.correct`. `token_end` is the last
token of a span, not the one after it. In `relations`, `head` and `child` are numbers of tokens; a
root is its own head. `answer` is `accept`, `reject` or `ignore`: only what was accepted is gold.

Prodigy keeps keys that it does not know. So tokens also have `tag`, `pos`, `morph`, `lemma` and
`sent_start`, and records have `constituents`, which look like spans, and `marks`, which says what
the spans are. What is not there is not annotated; an empty list says that there are none.
"""

import re
from collections.abc import Mapping
from typing import Any

from .fields import (
    Record,
    check_place,
    check_tokens,
    fail,
    make_mark,
    read_label,
    read_list,
    read_number,
    read_object,
    read_role,
    read_text,
)
from .texts import ENTS, MARKS, WORDS, AnnotatedText, Arc, Mark, Place

NAME = "prodigy"
ACCEPT = "accept"
_ANSWERS = (ACCEPT, "reject", "ignore")
# What the spans are, by the interface in which they were made.
_ROLES = {
    "pos": WORDS,
    "pos_manual": WORDS,
    "ner": ENTS,
    "ner_manual": ENTS,
    "spans": ENTS,
    "spans_manual": ENTS,
}
_VIEWS = {ENTS: "ner_manual", "pos": "pos_manual", "tag": "pos_manual"}
_FEATURE = "[^=|]+=[^=|]+"
_MORPH = re.compile(rf"_?|{_FEATURE}(?:\|{_FEATURE})*")
_TEXTS = ("tag", "pos", "morph", "lemma")


def is_own(record: Record) -> bool:
    """RETURNS (bool): Whether a record can only be one of Prodigy's."""
    if any(name in record for name in ("_input_hash", "_task_hash", "_view_id", "answer")):
        return True
    tokens = record.get("tokens")
    are_objects = isinstance(tokens, list) and bool(tokens) and isinstance(tokens[0], dict)
    return are_objects or "spans" in record


def parse(record: Record, where: str) -> AnnotatedText | None:
    """Read a record.

    record (Record): The record.
    where (str): File and line, for messages.
    RETURNS (Optional[AnnotatedText]): The text; None if the record was rejected or ignored.
    """
    answer = record.get("answer", ACCEPT)
    if answer not in _ANSWERS:
        raise fail(where, "answer", "accept, reject or ignore", answer)
    if answer != ACCEPT:
        return None
    text = AnnotatedText(read_text(record, where), where)
    text.role = read_role(record, where) or _ROLES.get(str(record.get("_view_id")), "")
    if record.get("tokens") is not None:
        _parse_tokens(record, text)
    if record.get("spans") is not None:
        text.marks = _parse_spans(record, "spans", text)
    if record.get("constituents") is not None:
        text.phrases = _parse_spans(record, "constituents", text)
    if record.get("relations") is not None:
        text.arcs = _parse_relations(record, text)
    return text


def _parse_tokens(record: Record, text: AnnotatedText) -> None:
    text.tokens = []
    for number, item in enumerate(read_list(record, "tokens", text.where)):
        name = f"tokens[{number}]"
        token = read_object(item, name, text.where)
        place = (token.get("start"), token.get("end"))
        start, end = check_place(text.text, place, name=name, where=text.where)
        if token.get("text", text.text[start:end]) != text.text[start:end]:
            expected = f"{text.text[start:end]!r}, as in the text"
            raise fail(text.where, f"{name}.text", expected, token["text"])
        text.tokens.append((start, end))
        values: dict[str, Any] = {}
        for key in _TEXTS:
            if token.get(key) is not None:
                values[key] = read_label(token[key], f"{name}.{key}", text.where)
        if not _MORPH.fullmatch(values.get("morph", "")):
            expected = "features such as Number=Sing|Person=3, or _"
            raise fail(text.where, f"{name}.morph", expected, values["morph"])
        starts = token.get("sent_start")
        if starts is not None:
            if not isinstance(starts, bool):
                raise fail(text.where, f"{name}.sent_start", "true or false", starts)
            values["sent_start"] = starts
        text.values.append(values)
    check_tokens(text)


def _parse_spans(record: Record, key: str, text: AnnotatedText) -> list[Mark]:
    marks = []
    for number, item in enumerate(read_list(record, key, text.where)):
        name = f"{key}[{number}]"
        span = read_object(item, name, text.where)
        start, end, label = (span.get(x) for x in ("start", "end", "label"))
        marks.append(make_mark(text.text, start, end, label, name=name, where=text.where))
    return marks


def _parse_relations(record: Record, text: AnnotatedText) -> list[Arc]:
    arcs = []
    for number, item in enumerate(read_list(record, "relations", text.where)):
        name = f"relations[{number}]"
        relation = read_object(item, name, text.where)
        head, child = (_end_of(relation, key, name, text) for key in ("head", "child"))
        arcs.append(Arc(head, child, read_label(relation.get("label"), name, text.where)))
    return arcs


def _end_of(relation: Record, key: str, name: str, text: AnnotatedText) -> Place:
    """Where one end of a relation is: a span, or else a token."""
    span = relation.get(f"{key}_span")
    if span is not None:
        place = read_object(span, f"{name}.{key}_span", text.where)
        found = (place.get("start"), place.get("end"))
        return check_place(text.text, found, name=f"{name}.{key}_span", where=text.where)
    number = read_number(relation, key, name, text.where)
    tokens = text.tokens or []
    if not 0 <= number < len(tokens):
        expected = f"the number of a token, of which there are {len(tokens)}"
        raise fail(text.where, f"{name}.{key}", expected, number)
    return tokens[number]


def dump(text: AnnotatedText, number: int) -> dict[str, Any]:
    """Make a record.

    text (AnnotatedText): The text, with tokens.
    number (int): Its number in the file; not needed here.
    RETURNS (dict[str, Any]): The record, as accepted.
    """
    places = text.tokens or []
    firsts = {start: i for i, (start, _) in enumerate(places)}
    lasts = {end: i for i, (_, end) in enumerate(places)}
    record: dict[str, Any] = {"text": text.text, "tokens": []}
    for i, ((start, end), values) in enumerate(zip(places, text.values, strict=True)):
        is_before_space = text.text[end : end + 1] == " "
        token = {"text": text.text[start:end], "start": start, "end": end, "id": i}
        record["tokens"].append({**token, "ws": is_before_space, **values})

    def span(mark: Mark) -> dict[str, Any]:
        numbers = {"token_start": firsts[mark.start], "token_end": lasts[mark.end]}
        return {"start": mark.start, "end": mark.end, **numbers, "label": mark.label}

    if text.marks is not None:
        record["spans"] = [span(mark) for mark in text.marks]
        record[MARKS] = text.role
    if text.phrases is not None:
        record["constituents"] = [span(mark) for mark in text.phrases]
    if text.arcs is not None:
        record["relations"] = [
            {
                "head": firsts[arc.head[0]],
                "child": firsts[arc.child[0]],
                "label": arc.label,
                "head_span": span(Mark(*arc.head, "")) | {"label": None},
                "child_span": span(Mark(*arc.child, "")) | {"label": None},
            }
            for arc in text.arcs
        ]
    record["_view_id"] = _VIEWS[text.role] if text.arcs is None else "relations"
    record["answer"] = ACCEPT
    return record


def lost(text: AnnotatedText) -> list[str]:
    """RETURNS (list[str]): What records have no place for: nothing beyond what is lost already."""
    return []


def count_answers(records: list[Mapping[str, Any]]) -> dict[str, int]:
    """RETURNS (dict[str, int]): How many records were rejected, and how many ignored."""
    answers = [record.get("answer") for record in records]
    return {name: answers.count(name) for name in _ANSWERS[1:]}
