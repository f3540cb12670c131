"""Docs as plain data, a column of tokens for each attribute: what JSONL and Parquet files hold.

Columns have the names of the arguments of `Doc`. Heads and the ends of spans are numbers of tokens.
"""

from typing import Any

import srsly
from spacy.tokens import Doc, Span

from ..answers.confidence import confidence_key, read_confidences
from ..answers.records import record_names
from ..answers.stored import get_nbest

CONFIDENCE = "_confidence"
_PREFIX = confidence_key("").removesuffix(CONFIDENCE)
# Columns of text, and what annotation they need.
TEXTS = {"tags": "TAG", "pos": "POS", "morphs": "MORPH", "lemmas": "LEMMA", "deps": "DEP"}


def doc_to_columns(doc: Doc, name: str | None) -> dict[str, Any]:
    """Write a Doc as plain data. Annotation that it lacks has no column.

    doc (Doc): The Doc.
    name (Optional[str]): Its ID.
    RETURNS (dict[str, Any]): `id`, `text`, the columns, `ents` and `spans` as dicts, and the n-best
        lists of components.
    """
    columns: dict[str, Any] = {} if name is None else {"id": name}
    columns["text"] = doc.text
    columns["words"] = [token.text for token in doc]
    columns["spaces"] = [bool(token.whitespace_) for token in doc]
    if doc.has_annotation("SENT_START"):
        columns["sent_starts"] = [bool(token.is_sent_start) for token in doc]
    for column, attribute in TEXTS.items():
        if doc.has_annotation(attribute):
            columns[column] = _texts(doc, attribute)
    if doc.has_annotation("DEP"):
        columns["heads"] = [token.head.i for token in doc]
    if doc.has_annotation("ENT_IOB"):
        columns["ents"] = [_span_to_dict(span) for span in doc.ents]
    if doc.spans:
        columns["spans"] = [
            {"group": key, **_span_to_dict(span)}
            for key, group in doc.spans.items()
            for span in group
        ]
    for attribute in _confident(doc):
        columns[attribute + CONFIDENCE] = read_confidences(doc, attribute)
    nbest = get_nbest(doc)
    if nbest:
        columns["nbest"] = nbest
    return columns


def _texts(doc: Doc, attribute: str) -> list[str]:
    """The values of an attribute. Most occur again and again, so each is looked up once."""
    values = doc.to_array([attribute]).ravel().tolist()
    strings = doc.vocab.strings
    known = {value: strings[value] if value else "" for value in set(values)}
    return [known[value] for value in values]


def _confident(doc: Doc) -> list[str]:
    """What a component has found confidences in."""
    return [
        name.removesuffix(CONFIDENCE)
        for name in record_names(doc, _PREFIX)
        if name.endswith(CONFIDENCE)
    ]


def _span_to_dict(span: Span) -> dict[str, Any]:
    found: dict[str, Any] = {"start": span.start, "end": span.end, "label": span.label_}
    if Span.has_extension("confidence"):
        confidence = span._.confidence
        if confidence is not None:
            found["confidence"] = confidence
    return found


def as_json(value: Any) -> str:
    """RETURNS (str): JSON on one line."""
    text: str = srsly.json_dumps(value)
    return text
