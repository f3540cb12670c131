"""Annotations of several kinds, such as tags with heads, and empty ones."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from spacy.tokens import Doc, Span
from spacy.training import Example

from ...errors import Errors
from ...learn.kernels.structures import Structures
from .base import Annotation, AnswerKind, Counts, Description, PlainData
from .mistakes import Mistake
from .tokens import TokenAnswers


class MixedAnswers(AnswerKind):
    """Asks each kind for its part. The main one is drawn, counted and compared by kernels.

    names (Sequence[str]): All names of the annotation.
    kinds (Sequence[AnswerKind]): The kinds, in the order of their names.
    main (AnswerKind): The main one.
    """

    def __init__(self, names: Sequence[str], kinds: Sequence[AnswerKind], main: AnswerKind):
        super().__init__(names, main.options)
        self.kinds = kinds
        self.main = main
        self.drawing, self.kernels, self.metric = main.drawing, main.kernels, main.metric
        self.finds_sentences = any(kind.finds_sentences for kind in kinds)

    @property
    def confidences(self) -> tuple[str, ...]:
        """RETURNS (tuple[str, ...]): What tokens can have a confidence in."""
        return tuple(name for kind in self.kinds for name in kind.confidences)

    def register_confidences(self) -> None:
        for kind in self.kinds:
            kind.register_confidences()

    def item_confidences(self, doc: Doc) -> dict[tuple, float]:
        return self.main.item_confidences(doc)

    def _in_order(self, parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        """What the kinds gave, under all names."""
        merged = {name: value for part in parts for name, value in part.items()}
        return {name: merged[name] for name in self.names if name in merged}

    def read(self, doc: Doc) -> PlainData:
        return self._in_order(kind.read(doc) for kind in self.kinds)

    def write(self, doc: Doc, annotation: Annotation) -> None:
        for kind in self.kinds:
            kind.write(doc, annotation)

    def cut(self, annotation: Annotation, start: int, end: int) -> PlainData:
        return self._in_order(kind.cut(annotation, start, end) for kind in self.kinds)

    def join(self, parts: Iterable[tuple[int, Annotation]]) -> PlainData:
        parts = list(parts)
        return self._in_order(kind.join(parts) for kind in self.kinds)

    def as_plain_data(self, annotation: Annotation) -> PlainData:
        return self._in_order(kind.as_plain_data(annotation) for kind in self.kinds)

    def key(self, annotation: Annotation) -> Hashable:
        return tuple(kind.key(annotation) for kind in self.kinds)

    def changes(self, before: Annotation, after: Annotation) -> dict[str, list[bool]]:
        return self._in_order(kind.changes(before, after) for kind in self.kinds)

    def describe(self, annotation: Annotation, words: Sequence[str]) -> Description:
        described = {kind: kind.describe(annotation, words) for kind in self.kinds}
        columns = self._in_order(one.columns for one in described.values())
        # The labels of all kinds make one, as in `NN/nsubj`.
        parts = [
            ("/".join(first for first, *_ in of_token), *(x for _, *rest in of_token for x in rest))
            for of_token in zip(*(one.parts for one in described.values()), strict=True)
        ]
        main = described[self.main]
        return Description(main.words, columns, parts, main.items)

    def read_gold(self, example: Example) -> Any:
        return self.main.read_gold(example)

    def count(self, gold: Any, annotation: Annotation, start: int, end: int) -> Counts:
        return self.main.count(gold, annotation, start, end)

    @property
    def parts(self) -> Sequence[AnswerKind]:
        """RETURNS (Sequence[AnswerKind]): The kinds, the main one first."""
        return [self.main, *(kind for kind in self.kinds if kind is not self.main)]

    def find_mistakes(
        self, gold: Any, annotation: Annotation, start: int, end: int
    ) -> list[Mistake]:
        return self.main.find_mistakes(gold, annotation, start, end)

    def encode(self, sentence: Span, annotations: Sequence[Annotation]) -> Structures:
        return self.main.encode(sentence, annotations)


class NoAnswers(TokenAnswers):
    """An empty annotation, such as that of a doc without answers to rerank."""

    def read(self, doc: Doc) -> PlainData:
        return {}

    def columns(self, doc: Doc, annotation: Annotation) -> dict[str, np.ndarray]:
        return {}

    def read_gold(self, example: Example) -> None:
        return None

    def count(self, gold: Any, annotation: Annotation, start: int, end: int) -> Counts:
        return Counts(0, 0, 0)

    def find_mistakes(
        self, gold: Any, annotation: Annotation, start: int, end: int
    ) -> list[Mistake]:
        return []

    def encode(self, sentence: Span, annotations: Sequence[Annotation]) -> Structures:
        raise ValueError(Errors.RERANK_KIND.format(names="nothing"))
