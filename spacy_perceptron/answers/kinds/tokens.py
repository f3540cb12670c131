"""Answers that give each token a value of each name: what tags, entities and heads share."""

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from typing import cast

import numpy as np
from spacy.tokens import Doc, Span
from thinc.types import Ints2d

from ...learn.kernels.structures import Sequences
from .base import Annotation, AnswerKind, Description, PlainData

SEQUENCE_KERNELS = ("tagging", "smoothed_tagging")


class TokenAnswers(AnswerKind):
    """A value per token. Subclasses say how it is read, written, counted and encoded."""

    @abstractmethod
    def columns(self, doc: Doc, annotation: Annotation) -> dict[str, np.ndarray]:
        """RETURNS (dict[str, np.ndarray]): Names and columns, as `Doc.from_array` takes them."""

    def write(self, doc: Doc, annotation: Annotation) -> None:
        columns = self.columns(doc, annotation)
        names: list[int | str] = [*columns]
        if names:
            doc.from_array(names, cast(Ints2d, np.stack([*columns.values()], axis=1)))

    def cut(self, annotation: Annotation, start: int, end: int) -> PlainData:
        return {name: list(annotation[name][start:end]) for name in self.names}

    def join(self, parts: Iterable[tuple[int, Annotation]]) -> PlainData:
        joined: PlainData = {name: [] for name in self.names}
        for _, annotation in parts:
            for name, values in joined.items():
                values.extend(annotation[name])
        return joined

    def as_plain_data(self, annotation: Annotation) -> PlainData:
        return {name: list(map(str, annotation[name])) for name in self.names}

    def key(self, annotation: Annotation) -> Hashable:
        return tuple(tuple(annotation[name]) for name in self.names)

    def changes(self, before: Annotation, after: Annotation) -> dict[str, list[bool]]:
        return {
            name: [a != b for a, b in zip(before[name], after[name], strict=True)]
            for name in self.names
        }

    def describe(self, annotation: Annotation, words: Sequence[str]) -> Description:
        columns = {name: [str(value) for value in annotation[name]] for name in self.names}
        parts = [tuple(column[i] for column in columns.values()) for i in range(len(words))]
        return Description(list(words), columns, parts, [])


def string_ids(doc: Doc, values: Iterable[str]) -> np.ndarray:
    """RETURNS (np.ndarray): Ids of strings, which are added to the doc's vocab."""
    return np.array([doc.vocab.strings.add(str(value)) for value in values], dtype=np.uint64)


def encode_tags(sentence: Span, taggings: Sequence[Sequence[str]]) -> Sequences:
    """Tagged sequences, with words in lower case and their shapes.

    sentence (Span): A sentence.
    taggings (Sequence[Sequence[str]]): Taggings of it.
    RETURNS (Sequences): The sequences.
    """
    words = np.array([token.lower for token in sentence], np.uint64)
    shapes = np.array([token.shape for token in sentence], np.uint64)
    tags = string_ids(sentence.doc, [tag for tags in taggings for tag in tags])
    n = len(taggings)
    return Sequences(tags, np.tile(words, n), np.tile(shapes, n), np.arange(n + 1) * len(words))
