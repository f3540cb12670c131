"""Constituents, labelled spans that nest: brackets count as in the scorer of constituents."""

from collections.abc import Hashable, Iterable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from spacy.tokens import Doc, Span
from spacy.training import Example

from ...learn.kernels.structures import Trees
from ...trees.coarse_tags import token_tag
from ...trees.constituents import (
    SPANS_KEY,
    Constituent,
    constituents_to_tree,
    set_constituents,
)
from ...trees.evalb import PUNCTUATION, counted_brackets, right_brackets
from ..constituents import register_constituents
from .base import Annotation, AnswerKind, Counts, Description, PlainData
from .mistakes import Mistake, span_mistakes

# In gold: the tokens that do not count.
_LEFT_OUT = "left_out"


class SpanAnswers(AnswerKind):
    """The phrases of a doc as `[start, end, label]`, in the order of `doc.spans["constituents"]`:
    pre-order, the outermost of a unary chain first."""

    own_names = (SPANS_KEY,)
    drawing = "brackets"
    kernels = ("subset_tree",)
    metric = "const_f"

    @property
    def confidences(self) -> tuple[str, ...]:
        """RETURNS (tuple[str, ...]): None: spans have them, tokens do not. What takes the place of
        an answer has other spans or labels, and so none of their confidences."""
        return ()

    def register_confidences(self) -> None:
        register_constituents()

    def item_confidences(self, doc: Doc) -> dict[tuple, float]:
        if not Span.has_extension("confidence"):
            return {}
        spans = doc.spans.get(SPANS_KEY, ())
        values = {(span.start, span.end, span.label_): span._.confidence for span in spans}
        return {item: value for item, value in values.items() if value is not None}

    def read(self, doc: Doc) -> PlainData:
        return _as_rows((s.start, s.end, s.label_) for s in doc.spans.get(SPANS_KEY, ()))

    def write(self, doc: Doc, annotation: Annotation) -> None:
        spans = [Span(doc, start, end, label=label) for start, end, label in annotation[SPANS_KEY]]
        set_constituents(doc, spans)

    def cut(self, annotation: Annotation, start: int, end: int) -> PlainData:
        rows = annotation[SPANS_KEY]
        return _as_rows((a - start, b - start, x) for a, b, x in rows if start <= a and b <= end)

    def join(self, parts: Iterable[tuple[int, Annotation]]) -> PlainData:
        return _as_rows(
            (start + a, start + b, label)
            for start, annotation in parts
            for a, b, label in annotation[SPANS_KEY]
        )

    def as_plain_data(self, annotation: Annotation) -> PlainData:
        return _as_rows((int(a), int(b), str(label)) for a, b, label in annotation[SPANS_KEY])

    def key(self, annotation: Annotation) -> Hashable:
        return tuple(map(tuple, annotation[SPANS_KEY]))

    def describe(self, annotation: Annotation, words: Sequence[str]) -> Description:
        """Each token gets the brackets that open before it and close after it: `(S(NP*` or `*)`."""
        opened, n_closed = [""] * len(words), [0] * len(words)
        for start, end, label in annotation[SPANS_KEY]:
            opened[start] += f"({label}"
            n_closed[end - 1] += 1
        cells = [f"{text}*{')' * n}" for text, n in zip(opened, n_closed, strict=True)]
        items = [tuple(row) for row in annotation[SPANS_KEY]]
        return Description(list(words), {SPANS_KEY: cells}, [(cell,) for cell in cells], items)

    def read_gold(self, example: Example) -> Any:
        if SPANS_KEY not in example.reference.spans:
            return None
        spans = example.get_aligned_spans_y2x(
            example.reference.spans[SPANS_KEY], allow_overlap=True
        )
        gold = _as_rows((span.start, span.end, span.label_) for span in spans)
        left_out = _left_out(example)
        return {**gold, _LEFT_OUT: left_out} if left_out else gold

    def count(self, gold: Any, annotation: Annotation, start: int, end: int) -> Counts:
        """Gold phrases that do not align with the predicted tokens are left out, and punctuation is
        found token by token; for the same tokens, the counts are those of the scorer.
        """
        positions = _positions(gold, start, end)
        expected = _brackets(self.cut(gold, start, end), positions)
        found = _brackets(annotation, positions)
        return Counts(right_brackets(expected, found).total(), len(found), len(expected))

    def find_mistakes(
        self, gold: Any, annotation: Annotation, start: int, end: int
    ) -> list[Mistake]:
        """Brackets with another label or boundary, or that only one side has, of those that
        count. Punctuation around a phrase is not among its tokens."""
        positions = _positions(gold, start, end)
        counted = [i for i in range(end - start) if positions[i] < positions[i + 1]]
        sides = (self.cut(gold, start, end), annotation)
        expected, found = (
            [(label, counted[a], counted[b - 1] + 1) for label, a, b in _brackets(side, positions)]
            for side in sides
        )
        return span_mistakes(expected, found)

    def encode(self, sentence: Span, annotations: Sequence[Annotation]) -> Trees:
        words = [token.lower_ for token in sentence]
        tags = [token_tag(token, coarse=self.options.coarse_tags) or "X" for token in sentence]
        add = sentence.doc.vocab.strings.add
        labels: list[int] = []
        n_children: list[int] = []
        offsets = [0]
        for annotation in annotations:
            phrases = [(label, start, end) for start, end, label in annotation[SPANS_KEY]]
            for node in constituents_to_tree(phrases, words, tags).preorder():
                word = node.word if self.options.words else None
                labels += [add(text) for text in (node.label, word) if text is not None]
                n_children += [len(node.children)] if word is None else [1, 0]
            offsets.append(len(labels))
        return Trees(np.array(labels, np.uint64), np.array(n_children, np.int32), np.array(offsets))


def _positions(gold: Any, start: int, end: int) -> list[int]:
    """RETURNS (list[int]): For each token of a sentence and its end, how many that count are
    before it."""
    left_out = set(gold.get(_LEFT_OUT, ()))
    return list(accumulate((i not in left_out for i in range(start, end)), initial=0))


def _brackets(annotation: Annotation, positions: Sequence[int]) -> list[Constituent]:
    rows = ((label, start, end) for start, end, label in annotation[SPANS_KEY])
    return counted_brackets(rows, positions)


def _left_out(example: Example) -> list[int]:
    """RETURNS (list[int]): Predicted tokens that are white space or, to go by gold, punctuation."""
    gold = example.reference
    aligned = example.alignment.x2y
    found = []
    for token in example.predicted:
        tags = [gold[int(i)].tag_ for i in aligned[token.i]]
        if token.text.isspace() or (tags and all(tag in PUNCTUATION for tag in tags)):
            found.append(token.i)
    return found


def _as_rows(spans: Iterable[tuple[int, int, str]]) -> PlainData:
    return {SPANS_KEY: [list(span) for span in spans]}
