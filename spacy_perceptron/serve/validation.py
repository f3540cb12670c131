"""Checks of an annotation that a page sends: whatever passes can be written to a Doc.

A correction is whole: it has a value for each token, heads make one tree a sentence, entities
and phrases are well formed. Values that were predicted are as good as labels of the component,
because whitespace has some that no label stands for.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from spacy.tokens import Doc

from ..answers.kinds import (
    AnswerKind,
    BoundaryAnswers,
    DependencyAnswers,
    EntityAnswers,
    MixedAnswers,
    PlainData,
    SpanAnswers,
)
from ..answers.kinds.boundaries import INSIDE_LABEL, START_LABEL
from ..errors import Errors
from .annotation import find_sentences
from .components import LEMMAS, Component
from .refusals import RefusedRequest

MAX_VALUE = 500
# Phrases that start or end at a token: more than any sentence has.
PHRASES_PER_TOKEN = 20
OUTSIDE = "O"
BEGIN, INSIDE = "B-", "I-"


def check_annotation(
    doc: Doc, component: Component, given: Mapping[str, Sequence[Any]]
) -> PlainData:
    """Check a correction; refuse the request with a sentence that says what is wrong.

    doc (Doc): A doc that the pipeline has processed.
    component (Component): The component to correct.
    given (Mapping[str, Sequence]): The annotation of the whole doc, as plain data.
    RETURNS (PlainData): The annotation, with phrases in pre-order.
    """
    if all(token.is_space for token in doc):
        raise _refuse(Errors.SERVE_NO_WORDS)
    if {*given} != {*component.kind.names}:
        expected, found = (", ".join(names) or "nothing" for names in (component.kind.names, given))
        raise _refuse(Errors.ANNOTATION_NAMES, name=component.name, expected=expected, given=found)
    kind = component.kind
    parts = kind.kinds if isinstance(kind, MixedAnswers) else [kind]
    checked: PlainData = {}
    for part in parts:
        checks = (check for make, check in _CHECKS.items() if isinstance(part, make))
        check = next(checks, _check_values)
        own = {name: [*given[name]] for name in part.names}
        checked.update(check(doc, component, part, own))
    return {name: checked[name] for name in kind.names}


def _refuse(message: str, **values: Any) -> RefusedRequest:
    return RefusedRequest(422, message.format(**values), field="annotation")


def name_token(doc: Doc, i: int) -> str:
    """RETURNS (str): What messages call a token."""
    return f"{doc[i].text!r} ({i})"


def _check_length(doc: Doc, name: str, values: Sequence[Any]) -> None:
    if len(values) != len(doc):
        raise _refuse(Errors.ANNOTATION_LENGTH, name=name, n=len(doc), given=len(values))


def _check_text(doc: Doc, name: str, value: Any, i: int) -> None:
    is_text = isinstance(value, str) and len(value) <= MAX_VALUE and "\0" not in value
    if not is_text or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise _refuse(Errors.ANNOTATION_TEXT, name=name, word=name_token(doc, i), most=MAX_VALUE)


def _check_label(
    doc: Doc, component: Component, label: str, i: int, known: Collection[str]
) -> None:
    if label not in known:
        raise _refuse(
            Errors.ANNOTATION_LABEL, component=component.name, label=label, word=name_token(doc, i)
        )


def _check_values(doc: Doc, component: Component, kind: AnswerKind, given: PlainData) -> PlainData:
    """A text for each token and name: a label, if there is a list of them."""
    predicted = kind.read(doc)
    for name, values in given.items():
        _check_length(doc, name, values)
        known = {*component.labels.get(name, ())}
        for i, (value, before) in enumerate(zip(values, predicted[name], strict=True)):
            _check_text(doc, name, value, i)
            if value == before:
                continue
            if known:
                _check_label(doc, component, value, i, known)
            elif (name,) == LEMMAS and not value.strip():
                raise _refuse(Errors.ANNOTATION_EMPTY, word=name_token(doc, i))
    return given


def _check_boundaries(
    doc: Doc, component: Component, kind: AnswerKind, given: PlainData
) -> PlainData:
    (name,) = kind.names
    labels = given[name]
    _check_length(doc, name, labels)
    for i, label in enumerate(labels):
        if label not in (START_LABEL, INSIDE_LABEL):
            values = {"label": label, "start": START_LABEL, "inside": INSIDE_LABEL}
            raise _refuse(Errors.ANNOTATION_BOUNDARY, word=name_token(doc, i), **values)
    if labels[0] != START_LABEL:
        raise _refuse(Errors.ANNOTATION_START, start=START_LABEL)
    return given


def _check_entities(
    doc: Doc, component: Component, kind: AnswerKind, given: PlainData
) -> PlainData:
    (name,) = kind.names
    _check_length(doc, name, given[name])
    known = {*component.labels.get(name, ())}
    known.update(tag[2:] for tag in kind.read(doc)[name] if tag != OUTSIDE)
    before = OUTSIDE
    for i, tag in enumerate(given[name]):
        _check_text(doc, name, tag, i)
        word = name_token(doc, i)
        if tag != OUTSIDE:
            if tag[:2] not in (BEGIN, INSIDE) or not tag[2:]:
                raise _refuse(Errors.ANNOTATION_ENTITY, tag=tag, word=word)
            _check_label(doc, component, tag[2:], i, known)
            if tag[:2] == INSIDE and before[2:] != tag[2:]:
                raise _refuse(Errors.ANNOTATION_INSIDE, tag=tag, word=word)
        before = tag
    return given


def _check_tree(doc: Doc, component: Component, kind: AnswerKind, given: PlainData) -> PlainData:
    """Heads within sentences, without cycles, one root each. Whitespace keeps what it has."""
    predicted = kind.read(doc)
    heads, labels = given["head"], given.get("dep", [])
    for name, values in given.items():
        _check_length(doc, name, values)
    for i, head in enumerate(heads):
        is_place = isinstance(head, int) and not isinstance(head, bool) and 0 <= head < len(doc)
        if not is_place:
            word = name_token(doc, i)
            raise _refuse(Errors.ANNOTATION_HEAD, word=word, last=len(doc) - 1, head=head)
        if doc[i].is_space:
            heads[i] = predicted["head"][i]
        elif doc[head].is_space:
            raise _refuse(Errors.ANNOTATION_SPACE_HEAD, word=name_token(doc, i))
    for i, label in enumerate(labels):
        _check_text(doc, "dep", label, i)
        if doc[i].is_space:
            labels[i] = predicted["dep"][i]
        elif label != predicted["dep"][i]:
            _check_label(doc, component, label, i, component.labels.get("dep", ()))
    for start, end in find_sentences(doc):
        words = [i for i in range(start, end) if not doc[i].is_space]
        for i in words:
            if not start <= heads[i] < end:
                names = {"word": name_token(doc, i), "head": name_token(doc, heads[i])}
                raise _refuse(Errors.ANNOTATION_OTHER_SENTENCE, **names)
        _check_cycles(doc, words, heads)
        roots = [i for i in words if heads[i] == i]
        if words and len(roots) != 1:
            names = {"word": name_token(doc, words[0]), "words": _name_all(doc, roots)}
            raise _refuse(Errors.ANNOTATION_ROOTS, n=len(roots), **names)
    return given


def _check_cycles(doc: Doc, words: Sequence[int], heads: Sequence[int]) -> None:
    """Go up from each word; what was reached before leads to a root."""
    is_safe: set[int] = set()
    for first in words:
        path: dict[int, None] = {}
        i = first
        while i not in is_safe and heads[i] != i:
            if i in path:
                cycle = [*path][[*path].index(i) :]
                raise _refuse(Errors.ANNOTATION_CYCLE, words=_name_all(doc, cycle))
            path[i] = None
            i = heads[i]
        is_safe.update(path)
        is_safe.add(i)


def _name_all(doc: Doc, tokens: Sequence[int]) -> str:
    return ", ".join(name_token(doc, i) for i in tokens) or "none"


def _check_phrases(doc: Doc, component: Component, kind: AnswerKind, given: PlainData) -> PlainData:
    (name,) = kind.names
    rows = given[name]
    most = PHRASES_PER_TOKEN * len(doc)
    if len(rows) > most:
        raise _refuse(Errors.ANNOTATION_PHRASES, given=len(rows), most=most)
    known = {*component.labels.get(name, ()), *(row[2] for row in kind.read(doc)[name])}
    for row in rows:
        if not _is_phrase(row, len(doc)):
            raise _refuse(Errors.ANNOTATION_PHRASE, phrase=row, n=len(doc))
        _check_text(doc, name, row[2], row[0])
        _check_label(doc, component, row[2], row[0], known)
    # Phrases of the same tokens keep their order, the outermost first.
    rows = sorted(rows, key=lambda row: (row[0], -row[1]))
    open_ones: list[list[Any]] = []
    for row in rows:
        while open_ones and open_ones[-1][1] <= row[0]:
            open_ones.pop()
        if open_ones and row[1] > open_ones[-1][1]:
            raise _refuse(
                Errors.ANNOTATION_CROSSING,
                first=_name_phrase(doc, open_ones[-1]),
                second=_name_phrase(doc, row),
            )
        open_ones.append(row)
    ends = {i: end for start, end in find_sentences(doc) for i in range(start, end)}
    for row in rows:
        if row[1] > ends[row[0]]:
            raise _refuse(Errors.ANNOTATION_TWO_SENTENCES, phrase=_name_phrase(doc, row))
    return {name: [[*row] for row in rows]}


def _is_phrase(row: Any, n_tokens: int) -> bool:
    if not isinstance(row, list | tuple) or len(row) != 3:
        return False
    start, end, label = row
    are_places = all(isinstance(x, int) and not isinstance(x, bool) for x in (start, end))
    return are_places and isinstance(label, str) and 0 <= start < end <= n_tokens


def _name_phrase(doc: Doc, row: Sequence[Any]) -> str:
    start, end, label = row
    return f"{label} {doc[start:end].text!r} ({start}, {end})"


_Check = Callable[[Doc, Component, AnswerKind, PlainData], PlainData]
_CHECKS: dict[type[AnswerKind], _Check] = {
    DependencyAnswers: _check_tree,
    SpanAnswers: _check_phrases,
    EntityAnswers: _check_entities,
    BoundaryAnswers: _check_boundaries,
}
