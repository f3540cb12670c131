"""The JSONL of doccano for sequence labelling: `label`, or `entities` with `relations`.

`label` (older exports say `labels`) has `[start, end, label]` for each mark. With relations between
marks, there are `entities`, each with an `id`, and `relations` from one to another. As a tree has
relations between words, its marks are the words with their tags; `_` is a word without one.

doccano keeps keys that it does not know as metadata. So records have `tokens`, a list of
`[start, end]`, and `marks`, which says what the marks are, and come back with both.
"""

from dataclasses import replace
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
from .texts import ENTS, MARKS, AnnotatedText, Arc, Mark, Place

NAME = "doccano"
UNLABELLED = "_"
_LISTS = ("label", "labels")
_TREE = "dependencies"
_NAMES = {"tag": "fine tags", "pos": "coarse tags", "lemma": "lemmas", "morph": "morphology"}
_NAMES["sent_start"] = "sentence boundaries"


def is_own(record: Record) -> bool:
    """RETURNS (bool): Whether a record can only be one of doccano's."""
    rows = next((record[name] for name in _LISTS if record.get(name)), None)
    if isinstance(rows, list) and isinstance(rows[0], list):
        return True
    return "entities" in record or any(isinstance(record.get(name), list) for name in _LISTS)


def parse(record: Record, where: str) -> AnnotatedText:
    """Read a record.

    record (Record): The record.
    where (str): File and line, for messages.
    RETURNS (AnnotatedText): The text.
    """
    text = AnnotatedText(read_text(record, where), where)
    text.role = read_role(record, where)
    if record.get("tokens") is not None:
        text.tokens = []
        for number, item in enumerate(read_list(record, "tokens", where)):
            start, end = _row(item, 2, f"tokens[{number}]", "[start, end]", where)
            place = check_place(text.text, (start, end), name=f"tokens[{number}]", where=where)
            text.tokens.append(place)
        text.values = [{} for _ in text.tokens]
        check_tokens(text)
    for name in _LISTS:
        if record.get(name) is not None:
            text.marks = (text.marks or []) + _parse_rows(record, name, text)
    places: dict[int, Place] = {}
    if record.get("entities") is not None:
        text.marks = (text.marks or []) + _parse_entities(record, text, places)
    if record.get("relations"):
        text.arcs = _parse_relations(record, text, places)
    return text


def _row(item: Any, size: int, name: str, expected: str, where: str) -> list[Any]:
    if not isinstance(item, list) or len(item) != size:
        raise fail(where, name, expected, item)
    return item


def _parse_rows(record: Record, key: str, text: AnnotatedText) -> list[Mark]:
    marks = []
    for number, item in enumerate(read_list(record, key, text.where)):
        name = f"{key}[{number}]"
        start, end, label = _row(item, 3, name, "[start, end, label]", text.where)
        marks.append(_make_mark(text, start, end, label, name))
    return marks


def _parse_entities(record: Record, text: AnnotatedText, places: dict[int, Place]) -> list[Mark]:
    """The marks of a record; notes where they are by their ids."""
    marks = []
    for number, item in enumerate(read_list(record, "entities", text.where)):
        name = f"entities[{number}]"
        entity = read_object(item, name, text.where)
        start, end = entity.get("start_offset"), entity.get("end_offset")
        mark = _make_mark(text, start, end, entity.get("label"), name)
        places[read_number(entity, "id", name, text.where)] = (mark.start, mark.end)
        marks.append(replace(mark, label="") if mark.label == UNLABELLED else mark)
    return marks


def _make_mark(text: AnnotatedText, start: Any, end: Any, label: Any, name: str) -> Mark:
    return make_mark(text.text, start, end, label, name=name, where=text.where)


def _parse_relations(record: Record, text: AnnotatedText, places: dict[int, Place]) -> list[Arc]:
    arcs = []
    for number, item in enumerate(read_list(record, "relations", text.where)):
        name = f"relations[{number}]"
        relation = read_object(item, name, text.where)
        ends = []
        for key in ("from_id", "to_id"):
            entity = read_number(relation, key, name, text.where)
            if entity not in places:
                raise fail(text.where, f"{name}.{key}", "the id of an entity", entity)
            ends.append(places[entity])
        arcs.append(Arc(ends[0], ends[1], read_label(relation.get("type"), name, text.where)))
    return arcs


def dump(text: AnnotatedText, number: int) -> dict[str, Any]:
    """Make a record.

    text (AnnotatedText): The text, with tokens.
    number (int): Its number in the file, which becomes its id.
    RETURNS (dict[str, Any]): The record.
    """
    places = text.tokens or []
    record: dict[str, Any] = {"id": number, "text": text.text}
    if text.arcs is None or text.role == ENTS:
        if text.marks is not None:
            record["label"] = [[mark.start, mark.end, mark.label] for mark in text.marks]
    else:
        labels = {(mark.start, mark.end): mark.label for mark in text.marks or ()}
        ids = {place: i for i, place in enumerate(places)}
        record["entities"] = [
            {"id": i, "label": labels.get(place, UNLABELLED), **_offsets(place)}
            for place, i in ids.items()
        ]
        record["relations"] = [
            {"id": i, "from_id": ids[arc.head], "to_id": ids[arc.child], "type": arc.label}
            for i, arc in enumerate(text.arcs)
        ]
    record["tokens"] = [list(place) for place in places]
    if text.marks is not None:
        record[MARKS] = text.role
    return record


def _offsets(place: Place) -> dict[str, int]:
    return {"start_offset": place[0], "end_offset": place[1]}


def lost(text: AnnotatedText) -> list[str]:
    """RETURNS (list[str]): What records have no place for, beyond what is lost already."""
    names = {name for values in text.values for name in values}
    is_tree = text.arcs is not None and text.role != ENTS
    if is_tree:
        # Where they follow from the roots.
        names.discard("sent_start")
    found = [title for name, title in _NAMES.items() if name in names - {text.role}]
    if text.arcs is not None and not is_tree:
        found.append(_TREE)
    if text.phrases is not None:
        found.append("constituents")
    return found
