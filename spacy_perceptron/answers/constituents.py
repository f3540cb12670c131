"""What parsers say about constituents besides the spans: `span._.confidence`, the probability that
a phrase is right, and `doc._.partial_parses`, the sentences for which there is no complete tree.

Both are records of the Doc (`records.py`), tied to characters: they survive DocBin, bytes and
worker processes, `Doc.from_docs` and `Span.as_doc`, and nothing is shown of text that they were not
found for.
"""

from collections.abc import Sequence

import numpy as np
from spacy.tokens import Doc, Span

from ..trees.constituents import SPANS_KEY
from .records import (
    as_places,
    drop_records,
    find_places,
    joined_record,
    keep_record,
    move_places,
)

_CONFIDENCES = "spacy_perceptron.constituent_confidence"
_PARTIAL = "spacy_perceptron.partial_parses"


def store_span_confidences(
    doc: Doc, characters: np.ndarray, labels: Sequence[int], values: Sequence[float] | None
) -> None:
    """Keep the confidences of constituents with a Doc, in place of those that there are.

    doc (Doc): The document.
    characters (np.ndarray): First character and length of each constituent, in pre-order.
    labels (Sequence[int]): Hashes of their labels.
    values (Optional[Sequence[float]]): Their confidences; None if they are unknown.
    """
    if values is None:
        drop_records(doc, _CONFIDENCES)
    else:
        keep_record(doc, _CONFIDENCES, [as_places(characters), list(values), list(labels)])


def get_span_confidence(span: Span) -> float | None:
    """Getter of `span._.confidence`.

    span (Span): A constituent, or any span over the same tokens.
    RETURNS (Optional[float]): Probability that it is right; without a label, that of the outermost
        member of a unary chain. None if no component has found such a constituent, or one with the
        label of the span.
    """
    record = joined_record(span.doc, _CONFIDENCES)
    if record is None:
        return None
    places, values, labels = record
    found = find_places(places, span.start_char, span.end_char - span.start_char)
    if span.label:
        found = [i for i in found if labels[i] == span.label]
    return values[found[0]] if found else None


def store_partial_parses(doc: Doc, characters: np.ndarray) -> None:
    """Keep with a Doc which sentences have no complete tree.

    doc (Doc): The document.
    characters (np.ndarray): First character and length of each such sentence.
    """
    if len(characters):
        keep_record(doc, _PARTIAL, [as_places(characters)])
    else:
        drop_records(doc, _PARTIAL)


def get_partial_parses(doc: Doc) -> list[list[int]]:
    """Getter of `doc._.partial_parses`.

    doc (Doc): A document.
    RETURNS (list[list[int]]): First token and end of the sentences, without whitespace around them,
        whose constituents are the best partial analysis, because the parser found no complete tree.
    """
    record = joined_record(doc, _PARTIAL)
    if record is None:
        return []
    rows = move_places(record[0], 0).tolist()
    spans = [doc.char_span(first, first + length) for first, length in rows]
    return [[span.start, span.end] for span in spans if span is not None]


def set_partial_parses(doc: Doc, sentences: Sequence[Sequence[int]]) -> None:
    """Setter of `doc._.partial_parses`, for `Doc.from_json`.

    doc (Doc): A document.
    sentences (Sequence[Sequence[int]]): What the getter gave.
    """
    spans = [doc[start:end] for start, end in sentences]
    store_partial_parses(doc, _characters(spans))


def get_confidences(doc: Doc) -> list[float | None]:
    """Getter of `doc._.confidence`.

    doc (Doc): A document.
    RETURNS (list[Optional[float]]): The confidences of its constituents, in their order.
    """
    return [get_span_confidence(span) for span in doc.spans.get(SPANS_KEY, ())]


def set_confidences(doc: Doc, values: Sequence[float | None]) -> None:
    """Setter of `doc._.confidence`, for `Doc.from_json`.

    doc (Doc): A document.
    values (Sequence[Optional[float]]): What the getter gave.
    """
    pairs = zip(doc.spans.get(SPANS_KEY, ()), values, strict=True)
    known = [(span, value) for span, value in pairs if value is not None]
    if known:
        spans, sure = zip(*known, strict=True)
        store_span_confidences(doc, _characters(spans), [span.label for span in spans], sure)


def _characters(spans: Sequence[Span]) -> np.ndarray:
    """RETURNS (np.ndarray): First character and length of spans."""
    rows = [(span.start_char, span.end_char - span.start_char) for span in spans]
    return np.array(rows, dtype=np.int64).reshape(-1, 2)


def register_constituents() -> None:
    """Make `span._.confidence`, `doc._.confidence` and `doc._.partial_parses` available."""
    if not Span.has_extension("confidence"):
        Span.set_extension("confidence", getter=get_span_confidence)
    if not Doc.has_extension("partial_parses"):
        Doc.set_extension("partial_parses", getter=get_partial_parses, setter=set_partial_parses)
    if not Doc.has_extension("confidence"):
        Doc.set_extension("confidence", getter=get_confidences, setter=set_confidences)
